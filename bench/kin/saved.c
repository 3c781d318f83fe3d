// Saving and restoring a context with Kin.

#include "moment.h"
#include "side.h"

#include <stdlib.h>

static void save(void *user)
{
    moment *moment = user;
    if (army_save(moment->army, &moment->ring[moment_next(moment)]) != KIN_OK)
        abort();
}

static void restore(void *user)
{
    moment *moment = user;
    if (army_restore(moment->army, moment->ring[0], KIN_RESTORE_EXACTLY) != KIN_OK)
        abort();
}

// Each save of the ring has a memory of its own, as in a game where everything changes.
static void *create_units(uint32_t count)
{
    moment *made = moment_create_units(count);
    for (uint32_t i = 0; i < MOMENT_RING; i++) {
        moment_change_all(made);
        save(made);
    }
    return made;
}

static void *create_badges(uint32_t count)
{
    moment *made = moment_create_badges(count);
    for (uint32_t i = 0; i < MOMENT_RING; i++)
        save(made);
    return made;
}

static void change_half(void *user)
{
    moment_change_half(user);
}

static void change_all(void *user)
{
    moment_change_all(user);
}

static void change_keys(void *user)
{
    moment_change_keys(user);
}

// Images keep their hashes, so that each change is hashed once.
static void change_and_save(void *user)
{
    moment *moment = user;
    moment_change_all(user);
    moment->at = 0;
    save(user);
}

static void hash(void *user)
{
    moment *moment = user;
    if (kin_snapshot_hash(moment->ring[0]) == 0)
        abort();
}

static void roll_back(void *user)
{
    moment *moment = user;
    restore(user);
    moment->at = 1;
    for (uint32_t frame = 0; frame < MOMENT_FRAMES; frame++) {
        moment_march(moment);
        save(user);
    }
}

const side_work kin_saved_works[] = {
    {"v.idle", create_units, NULL, save, moment_sum, moment_destroy},
    {"v.half", create_units, change_half, save, moment_sum, moment_destroy},
    {"v.all", create_units, change_all, save, moment_sum, moment_destroy},
    {"v.hash", create_units, change_and_save, hash, moment_sum, moment_destroy},
    {"v.restore", create_units, change_half, restore, moment_sum, moment_destroy},
    {"v.rollback", create_units, NULL, roll_back, moment_sum, moment_destroy},
    {"v.index", create_badges, change_keys, restore, moment_sum, moment_destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
