// Courier: carries datagrams between replicas and a host on this machine, and loses some of them, by a seed. A thread.
#ifndef KIN_TESTS_ENET_COURIER_H
#define KIN_TESTS_ENET_COURIER_H

#include <stdbool.h>
#include <stdint.h>

// Begins to carry to a port of this machine. Returns the port that replicas connect to.
uint16_t courier_begin(uint16_t port, uint64_t seed);

// Says how many of 100 datagrams are lost from now on, in each direction, and of how many a copy with a wrong bit is
// sent too. 100: the network is cut.
void courier_treat(uint32_t loss, uint32_t wrong);

// Carries to another port from now on.
void courier_point(uint16_t port);

// Returns how many datagrams it has carried and lost.
uint32_t courier_carried(void);
uint32_t courier_lost(void);

void courier_end(void);

#endif
