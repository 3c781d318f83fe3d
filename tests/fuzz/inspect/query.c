// Fuzzing queries. One that is accepted is answered for all entities; one that is refused has a sentence, at a place in
// its text.
#include "inspect/game.h"

#include "query/query.h"

static kin_context *game;
static kin__query query;
static void *scratch;

static void answer_entity(kin_entity entity)
{
    kin__scalar key;
    if (query.has_order && kin__query_key(&query, game, entity, scratch, &key))
        REQUIRE(key.kind != KIN__SCALAR_NONE);
}

static void answer_query(void)
{
    for (uint32_t word = 0; word < kin_look_words(game); word++) {
        uint64_t match = kin__query_word(&query, game, word, scratch);
        for (uint32_t i = 0; i < 64; i++)
            if (match >> i & 1)
                answer_entity(kin_look_entity(game, 64 * word + i));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    kin__mistake mistake;
    if (game == NULL) {
        game = game_begin();
        scratch = malloc(kin__query_scratch(kin_context_info_of(game)));
    }
    char *text = text_of(bytes, size);
    if (kin__query_parse(&query, kin_context_info_of(game), text, &mistake)) {
        REQUIRE(mistake.code == 0);
        answer_query();
    } else {
        REQUIRE(mistake.code != 0 && mistake.message[0] != '\0' && mistake.at + mistake.length <= strlen(text));
    }
    free(text);
    return 0;
}
