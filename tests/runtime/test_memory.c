// Every call that needs memory is tried with each of its requests failing: it is refused, tells so once, and leaves
// everything as it was. What must never need memory is done with none to be had.

#include "links_case.h"
#include "suites.h"
#include "systems.h"
#include "validate.h"
#include "visible.h"

#include <stdio.h>
#include <string.h>

static guard memory;
static kin_context_options options;
static uint32_t told;
static kin_status told_status;
static char told_message[512];

static void count_errors(const kin_error *error, void *user)
{
    (void)user;
    told++;
    told_status = error->status;
    snprintf(told_message, sizeof told_message, "%s", error->message);
}

// What the steps make, each when it is first successful.
enum { GROUP_COUNT = 18 };
static links_contexts *contexts;
static relay_entity first;
static kin_group *groups[GROUP_COUNT], *docked, *sailed;
static kin_collector *narrow, *broad, *across;
static kin_systems *root, *nested;
static kin_subscription subscription;

static void begin(void)
{
    options = (kin_context_options){.allocator = guard_begin(&memory), .on_error = count_errors};
    relay = NULL;
    contexts = NULL;
    narrow = broad = across = NULL;
    root = nested = NULL;
    subscription = (kin_subscription){0};
    memset(groups, 0, sizeof groups);
}

static void end(void)
{
    if (nested != NULL && nested->place == NULL)
        kin_systems_destroy(nested);
    kin_systems_destroy(root);
    kin_collector_destroy(across);
    links_contexts_destroy(contexts);
    kin_collector_destroy(narrow);
    relay_context_destroy(relay);
    kin_collector_destroy(broad);
    relay = NULL;
    guard_end(&memory);
}

static void look(visible *visible)
{
    visible_begin(visible);
    if (relay != NULL) {
        ck_assert(kin__context_is_valid(&relay->base));
        visible_add_context(visible, &relay->base);
    }
    if (contexts != NULL) {
        ck_assert(kin__context_is_valid(&contexts->dock->base) && kin__context_is_valid(&contexts->sea->base));
        visible_add_context(visible, &contexts->dock->base);
        visible_add_context(visible, &contexts->sea->base);
    }
    visible_add_collector(visible, narrow);
    visible_add_collector(visible, broad);
    visible_add_collector(visible, across);
}

// ---- the steps: each answers whether it succeeded, and can be tried again when it did not

static bool make_context(void)
{
    relay = relay_context_create(&options);
    return relay != NULL;
}

static bool make_entity(void)
{
    first = relay_create_entity(relay);
    return first.id != 0;
}

static bool add_small(void)
{
    return relay_add_a(relay, first, (A){1}) == KIN_OK;
}

static bool replace_what_is_not_there(void)
{
    return relay_replace_big(relay, first, (Big){{1, 2, 3}}) == KIN_OK;
}

static bool set_flag(void)
{
    return relay_set_f(relay, first, true) == KIN_OK;
}

// One more of eighteen different groups, so that the list and its buckets grow.
static bool make_group(void)
{
    uint32_t count = 0;
    while (groups[count] != NULL)
        count++;
    kin_component_id one = (kin_component_id)(count % 6), other = (kin_component_id)(count / 6);
    kin_matcher matcher = other == 0   ? KIN_MATCHER(KIN_ALL(one))
                          : other == 1 ? KIN_MATCHER(KIN_NONE(one))
                                       : KIN_MATCHER(KIN_ONLY(one));
    groups[count] = kin_context_group(&relay->base, matcher);
    return groups[count] != NULL;
}

static void listen(const kin_change *change, void *user)
{
    (void)change;
    (void)user;
}

static bool subscribe(kin_group *group)
{
    kin_subscription made = kin_group_subscribe(group, KIN_ADDED_OR_REMOVED, listen, NULL);
    subscription = made.subscriber != NULL ? made : subscription;
    return made.subscriber != NULL;
}

static bool subscribe_to_all(void)
{
    return subscribe(groups[RELAY_A]);
}

static bool subscribe_to_the_large(void)
{
    return subscribe(groups[RELAY_BIG]);
}

static bool subscribe_to_none(void)
{
    return subscribe(groups[6 + RELAY_A]);
}

static bool subscribe_to_only(void)
{
    return subscribe(groups[12 + RELAY_A]);
}

static bool make_narrow_collector(void)
{
    narrow = kin_collector_create(&(kin_trigger){groups[0], KIN_ADDED}, 1);
    return narrow != NULL;
}

static bool make_broad_collector(void)
{
    kin_trigger triggers[] = {{groups[0], KIN_REMOVED}, {groups[7], KIN_MODIFIED}, {groups[14], KIN_ADDED}};
    broad = kin_collector_create(triggers, 3);
    return broad != NULL;
}

static bool list_entities(void)
{
    uint32_t count = 0;
    return relay_entities(relay, &count) != NULL && count == relay_entity_count(relay);
}

static bool list_group(void)
{
    uint32_t count = 0;
    return kin_group_entities(groups[6], &count) != NULL || kin_group_count(groups[6]) == 0;
}

static bool touch(void)
{
    return relay_touch_a(relay, first) == KIN_OK;
}

static bool list_collected(void)
{
    uint32_t count = 0;
    return kin_collector_entities(narrow, &count) != NULL && count == 1;
}

static bool list_contexts_of_collected(void)
{
    uint32_t count = 0;
    return kin_collector_contexts(narrow, &count) != NULL && count == 1;
}

// So that the next one needs another chunk.
static bool fill_chunk(void)
{
    while (relay_entity_count(relay) % 512 != 0)
        relay_create_entity(relay);
    return true;
}

static bool make_next_entity(void)
{
    return relay_create_entity(relay).id != 0;
}

static bool add_in_second_chunk(void)
{
    relay_entity last = relay_entity_of(relay->base.chunks[1]->ids[0]);
    return relay_add_a(relay, last, (A){1}) == KIN_OK;
}

static bool destroy_members(void)
{
    return kin_group_destroy_entities(groups[6]) == KIN_OK;
}

static bool make_contexts(void)
{
    contexts = links_contexts_create(&options);
    return contexts != NULL;
}

static bool make_dock_group(void)
{
    docked = kin_context_group(&contexts->dock->base, KIN_MATCHER(KIN_ALL(DOCK_CARGO)));
    return docked != NULL;
}

static bool make_sea_group(void)
{
    sailed = kin_context_group(&contexts->sea->base, KIN_MATCHER(KIN_ALL(SEA_CARGO)));
    return sailed != NULL;
}

static bool make_collector_across(void)
{
    kin_trigger triggers[] = {{sailed, KIN_ADDED}, {docked, KIN_ADDED_OR_REMOVED}};
    across = kin_collector_create(triggers, 2);
    return across != NULL;
}

static bool make_dock_entity(void)
{
    return dock_create_entity(contexts->dock).id != 0;
}

static bool make_sea_entity(void)
{
    return sea_create_entity(contexts->sea).id != 0;
}

static bool fill_chunks_of_contexts(void)
{
    while (dock_entity_count(contexts->dock) % 512 != 0)
        dock_create_entity(contexts->dock);
    while (sea_entity_count(contexts->sea) % 512 != 0)
        sea_create_entity(contexts->sea);
    return true;
}

static bool make_systems(void)
{
    root = kin_systems_create("root", &options);
    return root != NULL;
}

static bool make_nested_systems(void)
{
    nested = kin_systems_create(NULL, &options);
    return nested != NULL;
}

static bool add_system(void)
{
    return kin_systems_add(root, (kin_system){.name = "system"}) == KIN_OK;
}

static bool add_nested(void)
{
    return kin_systems_add_systems(root, nested) == KIN_OK;
}

static bool add_reactive(void)
{
    kin_trigger triggers[] = {{sailed, KIN_ADDED}, {groups[0], KIN_ADDED}};
    kin_reactive_system system = {.name = "reactive", .triggers = triggers, .trigger_count = 2};
    return kin_systems_add_reactive(nested, system) == KIN_OK;
}

typedef bool step(void);

static step *const steps[] = {
    make_context,
    make_entity,
    add_small,
    replace_what_is_not_there,
    set_flag,
    make_group,
    make_group,
    make_group,
    make_group,
    make_group,
    make_group,
    make_group,
    make_group,
    make_group,
    make_group,
    make_group,
    make_group,
    make_group,
    make_group,
    make_group,
    make_group,
    make_group,
    make_group,
    subscribe_to_all,
    subscribe_to_all,
    subscribe_to_none,
    subscribe_to_only,
    make_narrow_collector,
    subscribe_to_the_large,
    make_broad_collector,
    list_entities,
    list_group,
    touch,
    list_collected,
    list_contexts_of_collected,
    fill_chunk,
    make_next_entity,
    add_in_second_chunk,
    list_entities,
    list_group,
    make_contexts,
    make_dock_group,
    make_sea_group,
    make_dock_entity,
    make_collector_across,
    make_sea_entity,
    fill_chunks_of_contexts,
    make_dock_entity,
    make_sea_entity,
    fill_chunks_of_contexts,
    make_sea_entity,
    make_dock_entity,
    make_systems,
    make_nested_systems,
    add_system,
    add_nested,
    add_reactive,
    destroy_members,
};

enum { STEP_COUNT = sizeof steps / sizeof *steps, MOST_REQUESTS = 1000 };

// Tries a step with its `number`-th request failing. Answers whether it got by without that request.
static bool try_step(step *step, uint64_t number, bool on)
{
    static visible before, after;
    look(&before);
    told = 0;
    guard_fail(&memory, number, on);
    bool done = step(), failed = guard_has_failed(&memory);
    guard_fail(&memory, 0, false);
    guard_check(&memory);
    ck_assert_int_eq(done, !failed);
    ck_assert_uint_eq(told, failed);
    if (!failed)
        return true;
    char bytes[64];
    snprintf(bytes, sizeof bytes, "no memory for %zu bytes; ", memory.refused);
    ck_assert_int_eq(told_status, KIN_ERROR_NO_MEMORY);
    if (strstr(told_message, bytes) == NULL)
        ck_abort_msg("\"%s\" should say \"%s\"", told_message, bytes);
    look(&after);
    ck_assert_str_eq(before.text, after.text);
    return false;
}

START_TEST(err_01_a_call_that_gets_no_memory_changes_nothing)
{
    for (uint32_t i = 0; i < STEP_COUNT; i++) {
        uint64_t number = 1;
        while (!try_step(steps[i], number, _i == 1))
            ck_assert_uint_lt(++number, MOST_REQUESTS);
    }
}
END_TEST

// Stops where the `number`-th request of the whole run fails, and ends all there is while memory goes on failing.
static bool run_until_failure(uint64_t number)
{
    bool done = true;
    begin();
    guard_fail(&memory, number, true);
    for (uint32_t i = 0; i < STEP_COUNT && done; i++)
        done = steps[i]();
    end();
    return done;
}

START_TEST(err_01_whatever_was_made_is_given_back_also_without_memory)
{
    uint64_t number = 1;
    while (!run_until_failure(number))
        ck_assert_uint_lt(++number, MOST_REQUESTS);
    ck_assert_uint_gt(number, STEP_COUNT);
    begin();
}
END_TEST

// ---- inside listeners

static kin_status inner;

static void add_more(const kin_change *change, void *user)
{
    (void)user;
    inner = relay_add_big(relay, relay_told(change), (Big){{1}});
    ck_assert_int_eq(relay_has_big(relay, relay_told(change)), inner == KIN_OK);
}

START_TEST(dsp_11_a_change_that_gets_no_memory_in_a_listener_does_not_disturb_the_outer_one)
{
    make_context();
    make_entity();
    make_group();
    kin_group_subscribe(groups[0], KIN_ADDED, add_more, NULL);
    guard_fail(&memory, (uint64_t)_i, true);
    told = 0;
    inner = KIN_OK;
    kin_status outer = relay_add_a(relay, first, (A){1});
    guard_fail(&memory, 0, false);
    ck_assert_int_eq(outer, _i == 1 ? KIN_ERROR_NO_MEMORY : KIN_OK);
    ck_assert_int_eq(inner, _i == 2 ? KIN_ERROR_NO_MEMORY : KIN_OK);
    ck_assert_int_eq(relay_has_a(relay, first), _i != 1);
    ck_assert_uint_eq(told, _i < 3);
}
END_TEST

// ---- what never needs memory

static void take_all_steps(void)
{
    for (uint32_t i = 0; i + 1 < STEP_COUNT; i++)
        ck_assert(steps[i]());
}

static void change_without_memory(void)
{
    ck_assert_int_eq(relay_replace_a(relay, first, (A){2}), KIN_OK);
    ck_assert_int_eq(relay_replace_big(relay, first, (Big){{4}}), KIN_OK);
    ck_assert_int_eq(relay_touch_a(relay, first), KIN_OK);
    ck_assert_int_eq(relay_remove_a(relay, first), KIN_OK);
    ck_assert_int_eq(relay_add_a(relay, first, (A){3}), KIN_OK);
    ck_assert_int_eq(relay_set_f(relay, first, false), KIN_OK);
    ck_assert_int_eq(relay_destroy_entity(relay, first), KIN_OK);
    ck_assert_int_eq(relay_destroy_all_entities(relay), KIN_ERROR_RETAINED);
    ck_assert_int_eq(relay_context_reset(relay), KIN_ERROR_RETAINED);
}

static void end_without_memory(void)
{
    kin_systems_initialize(root);
    kin_systems_execute(root, 1);
    kin_systems_deactivate_reactive(root);
    kin_systems_activate_reactive(root);
    kin_systems_clear_reactive(root);
    kin_collector_clear(narrow);
    kin_collector_deactivate(broad);
    kin_collector_activate(broad);
    kin_collector_clear(broad);
    kin_unsubscribe(subscription);
    ck_assert_int_eq(relay_context_reset(relay), KIN_OK);
    ck_assert_int_eq(links_contexts_reset(contexts), KIN_OK);
    for (int i = 0; i < 512; i++)
        ck_assert_uint_ne(relay_create_entity(relay).id, 0);
}

START_TEST(dsp_12_changing_removing_destroying_and_resetting_never_need_memory)
{
    take_all_steps();
    guard_fail(&memory, 1, true);
    change_without_memory();
    end_without_memory();
    ck_assert_uint_eq(memory.request_count, 0);
}
END_TEST

static void replace_deeper(const kin_change *change, void *user)
{
    uint32_t *left = user;
    if ((*left)-- > 1)
        ck_assert_int_eq(relay_replace_big(relay, relay_told(change), (Big){{(int32_t)*left}}), KIN_OK);
}

START_TEST(dsp_12_nor_does_a_replace_in_a_replace_64_deep)
{
    uint32_t left = 64;
    take_all_steps();
    kin_group_subscribe(groups[RELAY_BIG], KIN_MODIFIED, replace_deeper, &left);
    guard_fail(&memory, 1, true);
    ck_assert_int_eq(relay_replace_big(relay, first, (Big){{64}}), KIN_OK);
    ck_assert_uint_eq(left, 0);
    ck_assert_uint_eq(memory.request_count, 0);
    guard_check(&memory);
}
END_TEST

START_TEST(collecting_never_needs_memory)
{
    take_all_steps();
    for (uint32_t i = 0; i < 512; i++)
        ck_assert_int_eq(relay_replace_a(relay, relay_entity_of(relay->base.chunks[0]->ids[i]), (A){(int32_t)i}),
                         KIN_OK);
    kin_collector_clear(narrow);
    guard_fail(&memory, 1, true);
    for (uint32_t i = 0; i < 512; i++)
        ck_assert_int_eq(relay_touch_a(relay, relay_entity_of(relay->base.chunks[0]->ids[i])), KIN_OK);
    ck_assert_uint_eq(kin_collector_count(narrow), 512);
    ck_assert_uint_eq(memory.request_count, 0);
}
END_TEST

Suite *runtime_memory_suite(void)
{
    Suite *suite = suite_create("runtime_memory");
    TCase *tests = tcase_create("memory");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_loop_test(tests, err_01_a_call_that_gets_no_memory_changes_nothing, 0, 2);
    tcase_add_test(tests, err_01_whatever_was_made_is_given_back_also_without_memory);
    tcase_add_loop_test(tests, dsp_11_a_change_that_gets_no_memory_in_a_listener_does_not_disturb_the_outer_one, 1, 4);
    tcase_add_test(tests, dsp_12_changing_removing_destroying_and_resetting_never_need_memory);
    tcase_add_test(tests, dsp_12_nor_does_a_replace_in_a_replace_64_deep);
    tcase_add_test(tests, collecting_never_needs_memory);
    suite_add_tcase(suite, tests);
    return suite;
}
