// The thread of a link: it sends, receives, and sleeps.
#include "link/link.h"

#include <assert.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

// With the mutex.
void kin__link_wake(kin__link *link)
{
    if (link->is_woken)
        return;
    link->is_woken = write(link->wake[1], "", 1) == 1;
}

// Takes all that waits to be sent. Returns false at the end.
static bool take_out(kin__link *link, kin__link_queue *out)
{
    char bytes[16];
    pthread_mutex_lock(&link->mutex);
    *out = link->out;
    link->out = (kin__link_queue){0};
    bool goes_on = !link->is_ending;
    if (link->is_woken && read(link->wake[0], bytes, sizeof bytes) > 0)
        link->is_woken = false;
    pthread_mutex_unlock(&link->mutex);
    return goes_on;
}

static void note_freed(ENetPacket *packet)
{
    kin__link_seat *seat = packet->userData;
    assert(seat->queued >= packet->dataLength);
    seat->queued -= packet->dataLength;
}

// Who does not take what is sent again has no more of it waiting than a limit.
static void send_to_one(kin__link_seat *seat, ENetPacket *packet)
{
    if (seat->peer == NULL || seat->queued + packet->dataLength > KIN__LINK_QUEUE)
        return;
    seat->queued += packet->dataLength;
    packet->userData = seat;
    packet->freeCallback = note_freed;
    enet_peer_send(seat->peer, 1, packet);
}

static void send_to_seats(kin__link *link, const kin__link_item *item)
{
    if (item->peer != 0) {
        kin__link_seat *only = kin__link_find_seat(link, item->peer);
        if (only != NULL)
            send_to_one(only, item->packet);
        return;
    }
    for (uint32_t i = 0; i < link->seat_count; i++)
        if (link->seats[i].peer != NULL)
            enet_peer_send(link->seats[i].peer, 1, item->packet);
}

// ENet frees a packet after the last receiver; what has no receiver is lost.
static void send_all(kin__link *link, kin__link_queue *out)
{
    for (kin__link_item *item = kin__link_take(out); item != NULL; item = kin__link_take(out)) {
        if (link->is_host)
            send_to_seats(link, item);
        else if (link->peer != NULL && link->is_welcome)
            enet_peer_send(link->peer, 1, item->packet);
        kin__link_free(item);
    }
}

static void serve(kin__link *link)
{
    ENetEvent event;
    uint64_t now = kin__link_clock();
    while (enet_host_service(link->enet, &event, 0) > 0)
        if (link->is_host)
            kin__link_host_take(link, &event, now);
        else
            kin__link_client_take(link, &event, now);
    if (link->is_host)
        kin__link_host_step(link, now);
    else
        kin__link_client_step(link, now);
}

// Until there is something to send or to receive, or ENet may have to say something again.
static void rest(const kin__link *link)
{
    struct pollfd waiting[2] = {{.fd = link->wake[0], .events = POLLIN}, {.fd = link->enet->socket, .events = POLLIN}};
    poll(waiting, 2, KIN__LINK_REST_MS);
}

static void *run(void *user)
{
    kin__link *link = user;
    kin__link_queue out;
    for (bool goes_on = true; goes_on;) {
        goes_on = take_out(link, &out);
        send_all(link, &out);
        serve(link);
        if (goes_on)
            rest(link);
    }
    enet_uint32 reason = link->is_host ? KIN__LINK_END : KIN__LINK_LOST;
    enet_host_flush(link->enet);
    for (size_t i = 0; i < link->enet->peerCount; i++)
        enet_peer_disconnect_now(&link->enet->peers[i], reason);
    return NULL;
}

bool kin__link_begin_thread(kin__link *link)
{
    link->has_thread = pthread_create(&link->thread, NULL, run, link) == 0;
    return link->has_thread;
}
