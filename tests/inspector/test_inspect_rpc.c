// JSON-RPC: requests, batches, notifications, and requests that are none.
#include "inspect_case.h"
#include "suites.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_code(const char *request, int code)
{
    const char *answer = inspect_send(inspect_quoted(request));
    json_t *document = json_loads(answer, 0, NULL);
    ck_assert_msg(document != NULL, "%s", answer);
    ck_assert_msg(json_integer_value(json_object_get(json_object_get(document, "error"), "code")) == code,
                  "%s\nanswers %s\nand not %d", request, answer, code);
    json_decref(document);
}

static const struct {
    const char *request;
    int code;
} bad[] = {
    {"", -32700},
    {"{", -32700},
    {"{'a':1,'a':2}", -32700},
    {"{'jsonrpc':'2.0','id':1,'method':'kin.hello'} x", -32700},
    {"{'jsonrpc':'2.0','id':1e999,'method':'kin.hello'}", -32700},
    {"{'jsonrpc':'2.0','id':'\\ud800','method':'kin.hello'}", -32700},
    {"{'jsonrpc':'2.0','id':'\\u0000','method':'kin.hello'}", -32700},
    {"1", -32700},
    {"[]", -32600},
    {"{}", -32600},
    {"{'jsonrpc':'1.0','id':1,'method':'kin.hello'}", -32600},
    {"{'jsonrpc':'2.0','id':[],'method':'kin.hello'}", -32600},
    {"{'jsonrpc':'2.0','id':1,'method':7}", -32600},
    {"{'jsonrpc':'2.0','id':1,'method':'kin.helo'}", -32601},
    {"{'jsonrpc':'2.0','id':1,'method':'entities.get'}", -32602},
    {"{'jsonrpc':'2.0','id':1,'method':'entities.get','params':[1]}", -32602},
    {"{'jsonrpc':'2.0','id':1,'method':'entities.get','params':{'entity':1}}", -32602},
    {"{'jsonrpc':'2.0','id':1,'method':'entities.get','params':{'entity':'1:1'}}", -32602},
    {"{'jsonrpc':'2.0','id':1,'method':'entities.get','params':{'context':'gme','entity':'1:1'}}", -32602},
    {"{'jsonrpc':'2.0','id':1,'method':'entities.get','params':{'context':'game','entity':'1:1'}}", -33001},
    {"{'jsonrpc':'2.0','id':1,'method':'entities.get','params':{'context':'game','entty':'1:1'}}", -32602},
    {"{'jsonrpc':'2.0','id':1,'method':'systems.list'}", -32602},
    {"[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]", -33102},
};

START_TEST(ins_54_a_bad_request_has_its_code)
{
    expect_code(bad[_i].request, bad[_i].code);
    expect_in_answer("kin.hello", "{}", "'version'");
}
END_TEST

START_TEST(ins_55_json_is_at_most_32_deep)
{
    char request[256] = "", end[64] = "";
    for (int depth = 31; depth <= 33; depth++) {
        snprintf(request, sizeof request, "{'jsonrpc':'2.0','id':1,'method':'kin.hello','params':");
        end[0] = '\0';
        for (int i = 1; i < depth; i++) {
            strcat(request, "[");
            strcat(end, "]");
        }
        strcat(strcat(request, end), "}");
        expect_code(request, depth > 32 ? -33102 : -32602);
    }
}
END_TEST

START_TEST(ins_55_a_body_has_at_most_64_kib)
{
    char *request = malloc(70000);
    for (size_t size = 65535; size <= 65537; size++) {
        memset(request, ' ', size);
        memcpy(request, "{}", 2);
        request[size] = '\0';
        expect_code(request, size > 65536 ? -33102 : -32600);
    }
    free(request);
}
END_TEST

START_TEST(a_batch_is_answered_in_order_without_its_notifications)
{
    const char *answer = inspect_send(
        inspect_quoted("[{'jsonrpc':'2.0','id':'a','method':'entities.create','params':{'context':'game'}},"
                       "{'jsonrpc':'2.0','method':'entities.create','params':{'context':'game'}},"
                       "{'jsonrpc':'2.0','id':null,'method':'nothing'},"
                       "{'jsonrpc':'2.0','id':2.5,'method':'entities.query','params':{'context':'game','limit':0}}]"));
    ck_assert_ptr_nonnull(strstr(answer, "\"id\":\"a\",\"result\":{\"entity\":\"1:0\""));
    ck_assert_ptr_nonnull(strstr(answer, "\"id\":null,\"error\":{\"code\":-32601"));
    ck_assert_ptr_nonnull(strstr(answer, "\"id\":2.5,\"result\":{\"frame\":[0,0],\"total\":2"));
}
END_TEST

START_TEST(an_answer_that_is_too_large_has_its_id_and_leaves_the_others)
{
    static char name[4001];
    memset(name, '<', sizeof name - 1); // six bytes each in the answer
    for (int i = 0; i < 220; i++)
        my_game_add_name(game, my_game_create_entity(game), (my_Name){.value = name});
    const char *answer = inspect_send(inspect_quoted(
        "[{'jsonrpc':'2.0','id':'first','method':'kin.hello'},"
        "{'jsonrpc':'2.0','id':'large','method':'entities.query',"
        "'params':{'context':'game','fields':['Name.value'],'limit':220}},"
        "{'jsonrpc':'2.0','id':'last','method':'entities.query','params':{'context':'game','limit':0}}]"));
    ck_assert_msg(strstr(answer, "\"id\":\"first\",\"result\":{\"version\"") != NULL, "%.300s", answer);
    ck_assert_ptr_nonnull(strstr(answer, "\"id\":\"large\",\"error\":{\"code\":-33102,"
                                         "\"message\":\"the answer is larger than 4 MiB; ask for less\"}}"));
    ck_assert_ptr_nonnull(strstr(answer, "\"id\":\"last\",\"result\":{\"frame\":[0,0],\"total\":220"));
}
END_TEST

START_TEST(ins_55_a_batch_of_16_entities_is_answered)
{
    char request[2048] = "[";
    my_game_create_entity(game);
    for (int i = 0; i < 16; i++)
        strcat(strcat(request, i == 0 ? "" : ","), "{'jsonrpc':'2.0','id':1,'method':'entities.get',"
                                                   "'params':{'context':'game','entity':'1:0'}}");
    const char *answer = inspect_send(inspect_quoted(strcat(request, "]")));
    ck_assert_msg(strstr(answer, "error") == NULL, "%s", answer);
}
END_TEST

START_TEST(a_notification_has_no_answer)
{
    ck_assert_str_eq(
        inspect_send(inspect_quoted("{'jsonrpc':'2.0','method':'entities.create','params':{'context':'game'}}")), "");
    expect_in_answer("entities.query", "{'context':'game'}", "'total':1");
}
END_TEST

START_TEST(an_answer_that_does_not_fit_is_written_again)
{
    char small[8], whole[4096];
    const char *request =
        inspect_quoted("{'jsonrpc':'2.0','id':1,'method':'entities.create','params':{'context':'game'}}");
    size_t size = kin_inspector_request(inspector, request, strlen(request), small, sizeof small);
    ck_assert_uint_gt(size, sizeof small);
    ck_assert_str_eq(small, "{\"jsonr");
    ck_assert_uint_eq(kin_inspector_request(inspector, NULL, 0, whole, sizeof whole), size);
    ck_assert_ptr_nonnull(strstr(whole, "\"entity\":\"1:0\""));
    ck_assert_uint_eq(kin_inspector_request(inspector, NULL, 0, NULL, 0), size);
    ck_assert_uint_eq(my_game_entity_count(game), 1);
}
END_TEST

START_TEST(discover_lists_every_method)
{
    const char *answer = inspect_ask("rpc.discover", "{}");
    static const char *const names[] = {"kin.hello", "rpc.discover", "entities.query", "components.set", "time.pause"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ck_assert_msg(strstr(answer, names[i]) != NULL, "%s", names[i]);
    ck_assert_ptr_nonnull(strstr(answer, "\"openrpc\":\"1.2.6\""));
}
END_TEST

START_TEST(every_method_refuses_what_it_does_not_know)
{
    json_t *document = json_loads(inspect_ask("rpc.discover", "{}"), 0, NULL);
    json_t *methods = json_object_get(document, "methods"), *method;
    size_t i;
    ck_assert_uint_gt(json_array_size(methods), 20);
    json_array_foreach(methods, i, method) expect_in_answer(json_string_value(json_object_get(method, "name")),
                                                            "{'nonsense':1}", "has no parameter 'nonsense'");
    json_decref(document);
}
END_TEST

START_TEST(ins_28_cut_requests_are_refused)
{
    const char *request =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"entities.query\",\"params\":{\"context\":\"game\",\"query\":\"Name "
        "where value ~ \\\"a*\\\"\",\"fields\":[\"Name\"],\"limit\":5}}";
    char answer[256];
    for (size_t size = 0; size < strlen(request); size++) {
        kin_inspector_request(inspector, request, size, answer, sizeof answer);
        ck_assert_ptr_nonnull(strstr(answer, "-32700"));
    }
}
END_TEST

Suite *inspect_rpc_suite(void)
{
    Suite *suite = suite_create("inspect_rpc");
    TCase *tests = tcase_create("inspect_rpc");
    tcase_add_checked_fixture(tests, inspect_begin, inspect_end);
    tcase_add_loop_test(tests, ins_54_a_bad_request_has_its_code, 0, sizeof bad / sizeof *bad);
    tcase_add_test(tests, ins_55_json_is_at_most_32_deep);
    tcase_add_test(tests, ins_55_a_body_has_at_most_64_kib);
    tcase_add_test(tests, a_batch_is_answered_in_order_without_its_notifications);
    tcase_add_test(tests, an_answer_that_is_too_large_has_its_id_and_leaves_the_others);
    tcase_add_test(tests, ins_55_a_batch_of_16_entities_is_answered);
    tcase_add_test(tests, a_notification_has_no_answer);
    tcase_add_test(tests, an_answer_that_does_not_fit_is_written_again);
    tcase_add_test(tests, discover_lists_every_method);
    tcase_add_test(tests, every_method_refuses_what_it_does_not_know);
    tcase_add_test(tests, ins_28_cut_requests_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
