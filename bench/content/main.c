// Measures content beside compiled blueprints: a level against spawns with values, a spawn by name, and a reload. Each
// figure is the median of 15, in CPU time, and each pair is measured in turns.
//
//   content FIRST SECOND    two packs of content.sh, which differ in one value of a prefab
#include <kin/content.h>
#include <turrets/turrets.h>
#include <turrets/turrets_content.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TURNS = 15, BLOCKS = 10000, CANNONS = 1111, OWN = 1000, SPAWNS = 10000 };

static double cpu(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double times[TURNS])
{
    qsort(times, TURNS, sizeof *times, compare);
    return times[TURNS / 2];
}

static void expect(bool held, const char *what)
{
    if (held)
        return;
    fprintf(stderr, "content: %s failed\n", what);
    exit(EXIT_FAILURE);
}

static turrets_fort_context *fort;

static void open_pack(const char *path)
{
    fort = turrets_fort_context_create(NULL);
    expect(fort != NULL && turrets_fort_content_open(fort, path, NULL) != NULL, "open");
}

// ---- what is measured

static void spawn_blocks(void)
{
    for (uint32_t i = 0; i < BLOCKS; i++)
        turrets_fort_spawn_block_with(
            fort, (turrets_fort_block_value){.stand = {{(float)(i % 100) + 0.5f, 0, (float)(i / 100) + 0.25f}},
                                             .given = {.stand = true}});
}

static void place_bricks(void)
{
    expect(turrets_fort_place_level(fort, "bricks") == KIN_OK, "place_level");
}

static void spawn_cannons(void)
{
    for (uint32_t i = 0; i < CANNONS; i++)
        turrets_fort_spawn_cannon(fort);
}

static void place_towers(void)
{
    expect(turrets_fort_place_level(fort, "towers") == KIN_OK, "place_level");
}

static void spawn_walkers(void)
{
    expect(turrets_fort_spawn_many_walker(fort, BLOCKS, NULL) == KIN_OK, "spawn_many");
}

static void place_guards(void)
{
    expect(turrets_fort_place_level(fort, "guards") == KIN_OK, "place_level");
}

static void spawn_with(void)
{
    for (uint32_t i = 0; i < SPAWNS; i++)
        turrets_fort_spawn_block_with(fort, (turrets_fort_block_value){.points = {100}, .given = {.points = true}});
}

static void spawn_by_number(void)
{
    kin_prefab brick = kin_prefab_find(kin_content_of(&fort->base), "Brick");
    for (uint32_t i = 0; i < SPAWNS; i++)
        kin_prefab_spawn(&fort->base, brick, NULL, NULL);
}

static void spawn_by_name(void)
{
    for (uint32_t i = 0; i < SPAWNS; i++)
        turrets_fort_spawn_named(fort, "Brick", NULL);
}

// ---- rows

typedef struct row {
    const char *name;
    void (*compiled)(void);
    void (*content)(void);
    uint32_t entities;
    double bar;
} row;

static double time_once(const char *pack, void (*work)(void))
{
    open_pack(pack);
    double begin = cpu();
    work();
    double end = cpu();
    turrets_fort_context_destroy(fort);
    return end - begin;
}

static void measure(const char *pack, const row *row)
{
    double compiled[TURNS];
    double content[TURNS];
    for (uint32_t i = 0; i < TURNS; i++) {
        compiled[i] = time_once(pack, row->compiled);
        content[i] = time_once(pack, row->content);
    }
    double by_code = median(compiled);
    double by_content = median(content);
    printf("%-10s %8.1f ns an entity, compiled %8.1f, ratio %6.2f (bar %.1f)\n", row->name, by_content / row->entities,
           by_code / row->entities, by_content / by_code, row->bar);
}

typedef struct pack {
    unsigned char *bytes;
    size_t size;
} pack;

static pack read_pack(const char *path)
{
    enum { MOST = 4 << 20 };
    FILE *file = fopen(path, "rb");
    pack pack = {malloc(MOST), 0};
    expect(file != NULL && pack.bytes != NULL, path);
    pack.size = fread(pack.bytes, 1, MOST, file);
    fclose(file);
    return pack;
}

// The game changes OWN bricks, and the level another one, which stay as they are.
static double time_reload(const char *first, const pack *second, bool is_placed, kin_content_state *state)
{
    uint32_t count;
    open_pack(first);
    kin_content *content = kin_content_of(&fort->base);
    if (is_placed) {
        place_bricks();
        const turrets_fort_entity *all = turrets_fort_entities(fort, &count);
        for (uint32_t i = 2; i < 2 + OWN; i++)
            turrets_fort_replace_points(fort, all[i], (turrets_Points){1});
    }
    double begin = cpu();
    expect(kin_content_load(content, second->bytes, second->size) == KIN_OK, "load");
    double end = cpu();
    kin_content_report(content, state);
    turrets_fort_context_destroy(fort);
    return end - begin;
}

static void measure_reload(const char *first, const char *second)
{
    double reads[TURNS];
    double reloads[TURNS];
    kin_content_state state;
    pack pack = read_pack(second);
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        reads[turn] = time_reload(first, &pack, false, &state);
        reloads[turn] = time_reload(first, &pack, true, &state);
    }
    double read = median(reads) / 1e6;
    printf("%-10s %8.3f ms after %.3f ms to read the pack, %u written, %u kept (bar 0.4)\n", "c.reload",
           median(reloads) / 1e6 - read, read, (unsigned)state.written, (unsigned)state.kept);
    free(pack.bytes);
}

int main(int argument_count, char *arguments[])
{
    static const row rows[] = {
        {"c.place", spawn_blocks, place_bricks, BLOCKS, 3},   {"c.place9", spawn_cannons, place_towers, 9 * CANNONS, 2},
        {"c.rich", spawn_walkers, place_guards, BLOCKS, 1.4}, {"c.number", spawn_with, spawn_by_number, SPAWNS, 2.2},
        {"c.name", spawn_with, spawn_by_name, SPAWNS, 2.2},
    };
    expect(argument_count == 3, "expects two packs, and");
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++)
        measure(arguments[1], &rows[i]);
    measure_reload(arguments[1], arguments[2]);
    return EXIT_SUCCESS;
}
