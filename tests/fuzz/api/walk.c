// Walks: iterators over declared groups that stay open from one operation to a later one.
//
// A walk may continue after any change except a trim, which frees the columns of its run.
#include "walk.h"
#include "values.h"

#include <string.h>

static void write_spread(game_strips_iter *it, uint32_t i)
{
    Spread value = make_spread();
    it->spread.a[i] = value.a;
    it->spread.b[i] = value.b;
    it->spread.e[i] = value.e;
    it->spread.v[i] = value.v;
    memcpy(it->spread.c[i], value.c, sizeof value.c);
}

static void touch(const void *value)
{
    (void)*(const volatile char *)value;
}

// Optional columns stay as they were when the run began.
static void use_name(game_names_iter *it, uint32_t i)
{
    touch(&it->name[i]);
    if (it->pos != NULL)
        it->pos[i] = (Pos){3, 6};
    if (it->crate != NULL)
        touch(it->crate[i]);
    if (it->owner != NULL)
        touch(&it->owner[i]);
    if (it->spread.a != NULL)
        touch(&it->spread.v[i]);
}

static void use_any(const game_anys_iter *it, uint32_t i)
{
    if (it->pos != NULL)
        touch(&it->pos[i]);
    if (it->name != NULL)
        touch(&it->name[i]);
    if (it->throne != NULL)
        touch(&it->throne[i]);
    if (it->strip.k != NULL)
        touch(&it->strip.l[i]);
}

#define DEFINE_WALK(CONTEXT, GROUP, USE)                                                                               \
    static void begin_##GROUP(walk *walk, CONTEXT##_context *context)                                                  \
    {                                                                                                                  \
        walk->context = &context->base;                                                                                \
        walk->as.GROUP = CONTEXT##_##GROUP##_iterate(context);                                                         \
    }                                                                                                                  \
    static bool step_##GROUP(walk *walk)                                                                               \
    {                                                                                                                  \
        CONTEXT##_##GROUP##_iter *it = &walk->as.GROUP;                                                                \
        return walk->by_blocks ? CONTEXT##_##GROUP##_next_block(it) : CONTEXT##_##GROUP##_next(it);                    \
    }                                                                                                                  \
    static void use_##GROUP(walk *walk)                                                                                \
    {                                                                                                                  \
        CONTEXT##_##GROUP##_iter *it = &walk->as.GROUP;                                                                \
        if (walk->by_blocks) {                                                                                         \
            KIN_EACH_BIT(i, it->mask)                                                                                  \
            {                                                                                                          \
                CHECK(CONTEXT##_##GROUP##_at(it, i).id != UINT64_MAX);                                                 \
                USE;                                                                                                   \
            }                                                                                                          \
            return;                                                                                                    \
        }                                                                                                              \
        for (uint32_t i = 0; i < it->count; i++) {                                                                     \
            CHECK(CONTEXT##_##GROUP##_at(it, i).id != UINT64_MAX);                                                     \
            USE;                                                                                                       \
        }                                                                                                              \
    }

DEFINE_WALK(game, movers, it->pos[i] = make_pos())
DEFINE_WALK(game, crates, *it->crate[i] = make_crate())
DEFINE_WALK(game, strips, write_spread(it, i))
DEFINE_WALK(game, slabs, it->slab[i] = make_slab())
DEFINE_WALK(game, soles, touch(it->sole[i]))
DEFINE_WALK(game, names, use_name(it, i))
DEFINE_WALK(game, anys, use_any(it, i))
DEFINE_WALK(other, opos, it->pos[i] = make_pos())

#define WALK(GROUP)                                                                                                    \
    {                                                                                                                  \
        begin_##GROUP, step_##GROUP, use_##GROUP                                                                       \
    }

static const struct {
    void (*begin)(walk *walk, game_context *context);
    bool (*step)(walk *walk);
    void (*use)(walk *walk);
} game_walks[] = {WALK(movers), WALK(crates), WALK(strips), WALK(slabs), WALK(soles), WALK(names), WALK(anys)};

enum { GAME_WALKS = sizeof game_walks / sizeof *game_walks };

static void begin(walk *walk, const place *at)
{
    *walk = (struct walk){.kind = take_below(GAME_WALKS + 1), .by_blocks = take_below(2) == 1};
    if (walk->kind == GAME_WALKS && at->other != NULL)
        begin_opos(walk, at->other);
    else if (walk->kind < GAME_WALKS && at->game != NULL)
        game_walks[walk->kind].begin(walk, at->game);
}

static bool step(walk *walk)
{
    walk->trims = here->trims;
    return walk->kind == GAME_WALKS ? step_opos(walk) : game_walks[walk->kind].step(walk);
}

// While a change is being notified, a run may show the value from before the change.
static void use(walk *walk)
{
    if (walk->trims != here->trims || walk->context->depth > 0)
        return;
    if (walk->kind == GAME_WALKS)
        use_opos(walk);
    else
        game_walks[walk->kind].use(walk);
}

void do_walk(const place *at)
{
    walk *walk = &here->walks[take_below(WALKS)];
    bool steps = take_below(2) == 0 || walk->context == NULL;
    if (walk->context == NULL)
        begin(walk, at);
    if (walk->context == NULL)
        return;
    if (steps && !step(walk))
        walk->context = NULL;
    else
        use(walk);
}

void forget_walks(const kin_context *context)
{
    for (uint32_t i = 0; i < WALKS + ORDERED_WALKS + GRID_WALKS; i++)
        if (here->walks[i].context == context)
            here->walks[i].context = NULL;
}
