// Generated events through the functions of a package, with listeners of their own types.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <herald/herald.h>

#include <stdio.h>
#include <string.h>

CASE(tower)

static kin_systems *systems;
static tower_entity label;
static char written[256];

static void begin(void)
{
    tower_begin();
    systems = tower_event_systems(tower);
    label = tower_create_entity(tower);
    written[0] = '\0';
}

static void end(void)
{
    kin_systems_destroy(systems);
    tower_end();
}

static void say(const char *what, tower_entity entity, const char *value)
{
    size_t size = strlen(written);
    snprintf(written + size, sizeof written - size, "%s%u%s ", what, kin_entity_slot(entity.id), value);
}

static const char *logged(void)
{
    static char shown[sizeof written];
    kin_systems_execute(systems, 1);
    memcpy(shown, written, sizeof shown);
    written[0] = '\0';
    return shown;
}

static void on_bell(tower_context *context, tower_entity entity, const Bell *value, void *user)
{
    char text[32];
    ck_assert_ptr_eq(context, tower);
    snprintf(text, sizeof text, "=%d", value->rings);
    say(user, entity, text);
}

static void on_zeal(tower_context *context, tower_entity entity, const Zeal *value, void *user)
{
    (void)context;
    say(user, entity, value->heat > 1 ? "=hot" : "=cold");
}

static void on_banner(tower_context *context, tower_entity entity, const Banner *value, void *user)
{
    (void)context;
    char text[64];
    snprintf(text, sizeof text, "=%s", value->text);
    say(user, entity, text);
}

static void on_flag(tower_context *context, tower_entity entity, void *user)
{
    (void)context;
    say(user, entity, "");
}

START_TEST(evt_05_listeners_get_typed_values_and_none_for_flags)
{
    tower_entity first = tower_create_entity(tower);
    tower_add_any_bell_listener(tower, label, on_bell, "any");
    tower_add_bell_listener(tower, first, on_bell, "self");
    tower_add_any_bell_removed_listener(tower, label, on_bell, "gone");
    tower_add_bell_removed_listener(tower, first, on_bell, "lost");
    tower_add_alarm_listener(tower, first, on_flag, "alarm");
    tower_add_bell(tower, first, (Bell){3});
    tower_set_alarm(tower, first, true);
    ck_assert_str_eq(logged(), "self1=3 any1=3 alarm1 ");
    tower_remove_bell(tower, first);
    ck_assert_str_eq(logged(), "lost1=3 gone1=3 ");
    ck_assert_int_eq(tower_remove_bell_listener(tower, first, on_bell, "self"), KIN_OK);
    ck_assert_refused(&errors, tower_remove_bell_listener(tower, first, on_bell, "self"), KIN_ERROR_INVALID);
}
END_TEST

START_TEST(evt_04_unique_components_notify_as_others_do)
{
    tower_add_any_zeal_listener(tower, label, on_zeal, "zeal");
    tower_add_any_away_listener(tower, label, on_flag, "away");
    tower_set_unique_zeal(tower, (Zeal){0.5});
    tower_replace_unique_zeal(tower, (Zeal){2.5});
    tower_set_unique_away(tower, true);
    ck_assert_str_eq(logged(), "away2 zeal1=hot ");
    tower_remove_unique_zeal(tower);
    tower_set_unique_away(tower, false);
    ck_assert_str_eq(logged(), "");
}
END_TEST

// The flag is used like Burst in Match-One (ONE-11).
START_TEST(one_11_a_flag_set_twice_and_off_in_a_frame_reports_removed_once)
{
    tower_add_any_alarm_removed_listener(tower, label, on_flag, "off");
    tower_entity first = tower_create_entity(tower);
    tower_set_alarm(tower, first, true);
    tower_set_alarm(tower, first, true);
    tower_destroy_entity(tower, first);
    ck_assert_str_eq(logged(), "off1 ");
    ck_assert_uint_eq(kin_context_retained_count(&tower->base), 0);
}
END_TEST

START_TEST(evt_06_the_string_of_a_destroyed_entity_is_reported)
{
    tower_add_any_banner_removed_listener(tower, label, on_banner, "fell");
    tower_entity first = tower_create_entity(tower);
    tower_add_banner(tower, first, (Banner){"lion"});
    tower_destroy_entity(tower, first);
    ck_assert_str_eq(logged(), "fell1=lion ");
}
END_TEST

Suite *runtime_event_typed_suite(void)
{
    Suite *suite = suite_create("runtime_event_typed");
    TCase *tests = tcase_create("typed");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, evt_05_listeners_get_typed_values_and_none_for_flags);
    tcase_add_test(tests, evt_04_unique_components_notify_as_others_do);
    tcase_add_test(tests, one_11_a_flag_set_twice_and_off_in_a_frame_reports_removed_once);
    tcase_add_test(tests, evt_06_the_string_of_a_destroyed_entity_is_reported);
    suite_add_tcase(suite, tests);
    return suite;
}
