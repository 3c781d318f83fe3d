// The reset of a world (RSY-13), and systems by their numbers.
#include "fuzz/api/mirror.h"

#include <kin/reflect.h>

// Nothing is alive and no message waits, unless a callback performed operations.
static void reset(void)
{
    ordeal_world *world = here->world;
    attempt attempt = attempt_begin();
    uint32_t callbacks = here->callbacks;
    kin_status status = ordeal_world_reset(world);
    CHECK(status == KIN_OK || status == KIN_ERROR_RETAINED || status == KIN_ERROR_INVALID ||
          status == KIN_ERROR_NO_MEMORY);
    attempt_end_several(attempt, status); // each context may hold entities
    if (status != KIN_OK || here->callbacks != callbacks || here->world != world)
        return;
    CHECK(game_entity_count(world->contexts->game) == 0 && other_entity_count(world->contexts->other) == 0);
    CHECK(kin_context_retained_count(&world->contexts->game->base) == 0);
}

typedef struct visit {
    uint32_t place, depth;
} visit;

static void on_system(const kin_system_entry *entry, void *user)
{
    visit *visit = user;
    CHECK(entry->place == visit->place && entry->depth <= visit->depth + 1);
    CHECK(!entry->runs || entry->enabled);
    visit->place++;
    visit->depth = entry->depth;
}

static uint32_t see_systems(void)
{
    visit visit = {0, 0};
    kin_systems_walk(ordeal_world_systems(here->world), on_system, &visit);
    return visit.place;
}

static void enable(void)
{
    uint32_t count = see_systems(), number = take_below(count + 1);
    bool enabled = take_below(4) != 0;
    attempt attempt = attempt_begin();
    kin_status status = kin_systems_set_enabled_at(ordeal_world_systems(here->world), number, enabled);
    CHECK((status == KIN_ERROR_INVALID) == (number == count) || here->reenters_errors);
    attempt_end(attempt, status);
}

static void count_changes(void)
{
    kin_systems *systems = ordeal_world_systems(here->world);
    kin_context *contexts[] = {&here->world->contexts->game->base, &here->world->contexts->other->base};
    uint32_t count = take_below(3);
    attempt attempt = attempt_begin();
    attempt_end(attempt, kin_systems_count_changes(systems, contexts, count));
}

void do_restart(const place *at)
{
    (void)at;
    uint32_t choice = take_below(6);
    if (here->world == NULL || here->error_depth > 0)
        return;
    if (choice == 0)
        enable();
    else if (choice == 1)
        count_changes();
    else
        reset();
}
