#include "town_chance.h"

uint64_t chance_number;

uint32_t chance_below(uint32_t end)
{
    chance_number = chance_number * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(chance_number >> 33) % end;
}

static const char *const names[] = {"Mayor", "Registry", "Undertaker", "Watch",  "Lamps",   "Patient",
                                    "Crier", "Strict",   "Hurried",    "market", "evening", "noon"};

static people_entity any_citizen(void)
{
    uint32_t count = 0;
    const people_entity *entities = people_entities(people, &count);
    return count == 0 ? (people_entity){0} : entities[chance_below(count)];
}

// ---- operations

static void op_update(void)
{
    static const double deltas[] = {0, 0.05, 0.1, 0.25, 3};
    town_world_update(town, deltas[chance_below(5)]);
}

static void op_create(void)
{
    if (chance_below(3) > 0)
        named_citizen((int32_t)chance_below(50));
    else
        town_citizen((int32_t)chance_below(50));
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
    if (people_has_name(people, entity) && chance_below(2) == 0)
        people_remove_name(people, entity);
    else if (people_has_name(people, entity))
        people_replace_name(people, entity, (Name){texts[chance_below(4)]});
    else
        people_add_name(people, entity, (Name){texts[chance_below(4)]});
}

static void op_sleep(void)
{
    people_entity entity = any_citizen();
    if (entity.id != 0)
        people_set_asleep(people, entity, chance_below(2) == 0);
}

static void op_ghost(void)
{
    people_entity entity = any_citizen();
    if (entity.id != 0 && kin_entity_creation_index(entity.id) > 1 && chance_below(4) == 0)
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
        people_add_rings(people, entity, (Rings){(int32_t)chance_below(9)});
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
        houses_destroy_entity(houses, entities[chance_below(count)]);
    else
        houses_add_roof(houses, houses_create_entity(houses), (Roof){1});
    entities = houses_entities(houses, &count);
    if (count > 0)
        houses_set_lit(houses, entities[chance_below(count)], chance_below(2) == 0);
}

static void op_publish(void)
{
    switch (chance_below(3)) {
    case 0:
        town_publish_bell(town);
        return;
    case 1:
        town_publish_gossip(town, (Gossip){chance_below(100)});
        return;
    default:
        town_publish_greeting(town, (Greeting){.from = any_citizen(), .words = "good day"});
    }
}

static void op_enable(void)
{
    kin_systems *systems = town_world_systems(town);
    uint32_t which = chance_below(14);
    if (which < 12)
        kin_systems_set_enabled(systems, names[which], chance_below(3) > 0);
    else if (which == 12)
        kin_systems_activate_reactive(systems);
    else if (chance_below(3) == 0)
        kin_systems_deactivate_reactive(systems);
}

static void op_time(void)
{
    switch (chance_below(4)) {
    case 0:
        town_world_push_time(town, (kin_tick){chance_below(3), chance_below(9), chance_below(4)});
        return;
    case 1:
        town_world_pop_time(town);
        return;
    case 2:
        town_world_set_time(town, chance_below(1000));
        return;
    default:
        town_world_draw(town);
    }
}

static void op_retain(void)
{
    static int owner;
    people_entity entity = any_citizen();
    if (entity.id == 0)
        return;
    log_write("%d ", people_retain_entity(people, entity, &owner));
    if (chance_below(2) == 0)
        log_write("%d ", people_release_entity(people, entity, &owner));
}

static void op_reset(void)
{
    if (chance_below(10) == 0)
        log_write("%d ", town_world_reset(town));
    else if (chance_below(10) == 0)
        log_write("%d ", people_context_reset(people));
}

typedef struct operation {
    void (*play)(void);
    uint32_t kind; // of CHANCE_…, or 0
} operation;

static const operation operations[] = {
    {op_update, CHANCE_UPDATES}, {op_update, CHANCE_UPDATES}, {op_update, CHANCE_UPDATES}, {op_create, 0},
    {op_create, 0},              {op_destroy, 0},             {op_name, 0},                {op_sleep, 0},
    {op_ghost, 0},               {op_rings, 0},               {op_stash, 0},               {op_house, 0},
    {op_enable, CHANCE_SYSTEMS}, {op_time, CHANCE_SYSTEMS},   {op_retain, CHANCE_RETAINS}, {op_publish, 0},
    {op_publish, 0},             {op_reset, CHANCE_RESETS}};

void chance_play(uint32_t count, uint32_t kinds)
{
    while (count-- > 0) {
        const operation *operation = &operations[chance_below(sizeof operations / sizeof *operations)];
        if (operation->kind == 0 || (operation->kind & kinds) != 0)
            operation->play();
    }
}
