// Tools: a robot holds each in a socket of a gripper.
#ifndef ROBOTS_TOOLS_H
#define ROBOTS_TOOLS_H

#include <robots/robots.h>

// Subscribes to lost tools: a tool that is no longer held lies where its gripper is, or was.
void tools_begin(game_context *game);

// Puts a tool into a socket, from the floor or from another socket. Returns KIN_ERROR_INVALID if the gripper has no
// such socket, and KIN_ERROR_DUPLICATE_KEY if another tool is in it.
kin_status tools_hold(game_context *game, game_entity tool, game_entity gripper, uint8_t socket);

#endif
