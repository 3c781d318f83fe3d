#include "lookup/lookup.h"

#include <string.h>

// ---- calling the function

static const void *argument_of(const kin_context *context, kin_component_id id, uint32_t slot,
                               kin__new_values new_values, void *copy)
{
    for (uint32_t i = 0; i < new_values.item_count; i++)
        if (new_values.items[i].id == id)
            return new_values.items[i].value;
    if (new_values.value != NULL && new_values.id == id)
        return new_values.value;
    KIN_ASSERT(slot / KIN__CHUNK_SLOTS < context->chunk_count);
    if (!context->info->components[id].is_soa)
        return kin__value_of(context, slot, id);
    kin__value_read(context, slot, id, copy);
    return copy;
}

static void set_arguments(const kin_context *context, const kin__index *index, uint32_t slot,
                          kin__new_values new_values)
{
    unsigned char *copy = index->given->copies;
    for (uint32_t i = 0; i < index->info->of_count; i++) {
        kin_component_id id = index->info->of[i];
        index->given->arguments[i] = argument_of(context, id, slot, new_values, copy);
        if (context->info->components[id].is_soa)
            copy += kin__round_up(kin__value_size(context, id));
    }
}

static bool has_key(const kin__index *index, const unsigned char *key)
{
    for (uint32_t i = 0; i < index->given->count; i++)
        if (memcmp(kin__given_key(index, i), key, index->key_size) == 0)
            return true;
    return false;
}

bool kin__given_keys_read(const kin_context *context, const kin__index *index, uint32_t slot,
                          kin__new_values new_values)
{
    kin__given_keys *given = index->given;
    set_arguments(context, index, slot, new_values);
    uint32_t count = index->info->function(given->arguments, given->values);
    given->refused = NULL;
    given->count = count;
    if (count > KIN_INDEX_KEYS)
        return false;
    given->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        unsigned char *key = given->keys + given->count * index->key_size;
        kin__key_of_value(index, given->values + i * index->info->key_type->size, key);
        given->count += !has_key(index, key);
    }
    return true;
}

// ---- kept keys

static kin__kept_key *kept_at(const kin__index *index, uint32_t number)
{
    KIN_ASSERT(number > 0 && number <= index->given->kept_count);
    return kin__index_slot_data(index, number - 1);
}

static unsigned char *key_of(kin__kept_key *kept)
{
    return (unsigned char *)(kept + 1);
}

// Returns the number of the first kept key of the slot, 0 if there is none.
static uint32_t first_of(const kin__index *index, uint32_t slot)
{
    const kin__array *first = &index->given->first_kept;
    return slot < first->capacity ? ((const uint32_t *)first->elements)[slot] : 0;
}

static void keep(kin__index *index, uint32_t slot, const unsigned char *key)
{
    kin__given_keys *given = index->given;
    uint32_t *first = (uint32_t *)given->first_kept.elements + slot;
    uint32_t number = given->free_kept;
    if (number == 0)
        number = ++given->kept_count;
    kin__kept_key *kept = kept_at(index, number);
    if (number == given->free_kept)
        given->free_kept = kept->next;
    *kept = (kin__kept_key){.slot = slot, .next = *first};
    memcpy(key_of(kept), key, index->key_size);
    *first = number;
    index->potential++;
}

// Keeps the keys that were read, so that the first comes first.
static void keep_all(kin__index *index, uint32_t slot)
{
    KIN_ASSERT(first_of(index, slot) == 0 && slot < index->given->first_kept.capacity);
    for (uint32_t i = index->given->count; i-- > 0;)
        keep(index, slot, kin__given_key(index, i));
}

static void insert_all(kin_context *context, kin__index *index, uint32_t slot)
{
    for (uint32_t number = first_of(index, slot); number != 0; number = kept_at(index, number)->next)
        kin__list_insert(context, index, number - 1, key_of(kept_at(index, number)));
}

static void erase_all(kin_context *context, kin__index *index, uint32_t slot)
{
    for (uint32_t number = first_of(index, slot); number != 0; number = kept_at(index, number)->next)
        kin__list_erase(context, index, number - 1);
}

// Frees the kept keys of the slot, which are in no list.
static void forget_all(kin__index *index, uint32_t slot)
{
    uint32_t number = first_of(index, slot);
    while (number != 0) {
        kin__kept_key *kept = kept_at(index, number);
        uint32_t next = kept->next;
        KIN_ASSERT(kept->link.node == 0 && index->potential > 0);
        *kept = (kin__kept_key){.next = index->given->free_kept};
        index->given->free_kept = number;
        index->potential--;
        number = next;
    }
    if (slot < index->given->first_kept.capacity)
        ((uint32_t *)index->given->first_kept.elements)[slot] = 0;
}

// Whether the kept keys are those that were read, in the same order.
static bool are_kept(const kin__index *index, uint32_t slot)
{
    uint32_t number = first_of(index, slot);
    uint32_t i = 0;
    for (; number != 0 && i < index->given->count; number = kept_at(index, number)->next, i++)
        if (memcmp(key_of(kept_at(index, number)), kin__given_key(index, i), index->key_size) != 0)
            return false;
    return number == 0 && i == index->given->count;
}

bool kin__given_keys_have(const kin__index *index, uint32_t slot)
{
    return first_of(index, slot) != 0;
}

// ---- steps

// The effects of a step on the index. `reads`: the function gives the entity new keys.
typedef struct passage {
    bool was_kept, is_kept, matched_before, matches_now, reads;
} passage;

static passage passage_of(const kin_context *context, const kin__index *index, const kin__step *step,
                          kin__step_rows rows)
{
    passage passage = {.was_kept = kin__index_may_hold(index, rows.before),
                       .is_kept = kin__index_may_hold(index, rows.after),
                       .matched_before = kin__index_holds(context, index, rows.before),
                       .matches_now = kin__index_holds(context, index, rows.after)};
    passage.reads = passage.is_kept && (!passage.was_kept || kin__index_is_key(index, step->id));
    return passage;
}

static bool read_step(const kin_context *context, const kin__index *index, const kin__step *step)
{
    return kin__given_keys_read(context, index, kin_entity_slot(step->entity),
                                (kin__new_values){.id = step->id, .value = step->value});
}

kin_entity kin__given_keys_find_other(const kin_context *context, const kin__index *index, kin_entity entity)
{
    for (uint32_t i = 0; i < index->given->count; i++) {
        kin_entity other = kin__list_find(context, index, kin__given_key(index, i), entity);
        if (other == 0)
            continue;
        index->given->refused = kin__given_key(index, i);
        return other;
    }
    return 0;
}

// Copies the kept keys of an entity that enters the index to where keys are read.
static void read_kept(const kin__index *index, uint32_t slot)
{
    index->given->count = 0;
    for (uint32_t number = first_of(index, slot); number != 0; number = kept_at(index, number)->next)
        memcpy(index->given->keys + index->given->count++ * index->key_size, key_of(kept_at(index, number)),
               index->key_size);
}

static kin_status check(const kin_context *context, const kin__index *index, const kin__step *step, kin_entity *other)
{
    passage passage = passage_of(context, index, step, kin__index_step_rows(context, step));
    bool enters = passage.matches_now && !passage.matched_before;
    if (passage.reads && !read_step(context, index, step))
        return KIN_ERROR_INVALID;
    bool gets_key = passage.matches_now && (passage.reads || enters);
    if (!index->info->is_primary || !gets_key)
        return KIN_OK;
    if (!passage.reads)
        read_kept(index, kin_entity_slot(step->entity));
    *other = kin__given_keys_find_other(context, index, step->entity);
    return *other == 0 ? KIN_OK : KIN_ERROR_DUPLICATE_KEY;
}

static void describe(const kin__index *index, const unsigned char *key, char *text, size_t size)
{
    kin__key_to_value(index, key, index->given->values);
    kin__key_describe_value(index->info, index->given->values, text, size);
}

void kin__given_keys_describe(const kin__index *index, char *text, size_t size)
{
    if (index->given->refused != NULL)
        describe(index, index->given->refused, text, size);
}

void kin__kept_key_describe(const kin__index *index, const kin__kept_key *kept, char *text, size_t size)
{
    describe(index, (const unsigned char *)(kept + 1), text, size);
}

// A function that gives too many keys only now, contrary to its contract, gives none.
static void read_again(const kin_context *context, const kin__index *index, const kin__step *step)
{
    if (!read_step(context, index, step))
        index->given->count = 0;
}

static void update(kin_context *context, kin__index *index, const kin__step *step)
{
    passage passage = passage_of(context, index, step, kin__index_step_rows(context, step));
    uint32_t slot = kin_entity_slot(step->entity);
    if (passage.reads)
        read_again(context, index, step);
    bool is_same = passage.is_kept == passage.was_kept && (!passage.reads || are_kept(index, slot));
    if (is_same && passage.matches_now == passage.matched_before)
        return;
    if (passage.matched_before)
        erase_all(context, index, slot);
    if (!is_same)
        forget_all(index, slot);
    if (!is_same && passage.is_kept)
        keep_all(index, slot);
    if (passage.matches_now)
        insert_all(context, index, slot);
}

static void remove_entity(kin_context *context, kin__index *index, kin_entity entity, const uint64_t *lost)
{
    uint32_t slot = kin_entity_slot(entity);
    if (kin__index_holds(context, index, lost))
        erase_all(context, index, slot);
    forget_all(index, slot);
}

// ---- all keys

uint32_t kin__given_keys_first(const kin__index *index, uint32_t slot)
{
    uint32_t first = first_of(index, slot);
    return first == 0 ? KIN__NO_SLOT : first - 1;
}

uint32_t kin__given_keys_next(const kin__index *index, uint32_t at)
{
    uint32_t next = kept_at(index, at + 1)->next;
    return next == 0 ? KIN__NO_SLOT : next - 1;
}

// Forgets all kept keys.
static void clear(kin_context *context, kin__index *index)
{
    kin__array *first = &index->given->first_kept;
    kin__list_clear(context, index);
    if (first->capacity > 0)
        memset(first->elements, 0, first->capacity * sizeof(uint32_t));
    index->given->kept_count = index->given->free_kept = index->potential = 0;
}

// Keeps the keys that are in `keys`, and puts them into the lists if the entity matches. Room is reserved.
static void insert(kin_context *context, kin__index *index, uint32_t slot)
{
    keep_all(index, slot);
    if (kin__index_holds(context, index, kin__row_of(context, slot)))
        insert_all(context, index, slot);
}

// ---- validation

// Counts the kept keys of a slot, and in `listed` those in lists. False if they break invariant 1 or 2.
static bool count_kept(const kin_context *context, const kin__index *index, uint32_t slot, uint32_t counts[2])
{
    bool is_alive = kin_entity_creation_index(kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS]) != 0;
    const uint64_t *row = kin__row_of(context, slot);
    bool matches = is_alive && kin__index_holds(context, index, row);
    if (first_of(index, slot) != 0 && !(is_alive && kin__index_may_hold(index, row)))
        return false;
    for (uint32_t number = first_of(index, slot); number != 0; number = kept_at(index, number)->next) {
        kin__kept_key *kept = kept_at(index, number);
        bool is_listed = kept->link.node != 0;
        if (kept->slot != slot || is_listed != matches)
            return false;
        if (is_listed && !kin__list_has(context, index, number - 1, key_of(kept)))
            return false;
        counts[0]++;
        counts[1] += is_listed;
    }
    return true;
}

static bool is_valid(const kin_context *context, const kin__index *index)
{
    if (!kin__hash_table_is_valid(context, index))
        return false;
    uint32_t counts[2] = {0, 0};
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++)
        if (!count_kept(context, index, slot, counts))
            return false;
    uint32_t kept_count = index->given->kept_count;
    if (counts[0] != index->potential || counts[1] != kin__list_count(index))
        return false;
    bool has_room = index->potential <= kept_count && index->potential <= index->nodes.capacity;
    return has_room && kept_count <= index->block_count * KIN__CHUNK_SLOTS;
}

// Makes given keys, reserves and trims their memory, and releases it.

static size_t copies_size_of(const kin_context *context, const kin_index_info *info)
{
    size_t size = 0;
    for (uint32_t i = 0; i < info->of_count; i++)
        if (context->info->components[info->of[i]].is_soa)
            size += kin__round_up(kin__value_size(context, info->of[i]));
    return size;
}

static size_t values_size_of(const kin__index *index)
{
    return KIN_INDEX_KEYS * index->info->key_type->size;
}

static size_t arguments_size_of(const kin__index *index)
{
    return index->info->of_count * sizeof(void *);
}

static size_t keys_size_of(const kin__index *index)
{
    return KIN_INDEX_KEYS * index->key_size;
}

// Prepares an index whose leaves are listed. False when out of memory.
static bool make(kin_context *context, kin__index *index)
{
    kin__memory *memory = &context->core->index_memory;
    kin__given_keys *given = kin__allocate_zero(memory, sizeof *given);
    if (given == NULL)
        return false;
    index->given = given;
    index->slot_size = (sizeof(kin__kept_key) + index->key_size + 3) / 4 * 4;
    given->copies_size = copies_size_of(context, index->info);
    given->arguments = kin__allocate_zero(memory, arguments_size_of(index));
    given->values = kin__allocate_zero(memory, values_size_of(index));
    given->keys = kin__allocate_zero(memory, keys_size_of(index));
    if (given->copies_size > 0)
        given->copies = kin__allocate_zero(memory, given->copies_size);
    return given->arguments != NULL && given->values != NULL && given->keys != NULL &&
           (given->copies != NULL || given->copies_size == 0) && kin__hash_make(context, index);
}

static void release(kin_context *context, kin__index *index)
{
    kin__memory *memory = &context->core->index_memory;
    kin__given_keys *given = index->given;
    kin__hash_release(context, index);
    if (given == NULL)
        return;
    kin__release(memory, (void *)(uintptr_t)given->arguments, arguments_size_of(index));
    kin__release(memory, given->values, values_size_of(index));
    kin__release(memory, given->keys, keys_size_of(index));
    kin__release(memory, given->copies, given->copies_size);
    kin__array_release(memory, &given->first_kept, sizeof(uint32_t));
    kin__release(memory, given, sizeof *given);
}

// ---- room

// Reserves the number of the first kept key of every slot.
static bool reserve_slots(kin_context *context, kin__array *first)
{
    uint32_t least = context->chunk_count * KIN__CHUNK_SLOTS;
    uint32_t old = first->capacity;
    if (!kin__array_reserve(&context->core->index_memory, first, least, sizeof(uint32_t)))
        return false;
    if (first->capacity > old)
        memset((uint32_t *)first->elements + old, 0, (first->capacity - old) * sizeof(uint32_t));
    return true;
}

static bool reserve_kept(kin_context *context, kin__index *index, uint32_t least)
{
    kin__memory *memory = &context->core->index_memory;
    uint32_t block_count = (least + KIN__CHUNK_SLOTS - 1) / KIN__CHUNK_SLOTS;
    if (!kin__array_reserve(memory, &index->blocks, block_count, sizeof(void *)))
        return false;
    void **blocks = index->blocks.elements;
    while (index->block_count < block_count) {
        void *block = kin__allocate_zero(memory, KIN__CHUNK_SLOTS * index->slot_size);
        if (block == NULL)
            return false;
        blocks[index->block_count++] = block;
    }
    return true;
}

bool kin__given_keys_reserve(kin_context *context, kin__index *index, uint32_t count)
{
    uint32_t least = index->potential + count + KIN_INDEX_KEYS;
    return reserve_slots(context, &index->given->first_kept) && reserve_kept(context, index, least) &&
           kin__list_reserve(context, index, least + index->pinned_count);
}

static bool reserve(kin_context *context, kin__index *index, uint32_t slot, uint32_t count)
{
    (void)slot, (void)count;
    return kin__given_keys_reserve(context, index, 0);
}

static bool reserve_replacement(kin_context *context, kin__index *index, uint32_t slot)
{
    (void)slot;
    return kin__given_keys_reserve(context, index, 0);
}

// ---- spare memory

// Free kept keys between others stay.
static void trim(kin_context *context, kin__index *index)
{
    kin__memory *memory = &context->core->index_memory;
    kin__given_keys *given = index->given;
    void **blocks = index->blocks.elements;
    if (index->potential == 0) {
        given->kept_count = given->free_kept = 0;
        kin__array_release(memory, &given->first_kept, sizeof(uint32_t));
    }
    while (index->block_count > 0 && (index->block_count - 1) * KIN__CHUNK_SLOTS >= given->kept_count)
        kin__release(memory, blocks[--index->block_count], KIN__CHUNK_SLOTS * index->slot_size);
    kin__hash_trim_table(context, index);
}

static size_t used(const kin_context *context, const kin__index *index)
{
    size_t first = index->potential == 0 ? 0 : index->given->first_kept.capacity * sizeof(uint32_t);
    return kin__hash_used(context, index) + sizeof *index->given + arguments_size_of(index) + values_size_of(index) +
           keys_size_of(index) + index->given->copies_size + first + index->potential * index->slot_size;
}

// Planned keys: the keys of the entities that one call will spawn. A primary index compares each key with those of the
// earlier entities of the call. Memory for all planned keys is reserved before the first spawn.

static const unsigned char *planned_at(const kin__index *index, uint32_t number)
{
    return (const unsigned char *)index->given->planned_keys.elements + number * index->key_size;
}

static bool is_planned(const kin_context *context, const kin__index *index, const unsigned char *key)
{
    const kin__table *table = &index->given->planned_places;
    uint64_t word = kin__key_word(context, index, key);
    for (uint32_t place = kin__table_place(table, word); table->entries[place].value != 0;
         place = (place + 1) & table->mask)
        if (table->entries[place].word == word &&
            memcmp(planned_at(index, (uint32_t)table->entries[place].value - 1), key, index->key_size) == 0)
            return true;
    return false;
}

bool kin__given_keys_find_planned(const kin_context *context, const kin__index *index)
{
    const kin__given_keys *given = index->given;
    for (uint32_t i = 0; given->planned_places.entries != NULL && i < given->count; i++) {
        if (!is_planned(context, index, kin__given_key(index, i)))
            continue;
        index->given->refused = kin__given_key(index, i);
        return true;
    }
    return false;
}

// Adds the keys that were read last to the planned keys, with which later entities are compared.
static bool remember(kin_context *context, kin__index *index)
{
    kin__memory *memory = &context->core->index_memory;
    kin__given_keys *given = index->given;
    if (given->planned_places.entries == NULL)
        given->planned_places = kin__table_begin(context->core->factors);
    if (!kin__array_reserve(memory, &given->planned_keys, given->planned + given->count, index->key_size) ||
        !kin__table_reserve(memory, &given->planned_places, given->planned + given->count))
        return false;
    for (uint32_t i = 0; i < given->count; i++) {
        const unsigned char *key = kin__given_key(index, i);
        uint32_t number = given->planned + i;
        memcpy((unsigned char *)given->planned_keys.elements + number * index->key_size, key, index->key_size);
        kin__table_insert(&given->planned_places, kin__key_word(context, index, key), (uint64_t)number + 1);
    }
    return true;
}

bool kin__given_keys_plan(kin_context *context, kin__index *index)
{
    if (index->info->is_primary && !remember(context, index))
        return false;
    index->given->planned += index->given->count;
    return kin__given_keys_reserve(context, index, index->given->planned);
}

void kin__given_keys_plan_end(kin_context *context, kin__index *index)
{
    kin__memory *memory = &context->core->index_memory;
    kin__array_release(memory, &index->given->planned_keys, index->key_size);
    kin__table_release(memory, &index->given->planned_places);
    index->given->planned = 0;
}

// ---- snapshots

// A record of what a snapshot has: the keys of one entity, which follow it. The last one has no slot.
typedef struct record {
    uint32_t slot, count;
} record;

// Writes a record with its keys unless `bytes` is NULL; returns its bytes.
static size_t write_record(const kin__index *index, uint32_t slot, unsigned char *bytes)
{
    record record = {.slot = slot};
    size_t size = sizeof record;
    for (uint32_t at = kin__given_keys_first(index, slot); at != KIN__NO_SLOT; at = kin__given_keys_next(index, at)) {
        const kin__kept_key *kept = kin__index_slot_data(index, at);
        if (bytes != NULL)
            memcpy(bytes + size, kept + 1, index->key_size);
        size += index->key_size;
        record.count++;
    }
    if (bytes != NULL)
        memcpy(bytes, &record, sizeof record);
    return size;
}

static size_t write_keys(const kin__index *index, unsigned char *bytes)
{
    static const record end = {.slot = KIN__NO_SLOT};
    size_t size = 0;
    for (uint32_t slot = 0; slot < index->given->first_kept.capacity; slot++)
        if (kin__given_keys_have(index, slot))
            size += write_record(index, slot, bytes == NULL ? NULL : bytes + size);
    if (bytes != NULL)
        memcpy(bytes + size, &end, sizeof end);
    return size + sizeof end;
}

// Reads the record at `*at` and moves behind it and its keys. False at the end.
static bool read_record(const kin__index *index, const unsigned char **at, record *read, const unsigned char **keys)
{
    memcpy(read, *at, sizeof *read);
    *keys = *at + sizeof *read;
    *at = *keys + read->count * index->key_size;
    return read->slot != KIN__NO_SLOT;
}

static uint32_t count_keys(const kin__index *index, const unsigned char **at)
{
    uint32_t count = 0;
    const unsigned char *keys = NULL;
    for (record record; read_record(index, at, &record, &keys);)
        count += record.count;
    return count;
}

static bool restore_reserve(kin_context *context, kin__index *index, const uint32_t *holders,
                            const unsigned char **saved)
{
    uint32_t most = saved != NULL ? count_keys(index, saved) : KIN_INDEX_KEYS * holders[index->info->of[0]];
    return kin__given_keys_reserve(context, index, most);
}

// Keeps the keys of the snapshot.
static void fill_saved(kin_context *context, kin__index *index, const unsigned char **at)
{
    const unsigned char *keys = NULL;
    for (record record; read_record(index, at, &record, &keys);) {
        KIN_ASSERT(record.count <= KIN_INDEX_KEYS);
        memcpy(index->given->keys, keys, record.count * index->key_size);
        index->given->count = record.count;
        insert(context, index, record.slot);
    }
}

// Asks the function: the snapshot has no keys.
static void fill_given(kin_context *context, kin__index *index)
{
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
        if (!kin__chunk_is_alive(chunk, slot % KIN__CHUNK_SLOTS) ||
            !kin__index_may_hold(index, kin__row_of(context, slot)))
            continue;
        if (kin__given_keys_read(context, index, slot, (kin__new_values){0}))
            insert(context, index, slot);
    }
}

static void fill(kin_context *context, kin__index *index, const unsigned char **saved)
{
    if (saved != NULL)
        fill_saved(context, index, saved);
    else
        fill_given(context, index);
}

static uint32_t count_entries(const kin_context *context, const kin__index *index)
{
    (void)context;
    return kin__list_count(index);
}

const kin__index_kind kin__given_index = {
    .make = make,
    .release = release,
    .check = check,
    .reserve = reserve,
    .reserve_replacement = reserve_replacement,
    .update = update,
    .remove = remove_entity,
    .restore_reserve = restore_reserve,
    .clear = clear,
    .fill = fill,
    .save = write_keys,
    .count = count_entries,
    .walk = kin__lists_walk,
    .trim = trim,
    .used = used,
    .is_valid = is_valid,
};
