// kin dump, pack and diff of files of worlds, with the state of their systems.
#include "../suites.h"
#include "generator/base/base.h"
#include "generator/program.h"
#include "generator/scratch.h"
#include "runtime/support/town_random.h"
#include "shell.h"

#include <town/town_save.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void begin(void)
{
    scratch_create();
    twice_begin();
    town_random_retains = false;
}

static void end(void)
{
    twice_end();
    scratch_destroy();
}

static const char *write_town(const char *name)
{
    const char *path = scratch_path(name);
    save();
    ck_assert_int_eq(town_write_path(saved_town, path, NULL), KIN_OK);
    return path;
}

static const char *expect_output(arguments arguments)
{
    outcome outcome = run(arguments);
    ck_assert_str_eq(outcome.messages, "");
    ck_assert_int_eq(outcome.status, 0);
    return outcome.output;
}

// The hash, and the lines of the file and of what is packed from them; also its bytes.
static void check(const char *path)
{
    const char *packed = scratch_path("packed.kin"), *lines = expect_output((arguments){{"dump", path}});
    char hash[32];
    snprintf(hash, sizeof hash, "%016" PRIx64 "\n", kin_snapshot_hash(saved_town));
    ck_assert_str_eq(expect_output((arguments){{"dump", "--hash", path}}), hash);
    outcome outcome = run_with_input((arguments){{"pack", "-o", packed, "tests/schemas/town.yaml"}}, lines);
    ck_assert_msg(outcome.status == 0, "%s", outcome.messages);
    ck_assert_str_eq(expect_output((arguments){{"dump", packed}}), lines);
    shell_expect(scratch_arena(), arena_format(scratch_arena(), "cmp %s %s", path, packed));
}

START_TEST(snp_27_the_file_of_a_world_has_its_hash_and_is_packed_to_the_same_bytes)
{
    town_random_number = (uint64_t)_i + 1;
    town_citizen(1);
    uint32_t rounds = shell_runs_all() ? 30 : 8;
    for (uint32_t round = 0; round < rounds; round++) {
        log_begin();
        town_random_go_on(1 + round);
        check(write_town("town.kin"));
    }
}
END_TEST

START_TEST(clocks_ticks_and_messages_are_in_the_lines)
{
    town_citizen(1);
    town_world_update(town, 3);
    town_world_push_time(town, (kin_tick){4, 5, 6});
    kin_systems_set_enabled(town_world_systems(town), "Mayor", false);
    for (int64_t i = 0; i < 3; i++)
        town_publish_gossip(town, (Gossip){i - 2});
    town_publish_greeting(town, (Greeting){.words = "good day", .mood = MOOD_ANGRY});
    const char *path = write_town("town.kin");
    check(path);
    const char *lines = expect_output((arguments){{"dump", path}});
    ck_assert_ptr_nonnull(strstr(lines, "\"pushed\":[{\"delta\":4,\"time\":5,\"frame\":6}]"));
    ck_assert_ptr_nonnull(strstr(lines, "{\"system\":\"\",\"enabled\":true"));
    ck_assert_ptr_nonnull(strstr(lines, "good day"));
    town_world_pop_time(town);
}
END_TEST

START_TEST(differences_of_systems_are_listed_as_lines)
{
    town_citizen(1);
    const char *before = write_town("before.kin");
    kin_systems_set_enabled(town_world_systems(town), "Mayor", false);
    outcome outcome = run((arguments){{"diff", before, write_town("town.kin")}});
    ck_assert_int_eq(outcome.status, 4);
    ck_assert_ptr_nonnull(strstr(outcome.output, "Mayor\",\"enabled\":true"));
    ck_assert_ptr_nonnull(strstr(outcome.output, "2 differences in 0 components"));
}
END_TEST

// Packs lines, and returns those of what was packed.
static const char *packed_lines(const char *command)
{
    arena *arena = scratch_arena();
    const char *packed = scratch_path("packed.kin");
    shell_expect(arena, arena_format(arena, "%s | $KIN pack -o %s tests/schemas/town.yaml", command, packed));
    return expect_output((arguments){{"dump", packed}});
}

START_TEST(the_root_of_systems_may_be_missing_and_may_come_last)
{
    arena *arena = scratch_arena();
    town_citizen(1);
    const char *path = write_town("town.kin"), *lines = expect_output((arguments){{"dump", path}});
    const char *without = packed_lines(arena_format(arena, "$KIN dump %s | grep -v '\"system\":\"\"'", path));
    ck_assert_ptr_nonnull(strstr(without, "{\"system\":\"\",\"enabled\":true,\"time\":0,\"frame\":0,\"published\":0}"));
    ck_assert_int_eq(town_read_path(town, &saved_town, scratch_path("packed.kin"), NULL, NULL), KIN_OK);
    const char *last = packed_lines(arena_format(
        arena, "{ $KIN dump %s | grep -v '\"system\":\"\"'; $KIN dump %s | grep '\"system\":\"\"'; }", path, path));
    ck_assert_str_eq(last, lines);
}
END_TEST

Suite *save_dump_world_suite(void)
{
    Suite *suite = suite_create("save_dump_world");
    TCase *tests = tcase_create("dump_world");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, snp_27_the_file_of_a_world_has_its_hash_and_is_packed_to_the_same_bytes, 0, 4);
    tcase_add_test(tests, clocks_ticks_and_messages_are_in_the_lines);
    tcase_add_test(tests, differences_of_systems_are_listed_as_lines);
    tcase_add_test(tests, the_root_of_systems_may_be_missing_and_may_come_last);
    suite_add_tcase(suite, tests);
    return suite;
}
