// Reference: the pages that are generated from the language and the usage of the verbs.
#include "generator/schema/schema.h"
#include "generator/scratch.h"
#include "generator/verbs/verbs.h"
#include "shell.h"
#include "suites.h"

#include <string.h>

static const char *page(const char *name)
{
    return shell_expect(scratch_arena(), arena_format(scratch_arena(), "%s/bin/reference %s", shell_build(), name));
}

START_TEST(the_schema_reference_explains_every_key)
{
    const char *markdown = page("schema.md");
    for (const language_value *const *value = language_values; *value != NULL; value++) {
        const char *part =
            strstr(markdown, arena_format(scratch_arena(), "\n## %s\n\n%s\n", (*value)->title, (*value)->doc));
        ck_assert_msg(part != NULL, "nothing about %s", (*value)->name);
        const language_key *key = (*value)->kind == LANGUAGE_MAPPING ? (*value)->keys : &(const language_key){0};
        for (; key->name != NULL; key++) {
            const char *row = strstr(part, arena_format(scratch_arena(), "\n| `%s` | ", key->name));
            ck_assert_msg(row != NULL && strstr(row, key->doc) != NULL, "nothing about %s", key->name);
        }
    }
}
END_TEST

START_TEST(the_links_of_the_schema_reference_lead_to_its_headings)
{
    scratch_write("schema.md", page("schema.md"));
    const char *command = arena_format(scratch_arena(),
                                       "cd '%s'; grep -o '](#[^)]*)' schema.md | tr -d '](#)' | sort -u > links;"
                                       "sed -n 's/^## //p' schema.md | tr 'A-Z ' 'a-z-' | sort > headings;"
                                       "wc -l < links; comm -23 links headings",
                                       scratch_path(""));
    ck_assert_str_eq(shell_expect(scratch_arena(), command), "26\n");
}
END_TEST

START_TEST(the_manual_of_the_language_has_every_key)
{
    const char *manual = page("kin-schema.5");
    for (const language_value *const *value = language_values; *value != NULL; value++) {
        const language_key *key = (*value)->kind == LANGUAGE_MAPPING ? (*value)->keys : &(const language_key){0};
        for (; key->name != NULL; key++)
            ck_assert_ptr_nonnull(strstr(manual, arena_format(scratch_arena(), ".TP\n\\fB%s\\fR: ", key->name)));
    }
}
END_TEST

START_TEST(the_manual_of_kin_has_every_verb_with_its_flags)
{
    const char *manual = page("kin.1");
    for (size_t i = 0; i < COMMAND_VERB_COUNT; i++) {
        const verb *verb = &command_verbs[i];
        const char *part = strstr(manual, arena_format(scratch_arena(), "\n.SS kin %s\n", verb->name));
        ck_assert_ptr_nonnull(part);
        ck_assert_ptr_nonnull(strstr(part, "\n.TP\n\\fB\\-\\-help\\fR\nprint this help\n"));
    }
    ck_assert_ptr_nonnull(strstr(manual, "\n.TP\n\\fB\\-\\-depfile FILE\\fR\nalso write a make rule"));
    ck_assert_ptr_nonnull(strstr(manual, "\n.TP\n\\fB\\-\\-diagnostics json\\fR\nprint errors"));
}
END_TEST

// A terminal without a locale has ASCII only, and man warns about other characters.
START_TEST(manuals_are_of_ascii_alone)
{
    for (const char *byte = page("kin.1"); *byte != '\0'; byte++)
        ck_assert_int_gt(*byte, 0);
    for (const char *byte = page("kin-schema.5"); *byte != '\0'; byte++)
        ck_assert_int_gt(*byte, 0);
}
END_TEST

START_TEST(manuals_are_set_without_a_warning)
{
    scratch_write("kin.1", page("kin.1"));
    scratch_write("kin-schema.5", page("kin-schema.5"));
    if (!shell_has(scratch_arena(), "groff"))
        return;
    const char *command = arena_format(scratch_arena(),
                                       "cd '%s'; for page in kin.1 kin-schema.5; do"
                                       " groff -ww -man -Kutf8 -Tutf8 -z $page; done",
                                       scratch_path(""));
    ck_assert_str_eq(shell_expect(scratch_arena(), command), "");
}
END_TEST

Suite *reference_suite(void)
{
    Suite *suite = suite_create("reference");
    TCase *pages = tcase_create("pages");
    tcase_set_timeout(pages, 60);
    tcase_add_checked_fixture(pages, scratch_create, scratch_destroy);
    tcase_add_test(pages, the_schema_reference_explains_every_key);
    tcase_add_test(pages, the_links_of_the_schema_reference_lead_to_its_headings);
    tcase_add_test(pages, the_manual_of_the_language_has_every_key);
    tcase_add_test(pages, the_manual_of_kin_has_every_verb_with_its_flags);
    tcase_add_test(pages, manuals_are_of_ascii_alone);
    tcase_add_test(pages, manuals_are_set_without_a_warning);
    suite_add_tcase(suite, pages);
    return suite;
}
