#include "snapshot/snapshot.h"

#include "snapshot/internal.h"

#include <kin/generated/blueprint.h>

#include <string.h>

static kin__memory *memory_of(const kin_context *context)
{
    return &context->core->snapshot_memory;
}

// Walks through the memory of all sections, as bytes_of(part, section, i).
#define EACH_BYTES_OF_SECTIONS(section, i)                                                                             \
    EACH_SECTION(section) for (uint32_t i = 0; i < KIN__SECTION_FIELDS; i++) if (section->fields[i].is_bytes)

static const kin__bytes *read_bytes(const kin__context_snapshot *part, const kin__section *section, uint32_t field)
{
    KIN_ASSERT(section->fields[field].is_bytes);
    return (const kin__bytes *)(const void *)((const char *)part + section->fields[field].offset);
}

static kin__bytes *bytes_of(kin__context_snapshot *part, const kin__section *section, uint32_t field)
{
    return (kin__bytes *)(uintptr_t)read_bytes(part, section, field);
}

// ---- questions

uint32_t kin__part_count(const kin__context_snapshot *part)
{
    uint32_t count = 0;
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++) {
        const kin__image *head = kin__part_head(part, chunk);
        count += head == NULL ? 0 : kin__bits_count(kin__image_alive(head), KIN__CHUNK_WORDS);
    }
    return count;
}

// Returns the number of slots of a chunk up to the last one whose entity is alive.
static uint32_t slots_of(const kin__image *head)
{
    uint32_t count = KIN__CHUNK_SLOTS;
    while (count > 0 && !kin__bits_have(kin__image_alive(head), count - 1))
        count--;
    return count;
}

uint32_t kin__part_slot_count(const kin__context_snapshot *part)
{
    for (uint32_t chunk = part->chunk_count; chunk-- > 0;) {
        const kin__image *head = kin__part_head(part, chunk);
        uint32_t slots = head == NULL ? 0 : slots_of(head);
        if (slots > 0)
            return chunk * KIN__CHUNK_SLOTS + slots;
    }
    return 0;
}

uint32_t kin__pool_number(const kin_context *context, const kin__pool *pool)
{
    if (pool == NULL || pool == &context->pool)
        return pool == NULL ? KIN__NO_POOL : 0;
    return (uint32_t)((const kin__blueprint *)(const void *)pool - context->blueprints) + 1;
}

kin__pool *kin__pool_at(kin_context *context, uint32_t number)
{
    if (number == KIN__NO_POOL)
        return NULL;
    return number == 0 ? &context->pool : &context->blueprints[number - 1].pool;
}

bool kin__bytes_reserve(kin_context *context, kin__bytes *bytes, size_t size)
{
    KIN_ASSERT(bytes->size <= bytes->capacity);
    if (size <= bytes->capacity)
        return true;
    size_t capacity = size < 2 * bytes->capacity ? 2 * bytes->capacity : size;
    void *at = kin__allocate(memory_of(context), capacity);
    if (at == NULL)
        return false;
    if (bytes->size > 0)
        memcpy(at, bytes->at, bytes->size);
    kin__release(memory_of(context), bytes->at, bytes->capacity);
    bytes->at = at;
    bytes->capacity = capacity;
    return true;
}

// ---- memory

static size_t pools_size(const kin_context *context)
{
    return kin__part_pool_count(context->info) * sizeof(kin__pool);
}

static void release(kin_context *context, kin__context_snapshot *part)
{
    kin__memory *memory = memory_of(context);
    EACH_BYTES_OF_SECTIONS(section, i)
    {
        kin__bytes *bytes = bytes_of(part, section, i);
        kin__release(memory, bytes->at, bytes->capacity);
    }
    if (part->limits != NULL)
        kin__release(memory, part->limits, context->info->component_count * sizeof *part->limits);
    kin__release(memory, part->pools, pools_size(context));
    kin__release(memory, part, sizeof *part);
}

void kin__parts_release_spare(kin_context *context)
{
    kin__store *store = context->core->store;
    while (store->spare_parts != NULL) {
        kin__context_snapshot *part = store->spare_parts;
        store->spare_parts = part->next;
        release(context, part);
    }
}

size_t kin__part_used(const kin__context_snapshot *part)
{
    size_t used = sizeof *part;
    EACH_BYTES_OF_SECTIONS(section, i)
    {
        used += read_bytes(part, section, i)->size;
    }
    return used;
}

// ---- taking and releasing

static bool has_shared(const kin_context_info *info)
{
    for (uint32_t id = 0; id < info->component_count; id++)
        if (info->components[id].is_shared)
            return true;
    return false;
}

// Returns a part with the tables that do not grow. NULL when out of memory.
static kin__context_snapshot *make(kin_context *context)
{
    size_t limits = context->info->component_count * sizeof(uint32_t);
    kin__context_snapshot *part = kin__allocate_zero(memory_of(context), sizeof *part);
    if (part == NULL)
        return NULL;
    *part = (kin__context_snapshot){.context = context, .info = context->info};
    part->pools = kin__allocate_zero(memory_of(context), pools_size(context));
    bool is_made = part->pools != NULL;
    if (is_made && has_shared(context->info)) {
        part->limits = kin__allocate_zero(memory_of(context), limits);
        is_made = part->limits != NULL;
    }
    if (is_made)
        return part;
    release(context, part);
    return NULL;
}

kin__context_snapshot *kin__part_take(kin_context *context)
{
    kin__store *store = context->core->store;
    kin__context_snapshot *part = store->spare_parts;
    if (part != NULL)
        store->spare_parts = part->next;
    else
        part = make(context);
    if (part == NULL)
        return NULL;
    KIN_ASSERT(part->chunk_count == 0 && part->home == NULL && part->shell == NULL);
    part->previous = NULL;
    part->next = store->parts;
    if (store->parts != NULL)
        store->parts->previous = part;
    return store->parts = part;
}

static void unlink_part(kin__store *store, kin__context_snapshot *part)
{
    if (part->previous != NULL)
        part->previous->next = part->next;
    else
        store->parts = part->next;
    if (part->next != NULL)
        part->next->previous = part->previous;
    part->home = NULL;
    part->shell = NULL;
    part->next = store->spare_parts;
    store->spare_parts = part;
}

void kin__part_release(kin__context_snapshot *part)
{
    if (part == NULL)
        return;
    kin_context *context = part->context;
    EACH_SECTION(section)
    {
        if (section->let_go != NULL)
            section->let_go(context, part);
    }
    EACH_BYTES_OF_SECTIONS(section, i)
    {
        bytes_of(part, section, i)->size = 0;
    }
    unlink_part(context->core->store, part);
}

// ---- counts

static bool save_counts(kin_context *context, kin__context_snapshot *part, bool is_alone)
{
    const kin__slots *slots = &context->core->slots;
    (void)is_alone;
    part->pools[0] = context->pool;
    for (uint32_t i = 0; i < context->info->blueprint_count; i++)
        part->pools[i + 1] = context->blueprints[i].pool;
    part->counts.next_creation_index = context->next_creation_index;
    part->counts.first_creation_index = context->core->options.first_creation_index;
    part->counts.created_before = slots->created_before;
    part->counts.deaths = slots->deaths;
    part->counts.assigned_chunks = slots->assigned_chunks;
    part->counts.pending = slots->pending;
    part->counts.is_held_outside = kin__held_from_outside(context) != 0;
    return true;
}

static bool copy_counts(kin_context *context, const kin__context_snapshot *part, kin__context_snapshot *own)
{
    own->counts = part->counts;
    memcpy(own->pools, part->pools, pools_size(context));
    return true;
}

// `created_before` depends on the first creation index, which may differ in this context.
static void restore_counts(kin_context *context, const kin__context_snapshot *part)
{
    kin__slots *slots = &context->core->slots;
    uint64_t stamp = kin__population_stamp(context);
    slots->assigned_chunks = part->counts.assigned_chunks;
    slots->created_before =
        part->counts.created_before + context->core->options.first_creation_index - part->counts.first_creation_index;
    slots->deaths = part->counts.deaths;
    slots->pending = part->counts.pending;
    context->next_creation_index = part->counts.next_creation_index;
    context->fast_end = 0;
    slots->rewinds = 0;
    slots->rewinds = stamp + 1 - kin__population_stamp(context);
    context->pool = part->pools[0];
    for (uint32_t i = 0; i < context->info->blueprint_count; i++)
        context->blueprints[i].pool = part->pools[i + 1];
    for (uint32_t chunk = 0; chunk < context->chunk_count; chunk++)
        context->chunks[chunk]->pool =
            chunk < part->chunk_count ? kin__pool_at(context, kin__part_pool(part, chunk)) : NULL;
}

// Returns 1 if the slots and creation indices that come next differ.
static uint64_t count_counts(const kin__context_snapshot *before, const kin__context_snapshot *after)
{
    return before == NULL || after == NULL || kin__hash_context(before) != kin__hash_context(after);
}

static const kin__section counts_section = {
    .name = "counts",
    .fields = {KIN__PART_FIELD(counts), KIN__PART_FIELD(pools)},
    .block_kinds = 1u << KIN__BLOCK_CONTEXT,
    .save = save_counts,
    .copy = copy_counts,
    .restore = restore_counts,
    .count_differences = count_counts,
    .differs_with_others = true,
};

// ---- holds

static bool save_holds(kin_context *context, kin__context_snapshot *part, bool is_alone)
{
    size_t owners = kin__owners_saved_count(context) * sizeof(kin__saved_owner);
    size_t held = kin__held_saved_count(context) * sizeof(kin_entity);
    if (!kin__bytes_reserve(context, &part->owners, owners) || !kin__bytes_reserve(context, &part->held, held))
        return false;
    if (owners > 0)
        kin__owners_save(context, part->owners.at);
    if (held > 0)
        kin__held_save(context, part->held.at);
    part->owners.size = owners;
    part->held.size = held;
    (void)is_alone;
    return true;
}

static bool reserve_holds(kin_context *context, const kin__context_snapshot *part)
{
    return kin__holds_restore_reserve(context, part->owners.at, kin__part_owner_count(part));
}

static void leave_holds(kin_context *context, const kin__context_snapshot *part)
{
    (void)part;
    kin__collectors_restore_clear(context);
}

static void settle_holds(kin_context *context, const kin__context_snapshot *part)
{
    kin__holds_restore(context, part->owners.at, kin__part_owner_count(part), part->held.at,
                       kin__part_held_count(part));
}

static const kin__section holds_section = {
    .name = "holds",
    .fields = {KIN__PART_BYTES(owners), KIN__PART_BYTES(held)},
    .save = save_holds,
    .reserve = reserve_holds,
    .leave = leave_holds,
    .settle = settle_holds,
};

// ---- keys

static bool save_keys(kin_context *context, kin__context_snapshot *part, bool is_alone)
{
    (void)is_alone;
    size_t size = kin__given_keys_saved_size(context);
    if (!kin__bytes_reserve(context, &part->keys, size))
        return false;
    if (size > 0)
        kin__given_keys_save(context, part->keys.at);
    part->keys.size = size;
    return true;
}

// Marks the slots that have the component before and after the restore, with different values.
static void mark_values(kin_context *context, uint32_t chunk, const kin__image *image)
{
    kin_component_id id = (kin_component_id)image->number;
    const kin__column *column = kin__column_of(context, chunk * KIN__CHUNK_SLOTS, id);
    uint64_t differ[KIN__CHUNK_WORDS] = {0};
    uint64_t any = 0;
    if (kin__image_equals(context, chunk, image))
        return;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++) {
        uint64_t both = column->has[word] & kin__image_has(image)[word];
        for (uint64_t bits = both; bits != 0; bits &= bits - 1)
            if (!kin__image_value_equals(context, chunk, image, word * 64 + kin__lowest_bit(bits)))
                differ[word] |= bits & -bits;
        any |= differ[word];
    }
    if (any != 0)
        kin__indices_restore_mark(context, id, chunk, differ);
}

static void mark_chunk(kin_context *context, const kin__context_snapshot *part, uint32_t chunk, bool heads_stand)
{
    const kin__image *head = kin__part_head(part, chunk);
    for (uint32_t id = 0; id < context->info->component_count; id++) {
        const kin__image *image = kin__part_image(part, chunk, id);
        if (image != NULL && kin__indices_name(context, id))
            mark_values(context, chunk, image);
    }
    if (head == NULL)
        kin__indices_restore_mark_heads(context, chunk, NULL, NULL, NULL);
    else if (!kin__head_equals(context, chunk, head, heads_stand))
        kin__indices_restore_mark_heads(context, chunk, kin__image_ids(head), kin__image_alive(head),
                                        kin__image_row(head, context->row_words, 0));
}

static void leave_keys(kin_context *context, const kin__context_snapshot *part)
{
    if (context->core->indices == NULL)
        return;
    bool heads_stand = kin__store_heads_stand(context);
    for (uint32_t chunk = 0; chunk < context->chunk_count; chunk++)
        mark_chunk(context, part, chunk, heads_stand);
    kin__indices_restore_leave(context);
}

// Counts the entities with each component, in a table of the store.
static void count_holders(const kin_context *context, const kin__context_snapshot *part)
{
    uint32_t *holders = context->core->store->holders;
    memset(holders, 0, context->info->component_count * sizeof *holders);
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++)
        for (uint32_t id = 0; id < context->info->component_count; id++) {
            const kin__image *image = kin__part_image(part, chunk, id);
            holders[id] += image == NULL ? 0 : kin__count_chunk_bits(kin__image_has(image));
        }
}

// Returns what indices need to know about the part, which must be reserved.
static kin__index_plan plan_of(const kin_context *context, const kin__context_snapshot *part)
{
    return (kin__index_plan){context->core->store->holders, part->keys.size == 0 ? NULL : part->keys.at};
}

static bool reserve_keys(kin_context *context, const kin__context_snapshot *part)
{
    if (context->core->indices == NULL)
        return true;
    count_holders(context, part);
    kin__index_plan plan = plan_of(context, part);
    return kin__indices_restore_reserve(context, &plan);
}

static void restore_keys(kin_context *context, const kin__context_snapshot *part)
{
    if (context->core->indices == NULL)
        return;
    kin__index_plan plan = plan_of(context, part);
    kin__indices_restore_enter(context, &plan);
}

static const kin__section keys_section = {
    .name = "keys of indices",
    .fields = {KIN__PART_BYTES(keys)},
    .save = save_keys,
    .reserve = reserve_keys,
    .leave = leave_keys,
    .restore = restore_keys,
};

// ---- the table

// Each section reserves after the chunks of the blocks exist, and is restored after the blocks and the values that it
// refers to.
const kin__section *const kin__sections[KIN__SECTION_COUNT] = {
    &kin__blocks_section, &counts_section, &holds_section, &kin__kept_section, &kin__shared_section, &keys_section,
};

// A section that says nothing else is copied byte by byte.
static bool copy_section(kin_context *context, const kin__section *section, const kin__context_snapshot *part,
                         kin__context_snapshot *own)
{
    if (section->copy != NULL)
        return section->copy(context, part, own);
    for (uint32_t i = 0; i < KIN__SECTION_FIELDS; i++) {
        if (!section->fields[i].is_bytes)
            continue;
        const kin__bytes *from = read_bytes(part, section, i);
        kin__bytes *to = bytes_of(own, section, i);
        if (!kin__bytes_reserve(context, to, from->size))
            return false;
        if (from->size > 0)
            memcpy(to->at, from->at, from->size);
        to->size = from->size;
    }
    return true;
}

static kin__context_snapshot *save_part(kin_context *context, bool is_alone)
{
    KIN_ASSERT(context->depth == 0);
    kin__context_snapshot *part = kin__store_reserve(context, 0) ? kin__part_take(context) : NULL;
    if (part == NULL)
        return NULL;
    bool is_saved = true;
    EACH_SECTION(section)
    {
        is_saved = is_saved && section->save(context, part, is_alone);
    }
    if (is_saved)
        return part;
    kin__part_release(part);
    return NULL;
}

// The depth of a sealed context is not that of listeners: saving calls none.
kin__context_snapshot *kin__part_save(kin_context *context, bool is_alone)
{
    uint32_t depth = context->depth;
    KIN_ASSERT(!kin__context_is_inside(context));
    context->depth = 0;
    kin__context_snapshot *part = save_part(context, is_alone);
    context->depth = depth;
    return part;
}

kin__context_snapshot *kin__part_copy(kin_context *context, const kin__context_snapshot *part)
{
    kin__context_snapshot *own = kin__store_reserve(context, 0) ? kin__part_take(context) : NULL;
    if (own == NULL)
        return NULL;
    bool is_copied = true;
    EACH_SECTION(section)
    {
        is_copied = is_copied && copy_section(context, section, part, own);
    }
    if (is_copied)
        return own;
    kin__part_release(own);
    return NULL;
}
