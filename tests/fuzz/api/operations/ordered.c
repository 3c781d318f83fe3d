// Ordered indices (FND-01 to FND-05): walks that stay open, ranges, ends and ranks. The order is compared with one that
// is computed from the components here.
#include "fuzz/api/walk.h"

#include <kin/look.h>
#include <string.h>

// Where an entity is in an index: what its key makes, a text in descending order or numbers, then its slot.
typedef struct standing {
    const char *text;
    int64_t first, second;
    uint32_t slot;
} standing;

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

// By the first bytes, then texts that end there before longer ones, which are equal (FND-02).
static int compare_texts(const char *a, const char *b)
{
    enum { COMPARED = 63 };
    int order = strncmp(a, b, COMPARED);
    if (order != 0)
        return order;
    bool a_is_longer = strlen(a) > COMPARED;
    bool b_is_longer = strlen(b) > COMPARED;
    return a_is_longer - b_is_longer;
}

static int compare(const standing *a, const standing *b)
{
    int order = compare_texts(b->text, a->text);
    if (order == 0)
        order = compare_numbers(a->first, b->first);
    if (order == 0)
        order = compare_numbers(a->second, b->second);
    return order != 0 ? order : compare_numbers(a->slot, b->slot);
}

// ---- each index: whether an entity belongs in it, and where

static bool stands_in_ladder(const game_context *game, game_entity entity, standing *at)
{
    const Cell *cell = game_get_cell(game, entity);
    if (cell == NULL || game_is_doomed(game, entity))
        return false;
    *at = (standing){"", cell->x, -cell->y, kin_entity_slot(entity.id)};
    return true;
}

static bool stands_in_roster(const game_context *game, game_entity entity, standing *at)
{
    const Name *name = game_get_name(game, entity);
    if (name == NULL)
        return false;
    *at = (standing){name->value != NULL ? name->value : "", 0, 0, kin_entity_slot(entity.id)};
    return true;
}

static bool stands_in_lanes(const game_context *game, game_entity entity, standing *at)
{
    Strip strip;
    if (!game_is_lit(game, entity) || !game_read_strip(game, entity, &strip))
        return false;
    *at = (standing){"", -strip.k, 0, kin_entity_slot(entity.id)};
    return true;
}

// No entity is first.
static bool stands_in_leads(const game_context *game, game_entity entity, standing *at)
{
    const Link *link = game_get_link(game, entity);
    if (link == NULL)
        return false;
    int64_t target = -1;
    if (link->to.id != 0)
        target = kin_entity_slot(link->to.id);
    *at = (standing){"", target, 0, kin_entity_slot(entity.id)};
    return true;
}

// ---- whole walks

static uint32_t count_standing(const game_context *game,
                               bool (*stands)(const game_context *game, game_entity entity, standing *at))
{
    uint32_t count = 0;
    standing at;
    for (uint32_t slot = 0; slot < 64 * kin_look_words(&game->base); slot++)
        count += stands(game, (game_entity){kin_look_entity(&game->base, slot)}, &at);
    return count;
}

// Walks the index in both directions. Nothing is changed meanwhile.
#define VERIFY_ORDER(INDEX)                                                                                            \
    do {                                                                                                               \
        standing last = {0}, at = {0};                                                                                 \
        uint32_t count = 0, back = 0;                                                                                  \
        game_##INDEX##_iter it = game_##INDEX##_begin(game);                                                           \
        for (; game_##INDEX##_next(&it); count++, last = at) {                                                         \
            CHECK(stands_in_##INDEX(game, it.entity, &at));                                                            \
            CHECK(count > 0 || it.entity.id == game_##INDEX##_first(game).id);                                         \
            CHECK(count == 0 || compare(&last, &at) < 0);                                                              \
        }                                                                                                              \
        CHECK(count == count_standing(game, stands_in_##INDEX));                                                       \
        for (it = game_##INDEX##_from_last(game); game_##INDEX##_previous(&it); back++, last = at) {                   \
            CHECK(stands_in_##INDEX(game, it.entity, &at));                                                            \
            CHECK(back > 0 || it.entity.id == game_##INDEX##_last(game).id);                                           \
            CHECK(back == 0 || compare(&last, &at) > 0);                                                               \
        }                                                                                                              \
        CHECK(back == count);                                                                                          \
    } while (0)

void verify_ordered(const game_context *game)
{
    VERIFY_ORDER(ladder);
    VERIFY_ORDER(roster);
    VERIFY_ORDER(lanes);
    VERIFY_ORDER(leads);
}

static void see_whole(const place *at)
{
    verify_ordered(at->game);
}

// ---- ranges and ranks

static void see_range(const place *at)
{
    int8_t keys[4];
    for (int i = 0; i < 4; i++)
        keys[i] = (int8_t)take_below(4);
    standing low = {"", keys[0], -keys[1], 0};
    standing high = {"", keys[2], -keys[3], UINT32_MAX};
    standing stands;
    uint32_t count = 0;
    game_ladder_iter it = game_ladder_begin(at->game);
    while (game_ladder_next(&it) && stands_in_ladder(at->game, it.entity, &stands) && compare(&stands, &low) < 0)
        count++;
    CHECK(count == game_ladder_count_below(at->game, keys[0], keys[1]));
    game_ladder_iter range = game_ladder_range(at->game, keys[0], keys[1], keys[2], keys[3]);
    while (game_ladder_next(&range)) {
        CHECK(stands_in_ladder(at->game, range.entity, &stands));
        CHECK(compare(&stands, &low) >= 0 && compare(&stands, &high) <= 0);
        CHECK(range.entity.id == it.entity.id);
        game_ladder_next(&it);
    }
    bool is_past = it.entity.id == 0 || (stands_in_ladder(at->game, it.entity, &stands) && compare(&stands, &high) > 0);
    CHECK(is_past || compare(&low, &high) > 0);
}

// ---- open walks

static void begin_walk(walk *walk, const place *at)
{
    walk->context = &at->game->base;
    walk->by_blocks = take_below(2) == 1; // backwards
    switch (take_below(3)) {
    case 0:
        walk->as.ladder = walk->by_blocks ? game_ladder_from_last(at->game) : game_ladder_begin(at->game);
        break;
    case 1:
        walk->as.ladder = game_ladder_from(at->game, (int8_t)take_below(4), (int8_t)take_below(4));
        break;
    default:
        walk->as.ladder = game_ladder_range(at->game, 1, 3, (int8_t)take_below(4), 0);
        break;
    }
}

static void step_walk(const place *at)
{
    walk *walk = &here->walks[WALKS + take_below(ORDERED_WALKS)];
    standing stands;
    if (walk->context == NULL) {
        begin_walk(walk, at);
        return;
    }
    const game_context *game = (const game_context *)(const void *)walk->context;
    game_ladder_iter *it = &walk->as.ladder;
    if (walk->by_blocks ? game_ladder_previous(it) : game_ladder_next(it))
        CHECK(stands_in_ladder(game, it->entity, &stands));
    else
        walk->context = NULL;
}

void do_ordered(const place *at)
{
    static void (*const kinds[])(const place *at) = {step_walk, step_walk, see_range, see_whole};
    if (at->game != NULL)
        kinds[take_below(sizeof kinds / sizeof *kinds)](at);
}
