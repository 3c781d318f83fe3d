// Outlines: the trees of files that may be half written, and the names in them.
#include "generator/lsp/internal.h"

#include "generator/read/read.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static arena memory;

static void end(void)
{
    arena_release(&memory);
}

static const source *source_of(const char *text)
{
    return source_from_bytes(&memory, "test.yaml", text, strlen(text));
}

// ---- outlines

static void append_outline(text *out, const outline_node *node)
{
    if (node == NULL) {
        text_append_string(out, "~");
    } else if (node->kind == OUTLINE_SCALAR) {
        text_append_string(out, node->text);
    } else {
        text_append_string(out, node->kind == OUTLINE_MAPPING ? "{" : "[");
        for (const outline_node *item = node->first; item != NULL; item = item->next) {
            append_outline(out, item->is_key ? NULL : item);
            if (item->is_key) {
                out->size--;
                text_append_format(out, "%s%s", item->text, item->is_partial ? "?" : ":");
                if (!item->is_partial)
                    append_outline(out, item->value);
            }
            text_append_string(out, item->next == NULL ? "" : ",");
        }
        text_append_string(out, node->kind == OUTLINE_MAPPING ? "}" : "]");
    }
}

static const char *outlined(const char *text)
{
    struct text out = text_create(&memory);
    append_outline(&out, outline_make(&memory, source_of(text)));
    return out.bytes;
}

static const struct {
    const char *text, *outline;
} half_written[] = {
    {"", ""},
    {"kin", "kin"},
    {"kin: 1\npack", "{kin:1,pack?}"},
    {"kin: 1\ncomponents:\n  Position:\n    fi", "{kin:1,components:{Position:fi}}"},
    {"a: { all: [Position, Ve\nb: 1\n", "{a:{all:[Position,Ve]},b:1}"},
    {"g:\n  a: { all: [Position, Ve\n  b: { all: [A] }\n", "{g:{a:{all:[Position,Ve]},b:{all:[A]}}}"},
    {"a: { b\nc: 1", "{a:{b?},c:1}"},
    {"a: { b: \nc: 1", "{a:{b:~},c:1}"},
    {"a: { b: 1,\n     c", "{a:{b:1,c?}}"},
    {"a: \"open\nb: 1", "{a:open,b:1}"},
    {"a: \"two\n  lines\"\nb: 1", "{a:two\n  lines,b:1}"},
    {"a: 'it''s'\nb: 1", "{a:it''s,b:1}"},
    {"a: [x: { b: 1 }, y]", "{a:[{x:{b:1}},y]}"},
    {"a:\n- b\n- c: 1\n  d: 2\ne: 3", "{a:[b,{c:1,d:2}],e:3}"},
    {"a:\n  - - b\n    - c\n  - d", "{a:[[b,c],d]}"},
    {"a:\n  -\n    b: 1\n    c: 2\n  -\n    d", "{a:[{b:1,c:2},d]}"},
    {"a: |\n  text: no key\n\n  more\nb: 1", "{a:|\n  text: no key\n\n  more\n,b:1}"},
    {"a: plain text\n  that goes on\nb: 1", "{a:plain text\n  that goes on,b:1}"},
    {"a: b # comment\n# c: 1\nd: e#f", "{a:b,d:e#f}"},
    {"a:\n    b: 1\n  c: 2\nd: 3", "{a:{b:1},c:2,d:3}"},
    {"a: ]\nb: }", "{a:],b:}}"},
    {"a: [1, 2\r\nb: 1\r\n", "{a:[1,2],b:1}"},
};

START_TEST(a_half_written_text_has_an_outline)
{
    ck_assert_str_eq(outlined(half_written[_i].text), half_written[_i].outline);
}
END_TEST

static void expect_like(const outline_node *node, const tree_node *tree, const char *path)
{
    static const outline_kind kinds[] = {
        [TREE_SCALAR] = OUTLINE_SCALAR, [TREE_SEQUENCE] = OUTLINE_SEQUENCE, [TREE_MAPPING] = OUTLINE_MAPPING};
    if (node == NULL) {
        ck_assert_msg(tree_is_empty(tree), "%s: a value is missing at byte %zu", path, tree->span.start);
        return;
    }
    ck_assert_msg(node->kind == kinds[tree->kind], "%s: another kind at byte %zu", path, tree->span.start);
    bool is_block = tree->kind == TREE_SCALAR && strchr("|>", tree->span.source->bytes[tree->span.start]) != NULL;
    ck_assert_msg(node->place.start == tree->span.start || tree->kind != TREE_SCALAR, "%s: starts at %zu, not at %zu",
                  path, node->place.start, tree->span.start);
    ck_assert_msg(is_block || node->place.end == tree->span.end || tree->kind != TREE_SCALAR,
                  "%s: ends at %zu, not at %zu", path, node->place.end, tree->span.end);
    const outline_node *item = node->first;
    for (const tree_pair *pair = tree->kind == TREE_MAPPING ? tree->pairs : NULL; pair != NULL; pair = pair->next) {
        ck_assert_msg(item != NULL, "%s: a key is missing at byte %zu", path, pair->key->span.start);
        expect_like(item, pair->key, path);
        expect_like(item->value, pair->value, path);
        item = item->next;
    }
    for (const tree_node *part = tree->kind == TREE_SEQUENCE ? tree->items : NULL; part != NULL; part = part->next) {
        ck_assert_msg(item != NULL, "%s: an item is missing at byte %zu", path, part->span.start);
        expect_like(item, part, path);
        item = item->next;
    }
    ck_assert_msg(item == NULL || tree->kind == TREE_SCALAR, "%s: too much at byte %zu", path, tree->span.start);
}

#define SCHEMAS                                                                                                        \
    "find schemas tests examples bench -name '*.yaml' -not -path 'tests/bad/*' -not -path '*/yaml_suite/*' | sort"

START_TEST(the_outline_of_a_schema_is_like_its_tree)
{
    size_t count = 0;
    char *paths = arena_format(&memory, "%s", shell_expect(&memory, SCHEMAS));
    for (char *path = strtok(paths, "\n"); path != NULL; path = strtok(NULL, "\n")) {
        diagnostics diagnostics = diagnostics_create(&memory);
        const source *source = source_load(&memory, &diagnostics, path);
        const tree_node *tree = tree_parse(&memory, &diagnostics, source);
        if (tree == NULL || diagnostics.errors > 0)
            continue;
        expect_like(outline_make(&memory, source), tree, path);
        count++;
    }
    ck_assert_uint_ge(count, 90);
}
END_TEST

START_TEST(a_deep_text_has_an_outline_of_limited_depth)
{
    text deep = text_create(&memory);
    for (int i = 0; i < 100000; i++)
        text_append_string(&deep, "[{a: ");
    outline_make(&memory, source_of(deep.bytes));
    text_clear(&deep);
    for (int i = 0; i < 1000; i++)
        text_append_format(&deep, "%*sa:\n", i, "");
    outline_make(&memory, source_of(deep.bytes));
    text_clear(&deep);
    for (int i = 0; i < 100000; i++)
        text_append_string(&deep, "- ");
    outline_make(&memory, source_of(deep.bytes));
}
END_TEST

// ---- names

static const occurrence *definition_at(const name_table *names, const source *source, size_t line, const char *name)
{
    for (const occurrence *found = names->first; found != NULL; found = found->next) {
        bool is_there = found->is_definition && strcmp(found->name, name) == 0;
        if (is_there && source_position_of(source, found->place.start).line == line)
            return found;
    }
    return NULL;
}

static const struct {
    const char *list;
    unsigned kind;
} lists[] = {
    {"contexts", REFERS_TO_CONTEXT}, {"types", REFERS_TO_TYPE},           {"components", REFERS_TO_COMPONENT},
    {"groups", REFERS_TO_GROUP},     {"blueprints", REFERS_TO_BLUEPRINT}, {"messages", REFERS_TO_MESSAGE},
    {"systems", REFERS_TO_SYSTEM},   {"schedule", REFERS_TO_NODE},        {"indices", REFERS_TO_INDEX},
};

static const json_node *item_of(const json_node *map, const char *key)
{
    return json_find(map, key, strlen(key));
}

// Checks that what `kin list --json` has at a place is a definition there, and nothing else is one.
static size_t expect_definitions(const name_table *names, const source *source, const json_node *package, size_t row)
{
    size_t count = 0;
    const json_node *list = item_of(package, lists[row].list);
    for (const json_node *item = list->first; item != NULL; item = item->next) {
        const json_node *place = item_of(item, "place");
        bool is_custom = row != 8 || item_of(item, "is_custom")->boolean;
        if (place->kind == JSON_NULL || !is_custom || strcmp(item_of(place, "file")->text, source->path) != 0)
            continue;
        const char *name = item_of(item, "name")->text;
        const occurrence *found = definition_at(names, source, strtoul(item_of(place, "line")->text, NULL, 10), name);
        ck_assert_msg(found != NULL && found->kind == lists[row].kind, "%s: %s '%s' is no definition", source->path,
                      lists[row].list, name);
        count++;
    }
    return count;
}

START_TEST(definitions_are_what_the_model_has)
{
    size_t schemas = 0;
    char *paths = arena_format(&memory, "%s", shell_expect(&memory, SCHEMAS));
    for (char *path = strtok(paths, "\n"); path != NULL; path = strtok(NULL, "\n")) {
        diagnostics diagnostics = diagnostics_create(&memory);
        const source *source = source_load(&memory, &diagnostics, path);
        if (package_read(&memory, &diagnostics, source) == NULL)
            continue;
        const char *json =
            shell_expect(&memory, arena_format(&memory, "${KIN:-build/bin/kin} list --json %s 2>/dev/null", path));
        json_fault fault;
        const json_node *package = json_read(&memory, json, strlen(json), &fault);
        ck_assert_ptr_nonnull(package);
        name_table names = names_create(&memory);
        names_add(&names, outline_make(&memory, source));
        names_resolve(&names);
        for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
            size_t expected = expect_definitions(&names, source, package, i);
            size_t count = 0;
            for (const occurrence *name = names.first; name != NULL; name = name->next)
                count += name->is_definition && name->kind == lists[i].kind;
            ck_assert_msg(count == expected || lists[i].kind == REFERS_TO_INDEX, "%s: %zu %s instead of %zu", path,
                          count, lists[i].list, expected);
        }
        schemas++;
    }
    ck_assert_uint_ge(schemas, 80);
}
END_TEST

static const char typed[] =
    "kin: 1\n"
    "types:\n"
    "  Side: { values: [Red, Blue: { was: Green }] }\n"
    "  Box: { fields: { sides: \"Side[2]\", depth: float } }\n"
    "components:\n"
    "  Crate: { fields: { box: { type: Box, default: { sides: [Blue, Red] } } } }\n"
    "  Owner: { fields: { of: { type: entity<game>, reverse: owned } } }\n"
    "blueprints:\n"
    "  Big: { components: { Crate: { box: { depth: 2, sides: [Red, Red] } } } }\n"
    "indices: { crates: { key: [Crate.box, -Crate.box] } }\n"
    "systems: { Lift: { tree: owned, looks_up: [crates, Crate.box, Crate], after: [Lift, late] } }\n";

static size_t count_of(const name_table *names, unsigned kind, const char *owner, const char *name)
{
    size_t count = 0;
    for (const occurrence *found = names->first; found != NULL; found = found->next) {
        bool is_it = found->kind == kind && strcmp(text_or_empty(found->owner), owner) == 0;
        if (!is_it || strcmp(found->name, name) != 0)
            continue;
        size_t size = found->place.end - found->place.start;
        ck_assert_uint_eq(size, strlen(name));
        ck_assert_int_eq(memcmp(found->place.source->bytes + found->place.start, name, size), 0);
        count++;
    }
    return count;
}

START_TEST(names_in_values_and_types_are_found)
{
    name_table names = names_create(&memory);
    names_add(&names, outline_make(&memory, source_of(typed)));
    names_resolve(&names);
    ck_assert_uint_eq(count_of(&names, REFERS_TO_VALUE, "Side", "Red"), 4);
    ck_assert_uint_eq(count_of(&names, REFERS_TO_VALUE, "Side", "Blue"), 2);
    ck_assert_uint_eq(count_of(&names, REFERS_TO_FIELD, "Box", "sides"), 3);
    ck_assert_uint_eq(count_of(&names, REFERS_TO_FIELD, "Box", "depth"), 2);
    ck_assert_uint_eq(count_of(&names, REFERS_TO_FIELD, "Crate", "box"), 5);
    ck_assert_uint_eq(count_of(&names, REFERS_TO_COMPONENT, "", "Crate"), 6);
    ck_assert_uint_eq(count_of(&names, REFERS_TO_TYPE, "", "Side"), 2);
    ck_assert_uint_eq(count_of(&names, REFERS_TO_CONTEXT, "", "game"), 1);
    ck_assert_uint_eq(count_of(&names, REFERS_TO_TREE, "", "owned"), 2);
    ck_assert_uint_eq(count_of(&names, REFERS_TO_INDEX, "", "crates"), 2);
    ck_assert_uint_eq(count_of(&names, REFERS_TO_SYSTEM, "", "Lift"), 2);
    ck_assert_uint_eq(count_of(&names, REFERS_TO_NODE, "", "late"), 1);
}
END_TEST

Suite *lsp_outline_suite(void)
{
    Suite *suite = suite_create("lsp_outline");
    TCase *tests = tcase_create("outline");
    tcase_add_checked_fixture(tests, NULL, end);
    tcase_add_loop_test(tests, a_half_written_text_has_an_outline, 0, sizeof half_written / sizeof *half_written);
    tcase_add_test(tests, the_outline_of_a_schema_is_like_its_tree);
    tcase_add_test(tests, a_deep_text_has_an_outline_of_limited_depth);
    tcase_add_test(tests, definitions_are_what_the_model_has);
    tcase_add_test(tests, names_in_values_and_types_are_found);
    suite_add_tcase(suite, tests);
    return suite;
}
