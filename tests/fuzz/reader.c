// Fuzzing the reader: any bytes as a schema, from memory to the model.
#include "trial.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const char *wrong = trial_of_schema("fuzz.yaml", (const char *)bytes, size);
    if (wrong == NULL)
        return 0;
    fprintf(stderr, "%s\n", wrong);
    abort();
}
