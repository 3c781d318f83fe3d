// The memory transport: a network of ends in one process, which loses, doubles and delays bytes by a seed.
//
//   network ─┬─ ends: the host, then the peers in the order in which they joined
//            ├─ packets: those under way, each to one end, in the order in which they arrive
//            └─ kept: what a shared network has for those that listen later, in the order of sending
//
// Invariants:
//   1. an end that has ended receives nothing; the network is freed with its last end
//   2. a packet that an end was given stays until its next call
#include <kin/net.h>

#include <stdlib.h>
#include <string.h>

enum {
    SHARED_MOST = 1 << 20,
    DATAGRAM_MOST = 1200,
    KEPT_MOST = 64 << 20, // bytes that are kept
    LATE_MOST = 8,        // steps
    PER_MILLE = 1000
};

typedef struct packet {
    struct packet *next;
    struct end *to; // NULL: kept
    kin_topic topic;
    uint32_t from;   // the number of a peer; 0: the host
    uint64_t serial; // in the order of sending
    uint64_t due;    // the step in which it arrives
    size_t size;
    unsigned char bytes[];
} packet;

typedef struct listened {
    struct listened *next;
    kin_topic topic;
} listened;

typedef struct end {
    kin_transport transport; // first
    struct network *network;
    struct end *next;
    listened *topics;
    packet *taken;       // the last arrival
    uint32_t own_number; // of a peer; while it is the host, it has the number 0
} end;

typedef struct network {
    kin_memory_options options;
    end *ends;
    packet *under_way, *kept, *last_kept;
    size_t kept_bytes;
    uint64_t now, random, serial;
    uint32_t peers;
    end *holder; // of the lease; NULL: none, or it has ended
    uint64_t held_until;
    uint32_t epoch;
} network;

// ---- the network

static uint32_t draw(network *network)
{
    network->random = network->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(network->random >> 33) % PER_MILLE;
}

static bool is_same(kin_topic a, kin_topic b)
{
    bool is_same_zone = a.zone == b.zone && a.has_no_zone == b.has_no_zone && a.has_every_zone == b.has_every_zone;
    return a.kind == b.kind && is_same_zone && a.peer == b.peer && a.epoch == b.epoch;
}

// Returns whether who listens to a topic receives what is sent to another one. A host that listens to KIN_TOPIC_IN
// hears all peers.
static bool covers(kin_topic listened, kin_topic topic)
{
    if (listened.kind != topic.kind)
        return false;
    bool is_any_peer = topic.kind == KIN_TOPIC_IN && listened.peer == 0;
    bool is_any_zone = listened.has_every_zone && !topic.has_no_zone;
    bool is_any_epoch = topic.kind == KIN_TOPIC_RECORD && listened.epoch == 0;
    return is_same(listened, topic) || is_any_peer || is_any_zone || is_any_epoch;
}

// Returns whether an end receives what is sent to the topic.
static bool hears(const end *end, kin_topic topic)
{
    for (const listened *listened = end->topics; listened != NULL; listened = listened->next)
        if (covers(listened->topic, topic))
            return true;
    return false;
}

static packet *packet_make(kin_topic topic, uint32_t from, const void *bytes, size_t size)
{
    packet *packet = malloc(sizeof *packet + size);
    if (packet == NULL)
        return NULL;
    *packet = (struct packet){.topic = topic, .from = from, .size = size};
    if (size > 0)
        memcpy(packet->bytes, bytes, size);
    return packet;
}

// Puts a packet behind those that arrive in a step before, or that were sent before.
static void put(network *network, packet *packet, end *to, uint64_t due)
{
    struct packet **link = &network->under_way;
    packet->to = to;
    packet->due = due;
    while (*link != NULL && ((*link)->due < due || ((*link)->due == due && (*link)->serial <= packet->serial)))
        link = &(*link)->next;
    packet->next = *link;
    *link = packet;
}

// Sends a copy to an end, or loses, doubles or delays it. Returns false when out of memory.
static bool deliver(network *network, end *to, kin_topic topic, uint32_t from, const void *bytes, size_t size)
{
    const kin_memory_options *options = &network->options;
    uint32_t copies = 1;
    if (draw(network) < options->loss)
        return true;
    if (draw(network) < options->twice)
        copies = 2;
    for (uint32_t i = 0; i < copies; i++) {
        packet *packet = packet_make(topic, from, bytes, size);
        if (packet == NULL)
            return false;
        packet->serial = network->serial;
        uint64_t due = network->now + options->delay;
        if (draw(network) < options->late)
            due += 1 + draw(network) % LATE_MOST;
        put(network, packet, to, due);
    }
    return true;
}

static void forget_oldest(network *network)
{
    packet *oldest = network->kept;
    network->kept = oldest->next;
    if (network->kept == NULL)
        network->last_kept = NULL;
    network->kept_bytes -= oldest->size;
    free(oldest);
}

static bool keep(network *network, kin_topic topic, uint32_t from, const void *bytes, size_t size)
{
    packet *packet = packet_make(topic, from, bytes, size);
    if (packet == NULL)
        return false;
    packet->serial = network->serial;
    if (network->last_kept == NULL)
        network->kept = packet;
    else
        network->last_kept->next = packet;
    network->last_kept = packet;
    network->kept_bytes += size;
    while (network->kept_bytes > KEPT_MOST)
        forget_oldest(network);
    return true;
}

// ---- the functions of the transport

static bool memory_send(kin_transport *transport, kin_topic topic, uint32_t peer, const void *bytes, size_t size)
{
    end *from = (end *)(void *)transport;
    network *network = from->network;
    bool is_kept = transport->is_shared && topic.kind != KIN_TOPIC_IN;
    bool is_sent = true;
    if (size > transport->most || (bytes == NULL && size > 0))
        return false;
    network->serial++;
    if (is_kept && !keep(network, topic, transport->peer, bytes, size))
        return false;
    for (end *to = network->ends; to != NULL; to = to->next) {
        bool is_meant = peer != 0 ? to->transport.peer == peer : hears(to, topic);
        if (to != from && is_meant)
            is_sent = deliver(network, to, topic, transport->peer, bytes, size) && is_sent;
    }
    return is_sent;
}

static bool memory_next(kin_transport *transport, kin_arrival *arrival)
{
    end *end = (struct end *)(void *)transport;
    packet **link = &end->network->under_way;
    free(end->taken);
    end->taken = NULL;
    while (*link != NULL && (*link)->to != end)
        link = &(*link)->next;
    packet *packet = *link;
    if (packet == NULL || packet->due > end->network->now)
        return false;
    *link = packet->next;
    end->taken = packet;
    *arrival =
        (kin_arrival){.topic = packet->topic, .peer = packet->from, .bytes = packet->bytes, .size = packet->size};
    return true;
}

// Returns the first packet of those that one needs to join: the newest full frame without a zone begins an update, and
// of a recording the newest key.
static const packet *find_first(const network *network, kin_topic topic)
{
    const packet *first = network->kept;
    bool is_inside = false;
    for (const packet *kept = first; kept != NULL; kept = kept->next) {
        bool begins = kept->topic.kind == KIN_TOPIC_FULL && kept->topic.has_no_zone;
        if (topic.kind == KIN_TOPIC_RECORD)
            begins = kept->topic.is_key;
        if (begins && !is_inside)
            first = kept;
        is_inside = begins; // the parts of one are kept one after the other
    }
    return first;
}

static bool give_kept(end *end, kin_topic topic)
{
    for (const packet *kept = find_first(end->network, topic); kept != NULL; kept = kept->next) {
        if (!covers(topic, kept->topic))
            continue;
        packet *packet = packet_make(kept->topic, kept->from, kept->bytes, kept->size);
        if (packet == NULL)
            return false;
        packet->serial = kept->serial;
        put(end->network, packet, end, end->network->now);
    }
    return true;
}

// The messages of all go to the host.
static bool is_of_host(kin_topic topic)
{
    return topic.kind == KIN_TOPIC_IN && topic.peer == 0;
}

static bool memory_listen(kin_transport *transport, kin_topic topic, bool on)
{
    end *end = (struct end *)(void *)transport;
    listened **link = &end->topics;
    if (is_of_host(topic))
        transport->peer = on ? 0 : end->own_number;
    while (*link != NULL && !is_same((*link)->topic, topic))
        link = &(*link)->next;
    listened *listened = *link;
    if (!on && listened != NULL) {
        *link = listened->next;
        free(listened);
    }
    if (!on || listened != NULL)
        return true;
    listened = malloc(sizeof *listened);
    if (listened == NULL)
        return false;
    *listened = (struct listened){end->topics, topic};
    end->topics = listened;
    return !transport->is_shared || give_kept(end, topic);
}

// Takes the lease if nobody holds it, or renews it.
static bool memory_lease(kin_transport *transport, kin_lease *lease)
{
    end *end = (struct end *)(void *)transport;
    network *network = end->network;
    bool is_held = network->holder == end && network->now < network->held_until;
    if (lease->gives_up && is_held)
        network->held_until = network->now;
    if (!lease->gives_up && !is_held && network->now >= network->held_until + lease->after_ms) {
        is_held = true;
        network->holder = end;
        network->epoch++;
    }
    lease->is_held = is_held && !lease->gives_up;
    if (lease->is_held)
        network->held_until = network->now + lease->lasts_ms;
    lease->epoch = network->epoch;
    lease->left_ms = lease->is_held ? lease->lasts_ms : 0;
    return true;
}

// ---- ends

static void drop_packets_to(network *network, const end *end)
{
    packet **link = &network->under_way;
    while (*link != NULL) {
        packet *packet = *link;
        if (packet->to != end) {
            link = &packet->next;
            continue;
        }
        *link = packet->next;
        free(packet);
    }
}

static void memory_end(kin_transport *transport)
{
    end *gone = (end *)(void *)transport;
    network *network = gone->network;
    end **link = &network->ends;
    drop_packets_to(network, gone);
    while (*link != gone)
        link = &(*link)->next;
    *link = gone->next;
    while (gone->topics != NULL)
        memory_listen(transport, gone->topics->topic, false);
    if (network->holder == gone)
        network->holder = NULL; // the lease lasts as if its holder had died
    free(gone->taken);
    free(gone);
    if (network->ends != NULL)
        return;
    while (network->kept != NULL)
        forget_oldest(network);
    free(network);
}

static kin_transport *end_make(network *network, uint32_t peer)
{
    end *made = malloc(sizeof *made);
    end **link = &network->ends;
    if (made == NULL)
        return NULL;
    *made = (end){.network = network, .own_number = peer};
    made->transport = (kin_transport){.name = "memory",
                                      .is_shared = network->options.is_shared,
                                      .most = network->options.most,
                                      .peer = peer,
                                      .send = memory_send,
                                      .next = memory_next,
                                      .listen = memory_listen,
                                      .lease = network->options.is_shared ? memory_lease : NULL,
                                      .end = memory_end};
    while (*link != NULL)
        link = &(*link)->next;
    *link = made;
    return &made->transport;
}

kin_transport *kin_memory_transport_create(const kin_memory_options *options)
{
    network *made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    if (options != NULL)
        made->options = *options;
    if (made->options.most == 0)
        made->options.most = made->options.is_shared ? SHARED_MOST : DATAGRAM_MOST;
    made->random = made->options.seed;
    kin_transport *transport = end_make(made, 0);
    if (transport == NULL)
        free(made);
    return transport;
}

static network *network_of(kin_transport *transport)
{
    if (transport == NULL || transport->end != memory_end)
        return NULL;
    return ((end *)(void *)transport)->network;
}

kin_transport *kin_memory_transport_join(kin_transport *transport)
{
    network *network = network_of(transport);
    if (network == NULL)
        return NULL;
    kin_transport *joined = end_make(network, network->peers + 1);
    network->peers += joined != NULL;
    return joined;
}

void kin_memory_transport_step(kin_transport *transport)
{
    network *network = network_of(transport);
    if (network != NULL)
        network->now++;
}
