// Which block of a file may follow which, and the hash of a state from its blocks.
#include "generator/save/save.h"

#include "base/base.h"

#include <assert.h>
#include <string.h>

// ---- the order of blocks

static const char *const letters[SAVE_KIND_COUNT] = {
    [SAVE_CONTEXT] = "CTXT", [SAVE_SLOTS] = "SLOT", [SAVE_COLUMN] = "COLM", [SAVE_KEPT] = "KEEP",
    [SAVE_SHARED] = "SHAR",  [SAVE_LINKS] = "LINK", [SAVE_SYSTEM] = "SYST", [SAVE_DONE] = "DONE",
};

const char *save_kind_letters(save_kind kind)
{
    assert((size_t)kind < SAVE_KIND_COUNT);
    return letters[kind];
}

static bool find_kind(const kin__block_reader *blocks, save_kind *kind)
{
    for (*kind = 0; *kind < SAVE_KIND_COUNT; ++*kind)
        if (kin__block_reader_is(blocks, letters[*kind]))
            return true;
    return false;
}

bool save_place_read(kin__block_reader *blocks, kin__decoder *decoder, save_place *place)
{
    *place = (save_place){0};
    if (!find_kind(blocks, &place->kind))
        return kin__block_reader_fault(blocks, 1309, "it must not stand here");
    if (place->kind >= SAVE_SYSTEM)
        return true;
    place->context = kin__decode_32(decoder);
    if (place->kind >= SAVE_SLOTS)
        place->chunk = kin__decode_32(decoder);
    if (place->kind >= SAVE_COLUMN)
        place->component = kin__decode_32(decoder);
    if (place->kind == SAVE_LINKS)
        place->leaf = kin__decode_16(decoder);
    if (decoder->is_short)
        return kin__block_reader_fault(blocks, 1307, "it has no numbers");
    return place->chunk < SAVE_CHUNK_LIMIT ||
           kin__block_reader_fault(blocks, 1307, "it is of a chunk that there is not");
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

// The parts of a context: what it has itself, its chunks, the order of its shared values, its links.
static int section_of(const save_place *place)
{
    switch (place->kind) {
    case SAVE_CONTEXT:
        return 0;
    case SAVE_SHARED:
        return 2;
    case SAVE_LINKS:
        return 3;
    default:
        return 1;
    }
}

int save_place_compare(const save_place *a, const save_place *b)
{
    bool is_of_context = a->kind < SAVE_SYSTEM && b->kind < SAVE_SYSTEM;
    if (!is_of_context)
        return compare(a->kind < SAVE_SYSTEM ? 0 : a->kind, b->kind < SAVE_SYSTEM ? 0 : b->kind);
    if (a->context != b->context)
        return compare(a->context, b->context);
    if (section_of(a) != section_of(b))
        return section_of(a) - section_of(b);
    if (a->kind == SAVE_LINKS || a->kind == SAVE_SHARED) {
        uint64_t one = (uint64_t)a->component << 16 | a->leaf;
        uint64_t other = (uint64_t)b->component << 16 | b->leaf;
        if (one != other)
            return compare(one, other);
        return compare(a->chunk, b->chunk);
    }
    if (a->chunk != b->chunk)
        return compare(a->chunk, b->chunk);
    if (a->kind != b->kind)
        return compare(a->kind, b->kind);
    return compare(a->component, b->component);
}

bool save_place_follows(kin__block_reader *blocks, const save_place *last, const save_place *place)
{
    bool is_new_context = last == NULL || last->context != place->context;
    bool may_be_system = last == NULL || last->kind <= SAVE_SYSTEM;
    assert((size_t)place->kind < SAVE_KIND_COUNT);
    if (place->kind == SAVE_DONE || (place->kind == SAVE_SYSTEM && may_be_system))
        return true;
    int order = -1;
    if (last != NULL)
        order = save_place_compare(last, place);
    if (order == 0)
        return kin__block_reader_fault(blocks, 1308, "it is there twice");
    if (order > 0)
        return kin__block_reader_fault(blocks, 1309, "it must not follow the previous block");
    if (is_new_context && place->kind != SAVE_CONTEXT)
        return kin__block_reader_fault(blocks, 1309, "it must follow its context");
    return true;
}

// ---- hashes of states

save_hash save_hash_begin(arena *arena)
{
    return (save_hash){.first = kin__xxh64_begin(0), .later = text_create(arena)};
}

uint64_t save_hash_name(const char *context, const char *component)
{
    kin__xxh64 hash = kin__xxh64_begin(0);
    assert(context != NULL);
    kin__xxh64_add(&hash, context, strlen(context));
    if (component != NULL) {
        kin__xxh64_add(&hash, ".", 1);
        kin__xxh64_add(&hash, component, strlen(component));
    }
    return kin__xxh64_end(&hash);
}

// No other block depends on the chunk of last values and of the order of shared values, so that it is hashed too.
static uint64_t hash_content(const save_place *place, const void *content, size_t size)
{
    unsigned char number[4];
    kin__xxh64 hash = kin__xxh64_begin(0);
    kin__little_write_32(number, place->chunk);
    if (place->kind == SAVE_KEPT || place->kind == SAVE_SHARED)
        kin__xxh64_add(&hash, number, sizeof number);
    kin__xxh64_add(&hash, content, size);
    return kin__xxh64_end(&hash);
}

void save_hash_add(save_hash *hash, const save_place *place, uint64_t name, const void *content, size_t size)
{
    unsigned char pair[16];
    assert(place->kind != SAVE_DONE && (content != NULL || size == 0));
    if (place->kind == SAVE_LINKS)
        return;
    kin__little_write_64(pair, name);
    kin__little_write_64(pair + 8, hash_content(place, content, size));
    if (place->kind == SAVE_SLOTS || place->kind == SAVE_COLUMN)
        kin__xxh64_add(&hash->first, pair, sizeof pair);
    else
        text_append(&hash->later, (const char *)pair, sizeof pair);
}

uint64_t save_hash_end(save_hash *hash)
{
    kin__xxh64_add(&hash->first, hash->later.bytes, hash->later.size);
    return kin__xxh64_end(&hash->first);
}
