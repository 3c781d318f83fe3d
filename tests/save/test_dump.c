// kin dump, pack and diff of files that programs write.
#include "../suites.h"
#include "generator/base/base.h"
#include "generator/program.h"
#include "generator/scratch.h"
#include "golden.h"
#include "past_case.h"
#include "shell.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *path;

static void setup(void)
{
    scratch_create();
    path = scratch_path("past.kin");
}

static void write_past(uint32_t count, const kin_write_options *options)
{
    past_case_begin(count);
    ck_assert_int_eq(kin_snapshot_write_path(past_snapshot, path, options), KIN_OK);
}

static const char *dump(const char *flag)
{
    outcome outcome = run((arguments){{"dump", flag, path}});
    ck_assert_str_eq(outcome.messages, "");
    ck_assert_int_eq(outcome.status, 0);
    return outcome.output;
}

START_TEST(snp_27_the_hash_of_a_file_is_that_of_the_snapshot)
{
    for (uint32_t count = 0; count < 1500; count = 3 * count + 7) {
        write_past(count, NULL);
        char expected[32];
        snprintf(expected, sizeof expected, "%016" PRIx64 "\n", kin_snapshot_hash(past_snapshot));
        ck_assert_str_eq(dump("--hash"), expected);
        past_case_end();
    }
}
END_TEST

static const char schema[] = "tests/schemas/saves/past.yaml";

START_TEST(dump_of_pack_of_dump_is_the_identity)
{
    past_case_has_badges = true;
    for (uint32_t count = 0; count < 2000; count = 2 * count + 13) {
        write_past(count, &(kin_write_options){.meta = "a title", .meta_size = 7});
        const char *lines = dump("--"), *packed = scratch_path("packed.kin");
        outcome outcome = run_with_input((arguments){{"pack", "-o", packed, schema}}, lines);
        ck_assert_str_eq(outcome.messages, "");
        ck_assert_int_eq(outcome.status, 0);
        shell_expect(scratch_arena(), arena_format(scratch_arena(), "cmp %s %s", path, packed)); // byte for byte
        path = packed;
        ck_assert_str_eq(dump("--"), lines);
        path = scratch_path("past.kin");
        past_case_end();
    }
}
END_TEST

static bool count_visit(const kin_difference *difference, void *user)
{
    (void)difference;
    ++*(uint32_t *)user;
    return true;
}

// What the program reads is what was written, but for the slots that come next.
START_TEST(shr_03_the_order_of_shared_values_is_dumped_packed_and_compared)
{
    const char *sorted = scratch_path("sorted.kin"), *packed = scratch_path("packed.kin");
    past_case_begin(0);
    past_entity entities[3];
    for (uint32_t i = 0; i < 3; i++) {
        entities[i] = past_create_entity(past);
        past_add_look(past, entities[i], (Look){.size = (float)i});
    }
    ck_assert_int_eq(past_save(past, &past_snapshot), KIN_OK);
    ck_assert_int_eq(kin_snapshot_write_path(past_snapshot, sorted, NULL), KIN_OK);
    past_replace_look(past, entities[0], (Look){.size = 7});
    past_replace_look(past, entities[1], (Look){.size = 8}); // gets the number of the first value
    past_replace_look(past, entities[0], (Look){.size = 0});
    past_replace_look(past, entities[1], (Look){.size = 1});
    ck_assert_int_eq(past_save(past, &past_snapshot), KIN_OK);
    ck_assert_int_eq(kin_snapshot_write_path(past_snapshot, path, NULL), KIN_OK);
    const char *lines = dump("--");
    check_outcome(run_with_input((arguments){{"pack", "-o", packed, schema}}, lines), 0, "", "");
    shell_expect(scratch_arena(), arena_format(scratch_arena(), "cmp %s %s", path, packed));
    check_outcome(run((arguments){{"diff", sorted, path}}), 4,
                  "+ {\"past\":\"shared\",\"component\":\"Look\",\"first\":0,\"uses\":[null,0,2,1]}\n"
                  "1 difference in 0 components of 3 entities\n",
                  "");
    const char *without = arena_format(scratch_arena(), "%s dump %s | grep -v '\"shared\"' | %s pack -o %s %s",
                                       program(), path, program(), packed, schema);
    shell_expect(scratch_arena(), without); // as an earlier version of Kin wrote it
    shell_expect(scratch_arena(), arena_format(scratch_arena(), "cmp %s %s", sorted, packed));
    past_case_end();
}
END_TEST

START_TEST(lines_without_slots_give_slots_anew)
{
    past_context *other = NULL;
    kin_snapshot *read = NULL;
    kin_context_options options = past_case_options();
    write_past(700, NULL);
    const char *packed = scratch_path("packed.kin");
    shell_expect(scratch_arena(), arena_format(scratch_arena(), "%s dump %s | grep -v '\"slots\"' | %s pack -o %s %s",
                                               program(), path, program(), packed, schema));
    other = past_context_create(&options);
    kin_status status = kin_context_read_path(&other->base, &read, packed, NULL, NULL);
    ck_assert_msg(status == KIN_OK, "%s", past_case_error);
    uint32_t visits = 0;
    kin_snapshot_compare(past_snapshot, read, count_visit, &visits);
    ck_assert_uint_eq(visits, 0);
    ck_assert_int_eq(past_restore(other, read, KIN_RESTORE_EXACTLY), KIN_OK);
    for (uint32_t i = 0; i < 600; i++)
        ck_assert(past_entity_is_alive(other, past_create_entity(other)));
    kin_snapshot_destroy(read);
    past_context_destroy(other);
    past_case_end();
}
END_TEST

START_TEST(a_compressed_file_is_dumped_as_a_plain_one)
{
    write_past(40, NULL);
    const char *plain = dump("--");
    ck_assert_int_eq(kin_snapshot_write_path(past_snapshot, path, &(kin_write_options){.level = 3}), KIN_OK);
    ck_assert_str_eq(dump("--"), plain);
    past_case_end();
}
END_TEST

START_TEST(the_head_is_one_line)
{
    write_past(40, NULL);
    const char *head = arena_format(scratch_arena(),
                                    "past, version 1, frame 0, format 1, 37 entities in past, 6,634 bytes, "
                                    "hash %016" PRIx64 "\n",
                                    kin_snapshot_hash(past_snapshot));
    ck_assert_str_eq(dump("--info"), head);
    past_case_end();
}
END_TEST

// The saves of all released formats.
START_TEST(golden_files_are_dumped_and_packed_as_they_are)
{
    const char *name = golden_names[_i], *packed = scratch_path("packed.kin");
    path = arena_format(scratch_arena(), "tests/saves/1/%s.kin", name);
    const char *lines = arena_format(scratch_arena(), "tests/saves/1/%s.jsonl", name);
    const char *hash = shell_read(scratch_arena(), arena_format(scratch_arena(), "tests/saves/1/%s.hash", name));
    ck_assert_str_eq(dump("--"), shell_read(scratch_arena(), lines));
    ck_assert_str_eq(dump("--hash"), hash);
    outcome outcome = run(
        (arguments){{"pack", "-o", packed, arena_format(scratch_arena(), "tests/schemas/saves/%s.yaml", name), lines}});
    check_outcome(outcome, 0, "", "");
    shell_expect(scratch_arena(), arena_format(scratch_arena(), "cmp %s %s", path, packed));
}
END_TEST

// A lock, a renamed component and a renamed field: the lines have the names of before.
START_TEST(names_are_those_that_saves_have)
{
    scratch_write("now.yaml", "kin: 1\npackage: past\nremoved: [Old, Team.gone]\n"
                              "contexts: { past: { default: true } }\n"
                              "components:\n"
                              "  Speed: { was: Velocity, fields: { fast: { type: int8, was: v } } }\n"
                              "  Team: { fields: { side: bool } }\n");
    const char *schema_now = scratch_path("now.yaml"), *packed = scratch_path("packed.kin");
    const char *lines = "{\"kin\":1,\"package\":\"past\"}\n"
                        "{\"past\":\"1@0\",\"Old\":{\"x\":1},\"Team\":{\"gone\":1,\"side\":true}}\n"
                        "{\"past\":\"2@1\",\"Velocity\":{\"v\":3}}\n";
    check_outcome(run_with_input((arguments){{"pack", "-o", packed, schema_now}}, lines), 0, "", "");
    path = packed;
    ck_assert_str_eq(dump("--"), "{\"kin\":1,\"package\":\"past\",\"version\":0,\"frame\":0}\n"
                                 "{\"past\":\"1@0\",\"Team\":{\"side\":true}}\n"
                                 "{\"past\":\"2@1\",\"Velocity\":{\"v\":3}}\n"
                                 "{\"past\":\"slots\",\"next\":3,\"first\":1,\"pools\":[{\"blueprint\":\"\","
                                 "\"fresh\":2,\"fresh_end\":512,\"free\":[]}],\"chunks\":[0]}\n");
}
END_TEST

START_TEST(numbers_are_read_back_by_their_bits)
{
    scratch_write("now.yaml", "kin: 1\npackage: numbers\ncontexts: { game: { default: true } }\n"
                              "components: { N: { fields: { d: double, f: float, i: int64, u: uint64 } } }\n");
    const char *values[][4] = {{"-0", "-0", "9007199254740992", "0"},
                               {"0.1", "0.1", "\"9007199254740993\"", "\"18446744073709551615\""},
                               {"1e+300", "3.4028235e+38", "\"-9223372036854775808\"", "1"},
                               {"5e-324", "1e-45", "-1", "2"},
                               {"\"nan\"", "\"-nan\"", "0", "0"},
                               {"\"nan:fff8000000000001\"", "\"nan:7f800001\"", "0", "0"},
                               {"\"-inf\"", "\"inf\"", "0", "0"},
                               {"0.30000000000000004", "16777216", "0", "0"}};
    text lines = text_create(scratch_arena());
    text_append_string(&lines, "{\"kin\":1,\"package\":\"numbers\",\"version\":0,\"frame\":0}\n");
    for (int i = 0; i < 8; i++)
        text_append_format(&lines, "{\"game\":\"%d@%d\",\"N\":{\"d\":%s,\"f\":%s,\"i\":%s,\"u\":%s}}\n", i + 1, i,
                           values[i][0], values[i][1], values[i][2], values[i][3]);
    path = scratch_path("packed.kin");
    check_outcome(run_with_input((arguments){{"pack", "-o", path, scratch_path("now.yaml")}}, lines.bytes), 0, "", "");
    ck_assert_int_eq(strncmp(dump("--"), lines.bytes, lines.size), 0);
}
END_TEST

START_TEST(what_cannot_be_opened_is_an_error_of_the_system)
{
    outcome outcome = run((arguments){{"dump", scratch_path("missing.kin")}});
    ck_assert_int_eq(outcome.status, 3);
    ck_assert_ptr_nonnull(strstr(outcome.messages, "[K0101]"));
    scratch_write("tiny.yaml", tiny);
    outcome = run_with_input((arguments){{"pack", "-o", scratch_path("no/folder.kin"), scratch_path("tiny.yaml")}},
                             "{\"kin\":1,\"package\":\"tiny\"}\n");
    ck_assert_int_eq(outcome.status, 3);
    ck_assert_ptr_nonnull(strstr(outcome.messages, "[K0901]"));
}
END_TEST

START_TEST(command_lines_are_checked)
{
    static const struct {
        arguments arguments;
        const char *message;
    } misuses[] = {
        {{{"dump"}}, "kin: 'dump' takes one save\nTry 'kin help dump'.\n"},
        {{{"dump", "--info", "--hash", "x"}},
         "kin: 'dump' does not allow '--hash' with '--info', which has it\nTry 'kin help dump'.\n"},
        {{{"pack", "x.yaml"}}, "kin: 'pack' requires '-o FILE'\nTry 'kin help pack'.\n"},
        {{{"pack", "-o", "x"}},
         "kin: 'pack' requires a schema, and may have a file of lines, or content\nTry 'kin help pack'.\n"},
        {{{"pack", "-o", "x", "-"}}, "kin: 'pack' reads standard input once\nTry 'kin help pack'.\n"},
        {{{"diff", "x"}}, "kin: 'diff' requires two saves\nTry 'kin help diff'.\n"},
        {{{"diff", "-", "-"}}, "kin: 'diff' reads standard input once\nTry 'kin help diff'.\n"},
    };
    for (size_t i = 0; i < sizeof misuses / sizeof misuses[0]; i++)
        check_outcome(run(misuses[i].arguments), 2, "", misuses[i].message);
}
END_TEST

static outcome diff(void)
{
    return run((arguments){{"diff", scratch_path("before.kin"), path}});
}

START_TEST(two_files_of_one_state_have_no_differences)
{
    write_past(700, NULL);
    ck_assert_int_eq(kin_snapshot_write_path(past_snapshot, scratch_path("before.kin"), NULL), KIN_OK);
    check_outcome(diff(), 0, "0 differences in 0 components of 652 entities\n", "");
    past_case_end();
}
END_TEST

static past_entity named(const char *name)
{
    past_entity entity = past_create_entity(past);
    past_add_name(past, entity, (Name){.value = name, .code = "x"});
    past_add_place(past, entity, (Place){.at = {3.5f, 2}, .cell = (int16_t)past_entity_count(past)});
    past_add_grid(past, entity, (Grid){.cells = {1, 2, 3, 4}});
    past_add_team(past, entity, (Team){.side = SIDE_RED});
    return entity;
}

START_TEST(differences_are_listed_by_entity_component_and_field)
{
    past_case_begin(0);
    past_entity ada = named("Ada"), bob = named("Bob"), eve = named("Eve");
    ck_assert_int_eq(past_save(past, &past_snapshot), KIN_OK);
    ck_assert_int_eq(kin_snapshot_write_path(past_snapshot, scratch_path("before.kin"), NULL), KIN_OK);
    past_replace_place(past, ada, (Place){.at = {4, 2}, .cell = 1});
    past_replace_team(past, ada, (Team){.side = SIDE_BLUE});
    past_replace_grid(past, ada, (Grid){.cells = {1, 2, 5, 4}, .label = "new"});
    past_remove_name(past, bob);
    past_add_health(past, bob, (Health){7, 8});
    past_destroy_entity(past, eve);
    past_set_frozen(past, past_create_entity(past), true);
    past_create_entity(past);
    ck_assert_int_eq(past_save(past, &past_snapshot), KIN_OK);
    ck_assert_int_eq(kin_snapshot_write_path(past_snapshot, path, NULL), KIN_OK);
    check_outcome(diff(), 4,
                  "past 1@0            Grid.cells[2]     3 -> 5\n"
                  "past 1@0            Grid.label        null -> \"new\"\n"
                  "past 1@0            Place.at.x        3.5 -> 4\n"
                  "past 1@0            Team.side         \"Red\" -> \"Blue\"\n"
                  "past 2@1            Health            + {\"armor\":8,\"hp\":7}\n"
                  "past 2@1            Name              -\n"
                  "past 3@2            - destroyed\n"
                  "past 4@2            + created (Frozen)\n"
                  "past 5@3            + created\n"
                  "9 differences in 6 components of 4 entities\n",
                  "");
    past_case_end();
}
END_TEST

START_TEST(slots_that_come_next_are_a_difference_if_nothing_else_is)
{
    past_case_begin(40);
    ck_assert_int_eq(kin_snapshot_write_path(past_snapshot, scratch_path("before.kin"), NULL), KIN_OK);
    past_destroy_entity(past, past_create_entity(past));
    ck_assert_int_eq(past_save(past, &past_snapshot), KIN_OK);
    ck_assert_int_eq(kin_snapshot_write_path(past_snapshot, path, NULL), KIN_OK);
    outcome outcome = diff();
    ck_assert_int_eq(outcome.status, 4);
    ck_assert_ptr_nonnull(strstr(outcome.output, "\"next\":42"));
    past_case_end();
}
END_TEST

Suite *save_dump_suite(void)
{
    Suite *suite = suite_create("save_dump");
    TCase *tests = tcase_create("dump");
    tcase_add_checked_fixture(tests, setup, scratch_destroy);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, snp_27_the_hash_of_a_file_is_that_of_the_snapshot);
    tcase_add_test(tests, the_head_is_one_line);
    tcase_add_test(tests, a_compressed_file_is_dumped_as_a_plain_one);
    tcase_add_test(tests, shr_03_the_order_of_shared_values_is_dumped_packed_and_compared);
    tcase_add_test(tests, dump_of_pack_of_dump_is_the_identity);
    tcase_add_test(tests, lines_without_slots_give_slots_anew);
    tcase_add_loop_test(tests, golden_files_are_dumped_and_packed_as_they_are, 0, GOLDEN_SAVES);
    tcase_add_test(tests, names_are_those_that_saves_have);
    tcase_add_test(tests, numbers_are_read_back_by_their_bits);
    tcase_add_test(tests, what_cannot_be_opened_is_an_error_of_the_system);
    tcase_add_test(tests, command_lines_are_checked);
    tcase_add_test(tests, two_files_of_one_state_have_no_differences);
    tcase_add_test(tests, differences_are_listed_by_entity_component_and_field);
    tcase_add_test(tests, slots_that_come_next_are_a_difference_if_nothing_else_is);
    suite_add_tcase(suite, tests);
    return suite;
}
