// Restores that notify (SNP-28 to SNP-30, NET-12): of the differences alone, in their order, when everything is in
// place.
#include "crowd.h"
#include "entity/entity.h"
#include "suites.h"

#include <kin/collector.h>
#include <kin/event.h>
#include <kin/generated/storage.h>
#include <kin/group.h>
#include <kin/info.h>
#include <kin/reflect.h>

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOMENTS = 4, POPULATION = 120, GROUPS = 64, LINES = 1 << 20, MOST = 1024 };

static crowd crowded;
static kin_snapshot *snapshots[MOMENTS];

// ---- what is notified, and what a comparison by hand finds, as lines

typedef struct lines {
    char text[LINES];
    size_t length;
    kin_entity destroyed; // noted after its components
} lines;

static lines notified, expected;

static void add(lines *lines, const char *what, kin_entity entity, uint32_t component)
{
    lines->length +=
        (size_t)snprintf(lines->text + lines->length, LINES - lines->length, "%s %" PRIu64 "@%" PRIu32 " %" PRIu32 "\n",
                         what, kin_entity_creation_index(entity), kin_entity_slot(entity), component);
    ck_assert_uint_lt(lines->length, LINES);
}

static void flush(lines *lines)
{
    if (lines->destroyed != 0)
        add(lines, "destroyed", lines->destroyed, 0);
    lines->destroyed = 0;
}

static bool expect(const kin_difference *difference, void *user)
{
    lines *lines = user;
    bool is_entity = difference->component == difference->context->component_count;
    if (lines->destroyed != difference->entity)
        flush(lines);
    if (is_entity && difference->before != NULL)
        lines->destroyed = difference->entity;
    else if (is_entity)
        add(lines, "created", difference->entity, 0);
    else if (difference->before == NULL)
        add(lines, "added", difference->entity, difference->component);
    else
        add(lines, difference->after == NULL ? "removed" : "replaced", difference->entity, difference->component);
    return true;
}

// Whether comparisons look at all of the component.
static bool is_compared(const kin_component_info *info)
{
    for (uint32_t i = 0; i < info->field_count; i++)
        if (info->fields[i].is_unsaved)
            return false;
    return !info->is_unsaved;
}

static void note_change(const kin_change *change, void *user)
{
    static const char *const names[] = {"added", "removed", "replaced"};
    ck_assert(kin__context_is_valid(change->context));
    if (is_compared(&crowded.context->info->components[change->component]))
        add(user, names[change->event], change->entity, change->component);
}

static void note_created(const kin_change *change, void *user)
{
    add(user, "created", change->entity, 0);
}

static void note_destroyed(const kin_change *change, void *user)
{
    add(user, "destroyed", change->entity, 0);
}

static void note_restored(const kin_change *change, void *user)
{
    (void)change;
    add(user, "restored", 0, 0);
}

// ---- groups

typedef struct watched {
    kin_group *group;
    kin_entity before[MOST], after[MOST];
    uint32_t before_count, after_count;
    uint32_t entered, left;
    kin_collector *collector;
} watched;

static watched groups[GROUPS];
static uint32_t group_count;

static bool is_in(const kin_entity *entities, uint32_t count, kin_entity entity)
{
    for (uint32_t i = 0; i < count; i++)
        if (entities[i] == entity)
            return true;
    return false;
}

static void note_added(const kin_change *change, void *user)
{
    watched *watched = user;
    ck_assert(kin_group_contains(watched->group, change->entity));
    watched->entered += !is_in(watched->before, watched->before_count, change->entity);
}

static void note_removed(const kin_change *change, void *user)
{
    watched *watched = user;
    watched->left += !kin_group_contains(watched->group, change->entity);
}

static void watch_groups(void)
{
    group_count = crowded.context->info->group_count < GROUPS ? crowded.context->info->group_count : GROUPS;
    for (uint32_t i = 0; i < group_count; i++) {
        watched *watched = &groups[i];
        *watched =
            (struct watched){.group = kin_context_group(crowded.context, crowded.context->info->groups[i].matcher)};
        ck_assert_ptr_nonnull(watched->group);
        kin_trigger trigger = {watched->group, KIN_ADDED_OR_REMOVED};
        watched->collector = kin_collector_create(&trigger, 1);
        kin_group_subscribe(watched->group, KIN_ADDED, note_added, watched);
        kin_group_subscribe(watched->group, KIN_REMOVED, note_removed, watched);
    }
}

static void look_before(void)
{
    for (uint32_t i = 0; i < group_count; i++) {
        groups[i].before_count = kin_group_copy_entities(groups[i].group, groups[i].before, MOST);
        groups[i].entered = groups[i].left = 0;
        kin_collector_clear(groups[i].collector);
    }
}

static void check_groups(void)
{
    for (uint32_t i = 0; i < group_count; i++) {
        watched *watched = &groups[i];
        uint32_t entered = 0;
        uint32_t left = 0;
        watched->after_count = kin_group_copy_entities(watched->group, watched->after, MOST);
        for (uint32_t k = 0; k < watched->after_count; k++)
            entered += !is_in(watched->before, watched->before_count, watched->after[k]);
        for (uint32_t k = 0; k < watched->before_count; k++)
            left += !is_in(watched->after, watched->after_count, watched->before[k]);
        ck_assert_uint_eq(watched->entered, entered);
        ck_assert_uint_eq(watched->left, left);
        for (uint32_t k = 0; k < watched->after_count; k++)
            ck_assert(is_in(watched->before, watched->before_count, watched->after[k]) ||
                      kin_collector_contains(watched->collector, crowded.context, watched->after[k]));
    }
}

// ---- pairs

static void begin(uint32_t package)
{
    crowd_begin(&crowded, package);
    for (uint32_t i = 0; i < MOMENTS; i++) {
        crowd_change(&crowded, 400, POPULATION);
        ck_assert_int_eq(kin__context_save(crowded.context, &snapshots[i]), KIN_OK);
    }
}

static void end(void)
{
    for (uint32_t i = 0; i < group_count; i++)
        kin_collector_destroy(groups[i].collector);
    group_count = 0;
    for (uint32_t i = 0; i < MOMENTS; i++) {
        kin_snapshot_destroy(snapshots[i]);
        snapshots[i] = NULL;
    }
    crowd_end(&crowded);
}

static void subscribe(void)
{
    kin_context_subscribe(crowded.context, KIN_COMPONENT_CHANGED, note_change, &notified);
    kin_context_subscribe(crowded.context, KIN_ENTITY_CREATED, note_created, &notified);
    kin_context_subscribe(crowded.context, KIN_ENTITY_WAS_DESTROYED, note_destroyed, &notified);
    kin_context_subscribe(crowded.context, KIN_CONTEXT_RESTORED, note_restored, &notified);
}

// Restores from the state of now, with notifications, and compares by hand.
static void restore_and_compare(kin_snapshot *to, kin_snapshot **now)
{
    kin_status saved = kin__context_save(crowded.context, now);
    ck_assert(saved == KIN_OK || saved == KIN_ERROR_RETAINED);
    notified.length = expected.length = 0;
    notified.text[0] = expected.text[0] = '\0';
    look_before();
    kin_snapshot_compare(*now, to, expect, &expected);
    flush(&expected);
    add(&expected, "restored", 0, 0);
    ck_assert_int_eq(kin__context_restore(crowded.context, to, KIN_RESTORE_NOTIFY), KIN_OK);
    ck_assert_str_eq(notified.text, expected.text);
    ck_assert(kin__context_is_valid(crowded.context));
    check_groups();
    ck_assert_int_eq(kin__context_save(crowded.context, now), KIN_OK);
    ck_assert_uint_eq(kin_snapshot_compare(*now, to, NULL, NULL), 0);
}

static uint32_t rounds(void)
{
    const char *text = getenv("KIN_NOTIFY_ROUNDS");
    return text == NULL ? 8 : (uint32_t)atoi(text);
}

START_TEST(net_12_notified_is_what_a_comparison_finds)
{
    kin_snapshot *now = NULL;
    begin((uint32_t)_i);
    subscribe();
    watch_groups();
    for (uint32_t i = 0; i < rounds(); i++) {
        for (uint32_t k = 0; k < group_count; k++)
            kin_collector_clear(groups[k].collector); // so that no slot is held
        restore_and_compare(snapshots[i * 7 % MOMENTS], &now);
        if (i % 3 == 0) {
            crowd_change(&crowded, i * 13 % 200, POPULATION);
            for (uint32_t k = 0; k < group_count; k++)
                kin_collector_clear(groups[k].collector);
        }
        if (i % 4 == 0)
            ck_assert_int_eq(kin__context_save(crowded.context, &snapshots[i / 4 % MOMENTS]), KIN_OK);
    }
    kin_snapshot_destroy(now);
    end();
}
END_TEST

START_TEST(net_12_equal_states_notify_nobody)
{
    begin((uint32_t)_i);
    ck_assert_int_eq(kin__context_restore(crowded.context, snapshots[1], KIN_RESTORE_EXACTLY), KIN_OK);
    subscribe();
    notified.length = 0;
    ck_assert_int_eq(kin__context_restore(crowded.context, snapshots[1], KIN_RESTORE_NOTIFY), KIN_OK);
    ck_assert_str_eq(notified.text, "restored 0@0 0\n");
    end();
}
END_TEST

START_TEST(snp_13_a_restore_that_notifies_and_gets_no_memory_changes_nothing)
{
    static visible before, after;
    begin((uint32_t)_i);
    subscribe();
    watch_groups();
    crowd_look(&crowded, &before);
    for (uint64_t number = 1;; number += 1 + number / 20) {
        notified.length = 0;
        notified.text[0] = '\0';
        guard_fail(&crowded.memory, number, false);
        kin_status status = kin__context_restore(crowded.context, snapshots[0], KIN_RESTORE_NOTIFY);
        bool has_failed = guard_has_failed(&crowded.memory);
        guard_fail(&crowded.memory, 0, false);
        ck_assert_int_eq(status, has_failed ? KIN_ERROR_NO_MEMORY : KIN_OK);
        if (!has_failed)
            break;
        crowd_look(&crowded, &after);
        ck_assert_str_eq(before.text, after.text);
        ck_assert_str_eq(notified.text, "");
    }
    end();
}
END_TEST

// ---- listeners that change the context

static kin_entity victim;

static void destroy_victim(const kin_change *change, void *user)
{
    (void)user;
    if (victim != 0 && change->entity != victim && kin_entity_is_alive(change->context, victim))
        kin_destroy(change->context, victim);
}

static bool find_last(const kin_difference *difference, void *user)
{
    if (difference->component == difference->context->component_count && difference->after != NULL)
        *(kin_entity *)user = difference->entity;
    return true;
}

// The last entity that comes is destroyed by the first listener: then its own differences are not notified.
START_TEST(net_12_a_difference_that_a_listener_has_made_untrue_is_not_notified)
{
    char line[64];
    kin_snapshot *now = NULL;
    begin((uint32_t)_i);
    ck_assert_int_eq(kin__context_restore(crowded.context, snapshots[0], KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert_int_eq(kin__context_save(crowded.context, &now), KIN_OK);
    victim = 0;
    kin_snapshot_compare(now, snapshots[3], find_last, &victim);
    ck_assert_uint_ne(victim, 0);
    subscribe();
    kin_context_subscribe(crowded.context, KIN_COMPONENT_CHANGED, destroy_victim, NULL);
    notified.length = 0;
    ck_assert_int_eq(kin__context_restore(crowded.context, snapshots[3], KIN_RESTORE_NOTIFY), KIN_OK);
    snprintf(line, sizeof line, "created %" PRIu64 "@%" PRIu32 " ", kin_entity_creation_index(victim),
             kin_entity_slot(victim));
    if (!kin_entity_is_alive(crowded.context, victim))
        ck_assert_ptr_null(strstr(notified.text, line));
    ck_assert(kin__context_is_valid(crowded.context));
    victim = 0;
    kin_snapshot_destroy(now);
    end();
}
END_TEST

// Differences of components after the first entity that comes.
static bool expect_later(const kin_difference *difference, void *user)
{
    bool *has_come = user;
    bool is_entity = difference->component == difference->context->component_count;
    *has_come = *has_come || (is_entity && difference->after != NULL);
    if (!is_entity && *has_come)
        expect(difference, &expected);
    return true;
}

static void subscribe_late(const kin_change *change, void *user)
{
    bool *is_subscribed = user;
    if (!*is_subscribed)
        kin_context_subscribe(change->context, KIN_COMPONENT_CHANGED, note_change, &notified);
    *is_subscribed = true;
}

START_TEST(net_12_a_listener_of_a_restore_that_subscribes_gets_the_later_differences)
{
    kin_snapshot *now = NULL;
    bool has_come = false;
    bool is_subscribed = false;
    begin((uint32_t)_i);
    ck_assert_int_eq(kin__context_restore(crowded.context, snapshots[0], KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert_int_eq(kin__context_save(crowded.context, &now), KIN_OK);
    notified.length = expected.length = 0;
    notified.text[0] = expected.text[0] = '\0';
    kin_snapshot_compare(now, snapshots[MOMENTS - 1], expect_later, &has_come);
    kin_context_subscribe(crowded.context, KIN_ENTITY_CREATED, subscribe_late, &is_subscribed);
    ck_assert_int_eq(kin__context_restore(crowded.context, snapshots[MOMENTS - 1], KIN_RESTORE_NOTIFY), KIN_OK);
    ck_assert(is_subscribed && has_come && expected.length > 0);
    ck_assert_str_eq(notified.text, expected.text);
    kin_snapshot_destroy(now);
    end();
}
END_TEST

static void try_to_restore(const kin_change *change, void *user)
{
    (void)user;
    ck_assert_int_eq(kin__context_restore(change->context, snapshots[1], KIN_RESTORE_NOTIFY), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin__context_save(change->context, &snapshots[1]), KIN_ERROR_INVALID);
    kin_snapshot_destroy(snapshots[2]); // the one that is being restored
    snapshots[2] = NULL;
}

START_TEST(snp_06_listeners_of_a_restore_can_neither_save_nor_restore)
{
    begin((uint32_t)_i);
    kin_context_subscribe(crowded.context, KIN_COMPONENT_CHANGED, try_to_restore, NULL);
    ck_assert_int_eq(kin__context_restore(crowded.context, snapshots[2], KIN_RESTORE_NOTIFY), KIN_OK);
    ck_assert_ptr_null(snapshots[2]);
    end();
}
END_TEST

static void destroy_all(const kin_change *change, void *user)
{
    uint32_t *calls = user;
    ++*calls;
    kin__context_reset(change->context);
}

START_TEST(net_12_after_a_reset_by_a_listener_nothing_more_is_notified)
{
    uint32_t calls = 0;
    begin((uint32_t)_i);
    kin_context_subscribe(crowded.context, KIN_ENTITY_CREATED, destroy_all, &calls);
    ck_assert_int_eq(kin__context_restore(crowded.context, snapshots[0], KIN_RESTORE_NOTIFY), KIN_OK);
    ck_assert_uint_le(calls, 1);
    ck_assert(kin__context_is_valid(crowded.context));
    end();
}
END_TEST

// ---- entities

static void count_call(const kin_change *change, void *user)
{
    uint32_t *calls = user;
    (void)change;
    ++*calls;
}

START_TEST(net_12_the_subscribers_of_an_entity_that_a_restore_destroys_are_called_once)
{
    uint32_t destroyed = 0;
    uint32_t removed = 0;
    uint32_t released = 0;
    begin((uint32_t)_i);
    kin_entity entity = kin_create(crowded.context);
    kin_entity_subscribe(crowded.context, entity, KIN_ENTITY_DESTROYED, count_call, &destroyed);
    kin_entity_subscribe(crowded.context, entity, KIN_COMPONENT_REMOVED, count_call, &removed);
    kin_entity_subscribe(crowded.context, entity, KIN_ENTITY_RELEASED, count_call, &released);
    ck_assert_int_eq(kin__context_restore(crowded.context, snapshots[MOMENTS - 1], KIN_RESTORE_NOTIFY), KIN_OK);
    ck_assert_uint_eq(destroyed, 1);
    ck_assert_uint_eq(removed, 0);
    ck_assert_uint_eq(released, 1);
    ck_assert_int_eq(kin__context_restore(crowded.context, snapshots[0], KIN_RESTORE_NOTIFY), KIN_OK);
    ck_assert_uint_eq(destroyed, 1);
    end();
}
END_TEST

// What a collector had collected of entities that stay is not lost.
START_TEST(net_12_collectors_keep_what_they_have_collected)
{
    begin((uint32_t)_i);
    watch_groups();
    ck_assert_int_eq(kin__context_save(crowded.context, &snapshots[0]), KIN_OK);
    crowd_change(&crowded, 60, POPULATION);
    for (uint32_t i = 0; i < group_count; i++)
        groups[i].after_count = kin_collector_count(groups[i].collector);
    for (uint32_t i = 0; i < group_count; i++) {
        uint32_t count = 0;
        const kin_entity *entities = kin_collector_entities(groups[i].collector, &count);
        groups[i].before_count = count < MOST ? count : MOST;
        if (count > 0)
            memcpy(groups[i].before, entities, groups[i].before_count * sizeof *entities);
    }
    ck_assert_int_eq(kin__context_restore(crowded.context, snapshots[0], KIN_RESTORE_NOTIFY), KIN_OK);
    for (uint32_t i = 0; i < group_count; i++)
        for (uint32_t k = 0; k < groups[i].before_count; k++)
            ck_assert(!kin_entity_is_alive(crowded.context, groups[i].before[k]) ||
                      kin_collector_contains(groups[i].collector, crowded.context, groups[i].before[k]));
    ck_assert(kin__context_is_valid(crowded.context));
    end();
}
END_TEST

Suite *runtime_restore_notify_suite(void)
{
    Suite *suite = suite_create("runtime_restore_notify");
    TCase *tests = tcase_create("restore_notify");
    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, net_12_notified_is_what_a_comparison_finds, 0, CROWDS);
    tcase_add_loop_test(tests, net_12_equal_states_notify_nobody, 0, CROWDS);
    tcase_add_loop_test(tests, snp_13_a_restore_that_notifies_and_gets_no_memory_changes_nothing, 0, CROWDS);
    tcase_add_loop_test(tests, net_12_a_difference_that_a_listener_has_made_untrue_is_not_notified, 0, CROWDS);
    tcase_add_loop_test(tests, net_12_a_listener_of_a_restore_that_subscribes_gets_the_later_differences, 0, CROWDS);
    tcase_add_loop_test(tests, snp_06_listeners_of_a_restore_can_neither_save_nor_restore, 0, CROWDS);
    tcase_add_loop_test(tests, net_12_after_a_reset_by_a_listener_nothing_more_is_notified, 0, CROWDS);
    tcase_add_loop_test(tests, net_12_the_subscribers_of_an_entity_that_a_restore_destroys_are_called_once, 0, CROWDS);
    tcase_add_loop_test(tests, net_12_collectors_keep_what_they_have_collected, 0, CROWDS);
    suite_add_tcase(suite, tests);
    return suite;
}
