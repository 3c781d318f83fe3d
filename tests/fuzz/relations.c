// Fuzzing relations against their second implementation: bytes of the input choose the operations of a game.
#include "runtime/lookup/family_game.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size > 0)
        family_game_play(&(family_game){.bytes = bytes, .byte_count = size});
    return 0;
}
