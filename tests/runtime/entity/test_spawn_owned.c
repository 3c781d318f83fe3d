// Opaque values that are given to spawn_many belong to the context once all entities are complete, and to the caller if
// the batch is refused, whatever listeners have done meanwhile (CPY-05, CMP-13, CMP-14).
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "runtime/support/drops.h"
#include "suites.h"

#include <closet/closet.h>

typedef void action(closet_entity entity);

CASE(closet)

static closet_entity made[3];
static action *acts[3];  // on the coin of that entity of the batch, after it was added
static uint32_t blocked; // the entity that gets a trail too early; 3: none
static uint32_t number;  // of the coins that were added
static bool is_acting;   // an action that adds coins of its own

static void act(const kin_change *change, void *user)
{
    uint32_t at = is_acting ? 3 : number++;
    (void)user;
    if (at >= 3)
        return;
    is_acting = true;
    if (at == blocked)
        closet_add_trail(closet, closet_entity_of(change->entity), (Trail){1, 1});
    if (acts[at] != NULL)
        acts[at](closet_entity_of(change->entity));
    is_acting = false;
}

static void begin(void)
{
    drops();
    closet_begin();
    kin_group_subscribe(closet_coins_group(closet), KIN_ADDED, act, NULL);
    number = 0;
    blocked = 2;
    for (int i = 0; i < 3; i++) {
        acts[i] = NULL;
        made[i] = (closet_entity){7};
    }
}

static kin_status spawn(void)
{
    Coin coins[3] = {{{1}}, {{2}}, {{3}}};
    return closet_spawn_many_purse_with(closet, 3, &(closet_purse_values){.coin = coins}, made);
}

static void assert_refused(kin_status status)
{
    ck_assert_int_eq(spawn(), status);
    ck_assert_reported(&errors, status);
    for (int i = 0; i < 3; i++)
        ck_assert_uint_eq(made[i].id, 0);
}

START_TEST(cpy_05_cmp_13_a_batch_refused_midway_returns_every_value)
{
    assert_refused(KIN_ERROR_HAS_COMPONENT);
    ck_assert_str_eq(drops(), "");
    ck_assert_uint_eq(closet_entity_count(closet), 0);
    blocked = 3;
    ck_assert_int_eq(spawn(), KIN_OK);
    ck_assert_str_eq(drops(), "");
    closet_destroy_all_entities(closet);
    ck_assert_str_eq(drops(), "1 2 3 ");
}
END_TEST

static void remove_coin(closet_entity entity)
{
    ck_assert_int_eq(closet_remove_coin(closet, entity), KIN_OK);
}

static void replace_coin(closet_entity entity)
{
    ck_assert_int_eq(closet_replace_coin(closet, entity, (Coin){{9}}), KIN_OK);
}

static void readd_coin(closet_entity entity)
{
    ck_assert_int_eq(closet_readd_coin(closet, entity, (Coin){{8}}), KIN_OK);
}

static void replace_by_itself(closet_entity entity)
{
    ck_assert_int_eq(closet_replace_coin(closet, entity, *closet_get_coin(closet, entity)), KIN_OK);
    ck_assert_int_eq(closet_replace_coin(closet, entity, *closet_get_coin(closet, entity)), KIN_OK);
}

static void readd_itself(closet_entity entity)
{
    ck_assert_int_eq(closet_readd_coin(closet, entity, *closet_get_coin(closet, entity)), KIN_OK);
}

static void stash(closet_entity entity)
{
    ck_assert_int_eq(closet_stash_coin(closet, entity), KIN_OK);
}

static void stash_and_restore(closet_entity entity)
{
    stash(entity);
    ck_assert_int_eq(closet_restore_coin(closet, entity), KIN_OK);
}

static void destroy(closet_entity entity)
{
    ck_assert_int_eq(closet_destroy_entity(closet, entity), KIN_OK);
}

static void reset(closet_entity entity)
{
    (void)entity;
    ck_assert_int_eq(closet_context_reset(closet), KIN_OK);
}

// Actions of a listener on two of the values, and the drops of values that the listener made.
static const struct {
    action *act;
    kin_status status;
    const char *others;
} deeds[] = {
    {remove_coin, KIN_ERROR_HAS_COMPONENT, ""},
    {replace_coin, KIN_ERROR_HAS_COMPONENT, "9 9 "},
    {readd_coin, KIN_ERROR_HAS_COMPONENT, "8 8 "},
    {replace_by_itself, KIN_ERROR_HAS_COMPONENT, ""},
    {readd_itself, KIN_ERROR_HAS_COMPONENT, ""},
    {stash, KIN_ERROR_HAS_COMPONENT, ""},
    {stash_and_restore, KIN_ERROR_HAS_COMPONENT, ""},
    {destroy, KIN_ERROR_NOT_ALIVE, ""},
    {reset, KIN_ERROR_NOT_ALIVE, ""},
};

enum { DEEDS = sizeof deeds / sizeof *deeds };

START_TEST(cpy_05_cmp_13_a_refused_batch_returns_also_what_a_listener_has_removed_or_replaced)
{
    acts[1] = acts[2] = deeds[_i].act;
    assert_refused(deeds[_i].status);
    ck_assert_str_eq(drops(), deeds[_i].others);
}
END_TEST

// A removed value waits for the event. A reset reports entities that are held for it.
START_TEST(cpy_05_evt_05_a_refused_batch_returns_also_values_that_wait_for_an_event)
{
    kin_systems *events = closet_event_systems(closet);
    acts[1] = acts[2] = deeds[_i].act;
    if (acts[1] != reset) {
        assert_refused(deeds[_i].status);
        kin_systems_execute(events, 0);
        ck_assert_str_eq(drops(), deeds[_i].others);
    }
    kin_systems_destroy(events);
}
END_TEST

START_TEST(cmp_13_cmp_14_a_complete_batch_then_drops_what_a_listener_has_removed_or_replaced)
{
    static const char *const dropped[DEEDS] = {"2 ", "2 ", "2 ", "", "", "", "", "", ""};
    if (deeds[_i].status == KIN_ERROR_NOT_ALIVE)
        return;
    blocked = 3;
    acts[1] = deeds[_i].act;
    ck_assert_int_eq(spawn(), KIN_OK);
    ck_assert_str_eq(drops(), dropped[_i]);
}
END_TEST

static void check_no_drops(closet_entity entity)
{
    (void)entity;
    ck_assert_str_eq(drops(), "");
}

START_TEST(cmp_14_no_value_is_dropped_before_the_batch_is_complete)
{
    blocked = 3;
    acts[0] = remove_coin;
    acts[2] = check_no_drops;
    ck_assert_int_eq(spawn(), KIN_OK);
    ck_assert_str_eq(drops(), "1 ");
}
END_TEST

static void replace_leaving(const kin_change *change, void *user)
{
    closet_entity entity = closet_entity_of(change->entity);
    (void)user;
    if (closet_has_coin(closet, entity))
        replace_by_itself(entity);
}

START_TEST(cmp_13_a_listener_may_replace_a_value_by_itself_while_the_batch_is_undone)
{
    kin_context_subscribe(&closet->base, KIN_ENTITY_WILL_BE_DESTROYED, replace_leaving, NULL);
    assert_refused(KIN_ERROR_HAS_COMPONENT);
    ck_assert_str_eq(drops(), "");
}
END_TEST

static void spawn_inside(const kin_change *change, void *user)
{
    (void)change, (void)user;
    assert_refused(KIN_ERROR_HAS_COMPONENT);
}

START_TEST(cmp_13_a_batch_that_is_refused_inside_a_listener_returns_its_values)
{
    kin_group_subscribe(closet_numbers_group(closet), KIN_ADDED, spawn_inside, NULL);
    ck_assert_int_eq(closet_add_number(closet, closet_create_entity(closet), (Number){1}), KIN_OK);
    ck_assert_uint_eq(number, 3);
    ck_assert_str_eq(drops(), "");
}
END_TEST

static void note_coin(closet_context *context, closet_entity entity, const Coin *value, void *user)
{
    char *written = user;
    (void)context, (void)entity;
    while (*written != '\0')
        written++;
    *written = (char)('0' + value->token.number);
}

START_TEST(evt_05_the_removed_event_of_a_refused_batch_shows_zeros_for_opaque_values)
{
    char written[8] = "";
    closet_entity listener = closet_create_entity(closet);
    kin_systems *events = closet_event_systems(closet);
    closet_add_any_coin_removed_listener(closet, listener, note_coin, written);
    acts[1] = replace_coin;
    assert_refused(KIN_ERROR_HAS_COMPONENT);
    kin_systems_execute(events, 0);
    ck_assert_str_eq(written, "090");
    ck_assert_str_eq(drops(), "9 ");
    kin_systems_destroy(events);
}
END_TEST

START_TEST(err_01_without_memory_every_value_is_still_the_callers)
{
    blocked = 3;
    kin_status status = KIN_ERROR_NO_MEMORY;
    for (uint64_t attempt = 1; status != KIN_OK; attempt++) {
        guard_fail(&memory, attempt, true);
        status = spawn();
        guard_fail(&memory, 0, false);
        ck_assert_uint_eq(errors.count, status == KIN_OK ? 0 : 1);
        error_log_clear(&errors);
        ck_assert_str_eq(drops(), "");
        ck_assert_uint_eq(closet_entity_count(closet), status == KIN_OK ? 3 : 0);
    }
}
END_TEST

START_TEST(cpy_04_a_batch_of_none_takes_nothing)
{
    Coin coin = {{1}};
    ck_assert_int_eq(closet_spawn_many_purse_with(closet, 0, &(closet_purse_values){.coin = &coin}, made), KIN_OK);
    ck_assert_uint_eq(made[0].id, 7);
    ck_assert_str_eq(drops(), "");
}
END_TEST

// ---- one, with values

static closet_entity spawn_one(int32_t coin)
{
    closet_purse_value value = {
        .coin = {{coin}}, .trail = {2, 1}, .cell = {5, 6}, .given = {.coin = true, .trail = true}};
    return closet_spawn_purse_with(closet, value);
}

START_TEST(cpy_09_cmp_13_the_context_owns_given_opaque_values)
{
    Trail trail = {0};
    blocked = 3;
    closet_entity purse = spawn_one(4);
    ck_assert_int_eq(closet_get_coin(closet, purse)->token.number, 4);
    ck_assert_int_eq(closet_get_cell(closet, purse)->x, 0);
    ck_assert(closet_read_trail(closet, purse, &trail) && trail.x == 2);
    ck_assert_str_eq(drops(), "");
    closet_destroy_entity(closet, purse);
    ck_assert_str_eq(drops(), "4 ");
}
END_TEST

START_TEST(cpy_09_cmp_13_when_refused_midway_the_caller_owns_the_given_values)
{
    blocked = 0;
    acts[0] = remove_coin;
    ck_assert_uint_eq(spawn_one(4).id, 0);
    ck_assert_reported(&errors, KIN_ERROR_HAS_COMPONENT);
    ck_assert_str_eq(drops(), "");
    ck_assert_uint_eq(closet_entity_count(closet), 0);
}
END_TEST

static void spawn_another(closet_entity entity)
{
    (void)entity;
    ck_assert_uint_ne(spawn_one(5).id, 0);
}

START_TEST(cpy_09_a_listener_may_spawn_with_values_too)
{
    blocked = 3;
    acts[0] = spawn_another;
    ck_assert_uint_ne(spawn_one(4).id, 0);
    ck_assert_uint_eq(closet_entity_count(closet), 2);
    ck_assert_str_eq(drops(), "");
}
END_TEST

START_TEST(cpy_09_err_01_without_memory_the_caller_owns_the_given_values)
{
    closet_entity purse = {0};
    blocked = 3;
    for (uint64_t attempt = 1; purse.id == 0; attempt++) {
        guard_fail(&memory, attempt, true);
        purse = spawn_one(4);
        guard_fail(&memory, 0, false);
        ck_assert_uint_eq(errors.count, purse.id != 0 ? 0 : 1);
        error_log_clear(&errors);
        ck_assert_str_eq(drops(), "");
        ck_assert_uint_eq(closet_entity_count(closet), purse.id != 0 ? 1 : 0);
    }
}
END_TEST

Suite *runtime_spawn_owned_suite(void)
{
    Suite *suite = suite_create("runtime_spawn_owned");
    TCase *tests = tcase_create("owners");
    tcase_add_checked_fixture(tests, begin, closet_end);
    tcase_add_test(tests, cpy_05_cmp_13_a_batch_refused_midway_returns_every_value);
    tcase_add_loop_test(tests, cpy_05_cmp_13_a_refused_batch_returns_also_what_a_listener_has_removed_or_replaced, 0,
                        DEEDS);
    tcase_add_loop_test(tests, cpy_05_evt_05_a_refused_batch_returns_also_values_that_wait_for_an_event, 0, DEEDS);
    tcase_add_loop_test(tests, cmp_13_cmp_14_a_complete_batch_then_drops_what_a_listener_has_removed_or_replaced, 0,
                        DEEDS);
    tcase_add_test(tests, cmp_14_no_value_is_dropped_before_the_batch_is_complete);
    tcase_add_test(tests, cmp_13_a_listener_may_replace_a_value_by_itself_while_the_batch_is_undone);
    tcase_add_test(tests, cmp_13_a_batch_that_is_refused_inside_a_listener_returns_its_values);
    tcase_add_test(tests, evt_05_the_removed_event_of_a_refused_batch_shows_zeros_for_opaque_values);
    tcase_add_test(tests, err_01_without_memory_every_value_is_still_the_callers);
    tcase_add_test(tests, cpy_04_a_batch_of_none_takes_nothing);
    tcase_add_test(tests, cpy_09_cmp_13_the_context_owns_given_opaque_values);
    tcase_add_test(tests, cpy_09_cmp_13_when_refused_midway_the_caller_owns_the_given_values);
    tcase_add_test(tests, cpy_09_a_listener_may_spawn_with_values_too);
    tcase_add_test(tests, cpy_09_err_01_without_memory_the_caller_owns_the_given_values);
    suite_add_tcase(suite, tests);
    return suite;
}
