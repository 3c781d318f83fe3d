// What is measured: the timeline, and what GET /trace and GET /metrics make of it.
#include "http_case.h"
#include "suites.h"

#include "feature/internal.h"
#include "inspector/inspector.h"
#include "runtime/support/hive_case.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

// ---- the timeline

static void offline_begin(void)
{
    inspect_town_begin();
}

static void offline_end(void)
{
    inspect_town_end();
    arena_release(&http_memory);
}

static kin__host *host(void)
{
    return &inspector->service.sites.hosts[0];
}

static json_t *timeline(const char *parameters)
{
    json_t *result = json_loads(inspect_ask("timeline.get", parameters), 0, NULL);
    ck_assert_ptr_nonnull(result);
    return result;
}

// Returns the span of a system in a frame, or NULL.
static json_t *span_of(const json_t *result, size_t frame, const char *system, const char *role)
{
    json_t *spans = json_object_get(json_array_get(json_object_get(result, "frames"), frame), "spans");
    for (size_t i = 0; i < json_array_size(spans); i++) {
        json_t *span = json_array_get(spans, i);
        const char *name = json_string_value(json_object_get(span, "role"));
        if (strcmp(json_string_value(json_object_get(span, "system")), system) == 0 &&
            (role == NULL ? name == NULL : name != NULL && strcmp(name, role) == 0))
            return span;
    }
    return NULL;
}

static json_int_t number(const json_t *span, const char *key)
{
    ck_assert_msg(json_is_integer(json_object_get(span, key)), "%s", key);
    return json_integer_value(json_object_get(span, key));
}

static void create_citizens(town_world *world)
{
    for (int i = 0; i < 3; i++)
        people_add_age(world->contexts->people, people_create_entity(world->contexts->people), (Age){.years = i});
}

START_TEST(ins_66_the_timeline_has_each_call_with_what_it_changed)
{
    expect_in_answer("timeline.get", "{}", "error -33106: the timeline does not record");
    expect_answer("timeline.start", "{}", "{'frame':0,'frames':240}");
    town_do("Mayor:execute", create_citizens);
    for (int i = 0; i < 3; i++)
        town_world_update(town, 1);
    json_t *result = timeline("{}");
    ck_assert_uint_eq(json_array_size(json_object_get(result, "frames")), 3);
    json_t *morning = span_of(result, 1, "morning", NULL), *mayor = span_of(result, 1, "Mayor", "execute");
    ck_assert(morning != NULL && mayor != NULL);
    ck_assert_int_eq(number(mayor, "created"), 3);
    ck_assert_int_eq(number(mayor, "changed"), 3);
    ck_assert_int_eq(number(mayor, "destroyed"), 0);
    ck_assert_int_eq(number(mayor, "depth"), number(morning, "depth") + 1);
    ck_assert_int_ge(number(mayor, "began"), number(morning, "began"));
    ck_assert_int_le(number(mayor, "began") + number(mayor, "nanoseconds"),
                     number(morning, "began") + number(morning, "nanoseconds"));
    ck_assert_int_eq(number(json_array_get(json_object_get(result, "frames"), 2), "frame"), 2);
    json_decref(result);
    result = timeline("{'frames':1}");
    ck_assert_uint_eq(json_array_size(json_object_get(result, "frames")), 1);
    json_decref(result);
}
END_TEST

// Fly and Look are of one batch: one is entered before the other is left.
START_TEST(ins_66_parallel_systems_beside_each_other_have_lanes)
{
    kin_inspector_options options = inspect_options();
    hive_begin();
    ck_assert_int_eq(hive_hive_world_set_executor(hive, &hive_late_executor), KIN_OK);
    inspector = kin_inspect(hive_hive_world_base(hive), &options);
    hive_fill(2000);
    inspect_ask("timeline.start", "{}");
    hive_update();
    json_t *result = timeline("{}");
    const json_t *fly = span_of(result, 0, "Fly", "update"), *look = span_of(result, 0, "Look", "execute");
    ck_assert(fly != NULL && look != NULL);
    ck_assert_int_le(number(look, "began"), number(fly, "began") + number(fly, "nanoseconds"));
    ck_assert_int_eq(number(fly, "depth"), number(look, "depth"));
    ck_assert_int_eq(number(fly, "lane"), 0);
    ck_assert_int_eq(number(look, "lane"), 1);
    ck_assert_int_eq(number(span_of(result, 0, "Begin", "execute"), "lane"), 0);
    json_decref(result);
    hive_end();
    guard_end(&inspect_memory);
    arena_release(&http_memory);
}
END_TEST

START_TEST(ins_66_the_timeline_keeps_the_newest_updates)
{
    inspect_ask("timeline.start", "{'frames':4}");
    for (int i = 0; i < 9; i++)
        town_world_update(town, 1);
    json_t *result = timeline("{'frames':600}");
    json_t *frames = json_object_get(result, "frames");
    ck_assert_uint_eq(json_array_size(frames), 4);
    ck_assert_int_eq(number(json_array_get(frames, 0), "frame"), 5);
    ck_assert_int_eq(number(json_array_get(frames, 3), "frame"), 8);
    json_decref(result);
    inspect_ask("timeline.start", "{'frames':600}");
    for (int i = 0; i < 3000; i++)
        town_world_update(town, 1);
    result = timeline("{'frames':600}");
    ck_assert_uint_gt(json_array_size(json_object_get(result, "frames")), 200);
    json_decref(result);
    expect_in_answer("timeline.start", "{'frames':601}", "error -33102:");
}
END_TEST

START_TEST(ins_66_the_timeline_ends_when_nobody_has_asked)
{
    inspect_ask("timeline.start", "{}");
    town_world_update(town, 1);
    ck_assert_ptr_nonnull(host()->timeline);
    host()->timeline->until = 0;
    town_world_update(town, 1);
    ck_assert_ptr_null(host()->timeline);
    atomic_store(&host()->last_request, 0);
    town_world_update(town, 1);
    town_world_update(town, 1);
    ck_assert_uint_eq(atomic_load(&host()->attention), 0);
}
END_TEST

START_TEST(ins_66_a_world_ends_while_its_timeline_records)
{
    inspect_ask("timeline.start", "{}");
    town_world_update(town, 1);
    town_world_destroy(town);
    town = NULL;
}
END_TEST

// ---- over HTTP

static const char *get(const char *path)
{
    return exchange(request_of(arena_format(&http_memory, "GET %s HTTP/1.1", path), HOST BEARER, ""));
}

static const char *body_of(const char *response)
{
    const char *body = strstr(response, "\r\n\r\n");
    ck_assert_ptr_nonnull(body);
    return body + 4;
}

START_TEST(ins_66_the_trace_is_read_by_viewers_of_chrome_traces)
{
    ck_assert_int_eq(status_of(get("/trace")), 503);
    const char *start = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"timeline.start\",\"params\":{\"frames\":40}}";
    ck_assert_int_eq(status_of(exchange(request_of(POST, HOST BEARER TYPE, start))), 200);
    wait_for_updates(50);
    const char *response = get("/trace");
    ck_assert_int_eq(status_of(response), 200);
    json_t *trace = json_loads(body_of(response), 0, NULL);
    json_t *events = json_object_get(trace, "traceEvents");
    uint32_t mayors = 0;
    ck_assert_msg(json_array_size(events) > 100, "%s", response);
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *event = json_array_get(events, i);
        const char *phase = json_string_value(json_object_get(event, "ph"));
        ck_assert_ptr_nonnull(phase);
        ck_assert(strcmp(phase, "M") == 0 || json_is_number(json_object_get(event, "ts")));
        ck_assert(strcmp(phase, "M") == 0 || json_is_number(json_object_get(event, "dur")));
        mayors += strcmp(json_string_value(json_object_get(event, "name")), "Mayor") == 0;
    }
    ck_assert_uint_gt(mayors, 20);
    json_decref(trace);
}
END_TEST

START_TEST(ins_56_metrics_are_text_for_prometheus)
{
    static const char *const shown[] = {"kin_entities{context=\"houses\"} 20\n",
                                        "kin_entities_created_total{context=\"houses\"} 20\n",
                                        "kin_entities_destroyed_total{context=\"houses\"} 0\n",
                                        "kin_component_entities{context=\"houses\",component=\"Roof\"} 20\n",
                                        "kin_structural_changes_total{context=\"houses\",component=\"Roof\"} 20\n",
                                        "kin_memory_bytes{context=\"people\",part=\"columns\",state=\"used\"} ",
                                        "kin_update_seconds_count{world=\"town\"} ",
                                        "kin_refusals_total{world=\"town\",status=\"KIN_ERROR_NOT_ALIVE\"} 2\n",
                                        "kin_refusals_total{world=\"town\",status=\"KIN_ERROR_STREAM\"} 0\n",
                                        "kin_inspector_seconds_total "};
    game_stop();
    for (int i = 0; i < 2; i++)
        kin_destroy(&town->contexts->houses->base, 0);
    game_start();
    const char *response = get("/metrics");
    ck_assert_int_eq(status_of(response), 200);
    ck_assert_ptr_nonnull(strstr(response, "Content-Type: text/plain; version=0.0.4"));
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        ck_assert_msg(strstr(response, shown[i]) != NULL, "%s in\n%s", shown[i], response);
    const char *first = arena_format(&http_memory, "%s", body_of(response));
    ck_assert_str_eq(body_of(get("/metrics")), first); // of the same second
    wait_for(1100);
    response = get("/metrics");
    ck_assert_str_ne(body_of(response), first);
    ck_assert_ptr_nonnull(strstr(response, "kin_system_seconds{system=\"Mayor\",role=\"execute\",quantile=\"0.99\"} "));
}
END_TEST

START_TEST(ins_23_reports_want_a_token_and_get)
{
    ck_assert_int_eq(status_of(exchange(request_of("GET /metrics HTTP/1.1", HOST, ""))), 401);
    ck_assert_int_eq(status_of(exchange(request_of("GET /trace HTTP/1.1", HOST, ""))), 401);
    ck_assert_int_eq(status_of(exchange(request_of("GET /metrics HTTP/1.1", BEARER "Host: evil.example\r\n", ""))),
                     403);
    ck_assert_int_eq(status_of(exchange(request_of("POST /metrics HTTP/1.1", HOST BEARER TYPE, ""))), 404);
    atomic_store(&game_stands, true);
    wait_for(20);
    ck_assert_int_eq(status_of(get("/metrics")), 503);
    atomic_store(&game_stands, false);
}
END_TEST

Suite *inspect_report_suite(void)
{
    Suite *suite = suite_create("inspect_report");
    TCase *offline = tcase_create("timeline");
    tcase_set_timeout(offline, 60);
    tcase_add_checked_fixture(offline, offline_begin, offline_end);
    tcase_add_test(offline, ins_66_the_timeline_has_each_call_with_what_it_changed);
    tcase_add_test(offline, ins_66_the_timeline_keeps_the_newest_updates);
    tcase_add_test(offline, ins_66_the_timeline_ends_when_nobody_has_asked);
    tcase_add_test(offline, ins_66_a_world_ends_while_its_timeline_records);
    suite_add_tcase(suite, offline);
    TCase *lanes = tcase_create("lanes");
    tcase_add_test(lanes, ins_66_parallel_systems_beside_each_other_have_lanes);
    suite_add_tcase(suite, lanes);
    TCase *http = tcase_create("http");
    tcase_set_timeout(http, 60);
    tcase_add_checked_fixture(http, http_begin, http_end);
    tcase_add_test(http, ins_66_the_trace_is_read_by_viewers_of_chrome_traces);
    tcase_add_test(http, ins_56_metrics_are_text_for_prometheus);
    tcase_add_test(http, ins_23_reports_want_a_token_and_get);
    suite_add_tcase(suite, http);
    return suite;
}
