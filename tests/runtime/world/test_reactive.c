#include "runtime/support/links_case.h"
#include "suites.h"

static kin_systems *root;

// The actions of `filter` and `execute` of the systems below besides writing; each test sets them.
static bool (*judge)(kin_context *context, kin_entity entity);
static void (*act)(kin_context *context, const kin_entity *entities, uint32_t count);

static void begin(void)
{
    links_begin();
    kin_context_options options = links_options();
    root = kin_systems_create("root", &options);
    judge = NULL;
    act = NULL;
}

static void end(void)
{
    kin_systems_destroy(root);
    links_end();
}

static bool filter(void *self, kin_context *context, kin_entity entity)
{
    log_write("%s?", (const char *)self);
    links_write(context, entity);
    return judge == NULL || judge(context, entity);
}

static void execute(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    log_write("%s!", (const char *)self);
    for (uint32_t i = 0; i < count; i++)
        links_write(context, entities[i]);
    if (act != NULL)
        act(context, entities, count);
}

static kin_reactive_system system_of(const kin_trigger *triggers, size_t count, bool filtered)
{
    static char name[] = "r";
    return (kin_reactive_system){.name = name,
                                 .triggers = triggers,
                                 .trigger_count = count,
                                 .filter = filtered ? filter : NULL,
                                 .execute = execute,
                                 .self = name};
}

// A reactive system on cargo added in the dock, or in both contexts with the sea first.
static void add_dock(bool filtered)
{
    kin_trigger trigger = {dock_cargo(), KIN_ADDED};
    ck_assert_int_eq(kin_systems_add_reactive(root, system_of(&trigger, 1, filtered)), KIN_OK);
}

static void add_both(bool filtered)
{
    kin_trigger triggers[] = {{sea_cargo(), KIN_ADDED}, {dock_cargo(), KIN_ADDED}, {sea_cargo(), KIN_REMOVED}};
    ck_assert_int_eq(kin_systems_add_reactive(root, system_of(triggers, 3, filtered)), KIN_OK);
}

static void run(const char *expected)
{
    kin_systems_execute(root, 1);
    ck_assert_log(expected);
}

START_TEST(rsy_01_a_system_collects_from_its_addition_on)
{
    dock_entity_with_cargo(1);
    add_dock(false);
    dock_entity_with_cargo(2);
    run("r!d2 ");
}
END_TEST

START_TEST(rsy_01_without_a_trigger_or_with_a_faulty_one_it_is_refused)
{
    kin_trigger faulty[] = {{dock_cargo(), KIN_ADDED}, {NULL, KIN_ADDED}, {dock_cargo(), (kin_group_event)7}};
    ck_assert_int_eq(kin_systems_add_reactive(root, system_of(NULL, 1, false)), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_systems_add_reactive(root, system_of(faulty, 0, false)), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_systems_add_reactive(root, system_of(faulty, 2, false)), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_systems_add_reactive(root, system_of(&faulty[2], 1, false)), KIN_ERROR_INVALID);
    run("!INVALID !INVALID !INVALID !INVALID ");
}
END_TEST

static bool is_heavy(kin_context *context, kin_entity entity)
{
    const Cargo *cargo = dock_get_cargo(dock_context_of(context), dock_entity_of(entity));
    return cargo != NULL && cargo->weight > 1;
}

START_TEST(rsy_02_a_run_filters_all_entities_then_executes_with_the_accepted_ones)
{
    judge = is_heavy;
    add_dock(true);
    dock_entity_with_cargo(2);
    dock_entity_with_cargo(1);
    dock_entity_with_cargo(3);
    run("r?d1 r?d2 r?d3 r!d1 d3 ");
    run("");
}
END_TEST

START_TEST(rsy_03_nothing_collected_or_all_rejected_executes_nothing_and_the_rejected_are_forgotten)
{
    judge = is_heavy;
    add_dock(true);
    run("");
    dock_entity entity = dock_entity_with_cargo(1);
    run("r?d1 ");
    dock_edit_cargo(dock, entity)->weight = 2;
    run("");
}
END_TEST

static bool create_one_and_pass_the_living(kin_context *context, kin_entity entity)
{
    log_write("in%u ", kin_entity_slot(dock_create_entity(dock_context_of(context)).id));
    return kin_entity_is_alive(context, entity);
}

static void create_two(kin_context *context, const kin_entity *entities, uint32_t count)
{
    (void)entities;
    (void)count;
    for (int i = 0; i < 2; i++)
        log_write("in%u ", kin_entity_slot(dock_create_entity(dock_context_of(context)).id));
}

START_TEST(rsy_04_a_slot_is_not_used_again_before_its_release)
{
    judge = create_one_and_pass_the_living;
    act = create_two;
    add_dock(true);
    dock_entity first = dock_entity_with_cargo(1), second = dock_entity_with_cargo(2);
    dock_entity_with_cargo(3);
    dock_destroy_entity(dock, first);
    dock_destroy_entity(dock, second);
    run("r?d1 in3 r?d2 in4 r?d3 in5 r!d3 in1 in0 "); // rejected entities are released before execute
}
END_TEST

static void destroy_and_create(kin_context *context, const kin_entity *entities, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        dock_destroy_entity(dock_context_of(context), dock_entity_of(entities[i]));
    create_two(context, entities, count);
    log_write("%u held ", kin_context_retained_count(context));
}

START_TEST(rsy_04_accepted_entities_are_held_until_execute_returns)
{
    act = destroy_and_create;
    add_dock(false);
    dock_entity_with_cargo(1);
    dock_entity_with_cargo(2);
    run("r!d1 d2 in2 in3 2 held ");
    ck_assert_uint_eq(kin_context_retained_count(&dock->base), 0);
    ck_assert_uint_eq(kin_context_reusable_count(&dock->base), 2);
}
END_TEST

START_TEST(rsy_05_without_a_filter_living_entities_are_accepted)
{
    add_dock(false);
    dock_entity first = dock_entity_with_cargo(1);
    dock_entity_with_cargo(2);
    dock_destroy_entity(dock, first);
    run("r!d2 ");
}
END_TEST

START_TEST(rsy_05_the_filter_is_called_for_dead_entities_and_may_accept_them)
{
    add_dock(true);
    dock_destroy_entity(dock, dock_entity_with_cargo(1));
    dock_entity_with_cargo(2);
    run("r?d1 r?d2 r!d1 d2 ");
}
END_TEST

static bool destroy_the_first(kin_context *context, kin_entity entity)
{
    (void)entity;
    dock_entity first = {(kin_entity)1 << 24};
    if (kin_entity_is_alive(context, first.id))
        dock_destroy_entity(dock_context_of(context), first);
    return true;
}

START_TEST(rsy_06_an_entity_that_passed_may_be_dead_in_execute)
{
    judge = destroy_the_first;
    add_dock(true);
    dock_entity first = dock_entity_with_cargo(1);
    dock_entity_with_cargo(2);
    run("r?d1 r?d2 r!d1 d2 ");
    ck_assert(!dock_entity_is_alive(dock, first));
}
END_TEST

static uint32_t changes_left;

static void change_all(kin_context *context, const kin_entity *entities, uint32_t count)
{
    for (uint32_t i = 0; i < count && changes_left > 0; i++, changes_left--)
        dock_touch_cargo(dock_context_of(context), dock_entity_of(entities[i]));
}

static bool change_it(kin_context *context, kin_entity entity)
{
    change_all(context, &entity, 1);
    return false;
}

START_TEST(rsy_07_changes_made_in_filter_or_execute_are_collected_for_the_next_run)
{
    judge = _i == 0 ? change_it : NULL;
    act = _i == 0 ? NULL : change_all;
    changes_left = 1;
    add_dock(true);
    dock_entity_with_cargo(1);
    run(_i == 0 ? "r?d1 " : "r?d1 r!d1 ");
    run(_i == 0 ? "r?d1 " : "r?d1 r!d1 ");
    run("");
}
END_TEST

START_TEST(rsy_07_clearing_after_the_run_drops_them)
{
    act = change_all;
    changes_left = 1;
    add_dock(false);
    dock_entity_with_cargo(1);
    run("r!d1 ");
    kin_systems_clear_reactive(root);
    run("");
}
END_TEST

START_TEST(rsy_08_one_execute_a_context_in_order_of_the_triggers)
{
    add_both(false);
    dock_entity_with_cargo(1);
    sea_entity_with_cargo(1);
    dock_entity_with_cargo(1);
    sea_entity_with_cargo(1);
    run("r!s1 s2 r!d1 d2 ");
    dock_entity_with_cargo(1);
    run("r!d3 ");
}
END_TEST

START_TEST(rsy_08_the_filter_is_called_in_order_of_collection_across_contexts)
{
    add_both(true);
    dock_entity_with_cargo(1);
    sea_entity_with_cargo(1);
    dock_entity_with_cargo(1);
    run("r?d1 r?s1 r?d2 r!s1 r!d1 d2 ");
}
END_TEST

static void grow(kin_context *context, const kin_entity *entities, uint32_t count)
{
    (void)context;
    kin_entity before[3];
    ck_assert_uint_eq(count, 3);
    memcpy(before, entities, sizeof before);
    for (int32_t i = 0; i < 2000; i++)
        dock_entity_with_cargo(i);
    kin_systems_clear_reactive(root);
    dock_destroy_all_entities(dock);
    ck_assert_mem_eq(before, entities, sizeof before);
    act = NULL;
}

START_TEST(rsy_09_nothing_changes_the_array_until_execute_returns)
{
    act = grow;
    add_dock(false);
    for (int32_t i = 0; i < 3; i++)
        dock_entity_with_cargo(i);
    run("r!d1 d2 d3 !RETAINED "); // holders of the run's entities
    dock_entity_with_cargo(1);
    run("r!d2004 ");
}
END_TEST

static void run_again(kin_context *context, const kin_entity *entities, uint32_t count)
{
    (void)context;
    (void)entities;
    (void)count;
    dock_entity_with_cargo(9);
    log_write("( ");
    act = NULL;
    kin_systems_execute(root, 1);
    log_write(") ");
}

START_TEST(rsy_10_a_run_inside_its_own_run_is_skipped_and_collected_entities_wait)
{
    act = run_again;
    add_dock(false);
    dock_entity_with_cargo(1);
    run("r!d1 ( ) ");
    run("r!d2 ");
}
END_TEST

static void remove_it(kin_context *context, const kin_entity *entities, uint32_t count)
{
    (void)count;
    ck_assert_int_eq(kin_systems_remove(root, "r"), KIN_OK);
    dock_entity_with_cargo(1);
    links_write(context, entities[0]);
}

START_TEST(sys_04_a_reactive_system_that_removes_itself_ends_its_turn)
{
    act = remove_it;
    add_dock(false);
    dock_entity_with_cargo(1);
    run("r!d1 d1 ");
    run("");
}
END_TEST

// ---- destroying a context from inside

static void destroy_dock(kin_context *context, const kin_entity *entities, uint32_t count)
{
    (void)context;
    (void)entities;
    (void)count;
    dock_context_destroy(dock);
}

static bool destroy_dock_and_pass(kin_context *context, kin_entity entity)
{
    destroy_dock(context, &entity, 1);
    return true;
}

START_TEST(ctx_10_a_context_is_not_destroyed_from_inside_a_filter_or_execute_of_its_own)
{
    judge = _i == 0 ? destroy_dock_and_pass : NULL;
    act = _i == 0 ? NULL : destroy_dock;
    add_both(_i == 0);
    dock_entity_with_cargo(1);
    run(_i == 0 ? "r?d1 !INVALID r!d1 " : "r!d1 !INVALID ");
    dock_entity_with_cargo(1);
}
END_TEST

static void destroy_in_listener(const kin_change *change, void *user)
{
    (void)user;
    log_write("+ ");
    dock_context_destroy(dock_context_of(change->context));
}

START_TEST(ctx_10_a_context_is_not_destroyed_from_inside_a_listener)
{
    kin_group_subscribe(dock_cargo(), KIN_ADDED, destroy_in_listener, NULL);
    dock_entity_with_cargo(1);
    ck_assert_log("+ !INVALID ");
}
END_TEST

static void reset_dock(kin_context *context, const kin_entity *entities, uint32_t count)
{
    (void)context;
    links_write(&dock->base, entities[count - 1]);
    ck_assert_int_eq(dock_context_reset(dock), KIN_ERROR_RETAINED);
    ck_assert_uint_eq(kin_entity_slot(dock_create_entity(dock).id), 1);
}

START_TEST(ctx_10_a_context_may_be_reset_in_a_filter_or_execute_of_its_own)
{
    act = reset_dock;
    add_dock(false);
    dock_entity_with_cargo(1);
    run("r!d1 d1 !RETAINED ");
    ck_assert_int_eq(dock_context_reset(dock), KIN_OK);
}
END_TEST

Suite *runtime_reactive_suite(void)
{
    Suite *suite = suite_create("runtime_reactive");
    TCase *tests = tcase_create("reactive");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, rsy_01_a_system_collects_from_its_addition_on);
    tcase_add_test(tests, rsy_01_without_a_trigger_or_with_a_faulty_one_it_is_refused);
    tcase_add_test(tests, rsy_02_a_run_filters_all_entities_then_executes_with_the_accepted_ones);
    tcase_add_test(tests, rsy_03_nothing_collected_or_all_rejected_executes_nothing_and_the_rejected_are_forgotten);
    tcase_add_test(tests, rsy_04_a_slot_is_not_used_again_before_its_release);
    tcase_add_test(tests, rsy_04_accepted_entities_are_held_until_execute_returns);
    tcase_add_test(tests, rsy_05_without_a_filter_living_entities_are_accepted);
    tcase_add_test(tests, rsy_05_the_filter_is_called_for_dead_entities_and_may_accept_them);
    tcase_add_test(tests, rsy_06_an_entity_that_passed_may_be_dead_in_execute);
    tcase_add_loop_test(tests, rsy_07_changes_made_in_filter_or_execute_are_collected_for_the_next_run, 0, 2);
    tcase_add_test(tests, rsy_07_clearing_after_the_run_drops_them);
    tcase_add_test(tests, rsy_08_one_execute_a_context_in_order_of_the_triggers);
    tcase_add_test(tests, rsy_08_the_filter_is_called_in_order_of_collection_across_contexts);
    tcase_add_test(tests, rsy_09_nothing_changes_the_array_until_execute_returns);
    tcase_add_test(tests, rsy_10_a_run_inside_its_own_run_is_skipped_and_collected_entities_wait);
    tcase_add_test(tests, sys_04_a_reactive_system_that_removes_itself_ends_its_turn);
    tcase_add_loop_test(tests, ctx_10_a_context_is_not_destroyed_from_inside_a_filter_or_execute_of_its_own, 0, 2);
    tcase_add_test(tests, ctx_10_a_context_is_not_destroyed_from_inside_a_listener);
    tcase_add_test(tests, ctx_10_a_context_may_be_reset_in_a_filter_or_execute_of_its_own);
    suite_add_tcase(suite, tests);
    return suite;
}
