// What a tool hooks into: the probe of the calls of systems.
#include "runtime/support/town_case.h"
#include "suites.h"

#include <stdio.h>
#include <string.h>

static char seen[2048];

static const char *const roles[KIN_ROLE_COUNT] = {
    [KIN_ROLE_EXECUTE] = "execute", [KIN_ROLE_UPDATE] = "update",   [KIN_ROLE_ENTER] = "enter",
    [KIN_ROLE_INBOX] = "inbox",     [KIN_ROLE_CLEANUP] = "cleanup", [KIN_ROLE_FIRST_UPDATE] = "first_update"};

static bool is_of_interest(const kin_call *call)
{
    static const char *const names[] = {"Mayor", "Crier", "Clock", "Registry", "noon", "square"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (call->name != NULL && strcmp(call->name, names[i]) == 0)
            return true;
    return false;
}

static void write_call(const char *bracket, const kin_call *call)
{
    size_t used = strlen(seen);
    if (!is_of_interest(call))
        return;
    const char *role = roles[call->role] == NULL ? "other" : roles[call->role];
    if (call->is_collection)
        snprintf(seen + used, sizeof seen - used, "%s%s %u ", bracket, call->name, call->step);
    else
        snprintf(seen + used, sizeof seen - used, "%s%s:%s ", bracket, call->name, role);
}

static void enter(void *user, const kin_call *call)
{
    ck_assert_ptr_eq(user, seen);
    write_call("<", call);
}

static void leave(void *user, const kin_call *call)
{
    ck_assert_ptr_eq(user, seen);
    write_call(">", call);
}

static const kin_call_probe probe = {enter, leave, seen};

static kin_systems *systems(void)
{
    return town_world_systems(town);
}

static void begin(void)
{
    town_begin();
    town_listen("");
    seen[0] = '\0';
    ck_assert_int_eq(kin_systems_set_probe(systems(), &probe), KIN_OK);
}

START_TEST(rfl_24_the_probe_is_called_around_each_call_of_a_system_and_each_run_of_a_node)
{
    town_citizen(1);
    town_publish_bell(town);
    town_world_update(town, 0.5);
    ck_assert_str_eq(seen, "<Mayor:execute >Mayor:execute <Crier:inbox >Crier:inbox "
                           "<noon 0 "
                           "<square 0 <Clock:execute >Clock:execute >square 0 "
                           "<square 1 <Clock:execute >Clock:execute >square 1 "
                           "<square 2 <Clock:execute >Clock:execute >square 2 "
                           "<square 3 <Clock:execute >Clock:execute >square 3 "
                           ">noon 0 "
                           "<noon 1 "
                           "<square 0 <Clock:execute >Clock:execute >square 0 "
                           "<square 1 <Clock:execute >Clock:execute >square 1 "
                           "<square 2 <Clock:execute >Clock:execute >square 2 "
                           "<square 3 <Clock:execute >Clock:execute >square 3 "
                           ">noon 1 "
                           "<Registry:enter >Registry:enter <Registry:first_update >Registry:first_update "
                           "<Registry:update >Registry:update "
                           "<Mayor:cleanup >Mayor:cleanup <Registry:cleanup >Registry:cleanup ");
}
END_TEST

static void compare_place(const kin_system_entry *entry, void *user)
{
    const kin_call *call = user;
    if (entry->place == call->place)
        ck_assert_str_eq(entry->name, call->name);
}

static void enter_at_place(void *user, const kin_call *call)
{
    (void)user;
    kin_systems_walk(systems(), compare_place, (void *)(uintptr_t)call);
    snprintf(seen, sizeof seen, "%u", call->place);
}

START_TEST(rfl_24_a_call_has_the_number_of_the_system_in_a_walk)
{
    static const kin_call_probe other = {enter_at_place, enter_at_place, seen};
    ck_assert_int_eq(kin_systems_set_probe(systems(), &other), KIN_OK);
    town_world_update(town, 0.5);
    ck_assert_str_ne(seen, "");
}
END_TEST

START_TEST(rfl_24_a_probe_is_removed)
{
    ck_assert_int_eq(kin_systems_set_probe(systems(), NULL), KIN_OK);
    town_world_update(town, 0.5);
    ck_assert_str_eq(seen, "");
    ck_assert_int_eq(kin_systems_set_probe(systems(), NULL), KIN_OK);
}
END_TEST

static uint64_t read_clock(void *user)
{
    (void)user;
    return 7;
}

// The tests listen to the one system that has the least calls.
static uint32_t mayor_count(void)
{
    kin_timing timing = {0};
    return kin_systems_timing(systems(), "Mayor", KIN_ROLE_EXECUTE, &timing) == KIN_OK ? timing.count : UINT32_MAX;
}

START_TEST(rfl_24_profiling_and_a_probe_do_not_end_each_other)
{
    static const kin_clock clock = {read_clock, NULL};
    ck_assert_uint_eq(mayor_count(), UINT32_MAX);
    ck_assert_int_eq(kin_systems_profile(systems(), &clock, 4), KIN_OK);
    town_world_update(town, 0);
    ck_assert_str_ne(seen, "");
    ck_assert_uint_eq(mayor_count(), 1);
    ck_assert_int_eq(kin_systems_set_probe(systems(), NULL), KIN_OK);
    seen[0] = '\0';
    town_world_update(town, 0);
    ck_assert_str_eq(seen, "");
    ck_assert_uint_eq(mayor_count(), 2);
    ck_assert_int_eq(kin_systems_set_probe(systems(), &probe), KIN_OK);
    ck_assert_int_eq(kin_systems_profile(systems(), NULL, 0), KIN_OK);
    town_world_update(town, 0);
    ck_assert_str_ne(seen, "");
    ck_assert_uint_eq(mayor_count(), UINT32_MAX);
    ck_assert_int_eq(kin_systems_profile(systems(), &clock, 4), KIN_OK);
    town_world_update(town, 0);
    ck_assert_uint_eq(mayor_count(), 1);
}
END_TEST

START_TEST(rfl_24_a_structural_count_ends_with_profiling_and_the_probe_goes_on)
{
    kin_context *people = &town->contexts->people->base;
    ck_assert_int_eq(kin_systems_count_changes(systems(), &people, 1), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_systems_profile(systems(), NULL, 4), KIN_OK);
    ck_assert_int_eq(kin_systems_count_changes(systems(), &people, 1), KIN_OK);
    ck_assert_int_eq(kin_systems_profile(systems(), NULL, 0), KIN_OK);
    town_world_update(town, 0);
    ck_assert_str_ne(seen, "");
}
END_TEST

static kin_status inside;

static void set_inside(town_world *world)
{
    inside = kin_systems_set_probe(town_world_systems(world), NULL);
}

START_TEST(rfl_24_inside_of_a_run_and_without_functions_a_probe_is_refused)
{
    kin_call_probe incomplete = probe;
    incomplete.leave = NULL;
    town_do("Mayor:execute", set_inside);
    town_world_update(town, 0);
    ck_assert_int_eq(inside, KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_systems_set_probe(systems(), &incomplete), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_systems_set_probe(NULL, &probe), KIN_ERROR_INVALID);
    ck_assert_str_ne(seen, "");
}
END_TEST

START_TEST(rfl_24_a_probe_takes_no_memory)
{
    size_t size = town_memory.size;
    ck_assert_int_eq(kin_systems_set_probe(systems(), NULL), KIN_OK);
    guard_fail(&town_memory, 1, true);
    ck_assert_int_eq(kin_systems_set_probe(systems(), &probe), KIN_OK);
    ck_assert(!guard_has_failed(&town_memory));
    guard_fail(&town_memory, 0, false);
    ck_assert_uint_eq(town_memory.size, size);
    town_world_update(town, 0);
    ck_assert_str_ne(seen, "");
}
END_TEST

// ---- open calls

static void write_open(void *user, const kin_call *call)
{
    (void)user;
    if (call->is_open)
        write_call("", call);
}

START_TEST(rfl_24_a_call_is_open_when_nothing_of_its_turn_is_prepared)
{
    static const kin_call_probe open = {write_open, write_open, seen};
    ck_assert_int_eq(kin_systems_set_probe(systems(), &open), KIN_OK);
    kin_systems_set_enabled(systems(), "square", false);
    town_citizen(1);
    town_publish_bell(town);
    town_world_update(town, 0);
    ck_assert_str_eq(seen, "Mayor:execute Mayor:execute Crier:inbox Crier:inbox Registry:update Registry:update ");
}
END_TEST

static uint32_t changed;

// Creates, destroys and changes citizens, in turn.
static void change_in_open(void *user, const kin_call *call)
{
    (void)user;
    people_context *people = town->contexts->people;
    if (!call->is_open)
        return;
    people_entity entity = people_create_entity(people);
    people_add_age(people, entity, (Age){(int32_t)changed++});
    uint32_t count = 0;
    const people_entity *citizens = people_citizens_entities(people, &count);
    entity = citizens[changed * 7 % count];
    if (changed % 3 == 0)
        people_destroy_entity(people, entity);
    else if (changed % 3 == 1)
        people_replace_age(people, entity, (Age){-1});
    else
        people_set_asleep(people, entity, true);
}

START_TEST(rfl_24_an_open_call_allows_changes)
{
    static const kin_call_probe open = {change_in_open, change_in_open, seen};
    changed = 0;
    ck_assert_int_eq(kin_systems_set_probe(systems(), &open), KIN_OK);
    for (int i = 0; i < 100; i++) {
        town_citizen(i);
        town_publish_bell(town);
        town_world_update(town, 0.25);
    }
    ck_assert_uint_gt(changed, 1000);
    ck_assert_ptr_null(strchr(log_text(), '!'));
}
END_TEST

static void destroy_before_update(void *user, const kin_call *call)
{
    (void)user;
    if (call->role == KIN_ROLE_UPDATE && strcmp(call->name, "Registry") == 0)
        people_destroy_all_entities(town->contexts->people);
}

static void do_nothing(void *user, const kin_call *call)
{
    (void)user, (void)call;
}

START_TEST(rfl_24_an_update_whose_group_becomes_empty_before_it_is_not_called)
{
    static const kin_call_probe open = {destroy_before_update, do_nothing, seen};
    ck_assert_int_eq(kin_systems_set_probe(systems(), &open), KIN_OK);
    town_listen("Registry");
    for (int i = 0; i < 3; i++) {
        town_citizen(i);
        town_world_update(town, 0);
        ck_assert_uint_eq(people_entity_count(town->contexts->people), 0);
    }
    ck_assert_ptr_nonnull(strstr(log_text(), "Registry:enter"));
    ck_assert_ptr_null(strstr(log_text(), "Registry:update"));
}
END_TEST

static void disable_crier(const kin_change *change, void *user)
{
    (void)change, (void)user;
    kin_systems_set_enabled(systems(), "Crier", false);
}

static void create_before_inbox(void *user, const kin_call *call)
{
    (void)user;
    if (call->role == KIN_ROLE_INBOX)
        people_create_entity(town->contexts->people);
}

START_TEST(rfl_24_an_inbox_that_a_probe_has_cleared_is_not_read)
{
    static const kin_call_probe open = {create_before_inbox, do_nothing, seen};
    town_listen("Crier");
    town_publish_bell(town);
    town_world_update(town, 0);
    ck_assert_ptr_nonnull(strstr(log_text(), "Crier"));
    ck_assert_int_eq(kin_systems_set_probe(systems(), &open), KIN_OK);
    kin_context_subscribe(&town->contexts->people->base, KIN_ENTITY_CREATED, disable_crier, NULL);
    town_listen("Crier");
    town_publish_bell(town);
    town_world_update(town, 0);
    ck_assert_ptr_null(strstr(log_text(), "Crier"));
}
END_TEST

Suite *runtime_system_probe_suite(void)
{
    Suite *suite = suite_create("runtime_system_probe");
    TCase *tests = tcase_create("probe");
    tcase_add_checked_fixture(tests, begin, town_end);
    tcase_add_test(tests, rfl_24_the_probe_is_called_around_each_call_of_a_system_and_each_run_of_a_node);
    tcase_add_test(tests, rfl_24_a_call_has_the_number_of_the_system_in_a_walk);
    tcase_add_test(tests, rfl_24_a_probe_is_removed);
    tcase_add_test(tests, rfl_24_profiling_and_a_probe_do_not_end_each_other);
    tcase_add_test(tests, rfl_24_a_structural_count_ends_with_profiling_and_the_probe_goes_on);
    tcase_add_test(tests, rfl_24_inside_of_a_run_and_without_functions_a_probe_is_refused);
    tcase_add_test(tests, rfl_24_a_probe_takes_no_memory);
    tcase_add_test(tests, rfl_24_a_call_is_open_when_nothing_of_its_turn_is_prepared);
    tcase_add_test(tests, rfl_24_an_open_call_allows_changes);
    tcase_add_test(tests, rfl_24_an_update_whose_group_becomes_empty_before_it_is_not_called);
    tcase_add_test(tests, rfl_24_an_inbox_that_a_probe_has_cleared_is_not_read);
    suite_add_tcase(suite, tests);
    return suite;
}
