/// A transport over ENet: datagrams between a host and its replicas, without a broker. ENet does not encrypt, and asks
/// nobody for a name: use it in a local network or a VPN, or let players know that others can read and forge what they
/// send. A separate library, libkin-enet, which needs libkin-net and libenet.
///
///     kin_transport *here = kin_enet_host_transport(7777, 16);              // at the host
///     kin_transport *there = kin_enet_transport("game.example", 7777);      // at a replica
///
/// The transport is not shared: each replica gets frames of its own, against the state that it has acknowledged. What
/// is lost is not sent again, but for the full frames that a replica begins with. A thread of the transport sends and
/// receives; nothing waits for the network but `end`, at most a moment. Datagrams have at most 1,400 bytes, and IPv4.
///
/// The host gives each replica its number. A replica whose connection is lost connects again and again. If the host is
/// the same and still has a place for it, it has the number that it had, and goes on. Otherwise it has another number,
/// and begins with full frames. Until the host has answered, what is sent is lost, and `peer` of the transport is 0.
#ifndef KIN_ENET_H
#define KIN_ENET_H

#include <kin/net.h>

KIN_BEGIN_DECLARATIONS

/// Creates the transport of a host, on a port of all addresses of this machine. 0: any free port, see kin_enet_port. At
/// most `peers` replicas are connected at once, from 1 to 4095; others are told that the host is full, and try again.
///
/// Returns NULL, after a line on stderr, if the number of peers is out of range, the port is taken, or out of memory.
KIN_API kin_transport *kin_enet_host_transport(uint16_t port, uint32_t peers);

/// Creates the transport of a replica, which connects to a host. The address is a name or four numbers with dots, and
/// is copied. The host need not be there yet. `end` waits for a look-up of the name that has begun.
///
/// Returns NULL, after a line on stderr, for NULL, an address that is empty or longer than 255 bytes, and port 0, and
/// when out of memory.
KIN_API kin_transport *kin_enet_transport(const char *address, uint16_t port);

/// Returns the port of a host's transport. 0 for NULL, the transport of a replica, and transports of another kind.
KIN_API uint16_t kin_enet_port(const kin_transport *transport);

/// Returns whether a replica is connected to its host now, or whether a host has a replica. False for NULL and for
/// transports of another kind. Cost: a lock.
KIN_API bool kin_enet_is_connected(const kin_transport *transport);

/// Says who is told why a replica cannot connect or has lost its connection, by `next`, so on the thread of the world.
/// At first, and for NULL, that is written to stderr. Does nothing for NULL and for transports of another kind.
KIN_API void kin_enet_on_error(kin_transport *transport, void (*on_error)(const kin_error *error, void *user),
                               void *user);

KIN_END_DECLARATIONS

#endif
