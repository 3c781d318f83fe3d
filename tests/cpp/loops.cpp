// Loops whose instructions are counted: of C, and of the face. `loops KIND` runs one kind, `loops none` only the rest.
#include <plaza/plaza.hpp>

#include <cstdlib>
#include <cstring>

using namespace plaza;

enum { ENTITIES = 20000, TIMES = 50 };

static void run_c(game_context *context)
{
    game_walkers_iter it = game_walkers_iterate(context);
    while (game_walkers_next(&it))
        for (uint32_t i = 0; i < it.count; i++)
            it.position[i].x += it.velocity[i].x;
}

static void run_each(game_ref game)
{
    game.walkers().each([](Position &position, const Velocity &velocity) { position.x += velocity.x; });
}

static void run_runs(game_ref game)
{
    for (auto run : game.walkers().runs())
        for (uint32_t i = 0; i < run.count; i++)
            run.position[i].x += run.velocity[i].x;
}

static void run_rows(game_ref game)
{
    for (auto [position, velocity] : game.walkers())
        position.x += velocity.x;
}

static void run_get(game_ref game, bool is_c)
{
    for (auto unit : game.walkers().all()) {
        const Position *position = is_c ? game_get_position(game.c(), unit.c()) : game.get<Position>(unit.c());
        if (position->x > 1e30f)
            std::abort();
    }
}

static void run_flags(game_ref game, bool is_c)
{
    for (auto unit : game.all())
        for (int on = 1; on >= 0; on--)
            if (is_c)
                (void)game_set_asleep(game.c(), unit.c(), on);
            else
                (void)unit.set<Asleep>(on);
}

static void run(game_ref game, const char *kind)
{
    if (std::strcmp(kind, "c") == 0)
        run_c(game.c());
    else if (std::strcmp(kind, "each") == 0)
        run_each(game);
    else if (std::strcmp(kind, "runs") == 0)
        run_runs(game);
    else if (std::strcmp(kind, "rows") == 0)
        run_rows(game);
    else if (std::strcmp(kind, "get") == 0 || std::strcmp(kind, "get_c") == 0)
        run_get(game, kind[3] != '\0');
    else if (std::strcmp(kind, "flags") == 0 || std::strcmp(kind, "flags_c") == 0)
        run_flags(game, kind[5] != '\0');
}

// The schema has systems, which this program never runs.
extern "C" void fall_update(plaza_world *, fall_iter *, const kin_tick *)
{
}
extern "C" void follow_update(plaza_world *, follow_iter *, const kin_tick *)
{
}
extern "C" void listen_on_hit(plaza_world *, const Hit *)
{
}
extern "C" void listen_on_bell(plaza_world *)
{
}
extern "C" void listen_execute(plaza_world *, const kin_tick *)
{
}

int main(int, char **arguments)
{
    plaza::game game;
    const bool is_short = std::strncmp(arguments[1], "flags", 5) == 0 || std::strncmp(arguments[1], "get", 3) == 0;
    for (int i = 0; i < ENTITIES; i++)
        if (!game.create(Position{float(i), 0}, Velocity{1, 2}))
            return 1;
    (void)game.walkers().all();
    for (int i = 0; i < (is_short ? TIMES / 10 : TIMES); i++)
        run(game, arguments[1]);
    return 0;
}
