// Prints the saves of fixed states with their hashes: the same text on every machine (FIL-01). Each is read again.

#include "save/golden.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Returns whether what was read has the hash, and is written as it was.
static bool is_read(int number, buffer *file, uint64_t hash)
{
    buffer again;
    kin_snapshot *read = NULL;
    kin_context *context = golden_create(number, false);
    memset(&again, 0, sizeof again);
    bool same = kin_context_read(context, &read, buffer_source(file), NULL, NULL) == KIN_OK &&
                kin_snapshot_hash(read) == hash && kin_snapshot_write(read, buffer_sink(&again), NULL) == KIN_OK &&
                again.size == file->size && memcmp(again.bytes, file->bytes, file->size) == 0;
    kin_snapshot_destroy(read);
    golden_destroy(context);
    buffer_release(&again);
    return same;
}

int main(void)
{
    for (int number = 0; number < GOLDEN_SAVES; number++) {
        buffer file;
        memset(&file, 0, sizeof file);
        kin_context *context = golden_create(number, true);
        uint64_t hash = golden_write(context, &file);
        printf("%s\n%016" PRIx64 "\n", golden_names[number], hash);
        for (size_t i = 0; i < file.size; i++)
            printf("%02x", file.bytes[i]);
        printf("\n");
        bool same = is_read(number, &file, hash);
        golden_destroy(context);
        buffer_release(&file);
        if (!same)
            return 1;
    }
    return 0;
}
