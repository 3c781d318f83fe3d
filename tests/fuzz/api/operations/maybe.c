// Groups with optional columns (GRP-12): walked from the first member to the last, by runs or by blocks.
#include "fuzz/api/harness.h"

#include <kin/look.h>

#define BIT_OF(ID) (UINT32_C(1) << GAME_##ID)

enum { CHUNK_SLOTS = 512 };

typedef struct walked {
    const game_context *game;
    uint32_t maybe;   // the optional components
    uint32_t columns; // those of the last run or block
    uint32_t count, last_slot;
    bool by_blocks;
} walked;

// ---- the components whose columns are not NULL: the columns of a component are all NULL, or none is

static uint32_t columns_of_names(const game_names_iter *it)
{
    CHECK((it->spread.a != NULL) == (it->spread.b != NULL) && (it->spread.a != NULL) == (it->spread.c != NULL));
    CHECK((it->spread.a != NULL) == (it->spread.e != NULL) && (it->spread.a != NULL) == (it->spread.v != NULL));
    return (it->pos != NULL ? BIT_OF(POS) : 0) | (it->crate != NULL ? BIT_OF(CRATE) : 0) |
           (it->owner != NULL ? BIT_OF(OWNER) : 0) | (it->spread.a != NULL ? BIT_OF(SPREAD) : 0);
}

static uint32_t columns_of_anys(const game_anys_iter *it)
{
    CHECK((it->strip.k != NULL) == (it->strip.w != NULL) && (it->strip.k != NULL) == (it->strip.l != NULL));
    return (it->pos != NULL ? BIT_OF(POS) : 0) | (it->name != NULL ? BIT_OF(NAME) : 0) |
           (it->throne != NULL ? BIT_OF(THRONE) : 0) | (it->strip.k != NULL ? BIT_OF(STRIP) : 0);
}

// ---- each member

static void see_member(walked *walked, game_entity entity)
{
    uint32_t words = 0, slot = kin_entity_slot(entity.id);
    const uint64_t *row = kin_look_row(&walked->game->base, entity.id, &words);
    CHECK(row != NULL && ((uint32_t)row[0] & walked->maybe) == walked->columns);
    CHECK(walked->count == 0 || slot > walked->last_slot);
    walked->last_slot = slot;
    walked->count++;
}

// A run ends no earlier than it has to: the next one begins elsewhere, or has other columns.
static void begin_run(walked *walked, game_entity first, uint32_t columns)
{
    uint32_t slot = kin_entity_slot(first.id);
    bool continues = walked->count > 0 && slot == walked->last_slot + 1 && slot % CHUNK_SLOTS != 0;
    CHECK(walked->by_blocks || !continues || columns != walked->columns);
    walked->columns = columns;
}

#define DEFINE_WALK(GROUP)                                                                                             \
    static void walk_##GROUP(walked *walked, game_context *game)                                                       \
    {                                                                                                                  \
        game_##GROUP##_iter it = game_##GROUP##_iterate(game);                                                         \
        while (walked->by_blocks ? game_##GROUP##_next_block(&it) : game_##GROUP##_next(&it)) {                        \
            uint64_t mask = it.mask;                                                                                   \
            uint32_t first = 0;                                                                                        \
            while (walked->by_blocks && (mask >> first & 1) == 0)                                                      \
                first++;                                                                                               \
            begin_run(walked, game_##GROUP##_at(&it, first), columns_of_##GROUP(&it));                                 \
            for (uint32_t i = 0; !walked->by_blocks && i < it.count; i++)                                              \
                see_member(walked, game_##GROUP##_at(&it, i));                                                         \
            KIN_EACH_BIT(i, walked->by_blocks ? mask : 0)                                                              \
            see_member(walked, game_##GROUP##_at(&it, i));                                                             \
        }                                                                                                              \
        CHECK(walked->count == kin_group_count(game_##GROUP##_group(game)));                                           \
    }
DEFINE_WALK(names)
DEFINE_WALK(anys)

void do_maybe(const place *at)
{
    bool is_names = take_below(2) == 0, by_blocks = take_below(2) == 0;
    if (at->game == NULL)
        return;
    walked walked = {.game = at->game, .by_blocks = by_blocks};
    walked.maybe = is_names ? BIT_OF(POS) | BIT_OF(CRATE) | BIT_OF(OWNER) | BIT_OF(SPREAD)
                            : BIT_OF(POS) | BIT_OF(NAME) | BIT_OF(THRONE) | BIT_OF(STRIP);
    (is_names ? walk_names : walk_anys)(&walked, at->game);
}
