// A world and its place in the network, and what a player does there.
#ifndef PLAYER_H
#define PLAYER_H

#include "square.h"

enum { RATE = 60 }; // updates a second

typedef struct process {
    plaza_world *world;
    square square;
    kin_transport *transport;
    kin_session *session;
    int32_t zone; // around which the host shows the square, or the player wants to see it
    int32_t wait; // frames until it says hello again
} process;

// Follows the host of a transport, and sees what one sees where players begin. False without memory.
bool player_begin(process *player, kin_transport *transport);

// Shows a peer of a host the zones around its player, and nothing else, if the player is in another zone than `*zone`.
void process_show(process *host, uint32_t peer, int32_t *zone);

// Ends its world, its session and its transport.
void process_end(process *process);

// A player is in the square when the host has taken its hello, which may be lost. It is sent again now and then.
bool player_is_here(process *player, const char *name);

// Where the own player is. It must be here.
Vec2 player_place(const process *player);

// Walks to the nearest coin in sight.
void player_walk_to_coin(process *player);

// Walks the way of an arrow; the space stops.
void player_obey(process *player, int key);

#endif
