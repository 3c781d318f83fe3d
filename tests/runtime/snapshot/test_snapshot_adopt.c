// Snapshots that are restored in another context of the same schema.
#include "entity/entity.h"
#include "runtime/support/almanac_case.h"
#include "runtime/support/drops.h"
#include "suites.h"

#include <string.h>

// Entities with strings, lists, shared, stashed and boxed values.
static void fill(void)
{
    int32_t steps[] = {1, 2, 3};
    uint16_t pockets[] = {5, 6};
    almanac_add_name(almanac, days[0], (Name){"first"});
    almanac_add_chest(almanac, days[1], (Chest){"oak", 2.5});
    almanac_add_wave(almanac, days[3], (Wave){1.5f, 9});
    almanac_add_path(almanac, days[600], (Path){.steps = {steps, 3}, .goal = "home"});
    almanac_add_kind(almanac, days[5], (Kind){3, "small"});
    almanac_add_number(almanac, days[6], (Number){66});
    almanac_add_coat(almanac, days[7], (Coat){"wool", {pockets, 2}});
    almanac_add_child_of(almanac, days[8], (ChildOf){days[7]});
    ck_assert_int_eq(almanac_stash_coat(almanac, days[7]), KIN_OK);
}

static void check_other(almanac_context *other)
{
    ck_assert(kin__context_is_valid(&other->base));
    ck_assert_uint_eq(almanac_entity_count(other), DAYS);
    ck_assert_str_eq(almanac_get_name(other, days[0])->text, "first");
    ck_assert_str_eq(almanac_get_chest(other, days[1])->label, "oak");
    ck_assert_int_eq(almanac_get_path(other, days[600])->steps.at[2], 3);
    ck_assert_str_eq(almanac_get_path(other, days[600])->goal, "home");
    ck_assert_str_eq(almanac_get_kind(other, days[5])->title, "small");
    ck_assert_uint_eq(almanac_entity_with_number_value(other, 66).id, days[6].id);
    ck_assert_uint_eq(almanac_children_first(other, days[7]).id, days[8].id);
    ck_assert_int_eq(almanac_restore_coat(other, days[7]), KIN_OK);
    ck_assert_uint_eq(almanac_get_coat(other, days[7])->pockets.at[1], 6);
}

START_TEST(snp_22_a_snapshot_is_restored_in_another_context_of_the_same_schema)
{
    static guard other_memory;
    almanac_context *other = almanac_context_create(&(kin_context_options){.allocator = guard_begin(&other_memory),
                                                                           .on_error = error_log_append,
                                                                           .error_user = &errors,
                                                                           .first_creation_index = 5000});
    fill();
    almanac_save_as(0);
    bool refused = true;
    for (uint64_t number = 1; refused; number++) {
        kin_context_trim(&other->base);
        guard_fail(&other_memory, number, number % 2 == 0);
        kin_status status = almanac_restore(other, snapshots[0], KIN_RESTORE_EXACTLY);
        refused = guard_has_failed(&other_memory);
        guard_fail(&other_memory, 0, false);
        ck_assert_int_eq(status, refused ? KIN_ERROR_NO_MEMORY : KIN_OK);
        ck_assert_uint_eq(almanac_entity_count(other), refused ? 0 : DAYS);
        ck_assert(kin__context_is_valid(&other->base));
        ck_assert_uint_eq(kin_context_memory(&other->base).total.allocated, other_memory.size);
        error_log_clear(&errors);
    }
    check_other(other);
    almanac_destroy_all_entities(almanac);
    ck_assert_int_eq(almanac_restore(other, snapshots[0], KIN_RESTORE_EXACTLY), KIN_OK);
    check_other(other);
    almanac_context_destroy(other);
    guard_end(&other_memory);
}
END_TEST

START_TEST(snp_22_a_snapshot_with_opaque_values_is_refused_elsewhere)
{
    almanac_context *other =
        almanac_context_create(&(kin_context_options){.on_error = error_log_append, .error_user = &errors});
    almanac_add_coin(almanac, days[0], (Coin){{1}, 10});
    almanac_save_as(0);
    ck_assert_int_eq(almanac_restore(other, snapshots[0], KIN_RESTORE_EXACTLY), KIN_ERROR_INVALID);
    ck_assert_str_eq(errors.entries[0].message,
                     "almanac: cannot restore the context: the snapshot is of another context, and opaque values of "
                     "Coin cannot be copied; restore it there");
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    almanac_context_destroy(other);
}
END_TEST

Suite *runtime_snapshot_adopt_suite(void)
{
    Suite *suite = suite_create("runtime_snapshot_adopt");
    TCase *tests = tcase_create("adopt");
    tcase_add_checked_fixture(tests, almanac_begin, almanac_end);
    tcase_add_test(tests, snp_22_a_snapshot_is_restored_in_another_context_of_the_same_schema);
    tcase_add_test(tests, snp_22_a_snapshot_with_opaque_values_is_refused_elsewhere);
    suite_add_tcase(suite, tests);
    return suite;
}
