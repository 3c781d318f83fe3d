/// A transport over NATS, a broker, with JetStream: worlds in processes of many machines. A separate library, libkin-nats,
/// which needs libkin-net and libnats.
///
///     kin_transport *transport = kin_nats_transport_create(&(kin_nats_options){.app = "arena", .world = "square"});
///     kin_session *session = arena_world_follow(world, transport, NULL);
///     …
///     transport->end(transport);
///
/// The transport is shared: what a host sends reaches all that listen, in order, and the broker keeps it for those that
/// join. Nothing of it waits for the network but create and `end`: two threads of the transport do. While the broker is
/// out of reach, the transport tries to connect again and again, what is sent is lost, and worlds go on.
///
/// Who may connect, and what an account may send and see, is the broker's to decide: by its accounts, permissions and
/// TLS. docs/network.md has a configuration.
///
/// On the broker everything of a world is below `kin.APP.WORLD`: `frame`, `frame.ZONE`, `full`, `full.ZONE`, `tick`,
/// `record.EPOCH`, `own.PEER`, `in.PEER` and `inbox.PEER`. The stream `KIN_APP` keeps frames, ticks and recordings, in
/// memory, and the bucket `kin_APP` has the lease of each world, on disk. Hosts create both.
#ifndef KIN_NATS_H
#define KIN_NATS_H

#include <kin/net.h>

KIN_BEGIN_DECLARATIONS

/// How to reach a world on a broker. Strings are copied. NULL or zeroes: as written here.
typedef struct kin_nats_options {
    const char *url;         ///< such as "nats://host:4222" or "tls://host"; several with commas; NULL: this machine
    const char *app;         ///< the name of the program, 1 to 32 of A-Z, a-z, 0-9, '-' and '_'
    const char *world;       ///< the name of the world, likewise
    const char *domain;      ///< the domain of JetStream, behind a leaf node; NULL: none
    uint32_t peer;           ///< the number of a replica, if its account has a certain one; 0: any
    const char *user;        ///< with `password`; NULL: what the URL has, or none
    const char *password;    ///< of `user`
    const char *credentials; ///< a file with the JWT and the key of a user; NULL: none
    const char *ca;          ///< a file with the certificates to trust, which turns TLS on; NULL: those of the system
    const char *certificate; ///< with `key`: a file with the own certificate; NULL: none
    const char *key;         ///< the file with the key of `certificate`
    uint32_t connect_ms;     ///< how long create waits for the broker; 0: 2000
    uint32_t keep_ms;        ///< of a host: how long the broker keeps frames for those that join; 0: 15000
    /// Called for each error: by create, and later by `next`, so on the thread of the world. NULL: writes to stderr.
    void (*on_error)(const kin_error *error, void *user);
    void *error_user; ///< passed to on_error and never read
} kin_nats_options;

/// Connects to a broker. The same transport is for a host and for a replica, and for one session at a time. Its `end`
/// waits until what was sent has left, at most a second.
///
/// Returns NULL, after a report: KIN_ERROR_INVALID for NULL and names that have other characters; KIN_ERROR_STREAM if
/// no broker answers, or it refuses, or files cannot be read; KIN_ERROR_NO_MEMORY. The transport stays until its `end`.
/// Cost: waits for the broker.
KIN_API kin_transport *kin_nats_transport_create(const kin_nats_options *options);

/// Returns whether the broker is in reach now. False for NULL and for a transport of another kind.
/// Cost: a lock.
KIN_API bool kin_nats_is_connected(const kin_transport *transport);

KIN_END_DECLARATIONS

#endif
