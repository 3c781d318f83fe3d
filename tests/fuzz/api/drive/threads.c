// Threads: two threads play the same inputs at the same time, each with contexts of its own, under the thread
// sanitizer.
//
//   threads FILE...
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { THREADS = 2, INPUTS = 1000, LARGEST = 1 << 16 };

typedef struct input {
    uint8_t *bytes;
    size_t size;
} input;

static input inputs[INPUTS];
static size_t input_count;

static input read_input(const char *name)
{
    input input = {malloc(LARGEST), 0};
    FILE *file = fopen(name, "rb");
    if (file == NULL || input.bytes == NULL) {
        perror(name);
        exit(EXIT_FAILURE);
    }
    input.size = fread(input.bytes, 1, LARGEST, file);
    fclose(file);
    return input;
}

// The second thread goes from the last input to the first.
static void *play_all(void *thread)
{
    for (size_t i = 0; i < input_count; i++) {
        const input *input = &inputs[thread == NULL ? i : input_count - 1 - i];
        LLVMFuzzerTestOneInput(input->bytes, input->size);
    }
    return NULL;
}

int main(int count, char **names)
{
    pthread_t threads[THREADS];
    for (int i = 1; i < count && input_count < INPUTS; i++)
        inputs[input_count++] = read_input(names[i]);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, play_all, i == 0 ? NULL : inputs) != 0)
            return EXIT_FAILURE;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < input_count; i++)
        free(inputs[i].bytes);
    printf("%zu inputs in %d threads\n", input_count, THREADS);
    return EXIT_SUCCESS;
}
