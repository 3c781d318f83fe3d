// Collections of systems without a world: filled, nested, run, emptied, and destroyed while they run.
#include "fuzz/api/allocator.h"
#include "fuzz/api/harness.h"

#include <string.h>

// ---- systems

static char own_self;

static void on_call(void *self)
{
    CHECK(self == &own_self);
    perform_callback();
}

static void on_tick(void *self, const kin_tick *tick)
{
    CHECK(self == &own_self);
    kin_tick copy = *tick;
    perform_callback();
    CHECK(memcmp(&copy, tick, sizeof copy) == 0);
}

static bool on_filter(void *self, kin_context *context, kin_entity entity)
{
    CHECK(self == &own_self && context != NULL && entity != 0);
    perform_callback();
    return take_below(2) == 0;
}

static void on_react(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    CHECK(self == &own_self && context != NULL && count > 0);
    kin_entity *copy = malloc(count * sizeof *copy);
    CHECK(copy != NULL);
    memcpy(copy, entities, count * sizeof *copy);
    perform_callback();
    CHECK(memcmp(copy, entities, count * sizeof *copy) == 0);
    free(copy);
}

// ---- collections

static const char *take_own_name(void)
{
    static const char *const names[] = {"first", "second", "reactive", NULL};
    return names[take_below(4)];
}

// Includes names that only a world's collection has.
static const char *take_name(void)
{
    static const char *const names[] = {"first",  "second", "reactive", "outer", "inner",   "Keeper",
                                        "sim",    "Runner", "late",     "Post",  "cleanup", "any_pos",
                                        "Weaver", "free",   "Janitor",  NULL};
    return names[take_below(16)];
}

static kin_systems *make_collection(const place *at)
{
    kin_context_options options = {.allocator = memory_allocator(), .on_error = on_error, .error_user = here};
    switch (take_below(6)) {
    case 0:
        return at->game != NULL ? game_event_systems(at->game) : NULL;
    case 1:
        return at->game != NULL ? game_cleanup_systems(at->game) : NULL;
    case 2:
        return at->other != NULL ? other_event_systems(at->other) : NULL;
    case 3:
        return at->other != NULL ? other_cleanup_systems(at->other) : NULL;
    default:
        return kin_systems_create(take_below(2) == 1 ? "outer" : "inner", &options);
    }
}

// A collection that runs its reactive systems refuses its destruction, and stays.
static void destroy_collection(uint32_t number)
{
    kin_systems *collection = here->collections[number];
    bool reenters = here->reenters_errors;
    uint32_t errors = here->errors[here->level];
    here->collections[number] = NULL;
    here->reenters_errors = false;
    kin_systems_destroy(collection);
    here->reenters_errors = reenters;
    if (here->errors[here->level] == errors)
        return;
    if (here->collections[number] == NULL)
        here->collections[number] = collection;
    else
        here->lost_collection = true;
}

static void add_system(kin_systems *collection)
{
    kin_system system = {take_own_name(), on_call, on_tick, on_call, on_call, &own_self};
    uint32_t choice = take_below(4);
    if ((choice & 1) != 0)
        system.initialize = NULL;
    if ((choice & 2) != 0)
        system.cleanup = NULL;
    attempt attempt = attempt_begin();
    attempt_end(attempt, kin_systems_add(collection, system));
}

static void add_reactive(kin_systems *collection)
{
    kin_trigger triggers[2];
    uint32_t count = 0;
    for (uint32_t i = 0; i < 2; i++) {
        kin_group *group = take_group();
        if (group != NULL)
            triggers[count++] = (kin_trigger){group, (kin_group_event)take_below(4)};
    }
    kin_reactive_system system = {.name = "reactive",
                                  .triggers = triggers,
                                  .trigger_count = count,
                                  .filter = take_below(2) == 1 ? on_filter : NULL,
                                  .execute = on_react,
                                  .initialize = on_call,
                                  .cleanup = on_call,
                                  .tear_down = on_call,
                                  .self = &own_self};
    attempt attempt = attempt_begin();
    attempt_end(attempt, kin_systems_add_reactive(collection, system));
}

static void nest(kin_systems *collection)
{
    uint32_t number = take_below(COLLECTIONS);
    kin_systems *nested = here->collections[number];
    if (nested == NULL)
        return;
    attempt attempt = attempt_begin();
    kin_status status = kin_systems_add_systems(collection, nested);
    attempt_end(attempt, status);
    if (status == KIN_OK)
        here->collections[number] = NULL;
}

void do_collection(const place *at)
{
    uint32_t number = take_below(COLLECTIONS), choice = take_below(6);
    kin_systems *collection = here->collections[number];
    if (collection == NULL) {
        kin_systems *made = make_collection(at);
        if (here->collections[number] == NULL)
            here->collections[number] = made;
        else // made in the meantime by a callback
            kin_systems_destroy(made);
        return;
    }
    if (choice == 0)
        destroy_collection(number);
    else if (choice == 1)
        nest(collection);
    else if (choice == 2)
        add_reactive(collection);
    else
        add_system(collection);
}

// ---- running

static void execute(kin_systems *collection)
{
    kin_systems_execute(collection, take_seconds());
}

static void remove_named(kin_systems *collection)
{
    attempt attempt = attempt_begin();
    attempt_end(attempt, kin_systems_remove(collection, take_name()));
}

static void enable(kin_systems *collection)
{
    const char *name = take_name();
    attempt attempt = attempt_begin();
    attempt_end(attempt, kin_systems_set_enabled(collection, name, take_below(2) == 1));
}

static void profile(kin_systems *collection)
{
    const char *name = take_name();
    uint32_t choice = take_below(16);
    kin_timing timing;
    if (choice % 3 == 0) // one call alone: its error handler may destroy the collection
        (void)kin_systems_dropped(collection, name);
    else if (choice % 3 == 1)
        (void)kin_systems_profile(collection, NULL, (choice & 6) != 0);
    else
        (void)kin_systems_timing(collection, name, (kin_role)(choice % (KIN_ROLE_COUNT + 1)), &timing);
}

void do_run_collection(const place *at)
{
    static void (*const kinds[])(kin_systems * collection) = {kin_systems_initialize,
                                                              execute,
                                                              execute,
                                                              kin_systems_cleanup,
                                                              kin_systems_tear_down,
                                                              kin_systems_activate_reactive,
                                                              kin_systems_deactivate_reactive,
                                                              kin_systems_clear_reactive,
                                                              remove_named,
                                                              enable,
                                                              profile};
    (void)at;
    kin_systems *collection = here->collections[take_below(COLLECTIONS)];
    if (take_below(4) == 0)
        collection = here->world != NULL ? ordeal_world_systems(here->world) : NULL;
    if (collection != NULL)
        kinds[take_below(sizeof kinds / sizeof *kinds)](collection);
}
