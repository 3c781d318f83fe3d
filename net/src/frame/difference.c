#include "frame/frame.h"

#include <string.h>

// A comparison works on rows of bits, a word of 64 places at a time: one for each leaf. Entities of which equal leaves
// follow are found by shifting rows against themselves.

// The images of one component in both parts.
typedef struct column {
    const kin__sides *sides;
    kin__chunk_masks *masks;
    const kin_component_info *info;
    const kin__image *base, *now;
    uint32_t index, first, count; // of the component in the layout, of its first leaf, and its leaves
} column;

// ---- values

// Finds the leaves of 64 places that differ from the base, or from zero, and returns the places.
static uint64_t compare_leaves(const column *column, uint32_t word, const kin__image *base, uint64_t places)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < column->count; i++) {
        const kin__lane *lane = &column->sides->layout->lanes[column->first + i];
        uint64_t differing = kin__lane_differs(lane, base, column->now, word * 64, places);
        column->masks->leaves[column->first + i][word] |= differing;
        any |= differing;
    }
    return any;
}

// Compares a component at the places that are shown before and now, and adds it to those that came.
static void compare_column(const column *column, const uint64_t *same, const uint64_t *came)
{
    static const kin__places none;
    kin__chunk_masks *masks = column->masks;
    const uint64_t *had = column->base == NULL ? none : kin__image_has(column->base);
    const uint64_t *has = column->now == NULL ? none : kin__image_has(column->now);
    bool is_in_place = !column->info->is_soa && !column->info->is_shared && column->count > 1;
    memset(masks->leaves[column->first], 0, column->count * sizeof(kin__places));
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++) {
        uint64_t added = has[word] & (came[word] | (same[word] & ~had[word]));
        uint64_t toggled = same[word] & (has[word] ^ had[word]);
        uint64_t both = column->base == column->now ? 0 : same[word] & has[word] & had[word];
        masks->toggled[column->index][word] = added | toggled;
        masks->kinds[2][word] |= toggled;
        masks->differs[word] |= added | toggled;
        if (added != 0)
            compare_leaves(column, word, NULL, added);
        if (both != 0 && is_in_place)
            both &= kin__image_differing(column->info, column->base, column->now, word);
        if (both != 0)
            masks->differs[word] |= compare_leaves(column, word, column->base, both);
    }
}

// ---- entities

// Splits the places that are shown into those of the same entity, those that came and those that went.
static uint64_t split(const kin__sides *sides, uint32_t chunk, uint64_t *same, uint64_t *came, uint64_t *went)
{
    uint64_t any = 0;
    uint32_t head = kin__head_number(sides->layout->info);
    const kin__image *base = kin__side_image(sides->base, chunk, head);
    const kin__image *now = kin__side_image(sides->now, chunk, head);
    kin__sight_see(sides->sight, sides->base, chunk, went);
    kin__sight_see(sides->sight, sides->now, chunk, came);
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++) {
        same[word] = went[word] & came[word];
        for (uint64_t bits = base == now ? 0 : same[word]; bits != 0; bits &= bits - 1) {
            uint32_t place = word * 64 + kin__lowest_bit(bits);
            if (kin__image_ids(base)[place] != kin__image_ids(now)[place])
                same[word] &= ~(bits & (0 - bits));
        }
        went[word] &= ~same[word];
        came[word] &= ~same[word];
        any |= went[word] | came[word] | same[word];
    }
    return any;
}

static bool is_shared(const kin__sides *sides, uint32_t chunk, uint32_t number)
{
    return kin__side_image(sides->base, chunk, number) == kin__side_image(sides->now, chunk, number);
}

// Whether both parts share all that the view shows of a chunk.
static bool are_all_shared(const kin__sides *sides, uint32_t chunk)
{
    const kin__layout *layout = sides->layout;
    uint32_t numbers[] = {kin__head_number(layout->info), layout->context->zone.component,
                          layout->context->peer.component};
    for (uint32_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i] != KIN__NET_NO_COMPONENT && !is_shared(sides, chunk, numbers[i]))
            return false;
    for (uint32_t i = 0; i < layout->component_count; i++)
        if (!is_shared(sides, chunk, layout->components[i]->id))
            return false;
    return true;
}

static void compare_columns(const kin__sides *sides, uint32_t chunk, kin__chunk_masks *masks, const uint64_t *same,
                            const uint64_t *came)
{
    static const kin__places none;
    const kin__layout *layout = sides->layout;
    bool some_came = memcmp(came, none, sizeof none) != 0;
    for (uint32_t i = 0; i < layout->component_count; i++) {
        kin_component_id id = layout->components[i]->id;
        column column = {.sides = sides,
                         .masks = masks,
                         .info = &layout->info->components[id],
                         .base = kin__side_image(sides->base, chunk, id),
                         .now = kin__side_image(sides->now, chunk, id),
                         .index = i,
                         .first = layout->firsts[i],
                         .count = layout->components[i]->leaf_count};
        if (column.base == column.now && (column.now == NULL || !some_came))
            continue;
        masks->compared[masks->compared_count++] = i;
        compare_column(&column, same, came);
    }
}

// ---- runs

// Ends runs at the places where a row differs from the place before. Returns whether the row has any bit.
static bool end_runs(kin__chunk_masks *masks, const uint64_t *row)
{
    uint64_t any = 0;
    uint64_t before = 0;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++) {
        masks->ends[word] |= row[word] ^ (row[word] << 1 | before);
        before = row[word] >> 63;
        any |= row[word];
    }
    return any != 0;
}

static void find_runs(const kin__layout *layout, kin__chunk_masks *masks)
{
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        masks->ends[word] = ~masks->differs[word];
    for (uint32_t i = 0; i < 3; i++)
        end_runs(masks, masks->kinds[i]);
    for (uint32_t i = 0; i < masks->compared_count; i++) {
        uint32_t component = masks->compared[i];
        end_runs(masks, masks->toggled[component]);
        for (uint32_t k = 0; k < layout->components[component]->leaf_count; k++)
            if (end_runs(masks, masks->leaves[layout->firsts[component] + k]))
                masks->active[masks->active_count++] = layout->firsts[component] + k;
    }
}

bool kin__chunk_differs(const kin__sides *sides, uint32_t chunk, kin__chunk_masks *masks)
{
    kin__places same;
    kin__places came;
    kin__places went;
    uint64_t any = 0;
    masks->compared_count = masks->active_count = 0;
    if (are_all_shared(sides, chunk) || split(sides, chunk, same, came, went) == 0)
        return false;
    memcpy(masks->kinds[0], came, sizeof came);
    memcpy(masks->kinds[1], went, sizeof went);
    memset(masks->kinds[2], 0, sizeof masks->kinds[2]);
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        masks->differs[word] = came[word] | went[word];
    compare_columns(sides, chunk, masks, same, came);
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        any |= masks->differs[word];
    if (any == 0)
        return false;
    find_runs(sides->layout, masks);
    return true;
}
