#include "terminal.h"

#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

struct terminal {
    SCREEN *screen;
    const look *look;
    bool has_colours;
};

// ---- colours

enum { FIRST_PAIR = 1, BOARD_PAIR = FIRST_PAIR + 2 * KIND_COUNT, CURSOR_PAIR, MANY_COLOURS = 256 };

static const short many_colours[KIND_COUNT] = {203, 221, 114, 80, 69, 176, 243};
static const short few_colours[KIND_COUNT] = {COLOR_RED,  COLOR_YELLOW,  COLOR_GREEN, COLOR_CYAN,
                                              COLOR_BLUE, COLOR_MAGENTA, COLOR_WHITE};

// As https://no-color.org asks for.
static bool wants_colours(void)
{
    const char *refusal = getenv("NO_COLOR");
    return (refusal == NULL || *refusal == '\0') && has_colors();
}

static void make_colours(void)
{
    start_color();
    use_default_colors();
    bool many = COLORS >= MANY_COLOURS;
    const short *kinds = many ? many_colours : few_colours;
    const short backgrounds[] = {many ? 235 : COLOR_BLACK, many ? 239 : COLOR_BLACK};
    for (short chosen = 0; chosen < 2; chosen++) {
        for (short kind = 0; kind < KIND_COUNT; kind++)
            init_pair((short)(FIRST_PAIR + 2 * kind + chosen), kinds[kind], backgrounds[chosen]);
        init_pair((short)(BOARD_PAIR + chosen), COLOR_WHITE, backgrounds[chosen]);
    }
}

int terminal_kind(const terminal *terminal, Kind kind, bool chosen)
{
    return terminal->has_colours ? COLOR_PAIR(FIRST_PAIR + 2 * (int)kind + chosen) : (int)A_NORMAL;
}

int terminal_board(const terminal *terminal)
{
    return terminal->has_colours ? COLOR_PAIR(BOARD_PAIR) : (int)A_NORMAL;
}

int terminal_cursor(const terminal *terminal)
{
    return (int)A_BOLD | (terminal->has_colours ? COLOR_PAIR(CURSOR_PAIR) : 0);
}

// ---- opening

// Returns whether the terminal is known and can move its cursor.
static bool can_move_cursor(void)
{
    int status = 0;
    if (setupterm(NULL, STDOUT_FILENO, &status) != OK)
        return false;
    const char *text = tigetstr("cup");
    bool can = text != NULL && text != (char *)-1;
    del_curterm(cur_term);
    return can;
}

static SCREEN *open_screen(void)
{
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        fputs("match_one: this is no terminal; `match_one --demo` plays by itself and needs none\n", stderr);
        return NULL;
    }
    if (can_move_cursor())
        return newterm(NULL, stdout, stdin);
    const char *name = getenv("TERM");
    fprintf(stderr, "match_one: a terminal like this (TERM=%s) cannot show the board; try `match_one --demo`\n",
            name == NULL ? "" : name);
    return NULL;
}

// A terminal sends arrow keys in one of two modes. After a stopped program continues, ncurses sets its mode only when
// it reads the next key, which may already be an arrow in the other mode.
static void define_arrows(void)
{
    define_key("\033[A", KEY_UP);
    define_key("\033[B", KEY_DOWN);
    define_key("\033[C", KEY_RIGHT);
    define_key("\033[D", KEY_LEFT);
}

static void prepare_keys(void)
{
    cbreak();
    noecho();
    keypad(stdscr, TRUE);
    define_arrows();
    set_escdelay(25); // milliseconds: enough for a key's sequence, too short to notice
    mousemask(BUTTON1_PRESSED, NULL);
    mouseinterval(0);
}

terminal *terminal_open(void)
{
    setlocale(LC_CTYPE, "");
    SCREEN *screen = open_screen();
    if (screen == NULL)
        return NULL;
    terminal *made = malloc(sizeof *made);
    if (made == NULL) {
        endwin();
        delscreen(screen);
        fputs("match_one: there is not enough memory\n", stderr);
        return NULL;
    }
    bool has_blocks = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    *made = (terminal){screen, has_blocks ? &look_blocks : &look_letters, wants_colours()};
    if (made->has_colours)
        make_colours();
    prepare_keys();
    curs_set(0);
    return made;
}

void terminal_close(terminal *terminal)
{
    if (terminal == NULL)
        return;
    endwin();
    delscreen(terminal->screen);
    free(terminal);
}

const look *terminal_look(const terminal *terminal)
{
    return terminal->look;
}
