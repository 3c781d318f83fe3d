/// One world in many processes: a host updates the world, and replicas get what differs between two snapshots of it. A
/// separate library, libkin-net, which needs libkin-save.
///
///     kin_transport *transport = kin_memory_transport_create(NULL);
///     kin_session *session = arena_world_host(world, transport, NULL);
///     …
///     arena_world_update(world, 1.0 / 60);
///
/// A session hangs on a world, as a recorder does. An update of a host takes the messages of replicas before it, and
/// sends frames after it. An update of a replica takes frames, shows the newest one, and runs the systems that replicas
/// run. What of a package is sent, and where its systems run, is in its schema: `replicate`, `zone`, `peer`, `from`,
/// `to` and `runs`.
///
/// A peer can send messages with `from: replica`, and nothing else. Kin does not encrypt and does not ask who somebody
/// is: the broker does, or the transport.
#ifndef KIN_NET_H
#define KIN_NET_H

#include <kin/frame.h>
#include <kin/save.h>

KIN_BEGIN_DECLARATIONS

// ---- transports

/// What bytes on a transport are about.
typedef enum kin_topic_kind {
    KIN_TOPIC_FRAME, ///< from the host: what changes in a zone
    /// From the host: all of a zone, on a shared transport. To one peer: the frames that it begins with, which a
    /// transport that loses bytes should send again until they arrive.
    KIN_TOPIC_FULL,
    KIN_TOPIC_OWN,    ///< from the host: what one peer alone gets
    KIN_TOPIC_TICK,   ///< from the host: which frames an update has
    KIN_TOPIC_RECORD, ///< from the host: the recording
    KIN_TOPIC_IN      ///< from a peer: its messages, acknowledgements and wishes
} kin_topic_kind;

/// A topic: a transport delivers bytes to all that listen to it.
typedef struct kin_topic {
    kin_topic_kind kind; ///< what the bytes are about
    int32_t zone;        ///< of KIN_TOPIC_FRAME and KIN_TOPIC_FULL
    bool has_no_zone;    ///< instead of a zone: what has none, which all see
    bool has_every_zone; ///< only to listen, on a shared transport: all zones
    uint32_t peer;       ///< of KIN_TOPIC_OWN and KIN_TOPIC_IN: the peer's number; of the host's KIN_TOPIC_IN 0: all
    uint32_t epoch;      ///< of KIN_TOPIC_RECORD: that of the host; to listen, 0: all
    bool is_key;         ///< only to send, of KIN_TOPIC_RECORD: one can begin with these bytes
} kin_topic;

/// Bytes that arrived.
typedef struct kin_arrival {
    kin_topic topic;   ///< where they were sent
    uint32_t peer;     ///< the sender, which the transport vouches for; 0: the host
    const void *bytes; ///< valid until the next call of `next` or `end`
    size_t size;       ///< number of them
} kin_arrival;

/// The right to be the host of a world. Each holder has a larger epoch than the ones before, also if it had the lease
/// before.
typedef struct kin_lease {
    uint32_t epoch;    ///< out: that of the caller, if it holds the lease
    bool is_held;      ///< out: the caller holds it
    bool gives_up;     ///< in: the caller gives it away
    uint32_t lasts_ms; ///< in: how long the lease is to last without being renewed
    uint32_t after_ms; ///< in: the caller takes it only after it has been free for that long
    bool is_given_up;  ///< in: the caller has heard that the holder gives it away, and asks at once
    uint64_t left_ms;  ///< out: how long it lasts
} kin_lease;

/// Who carries bytes: a table of functions. An adapter is one file. All functions are called on the thread of the
/// world.
typedef struct kin_transport {
    const char *name; ///< such as "memory", for messages
    bool is_shared;   ///< one send reaches all that listen, in order, and is kept for those that join
    uint32_t most;    ///< bytes of one send, at least 512
    /// The own number: of a replica, which the host and others know it by; 0: not known yet. `next` may change it: then
    /// the replica has met another host, and begins with full frames.
    uint32_t peer;
    /// Queues bytes, or returns false if there is no room. `peer`: the only receiver; 0: all that listen. Never waits.
    bool (*send)(struct kin_transport *transport, kin_topic topic, uint32_t peer, const void *bytes, size_t size);
    /// Returns the next arrival, or false. Never waits.
    bool (*next)(struct kin_transport *transport, kin_arrival *arrival);
    /// Begins or ends to receive a topic. On a shared transport what was kept of it arrives first. For `zone` and
    /// `peer` of a host's KIN_TOPIC_IN, all.
    bool (*listen)(struct kin_transport *transport, kin_topic topic, bool on);
    /// Asks for the lease, renews it, or gives it away. Hosts call it in each update; it never waits, so that the answer
    /// may come with a later call. False without an answer. NULL: who asks to be the host is.
    bool (*lease)(struct kin_transport *transport, kin_lease *lease);
    /// Ends the transport and frees it.
    void (*end)(struct kin_transport *transport);
    bool repeats_full; ///< what is sent to one peer as KIN_TOPIC_FULL is sent again until it arrives
} kin_transport;

/// How a memory transport treats bytes. Zeroes: it delivers all at once and in order.
typedef struct kin_memory_options {
    uint64_t seed;  ///< of what is lost, doubled and late
    uint32_t loss;  ///< of 1000 sends, how many are lost
    uint32_t twice; ///< of 1000 sends, how many arrive twice
    uint32_t late;  ///< of 1000 sends, how many arrive after later ones
    uint32_t delay; ///< calls of kin_memory_transport_step until bytes arrive; 0: at once
    bool is_shared; ///< as a broker: one send reaches all, in order, and is kept
    uint32_t most;  ///< bytes of one send; 0: 1 MiB if it is shared, else 1200
} kin_memory_options;

/// Creates the host's end of a network in memory. kin_memory_transport_join makes the ends of its peers. Options may be
/// NULL. Returns NULL when out of memory. Not for several threads. Its `end` leaves the other ends without a network.
KIN_API kin_transport *kin_memory_transport_create(const kin_memory_options *options);

/// Creates another end of the network of `transport`, with the next number of a peer. NULL when out of memory, and for
/// NULL and a transport of another kind.
KIN_API kin_transport *kin_memory_transport_join(kin_transport *transport);

/// Lets a step of time pass for all ends of the network, for `delay` and `late`. A shared network also has a lease, for
/// which a step is a millisecond.
KIN_API void kin_memory_transport_step(kin_transport *transport);

// ---- sessions

/// A world's place in the network. It ends with its world.
typedef struct kin_session kin_session;

/// What a world is in the network. A host is alone until it has the lease of its transport, and after it has lost it: it
/// runs all its systems, sends nothing, and asks for the lease. A standby becomes a host, and is not a standby again.
typedef enum kin_session_role { KIN_ALONE, KIN_HOST, KIN_REPLICA, KIN_STANDBY } kin_session_role;

/// What a replica sees, or how often.
typedef struct kin_zone {
    int32_t zone;   ///< the value of a field with `zone: true`
    uint8_t every;  ///< every how many frames it is sent, up to 32; 0: each. Only where a peer gets frames of its own
    uint8_t weight; ///< how much it matters with a budget, beside others; 0: 1
} kin_zone;

/// How a session works. NULL or zeroes: as written here.
typedef struct kin_session_options {
    uint32_t ring;          ///< snapshots that are kept as bases; 0: 64
    uint32_t hash_every;    ///< frames between two hashes; 0: 16
    uint32_t full_every_ms; ///< between full frames on a shared transport, half as often keys of recordings; 0: 2000
    uint32_t lease_ms;      ///< how long the right to be the host lasts without being renewed; 0: 1000
    /// Bytes that a peer gets for each frame, where it gets frames of its own; 0: as many as it takes. The zones that
    /// do not fit wait, at most 32 frames or half the ring; then they go all the same.
    uint32_t budget;
    uint32_t messages_each_frame; ///< that are taken from one peer for one update; 0: 16
    bool keeps_history;           ///< on a shared transport the host also sends its recording, for standbys
    bool predicts;                ///< a replica runs systems with `runs: predicted` ahead of the host
    /// Called after the role has changed, also inside an update. NULL: none.
    void (*changed)(kin_session *session, kin_session_role before, void *user);
    void *user; ///< passed on and never read
} kin_session_options;

/// Why messages and frames were refused.
typedef enum kin_refusal {
    KIN_REFUSED_SYNTAX,    ///< bytes that are no message, or a value that its field cannot have
    KIN_REFUSED_DIRECTION, ///< a message that replicas may not send
    KIN_REFUSED_TWICE,     ///< a message that was taken before; lossy transports cause these
    KIN_REFUSED_FLOOD,     ///< a message that waited longer than a second
    KIN_REFUSED_PEER,      ///< of a peer that is not known, or was dropped
    KIN_REFUSED_EPOCH,     ///< of an earlier host
    KIN_REFUSED_BASE,      ///< a frame whose base the replica does not have
    KIN_REFUSED_SHAPE,     ///< of another version: a message that the schema lacks, or before it can be read
    KIN_REFUSALS
} kin_refusal;

/// How a session fares.
typedef struct kin_session_numbers {
    kin_session_role role;          ///< its role
    uint32_t epoch;                 ///< of the host
    uint64_t frame;                 ///< of a host: the last one; of others: the one that they show; 0: none yet
    uint64_t behind;                ///< frames that the host is known to be ahead
    uint64_t applied_us;            ///< between the arrival of the last frame and its showing
    uint64_t applied_us_p99;        ///< the same, of 99 of 100 among the last 256
    uint64_t bytes_in, bytes_out;   ///< on the transport
    uint64_t queue_bytes;           ///< of frames that wait for others
    uint64_t queue_frames;          ///< the age of the oldest of them
    uint64_t resyncs;               ///< how often a replica or a standby began again
    uint64_t refused[KIN_REFUSALS]; ///< by reason
    uint64_t wrong_hashes;          ///< frames after which a replica or a standby differed from the host
    uint64_t predicted;             ///< frames that were predicted, also those predicted again
    bool is_ready;                  ///< of a standby: it has the host's world, and takes over when the lease ends
    uint64_t taken_over;            ///< of a host that was a standby: the last frame of the former host that it has
    uint64_t lost;                  ///< and frames of the former host after that, as far as one knows of them
    uint64_t lease_left_ms;         ///< of a host: how long its lease lasts, as it was said in the last update
    bool is_converted;              ///< of a replica: the host has another version of the schema
} kin_session_numbers;

/// How a peer of a host fares.
typedef struct kin_peer_numbers {
    uint32_t peer;              ///< its number
    uint32_t zone_count;        ///< zones that it sees
    uint64_t acknowledged;      ///< the last frame that it is known to have
    uint64_t round_trip_frames; ///< frames between the last acknowledged one and the present one
    uint64_t bytes_in;          ///< that came from it
    uint64_t bytes_out;         ///< that were sent to it alone
    uint64_t taken, dropped;    ///< messages
    bool is_converted;          ///< it has another version of the schema
} kin_peer_numbers;

/// Says what a peer sees, at the host, on a transport that is not shared: the zones of the list, and what has no zone.
/// At first a peer sees what it has asked for. KIN_ERROR_INVALID for NULL, a session that is no host, and an unknown
/// peer; KIN_ERROR_NO_MEMORY.
KIN_API kin_status kin_session_show(kin_session *session, uint32_t peer, const kin_zone *zones, uint32_t count);

/// Says what a replica wants to see. On a shared transport it gets that; otherwise the host decides, by
/// kin_session_show, and shows it if it has not said otherwise. Without a call a replica sees all zones. The same
/// errors.
KIN_API kin_status kin_session_see(kin_session *session, const kin_zone *zones, uint32_t count);

/// Writes how the session fares. For NULL, all zero.
KIN_API void kin_session_state(const kin_session *session, kin_session_numbers *numbers);

/// Writes how the peers of a host fare, at most `capacity` of them, and returns how many there are.
KIN_API uint32_t kin_session_peers(const kin_session *session, kin_peer_numbers *peers, uint32_t capacity);

/// Ends the session. The world stays, as it stands, and runs all its systems again. NULL is allowed. Inside an update
/// of the world, reports KIN_ERROR_INVALID and does nothing. The transport is the caller's.
KIN_API void kin_session_end(kin_session *session);

KIN_END_DECLARATIONS

#endif
