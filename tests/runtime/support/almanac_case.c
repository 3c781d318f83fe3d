#include "almanac_case.h"

#include "drops.h"

#include <string.h>

almanac_context *almanac;
almanac_entity days[DAYS];
kin_snapshot *snapshots[4];

void almanac_begin(void)
{
    kin_context_options options = case_options(NULL);
    drops();
    memset(snapshots, 0, sizeof snapshots);
    almanac = almanac_context_create(&options);
    for (uint32_t i = 0; i < DAYS; i++) {
        days[i] = almanac_create_entity(almanac);
        almanac_add_spot(almanac, days[i], (Spot){(int32_t)i, -(int32_t)i});
    }
}

void almanac_end(void)
{
    case_check(&almanac->base);
    for (int i = 0; i < 4; i++)
        kin_snapshot_destroy(snapshots[i]);
    case_check(&almanac->base);
    almanac_context_destroy(almanac);
    guard_end(&memory);
}

void almanac_save_as(int number)
{
    ck_assert_int_eq(almanac_save(almanac, &snapshots[number]), KIN_OK);
    ck_assert(kin__context_is_valid(&almanac->base));
    ck_assert_uint_eq(kin_context_memory(&almanac->base).total.allocated, memory.size);
}
