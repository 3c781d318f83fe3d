#include "keys.h"

#include "view.h"

#include <curses.h>

enum { FRAME_MILLISECONDS = 25, FOREVER = -1, KEY_ESCAPE = 27 };

static const struct {
    int key;
    command command;
} keys[] = {
    {KEY_LEFT, {ACTION_MOVE, -1, 0}}, {'h', {ACTION_MOVE, -1, 0}},      {KEY_DOWN, {ACTION_MOVE, 0, -1}},
    {'j', {ACTION_MOVE, 0, -1}},      {KEY_UP, {ACTION_MOVE, 0, 1}},    {'k', {ACTION_MOVE, 0, 1}},
    {KEY_RIGHT, {ACTION_MOVE, 1, 0}}, {'l', {ACTION_MOVE, 1, 0}},       {' ', {ACTION_TAKE, 0, 0}},
    {'\n', {ACTION_TAKE, 0, 0}},      {KEY_ENTER, {ACTION_TAKE, 0, 0}}, {'b', {ACTION_BURST, 0, 0}},
    {'r', {ACTION_RESTART, 0, 0}},    {'<', {ACTION_RESIZE, -1, 0}},    {'>', {ACTION_RESIZE, 1, 0}},
    {'-', {ACTION_RESIZE, 0, -1}},    {'+', {ACTION_RESIZE, 0, 1}},     {'q', {ACTION_QUIT, 0, 0}},
};

static const command nothing = {ACTION_NONE, 0, 0}, quit = {ACTION_QUIT, 0, 0};

static command read_mouse(scene_context *scene)
{
    MEVENT event;
    Position cell;
    if (getmouse(&event) != OK || !view_cell_at(scene, event.y, event.x, &cell))
        return nothing;
    return (command){ACTION_POINT, cell.x, cell.y};
}

// Skips the sequence of an unknown key, which begins like the escape key and ends in a letter or `~`. Returns false if
// nothing follows, as after the escape key itself.
static bool skip_unknown_key(void)
{
    timeout(0);
    int key = getch();
    if (key == ERR)
        return false;
    if (key == '[' || key == 'O')
        do
            key = getch();
        while (key != ERR && (key < '@' || key > '~'));
    return true;
}

// Without a timeout, waiting ends without a key only if the terminal was closed.
command keys_read(scene_context *scene, bool is_moving)
{
    timeout(is_moving ? FRAME_MILLISECONDS : FOREVER);
    int key = getch();
    if (key == ERR)
        return is_moving ? nothing : quit;
    if (key == KEY_MOUSE)
        return read_mouse(scene);
    if (key == KEY_ESCAPE)
        return skip_unknown_key() ? nothing : quit;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].key == key)
            return keys[i].command;
    return nothing;
}
