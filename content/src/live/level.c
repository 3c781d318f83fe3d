// Levels: their instances, one after the other, placed in batches.
#include "live/live.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 256 };

const kin__pack_level *kin__level_find(const kin__generation *generation, const char *name)
{
    for (uint32_t i = 0; i < generation->pack.level_count; i++) {
        const kin__pack_level *level = &generation->pack.levels[i];
        if (level->context == generation->context && strcmp(level->name, name) == 0)
            return level;
    }
    return NULL;
}

// ---- the instances of a level

// How many equal instances without names stand before each: a table of the hashes of their texts.
typedef struct text {
    uint32_t hash, count;
} text;

typedef struct texts {
    text *all;
    uint32_t mask;
} texts;

typedef struct listing {
    const kin__generation *generation;
    kin__instances *list;
    kin__run_filter *filter;
    const void *data;
    texts texts;
} listing;

static uint32_t count_equal(texts *texts, uint64_t text)
{
    uint32_t hash = text == 0 ? 1 : (uint32_t)text;
    uint32_t place = (uint32_t)(text >> 32) & texts->mask;
    KIN_ASSERT((texts->mask & (texts->mask + 1)) == 0);
    while (texts->all[place].count > 0 && texts->all[place].hash != hash)
        place = (place + 1) & texts->mask;
    texts->all[place].hash = hash;
    return texts->all[place].count++;
}

// The hash of which leaves a run sets, which is the same in all packs.
static uint64_t hash_keys(const kin__generation *generation, uint32_t keys, uint64_t seed)
{
    kin__xxh64 hash = kin__xxh64_begin(seed);
    if (keys == KIN__PACK_NONE)
        return kin__xxh64_end(&hash);
    const kin__pack_keys *list = &generation->pack.keys[keys];
    for (uint32_t i = 0; i < list->count; i++) {
        const kin__pack_key *key = &list->keys[i];
        const char *component = generation->pack.contexts[list->context].components[key->component].name;
        const char *leaf = kin__pack_leaf_of(&generation->pack, list->context, key)->path;
        kin__xxh64_add(&hash, key->part, strlen(key->part) + 1);
        kin__xxh64_add(&hash, component, strlen(component) + 1);
        kin__xxh64_add(&hash, leaf, strlen(leaf) + 1);
    }
    return kin__xxh64_end(&hash);
}

// The place of an instance without a name: the hash of its text, and of how many equal ones stand before it. It is the
// same on machines of either byte order.
static uint32_t text_place(listing *listing, const kin__outer *outer, uint64_t run, const kin__pack_instance *said)
{
    const uint64_t odd = UINT64_C(0x9E3779B97F4A7C15); // 2^64 divided by the golden ratio
    uint64_t text = kin__xxh64_of(said->values, said->size, run);
    uint64_t mixed = ((text ^ outer->hash) + count_equal(&listing->texts, text)) * odd;
    return kin__name_hash_end((uint32_t)(mixed >> 32));
}

uint32_t kin__place_of(const kin__outer *outer, const char *name)
{
    return kin__name_hash_end(kin__name_hash_more(outer->hash, name));
}

static bool list_level(listing *listing, const kin__pack_level *level, const kin__outer *outer);

static const kin__outer *enter(listing *listing, const kin__outer *outer, uint32_t keys, const kin__pack_instance *said,
                               const char *name)
{
    kin__outer *inner = kin__arena_take(&listing->list->arena, sizeof *inner);
    size_t size = strlen(outer->path) + strlen(name) + 2;
    char *path = kin__arena_take(&listing->list->arena, size);
    if (inner == NULL || path == NULL)
        return NULL;
    snprintf(path, size, "%s%s.", outer->path, name);
    *inner = (kin__outer){path, kin__name_hash_more(kin__name_begin, path), keys, said, outer};
    return inner;
}

static bool list_inner_level(listing *listing, const kin__pack_run *run, const kin__outer *outer)
{
    const kin__pack_level *level = &listing->generation->pack.levels[run->level];
    const kin__pack_instance *said = &run->instances[0];
    KIN_ASSERT(run->count == 1 && run->is_named);
    const kin__outer *inner = enter(listing, outer, run->keys, said, said->name);
    if (inner == NULL)
        return false;
    return list_level(listing, level, inner);
}

static bool is_listed(const listing *listing, const kin__pack_run *run)
{
    return listing->filter == NULL || listing->filter(listing->data, run);
}

static bool list_run(listing *listing, const kin__pack_run *said, const kin__outer *outer)
{
    const kin__generation *generation = listing->generation;
    kin__instances *list = listing->list;
    if (said->prefab == KIN__PACK_NONE)
        return list_inner_level(listing, said, outer);
    if (!is_listed(listing, said))
        return true;
    kin__instance_run *run = kin__arena_take(&list->arena, sizeof *run);
    if (run == NULL)
        return false;
    KIN_ASSERT(generation->of_pack[said->prefab] < generation->prefab_count);
    run->prefab = &generation->prefabs[generation->of_pack[said->prefab]];
    run->said = said;
    run->outer = outer;
    run->arena = &list->arena;
    uint64_t seed = hash_keys(generation, said->keys, run->prefab->hash);
    for (uint32_t i = 0; i < said->count; i++) {
        const kin__pack_instance *instance = &said->instances[i];
        uint32_t place;
        if (instance->name != NULL)
            place = kin__place_of(outer, instance->name);
        else
            place = text_place(listing, outer, seed, instance);
        list->all[list->count++] = (kin__instance){run, instance, place};
    }
    return true;
}

// Recursive along levels in levels, which the pack limits.
static bool list_level(listing *listing, const kin__pack_level *level, const kin__outer *outer)
{
    for (uint32_t i = 0; i < level->run_count; i++)
        if (!list_run(listing, &level->runs[i], outer))
            return false;
    return true;
}

// Counts the instances that are listed. Recursive as list_level.
static uint32_t count_instances(const listing *listing, const kin__pack_level *level)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < level->run_count; i++) {
        const kin__pack_run *run = &level->runs[i];
        if (run->prefab == KIN__PACK_NONE)
            count += run->count * count_instances(listing, &listing->generation->pack.levels[run->level]);
        else if (is_listed(listing, run))
            count += run->count;
    }
    return count;
}

static bool make_texts(listing *listing, uint32_t count)
{
    uint32_t capacity = 64;
    while (capacity < count + count / 2)
        capacity *= 2;
    listing->texts = (texts){kin__arena_take(&listing->list->arena, capacity * sizeof(text)), capacity - 1};
    return listing->texts.all != NULL;
}

bool kin__instances_list(kin_content *content, const kin__generation *generation, const kin__pack_level *level,
                         kin__run_filter *filter, const void *data, kin__instances *list)
{
    listing listing = {.generation = generation, .list = list, .filter = filter, .data = data};
    *list = (kin__instances){.arena = {.memory = &content->memory}};
    uint32_t count = count_instances(&listing, level);
    if (count == 0)
        return true;
    size_t size = strlen(level->name) + 2;
    kin__outer *outer = kin__arena_take(&list->arena, sizeof *outer);
    char *path = kin__arena_take(&list->arena, size);
    list->all = kin__arena_take(&list->arena, count * sizeof *list->all);
    bool has_texts = make_texts(&listing, count);
    if (!has_texts || list->arena.is_short)
        return false;
    snprintf(path, size, "%s/", level->name);
    *outer = (kin__outer){path, kin__name_hash_more(kin__name_begin, path), KIN__PACK_NONE, NULL, NULL};
    bool is_listed = list_level(&listing, level, outer);
    KIN_ASSERT(!is_listed || list->count == count);
    return is_listed;
}

const kin__instances *kin__level_instances(kin_content *content, uint32_t level)
{
    kin__generation *now = content->now;
    KIN_ASSERT(level < now->pack.level_count);
    if (now->listed == NULL)
        now->listed = kin__arena_take(&now->arena, now->pack.level_count * sizeof *now->listed);
    if (now->listed == NULL)
        return NULL;
    kin__instances *list = &now->listed[level];
    bool is_listed = list->arena.memory != NULL;
    if (is_listed || kin__instances_list(content, now, &now->pack.levels[level], NULL, NULL, list))
        return list;
    kin__arena_release(&list->arena);
    *list = (kin__instances){.all = NULL};
    return NULL;
}

// ---- the values of an instance

typedef struct adding {
    char *value;
    const char *added;
} adding;

// Adds by bytes, from the lowest one, so that integers of any size wrap.
static void add_integer(char *number, const char *added, size_t size)
{
    unsigned char *bytes = (unsigned char *)number;
    const unsigned char *others = (const unsigned char *)added;
    bool is_little = kin__is_little();
    unsigned carry = 0;
    for (size_t i = 0; i < size; i++) {
        size_t at = is_little ? i : size - 1 - i;
        carry += (unsigned)bytes[at] + others[at];
        bytes[at] = (unsigned char)carry;
        carry >>= 8;
    }
}

static void add_single(char *number, const char *added)
{
    float sum;
    float other;
    memcpy(&sum, number, sizeof sum);
    memcpy(&other, added, sizeof other);
    sum += other;
    memcpy(number, &sum, sizeof sum);
}

static void add_double(char *number, const char *added)
{
    double sum;
    double other;
    memcpy(&sum, number, sizeof sum);
    memcpy(&other, added, sizeof other);
    sum += other;
    memcpy(number, &sum, sizeof sum);
}

static void add_leaf(void *data, const kin_field_info *field, size_t offset, size_t size)
{
    const adding *adding = data;
    char *value = adding->value + offset;
    const char *added = adding->added + offset;
    if (field->type == KIN_TYPE_FLOAT)
        add_single(value, added);
    else if (field->type == KIN_TYPE_DOUBLE)
        add_double(value, added);
    else
        add_integer(value, added, size);
}

static bool has_place(const kin_content *content, const kin__instance_run *run)
{
    const kin_key_info *placed_by = content->info->placed_by;
    return placed_by != NULL && kin__node_value(run->prefab->nodes[0], placed_by->component) != NULL;
}

// Reads what each of the levels that the run is in adds to the places of its instances.
static bool read_shifts(const kin_content *content, const kin__generation *generation, kin__instance_run *run,
                        kin__why *why)
{
    kin__arena *arena = run->arena;
    uint32_t depth = 0;
    for (const kin__outer *outer = run->outer; outer != NULL; outer = outer->above)
        depth++;
    run->shifts = kin__arena_take(arena, depth * sizeof *run->shifts);
    if (run->shifts == NULL)
        return kin__refuse_memory(why);
    for (const kin__outer *outer = run->outer; outer != NULL; outer = outer->above) {
        if (outer->keys == KIN__PACK_NONE)
            continue;
        char *added = kin__arena_take(arena, content->info->components[content->info->placed_by->component].size);
        kin__overrides overrides = {NULL, 0, 0};
        kin__value_target target = {kin__place_in_value, added, &overrides, arena};
        kin__value_steps steps;
        if (added == NULL)
            return kin__refuse_memory(why);
        if (!kin__value_steps_make(content, generation, run->prefab, outer->keys, arena, &steps, why))
            return false;
        if (!kin__values_apply(&steps, outer->said->values, outer->said->size, &target, why))
            return false;
        run->shifts[run->shift_count++] = added;
    }
    KIN_ASSERT(run->shift_count <= depth);
    return true;
}

bool kin__instance_run_resolve(const kin_content *content, const kin__generation *generation, kin__instance_run *run,
                               kin__why *why)
{
    if (run->is_resolved)
        return true;
    if (!kin__value_steps_make(content, generation, run->prefab, run->said->keys, run->arena, &run->steps, why))
        return false;
    run->is_resolved = !has_place(content, run) || read_shifts(content, generation, run, why);
    return run->is_resolved;
}

bool kin__instance_write(const kin_content *content, const kin__instance *instance, const kin__value_target *target,
                         kin__why *why)
{
    const kin__instance_run *run = instance->run;
    KIN_ASSERT(run->is_resolved);
    if (!kin__values_apply(&run->steps, instance->said->values, instance->said->size, target, why))
        return false;
    if (run->shift_count == 0)
        return true;
    const kin_key_info *placed_by = content->info->placed_by;
    const kin__value_step at = kin__value_step_of(run->prefab, 0, placed_by->component);
    char *value = target->place(target->data, &at);
    if (value == NULL)
        return true;
    for (uint32_t i = 0; i < run->shift_count; i++) {
        adding adding = {value, run->shifts[i]};
        kin__leaves_visit(placed_by->field, 1, 0, add_leaf, &adding);
    }
    return true;
}

// ---- placing

// A reference to set when all are made.
typedef struct reference {
    uint32_t instance;
    kin__override override;
} reference;

// The place of an instance, by its number.
typedef struct named {
    uint32_t place, number;
} named;

typedef struct placing {
    kin_content *content;
    const kin__generation *generation;
    const kin__instance *all;
    uint32_t count;
    kin__arena arena;
    kin_entity **entities; // of each instance
    reference *references;
    uint32_t reference_count, reference_capacity;
    kin__overrides overrides; // of one instance
    named *named;             // instances by their places; NULL: not sorted yet
    char *value;              // room for a component
    // the current batch
    const kin__live_prefab *prefab;
    const void **columns; // by part of the prefab; NULL: all have its value
    void **rooms;         // for the columns of BATCH instances
    uint32_t parts;
    uint32_t size, index;
    kin__why why;
} placing;

static bool place_no_memory(placing *placing)
{
    return kin__refuse_memory(&placing->why);
}

// Returns the column of a part, which begins as copies of the prefab's value. NULL when out of memory.
static char *begin_column(placing *placing, uint32_t part, kin_component_id id)
{
    size_t size = placing->content->info->components[id].size;
    if (placing->rooms[part] == NULL)
        placing->rooms[part] = kin__arena_take(&placing->arena, BATCH * size);
    char *column = placing->rooms[part];
    if (column == NULL)
        return NULL;
    for (uint32_t i = 0; i < placing->size; i++)
        memcpy(column + i * size, placing->prefab->values[part], size);
    placing->columns[part] = column;
    return column;
}

// The value of the current instance.
static void *place_in_column(void *data, const kin__value_step *step)
{
    placing *placing = data;
    KIN_ASSERT(step->part < placing->parts && placing->index < placing->size);
    char *column = (char *)(uintptr_t)placing->columns[step->part];
    if (column == NULL)
        column = begin_column(placing, step->part, step->to.component);
    if (column == NULL)
        return NULL;
    return column + placing->index * placing->content->info->components[step->to.component].size;
}

static bool remember(placing *placing, uint32_t instance)
{
    for (uint32_t i = 0; i < placing->overrides.count; i++) {
        reference *grown = kin__arena_grow(&placing->arena, placing->references, placing->reference_count,
                                           &placing->reference_capacity, sizeof *grown);
        if (grown == NULL)
            return place_no_memory(placing);
        placing->references = grown;
        placing->references[placing->reference_count++] = (reference){instance, placing->overrides.all[i]};
    }
    return true;
}

// Gives all entities of the batch the places of their instances.
static bool write_origins(placing *placing, uint32_t first)
{
    for (uint32_t i = 0; i < placing->prefab->count; i++) {
        const kin__value_step step = kin__value_step_of(placing->prefab, i, placing->content->origin);
        kin__live_origin *origins = (kin__live_origin *)(void *)begin_column(placing, step.part, step.to.component);
        if (origins == NULL)
            return place_no_memory(placing);
        for (uint32_t k = 0; k < placing->size; k++)
            origins[k].place = placing->all[first + k].place;
    }
    return true;
}

static bool write_values(placing *placing, uint32_t first)
{
    kin__value_target target = {place_in_column, placing, &placing->overrides, &placing->arena};
    for (placing->index = 0; placing->index < placing->size; placing->index++) {
        const kin__instance *instance = &placing->all[first + placing->index];
        placing->overrides.count = 0;
        if (!kin__instance_run_resolve(placing->content, placing->generation, instance->run, &placing->why))
            return false;
        if (!kin__instance_write(placing->content, instance, &target, &placing->why))
            return false;
        if (placing->arena.is_short)
            return place_no_memory(placing);
        if (!remember(placing, first + placing->index))
            return false;
    }
    return true;
}

// Makes room for the columns of a prefab.
static bool begin_prefab(placing *placing, const kin__live_prefab *prefab)
{
    if (placing->prefab == prefab)
        return true;
    placing->prefab = prefab;
    placing->parts = kin__live_part_count(prefab);
    placing->columns = kin__arena_take(&placing->arena, placing->parts * sizeof *placing->columns);
    placing->rooms = kin__arena_take(&placing->arena, placing->parts * sizeof *placing->rooms);
    return (placing->columns != NULL && placing->rooms != NULL) || place_no_memory(placing);
}

// Places the instances from `first` on as one batch. They have one prefab.
static bool place_batch(placing *placing, uint32_t first)
{
    uint32_t entities = placing->prefab->count;
    kin_entity *all = kin__arena_take(&placing->arena, (size_t)placing->size * entities * sizeof *all);
    if (all == NULL)
        return place_no_memory(placing);
    memset(placing->columns, 0, placing->parts * sizeof *placing->columns);
    if (!write_origins(placing, first) || !write_values(placing, first))
        return false;
    for (uint32_t i = 0; i < placing->size; i++)
        placing->entities[first + i] = all + (size_t)i * entities;
    kin_prefab_batch batch = {placing->size, placing->columns};
    kin_status status = kin_prefab_spawn(placing->content->context, placing->prefab->number, &batch, all);
    return status == KIN_OK ||
           kin__refuse(&placing->why, status, "an instance of '%s' is refused", placing->prefab->name);
}

// Returns how many instances from `first` on are placed as one batch.
static uint32_t batch_size(const placing *placing, uint32_t first)
{
    const kin__live_prefab *prefab = placing->all[first].run->prefab;
    uint32_t most = kin__min_32(BATCH, placing->count - first);
    uint32_t size = 1;
    while (size < most && placing->all[first + size].run->prefab == prefab)
        size++;
    return size;
}

static bool place_all(placing *placing)
{
    for (uint32_t first = 0; first < placing->count; first += placing->size) {
        const kin__live_prefab *prefab = placing->all[first].run->prefab;
        placing->size = batch_size(placing, first);
        if (!begin_prefab(placing, prefab) || !place_batch(placing, first))
            return false;
    }
    return true;
}

// ---- references

static int compare_instances(const void *a, const void *b)
{
    const named *x = a;
    const named *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

// Sorts the instances by their places, for references from one to another.
static bool sort_instances(placing *placing)
{
    placing->named = kin__arena_take(&placing->arena, placing->count * sizeof *placing->named);
    if (placing->named == NULL)
        return place_no_memory(placing);
    for (uint32_t i = 0; i < placing->count; i++)
        placing->named[i] = (named){placing->all[i].place, i};
    qsort(placing->named, placing->count, sizeof *placing->named, compare_instances);
    return true;
}

// Returns the first instance of those that are placed with this place; `count` if there is none.
static uint32_t find_instance(const placing *placing, uint32_t place)
{
    uint32_t low = 0;
    uint32_t high = placing->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (placing->named[middle].place < place)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_found = low < placing->count && placing->named[low].place == place;
    return is_found ? placing->named[low].number : placing->count;
}

static kin_entity part_of_instance(const placing *placing, uint32_t instance, const char *part)
{
    const kin__live_node *node = kin__live_prefab_find(placing->all[instance].run->prefab, part);
    if (node == NULL || placing->entities[instance] == NULL)
        return 0;
    return placing->entities[instance][node->number];
}

// Writes the entity that a reference names, which may be one of an instance that lives already; 0 if there is none.
// False when out of memory.
static bool find_named(placing *placing, const reference *reference, kin_entity *entity)
{
    const kin__override *override = &reference->override;
    *entity = 0;
    if (override->part == NULL)
        return true;
    if (override->instance == NULL) {
        *entity = part_of_instance(placing, reference->instance, override->part);
        return true;
    }
    if (placing->named == NULL && !sort_instances(placing))
        return false;
    uint32_t place = kin__place_of(placing->all[reference->instance].run->outer, override->instance);
    uint32_t found = find_instance(placing, place);
    if (found < placing->count)
        *entity = part_of_instance(placing, found, override->part);
    else
        *entity = kin__find_place(placing->content, place, kin__part_hash(override->part));
    return true;
}

static bool set_reference(placing *placing, const reference *reference)
{
    const kin__override *override = &reference->override;
    kin_context *context = placing->content->context;
    kin_entity holder = placing->entities[reference->instance][override->node];
    kin_entity named;
    if (!find_named(placing, reference, &named))
        return false;
    if (!kin_look_read(context, holder, override->id, placing->value))
        return true; // a listener has removed it
    memcpy(placing->value + override->offset, &named, sizeof named);
    kin_status status = kin_replace(context, holder, override->id, placing->value);
    if (status == KIN_OK)
        return true;
    return kin__refuse(&placing->why, status, "a reference of '%s' is refused",
                       placing->all[reference->instance].run->prefab->name);
}

static bool set_references(placing *placing)
{
    if (placing->reference_count == 0)
        return true;
    placing->value = kin__arena_take(&placing->arena, kin__largest_value(placing->content->info));
    if (placing->value == NULL)
        return place_no_memory(placing);
    for (uint32_t i = 0; i < placing->reference_count; i++)
        if (!set_reference(placing, &placing->references[i]))
            return false;
    return true;
}

// ---- all of them

// Destroys those that were made, the last one first.
static void destroy_all(const placing *placing)
{
    kin_context *context = placing->content->context;
    for (uint32_t i = placing->count; i-- > 0;) {
        const kin_entity *entities = placing->entities[i];
        if (entities == NULL)
            continue;
        for (uint32_t k = placing->all[i].run->prefab->count; k-- > 0;)
            if (kin_entity_is_alive(context, entities[k]))
                kin_destroy(context, entities[k]);
    }
}

kin_status kin__instances_place(kin_content *content, const kin__generation *generation, const kin__instance *all,
                                uint32_t count, const char *verb)
{
    placing placing = {.content = content, .generation = generation, .all = all, .count = count};
    placing.arena.memory = &content->memory;
    placing.entities = kin__arena_take(&placing.arena, (count + (size_t)1) * sizeof(kin_entity *));
    bool is_placed = placing.entities != NULL ? place_all(&placing) : place_no_memory(&placing);
    is_placed = is_placed && set_references(&placing);
    if (!is_placed && placing.entities != NULL)
        destroy_all(&placing);
    kin__arena_release(&placing.arena);
    if (is_placed)
        return KIN_OK;
    kin__content_refuse(content, verb, &placing.why);
    return placing.why.status;
}

// ---- by name

static int compare_places(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t *sort_places(kin__instances *list)
{
    uint32_t *places = kin__arena_take(&list->arena, (list->count + (size_t)1) * sizeof *places);
    if (places == NULL)
        return NULL;
    for (uint32_t i = 0; i < list->count; i++)
        places[i] = list->all[i].place;
    qsort(places, list->count, sizeof *places, compare_places);
    return places;
}

// Lists the living first entities of the instances, in ascending slot, in the arena of the list. False when out of
// memory.
static bool find_living(const kin_content *content, kin__instances *list, kin_entity **living, uint32_t *count)
{
    uint32_t *places = NULL;
    *living = NULL;
    *count = 0;
    for (uint32_t word = 0; word < kin_look_words(content->context); word++) {
        uint64_t match = kin_look_has(content->context, content->origin, word);
        KIN_EACH_BIT(bit, match)
        {
            kin_entity entity = kin_look_entity(content->context, 64 * word + bit);
            const kin__live_origin *origin = kin__origin_of(content, entity);
            if (!kin__is_placed_first(origin) || *count == list->count)
                continue;
            if (places == NULL) {
                places = sort_places(list);
                *living = kin__arena_take(&list->arena, list->count * sizeof **living);
            }
            if (list->arena.is_short)
                return false;
            if (bsearch(&origin->place, places, list->count, sizeof *places, compare_places) != NULL)
                (*living)[(*count)++] = entity;
        }
    }
    return true;
}

// A level by its name, its instances, and the first entities of those that live.
typedef struct named_level {
    kin_content *content;
    char verb[112]; // "place level 'valley'"
    kin__instances list;
    kin_entity *living;
    uint32_t count;
} named_level;

// Finds and lists the level. False with `why`.
static bool list_named(named_level *level, const char *name, kin__why *why)
{
    kin_content *content = level->content;
    if (!kin__content_may_change(content->context))
        return kin__refuse(why, KIN_ERROR_INVALID, "an update or a listener is under way; do it between updates");
    const kin__pack_level *found = kin__level_find_named(content->now, name);
    if (found == NULL)
        return kin__refuse(why, KIN_ERROR_INVALID, "there is no level '%s'", name == NULL ? "?" : name);
    if (!kin__instances_list(content, content->now, found, NULL, NULL, &level->list))
        return kin__refuse_memory(why);
    if (!find_living(content, &level->list, &level->living, &level->count))
        return kin__refuse_memory(why);
    return true;
}

// Finds and lists the level, or reports why not.
static bool begin(named_level *level, kin_context *context, const char *verb, const char *name)
{
    kin__why why = {KIN_ERROR_INVALID, "the context has no content; open it first"};
    *level = (named_level){.content = kin__content_of(context)};
    snprintf(level->verb, sizeof level->verb, "%s level '%.63s'", verb, name == NULL ? "?" : name);
    if (level->content != NULL && list_named(level, name, &why))
        return true;
    kin__arena_release(&level->list.arena);
    kin__why_report(context, level->verb, 0, &why);
    return false;
}

kin_status kin_place_level(kin_context *context, const char *level)
{
    static const kin__why placed = {KIN_ERROR_INVALID, "it is placed already; remove it first"};
    named_level named;
    kin_status status;
    if (!begin(&named, context, "place", level))
        return context->core->last_status;
    if (named.count > 0)
        status = kin__content_refuse(named.content, named.verb, &placed);
    else
        status = kin__instances_place(named.content, named.content->now, named.list.all, named.list.count, named.verb);
    kin__arena_release(&named.list.arena);
    return status;
}

// Returns the first error.
kin_status kin_remove_level(kin_context *context, const char *level)
{
    named_level named;
    kin_status status = KIN_OK;
    if (!begin(&named, context, "remove", level))
        return context->core->last_status;
    for (uint32_t i = 0; i < named.count; i++) {
        if (!kin_entity_is_alive(context, named.living[i]))
            continue;
        kin_status destroyed = kin_destroy(context, named.living[i]);
        if (status == KIN_OK)
            status = destroyed;
    }
    kin__arena_release(&named.list.arena);
    return status;
}
