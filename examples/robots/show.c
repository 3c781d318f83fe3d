#include "show.h"

#include <stdio.h>

static const char *name_of(game_context *game, game_entity entity)
{
    const Name *name = game_get_name(game, entity);
    return name == NULL ? "" : name->text;
}

static void show_tools(game_context *game, game_entity gripper)
{
    uint8_t count = game_get_sockets(game, gripper)->count;
    for (uint8_t socket = 0; socket < count; socket++) {
        game_entity tool = game_entity_with_tool_in(game, gripper, socket);
        printf(" [%s]", game_entity_is_alive(game, tool) ? name_of(game, tool) : "");
    }
}

static void show_aim(game_context *game, game_entity head)
{
    game_entity at = game_get_aim(game, head)->at;
    if (game_entity_is_alive(game, at))
        printf(" looks at the %s of %s", name_of(game, at), name_of(game, game_parts_root(game, at)));
}

// A robot is the root of a tree: each part comes after the part that it is mounted on.
static void show_robot(game_context *game, game_entity robot)
{
    game_parts_walk walk = game_parts_walk_from(game, robot);
    while (game_parts_walk_next(&walk)) {
        const Place *place = game_get_place(game, walk.entity);
        printf("%*s%s (%d, %d)", (int)(2 * walk.depth), "", name_of(game, walk.entity), (int)place->x, (int)place->y);
        if (game_has_sockets(game, walk.entity))
            show_tools(game, walk.entity);
        if (game_has_aim(game, walk.entity))
            show_aim(game, walk.entity);
        printf("\n");
    }
}

void show(game_context *game)
{
    uint32_t robots, tools;
    const game_entity *robot = game_robots_entities(game, &robots);
    for (uint32_t i = 0; i < robots; i++)
        show_robot(game, robot[i]);
    const game_entity *tool = game_lying_entities(game, &tools);
    for (uint32_t i = 0; i < tools; i++) {
        const Place *place = game_get_place(game, tool[i]);
        printf("%s on the floor (%d, %d)\n", name_of(game, tool[i]), (int)place->x, (int)place->y);
    }
}
