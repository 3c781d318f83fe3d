// The tables of a world, and its base, for tools that know no generated type.
#include "runtime/support/support.h"
#include "runtime/support/town_case.h"
#include "suites.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const kin_world_info *info;

static void begin(void)
{
    town_begin();
    info = kin_world_info_of(town_world_base(town));
}

static const kin_system_info *system_named(const char *name)
{
    for (uint32_t i = 0; i < info->system_count; i++)
        if (strcmp(info->systems[i].name, name) == 0)
            return &info->systems[i];
    ck_abort_msg("no system %s", name);
}

static const char *node_of(const char *system)
{
    return info->nodes[system_named(system)->node].name;
}

static void expect_names(const char *const *names, uint32_t count, const char *expected)
{
    char text[64] = "";
    for (uint32_t i = 0; i < count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i == 0 ? "" : " ", names[i]);
    ck_assert_str_eq(text, expected);
}

START_TEST(rfl_17_the_base_has_the_contexts_and_systems_of_the_world)
{
    kin_world *base = town_world_base(town);
    ck_assert_str_eq(info->name, "town");
    ck_assert_uint_ne(info->stamp, 0);
    ck_assert_uint_eq(info->context_count, 2);
    ck_assert_ptr_eq(info->contexts[0], &houses_info);
    ck_assert_ptr_eq(info->contexts[1], &people_info);
    ck_assert_ptr_eq(kin_world_context(base, 0), &town->contexts->houses->base);
    ck_assert_ptr_eq(kin_world_context(base, 1), &town->contexts->people->base);
    ck_assert_ptr_eq(kin_world_systems(base), town_world_systems(town));
}
END_TEST

START_TEST(rfl_17_nothing_is_found_without_a_world_or_beyond_its_contexts)
{
    ck_assert_ptr_null(town_world_base(NULL));
    ck_assert_ptr_null(kin_world_info_of(NULL));
    ck_assert_ptr_null(kin_world_context(NULL, 0));
    ck_assert_ptr_null(kin_world_systems(NULL));
    ck_assert_ptr_null(kin_world_context(town_world_base(town), 2));
    ck_assert_ptr_null(kin_world_context(town_world_base(town), UINT32_MAX));
}
END_TEST

START_TEST(rfl_17_nodes_are_listed_in_the_order_in_which_they_run)
{
    static const char *const names[] = {"morning", "noon", "market", "square", "evening", "tavern"};
    static const uint32_t parents[] = {KIN_NO_NODE, KIN_NO_NODE, 1, 1, KIN_NO_NODE, 4};
    ck_assert_uint_eq(info->node_count, 6);
    for (uint32_t i = 0; i < info->node_count; i++) {
        ck_assert_str_eq(info->nodes[i].name, names[i]);
        ck_assert_uint_eq(info->nodes[i].parent, parents[i]);
    }
    ck_assert_double_eq(info->nodes[1].step, 0.25);
    ck_assert_uint_eq(info->nodes[1].max_steps, 4);
    ck_assert_double_eq(info->nodes[0].step, 0);
}
END_TEST

START_TEST(rfl_17_systems_show_what_the_schema_says_of_them)
{
    const kin_system_info *mayor = system_named("Mayor"), *aging = system_named("Aging");
    ck_assert_str_eq(info->systems[0].name, "Mayor");
    ck_assert_int_eq(mayor->kind, KIN_SYSTEM_PLAIN);
    ck_assert_str_eq(mayor->doc, "Has every role of a plain system.");
    ck_assert_uint_eq(mayor->role_count, 7);
    ck_assert_int_eq(mayor->roles[2], KIN_ROLE_EXECUTE);
    ck_assert_str_eq(node_of("Aging"), "market");
    ck_assert_int_eq(aging->kind, KIN_SYSTEM_GROUP);
    ck_assert_str_eq(info->contexts[aging->context]->groups[aging->group].name, "citizens");
    ck_assert_int_eq(aging->roles[0], KIN_ROLE_UPDATE);
    expect_names(aging->writes, aging->write_count, "Age");
    ck_assert_ptr_null(aging->reads);
    ck_assert_ptr_null(aging->doc);
    ck_assert(system_named("Undertaker")->keeps_left && !aging->keeps_left);
}
END_TEST

START_TEST(rfl_17_reactive_systems_show_their_triggers)
{
    const kin_system_info *lamps = system_named("Lamps");
    static const char *const groups[] = {"roofs", "citizens", "lights"};
    static const kin_group_event events[] = {KIN_ADDED, KIN_REMOVED, KIN_MODIFIED};
    ck_assert_int_eq(lamps->kind, KIN_SYSTEM_REACTIVE);
    ck_assert(lamps->has_filter);
    ck_assert_uint_eq(lamps->trigger_count, 3);
    for (uint32_t i = 0; i < lamps->trigger_count; i++) {
        const kin_trigger_info *trigger = &lamps->triggers[i];
        ck_assert_str_eq(info->contexts[trigger->context]->groups[trigger->group].name, groups[i]);
        ck_assert_int_eq(trigger->event, events[i]);
    }
}
END_TEST

START_TEST(rfl_17_systems_show_their_inboxes_and_their_order)
{
    const kin_system_info *strict = system_named("Strict"), *hurried = system_named("Hurried");
    ck_assert_uint_eq(strict->inbox_count, 2);
    ck_assert_str_eq(info->messages[strict->inboxes[0].message].name, "Gossip");
    ck_assert_uint_eq(strict->inboxes[0].capacity, 2);
    ck_assert_int_eq(strict->inboxes[0].full, KIN_FULL_ERROR);
    ck_assert_int_eq(hurried->inboxes[0].full, KIN_FULL_NEWEST);
    ck_assert_uint_eq(system_named("Crier")->inboxes[0].capacity, 0);
    ck_assert_int_eq(system_named("Crier")->roles[0], KIN_ROLE_INBOX);
    ck_assert_uint_eq(hurried->predecessor_count, 1);
    ck_assert_str_eq(info->systems[hurried->predecessors[0]].name, "Patient");
    ck_assert_uint_eq(system_named("Patient")->predecessor_count, 0);
}
END_TEST

START_TEST(rfl_17_messages_show_their_fields)
{
    ck_assert_uint_eq(info->message_count, 3);
    const kin_message_info *bell = &info->messages[0], *greeting = &info->messages[2];
    ck_assert_str_eq(bell->name, "Bell");
    ck_assert_uint_eq(bell->size, 0);
    ck_assert_ptr_null(bell->fields);
    ck_assert_str_eq(greeting->doc, "Somebody says hello.");
    ck_assert_uint_eq(greeting->size, sizeof(Greeting));
    ck_assert_uint_eq(greeting->field_count, 3);
    ck_assert_str_eq(greeting->fields[0].target, "people");
    ck_assert_uint_eq(greeting->fields[1].offset, offsetof(Greeting, mood));
    ck_assert_str_eq(greeting->fields[1].of->name, "Mood");
    ck_assert_str_eq(greeting->fields[1].of->values[1].name, "Angry");
    ck_assert_int_eq(greeting->fields[2].type, KIN_TYPE_INLINE_STRING);
}
END_TEST

Suite *runtime_world_info_suite(void)
{
    Suite *suite = suite_create("runtime_world_info");
    TCase *rules = tcase_create("rules");
    tcase_add_checked_fixture(rules, begin, town_end);
    tcase_add_test(rules, rfl_17_the_base_has_the_contexts_and_systems_of_the_world);
    tcase_add_test(rules, rfl_17_nothing_is_found_without_a_world_or_beyond_its_contexts);
    tcase_add_test(rules, rfl_17_nodes_are_listed_in_the_order_in_which_they_run);
    tcase_add_test(rules, rfl_17_systems_show_what_the_schema_says_of_them);
    tcase_add_test(rules, rfl_17_reactive_systems_show_their_triggers);
    tcase_add_test(rules, rfl_17_systems_show_their_inboxes_and_their_order);
    tcase_add_test(rules, rfl_17_messages_show_their_fields);
    suite_add_tcase(suite, rules);
    return suite;
}
