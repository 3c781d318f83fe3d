// Audits of an inspector: what systems write in place in a whole column, and whether their schema says so.
#include "inspect_case.h"
#include "suites.h"

#include "feature/internal.h"
#include "inspector/inspector.h"
#include "runtime/support/hive_case.h"
#include "runtime/support/support.h"
#include "runtime/support/town_case.h"
#include "store/store.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static people_entity one, other;

static kin_inspector_options options_of(uint32_t budget, size_t memory)
{
    kin_inspector_options options = inspect_options();
    options.budget = budget;
    options.memory = memory;
    return options;
}

static void begin_with(uint32_t budget)
{
    kin_inspector_options options = options_of(budget, 0);
    inspect_town_begin_with(&options);
    one = town_citizen(30);
    other = town_citizen(40);
    people_add_step(town->contexts->people, one, (Step){1, 2});
    people_add_purse(town->contexts->people, one, (Purse){5});
}

static void begin(void)
{
    begin_with(10 * 1000 * 1000);
}

static void start(const char *component)
{
    char parameters[128];
    snprintf(parameters, sizeof parameters, "{'context':'people','component':'%s'}", component);
    expect_in_answer("audit.start", parameters, "'audit':");
}

static void update(void)
{
    town_world_update(town, 0.25);
}

static void make_older(town_world *world)
{
    people_edit_age(world->contexts->people, one)->years = 7;
}

START_TEST(ins_65_a_system_that_writes_in_place_is_listed_and_whether_it_declares_that)
{
    start("Age");
    town_do("Mayor:execute", make_older);
    update();
    const char *answer = inspect_quoted(inspect_ask("audit.read", "{'context':'people'}"));
    static const char *const shown[] = {
        "'audits':[{'audit':1,'component':'Age',", "'compared':512,'cut':0,'lost':0,'other':0,'systems':[",
        "{'system':'Mayor','declared':false,'count':1,'fields':['years'],'first':0,'last':0,'writes':["
        "{'e':'1:0','frame':0,'step':0,'role':'execute','was':{'years':30},'is':{'years':7}}]}",
        "{'system':'Aging','declared':true,'count':2,'fields':['years'],'first':0,'last':0,'writes':["
        "{'e':'1:0','frame':0,'step':0,'role':'update','was':{'years':7},'is':{'years':8}},"
        "{'e':'2:1','frame':0,'step':0,'role':'update','was':{'years':40},'is':{'years':41}}]}"};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        ck_assert_msg(strstr(answer, inspect_quoted(shown[i])) != NULL, "%s in %s", shown[i], answer);
    update();
    expect_in_answer("audit.read", "{'context':'people'}", "'system':'Mayor','declared':false,'count':2,");
    expect_in_answer("audit.read", "{'context':'people'}", "'system':'Aging','declared':true,'count':4,");
}
END_TEST

static void change_by_accessors(town_world *world)
{
    people_context *people = world->contexts->people;
    people_replace_age(people, one, (Age){9});
    people_remove_age(people, other);
    people_add_age(people, other, (Age){3});
    people_edit_age(people, one)->years = 10;
    people_touch_age(people, one);
    people_destroy_entity(people, town_citizen(4));
    town_citizen(5);
}

START_TEST(ins_65_changes_that_are_notified_are_not_in_place)
{
    kin_systems_set_enabled(town_world_systems(town), "Aging", false);
    start("Age");
    town_do("Mayor:execute", change_by_accessors);
    update();
    update();
    expect_in_answer("audit.read", "{'context':'people'}", "'lost':0,'other':0,'systems':[]}");
}
END_TEST

static void write_and_replace(town_world *world)
{
    people_context *people = world->contexts->people;
    people_edit_age(people, one)->years = 5;
    people_replace_age(people, one, (Age){6});
    people_edit_age(people, one)->years = 7;
}

START_TEST(ins_65_writes_before_and_after_a_replace_are_found)
{
    kin_systems_set_enabled(town_world_systems(town), "Aging", false);
    start("Age");
    town_do("Mayor:execute", write_and_replace);
    update();
    expect_in_answer("audit.read", "{'context':'people'}",
                     "'was':{'years':30},'is':{'years':5}},{'e':'1:0','frame':0,'step':0,'role':'execute','was':"
                     "{'years':6},'is':{'years':7}}]}");
}
END_TEST

// As a system does in its loop.
static void write_columns(town_world *world)
{
    people_context *people = world->contexts->people;
    const void *place = kin__value_part(&people->base, kin_entity_slot(one.id), PEOPLE_STEP, offsetof(Step, y));
    *(double *)(uintptr_t)place = 9;
    people_edit_purse(people, one)->coins = 6;
}

START_TEST(ins_65_columns_of_any_storage_are_compared)
{
    start("Step");
    start("Purse");
    town_do("Mayor:execute", write_columns);
    update();
    expect_in_answer("audit.read", "{'context':'people','audit':1}",
                     "'system':'Mayor','declared':false,'count':1,'fields':['y'],");
    expect_in_answer("audit.read", "{'context':'people','audit':1}", "'was':{'x':1,'y':2},'is':{'x':1,'y':9}");
    expect_in_answer("audit.read", "{'context':'people','audit':2}", "'was':{'coins':5},'is':{'coins':6}");
}
END_TEST

START_TEST(ins_65_writes_between_updates_are_outside_and_those_of_viewers_are_none)
{
    start("Age");
    kin_systems_set_enabled(town_world_systems(town), "Aging", false);
    update();
    people_edit_age(town->contexts->people, one)->years = 8;
    inspect_ask("components.set", "{'context':'people','entity':'2:1','path':'Age.years','value':5}");
    update();
    expect_in_answer("audit.read", "{'context':'people'}",
                     "'systems':[{'system':'outside','declared':null,'count':1,'fields':['years'],");
    ck_assert_ptr_null(strstr(inspect_ask("audit.read", "{'context':'people'}"), "inspector"));
}
END_TEST

START_TEST(ins_65_a_journal_of_one_entity_and_an_audit_of_all_go_together)
{
    kin_systems_set_enabled(town_world_systems(town), "Aging", false);
    inspect_ask("journal.start", "{'context':'people','entity':'1:0'}");
    start("Age");
    town_do("Mayor:execute", change_by_accessors);
    update();
    expect_in_answer("audit.read", "{'context':'people'}", "'systems':[]}");
    expect_in_answer("journal.read", "{'context':'people'}", "'kind':'replaced','e':'1:0','component':'Age'");
    ck_assert_ptr_null(strstr(inspect_ask("journal.read", "{'context':'people'}"), "\"e\":\"2:1\""));
    inspect_ask("journal.stop", "{'context':'people'}");
    update();
    expect_in_answer("audit.read", "{'context':'people'}", "'systems':[]}");
}
END_TEST

static void replace_all(town_world *world)
{
    people_context *people = world->contexts->people;
    uint32_t count;
    const people_entity *all = people_entities(people, &count);
    for (int32_t round = 0; round < 10; round++)
        for (uint32_t i = 0; i < count; i++)
            if (people_has_age(people, all[i]))
                people_replace_age(people, all[i], (Age){round});
}

START_TEST(ins_65_when_records_are_lost_nothing_is_said)
{
    for (int32_t i = 0; i < 3000; i++)
        town_citizen(i);
    kin_systems_set_enabled(town_world_systems(town), "Aging", false);
    start("Age");
    town_do("Mayor:execute", replace_all);
    update();
    expect_in_answer("audit.read", "{'context':'people'}", "'cut':0,'lost':1,'other':0,'systems':[]}");
    update();
    expect_in_answer("audit.read", "{'context':'people'}", "'lost':2,'other':0,'systems':[]}");
}
END_TEST

START_TEST(ins_65_a_large_column_is_compared_a_part_in_each_update)
{
    for (int32_t i = 0; i < 9000; i++)
        town_citizen(i);
    start("Age");
    update();
    expect_in_answer("audit.read", "{'context':'people'}", "'slots':9216,'compared':4096,");
    expect_in_answer("audit.read", "{'context':'people'}", "'system':'Aging','declared':true,'count':4096,");
    update();
    update();
    expect_in_answer("audit.read", "{'context':'people'}", "'slots':9216,'compared':9216,'cut':0,");
}
END_TEST

START_TEST(ins_03_an_audit_takes_the_budget_of_an_update_at_most)
{
    town_end();
    guard_end(&inspect_memory);
    begin_with(1);
    for (int32_t i = 0; i < 20000; i++)
        town_citizen(i);
    start("Age");
    for (int i = 0; i < 20; i++)
        update();
    const char *answer = inspect_ask("audit.read", "{'context':'people'}");
    ck_assert_msg(strstr(answer, "\"compared\":512,") != NULL, "%s", answer);
    ck_assert_ptr_null(strstr(answer, "\"cut\":0,"));
}
END_TEST

START_TEST(ins_65_bad_parameters_and_a_fifth_audit_are_refused)
{
    expect_in_answer("audit.read", "{'context':'people'}", "error -33106: people has no audit");
    expect_in_answer("audit.start", "{'context':'people','component':'Agee'}", "'did_you_mean':['Age']");
    expect_in_answer("audit.start", "{'context':'people','component':'Asleep'}", "error -32602: Asleep is a flag");
    expect_in_answer("audit.start", "{'context':'people','component':'Age','bytes':100}", "error -33102");
    for (int32_t i = 0; i < 600; i++)
        town_citizen(i);
    expect_in_answer("audit.start", "{'context':'people','component':'Age','bytes':4096}",
                     "error -33102: a copy of the column of Age needs 4224 bytes; raise 'bytes'");
    for (int i = 0; i < 4; i++)
        start("Age");
    expect_in_answer("audit.start", "{'context':'people','component':'Step'}",
                     "error -33102: a context has at most 4 audits");
    expect_in_answer("audit.stop", "{'context':'people','audit':9}", "error -32602: there is no such audit");
    expect_in_answer("audit.read", "{'context':'people','audit':9}", "error -32602: there is no such audit");
    expect_in_answer("audit.stop", "{'context':'people','audit':2}", "{'frame':0,'audit':2}");
    expect_in_answer("audit.start", "{'context':'people','component':'Step'}", "'audit':5}");
}
END_TEST

START_TEST(ins_05_when_audits_end_the_game_is_as_before_and_the_memory_is_given_back)
{
    kin_context *people = &town->contexts->people->base;
    uint32_t watchers = people->components[PEOPLE_AGE].watchers;
    update();
    inspect_ask("watches.add", "{'context':'people','entity':'1:0','path':'Age'}");
    inspect_ask("watches.remove", "{'context':'people','watch':1}");
    update();
    size_t used = atomic_load(&inspector->service.heap.used);
    start("Age");
    inspect_ask("audit.start", "{'context':'people','component':'Step'}");
    ck_assert_uint_gt(people->components[PEOPLE_AGE].watchers, watchers);
    update();
    inspect_ask("audit.stop", "{'context':'people','audit':1}");
    inspect_ask("audit.stop", "{'context':'people','audit':2}");
    update();
    ck_assert_uint_eq(people->components[PEOPLE_AGE].watchers, watchers);
    ck_assert_uint_le(atomic_load(&inspector->service.heap.used), used + 64 * 1024);
}
END_TEST

// As if the last request was long ago.
static void be_silent(void)
{
    atomic_store(&inspector->service.sites.hosts[0].last_request, 1);
}

START_TEST(ins_05_an_audit_ends_when_nobody_looks_unless_it_is_pinned)
{
    start("Age");
    update();
    be_silent();
    update();
    expect_in_answer("audit.read", "{'context':'people'}", "error -33106");
    inspect_ask("audit.start", "{'context':'people','component':'Age','pinned':true}");
    update();
    be_silent();
    update();
    expect_in_answer("audit.read", "{'context':'people'}", "'component':'Age'");
}
END_TEST

START_TEST(ins_08_without_memory_for_the_copy_an_audit_is_refused)
{
    kin__bounded_heap *heap = &inspector->service.heap;
    heap->limit = atomic_load(&heap->used) + 2 * 1024 * 1024;
    expect_in_answer("audit.start", "{'context':'people','component':'Age'}",
                     "error -33102: the inspector has no memory left for a copy of the column; give fewer 'bytes'");
    expect_in_answer("audit.start", "{'context':'people','component':'Age','bytes':8192}", "'audit':1}");
    heap->limit = 32 * 1024 * 1024;
}
END_TEST

START_TEST(ins_08_a_refused_allocation_leaves_the_game_and_its_audits_alone)
{
    for (uint64_t number = 1; number < 12; number++) {
        guard_fail(&inspect_memory, number, false);
        inspect_send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"audit.start\",\"params\":{\"context\":\"people\","
                     "\"component\":\"Age\"}}");
        guard_fail(&inspect_memory, 0, false);
        update();
        for (int audit = 1; audit < 20; audit++) {
            char parameters[64];
            snprintf(parameters, sizeof parameters, "{'context':'people','audit':%d}", audit);
            inspect_ask("audit.stop", parameters);
        }
        update();
    }
}
END_TEST

// ---- parallel systems

static void fly_in_place(hive_fly_job *job, hive_fly_iter *it)
{
    (void)job;
    while (hive_fly_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            it->position[i].x += 1;
}

START_TEST(ins_65_of_parallel_systems_the_one_that_declares_it_is_named)
{
    kin_inspector_options options = options_of(10 * 1000 * 1000, 0);
    hive_begin();
    ck_assert_int_eq(hive_hive_world_set_executor(hive, &hive_late_executor), KIN_OK);
    inspector = kin_inspect(hive_hive_world_base(hive), &options);
    hive_fill(2000);
    hive_does.fly = fly_in_place;
    expect_in_answer("audit.start", "{'context':'bees','component':'Position'}", "'audit':1}");
    hive_update();
    expect_in_answer("audit.read", "{'context':'bees'}",
                     "'systems':[{'system':'Fly','declared':true,'count':2000,'fields':['x'],");
    hive_end();
    guard_end(&inspect_memory);
}
END_TEST

Suite *inspect_audit_suite(void)
{
    Suite *suite = suite_create("inspect_audit");
    TCase *tests = tcase_create("audit");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, begin, inspect_town_end);
    tcase_add_test(tests, ins_65_a_system_that_writes_in_place_is_listed_and_whether_it_declares_that);
    tcase_add_test(tests, ins_65_changes_that_are_notified_are_not_in_place);
    tcase_add_test(tests, ins_65_writes_before_and_after_a_replace_are_found);
    tcase_add_test(tests, ins_65_columns_of_any_storage_are_compared);
    tcase_add_test(tests, ins_65_writes_between_updates_are_outside_and_those_of_viewers_are_none);
    tcase_add_test(tests, ins_65_a_journal_of_one_entity_and_an_audit_of_all_go_together);
    tcase_add_test(tests, ins_65_when_records_are_lost_nothing_is_said);
    tcase_add_test(tests, ins_65_a_large_column_is_compared_a_part_in_each_update);
    tcase_add_test(tests, ins_03_an_audit_takes_the_budget_of_an_update_at_most);
    tcase_add_test(tests, ins_65_bad_parameters_and_a_fifth_audit_are_refused);
    tcase_add_test(tests, ins_05_when_audits_end_the_game_is_as_before_and_the_memory_is_given_back);
    tcase_add_test(tests, ins_05_an_audit_ends_when_nobody_looks_unless_it_is_pinned);
    tcase_add_test(tests, ins_08_without_memory_for_the_copy_an_audit_is_refused);
    tcase_add_test(tests, ins_08_a_refused_allocation_leaves_the_game_and_its_audits_alone);
    suite_add_tcase(suite, tests);
    TCase *parallel = tcase_create("parallel");
    tcase_add_test(parallel, ins_65_of_parallel_systems_the_one_that_declares_it_is_named);
    suite_add_tcase(suite, parallel);
    return suite;
}
