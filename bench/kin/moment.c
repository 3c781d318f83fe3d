// Moment: the context of the rows about snapshots.

#include "moment.h"

#include <stdlib.h>

static moment *create(uint32_t count)
{
    moment *made = calloc(1, sizeof *made);
    made->count = count;
    made->army = army_context_create(NULL);
    made->units = calloc(count, sizeof *made->units);
    if (made->army == NULL || made->units == NULL)
        abort();
    return made;
}

moment *moment_create_units(uint32_t count)
{
    moment *made = create(count);
    if (army_spawn_many_unit(made->army, count, made->units) != KIN_OK)
        abort();
    return made;
}

moment *moment_create_badges(uint32_t count)
{
    moment *made = create(count);
    for (uint32_t i = 0; i < count; i++) {
        made->units[i] = army_create_entity(made->army);
        army_add_badge(made->army, made->units[i], (Badge){i});
    }
    return made;
}

void moment_destroy(void *user)
{
    moment *moment = user;
    for (uint32_t i = 0; i < MOMENT_RING; i++) {
        kin_snapshot_destroy(moment->ring[i]);
        free(moment->copies[i]);
    }
    army_context_destroy(moment->army);
    free(moment->units);
    free(moment);
}

void moment_march(moment *moment)
{
    army_marching_iter it = army_marching_iterate(moment->army);
    while (army_marching_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            it.place[i].at.x += it.motion[i].by.x + 0.25f;
            it.place[i].at.y += it.motion[i].by.y;
        }
}

void moment_change_half(moment *moment)
{
    moment_march(moment);
    army_marching_iter it = army_marching_iterate(moment->army);
    while (army_marching_next(&it))
        for (uint32_t i = 0; i < it.count; i++)
            it.motion[i].by.z += 0.25f;
    army_tired_iter resting = army_tired_iterate(moment->army);
    while (army_tired_next(&resting))
        for (uint32_t i = 0; i < resting.count; i++)
            resting.rest[i].left += 1;
}

void moment_change_all(moment *moment)
{
    moment_change_half(moment);
    army_units_iter it = army_units_iterate(moment->army);
    while (army_units_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            it.vigor[i].points++;
            it.troop[i].banner = it.troop[i].banner == BANNER_RED ? BANNER_BLUE : BANNER_RED;
            it.aim[i].at = moment->units[it.vigor[i].points % (int32_t)moment->count];
        }
}

void moment_change_keys(moment *moment)
{
    for (uint32_t i = 0; i < moment->count; i++)
        army_replace_badge(moment->army, moment->units[i],
                           (Badge){army_get_badge(moment->army, moment->units[i])->number + moment->count});
}

uint64_t moment_sum(void *user)
{
    const moment *moment = user;
    uint64_t sum = army_entity_count(moment->army);
    for (uint32_t i = 0; i < moment->count; i++) {
        const Place *place = army_get_place(moment->army, moment->units[i]);
        if (place != NULL)
            sum += (uint64_t)(int64_t)(4 * (place->at.x + 3 * place->at.y));
        const Badge *badge = army_get_badge(moment->army, moment->units[i]);
        sum += badge == NULL ? 0 : badge->number;
    }
    return sum;
}

uint32_t moment_next(moment *moment)
{
    uint32_t at = moment->at;
    moment->at = (at + 1) % MOMENT_RING;
    return at;
}
