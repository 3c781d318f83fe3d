// The updates of group systems: by runs or by blocks, with values read before the callback and written after it.
//
// A trim in the callback may free the columns of a run.
#include "values.h"

#include <string.h>

#define DEFINE_UPDATE(SYSTEM, READ, WRITE)                                                                             \
    static void SYSTEM##_runs(SYSTEM##_iter *it)                                                                       \
    {                                                                                                                  \
        while (SYSTEM##_next(it)) {                                                                                    \
            uint32_t trims = here->trims;                                                                              \
            for (uint32_t i = 0; i < it->count; i++) {                                                                 \
                READ;                                                                                                  \
            }                                                                                                          \
            perform_callback();                                                                                        \
            for (uint32_t i = 0; i < it->count && trims == here->trims; i++) {                                         \
                CHECK(SYSTEM##_at(it, i).id != UINT64_MAX);                                                            \
                WRITE;                                                                                                 \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    static void SYSTEM##_blocks(SYSTEM##_iter *it)                                                                     \
    {                                                                                                                  \
        while (SYSTEM##_next_block(it)) {                                                                              \
            uint32_t trims = here->trims;                                                                              \
            CHECK(it->mask != 0);                                                                                      \
            perform_callback();                                                                                        \
            if (trims == here->trims)                                                                                  \
                KIN_EACH_BIT(i, it->mask)                                                                              \
                {                                                                                                      \
                    (void)i;                                                                                           \
                    WRITE;                                                                                             \
                }                                                                                                      \
        }                                                                                                              \
    }                                                                                                                  \
    void SYSTEM##_update(ordeal_world *world, SYSTEM##_iter *it, const kin_tick *tick)                                 \
    {                                                                                                                  \
        CHECK(world != NULL && tick != NULL);                                                                          \
        if (take_below(2) == 1)                                                                                        \
            SYSTEM##_runs(it);                                                                                         \
        else                                                                                                           \
            SYSTEM##_blocks(it);                                                                                       \
    }

// Reads the first byte, so that the sanitizer detects freed memory.
static void touch(const void *value)
{
    (void)*(const volatile char *)value;
}

static void read_spread(const weaver_iter *it, uint32_t i)
{
    Spread value;
    memset(&value, 0, sizeof value);
    value.a = it->spread.a[i];
    value.b = it->spread.b[i];
    value.e = it->spread.e[i];
    value.v = it->spread.v[i];
    memcpy(value.c, it->spread.c[i], sizeof value.c);
    check_spread(&value);
}

static void write_spread(weaver_iter *it, uint32_t i)
{
    Spread value = make_spread();
    it->spread.a[i] = value.a;
    it->spread.b[i] = value.b;
    it->spread.e[i] = value.e;
    it->spread.v[i] = value.v;
    memcpy(it->spread.c[i], value.c, sizeof value.c);
}

// Optional columns stay as they were when the run began.
static void read_slab(const mason_iter *it, uint32_t i)
{
    check_slab(&it->slab[i]);
    if (it->pos != NULL)
        check_pos(&it->pos[i]);
    if (it->zip != NULL)
        check_zip(it->zip[i]);
    if (it->spread.a != NULL)
        touch(&it->spread.e[i]);
}

static void write_slab(mason_iter *it, uint32_t i)
{
    it->slab[i] = make_slab();
    if (it->pos != NULL)
        it->pos[i] = (Pos){3, 6};
    if (it->zip != NULL)
        touch(it->zip[i]);
    if (it->spread.a != NULL)
        touch(&it->spread.b[i]);
}

DEFINE_UPDATE(keeper, (check_owner(&it->owner[i]), check_hoard(it->hoard[i])),
              (touch(&it->owner[i]), touch(it->hoard[i])))
DEFINE_UPDATE(weaver, read_spread(it, i), write_spread(it, i))
DEFINE_UPDATE(mover, (check_pos(&it->pos[i]), check_vel(&it->vel[i])), it->pos[i] = make_pos())
DEFINE_UPDATE(packer, (check_crate(it->crate[i]), check_pos(&it->pos[i])), *it->crate[i] = make_crate())
DEFINE_UPDATE(mason, read_slab(it, i), write_slab(it, i))
DEFINE_UPDATE(heir, check_sole(it->sole[i]), touch(it->sole[i]))
DEFINE_UPDATE(purist, , )
