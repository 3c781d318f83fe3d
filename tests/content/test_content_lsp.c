// The language server for content files: messages while typing, completion, hover, definitions, uses, renaming.
#include "generator/lsp/client.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <string.h>

static const char schema[] =
    "kin: 1\npackage: town\ncontexts: { game: { content: true, placed_by: Local.at } }\n"
    "types:\n"
    "  Vec3: { fields: { x: float, y: float, z: float } }\n"
    "  Side: { values: [Red, Blue] }\n"
    "components:\n"
    "  ChildOf: { fields: { parent: { type: entity<game>, reverse: children, tree: true } } }\n"
    "  Local: { fields: { at: Vec3 } }\n"
    "  Health: { doc: How much is left., fields: { points: { type: int32, default: 7, range: [0, 9] } } }\n"
    "  Gun: { fields: { side: Side, on: bool, by: entity<game> } }\n"
    "  Score: { unique: true, fields: { best: int32 } }\n"
    "blueprints:\n"
    "  Crate: { components: { Local: {}, Health: {} }, knobs: { life: Health.points } }\n"
    "  Tank:\n"
    "    extends: Crate\n"
    "    children:\n"
    "      tower: { components: { Gun: {} }, children: { tube: { components: { Local: {} } } } }\n";

static const char crates[] = "content: 1\n"
                             "prefabs:\n"
                             "  Big: { doc: Hard to move., extends: Crate, Health: { points: 9 } }\n"
                             "  Huge:\n"
                             "    extends: Big\n"
                             "    parts:\n"
                             "      lid: { of: Crate, life: 3 }\n"
                             "    knobs: { top: lid.Health.points }\n";

static const char level[] = "content: 1\n"
                            "levels:\n"
                            "  yard:\n"
                            "    place:\n"
                            "      - Huge: { top: 4, as: one, life: 2, lid: { Local: { at: [1, 2, 3] } } }\n"
                            "      - Tank: { tower: { Gun: { side: Blue, by: one.lid } } }\n";

static void begin(void)
{
    scratch_create();
    scratch_write("town.yaml", schema);
    scratch_write("content/crates.yaml", crates);
    scratch_write("content/level.yaml", level);
    client_start(NULL);
}

static void end(void)
{
    ck_assert_int_eq(client_end(), 0);
    scratch_destroy();
}

static const char *first_message(const char *path)
{
    const json_node *list = client_diagnostics(path);
    ck_assert_ptr_nonnull(list);
    return client_text(list, "0.message");
}

START_TEST(an_open_content_file_is_checked_against_the_schema_above_and_with_the_other_files)
{
    const char *path = scratch_path("content/deep/level.yaml");
    static const char wrong[] = "content: 1\nlevels: { a: { place: [{ Big: { Health: { points: 10 } } }] } }\n";
    static const char right[] = "content: 1\nlevels: { a: { place: [{ Big: { Health: { points: 3 } } }] } }\n";
    scratch_write("content/deep/level.yaml", right);
    client_open(path, wrong, sizeof wrong - 1);
    ck_assert_str_eq(first_message(path), "10 is outside the range of 'Health.points'");
    client_change(path, right, sizeof right - 1);
    ck_assert_ptr_null(first_message(path));
    client_close(path);
}
END_TEST

// ---- completion

// Opens a text in which `|` is the place of the cursor. Returns the items that are offered there.
static const json_node *complete(const char *marked)
{
    const char *path = scratch_path("content/new.yaml");
    const char *cursor = strchr(marked, '|');
    const char *text = arena_format(client_arena(), "%.*s%s", (int)(cursor - marked), marked, cursor + 1);
    client_open(path, text, strlen(text));
    return client_find(client_question("textDocument/completion", path, text, (size_t)(cursor - marked), ""), "items");
}

static const json_node *find_item(const json_node *items, const char *label)
{
    for (const json_node *item = items->first; item != NULL; item = item->next)
        if (strcmp(client_text(item, "label"), label) == 0)
            return item;
    return NULL;
}

static const struct {
    const char *text, *labels; // what is offered
} places[] = {
    {"content: 1\n|\n", "prefabs blueprints values levels include removed"},
    {"content: 1\nprefabs:\n  New:\n    extends: |\n", "Crate Tank Big Huge New"},
    {"content: 1\nprefabs:\n  New:\n    extends: Ta|\n", "Crate Tank Big Huge New"},
    {"content: 1\nprefabs: { New: { extends: T|", "Crate Tank Big Huge New"},
    {"content: 1\nprefabs:\n  New:\n    extends: Tank\n    |\n",
     "life tower Local Health Gun Score doc knobs parts without was context"},
    {"content: 1\nprefabs:\n  New:\n    extends: Tank\n    tower:\n      |\n", "tube Local Health Gun Score parts"},
    {"content: 1\nprefabs:\n  New: { extends: Huge, lid: { | } }\n", "life Local Health Gun Score parts"},
    {"content: 1\nprefabs:\n  New:\n    extends: Tank\n    Health:\n      |\n", "points"},
    {"content: 1\nprefabs:\n  New: { extends: Tank, Local: { at: { x: 1, | } } }\n", "y z"},
    {"content: 1\nprefabs:\n  New: { extends: Tank, Health: { points: | } }\n", "7 0 9"},
    {"content: 1\nprefabs:\n  New: { extends: Tank, life: | }\n", "7 0 9"},
    {"content: 1\nprefabs:\n  New: { extends: Tank, tower: { Gun: { side: | } } }\n", "Red Blue"},
    {"content: 1\nprefabs:\n  New: { extends: Tank, tower: { Gun: { on: t| } } }\n", "true false"},
    {"content: 1\nprefabs:\n  New: { extends: Tank, tower: { Gun: { by: | } } }\n", ".tower"},
    {"content: 1\nprefabs:\n  New: { extends: Tank, tower: { Gun: { by: .tower.| } } }\n", "tube"},
    {"content: 1\nprefabs:\n  New: { extends: Tank, without: [|] }\n", "tower Local Health"},
    {"content: 1\nprefabs:\n  New: { extends: Tank, knobs: { side: tower.| } }\n", "tube Gun"},
    {"content: 1\nprefabs:\n  New: { extends: Tank, knobs: { side: tower.Gun.| } }\n", "side on by"},
    {"content: 1\nprefabs:\n  New:\n    extends: Tank\n    parts:\n      flag: { | }\n", "of parts was doc"},
    {"content: 1\nprefabs:\n  New:\n    extends: Tank\n    parts:\n      flag: { of: B| }\n",
     "Crate Tank Big Huge New"},
    {"content: 1\nblueprints:\n  |\n", "Crate Tank"},
    {"content: 1\nblueprints:\n  Tank:\n    |\n", "life tower Local Health"},
    {"content: 1\nvalues:\n  |\n", "Score"},
    {"content: 1\nlevels:\n  farm:\n    |\n", "place doc was"},
    {"content: 1\nlevels:\n  farm:\n    place:\n      - |\n", "Crate Tank Big Huge yard"},
    {"content: 1\nlevels:\n  farm:\n    place: [{ Hu| }]\n", "Crate Tank Big Huge yard"},
    {"content: 1\nlevels:\n  farm:\n    place:\n      - Huge: { | }\n", "top life lid Local Health as was"},
    {"content: 1\nlevels:\n  farm:\n    place:\n      - yard: { | }\n", "at as was"},
    {"content: 1\nlevels:\n  farm:\n    place:\n      - Tank: { as: a }\n      - Tank: { tower: { Gun: { by: | } } }\n",
     "a .tower"},
    {"content: 1\nlevels:\n  farm:\n    place:\n      - Huge: { as: a }\n      - Tank: { tower: { Gun: { by: a.| } } "
     "}\n",
     "lid"},
};

START_TEST(what_can_be_written_is_offered)
{
    const json_node *items = complete(places[_i].text);
    size_t count = 0, offered = 0;
    char *labels = arena_format(client_arena(), "%s", places[_i].labels);
    ck_assert_ptr_nonnull(items);
    for (char *label = strtok(labels, " "); label != NULL; label = strtok(NULL, " "), count++)
        ck_assert_msg(find_item(items, label) != NULL, "no '%s' in %s", label, places[_i].text);
    for (const json_node *item = items->first; item != NULL; item = item->next)
        offered++;
    for (const json_node *item = items->first; item != NULL && offered != count; item = item->next)
        ck_assert_msg(strstr(places[_i].labels, client_text(item, "label")) != NULL, "'%s' in %s",
                      client_text(item, "label"), places[_i].text);
    ck_assert_uint_eq(offered, count);
}
END_TEST

START_TEST(a_completion_replaces_the_word_with_a_key_and_has_its_doc)
{
    const json_node *item = find_item(complete("content: 1\nlevels: { a: { place: [{ B| }] } }\n"), "Big");
    ck_assert_str_eq(client_text(item, "textEdit.newText"), "Big: ");
    ck_assert_str_eq(client_text(item, "documentation.value"), "Hard to move.");
    ck_assert_str_eq(client_text(item, "detail"), "prefab");
    ck_assert_str_eq(client_text(item, "textEdit.range.start.character"), "25");
    ck_assert_str_eq(client_text(item, "textEdit.range.end.character"), "26");
}
END_TEST

// ---- names

static const char *open_level(void)
{
    const char *path = scratch_path("content/level.yaml");
    client_open(path, level, sizeof level - 1);
    return path;
}

// Asks about a word of the level, which is the one with the number from 0 on.
static const json_node *ask(const char *method, const char *word, int number, const char *more)
{
    const char *path = open_level();
    const char *at = strstr(level, word);
    while (number-- > 0)
        at = strstr(at + 1, word);
    return client_question(method, path, level, (size_t)(at - level), more);
}

// Returns the text of a file at a location.
static const char *text_at(const json_node *location)
{
    const char *path = client_text(location, "uri") + strlen("file://");
    const char *text = shell_read(client_arena(), path);
    size_t start = client_offset(text, client_find(location, "range.start"));
    size_t end = client_offset(text, client_find(location, "range.end"));
    return arena_format(client_arena(), "%s:%.*s", strrchr(path, '/') + 1, (int)(end - start), text + start);
}

START_TEST(a_definition_is_in_the_content_or_in_the_schema)
{
    static const struct {
        const char *word, *place;
        int number, line;
    } cases[] = {
        {"Huge", "crates.yaml:Huge", 0, 3},  {"top", "crates.yaml:top", 0, 7},  {"lid", "crates.yaml:lid", 0, 6},
        {"lid", "crates.yaml:lid", 1, 6},    {"life", "town.yaml:life", 0, 13}, {"Tank", "town.yaml:Tank", 0, 14},
        {"tower", "town.yaml:tower", 0, 17}, {"Gun", "town.yaml:Gun", 0, 10},   {"side", "town.yaml:side", 0, 10},
        {"Blue", "town.yaml:Blue", 0, 5},    {"one", "level.yaml:one", 1, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const json_node *found = ask("textDocument/definition", cases[i].word, cases[i].number, "");
        ck_assert_msg(found != NULL && found->first != NULL, "%s", cases[i].word);
        ck_assert_str_eq(text_at(found->first), cases[i].place);
        ck_assert_str_eq(client_text(found->first, "range.start.line"),
                         arena_format(client_arena(), "%d", cases[i].line));
    }
}
END_TEST

START_TEST(uses_are_those_of_all_content_and_of_the_schema)
{
    const json_node *found = ask("textDocument/references", "lid", 0, "");
    size_t count = 0;
    for (const json_node *each = found->first; each != NULL; each = each->next, count++)
        ck_assert_ptr_nonnull(strstr(text_at(each), ":lid"));
    ck_assert_uint_eq(count, 4);
    found = ask("textDocument/references", "Gun", 0, "");
    ck_assert_str_eq(text_at(found->first), "town.yaml:Gun");
    ck_assert_ptr_nonnull(found->first->next);
}
END_TEST

START_TEST(uses_of_what_a_schema_declares_are_also_those_in_content)
{
    const char *path = scratch_path("town.yaml");
    client_open(path, schema, sizeof schema - 1);
    size_t at = (size_t)(strstr(schema, "Health") - schema);
    const json_node *found = client_question("textDocument/references", path, schema, at, "");
    size_t count = 0;
    for (const json_node *each = found->first; each != NULL; each = each->next)
        count += strstr(text_at(each), "crates.yaml:Health") != NULL;
    ck_assert_uint_eq(count, 2);
}
END_TEST

START_TEST(a_hover_says_what_a_name_is)
{
    static const struct {
        const char *word, *text;
    } cases[] = {
        {"Huge", "Extends `Big`"},
        {"Huge", "| `lid` | `ChildOf`, `Health`, `Local`"},
        {"Huge", "| `top` | `lid.Health.points` |"},
        {"top", "Sets `lid.Health.points`."},
        {"lid", "Part `lid` of `Huge`, of `Crate`"},
        {"side", "`Side`"},
        {"yard", "level `yard`"},
        {"one", "An instance of `Huge`."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = client_text(ask("textDocument/hover", cases[i].word, 0, ""), "contents.value");
        ck_assert_msg(text != NULL && strstr(text, cases[i].text) != NULL, "%s: %s", cases[i].word, text);
    }
}
END_TEST

START_TEST(symbols_are_prefabs_with_their_parts_and_levels_with_their_instances)
{
    const char *path = scratch_path("content/crates.yaml");
    client_open(path, crates, sizeof crates - 1);
    const json_node *list = client_question("textDocument/documentSymbol", path, crates, 0, "");
    ck_assert_str_eq(client_text(list, "0.name"), "Big");
    ck_assert_str_eq(client_text(list, "1.name"), "Huge");
    ck_assert_str_eq(client_text(list, "1.children.0.name"), "lid");
    ck_assert_str_eq(client_text(list, "1.children.1.name"), "top");
    path = open_level();
    list = client_question("textDocument/documentSymbol", path, level, 0, "");
    ck_assert_str_eq(client_text(list, "0.name"), "yard");
    ck_assert_str_eq(client_text(list, "0.children.0.name"), "one");
    const json_node *all = client_find(client_ask("workspace/symbol", "{\"query\": \"hug\"}"), "result");
    ck_assert_str_eq(client_text(all, "0.name"), "Huge");
    ck_assert_str_eq(text_at(client_find(all, "0.location")), "crates.yaml:Huge");
}
END_TEST

// ---- renaming

// Returns a file after a rename.
static const char *renamed(const json_node *result, const char *name)
{
    const char *path = scratch_path(name);
    const char *text = shell_read(client_arena(), path);
    const json_node *changes = client_find(result, "changes");
    for (const json_node *each = changes == NULL ? NULL : changes->first; each != NULL; each = each->next)
        if (strcmp(each->key, client_uri(path)) == 0)
            return client_apply(each, text);
    return text;
}

START_TEST(a_rename_changes_all_uses)
{
    const json_node *edits = ask("textDocument/rename", "lid", 0, ", \"newName\": \"cover\"");
    ck_assert_ptr_nonnull(strstr(renamed(edits, "content/crates.yaml"), "      cover: { of: Crate, life: 3 }\n"
                                                                        "    knobs: { top: cover.Health.points }\n"));
    ck_assert_ptr_nonnull(strstr(renamed(edits, "content/level.yaml"), "cover: { Local:"));
    ck_assert_ptr_nonnull(strstr(renamed(edits, "content/level.yaml"), "by: one.cover }"));
    edits = ask("textDocument/rename", "Huge", 0, ", \"newName\": \"Vast\"");
    ck_assert_ptr_nonnull(strstr(renamed(edits, "content/crates.yaml"), "  Vast:\n    extends: Big\n"));
    ck_assert_ptr_nonnull(strstr(renamed(edits, "content/level.yaml"), "- Vast: {"));
    edits = ask("textDocument/rename", "top", 0, ", \"newName\": \"upper\"");
    ck_assert_ptr_nonnull(strstr(renamed(edits, "content/crates.yaml"), "knobs: { upper: lid"));
    ck_assert_ptr_nonnull(strstr(renamed(edits, "content/level.yaml"), "- Huge: { upper: 4"));
    edits = ask("textDocument/rename", "one", 0, ", \"newName\": \"first\"");
    ck_assert_ptr_nonnull(strstr(renamed(edits, "content/level.yaml"), "as: first,"));
    ck_assert_ptr_nonnull(strstr(renamed(edits, "content/level.yaml"), "by: first.lid"));
}
END_TEST

START_TEST(a_rename_says_was_if_the_content_has_a_lock)
{
    shell_expect(client_arena(), arena_format(client_arena(), "$KIN lock '%s' '%s'", scratch_path("town.yaml"),
                                              scratch_path("content")));
    const json_node *edits = ask("textDocument/rename", "lid", 0, ", \"newName\": \"cover\"");
    ck_assert_ptr_nonnull(
        strstr(renamed(edits, "content/crates.yaml"), "      cover: { was: lid, of: Crate, life: 3 }\n"));
    edits = ask("textDocument/rename", "Huge", 0, ", \"newName\": \"Vast\"");
    ck_assert_ptr_nonnull(strstr(renamed(edits, "content/crates.yaml"), "  Vast:\n    was: Huge\n    extends: Big\n"));
    edits = ask("textDocument/rename", "one", 0, ", \"newName\": \"first\"");
    ck_assert_ptr_nonnull(strstr(renamed(edits, "content/level.yaml"), "- Huge: { was: one, top: 4, as: first,"));
}
END_TEST

static const char *refusal(const char *word, const char *name)
{
    const char *path = open_level();
    const char *more = arena_format(client_arena(), ", \"newName\": \"%s\"", name);
    return client_text(client_answer("textDocument/rename", path, level, (size_t)(strstr(level, word) - level), more),
                       "error.message");
}

START_TEST(a_rename_that_would_be_an_error_is_refused)
{
    ck_assert_str_eq(refusal("Huge", "Big"), "prefab 'Big' is declared already");
    ck_assert_str_eq(refusal("Huge", "Tank"), "prefab 'Tank' has the name of a blueprint of the schema");
    ck_assert_ptr_nonnull(strstr(refusal("Huge", "huge"), "is not a valid name of a prefab"));
    ck_assert_str_eq(refusal("lid", "top"), "duplicate key 'top'");
    ck_assert_str_eq(refusal("tower", "turret"), "nothing here can be renamed");
    shell_expect(client_arena(), arena_format(client_arena(), "$KIN lock '%s' '%s'", scratch_path("town.yaml"),
                                              scratch_path("content")));
    ck_assert_str_eq(refusal("top", "upper"), "'Huge' has lost its knob 'top'");
}
END_TEST

START_TEST(a_rename_in_the_schema_changes_the_content)
{
    const char *path = scratch_path("town.yaml");
    client_open(path, schema, sizeof schema - 1);
    size_t at = (size_t)(strstr(schema, "Health") - schema);
    const json_node *edits = client_question("textDocument/rename", path, schema, at, ", \"newName\": \"Life\"");
    ck_assert_ptr_nonnull(strstr(renamed(edits, "town.yaml"), "  Life: { doc: How much"));
    ck_assert_ptr_nonnull(strstr(renamed(edits, "content/crates.yaml"), "Life: { points: 9 }"));
    ck_assert_ptr_nonnull(strstr(renamed(edits, "content/crates.yaml"), "top: lid.Life.points"));
}
END_TEST

START_TEST(a_fix_is_an_action_in_content)
{
    static const char text[] = "content: 1\nprefabs: { New: { extends: Hugge } }\n";
    const char *path = scratch_path("content/new.yaml");
    client_open(path, text, sizeof text - 1);
    const char *uri = client_uri(path);
    const char *parameters =
        arena_format(client_arena(),
                     "{\"textDocument\": {\"uri\": \"%s\"}, \"range\": {\"start\": {\"line\": 1, \"character\": 28}, "
                     "\"end\": {\"line\": 1, \"character\": 28}}, \"context\": {\"diagnostics\": []}}",
                     uri);
    const json_node *list = client_find(client_ask("textDocument/codeAction", parameters), "result");
    ck_assert_ptr_nonnull(list);
    ck_assert_ptr_nonnull(list->first);
    ck_assert_str_eq(client_text(list, "0.title"), "Change to 'Huge'");
}
END_TEST

// Each prefix of a file, and each line deleted, is asked about at its end and in its middle.
START_TEST(broken_texts_get_answers)
{
    static const char *const methods[] = {"textDocument/completion", "textDocument/hover", "textDocument/definition",
                                          "textDocument/documentSymbol"};
    const char *path = scratch_path("content/level.yaml");
    for (size_t size = 0; size < sizeof level; size++) {
        const char *text = arena_copy(client_arena(), level, size);
        client_open(path, text, size);
        for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
            ck_assert_ptr_nonnull(client_answer(methods[i], path, text, size, ""));
            ck_assert_ptr_nonnull(client_answer(methods[i], path, text, size / 2, ""));
        }
        client_forget();
    }
}
END_TEST

Suite *content_lsp_suite(void)
{
    Suite *suite = suite_create("content_lsp");
    TCase *cases = tcase_create("lsp");
    tcase_set_timeout(cases, 60);
    tcase_add_checked_fixture(cases, begin, end);
    tcase_add_test(cases, an_open_content_file_is_checked_against_the_schema_above_and_with_the_other_files);
    tcase_add_loop_test(cases, what_can_be_written_is_offered, 0, (int)(sizeof places / sizeof *places));
    tcase_add_test(cases, a_completion_replaces_the_word_with_a_key_and_has_its_doc);
    tcase_add_test(cases, a_definition_is_in_the_content_or_in_the_schema);
    tcase_add_test(cases, uses_are_those_of_all_content_and_of_the_schema);
    tcase_add_test(cases, uses_of_what_a_schema_declares_are_also_those_in_content);
    tcase_add_test(cases, a_hover_says_what_a_name_is);
    tcase_add_test(cases, symbols_are_prefabs_with_their_parts_and_levels_with_their_instances);
    tcase_add_test(cases, a_rename_changes_all_uses);
    tcase_add_test(cases, a_rename_says_was_if_the_content_has_a_lock);
    tcase_add_test(cases, a_rename_that_would_be_an_error_is_refused);
    tcase_add_test(cases, a_rename_in_the_schema_changes_the_content);
    tcase_add_test(cases, a_fix_is_an_action_in_content);
    tcase_add_test(cases, broken_texts_get_answers);
    suite_add_tcase(suite, cases);
    return suite;
}
