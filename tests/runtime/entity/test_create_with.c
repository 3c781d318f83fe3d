// Creating an entity with components of the caller's choice: all of them, or no entity (CPY-12).
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "runtime/support/drops.h"
#include "suites.h"

#include <nursery/nursery.h>
#include <string.h>

CASE(nursery)

#define PART(id, Type) ((kin__part){NURSERY_##id, sizeof(Type), NULL})
#define FLAG(id)       ((kin__part){NURSERY_##id, 0, NULL})

static nursery_entity create(uint32_t count, const kin__part *parts, const void *const *values)
{
    return nursery_entity_of(kin__create_with(&nursery->base, count, parts, values));
}

static nursery_entity create_numbered(int32_t number)
{
    return create(2, (kin__part[]){PART(NUMBER, Number), PART(WEIGHT, Weight)},
                  (const void *[]){&(Number){number}, &(Weight){7}});
}

static nursery_entity create_purse(int number)
{
    return create(2, (kin__part[]){PART(COIN, Coin), PART(WEIGHT, Weight)},
                  (const void *[]){&(Coin){{number}}, &(Weight){7}});
}

START_TEST(cpy_12_an_entity_is_created_with_all_its_components)
{
    char word[] = "green";
    nursery_entity made = create(4, (kin__part[]){FLAG(MARKED), PART(LABEL, Label), PART(TRIPLE, Triple), FLAG(DARK)},
                                 (const void *[]){NULL, &(Label){word}, &(Triple){1, 2, 3}, NULL});
    word[0] = '?';
    ck_assert(nursery_is_marked(nursery, made) && nursery_is_dark(nursery, made));
    ck_assert_str_eq(nursery_get_label(nursery, made)->value, "green");
    ck_assert(nursery_get_triple(nursery, made)->y == 2);
    ck_assert(!nursery_has_weight(nursery, made));
    ck_assert_uint_eq(nursery_entity_count(nursery), 1);
}
END_TEST

// A call has room for a few steps without asking for memory.
START_TEST(cpy_12_an_entity_may_be_created_with_every_component)
{
    kin__part parts[NURSERY_COMPONENT_COUNT];
    const void *values[NURSERY_COMPONENT_COUNT];
    static const uint64_t zeros[64];
    for (uint32_t i = 0; i < NURSERY_COMPONENT_COUNT; i++) {
        parts[i] = (kin__part){(kin_component_id)i, (uint32_t)nursery_info.components[i].size, NULL};
        values[i] = parts[i].size == 0 ? NULL : zeros;
    }
    nursery_entity made = create(NURSERY_COMPONENT_COUNT, parts, values);
    for (uint32_t i = 0; i < NURSERY_COMPONENT_COUNT; i++)
        ck_assert(kin_has(&nursery->base, made.id, (kin_component_id)i));
}
END_TEST

START_TEST(cpy_12_what_forbids_a_component_forbids_the_entity)
{
    nursery_set_unique_leader(nursery, (Leader){1});
    create_numbered(5);
    kin_group_subscribe(nursery_weights_group(nursery), KIN_ADDED_OR_REMOVED, count_call, NULL);
    ck_assert_uint_eq(create_numbered(5).id, 0);
    ck_assert_str_eq(errors.entries[0].message,
                     "nursery: cannot create an entity with Number: entity 2 in slot 1 has the key 5 in index "
                     "Number.value; look it up first");
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert_uint_eq(create(2, (kin__part[]){PART(WEIGHT, Weight), PART(LEADER, Leader)},
                             (const void *[]){&(Weight){1}, &(Leader){2}})
                          .id,
                      0);
    ck_assert_reported(&errors, KIN_ERROR_UNIQUE);
    ck_assert_uint_eq(call_count, 0);
    ck_assert_uint_eq(nursery_entity_count(nursery), 2);
}
END_TEST

// The flag comes first in the call, so that the group never has the entity.
START_TEST(cpy_12_components_are_added_in_the_order_of_the_call)
{
    kin_group_subscribe(nursery_grains_group(nursery), KIN_ADDED_OR_REMOVED, count_call, NULL);
    create(3, (kin__part[]){FLAG(HIDDEN), PART(WEIGHT, Weight), PART(TRIPLE, Triple)},
           (const void *[]){NULL, &(Weight){1}, &(Triple){1, 2, 3}});
    ck_assert_uint_eq(call_count, 0);
    create(2, (kin__part[]){PART(TRIPLE, Triple), PART(WEIGHT, Weight)},
           (const void *[]){&(Triple){1, 2, 3}, &(Weight){1}});
    ck_assert_uint_eq(call_count, 1);
}
END_TEST

static void add_weight(const kin_change *change, void *user)
{
    (void)user;
    nursery_add_weight(nursery, nursery_entity_of(change->entity), (Weight){1});
}

START_TEST(cpy_12_a_component_that_a_listener_makes_impossible_ends_the_entity)
{
    kin_matcher coins = KIN_MATCHER(KIN_ALL(NURSERY_COIN));
    drops();
    kin_subscription adding = kin_group_subscribe(nursery_group(nursery, coins), KIN_ADDED, add_weight, NULL);
    ck_assert_uint_eq(create_purse(4).id, 0);
    ck_assert_str_eq(errors.entries[0].message, "nursery: cannot complete a created entity with Weight of entity 1 in "
                                                "slot 0: the entity already has it; replace it instead");
    ck_assert_reported(&errors, KIN_ERROR_HAS_COMPONENT);
    ck_assert_uint_eq(nursery_entity_count(nursery), 0);
    ck_assert_str_eq(drops(), ""); // the coin belongs to the caller
    kin_unsubscribe(adding);
    ck_assert_uint_ne(create_purse(4).id, 0);
    nursery_destroy_all_entities(nursery);
    ck_assert_str_eq(drops(), "4 ");
}
END_TEST

START_TEST(err_01_creating_with_components_without_memory_changes_nothing)
{
    nursery_entity made = {0};
    uint64_t request = 0;
    while (made.id == 0) {
        guard_fail(&memory, ++request, true);
        made = create(2, (kin__part[]){PART(LABEL, Label), PART(WEIGHT, Weight)},
                      (const void *[]){&(Label){"green"}, &(Weight){7}});
        guard_fail(&memory, 0, false);
        ck_assert_uint_eq(nursery_entity_count(nursery), made.id != 0);
        if (made.id == 0)
            ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
    }
    ck_assert_uint_gt(request, 2);
}
END_TEST

static void create_label(const kin_change *change, void *user)
{
    nursery_entity *made = user;
    (void)change;
    *made = create(2, (kin__part[]){PART(LABEL, Label), PART(TRIPLE, Triple)},
                   (const void *[]){&(Label){"green"}, &(Triple){1, 2, 3}});
}

START_TEST(cpy_12_a_listener_may_create_an_entity_with_components)
{
    nursery_entity made = {0};
    kin_group_subscribe(nursery_weights_group(nursery), KIN_ADDED, create_label, &made);
    create_numbered(1);
    ck_assert_str_eq(nursery_get_label(nursery, made)->value, "green");
    ck_assert_uint_eq(nursery_entity_count(nursery), 2);
}
END_TEST

START_TEST(ent_10_a_limit_forbids_an_entity_with_components)
{
    create_numbered(1);
    create_numbered(2);
    ck_assert_uint_eq(create_numbered(3).id, 0);
    ck_assert_reported(&errors, KIN_ERROR_LIMIT);
}
END_TEST

static void begin_small(void)
{
    nursery_begin_with(&(kin_context_options){.max_entities = 2});
}

Suite *runtime_create_with_suite(void)
{
    Suite *suite = suite_create("runtime_create_with");
    TCase *cases = tcase_create("create_with");
    tcase_add_checked_fixture(cases, nursery_begin, nursery_end);
    tcase_add_test(cases, cpy_12_an_entity_is_created_with_all_its_components);
    tcase_add_test(cases, cpy_12_an_entity_may_be_created_with_every_component);
    tcase_add_test(cases, cpy_12_what_forbids_a_component_forbids_the_entity);
    tcase_add_test(cases, cpy_12_components_are_added_in_the_order_of_the_call);
    tcase_add_test(cases, cpy_12_a_component_that_a_listener_makes_impossible_ends_the_entity);
    tcase_add_test(cases, err_01_creating_with_components_without_memory_changes_nothing);
    tcase_add_test(cases, cpy_12_a_listener_may_create_an_entity_with_components);
    suite_add_tcase(suite, cases);
    cases = tcase_create("small");
    tcase_add_checked_fixture(cases, begin_small, nursery_end);
    tcase_add_test(cases, ent_10_a_limit_forbids_an_entity_with_components);
    suite_add_tcase(suite, cases);
    return suite;
}
