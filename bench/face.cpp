// Measures the C++ face beside the C that it calls: loops over 100,000 entities, reads and flags. The sides take turns,
// and a ratio is the median over the turns.
#include <flight/flight.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace flight;

enum { ENTITIES = 100000, TURNS = 41, PASSES = 10 };

static sky *birds;                   // the context
static std::vector<sky_entity> all;  // entities of 8 bytes
static std::vector<sky_handle> many; // the same entities as handles of 16 bytes
static volatile float kept;          // what was read, so that no read is left out

// ---- loops

static void run_c()
{
    sky_birds_iter it = sky_birds_iterate(birds->c());
    while (sky_birds_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            it.position[i].x += it.velocity[i].x;
            it.position[i].y += it.velocity[i].y;
        }
}

static void run_each()
{
    birds->birds().each([](Position &position, const Velocity &velocity) {
        position.x += velocity.x;
        position.y += velocity.y;
    });
}

static void run_runs()
{
    for (auto run : birds->birds().runs())
        for (uint32_t i = 0; i < run.count; i++) {
            run.position[i].x += run.velocity[i].x;
            run.position[i].y += run.velocity[i].y;
        }
}

static void run_rows()
{
    for (auto [position, velocity] : birds->birds()) {
        position.x += velocity.x;
        position.y += velocity.y;
    }
}

// Every second bird is asleep: runs of one.
static void run_scattered_c()
{
    sky_flying_iter it = sky_flying_iterate(birds->c());
    while (sky_flying_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            it.position[i].x += it.velocity[i].x;
            it.position[i].y += it.velocity[i].y;
        }
}

static void run_scattered()
{
    birds->flying().each([](Position &position, const Velocity &velocity) {
        position.x += velocity.x;
        position.y += velocity.y;
    });
}

// ---- calls

static void get_c()
{
    float sum = 0;
    for (sky_entity bird : all)
        if (const Position *position = sky_get_position(birds->c(), bird))
            sum += position->x;
    kept = sum;
}

static void get_by_entity()
{
    float sum = 0;
    for (sky_entity bird : all)
        if (const Position *position = birds->get<Position>(bird))
            sum += position->x;
    kept = sum;
}

static void get_by_handle()
{
    float sum = 0;
    for (const sky_handle &bird : many)
        if (const Position *position = bird.get<Position>())
            sum += position->x;
    kept = sum;
}

static void set_flags_c()
{
    for (sky_entity bird : all) {
        (void)sky_set_asleep(birds->c(), bird, true);
        (void)sky_set_asleep(birds->c(), bird, false);
    }
}

static void set_flags()
{
    for (const sky_handle &bird : many) {
        (void)bird.set<Asleep>();
        (void)bird.set<Asleep>(false);
    }
}

// ---- what it costs

static double time_of(void (*work)())
{
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < PASSES; i++)
        work();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / PASSES;
}

static double median(std::vector<double> &values)
{
    std::nth_element(values.begin(), values.begin() + TURNS / 2, values.end());
    return values[TURNS / 2];
}

static void compare(const char *name, void (*in_c)(), void (*in_cpp)(), double bar)
{
    std::vector<double> times, ratios;
    time_of(in_c); // warms up
    time_of(in_cpp);
    for (int turn = 0; turn < TURNS; turn++) {
        const double of_c = time_of(in_c);
        const double of_cpp = time_of(in_cpp);
        times.push_back(of_cpp / ENTITIES);
        ratios.push_back(of_cpp / of_c);
    }
    const double ratio = median(ratios);
    std::printf("%-20s %7.3f ns %6.2f of C, bar %.2f%s\n", name, median(times), ratio, bar,
                ratio > bar ? ": above" : "");
}

int main(int, char **arguments)
{
    const double rows_bar = std::atof(arguments[1]); // clang does not vectorise it
    sky context;
    birds = &context;
    for (int i = 0; i < ENTITIES; i++) {
        const sky_handle bird = context.create(Position{float(i), 2}, Velocity{1, 1});
        if (!bird)
            return EXIT_FAILURE;
        many.push_back(bird);
        all.push_back(bird.c());
    }
    compare("each", run_c, run_each, 1.05);
    compare("runs", run_c, run_runs, 1.05);
    compare("range-for", run_c, run_rows, rows_bar);
    compare("get by entity", get_c, get_by_entity, 1.05);
    compare("get by handle", get_c, get_by_handle, 1.4);
    compare("flags", set_flags_c, set_flags, 1.1);
    for (int i = 0; i < ENTITIES; i += 2)
        if (!many[std::size_t(i)].set<Asleep>())
            return EXIT_FAILURE;
    compare("each of scattered", run_scattered_c, run_scattered, 1.05);
}
