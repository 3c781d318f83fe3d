#include "save/save_order.h"

static const char *const letters[SAVE_KIND_COUNT] = {
    [SAVE_CONTEXT] = "CTXT", [SAVE_SLOTS] = "SLOT", [SAVE_COLUMN] = "COLM", [SAVE_KEPT] = "KEEP",
    [SAVE_SHARED] = "SHAR",  [SAVE_LINKS] = "LINK", [SAVE_SYSTEM] = "SYST", [SAVE_DONE] = "DONE",
};

const char *save_kind_letters(save_kind kind)
{
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
        uint64_t one = (uint64_t)a->component << 16 | a->leaf, other = (uint64_t)b->component << 16 | b->leaf;
        return one != other ? compare(one, other) : compare(a->chunk, b->chunk);
    }
    if (a->chunk != b->chunk)
        return compare(a->chunk, b->chunk);
    return a->kind != b->kind ? compare(a->kind, b->kind) : compare(a->component, b->component);
}

bool save_place_follows(kin__block_reader *blocks, const save_place *last, const save_place *place)
{
    bool is_new_context = last == NULL || last->context != place->context;
    if (place->kind == SAVE_DONE || (place->kind == SAVE_SYSTEM && (last == NULL || last->kind <= SAVE_SYSTEM)))
        return true;
    int order = last == NULL ? -1 : save_place_compare(last, place);
    if (order == 0)
        return kin__block_reader_fault(blocks, 1308, "it is there twice");
    if (order > 0)
        return kin__block_reader_fault(blocks, 1309, "it must not follow the previous block");
    if (is_new_context && place->kind != SAVE_CONTEXT)
        return kin__block_reader_fault(blocks, 1309, "it must follow its context");
    return true;
}
