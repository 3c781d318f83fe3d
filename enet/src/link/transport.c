// The functions of the transport, on the thread of the world.
#include "link/link.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static kin__link *link_of(kin_transport *transport)
{
    return (kin__link *)(void *)transport;
}

// ---- sending

static bool enet_send(kin_transport *transport, kin_topic topic, uint32_t peer, const void *bytes, size_t size)
{
    kin__link *link = link_of(transport);
    bool has_bytes = bytes != NULL || size == 0;
    if (!has_bytes || size > transport->most)
        return false;
    kin__link_item *item = kin__link_pack(topic, peer, bytes, size);
    if (item == NULL)
        return false;
    pthread_mutex_lock(&link->mutex);
    bool has_room = link->out.bytes + size <= KIN__LINK_QUEUE;
    if (has_room)
        kin__link_append(&link->out, item);
    kin__link_wake(link);
    pthread_mutex_unlock(&link->mutex);
    if (!has_room)
        kin__link_free(item);
    return has_room;
}

// ---- receiving

static void say(const kin__link *link, const char *message)
{
    kin_error error = {.status = KIN_ERROR_STREAM, .message = message};
    if (link != NULL && link->on_error != NULL)
        link->on_error(&error, link->error_user);
    else
        fprintf(stderr, "kin: %s\n", message);
}

static void report_fault(kin__link *link)
{
    char message[sizeof link->fault];
    pthread_mutex_lock(&link->mutex);
    memcpy(message, link->fault, sizeof message);
    link->has_fault = false;
    pthread_mutex_unlock(&link->mutex);
    say(link, message);
}

static bool is_same(kin_topic a, kin_topic b)
{
    if (a.has_no_zone != b.has_no_zone || a.has_every_zone != b.has_every_zone)
        return false;
    if (a.kind != b.kind || a.peer != b.peer)
        return false;
    return a.zone == b.zone;
}

// Returns whether who listens to a topic hears another one: of every zone, or of any peer.
static bool covers(kin_topic heard, kin_topic topic)
{
    if (heard.kind != topic.kind)
        return false;
    if (topic.kind == KIN_TOPIC_OWN || topic.kind == KIN_TOPIC_IN)
        return true;
    if (heard.has_every_zone && !topic.has_no_zone)
        return true;
    return is_same(heard, topic);
}

static bool hears(const kin__link *link, kin_topic topic)
{
    for (const kin__link_topic *listened = link->topics; listened != NULL; listened = listened->next)
        if (covers(listened->topic, topic))
            return true;
    return false;
}

// Takes the next datagram. `*number`: that of the replica when it came.
static kin__link_item *take(kin__link *link, uint32_t *number)
{
    pthread_mutex_lock(&link->mutex);
    bool has_fault = link->has_fault;
    kin__link_item *item = kin__link_take(&link->in);
    if (item != NULL && item->peer != 0) {
        kin__link_seat *seat = &link->seats[item->peer & ((1U << KIN__LINK_SEAT_BITS) - 1)];
        assert(seat->waiting > 0);
        seat->waiting--;
    }
    *number = link->number;
    pthread_mutex_unlock(&link->mutex);
    if (has_fault)
        report_fault(link);
    return item;
}

static bool enet_next(kin_transport *transport, kin_arrival *arrival)
{
    kin__link *link = link_of(transport);
    kin_topic topic = {0};
    bool is_for_all = false;
    size_t head;
    do {
        kin__link_free(link->taken);
        link->taken = take(link, &transport->peer);
        if (link->taken == NULL)
            return false;
        head = kin__link_unpack(link->taken->packet, &topic, &is_for_all);
        assert(head != 0); // others are not delivered
    } while (is_for_all && !hears(link, topic));
    const ENetPacket *packet = link->taken->packet;
    topic.peer = link->taken->peer;
    *arrival = (kin_arrival){
        .topic = topic, .peer = link->taken->peer, .bytes = packet->data + head, .size = packet->dataLength - head};
    return true;
}

static bool enet_listen(kin_transport *transport, kin_topic topic, bool on)
{
    kin__link *link = link_of(transport);
    kin__link_topic **place = &link->topics;
    while (*place != NULL && !is_same((*place)->topic, topic))
        place = &(*place)->next;
    kin__link_topic *listened = *place;
    if (!on && listened != NULL) {
        *place = listened->next;
        free(listened);
    }
    if (!on || listened != NULL)
        return true;
    listened = calloc(1, sizeof *listened);
    if (listened == NULL)
        return false;
    *listened = (kin__link_topic){link->topics, topic};
    link->topics = listened;
    return true;
}

// ---- the lease

// Who has the port is the host. A session that follows another one on it has the next epoch.
static bool enet_lease(kin_transport *transport, kin_lease *lease)
{
    kin__link *link = link_of(transport);
    assert(link->is_host);
    bool begins = !lease->gives_up && !link->has_lease;
    link->epoch += begins;
    link->has_lease = !lease->gives_up;
    lease->epoch = link->epoch;
    lease->is_held = link->has_lease;
    lease->left_ms = 0;
    if (link->has_lease)
        lease->left_ms = lease->lasts_ms;
    return true;
}

// ---- ending

static void release(kin__link *link)
{
    if (link->enet != NULL)
        enet_host_destroy(link->enet);
    kin__link_clear(&link->out);
    kin__link_clear(&link->in);
    kin__link_free(link->taken);
    while (link->topics != NULL)
        enet_listen(&link->transport, link->topics->topic, false);
    for (uint32_t i = 0; i < 2; i++)
        if (link->wake[i] >= 0)
            close(link->wake[i]);
    if (link->has_mutex)
        pthread_mutex_destroy(&link->mutex);
    free(link->seats);
    free(link);
}

static void enet_end(kin_transport *transport)
{
    kin__link *link = link_of(transport);
    pthread_mutex_lock(&link->mutex);
    link->is_ending = true;
    kin__link_wake(link);
    pthread_mutex_unlock(&link->mutex);
    pthread_join(link->thread, NULL);
    release(link);
}

// ---- beginning

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int has_enet;

static void begin_enet(void)
{
    has_enet = enet_initialize() == 0;
}

static bool open_pipe(kin__link *link)
{
    if (pipe(link->wake) != 0) {
        link->wake[0] = -1;
        link->wake[1] = -1;
        return false;
    }
    for (uint32_t i = 0; i < 2; i++)
        if (fcntl(link->wake[i], F_SETFL, O_NONBLOCK) != 0 || fcntl(link->wake[i], F_SETFD, FD_CLOEXEC) != 0)
            return false;
    return true;
}

static void set_functions(kin__link *link)
{
    link->transport = (kin_transport){.name = "enet",
                                      .most = KIN__LINK_MOST,
                                      .repeats_full = true,
                                      .send = enet_send,
                                      .next = enet_next,
                                      .listen = enet_listen,
                                      .end = enet_end};
    if (link->is_host)
        link->transport.lease = enet_lease;
    // With the number of the connection in it: who cannot read the datagrams of others can hardly forge them.
    link->enet->checksum = enet_crc32;
    link->enet->maximumPacketSize = KIN__LINK_PACKET;
    link->enet->maximumWaitingData = KIN__LINK_INSIDE;
    fcntl(link->enet->socket, F_SETFD, FD_CLOEXEC);
}

// Makes what ENet needs: that of a host has a port, and connections beyond the seats; a replica has one connection.
static ENetHost *make_enet(const kin__link *link)
{
    const ENetAddress own = {.host = ENET_HOST_ANY, .port = link->port};
    size_t most = link->seat_count + KIN__LINK_SPARE;
    if (!link->is_host)
        return enet_host_create(NULL, 1, KIN__LINK_CHANNELS, 0, 0);
    if (most > KIN__LINK_SEATS)
        most = KIN__LINK_SEATS;
    return enet_host_create(&own, most, KIN__LINK_CHANNELS, 0, 0);
}

// Makes a link and its thread; with seats it is that of a host.
static kin_transport *make(const char *address, uint16_t port, uint32_t seats)
{
    kin__link *link = calloc(1, sizeof *link);
    pthread_once(&once, begin_enet);
    if (link == NULL || !has_enet) {
        free(link);
        return NULL;
    }
    assert((address == NULL) == (seats > 0) && seats <= KIN__LINK_SEATS);
    link->wake[0] = -1;
    link->wake[1] = -1;
    link->is_host = seats > 0;
    link->port = port;
    link->seat_count = seats;
    link->seats = calloc(seats + (size_t)1, sizeof *link->seats);
    if (address != NULL)
        strcpy(link->address, address);
    link->has_mutex = pthread_mutex_init(&link->mutex, NULL) == 0;
    bool is_ready = link->seats != NULL && link->has_mutex;
    if (is_ready && open_pipe(link))
        link->enet = make_enet(link);
    if (link->enet == NULL) {
        release(link);
        return NULL;
    }
    set_functions(link);
    if (link->is_host)
        link->port = link->enet->address.port;
    if (!kin__link_begin_thread(link)) {
        release(link);
        return NULL;
    }
    return &link->transport;
}

kin_transport *kin_enet_host_transport(uint16_t port, uint32_t peers)
{
    char message[128];
    if (peers == 0 || peers > KIN__LINK_SEATS) {
        say(NULL, "cannot host over ENet: it has 1 to 4095 peers");
        return NULL;
    }
    kin_transport *transport = make(NULL, port, peers);
    if (transport == NULL) {
        snprintf(message, sizeof message, "cannot host over ENet on port %u: it is taken, or out of memory",
                 (unsigned)port);
        say(NULL, message);
    }
    return transport;
}

static bool is_address(const char *address)
{
    if (address == NULL || address[0] == '\0')
        return false;
    return strlen(address) <= KIN__LINK_ADDRESS;
}

kin_transport *kin_enet_transport(const char *address, uint16_t port)
{
    if (!is_address(address) || port == 0) {
        say(NULL, "cannot connect over ENet: give the name or address of a host, and its port");
        return NULL;
    }
    kin_transport *transport = make(address, port, 0);
    if (transport == NULL)
        say(NULL, "cannot connect over ENet: out of memory, sockets or threads");
    return transport;
}

// ---- questions

static const kin__link *link_or_null(const kin_transport *transport)
{
    if (transport == NULL || transport->end != enet_end)
        return NULL;
    return (const kin__link *)(const void *)transport;
}

uint16_t kin_enet_port(const kin_transport *transport)
{
    const kin__link *link = link_or_null(transport);
    if (link == NULL || !link->is_host)
        return 0;
    return link->port;
}

bool kin_enet_is_connected(const kin_transport *transport)
{
    kin__link *link = (kin__link *)(uintptr_t)link_or_null(transport);
    if (link == NULL)
        return false;
    pthread_mutex_lock(&link->mutex);
    bool is_connected = link->connected > 0;
    pthread_mutex_unlock(&link->mutex);
    return is_connected;
}

void kin_enet_on_error(kin_transport *transport, void (*on_error)(const kin_error *error, void *user), void *user)
{
    kin__link *link = (kin__link *)(uintptr_t)link_or_null(transport);
    if (link == NULL)
        return;
    link->on_error = on_error;
    link->error_user = user;
}
