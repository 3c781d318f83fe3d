// Races that are planted, each through the pool: the thread sanitizer must report all of them, or it would not report
// one of Kin either.
#include "hostile.h"
#include "scenes.h"

#include <commons/commons.h>
#include <kin/pool.h>
#include <kin/share.h>
#include <string.h>
#include <time.h>

enum { SHEEP = 4 * 512, JOBS = 10, TASKS = 64 };

typedef struct prey {
    commons_context *commons;
    commons_entity first;
    float sum;
} prey;

// Gives threads that sleep time to come.
static void wait_for_others(void)
{
    nanosleep(&(struct timespec){0, 200000}, NULL);
}

// All tasks add to one number.
static void add_to_one_sum(void *work, uint32_t index)
{
    wait_for_others();
    ((prey *)work)->sum += (float)index;
}

// Each piece writes the sheep of its own, and reads the first one, which another piece writes.
static void read_what_others_write(void *work, uint32_t index)
{
    prey *prey = work;
    wait_for_others();
    for (commons_movers_iter it = commons_movers_iterate_piece(prey->commons, index % 4, 512);
         commons_movers_next(&it);)
        for (uint32_t i = 0; i < it.count; i++)
            it.stand[i].x += commons_get_stand(prey->commons, prey->first)->x;
}

// The context is not shared, so that nothing refuses the change.
static void replace_one_value(void *work, uint32_t index)
{
    prey *prey = work;
    wait_for_others();
    commons_replace_stand(prey->commons, prey->first, (Stand){(float)index, 1});
}

static const struct {
    const char *name;
    kin_task *task;
    bool shared;
} races[] = {
    {"sum", add_to_one_sum, true},
    {"read", read_what_others_write, true},
    {"change", replace_one_value, false},
};

static void run_race(prey *prey, kin_task *task, bool shared)
{
    kin_executor *pool = kin_pool_create(4);
    for (uint32_t i = 0; pool != NULL && i < JOBS; i++) {
        if (shared)
            kin_context_begin_shared(&prey->commons->base);
        run_tasks(pool, task, prey, TASKS);
        if (shared)
            kin_context_end_shared(&prey->commons->base);
    }
    kin_pool_destroy(pool);
}

bool plant_race(const char *name)
{
    static commons_entity sheep[SHEEP];
    prey prey = {.commons = commons_context_create(NULL)};
    commons_spawn_many_sheep(prey.commons, SHEEP, sheep);
    prey.first = sheep[0];
    bool found = false;
    for (size_t i = 0; i < sizeof races / sizeof *races; i++)
        if (strcmp(races[i].name, name) == 0) {
            run_race(&prey, races[i].task, races[i].shared);
            found = true;
        }
    commons_context_destroy(prey.commons);
    return found;
}
