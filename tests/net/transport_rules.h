// The rules that every transport must pass. Who writes one runs them:
//
//     transport_rules(&(transport_maker){begin, join, wait});
#ifndef KIN_TESTS_NET_TRANSPORT_RULES_H
#define KIN_TESTS_NET_TRANSPORT_RULES_H

#include <kin/net.h>

typedef struct transport_maker {
    kin_transport *(*begin)(void); // makes the end of a host, on a network of its own
    kin_transport *(*join)(void);  // makes the end of the next peer
    void (*wait)(void);            // returns when what was sent had time to arrive
} transport_maker;

void transport_rules(const transport_maker *maker);

#endif
