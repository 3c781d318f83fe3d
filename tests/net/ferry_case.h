// Ferry case: worlds of three versions of package ferry in one process, each with a session, on a network in memory.
//
// The packages are ferry1, ferry2 and ferry3, as one program cannot have two of one name; their tables say 'ferry'. A
// ferry is a world and what its systems were given. The first one is the host.
#ifndef KIN_TESTS_NET_FERRY_CASE_H
#define KIN_TESTS_NET_FERRY_CASE_H

#include "runtime/support/support.h"

#include <ferry1/ferry1.h>
#include <ferry1/ferry1_net.h>
#include <ferry2/ferry2.h>
#include <ferry2/ferry2_net.h>
#include <ferry3/ferry3.h>
#include <ferry3/ferry3_net.h>

#include <check.h>

enum { FERRY_MOST = 4 };

typedef enum ferry_version { FERRY_FIRST, FERRY_SECOND, FERRY_THIRD } ferry_version;

typedef struct ferry {
    ferry_version version;
    first_ferry1_world *first; // the one of its version, others NULL
    second_ferry2_world *second;
    third_ferry3_world *third;
    kin__net_info info;
    kin_session *session;
    kin_transport *transport;
    error_log errors;
    uint32_t steers, hails, horns, bells; // calls of its systems
    first_Steer first_steer;
    first_Hail first_hail;
    first_Horn first_horn;
    first_Bell first_bell;
    second_Steer second_steer;
    third_Horn third_horn;
    third_Bell third_bell;
} ferry;

extern ferry ferries[FERRY_MOST];
extern kin_session_options ferry_options; // of hosts
extern kin_allocator ferry_allocator;     // of worlds that begin

// Returns the table of a version, with another name of the package.
kin__net_info ferry_info(ferry_version version, const char *package);

// Begin a network with a host, and follow it. The world of the host has no entities.
void ferry_begin(ferry_version version, const kin_memory_options *network);
void ferry_begin_on(ferry_version version, kin_transport *transport);

// Ends the host, and begins another one of a version at its place, with an empty world.
void ferry_replace_host(ferry_version version);
ferry *ferry_join(ferry_version version);
ferry *ferry_join_as(ferry_version version, const char *package);
ferry *ferry_join_on(ferry_version version, kin_transport *transport);

// Fills the host, which is of the first or second version, and changes it by chance.
void ferry_fill(void);
void ferry_stir(uint32_t round);

void ferry_update(ferry *ferry);
void ferry_steps(uint32_t count);

// Ends all, and checks that no error is left.
void ferry_end(void);

kin_session_numbers ferry_state(const ferry *ferry);
uint32_t ferry_count(const ferry *ferry); // its entities

// Checks that a replica has what both versions know of the host, and the defaults of what it alone knows.
void ferry_check(const ferry *replica);

// Makes a frame of the host, and applies it to the replica's state with so many faults. Returns how many were refused.
uint32_t ferry_damage(ferry *replica, uint32_t faults);

#endif
