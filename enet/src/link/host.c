// The thread of a host's link: who connects gets a seat, and the number of that.
#include "link/link.h"

#include <assert.h>
#include <string.h>

static char has_waited; // the data of an ENetPeer without a seat that was seen once

static kin__link_seat *seat_of(const ENetPeer *peer)
{
    if (peer->data == &has_waited)
        return NULL;
    return peer->data;
}

static void count(kin__link *link, int32_t difference)
{
    pthread_mutex_lock(&link->mutex);
    link->connected += (uint32_t)difference;
    pthread_mutex_unlock(&link->mutex);
}

static void leave(kin__link *link, kin__link_seat *seat, uint64_t now)
{
    assert(seat->number != 0 && seat->peer->data == seat); // 2
    seat->peer->data = NULL;
    seat->peer = NULL;
    seat->left_at = now;
    count(link, -1);
}

// Ends a connection that was lost.
static void lose(kin__link *link, kin__link_seat *seat, uint64_t now)
{
    ENetPeer *lost = seat->peer;
    leave(link, seat, now);
    enet_peer_reset(lost);
}

// Returns a seat that was never used, or the one that was left first; NULL: all are taken.
static kin__link_seat *free_seat(kin__link *link)
{
    kin__link_seat *found = NULL;
    for (uint32_t i = 0; i < link->seat_count; i++) {
        kin__link_seat *seat = &link->seats[i];
        if (seat->number == 0)
            return seat;
        bool is_older = found == NULL || seat->left_at < found->left_at;
        if (seat->peer == NULL && is_older)
            found = seat;
    }
    return found;
}

// Gives a seat a number that neither it nor the replica had before.
static void renumber(kin__link *link, kin__link_seat *seat, uint32_t former)
{
    uint32_t index = (uint32_t)(seat - link->seats);
    uint32_t number = 0;
    assert(index < link->seat_count && seat->peer == NULL);
    while (number == 0 || number == former || number == seat->number)
        number = (uint32_t)(kin__link_draw() << KIN__LINK_SEAT_BITS & INT32_MAX) | index;
    seat->number = number;
    assert(kin__link_find_seat(link, number) == seat);
    seat->token = kin__link_draw();
}

// Returns the seat that a replica had, which is free then. NULL: it had none.
static kin__link_seat *former_seat(kin__link *link, uint32_t number, uint64_t token, uint64_t now)
{
    kin__link_seat *seat = kin__link_find_seat(link, number);
    if (seat == NULL || seat->token != token)
        return NULL;
    if (seat->peer != NULL) // the host has not noticed yet that it was lost
        lose(link, seat, now);
    return seat;
}

static bool send_welcome(ENetPeer *peer, const kin__link_seat *seat)
{
    ENetPacket *welcome = kin__link_hello('W', seat->number, seat->token);
    if (welcome == NULL)
        return false;
    if (enet_peer_send(peer, 0, welcome) == 0)
        return true;
    enet_packet_destroy(welcome);
    return false;
}

static void take_join(kin__link *link, ENetPeer *peer, const ENetPacket *packet, uint64_t now)
{
    uint32_t number;
    uint64_t token;
    if (seat_of(peer) != NULL || !kin__link_read_hello(packet, 'J', &number, &token))
        return;
    kin__link_seat *seat = former_seat(link, number, token, now);
    if (seat == NULL) {
        seat = free_seat(link);
        if (seat == NULL) {
            enet_peer_disconnect(peer, KIN__LINK_FULL);
            return;
        }
        renumber(link, seat, number);
    }
    if (!send_welcome(peer, seat)) {
        enet_peer_reset(peer);
        return;
    }
    assert(seat->peer == NULL && seat->number != 0);
    seat->peer = peer;
    peer->data = seat;
    count(link, 1);
}

// Whether a datagram is for the host.
static bool is_for_host(const ENetPacket *packet)
{
    kin_topic topic;
    bool is_for_all;
    return kin__link_unpack(packet, &topic, &is_for_all) != 0 && topic.kind == KIN_TOPIC_IN;
}

static void take_datagram(kin__link *link, const ENetPeer *peer, ENetPacket *packet)
{
    const kin__link_seat *seat = seat_of(peer);
    if (seat != NULL && is_for_host(packet))
        kin__link_deliver(link, seat->number, packet);
    else
        enet_packet_destroy(packet);
}

void kin__link_host_take(kin__link *link, const ENetEvent *event, uint64_t now)
{
    ENetPeer *peer = event->peer;
    switch (event->type) {
    case ENET_EVENT_TYPE_CONNECT:
        peer->data = NULL;
        enet_peer_timeout(peer, 0, KIN__LINK_SILENCE_MS, KIN__LINK_TIMEOUT_MS);
        // Sessions have budgets: ENet must not drop a part of a frame at random when a network becomes slower.
        enet_peer_throttle_configure(peer, ENET_PEER_PACKET_THROTTLE_INTERVAL, ENET_PEER_PACKET_THROTTLE_SCALE, 0);
        if (event->data != KIN__LINK_VERSION)
            enet_peer_disconnect(peer, KIN__LINK_OTHER_VERSION);
        break;
    case ENET_EVENT_TYPE_DISCONNECT:
        if (seat_of(peer) != NULL)
            leave(link, seat_of(peer), now);
        peer->data = NULL;
        break;
    case ENET_EVENT_TYPE_RECEIVE:
        if (event->channelID == 1) {
            take_datagram(link, peer, event->packet);
            break;
        }
        take_join(link, peer, event->packet, now);
        enet_packet_destroy(event->packet);
        break;
    default:
        break;
    }
}

// Ends connections that have been silent for too long. ENet itself looks at one only when it sends again what was not
// answered, each time after twice as long.
static void end_silent(kin__link *link, uint64_t now)
{
    uint32_t clock = enet_time_get();
    for (uint32_t i = 0; i < link->seat_count; i++) {
        kin__link_seat *seat = &link->seats[i];
        if (seat->peer != NULL && clock - seat->peer->lastReceiveTime > KIN__LINK_TIMEOUT_MS)
            lose(link, seat, now);
    }
}

// Ends connections that have not said who they are.
static void end_nameless(kin__link *link)
{
    for (size_t i = 0; i < link->enet->peerCount; i++) {
        ENetPeer *peer = &link->enet->peers[i];
        if (peer->state != ENET_PEER_STATE_CONNECTED || seat_of(peer) != NULL)
            continue;
        if (peer->data == &has_waited)
            enet_peer_reset(peer);
        else
            peer->data = &has_waited;
    }
}

void kin__link_host_step(kin__link *link, uint64_t now)
{
    if (now >= link->look_at) {
        link->look_at = now + KIN__LINK_RETRY_MS;
        end_silent(link, now);
    }
    if (now - link->since >= KIN__LINK_JOIN_MS) {
        link->since = now;
        end_nameless(link);
    }
}
