// Language server: texts that are half written. Sanitizers see more here than the test itself.
#include "client.h"

#include "shell.h"
#include "suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static arena memory;

static void begin(void)
{
    client_start(NULL);
}

static void end(void)
{
    ck_assert_int_eq(client_end(), 0);
    arena_release(&memory);
}

// Asks everything about a place of the text.
static void ask_all(const char *path, const char *text, size_t size, size_t offset)
{
    static const char *const methods[] = {"textDocument/completion", "textDocument/hover", "textDocument/definition",
                                          "textDocument/references", "textDocument/prepareRename"};
    static const char *const whole[] = {"textDocument/documentSymbol", "textDocument/foldingRange",
                                        "textDocument/codeLens", "textDocument/inlayHint"};
    client_change(path, text, size);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        client_question(methods[i], path, text, offset, ", \"context\": {}");
    const char *document = arena_format(client_arena(), "{\"textDocument\":{\"uri\":\"%s\"}}", client_uri(path));
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        ck_assert_ptr_nonnull(client_find(client_ask(whole[i], document), "result"));
    client_answer("textDocument/rename", path, text, offset, ", \"newName\": \"Other\"");
    client_forget();
}

// The step between prefixes, of which there are about 4, 12 if all runs, or KIN_STEPS: a large number is every prefix.
static size_t step_of(size_t size)
{
    const char *steps = getenv("KIN_STEPS");
    unsigned long some = shell_runs_all() ? 12 : 4;
    return size / (steps == NULL ? some : strtoul(steps, NULL, 10)) + 1;
}

static void break_schema(const char *path)
{
    const char *text = shell_read(&memory, path);
    size_t size = strlen(text);
    client_open(path, text, size);
    for (size_t length = 0; length <= size; length += step_of(size)) {
        const char *prefix = arena_copy(&memory, text, length);
        ask_all(path, prefix, length, length);
    }
    size_t lines = 0;
    for (const char *at = text; *at != '\0'; at++)
        lines += *at == '\n';
    size_t line = 0;
    for (const char *start = text; *start != '\0'; line++) {
        const char *next = strchr(start, '\n') == NULL ? start + strlen(start) : strchr(start, '\n') + 1;
        if (line % step_of(lines) == 0) {
            struct text changed = text_create(&memory);
            text_append(&changed, text, (size_t)(start - text));
            text_append_string(&changed, next);
            ask_all(path, changed.bytes, changed.size, (size_t)(start - text));
        }
        start = next;
    }
    client_close(path);
}

START_TEST(half_written_schemas_have_answers)
{
    size_t count = 0;
    char *rest = NULL;
    char *paths = arena_format(&memory, "%s",
                               shell_expect(&memory, "find schemas tests examples bench -name '*.yaml' -not -path "
                                                     "'tests/bad/*' -size -40k | sort"));
    for (char *path = strtok_r(paths, "\n", &rest); path != NULL; path = strtok_r(NULL, "\n", &rest), count++)
        break_schema(path);
    ck_assert_uint_ge(count, 100);
}
END_TEST

START_TEST(texts_at_the_limits_have_answers)
{
    static const char head[] = "kin: 1\npackage: sky\n";
    text large = text_create(&memory);
    text_append_string(&large, head);
    for (size_t i = 0; i < 60000; i++)
        text_append_string(&large, "doc: [{ a: b }, ");
    client_open("large.yaml", large.bytes, large.size);
    ask_all("large.yaml", large.bytes, large.size, large.size);
    text_append_string(&large, large.bytes); // larger than a schema may be
    ask_all("large.yaml", large.bytes, large.size, 5);
    ask_all("large.yaml", "", 0, 0);
    ask_all("large.yaml", "\xEF\xBB\xBFkin: 1\n", 10, 3);
}
END_TEST

Suite *lsp_broken_suite(void)
{
    Suite *suite = suite_create("lsp_broken");
    TCase *tests = tcase_create("broken");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_set_timeout(tests, getenv("KIN_STEPS") == NULL ? 120 : 3600);
    tcase_add_test(tests, half_written_schemas_have_answers);
    if (shell_runs_all())
        tcase_add_test(tests, texts_at_the_limits_have_answers);
    suite_add_tcase(suite, tests);
    return suite;
}
