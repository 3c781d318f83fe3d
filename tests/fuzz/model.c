// Fuzzing the runtime against the model of its rules: bytes of the input replace the random numbers of a game.
//
// The first byte chooses the mix, the second the package, the third the matchers. A game ends when its bytes do.
// KIN_FUZZ_SHOW=1 prints all operations of a game.
#include "model/game/play.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { HEAD = 3, MIXES = 5, OPERATIONS = 2000 };

// The mixes of tests/model/test_model.c, smaller, so that many games are played.
static const model_mix mixes[MIXES] = {
    {"spread", {.first_creation_index = 1, .max_entities = 2000}, 24, 12, true, 30, 4, 40, 1, 4},
    {"narrow", {.first_creation_index = ((uint64_t)1 << 40) - 40, .max_entities = 6}, 12, 8, false, 30, 4, 40, 4, 4},
    {"counted", {.fast_retain = true, .first_creation_index = 1, .max_entities = 12}, 16, 8, false, 30, 5, 40, 1, 4},
    {"deep", {.first_creation_index = 7, .max_entities = 12}, 16, 8, false, 40, 8, 60, 10, 4},
    {"plain", {.first_creation_index = 1, .max_entities = 16}, 16, 10, false, 30, 6, 40, 1, 1},
};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size <= HEAD)
        return 0;
    model_matcher matchers[MODEL_MATCHER_LIMIT];
    model_package package = model_draw_matchers(&model_packages[bytes[1] % MODEL_PACKAGES], bytes[2], matchers);
    model_game game = {.package = &package,
                       .mix = &mixes[bytes[0] % MIXES],
                       .seed = 1,
                       .operations = OPERATIONS,
                       .bytes = bytes + HEAD,
                       .byte_count = size - HEAD};
    model_outcome outcome = {0};
    play_here(&game, getenv("KIN_FUZZ_SHOW") != NULL ? VOICE_ALL : VOICE_DIFFERENCE, &outcome);
    if (outcome.different)
        abort();
    return 0;
}
