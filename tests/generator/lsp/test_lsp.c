// Language server: the session, its messages, and the diagnostics of documents.
#include "client.h"

#include "generator/evolve/evolve.h"
#include "generator/program.h"
#include "generator/read/read.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char utf8[] = "{\"capabilities\":{\"general\":{\"positionEncodings\":[\"utf-8\",\"utf-16\"]}}}";
static const char wrong[] = "kin: 1\npackage: sky\ncontexts: { night: {} }\n"
                            "components: { Star: { doc: \"\xF0\x9F\x8C\x9F\", fields: { x: flaot } } }\n";

// ---- the session

START_TEST(a_session_that_is_shut_down_ends_with_status_0)
{
    client_start(NULL);
    ck_assert_int_eq(client_end(), 0);
}
END_TEST

START_TEST(a_session_that_is_not_shut_down_ends_with_status_1)
{
    client_start(NULL);
    client_note("exit", "null");
    ck_assert_int_eq(client_abandon(NULL), 1);
    client_start(NULL);
    ck_assert_int_eq(client_abandon(NULL), 1);
}
END_TEST

static const char *const broken[] = {
    "Content-Length: 5\r\n\r\nhello",
    "Content-Length: x\r\n\r\n",
    "Content-Type: text\r\n\r\n{}",
    "Content-Length: 999999999999\r\n\r\n{}",
};

START_TEST(a_message_that_cannot_be_read_ends_the_session_with_a_sentence)
{
    const char *messages = NULL;
    client_start(NULL);
    client_send(broken[_i], strlen(broken[_i]));
    ck_assert_int_eq(client_abandon(&messages), 1);
    ck_assert_ptr_nonnull(strstr(messages, "kin: the editor cannot be served: a message "));
}
END_TEST

START_TEST(an_endless_header_ends_the_session)
{
    const char *messages = NULL;
    client_start(NULL);
    for (int i = 0; i < 9; i++) {
        char line[1000];
        memset(line, 'a', sizeof line);
        client_send(line, sizeof line);
    }
    ck_assert_int_eq(client_abandon(&messages), 1);
    ck_assert_ptr_nonnull(strstr(messages, "has no header"));
}
END_TEST

START_TEST(a_request_that_cannot_be_answered_gets_an_error)
{
    client_start(NULL);
    ck_assert_str_eq(client_text(client_ask("kin/nothing", "{}"), "error.code"), "-32601");
    ck_assert_str_eq(client_text(client_ask("initialize", "{}"), "error.code"), "-32600");
    client_ask("shutdown", "null");
    ck_assert_str_eq(client_text(client_ask("textDocument/hover", "{}"), "error.code"), "-32600");
    client_note("exit", "null");
    ck_assert_int_eq(client_abandon(NULL), 0);
}
END_TEST

static const char *const methods[] = {
    "textDocument/hover",         "textDocument/completion",        "textDocument/definition",
    "textDocument/references",    "textDocument/documentSymbol",    "textDocument/foldingRange",
    "textDocument/prepareRename", "textDocument/codeAction",        "textDocument/codeLens",
    "textDocument/inlayHint",     "textDocument/documentHighlight",
};

START_TEST(a_question_about_a_file_that_is_not_open_has_the_answer_null)
{
    static const char *const parameters[] = {
        "{\"textDocument\":{\"uri\":\"file:///no.yaml\"},\"position\":{\"line\":0,\"character\":0}}",
        "{\"textDocument\":{\"uri\":7}}", "{}", "null", "[1]"};
    client_start(NULL);
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        const json_node *result = client_find(client_ask(methods[_i], parameters[i]), "result");
        ck_assert_ptr_nonnull(result);
        ck_assert_int_eq(result->kind, JSON_NULL);
    }
    ck_assert_int_eq(client_end(), 0);
}
END_TEST

START_TEST(the_encoding_of_positions_is_the_first_that_both_know)
{
    static const struct {
        const char *offered, *chosen;
        int column;
    } rows[] = {{"[\"utf-8\",\"utf-16\"]", "utf-8", 48}, {"[\"utf-32\",\"utf-16\",\"utf-8\"]", "utf-16", 46}};
    for (size_t i = 0; i < 2; i++) {
        char parameters[200];
        snprintf(parameters, sizeof parameters, "{\"capabilities\":{\"general\":{\"positionEncodings\":%s}}}",
                 rows[i].offered);
        client_start(parameters);
        client_open("sky.yaml", wrong, strlen(wrong));
        const json_node *list = client_diagnostics("sky.yaml");
        ck_assert_int_eq(atoi(client_text(list, "0.range.start.character")), rows[i].column);
        ck_assert_int_eq(atoi(client_text(list, "0.range.end.character")), rows[i].column + 5);
        ck_assert_int_eq(client_end(), 0);
    }
}
END_TEST

START_TEST(a_log_has_every_message)
{
    scratch_create();
    const char *log = scratch_path("log");
    static const char messages[] = "Content-Length: 46\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}"
                                   "Content-Length: 44\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"shutdown\"}"
                                   "Content-Length: 33\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}";
    outcome outcome = run_with_input((arguments){{"lsp", "--log", log}}, messages);
    ck_assert_int_eq(outcome.status, 0);
    ck_assert_ptr_nonnull(strstr(scratch_read("log"), "--> {\"jsonrpc\":\"2.0\",\"id\":2"));
    ck_assert_ptr_nonnull(strstr(scratch_read("log"), "<-- {\"jsonrpc\": \"2.0\", \"id\": 2, \"result\": null}"));
    outcome = RUN("lsp", "--log", scratch_path("no/log"));
    ck_assert_int_eq(outcome.status, 3);
    ck_assert_ptr_nonnull(strstr(outcome.messages, "cannot open '"));
    scratch_destroy();
}
END_TEST

// ---- diagnostics

static void begin(void)
{
    client_start(utf8);
    scratch_create();
}

static void end(void)
{
    ck_assert_int_eq(client_end(), 0);
    scratch_destroy();
}

// Checks a schema as `kin check` does.
static diagnostics check(arena *arena, const char *path)
{
    diagnostics diagnostics = diagnostics_create(arena);
    diagnostics.options.limit = 0;
    const source *root = source_load(arena, &diagnostics, path);
    package *package = package_read(arena, &diagnostics, root);
    if (package != NULL)
        evolve_apply(arena, &diagnostics, package);
    advice_give(arena, &diagnostics, package);
    return diagnostics;
}

static bool is_at(const json_node *position, const source *source, size_t offset)
{
    source_position expected = source_position_of(source, offset);
    size_t line = strtoul(client_text(position, "line"), NULL, 10);
    size_t character = strtoul(client_text(position, "character"), NULL, 10);
    return line + 1 == expected.line && character == offset - source_line(source, expected.line).start;
}

static bool is_sent(const json_node *list, const diagnostic *expected)
{
    size_t notes = expected->hint != NULL && expected->fix == NULL;
    for (const diagnostic_note_entry *note = expected->first_note; note != NULL; note = note->next)
        notes += note->span.source != NULL;
    for (const json_node *item = list == NULL ? NULL : list->first; item != NULL; item = item->next) {
        bool is_like = strcmp(client_text(item, "message"), expected->message) == 0 &&
                       atoi(client_text(item, "code") + 1) == (int)expected->code;
        if (!is_like || client_find(item, "relatedInformation")->size != notes)
            continue;
        if (is_at(client_find(item, "range.start"), expected->span.source, expected->span.start) &&
            is_at(client_find(item, "range.end"), expected->span.source, expected->span.end))
            return true;
    }
    return false;
}

static bool is_valid_utf8(const char *text, size_t size)
{
    for (size_t at = 0; at < size;) {
        utf8_step step = utf8_next(text + at, size - at);
        if (step.code_point == UTF8_BROKEN)
            return false;
        at += step.size;
    }
    return true;
}

// Returns whether the case can be sent: JSON has no bytes that are not UTF-8.
static bool expect_same(const char *path)
{
    arena arena = {0};
    diagnostics expected = check(&arena, path);
    diagnostics discarded = diagnostics_create(&arena);
    const source *source = source_load(&arena, &discarded, path);
    bool is_sendable = is_valid_utf8(source->bytes, source->size);
    size_t count = 0;
    if (is_sendable) {
        client_open(path, source->bytes, source->size);
        for (const diagnostic *item = expected.first; item != NULL; item = item->next) {
            const json_node *list = client_diagnostics(item->span.source->path);
            ck_assert_msg(is_sent(list, item), "%s: no '%s'", path, item->message);
            count += item->span.source == expected.first->span.source;
        }
        const json_node *list = client_diagnostics(expected.first->span.source->path);
        ck_assert_msg(list->size == count, "%s: %zu instead of %zu", path, list->size, count);
        client_close(path);
    }
    client_forget();
    arena_release(&arena);
    return is_sendable;
}

START_TEST(diagnostics_are_those_of_kin_check)
{
    static const char *const patterns[] = {"tests/bad/*/*.yaml", "tests/advice/*.yaml"};
    glob_t schemas;
    size_t count = 0;
    ck_assert_int_eq(glob(patterns[_i], 0, NULL, &schemas), 0);
    size_t wanted = 0;
    for (size_t i = 0; i < schemas.gl_pathc; i++) {
        if (strncmp(schemas.gl_pathv[i], "tests/bad/content/", strlen("tests/bad/content/")) == 0)
            continue; // content, which suite content_lsp opens
        count += expect_same(schemas.gl_pathv[i]);
        wanted++;
    }
    ck_assert_uint_ge(count + 4, wanted);
    globfree(&schemas);
}
END_TEST

START_TEST(diagnostics_follow_each_change)
{
    client_open("sky.yaml", wrong, strlen(wrong));
    ck_assert_uint_eq(client_diagnostics("sky.yaml")->size, 1);
    const char *better =
        arena_format(client_arena(), "%.*sfloat } } }\n", (int)(strstr(wrong, "flaot") - wrong), wrong);
    client_change("sky.yaml", better, strlen(better));
    ck_assert_uint_eq(client_diagnostics("sky.yaml")->size, 0);
    client_change("sky.yaml", wrong, strlen(wrong));
    ck_assert_uint_eq(client_diagnostics("sky.yaml")->size, 1);
    client_close("sky.yaml");
    ck_assert_uint_eq(client_diagnostics("sky.yaml")->size, 0);
}
END_TEST

START_TEST(yaml_of_something_else_is_left_alone)
{
    static const char *const others[] = {
        "version: \"3\"\nservices: { web: { image: nginx } }\n", "apiVersion: v1\nkind: Pod\nmetadata: { name: a }\n",
        "name: build\non: push\njobs: {}\n", "openapi: 3.0.0\ncomponents: {}\n", "- hosts: all\n  tasks: []\n"};
    size_t before = client_published();
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const char *path = arena_format(client_arena(), "%s/%zu.yaml", scratch_path("."), i);
        client_open(path, others[i], strlen(others[i]));
    }
    ck_assert_uint_eq(client_published(), before);
}
END_TEST

// ---- included files

static const char math[] = "kin: 1\ntypes: { Vec2: { fields: { x: float, y: float } } }\n";
static const char math_wrong[] = "kin: 1\ntypes: { Vec2: { fields: { x: float, y: flaot } } }\n";
static const char root[] = "kin: 1\npackage: %s\ninclude: [parts/math.yaml]\ncontexts: { night: {} }\n"
                           "components: { Star: { fields: { at: Vec2, %s: float } } }\n";

START_TEST(an_included_file_is_checked_through_each_root_that_includes_it)
{
    scratch_write("sky.yaml", arena_format(scratch_arena(), root, "sky", "a"));
    scratch_write("sea.yaml", arena_format(scratch_arena(), root, "sea", "b"));
    scratch_write("other.yaml", "kin: 1\npackage: other\ncontexts: { night: {} }\n");
    scratch_write("parts/math.yaml", math);
    const char *path = scratch_path("parts/math.yaml");
    client_open(path, math, strlen(math));
    ck_assert_uint_eq(client_diagnostics(path)->size, 0);
    client_change(path, math_wrong, strlen(math_wrong));
    ck_assert_uint_eq(client_diagnostics(path)->size, 1); // the same in both
    const char *renamed = "kin: 1\ntypes: { Vec3: { fields: { x: float } } }\n";
    client_change(path, renamed, strlen(renamed));
    ck_assert_uint_eq(client_diagnostics(scratch_path("sky.yaml"))->size, 1);
    ck_assert_uint_eq(client_diagnostics(scratch_path("sea.yaml"))->size, 1);
    client_close(path);
    ck_assert_uint_eq(client_diagnostics(scratch_path("sky.yaml"))->size, 0);
    ck_assert_ptr_null(client_diagnostics(scratch_path("other.yaml")));
}
END_TEST

START_TEST(an_open_root_sees_the_text_of_an_open_included_file)
{
    const char *sky = arena_format(scratch_arena(), root, "sky", "a");
    scratch_write("sky.yaml", sky);
    scratch_write("parts/math.yaml", math);
    client_open(scratch_path("sky.yaml"), sky, strlen(sky));
    ck_assert_uint_eq(client_diagnostics(scratch_path("sky.yaml"))->size, 0);
    client_open(scratch_path("parts/math.yaml"), math_wrong, strlen(math_wrong));
    ck_assert_uint_eq(client_diagnostics(scratch_path("parts/math.yaml"))->size, 1);
    client_close(scratch_path("parts/math.yaml"));
    ck_assert_uint_eq(client_diagnostics(scratch_path("parts/math.yaml"))->size, 0);
}
END_TEST

START_TEST(an_included_file_without_a_root_is_checked_alone)
{
    const char *path = scratch_path("math.yaml");
    client_open(path, math, strlen(math));
    ck_assert_str_eq(client_text(client_diagnostics(path), "0.message"), "schema has no 'package'");
    const char *sky =
        arena_format(scratch_arena(), "kin: 1\npackage: sky\ninclude: [math.yaml]\ncontexts: { a: {} }\n");
    client_open(scratch_path("sky.yaml"), sky, strlen(sky));
    client_change(path, math, strlen(math));
    ck_assert_uint_eq(client_diagnostics(path)->size, 1); // it is not used
    ck_assert_ptr_null(strstr(client_text(client_diagnostics(path), "0.message"), "package"));
}
END_TEST

// ---- fixes

static const char *actions_at(const char *path, const char *range, const char *only)
{
    return arena_format(client_arena(), "{\"textDocument\":{\"uri\":\"%s\"},\"range\":%s,\"context\":{%s}}",
                        client_uri(path), range, only);
}

START_TEST(a_fix_changes_the_word_and_all_fixes_change_the_file)
{
    static const char text[] = "kin: 1\npackage: sky\ncontexts: { night: {} }\n"
                               "components: { Star: { fields: { x: flaot, y: flaot } } }\n"
                               "groups: { stars: { all: [Satr] } }\n";
    static const char fixed[] = "kin: 1\npackage: sky\ncontexts: { night: {} }\n"
                                "components: { Star: { fields: { x: float, y: float } } }\n"
                                "groups: { stars: { all: [Star] } }\n";
    static const char at_first[] = "{\"start\":{\"line\":3,\"character\":36},\"end\":{\"line\":3,\"character\":36}}";
    client_open("sky.yaml", text, strlen(text));
    const char *uri = client_uri("sky.yaml");
    const json_node *list =
        client_find(client_ask("textDocument/codeAction", actions_at("sky.yaml", at_first, "")), "result");
    ck_assert_uint_eq(list->size, 2);
    ck_assert_str_eq(client_text(list, "0.title"), "Change to 'float'");
    ck_assert_str_eq(client_text(list, "0.kind"), "quickfix");
    ck_assert_str_eq(client_text(list, "0.diagnostics.0.code"), "K0401");
    const json_node *edits = json_find(client_find(list, "0.edit.changes"), uri, strlen(uri));
    const char *once = client_apply(edits, text);
    ck_assert_ptr_nonnull(strstr(once, "{ x: float, y: flaot }"));
    ck_assert_str_eq(client_text(list, "1.kind"), "source.fixAll");
    edits = json_find(client_find(list, "1.edit.changes"), uri, strlen(uri));
    ck_assert_str_eq(client_apply(edits, text), fixed);
    const char *all = actions_at("sky.yaml", at_first, "\"only\":[\"source.fixAll\"]");
    ck_assert_uint_eq(client_find(client_ask("textDocument/codeAction", all), "result")->size, 1);
    const char *none = actions_at("sky.yaml", at_first, "\"only\":[\"refactor.inline\"]");
    ck_assert_uint_eq(client_find(client_ask("textDocument/codeAction", none), "result")->size, 0);
}
END_TEST

Suite *lsp_suite(void)
{
    Suite *suite = suite_create("lsp");
    TCase *session = tcase_create("session");
    tcase_add_test(session, a_session_that_is_shut_down_ends_with_status_0);
    tcase_add_test(session, a_session_that_is_not_shut_down_ends_with_status_1);
    tcase_add_loop_test(session, a_message_that_cannot_be_read_ends_the_session_with_a_sentence, 0,
                        sizeof broken / sizeof *broken);
    tcase_add_test(session, an_endless_header_ends_the_session);
    tcase_add_test(session, a_request_that_cannot_be_answered_gets_an_error);
    tcase_add_loop_test(session, a_question_about_a_file_that_is_not_open_has_the_answer_null, 0,
                        sizeof methods / sizeof *methods);
    tcase_add_test(session, the_encoding_of_positions_is_the_first_that_both_know);
    tcase_add_test(session, a_log_has_every_message);
    suite_add_tcase(suite, session);
    TCase *documents = tcase_create("documents");
    tcase_add_checked_fixture(documents, begin, end);
    tcase_add_loop_test(documents, diagnostics_are_those_of_kin_check, 0, 2);
    tcase_add_test(documents, diagnostics_follow_each_change);
    tcase_add_test(documents, yaml_of_something_else_is_left_alone);
    tcase_add_test(documents, an_included_file_is_checked_through_each_root_that_includes_it);
    tcase_add_test(documents, an_open_root_sees_the_text_of_an_open_included_file);
    tcase_add_test(documents, an_included_file_without_a_root_is_checked_alone);
    tcase_add_test(documents, a_fix_changes_the_word_and_all_fixes_change_the_file);
    suite_add_tcase(suite, documents);
    return suite;
}
