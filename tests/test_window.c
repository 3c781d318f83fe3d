// Window: Match-One in a window on a virtual screen. The tests move the mouse and press keys, and compare the pixels
// with the state that the game prints when it ends.
#include "../examples/match_one/window/font.h"
#include "../examples/match_one/window/layout.h"
#include "screen.h"
#include "shell.h"
#include "suites.h"

#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COLUMNS = 8, ROWS = 9, BRIGHT = 600 }; // BRIGHT: the three channels of a bright pixel add up to more

static const Panel panel = {.columns = COLUMNS, .rows = ROWS};

static arena memory;
static pid_t player;
static const char *state_path;
static screen_window window;
static layout shown;

static void end(void)
{
    arena_release(&memory);
}

static const char *program(void)
{
    return arena_format(&memory, "%s/examples/match_one/match_one_window", shell_build());
}

// ---- playing

// Runs the game. Does not search for leaks: the drivers and libraries of the window system have some.
static void run(void)
{
    const char *path = program();
    setenv("SDL_VIDEODRIVER", "x11", 1);
    setenv("SDL_RENDER_DRIVER", "software", 1);
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    if (freopen(state_path, "w", stdout) != NULL)
        execl(path, path, "--seed", "1", "--print-state", (char *)NULL);
    _exit(EXIT_FAILURE);
}

static void look_around(void)
{
    screen_wait_for_rest();
    window = screen_find(&memory, "Match One");
    shown = layout_of((size){window.width, window.height}, &panel);
}

static void start(void)
{
    state_path = arena_format(&memory, "%s/tests/window.state", shell_build());
    player = fork();
    if (player == 0)
        run();
    ck_assert_int_gt(player, 0);
    look_around();
}

static place middle_of(int32_t column, int32_t row)
{
    place corner = layout_cell(&shown, column, (float)row);
    return (place){window.x + corner.x + shown.cell / 2, window.y + corner.y + shown.cell / 2};
}

// Moves the mouse away afterwards, because its pointer hides pixels. Returns how often the screen changed.
static int click(int32_t column, int32_t row)
{
    place at = middle_of(column, row);
    screen_do(&memory, arena_format(&memory, "mousemove %d %d click 1 mousemove 0 0", at.x, at.y));
    return screen_wait_for_rest();
}

static void press(const char *keys)
{
    place at = middle_of(0, 0);
    screen_do(&memory, arena_format(&memory, "mousemove %d %d key %s mousemove 0 0", at.x, at.y, keys));
}

// Ends the game and returns the state that it prints.
static const char *finish(void)
{
    int status = 0;
    kill(player, SIGTERM);
    ck_assert_int_eq(waitpid(player, &status, 0), player);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 0);
    return shell_read(&memory, state_path);
}

// ---- comparing

static char letter_in(const char *state, int32_t column, int32_t row)
{
    const char *line = strstr(state, arena_format(&memory, "\n  %2" PRId32 " ", row));
    ck_assert_ptr_nonnull(line);
    return line[6 + 2 * column + 1];
}

static int64_t score_in(const char *state)
{
    const char *line = strstr(state, "\nscore ");
    ck_assert_ptr_nonnull(line);
    return strtoll(line + strlen("\nscore "), NULL, 10);
}

// Checks that all pieces of a kind have one colour, and that no other kind has it. Reads the pixel of each cell that is
// `eighths` eighths of the cell's width to the right of its middle.
static void compare_board_at(const char *state, int eighths)
{
    enum { NONE = -1 };
    int64_t colours[UCHAR_MAX + 1];
    for (int i = 0; i <= UCHAR_MAX; i++)
        colours[i] = NONE;
    for (int32_t row = 0; row < ROWS; row++)
        for (int32_t column = 0; column < COLUMNS; column++) {
            unsigned char letter = (unsigned char)letter_in(state, column, row);
            place at = middle_of(column, row);
            int64_t colour = screen_pixel(at.x + shown.cell * eighths / 8, at.y);
            for (int i = 0; i <= UCHAR_MAX; i++)
                ck_assert_msg(colours[i] == NONE || (colours[i] == colour) == (i == letter),
                              "column %" PRId32 " row %" PRId32 " shows another piece than '%c'", column, row, letter);
            colours[letter] = colour;
        }
}

// Compares pixels in the middle of tiles and near their right edges.
static void compare_board(const char *state)
{
    compare_board_at(state, 0);
    compare_board_at(state, 3);
}

static bool has_bright_dot(place corner, int dot, place at)
{
    uint32_t pixel = screen_pixel(corner.x + at.x * dot + dot / 2, corner.y + at.y * dot + dot / 2);
    return (pixel >> 16) + (pixel >> 8 & 0xFF) + (pixel & 0xFF) > BRIGHT;
}

static bool shows(char digit, place corner, int dot)
{
    for (int y = 0; y < GLYPH_HEIGHT; y++)
        for (int x = 0; x < GLYPH_WIDTH; x++)
            if (has_bright_dot(corner, dot, (place){x, y}) != font_has_dot(digit, x, y))
                return false;
    return true;
}

static int64_t score_shown(void)
{
    int dot = shown.dot * DOTS_OF_SCORE;
    place at = {window.x + shown.score.x, window.y + shown.score.y};
    int64_t score = -1;
    for (;; at.x += GLYPH_ADVANCE * dot) {
        char digit = '0';
        while (digit <= '9' && !shows(digit, at, dot))
            digit++;
        if (digit > '9')
            return score;
        score = (score < 0 ? 0 : score) * 10 + digit - '0';
    }
}

// ---- the tests

START_TEST(the_window_shows_the_board_and_the_score_of_the_game)
{
    start();
    ck_assert_int_eq(score_shown(), 0);
    for (int32_t column = 0; column < COLUMNS; column += 2)
        click(column, 3);
    int64_t score = score_shown();
    const char *state = finish();
    ck_assert_int_gt(score, 0);
    ck_assert_int_eq(score, score_in(state));
    compare_board(state);
}
END_TEST

// If pieces jumped to their places, a click would change the screen at most twice.
START_TEST(what_is_taken_vanishes_and_what_falls_is_seen_to_fall)
{
    int changes = 0;
    start();
    for (int i = 0; i < 3; i++)
        changes += click(2, 1);
    finish();
    ck_assert_int_gt(changes, 2 * 3);
}
END_TEST

// Clicks five connected red pieces on the right, then three at the lower right.
START_TEST(a_burst_takes_in_the_window_what_it_takes_in_the_game)
{
    start();
    press("b");
    click(6, 5);
    ck_assert_int_eq(score_shown(), 5);
    click(5, 0);
    ck_assert_int_eq(score_shown(), 5 + 3);
    const char *state = finish();
    ck_assert_ptr_nonnull(strstr(state, "\nburst on\n"));
    ck_assert_int_eq(score_in(state), 5 + 3);
    compare_board(state);
}
END_TEST

// The window has no maximum size. The board becomes as large as the window allows, and a click still hits the cell
// under the mouse.
START_TEST(a_window_of_another_size_shows_the_same_game)
{
    start();
    const char *hints = shell_expect(&memory, "xprop -name 'Match One' WM_NORMAL_HINTS");
    ck_assert_msg(strstr(hints, "location") != NULL && strstr(hints, "maximum") == NULL, "%s", hints);
    int before = shown.cell;
    screen_do(&memory, "search --name 'Match One' windowsize --sync 1100 800 windowmove 40 60");
    look_around();
    ck_assert_int_gt(shown.cell, before);
    click(6, 7);
    click(1, 0);
    ck_assert_int_eq(score_shown(), 2);
    const char *state = finish();
    ck_assert_int_eq(score_in(state), 2);
    compare_board(state);
}
END_TEST

// What is done while the mouse is over the lower left cell, a text that the game prints at its end because of it, and a
// text that it does not print.
static const struct {
    const char *done, *has, *lacks;
} inputs[] = {
    {"key Right Right Up space", "\n   1  R # R B Y G M #\n", "score 0"},
    {"key Up Up Down Right Left Right Right Return", "\n   1  R # R B Y G M #\n", "score 0"},
    {"key b", "\nburst on\n", "burst off"},
    {"click 3", "\nburst on\n", "burst off"},
    {"key b click 3", "\nburst off\n", "burst on"},
    {"key comma", " 0 1 2 3 4 5 6\n", " 6 7\n"},
    {"key period", " 0 1 2 3 4 5 6 7 8\n", " 6 7\n"},
    {"key minus", "\n   7  Y R R G G # Y B\n", "\n   8  "},
    {"key equal", "\n   9  ", "\n   10 "},
    {"key r", "\n   8  M C C Y M Y M M\n", "\n   8  Y B C R G B R #\n"},
    {"key x click 2", "\n   8  Y B C R G B R #\n", "burst on"},
};

START_TEST(keys_and_the_other_buttons_do_what_they_are_for)
{
    start();
    place at = middle_of(0, 0);
    screen_do(&memory, arena_format(&memory, "mousemove %d %d %s mousemove 0 0", at.x, at.y, inputs[_i].done));
    screen_wait_for_rest();
    const char *state = finish();
    ck_assert_msg(strstr(state, inputs[_i].has) != NULL, "%s: %s", inputs[_i].done, state);
    ck_assert_msg(strstr(state, inputs[_i].lacks) == NULL, "%s: %s", inputs[_i].done, state);
}
END_TEST

START_TEST(it_ends_with_q_and_with_escape)
{
    int status = 0;
    start();
    press(_i == 0 ? "q" : "Escape");
    ck_assert_int_eq(waitpid(player, &status, 0), player);
    ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(without_a_display_it_reports_an_error)
{
    shell_result result = shell_run(&memory, arena_format(&memory, "SDL_VIDEODRIVER=x11 DISPLAY=:none %s", program()));
    ck_assert_int_eq(result.status, 1);
    ck_assert_int_eq(strncmp(result.output, "match_one_window: ", 18), 0);
}
END_TEST

// ---- machines without a window

static const char *missing(void)
{
    return access(program(), X_OK) != 0 ? "SDL2" : screen_missing();
}

static void add_tests_of_screen(TCase *tests)
{
    tcase_add_unchecked_fixture(tests, screen_open, screen_close);
    tcase_add_test(tests, the_window_shows_the_board_and_the_score_of_the_game);
    tcase_add_test(tests, what_is_taken_vanishes_and_what_falls_is_seen_to_fall);
    tcase_add_test(tests, a_burst_takes_in_the_window_what_it_takes_in_the_game);
    tcase_add_test(tests, a_window_of_another_size_shows_the_same_game);
    tcase_add_loop_test(tests, keys_and_the_other_buttons_do_what_they_are_for, 0, sizeof inputs / sizeof *inputs);
    tcase_add_loop_test(tests, it_ends_with_q_and_with_escape, 0, 2);
    tcase_add_test(tests, without_a_display_it_reports_an_error);
}

Suite *window_suite(void)
{
    Suite *suite = suite_create("window");
    TCase *tests = tcase_create("window");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, NULL, end);
    const char *absent = missing();
    if (absent == NULL)
        add_tests_of_screen(tests);
    else
        printf("skipped: what needs %s, as there is none\n", absent);
    suite_add_tcase(suite, tests);
    end();
    return suite;
}
