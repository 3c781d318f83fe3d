// broker: a transport over NATS: packets and subjects, the history of those that join, the lease of a world
//
//   thread of the world   send ──▶ out                in ──▶ next         listen, lease: say what is wanted
//   sender                out ──▶ publishes
//   of libnats            subscriptions ──▶ in, or held while a history is fetched
//   worker                history ──▶ in, then held ──▶ in; the lease
//
// All subscriptions are delivered by one thread of libnats, in the order in which the broker sent.
//
// Invariants:
//   1. all fields below `mutex` are read and written with it; those above are set before the threads begin
//   2. `in` has what was kept, in its order, before what came later
//   3. the lease is held only until `valid_until`, which is counted from before the broker was asked
#ifndef KIN_SRC_BROKER_H
#define KIN_SRC_BROKER_H

#include <kin/nats.h>

#include <nats/nats.h>
#include <pthread.h>

enum {
    KIN__BROKER_NAME = 32,      // characters of an app, a world or a domain
    KIN__BROKER_SUBJECT = 192,  // characters of a subject
    KIN__BROKER_MOST = 1 << 20, // bytes of one send
    KIN__BROKER_QUEUE = 64 << 20,
    KIN__BROKER_TOPICS = 4096, // that one listens to
    KIN__BROKER_FAULTS = 8     // that are not said again until the connection is another one
};

typedef struct kin__packet {
    struct kin__packet *next;
    kin_topic topic;
    uint32_t peer;     // the sender; when sending, the only receiver
    uint64_t sequence; // in the stream; 0: it came live
    size_t size;
    unsigned char bytes[];
} kin__packet;

// Packets in the order of coming.
typedef struct kin__packets {
    kin__packet *first, *last;
    size_t bytes;
} kin__packets;

typedef struct kin__listened {
    struct kin__listened *next;
    kin_topic topic;
    natsSubscription *subscription;
    bool needs_history;
} kin__listened;

// What a host wants, and has.
typedef struct kin__lease_state {
    bool is_wanted, gives_up, is_held, is_ready; // ready: the bucket and the stream are there
    uint32_t epoch, lasts_ms, after_ms;
    uint64_t valid_until;            // in nanoseconds of the clock
    uint64_t revision;               // of the own entry
    uint64_t seen_revision, seen_at; // of the entry of another one
    bool has_seen;                   // these two are set
    uint64_t next_at;                // when to look or to renew
} kin__lease_state;

// The fetching of a history: consumers on the broker, one for each topic.
typedef struct kin__history {
    uint32_t number;  // of the fetching, in the subjects of its answers
    uint32_t waiting; // topics that are not complete
    uint32_t count;
    bool *is_done;
    bool has_answer; // that of the first question
    uint64_t start;  // the sequence to begin with
    kin__packets packets;
} kin__history;

typedef struct kin__broker {
    kin_transport transport;  // first
    kin_nats_options options; // without the strings
    char app[KIN__BROKER_NAME + 1], world[KIN__BROKER_NAME + 1];
    char api[KIN__BROKER_NAME + 16];       // such as "$JS.API"
    char prefix[2 * KIN__BROKER_NAME + 8]; // such as "kin.arena.square."
    char inbox[2 * KIN__BROKER_NAME + 32]; // such as "kin.arena.square.inbox.7"
    char domain[KIN__BROKER_NAME + 1];     // or empty
    char name[17];                         // of this transport, in leases
    natsConnection *connection;
    natsSubscription *answers, *own;
    jsCtx *js;
    kvStore *bucket;
    pthread_t sender, worker;
    bool has_sender, has_worker;
    kin__packet *taken; // the last arrival, of the thread of the world

    pthread_mutex_t mutex;
    pthread_cond_t has_packets, has_work;
    bool is_ending;
    bool is_publishing;  // the sender has taken a packet
    bool is_draining;    // the worker waits until all is sent
    uint32_t references; // of libnats: its connection, and subscriptions whose last call has not returned
    kin__packets out, in, held;
    kin__listened *topics;
    uint32_t topic_count;
    bool is_joining; // what comes is held
    bool has_wishes; // topics need a history
    bool is_asked;   // and the worker may fetch it
    bool is_reconnected;
    kin__history history;
    kin__lease_state lease;
    kin_status fault_status;
    char fault[512];
    bool has_fault;                      // an error waits
    uint64_t faults[KIN__BROKER_FAULTS]; // hashes of the last ones
    uint32_t fault_count;
} kin__broker;

// ---- packets, subjects, errors, subscriptions (packet.c)

kin__packet *kin__packet_make(kin_topic topic, uint32_t peer, const void *bytes, size_t size);
void kin__packets_append(kin__packets *packets, kin__packet *packet);
kin__packet *kin__packets_take(kin__packets *packets);
void kin__packets_release(kin__packets *packets);
void kin__packets_move(kin__packets *from, kin__packets *to);

// Writes the subject of a topic, or the one of a single receiver.
void kin__subject_write(const kin__broker *broker, kin_topic topic, uint32_t peer, char *subject);

// Reads a subject; false if it is none of this world. `*peer` is the sender.
bool kin__subject_read(const kin__broker *broker, const char *subject, kin_topic *topic, uint32_t *peer);

// Returns whether who listens to a topic hears another one.
bool kin__topic_covers(kin_topic listened, kin_topic topic);

// Returns whether frames of the kind have a zone, or none.
static inline bool kin__topic_has_zones(kin_topic topic)
{
    return topic.kind == KIN_TOPIC_FRAME || topic.kind == KIN_TOPIC_FULL;
}

static inline bool kin__broker_is_connected(const kin__broker *broker)
{
    return natsConnection_Status(broker->connection) == NATS_CONN_STATUS_CONNECTED;
}

uint64_t kin__broker_clock(void);

// Adds references of libnats, or takes them away.
void kin__broker_refer(kin__broker *broker, int32_t number);

// Subscribes to a subject; libnats has a reference until its last call has returned. NULL, and notes it, if that fails.
natsSubscription *kin__broker_subscribe(kin__broker *broker, const char *subject, natsMsgHandler call);

// Keeps an error for the thread of the world, unless one waits, or it is one of the last ones again. Not with the mutex.
void kin__broker_note(kin__broker *broker, kin_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Returns why the last call of libnats on this thread failed.
const char *kin__broker_reason(natsStatus status);

// Reports an error on the thread of the world.
void kin__broker_report(const kin_nats_options *options, kin_status status, const char *message);

// ---- joining (history.c)

// Fetches what was kept of the topics that need it.
void kin__broker_join(kin__broker *broker);

// Takes answers of the broker, and messages of a history.
void kin__broker_answered(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *user);

// ---- the lease (lease.c)

// What a bucket has of a world.
typedef struct kin__lease_entry {
    uint64_t revision; // 0: there is none
    uint32_t epoch, lasts_ms;
    char name[17]; // of its holder
    bool is_free;
} kin__lease_entry;

// Reads the value of an entry; false if another program has written it. Leaves the revision as it is.
bool kin__lease_entry_read(const char *text, size_t size, kin__lease_entry *entry);

bool kin__broker_lease(kin_transport *transport, kin_lease *lease);

// Does what is due, and returns when the next step is.
uint64_t kin__broker_keep_lease(kin__broker *broker);

#endif
