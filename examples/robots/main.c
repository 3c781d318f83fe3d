// Robots that are built of parts: one loses an arm and all parts mounted on it, the other is scrapped. The tools that
// they held remain.

#include "show.h"
#include "tools.h"

#include <robots/robots.h>

#include <stdio.h>

static void set_up(game_context *game, game_entity robot, Name name, Offset offset)
{
    game_replace_name(game, robot, name);
    game_replace_offset(game, robot, offset);
}

// Makes a tool, and puts it into the socket.
static void equip(game_context *game, game_entity gripper, uint8_t socket, Name name)
{
    game_entity tool = game_spawn_tool_with(game, (game_tool_value){.name = name, .given = {.name = true}});
    if (tools_hold(game, tool, gripper, socket) == KIN_OK)
        return;
    printf("The %s does not fit: there is no free socket %d.\n", name.text, socket);
    game_destroy_entity(game, tool);
}

// Destroys a part or a whole robot, with all parts mounted on it.
static void scrap(game_context *game, game_entity part)
{
    uint32_t before = game_entity_count(game);
    if (game_destroy_entity(game, part) == KIN_OK)
        printf("%u parts are gone.\n", (unsigned)(before - game_entity_count(game)));
}

// ---- the story

static void begin(game_context *game, const game_robot_parts *bolt, const game_loader_parts *rusty)
{
    set_up(game, bolt->entity, (Name){"Bolt"}, (Offset){10, 0});
    equip(game, bolt->torso.left.gripper.entity, 0, (Name){"drill"});
    equip(game, bolt->torso.right.gripper.entity, 0, (Name){"lamp"});
    equip(game, bolt->torso.right.gripper.entity, 1, (Name){"ladder"});
    set_up(game, rusty->entity, (Name){"Rusty"}, (Offset){20, 0});
    equip(game, rusty->torso.right.gripper.entity, 0, (Name){"saw"});
    equip(game, rusty->torso.right.gripper.entity, 1, (Name){"hammer"});
    game_replace_aim(game, bolt->head.entity, (Aim){rusty->torso.right.entity});
    game_replace_aim(game, rusty->head.entity, (Aim){bolt->torso.left.gripper.entity});
}

static void play(robots_world *world, const game_robot_parts *bolt, const game_loader_parts *rusty)
{
    game_context *game = world->contexts->game;
    begin(game, bolt, rusty);
    robots_world_update(world, 1);
    show(game);
    printf("\nRusty moves, and loses its long arm. ");
    game_replace_offset(game, rusty->entity, (Offset){30, 0});
    robots_world_update(world, 1);
    scrap(game, rusty->torso.right.entity);
    show(game);
    printf("\nBolt gives its drill away and is scrapped. ");
    game_entity drill = game_entity_with_tool_in(game, bolt->torso.left.gripper.entity, 0);
    if (tools_hold(game, drill, rusty->torso.left.gripper.entity, 0) == KIN_OK)
        scrap(game, bolt->entity);
    show(game);
}

int main(void)
{
    robots_world *world = robots_world_create(NULL, NULL);
    if (world == NULL)
        return 1;
    game_context *game = world->contexts->game;
    game_robot_parts bolt;
    game_loader_parts rusty;
    tools_begin(game);
    bool is_built = game_entity_is_alive(game, game_spawn_robot_parts(game, &bolt)) &&
                    game_entity_is_alive(game, game_spawn_loader_parts(game, &rusty));
    if (is_built)
        play(world, &bolt, &rusty);
    robots_world_destroy(world);
    return is_built ? 0 : 1;
}
