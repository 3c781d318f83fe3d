// Snapshots of an inspector: taking, restoring and comparing them.
#include "inspect_case.h"
#include "suites.h"

#include "runtime/support/support.h"
#include "runtime/support/town_case.h"

#include "inspector/inspector.h"
#include "method/methods.h"
#include "rpc/exchange.h"
#include "site/snapshots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static people_entity one;
static uint32_t errors; // that the game was told

static void begin_with(kin_inspector_options options)
{
    inspect_error = (kin_error){0};
    errors = 0;
    town_begin();
    town_listen("");
    inspector = kin_inspect(town_world_base(town), &options);
    ck_assert_ptr_nonnull(inspector);
    one = town_citizen(30);
}

static void begin(void)
{
    begin_with(inspect_options());
}

static void end(void)
{
    town_end(); // ends the inspector, too
    guard_end(&inspect_memory);
}

static void update(int count)
{
    for (int i = 0; i < count; i++)
        town_world_update(town, 1);
}

static int32_t years(void)
{
    return people_get_age(town->contexts->people, one)->years;
}

static void set_years(int32_t value)
{
    people_edit_age(town->contexts->people, one)->years = value;
}

static uint64_t frame(void)
{
    return kin_world_tick(town_world_base(town)).frame;
}

// ---- taking and restoring

START_TEST(ins_10_a_world_needs_no_functions_to_be_saved_and_restored)
{
    update(3);
    int32_t before = years();
    expect_in_answer("snapshots.list", "{}", "'available':true,'comparable':true,'count':0,'every':0,'keep':60");
    expect_in_answer("snapshots.take", "{}", "{'frame':2,'snapshot':1,'count':1");
    set_years(31);
    people_entity other = town_citizen(7);
    update(2);
    ck_assert_uint_eq(frame(), 4);
    expect_answer("snapshots.restore", "{'snapshot':1}", "{'frame':2,'snapshot':1,'previous':2}");
    ck_assert_int_eq(years(), before);
    ck_assert(!people_entity_is_alive(town->contexts->people, other));
    ck_assert_uint_eq(frame(), 2);
    expect_in_answer("snapshots.list", "{}",
                     "'standing':1,'snapshots':[{'snapshot':1,'frame':2,'time':3,'entities':1,'bytes':");
    update(1);
    ck_assert_uint_eq(frame(), 3);
}
END_TEST

START_TEST(ins_68_what_undoes_a_restore_is_in_its_answer)
{
    inspect_ask("snapshots.take", "{}");
    set_years(50);
    expect_in_answer("snapshots.restore", "{'snapshot':1}", "'previous':2");
    ck_assert_int_eq(years(), 30);
    expect_in_answer("snapshots.restore", "{'snapshot':2}", "'previous':1"); // nothing has changed since
    ck_assert_int_eq(years(), 50);
    expect_in_answer("snapshots.list", "{}", "'count':2,");
    set_years(51);
    expect_in_answer("snapshots.restore", "{'snapshot':1}", "'previous':4");
    expect_in_answer("snapshots.restore", "{'snapshot':4}", "'previous':1");
    ck_assert_int_eq(years(), 51);
    expect_in_answer("snapshots.restore", "{'snapshot':3}", "error -32602: there is no such snapshot");
    expect_in_answer("snapshots.restore", "{}", "error -32602: 'snapshot' is missing");
}
END_TEST

START_TEST(ins_10_a_restore_can_notify_collectors_anew)
{
    update(2);
    inspect_ask("snapshots.take", "{}");
    expect_in_answer("collectors.list", "{'context':'people'}", "'name':'Watch','active':true,'waiting':0");
    inspect_ask("snapshots.restore", "{'snapshot':1}");
    expect_in_answer("collectors.list", "{'context':'people'}", "'name':'Watch','active':true,'waiting':0");
    inspect_ask("snapshots.restore", "{'snapshot':1,'anew':true}");
    expect_in_answer("collectors.list", "{'context':'people'}", "'name':'Watch','active':true,'waiting':1");
}
END_TEST

START_TEST(ins_10_snapshots_are_dropped)
{
    for (int i = 0; i < 3; i++)
        inspect_ask("snapshots.take", "{}");
    expect_answer("snapshots.drop", "{'snapshot':2}", "{'frame':0,'dropped':1}");
    expect_in_answer("snapshots.drop", "{'snapshot':2}", "error -32602: there is no such snapshot");
    expect_answer("snapshots.drop", "{}", "{'frame':0,'dropped':2}");
    expect_in_answer("snapshots.list", "{}", "'count':0,'every':0,'keep':60,'bytes':0,");
    ck_assert_uint_eq(kin_context_memory(&town->contexts->people->base).snapshots.used, 0);
}
END_TEST

START_TEST(ins_26_a_read_only_inspector_has_no_snapshots)
{
    kin_inspector_options options = inspect_options();
    options.read_only = true;
    begin_with(options);
    expect_in_answer("snapshots.take", "{}", "error -33100: the inspector is read-only");
    expect_in_answer("snapshots.restore", "{'snapshot':1}", "error -33100:");
    expect_in_answer("snapshots.drop", "{}", "error -33100:");
    expect_in_answer("snapshots.list", "{}", "'snapshots':[]");
    expect_in_answer("snapshots.diff", "{'from':1}", "error -32602: there is no such snapshot");
    end();
}
END_TEST

static char held_answers[3][256];

static void ask_while_held(void *user)
{
    (void)user;
    snprintf(held_answers[0], sizeof held_answers[0], "%s", inspect_ask("snapshots.restore", "{'snapshot':1}"));
    snprintf(held_answers[1], sizeof held_answers[1], "%s", inspect_ask("snapshots.diff", "{'from':1}"));
    snprintf(held_answers[2], sizeof held_answers[2], "%s", inspect_ask("snapshots.diff", "{'from':1,'to':2}"));
    inspect_ask("time.resume", "{}");
}

START_TEST(ins_61_an_update_that_is_held_is_neither_saved_nor_restored)
{
    kin_inspector_options options = inspect_options();
    options.on_hold = ask_while_held;
    begin_with(options);
    inspect_ask("snapshots.take", "{}");
    inspect_ask("snapshots.take", "{}");
    inspect_ask("time.hold", "{'system':'Mayor'}");
    update(1);
    ck_assert_ptr_nonnull(strstr(held_answers[0], "error -33101: town is held before Mayor"));
    ck_assert_ptr_nonnull(strstr(held_answers[1], "error -33101: town is held"));
    ck_assert_ptr_nonnull(strstr(held_answers[2], "\"appeared\":0,\"gone\":0,\"changed\":0,\"rows\":[]"));
    ck_assert_ptr_null(strchr(log_text(), '!'));
    end();
}
END_TEST

// ---- memory

static void fill(void)
{
    for (int i = 0; i < 2000; i++)
        people_add_step(town->contexts->people, town_citizen(i), (Step){i, i});
}

static void change_all(void)
{
    people_context *people = town->contexts->people;
    for (uint32_t slot = 1; slot <= 2000; slot++) {
        people_entity entity = {kin_look_entity(&people->base, slot)};
        people_edit_age(people, entity)->years += 1;
        people_replace_step(people, entity, (Step){1, people_get_age(people, entity)->years});
    }
}

START_TEST(ins_08_the_newest_snapshots_stay)
{
    expect_in_answer("snapshots.take", "{'keep':3}", "'snapshot':1,'count':1,'every':0,'keep':3");
    for (int i = 0; i < 4; i++)
        inspect_ask("snapshots.take", "{}");
    expect_in_answer("snapshots.list", "{}", "'snapshots':[{'snapshot':3,");
    expect_in_answer("snapshots.restore", "{'snapshot':3}", "'snapshot':3,'previous':5"); // it is spared
    expect_in_answer("snapshots.take", "{'keep':1}", "'snapshot':7,'count':1,");
    set_years(2);
    expect_in_answer("snapshots.restore", "{'snapshot':7}", "'snapshot':7,'previous':null");
    expect_in_answer("snapshots.take", "{'keep':121}", "error -33102:");
}
END_TEST

START_TEST(ins_08_snapshots_take_half_of_the_memory_at_most)
{
    kin_inspector_options options = inspect_options();
    options.memory = 3 * 1024 * 1024;
    begin_with(options);
    fill();
    const kin__snapshots *snapshots = NULL;
    size_t before = atomic_load(&inspector->service.heap.used), most = 0;
    for (int i = 0; i < 60; i++) {
        change_all();
        expect_in_answer("snapshots.take", "{}", "'snapshot':");
        snapshots = inspector->service.sites.hosts[0].snapshots;
        most = snapshots->bytes > most ? snapshots->bytes : most;
        ck_assert_uint_le(snapshots->bytes, options.memory / 2);
        ck_assert_uint_eq(snapshots->bytes, kin_context_memory(&town->contexts->people->base).snapshots.used +
                                                kin_context_memory(&town->contexts->houses->base).snapshots.used);
    }
    ck_assert_uint_gt(most, options.memory / 4);
    ck_assert_uint_lt(snapshots->count, 60);
    ck_assert_uint_ge(snapshots->count, 2);
    inspect_ask("snapshots.drop", "{}");
    ck_assert_uint_le(atomic_load(&inspector->service.heap.used), before + sizeof *snapshots + 4096);
    end();
}
END_TEST

START_TEST(ins_08_a_snapshot_that_does_not_fit_is_refused)
{
    kin_inspector_options options = inspect_options();
    options.memory = 256 * 1024;
    begin_with(options);
    fill();
    fill();
    fill();
    expect_in_answer("snapshots.take", "{}",
                     "error -33102: the snapshot needs more than half of the inspector's memory; raise it");
    expect_in_answer("snapshots.list", "{}", "'count':0,");
    ck_assert_uint_eq(kin_context_memory(&town->contexts->people->base).snapshots.used, 0);
    end();
}
END_TEST

START_TEST(ins_53_a_refusal_comes_with_its_sentence_and_the_game_is_not_told)
{
    inspect_ask("snapshots.take", "{}");
    kin_systems *added = kin_systems_create("added", NULL);
    kin_systems_add_systems(town_world_systems(town), added);
    set_years(5);
    expect_in_answer("snapshots.restore", "{'snapshot':1}",
                     "error -33009: cannot restore the world town: systems were added or removed since the save");
    ck_assert_int_eq(years(), 5);
    ck_assert_ptr_null(strchr(log_text(), '!'));
    kin_systems_remove(town_world_systems(town), "added");
}
END_TEST

// ---- a period

START_TEST(ins_10_snapshots_are_taken_again_and_again)
{
    update(1);
    expect_in_answer("snapshots.take", "{'every':2,'keep':4}", "'snapshot':1,'count':1,'every':2,'keep':4");
    for (int i = 0; i < 9; i++)
        update(1);
    expect_in_answer("snapshots.list", "{}", "'count':4,'every':2,'keep':4,");
    expect_in_answer("snapshots.list", "{}", "'snapshots':[{'snapshot':2,'frame':2,");
    expect_in_answer("snapshots.list", "{}", "{'snapshot':5,'frame':8,");
    inspect_ask("time.pause", "{}");
    update(10);
    expect_in_answer("snapshots.list", "{}", "'count':4,");
    inspect_ask("time.resume", "{}");
    inspect_ask("snapshots.restore", "{'snapshot':3}"); // the next one comes two updates later
    update(3);
    expect_in_answer("snapshots.list", "{}", "{'snapshot':7,'frame':6,");
    expect_in_answer("snapshots.take", "{'every':0}", "'snapshot':null,'count':4,'every':0,");
    update(10);
    expect_in_answer("snapshots.list", "{}", "{'snapshot':7,'frame':6,");
    expect_in_answer("snapshots.take", "{'every':-1}", "error -33102:");
}
END_TEST

START_TEST(ins_10_a_period_ends_with_the_last_viewer_and_snapshots_stay)
{
    kin__host *host = &inspector->service.sites.hosts[0];
    update(1);
    inspect_ask("snapshots.take", "{'every':1}");
    update(3);
    ck_assert_uint_eq(host->snapshots->count, 3);
    ck_assert_uint_gt(atomic_load(&host->attention), 0);
    atomic_store(&host->last_request, atomic_load(&host->last_request) - 11 * UINT64_C(1000000000));
    update(5);
    ck_assert_uint_eq(host->snapshots->count, 3);
    ck_assert_uint_eq(host->snapshots->every, 0);
    ck_assert_uint_eq(atomic_load(&host->attention), 0);
}
END_TEST

START_TEST(ins_32_one_that_takes_longer_than_the_budget_is_taken_less_often)
{
    inspect_ask("snapshots.take", "{'every':1}");
    kin__snapshots *snapshots = inspector->service.sites.hosts[0].snapshots;
    for (int i = 0; i < 20; i++) {
        snapshots->microseconds = 5 * 500 + 100;
        update(1);
    }
    ck_assert_uint_ge(snapshots->count, 4);
    ck_assert_uint_le(snapshots->count, 5);
}
END_TEST

// ---- what else is recorded

START_TEST(ins_64_journal_and_watches_survive_a_restore)
{
    inspect_ask("snapshots.take", "{}");
    inspect_ask("journal.start", "{'context':'people'}");
    expect_in_answer("watches.add", "{'context':'people','entity':'1:0','path':'Age.years'}", "'watch':1");
    inspect_ask("timeline.start", "{}");
    people_replace_age(town->contexts->people, one, (Age){31});
    update(3);
    inspect_ask("snapshots.restore", "{'snapshot':1}");
    expect_in_answer("watches.list", "{'context':'people'}", "'system':'inspector'");
    expect_in_answer("watches.list", "{'context':'people'}", "'is':{'years':30}}]}]}");
    people_replace_age(town->contexts->people, one, (Age){33});
    update(3);
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
    begin_with(options);
    update(2);
    inspect_ask("snapshots.take", "{}");
    inspect_ask("time.hold", "{'system':'Mayor'}");
    update(1);
    ck_assert_int_eq(held_count, 1);
    inspect_ask("snapshots.restore", "{'snapshot':1}");
    inspect_ask("time.step", "{}");
    update(1);
    ck_assert_int_eq(held_count, 2);
    end();
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
    fill();
    inspect_ask("snapshots.take", "{'keep':2}");
    change_all();
    kin__slice at_once = {.deadline = 0};
    json_t *parameters = json_pack("{s:i,s:i}", "from", 1, "limit", 3);
    kin__task *task = kin__task_create(&inspector->service, kin__method_find("snapshots.diff"), parameters);
    ck_assert(!kin__task_step(task, &at_once));
    ck_assert(!kin__task_step(task, &at_once));
    expect_in_answer("snapshots.diff", "{'from':1,'limit':0}", "'changed':4000,");
    int steps = 2;
    while (!kin__task_step(task, &at_once))
        steps++;
    ck_assert_int_ge(steps, 5);
    kin__json json = kin__json_make(&inspector->service.heap, KIN__MAX_ANSWER);
    kin__json_begin(&json, '{');
    kin__task_show(task, &json);
    ck_assert_ptr_nonnull(strstr(json.at, "\"changed\":4000,"));
    kin__json_release(&json);
    kin__task_destroy(task);
    task = kin__task_create(&inspector->service, kin__method_find("snapshots.diff"), json_pack("{s:i}", "from", 1));
    ck_assert(!kin__task_step(task, &at_once));
    inspect_ask("snapshots.drop", "{}");
    ck_assert(kin__task_step(task, &at_once));
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
    begin_with(with_functions());
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
    end();
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
    begin();
}
END_TEST

Suite *inspect_snapshots_suite(void)
{
    Suite *suite = suite_create("inspect_snapshots");
    TCase *tests = tcase_create("inspect_snapshots"), *others = tcase_create("other options");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_set_timeout(others, 60);
    tcase_add_test(tests, ins_10_a_world_needs_no_functions_to_be_saved_and_restored);
    tcase_add_test(tests, ins_68_what_undoes_a_restore_is_in_its_answer);
    tcase_add_test(tests, ins_10_a_restore_can_notify_collectors_anew);
    tcase_add_test(tests, ins_10_snapshots_are_dropped);
    tcase_add_test(tests, ins_08_the_newest_snapshots_stay);
    tcase_add_test(tests, ins_53_a_refusal_comes_with_its_sentence_and_the_game_is_not_told);
    tcase_add_test(tests, ins_10_snapshots_are_taken_again_and_again);
    tcase_add_test(tests, ins_10_a_period_ends_with_the_last_viewer_and_snapshots_stay);
    tcase_add_test(tests, ins_32_one_that_takes_longer_than_the_budget_is_taken_less_often);
    tcase_add_test(tests, ins_64_journal_and_watches_survive_a_restore);
    tcase_add_test(tests, ins_10_two_snapshots_are_compared);
    tcase_add_test(tests, ins_10_a_snapshot_is_compared_with_now);
    tcase_add_test(tests, ins_43_a_long_comparison_is_made_in_slices);
    tcase_add_test(tests, ins_72_a_game_without_a_world_is_told_what_to_give);
    tcase_add_test(others, ins_26_a_read_only_inspector_has_no_snapshots);
    tcase_add_test(others, ins_61_an_update_that_is_held_is_neither_saved_nor_restored);
    tcase_add_test(others, ins_61_an_update_is_held_again_in_a_frame_that_comes_again);
    tcase_add_test(others, ins_08_snapshots_take_half_of_the_memory_at_most);
    tcase_add_test(others, ins_08_a_snapshot_that_does_not_fit_is_refused);
    tcase_add_test(others, ins_10_a_game_may_give_its_own_functions);
    tcase_add_test(others, functions_are_given_all_together);
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, others);
    return suite;
}
