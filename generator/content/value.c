// Reads values of content as the bytes that packs have.
//
// The checks of scalars are those of schemas (schema/scalar.c). Content adds lists for structs, `append`, and
// references to parts and instances.
#include "generator/content/internal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- places

int64_t component_find(const kin_context_info *info, const char *name)
{
    uint32_t low = 0;
    uint32_t high = info->component_count;
    while (low < high) { // ids are in order of names
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(info->components[middle].name, name);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

bool component_is_of_content(const kin_component_info *component)
{
    return strcmp(component->name, "Origin") == 0 || strcmp(component->name, "Content") == 0;
}

bool component_has_tree(const kin_context_info *info, kin_component_id id)
{
    for (uint32_t i = 0; i < info->relation_count; i++)
        if (info->relations[i].is_tree && info->relations[i].component == id)
            return true;
    return false;
}

static void set_fields(compiler *compiler, place *place, const kin_field_info *fields, uint32_t count)
{
    place->fields = fields;
    place->field_count = count;
    place->below = arena_allocate(compiler->arena, (count + 1) * sizeof(struct place *));
}

place *place_of_component(compiler *compiler, size_t context, kin_component_id id)
{
    const kin_component_info *info = &compiler->schema.contexts[context]->components[id];
    assert(context < compiler->schema.count && id < compiler->schema.contexts[context]->component_count);
    place **known = &compiler->places[context][id];
    if (*known != NULL)
        return *known;
    place *made = arena_allocate(compiler->arena, sizeof *made);
    made->name = info->name;
    made->path = "";
    made->id = id;
    made->elements = 1;
    set_fields(compiler, made, info->fields, info->field_count);
    *known = made;
    return made;
}

static place *place_at(compiler *compiler, place *above, uint32_t number)
{
    assert(number < above->field_count);
    const kin_field_info *field = &above->fields[number];
    if (above->below[number] != NULL)
        return above->below[number];
    place *made = arena_allocate(compiler->arena, sizeof *made);
    made->field = field;
    made->id = above->id;
    made->name = arena_format(compiler->arena, "%s.%s", above->name, field->name);
    made->path = path_join(compiler, above->path, identity_of(field->identity, field->name));
    made->is_list = above->is_list || field->is_list;
    made->elements = above->elements;
    if (field->count > 0)
        made->elements *= field->count;
    if (field->type == KIN_TYPE_STRUCT) {
        set_fields(compiler, made, field->of->fields, field->of->field_count);
    } else {
        made->leaf = arena_allocate(compiler->arena, sizeof *made->leaf);
        *made->leaf = (leaf){.path = made->path, .field = field, .is_list = made->is_list, .elements = made->elements};
    }
    above->below[number] = made;
    return made;
}

place *place_find(compiler *compiler, place *above, const char *name)
{
    for (uint32_t i = 0; i < above->field_count; i++)
        if (strcmp(above->fields[i].name, name) == 0)
            return place_at(compiler, above, i);
    return NULL;
}

void report_field(compiler *compiler, const tree_node *key, const place *above)
{
    name_search search = name_search_begin(key->text);
    for (uint32_t i = 0; i < above->field_count; i++)
        name_search_offer(&search, above->fields[i].name);
    diagnostic_error(compiler->diagnostics, CODE_UNKNOWN_FIELD, key->span, "'%s' has no field '%s'", above->name,
                     key->text);
    suggest(compiler, search.nearest);
}

// Returns why content must not set a place; NULL: it may.
static const char *why_shut(const kin_context_info *info, const place *place)
{
    const kin_component_info *component = &info->components[place->id];
    const kin_field_info *field = place->field;
    if (field != NULL && field->type == KIN_TYPE_OPAQUE)
        return "it is an opaque value";
    if (component->is_not_content || (field != NULL && field->is_not_content))
        return "the schema has 'content: false' for it";
    if (component_is_of_content(component))
        return "the context sets it";
    if (component_has_tree(info, place->id))
        return "it is what 'parts' makes the tree of";
    return NULL;
}

bool check_settable(compiler *compiler, const kin_context_info *info, span span, const place *place)
{
    const char *why = why_shut(info, place);
    if (why == NULL)
        return true;
    diagnostic_error(compiler->diagnostics, CODE_CONTENT_VALUE, span, "'%s' cannot be set here: %s", place->name, why);
    diagnostic_hint(compiler->diagnostics, "remove it");
    return false;
}

// ---- writes

static write *begin_write(writing *writing, place *place, span span)
{
    arena *arena = writing->compiler->arena;
    write *made = arena_allocate(arena, sizeof *made);
    leaf *leaf = place->leaf;
    struct place *component = place_of_component(writing->compiler, writing->context, place->id);
    assert(leaf != NULL && leaf->field == place->field);
    *made = (write){.part = writing->part, .leaf = leaf, .span = span};
    if (!leaf->is_used) {
        leaf->is_used = true;
        leaf->component = component;
        leaf->next = component->first;
        component->first = leaf;
    }
    write_list *list = writing->writes;
    if (list->last == NULL)
        list->first = made;
    else
        list->last->next = made;
    list->last = made;
    list->count++;
    return made;
}

static int compare_writes(const void *a, const void *b)
{
    const write *left = *(const write *const *)a;
    const write *right = *(const write *const *)b;
    int order = strcmp(left->part, right->part);
    if (order == 0)
        order = strcmp(left->leaf->component->name, right->leaf->component->name);
    if (order == 0)
        order = strcmp(left->leaf->path, right->leaf->path);
    if (order == 0)
        order = span_compare(left->span, right->span);
    return order;
}

static void report_twice(compiler *compiler, const write *earlier, const write *later)
{
    const char *component = path_join(compiler, later->part, later->leaf->component->name);
    diagnostic_error(compiler->diagnostics, CODE_CONTENT_VALUE, later->span, "'%s.%s' is set twice", component,
                     later->leaf->path);
    diagnostic_note(compiler->diagnostics, earlier->span, "first set here");
}

void sort_writes(compiler *compiler, write_list *list)
{
    enum { SMALL = 16 };
    write *few[SMALL];
    write **all = few;
    size_t count = 0;
    if (list->count == 0)
        return;
    if (list->count > SMALL)
        all = arena_allocate(compiler->arena, list->count * sizeof *all);
    for (write *each = list->first; each != NULL; each = each->next)
        all[count++] = each;
    assert(count == list->count);
    if (count > 1)
        qsort(all, count, sizeof *all, compare_writes);
    *list = (write_list){.first = all[0], .last = all[0], .count = 1};
    for (size_t i = 1; i < count; i++) {
        bool is_same = strcmp(all[i]->part, list->last->part) == 0 && all[i]->leaf == list->last->leaf;
        if (is_same) {
            report_twice(compiler, list->last, all[i]);
            continue;
        }
        list->last->next = all[i];
        list->last = all[i];
        list->count++;
    }
    list->last->next = NULL;
}

static void append_number(text *out, uint64_t number)
{
    char bytes[10];
    size_t size = 0;
    for (; number >= 128; number >>= 7)
        bytes[size++] = (char)(number | 128);
    bytes[size++] = (char)number;
    text_append(out, bytes, size);
}

static void append_text(text *out, const char *string, size_t size)
{
    append_number(out, size);
    text_append(out, string, size);
    text_append(out, "", 1);
}

// ---- scalars

static bool is_floating(kin_type type)
{
    return type == KIN_TYPE_FLOAT || type == KIN_TYPE_DOUBLE;
}

static bool is_signed(kin_type type)
{
    return type >= KIN_TYPE_INT8 && type <= KIN_TYPE_INT64;
}

static type_kind kind_of(kin_type type)
{
    static const type_kind kinds[] = {
        [KIN_TYPE_BOOL] = TYPE_BOOL,     [KIN_TYPE_INT8] = TYPE_INT8,     [KIN_TYPE_INT16] = TYPE_INT16,
        [KIN_TYPE_INT32] = TYPE_INT32,   [KIN_TYPE_INT64] = TYPE_INT64,   [KIN_TYPE_UINT8] = TYPE_UINT8,
        [KIN_TYPE_UINT16] = TYPE_UINT16, [KIN_TYPE_UINT32] = TYPE_UINT32, [KIN_TYPE_UINT64] = TYPE_UINT64,
        [KIN_TYPE_FLOAT] = TYPE_FLOAT,   [KIN_TYPE_DOUBLE] = TYPE_DOUBLE,
    };
    assert(type <= KIN_TYPE_DOUBLE);
    return kinds[type];
}

static const char *bound_text(arena *arena, kin_number bound, kin_type type)
{
    if (type == KIN_TYPE_FLOAT)
        return arena_format(arena, "%.7g", bound.number);
    if (type == KIN_TYPE_DOUBLE)
        return arena_format(arena, "%.15g", bound.number);
    if (is_signed(type))
        return arena_format(arena, "%" PRId64, bound.integer);
    return arena_format(arena, "%" PRIu64, bound.natural);
}

static int compare_numbers(kin_number a, kin_number b, kin_type type)
{
    if (type == KIN_TYPE_FLOAT) // as C compares a float with a bound of its type
        return ((float)a.number > (float)b.number) - ((float)a.number < (float)b.number);
    if (type == KIN_TYPE_DOUBLE)
        return (a.number > b.number) - (a.number < b.number);
    if (is_signed(type))
        return (a.integer > b.integer) - (a.integer < b.integer);
    return (a.natural > b.natural) - (a.natural < b.natural);
}

static bool is_in_range(const kin_field_range *range, kin_number number, kin_type type)
{
    if (is_floating(type) && number.number != number.number)
        return false;
    if (range->has_min && compare_numbers(number, range->min, type) < 0)
        return false;
    return !range->has_max || compare_numbers(number, range->max, type) <= 0;
}

static bool check_range(compiler *compiler, const tree_node *node, const place *place, kin_number number)
{
    const kin_field_range *range = place->field->range;
    kin_type type = place->field->type;
    if (range == NULL || is_in_range(range, number, type))
        return true;
    const char *min = bound_text(compiler->arena, range->min, type);
    const char *max = bound_text(compiler->arena, range->max, type);
    diagnostic_error(compiler->diagnostics, CODE_VALUE_OUT_OF_RANGE, node->span, "%s is outside the range of '%s'",
                     node->text, place->name);
    if (range->has_min && range->has_max)
        diagnostic_hint(compiler->diagnostics, "write a number from %s to %s", min, max);
    else if (range->has_min)
        diagnostic_hint(compiler->diagnostics, "write a number of at least %s", min);
    else
        diagnostic_hint(compiler->diagnostics, "write a number of at most %s", max);
    return false;
}

static double floating_value(const char *text, kin_type type)
{
    bool is_word = strchr(text, 'i') != NULL || strchr(text, 'n') != NULL;
    if (is_word && text[0] == '-')
        return strtod("-inf", NULL);
    if (is_word) // without its dot
        return strtod(text + 1, NULL);
    if (type == KIN_TYPE_FLOAT)
        return (double)strtof(text, NULL);
    return strtod(text, NULL);
}

static void append_little(text *out, uint64_t bits, size_t width)
{
    unsigned char bytes[8];
    kin__little_write_64(bytes, bits);
    text_append(out, (const char *)bytes, width);
}

static void read_number(const writing *writing, const tree_node *node, const place *place, text *out)
{
    compiler *compiler = writing->compiler;
    kin_type type = place->field->type;
    integer integer = {.magnitude = 0};
    kin_number number = {.natural = 0};
    if (!scalar_check_number(compiler->diagnostics, node, kind_of(type), &integer))
        return;
    if (is_floating(type))
        number.number = floating_value(node->text, type);
    else if (integer.is_negative)
        number.natural = 0 - integer.magnitude;
    else
        number.natural = integer.magnitude;
    if (!writing->is_offset && !check_range(compiler, node, place, number))
        return;
    uint64_t bits = number.natural;
    if (type == KIN_TYPE_FLOAT) {
        float narrow = (float)number.number;
        uint32_t narrow_bits;
        memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
        bits = narrow_bits;
    }
    append_little(out, bits, kin__pack_width(type));
}

static void read_enum(compiler *compiler, const tree_node *node, const kin_type_info *of, text *out)
{
    name_search search = name_search_begin(node->text);
    for (uint32_t i = 0; i < of->value_count; i++)
        if (strcmp(of->values[i].name, node->text) == 0) {
            note_name(compiler, (content_name){
                                    .kind = CONTENT_VALUE, .owner = of->name, .name = node->text, .place = node->span});
            append_number(out, i);
            return;
        }
    for (uint32_t i = 0; i < of->value_count; i++)
        name_search_offer(&search, of->values[i].name);
    scalar_report_enumerator(compiler->diagnostics, node, of->name);
    if (search.nearest != NULL)
        diagnostic_meant(compiler->diagnostics, search.nearest);
    else if (of->value_count > 0)
        diagnostic_hint(compiler->diagnostics, "write one of its values, such as '%s'", of->values[0].name);
}

// ---- references

static bool is_none(const tree_node *node)
{
    if (node->kind != TREE_SCALAR || !node->is_plain)
        return false;
    return strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0;
}

static void report_part(const writing *writing, const tree_node *node, const prefab *prefab, const char *path,
                        const char *before)
{
    compiler *compiler = writing->compiler;
    name_search search = name_search_begin(path);
    diagnostic_error(compiler->diagnostics, CODE_NO_SUCH_PART, node->span, "'%s' has no part '%s'", prefab->name, path);
    for (const part *each = prefab->parts.first; each != NULL; each = each->next)
        if (!each->is_gone && each->path[0] != '\0')
            name_search_offer(&search, each->path);
    if (search.nearest != NULL)
        diagnostic_meant(compiler->diagnostics, arena_format(compiler->arena, "%s.%s", before, search.nearest));
}

static void read_own_part(const writing *writing, const tree_node *node, text *out)
{
    assert(node->text[0] == '.');
    const char *path = node->text + 1;
    const part *found = part_find(&writing->prefab->parts, path);
    if (writing->prefab->is_broken)
        return;
    if (!part_is_there(found)) {
        report_part(writing, node, writing->prefab, path, "");
        return;
    }
    append_number(out, 1);
    append_text(out, found->first_path, strlen(found->first_path));
}

static void report_no_part(const writing *writing, const tree_node *node)
{
    compiler *compiler = writing->compiler;
    diagnostic_error(compiler->diagnostics, CODE_NO_SUCH_PART, node->span,
                     "'%s' is no part; a prefab can name its own parts only", node->text);
    if (part_find(&writing->prefab->parts, node->text) != NULL)
        diagnostic_meant(compiler->diagnostics, arena_format(compiler->arena, ".%s", node->text));
    else
        diagnostic_hint(compiler->diagnostics, "write the path of a part, such as .head.left, or ~ for no entity");
}

static void report_instance(compiler *compiler, const level *level, const tree_node *node)
{
    name_search search = name_search_begin(node->text);
    diagnostic_error(compiler->diagnostics, CODE_NO_SUCH_PART, node->span, "no instance of level '%s' is named '%s'",
                     level->name, node->text);
    offer_instances(&search, level);
    if (search.nearest != NULL)
        diagnostic_meant(compiler->diagnostics, search.nearest);
    else
        diagnostic_hint(compiler->diagnostics, "name an instance with 'as', or write .part for a part of its own");
}

static void read_instance(const writing *writing, const tree_node *node, text *out)
{
    compiler *compiler = writing->compiler;
    const char *part = "";
    if (writing->level == NULL) {
        report_no_part(writing, node);
        return;
    }
    const instance *found = instance_find(writing->level, node->text, &part);
    if (found == NULL) {
        report_instance(compiler, writing->level, node);
        return;
    }
    if (found->prefab == NULL || found->prefab->is_broken)
        return; // reported
    const struct part *of = part_find(&found->prefab->parts, part);
    size_t name_size = node->size;
    if (part[0] != '\0')
        name_size = (size_t)(part - node->text) - 1;
    if (!part_is_there(of)) {
        report_part(writing, node, found->prefab, part, arena_copy(compiler->arena, node->text, name_size));
        return;
    }
    const char *name = node->text;
    if (compiler->has_renames) {
        name = instance_first_path(compiler, writing->level, node->text);
        name_size = strlen(name);
    }
    append_number(out, 2);
    append_text(out, name, name_size);
    append_text(out, of->first_path, strlen(of->first_path));
}

static void read_reference(const writing *writing, const tree_node *node, const place *place, text *out)
{
    const char *target = place->field->target;
    if (is_none(node)) {
        append_number(out, 0);
        return;
    }
    if (target != NULL && strcmp(target, writing->info->name) != 0) {
        diagnostic_error(writing->compiler->diagnostics, CODE_NO_SUCH_PART, node->span,
                         "'%s' names entities of context '%s', and content has those of '%s' here", place->name, target,
                         writing->info->name);
        diagnostic_hint(writing->compiler->diagnostics, "remove it");
    } else if (writing->prefab == NULL) {
        diagnostic_error(writing->compiler->diagnostics, CODE_NO_SUCH_PART, node->span,
                         "'%s' is no part; values of unique components are of no prefab or level", node->text);
        diagnostic_hint(writing->compiler->diagnostics, "write ~ for no entity");
    } else if (node->text[0] == '.') {
        note_reference(writing->compiler, writing->prefab, NULL, node);
        read_own_part(writing, node, out);
    } else {
        note_reference(writing->compiler, writing->prefab, writing->level, node);
        read_instance(writing, node, out);
    }
}

// ---- one scalar

// Returns the bytes of a string, or of each string of an array or a list.
static size_t string_size(const kin_field_info *field)
{
    if (field->is_list)
        return field->element_size;
    if (field->count > 0)
        return field->size / field->count;
    return field->size;
}

static bool is_string(kin_type type)
{
    return type == KIN_TYPE_STRING || type == KIN_TYPE_INLINE_STRING;
}

// Whether a node can be the value of a field. A string may be empty.
static bool is_scalar_for(const kin_field_info *field, const tree_node *node)
{
    if (tree_is_text(node))
        return true;
    return is_string(field->type) && node->kind == TREE_SCALAR && !tree_is_empty(node);
}

static void read_scalar(const writing *writing, const tree_node *node, const place *place, text *out)
{
    compiler *compiler = writing->compiler;
    const kin_field_info *field = place->field;
    kin_type type = field->type;
    bool value = false;
    assert(place->leaf != NULL);
    if (node->kind == TREE_BROKEN)
        return;
    offer_scalar(writing, node, place);
    if (!is_scalar_for(field, node)) {
        node_expect_value(compiler->diagnostics, node, arena_format(compiler->arena, "a value for '%s'", place->name));
        return;
    }
    if (type == KIN_TYPE_BOOL) {
        if (scalar_check_bool(compiler->diagnostics, node, &value))
            append_little(out, value, 1);
    } else if (type == KIN_TYPE_ENUM) {
        read_enum(compiler, node, field->of, out);
    } else if (type == KIN_TYPE_ENTITY) {
        read_reference(writing, node, place, out);
    } else if (is_string(type)) {
        if (type == KIN_TYPE_STRING || scalar_check_string(compiler->diagnostics, node, string_size(field) - 1))
            append_text(out, node->text, node->size);
    } else {
        read_number(writing, node, place, out);
    }
}

// ---- structs, arrays and lists

static bool is_single_number(const kin_field_info *field)
{
    if (field->count > 0 || field->is_list)
        return false;
    return field->type >= KIN_TYPE_INT8 && field->type <= KIN_TYPE_DOUBLE;
}

// Whether all fields are numbers of one type, so that a list of values says which is which.
static bool is_vector(const place *place)
{
    for (uint32_t i = 0; i < place->field_count; i++)
        if (!is_single_number(&place->fields[i]) || place->fields[i].type != place->fields[0].type)
            return false;
    return place->field_count > 0;
}

// Whether a list has a value for each field of a vector. Reports what is wrong.
static bool check_vector(compiler *compiler, const tree_node *node, const place *place)
{
    if (!is_vector(place)) {
        diagnostic_error(compiler->diagnostics, CODE_LIST_FOR_STRUCT, node->span,
                         "a list cannot be the value of '%s', whose fields are not numbers of one type", place->name);
        if (place->field_count > 0)
            diagnostic_hint(compiler->diagnostics, "write a mapping such as { %s: ... }", place->fields[0].name);
        return false;
    }
    if (node->count == place->field_count)
        return true;
    diagnostic_error(compiler->diagnostics, CODE_ARRAY_COUNT, node->span,
                     "found %zu values; '%s' has %" PRIu32 " fields", node->count, place->name, place->field_count);
    diagnostic_hint(compiler->diagnostics, "write all, or a mapping of some");
    return false;
}

static void report_no_fields(compiler *compiler, const tree_node *node, const place *above)
{
    const char *kind = text_if(above->field == NULL, "component ");
    node_expect_mapping(compiler->diagnostics, node, arena_format(compiler->arena, "%s'%s'", kind, above->name));
    if (!tree_is_text(node))
        return;
    if (above->field_count == 1)
        diagnostic_hint(compiler->diagnostics, "write { %s: %s }", above->fields[0].name, node->text);
    else if (above->field_count == 0)
        diagnostic_hint(compiler->diagnostics, "write {}; a flag has no fields");
}

typedef void read_field(writing *writing, const tree_node *node, place *place);

// Calls `read` for each field that the node gives.
static void read_fields(writing *writing, const tree_node *node, place *above, read_field *read)
{
    compiler *compiler = writing->compiler;
    if (node->kind == TREE_SEQUENCE) {
        if (!check_vector(compiler, node, above))
            return;
        uint32_t number = 0;
        for (const tree_node *item = node->items; item != NULL; item = item->next)
            read(writing, item, place_at(compiler, above, number++));
        return;
    }
    if (node->kind != TREE_MAPPING) {
        report_no_fields(compiler, node, above);
        return;
    }
    for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next) {
        if (is_asked(compiler, pair->key))
            offer_fields(compiler, above, node);
        place *found = place_find(compiler, above, pair->key->text);
        if (found == NULL) {
            report_field(compiler, pair->key, above);
            continue;
        }
        note_field(compiler, above, pair->key->text, pair->key->span);
        if (check_settable(compiler, writing->info, pair->key->span, found))
            read(writing, pair->value, found);
    }
}

// The leaves of an element each have a column, to which the element appends.

// Recursive, as structs are nested.
static void begin_columns(writing *writing, place *place, const tree_node *node, bool is_append)
{
    if (place->leaf != NULL) {
        write *write = begin_write(writing, place, node->span);
        write->is_append = is_append;
        write->column = arena_allocate(writing->compiler->arena, sizeof *write->column);
        *write->column = text_create(writing->compiler->arena);
        place->leaf->column = write->column;
        if (place->leaf->is_list)
            append_number(place->leaf->column, node->count);
    }
    for (uint32_t i = 0; i < place->field_count; i++)
        begin_columns(writing, place_at(writing->compiler, place, i), node, is_append);
}

static void read_element(writing *writing, const tree_node *node, place *place);

// A field in an element: arrays in it have all of their values.
static void read_field_of_element(writing *writing, const tree_node *node, place *place)
{
    compiler *compiler = writing->compiler;
    if (place->field->count == 0) {
        read_element(writing, node, place);
        return;
    }
    if (node->kind != TREE_SEQUENCE || node->count != place->field->count) {
        if (node->kind != TREE_BROKEN)
            diagnostic_error(compiler->diagnostics, CODE_ARRAY_COUNT, node->span,
                             "'%s' needs a list of %" PRIu32 " values", place->name, place->field->count);
        return;
    }
    for (const tree_node *item = node->items; item != NULL; item = item->next)
        read_element(writing, item, place);
}

static void check_all_fields(compiler *compiler, const tree_node *node, const place *place)
{
    if (node->kind != TREE_MAPPING)
        return;
    for (uint32_t i = 0; i < place->field_count; i++)
        if (tree_find(node, place->fields[i].name) == NULL) {
            diagnostic_error(compiler->diagnostics, CODE_VALUE, node->span, "an element of '%s' lacks its field '%s'",
                             place->name, place->fields[i].name);
            diagnostic_hint(compiler->diagnostics, "write all fields of each element");
        }
}

static void read_element(writing *writing, const tree_node *node, place *place)
{
    if (place->leaf != NULL) {
        read_scalar(writing, node, place, place->leaf->column);
        return;
    }
    check_all_fields(writing->compiler, node, place);
    read_fields(writing, node, place, read_field_of_element);
}

// Returns the list of `append: [...]`; NULL if the node is none.
static const tree_node *find_append(const tree_node *node)
{
    if (node->kind != TREE_MAPPING || node->count != 1)
        return NULL;
    if (node->pairs == NULL || strcmp(node->pairs->key->text, "append") != 0)
        return NULL;
    return node->pairs->value;
}

static void read_elements(writing *writing, const tree_node *node, place *place)
{
    compiler *compiler = writing->compiler;
    const tree_node *appended = NULL;
    const tree_node *list = node;
    assert(place_is_repeated(place));
    if (place->field->is_list)
        appended = find_append(node);
    if (appended != NULL)
        list = appended;
    if (list->kind == TREE_BROKEN)
        return;
    if (list->kind != TREE_SEQUENCE) {
        diagnostic_error(compiler->diagnostics, CODE_LIST_EXPECTED, list->span, "expected a list for '%s', found %s",
                         place->name, node_kind(list));
        if (tree_is_text(list))
            diagnostic_hint(compiler->diagnostics, "write [%s]", list->text);
        return;
    }
    if (!place->field->is_list && list->count != place->field->count) {
        diagnostic_error(compiler->diagnostics, CODE_ARRAY_COUNT, list->span,
                         "found %zu values; '%s' requires %" PRIu32, list->count, place->name, place->field->count);
        return;
    }
    const write *last = writing->writes->last;
    begin_columns(writing, place, list, appended != NULL);
    for (const tree_node *item = list->items; item != NULL; item = item->next)
        read_element(writing, item, place);
    write *first = writing->writes->first;
    if (last != NULL)
        first = last->next;
    for (write *each = first; each != NULL; each = each->next) {
        assert(each->column != NULL);
        each->bytes = each->column->bytes;
        each->size = each->column->size;
    }
}

// Recursive, as structs are nested.
void read_value(writing *writing, const tree_node *node, place *place)
{
    if (node->kind == TREE_BROKEN)
        return;
    if (place_is_repeated(place)) {
        read_elements(writing, node, place);
    } else if (place->leaf != NULL) {
        write *write = begin_write(writing, place, node->span);
        text *scalar = &writing->compiler->scalar;
        text_clear(scalar);
        read_scalar(writing, node, place, scalar);
        write->bytes = arena_copy(writing->compiler->arena, scalar->bytes, scalar->size);
        write->size = scalar->size;
    } else {
        read_fields(writing, node, place, read_value);
    }
}
