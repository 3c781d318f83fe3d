// Pools: the order in which slots are used after a reset that leaves some of them held (ENT-03, CTX-07).
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <nursery/nursery.h>
#include <string.h>

enum { SLOTS = 1100 };

static const uint32_t held[] = {0, 1, 5, 63, 64, 300, 510, 511, 512, 1023};

enum { HELD = sizeof held / sizeof *held };

CASE(nursery)

static nursery_entity entities[SLOTS];
static bool is_taken[SLOTS + HELD];

static void begin(void)
{
    memset(is_taken, 0, sizeof is_taken);
    nursery_begin();
}

// A context after a reset, in which the slots of `held` are not free.
static void begin_with_holes(void)
{
    begin();
    for (uint32_t i = 0; i < SLOTS; i++)
        entities[i] = nursery_create_entity(nursery);
    for (uint32_t i = 0; i < HELD; i++)
        nursery_retain_entity(nursery, entities[held[i]], NULL);
    ck_assert_refused(&errors, nursery_context_reset(nursery), KIN_ERROR_RETAINED);
    ck_assert_uint_eq(kin_context_reusable_count(&nursery->base), 0);
}

static uint32_t take(void)
{
    uint32_t slot = kin_entity_slot(nursery_create_entity(nursery).id);
    ck_assert_uint_lt(slot, SLOTS + HELD);
    ck_assert(!is_taken[slot]);
    is_taken[slot] = true;
    return slot;
}

static bool is_held(uint32_t slot)
{
    for (uint32_t i = 0; i < HELD; i++)
        if (held[i] == slot)
            return true;
    return false;
}

START_TEST(ctx_07_slots_that_are_held_are_skipped_and_the_others_are_used_in_order)
{
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        if (!is_held(slot))
            ck_assert_uint_eq(take(), slot);
    ck_assert_uint_eq(kin_context_reusable_count(&nursery->base), 0);
}
END_TEST

START_TEST(ent_03_a_slot_released_meanwhile_is_used_next_and_only_once)
{
    ck_assert_uint_eq(take(), 2);
    for (uint32_t i = HELD; i-- > 0;)
        nursery_release_entity(nursery, entities[held[i]], NULL); // the last two in a chunk without a pool
    ck_assert_uint_eq(kin_context_reusable_count(&nursery->base), HELD - 2);
    for (uint32_t i = 0; i < HELD - 2; i++)
        ck_assert_uint_eq(take(), held[i]);
    ck_assert(kin__context_is_valid(&nursery->base));
    for (uint32_t slot = 3; slot < SLOTS; slot++)
        if (!is_taken[slot])
            ck_assert_uint_eq(take(), slot);
}
END_TEST

START_TEST(cpy_04_spawning_many_skips_held_slots_too)
{
    nursery_entity many[SLOTS];
    ck_assert_int_eq(nursery_spawn_many_dust(nursery, 600, many), KIN_OK);
    for (uint32_t slot = 0, i = 0; i < 600; slot++)
        if (!is_held(slot))
            ck_assert_uint_eq(kin_entity_slot(many[i++].id), slot);
    ck_assert(kin__context_is_valid(&nursery->base));
}
END_TEST

START_TEST(ent_03_freed_slots_are_used_before_new_ones)
{
    nursery_entity first = nursery_create_entity(nursery), second = nursery_create_entity(nursery);
    nursery_destroy_entity(nursery, first);
    nursery_destroy_entity(nursery, second);
    ck_assert_uint_eq(kin_context_reusable_count(&nursery->base), 2);
    ck_assert_uint_eq(take(), kin_entity_slot(second.id));
    ck_assert_uint_eq(take(), kin_entity_slot(first.id));
    ck_assert_uint_eq(kin_context_reusable_count(&nursery->base), 0);
    ck_assert_uint_eq(take(), 4);
}
END_TEST

START_TEST(ent_01_zero_is_no_entity_even_if_the_first_entity_was_refused)
{
    kin_status status = KIN_ERROR_NO_MEMORY;
    for (uint64_t request = 1; status == KIN_ERROR_NO_MEMORY; request++) {
        guard_fail(&memory, request, false);
        status = nursery_spawn_many_grain(nursery, 3, NULL);
        guard_fail(&memory, 0, false);
        if (status != KIN_OK)
            ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
        ck_assert(!nursery_entity_is_alive(nursery, NURSERY_NO_ENTITY));
        ck_assert(kin__context_is_valid(&nursery->base));
    }
}
END_TEST

Suite *runtime_pool_suite(void)
{
    Suite *suite = suite_create("runtime_pool");
    TCase *holes = tcase_create("after a reset");
    tcase_add_checked_fixture(holes, begin_with_holes, nursery_end);
    tcase_add_test(holes, ctx_07_slots_that_are_held_are_skipped_and_the_others_are_used_in_order);
    tcase_add_test(holes, ent_03_a_slot_released_meanwhile_is_used_next_and_only_once);
    tcase_add_test(holes, cpy_04_spawning_many_skips_held_slots_too);
    tcase_add_test(holes, ent_03_freed_slots_are_used_before_new_ones);
    suite_add_tcase(suite, holes);
    TCase *fresh = tcase_create("a new context");
    tcase_add_checked_fixture(fresh, begin, nursery_end);
    tcase_add_test(fresh, ent_01_zero_is_no_entity_even_if_the_first_entity_was_refused);
    suite_add_tcase(suite, fresh);
    return suite;
}
