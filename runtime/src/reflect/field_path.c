#include "reflect/field_path.h"

#include "base/base.h"

#include <kin/generated/list.h>

#include <string.h>

// The rest of a path that is being followed, and what it has reached.
typedef struct walk {
    const char *rest;
    const kin_field_info *fields; // of the component or struct that the next name is in
    uint32_t field_count;
    kin__field_place place;
    bool is_array; // the place is a whole array or list
} walk;

static const char *take_name(walk *walk)
{
    size_t length = strcspn(walk->rest, ".[");
    for (uint32_t i = 0; i < walk->field_count; i++) {
        const kin_field_info *field = &walk->fields[i];
        if (strncmp(field->name, walk->rest, length) != 0 || field->name[length] != '\0')
            continue;
        walk->place.field = field;
        walk->place.offset += field->offset;
        walk->place.size = field->size;
        walk->is_array = field->count > 0 || field->is_list;
        walk->rest += length;
        return NULL;
    }
    return "names a field that does not exist; use the names of the schema";
}

// Goes on in an element of the list at the place, from offset 0.
static void enter_list(walk *walk, uint32_t index)
{
    walk->place.list = walk->place.field;
    walk->place.index = index;
    walk->place.offset = 0;
    walk->place.size = walk->place.field->element_size;
}

static void enter_array(walk *walk, uint32_t index)
{
    walk->place.size /= walk->place.field->count;
    walk->place.offset += index * walk->place.size;
}

static const char *take_element(walk *walk)
{
    const kin_field_info *array = walk->place.field;
    uint32_t number = 0, count = array->is_list ? KIN__LIST_LIMIT : array->count;
    const char *digit = walk->rest + 1;
    if (!walk->is_array)
        return "has an index after a field that is not an array; remove the index";
    KIN_ASSERT(count > 0);
    for (; *digit >= '0' && *digit <= '9' && number < count; digit++)
        number = number * 10 + (uint32_t)(*digit - '0');
    if (number >= count)
        return "has an index beyond the end of the array; count from 0";
    if (*digit != ']' || digit == walk->rest + 1)
        return "has a bracket without an index; write [0] for the first element";
    if (array->is_list)
        enter_list(walk, number);
    else
        enter_array(walk, number);
    walk->is_array = false;
    walk->rest = digit + 1;
    return NULL;
}

static const char *enter_struct(walk *walk)
{
    const kin_field_info *field = walk->place.field;
    if (walk->is_array || field->type != KIN_TYPE_STRUCT)
        return "continues after a field that is not a struct; end it there";
    walk->fields = field->of->fields;
    walk->field_count = field->of->field_count;
    walk->rest++;
    return take_name(walk);
}

static const char *find_end_fault(const walk *walk)
{
    if (walk->is_array)
        return "ends at an array; append an index such as [0]";
    if (walk->place.field->type == KIN_TYPE_STRUCT)
        return "ends at a struct; append the name of one of its fields";
    return walk->place.field->type == KIN_TYPE_OPAQUE
               ? "ends at an opaque value, which has no fields; name another field"
               : NULL;
}

const char *kin__field_find(const kin_component_info *component, const char *path, kin__field_place *place)
{
    walk walk = {.rest = path, .fields = component->fields, .field_count = component->field_count};
    if (path == NULL)
        return "is NULL; pass the name of a field";
    const char *fault = take_name(&walk);
    while (fault == NULL && *walk.rest != '\0') {
        if (*walk.rest == '[')
            fault = take_element(&walk);
        else if (*walk.rest == '.')
            fault = enter_struct(&walk);
        else
            fault = "continues after a bracket without a dot; insert one";
    }
    if (fault == NULL)
        fault = find_end_fault(&walk);
    *place = walk.place;
    return fault;
}
