// Tree: the nodes of a document, their spans, and refused documents. tests/bad has the full messages.
#include "generator/reading.h"
#include "generator/source/source.h"
#include "suites.h"

#include <check.h>
#include <string.h>

// Returns the bytes of a node's span.
static const char *marked(const tree_node *node)
{
    return arena_copy(reading_arena(), node->span.source->bytes + node->span.start, node->span.end - node->span.start);
}

START_TEST(a_mapping_keeps_its_pairs_in_order)
{
    const tree_node *root = reading_tree("b: 1\na: [x, 'y']\nc: {}\n");
    reading_expect_nothing();
    ck_assert_int_eq(root->kind, TREE_MAPPING);
    ck_assert_uint_eq(root->count, 3);
    ck_assert_str_eq(root->pairs->key->text, "b");
    ck_assert_str_eq(root->pairs->next->key->text, "a");
    ck_assert_str_eq(root->pairs->next->next->key->text, "c");
    ck_assert_ptr_null(root->pairs->next->next->next);

    const tree_node *list = tree_find(root, "a");
    ck_assert_int_eq(list->kind, TREE_SEQUENCE);
    ck_assert_uint_eq(list->count, 2);
    ck_assert(list->items->is_plain);
    ck_assert(!list->items->next->is_plain);
    ck_assert_str_eq(list->items->next->text, "y");
    ck_assert_ptr_null(list->items->next->next);
    ck_assert_ptr_null(tree_find(root, "d"));
}
END_TEST

START_TEST(scalars_are_strings_whatever_they_look_like)
{
    static const char *const texts[] = {"yes",  "on",   "null",       "~", "0o17", "1_000",
                                        "1:30", ".inf", "2001-01-01", "=", "No"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const tree_node *root = reading_tree(arena_format(reading_arena(), "a: %s\n", texts[i]));
        reading_expect_nothing();
        ck_assert_int_eq(tree_find(root, "a")->kind, TREE_SCALAR);
        ck_assert_str_eq(tree_find(root, "a")->text, texts[i]);
    }
}
END_TEST

START_TEST(every_node_marks_its_bytes)
{
    static const struct {
        const char *text, *marked;
    } cases[] = {
        {"a: b # c\n", "b"},
        {"a: \"b c\"\n", "\"b c\""},
        {"a:   [b, c]  \n", "[b, c]"},
        {"a: { b: c }\n", "{ b: c }"},
        {"a:\n  b: c\n  d: e\nf: g\n", "b: c\n  d: e"},
        {"a: |\n  b\n  c\nd: e\n", "|\n  b\n  c"},
        {"a:\n", ""},
        {"\xC3\x9C: x\na: \"\xE6\x97\xA5\"\n", "\"\xE6\x97\xA5\""},
        {"\xEF\xBB\xBF"
         "a: b\n",
         "b"},
        {"x: y\r\na: b\r\n", "b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tree_node *root = reading_tree(cases[i].text);
        reading_expect_nothing();
        ck_assert_str_eq(marked(tree_find(root, "a")), cases[i].marked);
    }
}
END_TEST

START_TEST(a_missing_value_is_empty_and_an_empty_string_in_quotes_is_not)
{
    const tree_node *root = reading_tree("a:\nb: ''\nc: {}\nd: { e }\n");
    reading_expect_nothing();
    ck_assert(tree_is_empty(tree_find(root, "a")));
    ck_assert(!tree_is_empty(tree_find(root, "b")));
    ck_assert(!tree_is_empty(tree_find(root, "c")));
    ck_assert(tree_is_empty(tree_find(tree_find(root, "d"), "e")));
}
END_TEST

START_TEST(document_markers_and_comments_are_ignored)
{
    static const char *const texts[] = {
        "a: b", "---\na: b\n", "--- # c\na: b\n...\n", "%YAML 1.1\n---\na: b\n", "# c\n\n%YAML 1.2\n---\na: b\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const tree_node *root = reading_tree(texts[i]);
        reading_expect_nothing();
        ck_assert_str_eq(tree_find(root, "a")->text, "b");
    }
}
END_TEST

START_TEST(directives_are_refused_wherever_they_stand)
{
    static const char *const texts[] = {
        "%YAML 1.3\n---\na: b\n", "%YAML 2.0\n---\na: b\n", "%YAML 1.2\n%YAML 1.2\n---\na: b\n",
        "%TAG ! x:\n---\na: b\n", "%FOO\n---\na: b\n",      "a: b\n...\n%YAML 1.2\n---\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        reading_begin();
        ck_assert_ptr_null(reading_tree(texts[i]));
        ck_assert_ptr_nonnull(strstr(reading_printed(), "directives are not supported"));
    }
}
END_TEST

// Returns a document of `depth` nested collections.
static const char *nested(size_t depth)
{
    char *text = arena_allocate(reading_arena(), 2 * depth + 8);
    strcpy(text, "a: ");
    memset(text + 3, '[', depth - 1);
    memset(text + 3 + depth - 1, ']', depth - 1);
    return text;
}

START_TEST(a_document_nests_64_deep_and_no_deeper)
{
    ck_assert_ptr_nonnull(reading_tree(nested(64)));
    reading_expect_nothing();
    ck_assert_ptr_null(reading_tree(nested(65)));
    ck_assert_ptr_nonnull(
        strstr(reading_printed(), "test.yaml:1:67: error: nested too deep; at most 64 levels are allowed [K0106]\n"));
}
END_TEST

// Returns a document whose only value, or key, has `size` letters.
static const char *lettered(const char *format, size_t size)
{
    char *letters = arena_allocate(reading_arena(), size + 1);
    memset(letters, 'x', size);
    return arena_format(reading_arena(), format, letters);
}

START_TEST(a_scalar_has_64_kibibytes_and_no_more)
{
    static const char *const formats[] = {"a: %s\n", "a: '%s'\n", "a: |\n  %s"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        reading_begin();
        ck_assert_uint_eq(tree_find(reading_tree(lettered(formats[i], TREE_TEXT_LIMIT)), "a")->size, TREE_TEXT_LIMIT);
        reading_expect_nothing();
        const tree_node *root = reading_tree(lettered(formats[i], TREE_TEXT_LIMIT + 1));
        ck_assert_int_eq(tree_find(root, "a")->kind, TREE_BROKEN);
        ck_assert_ptr_nonnull(
            strstr(reading_printed(), "scalar of 65537 bytes is too long; at most 65536 are allowed [K0105]\n"));
    }
}
END_TEST

START_TEST(tabs_are_refused_where_they_indent_and_nowhere_else)
{
    static const struct {
        const char *text;
        size_t errors;
    } cases[] = {
        {"a:\tb\n", 0},
        {"a: [b,\tc]\t# d\n", 0},
        {"a: {\n\t# b\n\t\n}\n", 0},
        {"a: |\n  b\n  \tc\n", 0},
        {"a: {\n\tb: c }\n", 1},
        {"a: {\n  \tb: 'c'\n\t,\n\td: 'e'\n\t}\n", 4},
        {"a: {\n  b: \"c\n\td\",\n\te: f }\n", 2},
        {"a: |\n  b\nc: [\n\td]\n", 1},
        {"a: b\n \tc\n", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        reading_begin();
        reading_tree(cases[i].text);
        ck_assert_msg(diagnostics_error_count(reading_diagnostics()) == cases[i].errors, "case %zu: %s", i,
                      reading_printed());
    }
}
END_TEST

START_TEST(misleading_yaml_that_libyaml_accepts_is_refused)
{
    static const struct {
        const char *text, *first_line;
    } cases[] = {
        {"a: { ?b: c }\n", "1:7: error: '?' before a key is not supported; write the key alone [K0210]"},
        {"a: \"b\"#c\n", "1:7: error: missing space before this comment [K0213]"},
        {"a: 'b'#c\n", "1:7: error: missing space before this comment [K0213]"},
        {"a: [b]#c\n", "1:7: error: missing space before this comment [K0213]"},
        {"a: {}#c\n", "1:6: error: missing space before this comment [K0213]"},
        {"a: |#c\n  b\n", "1:5: error: missing space before this comment [K0213]"},
        {"a: >-2#c\n  b\n", "1:7: error: missing space before this comment [K0213]"},
        {"a: \"b\nc: \"\n", "1:4: error: unclosed quote [K0215]"},
        {"a:\n  - 'b\n\n \nc'\n", "2:5: error: unclosed quote [K0215]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        reading_begin();
        reading_tree(cases[i].text);
        ck_assert_uint_eq(diagnostics_error_count(reading_diagnostics()), 1);
        const char *printed = reading_printed();
        ck_assert_str_eq(arena_copy(reading_arena(), printed, strcspn(printed, "\n")),
                         arena_format(reading_arena(), "test.yaml:%s", cases[i].first_line));
    }
}
END_TEST

START_TEST(a_million_brackets_cost_nothing)
{
    ck_assert_ptr_null(reading_tree(nested(500000)));
    ck_assert_uint_eq(diagnostics_error_count(reading_diagnostics()), 1);
}
END_TEST

START_TEST(a_refused_key_removes_only_its_pair)
{
    const tree_node *root = reading_tree("a: 1\n'a': 2\n<<: { b: 3 }\n[x]: 4\nc: *d\ne: 5\n");
    ck_assert_uint_eq(diagnostics_error_count(reading_diagnostics()), 4);
    ck_assert_ptr_nonnull(root);
    ck_assert_str_eq(tree_find(root, "a")->text, "1");
    ck_assert_ptr_null(tree_find(root, "b"));
    ck_assert_int_eq(tree_find(root, "c")->kind, TREE_BROKEN);
    ck_assert_str_eq(tree_find(root, "e")->text, "5");
}
END_TEST

START_TEST(a_quoted_merge_key_is_an_ordinary_key)
{
    ck_assert_ptr_nonnull(tree_find(reading_tree("'<<': 1\n"), "<<"));
    reading_expect_nothing();
}
END_TEST

START_TEST(the_place_of_an_error_is_where_to_fix_it)
{
    static const struct {
        const char *text, *first_line;
    } cases[] = {
        {"a:\n  Position\n    x: 1\n", "test.yaml:2:3: error: missing ':' after 'Position' [K0212]"},
        {"a:\n  # c\n  Position # c\n\n    x: 1\n", "test.yaml:3:3: error: missing ':' after 'Position' [K0212]"},
        {"a:\n  x: 1\n  y 1\n  z: 1\n", "test.yaml:3:3: error: missing ':' after 'y' [K0212]"},
        {"a: 1\nb:2\n", "test.yaml:2:1: error: missing space after 'b:' [K0213]"},
        {"a: b: c\n", "test.yaml:1:5: error: second ':' on this line [K0214]"},
        {"a: [b,\n  c\nd: e\n", "test.yaml:1:4: error: unclosed '[' [K0216]"},
        {"a: {b: 1,\n  c: 2\n", "test.yaml:1:4: error: unclosed '{' [K0216]"},
        {"a: 'b\nc: d\n", "test.yaml:1:4: error: unclosed quote [K0215]"},
        {"a: \"b\n---\nc\n", "test.yaml:1:4: error: unclosed quote [K0215]"},
        {"a:\n    b: 1\n  c: 1\n", "test.yaml:3:3: error: indentation matches no line above [K0220]"},
        {"a:\n\tb: 1\n", "test.yaml:2:1: error: tab used for indentation; use spaces [K0209]"},
        {"a: 1\n- b\n", "test.yaml:2:1: error: expected a key, found a list item [K0221]"},
        {"a:\n  - b\n  c: 1\n", "test.yaml:3:3: error: expected a list item that begins with '- ' [K0221]"},
        {"a: \"b\" c\n",
         "test.yaml:1:8: error: unexpected content; is a ',', a line break or a pair of quotes missing? [K0217]"},
        {"a: `b`\n", "test.yaml:1:4: error: '`' cannot begin a plain scalar; quote the whole scalar [K0219]"},
        {"a: [b,,c]\n", "test.yaml:1:7: error: missing value before this [K0217]"},
        {"a: \xC3\x9C: b\n", "test.yaml:1:5: error: second ':' on this line [K0214]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        reading_begin();
        ck_assert_ptr_null(reading_tree(cases[i].text));
        const char *printed = reading_printed();
        const char *line = arena_copy(reading_arena(), printed, strcspn(printed, "\n"));
        ck_assert_str_eq(line, cases[i].first_line);
    }
}
END_TEST

START_TEST(every_prefix_of_a_document_is_read_or_refused)
{
    static const char text[] =
        "# c\nkin: 1\r\n'a': [b, \"\\u00e9\", {c: |\n \xE6\x97\xA5\n}]\n? x\n: &y !z 'w'\n<<: *y\n";
    for (size_t size = 0; size < sizeof text; size++) {
        reading_begin();
        const source *source = source_from_bytes(reading_arena(), "test.yaml", text, size);
        const tree_node *root = tree_parse(reading_arena(), reading_diagnostics(), source);
        ck_assert(root != NULL || diagnostics_error_count(reading_diagnostics()) > 0);
        ck_assert_str_ne(reading_printed(), root == NULL ? "" : "x");
    }
}
END_TEST

Suite *tree_suite(void)
{
    Suite *suite = suite_create("tree");
    TCase *tests = tcase_create("tree");
    tcase_add_checked_fixture(tests, reading_begin, reading_end);
    tcase_add_test(tests, a_mapping_keeps_its_pairs_in_order);
    tcase_add_test(tests, scalars_are_strings_whatever_they_look_like);
    tcase_add_test(tests, every_node_marks_its_bytes);
    tcase_add_test(tests, a_missing_value_is_empty_and_an_empty_string_in_quotes_is_not);
    tcase_add_test(tests, document_markers_and_comments_are_ignored);
    tcase_add_test(tests, directives_are_refused_wherever_they_stand);
    tcase_add_test(tests, a_document_nests_64_deep_and_no_deeper);
    tcase_add_test(tests, a_scalar_has_64_kibibytes_and_no_more);
    tcase_add_test(tests, tabs_are_refused_where_they_indent_and_nowhere_else);
    tcase_add_test(tests, misleading_yaml_that_libyaml_accepts_is_refused);
    tcase_add_test(tests, a_million_brackets_cost_nothing);
    tcase_add_test(tests, a_refused_key_removes_only_its_pair);
    tcase_add_test(tests, a_quoted_merge_key_is_an_ordinary_key);
    tcase_add_test(tests, the_place_of_an_error_is_where_to_fix_it);
    tcase_add_test(tests, every_prefix_of_a_document_is_read_or_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
