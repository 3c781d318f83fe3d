// Walks over systems (RFL-15), and the structural changes that they make (RFL-16).
#include "runtime/support/town_case.h"
#include "suites.h"

#include <kin/reflect.h>

#include <stdio.h>
#include <string.h>

static char text[4096];
static kin_system_entry found;

static void note(const kin_system_entry *entry, void *user)
{
    static const char *const kinds[] = {"collection", "plain", "reactive", "group", "event", "cleanup"};
    uint32_t *count = user;
    size_t length = strlen(text);
    ck_assert_uint_eq(entry->place, (*count)++);
    ck_assert_uint_lt(length, sizeof text - 100);
    snprintf(text + length, sizeof text - length, "%*s%s %s%s%s\n", (int)entry->depth, "",
             entry->name == NULL ? "-" : entry->name, kinds[entry->kind], entry->enabled ? "" : " disabled",
             entry->runs ? "" : " off");
}

static const char *walk(const kin_systems *systems)
{
    uint32_t count = 0;
    text[0] = '\0';
    kin_systems_walk(systems, note, &count);
    return text;
}

static void find(const kin_system_entry *entry, void *user)
{
    if (entry->name != NULL && strcmp(entry->name, user) == 0)
        found = *entry;
}

static kin_system_entry entry_of(const char *name)
{
    char copy[32];
    snprintf(copy, sizeof copy, "%s", name);
    found = (kin_system_entry){.place = UINT32_MAX};
    kin_systems_walk(town_world_systems(town), find, copy);
    ck_assert_uint_ne(found.place, UINT32_MAX);
    return found;
}

START_TEST(rfl_15_a_walk_visits_every_system_in_the_order_in_which_they_run)
{
    ck_assert_str_eq(walk(town_world_systems(town)), "morning collection\n"
                                                     " Mayor plain\n"
                                                     " Crier plain\n"
                                                     "noon collection\n"
                                                     " market collection\n"
                                                     "  Aging group\n"
                                                     " square collection\n"
                                                     "  Clock plain\n"
                                                     "evening collection\n"
                                                     " Registry group\n"
                                                     " Undertaker group\n"
                                                     " Watch reactive\n"
                                                     " Lamps reactive\n"
                                                     " tavern collection\n"
                                                     "  Patient plain\n"
                                                     "  Hurried plain\n"
                                                     "  Strict plain\n"
                                                     "events collection\n"
                                                     "events collection\n"
                                                     " any_rings event\n"
                                                     "cleanup collection\n"
                                                     "cleanup collection\n"
                                                     " Ghost cleanup\n");
    ck_assert_str_eq(walk(NULL), "");
    kin_systems_walk(town_world_systems(town), NULL, NULL);
}
END_TEST

START_TEST(rfl_15_reactive_systems_show_their_collectors)
{
    kin_collector *collector = entry_of("Watch").collector;
    ck_assert_str_eq(kin_collector_name(collector), "Watch");
    ck_assert(kin_collector_is_active(collector));
    town_citizen(3);
    ck_assert_uint_eq(kin_collector_count(collector), 1);
    ck_assert_ptr_nonnull(entry_of("any_rings").collector);
    ck_assert_ptr_null(entry_of("Mayor").collector);
    ck_assert_ptr_null(entry_of("evening").collector);
}
END_TEST

START_TEST(rfl_15_a_system_is_disabled_by_its_place)
{
    kin_systems *systems = town_world_systems(town);
    uint32_t evening = entry_of("evening").place, lamps = entry_of("Lamps").place;
    ck_assert_int_eq(kin_systems_set_enabled_at(systems, evening, false), KIN_OK);
    ck_assert(!entry_of("evening").enabled && !entry_of("evening").runs);
    ck_assert(entry_of("Lamps").enabled && !entry_of("Lamps").runs);
    ck_assert(!kin_collector_is_active(entry_of("Lamps").collector));
    ck_assert_int_eq(kin_systems_set_enabled_at(systems, lamps, false), KIN_OK);
    ck_assert_int_eq(kin_systems_set_enabled_at(systems, evening, true), KIN_OK);
    ck_assert(!entry_of("Lamps").enabled && entry_of("Watch").runs);
    ck_assert_int_eq(kin_systems_set_enabled_at(systems, lamps, true), KIN_OK);
    ck_assert(kin_collector_is_active(entry_of("Lamps").collector));
    ck_assert_int_eq(kin_systems_set_enabled_at(systems, 23, true), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_systems_set_enabled_at(systems, UINT32_MAX, true), KIN_ERROR_INVALID);
    ck_assert_log("!INVALID !INVALID ");
}
END_TEST

START_TEST(rfl_15_systems_with_equal_names_have_places_of_their_own)
{
    guard memory;
    kin_context_options options = {.allocator = guard_begin(&memory), .on_error = log_error};
    kin_systems *systems = kin_systems_create("ours", &options);
    kin_systems_add(systems, (kin_system){.name = "Same"});
    kin_systems_add(systems, (kin_system){.name = "Same"});
    kin_systems_add(systems, (kin_system){0});
    ck_assert_int_eq(kin_systems_set_enabled_at(systems, 1, false), KIN_OK);
    ck_assert_str_eq(walk(systems), "Same plain\nSame plain disabled off\n- plain\n");
    kin_systems_remove(systems, "Same");
    ck_assert_str_eq(walk(systems), "Same plain disabled off\n- plain\n");
    kin_systems_destroy(systems);
    ck_assert_int_eq(kin_systems_set_enabled_at(NULL, 0, true), KIN_ERROR_INVALID);
    guard_end(&memory);
}
END_TEST

// ---- structural changes

static void found_town(town_world *world)
{
    people_context *people = world->contexts->people;
    for (int32_t i = 0; i < 3; i++)
        people_add_age(people, people_create_entity(people), (Age){i});
    houses_create_entity(world->contexts->houses);
}

static void start_counting(void)
{
    kin_context *const contexts[] = {&town->contexts->people->base, &town->contexts->houses->base};
    ck_assert_int_eq(kin_systems_profile(town_world_systems(town), NULL, 4), KIN_OK);
    ck_assert_int_eq(kin_systems_count_changes(town_world_systems(town), contexts, 2), KIN_OK);
}

START_TEST(rfl_16_the_changes_of_each_system_are_counted)
{
    start_counting();
    town_do("Mayor:execute", found_town);
    town_world_update(town, 0.25);
    town_world_update(town, 0.25);
    kin_counts counts = entry_of("Mayor").counts;
    ck_assert_uint_eq(counts.created, 8);
    ck_assert_uint_eq(counts.destroyed, 0);
    ck_assert_uint_eq(counts.changed, 6);
    ck_assert_uint_eq(entry_of("Crier").counts.created, 0);
    ck_assert_uint_eq(entry_of("morning").counts.created, 0);
}
END_TEST

START_TEST(rfl_16_counting_ends_with_no_contexts_and_begins_anew)
{
    kin_systems *systems = town_world_systems(town);
    size_t size = town_memory.size;
    start_counting();
    town_do("Mayor:execute", found_town);
    town_world_update(town, 0.25);
    size_t counting = town_memory.size;
    start_counting();
    ck_assert_uint_eq(town_memory.size, counting);
    ck_assert_uint_eq(entry_of("Mayor").counts.created, 0);
    town_world_update(town, 0.25);
    ck_assert_uint_eq(entry_of("Mayor").counts.created, 4);
    ck_assert_int_eq(kin_systems_count_changes(systems, NULL, 0), KIN_OK);
    ck_assert_uint_eq(entry_of("Mayor").counts.created, 0);
    kin_systems_profile(systems, NULL, 0);
    ck_assert_uint_lt(town_memory.size, counting);
    ck_assert_uint_gt(size, 0);
}
END_TEST

static void count_here(town_world *world)
{
    kin_context *context = &world->contexts->people->base;
    ck_assert_int_eq(kin_systems_count_changes(town_world_systems(world), &context, 1), KIN_ERROR_INVALID);
}

START_TEST(rfl_16_counting_that_makes_no_sense_is_refused)
{
    kin_systems *systems = town_world_systems(town);
    kin_context *contexts[] = {&town->contexts->people->base, NULL};
    ck_assert_int_eq(kin_systems_count_changes(NULL, contexts, 1), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_systems_count_changes(systems, contexts, 1), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_systems_profile(systems, NULL, 4), KIN_OK);
    ck_assert_int_eq(kin_systems_count_changes(systems, contexts, 2), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_systems_count_changes(systems, NULL, 1), KIN_ERROR_INVALID);
    town_listen(NULL);
    town_do("Mayor:execute", count_here);
    town_world_update(town, 0.25);
    ck_assert_log("!INVALID ");
}
END_TEST

START_TEST(rfl_16_without_memory_nothing_is_counted)
{
    kin_systems *systems = town_world_systems(town);
    kin_context *context = &town->contexts->people->base;
    kin_systems_profile(systems, NULL, 4);
    size_t size = town_memory.size;
    for (uint64_t i = 1; i <= 10; i++) {
        guard_fail(&town_memory, i, false);
        ck_assert_int_eq(kin_systems_count_changes(systems, &context, 1), KIN_ERROR_NO_MEMORY);
        guard_fail(&town_memory, 0, false);
        ck_assert_uint_eq(town_memory.size, size);
        ck_assert_log("!NO_MEMORY ");
    }
}
END_TEST

Suite *runtime_systems_walk_suite(void)
{
    Suite *suite = suite_create("runtime_systems_walk");
    TCase *tests = tcase_create("walk");
    tcase_add_checked_fixture(tests, town_begin, town_end);
    tcase_add_test(tests, rfl_15_a_walk_visits_every_system_in_the_order_in_which_they_run);
    tcase_add_test(tests, rfl_15_reactive_systems_show_their_collectors);
    tcase_add_test(tests, rfl_15_a_system_is_disabled_by_its_place);
    tcase_add_test(tests, rfl_15_systems_with_equal_names_have_places_of_their_own);
    tcase_add_test(tests, rfl_16_the_changes_of_each_system_are_counted);
    tcase_add_test(tests, rfl_16_counting_ends_with_no_contexts_and_begins_anew);
    tcase_add_test(tests, rfl_16_counting_that_makes_no_sense_is_refused);
    tcase_add_test(tests, rfl_16_without_memory_nothing_is_counted);
    suite_add_tcase(suite, tests);
    return suite;
}
