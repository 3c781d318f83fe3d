// Snapshots of an inspector: what else is recorded when one is restored, differences, and games that save themselves.
#include "snapshots_case.h"
#include "suites.h"

#include "feature/internal.h"
#include "inspector/inspector.h"
#include "transport/transport.h"

#include <stdlib.h>
#include <string.h>

// ---- what else is recorded

START_TEST(ins_64_journal_and_watches_survive_a_restore)
{
    inspect_ask("snapshots.take", "{}");
    inspect_ask("journal.start", "{'context':'people'}");
    expect_in_answer("watches.add", "{'context':'people','entity':'1:0','path':'Age.years'}", "'watch':1");
    inspect_ask("timeline.start", "{}");
    people_replace_age(town->contexts->people, one, (Age){31});
    update_times(3);
    inspect_ask("snapshots.restore", "{'snapshot':1}");
    expect_in_answer("watches.list", "{'context':'people'}", "'system':'inspector'");
    expect_in_answer("watches.list", "{'context':'people'}", "'is':{'years':30}}]}]}");
    people_replace_age(town->contexts->people, one, (Age){33});
    update_times(3);
    expect_in_answer("journal.read", "{'context':'people'}", "'was':{'years':30},'is':{'years':33}");
    expect_in_answer("timeline.get", "{}", "{'frame':1,");
    inspect_ask("snapshots.restore", "{'snapshot':1}");
    people_destroy_entity(town->contexts->people, one);
    inspect_ask("snapshots.take", "{}");
    inspect_ask("snapshots.restore", "{'snapshot':1}");
    expect_in_answer("watches.list", "{'context':'people'}", "'value':{'years':30}");
}
END_TEST

static int held_count;

static void count_holds(void *user)
{
    (void)user;
    held_count++;
    inspect_ask("time.step", "{}");
}

START_TEST(ins_61_an_update_is_held_again_in_a_frame_that_comes_again)
{
    kin_inspector_options options = inspect_options();
    options.on_hold = count_holds;
    held_count = 0;
    snapshots_begin_with(options);
    update_times(2);
    inspect_ask("snapshots.take", "{}");
    inspect_ask("time.hold", "{'system':'Mayor'}");
    update_times(1);
    ck_assert_int_eq(held_count, 1);
    inspect_ask("snapshots.restore", "{'snapshot':1}");
    inspect_ask("time.step", "{}");
    update_times(1);
    ck_assert_int_eq(held_count, 2);
    snapshots_end();
}
END_TEST

// ---- differences

START_TEST(ins_10_two_snapshots_are_compared)
{
    people_context *people = town->contexts->people;
    people_entity other = town_citizen(40);
    people_add_name(people, one, (Name){"ann"});
    people_set_asleep(people, one, true);
    inspect_ask("snapshots.take", "{}");
    people_destroy_entity(people, other);
    people_entity third = town_citizen(50);
    people_replace_name(people, one, (Name){"bob"});
    people_set_asleep(people, one, false);
    people_add_purse(people, one, (Purse){9});
    houses_add_roof(town->contexts->houses, houses_create_entity(town->contexts->houses), (Roof){4});
    inspect_ask("snapshots.take", "{}");
    (void)third;
    expect_answer("snapshots.diff", "{'from':1,'to':2,'context':'people'}",
                  "{'frame':[0,0],'appeared':1,'gone':1,'changed':3,'rows':["
                  "{'context':'people','e':'1:0','kind':'lost','component':'Asleep','was':true},"
                  "{'context':'people','e':'1:0','kind':'changed','component':'Name','was':{'text':'ann'},'is':"
                  "{'text':'bob'}},"
                  "{'context':'people','e':'1:0','kind':'got','component':'Purse','is':{'coins':9}},"
                  "{'context':'people','e':'2:1','kind':'gone'},"
                  "{'context':'people','e':'3:2','kind':'appeared'}]}");
    expect_in_answer("snapshots.diff", "{'from':1,'to':2}", "{'context':'houses','e':'1:0','kind':'appeared'}");
    expect_in_answer("snapshots.diff", "{'from':2,'to':1,'limit':0}", "'appeared':1,'gone':2,'changed':3,'rows':[]");
    expect_in_answer("snapshots.diff", "{'from':1,'to':3}", "error -32602: there is no such snapshot");
}
END_TEST

START_TEST(ins_10_a_snapshot_is_compared_with_now)
{
    inspect_ask("snapshots.take", "{}");
    size_t used = kin_context_memory(&town->contexts->people->base).snapshots.used;
    expect_in_answer("snapshots.diff", "{'from':1}", "'appeared':0,'gone':0,'changed':0,'rows':[]");
    set_years(35);
    expect_in_answer("snapshots.diff", "{'from':1}", "'was':{'years':30},'is':{'years':35}");
    ck_assert_uint_eq(kin_context_memory(&town->contexts->people->base).snapshots.used, used);
    expect_in_answer("snapshots.list", "{}", "'count':1,");
    ck_assert_int_eq(years(), 35);
}
END_TEST

// Steps of one chunk, with another comparison and other snapshots between them.
START_TEST(ins_43_a_long_comparison_is_made_in_slices)
{
    fill_town();
    inspect_ask("snapshots.take", "{'keep':2}");
    change_town();
    uint64_t at_once = 0;
    json_t *parameters = json_pack("{s:i,s:i}", "from", 1, "limit", 3);
    kin__task *task = kin__task_create(&inspector->service, kin__method_find("snapshots.diff"), parameters);
    ck_assert(!kin__task_step(task, at_once));
    ck_assert(!kin__task_step(task, at_once));
    expect_in_answer("snapshots.diff", "{'from':1,'limit':0}", "'changed':4000,");
    int steps = 2;
    while (!kin__task_step(task, at_once))
        steps++;
    ck_assert_int_ge(steps, 5);
    kin__json json = kin__json_make(&inspector->service.heap, KIN__MAX_ANSWER);
    kin__json_begin(&json, '{');
    kin__task_show(task, &json);
    ck_assert_ptr_nonnull(strstr(json.at, "\"changed\":4000,"));
    kin__json_release(&json);
    kin__task_destroy(task);
    task = kin__task_create(&inspector->service, kin__method_find("snapshots.diff"), json_pack("{s:i}", "from", 1));
    ck_assert(!kin__task_step(task, at_once));
    inspect_ask("snapshots.drop", "{}");
    ck_assert(kin__task_step(task, at_once));
    ck_assert_int_eq(task->mistake.code, KIN__CODE_PARAMETERS);
    kin__task_destroy(task);
}
END_TEST

// ---- functions of the game

typedef struct saved_game {
    int32_t value;
} saved_game;

static struct {
    int32_t value;
    int taken, released;
    bool refuses;
    kin_world *world;
} state;

static void *take_game(kin_world *world, size_t *bytes, void *user)
{
    ck_assert_ptr_eq(user, &state);
    if (state.refuses)
        return NULL;
    saved_game *saved = malloc(sizeof *saved);
    saved->value = state.value;
    *bytes = sizeof *saved;
    state.world = world;
    state.taken++;
    return saved;
}

static kin_status restore_game(kin_world *world, const void *snapshot, size_t bytes, void *user)
{
    ck_assert_ptr_eq(user, &state);
    ck_assert_ptr_eq(world, state.world);
    ck_assert_uint_eq(bytes, sizeof(saved_game));
    if (state.refuses)
        return KIN_ERROR_NO_MEMORY;
    state.value = ((const saved_game *)snapshot)->value;
    return KIN_OK;
}

static void release_game(void *snapshot, size_t bytes, void *user)
{
    ck_assert_ptr_eq(user, &state);
    ck_assert_uint_eq(bytes, sizeof(saved_game));
    state.released++;
    free(snapshot);
}

static const kin_inspector_snapshots of_game = {take_game, restore_game, release_game, &state};

static kin_inspector_options with_functions(void)
{
    kin_inspector_options options = inspect_options();
    memset(&state, 0, sizeof state);
    options.snapshots = &of_game;
    return options;
}

START_TEST(ins_10_a_game_may_give_its_own_functions)
{
    snapshots_begin_with(with_functions());
    state.value = 4;
    expect_in_answer("snapshots.list", "{}", "'available':true,'comparable':false,");
    expect_in_answer("snapshots.take", "{'keep':2}", "'snapshot':1,'count':1,'every':0,'keep':2,'bytes':4,");
    ck_assert_ptr_eq(state.world, town_world_base(town));
    state.value = 5;
    expect_in_answer("snapshots.restore", "{'snapshot':1}", "'previous':2");
    ck_assert_int_eq(state.value, 4);
    expect_in_answer("snapshots.restore", "{'snapshot':2}", "'previous':3");
    ck_assert_int_eq(state.value, 5);
    ck_assert_int_eq(state.released, 1);
    expect_in_answer("snapshots.diff", "{'from':2}", "error -32602: snapshots of the game itself cannot be compared");
    state.refuses = true;
    expect_in_answer("snapshots.take", "{}", "error -33011: the game has given no snapshot");
    expect_in_answer("snapshots.restore", "{'snapshot':3}", "error -33011: the game has refused it");
    snapshots_end();
    ck_assert_int_eq(state.taken, state.released);
}
END_TEST

START_TEST(ins_72_a_game_without_a_world_is_told_what_to_give)
{
    kin_inspector *own = inspector;
    kin_inspector_options options = {.offline = true};
    inspector = kin_inspector_create(&options);
    kin_inspector_add(inspector, &town->contexts->people->base, NULL);
    expect_in_answer("snapshots.list", "{}", "'available':false,");
    expect_in_answer("snapshots.take", "{}",
                     "error -32602: the game has no world: set `snapshots` of the inspector's options");
    kin_inspector_destroy(inspector);
    options.snapshots = &of_game;
    memset(&state, 0, sizeof state);
    inspector = kin_inspector_create(&options);
    kin_inspector_add(inspector, &town->contexts->people->base, NULL);
    expect_in_answer("snapshots.take", "{'every':1}", "'snapshot':1,");
    for (int i = 0; i < 3; i++)
        kin_inspector_frame(inspector, NULL);
    expect_in_answer("snapshots.list", "{}", "'available':true,'comparable':false,'count':3,");
    ck_assert_ptr_null(state.world);
    kin_inspector_destroy(inspector);
    ck_assert_int_eq(state.taken, state.released);
    inspector = own;
}
END_TEST

START_TEST(functions_are_given_all_together)
{
    kin_inspector_snapshots some = {.take = take_game};
    kin_inspector_options options = inspect_options();
    options.snapshots = &some;
    ck_assert_ptr_null(kin_inspector_create(&options));
    ck_assert_int_eq(inspect_error.status, KIN_ERROR_INVALID);
    guard_end(&inspect_memory);
}
END_TEST

Suite *inspect_travel_suite(void)
{
    Suite *suite = suite_create("inspect_travel");
    TCase *tests = tcase_create("inspect_travel"), *others = tcase_create("other options");
    tcase_add_checked_fixture(tests, snapshots_begin, snapshots_end);
    tcase_set_timeout(others, 60);
    tcase_add_test(tests, ins_64_journal_and_watches_survive_a_restore);
    tcase_add_test(tests, ins_10_two_snapshots_are_compared);
    tcase_add_test(tests, ins_10_a_snapshot_is_compared_with_now);
    tcase_add_test(tests, ins_43_a_long_comparison_is_made_in_slices);
    tcase_add_test(tests, ins_72_a_game_without_a_world_is_told_what_to_give);
    tcase_add_test(others, ins_61_an_update_is_held_again_in_a_frame_that_comes_again);
    tcase_add_test(others, ins_10_a_game_may_give_its_own_functions);
    tcase_add_test(others, functions_are_given_all_together);
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, others);
    return suite;
}
