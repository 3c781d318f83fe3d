// Blueprints: the values of spawned entities, their slots, and applying a blueprint (CPY-04, CPY-06, ENT-03).
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "runtime/support/drops.h"
#include "suites.h"

#include <nursery/nursery.h>
#include <string.h>

CASE(nursery)

static uint32_t slot_of(nursery_entity entity)
{
    return kin_entity_slot(entity.id);
}

// ---- values

START_TEST(cpy_04_a_spawned_entity_has_the_blueprints_values_and_the_defaults)
{
    nursery_entity grain = nursery_spawn_grain(nursery);
    const Triple *triple = nursery_get_triple(nursery, grain);
    ck_assert_int_eq(nursery_get_weight(nursery, grain)->grams, 5);
    ck_assert(triple->x == 0 && triple->z == -0.5f);
    ck_assert_int_eq(nursery_get_byte(nursery, grain)->value, 3);
    ck_assert(nursery_is_marked(nursery, grain) && !nursery_is_hidden(nursery, grain));
    ck_assert(!nursery_has_label(nursery, grain));
    ck_assert_uint_eq(kin_entity_creation_index(grain.id), 1);
}
END_TEST

START_TEST(cpy_04_a_blueprint_inherits_the_values_that_it_does_not_give)
{
    const Speed *oak = nursery_get_speed(nursery, nursery_spawn_oak(nursery));
    nursery_entity spawned = nursery_spawn_ash(nursery);
    const Speed *ash = nursery_get_speed(nursery, spawned);
    ck_assert(oak->v.x == 1 && oak->v.y == 7 && oak->kind == KIND_OAK);
    ck_assert(ash->v.x == 1 && ash->v.y == 9 && ash->kind == KIND_ASH && ash->steps[2] == 3);
    ck_assert_str_eq(ash->mark, "old");
    ck_assert_int_eq(nursery_get_weight(nursery, spawned)->grams, 50);
    ck_assert_str_eq(nursery_get_label(nursery, spawned)->value, "elm");
    ck_assert(nursery_is_hidden(nursery, spawned));
}
END_TEST

START_TEST(cpy_04_strings_of_a_blueprint_are_copied_in_for_each)
{
    nursery_entity saplings[2];
    ck_assert_int_eq(nursery_spawn_many_sapling(nursery, 2, saplings), KIN_OK);
    const char *first = nursery_get_label(nursery, saplings[0])->value;
    ck_assert_str_eq(first, "green");
    ck_assert_ptr_ne(first, nursery_get_label(nursery, saplings[1])->value);
    nursery_destroy_entity(nursery, saplings[1]);
    ck_assert_str_eq(nursery_get_label(nursery, saplings[0])->value, "green");
    uint32_t count = 0;
    nursery_entities_with_row_value(nursery, "first", &count);
    ck_assert_uint_eq(count, 1);
}
END_TEST

START_TEST(cpy_04_a_unique_part_is_refused_while_another_entity_carries_it)
{
    nursery_entity chief = nursery_spawn_chief(nursery);
    ck_assert_int_eq(nursery_get_unique_leader(nursery)->rank, 3);
    ck_assert_uint_eq(nursery_spawn_chief(nursery).id, 0);
    ck_assert_str_eq(errors.entries[0].message, "nursery: cannot spawn Chief with Leader: entity 1 in slot 0 has it; "
                                                "replace it there, or remove it there first");
    ck_assert_reported(&errors, KIN_ERROR_UNIQUE);
    ck_assert(nursery_entity_equals(nursery_unique_leader_entity(nursery), chief));
    ck_assert_uint_eq(nursery_entity_count(nursery), 1);
}
END_TEST

START_TEST(cpy_04_a_key_that_another_entity_has_is_refused)
{
    nursery_spawn_ticket(nursery);
    ck_assert_uint_eq(nursery_spawn_ticket(nursery).id, 0);
    ck_assert_str_eq(errors.entries[0].message,
                     "nursery: cannot spawn Ticket with Number: entity 1 in slot 0 has the key 5 in index "
                     "Number.value; look it up first");
    ck_assert_str_eq(errors.entries[0].component, "Number");
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert_uint_eq(kin_entity_creation_index(nursery_create_entity(nursery).id), 2);
}
END_TEST

// Without the components with lower ids each spot would be a duplicate key.
START_TEST(idx_02_parts_that_come_earlier_keep_an_entity_out_of_an_index)
{
    nursery_entity stand = nursery_spawn_stand(nursery);
    ck_assert_uint_ne(nursery_spawn_step(nursery).id, 0);
    ck_assert_int_eq(nursery_spawn_many_step(nursery, 3, NULL), KIN_OK);
    ck_assert(nursery_entity_equals(nursery_entity_with_spot(nursery, 4, 1), stand));
    ck_assert_refused(&errors, nursery_spawn_many_stand(nursery, 1, NULL), KIN_ERROR_DUPLICATE_KEY);
}
END_TEST

// ---- slots

// The spawn allocates a chunk, and is refused when it needs a column.
START_TEST(grp_11_a_refused_spawn_leaves_no_entity_to_destroy)
{
    bool is_refused = true;
    for (uint64_t request = 1; is_refused; request++) {
        nursery_end();
        nursery_begin();
        kin_group *visible = nursery_group(nursery, KIN_MATCHER(KIN_NONE(NURSERY_HIDDEN)));
        guard_fail(&memory, request, true);
        is_refused = nursery_entity_equals(nursery_spawn_grain(nursery), NURSERY_NO_ENTITY);
        guard_fail(&memory, 0, false);
        error_log_clear(&errors);
        ck_assert_int_eq(kin_group_destroy_entities(visible), KIN_OK);
        ck_assert_uint_eq(nursery_entity_count(nursery), 0);
    }
}
END_TEST

START_TEST(cpy_04_spawned_entities_are_counted_with_listeners_and_after_columns_were_trimmed)
{
    for (uint32_t i = 0; i < 600; i++) {
        ck_assert_int_eq(nursery_get_wide(nursery, nursery_spawn_grain(nursery))->values[2], 0);
        ck_assert_uint_eq(kin_group_count(nursery_grains_group(nursery)), i + 1);
        ck_assert_uint_eq(kin_group_count(nursery_weights_group(nursery)), i + 1);
    }
    ck_assert_int_eq(kin_group_destroy_entities(nursery_grains_group(nursery)), KIN_OK);
    kin_context_trim(&nursery->base);
    ck_assert(nursery_get_triple(nursery, nursery_spawn_grain(nursery))->z == -0.5f);
    kin_group_subscribe(nursery_weights_group(nursery), KIN_ADDED, count_call, NULL);
    ck_assert_int_eq(nursery_get_byte(nursery, nursery_spawn_grain(nursery))->value, 3);
    ck_assert(call_count == 1 && kin_group_count(nursery_grains_group(nursery)) == 2);
}
END_TEST

START_TEST(ent_03_each_blueprint_has_slots_of_its_own_and_all_others_share_one_pool)
{
    ck_assert_uint_eq(slot_of(nursery_create_entity(nursery)), 0);
    nursery_entity grain = nursery_spawn_grain(nursery), dust = nursery_spawn_dust(nursery);
    ck_assert_uint_eq(slot_of(grain), 512);
    ck_assert_uint_eq(slot_of(dust), 1024);
    ck_assert_uint_eq(slot_of(nursery_spawn_grain(nursery)), 513);
    ck_assert_uint_eq(slot_of(nursery_create_entity(nursery)), 1);
    ck_assert_uint_eq(slot_of(nursery_set_unique_leader(nursery, (Leader){1})), 2);
    nursery_destroy_entity(nursery, grain);
    ck_assert_uint_eq(slot_of(nursery_create_entity(nursery)), 3);
    ck_assert_uint_eq(slot_of(nursery_spawn_dust(nursery)), 1025);
    ck_assert_uint_eq(slot_of(nursery_spawn_grain(nursery)), 512);
}
END_TEST

START_TEST(ent_03_a_clone_goes_to_the_pool_of_its_source)
{
    nursery_entity dust = nursery_spawn_dust(nursery), other = nursery_create_entity(nursery);
    nursery_add_weight(nursery, dust, (Weight){8});
    nursery_entity clone = nursery_clone_entity(nursery, dust);
    ck_assert_uint_eq(slot_of(clone), slot_of(dust) + 1);
    ck_assert(nursery_is_marked(nursery, clone) && nursery_get_weight(nursery, clone)->grams == 8);
    ck_assert_uint_eq(slot_of(nursery_clone_entity(nursery, other)), slot_of(other) + 1);
}
END_TEST

START_TEST(ent_03_a_full_pool_takes_the_next_chunk_of_the_context)
{
    ck_assert_int_eq(nursery_spawn_many_dust(nursery, 512, NULL), KIN_OK);
    ck_assert_uint_eq(slot_of(nursery_create_entity(nursery)), 512);
    ck_assert_uint_eq(slot_of(nursery_spawn_dust(nursery)), 1024);
    ck_assert_uint_eq(kin_context_reusable_count(&nursery->base), 0);
}
END_TEST

START_TEST(ctx_07_after_a_reset_the_first_blueprint_that_needs_chunks_gets_them)
{
    nursery_create_entity(nursery);
    nursery_entity dust = nursery_spawn_dust(nursery);
    nursery_retain_entity(nursery, dust, NULL);
    ck_assert_refused(&errors, nursery_context_reset(nursery), KIN_ERROR_RETAINED);
    ck_assert_uint_eq(slot_of(nursery_spawn_dust(nursery)), 0);
    nursery_entity many[3];
    ck_assert_int_eq(nursery_spawn_many_grain(nursery, 3, many), KIN_OK);
    ck_assert_uint_eq(slot_of(many[0]), 513);
    nursery_release_entity(nursery, dust, NULL);
    ck_assert_uint_eq(slot_of(nursery_create_entity(nursery)), 1024);
    ck_assert_uint_eq(slot_of(nursery_spawn_grain(nursery)), 512);
}
END_TEST

// The refused spawn must not have taken a chunk from the others.
START_TEST(err_01_a_refused_spawn_takes_no_slots)
{
    nursery_spawn_chief(nursery);
    ck_assert_uint_eq(nursery_spawn_chief(nursery).id, 0);
    ck_assert_reported(&errors, KIN_ERROR_UNIQUE);
    guard_fail(&memory, 3, true);
    ck_assert_int_eq(nursery_spawn_many_sapling(nursery, 600, NULL), KIN_ERROR_NO_MEMORY);
    guard_fail(&memory, 0, false);
    ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
    ck_assert_uint_eq(slot_of(nursery_spawn_dust(nursery)), 512);
    ck_assert_uint_eq(slot_of(nursery_spawn_sapling(nursery)), 1024);
}
END_TEST

// ---- applying

START_TEST(cpy_06_applying_replaces_and_adds)
{
    nursery_entity entity = nursery_create_entity(nursery);
    nursery_add_weight(nursery, entity, (Weight){1});
    nursery_add_label(nursery, entity, (Label){"old"});
    nursery_set_hidden(nursery, entity, true);
    ck_assert_int_eq(nursery_apply_ash(nursery, entity), KIN_OK);
    ck_assert_int_eq(nursery_get_weight(nursery, entity)->grams, 50);
    ck_assert_str_eq(nursery_get_label(nursery, entity)->value, "elm");
    ck_assert(nursery_is_hidden(nursery, entity) && nursery_get_speed(nursery, entity)->kind == KIND_ASH);
    ck_assert_uint_eq(slot_of(entity), 0);
    ck_assert_int_eq(nursery_apply_ash(nursery, entity), KIN_OK);
}
END_TEST

START_TEST(cpy_06_all_is_checked_before_the_first_write)
{
    nursery_spawn_ticket(nursery);
    nursery_entity entity = nursery_create_entity(nursery);
    nursery_add_weight(nursery, entity, (Weight){1});
    ck_assert_int_eq(nursery_apply_ticket(nursery, entity), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_str_eq(errors.entries[0].message,
                     "nursery: cannot apply Ticket with Number to entity 2 in slot 512: entity 1 in slot 0 has the "
                     "key 5 in index Number.value; look it up first");
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert(!nursery_has_scale(nursery, entity) && nursery_get_weight(nursery, entity)->grams == 1);
}
END_TEST

START_TEST(cpy_06_an_entity_may_be_given_the_key_or_unique_component_that_it_has)
{
    nursery_entity ticket = nursery_spawn_ticket(nursery), chief = nursery_spawn_chief(nursery);
    nursery_replace_leader(nursery, chief, (Leader){9});
    ck_assert_int_eq(nursery_apply_ticket(nursery, ticket), KIN_OK);
    ck_assert_int_eq(nursery_apply_chief(nursery, chief), KIN_OK);
    ck_assert_int_eq(nursery_get_unique_leader(nursery)->rank, 3);
    ck_assert_refused(&errors, nursery_apply_chief(nursery, ticket), KIN_ERROR_UNIQUE);
}
END_TEST

START_TEST(ent_08_applying_to_a_dead_entity_is_refused)
{
    nursery_entity entity = nursery_create_entity(nursery);
    nursery_destroy_entity(nursery, entity);
    ck_assert_int_eq(nursery_apply_dust(nursery, entity), KIN_ERROR_NOT_ALIVE);
    ck_assert_str_eq(
        errors.entries[0].message,
        "nursery: cannot apply Dust to entity 1 in slot 0: the entity was destroyed; check that it is alive first");
    ck_assert_reported(&errors, KIN_ERROR_NOT_ALIVE);
    ck_assert_refused(&errors, nursery_apply_dust(nursery, NURSERY_NO_ENTITY), KIN_ERROR_NOT_ALIVE);
}
END_TEST

START_TEST(err_01_applying_without_memory_changes_nothing)
{
    nursery_entity entity = nursery_create_entity(nursery);
    nursery_add_label(nursery, entity, (Label){"old"});
    kin_status status = KIN_ERROR_NO_MEMORY;
    uint64_t request = 0;
    while (status == KIN_ERROR_NO_MEMORY) {
        ck_assert_str_eq(nursery_get_label(nursery, entity)->value, "old");
        ck_assert(!nursery_has_speed(nursery, entity) && !nursery_has_weight(nursery, entity));
        guard_fail(&memory, ++request, true);
        status = nursery_apply_ash(nursery, entity);
        guard_fail(&memory, 0, false);
        if (status == KIN_ERROR_NO_MEMORY)
            ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
    }
    ck_assert_int_eq(status, KIN_OK);
    ck_assert_uint_ge(request, 4);
}
END_TEST

// ---- copying to an entity that has a key

static nursery_entity from, to;

static void begin_copy(void)
{
    nursery_begin();
    from = nursery_create_entity(nursery);
    to = nursery_create_entity(nursery);
    nursery_add_byte(nursery, from, (Byte){7});
    nursery_add_place(nursery, from, (Place){1, 2});
}

START_TEST(cpy_11_a_key_that_another_entity_has_refuses_the_whole_copy)
{
    nursery_add_label(nursery, to, (Label){"to"});
    ck_assert_int_eq(nursery_copy_components(nursery, from, to, KIN_EVERY_COMPONENT, true), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_str_eq(errors.entries[0].message,
                     "nursery: cannot copy Place to entity 2 in slot 1: entity 1 in slot 0 has the key (1, 2) in "
                     "index spot; look it up first");
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert(!nursery_has_byte(nursery, to) && !nursery_has_place(nursery, to));
    nursery_set_dark(nursery, to, true);
    ck_assert_int_eq(nursery_copy_components(nursery, from, to, KIN_EVERY_COMPONENT, true), KIN_OK);
    ck_assert_int_eq(nursery_get_place(nursery, to)->y, 2);
    ck_assert_uint_eq(nursery_entity_with_spot(nursery, 1, 2).id, from.id);
}
END_TEST

// Takes the place from the target, which then needs a key that another entity has.
static void take_place(const kin_change *change, void *user)
{
    (void)change, (void)user;
    ck_assert_int_eq(nursery_remove_place(nursery, to), KIN_OK);
    ck_assert_int_eq(nursery_set_dark(nursery, to, false), KIN_OK);
}

START_TEST(cpy_11_err_04_a_key_that_is_taken_meanwhile_is_described)
{
    kin_group *bytes = nursery_group(nursery, KIN_MATCHER(KIN_ALL(NURSERY_BYTE)));
    kin_group_subscribe(bytes, KIN_ADDED, take_place, NULL);
    nursery_set_dark(nursery, to, true);
    nursery_add_place(nursery, to, (Place){3, 4});
    ck_assert_int_eq(nursery_copy_components(nursery, from, to, KIN_EVERY_COMPONENT, true), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_ptr_nonnull(strstr(errors.entries[0].message, "(1, 2) in index spot"));
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert(nursery_has_byte(nursery, to) && !nursery_has_place(nursery, to));
}
END_TEST

START_TEST(cmp_13_values_that_are_given_belong_to_the_context_once_they_are_spawned)
{
    Coin coins[2] = {{{1}}, {{2}}};
    nursery_entity purses[2];
    drops();
    ck_assert_int_eq(nursery_spawn_many_purse_with(nursery, 2, &(nursery_purse_values){.coin = coins}, purses), KIN_OK);
    nursery_destroy_entity(nursery, purses[1]);
    ck_assert_str_eq(drops(), "2 ");
    ck_assert_int_eq(nursery_apply_purse(nursery, purses[0]), KIN_OK);
    ck_assert_str_eq(drops(), "1 ");
    nursery_destroy_entity(nursery, purses[0]);
    ck_assert_str_eq(drops(), "0 ");
}
END_TEST

START_TEST(lkp_02_the_table_has_the_blueprints_by_name_and_their_components_by_id)
{
    ck_assert_uint_eq(nursery_info.blueprint_count, 11);
    const kin_blueprint_info *ash = &nursery_info.blueprints[0], *dust = &nursery_info.blueprints[2];
    ck_assert_str_eq(ash->name, "Ash");
    ck_assert_str_eq(ash->doc, "The third generation.");
    ck_assert_uint_eq(ash->component_count, 4);
    for (uint32_t i = 1; i < ash->component_count; i++)
        ck_assert_uint_lt(ash->components[i - 1], ash->components[i]);
    ck_assert_ptr_null(dust->doc);
    ck_assert(dust->write_values == NULL && dust->components[0] == NURSERY_HIDDEN);
    ck_assert_uint_eq(yard_info.blueprint_count, 2);
}
END_TEST

Suite *runtime_blueprint_suite(void)
{
    Suite *suite = suite_create("runtime_blueprint");
    TCase *values = tcase_create("values");
    tcase_add_checked_fixture(values, nursery_begin, nursery_end);
    tcase_add_test(values, cpy_04_a_spawned_entity_has_the_blueprints_values_and_the_defaults);
    tcase_add_test(values, cpy_04_a_blueprint_inherits_the_values_that_it_does_not_give);
    tcase_add_test(values, cpy_04_strings_of_a_blueprint_are_copied_in_for_each);
    tcase_add_test(values, cpy_04_a_unique_part_is_refused_while_another_entity_carries_it);
    tcase_add_test(values, cpy_04_a_key_that_another_entity_has_is_refused);
    tcase_add_test(values, idx_02_parts_that_come_earlier_keep_an_entity_out_of_an_index);
    tcase_add_test(values, cmp_13_values_that_are_given_belong_to_the_context_once_they_are_spawned);
    tcase_add_test(values, lkp_02_the_table_has_the_blueprints_by_name_and_their_components_by_id);
    suite_add_tcase(suite, values);
    TCase *slots = tcase_create("slots");
    tcase_add_checked_fixture(slots, nursery_begin, nursery_end);
    tcase_add_test(slots, cpy_04_spawned_entities_are_counted_with_listeners_and_after_columns_were_trimmed);
    tcase_add_test(slots, grp_11_a_refused_spawn_leaves_no_entity_to_destroy);
    tcase_add_test(slots, ent_03_each_blueprint_has_slots_of_its_own_and_all_others_share_one_pool);
    tcase_add_test(slots, ent_03_a_clone_goes_to_the_pool_of_its_source);
    tcase_add_test(slots, ent_03_a_full_pool_takes_the_next_chunk_of_the_context);
    tcase_add_test(slots, ctx_07_after_a_reset_the_first_blueprint_that_needs_chunks_gets_them);
    tcase_add_test(slots, err_01_a_refused_spawn_takes_no_slots);
    suite_add_tcase(suite, slots);
    TCase *applying = tcase_create("applying");
    tcase_add_checked_fixture(applying, nursery_begin, nursery_end);
    tcase_add_test(applying, cpy_06_applying_replaces_and_adds);
    tcase_add_test(applying, cpy_06_all_is_checked_before_the_first_write);
    tcase_add_test(applying, cpy_06_an_entity_may_be_given_the_key_or_unique_component_that_it_has);
    tcase_add_test(applying, ent_08_applying_to_a_dead_entity_is_refused);
    tcase_add_test(applying, err_01_applying_without_memory_changes_nothing);
    suite_add_tcase(suite, applying);
    TCase *copying = tcase_create("copying");
    tcase_add_checked_fixture(copying, begin_copy, nursery_end);
    tcase_add_test(copying, cpy_11_a_key_that_another_entity_has_refuses_the_whole_copy);
    tcase_add_test(copying, cpy_11_err_04_a_key_that_is_taken_meanwhile_is_described);
    suite_add_tcase(suite, copying);
    return suite;
}
