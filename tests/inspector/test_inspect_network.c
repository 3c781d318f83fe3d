// The network in the inspector: a host and its replicas, and worlds without a session.
#include "generator/scratch.h"
#include "inspect_case.h"
#include "net/ferry_case.h"
#include "net/square_case.h"
#include "shell.h"
#include "suites.h"

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void begin_host(void)
{
    kin_inspector_options options = inspect_options();
    square_begin(NULL, NULL);
    for (int32_t i = 0; i < 40; i++)
        square_unit((float)i, 0, i % 4);
    inspector = kin_inspect(square_world_base(squares[0].world), &options);
    ck_assert_ptr_nonnull(inspector);
}

static void end_host(void)
{
    square_end();
    inspector = NULL;
    guard_end(&inspect_memory);
}

// Lets each unit of the host move in one direction, and one lose health.
static void move(void)
{
    market_context *market = squares[0].market;
    uint32_t count;
    const market_entity *entities = market_entities(market, &count);
    for (uint32_t i = 0; i < count; i++)
        market_edit_position(market, entities[i])->at.x += 1;
    Health health = *market_get_health(market, entities[0]);
    health.points--;
    market_replace_health(market, entities[0], health);
    square_step();
}

// Returns the bytes of a field in an answer; 0: it is not there.
static long bytes_of(const char *answer, const char *component, const char *field)
{
    const char *key =
        inspect_quoted(arena_format(scratch_arena(), "'component':'%s','field':'%s','bytes':", component, field));
    const char *found = strstr(answer, key);
    return found == NULL ? 0 : atol(found + strlen(key));
}

START_TEST(ins_80_a_world_without_a_session_has_no_network)
{
    inspect_town_begin();
    expect_in_answer("network.status", "{}", "'network':false}");
    inspect_town_end();
}
END_TEST

START_TEST(ins_80_a_host_shows_its_peers_and_what_fields_cost)
{
    scratch_create();
    begin_host();
    expect_in_answer("network.status", "{}", "'network':true,'role':'host','transport':'memory'");
    expect_in_answer("network.status", "{}", "'costs':[],'peers':[]");
    square *some = square_join(NULL);
    square_join(NULL);
    square_steps(10);
    ck_assert_int_eq(kin_session_show(squares[0].session, 1, (kin_zone[]){{.zone = 1}}, 1), KIN_OK);
    ck_assert_int_eq(square_send_order(some->world, (Order){.to = {1, 2}}), KIN_OK);
    for (uint32_t i = 0; i < 3; i++)
        move();
    const char *answer = inspect_ask("network.status", "{}");
    ck_assert_ptr_nonnull(strstr(answer, inspect_quoted("{'peer':1,'sees_all':false,'zones':1,'number':")));
    ck_assert_ptr_nonnull(strstr(answer, inspect_quoted("'taken':1,'dropped':0}")));
    ck_assert_ptr_nonnull(strstr(answer, inspect_quoted("{'peer':2,'sees_all':true,'zones':0,'number':")));
    ck_assert_ptr_null(strstr(answer, inspect_quoted("'bytes_in':0,'bytes_out':0")));
    ck_assert_int_ge(bytes_of(answer, "Position", "at.x"), 40);
    ck_assert_int_eq(bytes_of(answer, "Position", "at.y"), 0);
    ck_assert_int_ge(bytes_of(answer, "Health", "points"), 1);
    ck_assert_int_lt(bytes_of(answer, "Health", "points"), 4);
    ck_assert_ptr_nonnull(strstr(answer, inspect_quoted("{'context':null,'component':null,'field':null,'bytes':")));
    end_host();
    scratch_destroy();
}
END_TEST

// All bytes of the frames are accounted for.
START_TEST(ins_80_costs_add_up_to_the_frames)
{
    begin_host();
    square_join(NULL);
    for (uint32_t i = 0; i < 40; i++) {
        move();
        json_error_t error;
        json_t *result = json_loads(inspect_ask("network.status", "{}"), 0, &error);
        ck_assert_ptr_nonnull(result);
        json_int_t sum = 0;
        size_t index;
        json_t *cost;
        json_array_foreach(json_object_get(result, "costs"), index, cost) sum +=
            json_integer_value(json_object_get(cost, "bytes"));
        ck_assert_int_eq(sum, json_integer_value(json_object_get(result, "cost")));
        ck_assert(i < 4 || sum > 0);
        json_decref(result);
    }
    end_host();
}
END_TEST

// A replica keeps the bytes of frames from the first question on.
START_TEST(ins_80_a_replica_shows_what_it_applies)
{
    scratch_create();
    kin_inspector_options options = inspect_options();
    square_begin(NULL, NULL);
    for (int32_t i = 0; i < 40; i++)
        square_unit((float)i, 0, i % 4);
    square *replica = square_join(NULL);
    inspector = kin_inspect(square_world_base(replica->world), &options);
    ck_assert_ptr_nonnull(inspector);
    square_steps(10);
    move();
    expect_in_answer("network.status", "{}", "'role':'replica','transport':'memory','peer':1,'epoch':1,");
    expect_in_answer("network.status", "{}", "'costs':[],'peers':[]");
    move();
    const char *answer = inspect_ask("network.status", "{}");
    ck_assert_int_ge(bytes_of(answer, "Position", "at.x"), 40);
    ck_assert_int_eq(bytes_of(answer, "Position", "at.y"), 0);
    end_host();
    scratch_destroy();
}
END_TEST

static atomic_bool is_over;

static void *update(void *user)
{
    (void)user;
    while (!atomic_load(&is_over)) {
        move();
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    return NULL;
}

START_TEST(ins_80_who_has_another_version_is_shown)
{
    kin_inspector_options options = inspect_options();
    ferry_begin(FERRY_FIRST, NULL);
    ferry_fill();
    ferry_join(FERRY_FIRST);
    ferry *replica = ferry_join(FERRY_SECOND);
    inspector = kin_inspect(first_ferry1_world_base(ferries[0].first), &options);
    ferry_steps(10);
    const char *answer = inspect_ask("network.status", "{}");
    ck_assert_ptr_nonnull(strstr(answer, inspect_quoted("'dropped':0},{'peer':2,")));
    ck_assert_ptr_nonnull(strstr(answer, inspect_quoted("'dropped':0,'version':'another'}]")));
    kin_inspector_destroy(inspector);
    inspector = kin_inspect(second_ferry2_world_base(replica->second), &options);
    ferry_steps(2);
    expect_in_answer("network.status", "{}", "'version':'another','refused':");
    ferry_end();
    inspector = NULL;
    guard_end(&inspect_memory);
}
END_TEST

static const char *run(const char *word)
{
    return shell_expect(scratch_arena(),
                        arena_format(scratch_arena(), "%s/bin/kin-inspect --name square %s", shell_build(), word));
}

// kin-inspect asks a host that another thread updates.
START_TEST(ins_80_the_terminal_and_prometheus_get_the_same_numbers)
{
    pthread_t thread;
    kin_inspector_options options = inspect_live_options();
    scratch_create();
    setenv("XDG_RUNTIME_DIR", scratch_path(""), 1);
    options.quiet = true;
    square_begin(NULL, NULL);
    for (int32_t i = 0; i < 40; i++)
        square_unit((float)i, 0, i % 4);
    inspector = kin_inspect(square_world_base(squares[0].world), &options);
    square_join(NULL);
    square_steps(10);
    atomic_store(&is_over, false);
    ck_assert_int_eq(pthread_create(&thread, NULL, update, NULL), 0);
    if (access(arena_format(scratch_arena(), "%s/bin/kin-inspect", shell_build()), X_OK) == 0) {
        const char *said = run("network");
        ck_assert_msg(strncmp(said, "role\thost\n", 10) == 0, "%s", said);
        ck_assert_msg(strstr(said, "peer 1  all zones  frame ") != NULL, "%s", said);
        ck_assert_msg(strstr(said, " %  Position.at.x\n") != NULL, "%s", said);
        said = run("metrics");
        ck_assert_msg(strstr(said, "role=\"host\",transport=\"memory\"} 1\n") != NULL, "%s", said);
        ck_assert_ptr_nonnull(strstr(said, "kin_network_epoch{world=\"square\"} 1\n"));
        ck_assert_ptr_nonnull(strstr(said, "kin_network_peer_behind_frames{world=\"square\",peer=\"1\"} "));
        ck_assert_ptr_nonnull(strstr(said, "kin_network_refused_total{world=\"square\",reason=\"flood\"} 0\n"));
        ck_assert_ptr_nonnull(strstr(said, "component=\"Position\",field=\"at.x\"} "));
    }
    atomic_store(&is_over, true);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    end_host();
    scratch_destroy();
}
END_TEST

Suite *inspect_network_suite(void)
{
    Suite *suite = suite_create("inspect_network");
    TCase *tests = tcase_create("network");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, ins_80_a_world_without_a_session_has_no_network);
    tcase_add_test(tests, ins_80_a_host_shows_its_peers_and_what_fields_cost);
    tcase_add_test(tests, ins_80_costs_add_up_to_the_frames);
    tcase_add_test(tests, ins_80_a_replica_shows_what_it_applies);
    tcase_add_test(tests, ins_80_who_has_another_version_is_shown);
    tcase_add_test(tests, ins_80_the_terminal_and_prometheus_get_the_same_numbers);
    suite_add_tcase(suite, tests);
    return suite;
}
