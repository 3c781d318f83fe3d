#include "town_case.h"

#include "entity/entity.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 256, ACTION_COUNT = 4 };

town_world *town;
guard town_memory;
uint32_t town_entity_count;

static const char *listened;

static struct {
    const char *when;
    town_action *what;
} actions[ACTION_COUNT];
static uint32_t action_count;

kin_context_options town_options(void)
{
    return (kin_context_options){.allocator = guard_begin(&town_memory), .on_error = log_error};
}

void town_begin(void)
{
    kin_context_options options = town_options();
    action_count = 0;
    listened = NULL;
    log_begin();
    town = town_world_create(&options, &town_memory);
    ck_assert_ptr_nonnull(town);
}

void town_end(void)
{
    if (town != NULL) {
        ck_assert(kin__context_is_valid(&town->contexts->people->base));
        ck_assert(kin__context_is_valid(&town->contexts->houses->base));
    }
    listened = NULL;
    town_world_destroy(town);
    town = NULL;
    guard_end(&town_memory);
}

void town_listen(const char *systems)
{
    listened = systems;
    log_begin();
}

void town_do(const char *when, town_action *what)
{
    ck_assert_uint_lt(action_count, ACTION_COUNT);
    actions[action_count].when = when;
    actions[action_count++].what = what;
}

people_entity town_citizen(int32_t years)
{
    people_entity entity = people_create_entity(town->contexts->people);
    ck_assert_int_eq(people_add_age(town->contexts->people, entity, (Age){years}), KIN_OK);
    return entity;
}

// ---- writing

static bool is_listened(const char *text)
{
    size_t size = strcspn(text, ":");
    for (const char *at = listened; at != NULL; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (strncmp(at, text, size) == 0 && (at[size] == ' ' || at[size] == '\0'))
            return true;
    }
    return false;
}

static void write_call(town_world *world, const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (is_listened(text))
        log_write("%s ", text);
    for (uint32_t i = 0; i < action_count; i++)
        if (strncmp(actions[i].when, text, strlen(actions[i].when)) == 0)
            actions[i].what(world);
}

static void write_tick(town_world *world, const char *label, const kin_tick *tick)
{
    write_call(world, "%s(%g,%g,%" PRIu64 ")", label, tick->delta, tick->time, tick->frame);
}

static void list_entities(char text[TEXT_SIZE], const kin_entity *entities, uint32_t count)
{
    text[0] = '\0';
    for (uint32_t i = 0; i < count && i < 8; i++)
        snprintf(text + strlen(text), TEXT_SIZE - strlen(text), "%s%" PRIu64, i == 0 ? "" : ",",
                 kin_entity_creation_index(entities[i]));
}

// The array stays the same, whatever the actions do.
static void write_entities(town_world *world, const char *label, const kin_entity *entities, uint32_t count)
{
    char text[TEXT_SIZE], after[TEXT_SIZE];
    if (strcmp(label, "Registry:leave") == 0 || strcmp(label, "Registry:enter") == 0)
        town_entity_count = count;
    list_entities(text, entities, count);
    write_call(world, "%s(%s)", label, text);
    list_entities(after, entities, count);
    ck_assert_str_eq(after, text);
}

// ---- the systems

#define CALL(system, role, name)                                                                                       \
    void system##_##role(town_world *world)                                                                            \
    {                                                                                                                  \
        write_call(world, name ":" #role);                                                                             \
    }
#define TICK(system, name)                                                                                             \
    void system##_execute(town_world *world, const kin_tick *tick)                                                     \
    {                                                                                                                  \
        write_tick(world, name ":execute", tick);                                                                      \
    }
#define UPDATE(system, name)                                                                                           \
    void system##_update(town_world *world, system##_iter *it, const kin_tick *tick)                                   \
    {                                                                                                                  \
        (void)it;                                                                                                      \
        write_tick(world, name ":update", tick);                                                                       \
    }
#define ENTITIES(system, role, name, entity_type)                                                                      \
    void system##_##role(town_world *world, const entity_type *entities, uint32_t count)                               \
    {                                                                                                                  \
        write_entities(world, name ":" #role, &entities->id, count);                                                   \
    }

CALL(mayor, initialize, "Mayor")
CALL(mayor, start, "Mayor")
TICK(mayor, "Mayor")
CALL(mayor, draw, "Mayor")
CALL(mayor, cleanup, "Mayor")
CALL(mayor, tear_down, "Mayor")
CALL(mayor, dispose, "Mayor")

CALL(crier, on_bell, "Crier")

// A world with a seed depends on it.
static int32_t years_by_chance(const town_world *world, people_entity entity)
{
    kin_random random = aging_random(world, entity);
    return town_world_seed(world) == 0 ? 0 : kin_random_between(&random, 0, 3);
}

void aging_update(town_world *world, aging_iter *it, const kin_tick *tick)
{
    while (aging_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            it->age[i].years += 1 + years_by_chance(world, aging_at(it, i));
    write_tick(world, "Aging:update", tick);
}

TICK(clock, "Clock")

CALL(registry, initialize, "Registry")
CALL(registry, start, "Registry")
ENTITIES(registry, first_update, "Registry", people_entity)
ENTITIES(registry, enter, "Registry", people_entity)
UPDATE(registry, "Registry")
ENTITIES(registry, leave, "Registry", people_entity)
ENTITIES(registry, draw, "Registry", people_entity)
CALL(registry, cleanup, "Registry")
CALL(registry, tear_down, "Registry")
CALL(registry, dispose, "Registry")

void registry_on_greeting(town_world *world, const Greeting *message)
{
    Greeting shown = *message;
    write_call(world, "Registry:greeting(%s)", message->words);
    ck_assert_str_eq(message->words, shown.words);
}

ENTITIES(undertaker, enter, "Undertaker", people_entity)
ENTITIES(undertaker, leave, "Undertaker", people_entity)

ENTITIES(watch, execute, "Watch", people_entity)

bool watch_filter(town_world *world, people_entity entity)
{
    write_entities(world, "Watch:filter", &entity.id, 1);
    return true;
}

CALL(lamps, initialize, "Lamps")
CALL(lamps, draw, "Lamps")
CALL(lamps, on_bell, "Lamps")
ENTITIES(lamps, execute_people, "Lamps", people_entity)
ENTITIES(lamps, execute_houses, "Lamps", houses_entity)

bool lamps_filter_people(town_world *world, people_entity entity)
{
    (void)world;
    return kin_entity_creation_index(entity.id) % 2 == 1;
}

bool lamps_filter_houses(town_world *world, houses_entity entity)
{
    (void)world, (void)entity;
    return true;
}

#define GOSSIP(system, name)                                                                                           \
    void system##_on_gossip(town_world *world, const Gossip *message)                                                  \
    {                                                                                                                  \
        write_call(world, name ":gossip(%" PRId64 ")", message->number);                                               \
    }

GOSSIP(patient, "Patient")
GOSSIP(hurried, "Hurried")
GOSSIP(strict, "Strict")

void patient_on_greeting(town_world *world, const Greeting *message)
{
    write_call(world, "Patient:greeting(%s)", message->words);
}

TICK(strict, "Strict")
CALL(strict, on_bell, "Strict")
