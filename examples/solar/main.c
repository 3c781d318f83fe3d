// A solar system in a terminal: planets with moons, and ships that leave one planet for another.
//
//   solar          shows the sky day by day, until you press Control-C
//   solar > file   prints the days of the story in main

#include "sky.h"

#include <solar/solar.h>

#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const float turn = 6.2831853f;

// ---- systems

void revolve_update(solar_world *world, revolve_iter *it, const kin_tick *tick)
{
    (void)world;
    while (revolve_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            it->orbit[i].angle += turn * (float)tick->delta / it->orbit[i].period;
}

// A ship that reaches its target enters its orbit: the tree changes.
static void arrive(space_context *space, space_entity ship)
{
    space_entity target = space_get_course(space, ship)->to;
    space_remove_arrival(space, ship);
    if (!space_entity_is_alive(space, target)) {
        printf("%s drifts on\n", space_get_name(space, ship)->text);
        return;
    }
    space_replace_orbits(space, ship, (Orbits){target});
    space_replace_orbit(space, ship, (Orbit){.radius = 1.6f, .period = 8});
    space_remove_course(space, ship);
}

void arrive_update(solar_world *world, arrive_iter *it, const kin_tick *tick)
{
    while (arrive_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            if (it->arrival[i].day <= tick->frame)
                arrive(world->contexts->space, arrive_at(it, i));
}

// Visits each center before the bodies that circle it, so the position of the center is already today's.
void locate_update(solar_world *world, locate_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    while (locate_next(it)) {
        float x = it->parent_place == NULL ? 0 : it->parent_place->x;
        float y = it->parent_place == NULL ? 0 : it->parent_place->y;
        it->place->x = x + it->orbit->radius * cosf(it->orbit->angle);
        it->place->y = y + it->orbit->radius * sinf(it->orbit->angle);
    }
}

void draw_draw(solar_world *world)
{
    sky_draw(world->contexts->space);
}

// ---- the story

static space_entity add(space_context *space, Name name, space_entity center, Orbit orbit)
{
    space_entity body = space_spawn_body(space);
    space_replace_name(space, body, name);
    space_replace_orbits(space, body, (Orbits){center});
    space_replace_orbit(space, body, orbit);
    return body;
}

// The ship leaves its center and circles the sun until it arrives.
static void depart(space_context *space, space_entity ship, space_entity to, uint64_t day)
{
    Orbit orbit = {.radius = 9, .period = 90, .angle = space_get_orbit(space, ship)->angle};
    space_replace_orbits(space, ship, (Orbits){space_satellites_root(space, ship)});
    space_replace_orbit(space, ship, orbit);
    space_add_course(space, ship, (Course){to});
    space_add_arrival(space, ship, (Arrival){day});
}

typedef struct actors {
    space_entity sun, earth, mars, ferry, liner;
} actors;

static void begin(space_context *space, actors *actors)
{
    actors->sun = add(space, (Name){"Sun", '*'}, SPACE_NO_ENTITY, (Orbit){.period = 1});
    add(space, (Name){"Venus", 'v'}, actors->sun, (Orbit){3.5f, 45, 2});
    actors->earth = add(space, (Name){"Earth", 'E'}, actors->sun, (Orbit){7, 73, 4});
    actors->mars = add(space, (Name){"Mars", 'm'}, actors->sun, (Orbit){11, 137, 1});
    space_entity moon = add(space, (Name){"Moon", '.'}, actors->earth, (Orbit){1.5f, 27, 0});
    actors->ferry = add(space, (Name){"Ferry", 'f'}, moon, (Orbit){0.6f, 5, 0});
    actors->liner = add(space, (Name){"Liner", 'l'}, actors->mars, (Orbit){1.2f, 6, 0});
}

static void act(space_context *space, const actors *actors, uint64_t day)
{
    if (day == 10)
        depart(space, actors->ferry, actors->mars, 40); // from the moon
    if (day == 60)
        depart(space, actors->liner, actors->earth, 90);
    if (day != 80)
        return;
    uint32_t before = space_entity_count(space);
    printf("Earth is destroyed; ships on their way to it: %u\n", (unsigned)space_visitors_count(space, actors->earth));
    space_destroy_entity(space, actors->earth); // and its moon with it
    printf("%u bodies are gone\n", (unsigned)(before - space_entity_count(space)));
}

// Prints the tree: each body below its center.
static void print_tree(const space_context *space, space_entity root)
{
    space_satellites_walk walk = space_satellites_walk_from(space, root);
    while (space_satellites_walk_next(&walk)) {
        const Course *course = space_get_course(space, walk.entity);
        const char *note = course == NULL ? "" : space_entity_is_alive(space, course->to) ? ", under way" : ", adrift";
        printf("%*s%s%s\n", (int)(2 * walk.depth), "", space_get_name(space, walk.entity)->text, note);
    }
}

static void show(solar_world *world, const actors *actors, bool is_terminal)
{
    printf(is_terminal ? "\033[H\033[2J" : "\n");
    printf("day %u\n", (unsigned)solar_world_tick(world).frame);
    solar_world_draw(world);
    print_tree(world->contexts->space, actors->sun);
    fflush(stdout);
    if (is_terminal)
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
}

int main(void)
{
    bool is_terminal = isatty(STDOUT_FILENO);
    solar_world *world = solar_world_create(NULL, NULL);
    if (world == NULL)
        return 1;
    actors actors;
    begin(world->contexts->space, &actors);
    for (uint64_t day = 0; is_terminal || day <= 100; day++) {
        act(world->contexts->space, &actors, day);
        solar_world_update(world, 1);
        if (is_terminal || day % 50 == 0)
            show(world, &actors, is_terminal);
    }
    solar_world_destroy(world);
    return 0;
}
