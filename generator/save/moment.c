// The state of a recording after a frame.
#include "generator/save/save.h"

#include <assert.h>
#include <string.h>

enum { MOST_BYTES = 1 << 30, FIRST_CAPACITY = 64 }; // MOST_BYTES: so that compressed files cannot claim all memory

struct save_block {
    save_place place;
    text bytes; // after the numbers of the place
    uint64_t put_at;
    bool is_gone;
};

save_moment *save_moment_create(arena *arena, const kin__file_schema *schema)
{
    save_moment *moment = arena_allocate(arena, sizeof *moment);
    assert(schema != NULL);
    moment->arena = arena;
    moment->schema = schema;
    moment->clock = moment->cleared_at = 1;
    moment->forgotten_at = arena_allocate(arena, schema->context_count * sizeof *moment->forgotten_at + 1);
    for (uint32_t i = 0; i < schema->context_count; i++) {
        size_t count = schema->contexts[i].component_count + 1;
        moment->forgotten_at[i] = arena_allocate(arena, count * sizeof **moment->forgotten_at);
    }
    return moment;
}

// ---- finding

// Returns the number of the first block of contexts that does not come before a place.
static uint32_t lower_bound(const save_moment *moment, const save_place *place)
{
    uint32_t first = 0;
    uint32_t end = moment->context_blocks;
    assert(moment->context_blocks <= moment->count);
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (save_place_compare(&moment->blocks[middle]->place, place) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static save_block *find(const save_moment *moment, const save_place *place)
{
    uint32_t number = lower_bound(moment, place);
    bool is_found = number < moment->context_blocks && save_place_compare(&moment->blocks[number]->place, place) == 0;
    if (!is_found)
        return NULL;
    return moment->blocks[number];
}

static bool has_path(const save_block *block, const char *path, size_t size)
{
    kin__decoder decoder = {(const unsigned char *)block->bytes.bytes,
                            (const unsigned char *)block->bytes.bytes + block->bytes.size, false};
    size_t other_size;
    const char *other = kin__decode_text(&decoder, &other_size);
    return other != NULL && size == other_size && memcmp(path, other, size) == 0;
}

// Returns the first system with the path of `content` that this pass has not put yet; NULL: there is none.
static save_block *find_system(const save_moment *moment, const kin__decoder *content)
{
    size_t size;
    kin__decoder decoder = *content;
    const char *path = kin__decode_text(&decoder, &size);
    for (uint32_t i = moment->context_blocks; path != NULL && i < moment->count; i++)
        if (moment->blocks[i]->put_at < moment->pass_began_at && has_path(moment->blocks[i], path, size))
            return moment->blocks[i];
    return NULL;
}

// ---- putting

void save_moment_begin_pass(save_moment *moment)
{
    moment->pass_began_at = ++moment->clock;
}

static save_block *insert(save_moment *moment, const save_place *place)
{
    bool is_of_system = place->kind == SAVE_SYSTEM;
    uint32_t number = moment->count;
    assert(place->kind != SAVE_DONE);
    if (!is_of_system)
        number = lower_bound(moment, place);
    if (moment->count == moment->capacity) {
        uint32_t capacity = 2 * moment->capacity;
        if (capacity == 0)
            capacity = FIRST_CAPACITY;
        save_block **blocks = arena_allocate(moment->arena, capacity * sizeof *blocks);
        if (moment->count > 0)
            memcpy(blocks, moment->blocks, moment->count * sizeof(save_block *));
        moment->blocks = blocks;
        moment->capacity = capacity;
    }
    memmove(moment->blocks + number + 1, moment->blocks + number, (moment->count - number) * sizeof(save_block *));
    save_block *block = arena_allocate(moment->arena, sizeof *block);
    *block = (save_block){.place = *place, .bytes = text_create(moment->arena)};
    moment->blocks[number] = block;
    moment->context_blocks += !is_of_system;
    moment->count++;
    return block;
}

bool save_moment_put(save_moment *moment, const save_place *place, const kin__decoder *content)
{
    bool is_of_context = content == NULL || place->kind != SAVE_SYSTEM;
    save_block *block;
    assert(place->kind != SAVE_DONE);
    if (is_of_context)
        block = find(moment, place);
    else
        block = find_system(moment, content);
    if (block == NULL)
        block = insert(moment, place);
    moment->size -= block->bytes.size;
    text_clear(&block->bytes);
    if (content != NULL)
        text_append(&block->bytes, (const char *)content->at, kin__decoder_left(content));
    moment->size += block->bytes.size;
    block->is_gone = content == NULL;
    block->put_at = ++moment->clock;
    return moment->size <= MOST_BYTES;
}

void save_moment_clear(save_moment *moment)
{
    moment->cleared_at = ++moment->clock;
    for (uint32_t i = 0; i < moment->count; i++) {
        moment->blocks[i]->is_gone = true;
        moment->blocks[i]->put_at = moment->clock;
    }
    save_moment_begin_pass(moment);
}

// ---- what is known

void save_moment_forget(save_moment *moment, uint32_t context, uint32_t component)
{
    const kin__file_schema *schema = moment->schema;
    if (context == UINT32_MAX)
        moment->systems_forgotten_at = ++moment->clock;
    else if (context < schema->context_count && component <= schema->contexts[context].component_count)
        moment->forgotten_at[context][component] = ++moment->clock;
}

static uint64_t forgotten_at(const save_moment *moment, const save_place *place)
{
    if (place->kind == SAVE_SYSTEM)
        return moment->systems_forgotten_at;
    uint32_t component = place->component;
    if (place->kind == SAVE_CONTEXT || place->kind == SAVE_SLOTS)
        component = moment->schema->contexts[place->context].component_count;
    return moment->forgotten_at[place->context][component];
}

static bool is_known(const save_moment *moment, const save_block *block)
{
    return block->put_at > forgotten_at(moment, &block->place);
}

bool save_moment_knows(const save_moment *moment, const save_place *place)
{
    if (place->kind == SAVE_SYSTEM) {
        for (uint32_t i = moment->context_blocks; i < moment->count; i++)
            if (!is_known(moment, moment->blocks[i]))
                return false;
        return true;
    }
    const save_block *block = find(moment, place);
    uint64_t known_since = moment->cleared_at;
    if (block != NULL)
        known_since = block->put_at;
    return known_since > forgotten_at(moment, place);
}

// ---- reading

void save_moment_begin(save_moment *moment)
{
    moment->next = 0;
    moment->skipped = UINT32_MAX;
}

// Both have the same systems in the same order.
static bool is_system_known(const save_moment *moment, const save_moment *other)
{
    uint32_t number = moment->next - 1 - moment->context_blocks + other->context_blocks;
    assert(moment->next > moment->context_blocks);
    return is_known(moment, moment->blocks[moment->next - 1]) && number < other->count &&
           is_known(other, other->blocks[number]);
}

// Whether the slots of the chunk of a block are known. Values need them.
static bool are_slots_known(const save_moment *moment, const save_moment *other, const save_place *place)
{
    const save_place slots = {SAVE_SLOTS, place->context, place->chunk, 0, 0};
    return save_moment_knows(moment, &slots) && save_moment_knows(other, &slots);
}

static bool is_left_out(save_moment *moment, const save_moment *other, const save_block *block)
{
    const save_place *place = &block->place;
    if (block->is_gone)
        return true;
    if (other == NULL)
        return false;
    if (place->kind == SAVE_SYSTEM)
        return !is_system_known(moment, other);
    bool is_known = save_moment_knows(moment, place) && save_moment_knows(other, place);
    if (place->kind == SAVE_CONTEXT && !is_known)
        moment->skipped = place->context;
    return !is_known || place->context == moment->skipped ||
           (place->kind == SAVE_COLUMN && !are_slots_known(moment, other, place));
}

bool save_moment_next(save_moment *moment, const save_moment *other, save_place *place, kin__decoder *content)
{
    while (moment->next < moment->count) {
        const save_block *block = moment->blocks[moment->next++];
        if (is_left_out(moment, other, block))
            continue;
        *place = block->place;
        content->at = (const unsigned char *)block->bytes.bytes;
        content->end = content->at + block->bytes.size;
        content->is_short = false;
        return true;
    }
    return false;
}
