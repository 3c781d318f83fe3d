// kin pack: lines with the names that saves have, and with those of now, give the same save.
#include "generator/base/base.h"
#include "generator/program.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <string.h>

static const char schema[] =
    "kin: 1\n"
    "package: town\n"
    "removed: [Mana, Health.armor, Health.at.z]\n"
    "contexts: { play: { was: game, default: true }, stage: {} }\n"
    "types:\n"
    "  Side: { values: [Green, Crimson: { was: Red }] }\n"
    "  Vec: { fields: { east: { type: 'int32[2]', was: x }, north: { type: int32, was: y } } }\n"
    "  Pair: { fields: { left: { type: int8, was: right }, right: { type: int8, was: left } } }\n"
    "components:\n"
    "  Life:\n"
    "    was: Health\n"
    "    fields: { points: { type: int32, was: hp }, place: { type: 'Vec[2]', was: at }, side: Side,"
    "              plate: { type: int32, default: 7 } }\n"
    "  Path: { fields: { stops: { type: 'Vec[]', was: corners } } }\n"
    "  Both: { fields: { pair: Pair } }\n"
    "  Knot: { fields: { aim: { type: entity<play>, was: to, on_destroy: clear, reverse: holders } } }\n"
    "  Loud: { cleanup: remove_component, events: [{ target: any }] }\n"
    "messages: { Blow: { was: Hit, fields: { force: { type: int32, was: n } } } }\n"
    "schedule: { first: { children: { inner: {} } } }\n"
    "systems:\n"
    "  March: { was: Walk, in: inner, roles: [execute] }\n"
    "  Judge: { in: first, roles: [execute], inbox: [Blow] }\n";

#define HEAD "{\"kin\":1,\"package\":\"town\"}\n"

static void setup(void)
{
    scratch_create();
    scratch_write("town.yaml", schema);
}

static outcome pack(const char *name, const char *lines)
{
    const char *all = arena_format(scratch_arena(), "%s%s", HEAD, lines);
    return run_with_input((arguments){{"pack", "-o", scratch_path(name), scratch_path("town.yaml")}}, all);
}

// What saves have, and what they have now.
static const struct {
    const char *saved, *now;
} pairs[] = {
#define LIFE(component, points, place, east, north, side)                                                              \
    "\"" component "\":{\"" place "\":{\"" east "[2]\":[1,2,3,4],\"" north "\":[5,6]},\"" points                       \
    "\":80,\"plate\":7,\"side\":\"" side "\"}}\n"
    {"{\"game\":\"1@0\"," LIFE("Health", "hp", "at", "x", "y", "Red"),
     "{\"play\":\"1@0\"," LIFE("Life", "points", "place", "east", "north", "Crimson")},
    {"{\"game\":\"1@0\"," LIFE("Health", "hp", "at", "x", "y", "Red"),
     "{\"play\":\"1@0\"," LIFE("Health", "points", "at", "x", "north", "Red")},
    {"{\"game\":\"1@0\",\"Path\":{\"corners\":[{\"x[2]\":[1,2],\"y\":3},{\"x[2]\":[4,5],\"y\":6}]}}\n",
     "{\"game\":\"1@0\",\"Path\":{\"stops\":[{\"east[2]\":[1,2],\"north\":3},{\"x[2]\":[4,5],\"north\":6}]}}\n"},
    {"{\"game\":\"1@0\",\"Knot\":{\"to\":\"3@2\"}}\n{\"game\":\"2@1\",\"Knot\":{\"to\":\"3@2\"}}\n{\"game\":\"3@2\"}\n"
     "{\"game\":\"links\",\"component\":\"Knot\",\"field\":\"to\",\"target\":2,\"holders\":[1,0]}\n",
     "{\"play\":\"1@0\",\"Knot\":{\"aim\":\"3@2\"}}\n{\"game\":\"2@1\",\"Knot\":{\"aim\":\"3@2\"}}\n{\"game\":\"3@2\"}"
     "\n"
     "{\"play\":\"links\",\"component\":\"Knot\",\"field\":\"aim\",\"target\":2,\"holders\":[1,0]}\n"},
    {"{\"system\":\"\",\"enabled\":true,\"time\":0,\"frame\":0,\"published\":1}\n"
     "{\"system\":\"first/inner/Walk\",\"enabled\":true,\"time\":0,\"frame\":0}\n"
     "{\"system\":\"first/Judge\",\"enabled\":true,\"time\":0,\"frame\":0,\"collected\":[{\"game\":\"1@0\"}],"
     "\"inboxes\":[{\"message\":\"Hit\",\"messages\":[{\"serial\":0,\"value\":{\"n\":3}}]}]}\n",
     "{\"system\":\"\",\"enabled\":true,\"time\":0,\"frame\":0,\"published\":1}\n"
     "{\"system\":\"first/inner/March\",\"enabled\":true,\"time\":0,\"frame\":0}\n"
     "{\"system\":\"first/Judge\",\"enabled\":true,\"time\":0,\"frame\":0,\"collected\":[{\"play\":\"1@0\"}],"
     "\"inboxes\":[{\"message\":\"Blow\",\"messages\":[{\"serial\":0,\"value\":{\"force\":3}}]}]}\n"},
};

START_TEST(names_of_saves_and_of_now_give_the_same_save)
{
    check_outcome(pack("saved.kin", pairs[_i].saved), 0, "", "");
    check_outcome(pack("now.kin", pairs[_i].now), 0, "", "");
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(), "cmp %s %s", scratch_path("saved.kin"), scratch_path("now.kin")));
    const char *lines = run((arguments){{"dump", scratch_path("now.kin")}}).output, *last = pairs[_i].saved;
    for (const char *end = strchr(last, '\n'); end[1] != '\0'; end = strchr(last, '\n'))
        last = end + 1;
    ck_assert_msg(strstr(lines, last) != NULL, "%s%s", lines, last);
}
END_TEST

// Saves have `right` of what is `left` now.
START_TEST(exchanged_names_are_those_of_saves)
{
    static const char line[] = "{\"game\":\"1@0\",\"Both\":{\"pair\":{\"left\":1,\"right\":2}}}\n";
    check_outcome(pack("town.kin", line), 0, "", "");
    outcome lines = run((arguments){{"dump", scratch_path("town.kin")}});
    ck_assert_ptr_nonnull(strstr(lines.output, line));
}
END_TEST

// What is given up is passed over, also under the names of now around it.
START_TEST(what_is_given_up_is_passed_over)
{
    check_outcome(pack("town.kin",
                       "{\"game\":\"1@0\",\"Mana\":{\"left\":1},\"Life\":{\"points\":1,\"armor\":2,\"place\":"
                       "{\"x[2]\":[1,2,3,4],\"north\":[5,6],\"z\":1},\"plate\":7,\"side\":\"Green\"}}\n"),
                  0, "", "");
}
END_TEST

// The armor of saves was removed, and that of now was their plate.
START_TEST(a_name_of_saves_is_never_taken_for_one_of_now)
{
    scratch_write("town.yaml", "kin: 1\npackage: town\nremoved: [Life.armor]\ncontexts: { game: { default: true } }\n"
                               "components: { Life: { fields: { armor: { type: int32, was: plate } } } }\n");
    outcome outcome = pack("town.kin", "{\"game\":\"1@0\",\"Life\":{\"armor\":3}}\n");
    ck_assert_int_eq(outcome.status, 1);
    ck_assert_ptr_nonnull(strstr(outcome.messages, "error: 'Life.plate' is missing [K1323]"));
    check_outcome(pack("town.kin", "{\"game\":\"1@0\",\"Life\":{\"armor\":3,\"plate\":4}}\n"), 0, "", "");
    ck_assert_ptr_nonnull(strstr(RUN("dump", scratch_path("town.kin")).output, "{\"plate\":4}"));
}
END_TEST

static const struct {
    const char *line, *column, *message, *hint;
} mistakes[] = {
    {"{\"system\":\"first/inner/Marhc\",\"enabled\":true,\"time\":0,\"frame\":0}", "11",
     "unknown system 'first/inner/Marhc' [K1322]", "did you mean 'first/inner/March'?"},
    {"{\"system\":\"second/Jump\",\"enabled\":true,\"time\":0,\"frame\":0}", "11",
     "unknown system 'second/Jump' [K1322]", "without its line, a system begins as in a new world"},
    {"{\"system\":\"first/March\",\"enabled\":true,\"time\":0,\"frame\":0}", "11",
     "unknown system 'first/March' [K1322]", "without its line, a system begins as in a new world"},
    {"{\"system\":\"events/any_load\",\"enabled\":true,\"time\":0,\"frame\":0}", "11",
     "unknown system 'events/any_load' [K1322]", "did you mean 'events/any_loud'?"},
    {"{\"system\":\"first/Judge\",\"enabled\":true,\"time\":0,\"frame\":0,\"collected\":[{\"gaem\":\"1@0\"}]}", "73",
     "unknown context 'gaem' [K1322]", "did you mean 'game'?"},
    {"{\"system\":\"first/Judge\",\"enabled\":true,\"time\":0,\"frame\":0,"
     "\"inboxes\":[{\"message\":\"Blwo\",\"messages\":[]}]}",
     "81", "unknown message 'Blwo' [K1322]", "did you mean 'Blow'?"},
    {"{\"gane\":\"1@0\"}", "2", "unknown context 'gane' [K1322]", "did you mean 'game'?"},
    {"{\"game\":\"1@0\",\"Lief\":{}}", "15", "unknown component 'Lief' [K1322]", "did you mean 'Life'?"},
    {"{\"game\":\"1@0\",\"Path\":{\"stosp\":[],\"stops\":[]}}", "23", "unknown field 'Path.stosp' [K1322]",
     "did you mean 'stops'?"},
    {"{\"game\":\"1@0\",\"Path\":{\"stops\":[],\"corners\":[]}}", "23", "'Path.stops' is there twice [K1324]", NULL},
    {"{\"game\":\"1@0\",\"Path\":{}}", "22", "'Path.corners' is not a list [K1323]", NULL},
};

START_TEST(a_name_that_the_schema_does_not_have_is_an_error_at_its_place)
{
    outcome outcome = pack("town.kin", arena_format(scratch_arena(), "%s\n", mistakes[_i].line));
    const char *place =
        arena_format(scratch_arena(), "<stdin>:2:%s: error: %s\n", mistakes[_i].column, mistakes[_i].message);
    ck_assert_int_eq(outcome.status, 1);
    ck_assert_msg(strncmp(outcome.messages, place, strlen(place)) == 0, "%s%s", place, outcome.messages);
    if (mistakes[_i].hint != NULL)
        ck_assert_msg(strstr(outcome.messages, mistakes[_i].hint) != NULL, "%s", outcome.messages);
}
END_TEST

#define SYSTEM(path) "{\"system\":\"" path "\",\"enabled\":true,\"time\":0,\"frame\":0}\n"
#define ROOT         "{\"system\":\"\",\"enabled\":true,\"time\":0,\"frame\":0,\"published\":0}\n"

// Each context has its events and cleanup.
START_TEST(a_system_is_there_as_often_as_the_world_has_it)
{
    static const char all[] = ROOT SYSTEM("first") SYSTEM("events") SYSTEM("events/any_loud") SYSTEM("events")
        SYSTEM("cleanup") SYSTEM("cleanup/Loud") SYSTEM("cleanup");
    check_outcome(pack("town.kin", all), 0, "", "");
    outcome outcome = pack("town.kin", arena_format(scratch_arena(), "%s%s", all, SYSTEM("events")));
    ck_assert_int_eq(outcome.status, 1);
    ck_assert_ptr_nonnull(strstr(outcome.messages, ":10:11: error: system 'events' is there twice [K1324]"));
    outcome = pack("town.kin", ROOT SYSTEM("first/inner/March") SYSTEM("first/inner/Walk"));
    ck_assert_ptr_nonnull(strstr(outcome.messages, ":4:11: error: system 'first/inner/Walk' is there twice [K1324]"));
}
END_TEST

Suite *pack_name_suite(void)
{
    Suite *suite = suite_create("pack_name");
    TCase *cases = tcase_create("pack_name");
    tcase_add_checked_fixture(cases, setup, scratch_destroy);
    tcase_add_loop_test(cases, names_of_saves_and_of_now_give_the_same_save, 0, sizeof pairs / sizeof *pairs);
    tcase_add_test(cases, exchanged_names_are_those_of_saves);
    tcase_add_test(cases, what_is_given_up_is_passed_over);
    tcase_add_test(cases, a_name_of_saves_is_never_taken_for_one_of_now);
    tcase_add_loop_test(cases, a_name_that_the_schema_does_not_have_is_an_error_at_its_place, 0,
                        sizeof mistakes / sizeof *mistakes);
    tcase_add_test(cases, a_system_is_there_as_often_as_the_world_has_it);
    suite_add_tcase(suite, cases);
    return suite;
}
