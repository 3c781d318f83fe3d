#include "window.h"

#include "../scene.h"
#include "input.h"
#include "painter.h"
#include "png.h"

#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 860, HEIGHT = 640, SMALLEST_WIDTH = 400, SMALLEST_HEIGHT = 280 };

struct window {
    SDL_Window *window;
    painter painter;
};

static bool fail(const char *reason)
{
    fprintf(stderr, "match_one_window: %s\n", reason);
    return false;
}

static bool open_window(window *window)
{
    if (SDL_Init(SDL_INIT_VIDEO) != 0)
        return fail(SDL_GetError());
    window->window = SDL_CreateWindow("Match One", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, WIDTH, HEIGHT,
                                      SDL_WINDOW_RESIZABLE);
    if (window->window == NULL)
        return fail(SDL_GetError());
    SDL_SetWindowMinimumSize(window->window, SMALLEST_WIDTH, SMALLEST_HEIGHT);
    window->painter.renderer = SDL_CreateRenderer(window->window, -1, 0);
    return window->painter.renderer != NULL || fail(SDL_GetError());
}

window *window_open(void)
{
    window *made = calloc(1, sizeof *made);
    if (made == NULL) {
        fail("there is not enough memory");
        return NULL;
    }
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "linear");
    if (open_window(made))
        return made;
    window_close(made);
    return NULL;
}

void window_close(window *window)
{
    if (window == NULL)
        return;
    painter_release(&window->painter);
    if (window->painter.renderer != NULL)
        SDL_DestroyRenderer(window->painter.renderer);
    if (window->window != NULL)
        SDL_DestroyWindow(window->window);
    SDL_Quit();
    free(window);
}

static bool draw(window *window, player *player)
{
    return painter_draw(&window->painter, player->world->contexts->scene, player->cursor) || fail(SDL_GetError());
}

bool window_play(window *window, player *player)
{
    while (!player->quits) {
        if (!draw(window, player))
            return false;
        SDL_RenderPresent(window->painter.renderer);
        scene_context *scene = player->world->contexts->scene;
        layout layout = painter_layout(&window->painter, scene);
        player_act(player, input_read(&layout, is_scene_moving(scene)));
        if (!player->quits)
            player_update(player);
    }
    return player->world != NULL || fail("there is not enough memory");
}

// ---- a picture of it

static bool read_pixels(window *window, picture *picture)
{
    int width = 0, height = 0;
    SDL_GetRendererOutputSize(window->painter.renderer, &width, &height);
    *picture = (struct picture){malloc((size_t)width * (size_t)height * 3), (uint32_t)width, (uint32_t)height};
    return picture->pixels != NULL &&
           SDL_RenderReadPixels(window->painter.renderer, NULL, SDL_PIXELFORMAT_RGB24, picture->pixels, width * 3) == 0;
}

bool window_save(window *window, player *player, const char *path)
{
    picture picture;
    if (!draw(window, player))
        return false;
    bool saved = read_pixels(window, &picture) && png_write(&picture, path);
    free(picture.pixels);
    if (!saved)
        fprintf(stderr, "match_one_window: %s cannot be written\n", path);
    return saved;
}
