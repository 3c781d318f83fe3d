#include "twice_case.h"

#include "store/store.h"

enum { LOG_SIZE = 1 << 14 };

people_context *people;
houses_context *houses;
kin_snapshot *saved_town;

static char first_log[LOG_SIZE];

static void use(town_world *world)
{
    town = world;
    people = town->contexts->people;
    houses = town->contexts->houses;
}

void twice_begin(void)
{
    town_begin();
    use(town);
    saved_town = NULL;
}

void twice_end(void)
{
    kin_snapshot_destroy(saved_town);
    town_end();
}

town_world *twice_other(void)
{
    town_world *former = town;
    kin_context_options options = people->base.core->options;
    use(town_world_create(&options, NULL));
    return former;
}

void twice_back(town_world *former)
{
    town_world_destroy(town);
    use(former);
}

void listen_to_all(void)
{
    town_listen("Mayor Crier Aging Clock Registry Undertaker Watch Lamps Patient Hurried Strict");
}

void save(void)
{
    ck_assert_int_eq(town_world_save(town, &saved_town), KIN_OK);
}

void restore(kin_restore_mode mode)
{
    ck_assert_int_eq(town_world_restore(town, saved_town, mode), KIN_OK);
}

const char *play_twice(void (*play)(void))
{
    save();
    listen_to_all();
    play();
    ck_assert_uint_lt(strlen(log_text()), LOG_SIZE);
    strcpy(first_log, log_text());
    restore(KIN_RESTORE_EXACTLY);
    listen_to_all();
    play();
    ck_assert_str_eq(log_text(), first_log);
    return first_log;
}

people_entity named_citizen(int32_t years)
{
    people_entity entity = town_citizen(years);
    people_add_name(people, entity, (Name){"Ada"});
    people_add_purse(people, entity, (Purse){years * 10});
    people_add_step(people, entity, (Step){years, 0.5});
    return entity;
}

people_entity citizen_of(uint32_t number)
{
    return people_entities(people, &(uint32_t){0})[number];
}

void update(void)
{
    town_world_update(town, 0.1);
}

void update_four_times(void)
{
    kin_tick tick = town_world_tick(town);
    log_write("%g %g ", tick.delta, tick.time);
    for (uint32_t i = 0; i < 4; i++)
        update();
}

void change_and_update(void)
{
    if (people_entity_count(people) > 1) {
        people_replace_age(people, citizen_of(0), (Age){77});
        people_destroy_entity(people, citizen_of(1));
    }
    town_citizen(20);
    update();
    update();
}

void write_names(town_world *world)
{
    for (uint32_t i = 0; i < 3; i++) {
        const Name *name = undertaker_left_name(world, i);
        log_write("%s ", name == NULL ? "?" : name->text);
    }
}
