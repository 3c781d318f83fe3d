// Standbys over NATS, with a real server and processes that are killed.
#include "net/square_case.h"
#include "save/buffer.h"
#include "server.h"
#include "shell.h"
#include "suites.h"

#include <square/square_save.h>

#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 4000, MEMBERS = 11, READY = 9 };

static error_log errors;

// What a program does between updates.
static void disturb(market_context *market, uint32_t number)
{
    uint32_t count;
    const market_entity *units = market_entities(market, &count);
    if (count > 0)
        market_edit_health(market, units[number % count])->regen += 1;
    if (number % 5 == 0 && count < 200)
        square_unit((float)number, 1, (int32_t)number % 4);
    if (number % 7 == 0 && count > 20)
        market_destroy_entity(market, units[number % count]);
}

// ---- in one process

static const kin_session_options keeps = {.lease_ms = 20000, .full_every_ms = 100, .keeps_history = true};

// Runs both until the standby is ready.
static void run_until_ready(const square *standby)
{
    for (uint32_t i = 0; i < TRIES && !square_state(standby).is_ready; i++) {
        square_step();
        server_rest(2);
    }
    ck_assert(square_state(standby).is_ready);
}

// Lets the standby come to where the host is, and compares them.
static void check_equal(const square *standby)
{
    for (uint32_t i = 0; i < TRIES && square_state(standby).frame != square_state(&squares[0]).frame; i++) {
        square_world_update(standby->world, 0.0625); // the host stands
        server_rest(2);
    }
    ck_assert_uint_eq(square_state(standby).frame, square_state(&squares[0]).frame);
    ck_assert_uint_eq(square_hash(standby), square_hash(&squares[0]));
}

START_TEST(net_29_a_standby_follows_over_nats_and_joins_late)
{
    if (!server_begin(false))
        return;
    square_count = 0;
    square_host(server_join("host", &errors), &keeps);
    for (uint32_t i = 0; i < TRIES && square_state(&squares[0]).role != KIN_HOST; i++) {
        square_step();
        server_rest(2);
    }
    for (uint32_t i = 0; i < 3; i++) {
        square *standby = square_stand_by(server_join("standby", &errors), &keeps);
        run_until_ready(standby);
        for (uint32_t k = 0; k < 100; k++) {
            disturb(squares[0].market, k);
            square_step();
            server_rest(2);
        }
        for (uint32_t k = 1; k < square_count; k++)
            check_equal(&squares[k]);
    }
    ck_assert_uint_eq(errors.count, 0);
    square_end();
}
END_TEST

START_TEST(net_32_a_standby_begins_again_when_the_broker_is_back)
{
    if (!server_begin(false))
        return;
    square_count = 0;
    square_host(server_join("host", &errors), &keeps);
    square *standby = square_stand_by(server_join("standby", &errors), &keeps);
    run_until_ready(standby);
    for (uint32_t i = 0; i < 2; i++) {
        server_kill();
        for (uint32_t k = 0; k < 20; k++) {
            square_unit((float)k, 7, 4);
            square_step(); // the host goes on alone
            server_rest(2);
        }
        server_start();
        uint64_t resyncs = square_state(standby).resyncs;
        for (uint32_t k = 0; k < TRIES && square_state(standby).resyncs == resyncs; k++) {
            square_step();
            server_rest(2);
        }
        run_until_ready(standby);
        check_equal(standby);
        ck_assert_uint_eq(square_state(&squares[0]).epoch, 1);
        ck_assert_int_eq(square_state(standby).role, KIN_STANDBY);
    }
    square_end();
}
END_TEST

// ---- processes

typedef struct member {
    pid_t process;
    uint32_t number, lease_ms;
} member;

typedef struct news {
    uint32_t number, epoch;
    int role;
    uint64_t taken_over, lost, hash;
} news;

static int words[2]; // a pipe: a member writes a line when its role changes, and when it is ready
static volatile sig_atomic_t is_asked_to_end;

static void ask_to_end(int number)
{
    (void)number;
    is_asked_to_end = 1;
}

static void say(uint32_t number, int role)
{
    char text[128];
    kin_session_numbers numbers = square_state(&squares[0]);
    int size = snprintf(text, sizeof text, "%" PRIu32 " %d %" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIx64 "\n", number,
                        role, numbers.epoch, numbers.taken_over, numbers.lost, square_hash(&squares[0]));
    ck_assert_int_eq(write(words[1], text, (size_t)size), size);
}

// Called before the first update as the host: the world is as the former host had it.
static void say_role(kin_session *session, kin_session_role before, void *user)
{
    (void)before;
    squares[0].session = session; // it may not be known yet
    say(((const member *)user)->number, (int)square_state(&squares[0]).role);
}

// A line for each frame of an epoch.
static void log_frame(void)
{
    static int file = -1;
    static uint32_t epoch;
    char text[64];
    kin_session_numbers numbers = square_state(&squares[0]);
    if (numbers.role != KIN_HOST)
        return;
    if (file < 0 || epoch != numbers.epoch) {
        char name[32];
        snprintf(name, sizeof name, "epoch.%" PRIu32, epoch = numbers.epoch);
        file = open(server_file(name), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
    }
    int size = snprintf(text, sizeof text, "%" PRIu64 " %" PRIx64 "\n", numbers.frame, square_hash(&squares[0]));
    ck_assert_int_eq(write(file, text, (size_t)size), size);
}

static void run_member(member *member)
{
    bool was_ready = false;
    kin_session_options options = {.lease_ms = member->lease_ms, .full_every_ms = 200, .keeps_history = true};
    options.changed = say_role;
    options.user = member;
    square_count = 0;
    if (member->number == 0)
        square_host(server_join("host", &errors), &options);
    else
        square_stand_by(server_join("standby", &errors), &options);
    for (uint32_t i = 0; !is_asked_to_end; i++) {
        if (square_state(&squares[0]).role == KIN_HOST)
            disturb(squares[0].market, i);
        square_world_update(squares[0].world, 0.0625);
        log_frame();
        if (!was_ready && square_state(&squares[0]).is_ready)
            say(member->number, READY);
        was_ready = was_ready || square_state(&squares[0]).is_ready;
        server_rest(12);
    }
    kin_session_end(squares[0].session);
    square_end();
    exit(0);
}

// Members wait until they are to begin: all are forked before this process uses libnats, whose threads a fork would not
// have.
static bool make_members(member *members, uint32_t count, uint32_t lease_ms)
{
    if (!server_prepare(false))
        return false;
    ck_assert_int_eq(pipe(words), 0);
    server_start();
    for (uint32_t i = 0; i < count; i++) {
        members[i] = (member){fork(), i, lease_ms};
        if (members[i].process != 0)
            continue;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGTERM, ask_to_end);
        raise(SIGSTOP);
        run_member(&members[i]);
    }
    for (uint32_t i = 0; i < count; i++)
        waitpid(members[i].process, NULL, WUNTRACED);
    return true;
}

static void begin_member(const member *member)
{
    kill(member->process, SIGCONT);
}

static void kill_member(const member *member)
{
    kill(member->process, SIGKILL);
    waitpid(member->process, NULL, 0);
}

// Reads what the next member says; meanwhile the replica goes on, if there is one.
static news hear(void)
{
    char text[128] = "";
    news news;
    struct pollfd waiting = {.fd = words[0], .events = POLLIN};
    while (poll(&waiting, 1, 2) == 0)
        if (square_count > 0)
            square_world_update(squares[0].world, 0.0625);
    for (size_t size = 0; size + 1 < sizeof text && strchr(text, '\n') == NULL; size++)
        ck_assert_int_eq(read(words[0], text + size, 1), 1);
    ck_assert_int_eq(sscanf(text, "%" SCNu32 " %d %" SCNu32 " %" SCNu64 " %" SCNu64 " %" SCNx64, &news.number,
                            &news.role, &news.epoch, &news.taken_over, &news.lost, &news.hash),
                     6);
    return news;
}

// The next news must be of this member.
static news expect(uint32_t number, int role)
{
    news news = hear();
    ck_assert_uint_eq(news.number, number);
    ck_assert_int_eq(news.role, role);
    return news;
}

static news begin_standby(const member *member)
{
    begin_member(member);
    expect(member->number, KIN_STANDBY);
    return expect(member->number, READY);
}

// Returns the hash that a host of the epoch had logged for a frame, or 0; and the last frame that it had logged.
static uint64_t find_hash(uint32_t epoch, uint64_t frame, uint64_t *last)
{
    char name[32];
    char line[64];
    uint64_t found = 0;
    snprintf(name, sizeof name, "epoch.%" PRIu32, epoch);
    FILE *file = fopen(server_file(name), "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file) != NULL) {
        uint64_t hash;
        if (sscanf(line, "%" SCNu64 " %" SCNx64, last, &hash) == 2 && *last == frame)
            found = hash;
    }
    fclose(file);
    return found;
}

// A replica in this process.
static void begin_replica(void)
{
    square_count = 0;
    square_follow(server_join("player", &errors), NULL);
}

static void run_replica_until(uint32_t epoch)
{
    for (uint32_t i = 0; i < TRIES && square_state(&squares[0]).epoch != epoch; i++) {
        square_world_update(squares[0].world, 0.0625);
        server_rest(2);
    }
    ck_assert_uint_eq(square_state(&squares[0]).epoch, epoch);
    ck_assert_uint_eq(square_state(&squares[0]).wrong_hashes, 0);
}

// ---- kill -9

START_TEST(net_29_a_standby_has_what_the_killed_host_had_logged)
{
    member members[MEMBERS];
    uint32_t compared = 0;
    if (!make_members(members, MEMBERS, 1000))
        return;
    begin_member(&members[0]);
    news former = expect(0, KIN_HOST);
    begin_replica();
    for (uint32_t i = 1; i < MEMBERS; i++) {
        uint64_t last = 0;
        begin_standby(&members[i]);
        for (uint32_t k = 0; k < 10 + i * 7 % 40; k++) {
            square_world_update(squares[0].world, 0.0625);
            server_rest(3);
        }
        kill_member(&members[i - 1]);
        news news = expect(i, KIN_HOST);
        uint64_t hash = find_hash(i, news.taken_over, &last);
        if (news.taken_over == former.taken_over) // the killed host had just begun
            hash = former.hash;
        former = news;
        ck_assert_uint_eq(news.epoch, i + 1);
        ck_assert_uint_gt(news.taken_over, 0);
        ck_assert_uint_le(news.taken_over + news.lost, last + 1); // what it had not sent yet, nobody can count
        if (hash == 0) { // killed after it had sent the frame, and before it was logged
            ck_assert_uint_eq(news.taken_over, last + 1);
            continue;
        }
        ck_assert_uint_eq(news.hash, hash);
        compared++;
    }
    run_replica_until(MEMBERS);
    ck_assert_uint_ge(compared, MEMBERS / 2);
    kill_member(&members[MEMBERS - 1]);
    square_end();
}
END_TEST

START_TEST(net_27_a_host_that_slept_learns_that_its_standby_took_over)
{
    member members[2];
    if (!make_members(members, 2, 1000))
        return;
    begin_member(&members[0]);
    expect(0, KIN_HOST);
    begin_replica();
    begin_standby(&members[1]);
    kill(members[0].process, SIGSTOP);
    news news = expect(1, KIN_HOST);
    ck_assert_uint_gt(news.taken_over, 0);
    run_replica_until(2);
    kill(members[0].process, SIGCONT);
    expect(0, KIN_ALONE);
    for (uint32_t i = 0; i < 50; i++) {
        square_world_update(squares[0].world, 0.0625);
        ck_assert_uint_eq(square_state(&squares[0]).epoch, 2);
        server_rest(2);
    }
    kill_member(&members[0]);
    kill_member(&members[1]);
    square_end();
}
END_TEST

// The lease would last an hour: it is given away.
START_TEST(net_31_an_upgrade_misses_no_frame)
{
    enum { UPGRADES = 4 };
    member members[UPGRADES];
    if (!make_members(members, UPGRADES, 3600000))
        return;
    begin_member(&members[0]);
    expect(0, KIN_HOST);
    begin_replica();
    for (uint32_t i = 1; i < UPGRADES; i++) {
        uint64_t last = 0;
        begin_standby(&members[i]);
        kill(members[i - 1].process, SIGTERM);
        news old = expect(i - 1, KIN_ALONE);
        news news = expect(i, KIN_HOST);
        waitpid(members[i - 1].process, NULL, 0);
        ck_assert_uint_eq(news.epoch, i + 1);
        ck_assert_uint_eq(news.hash, find_hash(i, news.taken_over, &last));
        ck_assert_uint_eq(news.hash, old.hash);
        ck_assert_uint_eq(news.taken_over, last);
        ck_assert_uint_eq(news.lost, 0);
    }
    run_replica_until(UPGRADES);
    kill_member(&members[UPGRADES - 1]);
    square_end();
}
END_TEST

// As a user plays: a host, a standby, a player that plays by itself, and kill -9 of the host. The coins of the player
// are not lost.
static const char game[] =
    ": > first; : > second; : > ada\n"
    "$program host $url > first 2>&1 & first=$!; all=$first; has 'host of .square., epoch 1' first\n"
    "$program standby $url > second 2>&1 & all=\"$all $!\"; has 'stands by for the host of .square., epoch 1' second\n"
    "$program bot Ada 60 $url > ada 2>&1 & all=\"$all $!\"; has 'epoch 1, in the square, [1-9]' ada\n"
    "kill -9 $first; has 'host of .square., epoch 2' second; has 'epoch 2, in the square, [1-9]' ada\n"
    "kill -9 $all 2> log; wait; grep -v ' 0 wrong states' ada; cat second\n"
    "coins() { sed -n \"s/.*epoch $1, in the square, \\([1-9][0-9]*\\) coins.*/\\1/p\" ada | $2 -n 1; }\n"
    "test $(coins 1 tail) -le $(coins 2 head) || cat ada\n";

START_TEST(net_29_a_square_and_the_coins_of_its_players_outlive_the_host)
{
    arena memory = {0};
    const char *said = server_play(&memory, "arena-net", game);
    if (said == NULL)
        return;
    ck_assert_msg(strncmp(said, "stands by for the host of 'square', epoch 1, at frame ", 54) == 0, "%s", said);
    ck_assert_ptr_nonnull(strstr(said, "\nhost of 'square', epoch 2, from frame "));
    ck_assert_ptr_null(strstr(said, "Ada"));
    arena_release(&memory);
}
END_TEST

// ---- kin-net

static arena memory;

// Runs kin-net with these arguments. Returns NULL if it was not built.
static shell_result *ask(const char *options)
{
    static shell_result result;
    char *build = realpath(shell_build(), NULL);
    const char *url = strstr(server_options("tool")->url, "://") + 3;
    const char *line = arena_format(&memory, "'%s/bin/kin-net' nats://tool:tool@%s %s", build, url, options);
    bool is_built = shell_run(&memory, arena_format(&memory, "test -x '%s/bin/kin-net'", build)).status == 0;
    free(build);
    if (!is_built)
        return NULL;
    result = shell_run(&memory, line);
    return &result;
}

static void expect_answer(const char *options, int status, const char *text)
{
    const shell_result *result = ask(options);
    ck_assert_msg(result->status == status, "%d: %s", result->status, result->output);
    ck_assert_msg(strstr(result->output, text) != NULL, "%s", result->output);
    ck_assert_ptr_null(strstr(result->output, "ermission")); // its account may do all that it asks for
}

// Plays a recording to its end. Returns its last frame.
static uint64_t play_file(const char *path, uint64_t *hash)
{
    square_count = 0;
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    buffer bytes = {0};
    unsigned char block[4096];
    for (size_t size = fread(block, 1, sizeof block, file); size > 0; size = fread(block, 1, sizeof block, file))
        ck_assert(buffer_sink(&bytes).write(block, size, &bytes));
    fclose(file);
    square played = {0};
    played.world = square_world_create(NULL, &played);
    kin_player *player = square_player_create(played.world, buffer_source(&bytes));
    ck_assert_ptr_nonnull(player);
    while (kin_player_step(player))
        ck_assert_ptr_null(kin_player_divergence(player));
    uint64_t frame = square_world_tick(played.world).frame + 1;
    *hash = square_hash(&played);
    kin_player_destroy(player);
    square_world_destroy(played.world);
    buffer_release(&bytes);
    return frame;
}

START_TEST(net_29_kin_net_lists_worlds_and_saves_recordings)
{
    member members[2];
    uint64_t hash = 0;
    uint64_t last = 0;
    if (!make_members(members, 2, 1000))
        return;
    if (ask("") == NULL)
        return;
    expect_answer("", 1, "no world has had a host");
    begin_member(&members[0]);
    expect(0, KIN_HOST);
    expect_answer("", 0, "arena.square                 1  ");
    expect_answer("--app arena --world square", 0, "  1000 ms  alive\n");
    expect_answer("--world other", 1, "no world");
    expect_answer("--world other --record x.kin", 1, "no such world");
    const char *path = server_file("a.kin");
    expect_answer(arena_format(&memory, "--record '%s' --seconds 2", path), 0, " of 'arena.square', epoch 1, after");
    uint64_t frame = play_file(path, &hash);
    ck_assert_uint_eq(find_hash(1, frame, &last), hash);
    const char *dump = arena_format(&memory, "${KIN:-build/bin/kin} dump '%s' | grep -c '\"frame\":'", path);
    ck_assert_int_ge(atoi(shell_expect(&memory, dump)), 10);
    path = server_file("none/b.kin");
    expect_answer(arena_format(&memory, "--record '%s' --seconds 1", path), 1, "cannot write");
    begin_standby(&members[1]);
    kill_member(&members[0]);
    expect(1, KIN_HOST);
    kill_member(&members[1]);
    expect_answer("", 0, "arena.square                 2  ");
    expect_answer("", 0, "  1000 ms  dead\n");
    arena_release(&memory);
}
END_TEST

START_TEST(net_29_kin_net_is_told_what_it_cannot_do)
{
    if (!server_begin(false) || ask("") == NULL)
        return;
    expect_answer("--help", 2, "see kin-net --help");
    expect_answer("--seconds 0", 2, "'--seconds'");
    expect_answer("--seconds 3x", 2, "'--seconds'");
    expect_answer("--record", 2, "'--record'");
    expect_answer("--bad x", 2, "'--bad'");
    expect_answer("second", 2, "'second'");
    expect_answer("--key x", 2, "--certificate");
    server_kill();
    expect_answer("", 3, "cannot connect");
    arena_release(&memory);
}
END_TEST

static void end(void)
{
    server_end();
}

Suite *nats_standby_suite(void)
{
    Suite *suite = suite_create("nats_standby");
    TCase *tests = tcase_create("nats");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, NULL, end);
    tcase_add_test(tests, net_29_a_standby_follows_over_nats_and_joins_late);
    tcase_add_test(tests, net_32_a_standby_begins_again_when_the_broker_is_back);
    tcase_add_test(tests, net_29_a_standby_has_what_the_killed_host_had_logged);
    tcase_add_test(tests, net_27_a_host_that_slept_learns_that_its_standby_took_over);
    tcase_add_test(tests, net_31_an_upgrade_misses_no_frame);
    tcase_add_test(tests, net_29_a_square_and_the_coins_of_its_players_outlive_the_host);
    tcase_add_test(tests, net_29_kin_net_lists_worlds_and_saves_recordings);
    tcase_add_test(tests, net_29_kin_net_is_told_what_it_cannot_do);
    suite_add_tcase(suite, tests);
    return suite;
}
