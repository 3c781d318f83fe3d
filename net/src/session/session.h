// session: a world's place in a network: hosts, replicas, messages between their worlds, and a network in memory
//
// Cycle: budget.c, history.c, host.c, look.c, meet.c, message.c, predict.c, replica.c, session.c and standby.c. A session
// is a host, a replica or a standby, which are sessions.
//
// Owns sessions of hosts, replicas and standbys, what they send each other, and messages between their worlds. A session is a
// tracker of its world, beside a recorder.
//
//   host       before an update: messages of peers, each into the inboxes of its world
//              after: a snapshot, from which frames are made, one for each base that is in use; then a tick
//   replica    before an update: frames, and the state that they make, which is put into the world at once
//              after: nothing
//   standby    before an update: plays what the host has recorded. The update itself is left out
//
// A frame is cut into parts, as transports have a limit. All integers are varints (frame/frame.h):
//
//   PART      'P' epoch number flags:u8 zone:z index count bytes…   of a frame; flags: 1 own, 2 full, 4 without a zone
//   TICK      'T' epoch number base time:f64 flags:u8 [hash:u64] zones:n × zone:z; flags: 1 has a frame without a zone,
//             2 has the hash of what the schema sends: with full frames, with which replicas begin
//             peers:n × { peer, last message }  events:n × EVENT
//   EVENTS    'E' epoch number events:n × EVENT             of a zone, on a shared transport
//   HELLO     'H' format:u8 hash:u64 zones:n × { zone:z every weight }, or sees all:u8
//   SHAPE     'S' hash:u64 size piece index bytes…   a piece of the shape (frame/shape.c), both ways: a host answers a
//             hello with another hash by its own, and a replica that has read that sends its own behind its hello
//   ACK       'A' number gap:u8 newest    what the replica has; gap: it waits for one before the newest tick
//   MESSAGE   'M' message number seen leaves…
//   GOODBYE   'G' reason:u8
//   RECORD    'R' epoch serial flags:u8 frame bytes…        of the recording; flags: 1 begins a chapter, 2 ends an update,
//             4 the host has given the lease away. The serial counts the RECORDs of an epoch
//   BUNDLE    'B' n × { size, bytes of a PART or TICK }     to one peer: as many as fit
//   EVENT     frame message leaves…
//
// Invariants:
//   1. the contexts of a replica that replicate are sealed, unless a state is being put in place
//   2. a session with a role is the session of its world
//   3. a peer's messages are taken in the order of their numbers, each once
//   4. what a peer has is, for each zone that it has, that zone in the state of one number; no slot is in two of them
#ifndef KIN_SRC_SESSION_H
#define KIN_SRC_SESSION_H

#include "frame/frame.h"
#include "world/world.h"

#include <kin/frame.h>
#include <kin/generated/net.h>
#include <kin/generated/replay.h>
#include <kin/net.h>

enum {
    KIN__NET_FORMAT = 1,
    KIN__NET_RING = 64,
    KIN__NET_MESSAGES = 16,   // of a peer, in one update
    KIN__NET_FAULTS = 16,     // of a peer, in a second, until it is dropped
    KIN__NET_WAITING = 1024,  // messages of a peer that wait
    KIN__NET_PEERS = 4096,    // that a host knows
    KIN__NET_ZONES = 65536,   // of a peer
    KIN__NET_FRAMES = 1024,   // that wait at a replica
    KIN__NET_GAP = 128,       // of these, when a replica of datagrams begins again
    KIN__NET_PARTS = 1 << 16, // of a frame
    KIN__NET_FRAME_SIZE = 1 << 28,
    KIN__NET_LEAD = 32,                    // frames that a replica predicts
    KIN__NET_HELLO = 16,                   // updates after which a hello is sent again
    KIN__NET_SILENCE = 4 * KIN__NET_HELLO, // updates without a word of a peer, at least, until it is dropped
    KIN__NET_TIMES = 256,
    KIN__NET_CHAPTER = 2,     // full frames in the time of a chapter of a recording
    KIN__NET_SENT = 64,       // ticks of a peer with a budget that are remembered
    KIN__NET_WAITED = 32,     // frames that a zone waits at most
    KIN__NET_BASES = 8,       // for which the frames of a zone are remembered in an update
    KIN__NET_HEAD = 64,       // bytes of the head of a part, at most
    KIN__NET_SHAPE = 1 << 17, // bytes of a shape, at most
    KIN__NET_REASON = 600     // bytes of what is said of another schema
};

#define KIN__NET_SECOND   UINT64_C(1000000000)
#define KIN__NET_LOOKED   (10 * KIN__NET_SECOND) // for which a replica keeps frames for a tool
#define KIN__NET_PATIENCE (2 * KIN__NET_SECOND)  // with full frames that are on their way

// Why a host says goodbye.
typedef enum kin__goodbye {
    KIN__GOODBYE_END = 1,
    KIN__GOODBYE_SHAPE,
    KIN__GOODBYE_FAULTS,
    KIN__GOODBYE_SILENCE
} kin__goodbye;

// Bytes of a frame that was made in this update, for a base.
typedef struct kin__net_made {
    uint64_t number, base; // number 0: none
    bool has_hash;
    size_t begin, size; // in `made` of the session
} kin__net_made;

// A zone, and the first state in which it was known.
typedef struct kin__net_zone {
    int32_t zone;
    uint64_t since;
    kin__net_made made[KIN__NET_BASES];
} kin__net_zone;

// A zone, or KIN__NET_NONE: what has no zone.
typedef int64_t kin__net_key;
#define KIN__NET_NONE INT64_MIN
#define KIN__NET_GONE INT64_MAX // an entity that is not there any more is nowhere

// What a peer with a budget has of a zone.
typedef struct kin__net_held {
    kin__net_key key;
    uint64_t base; // the state that it has of it
} kin__net_held;

// Which zones a peer with a budget was sent in a tick.
typedef struct kin__net_sent {
    uint64_t number, parent; // of the tick, and its base; 0: none
    kin__array keys;         // of kin__net_key
    uint32_t count;
} kin__net_sent;

// Zones between which entities moved since a state, or in which they ended.
typedef struct kin__net_moves {
    uint64_t base, number; // between these states
    kin__array pairs;      // of kin__net_pair
    uint32_t count;
} kin__net_moves;

typedef struct kin__net_pair {
    kin__net_key from, to;
} kin__net_pair;

// Which peer owns an entity in a zone.
typedef struct kin__net_owner {
    uint32_t peer;
    kin__net_key key;
} kin__net_owner;

// A message that waits: of a peer at the host, or an own one at a replica.
typedef struct kin__net_waiting {
    struct kin__net_waiting *next;
    const kin__net_message *message;
    uint64_t number;
    uint64_t frame;   // at the host, the one that the sender saw; at a replica, the one that it was predicted in
    uint64_t arrived; // by the clock
    size_t size;      // bytes of the whole
    max_align_t value[];
} kin__net_waiting;

// A list in order of numbers.
typedef struct kin__net_list {
    kin__net_waiting *first;
    uint32_t count;
} kin__net_list;

typedef struct kin__net_zones {
    kin_zone *at;
    uint32_t count, capacity;
    bool sees_all, has_every; // some zone is not sent with each frame
} kin__net_zones;

// The pieces of a shape that arrive.
typedef struct kin__net_pieces {
    unsigned char *bytes; // NULL: none yet
    uint64_t *has;        // which pieces are here
    uint64_t hash;
    size_t size, piece;
    uint32_t count, missing;
} kin__net_pieces;

// A program with another schema, and how what it sends is read.
typedef struct kin__net_other {
    uint64_t hash; // of what its schema sends
    const kin__shape_map *map;
    kin__heap heap;
    kin__fault fault;
} kin__net_other;

typedef struct kin__net_peer {
    struct kin__net_peer *next;
    uint32_t peer;
    kin__net_zones zones;
    bool is_shown; // by kin_session_show: it does not choose
    bool needs_full;
    bool is_gone;   // dropped: it is not heard any longer
    bool is_silent; // that is why: it may come back
    bool is_unread; // it has another schema, whose shape is not here yet: it gets nothing, and its messages are dropped
    bool is_answered;      // by the own shape, in this update
    uint64_t hash;         // of what its schema sends
    kin__net_other *other; // NULL: it has the own schema
    kin__net_pieces pieces;
    uint64_t sent;   // the last frame that was sent to it; 0: none
    uint64_t behind; // it has a gap, and the state of this number; 0: no gap
    uint64_t mended; // the last frame that was against such a state
    uint64_t full;   // the last frame that was sent in full: what it had before is no base
    uint64_t acknowledged;
    uint64_t heard; // the frame in which its last hello or acknowledgement came
    uint64_t last;  // number of its last message that was taken
    kin__net_list waiting;
    uint64_t second; // when the count of faults began
    uint32_t faults;
    uint64_t bytes_in, bytes_out, taken, dropped;
    // with a budget
    uint64_t began;  // the number of the frame with which it began
    kin__array held; // of kin__net_held, in the order of the keys
    uint32_t held_count;
    kin__net_sent *history; // KIN__NET_SENT ticks, by the rest of their numbers; NULL: none yet
} kin__net_peer;

// A frame that a replica has not applied.
typedef struct kin__net_frame {
    struct kin__net_frame *next;
    uint64_t number;
    int32_t zone;
    bool has_no_zone, is_own, is_full;
    uint32_t part_count, parts_here;
    unsigned char **parts;
    size_t *sizes;    // of the memory of each part, at least 1
    size_t last_size; // bytes of the last part
} kin__net_frame;

// A tick that a replica has not applied.
typedef struct kin__net_tick {
    struct kin__net_tick *next;
    uint64_t number, base;
    double time;
    uint64_t taken;   // the number of the last own message that the host had taken
    uint64_t arrived; // by the clock
    bool is_known;    // the host knows this peer
    bool has_hash;    // a replica may begin with it
    bool is_bad;      // it cannot be read: it is never shown
    bool has_none;    // it has a frame of what has no zone
    uint32_t zone_count;
    kin__net_list events;
    int32_t zones[];
} kin__net_tick;

// What a replica has beside its world.
typedef struct kin__net_state {
    kin_snapshot *shown; // the last state of the host
    uint64_t number;     // of it; 0: none yet
    double time, before_time;
    uint64_t shown_at; // by the clock
} kin__net_state;

struct kin_session {
    kin__tracker tracker; // first
    kin__world *world;
    const kin__net_info *info;
    kin_transport *transport;
    kin_session_options options;
    kin_session_numbers numbers;
    kin__memory *memory;
    uint64_t hash;
    bool is_host;          // or without the lease, or standing by; else a replica
    bool is_working;       // inside of before_update or after_update
    kin__inbox *published; // of the messages to replicas, by their rows
    kin__inbox_info *published_infos;
    kin__bytes_out out;
    kin__bytes_out bundle; // what goes to one peer
    bool sends_full;       // the bundle is what it begins with
    kin__bytes_out shape;  // the own one; empty until it is asked for
    // of a host
    kin_snapshot **ring; // the last states, by the rest of their numbers
    uint64_t *ring_numbers;
    uint64_t last_number; // of the last state; 0: none
    kin__net_peer *peers;
    uint32_t peer_count;
    kin__array zones; // of kin__net_zone: of a host, those that entities were in; of a replica, those that it has
    uint32_t zone_count;
    uint64_t full_at;                        // by the clock: when the next full frames are due
    uint64_t looked_at;                      // by the clock: when a tool asked what frames cost
    kin__bytes_out made;                     // frames of this update
    kin__net_made made_none[KIN__NET_BASES]; // of what has no zone
    kin__net_moves *moves;                   // by the rest of the number of the base, as `ring`; NULL: none yet
    kin__array owners;                       // of kin__net_owner, of the state `owners_number`
    uint32_t owner_count;
    uint64_t owners_number;
    struct kin__net_recording *recording; // of one that sends what it records; NULL: none
    struct kin__net_standby *standby;     // until it is a host; NULL: it is none
    // of both: what the tick of this update has; what waits for the inboxes
    kin__net_list events;
    // of a replica
    kin__net_zones wanted;
    kin__net_state state;
    kin__net_frame *frames;
    kin__net_tick *ticks;
    kin__net_list own; // messages that the host has not taken
    uint64_t next_message, hello_at;
    uint64_t newest_tick;      // the highest number of a tick that arrived
    uint64_t lowest_part;      // the lowest number of a part that arrived since it began again
    uint32_t peer;             // the number of the transport; 0: none yet
    uint32_t quiet;            // updates since something arrived
    bool is_joining;           // parts of what it begins with arrived in this update
    kin_snapshot **history;    // by context: the state of the host before the last, and the last
    kin_snapshot **outcomes;   // by context: what was predicted
    kin__net_list zone_events; // of zones, until their ticks are shown
    uint64_t next_event;
    uint64_t events_to;  // the last frame whose events were published
    uint32_t hello_wait; // updates until it says hello again
    bool is_listening;   // to what it wants: from the first update on
    bool has_owned;      // the schema has components that the owner alone gets
    uint32_t frame_count;
    uint32_t times[KIN__NET_TIMES];
    uint32_t time_count;
    uint64_t lead, predicted_to;
    kin__net_other *other;      // the host, if it has another schema; NULL: the own one
    kin__net_pieces pieces;     // of its shape
    bool is_unread;             // the host has another schema, whose shape is not here yet
    uint64_t refused_hash;      // of a host whose frames cannot be read; 0: none
    uint64_t host_hash;         // that the last tick with one had, of this host; 0: none yet
    struct kin__net_twin *twin; // the world in which it predicts; NULL: none
};

// ---- what both roles share (session.c)

kin_status kin__session_refuse(const kin_session *session, kin_status status, const char *verb, const char *reason);

// Returns what a context of the world sends; NULL: nothing.
static inline const kin__net_context *kin__session_context(const kin_session *session, uint32_t number)
{
    return session->world->contexts[number]->core->replicated;
}

// Whether the schema has components that the owner alone gets.
bool kin__session_has_owned(const kin_session *session);

// Sends bytes, and counts them. Returns false if the transport has no room.
bool kin__session_send(kin_session *session, kin_topic topic, uint32_t peer, const kin__bytes_out *writer);

// Puts what goes to one peer of a transport that is not shared into a bundle, which is sent when it is full. For others
// the same as kin__session_send.
bool kin__session_put(kin_session *session, kin_topic topic, uint32_t peer, const kin__bytes_out *writer);

// Sends the rest of the bundle.
bool kin__session_flush(kin_session *session, uint32_t peer);

void kin__session_count_refused(kin_session *session, kin_refusal reason);

// Copies a list of zones. False when out of memory.
bool kin__zones_set(kin_session *session, kin__net_zones *zones, const kin_zone *at, uint32_t count, bool sees_all);
void kin__zones_release(kin_session *session, kin__net_zones *zones);
bool kin__zones_have(const kin__net_zones *zones, int32_t zone);

// Begins a message of a kind in `out`.
kin__bytes_out *kin__session_begin(kin_session *session, char kind);

// ---- programs of other versions (meet.c)

// Sends the own shape: to a peer of a host, or to the host. Returns false if it is too long. What is lost, or has no room
// or no memory, is sent again with the next hello.
bool kin__shape_send(kin_session *session, uint32_t peer);

typedef enum kin__net_taken { KIN__TAKEN_BAD, KIN__TAKEN_PART, KIN__TAKEN_ALL } kin__net_taken;

// Takes a piece of a shape. One of another shape begins anew.
kin__net_taken kin__pieces_take(kin_session *session, kin__net_pieces *pieces, kin__bytes_in *reader);
void kin__pieces_release(kin_session *session, kin__net_pieces *pieces);

// Reads a shape that is complete. NULL, with the reason, if the other program and this one cannot read what the other
// sends; without a reason when out of memory.
kin__net_other *kin__other_make(kin_session *session, const kin__net_pieces *pieces, char reason[KIN__NET_REASON]);
void kin__other_release(kin_session *session, kin__net_other *other);

// Whether a host of that schema has frames for one peer alone.
bool kin__other_has_owned(const kin__net_other *other);

// ---- messages (message.c)

// Returns the row of a message; NULL: it does not cross the network.
const kin__net_message *kin__net_message_of(const kin__net_info *info, uint64_t number);

void kin__net_message_write(kin__bytes_out *writer, const kin__net_message *message, const void *value);

// Reads and checks the leaves of a message. Returns false if a field cannot have its value, or the bytes end.
bool kin__net_message_read(kin__bytes_in *reader, const kin__net_message *message, void *value);

// The same of a message of another schema, which may be passed over: then the value is not written.
bool kin__net_message_convert(kin__bytes_in *reader, const kin__message_map *map, void *value);

// Returns what another schema has under a number; NULL: nothing.
const kin__message_map *kin__message_map_of(const kin__shape_map *map, uint64_t number);

// Stands for a message that the schema lacks, which waits for its turn to be dropped.
extern const kin__net_message kin__no_message;

kin__net_waiting *kin__waiting_make(kin_session *session, const kin__net_message *message);
void kin__waiting_release(kin_session *session, kin__net_waiting *waiting);

// Inserts by the number. Returns false, and inserts nothing, if the list has the number.
bool kin__waiting_insert(kin__net_list *list, kin__net_waiting *waiting);
kin__net_waiting *kin__waiting_take(kin__net_list *list);
void kin__waiting_release_all(kin_session *session, kin__net_list *list);

// Writes events, and reads them into a list, whose numbers are their places. The second returns false for bytes that no
// host sends, or when out of memory.
void kin__events_write(kin__bytes_out *writer, const kin__net_list *events);
bool kin__events_read(kin_session *session, kin__bytes_in *reader, kin__net_list *events);

// ---- roles (host.c, replica.c, predict.c)

// Finds a zone in `zones`, or inserts it; NULL when out of memory.
kin__net_zone *kin__session_zone(kin_session *session, int32_t zone, uint64_t since);

// Calls the program after the role has changed.
void kin__session_say_changed(kin_session *session, kin_session_role before);

bool kin__host_begin(kin_session *session);
void kin__host_before(kin_session *session);
void kin__host_after(kin_session *session);
void kin__host_end(kin_session *session);
void kin__peer_say_goodbye(kin_session *session, kin__net_peer *peer, kin__goodbye reason);

// ---- recordings of hosts (history.c)

enum { KIN__RECORD_BEGINS = 1, KIN__RECORD_ENDS_UPDATE = 2, KIN__RECORD_IS_LAST = 4, KIN__RECORD_FLAGS = 7 };

// A host that keeps history sends its recording as chapters (kin/generated/replay.h), and begins one every few seconds,
// so that standbys can join. The first two are called before and after an update. The end says that it is the last.
bool kin__history_begin(kin_session *session);
void kin__history_before(kin_session *session, double delta);
void kin__history_after(kin_session *session);
void kin__history_end(kin_session *session);

// ---- standbys (standby.c)

// Takes and plays what the host has recorded; becomes the host if it has the lease: `standby` of the session is NULL
// then. An update that the player makes calls both, which then do little.
bool kin__standby_begin(kin_session *session, const kin__migrations *migrations);
void kin__standby_before(kin_session *session);
void kin__standby_after(kin_session *session);
void kin__standby_end(kin_session *session);

// ---- sending (host.c)

// What is sent of one update, to all or to one peer.
typedef struct kin__sending {
    kin_session *session;
    const kin_snapshot *base, *now;
    uint64_t base_number, number;
    kin__net_peer *peer; // NULL: all
    bool is_full;        // on a shared transport: full frames beside the others
} kin__sending;

// Returns the state of a number; NULL: it has left the ring.
const kin_snapshot *kin__host_state(const kin_session *session, uint64_t number);

// Makes a frame, or finds it among those of this update. Its bytes are in `made` of the session.
bool kin__host_make(const kin__sending *sending, const kin_view *view, kin__net_made *made);
bool kin__host_send_frame(kin_session *session, const kin_view *view, kin_topic topic, const kin__net_made *made,
                          uint32_t peer);
bool kin__host_send_tick(const kin__sending *sending, const kin__bytes_out *zones, uint32_t zone_count, bool has_none);

// Returns a field of four bytes at a place of an image that has a value there.
uint32_t kin__host_field(const kin__context_snapshot *part, const kin__image *image, const kin__net_place *field,
                         uint32_t place);

// Returns the zone of an entity in a part, which has it.
kin__net_key kin__host_zone(const kin__context_snapshot *part, uint32_t chunk, uint32_t place);

// Sends a peer as many zones as its budget allows (budget.c). `peer->behind` is the state that it has, if it has a gap.
// False: the peer must begin again.
bool kin__budget_send(kin__sending *sending);

// Whether a peer does not get all zones with each frame.
static inline bool kin__budget_counts(const kin_session *session, const kin__net_peer *peer)
{
    return session->options.budget > 0 || peer->zones.has_every;
}

void kin__budget_release_peer(kin_session *session, kin__net_peer *peer);
void kin__budget_release(kin_session *session);

bool kin__replica_begin(kin_session *session);
void kin__replica_before(kin_session *session, double delta);
void kin__replica_after(kin_session *session);
void kin__replica_end(kin_session *session);
kin_status kin__replica_send(kin_session *session, const kin__net_message *message, const void *value);
bool kin__replica_say_hello(kin_session *session);

// Puts the state of the host, or what was predicted, into the contexts of the world that replicate, which are sealed
// afterwards.
void kin__replica_show(kin_session *session, bool is_predicted);

// Keeps what the contexts have, which is the state of the host, to blend it with the next.
void kin__replica_remember(kin_session *session, kin_context *const *contexts);

// For tools (look.c).
extern const kin_network_face kin__session_face;

bool kin__twin_begin(kin_session *session);
void kin__twin_end(kin_session *session);

// Predicts from the last state of the host, which may be new, and shows the outcome. Returns false when out of memory.
bool kin__twin_predict(kin_session *session, double delta, bool is_new);

#endif
