// kin-inspect: a game that runs, asked from a terminal.
#include "command_case.h"
#include "suites.h"

#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

START_TEST(ins_31_a_game_is_found_by_a_file_of_its_user_alone)
{
    struct stat status;
    const char *path = arena_format(&http_memory, "%s/kin/inspect-%d-0.json", command_folder, (int)getpid());
    ck_assert_int_eq(stat(arena_format(&http_memory, "%s/kin", command_folder), &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0700);
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0600);
    const char *text = shell_read(&http_memory, path);
    ck_assert_ptr_nonnull(strstr(text, "\"name\":\"town\""));
    ck_assert_ptr_nonnull(strstr(text, http_token));
}
END_TEST

START_TEST(ins_31_a_game_that_adds_its_world_later_is_found)
{
    kin_inspector_options options = {.token = http_token, .quiet = true};
    const char *path = arena_format(&http_memory, "%s/kin/inspect-%d-0.json", command_folder, (int)getpid());
    game_stop();
    town_end();
    town_begin();
    inspector = kin_inspector_create(&options);
    ck_assert_int_eq(access(path, F_OK), -1);
    ck_assert_int_eq(kin_inspector_add_world(inspector, town_world_base(town)), KIN_OK);
    ck_assert_ptr_nonnull(strstr(shell_read(&http_memory, path), "\"name\":\"town\""));
    kin_inspector_destroy(inspector);
    ck_assert_int_eq(access(path, F_OK), -1);
    game_start();
}
END_TEST

START_TEST(ins_31_a_folder_that_others_can_read_gets_no_file)
{
    game_stop();
    town_end();
    ck_assert_int_eq(chmod(arena_format(&http_memory, "%s/kin", command_folder), 0755), 0);
    setenv("TMPDIR", "/nowhere", 1); // there is no other folder
    http_begin();
    ck_assert_int_eq(
        access(arena_format(&http_memory, "%s/kin/inspect-%d-0.json", command_folder, (int)getpid()), F_OK), -1);
    chmod(arena_format(&http_memory, "%s/kin", command_folder), 0700);
}
END_TEST

START_TEST(commands_ask_the_game)
{
    if (!command_is_built())
        return;
    ck_assert_ptr_nonnull(strstr(command_run("", 0), "\ttown\thttp://127.0.0.1:"));
    ck_assert_ptr_null(strstr(command_run("", 0), http_token));
    ck_assert_str_eq(command_run("query -c houses 'Roof where tiles > 17' --fields Roof.tiles", 0),
                     "e\tlabel\tv\n19:18\t\t{\"Roof.tiles\":18}\n20:19\t\t{\"Roof.tiles\":19}\n");
    ck_assert_ptr_nonnull(
        strstr(command_run("get -c houses 3:2 --json", 0), "\"components\":{\"Roof\":{\"tiles\":2}}"));
    ck_assert_ptr_nonnull(
        strstr(command_run("set -c houses 3:2 Roof.tiles 90 --expect 2", 0), "previous\t2\nvalue\t90\n"));
    ck_assert_ptr_nonnull(
        strstr(command_run("set -c houses 3:2 Roof.tiles 91 --expect 2", 1), "which is not what was expected"));
    ck_assert_ptr_nonnull(
        strstr(command_run("get -c houses 3:2 --explain lights", 0), "it lacks Lit, which lights asks for"));
    ck_assert_ptr_nonnull(
        strstr(command_run("query -c houses 'Rof'", 1), "has no component 'Rof'; did you mean 'Roof'?"));
    ck_assert_str_eq(command_run("query -c houses 'Roof where tiles > 1000'", 4), "e\tlabel\tv\n");
    ck_assert_ptr_nonnull(strstr(command_run("systems", 0), "\tMayor\tplain\ttrue\t"));
    ck_assert_ptr_nonnull(strstr(command_run("pause", 0), "paused\ttrue\n"));
    ck_assert_ptr_nonnull(strstr(command_run("step 2", 0), "steps\t2\n"));
    ck_assert_ptr_nonnull(strstr(command_run("resume", 0), "paused\tfalse\n"));
    ck_assert_ptr_nonnull(strstr(command_run("call kin.hello", 0), "{\"version\":"));
    ck_assert_ptr_nonnull(strstr(command_run("record -c houses --component Roof", 0), "all_components\tfalse\n"));
    ck_assert_ptr_nonnull(strstr(command_run("watch -c houses 3:2 Roof.tiles", 0), "watch\t1\n"));
    command_run("set -c houses 3:2 Roof.tiles 7", 0);
    ck_assert_ptr_nonnull(strstr(command_run("journal -c houses --entity 3:2 --kind replaced", 0),
                                 "\tinspector\t\treplaced\t3:2\tRoof\t{\"tiles\":90}\t{\"tiles\":7}\n"));
    ck_assert_ptr_nonnull(strstr(command_run("watches -c houses", 0), "1\t3:2\tRoof.tiles\t{\"tiles\":7}\t1\t"));
    command_run("unwatch -c houses 1", 0);
    command_run("why -c houses Lamps", 4);
    command_run("record-end -c houses", 0);
    ck_assert_ptr_nonnull(strstr(command_run("journal -c houses", 1), "houses has no journal"));
}
END_TEST

// Follows what a command shows until it has shown `first`, makes a change, and returns all as soon as it shows `then`.
static const char *follow(const char *words, const char *first, const char *change, const char *then)
{
    int status;
    command_start(0, words);
    command_wait(0, first);
    command_run(change, 0);
    command_wait(0, then);
    return command_finish(0, SIGTERM, &status);
}

START_TEST(ins_50_a_terminal_follows_what_changes)
{
    if (!command_is_built())
        return;
    const char *query = "query -c houses 'Roof where tiles > 17' --fields Roof.tiles --watch";
    ck_assert_str_eq(follow(query, "19}\n\n", "set -c houses 20:19 Roof.tiles 91", "91}\n\n"),
                     "e\tlabel\tv\n19:18\t\t{\"Roof.tiles\":18}\n20:19\t\t{\"Roof.tiles\":19}\n\n"
                     "e\tlabel\tv\n19:18\t\t{\"Roof.tiles\":18}\n20:19\t\t{\"Roof.tiles\":91}\n\n");
    const char *text =
        follow("query -c houses 'Roof where tiles > 17' -f --json", "\"total\":2", "set -c houses 19:18 Roof.tiles 1",
               "\"total\":1,\"next\":null,\"rows\":[{\"e\":\"20:19\"");
    ck_assert_ptr_null(strstr(text, "whole"));
    command_run("record -c houses --component Roof", 0);
    command_run("set -c houses 3:2 Roof.tiles 7", 0);
    text = follow("journal -c houses -f", "{\"tiles\":2}\t{\"tiles\":7}\n", "set -c houses 3:2 Roof.tiles 8",
                  "{\"tiles\":7}\t{\"tiles\":8}\n");
    const char *first = strstr(text, "{\"tiles\":2}\t{\"tiles\":7}\n");
    ck_assert_ptr_null(strstr(first + 1, "{\"tiles\":2}\t")); // a record is shown once
    command_run("record-end -c houses", 0);
    ck_assert_ptr_nonnull(strstr(command_run("journal -c houses -f", 1), "houses has no journal"));
    ck_assert_ptr_nonnull(strstr(command_run("pause -f", 1), "no method of this name can be watched"));
}
END_TEST

static uint32_t count_of(const char *text, const char *part)
{
    uint32_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

static void ring_and_fail(town_world *world)
{
    log_begin(); // it would be full soon
    town_publish_bell(world);
    kin_destroy(&world->contexts->people->base, 0);
}

START_TEST(ins_32_commands_show_messages_and_errors)
{
    if (!command_is_built())
        return;
    game_stop();
    town_do("Mayor:execute", ring_and_fail);
    game_start();
    ck_assert_ptr_nonnull(strstr(command_run("messages", 0), "\tBell\tMayor\tCrier, Lamps, Strict\t{}\n"));
    command_run("messages Gossip", 4);
    ck_assert_ptr_nonnull(strstr(command_run("messages Gosip", 1), "did you mean 'Gossip'?"));
    ck_assert_ptr_nonnull(strstr(command_run("messages --json --limit 1", 0), "\"publisher\":\"Mayor\""));
    ck_assert_ptr_nonnull(
        strstr(command_run("errors", 0), "\tMayor\tKIN_ERROR_NOT_ALIVE\tpeople: cannot destroy an entity: "));
    command_run("errors --system Clock", 4);
    int status;
    command_start(0, "messages -f");
    while (count_of(command_wait(0, "Bell\tMayor"), "Bell\tMayor") <= 100) // more than one answer has
        wait_for(20);
    command_finish(0, SIGTERM, &status);
}
END_TEST

START_TEST(ins_61_commands_hold_and_step_systems)
{
    if (!command_is_built())
        return;
    ck_assert_ptr_nonnull(strstr(command_run("hold Mayor", 0), "hold\tMayor\n"));
    wait_until(strstr(command_run("time", 0), "held\t{\"system\":\"Mayor\"") != NULL);
    ck_assert_ptr_nonnull(strstr(command_run("create -c houses", 0), "entity\t"));
    command_run("step 1 --systems", 0);
    ck_assert_ptr_nonnull(strstr(command_run("resume", 0), "held\t\n"));
    ck_assert_ptr_nonnull(strstr(command_run("until -c houses 'Roof where tiles > 18'", 0), "; the game is paused; "));
    ck_assert_ptr_nonnull(
        strstr(command_run("until -c houses 'Roof' --none --systems --no-wait", 0), "\"state\":\"asked\""));
    command_run("resume", 0);
    command_run("hold Mayr", 1);
}
END_TEST

START_TEST(ins_66_commands_show_times_metrics_and_traces)
{
    if (!command_is_built())
        return;
    ck_assert_ptr_nonnull(strstr(command_run("top", 0), "Mayor\t"));
    ck_assert_ptr_nonnull(strstr(command_run("top --json", 0), "{\"name\":\""));
    ck_assert_ptr_nonnull(strstr(command_run("metrics", 0), "kin_entities{context=\"houses\"} 20\n"));
    const char *file = arena_format(&http_memory, "%s/trace.json", command_folder);
    command_run(arena_format(&http_memory, "trace 0.2 -o %s", file), 0);
    ck_assert_ptr_nonnull(
        strstr(shell_read(&http_memory, file), "{\"name\":\"Mayor\",\"cat\":\"execute\",\"ph\":\"X\""));
    ck_assert_int_eq(unlink(file), 0);
    command_run("trace 9", 2);
    command_run("trace 0.1 -o /nowhere/trace.json", 1);
    command_run("trace 0.1 -o - > /dev/full", 1);
}
END_TEST

// ---- another server

static uint16_t hostile_port;
static int hostile_socket;
static const char *hostile_body;

// Answers one request.
static void *answer_once(void *user)
{
    char request[4096], response[1024];
    (void)user;
    int connection = accept(hostile_socket, NULL, NULL);
    ssize_t size = recv(connection, request, sizeof request, 0);
    snprintf(response, sizeof response, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%s",
             strlen(hostile_body), hostile_body);
    if (size > 0)
        send_bytes(connection, response, strlen(response));
    close(connection);
    return NULL;
}

static const char *ask_hostile(const char *words, const char *body, int status)
{
    pthread_t thread;
    hostile_body = body;
    pthread_create(&thread, NULL, answer_once, NULL);
    const char *output =
        command_run(arena_format(&http_memory, "--url http://127.0.0.1:%u %s", (unsigned)hostile_port, words), status);
    pthread_join(thread, NULL);
    return output;
}

START_TEST(ins_25_what_any_server_answers_is_shown_as_text)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    if (!command_is_built())
        return;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    hostile_socket = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(hostile_socket, (struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(listen(hostile_socket, 1), 0);
    getsockname(hostile_socket, (struct sockaddr *)&address, &size);
    hostile_port = ntohs(address.sin_port);
    setenv("KIN_TOKEN", http_token, 1);
    ck_assert_str_eq(ask_hostile("time", "{\"error\":{\"message\":\"a\\u001b[2J\\u202eb\"}}", 1),
                     "kin-inspect: a\\x1b[2J\\u202eb\n");
    ck_assert_str_eq(ask_hostile("time", "{\"error\":{\"data\":{\"did_you_mean\":[1]}}}", 1),
                     "kin-inspect: the game refuses this, and does not say why\n");
    ck_assert_str_eq(ask_hostile("time", "{\"result\":{\"\\u001bk\":\"\\u2066\\u200f\\u2028v\"}}", 0),
                     "\\x1bk\t\\u2066\\u200f\\u2028v\n");
    ck_assert_str_eq(ask_hostile("time", "\x1b]0;title\x07", 3),
                     "kin-inspect: the game answers 200: \\x1b]0;title\\x07\n");
    unsetenv("KIN_TOKEN");
    close(hostile_socket);
}
END_TEST

START_TEST(a_word_that_is_not_utf_8_is_refused)
{
    if (!command_is_built())
        return;
    ck_assert_str_eq(command_run("query \xff", 2), "kin-inspect: word 2 of the command line is not UTF-8\n");
    ck_assert_str_eq(command_run("query --fields \xff", 2), "kin-inspect: word 3 of the command line is not UTF-8\n");
}
END_TEST

START_TEST(kin_runs_the_program_beside_it)
{
    if (!command_is_built())
        return;
    shell_result result =
        shell_run(&http_memory, arena_format(&http_memory, "%s inspect groups -c houses",
                                             arena_format(&http_memory, "%s/bin/kin", shell_build())));
    ck_assert_msg(result.status == 0 && strstr(result.output, "lights\t") != NULL, "%s", result.output);
    result = shell_run(&http_memory, arena_format(&http_memory, "%s inspect nonsense",
                                                  arena_format(&http_memory, "%s/bin/kin", shell_build())));
    ck_assert_int_eq(result.status, 2);
    const char *alone = arena_format(
        &http_memory, "cp %s %s/alone && (PATH=/nowhere %s/alone inspect; echo $?); /bin/rm %s/alone",
        arena_format(&http_memory, "%s/bin/kin", shell_build()), command_folder, command_folder, command_folder);
    ck_assert_ptr_nonnull(strstr(shell_run(&http_memory, alone).output, "kin: cannot run kin-inspect: "));
}
END_TEST

// Returns the lines of a manual page as a terminal shows them.
static const char *unescape(const char *page)
{
    char *shown = arena_copy(&http_memory, page, strlen(page));
    char *end = shown;
    for (const char *at = page; *at != '\0'; at++) {
        bool is_quote = strncmp(at, "\\(aq", 4) == 0;
        if (is_quote)
            at += 3;
        else
            at += *at == '\\';
        *end++ = is_quote ? '\'' : *at;
    }
    *end = '\0';
    return shown;
}

START_TEST(the_manual_has_every_line_of_the_help)
{
    if (!command_is_built())
        return;
    const char *page = unescape(shell_read(&http_memory, "docs/kin-inspect.1"));
    const char *shown = strstr(command_run("--help", 0), "\n\n");
    char *help = arena_copy(&http_memory, shown, strlen(shown));
    ck_assert_ptr_nonnull(strstr(page, "\"kin " KIN_VERSION "\""));
    for (char *line = strtok(help, "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (strncmp(line, "exit status: ", 13) == 0)
            ck_assert_ptr_nonnull(strstr(page, line + 13));
        else
            ck_assert_msg(strstr(page, line) != NULL, "the manual lacks: %s", line);
}
END_TEST

START_TEST(mistakes_have_their_status)
{
    if (!command_is_built())
        return;
    ck_assert_ptr_nonnull(strstr(command_run("--help", 0), "usage: kin-inspect"));
    command_run("nonsense", 2);
    command_run("get", 2);
    command_run("get 1:0 2:0", 2);
    command_run("--nonsense", 2);
    command_run("query --limit", 2);
    command_run("call kin.hello '{'", 2);
    command_run("--pid 1 query", 3);
    command_run("--url http://127.0.0.1:1 query", 3);
    ck_assert_ptr_nonnull(strstr(
        command_run(arena_format(&http_memory, "--url http://127.0.0.1:%u query -c houses", (unsigned)http_port), 3),
        "KIN_TOKEN is missing"));
    setenv("KIN_TOKEN", "wrong", 1);
    ck_assert_ptr_nonnull(strstr(
        command_run(arena_format(&http_memory, "--url http://127.0.0.1:%u query -c houses", (unsigned)http_port), 3),
        "the token is wrong"));
    setenv("KIN_TOKEN", http_token, 1);
    command_run(arena_format(&http_memory, "--url http://127.0.0.1:%u query -c houses", (unsigned)http_port), 0);
    unsetenv("KIN_TOKEN");
}
END_TEST

// What was typed, and the command or option that may be meant.
static const struct {
    const char *typed, *said;
} typing_errors[] = {
    {"pauze", "there is no command 'pauze'; did you mean 'pause'?"},
    {"metrix", "there is no command 'metrix'; did you mean 'metrics'?"},
    {"profile", "there is no command 'profile'; did you mean 'top'?"},
    {"nonsense", "there is no command 'nonsense'; see kin-inspect --help"},
    {"query --limt 3", "unknown option '--limt'; did you mean '--limit'?"},
    {"--nonsense", "unknown option '--nonsense'; see kin-inspect --help"},
};

START_TEST(the_command_or_option_that_may_be_meant_is_suggested)
{
    if (!command_is_built())
        return;
    ck_assert_ptr_nonnull(strstr(command_run(typing_errors[_i].typed, 2), typing_errors[_i].said));
}
END_TEST

START_TEST(values_are_json_in_a_pipe_and_members_on_a_terminal)
{
    if (!command_is_built() || !shell_has(&http_memory, "script"))
        return;
    const char *query = "query -c houses 'Roof where tiles > 18' --fields Roof.tiles";
    const char *command =
        arena_format(&http_memory, "script -qec \"%s/bin/kin-inspect %s\" /dev/null < /dev/null", shell_build(), query);
    ck_assert_ptr_nonnull(strstr(command_run(query, 0), "{\"Roof.tiles\":19}"));
    const char *shown = shell_expect(&http_memory, command);
    ck_assert_msg(strstr(shown, "Roof.tiles 19") != NULL, "%s", shown);
}
END_TEST

START_TEST(ins_25_control_characters_are_shown_as_text)
{
    if (!command_is_built())
        return;
    game_stop();
    people_entity citizen = town_citizen(1);
    people_add_name(town->contexts->people, citizen, (Name){.text = "\x1b[31mred\x07\xc2\x9b"});
    game_start();
    ck_assert_ptr_nonnull(strstr(command_run("get -c people 1:0", 0), "\\u001B[31mred\\u0007"));
    ck_assert_ptr_null(strchr(command_run("get -c people 1:0", 0), '\x1b'));
    ck_assert_ptr_null(strchr(command_run("query -c people Name --fields Name.text", 0), '\x1b'));
    ck_assert_ptr_null(strstr(command_run("query -c people Name --fields Name.text", 0), "\xc2\x9b"));
}
END_TEST

Suite *inspect_command_suite(void)
{
    Suite *suite = suite_create("inspect_command");
    TCase *tests = tcase_create("inspect_command");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, command_begin, command_end);
    tcase_add_test(tests, ins_31_a_game_is_found_by_a_file_of_its_user_alone);
    tcase_add_test(tests, ins_31_a_game_that_adds_its_world_later_is_found);
    tcase_add_test(tests, ins_31_a_folder_that_others_can_read_gets_no_file);
    tcase_add_test(tests, commands_ask_the_game);
    tcase_add_test(tests, ins_50_a_terminal_follows_what_changes);
    tcase_add_test(tests, ins_32_commands_show_messages_and_errors);
    tcase_add_test(tests, ins_61_commands_hold_and_step_systems);
    tcase_add_test(tests, ins_66_commands_show_times_metrics_and_traces);
    tcase_add_test(tests, ins_25_what_any_server_answers_is_shown_as_text);
    tcase_add_test(tests, a_word_that_is_not_utf_8_is_refused);
    tcase_add_test(tests, kin_runs_the_program_beside_it);
    tcase_add_test(tests, mistakes_have_their_status);
    tcase_add_test(tests, the_manual_has_every_line_of_the_help);
    tcase_add_loop_test(tests, the_command_or_option_that_may_be_meant_is_suggested, 0,
                        sizeof typing_errors / sizeof *typing_errors);
    tcase_add_test(tests, values_are_json_in_a_pipe_and_members_on_a_terminal);
    tcase_add_test(tests, ins_25_control_characters_are_shown_as_text);
    suite_add_tcase(suite, tests);
    return suite;
}
