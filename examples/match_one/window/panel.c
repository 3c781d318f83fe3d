#include "panel.h"

#include "font.h"

#include <inttypes.h>
#include <stdio.h>

enum { LINE = 12, COLUMN = 12 * GLYPH_ADVANCE, TITLE_DOTS = 2 }; // in dots

static const SDL_Color bright = {245, 246, 250, 255}, dim = {140, 147, 168, 255}, accent = {247, 189, 51, 255};

// The place and size of the next letter.
typedef struct pen {
    SDL_Renderer *renderer;
    place at;
    int dot;
} pen;

static void write_letter(const pen *pen, char letter)
{
    SDL_Rect dot = {.w = pen->dot, .h = pen->dot};
    for (int y = 0; y < GLYPH_HEIGHT; y++)
        for (int x = 0; x < GLYPH_WIDTH; x++) {
            dot.x = pen->at.x + x * pen->dot;
            dot.y = pen->at.y + y * pen->dot;
            if (font_has_dot(letter, x, y))
                SDL_RenderFillRect(pen->renderer, &dot);
        }
}

static void write_text(pen pen, SDL_Color colour, const char *text)
{
    SDL_SetRenderDrawColor(pen.renderer, colour.r, colour.g, colour.b, colour.a);
    for (; *text != '\0'; text++) {
        write_letter(&pen, *text);
        pen.at.x += GLYPH_ADVANCE * pen.dot;
    }
}

static pen pen_at(SDL_Renderer *renderer, const layout *layout, place dots)
{
    place at = {layout->panel.x + dots.x * layout->dot, layout->panel.y + dots.y * layout->dot};
    return (pen){renderer, at, layout->dot};
}

static void write_score(SDL_Renderer *renderer, const layout *layout, int64_t points)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, points);
    write_text(pen_at(renderer, layout, (place){0, 30}), dim, "SCORE");
    write_text((pen){renderer, layout->score, layout->dot * DOTS_OF_SCORE}, bright, text);
}

static void write_burst(SDL_Renderer *renderer, const layout *layout, bool is_on)
{
    write_text(pen_at(renderer, layout, (place){0, 76}), dim, "BURST");
    write_text(pen_at(renderer, layout, (place){6 * GLYPH_ADVANCE, 76}), is_on ? accent : bright, is_on ? "ON" : "OFF");
    write_text(pen_at(renderer, layout, (place){0, 76 + LINE}), dim, is_on ? "ALL OF ITS COLOUR" : "ONE PIECE");
    write_text(pen_at(renderer, layout, (place){0, 76 + 2 * LINE}), dim, is_on ? "THAT HANG TOGETHER" : "AT A TIME");
}

static void write_help(SDL_Renderer *renderer, const layout *layout)
{
    static const struct {
        const char *key, *what;
    } lines[] = {{"CLICK", "TAKE"},    {"ARROWS", "MOVE"}, {"SPACE", "TAKE"}, {"B", "BURST"},
                 {"< > - +", "BOARD"}, {"R", "RESTART"},   {"ESCAPE", "QUIT"}};
    for (int i = 0; i < (int)(sizeof lines / sizeof *lines); i++) {
        write_text(pen_at(renderer, layout, (place){0, 124 + i * LINE}), bright, lines[i].key);
        write_text(pen_at(renderer, layout, (place){COLUMN, 124 + i * LINE}), dim, lines[i].what);
    }
}

void panel_draw(SDL_Renderer *renderer, const layout *layout, const Panel *panel)
{
    pen title = pen_at(renderer, layout, (place){0, 0});
    title.dot *= TITLE_DOTS;
    write_text(title, accent, "MATCH ONE");
    write_score(renderer, layout, panel->points);
    write_burst(renderer, layout, panel->burst);
    write_help(renderer, layout);
}
