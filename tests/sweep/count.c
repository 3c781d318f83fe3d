// Counts: how often each function was tried and was refused memory, by tests that run in processes of their own. The
// first process writes them at its end to the file that KIN_SWEEP_COUNTS names.

#define _DEFAULT_SOURCE // for anonymous memory

#include "sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LIMIT = 128, NAME_SIZE = 56 };

typedef struct count {
    char name[NAME_SIZE]; // empty: unused
    bool may_fail;
    uint32_t calls, refused, nested;
} count;

static count *counts; // shared by all processes
static pid_t first;

static void write_down(void)
{
    const char *path = getenv("KIN_SWEEP_COUNTS");
    FILE *file = path != NULL && getpid() == first ? fopen(path, "w") : NULL;
    if (file == NULL)
        return;
    for (uint32_t i = 0; i < LIMIT && counts[i].name[0] != '\0'; i++)
        fprintf(file, "%s %d %u %u %u\n", counts[i].name, counts[i].may_fail, counts[i].calls, counts[i].refused,
                counts[i].nested);
    fclose(file);
}

__attribute__((constructor)) static void begin(void)
{
    counts = mmap(NULL, LIMIT * sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    first = getpid();
    if (counts == MAP_FAILED || atexit(write_down) != 0)
        abort();
}

void sweep_count(const sweep_attempt *attempt)
{
    uint32_t place = 0;
    while (counts[place].name[0] != '\0' && strcmp(counts[place].name, attempt->name) != 0)
        if (++place == LIMIT)
            abort();
    snprintf(counts[place].name, NAME_SIZE, "%s", attempt->name);
    counts[place].may_fail = attempt->may_fail;
    counts[place].calls += !attempt->refused;
    counts[place].refused += attempt->refused;
    counts[place].nested += attempt->refused && attempt->outer != NULL;
}
