#include "layout.h"

enum { PANEL_DOTS = 122, PANEL_DOTS_HIGH = 204, MARGIN_DOTS = 12, SCORE_DOTS = 42 };

static int smaller(int one, int other)
{
    return one < other ? one : other;
}

static int at_least_one(int number)
{
    return number < 1 ? 1 : number;
}

layout layout_of(size window, const Panel *panel)
{
    layout made = {.columns = panel->columns, .rows = panel->rows};
    made.dot = at_least_one(smaller(window.width / 340, window.height / (PANEL_DOTS_HIGH + 2 * MARGIN_DOTS)));
    int margin = MARGIN_DOTS * made.dot, beside = 3 * margin + PANEL_DOTS * made.dot;
    made.cell = at_least_one(smaller((window.width - beside) / made.columns, (window.height - 2 * margin) / made.rows));
    int width = made.cell * made.columns, height = made.cell * made.rows;
    made.board = (place){(window.width - width - beside) / 2 + margin, (window.height - height) / 2};
    made.panel = (place){made.board.x + width + margin, (window.height - PANEL_DOTS_HIGH * made.dot) / 2};
    made.score = (place){made.panel.x, made.panel.y + SCORE_DOTS * made.dot};
    return made;
}

place layout_cell(const layout *layout, int32_t column, float height)
{
    float above = ((float)layout->rows - 1 - height) * (float)layout->cell;
    return (place){layout->board.x + column * layout->cell,
                   layout->board.y + (int)(above < 0 ? above - 0.5f : above + 0.5f)};
}

bool layout_cell_at(const layout *layout, place at, Position *cell)
{
    int x = at.x - layout->board.x, y = at.y - layout->board.y;
    if (x < 0 || x >= layout->columns * layout->cell || y < 0 || y >= layout->rows * layout->cell)
        return false;
    *cell = (Position){x / layout->cell, layout->rows - 1 - y / layout->cell};
    return true;
}
