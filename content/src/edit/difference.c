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
    const kin__live_node *of = given->list->prefab->nodes[node];
    uint32_t place = 0;
    while (of->ids[place] != id)
        place++;
    return given->values[node][place];
}

static void *place_given(void *data, const kin__value_step *step)
{
    return value_given(data, step->node, step->to.component);
}

static bool no_memory(kin__why *why)
{
    return kin__refuse(why, KIN_ERROR_NO_MEMORY, "out of memory");
}

static void ***copy_nodes(kin__differences *list)
{
    const kin__live_prefab *prefab = list->prefab;
    void ***values = kin__arena_take(&list->values, (prefab->count + (size_t)1) * sizeof *values);
    for (uint32_t i = 0; values != NULL && i < prefab->count; i++) {
        const kin__live_node *node = prefab->nodes[i];
        values[i] = kin__arena_take(&list->values, (node->count + (size_t)1) * sizeof(void *));
        for (uint32_t k = 0; values[i] != NULL && k < node->count; k++) {
            size_t size = list->content->info->components[node->ids[k]].size;
            if (size > 0)
                values[i][k] = kin__arena_copy(&list->values, node->values[k], size);
        }
    }
    return values;
}

// Finds the instance with a place: in which level, and where.
static bool find_instance(given *given, uint32_t place, kin__why *why)
{
    kin_content *content = given->list->content;
    const kin__pack *pack = &content->now->pack;
    for (uint32_t i = 0; i < pack->level_count; i++) {
        if (pack->levels[i].context != content->now->context)
            continue;
        const kin__instances *list = kin__level_instances(content, i);
        if (list == NULL)
            return no_memory(why);
        for (uint32_t k = 0; k < list->count; k++)
            if (list->all[k].place == place && list->all[k].run->prefab == given->list->prefab) {
                given->instance = &list->all[k];
                return true;
            }
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
        return no_memory(why);
    if (place == 0)
        return true;
    if (!find_instance(given, place, why))
        return false;
    if (given->instance == NULL)
        return true;
    note_instance(given);
    if (list->target == KIN__TO_NEW_PREFAB)
        return true;
    kin__value_target target = {place_given, given, &given->overrides, &list->values};
    return kin__instance_run_resolve(list->content, list->content->now, given->instance->run, why) &&
           kin__instance_write(list->content, given->instance, &target, why);
}

// ---- values as text

static void append_number(text *out, const kin_field_info *field, const char *at)
{
    float single;
    double wide;
    char digits[64];
    if (field->type == KIN_TYPE_FLOAT) {
        memcpy(&single, at, sizeof single);
        wide = (double)single;
    } else {
        memcpy(&wide, at, sizeof wide);
    }
    if (isnan(wide) || isinf(wide)) {
        const char *infinite = wide > 0 ? ".inf" : "-.inf";
        text_append_string(out, isnan(wide) ? ".nan" : infinite);
        return;
    }
    for (int precision = 1; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, wide);
        bool is_same =
            field->type == KIN_TYPE_FLOAT ? strtof(digits, NULL) == (float)wide : strtod(digits, NULL) == wide;
        if (is_same)
            break;
    }
    text_append_string(out, digits);
}

static void append_integer(text *out, kin_type type, const char *at)
{
    uint32_t width = kin__pack_width(type);
    bool is_signed = type >= KIN_TYPE_INT8 && type <= KIN_TYPE_INT64;
    uint8_t byte;
    uint16_t half;
    uint32_t word;
    uint64_t bits = 0;
    if (width == 1)
        memcpy(&byte, at, 1), bits = is_signed ? (uint64_t)(int8_t)byte : byte;
    else if (width == 2)
        memcpy(&half, at, 2), bits = is_signed ? (uint64_t)(int16_t)half : half;
    else if (width == 4)
        memcpy(&word, at, 4), bits = is_signed ? (uint64_t)(int32_t)word : word;
    else
        memcpy(&bits, at, 8);
    if (is_signed)
        text_append_format(out, "%" PRId64, (int64_t)bits);
    else
        text_append_format(out, "%" PRIu64, bits);
}

// A string is plain where that cannot be read as anything else.
static void append_string(text *out, const char *string)
{
    bool is_plain = byte_is_letter(string[0]);
    size_t size = strlen(string);
    for (size_t i = 0; i < size; i++)
        is_plain = is_plain && (byte_is_word(string[i]) || (string[i] == ' ' && i + 1 < size));
    if (is_plain && strcmp(string, "null") != 0)
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

// The place of a handle in the level of the instance, or in the prefab of the entity.
static bool append_entity(const kin__differences *list, text *out, kin_entity holder, kin_entity entity)
{
    const kin_content *content = list->content;
    char name[FIELD_SIZE];
    if (entity == 0) {
        text_append_string(out, "~");
        return true;
    }
    if (!kin_entity_is_alive(content->context, entity) || list->prefab == NULL)
        return false;
    const kin__live_origin *origin = kin_get(content->context, entity, content->origin);
    const kin__live_origin *own = kin_get(content->context, holder, content->origin);
    if (origin == NULL || own == NULL)
        return false;
    kin_entity first = kin__first_of(content, entity, *origin);
    if (first != 0 && first == kin__first_of(content, holder, *own)) {
        const char *path = "";
        for (uint32_t i = 0; i < list->prefab->count; i++)
            if (list->prefab->nodes[i]->hash == origin->part)
                path = list->prefab->nodes[i]->name;
        text_append_format(out, ".%s", path);
        return true;
    }
    size_t size = content->editing->face.name(content, entity, name, sizeof name);
    const char *level_name = list->level == NULL ? "" : kin__differences_level(list);
    size_t level = strlen(level_name);
    bool is_in_level = level > 0 && size > 0 && size < sizeof name && strncmp(name, level_name, level) == 0;
    if (!is_in_level || name[level] != '/' || list->target != KIN__TO_INSTANCE)
        return false;
    text_append_string(out, name + level + 1);
    return true;
}

typedef struct showing {
    const kin__differences *list;
    kin_entity holder;
    text *out;
} showing;

static bool append_element(const showing *showing, const kin_field_info *field, const char *at);

static bool append_fields(const showing *showing, const kin_field_info *fields, uint32_t count, const char *at)
{
    bool is_shown = true;
    text_append_string(showing->out, "{ ");
    for (uint32_t i = 0; i < count; i++) {
        text_append_format(showing->out, "%s%s: ", i == 0 ? "" : ", ", fields[i].name);
        if (fields[i].count > 0) {
            text_append_string(showing->out, "[");
            size_t size = fields[i].size / fields[i].count;
            for (uint32_t k = 0; k < fields[i].count; k++) {
                text_append_string(showing->out, k == 0 ? "" : ", ");
                is_shown = append_element(showing, &fields[i], at + fields[i].offset + k * size) && is_shown;
            }
            text_append_string(showing->out, "]");
        } else {
            is_shown = !fields[i].is_list && append_element(showing, &fields[i], at + fields[i].offset) && is_shown;
        }
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
    uint32_t count = field->count;
    size_t size = field->count == 0 ? field->size : field->size / field->count;
    if (!field->is_list && count == 0)
        return append_element(showing, field, at);
    if (field->is_list) {
        memcpy(&count, at + offsetof(kin__list_field, count), sizeof count);
        const char *elements;
        memcpy(&elements, at, sizeof elements);
        at = elements;
        size = field->element_size;
    }
    bool is_shown = true;
    text_append_string(showing->out, "[");
    for (uint32_t i = 0; i < count; i++) {
        text_append_string(showing->out, i == 0 ? "" : ", ");
        is_shown = append_element(showing, field, at + i * size) && is_shown;
    }
    text_append_string(showing->out, "]");
    return is_shown;
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

static bool is_equal(const kin_field_info *field, const char *a, const char *b)
{
    size_t size = field->count == 0 ? field->size : field->size / field->count;
    uint32_t count = field->is_list || field->count == 0 ? 1 : field->count;
    if (field->is_list)
        return kin__leaf_is_equal(field, field->size, a, b);
    for (uint32_t i = 0; i < count; i++, a += size, b += size) {
        if (field->type == KIN_TYPE_STRUCT) {
            for (uint32_t k = 0; k < field->of->field_count; k++) {
                const kin_field_info *below = &field->of->fields[k];
                if (!is_equal(below, a + below->offset, b + below->offset))
                    return false;
            }
        } else if (!kin__leaf_is_equal(field, size, a, b)) {
            return false;
        }
    }
    return true;
}

static bool is_shut(const kin_field_info *field)
{
    return field->is_not_content || field->is_tree || field->type == KIN_TYPE_OPAQUE;
}

// The place of the first entity is not the prefab's, and is no leaf of an instance that its level has moved.
static bool is_place(const comparing *comparing, size_t offset)
{
    const kin_key_info *placed_by = comparing->given->list->content->info->placed_by;
    const kin__differences *list = comparing->given->list;
    bool counts = list->target != KIN__TO_INSTANCE || list->is_moved || list->level == NULL;
    if (placed_by == NULL || !counts || comparing->node->hash != 0 || placed_by->component != comparing->id)
        return false;
    return offset >= placed_by->field->offset && offset < placed_by->field->offset + placed_by->field->size;
}

// Whether the instance says the value.
static bool is_said(const comparing *comparing, const kin_field_info *field, size_t offset)
{
    const given *given = comparing->given;
    const char *base = given->bases[comparing->node->number][comparing->number];
    for (uint32_t i = 0; i < given->overrides.count; i++) {
        const kin__override *override = &given->overrides.all[i];
        bool is_here = override->node == comparing->node->number && override->id == comparing->id;
        if (is_here && override->offset >= offset && override->offset < offset + field->size)
            return true;
    }
    return field->type != KIN_TYPE_ENTITY && !is_equal(field, base + offset, comparing->wanted + offset);
}

// Returns why a value is not saved; NULL: it is. `is_shown`: files can have it.
static const char *why_left_out(const comparing *comparing, const kin_field_info *field, size_t offset, bool is_shown)
{
    kin__target target = comparing->given->list->target;
    if (comparing->is_unique)
        return "'values' give it; change it there";
    if (is_place(comparing, offset))
        return target == KIN__TO_INSTANCE ? "the level around its own adds to it"
                                          : "where an instance stands is not its prefab's";
    if (!is_shown && field->type == KIN_TYPE_ENTITY)
        return target == KIN__TO_INSTANCE ? "it names an entity that has no name in the level"
                                          : "a prefab can name its own parts only";
    if (!is_shown)
        return "files cannot have it";
    return target == KIN__TO_PREFAB && is_said(comparing, field, offset) ? "its level says it" : NULL;
}

static void add_difference(const comparing *comparing, const kin_field_info *field, const char *path, size_t offset)
{
    kin__differences *list = comparing->given->list;
    kin__difference *made = arena_allocate(list->arena, sizeof *made);
    text given = text_create(list->arena);
    text value = text_create(list->arena);
    showing shown = {list, comparing->entity, &given};
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

// Recursive, as structs are nested.
static void compare_fields(const comparing *comparing, const kin_field_info *fields, uint32_t count, const char *above,
                           size_t offset)
{
    char path[FIELD_SIZE];
    bool has_places = comparing->given->list->has_places;
    for (uint32_t i = 0; i < count; i++) {
        const kin_field_info *field = &fields[i];
        size_t at = offset + field->offset;
        bool is_struct = field->type == KIN_TYPE_STRUCT && !field->is_list && field->count == 0;
        snprintf(path, sizeof path, "%s%s%s", above, above[0] == '\0' ? "" : ".", field->name);
        if (is_shut(field))
            continue;
        if (is_struct)
            compare_fields(comparing, field->of->fields, field->of->field_count, path, at);
        else if ((has_places || !is_place(comparing, at)) &&
                 !is_equal(field, comparing->live + at, comparing->wanted + at))
            add_difference(comparing, field, path, at);
    }
}

// ---- references between parts and instances

static kin_entity find_own(const kin__differences *list, kin_entity first, const char *part)
{
    const kin__live_node *node = kin__live_prefab_find(list->prefab, part);
    if (node == NULL || first == 0)
        return 0;
    return node->hash == 0 ? first : kin__find_part_of(list->content, first, list->prefab->hash, node->hash);
}

static kin_entity find_placed(const kin__differences *list, const given *given, const char *instance, const char *part)
{
    const kin_content *content = list->content;
    uint32_t place = kin__place_of(given->instance->run->outer, instance);
    kin_entity placed = kin__find_place(content, place, 0);
    if (placed == 0 || part[0] == '\0')
        return placed;
    return kin_find_part(content->context, placed, part);
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
        kin_entity target = 0;
        if (override->part != NULL && override->instance != NULL)
            target = find_placed(list, given, override->instance, override->part);
        else if (override->part != NULL)
            target = find_own(list, first, override->part);
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
        return no_memory(why);
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

static bool compare_entity(given *given, kin_entity entity, const kin__live_node *node, kin__why *why)
{
    kin__differences *list = given->list;
    const kin_content *content = list->content;
    for (uint32_t i = 0; i < node->count; i++) {
        const kin_component_info *info = &content->info->components[node->ids[i]];
        char *live = info->size == 0 ? NULL : kin__arena_take(&list->values, info->size);
        bool is_content = info->size > 0 && !info->is_not_content && node->ids[i] != content->origin;
        if (!is_content || (info->is_unique && kin__unique_find(content, node->ids[i], entity) != NULL))
            continue;
        if (live == NULL)
            return no_memory(why);
        if (!kin_look_read(content->context, entity, node->ids[i], live))
            continue; // the game has removed it
        comparing comparing = {given, entity, node, i, node->ids[i], live, given->values[node->number][i], false};
        compare_fields(&comparing, info->fields, info->field_count, "", 0);
    }
    uint32_t count = 0;
    return compare_uniques(given, entity, &count, why);
}

static bool is_below(const kin__live_node *node, const kin__live_node *above)
{
    while (node != NULL && node != above)
        node = node->parent;
    return node != NULL;
}

static bool compare_all(given *given, kin_entity entity, kin__live_origin origin, kin__why *why)
{
    kin__differences *list = given->list;
    const kin__live_node *top = NULL;
    kin_entity first = kin__first_of(list->content, entity, origin);
    for (uint32_t i = 0; i < list->prefab->count; i++)
        if (list->prefab->nodes[i]->hash == origin.part)
            top = list->prefab->nodes[i];
    if (top == NULL)
        return kin__refuse(why, KIN_ERROR_INVALID, "'%s' has no such part any more", list->prefab->name);
    set_references(given, first);
    for (uint32_t i = top->number; i < list->prefab->count; i++) {
        const kin__live_node *node = list->prefab->nodes[i];
        kin_entity part = entity;
        if (!is_below(node, top))
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
    const kin__live_origin *found = kin_get(content->context, entity, content->origin);
    kin__live_origin origin = found == NULL ? (kin__live_origin){0, 0, 0} : *found;
    list->prefab = found == NULL ? NULL : kin__generation_find_hash(content->now, origin.prefab);
    uint32_t count = 0;
    if (list->prefab == NULL && !compare_uniques(&given, entity, &count, why))
        return false;
    if (list->prefab == NULL)
        return count > 0 || kin__refuse(why, KIN_ERROR_INVALID, "the entity is of no prefab or blueprint");
    return compute(&given, origin.place, why) && compare_all(&given, entity, origin, why);
}

void kin__differences_release(kin__differences *list)
{
    kin__arena_release(&list->values);
}
