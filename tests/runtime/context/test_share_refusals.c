// Everything that changes a context, while threads share it: refused, counted, and nothing is changed (PAR-06). Under
// the thread sanitizer tests/threads/ makes the same calls from several threads.
#include "runtime/context/refusals.h"
#include "runtime/support/support.h"
#include "suites.h"

#include <kin/share.h>
#include <stdlib.h>
#include <string.h>

static commons_context *commons;
static error_log errors;

static uint64_t hash(void)
{
    kin_snapshot *snapshot = NULL;
    ck_assert_int_eq(commons_save(commons, &snapshot), KIN_OK);
    uint64_t result = kin_snapshot_hash(snapshot);
    kin_snapshot_destroy(snapshot);
    return result;
}

static void begin(void)
{
    kin_context_options options = {.on_error = error_log_append, .error_user = &errors};
    error_log_clear(&errors);
    commons = commons_context_create(&options);
    refusals_begin(commons);
}

static void end(void)
{
    refusals_end();
    commons_context_destroy(commons);
    ck_assert_uint_eq(errors.count, 0);
}

static void check_refused(const refusal *refusal)
{
    uint64_t before = hash();
    ck_assert_int_eq(kin_context_begin_shared(&commons->base), KIN_OK);
    ck_assert_msg(refusal->is_refused(), "%s was not refused", refusal->name);
    ck_assert_msg(errors.count == 0, "%s: %s", refusal->name, errors.entries[0].message);
    ck_assert_int_eq(kin_context_end_shared(&commons->base), KIN_OK);
    ck_assert_msg(errors.count == 1, "%s was counted %u times", refusal->name, errors.count);
    ck_assert_str_eq(errors.entries[0].message, "commons: cannot change a shared context: 1 call was refused while "
                                                "threads shared the context; change it after they have finished");
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_msg(hash() == before, "%s has changed the state", refusal->name);
}

START_TEST(par_06_each_function_that_changes_is_refused_counted_and_changes_nothing)
{
    begin();
    for (const refusal *each = refusals; each->name != NULL; each++)
        check_refused(each);
    end();
}
END_TEST

START_TEST(par_06_each_is_refused_where_listeners_and_collectors_watch_all)
{
    begin();
    refusals_watch_all();
    for (const refusal *each = refusals; each->name != NULL; each++)
        check_refused(each);
    end();
}
END_TEST

START_TEST(par_06_each_works_again_after_sharing)
{
    for (const refusal *each = refusals; each->name != NULL; each++) {
        begin();
        kin_context_begin_shared(&commons->base);
        kin_context_end_shared(&commons->base);
        ck_assert_msg(!each->is_refused(), "%s is refused after sharing has ended", each->name);
        error_log_clear(&errors);
        end();
    }
}
END_TEST

Suite *runtime_share_refusals_suite(void)
{
    Suite *suite = suite_create("runtime_share_refusals");
    TCase *tests = tcase_create("share_refusals");
    tcase_add_test(tests, par_06_each_function_that_changes_is_refused_counted_and_changes_nothing);
    tcase_add_test(tests, par_06_each_is_refused_where_listeners_and_collectors_watch_all);
    tcase_add_test(tests, par_06_each_works_again_after_sharing);
    suite_add_tcase(suite, tests);
    return suite;
}
