// The compiler of content: the messages of tests/bad/content, and what packs have of content files.
#include "generator/base/base.h"
#include "generator/content/content.h"
#include "generator/read/read.h"
#include "generator/reading.h"
#include "generator/schema/schema.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <glob.h>
#include <kin/random.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char fort[] = "tests/schemas/fort.yaml";

static void begin(void)
{
    scratch_create();
    reading_begin();
}

static void end(void)
{
    reading_end();
    scratch_destroy();
}

static content_schema schema_of(const char *path)
{
    static const schema_folders none;
    const package *package = package_load(reading_arena(), reading_diagnostics(), path, &none);
    ck_assert_ptr_nonnull(package);
    const kin_context_info *const *tables = schema_context_tables(reading_arena(), package);
    const kin_context_info **contexts = arena_allocate(reading_arena(), package->context_count * sizeof *contexts);
    content_schema schema = {contexts, 0};
    for (size_t i = 0; i < package->context_count; i++)
        if (package->contexts[i]->has_content)
            contexts[schema.count++] = tables[i];
    return schema;
}

// Compiles one file or folder for the schema of the fort.
static kin__pack *compile(const char *path)
{
    return content_compile(reading_arena(), reading_diagnostics(), schema_of(fort), (content_paths){&path, 1});
}

static kin__pack *compile_text(const char *text)
{
    scratch_write("content.yaml", text);
    return compile(scratch_path("content.yaml"));
}

// Returns the lines of a pack, after it was written and read again.
static const char *lines_of(kin__pack *pack)
{
    text file = text_create(reading_arena());
    text lines = text_create(reading_arena());
    ck_assert_msg(pack != NULL, "%s", reading_printed());
    content_append_file(pack, &file);
    kin__memory memory = kin__memory_of((kin_allocator){NULL, NULL, NULL});
    kin__pack again;
    kin__pack_fault fault;
    ck_assert_msg(kin__pack_read(&again, &memory, file.bytes, file.size, &fault), "%s", fault.text);
    content_append_lines(&lines, &again);
    kin__pack_release(&again);
    ck_assert_uint_eq(memory.allocated, 0);
    return lines.bytes;
}

static void expect_line(const char *text, const char *line)
{
    const char *lines = lines_of(compile_text(text));
    ck_assert_msg(strstr(lines, line) != NULL, "%s", lines);
}

static void expect_error(const char *text, const char *error)
{
    ck_assert_ptr_null(compile_text(text));
    ck_assert_msg(strstr(reading_printed(), error) != NULL, "%s", reading_printed());
}

// ---- messages

static void expect_bad(const char *path)
{
    begin();
    reading_diagnostics()->options.limit = 0;
    const char *expected = arena_format(reading_arena(), "%.*s.expected", (int)strlen(path) - 5, path);
    const char *content = shell_read(reading_arena(), path);
    const char *schema = fort;
    const char *paths[] = {path, NULL};
    if (strncmp(content, "# schema: ", 10) == 0)
        schema = arena_copy(reading_arena(), content + 10, strcspn(content + 10, "\n"));
    if (strncmp(content, "# lock: ", 8) == 0) // a folder that has a lock alone
        paths[1] = arena_copy(reading_arena(), content + 8, strcspn(content + 8, "\n"));
    content_schema tables = schema_of(schema);
    ck_assert_ptr_null(content_compile(reading_arena(), reading_diagnostics(), tables,
                                       (content_paths){paths, paths[1] == NULL ? 1 : 2}));
    ck_assert_int_eq(diagnostics_exit_status(reading_diagnostics()), 1);
    ck_assert_msg(strcmp(reading_printed(), shell_read(reading_arena(), expected)) == 0, "%s: %s", path,
                  reading_printed());
    end();
}

// 143 files. CNT-02, CNT-05 to CNT-08, CNT-16, and CNT-27.
START_TEST(cnt_02_all_that_is_wrong_with_a_file_is_reported_at_its_place)
{
    glob_t files;
    ck_assert_int_eq(glob("tests/bad/content/*.yaml", 0, NULL, &files), 0);
    ck_assert_uint_ge(files.gl_pathc, 80);
    for (size_t i = 0; i < files.gl_pathc; i++)
        expect_bad(files.gl_pathv[i]);
    globfree(&files);
}
END_TEST

START_TEST(cnt_02_ten_thousand_unknown_names_after_a_missing_include_are_one_error)
{
    text content = text_create(reading_arena());
    text_append_string(&content, "content: 1\ninclude: [nowhere.yaml]\nlevels:\n  a:\n    place:\n");
    for (int i = 0; i < 10000; i++)
        text_append_format(&content, "      - Unseen%d: { at: [1, 2, 3] }\n", i);
    ck_assert_ptr_null(compile_text(content.bytes));
    ck_assert_uint_eq(diagnostics_error_count(reading_diagnostics()), 1);
    ck_assert_ptr_nonnull(strstr(reading_printed(), "[K0701]"));
}
END_TEST

START_TEST(cnt_02_a_unique_component_is_found_twice_in_levels_in_levels_and_in_a_prefab)
{
    expect_error("content: 1\nlevels:\n  a: { place: [{ Game: {} }] }\n  b: { place: [{ a: {} }, { Game: {} }] }\n",
                 "unique component 'Battle' is there twice [K1612]");
    reading_begin();
    expect_error("content: 1\nprefabs: { Two: { extends: Game, parts: { other: { of: Game } } } }\n", "[K1612]");
    reading_begin();
    lines_of(compile_text("content: 1\nlevels:\n  a: { place: [{ Game: {} }] }\n  b: { place: [{ Game: {} }] }\n"));
}
END_TEST

START_TEST(cnt_02_the_key_of_an_instance_is_that_of_its_prefab)
{
    static const char text[] = "content: 1\nprefabs:\n  Nine: { extends: Ticket, Number: { value: 9 } }\n"
                               "levels: { a: { place: [{ Nine: {} }, { Ticket: { Number: { value: %d } } }] } }\n";
    expect_error(arena_format(reading_arena(), text, 9), "the key of index 'Number.value' is there twice [K1611]");
    reading_begin();
    lines_of(compile_text(arena_format(reading_arena(), text, 8)));
}
END_TEST

START_TEST(cnt_03_values_name_parts_that_come_later)
{
    expect_line("content: 1\nprefabs:\n  Post:\n    extends: Tower\n    Watch: { by: .mast.lamp }\n    parts:\n"
                "      first: { of: Tower, Watch: { by: .mast.lamp } }\n"
                "      mast: { of: Block, Barrels: { left: .mast.lamp }, parts: { lamp: { of: Block } } }\n",
                "\"first.Watch.by\":\".mast.lamp\",\"mast.Barrels.left\":\".mast.lamp\"");
    reading_begin();
    expect_line("content: 1\nprefabs:\n  Post:\n    extends: Tower\n    Watch: { by: .gun.lamp }\n"
                "    knobs: { lit: gun.lamp.Health.points }\n"
                "    gun: { parts: { lamp: { of: Block, Health: { points: 7 } } } }\n",
                "\"Watch.by\":\".gun.lamp\"");
}
END_TEST

// ---- packs

static const char guns[] = "content: 1\nprefabs:\n"
                           "  Fast:\n    extends: Cannon\n    doc: Quick\n    interval: 0.05\n"
                           "    head: { Gun: { side: Blue } }\n    without: [Smoke, head.right]\n"
                           "    parts: { flag: { of: Block, Box: { width: 0.5 }, parts: { top: { of: Block } } } }\n";
static const char valley[] = "content: 1\nblueprints: { Block: { Box: { width: 2 } } }\n"
                             "values: { Battle: { money: 5000, waves: [3, 5, 8] } }\n"
                             "levels:\n  valley:\n    place:\n      - Fast: { at: [3, 0, 4], as: north }\n"
                             "      - Block: [{}, {}]\n      - Tower: { Watch: { by: north.head.left } }\n";

START_TEST(cnt_01_the_order_of_files_and_entries_changes_no_byte)
{
    text files[3];
    const char *const orders[][2] = {{"a.yaml", "b.yaml"}, {"b.yaml", "a.yaml"}};
    for (int i = 0; i < 2; i++) {
        scratch_write(arena_format(reading_arena(), "%d/%s", i, orders[i][0]), guns);
        scratch_write(arena_format(reading_arena(), "%d/deep/%s", i, orders[i][1]), valley);
        kin__pack *pack = compile(scratch_path(i == 0 ? "0" : "1"));
        ck_assert_msg(pack != NULL, "%s", reading_printed());
        files[i] = text_create(reading_arena());
        content_append_file(pack, &files[i]);
    }
    ck_assert_uint_eq(files[0].size, files[1].size);
    ck_assert_mem_eq(files[0].bytes, files[1].bytes, files[0].size);
}
END_TEST

START_TEST(cnt_01_files_of_a_folder_that_are_no_content_are_passed_over)
{
    scratch_write("c/guns.yaml", "# a comment\n\n---\n\"content\": 1\nprefabs: { A: { extends: Cannon } }\n");
    scratch_write("c/other.yaml", "kin: 1\npackage: other\n");
    scratch_write("c/contents.yaml", "contents: 1\n");
    scratch_write("c/notes.txt", "content: 1\nprefabs: {\n");
    scratch_write("c/empty.yaml", "");
    ck_assert_int_eq(symlink(".", scratch_path("c/circle")), 0);
    ck_assert_ptr_nonnull(strstr(lines_of(compile(scratch_path("c"))), "{\"prefab\":\"A\""));
}
END_TEST

START_TEST(cnt_01_line_ends_and_a_byte_order_mark_change_nothing)
{
    text other = text_create(reading_arena());
    text_append_string(&other, "\xef\xbb\xbf");
    for (const char *at = guns; *at != '\0'; at++)
        text_append_string(&other, *at == '\n' ? "\r\n" : arena_copy(reading_arena(), at, 1));
    const char *lines = lines_of(compile_text(guns));
    ck_assert_str_eq(lines_of(compile_text(other.bytes)), lines);
}
END_TEST

START_TEST(cnt_03_a_prefab_says_only_what_it_adds_to_its_base)
{
    expect_line(guns, "{\"prefab\":\"Fast\",\"context\":\"game\",\"extends\":\"Cannon\",\"doc\":\"Quick\","
                      "\"parts\":{\"flag\":\"Block\",\"flag.top\":\"Block\"},\"lacks\":[\"Smoke\"],"
                      "\"lacks_parts\":[\"head.right\"],\"set\":{\"flag.Box.width\":0.5,"
                      "\"head.Gun.interval\":0.05,\"head.Gun.side\":\"Blue\"}}\n");
}
END_TEST

START_TEST(cnt_03_bases_come_before_the_prefabs_that_extend_them)
{
    kin__pack *pack =
        compile_text("content: 1\nprefabs:\n  A: { extends: B }\n  B: { extends: C, parts: { d: { of: D } } }\n"
                     "  C: { extends: Cannon }\n  D: { extends: Block }\n");
    ck_assert_msg(pack != NULL, "%s", reading_printed());
    lines_of(pack);
    ck_assert_str_eq(pack->prefabs[pack->prefab_count - 1].name, "A");
    for (uint32_t i = 0; i < pack->prefab_count; i++)
        ck_assert(pack->prefabs[i].base == KIN__PACK_NONE || pack->prefabs[i].base < i);
}
END_TEST

START_TEST(cnt_04_values_of_blueprints_are_entries_of_their_own)
{
    expect_line("content: 1\nblueprints: { Cannon: { head: { Gun: { interval: 0.1 } } } }\n",
                "{\"blueprint\":\"Cannon\",\"context\":\"game\",\"set\":{\"head.Gun.interval\":0.1}}\n");
    reading_begin();
    expect_error("content: 1\nprefabs: { Cannon: { extends: Block } }\n", "has the name of a blueprint of the schema");
}
END_TEST

START_TEST(cnt_05_an_instance_sets_what_its_prefab_has_and_adds_nothing)
{
    expect_error("content: 1\nlevels: { a: { place: [{ Block: { Health: { points: 3 } } }] } }\n",
                 "error: 'Block' has no component 'Health' [K1606]");
    reading_begin();
    expect_line("content: 1\nlevels: { a: { place: [{ Cannon: { head: { Local: { turn: 2 } } } }] } }\n",
                "\"set\":{\"head.Local.turn\":2}");
}
END_TEST

START_TEST(cnt_08_what_content_cannot_set_is_refused)
{
    static const char *const bodies[] = {"Radio: { channel: 4 }", "Health: { since: 1 }", "Origin: { part: 1 }",
                                         "head: { ChildOf: { parent: . } }", "Local: { turn: 1 }, turn: 2"};
    const char *text =
        arena_format(reading_arena(),
                     "content: 1\nprefabs: { A: { extends: Cannon, knobs: { turn: Local.turn }, %s } }\n", bodies[_i]);
    expect_error(text, "[K1607]");
}
END_TEST

START_TEST(cnt_06_a_knob_sets_a_field_a_component_or_several_of_one_type)
{
    expect_line("content: 1\nprefabs:\n  A: { extends: Cannon, colour: { rgb: [1, 2, 3] } }\n",
                "\"set\":{\"foot.Color.rgb\":[1,2,3],\"pillar.Color.rgb\":[1,2,3]}");
    reading_begin();
    expect_line("content: 1\nprefabs:\n  A: { extends: Cannon, knobs: { gun: head.Gun }, gun: { interval: 2 } }\n",
                "\"knobs\":{\"gun\":[\"head.Gun\"]},\"set\":{\"head.Gun.interval\":2}");
    reading_begin();
    expect_line("content: 1\nprefabs:\n  A: { extends: Tower, parts: { b: { of: Cannon, interval: 3 } } }\n",
                "\"set\":{\"b.head.Gun.interval\":3}");
}
END_TEST

START_TEST(cnt_06_a_knob_sets_a_component_that_its_prefab_adds)
{
    expect_line("content: 1\nprefabs:\n  A: { extends: Block, knobs: { text: Title.text }, Title: {}, text: hi }\n",
                "\"adds\":[\"Title\"],\"knobs\":{\"text\":[\"Title.text\"]},\"set\":{\"Title.text\":\"hi\"}");
    reading_begin();
    expect_line("content: 1\nprefabs:\n  A: { extends: Cannon, knobs: { t: head.Title.text }, head: { Title: {} } }\n",
                "\"adds\":[\"head.Title\"],\"knobs\":{\"t\":[\"head.Title.text\"]}");
}
END_TEST

START_TEST(cnt_07_a_changed_part_is_one_of_the_base)
{
    expect_error("content: 1\nprefabs: { Tall: { extends: Cannon, heed: {} } }\n",
                 ":2:37: error: 'Tall' has no part or knob 'heed' [K1604]\n"
                 "    2 | prefabs: { Tall: { extends: Cannon, heed: {} } }\n"
                 "      |                                     ^^^^ did you mean 'head'?\n");
}
END_TEST

START_TEST(parts_name_each_other_and_instances_name_parts_of_others)
{
    expect_line("content: 1\nprefabs: { A: { extends: Cannon, head: { Barrels: { left: .head.right, right: ~ } } } }\n",
                "\"set\":{\"head.Barrels.left\":\".head.right\",\"head.Barrels.right\":null}");
    reading_begin();
    expect_line("content: 1\nlevels:\n  a:\n    place:\n      - Tower: { Watch: { by: gun.head.left } }\n"
                "      - Cannon: { as: gun }\n      - Tower: { Watch: { by: b.gun } }\n      - b: {}\n"
                "  b: { place: [{ Cannon: { as: gun } }] }\n",
                "{\"level\":\"a\",\"place\":\"Tower\",\"set\":{\"Watch.by\":\"gun.head.left\"}}\n"
                "{\"level\":\"a\",\"place\":\"Cannon\",\"as\":\"gun\"}\n"
                "{\"level\":\"a\",\"place\":\"Tower\",\"set\":{\"Watch.by\":\"b.gun\"}}\n");
}
END_TEST

START_TEST(a_level_in_a_level_has_a_name_and_a_place)
{
    expect_line("content: 1\nlevels:\n  valley: { place: [{ valley_houses: { at: [40, 0, 0] } }] }\n"
                "  valley_houses: { place: [{ Cannon: { as: door } }] }\n",
                "{\"level\":\"valley\",\"place\":\"valley_houses\",\"as\":\"houses\",\"set\":{\"Local.at.x\":40,"
                "\"Local.at.y\":0,\"Local.at.z\":0}}\n");
}
END_TEST

START_TEST(a_list_is_replaced_or_appended_to)
{
    expect_line("content: 1\nprefabs:\n  A: { extends: Sign, Path: { steps: [[1, 2, 3], { x: 4, y: 5, z: 6 }] } }\n",
                "\"set\":{\"Path.steps.x\":[1,4],\"Path.steps.y\":[2,5],\"Path.steps.z\":[3,6]}");
    reading_begin();
    expect_line("content: 1\nprefabs:\n  A: { extends: Sign, Path: { steps: { append: [[1, 2, 3]] }, tag: \"\" } }\n",
                "\"set\":{\"Path.steps.x+\":[1],\"Path.steps.y+\":[2],\"Path.steps.z+\":[3],\"Path.tag\":\"\"}");
    reading_begin();
    expect_line("content: 1\nvalues: { Battle: { waves: [] } }\n", "\"set\":{\"Battle.waves\":[]}");
}
END_TEST

// CNT-28: 10,000 lines of a level. A pack has at most half of their bytes; its runs say once what is set.
START_TEST(cnt_28_a_pack_has_at_most_half_of_the_bytes_of_its_files)
{
    text content = text_create(reading_arena());
    text file = text_create(reading_arena());
    text_append_string(&content, "content: 1\nlevels:\n  a:\n    place:\n");
    for (int i = 0; i < 10000; i++)
        text_append_format(&content, "      - Block: { Local: { at: [%d, 0, %d.5] } }\n", i % 100, i / 100);
    kin__pack *pack = compile_text(content.bytes);
    ck_assert_msg(pack != NULL, "%s", reading_printed());
    content_append_file(pack, &file);
    ck_assert_uint_eq(pack->levels[0].run_count, 1);
    ck_assert_uint_le(2 * file.size, content.size);
}
END_TEST

START_TEST(numbers_keep_all_of_their_bits)
{
    expect_line(
        "content: 1\nprefabs: { A: { extends: Cannon, Local: { turn: -.inf }, head: { Gun: { interval: 0.1 } } } }\n",
        "\"Local.turn\":-inf,\"head.Gun.interval\":0.1}");
    reading_begin();
    expect_line("content: 1\nprefabs: { A: { extends: Cannon, Health: { points: 0x3E8 } } }\n",
                "\"Health.points\":1000");
}
END_TEST

// ---- random content

// Cuts, swaps and doubles lines of valid content. What becomes of it is a pack that can be read, or has errors.
START_TEST(random_content_is_compiled_or_has_errors)
{
    static const char *const words[] = {"Cannon", "Block",  "head",    "left",    ".head", "[1, 2, 3]", "{}", "0.5",
                                        "~",      "parts",  "of",      "extends", "Gun",   "as",        "at", "without",
                                        "place",  "levels", "prefabs", "append",  "Fast",  "knobs",     "-",  "valley"};
    static char whole[sizeof guns + sizeof valley];
    snprintf(whole, sizeof whole, "%s%s", guns, valley + strlen("content: 1\n"));
    kin_random random = kin_random_seeded(7);
    int packs = 0;
    for (int round = 0; round < 1500; round++) {
        begin();
        text content = text_create(reading_arena());
        uint32_t changes = 1 + kin_random_below(&random, 4);
        text_append_string(&content, whole);
        for (uint32_t i = 0; i < changes; i++) {
            text next = text_create(reading_arena());
            size_t at = kin_random_below(&random, (uint32_t)content.size);
            size_t cut = kin_random_below(&random, 3) == 0 ? kin_random_below(&random, 12) : 0;
            text_append(&next, content.bytes, at);
            if (cut == 0)
                text_append_string(&next, words[kin_random_below(&random, sizeof words / sizeof *words)]);
            text_append_string(&next, content.bytes + size_min(at + cut, content.size));
            content = next;
        }
        kin__pack *pack = compile_text(content.bytes);
        ck_assert((pack == NULL) == (diagnostics_error_count(reading_diagnostics()) > 0));
        if (pack != NULL) {
            lines_of(pack);
            packs++;
        }
        reading_printed();
        end();
    }
    ck_assert_int_gt(packs, 5);
}
END_TEST

Suite *content_compile_suite(void)
{
    Suite *suite = suite_create("content_compile");
    TCase *cases = tcase_create("content_compile");
    tcase_set_timeout(cases, 60);
    tcase_add_checked_fixture(cases, begin, end);
    tcase_add_test(cases, cnt_01_the_order_of_files_and_entries_changes_no_byte);
    tcase_add_test(cases, cnt_01_files_of_a_folder_that_are_no_content_are_passed_over);
    tcase_add_test(cases, cnt_01_line_ends_and_a_byte_order_mark_change_nothing);
    tcase_add_test(cases, cnt_02_ten_thousand_unknown_names_after_a_missing_include_are_one_error);
    tcase_add_test(cases, cnt_02_a_unique_component_is_found_twice_in_levels_in_levels_and_in_a_prefab);
    tcase_add_test(cases, cnt_02_the_key_of_an_instance_is_that_of_its_prefab);
    tcase_add_test(cases, cnt_03_values_name_parts_that_come_later);
    tcase_add_test(cases, cnt_03_a_prefab_says_only_what_it_adds_to_its_base);
    tcase_add_test(cases, cnt_03_bases_come_before_the_prefabs_that_extend_them);
    tcase_add_test(cases, cnt_04_values_of_blueprints_are_entries_of_their_own);
    tcase_add_test(cases, cnt_05_an_instance_sets_what_its_prefab_has_and_adds_nothing);
    tcase_add_loop_test(cases, cnt_08_what_content_cannot_set_is_refused, 0, 5);
    tcase_add_test(cases, cnt_06_a_knob_sets_a_field_a_component_or_several_of_one_type);
    tcase_add_test(cases, cnt_06_a_knob_sets_a_component_that_its_prefab_adds);
    tcase_add_test(cases, cnt_07_a_changed_part_is_one_of_the_base);
    tcase_add_test(cases, parts_name_each_other_and_instances_name_parts_of_others);
    tcase_add_test(cases, a_level_in_a_level_has_a_name_and_a_place);
    tcase_add_test(cases, a_list_is_replaced_or_appended_to);
    tcase_add_test(cases, cnt_28_a_pack_has_at_most_half_of_the_bytes_of_its_files);
    tcase_add_test(cases, numbers_keep_all_of_their_bits);
    suite_add_tcase(suite, cases);
    TCase *bad = tcase_create("bad");
    tcase_set_timeout(bad, 60);
    tcase_add_test(bad, cnt_02_all_that_is_wrong_with_a_file_is_reported_at_its_place);
    tcase_add_test(bad, random_content_is_compiled_or_has_errors);
    suite_add_tcase(suite, bad);
    return suite;
}
