// The transport over ENet, on sockets of this machine.
#include "courier.h"
#include "generator/scratch.h"
#include "link/link.h"
#include "net/ferry_case.h"
#include "net/square_case.h"
#include "net/transport_rules.h"
#include "shell.h"
#include "suites.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 60000, CROWD = 1500, ZONES = 16 };

static error_log errors;

static void rest(uint32_t milliseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)milliseconds * 1000000}, NULL);
}

static kin_transport *connect_to(uint16_t port)
{
    kin_transport *transport = kin_enet_transport("127.0.0.1", port);
    ck_assert_ptr_nonnull(transport);
    kin_enet_on_error(transport, error_log_append, &errors);
    return transport;
}

static kin_transport *host_for(uint32_t peers)
{
    kin_transport *transport = kin_enet_host_transport(0, peers);
    ck_assert_ptr_nonnull(transport);
    ck_assert_uint_ne(kin_enet_port(transport), 0);
    return transport;
}

static bool has_error(const char *text)
{
    for (uint32_t i = 0; i < errors.count; i++)
        if (strstr(errors.entries[i].message, text) != NULL)
            return true;
    return false;
}

static void begin(void)
{
    square_count = 0;
    error_log_clear(&errors);
}

// ---- the rules of transports

static kin_transport *ruled_host;

static kin_transport *begin_host(void)
{
    ruled_host = host_for(4);
    return ruled_host;
}

// What arrives is nothing yet, as nothing was sent.
static kin_transport *begin_player(void)
{
    kin_transport *player = connect_to(kin_enet_port(ruled_host));
    kin_arrival arrival;
    for (uint32_t i = 0; i < TRIES && player->peer == 0; i++) {
        ck_assert(!player->next(player, &arrival));
        rest(1);
    }
    return player;
}

static void wait_for(void)
{
    rest(20);
}

START_TEST(net_17_enet_passes_the_rules_of_transports)
{
    transport_rules(&(transport_maker){begin_host, begin_player, wait_for});
}
END_TEST

START_TEST(net_17_the_head_of_a_datagram_is_read_as_it_was_written)
{
    static const struct {
        kin_topic topic;
        uint32_t peer;
        size_t head;
    } cases[] = {
        {{.kind = KIN_TOPIC_FRAME, .zone = INT32_MIN}, 0, 5},
        {{.kind = KIN_TOPIC_FULL, .zone = INT32_MAX}, 0, 5},
        {{.kind = KIN_TOPIC_FRAME, .has_no_zone = true}, 0, 1},
        {{.kind = KIN_TOPIC_TICK}, 0, 1},
        {{.kind = KIN_TOPIC_OWN}, 7, 1},
        {{.kind = KIN_TOPIC_IN}, 0, 1},
        {{.kind = KIN_TOPIC_RECORD}, 0, 1},
        {{.kind = KIN_TOPIC_FULL, .zone = -1}, 7, 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kin__link_item *item = kin__link_pack(cases[i].topic, cases[i].peer, "body", 4);
        kin_topic topic;
        bool is_for_all;
        ck_assert_uint_eq(kin__link_unpack(item->packet, &topic, &is_for_all), cases[i].head);
        ck_assert_int_eq(topic.kind, cases[i].topic.kind);
        ck_assert_int_eq(topic.zone, cases[i].topic.zone);
        ck_assert_int_eq(topic.has_no_zone, cases[i].topic.has_no_zone);
        ck_assert_int_eq(is_for_all, cases[i].peer == 0);
        ck_assert_mem_eq(item->packet->data + cases[i].head, "body", 4);
        bool is_sent_again = (item->packet->flags & ENET_PACKET_FLAG_RELIABLE) != 0;
        ck_assert_int_eq(is_sent_again, topic.kind == KIN_TOPIC_FULL && cases[i].peer != 0);
        kin__link_free(item);
    }
}
END_TEST

START_TEST(net_17_heads_that_kin_does_not_write_are_refused)
{
    for (unsigned head = 0; head < 256; head++)
        for (size_t size = 0; size <= 6; size++) {
            unsigned char bytes[6] = {(unsigned char)head, 1, 2, 3, 4, 5};
            ENetPacket *packet = enet_packet_create(bytes, size, 0);
            kin_topic topic;
            bool is_for_all;
            unsigned kind = head & 7;
            bool has_zone = (head & 8) != 0;
            bool has_none = (head & 16) != 0;
            bool is_zoned = kind == KIN_TOPIC_FRAME || kind == KIN_TOPIC_FULL;
            bool is_right = kind <= KIN_TOPIC_IN && head < 64 && (is_zoned ? has_zone != has_none : head % 32 == kind);
            size_t least = has_zone ? 5 : 1;
            size_t read = kin__link_unpack(packet, &topic, &is_for_all);
            ck_assert_uint_eq(read, is_right && size >= least ? least : 0);
            enet_packet_destroy(packet);
        }
}
END_TEST

// ---- sessions

static void run(uint32_t steps)
{
    for (uint32_t i = 0; i < steps; i++) {
        square_step();
        rest(1);
    }
}

// Runs all worlds until all replicas have a frame that the host makes now or later, and checks what they have of it.
static void run_until_shown(void)
{
    uint64_t number = square_state(&squares[0]).frame + 1;
    uint32_t behind = 1;
    for (uint32_t i = 0; i < TRIES && behind > 0; i++) {
        run(1);
        behind = 0;
        for (uint32_t k = 1; k < square_count; k++)
            behind += square_state(&squares[k]).frame < number;
    }
    ck_assert_uint_eq(behind, 0);
}

// The same, with a host that does not change any more.
static void run_until_equal(void)
{
    run_until_shown();
    for (uint32_t k = 1; k < square_count; k++) {
        square_check(&squares[k], NULL, 0);
        ck_assert_uint_eq(square_state(&squares[k]).wrong_hashes, 0);
    }
}

static void put_crowd(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        square_unit((float)i * 1.37f, (float)i, (int32_t)(i % ZONES));
}

// Lets some of the crowd walk, come and go.
static void stir(uint64_t seed)
{
    market_context *market = squares[0].market;
    uint32_t count;
    const market_entity *entities = market_entities(market, &count);
    uint64_t random = seed * UINT64_C(6364136223846793005) + 1;
    for (uint32_t i = 0; i < count; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        if ((random >> 33) % 10 == 0)
            market_edit_position(market, entities[i])->at.x += 1;
    }
    if (count > 4)
        market_destroy_entity(market, entities[seed % count]);
    square_unit((float)seed, 2, (int32_t)(seed % ZONES));
}

static const uint32_t losses[] = {0, 1, 5, 10, 20, 30};

// Two replicas follow a moving host over a bad network, and have what it has in the end.
START_TEST(net_17_replicas_follow_over_a_lossy_network)
{
    kin_transport *here = host_for(8);
    uint16_t port = courier_begin(kin_enet_port(here), (uint64_t)_i + 1);
    courier_treat(losses[_i], 0);
    square_host(here, &(kin_session_options){.ring = 1024}); // updates here take a millisecond, not sixteen
    put_crowd(CROWD);
    square_follow(connect_to(port), NULL);
    square_follow(connect_to(port), NULL);
    for (uint64_t i = 0; i < 400; i++) {
        stir(i);
        run(1);
    }
    courier_treat(losses[_i], 0);
    run_until_equal();
    ck_assert(losses[_i] == 0 ? courier_lost() == 0 : courier_lost() > 0);
    square_end();
    courier_end();
}
END_TEST

START_TEST(net_19_budgets_hold_over_a_lossy_network)
{
    kin_transport *here = host_for(8);
    uint16_t port = courier_begin(kin_enet_port(here), 5);
    courier_treat(10, 0);
    square_host(here, &(kin_session_options){.budget = 1200});
    put_crowd(300);
    square_follow(connect_to(port), NULL);
    for (uint64_t i = 0; i < 200; i++) {
        stir(i);
        run(1);
    }
    run(100); // zones wait at most 32 frames
    run_until_equal();
    square_end();
    courier_end();
}
END_TEST

START_TEST(net_22_messages_of_a_replica_have_the_number_that_the_host_gave)
{
    square_host(host_for(8), NULL);
    square *replica = square_follow(connect_to(kin_enet_port(squares[0].transport)), NULL);
    ck_assert(!kin_enet_is_connected(replica->transport) || replica->transport->peer == 0);
    run_until_shown();
    ck_assert(kin_enet_is_connected(replica->transport) && kin_enet_is_connected(squares[0].transport));
    ck_assert_uint_ne(replica->transport->peer, 0);
    kin_peer_numbers peer;
    ck_assert_uint_eq(kin_session_peers(squares[0].session, &peer, 1), 1);
    ck_assert_uint_eq(peer.peer, replica->transport->peer);
    ck_assert_int_eq(square_send_order(replica->world, (Order){.to = {3, 4}, .sender = 12345}), KIN_OK);
    for (uint32_t i = 0; i < TRIES && squares[0].steers == 0; i++)
        run(1);
    ck_assert_uint_eq(squares[0].steers, 1);
    ck_assert_uint_eq(squares[0].last_order.sender, replica->transport->peer);
    square_end();
}
END_TEST

// ---- those that come, go and come back

START_TEST(net_16_a_peer_whose_network_was_cut_comes_back_with_its_number)
{
    kin_transport *here = host_for(8);
    uint16_t port = courier_begin(kin_enet_port(here), 3);
    square_host(here, NULL);
    put_crowd(100);
    square *replica = square_follow(connect_to(port), NULL);
    run_until_equal();
    uint32_t number = replica->transport->peer;
    courier_treat(100, 0);
    for (uint32_t i = 0; i < TRIES && kin_enet_is_connected(replica->transport); i++)
        run(1);
    ck_assert(!kin_enet_is_connected(replica->transport));
    run(1);
    ck_assert(has_error("is lost; connecting again"));
    for (uint32_t i = 0; i < TRIES && kin_session_peers(squares[0].session, NULL, 0) > 0; i++)
        run(1);
    ck_assert_uint_eq(kin_session_peers(squares[0].session, NULL, 0), 0);
    square_unit(7, 8, 9);
    courier_treat(0, 0);
    run_until_equal();
    ck_assert_uint_eq(replica->transport->peer, number);
    ck_assert(kin_enet_is_connected(replica->transport));
    error_log_clear(&replica->errors); // the goodbye may have come
    square_end();
    courier_end();
}
END_TEST

// A short cut costs frames, and nothing else.
START_TEST(net_17_a_short_cut_is_no_end)
{
    kin_transport *here = host_for(8);
    uint16_t port = courier_begin(kin_enet_port(here), 3);
    square_host(here, NULL);
    put_crowd(100);
    square *replica = square_follow(connect_to(port), NULL);
    run_until_equal();
    for (uint32_t i = 0; i < 10; i++) {
        courier_treat(100, 0);
        stir(i);
        run(20);
        courier_treat(0, 0);
        run_until_equal();
    }
    ck_assert_uint_eq(errors.count, 0);
    ck_assert_uint_eq(square_state(replica).resyncs, 0);
    square_end();
    courier_end();
}
END_TEST

// Runs a host or a replica in a process of its own until it is killed. `pipe`: where a host writes its port.
static pid_t begin_process(void (*work)(uint16_t port, int pipe), uint16_t port, int pipe)
{
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child != 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    square_count = 0;
    work(port, pipe);
    _exit(0);
}

static void kill_process(pid_t child)
{
    int status;
    ck_assert_int_eq(kill(child, SIGKILL), 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
}

static void be_replica(uint16_t port, int pipe)
{
    (void)pipe;
    square_follow(connect_to(port), NULL);
    for (;;) {
        square_world_update(squares[0].world, 0.0625);
        rest(1);
    }
}

START_TEST(net_18_replicas_that_are_killed_are_dropped)
{
    square_host(host_for(2), NULL);
    put_crowd(100);
    for (uint32_t round = 0; round < 3; round++) {
        uint16_t port = kin_enet_port(squares[0].transport);
        pid_t children[2] = {begin_process(be_replica, port, -1), begin_process(be_replica, port, -1)};
        for (uint32_t i = 0; i < TRIES && kin_session_peers(squares[0].session, NULL, 0) < 2; i++)
            run(1);
        ck_assert_uint_eq(kin_session_peers(squares[0].session, NULL, 0), 2);
        kill_process(children[0]);
        kill_process(children[1]);
        for (uint32_t i = 0; i < TRIES && kin_session_peers(squares[0].session, NULL, 0) > 0; i++)
            run(1);
        ck_assert_uint_eq(kin_session_peers(squares[0].session, NULL, 0), 0);
    } // each time ENet has to notice that the places are free
    square_end();
}
END_TEST

static void be_host(uint16_t port, int pipe)
{
    kin_transport *transport = kin_enet_host_transport(port, 4);
    ck_assert_ptr_nonnull(transport);
    port = kin_enet_port(transport);
    square_host(transport, NULL);
    put_crowd(port % 7 + 20);
    ck_assert_int_eq(write(pipe, &port, sizeof port), sizeof port);
    for (;;) {
        square_world_update(squares[0].world, 0.0625);
        rest(1);
    }
}

// A replica that is alone in `squares` follows hosts that are killed, and new ones on the same port.
START_TEST(net_16_a_replica_follows_the_next_host_when_one_is_killed)
{
    int ends[2];
    uint16_t port = 0;
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = begin_process(be_host, 0, ends[1]);
    ck_assert_int_eq(read(ends[0], &port, sizeof port), sizeof port);
    square *replica = square_follow(connect_to(port), NULL);
    uint32_t last = 0;
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < TRIES && (replica->transport->peer == last || square_state(replica).frame < 30); i++)
            run(1);
        ck_assert_uint_ne(replica->transport->peer, last);
        ck_assert_uint_ge(square_state(replica).frame, 30);
        ck_assert_uint_eq(market_entity_count(replica->market), port % 7 + 20);
        last = replica->transport->peer;
        run(round * 100);
        kill_process(child);
        uint16_t same;
        child = begin_process(be_host, port, ends[1]);
        ck_assert_int_eq(read(ends[0], &same, sizeof same), sizeof same);
        ck_assert_uint_eq(same, port);
    }
    kill_process(child);
    ck_assert_uint_eq(square_state(replica).wrong_hashes, 0);
    square_end();
    close(ends[0]);
    close(ends[1]);
}
END_TEST

// Ends the session of the host, and begins another one with another world on the same port.
START_TEST(net_26_the_next_session_of_a_host_has_the_next_epoch)
{
    square_host(host_for(4), NULL);
    put_crowd(50);
    square *replica = square_follow(connect_to(kin_enet_port(squares[0].transport)), NULL);
    run_until_equal();
    run(100);
    kin_session_end(squares[0].session);
    square_world_destroy(squares[0].world);
    squares[0].world = square_world_create(NULL, &squares[0]);
    squares[0].market = squares[0].world->contexts->market;
    squares[0].session = square_world_host(squares[0].world, squares[0].transport, NULL);
    square_unit(1, 2, 3);
    for (uint32_t i = 0; i < TRIES && square_state(replica).epoch < 2; i++)
        run(1);
    run_until_equal();
    ck_assert_uint_eq(square_state(&squares[0]).epoch, 2);
    ck_assert_reported(&replica->errors, KIN_ERROR_STREAM); // the goodbye
    square_end();
}
END_TEST

START_TEST(net_18_a_peer_that_is_silent_for_the_ring_is_dropped_and_may_come_back)
{
    square_host(host_for(4), &(kin_session_options){.ring = 16});
    put_crowd(20);
    square *replica = square_follow(connect_to(kin_enet_port(squares[0].transport)), NULL);
    square *other = square_follow(connect_to(kin_enet_port(squares[0].transport)), NULL);
    run_until_equal();
    for (uint32_t i = 0; i < TRIES && kin_session_peers(squares[0].session, NULL, 0) > 1; i++) {
        square_world_update(squares[0].world, 0.0625); // it stands, and its connection does not
        square_world_update(other->world, 0.0625);
        rest(1);
    }
    kin_peer_numbers peer;
    ck_assert_uint_eq(kin_session_peers(squares[0].session, &peer, 1), 1);
    ck_assert_uint_eq(peer.peer, other->transport->peer);
    ck_assert(kin_enet_is_connected(replica->transport));
    run_until_equal();
    ck_assert_uint_ge(replica->errors.count, 1);
    ck_assert_ptr_nonnull(strstr(replica->errors.entries[0].message, "acknowledged nothing"));
    error_log_clear(&replica->errors);
    square_end();
}
END_TEST

START_TEST(net_18_more_peers_than_allowed_wait_for_a_place)
{
    square_host(host_for(1), NULL);
    put_crowd(20);
    uint16_t port = kin_enet_port(squares[0].transport);
    square_follow(connect_to(port), NULL);
    run_until_equal();
    kin_transport *late = connect_to(port);
    kin_arrival arrival;
    for (uint32_t i = 0; i < TRIES && !has_error("is full"); i++) {
        run(1);
        ck_assert(!late->next(late, &arrival));
    }
    ck_assert(has_error("is full; trying again"));
    ck_assert_uint_eq(late->peer, 0);
    run(700); // it tries again, and says so once
    ck_assert(!late->next(late, &arrival));
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_uint_eq(kin_session_peers(squares[0].session, NULL, 0), 1);
    square *first = &squares[--square_count];
    uint32_t number = first->transport->peer;
    square_world_destroy(first->world);
    first->transport->end(first->transport);
    square *second = square_follow(late, NULL);
    run_until_equal();
    ck_assert_uint_ne(second->transport->peer, 0);
    ck_assert_uint_ne(second->transport->peer, number);
    square_end();
}
END_TEST

// ---- those that are not of Kin

// A client of ENet that says what it likes.
typedef struct stranger {
    ENetHost *enet;
    ENetPeer *peer;
} stranger;

static stranger stranger_connect(uint16_t port, uint32_t version)
{
    stranger made = {.enet = enet_host_create(NULL, 1, KIN__LINK_CHANNELS, 0, 0)};
    ENetAddress address = {.port = port};
    made.enet->checksum = enet_crc32;
    enet_address_set_host(&address, "127.0.0.1");
    made.peer = enet_host_connect(made.enet, &address, KIN__LINK_CHANNELS, version);
    return made;
}

// Waits for an event of a kind, while the squares go on.
static bool stranger_wait(const stranger *stranger, ENetEventType type, ENetEvent *event)
{
    for (uint32_t i = 0; i < TRIES; i++) {
        run(1);
        if (enet_host_service(stranger->enet, event, 0) > 0 && event->type == type)
            return true;
    }
    return false;
}

static void stranger_end(const stranger *stranger)
{
    enet_peer_disconnect_now(stranger->peer, 0);
    enet_host_destroy(stranger->enet);
}

START_TEST(net_33_another_version_of_the_library_is_told_why)
{
    square_host(host_for(4), NULL);
    ENetEvent event;
    stranger old = stranger_connect(kin_enet_port(squares[0].transport), KIN__LINK_VERSION - 1);
    ck_assert(stranger_wait(&old, ENET_EVENT_TYPE_DISCONNECT, &event));
    ck_assert_uint_eq(event.data, KIN__LINK_OTHER_VERSION);
    ck_assert(!kin_enet_is_connected(squares[0].transport));
    stranger_end(&old);
    square_end();
}
END_TEST

START_TEST(net_33_a_replica_says_that_the_host_has_another_version)
{
    ENetAddress address = {.host = htonl(INADDR_LOOPBACK)};
    ENetHost *host = enet_host_create(&address, 4, KIN__LINK_CHANNELS, 0, 0);
    host->checksum = enet_crc32;
    kin_transport *player = connect_to(host->address.port);
    kin_arrival arrival;
    ENetEvent event;
    for (uint32_t i = 0; i < TRIES && errors.count == 0; i++) {
        if (enet_host_service(host, &event, 1) > 0 && event.type == ENET_EVENT_TYPE_CONNECT)
            enet_peer_disconnect(event.peer, KIN__LINK_OTHER_VERSION);
        ck_assert(!player->next(player, &arrival));
    }
    ck_assert(has_error("another version of libkin-enet"));
    player->end(player);
    enet_host_destroy(host);
}
END_TEST

// Shapes go in several datagrams, which are sent again with the next hello.
START_TEST(net_33_a_replica_of_another_version_joins_over_enet)
{
    ferry_begin_on(FERRY_SECOND, host_for(4));
    ferry_fill();
    ferry *replica = ferry_join_on(FERRY_FIRST, connect_to(kin_enet_port(ferries[0].transport)));
    for (uint32_t i = 0; i < TRIES && ferry_state(replica).frame == 0; i++) {
        ferry_steps(1);
        rest(1);
    }
    for (uint32_t round = 0; round < 20; round++) {
        ferry_stir(round);
        ferry_steps(1);
    }
    uint64_t last = ferry_state(&ferries[0]).frame;
    for (uint32_t i = 0; i < TRIES && ferry_state(replica).frame <= last; i++) {
        ferry_steps(1);
        rest(1);
    }
    ck_assert(ferry_state(replica).is_converted);
    ferry_check(replica);
    ferry_end();
}
END_TEST

static void send_wrong_hellos(const stranger *stranger)
{
    static const struct {
        const char *bytes;
        size_t size;
    } wrong[] = {{"", 0}, {"J", 1}, {"W\1\0\0\0\1\0\0\0\0\0\0\0", 13}, {"J\1\0\0\0\1\0\0\0\0\0\0\0\0", 14}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        enet_peer_send(stranger->peer, 0, enet_packet_create(wrong[i].bytes, wrong[i].size, ENET_PACKET_FLAG_RELIABLE));
    enet_host_flush(stranger->enet);
}

// Datagrams of a stranger without a place reach no session; those with one are read like those of any peer.
START_TEST(net_21_a_stranger_harms_nobody)
{
    square_host(host_for(4), NULL);
    put_crowd(20);
    square_follow(connect_to(kin_enet_port(squares[0].transport)), NULL);
    run_until_equal();
    ENetEvent event;
    stranger odd = stranger_connect(kin_enet_port(squares[0].transport), KIN__LINK_VERSION);
    ck_assert(stranger_wait(&odd, ENET_EVENT_TYPE_CONNECT, &event));
    send_wrong_hellos(&odd);
    for (uint32_t i = 0; i < 256; i++) {
        unsigned char bytes[4] = {(unsigned char)i, 1, 2, 3};
        enet_peer_send(odd.peer, 1, enet_packet_create(bytes, i % 5, ENET_PACKET_FLAG_UNSEQUENCED));
    }
    enet_host_flush(odd.enet);
    run(50);
    ck_assert_uint_eq(kin_session_peers(squares[0].session, NULL, 0), 1);
    ck_assert_uint_eq(square_state(&squares[0]).refused[KIN_REFUSED_PEER], 0);
    enet_peer_send(odd.peer, 0, kin__link_hello('J', 4097, 1));
    ck_assert(stranger_wait(&odd, ENET_EVENT_TYPE_RECEIVE, &event));
    uint32_t number;
    uint64_t token;
    ck_assert(kin__link_read_hello(event.packet, 'W', &number, &token));
    ck_assert_uint_ne(number, 4097); // its own host would not have forgotten it
    enet_packet_destroy(event.packet);
    for (uint32_t i = 0; i < 8; i++) {
        kin__link_item *item = kin__link_pack((kin_topic){.kind = KIN_TOPIC_IN}, 0, "?ello", 5);
        ck_assert_int_eq(enet_peer_send(odd.peer, 1, item->packet), 0);
        free(item);
    }
    enet_host_flush(odd.enet);
    for (uint32_t i = 0; i < TRIES && square_state(&squares[0]).refused[KIN_REFUSED_PEER] == 0; i++)
        run(1);
    ck_assert_uint_gt(square_state(&squares[0]).refused[KIN_REFUSED_PEER], 0);
    run_until_equal();
    stranger_end(&odd);
    square_end();
}
END_TEST

// Without the token nobody has the number of another one.
START_TEST(net_25_a_number_is_not_given_without_its_token)
{
    square_host(host_for(4), NULL);
    put_crowd(20);
    square *replica = square_follow(connect_to(kin_enet_port(squares[0].transport)), NULL);
    run_until_equal();
    uint32_t number = replica->transport->peer;
    ENetEvent event;
    stranger thief = stranger_connect(kin_enet_port(squares[0].transport), KIN__LINK_VERSION);
    ck_assert(stranger_wait(&thief, ENET_EVENT_TYPE_CONNECT, &event));
    enet_peer_send(thief.peer, 0, kin__link_hello('J', number, 1));
    ck_assert(stranger_wait(&thief, ENET_EVENT_TYPE_RECEIVE, &event));
    uint32_t given;
    uint64_t token;
    ck_assert(kin__link_read_hello(event.packet, 'W', &given, &token));
    ck_assert_uint_ne(given, number);
    enet_packet_destroy(event.packet);
    run_until_equal();
    ck_assert_uint_eq(replica->transport->peer, number);
    ck_assert(kin_enet_is_connected(replica->transport));
    stranger_end(&thief);
    square_end();
}
END_TEST

// Random datagrams from outside, and copies of right ones with a wrong bit on the way, in both directions.
START_TEST(net_21_garbage_harms_nobody)
{
    kin_transport *here = host_for(4);
    uint16_t port = courier_begin(kin_enet_port(here), 11);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(kin_enet_port(here))};
    uint64_t random = 77;
    square_host(here, NULL);
    put_crowd(200);
    square_follow(connect_to(port), NULL);
    courier_treat(0, 50);
    int outside = socket(AF_INET, SOCK_DGRAM, 0);
    for (uint32_t i = 0; i < 200; i++) {
        for (uint32_t k = 0; k < 100; k++) {
            unsigned char bytes[64];
            for (size_t b = 0; b < sizeof bytes; b++) {
                random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                bytes[b] = (unsigned char)(random >> 40);
            }
            sendto(outside, bytes, (random >> 33) % sizeof bytes, 0, (struct sockaddr *)&address, sizeof address);
        }
        stir(i);
        run(1);
    }
    run_until_equal();
    ck_assert_uint_gt(courier_carried(), 200);
    ck_assert_uint_eq(kin_session_peers(squares[0].session, NULL, 0), 1);
    close(outside);
    square_end();
    courier_end();
}
END_TEST

// What one peer sends while the host stands has a limit, and others have room beside it.
START_TEST(net_36_a_flood_of_one_peer_leaves_room_for_others)
{
    kin_transport *host = ruled_host = host_for(4);
    kin_transport *loud = begin_player();
    kin_transport *calm = begin_player();
    kin_arrival arrival;
    uint32_t counts[2] = {0};
    ck_assert(host->listen(host, (kin_topic){.kind = KIN_TOPIC_IN}, true));
    for (uint32_t i = 0; i < 20000; i++)
        ck_assert(loud->send(loud, (kin_topic){.kind = KIN_TOPIC_IN}, 0, &i, sizeof i));
    rest(200);
    for (uint32_t i = 0; i < 50; i++) { // a full socket may lose some
        ck_assert(calm->send(calm, (kin_topic){.kind = KIN_TOPIC_IN}, 0, "x", 1));
        rest(5);
    }
    while (host->next(host, &arrival))
        counts[arrival.peer == calm->peer]++;
    ck_assert_uint_gt(counts[0], 0);
    ck_assert_uint_le(counts[0], KIN__LINK_WAITING);
    ck_assert_uint_ge(counts[1], 1);
    ck_assert(loud->send(loud, (kin_topic){.kind = KIN_TOPIC_IN}, 0, "y", 1));
    for (uint32_t i = 0; i < TRIES && !host->next(host, &arrival); i++)
        rest(1);
    ck_assert_uint_eq(arrival.peer, loud->peer);
    loud->end(loud);
    calm->end(calm);
    host->end(host);
}
END_TEST

// ---- what a program may ask

START_TEST(net_35_what_cannot_be_is_refused_with_a_line)
{
    kin_arrival arrival;
    kin_transport *host = host_for(1);
    kin_transport *memory = kin_memory_transport_create(NULL);
    char name[300];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    ck_assert_ptr_null(kin_enet_host_transport(0, 0));
    ck_assert_ptr_null(kin_enet_host_transport(0, 4096));
    ck_assert_ptr_null(kin_enet_host_transport(kin_enet_port(host), 1)); // it is taken
    ck_assert_ptr_null(kin_enet_transport(NULL, 7));
    ck_assert_ptr_null(kin_enet_transport("", 7));
    ck_assert_ptr_null(kin_enet_transport(name, 7));
    ck_assert_ptr_null(kin_enet_transport("127.0.0.1", 0));
    ck_assert_uint_eq(kin_enet_port(NULL), 0);
    ck_assert_uint_eq(kin_enet_port(memory), 0);
    ck_assert(!kin_enet_is_connected(NULL) && !kin_enet_is_connected(memory) && !kin_enet_is_connected(host));
    kin_enet_on_error(NULL, error_log_append, &errors);
    kin_enet_on_error(memory, error_log_append, &errors);
    ck_assert(!host->send(host, (kin_topic){.kind = KIN_TOPIC_TICK}, 0, NULL, 1));
    ck_assert(host->send(host, (kin_topic){.kind = KIN_TOPIC_TICK}, 12345, "x", 1)); // nobody: it is lost
    ck_assert(!host->next(host, &arrival));
    memory->end(memory);
    host->end(host);
    host = kin_enet_host_transport(0, 4095);
    ck_assert_ptr_nonnull(host);
    host->end(host);
}
END_TEST

START_TEST(net_16_a_host_that_is_not_there_is_said_once)
{
    kin_transport *host = host_for(1);
    uint16_t port = kin_enet_port(host);
    kin_arrival arrival;
    host->end(host);
    kin_transport *lonely = connect_to(port);
    kin_transport *nameless = kin_enet_transport("no.such.name.invalid", 7777);
    kin_enet_on_error(nameless, error_log_append, &errors);
    for (uint32_t i = 0; i < 6000; i++) {
        ck_assert(!lonely->next(lonely, &arrival));
        ck_assert(!nameless->next(nameless, &arrival));
        rest(1);
        if (errors.count == 2 && i > 3000)
            break;
    }
    ck_assert_uint_eq(errors.count, 2);
    ck_assert(has_error("does not answer; trying again"));
    ck_assert(has_error("no.such.name.invalid: there is no such name"));
    ck_assert_int_eq(errors.entries[0].status, KIN_ERROR_STREAM);
    lonely->end(lonely);
    nameless->end(nameless);
}
END_TEST

// A program may replace who is told while it is told.
static void replace_handler(const kin_error *error, void *user)
{
    kin_enet_on_error(user, error_log_append, &errors);
    error_log_append(error, &errors);
}

START_TEST(net_16_a_replica_is_told_that_its_host_has_ended)
{
    kin_transport *host = ruled_host = host_for(1);
    kin_transport *player = begin_player();
    kin_arrival arrival;
    ck_assert_uint_ne(player->peer, 0);
    kin_enet_on_error(player, replace_handler, player);
    host->end(host);
    for (uint32_t i = 0; i < TRIES && errors.count == 0; i++) {
        ck_assert(!player->next(player, &arrival));
        rest(1);
    }
    ck_assert(has_error("has ended; waiting for the next one"));
    ck_assert(!kin_enet_is_connected(player));
    ck_assert(player->send(player, (kin_topic){.kind = KIN_TOPIC_IN}, 0, "x", 1)); // it is lost
    player->end(player);
}
END_TEST

// As users play: a host, two that play by themselves, one of which is killed, and a host that is killed and begun
// again.
static const char game[] =
    "has() { for i in $(seq 600); do grep -q \"$1\" $2 && return; sleep 0.05; done; cat $2; kill -9 $all; exit 1; }\n"
    "program=%s/examples/arena-net/arena-net port=%u; cd %s; : > ada; : > bob; : > eve\n"
    "$program host --enet $port > first 2>&1 & first=$!; all=$first; has 'host of .square., epoch 1' first\n"
    "$program bot Ada 60 --enet 127.0.0.1:$port >> ada 2>&1 & all=\"$all $!\"; has 'in the square' ada\n"
    "$program bot Bob 60 --enet 127.0.0.1:$port > bob 2>&1 & bob=$!; has 'in the square, [1-9]' bob\n"
    "kill -9 $bob; $program bot Eve 60 --enet 127.0.0.1:$port > eve 2>&1 & all=\"$all $!\"\n"
    "has 'in the square, [1-9]' eve; kill -9 $first; has 'is lost; connecting again' ada; cp ada before; : > ada\n"
    "$program host --enet $port > second 2>&1 & all=\"$all $!\"; has 'host of .square., epoch 1' second\n"
    "has 'in the square, [1-9]' ada; kill -9 $all 2> log; wait\n"
    "grep -h 'wrong states' before ada bob eve | grep -v ' 0 wrong states' || true\n"
    "$program play --enet nowhere 2>&1 || true; $program host --enet 1:2 2>&1 || true; $program host --enet 2>&1 || "
    "true\n";

START_TEST(net_17_players_of_the_square_meet_without_a_broker)
{
    char *build = realpath(shell_build(), NULL);
    scratch_create();
    arena *memory = scratch_arena();
    if (shell_run(memory, arena_format(memory, "test -x '%s/examples/arena-net/arena-net'", build)).status == 0) {
        kin_transport *transport = host_for(1);
        uint16_t port = kin_enet_port(transport); // it is free then
        transport->end(transport);
        const char *said = shell_expect(memory, arena_format(memory, game, build, (unsigned)port, scratch_path("")));
        const char *beginning = "arena-net: 'nowhere' is no place";
        ck_assert_msg(strncmp(said, beginning, strlen(beginning)) == 0, "%s", said);
        ck_assert_ptr_nonnull(strstr(said, "'1:2' is no place; give a host its PORT"));
        ck_assert_ptr_nonnull(strstr(said, "usage: arena-net"));
    }
    scratch_destroy();
    free(build);
}
END_TEST

static void end(void)
{
    courier_end();
}

Suite *enet_suite(void)
{
    Suite *suite = suite_create("enet");
    TCase *tests = tcase_create("enet");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, net_17_enet_passes_the_rules_of_transports);
    tcase_add_test(tests, net_17_the_head_of_a_datagram_is_read_as_it_was_written);
    tcase_add_test(tests, net_17_heads_that_kin_does_not_write_are_refused);
    tcase_add_loop_test(tests, net_17_replicas_follow_over_a_lossy_network, 0, sizeof losses / sizeof *losses);
    tcase_add_test(tests, net_19_budgets_hold_over_a_lossy_network);
    tcase_add_test(tests, net_22_messages_of_a_replica_have_the_number_that_the_host_gave);
    tcase_add_test(tests, net_16_a_peer_whose_network_was_cut_comes_back_with_its_number);
    tcase_add_test(tests, net_17_a_short_cut_is_no_end);
    tcase_add_test(tests, net_18_replicas_that_are_killed_are_dropped);
    tcase_add_test(tests, net_16_a_replica_follows_the_next_host_when_one_is_killed);
    tcase_add_test(tests, net_26_the_next_session_of_a_host_has_the_next_epoch);
    tcase_add_test(tests, net_18_a_peer_that_is_silent_for_the_ring_is_dropped_and_may_come_back);
    tcase_add_test(tests, net_18_more_peers_than_allowed_wait_for_a_place);
    tcase_add_test(tests, net_33_another_version_of_the_library_is_told_why);
    tcase_add_test(tests, net_33_a_replica_says_that_the_host_has_another_version);
    tcase_add_test(tests, net_33_a_replica_of_another_version_joins_over_enet);
    tcase_add_test(tests, net_21_a_stranger_harms_nobody);
    tcase_add_test(tests, net_25_a_number_is_not_given_without_its_token);
    tcase_add_test(tests, net_21_garbage_harms_nobody);
    tcase_add_test(tests, net_36_a_flood_of_one_peer_leaves_room_for_others);
    tcase_add_test(tests, net_35_what_cannot_be_is_refused_with_a_line);
    tcase_add_test(tests, net_16_a_host_that_is_not_there_is_said_once);
    tcase_add_test(tests, net_16_a_replica_is_told_that_its_host_has_ended);
    tcase_add_test(tests, net_17_players_of_the_square_meet_without_a_broker);
    suite_add_tcase(suite, tests);
    return suite;
}
