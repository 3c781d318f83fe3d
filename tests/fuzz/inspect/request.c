// Fuzzing requests, whole, of a context and of a town. Each answer must be a document of JSON, or nothing. Then the
// town goes on, as far as the request lets it.
#include "inspect/game.h"

#include "runtime/support/town_case.h"

#include <everything/everything.h>
#include <kin/inspect.h>

#include <jansson.h>

enum { ANSWER = 8 * 1024 * 1024, UPDATES = 2 };

static kin_inspector *inspector;
static my_game_context *game;
static char answer[ANSWER];

// The game does not wait for a viewer.
static void resume(void *user)
{
    static const char request[] = "{\"jsonrpc\":\"2.0\",\"method\":\"time.resume\",\"params\":{\"world\":\"town\"}}";
    (void)user;
    kin_inspector_request(inspector, request, sizeof request - 1, NULL, 0);
}

static void begin(void)
{
    kin_inspector_options options = {.offline = true, .on_error = game_ignore_error, .on_hold = resume};
    town = town_world_create(&(kin_context_options){.on_error = game_ignore_error}, NULL);
    game = (my_game_context *)game_begin();
    inspector = kin_inspector_create(&options);
    REQUIRE(town != NULL && inspector != NULL && kin_inspector_add(inspector, &game->base, NULL) == KIN_OK);
    REQUIRE(kin_inspector_add_world(inspector, town_world_base(town)) == KIN_OK);
}

static void end(void)
{
    for (int i = 0; i < UPDATES; i++)
        town_world_update(town, 1);
    kin_inspector_destroy(inspector);
    town_world_destroy(town);
    my_game_context_destroy(game);
    inspector = NULL;
}

// Returns whether the request reached no method: then the game is as before, and stays for the next input.
static bool reached_nothing(const json_t *document)
{
    json_int_t code = json_integer_value(json_object_get(json_object_get(document, "error"), "code"));
    return document == NULL || (code <= -32600 && code >= -32768);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (inspector == NULL)
        begin();
    size_t length = kin_inspector_request(inspector, (const char *)bytes, size, answer, sizeof answer);
    REQUIRE(length < sizeof answer && length == strlen(answer));
    json_t *document = length == 0 ? NULL : json_loadb(answer, length, 0, NULL);
    if (length != 0 && document == NULL) {
        fprintf(stderr, "no JSON: %s\n", answer);
        abort();
    }
    bool is_fresh = length != 0 && reached_nothing(document);
    json_decref(document);
    if (!is_fresh)
        end();
    return 0;
}
