// Memory: runs each side in a process, which sends its figures through a pipe.

#include "memory.h"
#include "hand/store.h"
#include "kin/store.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

// Returns a figure of /proc/self/status in bytes; 0 if it is missing.
static double status_bytes(const char *name)
{
    char line[256];
    double bytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, strlen(name)) == 0)
            bytes = strtod(line + strlen(name), NULL) * 1024;
    if (file != NULL)
        fclose(file);
    return bytes;
}

// The store allocates all its arrays, but only writes those of components that its entities have.
static double fill_hand(void)
{
    hand_store store = {.top = 0};
    for (uint32_t i = 0; i < MEMORY_ENTITIES; i++) {
        hand_entity made = hand_create(&store);
        hand_add_position(&store, made, workload_position(i));
        hand_add_velocity(&store, made, workload_velocity(i));
    }
    return (double)store.capacity *
           (sizeof(hand_slot) + sizeof(Position) + sizeof(Velocity) + sizeof(Health) + sizeof(Data));
}

static void *allocate_counted(size_t size, size_t alignment, void *user)
{
    *(double *)user += (double)size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release_counted(void *memory, size_t size, void *user)
{
    *(double *)user -= (double)size;
    free(memory);
}

static double fill_kin(void)
{
    static double held;
    game_context *game =
        game_context_create(&(kin_context_options){.allocator = {allocate_counted, release_counted, &held}});
    for (uint32_t i = 0; i < MEMORY_ENTITIES; i++) {
        game_entity made = game_create_entity(game);
        game_add_position(game, made, workload_position(i));
        game_add_velocity(game, made, workload_velocity(i));
    }
    return held;
}

static memory_side fill(double (*fill_side)(void))
{
    double before = status_bytes("VmRSS:");
    double held = fill_side();
    return (memory_side){(status_bytes("VmRSS:") - before) / MEMORY_ENTITIES,
                         (status_bytes("VmHWM:") - before) / MEMORY_ENTITIES, held / MEMORY_ENTITIES};
}

static bool measure(double (*fill_side)(void), memory_side *side)
{
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    pid_t child = fork();
    if (child == 0) {
        *side = fill(fill_side);
        _exit(write(ends[1], side, sizeof *side) == sizeof *side ? 0 : 1);
    }
    close(ends[1]);
    bool is_read = child > 0 && read(ends[0], side, sizeof *side) == sizeof *side;
    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    return is_read;
}

memory_figures memory_measure(void)
{
    memory_figures figures = {.agree = true};
    fflush(stdout);
    figures.agree = measure(fill_hand, &figures.hand) && measure(fill_kin, &figures.kin);
    return figures;
}
