// Measures what an inspector costs a game: the bars K2 to K7 of the inspector.
//
//   inspect        all rows, in a minute
//   inspect ROW    the rows whose names begin so
//
// Updates are timed from outside, 60 a second for those with a viewer over HTTP. Ratios are of one run.
#include "sample.h"
#include "throng.h"
#include "viewer.h"

#include <kin/inspect.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ENTITIES = 10000, MILLION = 1000000, RATE = 60, PLAIN_TURNS = 51, HALF_OPEN = 40, ANSWER = 1 << 20 };

// The median of the sixth of the updates that takes longest: at 10 Hz one of six updates serves.
static const double SERVING = 11.0 / 12;

static const char *wanted = "";
static uint32_t bars, met;
static uint64_t allocations;

static bool is_wanted(const char *id)
{
    return strncmp(id, wanted, strlen(wanted)) == 0;
}

static void print_row(const char *id, const char *what, double figure, const char *unit, double bar)
{
    bool is_met = figure < bar + 0.005;
    bars++;
    met += is_met;
    printf("%-13s %-54s %10.2f %-5s at most %7.2f %s\n", id, what, figure, unit, bar, is_met ? "met" : "missed");
    fflush(stdout);
}

// ---- a game with an inspector

static throng_throng_world *world;
static kin_inspector *inspector;

static void *allocate(size_t size, size_t alignment, void *user)
{
    (void)user;
    allocations++;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release(void *memory, size_t size, void *user)
{
    (void)size, (void)user;
    free(memory);
}

static void begin(uint32_t entities, bool is_inspected)
{
    kin_inspector_options options = {.quiet = true, .allocator = {allocate, release, NULL}};
    world = throng_begin(entities);
    inspector = is_inspected ? kin_inspect(throng_throng_world_base(world), &options) : NULL;
    if (world == NULL || (is_inspected && inspector == NULL))
        exit(EXIT_FAILURE);
}

static void end(void)
{
    throng_throng_world_destroy(world);
    throng_set_busy(true);
}

static const char *ask(const char *method, const char *parameters)
{
    static char request[1024], answer[ANSWER];
    int size = snprintf(request, sizeof request, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}",
                        method, parameters);
    kin_inspector_request(inspector, request, (size_t)size, answer, sizeof answer);
    if (strstr(answer, "\"error\"") != NULL)
        fprintf(stderr, "%s: %s\n", method, answer);
    return answer;
}

// Returns nanoseconds for each of so many updates.
static double time_updates(uint32_t count)
{
    double began = sample_now();
    for (uint32_t i = 0; i < count; i++)
        throng_throng_world_update(world, 1.0 / RATE);
    return (sample_now() - began) / count;
}

static void wait_for_frame(double *next)
{
    *next += 1e9 / RATE;
    double left = *next - sample_now();
    if (left > 0)
        nanosleep(&(struct timespec){0, (long)left}, NULL);
}

// Runs the game at its rate. `updates` gets the times of all updates, `served` what the inspector took of those in
// which it did something.
static void run(double seconds, sample *updates, sample *served)
{
    uint64_t last = kin_inspector_cost(inspector);
    double next = sample_now();
    updates->count = served->count = 0;
    for (uint32_t i = 0; i < (uint32_t)(seconds * RATE); i++) {
        double began = sample_now();
        throng_throng_world_update(world, 1.0 / RATE);
        sample_add(updates, sample_now() - began);
        uint64_t cost = kin_inspector_cost(inspector);
        if (cost != last && i > RATE / 2)
            sample_add(served, (double)cost);
        last = cost;
        wait_for_frame(&next);
    }
}

// ---- rows

static sample updates, served;

static void measure_idle(void)
{
    sample plain = {.count = 0}, with = {.count = 0};
    double began = sample_now();
    begin(1, true);
    print_row("K2.start", "start an inspector, and create the world", (sample_now() - began) / 1e6, "ms", 5);
    throng_throng_world *inspected = world;
    throng_set_busy(false);
    time_updates(1000);
    begin(1, false);
    throng_throng_world *alone = world;
    uint64_t before = allocations;
    for (uint32_t turn = 0; turn < PLAIN_TURNS; turn++) {
        world = alone;
        sample_add(&plain, time_updates(20000));
        world = inspected;
        sample_add(&with, time_updates(20000));
    }
    print_row("K2.idle", "an update more, without a viewer", sample_quantile(&with, 0.5) - sample_quantile(&plain, 0.5),
              "ns", 10);
    print_row("K2.memory", "allocations meanwhile", (double)(allocations - before), "", 0);
    throng_throng_world_destroy(alone);
    world = inspected;
    end();
}

static void measure_rows(const char *id, const char *what, const char *parameters, double bar)
{
    begin(ENTITIES, true);
    viewer *viewer = viewer_open(kin_inspector_address(inspector), "entities.query", parameters, true);
    run(6, &updates, &served);
    print_row(id, what, sample_quantile(&served, SERVING) / 1e3, "us", bar);
    if (viewer_close(viewer) == 0)
        printf("%s: the viewer read nothing\n", id);
    end();
}

static void measure_many_rows(void)
{
    begin(ENTITIES, true);
    run(4, &updates, &served);
    double without = sample_quantile(&updates, 0.99);
    viewer *viewer = viewer_open(kin_inspector_address(inspector), "entities.query",
                                 "{\"query\":\"Position\",\"limit\":1000,\"period\":100}", true);
    run(6, &updates, &served);
    print_row("K4", "1,000 rows at 10 Hz: an update that serves", sample_quantile(&served, SERVING) / 1e3, "us", 300);
    print_row("K4.p99", "the same: p99 of all updates, to that without", sample_quantile(&updates, 0.99) / without, "",
              2.5);
    viewer_close(viewer);
    end();
}

static void measure_million(void)
{
    begin(MILLION, true);
    throng_set_busy(false);
    viewer *viewer = viewer_open(kin_inspector_address(inspector), "entities.query",
                                 "{\"query\":\"Position where x < -1\",\"period\":100}", true);
    run(6, &updates, &served);
    print_row("K5", "1,000,000 entities, nothing matches: the longest serving", sample_quantile(&served, 1) / 1e3, "us",
              550);
    viewer_close(viewer);
    end();
}

static double least_of_changes(void)
{
    double least = 1e9;
    for (uint32_t turn = 0; turn < PLAIN_TURNS; turn++) {
        double time = throng_replace_health(world, ENTITIES);
        throng_set_busy(false);
        time_updates(1); // drains the collector, serves
        least = time < least ? time : least;
    }
    return least;
}

static void measure_changes(void)
{
    begin(ENTITIES, true);
    throng_set_busy(false);
    double plain = least_of_changes();
    ask("journal.start", "{\"components\":[\"Health\"],\"pinned\":true,\"bytes\":1048576}");
    print_row("K6.journal", "a replace that is noted, with a collector, more", least_of_changes() - plain, "ns", 30);
    ask("journal.stop", "{}");
    plain = least_of_changes();
    ask("collectors.why", "{\"collector\":\"Count\"}");
    print_row("K6.why", "a collection that is traced, more", least_of_changes() - plain, "ns", 15);
    end();
}

static double least_of_updates(void)
{
    double least = 1e9;
    for (uint32_t turn = 0; turn < PLAIN_TURNS; turn++) {
        double time = time_updates(2000);
        least = time < least ? time : least;
    }
    return least;
}

static void measure_calls(void)
{
    enum { SYSTEMS = 4, CALLS = 6, WATCHES = 50 }; // calls of 4 systems and 2 nodes; the reactive one does not run
    char parameters[128];
    begin(ENTITIES, true);
    throng_set_busy(false);
    time_updates(10);
    ask("journal.start", "{\"lives\":true,\"pinned\":true,\"bytes\":65536}"); // calls are followed
    double followed = least_of_updates();
    ask("timeline.start", "{}");
    print_row("K6.timeline", "a call of a system that the timeline notes, more",
              (least_of_updates() - followed) / CALLS, "ns", 60);
    sleep(11); // the timeline ends
    time_updates(10);
    followed = least_of_updates();
    for (uint32_t i = 0; i < WATCHES; i++) {
        uint64_t id = throng_game_entities(world->contexts->game, &(uint32_t){0})[i].id;
        snprintf(parameters, sizeof parameters, "{\"entity\":\"%llu:%u\",\"path\":\"Position.x\",\"pinned\":true}",
                 (unsigned long long)kin_entity_creation_index(id), (unsigned)kin_entity_slot(id));
        ask("watches.add", parameters);
    }
    print_row("K6.watch", "a watch, for each system, more", (least_of_updates() - followed) / (SYSTEMS * WATCHES), "ns",
              4);
    end();
}

static void measure_bad_viewers(void)
{
    viewer *viewers[4];
    int half[HALF_OPEN];
    begin(ENTITIES, true);
    run(4, &updates, &served);
    double without = sample_quantile(&updates, 0.99);
    for (uint32_t i = 0; i < 4; i++)
        viewers[i] = viewer_open(kin_inspector_address(inspector), "entities.query",
                                 "{\"query\":\"Position\",\"limit\":1000,\"period\":50}", false);
    run(6, &updates, &served);
    print_row("K7", "4 viewers that do not read: p99 of updates, to that without",
              sample_quantile(&updates, 0.99) / without, "", 2);
    for (uint32_t i = 0; i < 4; i++)
        viewer_close(viewers[i]);
    for (uint32_t i = 0; i < HALF_OPEN; i++)
        half[i] = viewer_half_open(kin_inspector_address(inspector));
    double began = sample_now(), took = -1;
    while (took < 0 && sample_now() - began < 10e9)
        took = viewer_hello(kin_inspector_address(inspector));
    print_row("K7.again", "after 40 half-open connections: until an answer", (sample_now() - began) / 1e9, "s", 6);
    for (uint32_t i = 0; i < HALF_OPEN; i++)
        close(half[i]);
    end();
}

int main(int argc, char **argv)
{
    wanted = argc > 1 ? argv[1] : "";
    printf("\nThe inspector: what it costs a game with 10,000 entities, 60 updates a second.\n\n");
    if (is_wanted("K2"))
        measure_idle();
    if (is_wanted("K3")) {
        measure_rows("K3", "50 rows at 10 Hz: an update that serves", "{\"query\":\"Position\",\"period\":100}", 60);
        measure_rows("K3.where", "the same with where", "{\"query\":\"Position where x > 500\",\"period\":100}", 200);
    }
    if (is_wanted("K4"))
        measure_many_rows();
    if (is_wanted("K5"))
        measure_million();
    if (is_wanted("K6")) {
        measure_changes();
        measure_calls();
    }
    if (is_wanted("K7"))
        measure_bad_viewers();
    printf("\n%u of %u bars met\n", (unsigned)met, (unsigned)bars);
    return EXIT_SUCCESS;
}
