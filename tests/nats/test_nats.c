// The transport over NATS, with a real server.
#include "broker/broker.h"
#include "net/ferry_case.h"
#include "net/square_case.h"
#include "net/transport_rules.h"
#include "server.h"
#include "suites.h"

#include <nats/nats.h>

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 4000 };

static error_log errors;

static void end(void)
{
    server_end();
}

// ---- the rules of transports

static kin_transport *begin_host(void)
{
    server_end();
    ck_assert(server_begin(false));
    kin_transport *host = server_join("admin", &errors);
    ck_assert_ptr_nonnull(host);
    ck_assert(host->listen(host, (kin_topic){.kind = KIN_TOPIC_IN}, true));
    kin_lease lease = {.lasts_ms = 1000};
    for (uint32_t i = 0; i < TRIES && !lease.is_held; i++) { // the stream is there then
        ck_assert(host->lease(host, &lease));
        server_rest(2);
    }
    ck_assert(lease.is_held);
    return host;
}

static kin_transport *begin_player(void)
{
    kin_transport *player = server_join("player", &errors);
    ck_assert_ptr_nonnull(player);
    return player;
}

static void wait_for(void)
{
    server_rest(40);
}

START_TEST(net_17_nats_passes_the_rules_of_transports)
{
    if (!server_begin(false))
        return;
    transport_rules(&(transport_maker){begin_host, begin_player, wait_for});
}
END_TEST

// ---- subjects

static kin__broker broker_of_square(void)
{
    kin__broker broker = {.app = "arena", .world = "square"};
    strcpy(broker.prefix, "kin.arena.square.");
    return broker;
}

START_TEST(net_25_a_subject_is_read_as_it_was_written)
{
    static const struct {
        kin_topic topic;
        uint32_t peer; // the only receiver
        const char *subject;
    } cases[] = {
        {{.kind = KIN_TOPIC_FRAME, .zone = INT32_MIN}, 0, "kin.arena.square.frame.-2147483648"},
        {{.kind = KIN_TOPIC_FRAME, .zone = INT32_MAX}, 0, "kin.arena.square.frame.2147483647"},
        {{.kind = KIN_TOPIC_FRAME, .has_no_zone = true}, 0, "kin.arena.square.frame"},
        {{.kind = KIN_TOPIC_FULL}, 0, "kin.arena.square.full.0"},
        {{.kind = KIN_TOPIC_FULL, .has_no_zone = true}, 0, "kin.arena.square.full"},
        {{.kind = KIN_TOPIC_TICK}, 0, "kin.arena.square.tick"},
        {{.kind = KIN_TOPIC_RECORD, .epoch = 1}, 0, "kin.arena.square.record.1"},
        {{.kind = KIN_TOPIC_RECORD, .epoch = UINT32_MAX}, 0, "kin.arena.square.record.4294967295"},
        {{.kind = KIN_TOPIC_IN, .peer = UINT32_MAX}, 0, "kin.arena.square.in.4294967295"},
        {{.kind = KIN_TOPIC_OWN, .peer = 7}, 7, "kin.arena.square.own.7"},
        {{.kind = KIN_TOPIC_TICK}, 7, "kin.arena.square.own.7.tick"},
        {{.kind = KIN_TOPIC_FRAME, .zone = -3}, 7, "kin.arena.square.own.7.frame.-3"},
    };
    kin__broker broker = broker_of_square();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char subject[KIN__BROKER_SUBJECT];
        kin_topic topic;
        uint32_t sender;
        kin__subject_write(&broker, cases[i].topic, cases[i].peer, subject);
        ck_assert_str_eq(subject, cases[i].subject);
        ck_assert_msg(kin__subject_read(&broker, subject, &topic, &sender), "%s", subject);
        ck_assert(kin__topic_covers(topic, cases[i].topic) && kin__topic_covers(cases[i].topic, topic));
        ck_assert_uint_eq(sender, topic.kind == KIN_TOPIC_IN ? topic.peer : 0);
    }
}
END_TEST

START_TEST(net_25_subjects_that_kin_does_not_write_are_ignored)
{
    static const char *const subjects[] = {"",
                                           "kin.arena.square",
                                           "kin.arena.square.",
                                           "kin.arena.round.tick",
                                           "tick",
                                           "#frames",
                                           "#frame.",
                                           "#frame.1.2",
                                           "#frame.x",
                                           "#frame.2147483648",
                                           "#frame.-2147483649",
                                           "#frame.+1",
                                           "#frame. 1",
                                           "#full.1e3",
                                           "#in",
                                           "#in.0",
                                           "#in.-1",
                                           "#in.4294967296",
                                           "#in.7.8",
                                           "#own",
                                           "#own.0",
                                           "#own.7.own.7",
                                           "#own.7.x",
                                           "#own.7.frame.x",
                                           "#tick.1",
                                           "#record",
                                           "#record.0",
                                           "#record.x",
                                           "#record.1.2",
                                           "#inbox.7"};
    kin__broker broker = broker_of_square();
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        char subject[KIN__BROKER_SUBJECT];
        kin_topic topic;
        uint32_t sender;
        bool is_short = subjects[i][0] == '#';
        snprintf(subject, sizeof subject, "%s%s", is_short ? broker.prefix : "", subjects[i] + is_short);
        ck_assert_msg(!kin__subject_read(&broker, subject, &topic, &sender), "%s", subject);
    }
}
END_TEST

// ---- sessions

// Runs all worlds until the replica has the frame that the host had, or some time has passed.
static void run_until_shown(const square *replica)
{
    uint64_t number = square_state(&squares[0]).frame + 1;
    uint32_t epoch = 0;
    for (uint32_t i = 0; i < TRIES && (square_state(replica).frame < number || epoch != square_state(replica).epoch);
         i++) {
        square_step();
        epoch = square_state(&squares[0]).epoch;
        server_rest(2);
    }
    for (uint32_t i = 0; i < TRIES && square_state(replica).frame != square_state(&squares[0]).frame; i++) {
        square_world_update(replica->world, 0.0625); // the host stands
        server_rest(2);
    }
}

static void run_until_host(void)
{
    for (uint32_t i = 0; i < TRIES && !square_has_role(&squares[0], KIN_HOST); i++) {
        square_step();
        server_rest(2);
    }
    ck_assert_int_eq(square_state(&squares[0]).role, KIN_HOST);
}

static void begin_session(const kin_session_options *options)
{
    square_count = 0;
    kin_transport *transport = server_join("host", &errors);
    ck_assert_ptr_nonnull(transport);
    square_host(transport, options);
    run_until_host();
}

static void play(bool has_tls)
{
    if (!server_begin(has_tls))
        return;
    begin_session(NULL);
    for (int32_t zone = 0; zone < 8; zone++)
        square_unit(1, 2, zone);
    square *early = square_follow(server_join("player", &errors), NULL);
    run_until_shown(early);
    square_check(early, NULL, 0);
    market_entity unit = square_unit(3, 4, 2);
    market_replace_velocity(squares[0].market, unit, (Velocity){{0.5f, 0.25f}});
    for (uint32_t i = 0; i < 40; i++)
        square_step();
    square *late = square_follow(server_join("player", &errors), NULL);
    kin_zone zone = {.zone = 2};
    ck_assert_int_eq(kin_session_see(late->session, &zone, 1), KIN_OK);
    run_until_shown(early);
    run_until_shown(late);
    square_check(late, (int32_t[]){2}, 1);
    ck_assert_int_eq(square_send_speech(late->world, (Speech){.text = "hello"}), KIN_OK);
    for (uint32_t i = 0; i < TRIES && squares[0].speeches == 0; i++) {
        square_step();
        server_rest(2);
    }
    ck_assert_str_eq(squares[0].last_speech.text, "hello");
    ck_assert_uint_eq(square_state(early).wrong_hashes + square_state(late).wrong_hashes, 0);
    square_end();
    ck_assert_uint_eq(errors.count, 0);
}

START_TEST(net_16_replicas_follow_a_host_over_nats)
{
    play(false);
}
END_TEST

START_TEST(net_25_tls_with_certificates_of_both_sides)
{
    play(true);
}
END_TEST

// ---- versions

static void rest_ferries(bool (*is_done)(const ferry *replica), const ferry *replica)
{
    for (uint32_t i = 0; i < TRIES && !is_done(replica); i++) {
        ferry_steps(1);
        server_rest(2);
    }
    ck_assert(is_done(replica));
}

static bool is_host(const ferry *ferry)
{
    return ferry_state(ferry).role == KIN_HOST;
}

static bool is_shown(const ferry *replica)
{
    return ferry_state(replica).is_converted && ferry_state(replica).frame > 0;
}

static bool has_steered(const ferry *replica)
{
    return replica != NULL && ferries[0].steers > 0;
}

static bool is_told(const ferry *replica)
{
    return replica->errors.count > 0 && ferries[0].errors.count > 0;
}

// The host and the broker do nothing else than without versions: the replica asks for the shape.
START_TEST(net_33_a_replica_of_another_version_joins_over_nats)
{
    if (!server_begin(false))
        return;
    ferry_begin_on(FERRY_FIRST, server_join("host", &errors));
    rest_ferries(is_host, &ferries[0]);
    ferry_fill();
    ferry *replica = ferry_join_on(FERRY_SECOND, server_join("player", &errors));
    rest_ferries(is_shown, replica);
    for (uint32_t round = 0; round < 20; round++) {
        ferry_stir(round);
        ferry_steps(1);
    }
    uint64_t last = ferry_state(&ferries[0]).frame;
    for (uint32_t i = 0; i < TRIES && ferry_state(replica).frame <= last; i++) {
        ferry_steps(1);
        server_rest(2);
    }
    ferry_check(replica);
    ck_assert_int_eq(second_ferry2_send_steer(replica->second, (second_Steer){.hard = 3}), KIN_OK);
    rest_ferries(has_steered, replica);
    ck_assert_uint_eq(ferries[0].first_steer.hard, 3);
    ferry_end();
    ck_assert_uint_eq(errors.count, 0);
}
END_TEST

START_TEST(net_33_over_nats_both_sides_name_what_cannot_be_converted)
{
    if (!server_begin(false))
        return;
    ferry_begin_on(FERRY_THIRD, server_join("host", &errors));
    rest_ferries(is_host, &ferries[0]);
    ferry *replica = ferry_join_on(FERRY_FIRST, server_join("player", &errors));
    rest_ferries(is_told, replica);
    for (uint32_t i = 0; i < 2; i++)
        ck_assert_ptr_nonnull(strstr(ferries[i].errors.entries[0].message, "Anchor.depth (double[2] at the host"));
    ck_assert_uint_eq(ferry_state(replica).frame, 0);
    ck_assert_reported(&ferries[0].errors, KIN_ERROR_SHAPE);
    ck_assert_reported(&replica->errors, KIN_ERROR_SHAPE);
    ferry_end();
}
END_TEST

// The history is read from the stream: nothing is asked of the host, which sends full frames only once here.
START_TEST(net_16_one_joins_from_what_the_broker_has_kept)
{
    if (!server_begin(false))
        return;
    begin_session(&(kin_session_options){.full_every_ms = 1000000});
    for (int32_t zone = 0; zone < 64; zone++)
        market_replace_velocity(squares[0].market, square_unit(1, 2, zone), (Velocity){{1, 0}});
    for (uint32_t i = 0; i < 100; i++)
        square_step();
    square *late = square_follow(server_join("player", &errors), NULL);
    run_until_shown(late);
    square_check(late, NULL, 0);
    ck_assert_uint_eq(square_state(late).resyncs, 0);
    square_end();
}
END_TEST

// ---- what the broker refuses

static void expect_refusal(kin_transport *transport, const char *text)
{
    kin_arrival arrival;
    for (uint32_t i = 0; i < TRIES && errors.count == 0; i++) {
        ck_assert(!transport->next(transport, &arrival));
        server_rest(2);
    }
    ck_assert_uint_ge(errors.count, 1);
    ck_assert_msg(strstr(errors.entries[0].message, text) != NULL, "%s", errors.entries[0].message);
    error_log_clear(&errors);
}

START_TEST(net_25_an_account_sees_and_sends_what_the_broker_allows)
{
    if (!server_begin(false))
        return;
    begin_session(NULL);
    for (int32_t zone = 0; zone < 6; zone++)
        square_unit(1, 2, zone);
    square *ada = square_follow(server_join("ada", &errors), NULL);
    kin_zone zone = {.zone = 3};
    ck_assert_int_eq(kin_session_see(ada->session, &zone, 1), KIN_OK);
    run_until_shown(ada);
    ck_assert_uint_eq(errors.count, 0);
    square_check(ada, (int32_t[]){3}, 1);

    kin_transport *transport = ada->transport;
    ck_assert(transport->send(transport, (kin_topic){.kind = KIN_TOPIC_FRAME, .zone = 3}, 0, "x", 1));
    expect_refusal(transport, "kin.arena.square.frame.3");
    ck_assert(transport->send(transport, (kin_topic){.kind = KIN_TOPIC_IN, .peer = 8}, 0, "x", 1));
    expect_refusal(transport, "kin.arena.square.in.8");
    ck_assert(transport->listen(transport, (kin_topic){.kind = KIN_TOPIC_FULL, .zone = 4}, true));
    expect_refusal(transport, "kin.arena.square.full.4");
    kin_lease lease = {.lasts_ms = 300};
    ck_assert(transport->lease(transport, &lease));
    expect_refusal(transport, "JS.API");
    error_log_clear(&errors);
    square_end();
}
END_TEST

static void expect_no_transport(const kin_nats_options *options, kin_status status, const char *text)
{
    kin_nats_options heard = *options;
    heard.on_error = error_log_append;
    heard.error_user = &errors;
    error_log_clear(&errors);
    ck_assert_ptr_null(kin_nats_transport_create(&heard));
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_int_eq(errors.entries[0].status, status);
    ck_assert_msg(strstr(errors.entries[0].message, text) != NULL, "%s", errors.entries[0].message);
}

START_TEST(net_25_who_may_not_connect_is_told_why)
{
    if (!server_begin(true))
        return;
    kin_nats_options options = *server_options("player");
    options.password = "guess";
    expect_no_transport(&options, KIN_ERROR_STREAM, "Authorization");
    options = *server_options("player");
    options.ca = server_file("other.pem");
    expect_no_transport(&options, KIN_ERROR_STREAM, "certificate");
    options = *server_options("player");
    options.certificate = options.key = NULL;
    expect_no_transport(&options, KIN_ERROR_STREAM, "cannot connect to the broker at tls://127.0.0.1:");
    options.ca = "/none/ca.pem";
    expect_no_transport(&options, KIN_ERROR_STREAM, "cannot connect");
    server_kill();
    options = *server_options("player");
    expect_no_transport(&options, KIN_ERROR_STREAM, "cannot connect");
}
END_TEST

START_TEST(net_25_options_are_checked_and_passwords_are_not_shown)
{
    expect_no_transport(&(kin_nats_options){.world = "a"}, KIN_ERROR_INVALID, "`app`");
    expect_no_transport(&(kin_nats_options){.app = "a.b", .world = "a"}, KIN_ERROR_INVALID, "`app`");
    expect_no_transport(&(kin_nats_options){.app = "a", .world = ">"}, KIN_ERROR_INVALID, "`world`");
    expect_no_transport(&(kin_nats_options){.app = "a", .world = ""}, KIN_ERROR_INVALID, "`world`");
    expect_no_transport(&(kin_nats_options){.app = "a", .world = "a", .domain = "a b"}, KIN_ERROR_INVALID, "`domain`");
    expect_no_transport(&(kin_nats_options){.app = "a", .world = "a", .key = "k"}, KIN_ERROR_INVALID, "`certificate`");
    expect_no_transport(&(kin_nats_options){.app = "a", .world = "a", .url = "nats://me:secret@127.0.0.1:1"},
                        KIN_ERROR_STREAM, "nats://127.0.0.1:1:");
    ck_assert_ptr_null(strstr(errors.entries[0].message, "secret"));
    ck_assert(!kin_nats_is_connected(NULL));
    kin_transport *other = kin_memory_transport_create(NULL);
    ck_assert(!kin_nats_is_connected(other));
    other->end(other);
}
END_TEST

// ---- the broker dies

START_TEST(net_32_a_broker_that_comes_back_finds_the_same_host)
{
    if (!server_begin(false))
        return;
    begin_session(&(kin_session_options){.lease_ms = 20000, .full_every_ms = 200});
    square_unit(1, 2, 3);
    square *replica = square_follow(server_join("player", &errors), NULL);
    run_until_shown(replica);
    for (uint32_t i = 0; i < 3; i++) {
        server_kill();
        for (uint32_t k = 0; k < 20; k++) {
            square_step(); // both go on alone
            server_rest(2);
        }
        ck_assert_uint_eq(market_entity_count(replica->market), i + 1);
        square_unit((float)i, 7, 4);
        server_start();
        run_until_shown(replica);
        square_check(replica, NULL, 0);
        ck_assert_uint_eq(square_state(&squares[0]).epoch, 1);
        ck_assert(kin_nats_is_connected(replica->transport));
    }
    square_end();
}
END_TEST

START_TEST(net_32_a_host_that_cannot_renew_stops_and_asks_anew)
{
    if (!server_begin(false))
        return;
    begin_session(&(kin_session_options){.lease_ms = 300, .full_every_ms = 100});
    square_unit(1, 2, 3);
    square *replica = square_follow(server_join("player", &errors), NULL);
    run_until_shown(replica);
    server_kill();
    for (uint32_t i = 0; i < TRIES && square_has_role(&squares[0], KIN_HOST); i++) {
        square_step();
        server_rest(2);
    }
    ck_assert_int_eq(square_state(&squares[0]).role, KIN_ALONE);
    server_start();
    run_until_host();
    run_until_shown(replica);
    ck_assert_uint_eq(square_state(&squares[0]).epoch, 2);
    ck_assert_uint_eq(square_state(replica).epoch, 2);
    square_check(replica, NULL, 0);
    square_end();
}
END_TEST

// ---- hosts die

typedef struct rival {
    pid_t process;
    uint32_t number;
} rival;

static int words[2]; // a pipe: each rival writes "NUMBER ROLE EPOCH" when its role changes

static void say_role(kin_session *session, kin_session_role before, void *user)
{
    char text[64];
    kin_session_numbers numbers;
    (void)before;
    kin_session_state(session, &numbers);
    int size = snprintf(text, sizeof text, "%u %d %u\n", *(uint32_t *)user, (int)numbers.role, numbers.epoch);
    ck_assert_int_eq(write(words[1], text, (size_t)size), size);
}

// Begins a process that wants to be the host, with a world of its own: as many units as its number.
static rival begin_rival(uint32_t number)
{
    rival rival = {fork(), number};
    if (rival.process != 0)
        return rival;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    square_count = 0;
    square_host(
        server_join("host", &errors),
        &(kin_session_options){.lease_ms = 1000, .full_every_ms = 100, .changed = say_role, .user = &rival.number});
    for (uint32_t i = 0; i < number; i++)
        square_unit(1, 2, 3);
    for (;;) {
        square_step();
        server_rest(4);
    }
}

typedef struct news {
    uint32_t number, epoch;
    int role;
} news;

// Reads what the next rival says.
static news hear(void)
{
    char text[64] = "";
    news news;
    for (size_t size = 0; size + 1 < sizeof text && strchr(text, '\n') == NULL; size++)
        ck_assert_int_eq(read(words[0], text + size, 1), 1);
    ck_assert_int_eq(sscanf(text, "%u %d %u", &news.number, &news.role, &news.epoch), 3);
    return news;
}

// Whether nobody says anything for a while, in which the others have looked at the lease.
static bool is_quiet(void)
{
    struct pollfd waiting = {.fd = words[0], .events = POLLIN};
    return poll(&waiting, 1, 250) == 0;
}

static void end_rival(rival *rival)
{
    kill(rival->process, SIGKILL);
    waitpid(rival->process, NULL, 0);
}

// Processes begin before this one uses libnats, whose threads a fork would not have.
static bool begin_rivals(rival *rivals, uint32_t count)
{
    if (!server_prepare(false))
        return false;
    ck_assert_int_eq(pipe(words), 0);
    server_start();
    for (uint32_t i = 0; i < count; i++)
        rivals[i] = begin_rival(i + 1);
    return true;
}

static void run_until_epoch(square *replica, uint32_t epoch, uint32_t units)
{
    for (uint32_t i = 0; i < TRIES; i++) {
        square_world_update(replica->world, 0.0625);
        if (square_state(replica).epoch == epoch && market_entity_count(replica->market) == units)
            break;
        server_rest(2);
    }
    ck_assert_uint_eq(square_state(replica).epoch, epoch);
    ck_assert_uint_eq(market_entity_count(replica->market), units);
}

START_TEST(net_26_one_of_several_is_the_host_and_another_takes_over_when_it_is_killed)
{
    enum { RIVALS = 3 };
    rival rivals[RIVALS];
    if (!begin_rivals(rivals, RIVALS))
        return;
    square_count = 0;
    square *replica = square_follow(server_join("player", &errors), NULL);
    for (uint32_t epoch = 1; epoch <= RIVALS; epoch++) {
        news news = hear();
        ck_assert_int_eq(news.role, KIN_HOST);
        ck_assert_uint_eq(news.epoch, epoch);
        run_until_epoch(replica, epoch, news.number);
        ck_assert(is_quiet());
        end_rival(&rivals[news.number - 1]);
    }
    ck_assert_uint_eq(square_state(replica).wrong_hashes, 0);
    square_end();
}
END_TEST

START_TEST(net_27_a_host_that_slept_learns_that_another_took_over)
{
    rival rivals[2];
    if (!begin_rivals(rivals, 2))
        return;
    square_count = 0;
    square *replica = square_follow(server_join("player", &errors), NULL);
    news first = hear();
    run_until_epoch(replica, 1, first.number);
    kill(rivals[first.number - 1].process, SIGSTOP);
    news second = hear();
    ck_assert_uint_ne(second.number, first.number);
    ck_assert_uint_eq(second.epoch, 2);
    run_until_epoch(replica, 2, second.number);
    kill(rivals[first.number - 1].process, SIGCONT);
    news third = hear();
    ck_assert_uint_eq(third.number, first.number);
    ck_assert_int_eq(third.role, KIN_ALONE);
    for (uint32_t i = 0; i < 50; i++) {
        square_world_update(replica->world, 0.0625);
        ck_assert_uint_eq(market_entity_count(replica->market), second.number);
        server_rest(2);
    }
    end_rival(&rivals[0]);
    end_rival(&rivals[1]);
    square_end();
}
END_TEST

// As a user plays: two hosts, a player that plays by itself, and kill -9 of the first host.
static const char game[] =
    ": > first; : > second; : > ada\n"
    "$program host $url > first 2>&1 & first=$!; all=$first; has 'host of .square., epoch 1' first\n"
    "$program host $url > second 2>&1 & all=\"$all $!\"\n"
    "$program bot Ada 60 $url > ada 2>&1 & all=\"$all $!\"; has 'epoch 1, in the square' ada\n"
    "kill -9 $first; has 'host of .square., epoch 2' second; has 'epoch 2, in the square' ada\n"
    "kill -9 $all 2> log; wait; grep -v ' 0 wrong states' ada; cat second\n";

START_TEST(net_26_a_player_of_the_square_goes_on_when_the_host_is_killed)
{
    arena memory = {0};
    const char *said = server_play(&memory, "arena-net", game);
    if (said == NULL)
        return;
    ck_assert_msg(strncmp(said, "host of 'square', epoch 2, from frame ", 38) == 0, "%s", said);
    ck_assert_ptr_null(strstr(said, "Ada"));
    arena_release(&memory);
}
END_TEST

// Two hosts that give walkers to one another are killed at any moment, one and then both, and go on from their files.
static const char crossing[] =
    "rm -f *.kin; seed=7\n"
    "some() { seed=$(( (seed * 1103515245 + 12345) % 2147483648 )); sleep $1.$((seed / 65536 % 10)); }\n"
    "begin() { $program $1 . $url > $1 2>&1 & }\n"
    "for round in 1 2 3; do\n"
    "    begin west; west=$!; begin east; east=$!; some 2\n"
    "    if [ $round = 2 ]; then kill -9 $west; begin west; west=$!; else kill -9 $east; begin east; east=$!; fi; some "
    "1\n"
    "    kill -9 $west $east; wait\n"
    "    $program count . || { cat west east; exit 1; }\n"
    "done 2> log\n";

START_TEST(net_32_regions_lose_no_walker_when_their_hosts_are_killed)
{
    arena memory = {0};
    const char *said = server_play(&memory, "regions", crossing);
    if (said == NULL)
        return;
    unsigned east = 0;
    unsigned west = 0;
    const char *last = strrchr(said, ';');
    ck_assert(last != NULL && sscanf(last, "; %u went east, %u went west", &east, &west) == 2);
    ck_assert_msg(east > 0 && west > 0, "%s", said);
    arena_release(&memory);
}
END_TEST

// ---- leases

START_TEST(net_31_a_lease_that_is_given_away_is_free_at_once)
{
    if (!server_begin(false))
        return;
    begin_session(&(kin_session_options){.lease_ms = 3600000});
    kin_session_end(squares[0].session);
    square *next = square_host(server_join("host", &errors), &(kin_session_options){.lease_ms = 3600000});
    kin_transport *transport = next->transport;
    kin_lease lease = {.lasts_ms = 1000};
    for (uint32_t i = 0; i < TRIES && !lease.is_held; i++) {
        ck_assert(transport->lease(transport, &lease));
        server_rest(2);
    }
    ck_assert(lease.is_held);
    ck_assert_uint_eq(lease.epoch, 2);
    ck_assert_uint_le(lease.left_ms, 3600000);
    square_end();
}
END_TEST

// Said once, not at each look.
START_TEST(net_26_a_host_that_may_not_use_jetstream_is_told_why)
{
    if (!server_begin(false))
        return;
    kin_nats_options options = *server_options("player"); // who may not ask JetStream to make anything
    options.on_error = error_log_append;
    options.error_user = &errors;
    square_count = 0;
    square_host(kin_nats_transport_create(&options), &(kin_session_options){.lease_ms = 100});
    for (uint32_t i = 0; i < TRIES && errors.count < 2; i++) {
        square_step();
        server_rest(2);
        if (errors.count == 1)
            break;
    }
    ck_assert_uint_ge(errors.count, 1);
    for (uint32_t i = 0; i < 1000; i++) {
        square_step();
        server_rest(1);
    }
    ck_assert_int_eq(square_state(&squares[0]).role, KIN_ALONE);
    bool is_told = false;
    for (uint32_t i = 0; i < errors.count; i++) {
        is_told = is_told || strstr(errors.entries[i].message, "KIN_arena") != NULL;
        for (uint32_t k = 0; k < i; k++)
            ck_assert_str_ne(errors.entries[i].message, errors.entries[k].message);
    }
    ck_assert(is_told);
    square_end();
}
END_TEST

START_TEST(net_26_the_entry_of_another_program_is_left_alone)
{
    if (!server_begin(false))
        return;
    natsConnection *connection;
    jsCtx *js;
    kvStore *bucket;
    kvConfig config;
    natsOptions *options;
    kvConfig_Init(&config);
    config.Bucket = "kin_arena";
    ck_assert_int_eq(natsOptions_Create(&options), NATS_OK);
    ck_assert_int_eq(natsOptions_SetURL(options, server_options("admin")->url), NATS_OK);
    ck_assert_int_eq(natsOptions_SetUserInfo(options, "admin", "admin"), NATS_OK);
    ck_assert_int_eq(natsConnection_Connect(&connection, options), NATS_OK);
    ck_assert_int_eq(natsConnection_JetStream(&js, connection, NULL), NATS_OK);
    ck_assert_int_eq(js_CreateKeyValue(&bucket, js, &config), NATS_OK);
    ck_assert_int_eq(kvStore_PutString(NULL, bucket, "square", "taken, sorry"), NATS_OK);
    square_count = 0;
    square_host(server_join("host", &errors), &(kin_session_options){.lease_ms = 100});
    for (uint32_t i = 0; i < TRIES && errors.count == 0; i++) {
        square_step();
        server_rest(2);
    }
    ck_assert_int_eq(errors.entries[0].status, KIN_ERROR_CORRUPT);
    ck_assert_ptr_nonnull(strstr(errors.entries[0].message, "another program"));
    ck_assert_int_eq(square_state(&squares[0]).role, KIN_ALONE);
    kvEntry *entry;
    ck_assert_int_eq(kvStore_Get(&entry, bucket, "square"), NATS_OK);
    ck_assert_str_eq(kvEntry_ValueString(entry), "taken, sorry");
    kvEntry_Destroy(entry);
    square_end();
    kvStore_Destroy(bucket);
    jsCtx_Destroy(js);
    natsConnection_Destroy(connection);
    natsOptions_Destroy(options);
}
END_TEST

Suite *nats_suite(void)
{
    Suite *suite = suite_create("nats");
    TCase *tests = tcase_create("nats");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, NULL, end);
    tcase_add_test(tests, net_17_nats_passes_the_rules_of_transports);
    tcase_add_test(tests, net_25_a_subject_is_read_as_it_was_written);
    tcase_add_test(tests, net_25_subjects_that_kin_does_not_write_are_ignored);
    tcase_add_test(tests, net_16_replicas_follow_a_host_over_nats);
    tcase_add_test(tests, net_33_a_replica_of_another_version_joins_over_nats);
    tcase_add_test(tests, net_33_over_nats_both_sides_name_what_cannot_be_converted);
    tcase_add_test(tests, net_16_one_joins_from_what_the_broker_has_kept);
    tcase_add_test(tests, net_25_tls_with_certificates_of_both_sides);
    tcase_add_test(tests, net_25_an_account_sees_and_sends_what_the_broker_allows);
    tcase_add_test(tests, net_25_who_may_not_connect_is_told_why);
    tcase_add_test(tests, net_25_options_are_checked_and_passwords_are_not_shown);
    tcase_add_test(tests, net_32_a_broker_that_comes_back_finds_the_same_host);
    tcase_add_test(tests, net_32_a_host_that_cannot_renew_stops_and_asks_anew);
    tcase_add_test(tests, net_26_one_of_several_is_the_host_and_another_takes_over_when_it_is_killed);
    tcase_add_test(tests, net_27_a_host_that_slept_learns_that_another_took_over);
    tcase_add_test(tests, net_26_a_player_of_the_square_goes_on_when_the_host_is_killed);
    tcase_add_test(tests, net_32_regions_lose_no_walker_when_their_hosts_are_killed);
    tcase_add_test(tests, net_31_a_lease_that_is_given_away_is_free_at_once);
    tcase_add_test(tests, net_26_a_host_that_may_not_use_jetstream_is_told_why);
    tcase_add_test(tests, net_26_the_entry_of_another_program_is_left_alone);
    suite_add_tcase(suite, tests);
    return suite;
}
