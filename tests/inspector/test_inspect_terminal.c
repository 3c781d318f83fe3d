// kin-inspect for a person: what it says beside results, and how long it waits and follows.
#include "command_case.h"
#include "runtime/support/support.h"
#include "suites.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- following

static atomic_bool bursts;
static houses_entity house;

// Makes 1000 changes in one update.
static void burst(town_world *world)
{
    log_begin(); // it would be full soon
    if (!atomic_exchange(&bursts, false))
        return;
    for (int32_t i = 1000; i < 2000; i++)
        houses_replace_roof(world->contexts->houses, house, (Roof){.tiles = i});
}

static void begin_bursts(void)
{
    uint32_t count;
    game_stop();
    house = houses_entities(town->contexts->houses, &count)[0];
    atomic_store(&bursts, false);
    town_do("Mayor:execute", burst);
    game_start();
}

START_TEST(ins_63_a_journal_is_followed_without_gaps)
{
    int status;
    if (!command_is_built())
        return;
    begin_bursts();
    command_run("record -c houses --component Roof", 0);
    command_run("set -c houses 3:2 Roof.tiles 70", 0);
    command_start(0, "journal -c houses -f");
    command_wait(0, "{\"tiles\":70}");
    atomic_store(&bursts, true);
    const char *written = command_wait(0, "\t{\"tiles\":1999}\n");
    for (int i = 1000; i < 2000; i++)
        ck_assert_msg(strstr(written, arena_format(&http_memory, "\t{\"tiles\":%d}\n", i)) != NULL, "%d", i);
    command_finish(0, SIGTERM, &status);
}
END_TEST

START_TEST(ins_63_a_follower_says_what_is_lost)
{
    int status;
    if (!command_is_built())
        return;
    begin_bursts();
    for (int i = 0; i < 2; i++) // numbers of records go on from an earlier journal
        command_run("call journal.start '{\"context\": \"houses\", \"bytes\": 4096, \"pinned\": true}'", 0);
    command_run("set -c houses 3:2 Roof.tiles 70", 0);
    command_start(0, "journal -c houses -f --json");
    command_wait(0, "{\"tiles\":70}");
    atomic_store(&bursts, true);
    command_wait(0, "{\"tiles\":1999}");
    ck_assert_ptr_nonnull(strstr(command_wait(0, "lost"), " records came too fast and are lost\n"));
    command_finish(0, SIGTERM, &status);
}
END_TEST

static void wait_until_asked(void)
{
    wait_until(strstr(command_run("time", 0), "\"asked\"") != NULL);
}

START_TEST(ins_54_a_follower_ends_with_its_game)
{
    static const char *const words[] = {"query -c houses Roof --watch", "journal -c houses -f", "messages -f",
                                        "errors -f"};
    enum { COUNT = sizeof words / sizeof *words };
    int status;
    if (!command_is_built())
        return;
    command_run("record -c houses --component Roof", 0);
    command_run("set -c houses 3:2 Roof.tiles 70", 0);
    for (int i = 0; i < COUNT; i++)
        command_start(i, words[i]);
    command_start(COUNT, "until -c houses 'Roof where tiles > 1000'");
    wait_until_asked();
    command_start(COUNT + 1, "pause --wait"); // after it: until lets a paused game go on
    command_wait(0, "20:19");
    command_wait(1, "tiles");
    command_wait(2, "recording begins now\n");
    command_wait(3, "recording begins now\n");
    command_wait(COUNT + 1, "Ctrl-C");
    game_stop();
    town_end();
    for (int i = 0; i < COUNT + 2; i++) {
        const char *written = command_finish(i, 0, &status);
        const char *ended = strstr(written, "kin-inspect: the game has ended\n");
        ck_assert_msg(status == 3 && ended != NULL && strchr(ended, '\n')[1] == '\0', "%d: %d: %s", i, status, written);
    }
    http_begin();
}
END_TEST

START_TEST(ins_54_top_on_a_terminal_ends_with_its_game)
{
    int status;
    if (!command_is_built() || !shell_has(&http_memory, "script"))
        return;
    command_start_shell(
        0, arena_format(&http_memory, "exec script -qec '%s/bin/kin-inspect top' /dev/null", shell_build()));
    command_wait(0, "systems in microseconds");
    game_stop();
    town_end();
    const char *written = command_finish(0, 0, &status);
    ck_assert_msg(status == 3 && strstr(written, "kin-inspect: the game has ended") != NULL, "%d: %s", status, written);
    http_begin();
}
END_TEST

// ---- pauses

// Asks again while the game is late with its frames, as on a busy machine.
static bool is_paused(void)
{
    static const char command[] = "time 2>&1 || test $? = 1";
    const char *said = command_run(command, 0);
    while (strstr(said, "does not update") != NULL)
        said = command_run(command, 0);
    return strstr(said, "paused\ttrue\n") != NULL;
}

START_TEST(ins_62_until_waits_until_it_holds)
{
    int status;
    if (!command_is_built())
        return;
    ck_assert_ptr_nonnull(strstr(command_run("until Roof", 1), "there are several"));
    command_start(0, "until -c houses 'Roof where tiles > 100'");
    wait_for(11500); // without another viewer
    command_run("set -c houses 5:4 Roof.tiles 500", 0);
    const char *written = command_finish(0, 0, &status);
    ck_assert_msg(status == 0, "%d: %s", status, written);
    ck_assert_ptr_eq(strstr(written, "frame\t"), written);
    ck_assert_ptr_nonnull(strstr(written, "\n5:4\t\t{\"Roof\":{\"tiles\":500}}\n"));
    ck_assert_ptr_nonnull(strstr(written, "; the game is paused; it goes on when no viewer has asked for 10 s; "));
    ck_assert(is_paused());
    command_run("resume", 0);
    ck_assert_ptr_nonnull(strstr(command_run("until -c houses 'Roof where tiles > 900' --no-wait", 0), "\"asked\""));
    command_run("resume", 0);
    command_start(0, "until -c houses 'Roof where tiles > 900'");
    wait_until_asked();
    ck_assert_ptr_nonnull(strstr(command_finish(0, SIGINT, &status), "interrupted; the game goes on\n"));
    ck_assert_int_eq(status, 1);
    ck_assert_ptr_nonnull(strstr(command_run("time", 0), "until\t\n"));
}
END_TEST

START_TEST(ins_60_a_pause_stays_while_the_terminal_waits)
{
    int status;
    if (!command_is_built())
        return;
    ck_assert_ptr_nonnull(strstr(command_run("pause", 0),
                                 "kin-inspect: paused; it goes on when no viewer has asked for "
                                 "10 s; kin-inspect pause --wait keeps it until Ctrl-C\n"));
    command_run("resume", 0);
    command_start(0, "pause --wait");
    wait_for(11500); // without another viewer
    ck_assert(is_paused());
    ck_assert_ptr_nonnull(strstr(command_finish(0, SIGINT, &status), "kin-inspect: the game goes on\n"));
    ck_assert_int_eq(status, 0);
    ck_assert(!is_paused());
    command_start(0, "hold Mayor --wait");
    command_wait(0, "until Ctrl-C");
    command_run("resume", 0);
    ck_assert_ptr_nonnull(strstr(command_finish(0, 0, &status), "kin-inspect: the game goes on\n"));
    ck_assert_int_eq(status, 0);
}
END_TEST

// ---- finding games

static void write_game(long pid, const char *name)
{
    const char *path = arena_format(&http_memory, "%s/kin/inspect-%ld-0.json", command_folder, pid);
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    const char *text =
        arena_format(&http_memory, "{\"pid\":%ld,\"name\":\"%s\",\"port\":1,\"token\":\"%s\",\"read_only\":false}", pid,
                     name, http_token);
    ck_assert_int_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
}

static bool has_file(long pid)
{
    return access(arena_format(&http_memory, "%s/kin/inspect-%ld-0.json", command_folder, pid), F_OK) == 0;
}

START_TEST(ins_31_files_of_killed_games_are_removed)
{
    if (!command_is_built())
        return;
    pid_t dead = fork(), zombie = dead == 0 ? 0 : fork();
    if (dead == 0 || zombie == 0)
        _exit(0);
    ck_assert_int_eq(waitpid(dead, NULL, 0), dead);
    wait_for(100);
    write_game(dead, "dead");
    write_game(zombie, "zombie");
    write_game(getppid(), "parent");
    const char *list = command_run("", 0);
    ck_assert(!has_file(dead) && !has_file(zombie) && has_file(getppid()) && has_file(getpid()));
    ck_assert(strstr(list, "dead") == NULL && strstr(list, "zombie") == NULL && strstr(list, "\tparent\t") != NULL);
    unlink(arena_format(&http_memory, "%s/kin/inspect-%ld-0.json", command_folder, (long)getppid()));
    waitpid(zombie, NULL, 0);
}
END_TEST

START_TEST(ins_31_a_game_is_named_where_several_run)
{
    if (!command_is_built())
        return;
    const char *town_line = arena_format(&http_memory, "\n  %ld  town\n", (long)getpid());
    const char *parent_line = arena_format(&http_memory, "\n  %ld  town\n", (long)getppid());
    ck_assert_ptr_nonnull(strstr(command_run("--pid 1 time", 3), "no game has the pid 1; these run:\n"));
    ck_assert_ptr_nonnull(strstr(command_run("--name foo time", 3), "no game is called 'foo'; these run:\n"));
    ck_assert_ptr_nonnull(strstr(command_run("--name foo time", 3), town_line));
    write_game(getppid(), "town");
    const char *several = command_run("--name town time", 3);
    ck_assert_ptr_nonnull(strstr(several, "several games run; choose one with --pid or --name\n"));
    ck_assert(strstr(several, town_line) != NULL && strstr(several, parent_line) != NULL);
    command_run(arena_format(&http_memory, "--pid %ld time", (long)getpid()), 0);
    unlink(arena_format(&http_memory, "%s/kin/inspect-%ld-0.json", command_folder, (long)getppid()));
}
END_TEST

START_TEST(ins_31_no_game_is_said)
{
    if (!command_is_built())
        return;
    const char *none =
        "kin-inspect: no game with an inspector runs; start one that calls kin_inspect, or give --url and "
        "KIN_TOKEN for one of another user or with another TMPDIR\n";
    setenv("XDG_RUNTIME_DIR", "/nowhere", 1);
    ck_assert_str_eq(command_run("", 3), none);
    unsetenv("XDG_RUNTIME_DIR");
    ck_assert_str_eq(command_run("", 3), none);
    ck_assert_str_eq(command_run("time", 3), none);
    setenv("XDG_RUNTIME_DIR", command_folder, 1);
}
END_TEST

// Where a game and the terminal find each other: the folder as it is before the game begins.
static const struct {
    const char *runtime, *before; // XDG_RUNTIME_DIR, and a command that runs in TMPDIR
    bool is_found;
} folders[] = {
    {NULL, "true", true},
    {"", "true", true},
    {"/nowhere", "true", true},
    {"relative", "true", true},
    {NULL, "mkdir -m 700 kin-$(id -u)", true},
    {NULL, "mkdir -m 755 kin-$(id -u)", false},
    {NULL, "mkdir -m 1777 kin-$(id -u)", false},
    {NULL, "mkdir -m 700 theirs; ln -s theirs kin-$(id -u)", false},
    {NULL, "ln -s nowhere kin-$(id -u)", false},
    {NULL, "touch kin-$(id -u)", false},
};

START_TEST(ins_31_without_a_runtime_folder_games_are_found_in_a_folder_of_the_user_s_own)
{
    const char *before =
        arena_format(&http_memory, "cd '%s' && rm -rf kin-* theirs && %s", command_folder, folders[_i].before);
    if (!command_is_built())
        return;
    if (folders[_i].runtime == NULL)
        unsetenv("XDG_RUNTIME_DIR");
    else
        setenv("XDG_RUNTIME_DIR", folders[_i].runtime, 1);
    ck_assert_int_eq(shell_run(&http_memory, before).status, 0);
    my_game_context *shop = my_game_context_create(NULL);
    kin_inspector *game = kin_inspector_create(&(kin_inspector_options){.name = "found", .quiet = true});
    ck_assert_ptr_nonnull(game);
    ck_assert_int_eq(kin_inspector_add(game, &shop->base, NULL), KIN_OK);
    const char *list = command_run("", folders[_i].is_found ? 0 : 3);
    ck_assert_msg((strstr(list, "\tfound\t") != NULL) == folders[_i].is_found, "%s", list);
    kin_inspector_destroy(game);
    my_game_context_destroy(shop);
    const char *left =
        arena_format(&http_memory, "cd '%s' && find . -name 'inspect-*' && rm -rf kin-* theirs", command_folder);
    ck_assert_ptr_null(strstr(shell_run(&http_memory, left).output, arena_format(&http_memory, "/kin-")));
    setenv("XDG_RUNTIME_DIR", command_folder, 1);
}
END_TEST

START_TEST(ins_21_an_address_is_taken_as_it_is_printed)
{
    if (!command_is_built())
        return;
    const char *address = arena_format(&http_memory, "--url 'http://127.0.0.1:%u", (unsigned)http_port);
    const char *game = command_run(arena_format(&http_memory, "%s/#token=%s'", address, http_token), 0);
    ck_assert_str_eq(game, arena_format(&http_memory, "pid\tname\turl\tread_only\n\ttown\thttp://127.0.0.1:%u\tfalse\n",
                                        (unsigned)http_port));
    command_run(arena_format(&http_memory, "%s/#token=%s' time", address, http_token), 0);
    ck_assert_str_eq(command_run(arena_format(&http_memory, "%s/#token=0123' time", address), 3),
                     "kin-inspect: the token is wrong; KIN_TOKEN must be that of the address which the game printed\n");
}
END_TEST

// ---- what is said beside a result

START_TEST(ins_40_a_query_shows_what_it_asks_for)
{
    if (!command_is_built())
        return;
    ck_assert_str_eq(command_run("query -c houses Roof --limit 1", 0),
                     "e\tlabel\tv\n1:0\t\t{\"Roof\":{\"tiles\":0}}\nkin-inspect: 19 more; --limit 20 shows all\n");
    ck_assert_str_eq(command_run("query -c houses '!Lit & Roof where tiles > 18'", 0),
                     "e\tlabel\tv\n20:19\t\t{\"Roof\":{\"tiles\":19}}\n");
    ck_assert_str_eq(command_run("query -c houses 'in roofs where tiles > 18'", 0),
                     "e\tlabel\tv\n20:19\t\t{\"Roof\":{\"tiles\":19}}\n");
    ck_assert_str_eq(command_run("query -c houses '!(Lit | Roof)'", 4), "e\tlabel\tv\n");
    ck_assert_str_eq(command_run("query -c houses '* where Roof.tiles > 18'", 0), "e\tlabel\tv\n20:19\t\t{}\n");
    ck_assert_ptr_null(strstr(command_run("query -c houses Roof --limit 1 --json", 0), "kin-inspect"));
}
END_TEST

START_TEST(ins_44_a_mistake_is_marked)
{
    if (!command_is_built())
        return;
    ck_assert_str_eq(command_run("query -c houses 'Lit & Rof'", 1),
                     "kin-inspect: houses has no component 'Rof'; did you "
                     "mean 'Roof'?\n  Lit & Rof\n        ^^^\n");
    ck_assert_str_eq(command_run("until -c houses 'Roof &'", 1),
                     "kin-inspect: expected the name of a component at the end\n  Roof &\n        ^\n");
    ck_assert_ptr_nonnull(strstr(command_run("query -c houses 'Rof' -f", 1), "'?\n  Rof\n  ^^^\n"));
    ck_assert_ptr_nonnull(strstr(command_run("watch -c houses 3:2 Roof.tile", 1), "?\n  Roof.tile\n       ^^^^\n"));
    ck_assert_str_eq(command_run("set -c houses 3:2 Roof 50", 2),
                     "kin-inspect: name a component and a field, such as Roof.tiles\n");
    ck_assert_str_eq(command_run("set -c houses 3:2 tiles 50", 2),
                     "kin-inspect: name a component and a field, such as Roof.tiles\n");
    ck_assert_str_eq(command_run("until Roof --watch", 2), "kin-inspect: until cannot be watched; use time --watch\n");
}
END_TEST

START_TEST(ins_66_systems_are_named)
{
    if (!command_is_built())
        return;
    const char *systems = command_run("systems", 0);
    bool has_times = strstr(systems, "\"execute\"") != NULL; // the end of a list that took more than an update
    ck_assert(has_times || strstr(systems, "kin-inspect: recording of times begins now; ask again for them\n") != NULL);
    ck_assert_ptr_nonnull(strstr(systems, "\tCrier\t"));
    wait_for_updates(5);
    ck_assert_ptr_null(strstr(command_run("systems", 0), "begins now"));
    command_run("disable Crier", 0);
    ck_assert_ptr_nonnull(strstr(command_run("systems", 0), "\tCrier\tplain\tfalse\t"));
    command_run("enable Crier", 0);
    ck_assert_ptr_nonnull(strstr(command_run("systems", 0), "\tCrier\tplain\ttrue\t"));
    ck_assert_str_eq(command_run("disable Cryer", 1),
                     "kin-inspect: there is no system 'Cryer'; did you mean 'Crier'?\n");
    ck_assert_str_eq(command_run("disable Zzz", 1),
                     "kin-inspect: there is no system 'Zzz'; kin-inspect systems lists them with their places\n");
    ck_assert_ptr_nonnull(strstr(command_run("messages", 4), "kin-inspect: recording begins now\n"));
    ck_assert_ptr_nonnull(strstr(command_run("errors", 4), "kin-inspect: recording begins now\n"));
    command_run("why -c houses 0", 4);
    ck_assert_ptr_nonnull(strstr(command_run("why -c houses 99", 1), "has no such collector"));
}
END_TEST

// Each word that names something, misspelt.
static const struct {
    const char *words, *message;
} misspelt[] = {
    {"enable Cryer", "there is no system 'Cryer'; did you mean 'Crier'?"},
    {"disable tavrn", "there is no system 'tavrn'; did you mean 'tavern'?"},
    {"hold Mayr", "there is no system 'Mayr'; did you mean 'Mayor'?"},
    {"hold Zzz", "there is no system 'Zzz'; systems.list (kin-inspect systems) has them"},
    {"errors --system Mayr", "there is no system 'Mayr'; did you mean 'Mayor'?"},
    {"messages --system Mayr", "there is no system 'Mayr'; did you mean 'Mayor'?"},
    {"journal -c houses --system Mayr", "there is no system 'Mayr'; did you mean 'Mayor'?"},
    {"why -c houses Lmps", "houses has no collector 'Lmps'; did you mean 'Lamps'?"},
    {"why -c houses Zzz", "houses has no collector 'Zzz'; collectors.list (kin-inspect collectors) has them"},
    {"why -c houses 99", "houses has no such collector; collectors.list (kin-inspect collectors) has them"},
    {"get -c houses 3:2 --explain ligths", "houses declares no group 'ligths'; did you mean 'lights'?"},
    {"query -c houses 'in ligths'", "houses declares no group 'ligths'; did you mean 'lights'?"},
    {"query -c hoses Roof", "there is no context 'hoses'; did you mean 'houses'?"},
    {"query -c houses Roof --fields Roof.tile", "there is no field 'tile' here; did you mean 'tiles'?"},
    {"add -c houses 3:2 Lt", "houses has no component 'Lt'; did you mean 'Lit'?"},
    {"remove -c houses 3:2 Lt", "houses has no component 'Lt'; did you mean 'Lit'?"},
    {"set -c houses 3:2 Rof.tiles 1", "there is no component or field 'Rof'; did you mean 'Roof'?"},
    {"watch -c houses 3:2 Roof.tile", "there is no field 'tile' here; did you mean 'tiles'?"},
    {"until -c houses Rof", "houses has no component 'Rof'; did you mean 'Roof'?"},
    {"mark -c houses Rof", "houses has no component 'Rof'; did you mean 'Roof'?"},
    {"record -c houses --component Rof", "houses has no component 'Rof'; did you mean 'Roof'?"},
    {"journal -c houses --component Rof", "houses has no component 'Rof'; did you mean 'Roof'?"},
    {"messages Gosip", "town has no message 'Gosip'; did you mean 'Gossip'?"},
    {"call time.gt", "there is no method 'time.gt'; did you mean 'time.get'?"},
};

START_TEST(ins_66_a_misspelt_name_comes_with_the_nearest)
{
    if (!command_is_built())
        return;
    command_run("record -c houses", 0);
    for (size_t i = 0; i < sizeof misspelt / sizeof *misspelt; i++) {
        const char *expected = arena_format(&http_memory, "kin-inspect: %s\n", misspelt[i].message);
        const char *said = command_run(misspelt[i].words, 1);
        ck_assert_msg(strncmp(said, expected, strlen(expected)) == 0, "%s: %s", misspelt[i].words, said);
    }
    command_run("journal -c houses --system Mayor", 4);
    command_run("journal -c houses --system outside", 4);
    command_run("errors --system inspector", 4);
}
END_TEST

// ---- numbers

START_TEST(ins_20_numbers_are_shown_as_the_game_gives_them)
{
    static const double numbers[] = {135.5567, 0.1, 1e-7, 1.9040000000000015, 123456789.25, 1e300};
    static const char *const texts[] = {"135.5567", "0.1", "1e-07", "1.9040000000000015", "123456789.25", "1e+300"};
    if (!command_is_built())
        return;
    game_stop();
    people_entity citizen = people_create_entity(town->contexts->people);
    people_add_step(town->contexts->people, citizen, (Step){0});
    game_start();
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const char *value = arena_format(&http_memory, "{\"x\":1,\"y\":%s}", texts[i]);
        game_stop();
        people_replace_step(town->contexts->people, citizen, (Step){.x = 1, .y = numbers[i]});
        game_start();
        ck_assert_str_eq(command_run("query -c people Step", 0),
                         arena_format(&http_memory, "e\tlabel\tv\n1:0\t\t{\"Step\":%s}\n", value));
        ck_assert_ptr_nonnull(strstr(command_run("query -c people Step --json", 0), value));
    }
}
END_TEST

Suite *inspect_terminal_suite(void)
{
    Suite *suite = suite_create("inspect_terminal");
    TCase *tests = tcase_create("inspect_terminal");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, command_begin, command_end);
    tcase_add_test(tests, ins_63_a_journal_is_followed_without_gaps);
    tcase_add_test(tests, ins_63_a_follower_says_what_is_lost);
    tcase_add_test(tests, ins_54_a_follower_ends_with_its_game);
    tcase_add_test(tests, ins_54_top_on_a_terminal_ends_with_its_game);
    tcase_add_test(tests, ins_62_until_waits_until_it_holds);
    tcase_add_test(tests, ins_60_a_pause_stays_while_the_terminal_waits);
    tcase_add_test(tests, ins_31_files_of_killed_games_are_removed);
    tcase_add_test(tests, ins_31_a_game_is_named_where_several_run);
    tcase_add_test(tests, ins_31_no_game_is_said);
    tcase_add_loop_test(tests, ins_31_without_a_runtime_folder_games_are_found_in_a_folder_of_the_user_s_own, 0,
                        sizeof folders / sizeof *folders);
    tcase_add_test(tests, ins_21_an_address_is_taken_as_it_is_printed);
    tcase_add_test(tests, ins_40_a_query_shows_what_it_asks_for);
    tcase_add_test(tests, ins_44_a_mistake_is_marked);
    tcase_add_test(tests, ins_66_systems_are_named);
    tcase_add_test(tests, ins_66_a_misspelt_name_comes_with_the_nearest);
    tcase_add_test(tests, ins_20_numbers_are_shown_as_the_game_gives_them);
    suite_add_tcase(suite, tests);
    return suite;
}
