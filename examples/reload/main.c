// A game that goes on while its systems are compiled again: each line of input is a frame.
//
//   reload LIBRARY

#include "library.h"

#include <stdio.h>

static bool read_line(void)
{
    int letter;
    do
        letter = getchar();
    while (letter != '\n' && letter != EOF);
    return letter != EOF;
}

// Loads the library if there is a new build of it, then runs a frame.
static void frame(library *library, reload_contexts *contexts)
{
    if (library_has_changed(library)) {
        library_close(library);
        if (!library_open(library, contexts))
            return;
        printf("loaded the systems\n");
    }
    library->update(library->world, 1);
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: reload LIBRARY\n");
        return 2;
    }
    reload_contexts *contexts = reload_contexts_create(NULL);
    if (contexts == NULL)
        return 1;
    game_spawn_ball(contexts->game);
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("Press Enter for a frame. Edit and build the systems whenever you like. Ctrl-D ends the game.\n");
    library library = {.path = arguments[1]};
    while (read_line())
        frame(&library, contexts);
    library_close(&library);
    reload_contexts_destroy(contexts);
    return 0;
}
