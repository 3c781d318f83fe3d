// Strings and opaque values that components own: CMP-12 to CMP-14, and CTX-09 for those left at the end.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "runtime/support/drops.h"
#include "suites.h"

#include <attic/attic.h>
#include <stdio.h>
#include <string.h>

CASE(attic)

static void begin(void)
{
    dropped_count = released_count = 0;
    attic_begin();
}

static attic_entity with_name(const char *value)
{
    attic_entity entity = attic_create_entity(attic);
    ck_assert_int_eq(attic_add_name(attic, entity, (Name){.value = value}), KIN_OK);
    return entity;
}

static attic_entity with_coin(int number)
{
    attic_entity entity = attic_create_entity(attic);
    ck_assert_int_eq(attic_add_coin(attic, entity, (Coin){{number}}), KIN_OK);
    return entity;
}

// ---- strings

START_TEST(cmp_12_a_string_is_copied_in)
{
    char text[] = "kin", nick[] = "k";
    attic_entity entity = attic_create_entity(attic);
    ck_assert_int_eq(attic_add_name(attic, entity, (Name){.value = text, .nick = nick, .length = 3}), KIN_OK);
    memset(text, 'x', 3);
    nick[0] = 'x';
    const Name *name = attic_get_name(attic, entity);
    ck_assert_str_eq(name->value, "kin");
    ck_assert_str_eq(name->nick, "k");
    ck_assert_int_eq(name->length, 3);
    char other[] = "other";
    ck_assert_int_eq(attic_replace_name(attic, entity, (Name){.nick = other}), KIN_OK);
    memset(other, 'x', 5);
    ck_assert_ptr_eq(attic_get_name(attic, entity), name); // the value has not moved
    ck_assert_ptr_null(name->value);
    ck_assert_str_eq(name->nick, "other");
}
END_TEST

START_TEST(cmp_12_null_stays_null_and_is_not_an_empty_text)
{
    attic_entity none = with_name(NULL), empty = with_name("");
    ck_assert_ptr_null(attic_get_name(attic, none)->value);
    ck_assert_str_eq(attic_get_name(attic, empty)->value, "");
    ck_assert_int_eq(attic_replace_name(attic, none, (Name){.value = ""}), KIN_OK);
    ck_assert_int_eq(attic_replace_name(attic, empty, (Name){.value = NULL}), KIN_OK);
    ck_assert_str_eq(attic_get_name(attic, none)->value, "");
    ck_assert_ptr_null(attic_get_name(attic, empty)->value);
}
END_TEST

START_TEST(cmp_12_the_new_value_may_point_into_the_old_one)
{
    attic_entity entity = with_name("longer than before");
    const Name *name = attic_get_name(attic, entity);
    ck_assert_int_eq(attic_replace_name(attic, entity, (Name){.value = name->value + 7, .nick = name->value}), KIN_OK);
    ck_assert_str_eq(name->value, "than before");
    ck_assert_str_eq(name->nick, "longer than before");
    ck_assert_int_eq(attic_replace_name(attic, entity, *name), KIN_OK);
    ck_assert_str_eq(name->nick, "longer than before");
}
END_TEST

START_TEST(cmp_03_the_default_of_a_string_is_its_text_or_null)
{
    attic_entity entity = attic_create_entity(attic);
    ck_assert_int_eq(attic_add_name(attic, entity, name_default()), KIN_OK);
    ck_assert_str_eq(attic_get_name(attic, entity)->value, "nobody");
    ck_assert_ptr_null(attic_get_name(attic, entity)->nick);
}
END_TEST

static void never(const kin_change *change, void *user)
{
    (void)change;
    (void)user;
    ck_abort_msg("the destruction of a context calls no listener");
}

START_TEST(ctx_09_values_that_are_left_are_freed_and_dropped_with_the_context)
{
    kin_group_subscribe(attic_coins_group(attic), KIN_REMOVED, never, NULL);
    for (int i = 0; i < 600; i++)
        with_name("left over");
    with_coin(1);
    with_coin(2);
    attic_set_unique_title(attic, (Title){"title", {3}});
    attic_context_destroy(attic);
    ck_assert_str_eq(drops(), "1 2 3 ");
    guard_end(&memory);
    begin();
}
END_TEST

START_TEST(strings_are_freed_with_their_component_entity_and_by_a_reset)
{
    uint32_t before = memory.block_count;
    attic_entity first = with_name("first"), second = with_name("second");
    uint32_t with_columns = memory.block_count - 2; // without the two owned blocks
    ck_assert_uint_gt(with_columns, before);
    ck_assert_int_eq(attic_remove_name(attic, first), KIN_OK);
    ck_assert_uint_eq(memory.block_count, with_columns + 1);
    ck_assert_int_eq(attic_destroy_entity(attic, second), KIN_OK);
    ck_assert_uint_eq(memory.block_count, with_columns);
    with_name("third");
    ck_assert_int_eq(attic_context_reset(attic), KIN_OK);
    ck_assert_uint_eq(memory.block_count, with_columns);
}
END_TEST

// ---- opaque values

START_TEST(cmp_13_a_value_is_dropped_once_when_it_is_removed_replaced_or_its_entity_destroyed)
{
    attic_entity first = with_coin(1), second = with_coin(2);
    ck_assert_int_eq(attic_replace_coin(attic, first, (Coin){{3}}), KIN_OK);
    ck_assert_str_eq(drops(), "1 ");
    ck_assert_int_eq(attic_remove_coin(attic, first), KIN_OK);
    ck_assert_str_eq(drops(), "3 ");
    ck_assert_int_eq(attic_destroy_entity(attic, second), KIN_OK);
    ck_assert_str_eq(drops(), "2 ");
    with_coin(4);
    with_coin(5);
    ck_assert_int_eq(attic_destroy_all_entities(attic), KIN_OK);
    ck_assert_str_eq(drops(), "4 5 ");
    with_coin(6);
    ck_assert_int_eq(attic_context_reset(attic), KIN_OK);
    ck_assert_str_eq(drops(), "6 ");
}
END_TEST

START_TEST(cmp_13_a_refused_value_stays_the_callers)
{
    attic_entity entity = with_coin(1), dead = attic_create_entity(attic);
    attic_destroy_entity(attic, dead);
    ck_assert_refused(&errors, attic_add_coin(attic, entity, (Coin){{2}}), KIN_ERROR_HAS_COMPONENT);
    ck_assert_refused(&errors, attic_add_coin(attic, dead, (Coin){{3}}), KIN_ERROR_NOT_ALIVE);
    ck_assert_refused(&errors, attic_replace_coin(attic, dead, (Coin){{4}}), KIN_ERROR_NOT_ALIVE);
    guard_fail(&memory, 1, true);
    ck_assert_int_eq(attic_replace_coin(attic, entity, (Coin){{5}}), KIN_ERROR_NO_MEMORY);
    guard_fail(&memory, 0, false);
    ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
    ck_assert_int_eq(attic_get_coin(attic, entity)->token.number, 1);
    attic_set_unique_title(attic, (Title){NULL, {6}});
    ck_assert(attic_entity_equals(attic_set_unique_title(attic, (Title){"a", {7}}), ATTIC_NO_ENTITY));
    ck_assert_reported(&errors, KIN_ERROR_UNIQUE);
    ck_assert_str_eq(drops(), "");
}
END_TEST

START_TEST(cmp_13_values_in_structs_and_arrays_are_dropped_in_order_of_their_fields)
{
    attic_entity entity = attic_create_entity(attic);
    Chest chest = {.box = {.pairs = {{{1}, 0, {2}}, {{3}, 0, {4}}}, .last = {5}}, .loose = {{6}, {7}}, .label = "c"};
    ck_assert_int_eq(attic_add_chest(attic, entity, chest), KIN_OK);
    ck_assert_int_eq(attic_get_chest(attic, entity)->box.pairs[1].second.number, 4);
    ck_assert_str_eq(attic_get_chest(attic, entity)->label, "c");
    ck_assert_int_eq(attic_remove_chest(attic, entity), KIN_OK);
    ck_assert_str_eq(drops(), "1 2 3 4 5 6 7 ");
}
END_TEST

START_TEST(cmp_13_opaque_pointers_are_dropped_if_their_type_has_a_drop)
{
    attic_entity entity = attic_create_entity(attic);
    struct sprite *sprite = (struct sprite *)(void *)&released_count;
    ck_assert_int_eq(attic_add_look(attic, entity, (Look){sprite}), KIN_OK);
    ck_assert_int_eq(attic_add_view(attic, entity, (View){sprite}), KIN_OK);
    ck_assert_ptr_eq(attic_get_look(attic, entity)->sprite, sprite);
    attic_edit_view(attic, entity)->loan = NULL;
    ck_assert_int_eq(attic_destroy_entity(attic, entity), KIN_OK);
    ck_assert_uint_eq(released_count, 1);
}
END_TEST

START_TEST(cmp_13_a_unique_value_is_dropped_like_any_other)
{
    attic_entity carrier = attic_set_unique_title(attic, (Title){"one", {1}});
    const Title *title = attic_get_unique_title(attic);
    ck_assert(attic_entity_equals(attic_replace_unique_title(attic, (Title){title->text, {2}}), carrier));
    ck_assert_str_eq(drops(), "1 ");
    ck_assert_ptr_eq(attic_get_unique_title(attic), title);
    ck_assert_str_eq(title->text, "one");
    ck_assert_int_eq(attic_remove_title(attic, carrier), KIN_OK);
    ck_assert_str_eq(drops(), "2 ");
    attic_replace_unique_title(attic, (Title){"three", {3}});
    ck_assert_int_eq(attic_remove_unique_title(attic), KIN_OK);
    ck_assert_str_eq(drops(), "3 ");
}
END_TEST

static void mark_and_carry(const kin_change *change, void *user)
{
    (void)user;
    if (attic_entity_count(attic) == 1)
        attic_add_title(attic, attic_entity_of(change->entity), (Title){"nested", {99}});
}

START_TEST(cmp_13_a_value_stays_the_callers_when_a_listener_makes_its_set_fail)
{
    kin_group_subscribe(attic_not_marked_group(attic), KIN_ADDED, mark_and_carry, NULL);
    ck_assert(attic_entity_equals(attic_set_unique_title(attic, (Title){"mine", {1}}), ATTIC_NO_ENTITY));
    ck_assert_reported(&errors, KIN_ERROR_HAS_COMPONENT);
    ck_assert_str_eq(drops(), "99 ");
}
END_TEST

// ---- while a change is notified

static bool is_undone;
static char shared[32]; // the caller's value points to this, and it is overwritten meanwhile

// Undoes the whole change, and then reads the values that it got at the beginning.
static void undo_and_read(const kin_change *change, void *user)
{
    const char *const *expected = user; // of previous and value; NULL: none
    attic_entity entity = attic_entity_of(change->entity);
    const Name *previous = change->previous, *value = change->value;
    if (is_undone)
        return;
    is_undone = true;
    memset(shared, 'x', sizeof shared - 1);
    if (attic_has_name(attic, entity)) {
        attic_replace_name(attic, entity, (Name){.value = "nested"});
        attic_remove_name(attic, entity);
    }
    guard_check(&memory);
    ck_assert_int_eq(previous != NULL, expected[0] != NULL);
    ck_assert_int_eq(value != NULL, expected[1] != NULL);
    if (previous != NULL)
        ck_assert_str_eq(previous->value, expected[0]);
    if (value != NULL)
        ck_assert_str_eq(value->value, expected[1]);
}

START_TEST(cmp_14_memory_that_a_payload_points_to_is_valid_during_its_call)
{
    static const char *const replaced[] = {"old", "new"}, *const added[] = {NULL, "new"},
                             *const removed[] = {"old", NULL};
    static const struct {
        kin_group_event event;
        const char *const *expected;
    } cases[] = {{KIN_MODIFIED, replaced}, {KIN_ADDED, added}, {KIN_REMOVED, removed}};
    attic_entity entity = cases[_i].event == KIN_ADDED ? attic_create_entity(attic) : with_name("old");
    kin_subscription subscription =
        kin_group_subscribe(attic_named_group(attic), cases[_i].event, undo_and_read, (void *)cases[_i].expected);
    is_undone = false;
    strcpy(shared, "new");
    if (cases[_i].event == KIN_REMOVED)
        ck_assert_int_eq(attic_destroy_entity(attic, entity), KIN_OK);
    else
        ck_assert_int_eq(attic_replace_name(attic, entity, (Name){.value = shared}), KIN_OK);
    kin_unsubscribe(subscription);
}
END_TEST

static size_t dropped_inside;

static void drop_some(const kin_change *change, void *user)
{
    (void)change;
    attic_entity *others = user;
    attic_replace_coin(attic, others[0], (Coin){{10}});
    attic_remove_coin(attic, others[0]);
    attic_destroy_entity(attic, others[1]);
    dropped_inside = dropped_count;
}

START_TEST(cmp_14_no_value_is_dropped_before_the_outermost_change_has_been_reported)
{
    attic_entity others[] = {with_coin(1), with_coin(2)}, entity = with_coin(3), marked = attic_create_entity(attic);
    kin_group_subscribe(attic_marked_group(attic), KIN_ADDED, drop_some, others);
    dropped_inside = 9;
    ck_assert_int_eq(attic_set_mark(attic, marked, true), KIN_OK); // a change of a component that owns nothing
    ck_assert_uint_eq(dropped_inside, 0);
    ck_assert_str_eq(drops(), "1 10 2 ");
    attic_remove_coin(attic, entity);
    ck_assert_str_eq(drops(), "3 ");
}
END_TEST

static void look_for_drops(const kin_change *change, void *user)
{
    (void)change;
    (void)user;
    dropped_inside += dropped_count;
}

START_TEST(cmp_14_a_value_is_dropped_after_its_own_loss_was_reported)
{
    kin_group_subscribe(attic_coins_group(attic), KIN_ADDED_OR_REMOVED, look_for_drops, NULL);
    dropped_inside = 0;
    attic_entity entity = with_coin(1), other = with_coin(2);
    attic_replace_coin(attic, entity, (Coin){{3}});
    ck_assert_str_eq(drops(), "1 ");
    attic_remove_coin(attic, entity);
    ck_assert_str_eq(drops(), "3 ");
    attic_destroy_entity(attic, other);
    ck_assert_str_eq(drops(), "2 ");
    ck_assert_uint_eq(dropped_inside, 0);
}
END_TEST

// ---- memory, tables, iteration

static bool try_all(int number)
{
    attic_entity entity = attic_create_entity(attic);
    if (attic_entity_equals(entity, ATTIC_NO_ENTITY))
        return false;
    bool done = attic_add_name(attic, entity, (Name){.value = "a name"}) == KIN_OK &&
                attic_replace_name(attic, entity, (Name){.value = "a longer name"}) == KIN_OK &&
                attic_replace_coin(attic, entity, (Coin){{number}}) == KIN_OK &&
                attic_replace_coin(attic, entity, (Coin){{number + 1}}) == KIN_OK &&
                attic_replace_unique_title(attic, (Title){"title", {number + 2}}).id != 0;
    ck_assert(kin__context_is_valid(&attic->base));
    return done;
}

START_TEST(dsp_01_all_memory_is_allocated_before_the_first_write)
{
    for (uint64_t fail = 1; fail < 200; fail++) {
        guard_fail(&memory, fail, true);
        bool done = try_all(1);
        guard_fail(&memory, 0, false);
        ck_assert_uint_eq(errors.count, done ? 0 : 1);
        error_log_clear(&errors);
        attic_destroy_all_entities(attic); // never needs memory, whatever is dropped
        attic_context_destroy(attic);
        guard_end(&memory);
        begin();
        if (done)
            return;
    }
    ck_abort_msg("it never succeeded");
}
END_TEST

START_TEST(dsp_12_removing_and_destroying_need_no_memory)
{
    attic_entity entity = with_coin(1), other = with_name("name");
    kin_group_subscribe(attic_coins_group(attic), KIN_ADDED_OR_REMOVED, look_for_drops, NULL);
    guard_fail(&memory, 1, true);
    ck_assert_int_eq(attic_remove_coin(attic, entity), KIN_OK);
    ck_assert_int_eq(attic_destroy_entity(attic, other), KIN_OK);
    guard_fail(&memory, 0, false);
    ck_assert_str_eq(drops(), "1 ");
}
END_TEST

START_TEST(the_tables_say_what_is_owned)
{
    const kin_component_info *components = attic_info.components;
    ck_assert(components[ATTIC_NAME].has_strings && !components[ATTIC_NAME].has_drops);
    ck_assert(!components[ATTIC_COIN].has_strings && components[ATTIC_COIN].has_drops);
    ck_assert(components[ATTIC_CHEST].has_strings && components[ATTIC_CHEST].has_drops);
    ck_assert(!components[ATTIC_VIEW].has_strings && !components[ATTIC_VIEW].has_drops);
    ck_assert_int_eq(components[ATTIC_NAME].fields[0].type, KIN_TYPE_STRING);
    ck_assert_int_eq(components[ATTIC_COIN].fields[0].type, KIN_TYPE_OPAQUE);
    ck_assert_str_eq(components[ATTIC_COIN].fields[0].of->name, "Token");
    ck_assert(components[ATTIC_VIEW].fields[0].of->drop == NULL);
}
END_TEST

START_TEST(columns_of_what_is_owned_are_read_only_and_whole)
{
    static const char *const names[] = {"zero", "one", "two"};
    for (int i = 0; i < 3; i++)
        with_name(names[i]);
    attic_named_iter it = attic_named_iterate(attic);
    ck_assert(attic_named_next(&it));
    ck_assert_uint_eq(it.count, 3);
    const Name *column = it.name;
    for (int i = 0; i < 3; i++)
        ck_assert_str_eq(column[i].value, names[i]);
}
END_TEST

START_TEST(cpy_02_a_clone_has_strings_of_its_own_and_nothing_that_is_dropped)
{
    attic_entity source = with_name("moth");
    ck_assert_int_eq(attic_add_coin(attic, source, (Coin){{5}}), KIN_OK);
    attic_entity clone = attic_clone_entity(attic, source);
    ck_assert(attic_has_name(attic, clone) && !attic_has_coin(attic, clone));
    ck_assert_ptr_ne(attic_get_name(attic, clone)->value, attic_get_name(attic, source)->value);
    ck_assert_int_eq(attic_destroy_entity(attic, source), KIN_OK);
    ck_assert_str_eq(attic_get_name(attic, clone)->value, "moth");
}
END_TEST

Suite *runtime_owned_suite(void)
{
    Suite *suite = suite_create("runtime_owned");
    TCase *rules = tcase_create("rules");
    tcase_add_checked_fixture(rules, begin, attic_end);
    tcase_add_test(rules, cmp_12_a_string_is_copied_in);
    tcase_add_test(rules, cmp_12_null_stays_null_and_is_not_an_empty_text);
    tcase_add_test(rules, cmp_12_the_new_value_may_point_into_the_old_one);
    tcase_add_test(rules, cmp_03_the_default_of_a_string_is_its_text_or_null);
    tcase_add_test(rules, ctx_09_values_that_are_left_are_freed_and_dropped_with_the_context);
    tcase_add_test(rules, strings_are_freed_with_their_component_entity_and_by_a_reset);
    tcase_add_test(rules, cmp_13_a_value_is_dropped_once_when_it_is_removed_replaced_or_its_entity_destroyed);
    tcase_add_test(rules, cmp_13_a_refused_value_stays_the_callers);
    tcase_add_test(rules, cmp_13_values_in_structs_and_arrays_are_dropped_in_order_of_their_fields);
    tcase_add_test(rules, cmp_13_opaque_pointers_are_dropped_if_their_type_has_a_drop);
    tcase_add_test(rules, cmp_13_a_unique_value_is_dropped_like_any_other);
    tcase_add_test(rules, cmp_13_a_value_stays_the_callers_when_a_listener_makes_its_set_fail);
    tcase_add_loop_test(rules, cmp_14_memory_that_a_payload_points_to_is_valid_during_its_call, 0, 3);
    tcase_add_test(rules, cmp_14_no_value_is_dropped_before_the_outermost_change_has_been_reported);
    tcase_add_test(rules, cmp_14_a_value_is_dropped_after_its_own_loss_was_reported);
    tcase_add_test(rules, dsp_01_all_memory_is_allocated_before_the_first_write);
    tcase_add_test(rules, dsp_12_removing_and_destroying_need_no_memory);
    tcase_add_test(rules, the_tables_say_what_is_owned);
    tcase_add_test(rules, columns_of_what_is_owned_are_read_only_and_whole);
    tcase_add_test(rules, cpy_02_a_clone_has_strings_of_its_own_and_nothing_that_is_dropped);
    suite_add_tcase(suite, rules);
    return suite;
}
