// Language server: renaming each definition of each schema, there and back.
#include "client.h"

#include "generator/program.h"
#include "generator/read/read.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static arena memory;

static void begin(void)
{
    scratch_create();
}

static void end(void)
{
    scratch_destroy();
    arena_release(&memory);
}

// A file that was opened, with its newest text.
typedef struct opened {
    const char *path, *first;
    char *text;
    struct opened *next;
} opened;

static opened *files;

static opened *open_file(const char *path)
{
    opened *file = files;
    while (file != NULL && strcmp(file->path, path) != 0)
        file = file->next;
    if (file != NULL)
        return file;
    file = arena_allocate(&memory, sizeof *file);
    file->path = arena_format(&memory, "%s", path);
    file->first = shell_read(&memory, path);
    file->text = arena_copy(&memory, file->first, strlen(file->first));
    file->next = files;
    files = file;
    client_open(path, file->text, strlen(file->text));
    return file;
}

// Makes the edits of a rename.
static void apply(const json_node *result)
{
    for (const json_node *edits = client_find(result, "changes")->first; edits != NULL; edits = edits->next) {
        opened *file = open_file(edits->key + strlen("file://"));
        const char *changed = client_apply(edits, file->text);
        file->text = arena_copy(&memory, changed, strlen(changed));
        client_change(file->path, file->text, strlen(file->text));
    }
}

// Collects the places of all symbols of a file, in order.
static void collect(const json_node *list, const json_node **symbols, size_t *count)
{
    for (const json_node *item = list->first; item != NULL; item = item->next) {
        ck_assert_uint_lt(*count, 2000);
        symbols[(*count)++] = item;
        collect(client_find(item, "children"), symbols, count);
    }
}

static size_t symbols_of_file(const char *path, const json_node **symbols)
{
    size_t count = 0;
    const char *document = arena_format(client_arena(), "{\"textDocument\":{\"uri\":\"%s\"}}", client_uri(path));
    collect(client_find(client_ask("textDocument/documentSymbol", document), "result"), symbols, &count);
    return count;
}

static const json_node *rename_symbol(const opened *file, const json_node *symbol, const char *name)
{
    size_t offset = client_offset(file->text, client_find(symbol, "selectionRange.start"));
    return client_answer("textDocument/rename", file->path, file->text, offset,
                         arena_format(client_arena(), ", \"newName\": \"%s\"", name));
}

static bool has_errors(const char *path)
{
    const json_node *list = client_diagnostics(path);
    for (const json_node *item = list->first; item != NULL; item = item->next)
        if (strcmp(client_text(item, "severity"), "1") == 0)
            return true;
    return false;
}

// Renames every definition of the file, or all back. Returns how many there are.
static size_t rename_all(opened *file, bool is_back)
{
    static const json_node *symbols[2000];
    size_t count = symbols_of_file(file->path, symbols);
    for (size_t i = 0; i < count; i++) {
        client_forget();
        ck_assert_uint_eq(symbols_of_file(file->path, symbols), count);
        size_t index = is_back ? count - 1 - i : i;
        const char *old = client_text(symbols[index], "name");
        size_t size = strlen(old);
        const char *name = arena_format(client_arena(), "%s%s", old, byte_is_upper(old[0]) ? "Zq" : "_zq");
        bool is_renamed = size > 2 && strcmp(old + size - 2, "zq") == 0;
        is_renamed = is_renamed || (size > 2 && strcmp(old + size - 2, "Zq") == 0);
        if (is_back && !is_renamed)
            continue; // it was refused
        if (is_back)
            name = arena_format(client_arena(), "%.*s", (int)(size - 2 - !byte_is_upper(old[0])), old);
        const json_node *answer = rename_symbol(file, symbols[index], name);
        const char *refusal = client_text(answer, "error.message");
        bool is_default_node = refusal != NULL && strstr(refusal, "has no 'in'") != NULL;
        bool has_swapped_names = refusal != NULL && strstr(refusal, "in saves it may be '") != NULL;
        if (is_default_node || has_swapped_names)
            continue; // `kin check` refuses it, too
        ck_assert_msg(refusal == NULL, "%s: %s '%s': %s", file->path, client_text(symbols[index], "detail"), old,
                      refusal);
        apply(client_find(answer, "result"));
    }
    ck_assert_msg(!has_errors(file->path), "%s: renamed, it has errors", file->path);
    return count;
}

static bool is_valid_root(const char *path)
{
    arena kept = {0};
    diagnostics diagnostics = diagnostics_create(&kept);
    const source *source = source_load(&kept, &diagnostics, path);
    bool is_valid = source != NULL && package_read(&kept, &diagnostics, source) != NULL;
    arena_release(&kept);
    return is_valid;
}

// Renames all definitions of a copy of the schema, with a lock beside it unless its saves have things twice.
static size_t rename_there_and_back(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *folder = scratch_path("copy");
    const char *copied = arena_format(&memory, "%s%s", folder, slash);
    shell_expect(&memory, arena_format(&memory,
                                       "rm -rf '%s' && mkdir '%s' && cp -r '%.*s'/. '%s' && find '%s' -name '*.lock' "
                                       "-delete",
                                       folder, folder, (int)(slash - path), path, folder, folder));
    bool is_locked = RUN("lock", copied).status == 0;
    files = NULL;
    client_start(NULL);
    opened *file = open_file(copied);
    size_t count = rename_all(file, false);
    for (const opened *changed = files; changed != NULL && is_locked; changed = changed->next) {
        FILE *out = fopen(changed->path, "w");
        fputs(changed->text, out);
        fclose(out);
    }
    if (is_locked) {
        outcome outcome = RUN("check", copied);
        ck_assert_msg(outcome.status == 0, "%s: %s", copied, outcome.messages);
        outcome = RUN("breaking", path, copied);
        bool is_kept = outcome.status == 0 || strstr(outcome.messages, ": error: ") == NULL; // keys of indices are new
        ck_assert_msg(is_kept, "%s: %s%s", copied, outcome.output, outcome.messages);
    }
    rename_all(file, true);
    for (const opened *changed = files; changed != NULL; changed = changed->next)
        ck_assert_msg(strcmp(changed->text, changed->first) == 0, "%s: there and back differs:\n%s", changed->path,
                      changed->text);
    ck_assert_int_eq(client_end(), 0);
    return count;
}

#define FIND                                                                                                           \
    "find schemas tests examples bench -name '*.yaml' -not -path 'tests/bad/*' -not -path 'tests/advice/*' | sort"

// Of every fourth schema, unless all runs.
START_TEST(each_definition_of_each_schema_is_renamed_there_and_back)
{
    size_t some = shell_runs_all() ? 1 : 4;
    size_t found = 0;
    size_t count = 0;
    size_t schemas = 0;
    char *paths = arena_format(&memory, "%s", shell_expect(&memory, FIND));
    char *rest = NULL;
    for (char *path = strtok_r(paths, "\n", &rest); path != NULL; path = strtok_r(NULL, "\n", &rest)) {
        if (!is_valid_root(path) || found++ % some != 0)
            continue;
        count += rename_there_and_back(path);
        schemas++;
    }
    ck_assert_uint_ge(schemas, 60 / some);
    ck_assert_uint_ge(count, 2000 / some);
}
END_TEST

// ---- what is refused

static const char sky[] = "kin: 1\npackage: sky\ncontexts: { game: { default: true } }\n"
                          "components: { Star: { fields: { x: float } }, Moon: {} }\n"
                          "groups: { stars: { all: [Star], none: [Moon] } }\n";

static const struct {
    const char *word, *name, *refusal;
} refused[] = {
    {"Star", "Moon", "component 'Moon' is declared already"},
    {"Star", "star", "'star' cannot be the name of a component: it must be in PascalCase"},
    {"stars", "Stars", "'Stars' cannot be the name of a group: it must be in snake_case"},
    {"x:", "int", "'int' cannot be the name of a field: it is a keyword of C"},
    {"Star", "", NULL},
    {"Star", "A b", NULL},
    {"fields", "sheep", "nothing here can be renamed"},
    {"float", "double", "nothing here can be renamed"},
};

START_TEST(a_name_that_kin_check_refuses_is_refused)
{
    client_start(NULL);
    client_open("sky.yaml", sky, strlen(sky));
    size_t offset = (size_t)(strstr(sky, refused[_i].word) - sky);
    const char *more = arena_format(client_arena(), ", \"newName\": \"%s\"", refused[_i].name);
    const json_node *answer = client_answer("textDocument/rename", "sky.yaml", sky, offset, more);
    const char *message = client_text(answer, "error.message");
    ck_assert_ptr_nonnull(message);
    if (refused[_i].refusal != NULL)
        ck_assert_str_eq(message, refused[_i].refusal);
    ck_assert_int_eq(client_end(), 0);
}
END_TEST

START_TEST(a_place_that_can_be_renamed_has_its_name)
{
    client_start(NULL);
    client_open("sky.yaml", sky, strlen(sky));
    size_t offset = (size_t)(strstr(sky, "Star]") - sky);
    const json_node *place = client_question("textDocument/prepareRename", "sky.yaml", sky, offset + 2, "");
    ck_assert_str_eq(client_text(place, "placeholder"), "Star");
    ck_assert_uint_eq(client_offset(sky, client_find(place, "range.start")), offset);
    place = client_question("textDocument/prepareRename", "sky.yaml", sky, 1, "");
    ck_assert_int_eq(place->kind, JSON_NULL);
    ck_assert_int_eq(client_end(), 0);
}
END_TEST

START_TEST(a_rename_without_saves_adds_no_old_name)
{
    client_start(NULL);
    client_open("sky.yaml", sky, strlen(sky));
    size_t offset = (size_t)(strstr(sky, "Star]") - sky);
    const json_node *result = client_question("textDocument/rename", "sky.yaml", sky, offset, ", \"newName\": \"Sun\"");
    const char *changed = client_apply(client_find(result, "changes")->first, sky);
    ck_assert_ptr_nonnull(strstr(changed, "{ Sun: { fields: { x: float } }, Moon: {} }"));
    ck_assert_ptr_nonnull(strstr(changed, "all: [Sun]"));
    ck_assert_int_eq(client_end(), 0);
}
END_TEST

START_TEST(an_old_name_in_a_block_is_a_line_that_ends_as_the_others)
{
    static const char text[] = "kin: 1\r\npackage: sky\r\ncontexts: { game: { default: true } }\r\n"
                               "components:\r\n  Star:\r\n    fields:\r\n      x: float\r\n";
    scratch_write("sky.yaml", text);
    const char *path = scratch_path("sky.yaml");
    ck_assert_int_eq(RUN("lock", path).status, 0);
    files = NULL;
    client_start(NULL);
    opened *file = open_file(path);
    apply(client_question("textDocument/rename", path, file->text, (size_t)(strstr(text, "Star") - text),
                          ", \"newName\": \"Sun\""));
    ck_assert_ptr_nonnull(strstr(file->text, "  Sun:\r\n    was: Star\r\n    fields:\r\n"));
    apply(client_question("textDocument/rename", path, file->text, (size_t)(strstr(text, "Star") - text),
                          ", \"newName\": \"Star\""));
    ck_assert_str_eq(file->text, text);
    ck_assert_int_eq(client_end(), 0);
}
END_TEST

START_TEST(a_rename_in_an_included_file_changes_every_package_with_it)
{
    static const char math[] = "kin: 1\ntypes: { Vec2: { fields: { x: float } } }\n";
    static const char root[] = "kin: 1\npackage: %s\ninclude: [math.yaml]\ncontexts: { a: {} }\n"
                               "components: { Star: { fields: { at: Vec2 } } }\n";
    scratch_write("math.yaml", math);
    scratch_write("sky.yaml", arena_format(&memory, root, "sky"));
    scratch_write("sea.yaml", arena_format(&memory, root, "sea"));
    const char *sky_text = arena_format(&memory, root, "sky");
    client_start(NULL);
    client_open(scratch_path("sky.yaml"), sky_text, strlen(sky_text)); // the others are closed
    const json_node *result =
        client_question("textDocument/rename", scratch_path("sky.yaml"), sky_text,
                        (size_t)(strstr(sky_text, "Vec2") - sky_text), ", \"newName\": \"Point\"");
    ck_assert_uint_eq(client_find(result, "changes")->size, 3);
    ck_assert_int_eq(client_end(), 0);
}
END_TEST

Suite *lsp_rename_suite(void)
{
    Suite *suite = suite_create("lsp_rename");
    TCase *tests = tcase_create("rename");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, each_definition_of_each_schema_is_renamed_there_and_back);
    tcase_add_loop_test(tests, a_name_that_kin_check_refuses_is_refused, 0, sizeof refused / sizeof *refused);
    tcase_add_test(tests, a_place_that_can_be_renamed_has_its_name);
    tcase_add_test(tests, a_rename_without_saves_adds_no_old_name);
    tcase_add_test(tests, an_old_name_in_a_block_is_a_line_that_ends_as_the_others);
    tcase_add_test(tests, a_rename_in_an_included_file_changes_every_package_with_it);
    suite_add_tcase(suite, tests);
    return suite;
}
