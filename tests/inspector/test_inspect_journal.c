// The journal and the watches of an inspector: what changed a value, and in which system.
#include "inspect_case.h"
#include "suites.h"

#include "feature/internal.h"
#include "inspector/inspector.h"
#include "runtime/support/support.h"
#include "runtime/support/town_case.h"

#include "store/store.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static people_entity one, other;

static void begin(void)
{
    inspect_town_begin();
    one = town_citizen(30);
    other = town_citizen(40);
    people_add_step(town->contexts->people, one, (Step){1, 2});
}

static const char *handle(people_entity entity)
{
    static char text[64];
    snprintf(text, sizeof text, "%" PRIu64 ":%" PRIu32, kin_entity_creation_index(entity.id),
             kin_entity_slot(entity.id));
    return text;
}

// Replaces @ by the handle of an entity.
static const char *with(const char *format, people_entity entity)
{
    static char text[512];
    const char *at = strchr(format, '@');
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - format), format, handle(entity), at + 1);
    return text;
}

static void age_all(town_world *world)
{
    people_replace_age(world->contexts->people, one, (Age){31});
    people_replace_age(world->contexts->people, other, (Age){41});
}

START_TEST(ins_63_the_journal_names_the_system_of_each_change)
{
    expect_in_answer("journal.start", "{'context':'people'}", "'lives':true,'all_components':true");
    town_do("Mayor:execute", age_all);
    town_world_update(town, 0.25);
    people_replace_age(town->contexts->people, one, (Age){32});
    expect_in_answer("journal.read", with("{'context':'people','entity':'@'}", one),
                     "'frame':0,'step':0,'system':'Mayor','role':'execute','kind':'replaced',");
    expect_in_answer("journal.read", with("{'context':'people','entity':'@'}", one),
                     "'component':'Age','was':{'years':30},'is':{'years':31}},");
    expect_in_answer("journal.read", with("{'context':'people','entity':'@'}", one),
                     "'system':'outside','role':null,'kind':'replaced',");
}
END_TEST

START_TEST(ins_63_changes_of_a_viewer_are_by_the_inspector)
{
    inspect_ask("journal.start", "{'context':'people','components':['Age']}");
    inspect_ask("components.set", with("{'context':'people','entity':'@','path':'Age.years','value':5}", one));
    expect_in_answer("journal.read", "{'context':'people'}",
                     "'system':'inspector','role':null,'kind':'replaced','e':'1:0','component':'Age',"
                     "'was':{'years':30},'is':{'years':5}}]");
}
END_TEST

START_TEST(ins_63_the_journal_is_filtered_and_read_on)
{
    inspect_ask("journal.start", "{'context':'people','components':['Age'],'lives':true,'bytes':8192}");
    people_destroy_entity(town->contexts->people, town_citizen(50));
    age_all(town);
    expect_in_answer("journal.read", "{'context':'people','limit':2}", "'first':'0','next':'6','records':[{'n':'4',");
    expect_in_answer("journal.read", "{'context':'people','after':'1','limit':2}", "'next':'3','records':[{'n':'1',");
    expect_in_answer("journal.read", "{'context':'people','after':'6'}", "'next':'6','records':[]}");
    expect_in_answer("journal.read", "{'context':'people','kind':'destroyed'}",
                     "'records':[{'n':'3','frame':0,'step':0,'system':'outside','role':null,'kind':'destroyed',");
    expect_in_answer("journal.read", "{'context':'people','kind':'created','component':'Age'}", "'records':[]");
    expect_in_answer("journal.read", "{'context':'people','system':'Mayor'}", "'records':[]");
    for (int32_t i = 0; i < 500; i++)
        people_replace_age(town->contexts->people, one, (Age){i});
    expect_in_answer("journal.read", "{'context':'people','limit':1}", "'next':'506','records':[{'n':'505'");
    ck_assert_ptr_null(strstr(inspect_ask("journal.read", "{'context':'people','limit':1}"), "\"lost\":0,"));
}
END_TEST

// Reads the journal a slice at a time, with changes after the first one. Returns the slices.
static uint32_t read_in_slices(const char *parameters, int32_t changes, kin__json *json)
{
    kin__task *task = kin__task_create(&inspector->service, &kin__method_journal_read,
                                       json_loads(inspect_quoted(parameters), 0, NULL));
    uint32_t slices = 1;
    for (; !kin__task_step(task, 0); slices++)
        for (int32_t i = 0; i < changes && slices == 1; i++)
            people_replace_age(town->contexts->people, one, (Age){i});
    kin__json_begin(json, '{');
    kin__task_show(task, json);
    kin__json_end(json, '}');
    kin__task_destroy(task);
    return slices;
}

static void expect_slices(const char *parameters, int32_t changes, uint32_t slices, const char *expected)
{
    kin__json json = kin__json_make(&inspector->service.heap, 1024 * 1024);
    ck_assert_uint_eq(read_in_slices(parameters, changes, &json), slices);
    ck_assert_msg(strstr(json.at, inspect_quoted(expected)) != NULL, "%s\nis not in\n%s", expected, json.at);
    kin__json_release(&json);
}

START_TEST(ins_03_the_journal_is_read_in_slices_while_it_goes_on)
{
    inspect_ask("journal.start", "{'context':'people','components':['Age'],'bytes':131072}");
    for (int32_t i = 0; i < 1000; i++)
        people_replace_age(town->contexts->people, one, (Age){i});
    expect_slices("{'context':'people','limit':1}", 10, 4,
                  "'count':1000,'first':'0','next':'1000','records':[{'n':'999',");
    expect_slices("{'context':'people','after':'300','limit':2}", 10, 2, "'next':'302','records':[{'n':'300',");
    expect_slices("{'context':'people','after':'300','limit':1}", 5000, 2, "'next':'1020','records':[]"); // overwritten
    ck_assert_ptr_nonnull(strstr(inspect_ask("journal.read", "{'context':'people','limit':1}"), "\"n\":\"6019\""));
}
END_TEST

START_TEST(ins_03_a_journal_that_ends_while_it_is_read_is_no_journal)
{
    inspect_ask("journal.start", "{'context':'people','components':['Age']}");
    for (int32_t i = 0; i < 1000; i++)
        people_replace_age(town->contexts->people, one, (Age){i});
    kin__task *task = kin__task_create(&inspector->service, &kin__method_journal_read,
                                       json_loads("{\"context\":\"people\"}", 0, NULL));
    ck_assert(!kin__task_step(task, 0));
    inspect_ask("journal.stop", "{'context':'people'}");
    ck_assert(kin__task_step(task, 0));
    ck_assert_int_eq(task->mistake.code, -33106);
    kin__task_destroy(task);
}
END_TEST

START_TEST(ins_63_bad_parameters_of_the_journal_are_refused)
{
    expect_in_answer("journal.read", "{'context':'people'}", "error -33106: people has no journal");
    expect_in_answer("journal.start", "{'context':'people','components':['Agee']}", "'did_you_mean':['Age']");
    expect_in_answer("journal.start", "{'context':'people','components':[1]}", "error -32602");
    expect_in_answer("journal.start", "{'context':'people','bytes':1}", "error -33102");
    inspect_ask("journal.start", "{'context':'people'}");
    expect_in_answer("journal.read", "{'context':'people','kind':'mended'}", "error -32602: 'kind' must be");
    expect_in_answer("journal.read", "{'context':'people','after':'x'}", "error -32602: 'after' must be");
    expect_in_answer("journal.stop", "{'context':'people'}", "{'frame':0}");
    expect_in_answer("journal.read", "{'context':'people'}", "error -33106");
}
END_TEST

START_TEST(ins_63_when_the_journal_ends_the_game_is_as_before)
{
    kin_context *people = &town->contexts->people->base;
    uint32_t watchers = people->components[PEOPLE_AGE].watchers;
    inspect_ask("journal.start", "{'context':'people','pinned':true}");
    ck_assert_uint_gt(people->components[PEOPLE_AGE].watchers, watchers);
    town_world_update(town, 0.25);
    inspect_ask("journal.stop", "{'context':'people'}");
    town_world_update(town, 0.25);
    ck_assert_uint_eq(people->components[PEOPLE_AGE].watchers, watchers);
}
END_TEST

// ---- watches

// As a system does in its loop: Step has one column for each field.
static void write_y(people_context *people, double y)
{
    const void *place = kin__value_part(&people->base, kin_entity_slot(one.id), PEOPLE_STEP, offsetof(Step, y));
    *(double *)(uintptr_t)place = y;
}

static void break_step(town_world *world)
{
    write_y(world->contexts->people, NAN);
}

START_TEST(ins_64_a_nan_that_is_written_in_place_is_found_with_its_system)
{
    inspect_ask("journal.start", "{'context':'people','components':['Age']}");
    expect_in_answer("watches.add", with("{'context':'people','entity':'@','path':'Step.y'}", one), "'watch':1}");
    town_world_update(town, 0.25);
    town_do("Crier", break_step);
    town_publish_bell(town);
    town_world_update(town, 0.25);
    const char *written = "'frame':1,'step':0,'system':'Crier','role':'inbox','kind':'written','e':'1:0',"
                          "'component':'Step','was':{";
    expect_in_answer("watches.list", "{'context':'people'}", written);
    expect_in_answer("watches.list", "{'context':'people'}", "'was':{'y':2},'is':{'y':'NaN'}}]}]}");
    expect_in_answer("journal.read", "{'context':'people','kind':'written'}", written);
    expect_in_answer("journal.read", "{'context':'people','kind':'written'}",
                     "'was':{'x':1,'y':2},'is':{'x':1,'y':'NaN'}");
}
END_TEST

static void replace_and_write(town_world *world)
{
    people_context *people = world->contexts->people;
    people_edit_age(people, one)->years = 5;
    people_replace_age(people, one, (Age){6});
    people_edit_age(people, one)->years = 7;
}

START_TEST(ins_64_changes_that_are_told_and_that_are_not_are_told_apart)
{
    inspect_ask("watches.add", with("{'context':'people','entity':'@','path':'Age'}", one));
    town_do("Mayor:execute", replace_and_write);
    town_world_update(town, 0.25);
    const char *answer = inspect_quoted(inspect_ask("watches.list", "{'context':'people'}"));
    static const char *const shown[] = {
        "'count':4,",
        "'kind':'written','e':'1:0','component':'Age','was':{'years':30},'is':{'years':5}",
        "'kind':'replaced','e':'1:0','component':'Age','was':{'years':5},'is':{'years':6}",
        "'kind':'written','e':'1:0','component':'Age','was':{'years':6},'is':{'years':7}",
        "'value':{'years':8}",
        "'system':'Aging'"};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        ck_assert_msg(strstr(answer, inspect_quoted(shown[i])) != NULL, "%s in %s", shown[i], answer);
}
END_TEST

START_TEST(ins_64_a_write_between_updates_is_outside)
{
    inspect_ask("watches.add", with("{'context':'people','entity':'@','path':'Step.y'}", one));
    write_y(town->contexts->people, 9);
    expect_in_answer("watches.list", "{'context':'people'}", "'system':'outside','role':null,'kind':'written'");
}
END_TEST

static void destroy_one(town_world *world)
{
    people_destroy_entity(world->contexts->people, one);
}

START_TEST(ins_64_a_watch_sees_the_end_of_its_entity)
{
    inspect_ask("watches.add", with("{'context':'people','entity':'@','path':'Step.x'}", one));
    town_do("Mayor:execute", destroy_one);
    town_world_update(town, 0.25);
    expect_in_answer("watches.list", "{'context':'people'}",
                     "'count':1,'changes':[{'n':'0','frame':0,'step':0,'system':'Mayor','role':'execute',"
                     "'kind':'removed'");
    expect_in_answer("watches.add", "{'context':'people','entity':'1:0','path':'Step.x'}", "error -33001");
}
END_TEST

START_TEST(ins_64_a_context_has_64_watches)
{
    for (int i = 0; i < 64; i++)
        inspect_ask("watches.add", with("{'context':'people','entity':'@','path':'Step.x'}", one));
    expect_in_answer("watches.add", with("{'context':'people','entity':'@','path':'Step.x'}", one), "error -33102");
    expect_in_answer("watches.remove", "{'context':'people','watch':7}", "'watch':7}");
    expect_in_answer("watches.remove", "{'context':'people','watch':7}", "error -32602: there is no such watch");
    expect_in_answer("watches.add", with("{'context':'people','entity':'@','path':'Step.x'}", one), "'watch':65}");
}
END_TEST

START_TEST(ins_64_a_watch_of_texts_or_of_nothing_is_refused)
{
    people_add_name(town->contexts->people, one, (Name){"Ada"});
    expect_in_answer("watches.add", with("{'context':'people','entity':'@','path':'Name.text'}", one), "error -32602");
    expect_in_answer("watches.add", with("{'context':'people','entity':'@','path':'Stp'}", one), "did_you_mean");
    expect_in_answer("watches.add", with("{'context':'people','entity':'@','path':'Step.z'}", one), "error -32602");
}
END_TEST

// The answer says so, also when there is no memory for the request itself.
static bool is_refused(const char *parameters, uint64_t number)
{
    char request[512];
    snprintf(request, sizeof request, "{'jsonrpc':'2.0','id':1,%s}", parameters);
    guard_fail(&inspect_memory, number, false);
    const char *answer = inspect_send(inspect_quoted(request));
    guard_fail(&inspect_memory, 0, false);
    bool refused = strstr(answer, "\"error\":") != NULL;
    ck_assert(!refused || strstr(answer, "-33102") != NULL);
    return refused;
}

START_TEST(ins_08_without_memory_the_journal_and_watches_are_refused_and_the_game_goes_on)
{
    uint32_t refused = 0;
    for (uint64_t number = 1; number < 30; number++) {
        refused += is_refused("'method':'journal.start','params':{'context':'people'}", number);
        refused +=
            is_refused("'method':'watches.add','params':{'context':'people','entity':'1:0','path':'Step.x'}", number);
        town_world_update(town, 0.25);
        inspect_ask("journal.stop", "{'context':'people'}");
    }
    ck_assert_uint_gt(refused, 4);
}
END_TEST

// ---- why something was collected

static void sleep_one(town_world *world)
{
    people_set_asleep(world->contexts->people, one, true);
}

START_TEST(ins_67_why_an_entity_was_collected_is_found)
{
    town_world_update(town, 0.25);
    expect_in_answer("collectors.why", "{'context':'people','collector':'Watch'}",
                     "'began':true,'lost':0,'collections':[]}");
    town_do("Mayor:execute", sleep_one);
    town_world_update(town, 0.25);
    expect_in_answer("collectors.why", with("{'context':'people','collector':'Watch','entity':'@'}", one),
                     "'began':false,'lost':0,'collections':[{'e':'1:0','group':'citizens','event':'added_or_removed',"
                     "'component':'Asleep','change':'added','frame':1,'step':0,'system':'Mayor','role':'execute',"
                     "'verdict':'");
    expect_in_answer("collectors.why", with("{'context':'people','collector':'Watch','entity':'@'}", other),
                     "'collections':[]}");
}
END_TEST

START_TEST(ins_67_what_a_viewer_changed_is_collected_by_the_inspector)
{
    town_world_update(town, 0.25);
    inspect_ask("collectors.why", "{'context':'people','collector':'Watch'}");
    inspect_ask("components.add", with("{'context':'people','entity':'@','component':'Asleep'}", one));
    expect_in_answer("collectors.why", "{'context':'people','collector':'Watch'}", "'system':'inspector','role':null");
    people_set_asleep(town->contexts->people, other, true);
    expect_in_answer("collectors.why", "{'context':'people','collector':'Watch'}", "'system':'outside','role':null");
}
END_TEST

static bool reject(void *self, kin_context *context, kin_entity entity)
{
    (void)self, (void)context, (void)entity;
    return false;
}

START_TEST(ins_67_a_filter_that_rejects_is_named)
{
    kin_trigger trigger = {people_citizens_group(town->contexts->people), KIN_MODIFIED};
    kin_reactive_system system = {.name = "Picky", .triggers = &trigger, .trigger_count = 1, .filter = reject};
    ck_assert_int_eq(kin_systems_add_reactive(town_world_systems(town), system), KIN_OK);
    inspect_ask("collectors.why", "{'context':'people','collector':'Picky'}");
    people_replace_age(town->contexts->people, one, (Age){31});
    expect_in_answer("collectors.why", "{'context':'people','collector':'Picky'}",
                     "'component':'Age','change':'replaced','frame':0,'step':0,'system':'outside','role':null,"
                     "'verdict':'waiting'}]");
    town_world_update(town, 0.25);
    expect_in_answer("collectors.why", "{'context':'people','collector':'Picky'}",
                     "'verdict':'rejected by the filter'");
    ck_assert_int_eq(kin_systems_remove(town_world_systems(town), "Picky"), KIN_OK);
    expect_in_answer("collectors.why", "{'context':'people','collector':'Picky'}",
                     "error -32602: people has no collector 'Picky'; collectors.list");
}
END_TEST

START_TEST(ins_67_a_collector_is_named_or_numbered)
{
    expect_in_answer("collectors.why", "{'context':'people'}", "error -32602: give the 'collector'");
    expect_in_answer("collectors.why", "{'context':'people','collector':'Watch','number':1}", "error -32602: give");
    expect_in_answer("collectors.why", "{'context':'people','number':4000}",
                     "error -32602: people has no such collector; collectors.list");
    expect_in_answer("collectors.why", "{'context':'people','number':0}", "'collections':[]");
}
END_TEST

// ---- marks

START_TEST(marks_show_what_differs_between_two_moments)
{
    people_context *people = town->contexts->people;
    expect_in_answer("marks.take", "{'context':'people'}", "'mark':1,'count':2,'complete':true}");
    expect_in_answer("marks.diff", "{'context':'people','from':1}", "'appeared':0,'gone':0,'changed':0,'rows':[]}");
    people_destroy_entity(people, other);
    people_entity third = town_citizen(50);
    people_replace_age(people, one, (Age){31});
    people_remove_step(people, one);
    people_set_asleep(people, one, true);
    const char *rows = "'appeared':1,'gone':1,'changed':3,'rows':["
                       "{'e':'1:0','kind':'changed','component':'Age','was':{'years':30},'is':{'years':31}},"
                       "{'e':'1:0','kind':'lost','component':'Step','was':{'x':1,'y':2}},"
                       "{'e':'1:0','kind':'got','component':'Asleep'},"
                       "{'e':'2:1','kind':'gone'},{'e':'3:2','kind':'appeared'}]}";
    expect_in_answer("marks.diff", "{'context':'people','from':1}", rows);
    expect_in_answer("marks.take", "{'context':'people'}", "'mark':2,'count':2,");
    people_destroy_entity(people, third);
    expect_in_answer("marks.diff", "{'context':'people','from':1,'to':2}", rows);
    expect_in_answer("marks.diff", "{'context':'people','from':1,'to':2,'limit':1}",
                     "'gone':1,'changed':3,'rows':[{'e':'1:0','kind':'changed','component':'Age','was':{'years':30},'"
                     "is':{'years':31}}]}");
    expect_in_answer("marks.diff", "{'context':'people','from':2,'query':'Asleep'}",
                     "'appeared':0,'gone':1,'changed':0");
}
END_TEST

START_TEST(marks_are_dropped_and_limited)
{
    for (int i = 0; i < 8; i++)
        inspect_ask("marks.take", "{'context':'people','query':'Age where years > 35'}");
    expect_in_answer("marks.take", "{'context':'people'}", "error -33102: a context has at most 8 marks");
    expect_in_answer("marks.drop", "{'context':'people','mark':3}", "{'frame':0}");
    expect_in_answer("marks.drop", "{'context':'people','mark':3}", "error -32602: there is no such mark");
    expect_in_answer("marks.take", "{'context':'people','query':'Age where years > 35'}", "'mark':9,'count':1,");
    expect_in_answer("marks.diff", "{'context':'people','from':3}", "error -32602: there is no such mark");
    expect_in_answer("marks.take", "{'context':'people','query':'Agee'}", "error -32602");
}
END_TEST

START_TEST(a_mark_that_does_not_fit_says_so)
{
    for (int32_t i = 0; i < 20000; i++)
        town_citizen(i);
    expect_in_answer("marks.take", "{'context':'people'}", "'complete':false}");
}
END_TEST

// ---- plots

START_TEST(plots_sample_a_value_and_queries_once_an_update)
{
    expect_in_answer("plots.add", with("{'context':'people','entity':'@','path':'Age.years'}", one), "'plot':1}");
    expect_in_answer("plots.add", "{'context':'people','query':'Age where years > 35'}", "'plot':2}");
    expect_in_answer("plots.add", "{'context':'people','query':'Age','path':'Age.years','of':'average'}", "'plot':3}");
    town_world_update(town, 0.25);
    people_destroy_entity(town->contexts->people, one);
    town_world_update(town, 0.25);
    static const char *const shown[] = {
        "{'plot':1,'of':'value','text':'Age.years','e':'1:0','samples':[[0,30],[0,'NaN']]}",
        "{'plot':2,'of':'count','text':'Age where years > 35','samples':[[0,1],[0,1]]}",
        "{'plot':3,'of':'average','text':'Age.years of Age','samples':[[0,35],[0,41]]}"};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        expect_in_answer("plots.read", "{'context':'people'}", shown[i]);
    town_world_update(town, 0.25);
    expect_in_answer("plots.read", "{'context':'people','plot':2,'after':0}", "'samples':[[1,1]]}]}");
    expect_in_answer("plots.remove", "{'context':'people','plot':2}", "'plot':2}");
    expect_in_answer("plots.remove", "{'context':'people','plot':2}", "error -32602: there is no such plot");
    expect_in_answer("plots.read", "{'context':'people','plot':2}", "'plots':[]}");
}
END_TEST

START_TEST(plots_of_what_is_no_number_are_refused)
{
    expect_in_answer("plots.add", "{'context':'people','entity':'1:0'}", "error -32602: 'path' is missing");
    expect_in_answer("plots.add", "{'context':'people','entity':'1:0','path':'Name.text'}", "a plot shows numbers");
    expect_in_answer("plots.add", "{'context':'people','query':'Age','of':'median'}", "error -32602: 'of' must be");
    expect_in_answer("plots.add", "{'context':'people','query':'Agee'}", "did_you_mean");
    for (int i = 0; i < 16; i++)
        inspect_ask("plots.add", "{'context':'people','query':'Age'}");
    expect_in_answer("plots.add", "{'context':'people','query':'Age'}", "error -33102: a context has at most 16 plots");
}
END_TEST

Suite *inspect_journal_suite(void)
{
    Suite *suite = suite_create("inspect_journal");
    TCase *tests = tcase_create("journal");
    tcase_add_checked_fixture(tests, begin, inspect_town_end);
    tcase_add_test(tests, ins_63_the_journal_names_the_system_of_each_change);
    tcase_add_test(tests, ins_63_changes_of_a_viewer_are_by_the_inspector);
    tcase_add_test(tests, ins_63_the_journal_is_filtered_and_read_on);
    tcase_add_test(tests, ins_03_the_journal_is_read_in_slices_while_it_goes_on);
    tcase_add_test(tests, ins_03_a_journal_that_ends_while_it_is_read_is_no_journal);
    tcase_add_test(tests, ins_63_bad_parameters_of_the_journal_are_refused);
    tcase_add_test(tests, ins_63_when_the_journal_ends_the_game_is_as_before);
    tcase_add_test(tests, ins_64_a_nan_that_is_written_in_place_is_found_with_its_system);
    tcase_add_test(tests, ins_64_changes_that_are_told_and_that_are_not_are_told_apart);
    tcase_add_test(tests, ins_64_a_write_between_updates_is_outside);
    tcase_add_test(tests, ins_64_a_watch_sees_the_end_of_its_entity);
    tcase_add_test(tests, ins_64_a_context_has_64_watches);
    tcase_add_test(tests, ins_64_a_watch_of_texts_or_of_nothing_is_refused);
    tcase_add_test(tests, ins_08_without_memory_the_journal_and_watches_are_refused_and_the_game_goes_on);
    tcase_add_test(tests, ins_67_why_an_entity_was_collected_is_found);
    tcase_add_test(tests, ins_67_what_a_viewer_changed_is_collected_by_the_inspector);
    tcase_add_test(tests, ins_67_a_filter_that_rejects_is_named);
    tcase_add_test(tests, ins_67_a_collector_is_named_or_numbered);
    tcase_add_test(tests, marks_show_what_differs_between_two_moments);
    tcase_add_test(tests, marks_are_dropped_and_limited);
    tcase_add_test(tests, a_mark_that_does_not_fit_says_so);
    tcase_add_test(tests, plots_sample_a_value_and_queries_once_an_update);
    tcase_add_test(tests, plots_of_what_is_no_number_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
