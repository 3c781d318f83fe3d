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
    return kin__refuse(&spawning->why, KIN_ERROR_NO_MEMORY, "out of memory");
}

static uint32_t count_parts(const kin__live_prefab *prefab)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < prefab->count; i++)
        count += prefab->nodes[i]->count;
    return count;
}

// Returns a copy of the value, which the spawn uses; NULL when out of memory.
static void *own_value(spawning *spawning, const kin__live_node *node, kin_component_id id)
{
    uint32_t part = 0;
    for (uint32_t i = 0; i < node->number; i++)
        part += spawning->prefab->nodes[i]->count;
    uint32_t place = 0;
    while (node->ids[place] != id)
        place++;
    const void **value = &spawning->values[part + place];
    if (*value == NULL)
        *value = kin__arena_copy(&spawning->arena, node->values[place], spawning->content->info->components[id].size);
    return (void *)(uintptr_t)*value;
}

// ---- numbers

static bool is_in_range(const kin_field_info *field, double number)
{
    const kin_field_range *range = field->range;
    bool is_floating = field->type == KIN_TYPE_FLOAT || field->type == KIN_TYPE_DOUBLE;
    bool is_signed = field->type >= KIN_TYPE_INT8 && field->type <= KIN_TYPE_INT64;
    if (range == NULL)
        return true;
    double min = is_floating ? range->min.number : is_signed ? (double)range->min.integer : (double)range->min.natural;
    double max = is_floating ? range->max.number : is_signed ? (double)range->max.integer : (double)range->max.natural;
    return !(number != number) && (!range->has_min || number >= min) && (!range->has_max || number <= max);
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
    return number < 0 ? number == (double)(int64_t)number : number == (double)(uint64_t)number;
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
        if (!(number >= limits[field->type].min && number < limits[field->type].end) || !is_whole(number))
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
    kin_field_info only;
    if (leaf->field == NULL) {
        kin__leaves_visit(info->fields, info->field_count, 0, put_next, &numbers);
    } else {
        only = *leaf->field;
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

static bool put_setting(spawning *spawning, const kin__live_leaf *leaf, char *value, const kin_set_item *item)
{
    const kin_field_info *field = leaf->field;
    if (item->value.kind == KIN_SETTING_NUMBERS && leaf->list == NULL && leaf->elements == 1)
        return put_numbers(spawning, leaf, value, item);
    if (item->value.kind == KIN_SETTING_NUMBERS && leaf->list == NULL && field->count > 0)
        return put_numbers(spawning, leaf, value, item);
    if (field == NULL || leaf->list != NULL || leaf->elements > 1)
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
    size_t row[MOST_LETTERS + 1], size = strlen(b), i = 0;
    if (strlen(a) > MOST_LETTERS || size > MOST_LETTERS)
        return MOST_LETTERS;
    for (size_t k = 0; k <= size; k++)
        row[k] = k;
    for (; a[i] != '\0'; i++) {
        size_t diagonal = row[0]++;
        for (size_t k = 1; k <= size; k++) {
            size_t changed = diagonal + (a[i] != b[k - 1]);
            diagonal = row[k];
            size_t fewest = row[k - 1] < row[k] ? row[k - 1] + 1 : row[k] + 1;
            row[k] = changed < fewest ? changed : fewest;
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

static bool is_shut(const kin_context_info *info, const kin__live_leaf *leaf)
{
    bool is_tree = leaf->field != NULL && leaf->field->is_tree;
    bool is_opaque = leaf->field != NULL && leaf->field->type == KIN_TYPE_OPAQUE;
    return is_tree || is_opaque || strcmp(info->components[leaf->component].name, "Origin") == 0;
}

// Follows a path such as "head.Gun.interval", and sets what it names.
static bool set_path(spawning *spawning, const char *path, const kin_set_item *item)
{
    char part[256];
    const kin_context_info *info = spawning->content->info;
    const char *component = path;
    while (*component != '\0' && !(*component >= 'A' && *component <= 'Z'))
        component += strcspn(component, ".") + (component[strcspn(component, ".")] == '.');
    size_t part_size = (size_t)(component - path);
    size_t size = strcspn(component, ".");
    char name[64];
    if (part_size >= sizeof part || size >= sizeof name)
        return refuse_name(spawning, item->name);
    snprintf(part, sizeof part, "%.*s", (int)(part_size == 0 ? 0 : part_size - 1), path);
    snprintf(name, sizeof name, "%.*s", (int)size, component);
    const kin__live_node *node = kin__live_prefab_find_named(spawning->prefab, part);
    kin_component_id id = kin_component_find(info, name);
    kin__live_leaf leaf;
    if (node == NULL || id == KIN_NO_COMPONENT || kin__node_value(node, id) == NULL || info->components[id].size == 0 ||
        !kin__leaf_find(info, id, component + size + (component[size] == '.'), &leaf))
        return refuse_name(spawning, item->name);
    if (is_shut(info, &leaf))
        return kin__refuse(&spawning->why, KIN_ERROR_INVALID, "'%s' cannot be set by name", item->name);
    char *value = own_value(spawning, node, id);
    return value == NULL ? no_memory(spawning) : put_setting(spawning, &leaf, value, item);
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
        bool is_set = true;
        for (uint32_t k = 0; is_set && k < knob->count; k++)
            is_set = set_path(spawning, knob->paths[k], item);
        return is_set;
    }
    return set_path(spawning, item->name, item);
}

// ---- spawning

static kin_entity refuse(const kin_context *context, const char *name, const kin__why *why)
{
    char verb[112];
    snprintf(verb, sizeof verb, "spawn '%.63s'", name == NULL ? "?" : name);
    kin__attempt attempt = {.verb = verb, .reason = why->status == KIN_ERROR_NO_MEMORY ? NULL : why->text};
    kin__report_error(context, why->status, &attempt);
    return 0;
}

// Finds what is spawned, and makes room for its values. False with `why`.
static bool begin(spawning *spawning, const kin_context *context, const char *name, bool has_values)
{
    char text[256];
    spawning->content = kin__content_of(context);
    if (spawning->content == NULL)
        return kin__refuse(&spawning->why, KIN_ERROR_INVALID, "the context has no content; open it first");
    const kin__generation *now = spawning->content->now;
    spawning->prefab = name == NULL ? NULL : kin__generation_find(now, name);
    if (spawning->prefab == NULL) {
        nearest nearest = {.wanted = name == NULL ? "" : name, .distance = MOST_LETTERS};
        for (uint32_t i = 0; i < now->prefab_count; i++)
            offer(&nearest, now->prefabs[i].name);
        return kin__refuse(&spawning->why, KIN_ERROR_INVALID, "there is no such prefab or blueprint%s",
                           meant(&nearest, text));
    }
    if (!has_values)
        return true;
    spawning->arena.memory = &spawning->content->memory;
    spawning->values = kin__arena_take(&spawning->arena, count_parts(spawning->prefab) * sizeof *spawning->values);
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
    kin_entity *made = all != NULL ? all : few;
    if (all == NULL && count > FEW_ENTITIES) {
        spawning->arena.memory = &spawning->content->memory;
        made = kin__arena_take(&spawning->arena, count * sizeof *made);
        if (made == NULL) {
            no_memory(spawning);
            return refuse(context, spawning->prefab->name, &spawning->why);
        }
    }
    return kin_prefab_spawn(context, spawning->prefab->number, &batch, made) == KIN_OK ? made[0] : 0;
}

// Spawns with the values of the prefab, or of `set`.
static kin_entity spawn_set(kin_context *context, const char *name, const kin_set *set)
{
    spawning spawning = {.values = NULL};
    bool is_set = begin(&spawning, context, name, set != NULL && set->count > 0);
    for (uint32_t i = 0; is_set && set != NULL && i < set->count; i++)
        is_set = set_item(&spawning, &set->items[i]);
    kin_entity made = is_set ? spawn(&spawning, NULL) : refuse(context, name, &spawning.why);
    kin__arena_release(&spawning.arena);
    return made;
}

static const kin__live_prefab *find_to_spawn(const kin__generation *now, const char *name)
{
    const kin__live_prefab *spawned = now->spawned;
    return spawned != NULL && strcmp(spawned->name, name) == 0 ? spawned : kin__generation_find(now, name);
}

kin_entity kin_spawn_named(kin_context *context, const char *name, const kin_set *set)
{
    const kin_content *content = set == NULL ? kin__content_of(context) : NULL;
    const kin__live_prefab *prefab = content == NULL || name == NULL ? NULL : find_to_spawn(content->now, name);
    kin_entity few[FEW_ENTITIES];
    if (prefab == NULL || prefab->count > FEW_ENTITIES)
        return spawn_set(context, name, set);
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

bool kin__spawn_named_as(kin_context *context, const char *name, uint32_t of, const void *const *values,
                         kin_entity *parts)
{
    spawning spawning = {.values = NULL};
    const kin_blueprint_info *info = &context->info->blueprints[of];
    kin_entity *all = NULL;
    if (parts != NULL)
        memset(parts, 0, (1 + info->descendant_count) * sizeof *parts);
    bool is_set = begin(&spawning, context, name, true);
    if (is_set && !is_of(spawning.prefab, context->info, of))
        is_set = kin__refuse(&spawning.why, KIN_ERROR_INVALID, "it does not extend '%s'", info->name);
    if (is_set) {
        if (values != NULL)
            give_values(&spawning, info, values);
        all = kin__arena_take(&spawning.arena, spawning.prefab->count * sizeof *all);
        is_set = all != NULL || no_memory(&spawning);
    }
    if (!is_set)
        refuse(context, name, &spawning.why);
    bool is_made = is_set && spawn(&spawning, all) != 0;
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
            const kin__live_origin *origin = kin_get(content->context, entity, content->origin);
            if (origin->place == place && origin->part == part)
                return entity;
        }
    }
    return 0;
}

kin_entity kin_find_placed(const kin_context *context, const char *path)
{
    const kin_content *content = kin__content_of(context);
    uint32_t place = content == NULL || path == NULL ? 0 : kin__level_place(content->now, path);
    return place == 0 ? 0 : kin__find_place(content, place, 0);
}

// Returns the child of an entity in any tree whose Origin has the part; 0 if there is none. Depth first.
static kin_entity find_below(const kin_content *content, kin_entity above, uint32_t prefab, uint32_t part, int depth)
{
    const kin_context *context = content->context;
    for (uint32_t i = 0; depth > 0 && i < content->info->relation_count; i++) {
        if (!content->info->relations[i].is_tree)
            continue;
        for (kin_entity each = kin__relation_first(context, i, above); each != 0;
             each = kin__relation_next(context, i, each)) {
            const kin__live_origin *origin = kin_get(context, each, content->origin);
            if (origin != NULL && origin->prefab == prefab && origin->part == part)
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

// Whether a name is that of a part at a path below another one.
static bool is_named_below(const char *name, const char *above, const char *path)
{
    size_t size = strlen(above);
    if (size == 0)
        return strcmp(name, path) == 0;
    return strncmp(name, above, size) == 0 && name[size] == '.' && strcmp(name + size + 1, path) == 0;
}

kin_entity kin_find_part(const kin_context *context, kin_entity entity, const char *path)
{
    const kin_content *content = kin__content_of(context);
    const kin__live_origin *origin = content == NULL ? NULL : kin_get(context, entity, content->origin);
    if (origin == NULL || path == NULL)
        return 0;
    if (path[0] == '\0')
        return entity;
    const kin__live_prefab *prefab = kin__generation_find_hash(content->now, origin->prefab);
    const kin__live_node *above = NULL;
    for (uint32_t i = 0; prefab != NULL && origin->part != 0 && i < prefab->count; i++)
        if (prefab->nodes[i]->hash == origin->part)
            above = prefab->nodes[i];
    for (uint32_t i = 0; content->now->pack.rename_count > 0 && prefab != NULL && i < prefab->count; i++)
        if (is_named_below(prefab->nodes[i]->name, above == NULL ? "" : above->name, path))
            return kin__find_part_of(content, entity, origin->prefab, prefab->nodes[i]->hash);
    if (content->now->pack.rename_count > 0 && prefab != NULL)
        return 0;
    const char *prefix = above == NULL ? "" : above->path;
    uint32_t hash = kin__name_hash_more(kin__name_begin, prefix);
    hash = kin__name_hash_more(kin__name_hash_more(hash, prefix[0] == '\0' ? "" : "."), path);
    return kin__find_part_of(content, entity, origin->prefab, hash == 0 ? 1 : hash);
}
