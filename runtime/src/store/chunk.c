#include "store/internal.h"

#include <stdio.h>
#include <string.h>

// ---- memory

static size_t chunk_size(const kin_context *context)
{
    return sizeof(kin__chunk) + (size_t)(KIN__CHUNK_SLOTS + 1) * context->row_words * sizeof(uint64_t) +
           context->info->component_count * sizeof(kin__column *);
}

static size_t holders_size(const kin_context *context)
{
    return KIN__CHUNK_SLOTS * sizeof(uint32_t) * (context->core->options.fast_retain ? 2 : 1);
}

static size_t present_size(const kin_context *context, uint32_t capacity)
{
    return ((size_t)context->info->component_count + 1) * (capacity / 64) * sizeof(uint64_t);
}

// ---- planes
//
//   planes   [ empty ] [ plane ] [ plane ] …     one for each component that has had a column, in any order
//
// The plane of a component has its columns, by chunk. All components without one share the first plane, whose columns
// are empty. They are one block, so that growing it either succeeds or changes nothing.

// Returns how many planes the block has next: twice as many, at most one for each component.
static uint32_t next_plane_capacity(const kin_context *context)
{
    uint32_t most = context->info->component_count + 1;
    uint32_t twice = context->core->slots.plane_capacity * 2;
    if (twice == 0)
        twice = 8;
    return twice < most ? twice : most;
}

static size_t planes_size(uint32_t planes, uint32_t chunks)
{
    return (size_t)planes * chunks * sizeof(kin__column *);
}

static kin__column *empty_column(const kin_context *context)
{
    return (kin__column *)(uintptr_t)context->empty; // cast from const: never written, as it has no bits
}

// Moves the planes to a block with room for `capacity` of them, of `chunks` chunks each.
static void move_planes(kin_context *context, kin__column **planes, uint32_t capacity, uint32_t chunks)
{
    kin__slots *slots = &context->core->slots;
    uint32_t old = slots->chunk_capacity;
    KIN_ASSERT(capacity >= slots->plane_count && chunks >= old);
    for (size_t i = 0; i < (size_t)capacity * chunks; i++)
        planes[i] = empty_column(context);
    for (size_t i = 0; i < slots->plane_count && old > 0; i++)
        memcpy(planes + i * chunks, slots->planes + i * old, old * sizeof *planes);
    for (uint32_t id = 0; id < context->info->component_count; id++) {
        kin__component *component = kin__component_of(context, id);
        size_t number = old == 0 ? 0 : (size_t)(component->columns - slots->planes) / old;
        component->columns = planes + number * chunks;
    }
    kin__release(&context->core->memory, slots->planes, planes_size(slots->plane_capacity, old));
    slots->planes = planes;
    slots->plane_capacity = capacity;
}

// Reserves a plane for the component. False when out of memory.
static bool reserve_plane(kin_context *context, kin_component_id id)
{
    kin__slots *slots = &context->core->slots;
    kin__component *component = kin__component_of(context, id);
    if (component->columns != slots->planes)
        return true;
    if (slots->plane_count == slots->plane_capacity) {
        uint32_t capacity = next_plane_capacity(context);
        kin__column **planes = kin__allocate(&context->core->memory, planes_size(capacity, slots->chunk_capacity));
        if (planes == NULL)
            return false;
        move_planes(context, planes, capacity, slots->chunk_capacity);
    }
    component->columns = slots->planes + (size_t)slots->plane_count++ * slots->chunk_capacity;
    return true;
}

// ---- directory

// Moves the directory to larger arrays for `capacity` chunks; `present` is all zero.
static void move_directory(kin_context *context, kin__chunk **chunks, uint64_t *present, uint32_t capacity)
{
    kin__slots *slots = &context->core->slots;
    kin__memory *memory = &context->core->memory;
    uint32_t words = capacity / 64;
    uint32_t old_words = slots->present_words;
    KIN_ASSERT(old_words * 64 == slots->chunk_capacity && words > old_words);
    for (uint32_t i = 0; i < capacity; i++)
        chunks[i] = context->chunks[i < slots->chunk_capacity ? i : 0];
    for (size_t id = 0; id < context->info->component_count && old_words > 0; id++)
        memcpy(present + id * words, slots->present + id * old_words, old_words * sizeof *present);
    if (slots->chunk_capacity > 0)
        kin__release(memory, context->chunks, slots->chunk_capacity * sizeof(kin__chunk *));
    kin__release(memory, slots->present, present_size(context, slots->chunk_capacity));
    context->chunks = chunks;
    context->chunk_mask = capacity - 1;
    slots->present = present;
    slots->chunk_capacity = capacity;
    slots->present_words = words;
}

// Reserves an entry for one more chunk in context.chunks and in all planes, and its bits in `present`. False when out
// of memory.
static bool reserve_directory(kin_context *context)
{
    kin__slots *slots = &context->core->slots;
    uint32_t capacity = slots->chunk_capacity;
    uint32_t plane_capacity = capacity == 0 ? next_plane_capacity(context) : slots->plane_capacity;
    kin__memory *memory = &context->core->memory;
    KIN_ASSERT(context->chunk_count <= capacity);
    if (context->chunk_count < capacity)
        return true;
    capacity = capacity == 0 ? 64 : capacity * 2;
    kin__chunk **chunks = kin__allocate(memory, capacity * sizeof(kin__chunk *));
    uint64_t *present = chunks == NULL ? NULL : kin__allocate_zero(memory, present_size(context, capacity));
    kin__column **planes = present == NULL ? NULL : kin__allocate(memory, planes_size(plane_capacity, capacity));
    if (planes == NULL) {
        kin__release(memory, present, present_size(context, capacity));
        kin__release(memory, chunks, capacity * sizeof(kin__chunk *));
        return false;
    }
    move_planes(context, planes, plane_capacity, capacity);
    slots->plane_count += slots->plane_count == 0;
    move_directory(context, chunks, present, capacity);
    KIN_ASSERT(context->chunk_count <= context->chunk_mask);
    return true;
}

static bool reserve_slot_extensions(kin_context *context)
{
    for (kin__slot_extension *extension = context->core->slot_extensions; extension != NULL;
         extension = extension->next)
        if (extension->reserve != NULL && !extension->reserve(extension, (context->chunk_count + 1) * KIN__CHUNK_SLOTS))
            return false;
    return true;
}

static void clear_columns(const kin_context *context, kin__chunk *chunk)
{
    kin__column **columns = kin__chunk_columns(chunk, context->row_words);
    for (uint32_t i = 0; i < context->info->component_count; i++)
        columns[i] = empty_column(context);
}

bool kin__chunk_append(kin_context *context)
{
    kin__memory *memory = &context->core->memory;
    KIN_ASSERT(context->chunk_count < KIN__MAX_SLOTS / KIN__CHUNK_SLOTS);
    if (!reserve_directory(context) || !reserve_slot_extensions(context))
        return false;
    kin__chunk *chunk = kin__allocate_zero(memory, chunk_size(context));
    if (chunk == NULL)
        return false;
    if (context->core->slots.counts_holders) {
        chunk->holders = kin__allocate_zero(memory, holders_size(context));
        if (chunk->holders == NULL) {
            kin__release(memory, chunk, chunk_size(context));
            return false;
        }
    }
    clear_columns(context, chunk);
    for (uint32_t i = 0; context->chunk_count == 0 && i <= context->chunk_mask; i++)
        context->chunks[i] = chunk; // instead of the placeholder of an empty context
    if (context->chunk_count == 0)
        chunk->ids[0] = kin__free_handle(0);
    KIN_ASSERT(context->chunk_count <= context->chunk_mask && chunk->pool == NULL);
    context->chunks[context->chunk_count++] = chunk;
#ifndef KIN_CHECKED
    context->inline_chunks = context->chunk_count;
#endif
    return true;
}

static void release_chunk(kin_context *context, kin__chunk *chunk)
{
    kin__memory *memory = &context->core->memory;
    kin__release(memory, chunk->holders, holders_size(context));
    kin__release(memory, chunk, chunk_size(context));
}

static void columns_release(kin_context *context);

void kin__slots_release(kin_context *context)
{
    kin__slots *slots = &context->core->slots;
    columns_release(context);
    for (uint32_t i = 0; i < context->chunk_count; i++)
        release_chunk(context, context->chunks[i]);
    if (slots->chunk_capacity > 0)
        kin__release(&context->core->memory, context->chunks, slots->chunk_capacity * sizeof(kin__chunk *));
    kin__release(&context->core->memory, slots->present, present_size(context, slots->chunk_capacity));
    kin__release(&context->core->memory, slots->planes, planes_size(slots->plane_capacity, slots->chunk_capacity));
}

static void release_holders(kin_context *context)
{
    for (uint32_t i = 0; i < context->chunk_count; i++) {
        kin__release(&context->core->memory, context->chunks[i]->holders, holders_size(context));
        context->chunks[i]->holders = NULL;
    }
}

bool kin__holders_reserve(kin_context *context)
{
    bool reserved = true;
    for (uint32_t i = 0; i < context->chunk_count && reserved && !context->core->slots.counts_holders; i++) {
        kin__chunk *chunk = context->chunks[i];
        KIN_ASSERT(chunk->holders == NULL);
        chunk->holders = kin__allocate_zero(&context->core->memory, holders_size(context));
        reserved = chunk->holders != NULL;
    }
    if (!reserved)
        release_holders(context);
    context->core->slots.counts_holders = reserved;
    return reserved;
}

// Returns the chunks in which entities may satisfy the rule: all of its components, or one of them, have a column
// there. A `none` rule excludes no chunk.
static uint64_t rule_present(const kin_context *context, const kin_rule *rule, uint32_t word)
{
    const kin__slots *slots = &context->core->slots;
    uint64_t all = ~(uint64_t)0;
    uint64_t any = 0;
    for (uint32_t i = 0; i < rule->count; i++) {
        uint64_t bits = slots->present[(size_t)rule->ids[i] * slots->present_words + word];
        all &= bits;
        any |= bits;
    }
    if (rule->kind == KIN_RULE_NONE)
        return ~(uint64_t)0;
    return rule->kind == KIN_RULE_ANY ? any : all;
}

uint64_t kin__chunks_present(const kin_context *context, const kin_matcher *normal, uint32_t word)
{
    KIN_ASSERT(word * 64 < context->chunk_count);
    uint32_t left = context->chunk_count - word * 64;
    uint64_t chunks = left >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1;
    for (uint32_t i = 0; i < normal->count; i++)
        chunks &= rule_present(context, &normal->rules[i], word);
    return chunks;
}

// ---- slot extensions

void kin__slot_extension_add(kin_context *context, kin__slot_extension *extension)
{
    KIN_ASSERT(extension->forget != NULL);
    extension->next = context->core->slot_extensions;
    context->core->slot_extensions = extension;
}

void kin__slot_extension_remove(kin_context *context, kin__slot_extension *extension)
{
    kin__slot_extension **link = &context->core->slot_extensions;
    while (*link != extension) {
        KIN_ASSERT(*link != NULL);
        link = &(*link)->next;
    }
    *link = extension->next;
}

// ---- collected slots

// A side without entries has no marks, which are then not read.
uint64_t kin__collected_word(const kin_context *context, uint32_t slot)
{
    uint64_t word = 0;
    for (const kin__slot_extension *each = context->core->slot_extensions; each != NULL; each = each->next)
        for (uint32_t side = 0; side < 2 && each->collected != NULL; side++)
            if (each->collected[side].count > 0)
                word |= each->collected[side].marks[slot / 64];
    return word;
}

uint32_t kin__entries_of_slot(const kin_context *context, uint32_t slot)
{
    uint32_t count = 0;
    for (const kin__slot_extension *each = context->core->slot_extensions; each != NULL; each = each->next)
        for (uint32_t side = 0; side < 2 && each->collected != NULL; side++)
            if (each->collected[side].count > 0)
                count += kin__bits_have(each->collected[side].marks, slot);
    return count;
}

// ---- queries

bool kin_has(const kin_context *context, kin_entity entity, kin_component_id component)
{
    return component < context->info->component_count && kin__has(context, entity, component, context->row_words);
}

// Writes the entities of one word; there is room for 64.
static inline uint32_t copy_word(const kin_entity *ids, uint64_t match, kin_entity *entities)
{
    uint32_t count = 0;
    if (match == ~(uint64_t)0) {
        memcpy(entities, ids, 64 * sizeof *ids);
        return 64;
    }
    for (; match != 0; match &= match - 1)
        entities[count++] = ids[kin__lowest_bit(match)];
    return count;
}

uint32_t kin__entities_of_words(const kin__chunk *chunk, const uint64_t match[KIN__CHUNK_WORDS], kin_entity *entities,
                                uint32_t capacity)
{
    uint32_t count = 0;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++) {
        const kin_entity *ids = chunk->ids + word * 64;
        KIN_ASSERT((match[word] & ~chunk->alive[word]) == 0);
        if (count + 64 <= capacity) {
            count += copy_word(ids, match[word], entities + count);
            continue;
        }
        for (uint64_t bits = match[word]; bits != 0; bits &= bits - 1, count++)
            if (count < capacity)
                entities[count] = ids[kin__lowest_bit(bits)];
    }
    return count;
}

// Invariant 2, for a component that the slot has.
static bool value_is_valid(const kin_context *context, uint32_t slot, kin_component_id id)
{
    bool is_spare =
        context->info->components[id].is_boxed && kin__value_of(context, slot, id) == kin__slab_spare(context, id);
    if (!is_spare && kin__is_shared(context, id))
        return kin__shared_is_valid(context, id, kin__value_of(context, slot, id));
    return !is_spare &&
           (!kin__is_owned(context, id) || kin__owned_is_valid(context, slot, id, kin__value_of(context, slot, id)));
}

static bool canary_is_intact(const kin_context *context, const kin__column *column, kin_component_id id);

bool kin__slot_is_valid(const kin_context *context, uint32_t slot)
{
    kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    const uint64_t *row = kin__chunk_row(chunk, context->row_words, place);
    bool alive = kin__chunk_is_alive(chunk, place);
    for (uint32_t id = 0; id < context->info->component_count; id++) {
        const kin__column *column = kin__column_of(context, slot, (kin_component_id)id);
        bool has = kin__column_has(column, place);
        if (has != (alive && kin__bits_have(row, id)) || !canary_is_intact(context, column, (kin_component_id)id))
            return false;
        if (has && !value_is_valid(context, slot, (kin_component_id)id))
            return false;
    }
    kin_entity entity = chunk->ids[place];
    return alive == (kin_entity_creation_index(entity) != 0) && (!alive || kin_entity_slot(entity) == slot);
}

// Returns the bytes that each slot needs in a column: of the value, and of the pointer to its owned block.
static size_t places_size(const kin_context *context, kin_component_id id)
{
    return kin__place_size(context, id) + (kin__is_owned(context, id) ? sizeof(kin__owned_block *) : 0);
}

static size_t column_size(const kin_context *context, kin_component_id id)
{
    size_t size = sizeof(kin__column) + KIN__CHUNK_SLOTS * places_size(context, id) + kin__canary_size(context, id);
    KIN_ASSERT(size % KIN__CACHE_LINE == 0);
    return size;
}

// Sets a column of a component that has a plane.
static void set_column(const kin_context *context, uint32_t chunk, kin_component_id id, kin__column *column)
{
    const kin__slots *slots = &context->core->slots;
    bool on = column != context->empty;
    KIN_ASSERT(chunk < context->chunk_count && chunk < slots->present_words * 64);
    kin__component_of(context, id)->columns[chunk] = column;
    kin__chunk_columns(context->chunks[chunk], context->row_words)[id] = column;
    kin__bits_write(slots->present + (size_t)id * slots->present_words, chunk, on);
    kin__bits_write(kin__chunk_present(context->chunks[chunk], context->row_words), id, on);
}

// Makes all places point at the spare value (store.h).
static void point_at_spare(const kin_context *context, kin__column *column, kin_component_id id)
{
    void **places = kin__column_value(column, 0, sizeof(void *));
    void *spare = kin__slab_spare(context, id);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        places[place] = spare;
}

static void canary_write(const kin_context *context, kin__column *column, kin_component_id id);

static void *shelf_take(kin_context *context, kin_component_id id, size_t size);

kin__column *kin__column_reserve(kin_context *context, uint32_t slot, kin_component_id id)
{
    kin__column *before = kin__column_of(context, slot, id);
    KIN_ASSERT(id < context->info->component_count);
    if (before != context->empty)
        return before;
    bool is_boxed = context->info->components[id].is_boxed;
    if (!reserve_plane(context, id) || !kin__last_values_reserve(context, slot / KIN__CHUNK_SLOTS, id) ||
        (is_boxed && !kin__slab_reserve(context, id)))
        return NULL;
    kin__column *column = shelf_take(context, id, column_size(context, id));
    if (column == NULL)
        return NULL;
    memset(column, 0, sizeof *column);
    canary_write(context, column, id);
    if (is_boxed)
        point_at_spare(context, column, id);
    set_column(context, slot / KIN__CHUNK_SLOTS, id, column);
    KIN_ASSERT(column != context->empty && kin__column_is_empty(column));
    return column;
}

static void release_boxes(kin_context *context, const kin__column *column, kin_component_id id)
{
    void *const *boxes = kin__column_value(column, 0, sizeof(void *));
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__column_has(column, place))
            kin__slab_put(context, id, boxes[place]);
}

static void shelf_return(kin_context *context, kin_component_id id, void *column, size_t size);

static void release(kin_context *context, kin__column *column, kin_component_id id)
{
    KIN_VALIDATE(canary_is_intact(context, column, id));
    if (kin__is_owned(context, id))
        kin__owned_release(context, column, id);
    if (context->info->components[id].is_boxed && !kin__is_shared(context, id))
        release_boxes(context, column, id);
    shelf_return(context, id, column, column_size(context, id));
}

// Releases all columns with their values, when the context ends.
static void columns_release(kin_context *context)
{
    for (uint32_t i = 0; i < context->info->component_count; i++) {
        kin_component_id id = (kin_component_id)i;
        for (uint32_t number = 0; number < context->chunk_count; number++) {
            kin__column *column = kin__chunk_column(context, number, id);
            if (column != context->empty)
                release(context, column, id);
        }
    }
}

bool kin__column_is_empty(const kin__column *column)
{
    uint64_t any = 0;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        any |= column->has[word];
    return any == 0;
}

static void trim_chunk(kin_context *context, uint32_t number)
{
    for (uint32_t i = 0; i < context->info->component_count; i++) {
        kin_component_id id = (kin_component_id)i;
        kin__column *column = kin__chunk_column(context, number, id);
        if (column == context->empty || !kin__column_is_empty(column))
            continue;
        KIN_ASSERT(context->depth == 0);
        release(context, column, id);
        set_column(context, number, id, empty_column(context));
    }
}

void kin__columns_trim(kin_context *context)
{
    for (uint32_t number = 0; number < context->chunk_count; number++)
        trim_chunk(context, number);
}

static size_t column_used(const kin_context *context, const kin__column *column, kin_component_id id)
{
    const kin_component_info *info = &context->info->components[id];
    size_t count = 0;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        count += kin__count_bits(column->has[word]);
    return count == 0 ? 0 : sizeof *column + count * (places_size(context, id) + kin__cell_size(info));
}

void kin__column_measure(const kin_context *context, uint32_t chunk, kin_component_id id, kin_component_usage *usage)
{
    const kin__column *column = kin__column_of(context, chunk * KIN__CHUNK_SLOTS, id);
    if (column == context->empty)
        return;
    uint32_t values = kin__bits_count(column->has, KIN__CHUNK_WORDS);
    size_t boxes = values * kin__cell_size(&context->info->components[id]);
    usage->columns++;
    usage->values += values;
    usage->memory.used += column_used(context, column, id);
    usage->memory.allocated += column_size(context, id) + boxes;
}

size_t kin__columns_used(const kin_context *context)
{
    size_t used = 0;
    for (uint32_t number = 0; number < context->chunk_count; number++)
        for (uint32_t id = 0; id < context->info->component_count; id++)
            used += column_used(context, kin__chunk_column(context, number, id), (kin_component_id)id);
    return used;
}

enum {
    MOST_SINGLE = 8,     // columns without a block
    MOST_BYTES = 4 << 20 // of a block, as one column in use keeps the memory of all
};

struct kin__shelf_block {
    kin__shelf_block *next; // an older one
    uint32_t count;         // columns that it has
    uint32_t given, spare;  // of these: given at least once; spare now
};

static size_t block_size(uint32_t count, size_t size)
{
    return KIN__CACHE_LINE + count * size;
}

static char *column_at(const kin__shelf_block *block, uint32_t index, size_t size)
{
    return (char *)(uintptr_t)block + KIN__CACHE_LINE + index * size;
}

static size_t shelves_size(const kin_context *context)
{
    return context->info->component_count * sizeof(kin__shelf);
}

bool kin__shelves_make(kin_context *context)
{
    kin__core *core = context->core;
    if (context->info->component_count == 0)
        return true;
    core->shelves = kin__allocate_zero(&core->memory, shelves_size(context));
    return core->shelves != NULL;
}

void kin__shelves_release(kin_context *context)
{
    kin__release(&context->core->memory, context->core->shelves, shelves_size(context));
}

// ---- blocks

// A quarter of what there is, so that at most a fifth of all columns were never used. Blocks of eight columns at most,
// which lie between other blocks of the heap, made loops over a million entities 1.7 times as long.
static kin__shelf_block *add_block(kin_context *context, kin__shelf *shelf, size_t size)
{
    uint32_t part = shelf->column_count / 4;
    uint32_t most = size > MOST_BYTES ? 1 : (uint32_t)(MOST_BYTES / size);
    uint32_t count = part > most ? most : part;
    kin__shelf_block *made = kin__allocate(&context->core->column_memory, block_size(count, size));
    if (made == NULL)
        return NULL;
    *made = (kin__shelf_block){.next = shelf->newest, .count = count};
    shelf->newest = made;
    shelf->column_count += count;
    return made;
}

static bool is_in(const kin__shelf_block *block, const void *column, size_t size)
{
    return (uintptr_t)column - (uintptr_t)block < block_size(block->count, size);
}

// Returns the link to the block of a column; to NULL if it has none.
static kin__shelf_block **find_block(kin__shelf *shelf, const void *column, size_t size)
{
    kin__shelf_block **link = &shelf->newest;
    while (*link != NULL && !is_in(*link, column, size))
        link = &(*link)->next;
    return link;
}

// Takes the columns of a block out of the list of spare ones.
static void forget_spare(kin__shelf *shelf, const kin__shelf_block *block, size_t size)
{
    for (void **link = &shelf->spare; *link != NULL;)
        if (is_in(block, *link, size))
            *link = *(void **)*link;
        else
            link = *link;
}

static void release_block(kin_context *context, kin__shelf *shelf, kin__shelf_block **link, size_t size)
{
    kin__shelf_block *block = *link;
    forget_spare(shelf, block, size);
    *link = block->next;
    shelf->column_count -= block->count;
    kin__release(&context->core->column_memory, block, block_size(block->count, size));
}

// ---- columns

static void *take_single(kin_context *context, kin__shelf *shelf, size_t size)
{
    void *column = kin__allocate(&context->core->column_memory, size);
    shelf->column_count += column != NULL;
    return column;
}

static void *take_spare(kin__shelf *shelf, size_t size)
{
    void **column = shelf->spare;
    shelf->spare = *column;
    (*find_block(shelf, column, size))->spare--;
    return column;
}

// Returns a column of the component, not initialised. `size` is the same for all its columns, and a multiple of a cache
// line. NULL when out of memory.
static void *shelf_take(kin_context *context, kin_component_id id, size_t size)
{
    kin__shelf *shelf = &context->core->shelves[id];
    KIN_ASSERT(size % KIN__CACHE_LINE == 0);
    if (shelf->spare != NULL)
        return take_spare(shelf, size);
    kin__shelf_block *block = shelf->newest;
    if (block == NULL || block->given == block->count) {
        if (shelf->column_count < MOST_SINGLE)
            return take_single(context, shelf, size);
        block = add_block(context, shelf, size);
    }
    return block == NULL ? NULL : column_at(block, block->given++, size);
}

static bool blocks_are_valid(const kin__shelf *shelf);
static bool shelf_is_valid(kin__shelf *shelf, size_t size);

// Takes a column back. Releases its block if no other column of it is in use.
static void shelf_return(kin_context *context, kin_component_id id, void *column, size_t size)
{
    kin__shelf *shelf = &context->core->shelves[id];
    kin__shelf_block **link = find_block(shelf, column, size);
    if (*link == NULL) {
        shelf->column_count--;
        kin__release(&context->core->column_memory, column, size);
        return;
    }
    *(void **)column = shelf->spare;
    shelf->spare = column;
    if (++(*link)->spare == (*link)->given) {
        release_block(context, shelf, link, size);
        KIN_VALIDATE(shelf_is_valid(shelf, size));
    }
    KIN_VALIDATE(blocks_are_valid(shelf));
}

// ---- validation

// Invariants 1 and 3, but for the list of spare columns.
static bool blocks_are_valid(const kin__shelf *shelf)
{
    uint32_t columns = 0;
    for (const kin__shelf_block *block = shelf->newest; block != NULL; block = block->next) {
        if (block->given > block->count || block->spare >= block->given)
            return false;
        columns += block->count;
    }
    return columns <= shelf->column_count;
}

static bool shelf_is_valid(kin__shelf *shelf, size_t size)
{
    uint32_t spare = 0;
    uint32_t listed = 0;
    for (const kin__shelf_block *block = shelf->newest; block != NULL; block = block->next)
        spare += block->spare;
    for (void *column = shelf->spare; column != NULL && listed <= spare; column = *(void **)column)
        listed += *find_block(shelf, column, size) != NULL;
    return blocks_are_valid(shelf) && spare == listed;
}

enum { CANARY_BYTE = 0xC5 };

static unsigned char *canary_of(const kin_context *context, const kin__column *column, kin_component_id id)
{
    return kin__column_value(column, KIN__CHUNK_SLOTS, kin__place_size(context, id));
}

// Writes the canary of a new column.
static void canary_write(const kin_context *context, kin__column *column, kin_component_id id)
{
    memset(canary_of(context, column, id), CANARY_BYTE, kin__canary_size(context, id));
}

// Returns whether the canary of a column is unchanged, which it always is in the shared empty column. If not, prints
// the component to stderr.
static bool canary_is_intact(const kin_context *context, const kin__column *column, kin_component_id id)
{
    size_t size = kin__canary_size(context, id);
    if (column == context->empty || size == 0)
        return true;
    const unsigned char *canary = canary_of(context, column, id);
    if (canary[0] == CANARY_BYTE && memcmp(canary, canary + 1, size - 1) == 0)
        return true;
    fprintf(stderr,
            "kin: %s: the memory after a column of %s was overwritten; check the indices of loops that write %s\n",
            context->info->name, context->info->components[id].name, context->info->components[id].name);
    return false;
}

bool kin__chunk_is_intact(const kin_context *context, uint32_t number)
{
    if (number >= context->chunk_count)
        return true;
    for (uint32_t id = 0; id < context->info->component_count; id++)
        if (!canary_is_intact(context, kin__chunk_column(context, number, id), (kin_component_id)id))
            return false;
    return true;
}
