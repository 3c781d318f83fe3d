#include "town_random.h"

uint64_t town_random_number;
bool town_random_resets, town_random_retains, town_random_updates = true, town_random_systems = true;

uint32_t town_random_below(uint32_t end)
{
    town_random_number = town_random_number * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(town_random_number >> 33) % end;
}

static const char *const names[] = {"Mayor", "Registry", "Undertaker", "Watch",  "Lamps",   "Patient",
                                    "Crier", "Strict",   "Hurried",    "market", "evening", "noon"};

static people_entity any_citizen(void)
{
    uint32_t count = 0;
    const people_entity *entities = people_entities(people, &count);
    return count == 0 ? (people_entity){0} : entities[town_random_below(count)];
}

// ---- operations

static void op_update(void)
{
    static const double deltas[] = {0, 0.05, 0.1, 0.25, 3};
    if (!town_random_updates)
        return;
    town_world_update(town, deltas[town_random_below(5)]);
}

static void op_create(void)
{
    if (town_random_below(3) > 0)
        named_citizen((int32_t)town_random_below(50));
    else
        town_citizen((int32_t)town_random_below(50));
}

static void op_destroy(void)
{
    people_entity entity = any_citizen();
    if (entity.id != 0 && kin_entity_creation_index(entity.id) > 1)
        people_destroy_entity(people, entity);
}

static void op_name(void)
{
    static const char *const texts[] = {"Ada", "Grace", "Barbara", "Radia and a longer name than those of the others"};
    people_entity entity = any_citizen();
    if (entity.id == 0)
        return;
    if (people_has_name(people, entity) && town_random_below(2) == 0)
        people_remove_name(people, entity);
    else if (people_has_name(people, entity))
        people_replace_name(people, entity, (Name){texts[town_random_below(4)]});
    else
        people_add_name(people, entity, (Name){texts[town_random_below(4)]});
}

static void op_sleep(void)
{
    people_entity entity = any_citizen();
    if (entity.id != 0)
        people_set_asleep(people, entity, town_random_below(2) == 0);
}

static void op_ghost(void)
{
    people_entity entity = any_citizen();
    if (entity.id != 0 && kin_entity_creation_index(entity.id) > 1 && town_random_below(4) == 0)
        people_set_ghost(people, entity, true);
}

static void op_rings(void)
{
    people_entity entity = any_citizen();
    if (entity.id == 0)
        return;
    if (people_has_rings(people, entity))
        people_remove_rings(people, entity);
    else
        people_add_rings(people, entity, (Rings){(int32_t)town_random_below(9)});
}

static void op_stash(void)
{
    people_entity entity = any_citizen();
    if (entity.id == 0)
        return;
    if (people_has_purse(people, entity))
        people_stash_purse(people, entity);
    else if (people_has_stashed_purse(people, entity))
        people_restore_purse(people, entity);
}

static void op_house(void)
{
    uint32_t count = 0;
    const houses_entity *entities = houses_entities(houses, &count);
    if (count > 5)
        houses_destroy_entity(houses, entities[town_random_below(count)]);
    else
        houses_add_roof(houses, houses_create_entity(houses), (Roof){1});
    entities = houses_entities(houses, &count);
    if (count > 0)
        houses_set_lit(houses, entities[town_random_below(count)], town_random_below(2) == 0);
}

static void op_publish(void)
{
    switch (town_random_below(3)) {
    case 0:
        town_publish_bell(town);
        return;
    case 1:
        town_publish_gossip(town, (Gossip){town_random_below(100)});
        return;
    default:
        town_publish_greeting(town, (Greeting){.from = any_citizen(), .words = "good day"});
    }
}

static void op_enable(void)
{
    kin_systems *systems = town_world_systems(town);
    if (!town_random_systems)
        return;
    uint32_t which = town_random_below(14);
    if (which < 12)
        kin_systems_set_enabled(systems, names[which], town_random_below(3) > 0);
    else if (which == 12)
        kin_systems_activate_reactive(systems);
    else if (town_random_below(3) == 0)
        kin_systems_deactivate_reactive(systems);
}

// Sometimes also sets the seed, without a number more: tests count on those that follow.
static void set_time(uint32_t time)
{
    town_world_set_time(town, time);
    if (time % 3 == 0)
        ck_assert_int_eq(town_world_set_seed(town, time % 9), KIN_OK);
}

static void op_time(void)
{
    if (!town_random_systems)
        return;
    switch (town_random_below(4)) {
    case 0:
        town_world_push_time(town, (kin_tick){town_random_below(3), town_random_below(9), town_random_below(4)});
        return;
    case 1:
        town_world_pop_time(town);
        return;
    case 2:
        set_time(town_random_below(1000));
        return;
    default:
        town_world_draw(town);
    }
}

static void op_retain(void)
{
    static int owner;
    people_entity entity = any_citizen();
    if (entity.id == 0 || !town_random_retains)
        return;
    log_write("%d ", people_retain_entity(people, entity, &owner));
    if (town_random_below(2) == 0)
        log_write("%d ", people_release_entity(people, entity, &owner));
}

static void op_reset(void)
{
    if (town_random_resets && town_random_below(10) == 0)
        log_write("%d ", town_world_reset(town));
    else if (town_random_resets && town_random_below(10) == 0)
        log_write("%d ", people_context_reset(people));
}

static void (*const operations[])(void) = {op_update, op_update, op_update, op_create,  op_create,  op_destroy,
                                           op_name,   op_sleep,  op_ghost,  op_rings,   op_stash,   op_house,
                                           op_enable, op_time,   op_retain, op_publish, op_publish, op_reset};

void town_random_go_on(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        operations[town_random_below(sizeof operations / sizeof *operations)]();
}
