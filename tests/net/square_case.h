// Square case: worlds of package square in one process, each with a session, on ends of a network in memory.
//
// A square is a world and what its systems were given. All are updated by square_step: the host first, then the
// replicas in the order in which they began.
#ifndef KIN_TESTS_NET_SQUARE_CASE_H
#define KIN_TESTS_NET_SQUARE_CASE_H

#include "runtime/support/support.h"

#include <square/square.h>
#include <square/square_net.h>

#include <check.h>

enum { SQUARE_MOST = 8, SQUARE_SHAKES = -1 }; // an Inner with this number makes the host publish a tremor

typedef struct square {
    square_world *world;
    market_context *market;
    kin_session *session;
    kin_transport *transport;
    error_log errors;
    uint32_t steers, walks, spawns, draws, speeches, booms, tremors; // calls of its systems
    uint64_t drawn_frame;                                            // the frame of the last draw
    Order last_order;
    Speech last_speech;
    Boom last_boom;
} square;

extern square squares[SQUARE_MOST]; // the host, then the replicas
extern uint32_t square_count;

// Begins a network; the options may be NULL. The host's world has no entities.
void square_begin(const kin_memory_options *network, const kin_session_options *options);

// The same on another network. The first square is the host, or there is none.
square *square_host(kin_transport *transport, const kin_session_options *options);
square *square_follow(kin_transport *transport, const kin_session_options *options);
square *square_stand_by(kin_transport *transport, const kin_session_options *options);

// Adds a replica.
square *square_join(const kin_session_options *options);

// Updates all worlds, and lets a step of time pass on the network.
void square_step(void);
void square_steps(uint32_t count);

// Ends all, and checks that no error is left.
void square_end(void);

// How the session fares.
kin_session_numbers square_state(const square *square);
bool square_has_role(const square *square, kin_session_role role);

// Returns the hash of a world.
uint64_t square_hash(const square *square);

// Creates a unit at the host.
market_entity square_unit(float x, float y, int32_t zone);

// Checks that a replica has exactly what it should have of the host: the entities of the zones, or all for NULL.
void square_check(const square *replica, const int32_t *zones, uint32_t count);

#endif
