// Match-One as a page. page.html draws and has the keys and the mouse; the game is that of the terminal.
//
// The arguments are those of the window: --seed N, --columns N, --rows N. The page takes them from its address.

#include "../options.h"
#include "../player.h"
#include "../window/tile.h"

#include <emscripten.h>
#include <stdio.h>
#include <stdlib.h>

static player self;
static int painted; // the size of cells that the page has tiles for

// ---- what the page does

// Clears the board, and returns the size of a cell in pixels.
EM_JS(int, page_begin, (int columns, int rows), { return page.begin(columns, rows); })

// The pixels are copied.
EM_JS(void, page_set_tile, (int tile, int size, const uint32_t *pixels), {
    page.setTile(tile, new ImageData(new Uint8ClampedArray(HEAPU8.buffer, pixels, 4 * size * size).slice(), size));
})

// `gone` grows from 0 to 1 while a tile fades.
EM_JS(void, page_draw, (int tile, int column, float height, float gone), { page.draw(tile, column, height, gone); })

EM_JS(void, page_show, (double points, bool burst), { page.show(points, burst); })

// ---- drawing

// Runs once for each size of cells.
static bool paint_tiles(int size)
{
    uint32_t *pixels = malloc((size_t)size * (size_t)size * sizeof *pixels);
    if (pixels == NULL)
        return false;
    for (int tile = 0; tile < TILE_COUNT; tile++) {
        tile_paint(tile, size, pixels);
        page_set_tile(tile, size, pixels);
    }
    free(pixels);
    painted = size;
    return true;
}

static void draw_tiles(scene_context *scene)
{
    scene_standing_iter standing = scene_standing_iterate(scene);
    while (scene_standing_next(&standing))
        for (uint32_t i = 0; i < standing.count; i++)
            page_draw((int)standing.tile[i].kind, standing.tile[i].column, standing.tile[i].height, 0);
    float all = fading_default().left;
    scene_fading_iter fading = scene_fading_iterate(scene);
    while (scene_fading_next(&fading))
        for (uint32_t i = 0; i < fading.count; i++)
            page_draw((int)fading.tile[i].kind, fading.tile[i].column, fading.tile[i].height,
                      1 - fading.fading[i].left / all);
}

static void draw(void)
{
    scene_context *scene = self.world->contexts->scene;
    const Panel *panel = scene_get_unique_panel(scene);
    int size = page_begin(panel->columns, panel->rows);
    if (size != painted && !paint_tiles(size))
        return;
    for (int32_t y = 0; y < panel->rows; y++)
        for (int32_t x = 0; x < panel->columns; x++)
            page_draw(TILE_HOLE, x, (float)y, 0);
    draw_tiles(scene);
    page_draw(TILE_CURSOR, self.cursor.x, (float)self.cursor.y, 0);
    page_show((double)panel->points, panel->burst);
}

// ---- what the page calls

static void act(action action, int32_t x, int32_t y)
{
    player_act(&self, (command){action, x, y});
    if (self.quits) // no memory for another game
        emscripten_cancel_main_loop();
}

EMSCRIPTEN_KEEPALIVE void game_move(int x, int y)
{
    act(ACTION_MOVE, x, y);
}

EMSCRIPTEN_KEEPALIVE void game_take(void)
{
    act(ACTION_TAKE, 0, 0);
}

EMSCRIPTEN_KEEPALIVE void game_aim(int x, int y)
{
    act(ACTION_AIM, x, y);
}

EMSCRIPTEN_KEEPALIVE void game_point(int x, int y)
{
    act(ACTION_POINT, x, y);
}

EMSCRIPTEN_KEEPALIVE void game_burst(void)
{
    act(ACTION_BURST, 0, 0);
}

EMSCRIPTEN_KEEPALIVE void game_resize(int columns, int rows)
{
    act(ACTION_RESIZE, columns, rows);
}

EMSCRIPTEN_KEEPALIVE void game_restart(void)
{
    act(ACTION_RESTART, 0, 0);
}

// Returns the kind of the piece in a cell, or -1.
EMSCRIPTEN_KEEPALIVE int game_kind_at(int x, int y)
{
    game_context *game = self.world->contexts->game;
    const Piece *piece = game_get_piece(game, game_entity_with_cell(game, x, y));
    return piece == NULL ? -1 : (int)piece->kind;
}

static void run_frame(void)
{
    player_update(&self);
    draw();
}

int main(int argc, char **argv)
{
    Rules rules = rules_default();
    for (int i = 1; i + 1 < argc; i += 2)
        if (!option_rule(&rules, argv[i], argv[i + 1]))
            fprintf(stderr, "match_one: %s cannot be %s\n", argv[i], argv[i + 1]);
    self.seed = rules.seed;
    if (!player_begin(&self, rules))
        return EXIT_FAILURE;
    emscripten_set_main_loop(run_frame, 0, false); // as often as the page is drawn
    return EXIT_SUCCESS;
}
