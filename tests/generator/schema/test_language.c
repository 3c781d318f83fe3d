// Language: the tables list exactly the keys that the reader reads, and the JSON Schema made from the tables accepts
// every schema that the reader accepts.
#include "generator/base/base.h"
#include "generator/program.h"
#include "generator/schema/schema.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { REFUSED_CASES = 50, SKIPPED = 77 };

static bool is_known_key(const char *name)
{
    for (const language_value *const *value = language_values; *value != NULL; value++)
        if ((*value)->kind == LANGUAGE_MAPPING && language_find(*value, name) != NULL)
            return true;
    return false;
}

// ---- the tables

START_TEST(every_key_and_named_item_has_a_doc_that_is_a_sentence)
{
    for (const language_value *const *value = language_values; *value != NULL; value++) {
        ck_assert_msg((*value)->title != NULL && (*value)->doc != NULL, "%s has no doc", (*value)->name);
        const language_key *key = (*value)->kind == LANGUAGE_MAPPING ? (*value)->keys : &(const language_key){0};
        for (; key->name != NULL; key++) {
            ck_assert_msg(key->doc != NULL && key->doc[strlen(key->doc) - 1] == '.', "%s of %s", key->name,
                          (*value)->name);
            ck_assert_ptr_nonnull(key->value);
            ck_assert(key->needs == NULL || language_find(*value, key->needs) != NULL);
            ck_assert(key->excludes == NULL || language_find(*value, key->excludes) != NULL);
        }
    }
}
END_TEST

START_TEST(all_keys_that_the_reader_looks_up_are_in_the_tables)
{
    const char *asked = shell_expect(
        scratch_arena(),
        "cat generator/read/*.c generator/schema/*.c | tr -d '\\n' |"
        "grep -oE '(tree_find|tree_find_key|reader_find_text|reader_find_bool|reader_entries|has_key|"
        "system_list_begin|read_components_of|read_part)\\([^\"();]*\"[a-z_]+\"' | sed 's/.*\"\\(.*\\)\"/\\1/' |"
        "sort -u");
    size_t count = 0;
    for (const char *line = asked; *line != '\0'; line = strchr(line, '\n') + 1, count++) {
        const char *name = arena_copy(scratch_arena(), line, strcspn(line, "\n"));
        ck_assert_msg(is_known_key(name), "the tables lack '%s'", name);
    }
    ck_assert_uint_gt(count, 40);
}
END_TEST

// Keys whose rows have a member are read by the rows.
START_TEST(the_reader_reads_all_keys_of_the_tables)
{
    const char *sources = shell_expect(scratch_arena(), "cat generator/read/*.c");
    for (const language_value *const *value = language_values; *value != NULL; value++) {
        const language_key *key = (*value)->kind == LANGUAGE_MAPPING ? (*value)->keys : &(const language_key){0};
        for (; key->name != NULL; key++) {
            bool is_read_by_row = key->member.kind != MEMBER_NONE && !key->member.is_read_by_code;
            const char *quoted = arena_format(scratch_arena(), "\"%s\"", key->name);
            ck_assert_msg(is_read_by_row || strstr(sources, quoted) != NULL, "%s of %s", key->name, (*value)->name);
        }
    }
}
END_TEST

static bool has_word(const language_value *value, const char *word)
{
    for (const char *const *known = value->words; *known != NULL; known++)
        if (strcmp(*known, word) == 0)
            return true;
    return false;
}

START_TEST(the_words_of_a_type_are_the_scalar_types)
{
    for (size_t i = 0; scalar_type_name(i) != NULL; i++)
        ck_assert_msg(has_word(&language_type, scalar_type_name(i)), "%s", scalar_type_name(i));
}
END_TEST

START_TEST(the_doc_of_a_type_lists_all_scalar_types)
{
    for (size_t i = 0; scalar_type_name(i) != NULL; i++) {
        const char *name = arena_format(scratch_arena(), "`%s`", scalar_type_name(i));
        ck_assert_msg(strstr(language_type.doc, name) != NULL, "%s", name);
    }
}
END_TEST

// RSY-14: every description of a full inbox says that `oldest` and `newest` report the first loss, `error` each.
START_TEST(every_page_says_the_same_of_full_inboxes)
{
    static const char *const pages[] = {"docs/schema.md", "docs/systems-and-worlds.md", "docs/rules.md",
                                        "docs/kin-schema.5", "schemas/kin.schema.json"};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        const char *page =
            shell_expect(scratch_arena(), arena_format(scratch_arena(), "tr -s ' \\n' ' ' < %s", pages[i]));
        ck_assert_msg(strstr(page, "for the first loss, and again only after the system has read a message") != NULL,
                      "%s", pages[i]);
        ck_assert_msg(strstr(page, "every loss") != NULL, "%s", pages[i]);
    }
}
END_TEST

// ---- the JSON Schema

static json_t *load_schema(void)
{
    json_error_t error;
    json_t *schema = json_loads(RUN("schema").output, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(schema != NULL, "line %d: %s", error.line, error.text);
    return schema;
}

START_TEST(the_json_schema_has_every_key_with_its_doc)
{
    json_t *schema = load_schema();
    ck_assert_str_eq(json_string_value(json_object_get(schema, "$schema")), "http://json-schema.org/draft-07/schema#");
    for (const language_value *const *value = language_values; *value != NULL; value++) {
        const json_t *at = schema;
        if (value > language_values)
            at = json_object_get(json_object_get(schema, "definitions"), (*value)->name);
        ck_assert_msg(at != NULL, "%s is missing", (*value)->name);
        ck_assert_str_eq(json_string_value(json_object_get(at, "description")), (*value)->doc);
        if ((*value)->kind != LANGUAGE_MAPPING)
            continue;
        const json_t *properties = json_object_get(at, "properties");
        size_t count = 0;
        for (const language_key *key = (*value)->keys; key->name != NULL; key++, count++)
            ck_assert_str_eq(json_string_value(json_object_get(json_object_get(properties, key->name), "description")),
                             key->doc);
        ck_assert_uint_eq(json_object_size(properties), count);
    }
    json_decref(schema);
}
END_TEST

START_TEST(kin_schema_takes_no_arguments)
{
    check_outcome(RUN("schema", "arena.yaml"), 2, "", "kin: 'schema' takes no arguments\nTry 'kin help schema'.\n");
}
END_TEST

START_TEST(every_example_names_the_path_of_the_json_schema)
{
    const char *found =
        shell_expect(scratch_arena(), "for file in schemas/*.yaml examples/*/*.yaml; do "
                                      "sed -n 's|^# yaml-language-server: $schema=|'${file%/*}'/|p' $file; done");
    const char *files = shell_expect(scratch_arena(), "ls schemas/*.yaml examples/*/*.yaml");
    size_t lines = 0, count = 0;
    for (const char *line = files; *line != '\0'; line = strchr(line, '\n') + 1)
        count++;
    for (const char *line = found; *line != '\0'; line = strchr(line, '\n') + 1, lines++)
        ck_assert_int_eq(access(arena_copy(scratch_arena(), line, strcspn(line, "\n")), R_OK), 0);
    ck_assert_uint_eq(lines, count);
}
END_TEST

// ---- an independent validator of JSON Schema

// Returns the validator's output; NULL, after a message, if no validator is installed.
static const char *validate(const char *files)
{
    scratch_write("kin.schema.json", RUN("schema").output);
    shell_result result = shell_run(scratch_arena(), arena_format(scratch_arena(), "tests/tools/validate.py '%s' %s",
                                                                  scratch_path("kin.schema.json"), files));
    if (result.status == SKIPPED) {
        fprintf(stderr, "language: %s", result.output);
        return NULL;
    }
    ck_assert_msg(result.status == 0, "%s", result.output);
    return result.output;
}

START_TEST(a_validator_accepts_every_valid_schema)
{
    const char *output = validate("schemas/*.yaml examples/*/*.yaml tests/schemas/*.yaml tests/schemas/*/*.yaml "
                                  "tests/advice/*.yaml tests/golden/*.yaml bench/*.yaml");
    if (output == NULL)
        return;
    for (const char *line = output; *line != '\0'; line = strchr(line, '\n') + 1)
        ck_assert_msg(strncmp(line, "valid ", 6) == 0, "%s", line);
}
END_TEST

// The schema of a new project, and one with both values that have a short form.
START_TEST(a_validator_accepts_the_schema_of_kin_init)
{
    ck_assert_int_eq(RUN("init", scratch_path("walk")).status, 0);
    const char *output = validate(scratch_path("walk/walk.yaml"));
    ck_assert(output == NULL || strncmp(output, "valid ", 6) == 0);
    ck_assert_ptr_nonnull(
        strstr(scratch_read("walk/walk.yaml"), "# yaml-language-server: $schema=build/kin.schema.json\n"));
}
END_TEST

// The codes of errors that a validator can find: those that do not depend on names declared elsewhere.
START_TEST(a_validator_refuses_errors_of_shape)
{
    static const char *const codes[] = {"[K0231]", "[K0235]", "[K0236]", "[K0241]", "[K0301]", "[K0302]"};
    const char *output = validate("tests/bad/*/*.yaml");
    size_t refused = 0;
    for (const char *line = output; line != NULL && *line != '\0'; line = strchr(line, '\n') + 1) {
        refused += strncmp(line, "invalid ", strlen("invalid ")) == 0;
        if (strncmp(line, "valid ", strlen("valid ")) != 0)
            continue;
        const char *path = line + strlen("valid ");
        const char *expected = shell_read(
            scratch_arena(), arena_format(scratch_arena(), "%.*s.expected", (int)strcspn(path, ".\n"), path));
        for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
            ck_assert_msg(strstr(expected, codes[i]) == NULL, "%.*s is valid", (int)strcspn(path, "\n"), path);
    }
    ck_assert(output == NULL || refused >= REFUSED_CASES);
}
END_TEST

Suite *language_suite(void)
{
    Suite *suite = suite_create("language");
    TCase *tests = tcase_create("language");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, scratch_create, scratch_destroy);
    tcase_add_test(tests, every_key_and_named_item_has_a_doc_that_is_a_sentence);
    tcase_add_test(tests, all_keys_that_the_reader_looks_up_are_in_the_tables);
    tcase_add_test(tests, the_reader_reads_all_keys_of_the_tables);
    tcase_add_test(tests, the_words_of_a_type_are_the_scalar_types);
    tcase_add_test(tests, the_doc_of_a_type_lists_all_scalar_types);
    tcase_add_test(tests, every_page_says_the_same_of_full_inboxes);
    tcase_add_test(tests, the_json_schema_has_every_key_with_its_doc);
    tcase_add_test(tests, kin_schema_takes_no_arguments);
    tcase_add_test(tests, every_example_names_the_path_of_the_json_schema);
    tcase_add_test(tests, a_validator_accepts_every_valid_schema);
    tcase_add_test(tests, a_validator_accepts_the_schema_of_kin_init);
    tcase_add_test(tests, a_validator_refuses_errors_of_shape);
    suite_add_tcase(suite, tests);
    return suite;
}
