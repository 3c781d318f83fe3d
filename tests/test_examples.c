// Examples: each is run, and its output compared with tests/golden.
#include "shell.h"
#include "suites.h"

#include <string.h>

static arena memory;

static void end(void)
{
    arena_release(&memory);
}

static const char *play_arena(const char *arguments)
{
    return shell_expect(&memory, arena_format(&memory, "%s/examples/arena/arena %s", shell_build(), arguments));
}

static const char *play_match(const char *arguments)
{
    return shell_expect(&memory,
                        arena_format(&memory, "%s/examples/match_one/match_one --demo %s", shell_build(), arguments));
}

START_TEST(the_arena_prints_the_same_lines_for_the_same_seed_everywhere)
{
    ck_assert_msg(strcmp(play_arena("1"), shell_read(&memory, "tests/golden/arena.txt")) == 0,
                  "examples/arena prints something else than tests/golden/arena.txt");
    ck_assert(strcmp(play_arena("7"), play_arena("7")) == 0);
}
END_TEST

START_TEST(the_arena_in_cpp_prints_the_same_lines)
{
    const char *program = arena_format(&memory, "%s/examples/arena_cpp/arena_cpp", shell_build());
    ck_assert_str_eq(shell_expect(&memory, program), shell_read(&memory, "tests/golden/arena.txt"));
    ck_assert_str_eq(shell_expect(&memory, arena_format(&memory, "%s 7", program)), play_arena("7"));
}
END_TEST

START_TEST(the_books_of_the_arena_balance_whatever_the_seed)
{
    for (int seed = 2; seed < 12; seed++)
        ck_assert_ptr_null(strstr(play_arena(arena_format(&memory, "%d", seed)), "WRONG"));
}
END_TEST

START_TEST(match_one_prints_the_same_game_for_the_same_seed_everywhere)
{
    ck_assert_msg(strcmp(play_match(""), shell_read(&memory, "tests/golden/match_one.txt")) == 0,
                  "examples/match_one prints something else than tests/golden/match_one.txt");
    ck_assert(strcmp(play_match("--seed 7"), play_match("--seed 7")) == 0);
    ck_assert(strcmp(play_match("--seed 7"), play_match("--seed 8")) != 0);
}
END_TEST

// The programs that were built, each with its executor; all print the same hash.
START_TEST(the_swarm_is_the_same_on_each_executor_and_number_of_threads)
{
    static const char *const names[] = {"pool", "openmp", "pthreadpool", "tbb"};
    static const int threads[] = {1, 2, 4};
    const char *expected =
        strrchr(shell_expect(&memory, arena_format(&memory, "%s/examples/executors/pool 1", shell_build())), ':');
    ck_assert_ptr_nonnull(expected);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *program = arena_format(&memory, "%s/examples/executors/%s", shell_build(), names[i]);
        if (shell_run(&memory, arena_format(&memory, "test -x %s", program)).status != 0)
            continue;
        for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
            const char *said = shell_expect(&memory, arena_format(&memory, "%s %d", program, threads[k]));
            ck_assert_str_eq(strrchr(said, ':'), expected); // the last one: oneTBB may print a warning before
        }
    }
}
END_TEST

START_TEST(the_flock_is_the_same_on_any_number_of_threads)
{
    const char *program = arena_format(&memory, "%s/examples/flock/flock --ticks 20", shell_build());
    const char *alone = strrchr(shell_expect(&memory, arena_format(&memory, "%s --threads 1", program)), ':');
    ck_assert_ptr_nonnull(alone);
    for (int threads = 2; threads <= 8; threads *= 2)
        ck_assert_str_eq(
            strrchr(shell_expect(&memory, arena_format(&memory, "%s --threads %d", program, threads)), ':'), alone);
}
END_TEST

START_TEST(the_defense_is_the_same_on_any_number_of_threads)
{
    const char *expected = shell_read(&memory, "tests/golden/examples/defense.txt");
    for (int threads = 1; threads <= 4; threads++) {
        const char *program =
            arena_format(&memory, "%s/examples/defense/defense --demo --threads %d", shell_build(), threads);
        ck_assert_msg(strcmp(shell_expect(&memory, program), expected) == 0,
                      "examples/defense prints something else than tests/golden/examples/defense.txt");
    }
    const char *wrong = arena_format(&memory, "%s/examples/defense/defense --threads", shell_build());
    ck_assert_int_eq(shell_run(&memory, wrong).status, 2);
    const char *piped = arena_format(&memory, "%s/examples/defense/defense < /dev/null", shell_build());
    ck_assert_ptr_nonnull(strstr(shell_run(&memory, piped).output, "this is no terminal"));
}
END_TEST

// Left out without libzstd, which libkin-net needs.
START_TEST(net_17_players_of_the_square_see_it_as_the_host_has_it)
{
    const char *program = arena_format(&memory, "%s/examples/arena-net/arena-net", shell_build());
    if (shell_run(&memory, arena_format(&memory, "test -x %s", program)).status != 0)
        return;
    ck_assert_msg(strcmp(shell_expect(&memory, arena_format(&memory, "%s --demo", program)),
                         shell_read(&memory, "tests/golden/examples/arena-net.txt")) == 0,
                  "examples/arena-net prints something else than tests/golden/examples/arena-net.txt");
    const char *bad = shell_expect(&memory, arena_format(&memory, "%s --demo --lag 200 --loss 10", program));
    ck_assert_ptr_nonnull(strstr(bad, "0 wrong states"));
    ck_assert_ptr_null(strstr(bad, " 0 entities"));
    ck_assert_int_eq(shell_run(&memory, arena_format(&memory, "%s --loss 99", program)).status, 2);
    const char *piped = arena_format(&memory, "%s < /dev/null", program);
    ck_assert_ptr_nonnull(strstr(shell_run(&memory, piped).output, "this is no terminal"));
}
END_TEST

// Two hosts on lossy networks, and the files that they keep. Left out without libzstd.
START_TEST(walkers_cross_between_regions_and_are_in_one_of_them)
{
    const char *program = arena_format(&memory, "%s/examples/regions/regions", shell_build());
    if (shell_run(&memory, arena_format(&memory, "test -x %s", program)).status != 0)
        return;
    const char *played = shell_expect(
        &memory, arena_format(&memory, "d=$(mktemp -d) && %s demo $d && %s count $d | sed 's/^/files: /' && rm -r $d",
                              program, program));
    ck_assert_msg(strstr(played, shell_read(&memory, "tests/golden/examples/regions.txt")) == played, "%s", played);
    ck_assert_ptr_nonnull(strstr(played, "files: 100 walkers: 0 lost, 0 doubled"));
    ck_assert_int_eq(shell_run(&memory, arena_format(&memory, "%s count /no/such/folder", program)).status, 1);
    ck_assert_int_eq(shell_run(&memory, arena_format(&memory, "%s north .", program)).status, 2);
}
END_TEST

// Nothing is reported about systems that keep to their declarations.
START_TEST(par_19_the_storm_has_no_undeclared_write_unless_it_cheats)
{
    const char *program = arena_format(&memory, "%s/examples/storm/storm --check-access --ticks 50", shell_build());
    ck_assert_ptr_null(strstr(shell_expect(&memory, program), "cannot"));
    shell_result result = shell_run(&memory, arena_format(&memory, "%s --cheat", program));
    ck_assert_int_eq(result.status, 1);
    ck_assert_ptr_nonnull(strstr(result.output, "a job of Strike cannot write Health: values in slots 512 to 1023 "
                                                "changed, but no system of the batch has it in 'writes'"));
}
END_TEST

// Fails by itself if a piece is not found in its cell, or if the score of its listener is not that of the game. Each
// example is a folder with its own schema that shows one idea, short enough to be read in a minute.
START_TEST(each_small_example_prints_what_is_expected)
{
    static const char *const names[] = {"entitas", "grid",  "mask", "messages", "robots",
                                        "solar",   "storm", "town", "worlds"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *program = arena_format(&memory, "%s/examples/%s/%s", shell_build(), names[i], names[i]);
        const char *expected = arena_format(&memory, "tests/golden/examples/%s.txt", names[i]);
        ck_assert_msg(strcmp(shell_expect(&memory, program), shell_read(&memory, expected)) == 0,
                      "examples/%s prints something else than %s", names[i], expected);
    }
}
END_TEST

START_TEST(wld_05_entities_stay_while_a_shared_library_with_the_systems_is_replaced)
{
    const char *played = shell_expect(&memory, arena_format(&memory, "tests/tools/reload.sh %s", shell_build()));
    ck_assert_str_eq(played, shell_read(&memory, "tests/golden/reload.txt"));
}
END_TEST

START_TEST(match_one_goes_on_whatever_the_seed_and_size)
{
    for (int size = 1; size < 20; size++)
        play_match(arena_format(&memory, "--seed %d --moves 200 --columns %d --rows %d", size, size, 20 - size));
}
END_TEST

START_TEST(match_one_says_how_it_is_called)
{
    static const char *const wrong[] = {"--moves", "--moves x", "--moves -1", "--rows 99999999999", "--sede 1", "1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        shell_result result = shell_run(
            &memory, arena_format(&memory, "%s/examples/match_one/match_one --demo %s", shell_build(), wrong[i]));
        ck_assert_int_eq(result.status, 2);
        ck_assert_ptr_nonnull(strstr(result.output, "usage: match_one"));
    }
}
END_TEST

// Times are not the same everywhere, so they are left out.
START_TEST(peers_of_rollback_agree_unless_one_of_them_is_broken)
{
    const char *program = arena_format(&memory, "%s/examples/rollback/rollback --lag 7", shell_build());
    const char *played = shell_expect(&memory, arena_format(&memory, "%s --frames 600 --no-times", program));
    const char *broken = shell_expect(&memory, arena_format(&memory, "%s --break 300", program));
    ck_assert_msg(strcmp(arena_format(&memory, "%s%s", played, broken),
                         shell_read(&memory, "tests/golden/saves/rollback.txt")) == 0,
                  "examples/rollback prints something else than tests/golden/saves/rollback.txt");
}
END_TEST

// The third version reads what the first one wrote, and kin says what would be lost without a word.
START_TEST(evo_01_a_later_version_of_the_town_reads_its_saves)
{
    const char *played = shell_expect(&memory, arena_format(&memory, "examples/saves/play.sh %s", shell_build()));
    ck_assert_str_eq(played, shell_read(&memory, "tests/golden/saves/town.txt"));
}
END_TEST

Suite *examples_suite(void)
{
    Suite *suite = suite_create("examples");
    TCase *played = tcase_create("played");
    tcase_set_timeout(played, 60);
    tcase_add_checked_fixture(played, NULL, end);
    tcase_add_test(played, the_arena_prints_the_same_lines_for_the_same_seed_everywhere);
    tcase_add_test(played, the_arena_in_cpp_prints_the_same_lines);
    tcase_add_test(played, the_books_of_the_arena_balance_whatever_the_seed);
    tcase_add_test(played, match_one_prints_the_same_game_for_the_same_seed_everywhere);
    tcase_add_test(played, the_swarm_is_the_same_on_each_executor_and_number_of_threads);
    tcase_add_test(played, the_flock_is_the_same_on_any_number_of_threads);
    tcase_add_test(played, the_defense_is_the_same_on_any_number_of_threads);
    tcase_add_test(played, net_17_players_of_the_square_see_it_as_the_host_has_it);
    tcase_add_test(played, walkers_cross_between_regions_and_are_in_one_of_them);
    tcase_add_test(played, par_19_the_storm_has_no_undeclared_write_unless_it_cheats);
    tcase_add_test(played, each_small_example_prints_what_is_expected);
    tcase_add_test(played, evo_01_a_later_version_of_the_town_reads_its_saves);
    tcase_add_test(played, peers_of_rollback_agree_unless_one_of_them_is_broken);
    tcase_add_test(played, wld_05_entities_stay_while_a_shared_library_with_the_systems_is_replaced);
    tcase_add_test(played, match_one_goes_on_whatever_the_seed_and_size);
    tcase_add_test(played, match_one_says_how_it_is_called);
    suite_add_tcase(suite, played);
    return suite;
}
