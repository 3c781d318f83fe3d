#include "painter.h"

#include "panel.h"

#include <stdlib.h>

static const float fading_growth = 0.35f; // a fading tile grows by this fraction

layout painter_layout(const painter *painter, scene_context *scene)
{
    size window = {0};
    SDL_GetRendererOutputSize(painter->renderer, &window.width, &window.height);
    return layout_of(window, scene_get_unique_panel(scene));
}

// ---- the pictures of tiles

void painter_release(painter *painter)
{
    for (int i = 0; i < TILE_COUNT; i++)
        if (painter->tiles[i] != NULL)
            SDL_DestroyTexture(painter->tiles[i]);
    *painter = (struct painter){.renderer = painter->renderer};
}

static bool make_tile(painter *painter, int tile, uint32_t *pixels)
{
    int size = painter->size;
    SDL_Texture *made =
        SDL_CreateTexture(painter->renderer, SDL_PIXELFORMAT_ABGR8888, SDL_TEXTUREACCESS_STATIC, size, size);
    painter->tiles[tile] = made;
    if (made == NULL)
        return false;
    tile_paint(tile, size, pixels);
    SDL_SetTextureBlendMode(made, SDL_BLENDMODE_BLEND);
    return SDL_UpdateTexture(made, NULL, pixels, size * (int)sizeof *pixels) == 0;
}

// Runs once for each size of cells.
static bool make_tiles(painter *painter, int size)
{
    if (size == painter->size)
        return true;
    painter_release(painter);
    uint32_t *pixels = malloc((size_t)size * (size_t)size * sizeof *pixels);
    bool made = pixels != NULL;
    painter->size = size;
    for (int i = 0; i < TILE_COUNT; i++)
        made = made && make_tile(painter, i, pixels);
    free(pixels);
    return made;
}

// ---- the board

static void draw_at(const painter *painter, int tile, place at)
{
    SDL_Rect where = {at.x, at.y, painter->size, painter->size};
    SDL_RenderCopy(painter->renderer, painter->tiles[tile], NULL, &where);
}

static void draw_holes(const painter *painter, const layout *layout)
{
    for (int32_t y = 0; y < layout->rows; y++)
        for (int32_t x = 0; x < layout->columns; x++)
            draw_at(painter, TILE_HOLE, layout_cell(layout, x, (float)y));
}

static void draw_fading_tile(const painter *painter, place at, Kind kind, float gone)
{
    SDL_Texture *picture = painter->tiles[kind];
    int growth = (int)((float)painter->size * fading_growth * gone / 2);
    SDL_Rect larger = {at.x - growth, at.y - growth, painter->size + 2 * growth, painter->size + 2 * growth};
    SDL_SetTextureAlphaMod(picture, (Uint8)(255 * (1 - gone)));
    SDL_RenderCopy(painter->renderer, picture, NULL, &larger);
    SDL_SetTextureAlphaMod(picture, 255);
}

static void draw_standing_tiles(const painter *painter, const layout *layout, scene_context *scene)
{
    scene_standing_iter it = scene_standing_iterate(scene);
    while (scene_standing_next(&it))
        for (uint32_t i = 0; i < it.count; i++)
            draw_at(painter, (int)it.tile[i].kind, layout_cell(layout, it.tile[i].column, it.tile[i].height));
}

// Draws fading tiles over the others.
static void draw_fading_tiles(const painter *painter, const layout *layout, scene_context *scene)
{
    float all = fading_default().left;
    scene_fading_iter it = scene_fading_iterate(scene);
    while (scene_fading_next(&it))
        for (uint32_t i = 0; i < it.count; i++)
            draw_fading_tile(painter, layout_cell(layout, it.tile[i].column, it.tile[i].height), it.tile[i].kind,
                             1 - it.fading[i].left / all);
}

static void draw_board(const painter *painter, const layout *layout, scene_context *scene, Position cursor)
{
    SDL_Rect board = {layout->board.x, layout->board.y, layout->columns * layout->cell, layout->rows * layout->cell};
    SDL_RenderSetClipRect(painter->renderer, &board);
    draw_holes(painter, layout);
    draw_standing_tiles(painter, layout, scene);
    draw_fading_tiles(painter, layout, scene);
    draw_at(painter, TILE_CURSOR, layout_cell(layout, cursor.x, (float)cursor.y));
    SDL_RenderSetClipRect(painter->renderer, NULL);
}

bool painter_draw(painter *painter, scene_context *scene, Position cursor)
{
    layout layout = painter_layout(painter, scene);
    if (!make_tiles(painter, layout.cell))
        return false;
    SDL_SetRenderDrawColor(painter->renderer, 24, 26, 38, 255);
    SDL_RenderClear(painter->renderer);
    draw_board(painter, &layout, scene, cursor);
    panel_draw(painter->renderer, &layout, scene_get_unique_panel(scene));
    return true;
}
