#include "merge/reference.h"

#include "store/store.h"

// ---- counting

static size_t count_fields(const kin_field_info *fields, uint32_t count);

// Returns the number of references in one element of a field, or in the field if it is no array.
static size_t count_element(const kin_field_info *field)
{
    if (field->type == KIN_TYPE_ENTITY)
        return 1;
    return field->type == KIN_TYPE_STRUCT ? count_fields(field->of->fields, field->of->field_count) : 0;
}

static size_t elements_of(const kin_field_info *field)
{
    return field->count == 0 ? 1 : field->count;
}

// Leaves lists out.
static size_t count_fields(const kin_field_info *fields, uint32_t count)
{
    size_t found = 0;
    for (const kin_field_info *field = fields; field < fields + count; field++)
        if (!field->is_list)
            found += elements_of(field) * count_element(field);
    return found;
}

bool kin__has_references(const kin_component_info *info)
{
    if (count_fields(info->fields, info->field_count) > 0)
        return true;
    KIN__EACH_LIST(field, info)
    {
        if (count_element(field) > 0)
            return true;
    }
    return false;
}

size_t kin__references_count(const kin_component_info *info, const void *value)
{
    size_t found = count_fields(info->fields, info->field_count);
    KIN__EACH_LIST(field, info)
    {
        found += kin__list_field_read(value, field).count * count_element(field);
    }
    return found;
}

// ---- visiting

typedef struct walk {
    kin__reference_visit *visit;
    void *data;
} walk;

static void visit_fields(const walk *walk, const kin_field_info *fields, uint32_t count, char *value);

static void visit_elements(const walk *walk, const kin_field_info *field, char *first, size_t count)
{
    size_t size = field->is_list ? field->element_size : field->size / elements_of(field);
    for (size_t i = 0; i < count; i++)
        if (field->type == KIN_TYPE_ENTITY)
            walk->visit((kin_entity *)(void *)(first + i * size), field, walk->data);
        else if (field->type == KIN_TYPE_STRUCT)
            visit_fields(walk, field->of->fields, field->of->field_count, first + i * size);
}

static void visit_fields(const walk *walk, const kin_field_info *fields, uint32_t count, char *value)
{
    for (const kin_field_info *field = fields; field < fields + count; field++)
        if (field->is_list) {
            kin__list_field list = kin__list_field_read(value, field);
            visit_elements(walk, field, list.at, list.count);
        } else if (field->type == KIN_TYPE_ENTITY || field->type == KIN_TYPE_STRUCT) {
            visit_elements(walk, field, value + field->offset, elements_of(field));
        }
}

void kin__references_visit(const kin_component_info *info, void *value, kin__reference_visit *visit, void *data)
{
    kin__field_references_visit(info->fields, info->field_count, value, visit, data);
}

void kin__field_references_visit(const kin_field_info *fields, uint32_t count, void *value, kin__reference_visit *visit,
                                 void *data)
{
    visit_fields(&(walk){visit, data}, fields, count, value);
}
