// The importer of Tiled's maps: examples/tiled, with real maps of both formats, and what is wrong with others.
#include "generator/base/base.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static bool has_python;

static void find_python(void)
{
    arena arena = {0};
    has_python = shell_run(&arena, "python3 -c 'import xml.parsers.expat'").status == 0;
    arena_release(&arena);
    if (!has_python)
        printf("skipped: the importer of Tiled's maps, as there is no python3\n");
}

// Runs the importer in the scratch folder. Returns what it prints, errors too, and its status.
static const char *import(const char *arguments)
{
    const char *command =
        arena_format(scratch_arena(),
                     "kin=$(realpath \"$KIN\"); here=$PWD/examples/tiled; cd '%s' && cp -r \"$here\"/. . && "
                     "{ python3 tiled.py --kin \"$kin\" %s; echo \"= $?\"; } 2>&1",
                     scratch_path(""), arguments);
    return shell_expect(scratch_arena(), command);
}

static const char expected[] =
    "content: 1\n"
    "# Made from island.tmx by tiled.py.\n"
    "levels:\n"
    "  island:\n"
    "    place:\n"
    "      - Sea: # island.tmx:4\n"
    "          as: sea\n"
    "          tiles: [1, 1, 1, 1,\n"
    "            1, 3, 3, 1,\n"
    "            1, 1, 1, 1]\n"
    "      - Tower: { at: [3, 5], interval: 0.25, head: { Gun: { side: Blue } }, as: north_tower } # island.tmx:13\n"
    "      - Tree: { at: [5, 4] } # island.tmx:20\n"
    "      - Tree: { at: [6, 4], Health: { points: 35 } } # island.tmx:21\n"
    "      - Gate: { at: [1, 3], Watch: { by: north_tower } } # island.tmx:26\n"
    "      - Sign: { at: [1.5, 3], Title: { text: \"The island: mind\\nthe guns\" }, as: welcome } # island.tmx:31\n"
    "      - Gate: { at: [7, 3], Watch: { by: object_7 } } # island.tmx:37\n"
    "      - Tree: { at: [7, 2], as: object_7 } # island.tmx:42\n";

START_TEST(a_map_is_a_level)
{
    if (!has_python)
        return;
    const char *printed =
        import("--unit 8 --schema island.yaml --content content -o content/level.yaml island.tmx && \"$kin\" check "
               "island.yaml content && \"$kin\" list --content island.yaml content");
    ck_assert_msg(strstr(printed, "island.tmx: 1 objects and layers without a class are left out\n") != NULL, "%s",
                  printed);
    ck_assert_msg(strstr(printed, "level island\n  8 instances\n= 0\n") != NULL, "%s", printed);
    ck_assert_str_eq(shell_read(scratch_arena(), scratch_path("content/level.yaml")), expected);
}
END_TEST

START_TEST(both_formats_are_the_same_level)
{
    if (!has_python)
        return;
    const char *printed = import("--unit 8 island.tmj > a && python3 tiled.py --unit 8 island.tmx > b && "
                                 "sed -i 's/ *# .*//' a b && cmp a b");
    ck_assert_msg(strstr(printed, "= 0\n") != NULL, "%s", printed);
}
END_TEST

START_TEST(the_axes_and_the_name_of_the_level_can_be_others)
{
    if (!has_python)
        return;
    const char *printed = import("--unit 16 --at x,0,-y --level shore island.tmx");
    ck_assert_msg(strstr(printed, "  shore:\n") != NULL && strstr(printed, "- Tree: { at: [2.5, 0, -2] }") != NULL,
                  "%s", printed);
}
END_TEST

// What `kin check` finds is shown in the map.
START_TEST(errors_of_the_content_are_at_their_places_in_the_map)
{
    if (!has_python)
        return;
    const char *printed =
        import("island.tmx > all && sed 's/type=\"Tower\"/type=\"Towr\"/; s/value=\"35\"/value=\"0\"/' "
               "island.tmx > wrong.tmx && python3 tiled.py --kin \"$kin\" --schema island.yaml "
               "--content content -o level.yaml wrong.tmx");
    ck_assert_msg(strstr(printed,
                         "wrong.tmx:13:4: error: no prefab or blueprint is named 'Towr'; did you mean 'Tower'? "
                         "[K1601]\n") != NULL,
                  "%s", printed);
    ck_assert_msg(strstr(printed, "wrong.tmx:21:4: error: 0 is outside the range of 'Health.points'") != NULL, "%s",
                  printed);
    ck_assert_msg(strstr(printed, "= 1\n") != NULL, "%s", printed);
}
END_TEST

#define OBJECTS(text) "<map>\n<objectgroup>\n" text "</objectgroup>\n</map>\n"

static const struct {
    const char *map, *message;
} wrong[] = {
    {"<map>\n<layer", ":2:1: error: the file is no XML: unclosed token\n= 1\n"},
    {"hello", ":1:1: error: the file is no JSON\n= 1\n"},
    {"{ \"layers\": [ { \"type\": \"tilelayer\" \"x\": 1 } ] }", ":1:37: error: the file is no JSON\n= 1\n"},
    {"[1]", ":1:1: error: expected a map for 'map'\n= 1\n"},
    {"{}", ":1:1: error: this is no map of Tiled, or it is empty\n= 1\n"},
    {"", ":1:1: error: the file is no JSON\n= 1\n"},
    {"<map>\n <layer class=\"Sea\" width=\"2\" height=\"2\">\n  <data encoding=\"csv\">1,2,3</data></layer></map>",
     ":3:3: error: the layer has 3 tiles; 2 x 2 are 4\n= 1\n"},
    {"<map>\n <layer class=\"Sea\" width=\"1\" height=\"1\">\n  <data encoding=\"csv\">a</data></layer></map>",
     ":3:3: error: the data cannot be read: "},
    {"<map>\n <layer class=\"Sea\" width=\"1\" height=\"1\">\n  <data encoding=\"base64\" "
     "compression=\"zstd\">a</data></layer></map>",
     ":3:3: error: data as base64 zstd is not read; choose CSV in the properties of the map\n= 1\n"},
    {"<map>\n <layer class=\"Sea\" width=\"1\" height=\"1\">\n  <data "
     "encoding=\"csv\"><chunk>1</chunk></data></layer></map>",
     ":3:3: error: infinite maps are not read; clear 'Infinite' in the properties of the map\n= 1\n"},
    {"{\"layers\":[{\"type\":\"tilelayer\",\"class\":\"Sea\",\"chunks\":[{\"data\":[1]}]}]}",
     ":1:12: error: infinite maps"},
    {"<map>\n <layer class=\"Sea\" width=\"1\" height=\"1\"/></map>", ":2:2: error: the layer has no data\n= 1\n"},
    {OBJECTS(" <object id=\"1\" type=\"Tree\" x=\"q\"/>\n"), ":3:2: error: 'x' is 'q', which is no number\n= 1\n"},
    {OBJECTS(" <object id=\"1\" type=\"7\"/>\n"), ":3:2: error: class '7' cannot be the name of a prefab"},
    {OBJECTS("<object id=\"1\" type=\"Gate\">\n <property name=\"Watch.by\" type=\"object\" value=\"9\"/></object>"),
     ":4:2: error: property 'Watch.by' names object 9, which is not in the map\n= 1\n"},
    {OBJECTS("<object id=\"1\" type=\"Gate\">\n <property name=\"a b\" value=\"9\"/></object>"),
     ":4:2: error: 'a b' is no path of names\n= 1\n"},
    {OBJECTS("<object id=\"1\" type=\"Gate\">\n <property name=\"n\" type=\"int\" value=\"x\"/></object>"),
     ":4:2: error: 'x' is not of type int\n= 1\n"},
    {OBJECTS("<object id=\"1\" type=\"Gate\">\n <property name=\"a\" value=\"1\"/>\n <property name=\"a.b\" "
             "value=\"1\"/></object>"),
     ":5:2: error: property 'a.b' is given twice\n= 1\n"},
    {OBJECTS("<object id=\"1\"/>\n<object id=\"2\" type=\"Gate\"><property name=\"by\" type=\"object\" "
             "value=\"1\"/></object>"),
     ":3:1: error: object 1 is referred to, and has no class\n= 1\n"},
    {OBJECTS("<object id=\"1\" template=\"none.tx\"/>"), ":3:1: error: cannot read 'none.tx': No such file"},
    {OBJECTS("<object id=\"1\" name=\"a\" type=\"Tree\"/>\n<object id=\"2\" name=\"A!\" type=\"Tree\"/>"),
     ":3:1: warning: 2 objects are named 'a', which is left out\n"},
    {"<map><tileset firstgid=\"1\" source=\"none.tsx\"/></map>", ":1:6: error: cannot read 'none.tsx'"},
};

START_TEST(an_error_is_at_its_place)
{
    if (!has_python)
        return;
    scratch_write("bad.tmx", wrong[_i].map);
    const char *printed = import("bad.tmx");
    ck_assert_msg(strstr(printed, arena_format(scratch_arena(), "bad.tmx%s", wrong[_i].message)) != NULL, "%s",
                  printed);
    ck_assert_msg(strstr(printed, "Traceback") == NULL, "%s", printed);
}
END_TEST

START_TEST(a_template_gives_what_its_objects_do_not_say)
{
    if (!has_python)
        return;
    scratch_write(
        "tower.tx",
        "<template><object name=\"t\" type=\"Tower\"><properties><property name=\"interval\" "
        "type=\"float\" value=\"2\"/><property name=\"side\" value=\"Red\"/></properties></object></template>");
    scratch_write("bad.tmx", OBJECTS("<object id=\"1\" template=\"tower.tx\" x=\"1\" y=\"2\"><properties><property "
                                     "name=\"side\" value=\"Blue\"/></properties></object>"));
    const char *printed = import("bad.tmx");
    ck_assert_msg(strstr(printed, "- Tower: { at: [1, 2], side: Blue, interval: 2, as: t } # bad.tmx:3\n= 0\n") != NULL,
                  "%s", printed);
}
END_TEST

Suite *content_tiled_suite(void)
{
    Suite *suite = suite_create("content_tiled");
    TCase *cases = tcase_create("tiled");
    tcase_set_timeout(cases, 60);
    tcase_add_unchecked_fixture(cases, find_python, NULL);
    tcase_add_checked_fixture(cases, scratch_create, scratch_destroy);
    tcase_add_test(cases, a_map_is_a_level);
    tcase_add_test(cases, both_formats_are_the_same_level);
    tcase_add_test(cases, the_axes_and_the_name_of_the_level_can_be_others);
    tcase_add_test(cases, errors_of_the_content_are_at_their_places_in_the_map);
    tcase_add_loop_test(cases, an_error_is_at_its_place, 0, (int)(sizeof wrong / sizeof *wrong));
    tcase_add_test(cases, a_template_gives_what_its_objects_do_not_say);
    suite_add_tcase(suite, cases);
    return suite;
}
