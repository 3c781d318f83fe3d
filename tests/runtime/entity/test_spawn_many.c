// Spawning many at once (CPY-04, CPY-05), and destroying a group by words (GRP-11), compared with one by one. Each such
// test plays two contexts: in one a listener watches everything, so that it takes the general path.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <math.h>
#include <nursery/nursery.h>
#include <string.h>

enum { MOST = 1400 };

static guard memories[2];
static nursery_context *nursery, *watched;

static nursery_context *make(guard *memory, uint32_t max_entities)
{
    kin_context_options options = {.allocator = guard_begin(memory),
                                   .on_error = error_log_append,
                                   .error_user = &errors,
                                   .max_entities = max_entities};
    nursery_context *made = nursery_context_create(&options);
    ck_assert_ptr_nonnull(made);
    return made;
}

static void begin_with(uint32_t max_entities)
{
    error_log_clear(&errors);
    nursery = make(&memories[0], max_entities);
    watched = make(&memories[1], max_entities);
    kin_group_subscribe(nursery_weights_group(watched), KIN_ADDED_OR_REMOVED, count_call, NULL);
    call_count = 0;
}

static void begin(void)
{
    begin_with(0);
}

static void end(void)
{
    ck_assert_uint_eq(errors.count, 0);
    ck_assert(kin__context_is_valid(&nursery->base) && kin__context_is_valid(&watched->base));
    nursery_context_destroy(nursery);
    nursery_context_destroy(watched);
    guard_end(&memories[0]);
    guard_end(&memories[1]);
}

static Weight weights[MOST];
static Triple triples[MOST];
static Byte bytes[MOST];

static nursery_grain_values values_of(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        weights[i].grams = (int32_t)i;
        triples[i] = (Triple){(float)i, (float)i + 0.25f, (float)i + 0.5f};
        bytes[i].value = (int8_t)(i % 100);
    }
    return (nursery_grain_values){.weight = weights, .triple = triples, .byte = bytes};
}

static void check_values(const nursery_context *context, nursery_entity entity, uint32_t i)
{
    const Triple *triple = nursery_get_triple(context, entity);
    ck_assert(nursery_get_weight(context, entity)->grams == (int32_t)i && triple->x == (float)i &&
              triple->z == (float)i + 0.5f && nursery_get_byte(context, entity)->value == (int8_t)(i % 100) &&
              nursery_get_wide(context, entity)->values[2] == 0 && nursery_is_marked(context, entity));
}

// Checks that both contexts have the same entities: by slot, and as a group.
static void check_equal(void)
{
    static kin_entity lists[2][3 * MOST];
    uint32_t counts[2];
    nursery_context *contexts[2] = {nursery, watched};
    for (int i = 0; i < 2; i++) {
        const nursery_entity *entities = nursery_entities(contexts[i], &counts[i]);
        ck_assert_uint_le(counts[i], 3 * MOST);
        if (counts[i] > 0)
            memcpy(lists[i], entities, counts[i] * sizeof *entities);
    }
    ck_assert_uint_eq(counts[0], counts[1]);
    ck_assert_mem_eq(lists[0], lists[1], counts[0] * sizeof(kin_entity));
    ck_assert_uint_eq(kin_group_count(nursery_grains_group(nursery)), kin_group_count(nursery_grains_group(watched)));
    ck_assert_uint_eq(kin_context_reusable_count(&nursery->base), kin_context_reusable_count(&watched->base));
}

static void spawn_in_both(uint32_t count, nursery_entity *made)
{
    static nursery_entity others[MOST];
    nursery_grain_values values = values_of(count);
    ck_assert_int_eq(nursery_spawn_many_grain_with(nursery, count, &values, made), KIN_OK);
    ck_assert_int_eq(nursery_spawn_many_grain_with(watched, count, &values, others), KIN_OK);
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_uint_eq(made[i].id, others[i].id);
        check_values(nursery, made[i], i);
        check_values(watched, others[i], i);
    }
}

static const uint32_t counts[] = {0, 1, 2, 63, 64, 65, 511, 512, 513, 1023, 1024, 1025};

START_TEST(cpy_04_spawning_many_equals_spawning_one_by_one)
{
    static nursery_entity made[MOST];
    uint32_t count = counts[_i];
    spawn_in_both(count, made);
    check_equal();
    ck_assert_uint_eq(call_count, count);
    ck_assert_uint_eq(nursery_entity_count(nursery), count);
    spawn_in_both(65, made);
    check_equal();
}
END_TEST

// The slots freed last are used first, in any order.
START_TEST(ent_03_many_take_freed_slots_last_freed_first)
{
    static nursery_entity made[MOST], again[MOST];
    uint32_t count = counts[_i];
    spawn_in_both(count, made);
    for (uint32_t step = 1; step <= 4; step++) {
        for (uint32_t i = 0; i < count; i += step) {
            uint32_t place = step % 2 == 0 ? count - 1 - i : i;
            nursery_destroy_entity(nursery, made[place]);
            nursery_destroy_entity(watched, made[place]);
        }
        check_equal();
        uint32_t gone = (count + step - 1) / step;
        spawn_in_both(gone, again);
        for (uint32_t i = 0, k = gone; i < count; i += step)
            made[step % 2 == 0 ? count - 1 - i : i] = again[--k];
        check_equal();
    }
    spawn_in_both(3, again);
    check_equal();
}
END_TEST

START_TEST(cpy_04_without_values_and_places_for_handles_many_get_those_of_the_blueprint)
{
    ck_assert_int_eq(nursery_spawn_many_grain_with(nursery, 70, NULL, NULL), KIN_OK);
    ck_assert_int_eq(nursery_spawn_many_grain_with(nursery, 3, &(nursery_grain_values){.byte = bytes}, NULL), KIN_OK);
    ck_assert_int_eq(nursery_spawn_many_grain(nursery, 600, NULL), KIN_OK);
    uint32_t count = 0;
    const nursery_entity *entities = nursery_entities(nursery, &count);
    ck_assert_uint_eq(count, 673);
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_int_eq(nursery_get_weight(nursery, entities[i])->grams, 5);
        ck_assert(nursery_get_triple(nursery, entities[i])->z == -0.5f);
    }
}
END_TEST

START_TEST(cpy_04_entities_of_a_blueprint_iterate_as_one_run_a_chunk)
{
    ck_assert_int_eq(nursery_spawn_many_grain(nursery, 512, NULL), KIN_OK);
    for (uint32_t i = 0; i < 100; i++) {
        ck_assert_uint_ne(nursery_create_entity(nursery).id, 0);
        ck_assert_uint_ne(nursery_spawn_oak(nursery).id, 0);
        ck_assert_uint_ne(nursery_spawn_grain(nursery).id, 0);
    }
    nursery_grains_iter it = nursery_grains_iterate(nursery);
    ck_assert(nursery_grains_next(&it));
    ck_assert_uint_eq(it.count, 512);
    ck_assert(nursery_grains_next(&it));
    ck_assert_uint_eq(it.count, 100);
    ck_assert(!nursery_grains_next(&it));
}
END_TEST

// Chunks of two blueprints, one without a weight, alternate.
static void spawn_by_turns(nursery_entity *oaks)
{
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_int_eq(nursery_spawn_many_oak(nursery, 512, oaks + (size_t)i * 512), KIN_OK);
        ck_assert_int_eq(nursery_spawn_many_grain(nursery, 512, NULL), KIN_OK);
    }
}

START_TEST(grp_09_chunks_without_a_component_are_skipped_until_an_entity_gets_it)
{
    nursery_entity oaks[1536];
    spawn_by_turns(oaks);
    nursery_weights_iter it = nursery_weights_iterate(nursery);
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert(nursery_weights_next(&it));
        ck_assert_uint_eq(it.count, 512);
        ck_assert_uint_eq(kin_entity_slot(nursery_weights_at(&it, 0).id), (i * 2 + 1) * 512);
    }
    ck_assert_int_eq(nursery_add_weight(nursery, oaks[1030], (Weight){6}), KIN_OK);
    ck_assert(nursery_weights_next(&it));
    ck_assert_uint_eq(it.count, 1);
    ck_assert_uint_eq(nursery_weights_at(&it, 0).id, oaks[1030].id);
    ck_assert_int_eq(it.weight->grams, 6);
    ck_assert(nursery_weights_next(&it) && it.count == 512);
    ck_assert(!nursery_weights_next(&it));
}
END_TEST

START_TEST(grp_09_blocks_of_chunks_without_a_component_are_skipped_too)
{
    nursery_entity oaks[1536];
    spawn_by_turns(oaks);
    ck_assert_int_eq(nursery_add_weight(nursery, oaks[0], (Weight){6}), KIN_OK);
    uint32_t blocks = 0, members = 0;
    for (nursery_weights_iter it = nursery_weights_iterate(nursery); nursery_weights_next_block(&it); blocks++)
        KIN_EACH_BIT(i, it.mask) members += nursery_has_weight(nursery, nursery_weights_at(&it, i));
    ck_assert_uint_eq(blocks, 1 + 3 * 8);
    ck_assert_uint_eq(members, 1 + 3 * 512);
}
END_TEST

// ---- refusals

START_TEST(ent_10_more_than_may_be_alive_are_refused_whole)
{
    static nursery_entity made[3] = {{7}, {7}, {7}};
    end();
    begin_with(600);
    ck_assert_int_eq(nursery_spawn_many_grain(nursery, 598, NULL), KIN_OK);
    ck_assert_int_eq(nursery_spawn_many_grain(nursery, 3, made), KIN_ERROR_LIMIT);
    ck_assert_str_eq(errors.entries[0].message,
                     "nursery: cannot spawn 3 of Grain: more than 600 entities, the limit max_entities, would be "
                     "alive or held; raise it, destroy or release some");
    ck_assert_reported(&errors, KIN_ERROR_LIMIT);
    ck_assert(made[0].id == 0 && made[1].id == 0 && made[2].id == 0);
    ck_assert_refused(&errors, nursery_spawn_many_grain(nursery, UINT32_MAX, NULL), KIN_ERROR_LIMIT);
    ck_assert_int_eq(nursery_spawn_many_grain(nursery, 2, made), KIN_OK);
    ck_assert_uint_eq(kin_entity_creation_index(made[1].id), 600);
    ck_assert_uint_eq(nursery_spawn_grain(nursery).id, 0);
    ck_assert_str_eq(errors.entries[0].message,
                     "nursery: cannot spawn Grain: 600 entities, the limit max_entities, are alive or held; raise "
                     "it, destroy or release some");
    ck_assert_reported(&errors, KIN_ERROR_LIMIT);
}
END_TEST

START_TEST(err_01_many_without_memory_change_nothing)
{
    nursery_context *context = _i == 0 ? nursery : watched;
    guard *memory = &memories[_i];
    kin_status status = KIN_ERROR_NO_MEMORY;
    uint64_t request = 0;
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(nursery_spawn_many_sapling(context, 100, NULL), KIN_OK);
    while (status == KIN_ERROR_NO_MEMORY) {
        guard_fail(memory, ++request, true);
        status = nursery_spawn_many_sapling(context, 20, NULL);
        guard_fail(memory, 0, false);
        ck_assert_uint_eq(nursery_entity_count(context), status == KIN_OK ? 520 : 500);
        error_log_clear(&errors);
    }
    ck_assert_int_eq(status, KIN_OK);
    ck_assert_uint_gt(request, 40);
    for (request = 0, status = KIN_ERROR_NO_MEMORY; status == KIN_ERROR_NO_MEMORY;) {
        guard_fail(memory, ++request, true);
        status = nursery_spawn_many_grain(context, 1000, NULL);
        guard_fail(memory, 0, false);
        ck_assert_uint_eq(nursery_entity_count(context), status == KIN_OK ? 1520 : 520);
        error_log_clear(&errors);
    }
    ck_assert_uint_gt(request, 5);
    ck_assert(kin__context_is_valid(&context->base));
}
END_TEST

START_TEST(cpy_05_a_batch_with_equal_keys_is_refused_as_a_whole)
{
    Number numbers[3] = {{1}, {2}, {1}};
    Scale scales[3] = {{1}, {2}, {3}};
    nursery_ticket_values values = {.number = numbers, .scale = scales};
    ck_assert_int_eq(nursery_spawn_many_ticket(nursery, 2, NULL), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_str_eq(
        errors.entries[0].message,
        "nursery: cannot spawn 2 of Ticket with Number: an earlier entity of the same call has the key 5 in "
        "index Number.value; use a different key for each");
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert_refused(&errors, nursery_spawn_many_ticket_with(nursery, 3, &values, NULL), KIN_ERROR_DUPLICATE_KEY);
    numbers[2].value = 3;
    scales[1].value = (double)NAN;
    ck_assert_refused(&errors, nursery_spawn_many_ticket_with(nursery, 3, &values, NULL), KIN_ERROR_INVALID);
    ck_assert_uint_eq(nursery_entity_count(nursery), 0);
    scales[1].value = 2;
    ck_assert_int_eq(nursery_spawn_many_ticket_with(nursery, 3, &values, NULL), KIN_OK);
    ck_assert_uint_eq(kin_entity_creation_index(nursery_entity_with_number_value(nursery, 3).id), 3);
}
END_TEST

START_TEST(cpy_05_a_blueprint_with_a_unique_component_spawns_one_entity)
{
    ck_assert_int_eq(nursery_spawn_many_chief(nursery, 0, NULL), KIN_OK);
    ck_assert_refused(&errors, nursery_spawn_many_chief(nursery, 2, NULL), KIN_ERROR_UNIQUE);
    ck_assert_uint_eq(nursery_entity_count(nursery), 0);
    ck_assert_int_eq(nursery_spawn_many_chief(nursery, 1, NULL), KIN_OK);
    ck_assert(nursery_has_unique_leader(nursery));
}
END_TEST

// ---- groups

START_TEST(grp_11_destroying_a_group_without_listeners_equals_destroying_its_entities_one_by_one)
{
    static nursery_entity made[MOST];
    uint32_t count = counts[_i];
    nursery_context *contexts[2] = {nursery, watched};
    spawn_in_both(count, made);
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < count; i += 3)
            nursery_set_hidden(contexts[k], made[i], true);
        for (uint32_t i = 1; i < count; i += 7)
            nursery_set_unique_leader(contexts[k], (Leader){1});
        error_log_clear(&errors);
        ck_assert_int_eq(kin_group_destroy_entities(nursery_grains_group(contexts[k])), KIN_OK);
        ck_assert_uint_eq(kin_group_count(nursery_grains_group(contexts[k])), 0);
    }
    check_equal();
    spawn_in_both(count, made);
    check_equal();
}
END_TEST

START_TEST(grp_11_a_held_entity_keeps_its_slot)
{
    static nursery_entity made[70];
    ck_assert_int_eq(nursery_spawn_many_grain(nursery, 70, made), KIN_OK);
    nursery_retain_entity(nursery, made[64], NULL);
    ck_assert_int_eq(kin_group_destroy_entities(nursery_grains_group(nursery)), KIN_OK);
    ck_assert_uint_eq(kin_context_retained_count(&nursery->base), 1);
    ck_assert_uint_eq(kin_context_reusable_count(&nursery->base), 69);
    ck_assert_uint_eq(kin_entity_slot(nursery_spawn_grain(nursery).id), 69);
    ck_assert_int_eq(nursery_release_entity(nursery, made[64], NULL), KIN_OK);
    ck_assert_uint_eq(kin_entity_slot(nursery_spawn_grain(nursery).id), 64);
}
END_TEST

START_TEST(grp_11_strings_of_members_are_freed_and_uniqueness_ends)
{
    ck_assert_int_eq(nursery_spawn_many_sapling(nursery, 20, NULL), KIN_OK);
    ck_assert_uint_ne(nursery_spawn_chief(nursery).id, 0);
    ck_assert_int_eq(kin_group_destroy_entities(nursery_weights_group(nursery)), KIN_OK);
    ck_assert_uint_eq(nursery_entity_count(nursery), 0);
    ck_assert(!nursery_has_unique_leader(nursery));
    uint32_t count = 1;
    nursery_entities_with_row_value(nursery, "first", &count);
    ck_assert_uint_eq(count, 0);
}
END_TEST

Suite *runtime_spawn_many_suite(void)
{
    enum { COUNTS = sizeof counts / sizeof *counts };
    Suite *suite = suite_create("runtime_spawn_many");
    TCase *bulk = tcase_create("bulk");
    tcase_add_checked_fixture(bulk, begin, end);
    tcase_add_loop_test(bulk, cpy_04_spawning_many_equals_spawning_one_by_one, 0, COUNTS);
    tcase_add_loop_test(bulk, ent_03_many_take_freed_slots_last_freed_first, 0, COUNTS);
    tcase_add_test(bulk, cpy_04_without_values_and_places_for_handles_many_get_those_of_the_blueprint);
    tcase_add_test(bulk, cpy_04_entities_of_a_blueprint_iterate_as_one_run_a_chunk);
    tcase_add_test(bulk, grp_09_chunks_without_a_component_are_skipped_until_an_entity_gets_it);
    tcase_add_test(bulk, grp_09_blocks_of_chunks_without_a_component_are_skipped_too);
    suite_add_tcase(suite, bulk);
    TCase *refusals = tcase_create("refusals");
    tcase_add_checked_fixture(refusals, begin, end);
    tcase_add_test(refusals, ent_10_more_than_may_be_alive_are_refused_whole);
    tcase_add_loop_test(refusals, err_01_many_without_memory_change_nothing, 0, 2);
    tcase_add_test(refusals, cpy_05_a_batch_with_equal_keys_is_refused_as_a_whole);
    tcase_add_test(refusals, cpy_05_a_blueprint_with_a_unique_component_spawns_one_entity);
    suite_add_tcase(suite, refusals);
    TCase *groups = tcase_create("groups");
    tcase_add_checked_fixture(groups, begin, end);
    tcase_add_loop_test(groups, grp_11_destroying_a_group_without_listeners_equals_destroying_its_entities_one_by_one,
                        0, COUNTS);
    tcase_add_test(groups, grp_11_a_held_entity_keeps_its_slot);
    tcase_add_test(groups, grp_11_strings_of_members_are_freed_and_uniqueness_ends);
    suite_add_tcase(suite, groups);
    return suite;
}
