#include "transport_rules.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const kin_topic ticks = {.kind = KIN_TOPIC_TICK};

static kin_topic zone_of(int32_t zone)
{
    return (kin_topic){.kind = KIN_TOPIC_FRAME, .zone = zone};
}

// Returns the next arrival, which may need a while. The first call of `next` may be what fetches it.
static bool receive(kin_transport *transport, const transport_maker *maker, kin_arrival *arrival)
{
    for (uint32_t i = 0; i < 100; i++) {
        if (transport->next(transport, arrival))
            return true;
        maker->wait();
    }
    return false;
}

static bool has_text(kin_transport *transport, const transport_maker *maker, const char *text)
{
    kin_arrival arrival;
    return receive(transport, maker, &arrival) && arrival.size == strlen(text) &&
           memcmp(arrival.bytes, text, arrival.size) == 0;
}

static bool has_nothing(kin_transport *transport, const transport_maker *maker)
{
    kin_arrival arrival;
    maker->wait();
    return !transport->next(transport, &arrival);
}

static bool send(kin_transport *transport, kin_topic topic, uint32_t peer, const char *text)
{
    return transport->send(transport, topic, peer, text, strlen(text));
}

// A transport has a name, a limit of at least 512 bytes, and numbers for its peers, from 1 on; the host's is 0.
static void rule_of_names(const transport_maker *maker)
{
    kin_transport *host = maker->begin();
    kin_transport *first = maker->join();
    kin_transport *second = maker->join();
    ck_assert_ptr_nonnull(host->name);
    ck_assert_uint_ge(host->most, 512);
    ck_assert_uint_eq(host->peer, 0);
    ck_assert_uint_ne(first->peer, 0);
    ck_assert_uint_ne(second->peer, 0);
    ck_assert_uint_ne(first->peer, second->peer);
    second->end(second);
    first->end(first);
    host->end(host);
}

// A host that listens to KIN_TOPIC_IN hears every peer, with its number; peers hear no other peer.
static void rule_of_peers(const transport_maker *maker)
{
    kin_transport *host = maker->begin();
    kin_transport *first = maker->join();
    kin_transport *second = maker->join();
    kin_arrival arrival;
    ck_assert(host->listen(host, (kin_topic){.kind = KIN_TOPIC_IN}, true));
    ck_assert(send(second, (kin_topic){.kind = KIN_TOPIC_IN, .peer = second->peer}, 0, "from the second"));
    ck_assert(receive(host, maker, &arrival));
    ck_assert_int_eq(arrival.topic.kind, KIN_TOPIC_IN);
    ck_assert_uint_eq(arrival.peer, second->peer);
    ck_assert_uint_eq(arrival.size, strlen("from the second"));
    ck_assert(has_nothing(first, maker));
    ck_assert(has_nothing(host, maker));
    second->end(second);
    first->end(first);
    host->end(host);
}

// What is sent to all reaches those that listen to the topic, in order, and nobody else; also after an end of
// listening.
static void rule_of_topics(const transport_maker *maker)
{
    kin_transport *host = maker->begin();
    kin_transport *first = maker->join();
    kin_transport *second = maker->join();
    ck_assert(first->listen(first, zone_of(-7), true));
    ck_assert(second->listen(second, zone_of(8), true));
    ck_assert(send(host, zone_of(-7), 0, "one"));
    ck_assert(send(host, zone_of(-7), 0, "two"));
    ck_assert(send(host, (kin_topic){.kind = KIN_TOPIC_FRAME, .zone = -7, .has_no_zone = true}, 0, "no zone"));
    ck_assert(has_text(first, maker, "one"));
    ck_assert(has_text(first, maker, "two"));
    ck_assert(has_nothing(first, maker));
    ck_assert(has_nothing(second, maker));
    ck_assert(has_nothing(host, maker));
    ck_assert(first->listen(first, zone_of(-7), false));
    ck_assert(send(host, zone_of(-7), 0, "three"));
    ck_assert(has_nothing(first, maker));
    second->end(second);
    first->end(first);
    host->end(host);
}

// On a shared transport one can listen to all zones at once; what has no zone is a topic of its own.
static void rule_of_every_zone(const transport_maker *maker)
{
    kin_transport *host = maker->begin();
    kin_transport *peer = maker->join();
    kin_topic every = {.kind = KIN_TOPIC_FRAME, .has_every_zone = true};
    bool is_shared = host->is_shared;
    ck_assert(!is_shared || peer->listen(peer, every, true));
    ck_assert(send(host, zone_of(3), 0, "three"));
    ck_assert(send(host, zone_of(-4), 0, "minus four"));
    ck_assert(send(host, (kin_topic){.kind = KIN_TOPIC_FRAME, .has_no_zone = true}, 0, "no zone"));
    ck_assert(send(host, (kin_topic){.kind = KIN_TOPIC_FULL, .zone = 3}, 0, "full"));
    ck_assert(!is_shared || has_text(peer, maker, "three"));
    ck_assert(!is_shared || has_text(peer, maker, "minus four"));
    ck_assert(has_nothing(peer, maker));
    ck_assert(!is_shared || peer->listen(peer, every, false));
    ck_assert(send(host, zone_of(3), 0, "later"));
    ck_assert(has_nothing(peer, maker));
    peer->end(peer);
    host->end(host);
}

// Whether what is sent to one peer reaches it. A broker that does not know yet what the peer listens to drops it, so it
// is sent again.
static bool reaches(kin_transport *host, kin_transport *peer, const transport_maker *maker)
{
    kin_arrival arrival;
    bool has_arrived = false;
    for (uint32_t i = 0; !has_arrived && i < 100; i++) {
        ck_assert(send(host, ticks, peer->peer, "for one"));
        maker->wait();
        has_arrived = peer->next(peer, &arrival);
    }
    return has_arrived && arrival.size == strlen("for one") && memcmp(arrival.bytes, "for one", arrival.size) == 0;
}

// What is sent to one peer reaches that alone.
static void rule_of_one(const transport_maker *maker)
{
    kin_transport *host = maker->begin();
    kin_transport *first = maker->join();
    kin_transport *second = maker->join();
    ck_assert(first->listen(first, ticks, true) && second->listen(second, ticks, true));
    ck_assert(reaches(host, second, maker));
    ck_assert(has_nothing(first, maker));
    second->end(second);
    first->end(first);
    host->end(host);
}

// A send of `most` bytes arrives whole; one of more is refused. Bytes of all values arrive, and none at all.
static void rule_of_sizes(const transport_maker *maker)
{
    kin_transport *host = maker->begin();
    kin_transport *peer = maker->join();
    unsigned char *bytes = malloc((size_t)host->most + 1);
    kin_arrival arrival;
    for (size_t i = 0; i <= host->most; i++)
        bytes[i] = (unsigned char)(i * 7);
    ck_assert(peer->listen(peer, ticks, true));
    ck_assert(!host->send(host, ticks, 0, bytes, (size_t)host->most + 1));
    ck_assert(host->send(host, ticks, 0, bytes, host->most));
    ck_assert(receive(peer, maker, &arrival));
    ck_assert_uint_eq(arrival.size, host->most);
    ck_assert_mem_eq(arrival.bytes, bytes, host->most);
    ck_assert(host->send(host, ticks, 0, NULL, 0));
    ck_assert(receive(peer, maker, &arrival));
    ck_assert_uint_eq(arrival.size, 0);
    free(bytes);
    peer->end(peer);
    host->end(host);
}

// A shared transport keeps what a host has sent for those that listen later, in the order of sending.
static void rule_of_history(const transport_maker *maker)
{
    kin_transport *host = maker->begin();
    bool is_shared = host->is_shared;
    ck_assert(send(host, ticks, 0, "before"));
    ck_assert(send(host, zone_of(2), 0, "of zone two"));
    ck_assert(send(host, zone_of(3), 0, "of zone three"));
    ck_assert(send(host, ticks, 0, "and then"));
    maker->wait();
    kin_transport *late = maker->join();
    ck_assert(late->listen(late, zone_of(2), true) && late->listen(late, ticks, true));
    ck_assert(!is_shared || has_text(late, maker, "before"));
    ck_assert(!is_shared || has_text(late, maker, "of zone two"));
    ck_assert(!is_shared || has_text(late, maker, "and then"));
    ck_assert(send(host, ticks, 0, "live"));
    ck_assert(has_text(late, maker, "live"));
    late->end(late);
    host->end(host);
}

// To listen twice is to listen once, and to end what was not begun is nothing.
static void rule_of_twice(const transport_maker *maker)
{
    kin_transport *host = maker->begin();
    kin_transport *peer = maker->join();
    ck_assert(peer->listen(peer, ticks, false));
    ck_assert(peer->listen(peer, ticks, true) && peer->listen(peer, ticks, true));
    ck_assert(send(host, ticks, 0, "once"));
    ck_assert(has_text(peer, maker, "once"));
    ck_assert(has_nothing(peer, maker));
    peer->end(peer);
    host->end(host);
}

void transport_rules(const transport_maker *maker)
{
    rule_of_names(maker);
    rule_of_peers(maker);
    rule_of_topics(maker);
    rule_of_every_zone(maker);
    rule_of_one(maker);
    rule_of_sizes(maker);
    rule_of_history(maker);
    rule_of_twice(maker);
}
