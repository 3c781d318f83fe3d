// The fast path of cloning (CPY-01), compared with a context that has a listener and so takes the general path.

#include "entity/entity.h"
#include "suites.h"

#include <check.h>
#include <nursery/nursery.h>

static nursery_context *contexts[2]; // the second one has a listener
static uint32_t added;

static void count_added(const kin_change *change, void *user)
{
    (void)change;
    (void)user;
    added++;
}

static void begin_two(void)
{
    for (int i = 0; i < 2; i++)
        contexts[i] = nursery_context_create(NULL);
    kin_group_subscribe(nursery_weights_group(contexts[1]), KIN_ADDED, count_added, NULL);
    added = 0;
}

static void end_two(void)
{
    for (int i = 0; i < 2; i++) {
        ck_assert(kin__context_is_valid(&contexts[i]->base));
        nursery_context_destroy(contexts[i]);
    }
}

static nursery_entity make_source(nursery_context *context, int32_t grams)
{
    nursery_entity made = nursery_spawn_grain(context);
    nursery_replace_weight(context, made, (Weight){grams});
    nursery_replace_wide(context, made, (Wide){{grams, -grams, 1}});
    nursery_replace_byte(context, made, (Byte){(int8_t)grams});
    nursery_set_marked(context, made, grams % 2 == 0);
    return made;
}

static void check_source_like(const nursery_context *context, nursery_entity clone, int32_t grams)
{
    ck_assert_int_eq(nursery_get_weight(context, clone)->grams, grams);
    ck_assert_int_eq(nursery_get_wide(context, clone)->values[1], -grams);
    ck_assert_int_eq(nursery_get_byte(context, clone)->value, grams);
    ck_assert(nursery_get_triple(context, clone)->z == -0.5f);
    ck_assert(nursery_is_marked(context, clone) == (grams % 2 == 0) && !nursery_is_hidden(context, clone));
}

START_TEST(cpy_01_clones_without_subscribers_equal_clones_with_subscribers)
{
    nursery_entity sources[2][2], clones[2];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            sources[i][k] = make_source(contexts[i], 7 + k);
    for (int n = 0; n < 1100; n++) {
        for (int i = 0; i < 2; i++)
            clones[i] = nursery_clone_entity(contexts[i], sources[i][n % 2]);
        ck_assert_uint_eq(clones[0].id, clones[1].id);
        ck_assert_uint_eq(kin_group_count(nursery_grains_group(contexts[0])),
                          kin_group_count(nursery_grains_group(contexts[1])));
        for (int i = 0; i < 2; i++)
            check_source_like(contexts[i], clones[i], 7 + n % 2);
        for (int i = 0; i < 2 && n % 5 == 0; i++)
            nursery_destroy_entity(contexts[i], clones[i]);
    }
    ck_assert_uint_eq(added, 2 * 2 + 1100);
}
END_TEST

START_TEST(a_clone_gets_columns_that_were_given_back)
{
    nursery_entity source = make_source(contexts[0], 8), clones[600];
    for (int i = 0; i < 600; i++)
        clones[i] = nursery_clone_entity(contexts[0], source);
    for (int i = 0; i < 600; i++)
        nursery_destroy_entity(contexts[0], clones[599 - i]);
    kin_context_trim(&contexts[0]->base);
    for (int i = 0; i < 600; i++)
        check_source_like(contexts[0], nursery_clone_entity(contexts[0], source), 8);
    ck_assert_uint_eq(nursery_entity_count(contexts[0]), 601);
}
END_TEST

Suite *runtime_clone_fast_suite(void)
{
    Suite *suite = suite_create("runtime_clone_fast");
    TCase *plain = tcase_create("plain");
    tcase_add_checked_fixture(plain, begin_two, end_two);
    tcase_add_test(plain, cpy_01_clones_without_subscribers_equal_clones_with_subscribers);
    tcase_add_test(plain, a_clone_gets_columns_that_were_given_back);
    suite_add_tcase(suite, plain);
    return suite;
}
