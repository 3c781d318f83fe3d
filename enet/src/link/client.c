// The thread of a replica's link: it connects, and connects again.
#include "link/link.h"

#include <assert.h>
#include <string.h>

// The number is kept: who comes back says which one it had.
static void lose(kin__link *link, uint64_t retry_at)
{
    link->peer = NULL;
    link->is_welcome = false;
    link->retry_at = retry_at;
    pthread_mutex_lock(&link->mutex);
    link->connected = 0;
    pthread_mutex_unlock(&link->mutex);
}

static void connect_to_host(kin__link *link, uint64_t now)
{
    ENetAddress address = {.port = link->port};
    link->retry_at = now + KIN__LINK_RETRY_MS;
    if (enet_address_set_host(&address, link->address) != 0) {
        if (!link->has_said_silent)
            kin__link_note(link,
                           "cannot connect to the host at %s: there is no such name; give a name or an address "
                           "of IPv4",
                           link->address);
        link->has_said_silent = true;
        return;
    }
    link->peer = enet_host_connect(link->enet, &address, KIN__LINK_CHANNELS, KIN__LINK_VERSION);
    link->since = now;
}

// Milliseconds without a word of the host, also without the answers that ENet asks for.
static uint64_t silence_of(const kin__link *link, uint64_t now)
{
    uint64_t quiet = enet_time_get() - link->peer->lastReceiveTime;
    uint64_t silence = now - link->heard;
    if (quiet < silence)
        return quiet;
    return silence;
}

void kin__link_client_step(kin__link *link, uint64_t now)
{
    if (link->peer == NULL && now >= link->retry_at)
        connect_to_host(link, now);
    if (link->peer == NULL)
        return;
    bool has_no_answer = !link->is_welcome && now - link->since > KIN__LINK_ANSWER_MS;
    bool is_lost = link->is_welcome && silence_of(link, now) > KIN__LINK_SILENCE_MS;
    if (!has_no_answer && !is_lost)
        return;
    assert(has_no_answer != is_lost);
    if (is_lost)
        kin__link_note(link, "the connection to the host at %s:%u is lost; connecting again", link->address,
                       (unsigned)link->port);
    else if (!link->has_said_silent)
        kin__link_note(link, "the host at %s:%u does not answer; trying again", link->address, (unsigned)link->port);
    link->has_said_silent = link->has_said_silent || has_no_answer;
    enet_peer_reset(link->peer);
    lose(link, now);
}

static void say_reason(kin__link *link, uint32_t reason)
{
    static const char *const reasons[] = {
        [KIN__LINK_LOST] = "has ended the connection; connecting again",
        [KIN__LINK_OTHER_VERSION] = "has another version of libkin-enet; build both programs with the same one",
        [KIN__LINK_FULL] = "is full; trying again",
        [KIN__LINK_END] = "has ended; waiting for the next one"};
    bool is_refused = reason == KIN__LINK_OTHER_VERSION || reason == KIN__LINK_FULL;
    if (reason >= sizeof reasons / sizeof *reasons) // of a later version
        reason = KIN__LINK_LOST;
    if (!is_refused || !link->has_said_silent)
        kin__link_note(link, "the host at %s:%u %s", link->address, (unsigned)link->port, reasons[reason]);
    link->has_said_silent = link->has_said_silent || is_refused;
}

static void take_welcome(kin__link *link, const ENetPacket *packet)
{
    uint32_t number;
    uint64_t token;
    if (!kin__link_read_hello(packet, 'W', &number, &token) || number == 0)
        return;
    link->token = token;
    link->is_welcome = true;
    link->has_said_silent = false;
    pthread_mutex_lock(&link->mutex);
    if (link->number != number)
        kin__link_clear(&link->in); // what another host has sent
    link->number = number;
    link->connected = 1;
    pthread_mutex_unlock(&link->mutex);
}

static void take_packet(kin__link *link, const ENetEvent *event)
{
    kin_topic topic;
    bool is_for_all;
    if (event->channelID != 1) {
        take_welcome(link, event->packet);
        enet_packet_destroy(event->packet);
    } else if (link->is_welcome && kin__link_unpack(event->packet, &topic, &is_for_all) != 0) {
        kin__link_deliver(link, 0, event->packet);
    } else {
        enet_packet_destroy(event->packet);
    }
}

void kin__link_client_take(kin__link *link, const ENetEvent *event, uint64_t now)
{
    assert(!link->is_host);
    link->heard = now;
    if (event->type == ENET_EVENT_TYPE_RECEIVE) {
        take_packet(link, event);
    } else if (event->type == ENET_EVENT_TYPE_DISCONNECT) {
        bool was_answered = event->data != KIN__LINK_LOST || link->is_welcome;
        if (was_answered)
            say_reason(link, event->data);
        lose(link, now + KIN__LINK_RETRY_MS);
    } else if (event->type == ENET_EVENT_TYPE_CONNECT) {
        pthread_mutex_lock(&link->mutex);
        uint32_t number = link->number;
        pthread_mutex_unlock(&link->mutex);
        ENetPacket *join = kin__link_hello('J', number, link->token);
        enet_peer_timeout(event->peer, 0, KIN__LINK_SILENCE_MS, KIN__LINK_TIMEOUT_MS);
        if (join != NULL && enet_peer_send(event->peer, 0, join) != 0)
            enet_packet_destroy(join);
    }
}
