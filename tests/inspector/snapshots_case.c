#include "snapshots_case.h"

people_entity one;

void snapshots_begin_with(kin_inspector_options options)
{
    inspect_town_begin_with(&options);
    one = town_citizen(30);
}

void snapshots_begin(void)
{
    snapshots_begin_with(inspect_options());
}

void snapshots_end(void)
{
    inspect_town_end();
}

void update_times(int count)
{
    for (int i = 0; i < count; i++)
        town_world_update(town, 1);
}

int32_t years(void)
{
    return people_get_age(town->contexts->people, one)->years;
}

void set_years(int32_t value)
{
    people_edit_age(town->contexts->people, one)->years = value;
}

uint64_t frame_now(void)
{
    return kin_world_tick(town_world_base(town)).frame;
}

void fill_town(void)
{
    for (int i = 0; i < 2000; i++)
        people_add_step(town->contexts->people, town_citizen(i), (Step){i, i});
}

void change_town(void)
{
    people_context *people = town->contexts->people;
    for (uint32_t slot = 1; slot <= 2000; slot++) {
        people_entity entity = {kin_look_entity(&people->base, slot)};
        people_edit_age(people, entity)->years += 1;
        people_replace_step(people, entity, (Step){1, people_get_age(people, entity)->years});
    }
}
