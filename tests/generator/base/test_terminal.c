// Terminal: messages are coloured on a terminal, and names given by the user cannot send control sequences to it.
#include "generator/base/base.h"
#include "generator/program.h"
#include "generator/scratch.h"
#include "suites.h"

#include <check.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 20000 }; // milliseconds

static void begin(void)
{
    scratch_create();
    scratch_write("bad.yaml",
                  "kin: 1\npackage: bad\ncontexts: { game: {} }\ncomponents: { A: { fields: { a: flaot } } }\n");
}

// Runs in the child process, with the terminal as standard error. `no_colour` is the value of NO_COLOR, NULL if unset.
static void become_kin(int master, const char *kind, const char *no_colour)
{
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    dup2(terminal, STDERR_FILENO);
    setenv("TERM", kind, 1);
    unsetenv("NO_COLOR");
    if (no_colour != NULL)
        setenv("NO_COLOR", no_colour, 1);
    execl(program(), "kin", "check", scratch_path("bad.yaml"), (char *)NULL);
    _exit(127);
}

// Returns the whole output of the terminal without the carriage returns that it adds.
static const char *read_terminal(int master)
{
    text shown = text_create(scratch_arena());
    struct pollfd waiting = {.fd = master, .events = POLLIN};
    char bytes[4096];
    for (;;) {
        ck_assert_int_eq(poll(&waiting, 1, PATIENCE), 1);
        ssize_t size = read(master, bytes, sizeof bytes);
        if (size <= 0)
            return shown.bytes;
        for (ssize_t i = 0; i < size; i++)
            if (bytes[i] != '\r')
                text_append(&shown, &bytes[i], 1);
    }
}

static const char *shown_on(const char *kind, const char *no_colour)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY), status = 0;
    ck_assert_int_ge(master, 0);
    ck_assert_int_eq(grantpt(master) | unlockpt(master), 0);
    pid_t child = fork();
    if (child == 0)
        become_kin(master, kind, no_colour);
    const char *shown = read_terminal(master);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(WEXITSTATUS(status), 1);
    close(master);
    return shown;
}

START_TEST(messages_are_coloured_on_a_terminal)
{
    const char *expected = arena_format(
        scratch_arena(),
        "\033[1m%s:4:33:\033[0m \033[1;31merror:\033[0m unknown type 'flaot' for field 'a' of component 'A' [K0401]\n"
        "    4 | components: { A: { fields: { a: flaot } } }\n"
        "      |                                 \033[1;32m^^^^^ did you mean 'float'?\033[0m\n",
        scratch_path("bad.yaml"));
    ck_assert_str_eq(shown_on("xterm", NULL), expected);
    ck_assert_str_eq(shown_on("xterm", ""), expected);
}
END_TEST

START_TEST(no_color_and_dumb_terminals_disable_colours)
{
    const char *plain = RUN("check", scratch_path("bad.yaml")).messages;
    ck_assert_ptr_null(strchr(plain, '\033'));
    ck_assert_str_eq(shown_on("xterm", "1"), plain);
    ck_assert_str_eq(shown_on("dumb", NULL), plain);
}
END_TEST

// ---- names

// An escape sequence, a line break, CSI as one character, a right-to-left override and a byte that is not UTF-8.
#define HOSTILE "\033[2J\nkin:\xC2\x9B\x7F\xE2\x80\xAE\xFF"
#define SHOWN   "\\x1b[2J\\x0akin:\\xc2\\x9b\\x7f\\xe2\\x80\\xae\\xff"

static const struct {
    arguments arguments; // "@" stands for the path of a valid schema, "+" for that of a folder with the name
    int status;
} hostile[] = {
    {{{HOSTILE}}, 2},
    {{{"help", HOSTILE}}, 2},
    {{{"check", "--" HOSTILE, "@"}}, 2},
    {{{"generate", "-x" HOSTILE, "@"}}, 2},
    {{{"check", "--max-errors", HOSTILE, "@"}}, 2},
    {{{"check", "--diagnostics=" HOSTILE, "@"}}, 2},
    {{{"explain", HOSTILE}}, 2},
    {{{"explain", "K0401" HOSTILE}}, 2},
    {{{"completion", HOSTILE}}, 2},
    {{{"check", HOSTILE ".yaml"}}, 3},
    {{{"list", "--json", "+"}}, 3},
    {{{"generate", "-o", "+", "@"}}, 0},
    {{{"generate", "--dry-run", "-o", "+", "@"}}, 0},
    {{{"generate", "--check", "-o", "+", "@"}}, 4},
    {{{"generate", "--diff", "-o", "+", "@"}}, 4},
    {{{"generate", "-o", "+", "--depfile", "+", "@"}}, 3},
    {{{"generate", "-o", "+", "--templates", "+/none", "@"}}, 3},
    {{{"generate", "-o", "@/" HOSTILE, "@"}}, 3},
    {{{"doc", "-o", "+", "@"}}, 3},
    {{{"scaffold", "-o", "+", "@"}}, 0},
    {{{"init", "+"}}, 0},
    {{{"init", "@/" HOSTILE}}, 3},
};

// Replaces the placeholders "@" and "+" with paths.
static arguments complete(arguments given)
{
    for (size_t i = 0; i < ARGUMENT_LIMIT && given.items[i] != NULL; i++)
        if (given.items[i][0] == '@')
            given.items[i] = arena_format(scratch_arena(), "%s%s", scratch_path("good.yaml"), given.items[i] + 1);
        else if (given.items[i][0] == '+')
            given.items[i] = arena_format(scratch_arena(), "%s%s", scratch_path("is" HOSTILE), given.items[i] + 1);
    return given;
}

static void check_shown(const char *text)
{
    for (const char *at = text; *at != '\0'; at++)
        ck_assert_msg(*at == '\n' || (*at >= ' ' && *at <= '~'), "%s", text);
    ck_assert_msg(strstr(text, "\nkin:\\") == NULL, "%s", text);
}

START_TEST(names_given_by_the_user_are_escaped_on_the_terminal)
{
    static const char systems[] = "schedule: { simulate: {} }\nsystems: { Move: { in: simulate, writes: [Cell] } }\n";
    scratch_write("good.yaml", arena_format(scratch_arena(), "%s%s", tiny, systems));
    mkdir(scratch_path("is" HOSTILE), 0777);
    outcome outcome = run(complete(hostile[_i].arguments));
    ck_assert_msg(outcome.status == hostile[_i].status, "status %d: %s", outcome.status, outcome.messages);
    check_shown(outcome.output);
    check_shown(outcome.messages);
    const char *all = arena_format(scratch_arena(), "%s%s", outcome.output, outcome.messages);
    ck_assert_msg(strstr(all, SHOWN) != NULL, "%s", all);
}
END_TEST

Suite *terminal_suite(void)
{
    Suite *suite = suite_create("terminal");
    TCase *cases = tcase_create("terminal");
    tcase_add_checked_fixture(cases, begin, scratch_destroy);
    tcase_add_test(cases, messages_are_coloured_on_a_terminal);
    tcase_add_test(cases, no_color_and_dumb_terminals_disable_colours);
    tcase_add_loop_test(cases, names_given_by_the_user_are_escaped_on_the_terminal, 0,
                        sizeof hostile / sizeof *hostile);
    suite_add_tcase(suite, cases);
    return suite;
}
