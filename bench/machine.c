// Machine: the implementation for Linux and glibc, which the bench requires.

#include "machine.h"

#include <malloc.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

static bool pin(void)
{
    cpu_set_t processors;
    int processor = sched_getcpu();
    if (processor < 0)
        return false;
    CPU_ZERO(&processors);
    CPU_SET((size_t)processor, &processors);
    return sched_setaffinity(0, sizeof processors, &processors) == 0;
}

static void read_processor(char *name, size_t size)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(name, size, "unknown");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':') != NULL) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(name, size, "%s", strchr(line, ':') + 2);
            break;
        }
    if (file != NULL)
        fclose(file);
}

machine machine_prepare(void)
{
    machine machine = {.compiler = COMPILER, .flags = BENCH_FLAGS, .is_pinned = pin()};
    read_processor(machine.processor, sizeof machine.processor);
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, INT32_MAX);
    mallopt(M_TOP_PAD, 16 << 20);
    return machine;
}
