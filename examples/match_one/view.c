#include "view.h"

#include <curses.h>
#include <inttypes.h>

enum { GAP = 3, PANEL_WIDTH = 24, PANEL_HEIGHT = 17 };

// ---- layout

// The upper left corner of the frame and the size of its content, in lines and columns of the terminal.
typedef struct layout {
    int top, left, height, width;
} layout;

static int lines_needed(layout layout)
{
    return layout.height + 2 > PANEL_HEIGHT ? layout.height + 2 : PANEL_HEIGHT;
}

static int columns_needed(layout layout)
{
    return layout.width + 2 + GAP + PANEL_WIDTH;
}

static layout lay_out(const Panel *panel)
{
    layout made = {.height = panel->rows * CELL_HEIGHT, .width = panel->columns * CELL_WIDTH};
    made.top = (LINES - lines_needed(made)) / 2;
    made.left = (COLS - columns_needed(made)) / 2;
    return made;
}

static bool fits(layout layout)
{
    return LINES >= lines_needed(layout) && COLS >= columns_needed(layout);
}

bool view_cell_at(scene_context *scene, int line, int column, Position *cell)
{
    const Panel *panel = scene_get_unique_panel(scene);
    layout layout = lay_out(panel);
    line -= layout.top + 1;
    column -= layout.left + 1;
    if (line < 0 || line >= layout.height || column < 0 || column >= layout.width)
        return false;
    *cell = (Position){column / CELL_WIDTH, panel->rows - 1 - line / CELL_HEIGHT};
    return true;
}

// ---- the board

// Draws the lines of a cell; `height` is in rows above the lowest. ncurses clips cells above the board.
static void draw_cell(WINDOW *board, const char *const lines[CELL_HEIGHT], int column, float height)
{
    int last = getmaxy(board) - 1 - (int)(height * CELL_HEIGHT + 0.5f);
    for (int i = 0; i < CELL_HEIGHT; i++)
        mvwaddstr(board, last - CELL_HEIGHT + 1 + i, column, lines[i]);
}

static bool is_under(Position cursor, const Tile *tile)
{
    float above = tile->height - (float)cursor.y;
    return tile->column == cursor.x && above > -0.5f && above < 0.5f;
}

static void draw_tile(const terminal *terminal, WINDOW *board, const Tile *tile, bool is_chosen)
{
    wattrset(board, terminal_kind(terminal, tile->kind, is_chosen));
    draw_cell(board, terminal_look(terminal)->tiles[tile->kind], tile->column * CELL_WIDTH + TILE_INDENT, tile->height);
}

// Draws fading tiles first, so that falling ones cover them.
static void draw_tiles(const terminal *terminal, WINDOW *board, scene_context *scene, Position cursor)
{
    scene_fading_iter fading = scene_fading_iterate(scene);
    while (scene_fading_next(&fading))
        for (uint32_t i = 0; i < fading.count; i++) {
            const Tile *tile = &fading.tile[i];
            wattrset(board, terminal_kind(terminal, tile->kind, is_under(cursor, tile)));
            draw_cell(board, terminal_look(terminal)->fading, tile->column * CELL_WIDTH + TILE_INDENT, tile->height);
        }
    scene_standing_iter standing = scene_standing_iterate(scene);
    while (scene_standing_next(&standing))
        for (uint32_t i = 0; i < standing.count; i++)
            draw_tile(terminal, board, &standing.tile[i], is_under(cursor, &standing.tile[i]));
}

static void draw_board(const terminal *terminal, scene_context *scene, Position cursor)
{
    layout layout = lay_out(scene_get_unique_panel(scene));
    WINDOW *frame = newwin(layout.height + 2, layout.width + 2, layout.top, layout.left);
    WINDOW *board = derwin(frame, layout.height, layout.width, 1, 1);
    box(frame, 0, 0);
    wbkgd(board, (chtype)terminal_board(terminal));
    wattrset(board, terminal_cursor(terminal));
    draw_cell(board, terminal_look(terminal)->cursor, cursor.x * CELL_WIDTH, (float)cursor.y);
    draw_tiles(terminal, board, scene, cursor);
    touchwin(frame);
    wnoutrefresh(frame);
    delwin(board);
    delwin(frame);
}

// ---- the panel

static void draw_panel(const Panel *panel, layout layout)
{
    static const char *const lines[] = {"arrows, hjkl   move",  "space, enter   take",   "mouse          take",
                                        "b              burst", "< > - +        resize", "r              new game",
                                        "q, escape      quit"};
    int column = layout.left + layout.width + 2 + GAP, line = layout.top + 1;
    attrset(A_BOLD);
    mvaddstr(line, column, "MATCH ONE");
    mvprintw(line + 2, column, "score  %" PRId64, panel->points);
    mvprintw(line + 3, column, "burst  %s", panel->burst ? "on" : "off");
    attrset(A_NORMAL);
    mvaddstr(line + 5, column, panel->burst ? "Takes all of its colour" : "Takes one piece.");
    mvaddstr(line + 6, column, panel->burst ? "that hang together." : "");
    for (int i = 0; i < (int)(sizeof lines / sizeof *lines); i++)
        mvaddstr(line + 8 + i, column, lines[i]);
}

static void ask_for_room(layout layout)
{
    mvprintw(0, 0, "Match One needs %d x %d characters, and here are %d x %d.\n", columns_needed(layout),
             lines_needed(layout), COLS, LINES);
    addstr("Enlarge the window, make the board smaller with < and -, or quit with q.");
}

void view_draw(const terminal *terminal, scene_context *scene, Position cursor)
{
    const Panel *panel = scene_get_unique_panel(scene);
    layout layout = lay_out(panel);
    erase();
    attrset(A_NORMAL);
    if (fits(layout))
        draw_panel(panel, layout);
    else
        ask_for_room(layout);
    wnoutrefresh(stdscr);
    if (fits(layout))
        draw_board(terminal, scene, cursor);
    doupdate();
}
