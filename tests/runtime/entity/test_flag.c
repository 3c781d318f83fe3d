// Flags, chapter 11 of the rules: components without a value.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <cellar/cellar.h>
#include <check.h>

CASE(cellar)

static char letters[16];
static size_t letter_count;

static void begin(void)
{
    cellar_begin();
    letter_count = 0;
}

static void write_letter(const kin_change *change, void *letter)
{
    ck_assert(change->previous == NULL && change->value == NULL);
    ck_assert_uint_lt(letter_count, sizeof letters - 1);
    letters[letter_count++] = *(const char *)letter;
    letters[letter_count] = '\0';
}

static kin_group *sealed(void)
{
    return cellar_group(cellar, KIN_MATCHER(KIN_ALL(CELLAR_SEALED)));
}

START_TEST(flg_01_a_flag_counts_in_matchers_and_groups)
{
    cellar_entity entity = cellar_create_entity(cellar);
    ck_assert_int_eq(cellar_add_shelf(cellar, entity, (Shelf){1, 2}), KIN_OK);
    ck_assert(kin_group_contains(cellar_shelved_group(cellar), entity.id));
    ck_assert_int_eq(cellar_set_sealed(cellar, entity, true), KIN_OK);
    ck_assert(!kin_group_contains(cellar_shelved_group(cellar), entity.id)); // whose matcher names none of it
    ck_assert(kin_group_contains(sealed(), entity.id));
    ck_assert(kin_matches(&cellar->base, KIN_MATCHER(KIN_ONLY(CELLAR_SEALED, CELLAR_SHELF)), entity.id));
    ck_assert(!kin_matches(&cellar->base, KIN_MATCHER(KIN_ONLY(CELLAR_SHELF)), entity.id));
    ck_assert(kin_matches(&cellar->base, KIN_MATCHER(KIN_ANY(CELLAR_SEALED, CELLAR_LIT)), entity.id));
}
END_TEST

START_TEST(flg_01_a_flag_goes_along_in_clones_and_in_cleanup)
{
    cellar_entity entity = cellar_create_entity(cellar);
    cellar_set_sealed(cellar, entity, true);
    cellar_set_broken(cellar, entity, true);
    cellar_entity clone = cellar_clone_entity(cellar, entity);
    ck_assert(cellar_is_sealed(cellar, clone) && cellar_is_broken(cellar, clone));
    cellar_set_broken(cellar, clone, false);
    kin_systems *systems = cellar_cleanup_systems(cellar);
    kin_systems_cleanup(systems);
    kin_systems_destroy(systems);
    ck_assert(!cellar_entity_is_alive(cellar, entity) && cellar_is_sealed(cellar, clone));
}
END_TEST

START_TEST(flg_03_clearing_a_flag_and_setting_it_notifies_again)
{
    cellar_entity entity = cellar_create_entity(cellar);
    cellar_set_sealed(cellar, entity, true);
    kin_group_subscribe(sealed(), KIN_REMOVED, write_letter, "-");
    kin_group_subscribe(sealed(), KIN_ADDED, write_letter, "+");
    kin_group_subscribe(sealed(), KIN_MODIFIED, write_letter, "~");
    cellar_set_sealed(cellar, entity, true);
    ck_assert_uint_eq(letter_count, 0);
    cellar_set_sealed(cellar, entity, false);
    cellar_set_sealed(cellar, entity, true);
    ck_assert_str_eq(letters, "-+");
}
END_TEST

Suite *runtime_flag_suite(void)
{
    Suite *suite = suite_create("runtime_flag");
    TCase *rules = tcase_create("rules");
    tcase_add_checked_fixture(rules, begin, cellar_end);
    tcase_add_test(rules, flg_01_a_flag_counts_in_matchers_and_groups);
    tcase_add_test(rules, flg_01_a_flag_goes_along_in_clones_and_in_cleanup);
    tcase_add_test(rules, flg_03_clearing_a_flag_and_setting_it_notifies_again);
    suite_add_tcase(suite, rules);
    return suite;
}
