#include "storage/chunk.h"

#include "base/base.h"
#include "storage/column.h"

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

// Moves the directory to larger arrays for `capacity` chunks; `present` is all zero.
static void move_directory(kin_context *context, kin__chunk **chunks, uint64_t *present, uint32_t capacity)
{
    kin__slots *slots = &context->core->slots;
    kin__memory *memory = &context->core->memory;
    uint32_t words = capacity / 64, old_words = slots->present_words;
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

// Reserves an entry for one more chunk in context.chunks, and its bits in `present`. False when out of memory.
static bool reserve_directory(kin_context *context)
{
    uint32_t capacity = context->core->slots.chunk_capacity;
    kin__memory *memory = &context->core->memory;
    KIN_ASSERT(context->chunk_count <= capacity);
    if (context->chunk_count < capacity)
        return true;
    capacity = capacity == 0 ? 64 : capacity * 2;
    kin__chunk **chunks = kin__allocate(memory, capacity * sizeof(kin__chunk *));
    uint64_t *present = chunks == NULL ? NULL : kin__allocate_zero(memory, present_size(context, capacity));
    if (present == NULL) {
        kin__release(memory, chunks, capacity * sizeof(kin__chunk *));
        return false;
    }
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
    kin__column *empty = (kin__column *)(uintptr_t)context->empty; // cast from const: never written, as it has no bits
    kin__column **columns = kin__chunk_columns(chunk, context->row_words);
    for (uint32_t i = 0; i < context->info->component_count; i++)
        columns[i] = empty;
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

void kin__slots_release(kin_context *context)
{
    kin__slots *slots = &context->core->slots;
    kin__columns_release(context);
    for (uint32_t i = 0; i < context->chunk_count; i++)
        release_chunk(context, context->chunks[i]);
    if (slots->chunk_capacity > 0)
        kin__release(&context->core->memory, context->chunks, slots->chunk_capacity * sizeof(kin__chunk *));
    kin__release(&context->core->memory, slots->present, present_size(context, slots->chunk_capacity));
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
    uint64_t all = ~(uint64_t)0, any = 0;
    for (uint32_t i = 0; i < rule->count; i++) {
        uint64_t bits = slots->present[(size_t)rule->ids[i] * slots->present_words + word];
        all &= bits;
        any |= bits;
    }
    return rule->kind == KIN_RULE_NONE ? ~(uint64_t)0 : rule->kind == KIN_RULE_ANY ? any : all;
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
