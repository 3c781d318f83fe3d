// link: a transport over ENet: datagrams, the numbers of peers, replicas that connect again
//
//   thread of the world   send ──▶ out                in ──▶ next
//   thread of the link    out ──▶ ENet                ENet ──▶ in     connects, gives numbers, notices silence
//
// On channel 0, reliable:
//
//   JOIN      'J' number:u32 token:u64   of a replica: what it was given before, or zeroes
//   WELCOME   'W' number:u32 token:u64   of the host
//
// On channel 1 a datagram for each send, which may be lost or late, or is sent again until it arrives:
//
//   head:u8 [zone:i32] bytes…   head: the kind of the topic | HAS_ZONE | HAS_NO_ZONE | IS_FOR_ALL
//
// A host has a seat for each replica that it allows. A number has its seat in the lowest 12 bits; the others are drawn,
// so that no two replicas have the same number, also of two hosts that run one after the other. Who knows the token of
// a number gets that number again.
//
// Invariants:
//   1. all fields below `mutex` are read and written with it; those above it are of one thread, or set before it begins
//   2. a seat with an ENetPeer has a number, and the ENetPeer has the seat as its data
//   3. the number in the transport changes on the thread of the world only
#ifndef KIN_SRC_LINK_H
#define KIN_SRC_LINK_H

#include <kin/enet.h>

#include <enet/enet.h>
#include <pthread.h>

enum {
    KIN__LINK_MOST = 1360, // bytes of one send: with all heads it fits into a datagram of ENet
    KIN__LINK_HEAD = 5,
    KIN__LINK_HELLO = 13, // bytes of JOIN and WELCOME
    KIN__LINK_CHANNELS = 2,
    KIN__LINK_SEATS = 4095, // the most that ENet has
    KIN__LINK_SEAT_BITS = 12,
    KIN__LINK_SPARE = 8, // connections beyond the seats, to say that there is no seat
    KIN__LINK_ADDRESS = 255,
    KIN__LINK_QUEUE = 16 << 20, // bytes that wait, in each direction
    KIN__LINK_WAITING = 512,    // datagrams of one peer that wait at a host
    KIN__LINK_PACKET = 1 << 12, // bytes of a packet that ENet puts together
    KIN__LINK_INSIDE = 1 << 20, // bytes of one peer that wait in ENet
    KIN__LINK_REST_MS = 20,
    KIN__LINK_ANSWER_MS = 2000,  // to wait for the answer of a host
    KIN__LINK_SILENCE_MS = 3000, // without a word, after which a connection is lost
    KIN__LINK_TIMEOUT_MS = 6000, // the same at a host
    KIN__LINK_RETRY_MS = 500,    // between attempts to connect, and between looks for silence
    KIN__LINK_JOIN_MS = 4000,    // for a connection to say who it is
    KIN__LINK_VERSION = 0x4B4E4501
};

// Why ENet's connection ends.
typedef enum kin__link_reason {
    KIN__LINK_LOST,
    KIN__LINK_OTHER_VERSION,
    KIN__LINK_FULL,
    KIN__LINK_END
} kin__link_reason;

// A datagram on its way between the threads.
typedef struct kin__link_item {
    struct kin__link_item *next;
    ENetPacket *packet;
    uint32_t peer; // out: the only receiver, or 0; in: the sender, or 0
} kin__link_item;

typedef struct kin__link_queue {
    kin__link_item *first, *last;
    size_t bytes;
} kin__link_queue;

typedef struct kin__link_topic {
    struct kin__link_topic *next;
    kin_topic topic;
} kin__link_topic;

// A place of a host for a replica.
typedef struct kin__link_seat {
    uint32_t number; // 0: never used
    uint64_t token;
    ENetPeer *peer;   // NULL: not connected
    uint64_t left_at; // then: since when
    size_t queued;    // bytes for it that wait in ENet
    uint32_t waiting; // datagrams in `in`; with the mutex
} kin__link_seat;

typedef struct kin__link {
    kin_transport transport; // first
    bool is_host;
    char address[KIN__LINK_ADDRESS + 1]; // of a replica
    uint16_t port;
    uint32_t seat_count;
    kin__link_seat *seats;
    ENetHost *enet;
    int wake[2]; // a pipe that wakes the thread of the link
    pthread_t thread;
    bool has_thread, has_mutex;
    // of the thread of the world
    kin__link_item *taken;
    kin__link_topic *topics;
    uint32_t epoch; // of a host: of its session
    bool has_lease;
    void (*on_error)(const kin_error *error, void *user);
    void *error_user;
    // of the thread of the link
    ENetPeer *peer;       // of a replica: NULL, if it is not connecting
    uint64_t token;       // that goes with its number
    uint64_t since;       // of a replica: when it began to connect; of a host: the last look for those without a seat
    uint64_t heard;       // when a datagram came
    uint64_t retry_at;    // when to connect again
    uint64_t look_at;     // of a host: when to look for those that are silent
    bool is_welcome;      // the host has given it its number
    bool has_said_silent; // that the host does not answer

    pthread_mutex_t mutex;
    bool is_ending, is_woken;
    kin__link_queue out, in;
    uint32_t number;    // of a replica; 0: none yet
    uint32_t connected; // replicas, or 1 if the host has answered
    bool has_fault;     // an error waits
    char fault[512];
} kin__link;

// ---- what both threads share (packet.c)

// The oldest and the newest datagram of a queue; items without memory are lost.
void kin__link_append(kin__link_queue *queue, kin__link_item *item);
kin__link_item *kin__link_take(kin__link_queue *queue);
void kin__link_free(kin__link_item *item);
void kin__link_clear(kin__link_queue *queue);

// Makes the datagram of a send. NULL when out of memory.
kin__link_item *kin__link_pack(kin_topic topic, uint32_t peer, const void *bytes, size_t size);

// Reads the head of a datagram, and returns how many bytes it has; 0: it is none.
size_t kin__link_unpack(const ENetPacket *packet, kin_topic *topic, bool *is_for_all);

// Writes and reads JOIN and WELCOME.
ENetPacket *kin__link_hello(char kind, uint32_t number, uint64_t token);
bool kin__link_read_hello(const ENetPacket *packet, char kind, uint32_t *number, uint64_t *token);

// Milliseconds of the clock.
uint64_t kin__link_clock(void);

// Draws numbers that nobody can guess.
uint64_t kin__link_draw(void);

// Keeps an error for the thread of the world, unless one waits.
void kin__link_note(kin__link *link, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Returns the seat of a number, or NULL. For the thread of the link.
kin__link_seat *kin__link_find_seat(kin__link *link, uint32_t number);

// Gives a datagram that came to the thread of the world; it is lost if there is no room.
void kin__link_deliver(kin__link *link, uint32_t peer, ENetPacket *packet);

// ---- the thread of the link (host.c, client.c, thread.c)

// Does what is due, and takes what ENet reports.
void kin__link_host_step(kin__link *link, uint64_t now);
void kin__link_host_take(kin__link *link, const ENetEvent *event, uint64_t now);
void kin__link_client_step(kin__link *link, uint64_t now);
void kin__link_client_take(kin__link *link, const ENetEvent *event, uint64_t now);

// Begins the thread, which ends with the link.
bool kin__link_begin_thread(kin__link *link);
void kin__link_wake(kin__link *link);

#endif
