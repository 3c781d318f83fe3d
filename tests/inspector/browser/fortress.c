// Fortress: a game whose towers are content, which it watches.
//
//     fortress FOLDER [TOKEN]
//
// It updates 60 times a second until stdin ends.
#include "fortress/fortress.h"
#include "fortress/fortress_content.h"

#include <kin/content_edit.h>
#include <kin/inspect.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FRAME_MILLISECONDS = 16 };

// Opens the pack beside the folder, and watches the folder.
static kin_content *open_content(game_context *game, const char *folder)
{
    char pack[512];
    snprintf(pack, sizeof pack, "%s/content.kinc", folder);
    kin_content *content = game_content_open(game, pack, NULL);
    if (content != NULL)
        kin_content_watch(content, folder, NULL);
    return content;
}

int main(int count, char **arguments)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    char line[64];
    double delta = 0;
    game_context *game = game_context_create(NULL);
    kin_content *content = game == NULL || count < 2 ? NULL : open_content(game, arguments[1]);
    kin_inspector_options options = {.name = "fortress", .token = count > 2 ? arguments[2] : NULL};
    if (content == NULL)
        return EXIT_FAILURE;
    game_place_level(game, "valley");
    kin_inspector *inspector = kin_inspector_create(&options);
    kin_inspector_add(inspector, &game->base, NULL);
    while (poll(&in, 1, FRAME_MILLISECONDS) <= 0 || read(STDIN_FILENO, line, sizeof line) > 0) {
        kin_inspector_frame(inspector, &delta);
        kin_content_poll(content);
    }
    kin_inspector_destroy(inspector);
    game_context_destroy(game);
    return EXIT_SUCCESS;
}
