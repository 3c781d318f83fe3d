// Spawning by name, with values by knobs and paths; and finding placed instances and parts.
#include "live/live.h"

#include <kin/generated/relation.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// ---- values of one spawn: an address for each component of each node, NULL for the prefab's

typedef struct spawning {
    kin_content *content;
    const kin__live_prefab *prefab;
    kin__arena arena;
    const void **values;
    kin__why why;
} spawning;

static bool no_memory(spawning *spawning)
{
    return kin__refuse_memory(&spawning->why);
}

// Returns a copy of the value, which the spawn uses; NULL when out of memory.
static void *own_value(spawning *spawning, const kin__live_node *node, kin_component_id id)
{
    const void **value = &spawning->values[kin__part_of(spawning->prefab, node, id)];
    if (*value == NULL)
        *value =
            kin__arena_copy(&spawning->arena, *kin__node_value(node, id), spawning->content->info->components[id].size);
    return (void *)(uintptr_t)*value;
}

// ---- numbers

// Returns a limit of a range, which is kept as its field's type needs it.
static double limit_of(const kin_field_info *field, const kin_number *limit)
{
    if (field->type == KIN_TYPE_FLOAT || field->type == KIN_TYPE_DOUBLE)
        return limit->number;
    if (field->type >= KIN_TYPE_INT8 && field->type <= KIN_TYPE_INT64)
        return (double)limit->integer;
    return (double)limit->natural;
}

static bool is_in_range(const kin_field_info *field, double number)
{
    const kin_field_range *range = field->range;
    if (range == NULL)
        return true;
    if (number != number)
        return false;
    if (range->has_min && !(number >= limit_of(field, &range->min)))
        return false;
    return !range->has_max || number <= limit_of(field, &range->max);
}

static const struct {
    double min, end; // the first number that does not fit
} limits[] = {
    [KIN_TYPE_BOOL] = {0, 2},
    [KIN_TYPE_INT8] = {-128, 128},
    [KIN_TYPE_INT16] = {-32768, 32768},
    [KIN_TYPE_INT32] = {-2147483648.0, 2147483648.0},
    [KIN_TYPE_INT64] = {-9223372036854775808.0, 9223372036854775808.0},
    [KIN_TYPE_UINT8] = {0, 256},
    [KIN_TYPE_UINT16] = {0, 65536},
    [KIN_TYPE_UINT32] = {0, 4294967296.0},
    [KIN_TYPE_UINT64] = {0, 18446744073709551616.0},
};

// The number fits an integer of 64 bits.
static bool is_whole(double number)
{
    if (number < 0)
        return number == (double)(int64_t)number;
    return number == (double)(uint64_t)number;
}

static bool fits_integer(kin_type type, double number)
{
    KIN_ASSERT(type < sizeof limits / sizeof *limits);
    return number >= limits[type].min && number < limits[type].end && is_whole(number);
}

static void put_bits(void *place, size_t size, uint64_t bits)
{
    uint8_t byte = (uint8_t)bits;
    uint16_t half = (uint16_t)bits;
    uint32_t word = (uint32_t)bits;
    switch (size) {
    case sizeof byte:
        memcpy(place, &byte, sizeof byte);
        break;
    case sizeof half:
        memcpy(place, &half, sizeof half);
        break;
    case sizeof word:
        memcpy(place, &word, sizeof word);
        break;
    default:
        memcpy(place, &bits, sizeof bits);
    }
}

static bool put_number(spawning *spawning, const kin_field_info *field, char *place, double number, const char *name)
{
    float single = (float)number;
    if (field->type == KIN_TYPE_FLOAT) {
        memcpy(place, &single, sizeof single);
    } else if (field->type == KIN_TYPE_DOUBLE) {
        memcpy(place, &number, sizeof number);
    } else if (field->type <= KIN_TYPE_UINT64) {
        if (!fits_integer(field->type, number))
            return kin__refuse(&spawning->why, KIN_ERROR_INVALID, "%g does not fit '%s'", number, name);
        uint64_t bits = number < 0 ? (uint64_t)(int64_t)number : (uint64_t)number;
        put_bits(place, kin__pack_width(field->type), bits);
    } else {
        return kin__refuse(&spawning->why, KIN_ERROR_INVALID, "'%s' is not a number", name);
    }
    if (!is_in_range(field, number))
        return kin__refuse(&spawning->why, KIN_ERROR_INVALID, "%g is outside the range of '%s'", number, name);
    return true;
}

// ---- settings

typedef struct numbers {
    spawning *spawning;
    const kin_setting *setting;
    const char *name;
    char *value;
    uint32_t used;
    bool fits;
} numbers;

static void put_next(void *data, const kin_field_info *field, size_t offset, size_t size)
{
    numbers *numbers = data;
    (void)size;
    if (!numbers->fits || numbers->used >= numbers->setting->count) {
        numbers->used++;
        return;
    }
    double number = numbers->setting->numbers[numbers->used++];
    numbers->fits = put_number(numbers->spawning, field, numbers->value + offset, number, numbers->name);
}

// Gives a struct, an array or a component as many numbers as it has.
static bool put_numbers(spawning *spawning, const kin__live_leaf *leaf, char *value, const kin_set_item *item)
{
    const kin_component_info *info = &spawning->content->info->components[leaf->component];
    if (item->value.count > sizeof item->value.numbers / sizeof *item->value.numbers)
        return kin__refuse(&spawning->why, KIN_ERROR_INVALID, "'%s' is given more than 16 numbers", item->name);
    numbers numbers = {spawning, &item->value, item->name, value, 0, true};
    if (leaf->field == NULL) {
        kin__leaves_visit(info->fields, info->field_count, 0, put_next, &numbers);
    } else {
        kin_field_info only = *leaf->field;
        only.offset = leaf->offset;
        kin__leaves_visit(&only, 1, 0, put_next, &numbers);
    }
    if (numbers.fits && numbers.used != item->value.count)
        return kin__refuse(&spawning->why, KIN_ERROR_INVALID, "'%s' has %" PRIu32 " numbers, and %" PRIu32 " are given",
                           item->name, numbers.used, item->value.count);
    return numbers.fits;
}

static bool put_integer(spawning *spawning, const kin_field_info *field, char *place, const kin_set_item *item)
{
    int64_t number = item->value.integer;
    bool is_wide = field->type == KIN_TYPE_INT64 || (field->type == KIN_TYPE_UINT64 && number >= 0);
    if (is_wide && is_in_range(field, (double)number)) {
        put_bits(place, sizeof number, (uint64_t)number);
        return true;
    }
    return put_number(spawning, field, place, (double)number, item->name);
}

static bool put_enum(spawning *spawning, const kin_field_info *field, char *place, const kin_set_item *item)
{
    for (uint32_t i = 0; i < field->of->value_count; i++)
        if (strcmp(field->of->values[i].name, item->value.text) == 0) {
            int32_t number = (int32_t)field->of->values[i].value;
            memcpy(place, &number, sizeof number);
            return true;
        }
    return kin__refuse(&spawning->why, KIN_ERROR_INVALID, "enum '%s' has no value '%s'", field->of->name,
                       item->value.text);
}

static bool put_text(spawning *spawning, const kin_field_info *field, char *place, const kin_set_item *item)
{
    if (item->value.text == NULL)
        return kin__refuse(&spawning->why, KIN_ERROR_INVALID, "the text of '%s' is NULL", item->name);
    size_t size = strlen(item->value.text);
    if (field->type == KIN_TYPE_ENUM)
        return put_enum(spawning, field, place, item);
    if (field->type == KIN_TYPE_STRING) {
        memcpy(place, &item->value.text, sizeof item->value.text);
        return true;
    }
    if (field->type != KIN_TYPE_INLINE_STRING)
        return kin__refuse(&spawning->why, KIN_ERROR_INVALID, "'%s' is no string", item->name);
    if (size >= field->size)
        return kin__refuse(&spawning->why, KIN_ERROR_INVALID, "the text of '%s' is too long", item->name);
    memset(place, 0, field->size);
    memcpy(place, item->value.text, size);
    return true;
}

// Whether a leaf takes numbers: it is no list, and if it is in arrays, it is one itself.
static bool takes_numbers(const kin__live_leaf *leaf)
{
    if (leaf->list != NULL)
        return false;
    return leaf->elements == 1 || leaf->field->count > 0;
}

static bool put_setting(spawning *spawning, const kin__live_leaf *leaf, char *value, const kin_set_item *item)
{
    const kin_field_info *field = leaf->field;
    KIN_ASSERT(field != NULL || leaf->elements == 1);
    if (item->value.kind == KIN_SETTING_NUMBERS && takes_numbers(leaf))
        return put_numbers(spawning, leaf, value, item);
    bool is_single = leaf->list == NULL && leaf->elements == 1;
    if (field == NULL || !is_single)
        return kin__refuse(&spawning->why, KIN_ERROR_INVALID, "'%s' cannot be set by name", item->name);
    if (item->value.kind == KIN_SETTING_INTEGER)
        return put_integer(spawning, field, value + leaf->offset, item);
    if (item->value.kind == KIN_SETTING_TEXT)
        return put_text(spawning, field, value + leaf->offset, item);
    if (field->type != KIN_TYPE_ENTITY)
        return kin__refuse(&spawning->why, KIN_ERROR_INVALID, "'%s' is no entity", item->name);
    memcpy(value + leaf->offset, &item->value.entity, sizeof item->value.entity);
    return true;
}

// ---- names

// The nearest of the names that are offered: the one with the fewest letters to change, at most a third of them.
typedef struct nearest {
    const char *wanted;
    char name[192];
    size_t distance;
} nearest;

enum { MOST_LETTERS = 64 };

static size_t distance_of(const char *a, const char *b)
{
    size_t row[MOST_LETTERS + 1];
    size_t size = strlen(b);
    if (strlen(a) > MOST_LETTERS || size > MOST_LETTERS)
        return MOST_LETTERS;
    for (size_t k = 0; k <= size; k++)
        row[k] = k;
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t diagonal = row[0]++;
        for (size_t k = 1; k <= size; k++) {
            size_t changed = diagonal + (a[i] != b[k - 1]);
            diagonal = row[k];
            size_t fewest = kin__min_size(row[k - 1], row[k]) + 1;
            row[k] = kin__min_size(changed, fewest);
        }
    }
    return row[size];
}

static void offer(nearest *nearest, const char *name)
{
    size_t distance = distance_of(nearest->wanted, name);
    if (distance >= nearest->distance || distance > strlen(name) / 3 + 1)
        return;
    nearest->distance = distance;
    snprintf(nearest->name, sizeof nearest->name, "%s", name);
}

static const char *meant(const nearest *nearest, char text[256])
{
    text[0] = '\0';
    if (nearest->name[0] != '\0')
        snprintf(text, 256, "; did you mean '%s'?", nearest->name);
    return text;
}

static void offer_knobs(nearest *nearest, const kin__live_prefab *prefab)
{
    for (uint32_t i = 0; i < prefab->knob_count; i++)
        offer(nearest, prefab->knobs[i].name);
}

// Offers the paths of all fields of a prefab's components.
static void offer_paths(nearest *nearest, const kin_context_info *info, const kin__live_prefab *prefab)
{
    char path[192];
    for (uint32_t i = 0; i < prefab->count; i++)
        for (uint32_t k = 0; k < prefab->nodes[i]->count; k++) {
            const kin_component_info *component = &info->components[prefab->nodes[i]->ids[k]];
            const char *part = prefab->nodes[i]->name;
            for (uint32_t f = 0; f < component->field_count; f++) {
                snprintf(path, sizeof path, "%s%s%s.%s", part, part[0] == '\0' ? "" : ".", component->name,
                         component->fields[f].name);
                offer(nearest, path);
            }
        }
}

static bool refuse_name(spawning *spawning, const char *name)
{
    char text[256];
    nearest nearest = {.wanted = name, .distance = MOST_LETTERS};
    offer_knobs(&nearest, spawning->prefab);
    offer_paths(&nearest, spawning->content->info, spawning->prefab);
    return kin__refuse(&spawning->why, KIN_ERROR_INVALID, "'%s' has no knob or field '%s'%s", spawning->prefab->name,
                       name, meant(&nearest, text));
}

static bool is_shut(const kin_content *content, const kin__live_leaf *leaf)
{
    const kin_field_info *field = leaf->field;
    if (leaf->component == content->origin)
        return true;
    return field != NULL && (field->is_tree || field->type == KIN_TYPE_OPAQUE);
}

// Returns what follows the next dot; the end of the path if there is none.
static const char *after_dot(const char *path)
{
    size_t size = strcspn(path, ".");
    return path + size + (path[size] == '.');
}

// Returns where the component begins in a path: at the first name with a capital letter.
static const char *skip_parts(const char *path)
{
    while (*path != '\0' && (*path < 'A' || *path > 'Z'))
        path = after_dot(path);
    return path;
}

// Finds what a path such as "head.Gun.interval" names: a node, and a leaf of its component. NULL if there is none.
static const kin__live_node *find_path(const spawning *spawning, const char *path, kin__live_leaf *leaf)
{
    char part[256];
    char name[64];
    const kin_context_info *info = spawning->content->info;
    const char *component = skip_parts(path);
    size_t part_size = (size_t)(component - path);
    size_t size = strcspn(component, ".");
    if (part_size >= sizeof part || size >= sizeof name)
        return NULL;
    snprintf(part, sizeof part, "%.*s", part_size == 0 ? 0 : (int)part_size - 1, path);
    snprintf(name, sizeof name, "%.*s", (int)size, component);
    const kin__live_node *node = kin__live_prefab_find_named(spawning->prefab, part);
    kin_component_id id = kin_component_find(info, name);
    if (node == NULL || id == KIN_NO_COMPONENT)
        return NULL;
    if (kin__node_value(node, id) == NULL || info->components[id].size == 0)
        return NULL;
    if (!kin__leaf_find(info, id, after_dot(component), leaf))
        return NULL;
    return node;
}

static bool set_path(spawning *spawning, const char *path, const kin_set_item *item)
{
    kin__live_leaf leaf;
    const kin__live_node *node = find_path(spawning, path, &leaf);
    if (node == NULL)
        return refuse_name(spawning, item->name);
    if (is_shut(spawning->content, &leaf))
        return kin__refuse(&spawning->why, KIN_ERROR_INVALID, "'%s' cannot be set by name", item->name);
    char *value = own_value(spawning, node, leaf.component);
    if (value == NULL)
        return no_memory(spawning);
    return put_setting(spawning, &leaf, value, item);
}

static bool set_item(spawning *spawning, const kin_set_item *item)
{
    const kin__live_prefab *prefab = spawning->prefab;
    if (item->name == NULL)
        return kin__refuse(&spawning->why, KIN_ERROR_INVALID, "a name is NULL");
    for (uint32_t i = 0; i < prefab->knob_count; i++) {
        const kin__live_knob *knob = &prefab->knobs[i];
        if (strcmp(knob->name, item->name) != 0)
            continue;
        for (uint32_t k = 0; k < knob->count; k++)
            if (!set_path(spawning, knob->paths[k], item))
                return false;
        return true;
    }
    return set_path(spawning, item->name, item);
}

// ---- spawning

static kin_entity refuse(const kin_context *context, const char *name, const kin__why *why)
{
    char verb[112];
    snprintf(verb, sizeof verb, "spawn '%.63s'", name == NULL ? "?" : name);
    kin__why_report(context, verb, 0, why);
    return 0;
}

static bool refuse_prefab(spawning *spawning, const char *name)
{
    char text[256];
    const kin__generation *now = spawning->content->now;
    nearest nearest = {.wanted = name, .distance = MOST_LETTERS};
    for (uint32_t i = 0; i < now->prefab_count; i++)
        offer(&nearest, now->prefabs[i].name);
    return kin__refuse(&spawning->why, KIN_ERROR_INVALID, "there is no such prefab or blueprint%s",
                       meant(&nearest, text));
}

// Finds what is spawned, and makes room for its values. False with `why`.
static bool begin(spawning *spawning, const kin_context *context, const char *name, bool has_values)
{
    spawning->content = kin__content_of(context);
    if (spawning->content == NULL)
        return kin__refuse(&spawning->why, KIN_ERROR_INVALID, "the context has no content; open it first");
    if (name == NULL)
        return refuse_prefab(spawning, "");
    spawning->prefab = kin__generation_find(spawning->content->now, name);
    if (spawning->prefab == NULL)
        return refuse_prefab(spawning, name);
    if (!has_values)
        return true;
    spawning->arena.memory = &spawning->content->memory;
    spawning->values =
        kin__arena_take(&spawning->arena, kin__live_part_count(spawning->prefab) * sizeof *spawning->values);
    return spawning->values != NULL || no_memory(spawning);
}

enum { FEW_ENTITIES = 64 };

// Spawns once, and writes the first entity, or all of them.
static kin_entity spawn(spawning *spawning, kin_entity *all)
{
    kin_entity few[FEW_ENTITIES];
    kin_prefab_batch batch = {1, spawning->values};
    kin_context *context = spawning->content->context;
    uint32_t count = spawning->prefab->count;
    if (all == NULL && count <= FEW_ENTITIES)
        all = few;
    if (all == NULL) {
        spawning->arena.memory = &spawning->content->memory;
        all = kin__arena_take(&spawning->arena, count * sizeof *all);
    }
    if (all == NULL) {
        no_memory(spawning);
        return refuse(context, spawning->prefab->name, &spawning->why);
    }
    if (kin_prefab_spawn(context, spawning->prefab->number, &batch, all) != KIN_OK)
        return 0;
    KIN_ASSERT(all[0] != 0);
    return all[0];
}

static bool set_items(spawning *spawning, const kin_set *set)
{
    if (set == NULL)
        return true;
    for (uint32_t i = 0; i < set->count; i++)
        if (!set_item(spawning, &set->items[i]))
            return false;
    return true;
}

// Spawns with the values of the prefab, or of `set`.
static kin_entity spawn_set(kin_context *context, const char *name, const kin_set *set)
{
    spawning spawning = {.values = NULL};
    bool is_set = begin(&spawning, context, name, set != NULL && set->count > 0) && set_items(&spawning, set);
    kin_entity made = is_set ? spawn(&spawning, NULL) : refuse(context, name, &spawning.why);
    kin__arena_release(&spawning.arena);
    return made;
}

static const kin__live_prefab *find_to_spawn(const kin__generation *now, const char *name)
{
    const kin__live_prefab *spawned = now->spawned;
    if (spawned != NULL && strcmp(spawned->name, name) == 0)
        return spawned;
    return kin__generation_find(now, name);
}

// Returns a prefab that needs no memory to be spawned as it is; NULL if there is none of the name.
static const kin__live_prefab *find_small(const kin_content *content, const char *name)
{
    if (content == NULL || name == NULL)
        return NULL;
    const kin__live_prefab *prefab = find_to_spawn(content->now, name);
    if (prefab == NULL || prefab->count > FEW_ENTITIES)
        return NULL;
    return prefab;
}

kin_entity kin_spawn_named(kin_context *context, const char *name, const kin_set *set)
{
    kin_entity few[FEW_ENTITIES];
    if (set != NULL)
        return spawn_set(context, name, set);
    const kin_content *content = kin__content_of(context);
    const kin__live_prefab *prefab = find_small(content, name);
    if (prefab == NULL)
        return spawn_set(context, name, NULL);
    if (kin_prefab_spawn(context, prefab->number, NULL, few) != KIN_OK)
        return 0;
    content->now->spawned = prefab; // no listener can load another content
    return few[0];
}

// Whether a prefab extends the blueprint: all that it has of the first entity comes from there.
static bool is_of(const kin__live_prefab *prefab, const kin_context_info *info, uint32_t of)
{
    uint32_t number = prefab->nodes[0]->of;
    while (number != UINT32_MAX && number != of)
        number = info->blueprints[number].extends - 1; // 0, none, becomes UINT32_MAX
    return number == of;
}

// Gives the values for the components of the blueprint to the same components of the prefab.
static void give_values(spawning *spawning, const kin_blueprint_info *info, const void *const *values)
{
    const kin__live_node *first = spawning->prefab->nodes[0];
    for (uint32_t i = 0; i < info->component_count; i++)
        for (uint32_t k = 0; k < first->count; k++)
            if (first->ids[k] == info->components[i] && values[i] != NULL)
                spawning->values[k] = values[i];
}

static void give_parts(const kin__generation *now, const kin__live_prefab *prefab, uint32_t of, const kin_entity *all,
                       kin_entity *parts)
{
    const kin__live_prefab *blueprint = &now->prefabs[of];
    for (uint32_t i = 0; i < blueprint->count; i++) {
        const kin__live_node *node = kin__live_prefab_find(prefab, blueprint->nodes[i]->path);
        parts[i] = node == NULL ? 0 : all[node->number];
    }
}

// Begins a spawn of a prefab that extends a blueprint. Returns room for its entities; NULL with `why`.
static kin_entity *begin_as(spawning *spawning, const kin_context *context, const char *name, uint32_t of)
{
    KIN_ASSERT(of < context->info->blueprint_count);
    if (!begin(spawning, context, name, true))
        return NULL;
    if (!is_of(spawning->prefab, context->info, of)) {
        kin__refuse(&spawning->why, KIN_ERROR_INVALID, "it does not extend '%s'", context->info->blueprints[of].name);
        return NULL;
    }
    kin_entity *all = kin__arena_take(&spawning->arena, spawning->prefab->count * sizeof *all);
    if (all == NULL)
        no_memory(spawning);
    return all;
}

bool kin__spawn_named_as(kin_context *context, const char *name, uint32_t of, const void *const *values,
                         kin_entity *parts)
{
    spawning spawning = {.values = NULL};
    const kin_blueprint_info *info = &context->info->blueprints[of];
    bool is_made = false;
    if (parts != NULL)
        memset(parts, 0, (1 + info->descendant_count) * sizeof *parts);
    kin_entity *all = begin_as(&spawning, context, name, of);
    if (all != NULL) {
        if (values != NULL)
            give_values(&spawning, info, values);
        is_made = spawn(&spawning, all) != 0;
    } else {
        refuse(context, name, &spawning.why);
    }
    if (is_made && parts != NULL)
        give_parts(spawning.content->now, spawning.prefab, of, all, parts);
    kin__arena_release(&spawning.arena);
    return is_made;
}

// ---- finding

kin_entity kin__find_place(const kin_content *content, uint32_t place, uint32_t part)
{
    for (uint32_t word = 0; word < kin_look_words(content->context); word++) {
        uint64_t match = kin_look_has(content->context, content->origin, word);
        KIN_EACH_BIT(bit, match)
        {
            kin_entity entity = kin_look_entity(content->context, 64 * word + bit);
            const kin__live_origin *origin = kin__origin_of(content, entity);
            if (origin->place == place && origin->part == part)
                return entity;
        }
    }
    return 0;
}

kin_entity kin_find_placed(const kin_context *context, const char *path)
{
    const kin_content *content = kin__content_of(context);
    if (content == NULL || path == NULL)
        return 0;
    uint32_t place = kin__level_place(content->now, path);
    if (place == 0)
        return 0;
    return kin__find_place(content, place, 0);
}

static bool is_part(const kin_content *content, kin_entity entity, uint32_t prefab, uint32_t part)
{
    const kin__live_origin *origin = kin__origin_of(content, entity);
    return origin != NULL && origin->prefab == prefab && origin->part == part;
}

// Returns the child of an entity in any tree whose Origin has the part; 0 if there is none. Depth first.
static kin_entity find_below(const kin_content *content, kin_entity above, uint32_t prefab, uint32_t part, int depth)
{
    const kin_context *context = content->context;
    if (depth == 0)
        return 0;
    for (uint32_t i = 0; i < content->info->relation_count; i++) {
        if (!content->info->relations[i].is_tree)
            continue;
        for (kin_entity each = kin__relation_first(context, i, above); each != 0;
             each = kin__relation_next(context, i, each)) {
            if (is_part(content, each, prefab, part))
                return each;
            kin_entity found = find_below(content, each, prefab, part, depth - 1);
            if (found != 0)
                return found;
        }
    }
    return 0;
}

kin_entity kin__find_part_of(const kin_content *content, kin_entity above, uint32_t prefab, uint32_t part)
{
    return find_below(content, above, prefab, part, KIN__PACK_DEPTH_LIMIT);
}

// Returns the parent of an entity in the first tree that it is in; 0: it has none.
static kin_entity parent_of(const kin_content *content, kin_entity entity)
{
    kin_entity above = 0;
    for (uint32_t i = 0; above == 0 && i < content->info->relation_count; i++) {
        const kin_relation_info *relation = &content->info->relations[i];
        if (!relation->is_tree)
            continue;
        const char *value = kin_get(content->context, entity, relation->component);
        if (value != NULL)
            memcpy(&above, value + relation->field->offset, sizeof above);
    }
    return above;
}

kin_entity kin__first_of(const kin_content *content, kin_entity entity, kin__live_origin origin)
{
    for (int depth = 0; origin.part != 0 && depth < KIN__PACK_DEPTH_LIMIT; depth++) {
        kin_entity above = parent_of(content, entity);
        if (above == 0)
            return 0;
        const kin__live_origin *of = kin__origin_of(content, above);
        if (of == NULL || of->prefab != origin.prefab)
            return 0;
        entity = above;
        origin = *of;
    }
    return entity;
}

// Whether a name is that of a part at a path below another one.
static bool is_named_below(const char *name, const char *above, const char *path)
{
    size_t size = strlen(above);
    if (size == 0)
        return strcmp(name, path) == 0;
    if (strncmp(name, above, size) != 0 || name[size] != '.')
        return false;
    return strcmp(name + size + 1, path) == 0;
}

// Finds the node that has a name now, below another one. Writes the hash of its first name.
static bool find_renamed(const kin__live_prefab *prefab, const kin__live_node *above, const char *path, uint32_t *part)
{
    for (uint32_t i = 0; i < prefab->count; i++)
        if (is_named_below(prefab->nodes[i]->name, above == NULL ? "" : above->name, path)) {
            *part = prefab->nodes[i]->hash;
            return true;
        }
    return false;
}

// Returns the hash of a path below a node, which may be NULL: below the first.
static uint32_t hash_below(const kin__live_node *above, const char *path)
{
    uint32_t hash = kin__name_begin;
    if (above != NULL && above->path[0] != '\0') {
        hash = kin__name_hash_more(hash, above->path);
        hash = kin__name_hash_more(hash, ".");
    }
    return kin__name_hash_end(kin__name_hash_more(hash, path));
}

kin_entity kin_find_part(const kin_context *context, kin_entity entity, const char *path)
{
    const kin_content *content = kin__content_of(context);
    if (content == NULL || path == NULL)
        return 0;
    const kin__live_origin *origin = kin__origin_of(content, entity);
    if (origin == NULL)
        return 0;
    if (path[0] == '\0')
        return entity;
    const kin__live_prefab *prefab = kin__generation_find_hash(content->now, origin->prefab);
    const kin__live_node *above = NULL;
    if (prefab != NULL)
        above = kin__live_prefab_find_hash(prefab, origin->part);
    uint32_t part;
    if (prefab == NULL || content->now->pack.rename_count == 0)
        part = hash_below(above, path);
    else if (!find_renamed(prefab, above, path, &part))
        return 0;
    return kin__find_part_of(content, entity, origin->prefab, part);
}
