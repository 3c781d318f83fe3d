// Fuzzing paths. One that is accepted is followed in each entity that has its component; it must stay within the value.
#include "inspect/game.h"

#include "query/query.h"

enum { GAMES = 2 };

static kin_context *games[GAMES];

static void read_place(const kin__path *path, const char *value)
{
    const char *at = kin__path_address(path, value);
    size_t size = path->is_element ? kin__element_size(path->field) : path->field->size;
    if (at == NULL || size == 0)
        return;
    volatile char first = at[0], last = at[size - 1];
    (void)first, (void)last;
    if (kin__path_is_single(path))
        REQUIRE(kin__scalar_read(path->field, at).kind != KIN__SCALAR_NONE);
}

static void follow(kin_context *game, const kin__path *path)
{
    size_t room = kin__query_room(kin_context_info_of(game), path->component);
    void *scratch = malloc(room);
    for (uint32_t slot = 0; slot < GAME_ENTITIES; slot++) {
        const void *value = kin__query_value(game, kin_look_entity(game, slot), path->component, scratch);
        if (value != NULL)
            read_place(path, value);
    }
    free(scratch);
}

static void try_path(kin_context *game, const char *text)
{
    kin__mistake mistake = {0};
    kin__path path;
    kin__scan scan = kin__scan_begin(text, &mistake);
    kin_component_id named[] = {0, 1};
    kin__path_scope scope = {kin_context_info_of(game), KIN_NO_COMPONENT, named, 2, false};
    if (mistake.code == 0 && kin__path_parse(&scan, &scope, &path))
        follow(game, &path);
    else
        REQUIRE(mistake.code != 0 && mistake.message[0] != '\0' && mistake.at + mistake.length <= strlen(text));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (games[0] == NULL) {
        games[0] = game_begin();
        games[1] = shop_begin();
    }
    char *text = text_of(bytes, size);
    for (int i = 0; i < GAMES; i++)
        try_path(games[i], text);
    free(text);
    return 0;
}
