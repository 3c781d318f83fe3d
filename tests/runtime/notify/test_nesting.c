// Nesting: every operation that may need memory, called in a listener during the notification of a change. tests/sweep
// runs this suite with every request failing once, and so tests that each may fail there.

#include "entity/entity.h"
#include "runtime/support/guard.h"
#include "suites.h"

#include <cellar/cellar.h>

#include <check.h>
#include <string.h>

static guard memory;
static kin_context_options options;
static cellar_context *cellar;
static bool has_run;
static void (*act)(void);

static void end_test(const kin_error *error, void *user)
{
    (void)user;
    ck_abort_msg("%s", error->message);
}

static void on_change(const kin_change *change, void *user)
{
    (void)user;
    (void)change;
    if (has_run)
        return;
    has_run = true;
    act();
}

static void begin(void)
{
    options = (kin_context_options){.allocator = guard_begin(&memory), .on_error = end_test};
    cellar = cellar_context_create(&options);
    has_run = false;
    kin_context_subscribe(&cellar->base, KIN_ENTITY_CREATED, on_change, NULL);
}

static void end(void)
{
    ck_assert(kin__context_is_valid(&cellar->base));
    cellar_context_destroy(cellar);
    guard_end(&memory);
}

static void in_a_listener(void (*what)(void))
{
    act = what;
    ck_assert_uint_ne(cellar_create_entity(cellar).id, 0);
    ck_assert(has_run);
}

static void own_and_clone(void)
{
    cellar_entity entity = cellar_create_entity(cellar), other = cellar_create_entity(cellar);
    ck_assert_int_eq(cellar_add_label(cellar, entity, (Label){"red", 1}), KIN_OK);
    ck_assert_int_eq(cellar_replace_label(cellar, entity, (Label){"white", 2}), KIN_OK);
    ck_assert_int_eq(cellar_replace_shelf(cellar, entity, (Shelf){1, 2}), KIN_OK);
    ck_assert_int_eq(cellar_retain_entity(cellar, other, &has_run), KIN_OK);
    ck_assert_int_eq(cellar_release_entity(cellar, other, &has_run), KIN_OK);
    ck_assert_str_eq(cellar_get_label(cellar, cellar_clone_entity(cellar, entity))->text, "white");
    uint32_t count = 0;
    ck_assert(cellar_entities(cellar, &count) != NULL && count == 4);
    ck_assert(cellar_labelled_entities(cellar, &count) != NULL && count == 2);
    ck_assert(cellar_entities_with_label_text(cellar, "white", &count) != NULL && count == 2);
    ck_assert_int_eq(kin_group_destroy_entities(cellar_labelled_group(cellar)), KIN_OK);
}

START_TEST(components_that_own_strings_are_added_replaced_cloned_and_listed)
{
    in_a_listener(own_and_clone);
    ck_assert_uint_eq(cellar_entity_count(cellar), 2);
}
END_TEST

static void set_unique(void)
{
    ck_assert_uint_ne(cellar_set_unique_key(cellar, (Key){1}).id, 0);
    ck_assert_int_eq(cellar_remove_unique_key(cellar), KIN_OK);
    ck_assert_int_eq(cellar_set_unique_lit(cellar, true), KIN_OK);
    ck_assert_int_eq(cellar_set_unique_lit(cellar, false), KIN_OK);
}

START_TEST(a_unique_component_is_set_and_switched)
{
    in_a_listener(set_unique);
    ck_assert(!cellar_has_unique_key(cellar));
}
END_TEST

static void replace_unique(void)
{
    ck_assert_uint_ne(cellar_replace_unique_key(cellar, (Key){2}).id, 0);
    ck_assert_uint_ne(cellar_replace_unique_key(cellar, (Key){3}).id, 0);
}

START_TEST(a_unique_component_is_replaced)
{
    in_a_listener(replace_unique);
    ck_assert_int_eq(cellar_get_unique_key(cellar)->teeth, 3);
}
END_TEST

static void give_keys(void)
{
    for (int32_t i = 0; i < 40; i++) {
        cellar_entity entity = cellar_create_entity(cellar);
        ck_assert_int_eq(cellar_add_bottle(cellar, entity, (Bottle){(uint32_t)i, i < 35 ? ROW_UPPER : ROW_LOWER}),
                         KIN_OK);
        ck_assert_int_eq(cellar_add_shelf(cellar, entity, (Shelf){i, -i}), KIN_OK);
    }
    uint32_t count = 0;
    ck_assert(cellar_entities_with_bottle_row(cellar, ROW_UPPER, &count) != NULL && count == 35);
    ck_assert(cellar_entities_with_bottle_row(cellar, ROW_LOWER, &count) != NULL && count == 5);
    ck_assert(cellar_entities_with_place(cellar, 7, -7, 7, &count) != NULL && count == 1);
}

START_TEST(keys_are_given_and_looked_up)
{
    in_a_listener(give_keys);
    ck_assert_uint_ne(cellar_entity_with_bottle_number(cellar, 39).id, 0);
}
END_TEST

static void ignore(const kin_change *change, void *user)
{
    (void)change;
    (void)user;
}

static void watch(void)
{
    kin_group *group = kin_context_group(&cellar->base, KIN_MATCHER(KIN_ALL(CELLAR_SHELF), KIN_NONE(CELLAR_SEALED)));
    kin_unsubscribe(kin_group_subscribe(group, KIN_MODIFIED, ignore, NULL));
    kin_unsubscribe(kin_context_subscribe(&cellar->base, KIN_GROUP_CREATED, ignore, NULL));
    kin_trigger triggers[] = {{group, KIN_ADDED}, {cellar_labelled_group(cellar), KIN_ADDED}};
    kin_collector *collector = kin_collector_create(triggers, 2);
    cellar_entity entity = cellar_create_entity(cellar);
    kin_subscription own = kin_entity_subscribe(&cellar->base, entity.id, KIN_COMPONENT_ADDED, ignore, NULL);
    ck_assert_int_eq(cellar_add_shelf(cellar, entity, (Shelf){1, 1}), KIN_OK);
    uint32_t count = 0;
    ck_assert(kin_collector_entities(collector, &count) != NULL && count == 1);
    ck_assert(kin_collector_contexts(collector, &count) != NULL && count == 1);
    kin_unsubscribe(own);
    kin_collector_destroy(collector);
}

START_TEST(groups_subscriptions_and_collectors_are_made_and_ended)
{
    in_a_listener(watch);
}
END_TEST

static void pass(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    (void)self;
    (void)context;
    ck_assert(entities != NULL && count == 1);
}

static void make_systems(void)
{
    kin_systems *systems = kin_systems_create("outer", &options), *inner = kin_systems_create("inner", &options);
    kin_trigger trigger = {cellar_shelved_group(cellar), KIN_ADDED};
    kin_reactive_system reactive = {.name = "clicks", .triggers = &trigger, .trigger_count = 1, .execute = pass};
    ck_assert_int_eq(kin_systems_add(systems, (kin_system){.name = "nothing"}), KIN_OK);
    ck_assert_int_eq(kin_systems_add_reactive(inner, reactive), KIN_OK);
    ck_assert_int_eq(kin_systems_add_systems(systems, inner), KIN_OK);
    cellar_entity entity = cellar_create_entity(cellar);
    ck_assert_int_eq(kin_systems_add_systems(systems, cellar_cleanup_systems(cellar)), KIN_OK);
    ck_assert_int_eq(cellar_add_shelf(cellar, entity, (Shelf){3, 3}), KIN_OK);
    ck_assert_int_eq(cellar_set_broken(cellar, entity, true), KIN_OK);
    kin_systems_execute(systems, 1);
    kin_systems_cleanup(systems);
    ck_assert_uint_eq(kin_group_count(cellar_shelved_group(cellar)), 0);
    kin_systems_destroy(systems);
}

START_TEST(systems_are_made_run_and_ended)
{
    in_a_listener(make_systems);
}
END_TEST

static char logged[16];

static void on_label(cellar_context *context, cellar_entity entity, const Label *label, void *user)
{
    (void)user;
    ck_assert_ptr_eq(context, cellar);
    ck_assert_uint_ne(entity.id, 0);
    strncat(logged, label->text, 4);
}

static void count_group(const kin_change *change, void *count)
{
    ck_assert_ptr_nonnull(change->group);
    ++*(uint32_t *)count;
}

static void deliver(void)
{
    uint32_t groups = 0;
    kin_context_subscribe(&cellar->base, KIN_GROUP_CREATED, count_group, &groups);
    kin_systems *events = cellar_event_systems(cellar);
    ck_assert_uint_eq(groups, 0); // the group of all with a label is declared
    cellar_entity entity = cellar_create_entity(cellar);
    ck_assert_int_eq(cellar_add_label_listener(cellar, entity, on_label, NULL), KIN_OK);
    ck_assert_int_eq(cellar_add_any_label_removed_listener(cellar, entity, on_label, NULL), KIN_OK);
    ck_assert_int_eq(cellar_add_label(cellar, entity, (Label){"new", 1}), KIN_OK);
    kin_systems_execute(events, 1);
    ck_assert_int_eq(cellar_remove_label(cellar, entity), KIN_OK);
    ck_assert_int_eq(cellar_remove_label_listener(cellar, entity, on_label, NULL), KIN_OK);
    kin_systems_execute(events, 1);
    kin_systems_destroy(events);
}

START_TEST(events_are_listened_to_and_delivered)
{
    logged[0] = '\0';
    in_a_listener(deliver);
    ck_assert_str_eq(logged, "newnew");
}
END_TEST

static void make_contexts(void)
{
    cellar_contexts *made = cellar_contexts_create(&options);
    ck_assert_ptr_nonnull(made);
    ck_assert_int_eq(loft_add_shelf(made->loft, loft_create_entity(made->loft), (Shelf){1, 1}), KIN_OK);
    ck_assert_uint_eq(kin_group_count(loft_lofty_group(made->loft)), 1);
    cellar_contexts_destroy(made);
}

START_TEST(contexts_are_made_and_ended)
{
    in_a_listener(make_contexts);
}
END_TEST

Suite *runtime_nesting_suite(void)
{
    Suite *suite = suite_create("runtime_nesting");
    TCase *tests = tcase_create("in a listener");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, components_that_own_strings_are_added_replaced_cloned_and_listed);
    tcase_add_test(tests, a_unique_component_is_set_and_switched);
    tcase_add_test(tests, a_unique_component_is_replaced);
    tcase_add_test(tests, keys_are_given_and_looked_up);
    tcase_add_test(tests, groups_subscriptions_and_collectors_are_made_and_ended);
    tcase_add_test(tests, systems_are_made_run_and_ended);
    tcase_add_test(tests, events_are_listened_to_and_delivered);
    tcase_add_test(tests, contexts_are_made_and_ended);
    suite_add_tcase(suite, tests);
    return suite;
}
