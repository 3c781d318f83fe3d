// Fuzzing the inspector without sockets. The first byte chooses what the others are:
//
//   r  a request, whole
//   q  a query           of entities.query, and of time.until
//   p  a path            of components.set
//   v  a value, as JSON  for a component that the second byte chooses
//
// Each answer must be a document of JSON, or nothing. A value that is accepted is what is read back.
#include <everything/everything.h>
#include <kin/inspect.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { ANSWER = 8 * 1024 * 1024, MOST_ENTITIES = 64 };

static kin_inspector *inspector;
static my_game_context *game;
static char answer[ANSWER];

// Opaque values cannot be given.
void sprite_release(struct sprite *sprite)
{
    (void)sprite;
}

static void ignore_error(const kin_error *error, void *user)
{
    (void)error, (void)user;
}

static void begin(void)
{
    game = my_game_context_create(&(kin_context_options){.on_error = ignore_error});
    inspector = kin_inspector_create(&(kin_inspector_options){.offline = true, .on_error = ignore_error});
    if (game == NULL || inspector == NULL || kin_inspector_add(inspector, &game->base, NULL) != KIN_OK)
        abort();
    for (int i = 0; i < 4; i++)
        my_game_create_entity(game);
}

static void end(void)
{
    kin_inspector_destroy(inspector);
    my_game_context_destroy(game);
}

// Returns the answer, which the caller releases; NULL without one.
static json_t *send_request(const char *request, size_t size)
{
    size_t length = kin_inspector_request(inspector, request, size, answer, sizeof answer);
    if (length >= sizeof answer || length != strlen(answer))
        abort();
    json_t *document = length == 0 ? NULL : json_loadb(answer, length, 0, NULL);
    if (length != 0 && document == NULL) {
        fprintf(stderr, "no JSON: %s\n", answer);
        abort();
    }
    return document;
}

// Asks a method. `parameters` is taken over; NULL: not asked.
static json_t *ask(const char *method, json_t *parameters)
{
    json_t *request =
        json_pack("{s:s, s:i, s:s, s:o*}", "jsonrpc", "2.0", "id", 1, "method", method, "params", parameters);
    char *text = parameters == NULL ? NULL : json_dumps(request, JSON_COMPACT);
    json_t *given = text == NULL ? NULL : send_request(text, strlen(text));
    free(text);
    json_decref(request);
    return given;
}

static void ask_query(const char *text, size_t size)
{
    json_decref(ask("entities.query", json_pack("{s:s%}", "query", text, size)));
    json_decref(ask("time.until", json_pack("{s:s%}", "query", text, size)));
    json_decref(ask("time.resume", json_object()));
}

static void ask_path(const char *text, size_t size)
{
    for (int id = 0; id < 4; id++)
        json_decref(
            ask("components.set", json_pack("{s:s, s:s%, s:i}", "entity", "1:0", "path", text, size, "value", id)));
}

static void ask_value(uint8_t number, const char *text, size_t size)
{
    const kin_context_info *info = kin_context_info_of(&game->base);
    const char *component = info->components[number % info->component_count].name;
    json_t *value = json_loadb(text, size, JSON_DECODE_ANY, NULL);
    if (value == NULL)
        return;
    json_t *added =
        ask("components.add", json_pack("{s:s, s:s, s:O}", "entity", "2:1", "component", component, "value", value));
    json_decref(added);
    json_decref(ask("components.replace",
                    json_pack("{s:s, s:s, s:O}", "entity", "2:1", "component", component, "value", value)));
    // What the inspector shows, it reads.
    json_t *removed = ask("components.remove", json_pack("{s:s, s:s}", "entity", "2:1", "component", component));
    json_t *previous = json_object_get(json_object_get(removed, "result"), "previous");
    if (json_is_object(previous))
        json_decref(ask("components.add",
                        json_pack("{s:s, s:s, s:O}", "entity", "2:1", "component", component, "value", previous)));
    json_decref(ask("components.remove", json_pack("{s:s, s:s}", "entity", "2:1", "component", component)));
    json_decref(removed);
    json_decref(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 2)
        return 0;
    begin();
    const char *text = (const char *)bytes + 1;
    if (bytes[0] == 'q')
        ask_query(text, size - 1);
    else if (bytes[0] == 'p')
        ask_path(text, size - 1);
    else if (bytes[0] == 'v')
        ask_value(bytes[1], text + 1, size - 2);
    else
        json_decref(send_request(text, size - 1));
    end();
    return 0;
}
