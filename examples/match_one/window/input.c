#include "input.h"

#include <SDL.h>

enum { FRAME_MILLISECONDS = 16, FOREVER = -1 };

static const struct {
    SDL_Keycode key;
    command command;
} keys[] = {
    {SDLK_LEFT, {ACTION_MOVE, -1, 0}},    {SDLK_DOWN, {ACTION_MOVE, 0, -1}},    {SDLK_UP, {ACTION_MOVE, 0, 1}},
    {SDLK_RIGHT, {ACTION_MOVE, 1, 0}},    {SDLK_SPACE, {ACTION_TAKE, 0, 0}},    {SDLK_RETURN, {ACTION_TAKE, 0, 0}},
    {SDLK_b, {ACTION_BURST, 0, 0}},       {SDLK_r, {ACTION_RESTART, 0, 0}},     {SDLK_COMMA, {ACTION_RESIZE, -1, 0}},
    {SDLK_LESS, {ACTION_RESIZE, -1, 0}},  {SDLK_PERIOD, {ACTION_RESIZE, 1, 0}}, {SDLK_GREATER, {ACTION_RESIZE, 1, 0}},
    {SDLK_MINUS, {ACTION_RESIZE, 0, -1}}, {SDLK_EQUALS, {ACTION_RESIZE, 0, 1}}, {SDLK_PLUS, {ACTION_RESIZE, 0, 1}},
    {SDLK_q, {ACTION_QUIT, 0, 0}},        {SDLK_ESCAPE, {ACTION_QUIT, 0, 0}},
};

static const command nothing = {ACTION_NONE, 0, 0};

static command of_key(SDL_Keycode key)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].key == key)
            return keys[i].command;
    return nothing;
}

static command of_mouse(const layout *layout, place at, action action)
{
    Position cell;
    return layout_cell_at(layout, at, &cell) ? (command){action, cell.x, cell.y} : nothing;
}

// A mouse may move many times a frame: only its current place matters.
static command of_motion(const layout *layout)
{
    place at;
    SDL_FlushEvent(SDL_MOUSEMOTION);
    SDL_GetMouseState(&at.x, &at.y);
    return of_mouse(layout, at, ACTION_AIM);
}

static command of_button(const layout *layout, const SDL_MouseButtonEvent *event)
{
    if (event->button == SDL_BUTTON_RIGHT)
        return (command){ACTION_BURST, 0, 0};
    return of_mouse(layout, (place){event->x, event->y}, event->button == SDL_BUTTON_LEFT ? ACTION_POINT : ACTION_AIM);
}

command input_read(const layout *layout, bool is_moving)
{
    SDL_Event event;
    if (SDL_WaitEventTimeout(&event, is_moving ? FRAME_MILLISECONDS : FOREVER) == 0)
        return nothing;
    switch (event.type) {
    case SDL_QUIT:
        return (command){ACTION_QUIT, 0, 0};
    case SDL_KEYDOWN:
        return of_key(event.key.keysym.sym);
    case SDL_MOUSEMOTION:
        return of_motion(layout);
    case SDL_MOUSEBUTTONDOWN:
        return of_button(layout, &event.button);
    default:
        return nothing;
    }
}
