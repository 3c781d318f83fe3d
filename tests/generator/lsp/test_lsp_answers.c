// Language server: completion, hover, definitions, uses and symbols.
#include "client.h"

#include "generator/schema/schema.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static void begin(void)
{
    scratch_create();
    client_start(NULL);
}

static void end(void)
{
    ck_assert_int_eq(client_end(), 0);
    scratch_destroy();
}

static const char path[] = "sky.yaml";

static void show(const char *text)
{
    client_open(path, text, strlen(text));
}

// Opens the text without its '|', and returns the place of that.
static size_t show_at(const char *text, const char **shown)
{
    size_t offset = strcspn(text, "|");
    *shown = arena_format(client_arena(), "%.*s%s", (int)offset, text, text + offset + 1);
    show(*shown);
    return offset;
}

static const json_node *completions(const char *text)
{
    const char *shown;
    size_t offset = show_at(text, &shown);
    return client_find(client_question("textDocument/completion", path, shown, offset, ""), "items");
}

static bool has_label(const json_node *list, const char *label)
{
    for (const json_node *item = list->first; item != NULL; item = item->next)
        if (strcmp(client_text(item, "label"), label) == 0)
            return true;
    return false;
}

// ---- every key of the language

static const char *name_of(const language_value *names)
{
    return names == &language_pascal_name ? "A" : "a";
}

// Appends text that leads from a value to a mapping in it, and sets its indentation. Returns whether there is a way.
static bool reach(const language_value *from, const language_value *to, text *out, size_t *indentation, size_t depth)
{
    size_t size = out->size;
    size_t column = *indentation;
    if (from == to)
        return true;
    if (depth > 12)
        return false;
    for (const language_key *key = from->kind == LANGUAGE_MAPPING ? from->keys : NULL; key != NULL && key->name != NULL;
         key++) {
        text_append_format(out, "%*s%s:\n", (int)column, "", key->name);
        *indentation = column + 2;
        if (key->value != from && reach(key->value, to, out, indentation, depth + 1))
            return true;
        out->size = size;
        *indentation = column;
    }
    if (from->kind == LANGUAGE_EITHER) {
        bool is_other = from->items == to && from->names->kind == LANGUAGE_MAP;
        for (const language_key *key = is_other ? to->keys : NULL; key != NULL && key->name != NULL; key++)
            if (key->is_required)
                text_append_format(out, "%*s%s: {}\n", (int)column, "", key->name);
        if (is_other)
            return true;
        return reach(from->names, to, out, indentation, depth + 1) ||
               reach(from->items, to, out, indentation, depth + 1);
    }
    if (from->kind != LANGUAGE_MAP && from->kind != LANGUAGE_LIST)
        return false;
    if (from->kind == LANGUAGE_MAP)
        text_append_format(out, "%*s%s:\n", (int)column, "", name_of(from->names));
    else
        text_append_format(out, "%*s-\n", (int)column, "");
    *indentation = column + 2;
    if (reach(from->items, to, out, indentation, depth + 1))
        return true;
    out->size = size;
    *indentation = column;
    return false;
}

static const char declared[] =
    "kin: 1\npackage: sky\n"
    "contexts: { zone: {} }\n"
    "types: { Zed: { values: [Zero] } }\n"
    "components: { Zap: { fields: { z: { type: entity<zone>, index: multi, reverse: zup } } } }\n"
    "groups: { zips: { all: [Zap] } }\n"
    "indices: { zidx: { kind: multi, key: [Zap.z] } }\n"
    "blueprints: { Zoo: { components: { Zap: {} } } }\n"
    "messages: { Zen: {} }\n"
    "schedule: { znode: {} }\n"
    "systems: { Zsys: {} }\n";

static const struct {
    unsigned kind;
    const char *name;
} names[] = {
    {REFERS_TO_CONTEXT, "zone"}, {REFERS_TO_TYPE, "Zed"},    {REFERS_TO_GROUP, "zips"},
    {REFERS_TO_INDEX, "zidx"},   {REFERS_TO_TREE, "zup"},    {REFERS_TO_MESSAGE, "Zen"},
    {REFERS_TO_NODE, "znode"},   {REFERS_TO_SYSTEM, "Zsys"}, {REFERS_TO_BLUEPRINT, "Zoo"},
};

static void expect_words(const json_node *list, const language_value *value, const char *where)
{
    if (value->kind == LANGUAGE_EITHER) {
        expect_words(list, value->names, where);
        expect_words(list, value->items, where);
    }
    if (value->kind == LANGUAGE_LIST)
        expect_words(list, value->items, where);
    if (value->kind == LANGUAGE_BOOL)
        ck_assert_msg(has_label(list, "true") && has_label(list, "false"), "%s: no true and false", where);
    for (const char *const *word = value->words; value->kind == LANGUAGE_TEXT && word != NULL && *word != NULL; word++)
        ck_assert_msg(has_label(list, *word), "%s: no '%s'", where, *word);
}

static bool is_map(const language_value *value)
{
    if (value->kind == LANGUAGE_EITHER)
        return is_map(value->names) || is_map(value->items);
    return value->kind == LANGUAGE_MAP || value->kind == LANGUAGE_MAPPING;
}

static void expect_names(const json_node *list, const language_key *key, const char *where)
{
    unsigned kinds = key->refers_to;
    bool has_types = (kinds & REFERS_TO_TYPE) != 0;
    if (has_types) {
        ck_assert_msg(has_label(list, "Zed") && has_label(list, "entity<zone>"), "%s: no types", where);
        return;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ck_assert_msg((kinds & names[i].kind) == 0 || has_label(list, names[i].name), "%s: no '%s'", where,
                      names[i].name);
    bool has_paths = (kinds & REFERS_TO_FIELD) != 0 && key->value->kind != LANGUAGE_MAP;
    if ((kinds & REFERS_TO_COMPONENT) != 0)
        ck_assert_msg(has_label(list, has_paths ? "Zap.z" : "Zap"), "%s: no component", where);
}

static void expect_key(const text *place, size_t indentation, const language_value *mapping, const language_key *key)
{
    const char *where = arena_format(client_arena(), "'%s' of %s", key->name, mapping->name);
    bool is_below = is_map(key->value) && key->value->kind != LANGUAGE_EITHER;
    const char *before = arena_format(client_arena(), "%s%.*s%*s%s:", declared, (int)place->size, place->bytes,
                                      (int)indentation, "", key->name);
    const char *text = arena_format(client_arena(), "%s |\n", before);
    if (is_below)
        text = arena_format(client_arena(), "%s\n%*s|\n", before, (int)indentation + 2, "");
    const json_node *list = completions(text);
    bool declares_there = key->declares != 0;
    if (!is_map(key->value))
        expect_words(list, key->value, where);
    if (key->refers_to != 0 && !declares_there)
        expect_names(list, key, where);
    const char *shown;
    show_at(text, &shown);
    const json_node *hover = client_question("textDocument/hover", path, shown, strlen(before) - strlen(key->name), "");
    const char *content = client_text(hover, "contents.value");
    ck_assert_msg(content != NULL && strstr(content, key->doc) != NULL, "%s: hover has no doc", where);
}

START_TEST(each_key_is_offered_at_its_place_with_its_values_and_its_text)
{
    size_t count = 0;
    for (const language_value *const *value = language_values; *value != NULL; value++) {
        if ((*value)->kind != LANGUAGE_MAPPING)
            continue;
        arena kept = {0};
        text place = text_create(&kept);
        size_t indentation = 0;
        text_append_string(&place, "");
        ck_assert_msg(reach(&language_file, *value, &place, &indentation, 0), "no way to %s", (*value)->name);
        const char *text =
            arena_format(client_arena(), "kin: 1\n%.*s%*s|\n", (int)place.size, place.bytes, (int)indentation, "");
        const json_node *list = completions(text);
        for (const language_key *key = (*value)->keys; key->name != NULL; key++, count++) {
            bool is_written = strcmp(key->name, "kin") == 0 ||
                              strstr(text, arena_format(client_arena(), " %s: {}\n", key->name)) != NULL;
            ck_assert_msg(is_written || has_label(list, key->name), "no '%s' in %s", key->name, (*value)->name);
        }
        for (const language_key *key = (*value)->keys; key->name != NULL; key++) {
            expect_key(&place, indentation, *value, key);
            client_forget();
        }
        arena_release(&kept);
    }
    ck_assert_uint_ge(count, 100);
}
END_TEST

// ---- completion

#define HEAD                                                                                                           \
    "kin: 1\npackage: sky\ncontexts: { game: {}, ui: {} }\n"                                                           \
    "types: { Side: { values: [Red, Blue] }, Vec2: { fields: { x: float, y: float } } }\n"                             \
    "components:\n"                                                                                                    \
    "  Position: { fields: { at: Vec2, side: { type: Side, default: Red } } }\n"                                       \
    "  Velocity: { doc: How fast., fields: { v: Vec2, id: { type: int32, index: primary } } }\n"                       \
    "  Asleep: {}\n"

static const struct {
    const char *text, *labels; // what is offered, and nothing else
} places[] = {
    {HEAD "groups:\n  movers: { all: [Position, Ve|", "Position Velocity Asleep"},
    {HEAD "groups:\n  movers: { all: [Position, |\n  others: { all: [Asleep] }\n", "Position Velocity Asleep"},
    {HEAD "groups:\n  movers: { context: |", "game ui"},
    {HEAD "groups:\n  movers: { context: game, al|", "doc all any none only maybe"},
    {HEAD "groups:\n  movers: { all: | }", "Position Velocity Asleep"},
    {HEAD "blueprints:\n  Ball: { components: { Position: { side: | } } }", "Red Blue"},
    {HEAD "blueprints:\n  Ball: { components: { Position: { | } } }", "at side"},
    {HEAD "blueprints:\n  Ball: { components: { Position: { at: { | } } } }", "x y"},
    {HEAD "blueprints:\n  Ball: { components: { | } }", "Position Velocity Asleep"},
    {HEAD "blueprints:\n  Ball: {}\n  Top: { extends: | }", "Ball Top"},
    {HEAD "indices: { cell: { kind: |", "primary multi ordered grid"},
    {HEAD "indices: { cell: { kind: multi, key: [Position.|", "at side"},
    {HEAD "systems: { Move: { parallel: true, looks_up: [|", "Velocity.id"},
    {HEAD "systems: { Move: { in: |", "initialization simulation presentation"},
    {HEAD "systems: { Move: { filter: |", "true false"},
    {HEAD "schedule: { rules: {} }\nsystems: { Move: {}, Land: { after: [|", "Move Land rules"},
    {HEAD "messages: { Hit: { fields: { by: entity<|", "game ui"},
    {HEAD "  Ghost:\n    |\n",
     "doc contexts fields unique flag_prefix cleanup events storage index layout stash inspect was "
     "save migrate"},
    {HEAD "  Look: { fields: { s: { type: Side, default: |", "Red Blue"},
    {HEAD "  Look: { fields: { b: { type: bool, default: |", "true false"},
    {HEAD "  Look: { doc: |", ""},
    {HEAD "  |", ""},
};

START_TEST(what_may_be_written_at_a_place_is_offered)
{
    const json_node *list = completions(places[_i].text);
    size_t count = 0;
    char *labels = arena_format(client_arena(), "%s", places[_i].labels);
    for (char *label = strtok(labels, " "); label != NULL; label = strtok(NULL, " "), count++)
        ck_assert_msg(has_label(list, label), "no '%s'", label);
    ck_assert_msg(list->size >= count, "%zu", list->size);
    if (strstr(places[_i].labels, "doc") == NULL) // other keys may come
        ck_assert_uint_eq(list->size, count);
}
END_TEST

START_TEST(a_completion_replaces_the_word_and_has_its_doc)
{
    static const char text[] = HEAD "groups: { movers: { all: [Position, Ve|lo] } }";
    const char *shown;
    size_t offset = show_at(text, &shown);
    const json_node *list = client_question("textDocument/completion", path, shown, offset, "");
    const json_node *item = client_find(list, "items")->first;
    while (strcmp(client_text(item, "label"), "Velocity") != 0)
        item = item->next;
    ck_assert_str_eq(client_text(item, "documentation.value"), "How fast.");
    ck_assert_str_eq(client_text(item, "detail"), "component");
    ck_assert_uint_eq(client_offset(shown, client_find(item, "textEdit.range.start")), offset - 2);
    ck_assert_uint_eq(client_offset(shown, client_find(item, "textEdit.range.end")), offset + 2);
}
END_TEST

// ---- hover

static const char sky[] = HEAD "groups: { movers: { context: game, all: [Position, Velocity] } }\n"
                               "systems: { Move: { group: movers, writes: [Position] }, Land: { after: [Move] } }\n";

static const char *hover(const char *text, const char *word)
{
    show(text);
    const json_node *result =
        client_question("textDocument/hover", path, text, (size_t)(strstr(text, word) - text) + 1, "");
    return text_or_empty(client_text(result, "contents.value"));
}

START_TEST(a_definition_is_shown_with_its_size_offsets_doc_and_names_in_c)
{
    const char *valid = arena_format(client_arena(), "%s", sky);
    char *game = strstr(valid, "game: {}");
    const char *text =
        arena_format(client_arena(), "%.*sgame: { default: true }%s", (int)(game - valid), valid, game + 8);
    const char *shown = hover(text, "Velocity]");
    static const char *const parts[] = {"**component `Velocity`**", "How fast.", "12 bytes", "| 8 | `id` | `int32` |",
                                        "`game_add_velocity`"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        ck_assert_msg(strstr(shown, parts[i]) != NULL, "no '%s' in %s", parts[i], shown);
    ck_assert_ptr_nonnull(strstr(hover(text, "movers,"), "`game_movers_iterate`"));
    ck_assert_ptr_nonnull(strstr(hover(text, "Side,"), "| `Blue` | 1 |"));
    ck_assert_ptr_nonnull(strstr(hover(text, "Move]"), "`move_update`"));
    ck_assert_ptr_nonnull(strstr(hover(text, "side:"), "4 bytes at offset 8"));
    ck_assert_ptr_nonnull(strstr(hover(text, "primary"), "An index on this field"));
}
END_TEST

START_TEST(the_place_of_a_message_shows_what_explains_it)
{
    const char *shown =
        hover("kin: 1\npackage: sky\ncontexts: { a: {} }\ncomponents: { B: { fields: { x: flaot } } }\n", "flaot");
    ck_assert_ptr_nonnull(strstr(shown, "**K0401** unknown type 'flaot'"));
    ck_assert_ptr_nonnull(strstr(shown, "The type of a field is neither built in"));
}
END_TEST

START_TEST(an_error_in_the_yaml_keeps_what_was_known)
{
    const char *valid = arena_format(client_arena(), "%s", sky);
    char *game = strstr(valid, "game: {}");
    const char *text =
        arena_format(client_arena(), "%.*sgame: { default: true }%s", (int)(game - valid), valid, game + 8);
    show(text);
    const char *broken = arena_format(client_arena(), "%sblueprints: { A: [\n", text);
    ck_assert_ptr_nonnull(strstr(hover(broken, "Velocity]"), "12 bytes"));
    const json_node *place =
        client_question("textDocument/definition", path, broken, (size_t)(strstr(broken, "Velocity]") - broken), "");
    ck_assert_str_eq(client_text(place, "0.range.start.line"), "6");
}
END_TEST

// ---- definitions, uses and symbols

START_TEST(a_use_leads_to_its_definition_and_to_the_other_uses)
{
    show(sky);
    size_t offset = (size_t)(strstr(sky, "Position] }") - sky);
    const json_node *place = client_question("textDocument/definition", path, sky, offset, "");
    ck_assert_str_eq(client_text(place, "0.uri"), client_uri(path));
    ck_assert_uint_eq(client_offset(sky, client_find(place, "0.range.start")),
                      (size_t)(strstr(sky, "Position:") - sky));
    const char *with = ", \"context\": { \"includeDeclaration\": true }";
    const char *without = ", \"context\": { \"includeDeclaration\": false }";
    ck_assert_uint_eq(client_question("textDocument/references", path, sky, offset, with)->size, 3);
    ck_assert_uint_eq(client_question("textDocument/references", path, sky, offset, without)->size, 2);
    ck_assert_uint_eq(client_question("textDocument/documentHighlight", path, sky, offset, "")->size, 3);
    ck_assert_int_eq(client_question("textDocument/definition", path, sky, 1, "")->kind, JSON_NULL);
}
END_TEST

START_TEST(names_lead_across_included_files)
{
    static const char math[] = "kin: 1\ntypes: { Vec2: { fields: { x: float } } }\n";
    static const char root[] = "kin: 1\npackage: sky\ninclude: [parts/math.yaml]\ncontexts: { a: {} }\n"
                               "components: { Star: { fields: { at: Vec2 } } }\n";
    scratch_write("root.yaml", root);
    scratch_write("parts/math.yaml", math);
    const char *file = scratch_path("root.yaml");
    client_open(file, root, strlen(root));
    size_t offset = (size_t)(strstr(root, "Vec2") - root);
    const json_node *place = client_question("textDocument/definition", file, root, offset, "");
    ck_assert_str_eq(client_text(place, "0.uri"), client_uri(scratch_path("parts/math.yaml")));
    ck_assert_str_eq(client_text(place, "0.range.start.line"), "1");
    place = client_question("textDocument/definition", file, root, (size_t)(strstr(root, "math") - root), "");
    ck_assert_str_eq(client_text(place, "0.uri"), client_uri(scratch_path("parts/math.yaml")));
    const char *included = scratch_path("parts/math.yaml");
    client_open(included, math, strlen(math));
    const json_node *uses =
        client_question("textDocument/references", included, math, (size_t)(strstr(math, "Vec2") - math), "");
    ck_assert_uint_eq(uses->size, 2);
    const json_node *answer = client_ask("workspace/symbol", "{\"query\":\"vec\"}");
    ck_assert_str_eq(client_text(answer, "result.0.name"), "Vec2");
}
END_TEST

START_TEST(symbols_are_nested_and_have_their_places)
{
    show(sky);
    const char *document = arena_format(client_arena(), "{\"textDocument\":{\"uri\":\"%s\"}}", client_uri(path));
    const json_node *list = client_find(client_ask("textDocument/documentSymbol", document), "result");
    ck_assert_uint_eq(list->size, 10);
    ck_assert_str_eq(client_text(list, "4.name"), "Position");
    ck_assert_str_eq(client_text(list, "4.detail"), "component");
    ck_assert_str_eq(client_text(list, "4.children.1.name"), "side");
    ck_assert_str_eq(client_text(list, "2.children.0.name"), "Red");
    const json_node *folds = client_find(client_ask("textDocument/foldingRange", document), "result");
    ck_assert_uint_eq(folds->size, 1);
    ck_assert_str_eq(client_text(folds, "0.startLine"), "4");
    ck_assert_str_eq(client_text(folds, "0.endLine"), "7");
}
END_TEST

// ---- systems and sizes

START_TEST(systems_say_what_runs_before_and_components_how_large_they_are)
{
    const char *valid = arena_format(client_arena(), "%s", sky);
    char *game = strstr(valid, "game: {}");
    show(arena_format(client_arena(), "%.*sgame: { default: true }%s", (int)(game - valid), valid, game + 8));
    const char *document = arena_format(client_arena(),
                                        "{\"textDocument\":{\"uri\":\"%s\"},\"range\":{\"start\":{\"line\":0},"
                                        "\"end\":{\"line\":99}}}",
                                        client_uri(path));
    const json_node *lenses = client_find(client_ask("textDocument/codeLens", document), "result");
    ck_assert_str_eq(client_text(lenses, "0.command.title"), "first in simulation");
    ck_assert_str_eq(client_text(lenses, "1.command.title"), "in simulation after Move; always after Move");
    const json_node *inlays = client_find(client_ask("textDocument/inlayHint", document), "result");
    ck_assert_uint_eq(inlays->size, 2);
    ck_assert_str_eq(client_text(inlays, "0.label"), "12 bytes");
}
END_TEST

static const char creating[] = "{\"capabilities\":{\"workspace\":{\"workspaceEdit\":{\"resourceOperations\":"
                               "[\"create\"]}}}}";

START_TEST(a_missing_function_is_named_above_its_system_and_a_file_with_it_is_offered)
{
    static const char root[] = "kin: 1\npackage: sky\ncontexts: { game: { default: true } }\n"
                               "components: { Star: { fields: { x: float } } }\n"
                               "groups: { stars: { all: [Star] } }\n"
                               "systems:\n  Move: { group: stars }\n  Land: { roles: [execute] }\n";
    ck_assert_int_eq(client_end(), 0);
    client_start(creating);
    scratch_write("root.yaml", root);
    scratch_write("systems/land.c", "void land_execute(sky_world *world)\n{\n}\n");
    const char *file = scratch_path("root.yaml");
    client_open(file, root, strlen(root));
    const char *document = arena_format(client_arena(),
                                        "{\"textDocument\":{\"uri\":\"%s\"},\"context\":{},\"range\":{\"start\":"
                                        "{\"line\":6,\"character\":3},\"end\":{\"line\":6,\"character\":3}}}",
                                        client_uri(file));
    const json_node *lenses = client_find(client_ask("textDocument/codeLens", document), "result");
    ck_assert_uint_eq(lenses->size, 3);
    ck_assert_str_eq(client_text(lenses, "2.command.title"), "kin scaffold: missing move_update");
    ck_assert_str_eq(client_text(lenses, "2.range.start.line"), "6");
    const json_node *actions = client_find(client_ask("textDocument/codeAction", document), "result");
    ck_assert_uint_eq(actions->size, 1);
    ck_assert_str_eq(client_text(actions, "0.edit.documentChanges.0.uri"), client_uri(scratch_path("systems/move.c")));
    const char *stub = client_text(actions, "0.edit.documentChanges.1.edits.0.newText");
    ck_assert_ptr_nonnull(strstr(stub, "void move_update("));
    ck_assert_ptr_null(scratch_read("systems/move.c")); // the editor writes it
    scratch_write("systems/move.c", stub);
    ck_assert_uint_eq(client_find(client_ask("textDocument/codeLens", document), "result")->size, 2);
    ck_assert_uint_eq(client_find(client_ask("textDocument/codeAction", document), "result")->size, 0);
}
END_TEST

Suite *lsp_answers_suite(void)
{
    Suite *suite = suite_create("lsp_answers");
    TCase *tests = tcase_create("answers");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, each_key_is_offered_at_its_place_with_its_values_and_its_text);
    tcase_add_loop_test(tests, what_may_be_written_at_a_place_is_offered, 0, sizeof places / sizeof *places);
    tcase_add_test(tests, a_completion_replaces_the_word_and_has_its_doc);
    tcase_add_test(tests, a_definition_is_shown_with_its_size_offsets_doc_and_names_in_c);
    tcase_add_test(tests, the_place_of_a_message_shows_what_explains_it);
    tcase_add_test(tests, an_error_in_the_yaml_keeps_what_was_known);
    tcase_add_test(tests, a_use_leads_to_its_definition_and_to_the_other_uses);
    tcase_add_test(tests, names_lead_across_included_files);
    tcase_add_test(tests, symbols_are_nested_and_have_their_places);
    tcase_add_test(tests, systems_say_what_runs_before_and_components_how_large_they_are);
    tcase_add_test(tests, a_missing_function_is_named_above_its_system_and_a_file_with_it_is_offered);
    suite_add_tcase(suite, tests);
    return suite;
}
