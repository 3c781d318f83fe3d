// Opaque values beside other fields: a replace keeps those that are also in the new value (CMP-13, CMP-14), and `edit`
// writes the other fields (CMP-11).
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "runtime/support/drops.h"
#include "suites.h"

#include <attic/attic.h>
#include <string.h>

CASE(attic)

static attic_entity entity; // with ware(1)

// A ware with the tokens 1 to 8, or 11 to 18, …
static Ware ware(int first)
{
    Ware value = {.token = {first}, .price = 10, .label = "ware", .code = "code"};
    value.box = (Box){.pairs = {{{first + 1}, 0, {first + 2}}, {{first + 3}, 0, {first + 4}}}, .last = {first + 5}};
    value.loose[0].number = first + 6;
    value.loose[1].number = first + 7;
    return value;
}

static void begin(void)
{
    drops();
    attic_begin();
    entity = attic_create_entity(attic);
    ck_assert_int_eq(attic_add_ware(attic, entity, ware(1)), KIN_OK);
}

static void replace(Ware value)
{
    ck_assert_int_eq(attic_replace_ware(attic, entity, value), KIN_OK);
    ck_assert(kin__context_is_valid(&attic->base));
}

// ---- replacing

START_TEST(cmp_13_a_replace_by_the_same_opaque_values_drops_them_once_and_later)
{
    for (int price = 0; price < 3; price++) {
        Ware value = *attic_get_ware(attic, entity);
        value.price = price;
        replace(value);
    }
    ck_assert_str_eq(drops(), "");
    ck_assert_int_eq(attic_get_ware(attic, entity)->price, 2);
    ck_assert_int_eq(attic_remove_ware(attic, entity), KIN_OK);
    ck_assert_str_eq(drops(), "1 2 3 4 5 6 7 8 ");
}
END_TEST

START_TEST(cmp_13_a_replace_drops_only_the_opaque_values_that_are_not_in_the_new_value)
{
    Ware value = ware(1);
    value.token.number = 11;
    value.box.pairs[1].first.number = 14;
    value.loose[1].number = 18;
    replace(value);
    ck_assert_str_eq(drops(), "1 4 8 ");
    attic_destroy_entity(attic, entity);
    ck_assert_str_eq(drops(), "11 2 3 14 5 6 7 18 ");
}
END_TEST

START_TEST(cmp_13_opaque_values_may_change_their_places_in_a_replace)
{
    Ware value = ware(1);
    value.token.number = 8;
    value.loose[1].number = 5;
    value.box.pairs[1].second.number = 1;
    replace(value);
    ck_assert_str_eq(drops(), "");
    attic_remove_ware(attic, entity);
    ck_assert_str_eq(drops(), "8 2 3 4 1 6 7 5 ");
}
END_TEST

START_TEST(cmp_13_each_opaque_value_of_the_new_value_keeps_one_of_the_old)
{
    Ware value = ware(1);
    value.token.number = value.loose[0].number = 0;
    value.loose[1].number = 0;
    replace(value); // 1, 7 and 8 are dropped
    ck_assert_str_eq(drops(), "1 7 8 ");
    value.token.number = 9;
    value.loose[0].number = 9;
    replace(value); // two of three zeros are dropped
    ck_assert_str_eq(drops(), "0 0 ");
    value.loose[1].number = 9;
    replace(value); // the third zero is dropped, and there is another nine
    ck_assert_str_eq(drops(), "0 ");
    attic_remove_ware(attic, entity);
    ck_assert_str_eq(drops(), "9 2 3 4 5 6 9 9 ");
}
END_TEST

START_TEST(cmp_13_a_refused_replace_keeps_all_and_drops_nothing)
{
    guard_fail(&memory, 1, true);
    Ware value = ware(1);
    value.token.number = 11;
    ck_assert_int_eq(attic_replace_ware(attic, entity, value), KIN_ERROR_NO_MEMORY);
    guard_fail(&memory, 0, false);
    ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
    ck_assert_int_eq(attic_get_ware(attic, entity)->token.number, 1);
    ck_assert_str_eq(drops(), "");
    attic_remove_ware(attic, entity);
    ck_assert_str_eq(drops(), "1 2 3 4 5 6 7 8 ");
}
END_TEST

START_TEST(cmp_13_a_unique_value_is_kept_by_a_replace_too)
{
    attic_replace_unique_relic(attic, (Relic){1, {20}});
    attic_replace_unique_relic(attic, (Relic){2, {20}});
    ck_assert_str_eq(drops(), "");
    attic_replace_unique_relic(attic, (Relic){2, {21}});
    ck_assert_str_eq(drops(), "20 ");
    attic_remove_unique_relic(attic);
    ck_assert_str_eq(drops(), "21 ");
}
END_TEST

START_TEST(cmp_13_applying_a_blueprint_keeps_what_it_has_too)
{
    Ware value = ware(1);
    value.token.number = 0; // equal to each token of the blueprint
    replace(value);
    ck_assert_str_eq(drops(), "1 ");
    ck_assert_int_eq(attic_apply_cheap(attic, entity), KIN_OK);
    ck_assert_str_eq(drops(), "2 3 4 5 6 7 8 ");
    ck_assert_int_eq(attic_apply_cheap(attic, entity), KIN_OK);
    ck_assert_str_eq(drops(), "");
    attic_remove_ware(attic, entity);
    ck_assert_str_eq(drops(), "0 0 0 0 0 0 0 0 ");
}
END_TEST

START_TEST(stashing_and_restoring_drops_nothing)
{
    Ware value = ware(1);
    value.price = 11;
    replace(value);
    ck_assert_int_eq(attic_stash_ware(attic, entity), KIN_OK);
    ck_assert_int_eq(attic_restore_ware(attic, entity), KIN_OK);
    ck_assert_int_eq(attic_get_ware(attic, entity)->price, 11);
    ck_assert_str_eq(drops(), "");
    attic_remove_ware(attic, entity);
    ck_assert_str_eq(drops(), "1 2 3 4 5 6 7 8 ");
}
END_TEST

// ---- while a change is notified

// Replaces by each of these in turn, from within the first change; the values before and after it are shown meanwhile.
static int inner[4];
static size_t inner_count;
static bool is_inside;

static void replace_inside(const kin_change *change, void *user)
{
    (void)user;
    const Ware *value = change->value, *previous = change->previous;
    int number = value->token.number, before = previous == NULL ? 0 : previous->token.number;
    if (is_inside)
        return;
    is_inside = true;
    for (size_t i = 0; i < inner_count; i++) {
        Ware next = ware(1);
        next.token.number = inner[i];
        replace(next);
        ck_assert_int_eq(value->token.number, number);
        ck_assert_int_eq(previous == NULL ? 0 : previous->token.number, before);
        ck_assert_str_eq(value->label, "ware");
    }
    is_inside = false;
    ck_assert_str_eq(drops(), "");
}

static const struct {
    int outer, inner[4];
    size_t count;
    const char *dropped; // by the outermost change, in which the value was 1 before
} nested[] = {
    {1, {1}, 1, ""},
    {1, {1, 1, 1, 1}, 4, ""},
    {1, {9}, 1, "1 "},
    {9, {9}, 1, "1 "},
    {9, {10}, 1, "1 9 "},
    {9, {1}, 1, "9 "},               // puts back a value that waits to be dropped
    {9, {1, 9}, 2, "1 "},            // and removes it again
    {9, {1, 9, 1, 9}, 4, "1 "},      // each is dropped once, whatever the number of replaces
    {9, {10, 11, 1}, 3, "9 10 11 "}, // back to a value of several replaces ago
    {9, {10, 1, 10, 11}, 4, "1 9 10 "},
};

START_TEST(cmp_14_replaces_within_a_replace_drop_each_opaque_value_once_at_the_end)
{
    kin_group_subscribe(attic_wares_group(attic), KIN_MODIFIED, replace_inside, NULL);
    memcpy(inner, nested[_i].inner, sizeof inner);
    inner_count = nested[_i].count;
    is_inside = false;
    Ware value = ware(1);
    value.token.number = nested[_i].outer;
    replace(value);
    const char *dropped = drops();
    for (const char *each = nested[_i].dropped; *each != '\0'; each += strcspn(each, " ") + 1) {
        char one[8] = {0};
        memcpy(one, each, strcspn(each, " ") + 1);
        ck_assert_msg(strstr(dropped, one) != NULL, "%s is not among %s", one, dropped);
    }
    ck_assert_uint_eq(strlen(dropped), strlen(nested[_i].dropped));
    int last = attic_get_ware(attic, entity)->token.number;
    ck_assert_int_eq(last, nested[_i].inner[nested[_i].count - 1]);
}
END_TEST

static void listen(attic_context *context, attic_entity changed, const Ware *value, void *user)
{
    (void)context;
    (void)user;
    static const int numbers[] = {9, 10, 1};
    ck_assert_uint_eq(changed.id, entity.id);
    for (size_t i = 0; i < 3; i++) {
        Ware next = ware(1);
        next.token.number = numbers[i];
        replace(next);
        ck_assert_int_eq(value->token.number, 1);
        ck_assert_str_eq(value->label, "ware");
    }
    ck_assert_str_eq(drops(), "9 10 ");
}

START_TEST(cmp_14_a_listener_may_replace_the_value_that_it_is_shown_and_put_it_back)
{
    kin_systems *events = attic_event_systems(attic);
    attic_add_any_ware_listener(attic, attic_create_entity(attic), listen, NULL);
    replace(ware(1));
    kin_systems_execute(events, 0);
    ck_assert_str_eq(drops(), "");
    attic_remove_ware(attic, entity);
    ck_assert_str_eq(drops(), "1 2 3 4 5 6 7 8 ");
    kin_systems_destroy(events);
}
END_TEST

static void touch_inside(const kin_change *change, void *user)
{
    (void)user;
    const Ware *value = change->value, *previous = change->previous;
    ck_assert_int_eq(value->price, 3);
    ck_assert_int_eq(previous->token.number, value->token.number);
}

// ---- editing

START_TEST(cmp_11_fields_beside_opaque_values_are_edited_in_place)
{
    WareEdit *edited = attic_edit_ware(attic, entity);
    ck_assert_ptr_eq(edited, attic_get_ware(attic, entity));
    edited->price = 3;
    edited->marks[2] = 7;
    strcpy(edited->code, "other");
    const Ware *value = attic_get_ware(attic, entity);
    ck_assert_int_eq(value->price, 3);
    ck_assert_uint_eq(value->marks[2], 7);
    ck_assert_str_eq(value->code, "other");
    ck_assert_str_eq(edited->label, "ware");
    ck_assert_int_eq(edited->box.last.number, 6);
    ck_assert(kin__context_is_valid(&attic->base));
    kin_group_subscribe(attic_wares_group(attic), KIN_MODIFIED, touch_inside, NULL);
    ck_assert_int_eq(attic_touch_ware(attic, entity), KIN_OK);
    ck_assert_str_eq(drops(), "");
    attic_destroy_entity(attic, entity);
    ck_assert_str_eq(drops(), "1 2 3 4 5 6 7 8 ");
}
END_TEST

START_TEST(cmp_11_edits_survive_stashing_and_end_with_a_replace)
{
    attic_edit_ware(attic, entity)->price = 3;
    ck_assert_int_eq(attic_stash_ware(attic, entity), KIN_OK);
    ck_assert_int_eq(attic_restore_ware(attic, entity), KIN_OK);
    ck_assert_int_eq(attic_get_ware(attic, entity)->price, 3);
    replace(ware(1));
    ck_assert_int_eq(attic_get_ware(attic, entity)->price, 10);
    ck_assert_str_eq(drops(), "");
}
END_TEST

START_TEST(ent_07_editing_a_missing_component_returns_null)
{
    attic_entity other = attic_create_entity(attic);
    ck_assert_ptr_null(attic_edit_ware(attic, other));
    ck_assert_ptr_null(attic_edit_relic(attic, other));
    ck_assert_refused(&errors, attic_touch_ware(attic, other), KIN_ERROR_NO_COMPONENT);
}
END_TEST

START_TEST(boxed_and_unique_values_are_edited_in_place)
{
    attic_entity carrier = attic_set_unique_relic(attic, (Relic){1, {20}});
    attic_edit_relic(attic, carrier)->power = 5;
    ck_assert_int_eq(attic_get_unique_relic(attic)->power, 5);
    ck_assert_int_eq(attic_add_trunk(attic, carrier, (Trunk){{21}, 1}), KIN_OK);
    attic_edit_trunk(attic, carrier)->weight = 2.5;
    ck_assert(attic_get_trunk(attic, carrier)->weight == 2.5);
    ck_assert_int_eq(attic_edit_trunk(attic, carrier)->token.number, 21);
}
END_TEST

START_TEST(columns_of_opaque_values_show_them_const_and_let_other_fields_be_written)
{
    ck_assert_int_eq(attic_add_trunk(attic, entity, (Trunk){{21}, 1}), KIN_OK);
    attic_wares_iter it = attic_wares_iterate(attic);
    ck_assert(attic_wares_next(&it));
    WareEdit *wares = it.ware;
    wares[0].price = 44;
    attic_trunks_iter trunks = attic_trunks_iterate(attic);
    ck_assert(attic_trunks_next(&trunks));
    TrunkEdit *const *column = trunks.trunk;
    column[0]->weight = 44;
    ck_assert_int_eq(attic_get_ware(attic, entity)->price, 44);
    ck_assert(attic_get_trunk(attic, entity)->weight == 44);
}
END_TEST

Suite *runtime_opaque_suite(void)
{
    Suite *suite = suite_create("runtime_opaque");
    TCase *rules = tcase_create("rules");
    tcase_add_checked_fixture(rules, begin, attic_end);
    tcase_add_test(rules, cmp_13_a_replace_by_the_same_opaque_values_drops_them_once_and_later);
    tcase_add_test(rules, cmp_13_a_replace_drops_only_the_opaque_values_that_are_not_in_the_new_value);
    tcase_add_test(rules, cmp_13_opaque_values_may_change_their_places_in_a_replace);
    tcase_add_test(rules, cmp_13_each_opaque_value_of_the_new_value_keeps_one_of_the_old);
    tcase_add_test(rules, cmp_13_a_refused_replace_keeps_all_and_drops_nothing);
    tcase_add_test(rules, cmp_13_a_unique_value_is_kept_by_a_replace_too);
    tcase_add_test(rules, cmp_13_applying_a_blueprint_keeps_what_it_has_too);
    tcase_add_test(rules, stashing_and_restoring_drops_nothing);
    tcase_add_loop_test(rules, cmp_14_replaces_within_a_replace_drop_each_opaque_value_once_at_the_end, 0,
                        sizeof nested / sizeof *nested);
    tcase_add_test(rules, cmp_14_a_listener_may_replace_the_value_that_it_is_shown_and_put_it_back);
    tcase_add_test(rules, cmp_11_fields_beside_opaque_values_are_edited_in_place);
    tcase_add_test(rules, cmp_11_edits_survive_stashing_and_end_with_a_replace);
    tcase_add_test(rules, ent_07_editing_a_missing_component_returns_null);
    tcase_add_test(rules, boxed_and_unique_values_are_edited_in_place);
    tcase_add_test(rules, columns_of_opaque_values_show_them_const_and_let_other_fields_be_written);
    suite_add_tcase(suite, rules);
    return suite;
}
