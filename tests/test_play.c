// Play: Match-One in a pseudo-terminal that the test controls. It tests the start, the end, and that keys arrive; the
// looks of the board are not tested.
#include "shell.h"
#include "suites.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { OUTPUT_SIZE = 1 << 20, PATIENCE = 20000, STILL = 300 }; // milliseconds

static arena memory;
static int master;
static pid_t player;
static char output[OUTPUT_SIZE];
static size_t output_size;

static const char restored[] = "\033[?1049l"; // xterm's sequence to restore the former screen

static void end(void)
{
    arena_release(&memory);
}

static void run(const char *program, const char *terminal)
{
    setsid();
    int slave = open(ptsname(master), O_RDWR);
    dup2(slave, STDIN_FILENO);
    dup2(slave, STDOUT_FILENO);
    dup2(slave, STDERR_FILENO);
    setenv("TERM", terminal, 1);
    setenv("LC_ALL", "C", 1);
    execl(program, program, "--seed", "1", (char *)NULL);
    _exit(EXIT_FAILURE);
}

// `modes` are those of the terminal before the game begins.
static void start_from(const char *terminal, unsigned short lines, unsigned short columns, struct termios *modes)
{
    struct winsize size = {.ws_row = lines, .ws_col = columns};
    const char *program = arena_format(&memory, "%s/examples/match_one/match_one", shell_build());
    output_size = 0;
    master = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert_int_ge(master, 0);
    ck_assert_int_eq(grantpt(master) | unlockpt(master) | ioctl(master, TIOCSWINSZ, &size), 0);
    ck_assert_int_eq(tcgetattr(master, modes), 0);
    player = fork();
    if (player == 0)
        run(program, terminal);
    ck_assert_int_gt(player, 0);
}

static void start(const char *terminal, unsigned short lines, unsigned short columns)
{
    struct termios modes;
    start_from(terminal, lines, columns, &modes);
}

// Reads more of what the player sees. False at the end.
static bool read_more(void)
{
    struct pollfd waiting = {.fd = master, .events = POLLIN};
    ck_assert_int_eq(poll(&waiting, 1, PATIENCE), 1);
    ssize_t size = read(master, output + output_size, OUTPUT_SIZE - 1 - output_size);
    if (size <= 0)
        return false;
    output_size += (size_t)size;
    output[output_size] = '\0';
    return true;
}

static void wait_for(const char *text)
{
    output[output_size] = '\0';
    while (strstr(output, text) == NULL)
        ck_assert_msg(read_more(), "the game ended without: %s", text);
}

// Reads until nothing moves any more.
static void wait_for_rest(void)
{
    struct pollfd waiting = {.fd = master, .events = POLLIN};
    while (poll(&waiting, 1, STILL) == 1)
        ck_assert(read_more());
}

static void press(const char *keys)
{
    ck_assert_int_eq(write(master, keys, strlen(keys)), (ssize_t)strlen(keys));
}

// Returns the exit status of the player if it has ended by itself; also checks the state of the terminal.
static int finish_with(struct termios *modes)
{
    while (read_more())
        ;
    int status = 0;
    ck_assert_int_eq(waitpid(player, &status, 0), player);
    ck_assert_int_eq(tcgetattr(master, modes), 0);
    close(master);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int finish(void)
{
    struct termios modes;
    return finish_with(&modes);
}

START_TEST(it_ends_with_q_and_with_escape)
{
    static const char *const keys[] = {"q", "\033"};
    for (size_t i = 0; i < 2; i++) {
        start("xterm", 24, 80);
        wait_for("MATCH ONE");
        press(keys[i]);
        ck_assert_int_eq(finish(), 0);
        ck_assert_ptr_nonnull(strstr(output, restored));
    }
}
END_TEST

// Unknown keys begin with the code of escape, too.
START_TEST(keys_arrive_and_unknown_ones_do_nothing)
{
    start("xterm", 24, 80);
    wait_for("Takes one piece.");
    press("\033[99~");
    press("b");
    wait_for("that hang together.");
    press(" q");
    ck_assert_int_eq(finish(), 0);
}
END_TEST

// A taken piece is crossed out for a moment: `\/` above `/\` on terminals without block characters.
START_TEST(a_piece_is_taken_by_key_and_by_mouse)
{
    static const char *const ways[] = {" ", "\n", "\033[<0;12;8M\033[<0;12;8m"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        start("xterm", 24, 80);
        wait_for("MATCH ONE");
        wait_for_rest();
        ck_assert_ptr_null(strstr(output, "\\/"));
        press(ways[i]);
        wait_for("\\/");
        press("q");
        ck_assert_int_eq(finish(), 0);
    }
}
END_TEST

START_TEST(the_terminal_is_given_back_after_a_signal)
{
    static const int signals[] = {SIGINT, SIGTERM};
    for (size_t i = 0; i < 2; i++) {
        struct termios before, after;
        start_from("xterm", 24, 80, &before);
        wait_for("MATCH ONE");
        kill(player, signals[i]);
        finish_with(&after);
        ck_assert_ptr_nonnull(strstr(output, restored));
        ck_assert_uint_eq(after.c_lflag, before.c_lflag);
        ck_assert_uint_eq(after.c_iflag, before.c_iflag);
    }
}
END_TEST

START_TEST(a_small_terminal_shows_how_much_room_the_game_takes)
{
    start("xterm", 10, 60);
    wait_for("Match One needs 77 x 20 characters");
    press("q");
    ck_assert_int_eq(finish(), 0);
}
END_TEST

START_TEST(a_terminal_that_cannot_show_the_game_gets_a_message)
{
    start("dumb", 24, 80);
    ck_assert_int_eq(finish(), 1);
    ck_assert_ptr_nonnull(strstr(output, "(TERM=dumb) cannot show the board"));
    const char *command = arena_format(&memory, "%s/examples/match_one/match_one < /dev/null", shell_build());
    shell_result result = shell_run(&memory, command);
    ck_assert_int_eq(result.status, 1);
    ck_assert_str_eq(result.output,
                     "match_one: this is no terminal; `match_one --demo` plays by itself and needs none\n");
}
END_TEST

Suite *play_suite(void)
{
    Suite *suite = suite_create("play");
    TCase *tests = tcase_create("play");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, NULL, end);
    tcase_add_test(tests, it_ends_with_q_and_with_escape);
    tcase_add_test(tests, keys_arrive_and_unknown_ones_do_nothing);
    tcase_add_test(tests, a_piece_is_taken_by_key_and_by_mouse);
    tcase_add_test(tests, the_terminal_is_given_back_after_a_signal);
    tcase_add_test(tests, a_small_terminal_shows_how_much_room_the_game_takes);
    tcase_add_test(tests, a_terminal_that_cannot_show_the_game_gets_a_message);
    suite_add_tcase(suite, tests);
    return suite;
}
