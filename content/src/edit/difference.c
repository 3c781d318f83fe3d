// What an entity has different from what the content gives it, as text of YAML.
//
// What the content gives is computed as a reload does it: the values of the prefab, with what the instance says. Arrays
// and lists are one value each, as files have them.
#include "edit/edit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD_SIZE = 512 };

// ---- what the content gives

// Values of all components of a prefab's nodes, by node and component.
typedef struct given {
    kin__differences *list;
    void ***values; // by node: by component of the node
    void ***bases;  // the same without what the instance says
    const kin__instance *instance;
    kin__overrides overrides;
} given;

static char *value_given(const given *given, uint32_t node, kin_component_id id)
{
    const kin__live_prefab *prefab = given->list->prefab;
    KIN_ASSERT(node < prefab->count);
    uint32_t place = kin__part_of(prefab, prefab->nodes[node], id) - kin__first_part_of(prefab, prefab->nodes[node]);
    return given->values[node][place];
}

static void *place_given(void *data, const kin__value_step *step)
{
    return value_given(data, step->node, step->to.component);
}

static void **copy_node(kin__differences *list, const kin__live_node *node)
{
    void **values = kin__arena_take(&list->values, (node->count + (size_t)1) * sizeof *values);
    if (values == NULL)
        return NULL;
    for (uint32_t i = 0; i < node->count; i++) {
        size_t size = list->content->info->components[node->ids[i]].size;
        if (size > 0)
            values[i] = kin__arena_copy(&list->values, node->values[i], size);
    }
    return values;
}

// Copies the values of the prefab. When out of memory, the arena is short.
static void ***copy_nodes(kin__differences *list)
{
    const kin__live_prefab *prefab = list->prefab;
    void ***values = kin__arena_take(&list->values, (prefab->count + (size_t)1) * sizeof *values);
    if (values == NULL)
        return NULL;
    for (uint32_t i = 0; i < prefab->count; i++)
        values[i] = copy_node(list, prefab->nodes[i]);
    return values;
}

static const kin__instance *find_in_level(const kin__instances *list, uint32_t place, const kin__live_prefab *prefab)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->all[i].place == place && list->all[i].run->prefab == prefab)
            return &list->all[i];
    return NULL;
}

// Finds the instance with a place. False when out of memory.
static bool find_instance(given *given, uint32_t place)
{
    kin_content *content = given->list->content;
    const kin__pack *pack = &content->now->pack;
    for (uint32_t i = 0; given->instance == NULL && i < pack->level_count; i++) {
        if (pack->levels[i].context != content->now->context)
            continue;
        const kin__instances *list = kin__level_instances(content, i);
        if (list == NULL)
            return false;
        given->instance = find_in_level(list, place, given->list->prefab);
    }
    return true;
}

// The runs of a level have its instances in their order; each level in it is one.
static bool note_index(kin__differences *list, const kin__pack_level *level, const kin__pack_instance *said)
{
    uint32_t index = 0;
    for (uint32_t r = 0; r < level->run_count; r++) {
        const kin__pack_run *run = &level->runs[r];
        if (said >= run->instances && said < run->instances + run->count) {
            list->level = level;
            list->instance = index + (uint32_t)(said - run->instances);
            return true;
        }
        index += run->count;
    }
    return false;
}

static void note_instance(given *given)
{
    kin__differences *list = given->list;
    const kin__pack *pack = &list->content->now->pack;
    for (const kin__outer *outer = given->instance->run->outer; outer != NULL; outer = outer->above)
        list->is_moved = list->is_moved || outer->keys != KIN__PACK_NONE;
    for (uint32_t i = 0; i < pack->level_count; i++)
        if (note_index(list, &pack->levels[i], given->instance->said))
            return;
}

static bool compute(given *given, uint32_t place, kin__why *why)
{
    kin__differences *list = given->list;
    given->values = copy_nodes(list);
    given->bases = copy_nodes(list);
    if (list->values.is_short)
        return kin__refuse_memory(why);
    if (place == 0)
        return true;
    if (!find_instance(given, place))
        return kin__refuse_memory(why);
    if (given->instance == NULL)
        return true;
    note_instance(given);
    if (list->target == KIN__TO_NEW_PREFAB)
        return true;
    kin__value_target target = {place_given, given, &given->overrides, &list->values};
    if (!kin__instance_run_resolve(list->content, list->content->now, given->instance->run, why))
        return false;
    return kin__instance_write(list->content, given->instance, &target, why);
}

// ---- values as text

// Whether the digits are read as the same number.
static bool is_exact(const char *digits, kin_type type, double number)
{
    if (type == KIN_TYPE_FLOAT)
        return strtof(digits, NULL) == (float)number;
    return strtod(digits, NULL) == number;
}

static void append_number(text *out, const kin_field_info *field, const char *at)
{
    double number = kin__read_floating(at, kin__pack_width(field->type));
    char digits[64];
    if (isnan(number)) {
        text_append_string(out, ".nan");
        return;
    }
    if (isinf(number)) {
        text_append_string(out, number > 0 ? ".inf" : "-.inf");
        return;
    }
    int precision = 0;
    do {
        precision++;
        snprintf(digits, sizeof digits, "%.*g", precision, number);
    } while (precision < 17 && !is_exact(digits, field->type, number));
    text_append_string(out, digits);
}

static void append_integer(text *out, kin_type type, const char *at)
{
    uint32_t width = kin__pack_width(type);
    if (type >= KIN_TYPE_INT8 && type <= KIN_TYPE_INT64)
        text_append_format(out, "%" PRId64, kin__read_signed(at, width));
    else
        text_append_format(out, "%" PRIu64, kin__read_unsigned(at, width));
}

// Whether a string needs no quotes: without them it cannot be read as anything else.
static bool is_plain(const char *string, size_t size)
{
    if (!byte_is_letter(string[0]) || string[size - 1] == ' ')
        return false;
    for (size_t i = 0; i < size; i++)
        if (string[i] != ' ' && !byte_is_word(string[i]))
            return false;
    return strcmp(string, "null") != 0;
}

static void append_string(text *out, const char *string)
{
    size_t size = strlen(string);
    if (is_plain(string, size))
        text_append(out, string, size);
    else
        writer_append_quoted(out, string, size);
}

static bool append_enum(text *out, const kin_type_info *type, const char *at)
{
    int32_t value;
    memcpy(&value, at, sizeof value);
    for (uint32_t i = 0; i < type->value_count; i++)
        if (type->values[i].value == value) {
            text_append_string(out, type->values[i].name);
            return true;
        }
    return false;
}

// Appends the name that an entity has in the level of the instance. False if it has none there.
static bool append_placed(const kin__differences *list, text *out, kin_entity entity)
{
    char name[FIELD_SIZE];
    if (list->level == NULL || list->target != KIN__TO_INSTANCE)
        return false;
    size_t size = list->content->editing->face.name(list->content, entity, name, sizeof name);
    if (size == 0 || size >= sizeof name)
        return false;
    const char *level = kin__differences_level(list);
    size_t level_size = strlen(level);
    if (strncmp(name, level, level_size) != 0 || name[level_size] != '/')
        return false;
    text_append_string(out, name + level_size + 1);
    return true;
}

// The place of a handle in the level of the instance, or in the prefab of the entity.
static bool append_entity(const kin__differences *list, text *out, kin_entity holder, kin_entity entity)
{
    const kin_content *content = list->content;
    if (entity == 0) {
        text_append_string(out, "~");
        return true;
    }
    if (!kin_entity_is_alive(content->context, entity) || list->prefab == NULL)
        return false;
    const kin__live_origin *origin = kin__origin_of(content, entity);
    const kin__live_origin *own = kin__origin_of(content, holder);
    if (origin == NULL || own == NULL)
        return false;
    kin_entity first = kin__first_of(content, entity, *origin);
    if (first == 0 || first != kin__first_of(content, holder, *own))
        return append_placed(list, out, entity);
    const kin__live_node *node = kin__live_prefab_find_hash(list->prefab, origin->part);
    text_append_format(out, ".%s", node == NULL ? "" : node->name);
    return true;
}

typedef struct showing {
    const kin__differences *list;
    kin_entity holder;
    text *out;
} showing;

static bool append_element(const showing *showing, const kin_field_info *field, const char *at);

// Appends the elements of an array or a list.
static bool append_elements(const showing *showing, const kin_field_info *field, const char *at, uint32_t count,
                            size_t size)
{
    bool is_shown = true;
    text_append_string(showing->out, "[");
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            text_append_string(showing->out, ", ");
        is_shown = append_element(showing, field, at + i * size) && is_shown;
    }
    text_append_string(showing->out, "]");
    return is_shown;
}

// Appends an element, or an array of them.
static bool append_plain(const showing *showing, const kin_field_info *field, const char *at)
{
    if (field->count > 0)
        return append_elements(showing, field, at, field->count, field->size / field->count);
    return append_element(showing, field, at);
}

static bool append_fields(const showing *showing, const kin_field_info *fields, uint32_t count, const char *at)
{
    bool is_shown = true;
    text_append_string(showing->out, "{ ");
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            text_append_string(showing->out, ", ");
        text_append_format(showing->out, "%s: ", fields[i].name);
        bool is_field_shown = !fields[i].is_list && append_plain(showing, &fields[i], at + fields[i].offset);
        is_shown = is_shown && is_field_shown;
    }
    text_append_string(showing->out, " }");
    return is_shown;
}

// Returns whether files can have the value.
static bool append_element(const showing *showing, const kin_field_info *field, const char *at)
{
    const char *string = at;
    kin_entity entity;
    bool boolean;
    switch (field->type) {
    case KIN_TYPE_BOOL:
        memcpy(&boolean, at, sizeof boolean);
        text_append_string(showing->out, boolean ? "true" : "false");
        return true;
    case KIN_TYPE_FLOAT:
    case KIN_TYPE_DOUBLE:
        append_number(showing->out, field, at);
        return true;
    case KIN_TYPE_ENUM:
        return append_enum(showing->out, field->of, at);
    case KIN_TYPE_ENTITY:
        memcpy(&entity, at, sizeof entity);
        return append_entity(showing->list, showing->out, showing->holder, entity);
    case KIN_TYPE_STRING:
        memcpy(&string, at, sizeof string);
        append_string(showing->out, string == NULL ? "" : string);
        return true;
    case KIN_TYPE_INLINE_STRING:
        append_string(showing->out, at);
        return true;
    case KIN_TYPE_STRUCT:
        return append_fields(showing, field->of->fields, field->of->field_count, at);
    case KIN_TYPE_OPAQUE:
        return false;
    default:
        append_integer(showing->out, field->type, at);
        return true;
    }
}

static bool append_value(const showing *showing, const kin_field_info *field, const char *at)
{
    const char *elements;
    uint32_t count;
    if (!field->is_list)
        return append_plain(showing, field, at);
    memcpy(&elements, at, sizeof elements);
    memcpy(&count, at + offsetof(kin__list_field, count), sizeof count);
    return append_elements(showing, field, elements, count, field->element_size);
}

// ---- comparing

typedef struct comparing {
    given *given;
    kin_entity entity;
    const kin__live_node *node;
    uint32_t number; // of the component in the node
    kin_component_id id;
    const char *live, *wanted;
    bool is_unique; // `values` give the component
} comparing;

static bool is_equal(const kin_field_info *field, const char *a, const char *b);

static bool are_elements_equal(const kin_field_info *field, size_t size, const char *a, const char *b)
{
    if (field->type != KIN_TYPE_STRUCT)
        return kin__leaf_is_equal(field, size, a, b);
    for (uint32_t i = 0; i < field->of->field_count; i++) {
        const kin_field_info *below = &field->of->fields[i];
        if (!is_equal(below, a + below->offset, b + below->offset))
            return false;
    }
    return true;
}

// Recursive, as structs are nested.
static bool is_equal(const kin_field_info *field, const char *a, const char *b)
{
    if (field->is_list)
        return kin__leaf_is_equal(field, field->size, a, b);
    uint32_t count = kin__max_32(field->count, 1);
    size_t size = field->size / count;
    for (uint32_t i = 0; i < count; i++)
        if (!are_elements_equal(field, size, a + i * size, b + i * size))
            return false;
    return true;
}

static bool is_shut(const kin_field_info *field)
{
    bool is_opaque = field->type == KIN_TYPE_OPAQUE;
    return is_opaque || field->is_tree || field->is_not_content;
}

// Whether the place of the first entity is that of an instance which says it.
static bool says_place(const kin__differences *list)
{
    return list->target == KIN__TO_INSTANCE && list->level != NULL && !list->is_moved;
}

// The place of the first entity is not the prefab's, and is no leaf of an instance that its level has moved.
static bool is_place(const comparing *comparing, size_t offset)
{
    const kin_key_info *placed_by = comparing->given->list->content->info->placed_by;
    if (placed_by == NULL || says_place(comparing->given->list))
        return false;
    if (comparing->node->hash != 0 || placed_by->component != comparing->id)
        return false;
    return offset >= placed_by->field->offset && offset < placed_by->field->offset + placed_by->field->size;
}

// Whether the instance says the value.
static bool is_said(const comparing *comparing, const kin_field_info *field, size_t offset)
{
    const given *given = comparing->given;
    KIN_ASSERT(!comparing->is_unique && given->bases != NULL);
    const char *base = given->bases[comparing->node->number][comparing->number];
    for (uint32_t i = 0; i < given->overrides.count; i++) {
        const kin__override *override = &given->overrides.all[i];
        if (override->node != comparing->node->number || override->id != comparing->id)
            continue;
        if (override->offset >= offset && override->offset < offset + field->size)
            return true;
    }
    return field->type != KIN_TYPE_ENTITY && !is_equal(field, base + offset, comparing->wanted + offset);
}

// Returns why a value is not saved; NULL: it is. `is_shown`: files can have it.
static const char *why_left_out(const comparing *comparing, const kin_field_info *field, size_t offset, bool is_shown)
{
    kin__target target = comparing->given->list->target;
    bool is_to_instance = target == KIN__TO_INSTANCE;
    if (comparing->is_unique)
        return "'values' give it; change it there";
    if (is_place(comparing, offset))
        return is_to_instance ? "the level around its own adds to it" : "where an instance stands is not its prefab's";
    if (!is_shown && field->type != KIN_TYPE_ENTITY)
        return "files cannot have it";
    if (!is_shown)
        return is_to_instance ? "it names an entity that has no name in the level"
                              : "a prefab can name its own parts only";
    if (target == KIN__TO_PREFAB && is_said(comparing, field, offset))
        return "its level says it";
    return NULL;
}

static void add_difference(const comparing *comparing, const kin_field_info *field, const char *path, size_t offset)
{
    kin__differences *list = comparing->given->list;
    kin__difference *made = arena_allocate(list->arena, sizeof *made);
    text given = text_create(list->arena);
    text value = text_create(list->arena);
    showing shown = {list, comparing->entity, &given};
    KIN_ASSERT(list->end != NULL && *list->end == NULL);
    (void)append_value(&shown, field, comparing->wanted + offset);
    shown.out = &value;
    bool is_shown = append_value(&shown, field, comparing->live + offset);
    *made = (kin__difference){.entity = comparing->entity,
                              .node = comparing->node,
                              .id = comparing->id,
                              .field = arena_copy(list->arena, path, strlen(path)),
                              .given = given.bytes,
                              .value = is_shown ? value.bytes : NULL,
                              .why = why_left_out(comparing, field, offset, is_shown),
                              .is_place = is_place(comparing, offset),
                              .offset = offset,
                              .size = field->size,
                              .bytes = comparing->wanted + offset};
    *list->end = made;
    list->end = &made->next;
    list->count++;
}

static void compare_field(const comparing *comparing, const kin_field_info *field, const char *path, size_t offset)
{
    if (!comparing->given->list->has_places && is_place(comparing, offset))
        return;
    if (!is_equal(field, comparing->live + offset, comparing->wanted + offset))
        add_difference(comparing, field, path, offset);
}

static bool is_single_struct(const kin_field_info *field)
{
    return field->type == KIN_TYPE_STRUCT && !field->is_list && field->count == 0;
}

// Recursive, as structs are nested.
static void compare_fields(const comparing *comparing, const kin_field_info *fields, uint32_t count, const char *above,
                           size_t offset)
{
    char path[FIELD_SIZE];
    for (uint32_t i = 0; i < count; i++) {
        const kin_field_info *field = &fields[i];
        size_t at = offset + field->offset;
        if (is_shut(field))
            continue;
        snprintf(path, sizeof path, "%s%s%s", above, above[0] == '\0' ? "" : ".", field->name);
        if (is_single_struct(field))
            compare_fields(comparing, field->of->fields, field->of->field_count, path, at);
        else
            compare_field(comparing, field, path, at);
    }
}

// ---- references between parts and instances

static kin_entity find_own(const kin__differences *list, kin_entity first, const char *part)
{
    const kin__live_node *node = kin__live_prefab_find(list->prefab, part);
    if (node == NULL || first == 0)
        return 0;
    if (node->hash == 0)
        return first;
    return kin__find_part_of(list->content, first, list->prefab->hash, node->hash);
}

static kin_entity find_placed(const kin__differences *list, const given *given, const char *instance, const char *part)
{
    const kin_content *content = list->content;
    KIN_ASSERT(given->instance != NULL); // only instances name others
    uint32_t place = kin__place_of(given->instance->run->outer, instance);
    kin_entity placed = kin__find_place(content, place, 0);
    if (placed == 0 || part[0] == '\0')
        return placed;
    return kin_find_part(content->context, placed, part);
}

// Returns the entity that an instance names.
static kin_entity find_target(const given *given, kin_entity first, const kin__override *override)
{
    if (override->part == NULL)
        return 0;
    if (override->instance != NULL)
        return find_placed(given->list, given, override->instance, override->part);
    return find_own(given->list, first, override->part);
}

// Sets the handles that the content gives: links of the prefab, and what the instance says.
static void set_references(given *given, kin_entity first)
{
    kin__differences *list = given->list;
    for (uint32_t i = 0; i < list->prefab->link_count; i++) {
        const kin__live_link *link = &list->prefab->links[i];
        char *value = value_given(given, link->holder->number, link->id);
        kin_entity target = find_own(list, first, link->target->path);
        if (value != NULL)
            memcpy(value + link->offset, &target, sizeof target);
    }
    for (uint32_t i = 0; i < given->overrides.count; i++) {
        const kin__override *override = &given->overrides.all[i];
        char *value = value_given(given, override->node, override->id);
        kin_entity target = find_target(given, first, override);
        if (value != NULL)
            memcpy(value + override->offset, &target, sizeof target);
    }
}

// ---- unique components

// Compares what `values` say of a unique component: written over the value that lives, that changes what differs.
static bool compare_unique(given *given, kin_entity entity, kin_component_id id, kin__why *why)
{
    static const kin__live_node carrier = {.path = "", .name = ""};
    kin__differences *list = given->list;
    kin_content *content = list->content;
    const kin_component_info *info = &content->info->components[id];
    char *live = kin__arena_take(&list->values, info->size);
    char *wanted = kin__arena_take(&list->values, info->size);
    if (live == NULL || wanted == NULL)
        return kin__refuse_memory(why);
    KIN_ASSERT(info->is_unique);
    kin_look_read(content->context, entity, id, live);
    memcpy(wanted, live, info->size);
    kin__generation now = *content->now; // its lists go into the arena of the differences
    now.arena = list->values;
    bool is_applied = kin__unique_apply(content, &now, kin__unique_find(content, id, entity), wanted, why);
    list->values = now.arena;
    if (!is_applied)
        return false;
    comparing comparing = {given, entity, &carrier, 0, id, live, wanted, true};
    compare_fields(&comparing, info->fields, info->field_count, "", 0);
    return true;
}

// Returns whether all were compared; `*count` receives how many `values` give.
static bool compare_uniques(given *given, kin_entity entity, uint32_t *count, kin__why *why)
{
    const kin_content *content = given->list->content;
    for (kin_component_id id = 0; id < content->info->component_count; id++) {
        if (!content->info->components[id].is_unique || kin__unique_find(content, id, entity) == NULL)
            continue;
        if (!compare_unique(given, entity, id, why))
            return false;
        ++*count;
    }
    return true;
}

// ---- entities

// Whether a prefab gives an entity's component a value that can be compared; `values` give others.
static bool is_given(const kin_content *content, kin_component_id id, kin_entity entity)
{
    const kin_component_info *info = &content->info->components[id];
    if (info->size == 0 || info->is_not_content)
        return false;
    if (id == content->origin)
        return false;
    return !(info->is_unique && kin__unique_find(content, id, entity) != NULL);
}

static bool compare_entity(given *given, kin_entity entity, const kin__live_node *node, kin__why *why)
{
    kin__differences *list = given->list;
    const kin_content *content = list->content;
    KIN_ASSERT(list->prefab->nodes[node->number] == node);
    for (uint32_t i = 0; i < node->count; i++) {
        const kin_component_info *info = &content->info->components[node->ids[i]];
        if (!is_given(content, node->ids[i], entity))
            continue;
        char *live = kin__arena_take(&list->values, info->size);
        if (live == NULL)
            return kin__refuse_memory(why);
        if (!kin_look_read(content->context, entity, node->ids[i], live))
            continue; // the game has removed it
        comparing comparing = {given, entity, node, i, node->ids[i], live, given->values[node->number][i], false};
        compare_fields(&comparing, info->fields, info->field_count, "", 0);
    }
    uint32_t count = 0;
    return compare_uniques(given, entity, &count, why);
}

static bool compare_all(given *given, kin_entity entity, kin__live_origin origin, kin__why *why)
{
    kin__differences *list = given->list;
    kin_entity first = kin__first_of(list->content, entity, origin);
    const kin__live_node *top = kin__live_prefab_find_hash(list->prefab, origin.part);
    if (top == NULL)
        return kin__refuse(why, KIN_ERROR_INVALID, "'%s' has no such part any more", list->prefab->name);
    set_references(given, first);
    for (uint32_t i = top->number; i < list->prefab->count; i++) {
        const kin__live_node *node = list->prefab->nodes[i];
        kin_entity part = entity;
        if (!kin__live_node_is_within(node, top))
            continue;
        if (node != top)
            part = kin__find_part_of(list->content, entity, origin.prefab, node->hash);
        if (part != 0 && !compare_entity(given, part, node, why))
            return false;
    }
    return true;
}

bool kin__differences_list(kin__differences *list, kin_entity entity, kin__why *why)
{
    kin_content *content = list->content;
    given given = {.list = list};
    list->values = (kin__arena){.memory = &content->memory};
    list->end = &list->first;
    if (!kin_entity_is_alive(content->context, entity))
        return kin__refuse(why, KIN_ERROR_NOT_ALIVE, "the entity is not alive");
    const kin__live_origin *origin = kin__origin_of(content, entity);
    if (origin != NULL)
        list->prefab = kin__generation_find_hash(content->now, origin->prefab);
    if (list->prefab != NULL)
        return compute(&given, origin->place, why) && compare_all(&given, entity, *origin, why);
    uint32_t count = 0;
    if (!compare_uniques(&given, entity, &count, why))
        return false;
    return count > 0 || kin__refuse(why, KIN_ERROR_INVALID, "the entity is of no prefab or blueprint");
}

void kin__differences_release(kin__differences *list)
{
    kin__arena_release(&list->values);
}
