// The arena of examples/arena in C++: the same rules and random numbers, so that it prints the same lines.
//
//     arena_cpp [SEED]
#include <arena/arena.hpp>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace arena;

namespace
{

constexpr int SIZE = 64;
constexpr std::uint32_t UNITS = 1000;

// xorshift64*; Vigna, 2014.
class random_numbers
{
  public:
    explicit random_numbers(std::uint64_t seed) : state_(seed * 2 + 1)
    {
    }
    std::uint32_t below(std::uint32_t end)
    {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return std::uint32_t(((state_ * 2685821657736338717u) >> 32) * end >> 32);
    }
    float sixteenths(int first, int end)
    {
        return float(first + int(below(std::uint32_t(end - first)))) / 16.0f;
    }
    Vec2 point(int first, int end)
    {
        const float x = sixteenths(first, end); // before y
        return {x, sixteenths(first, end)};
    }

  private:
    std::uint64_t state_;
};

// Moves one coordinate, or reverses the direction at a wall. Returns whether it reversed.
bool advance(float &at, float &by, float seconds)
{
    at += by * seconds;
    if (at >= 0.0f && at < float(SIZE))
        return false;
    at -= by * seconds;
    by = -by;
    return true;
}

class simulation
{
  public:
    explicit simulation(std::uint64_t seed) : random_(seed)
    {
        for (std::uint32_t i = 0; i < UNITS; i++) {
            const Vec2 at = random_.point(0, SIZE * 16);
            const Vec2 by = random_.point(-48, 49);
            game.create(Position{at}, Velocity{by}, health_default(), Team{i % 2 == 0 ? SIDE_RED : SIDE_BLUE});
        }
    }

    void step(float seconds)
    {
        move(seconds);
        thaw(seconds);
        fight();
        game.dead().destroy_all().or_throw();
    }

    std::uint32_t count(Side side) const
    {
        std::uint32_t count = 0;
        for (auto unit : game.all())
            count += unit.get<Team>()->side == side;
        return count;
    }

    arena::game game;
    std::uint64_t moves = 0, bounces = 0;
    std::uint32_t deaths[2] = {}, died_frozen = 0, froze = 0, thawed = 0, strikes = 0, moved_last = 0;

  private:
    // A unit that enters another cell is touched, so that the collector collects it.
    void move(float seconds)
    {
        game.movers().each([&](game_handle unit, Position &position, Velocity &velocity) {
            const int x = int(position.at.x), y = int(position.at.y);
            bounces += advance(position.at.x, velocity.by.x, seconds);
            bounces += advance(position.at.y, velocity.by.y, seconds);
            if (x != int(position.at.x) || y != int(position.at.y))
                unit.touch<Position>().or_throw();
        });
        moved_last = moved_.count();
        moves += moved_last;
        moved_.clear();
    }

    void thaw(float seconds)
    {
        game.frozen().each([&](game_handle unit, Chill &chill) {
            chill.left -= seconds;
            if (chill.left > 0.0f)
                return;
            unit.remove<Chill>().or_throw();
            unit.set<Frozen>(false).or_throw();
            thawed++;
        });
    }

    void hurt(game_handle unit, std::uint32_t points)
    {
        Health health = *unit.get<Health>();
        health.points -= std::int32_t(points);
        unit.replace(health).or_throw();
        strikes++;
        if (health.points <= 0)
            unit.set<Dead>().or_throw();
        else if (random_.below(4) == 0)
            freeze(unit);
    }

    void freeze(game_handle unit)
    {
        if (unit.has<Frozen>())
            return;
        unit.add(chill_default()).or_throw();
        unit.set<Frozen>().or_throw();
        froze++;
    }

    // Two units of different sides in one cell hurt each other.
    void fight()
    {
        std::memset(standing_, 0, sizeof standing_);
        game.fighters().each([&](game_handle unit, Position &position, Health &, Team &team) {
            if (unit.has<Frozen>() || unit.has<Dead>())
                return;
            game_entity &standing = standing_[int(position.at.y)][int(position.at.x)];
            const auto other = game[standing];
            if (other && other.get<Team>()->side != team.side && !other.has<Dead>()) {
                hurt(other, 10 + random_.below(21));
                hurt(unit, 10 + random_.below(21));
            }
            standing = unit;
        });
    }

    random_numbers random_;
    game_entity standing_[SIZE][SIZE] = {};
    kin::collector<game_face> moved_ = game.movers().collect(KIN_MODIFIED);
    kin::subscription dying_ = game.dead().on_added([this](game_handle unit) {
        deaths[unit.get<Team>()->side]++;
        died_frozen += unit.has<Frozen>();
    });
};

// Prints one comparison. Returns whether the counts are equal.
bool balances(const char *what, std::uint32_t counted, std::uint32_t held)
{
    std::printf("  %-58s %5" PRIu32 " = %-5" PRIu32 " %s\n", what, counted, held, counted == held ? "ok" : "WRONG");
    return counted == held;
}

bool print_summary(const simulation &arena)
{
    const game_ref game = arena.game;
    const std::uint32_t alive = game.count(), dead = arena.deaths[SIDE_RED] + arena.deaths[SIDE_BLUE];
    std::printf("\n%" PRIu32 " strikes, %" PRIu64 " moves to another cell, %" PRIu64 " turns at a wall\n\n",
                arena.strikes, arena.moves, arena.bounces);
    bool right = balances("units = alive + reported dead", UNITS, alive + dead);
    right &= balances("Red = half - reported dead", arena.count(SIDE_RED), UNITS / 2 - arena.deaths[SIDE_RED]);
    right &= balances("Blue = half - reported dead", arena.count(SIDE_BLUE), UNITS / 2 - arena.deaths[SIDE_BLUE]);
    right &= balances("frozen now = froze - thawed - died frozen", game.frozen().count(),
                      arena.froze - arena.thawed - arena.died_frozen);
    right &= balances("moving = alive - frozen", game.movers().count(), alive - game.frozen().count());
    right &= balances("dead units left in the context", game.dead().count(), 0);
    return right;
}

} // namespace

int main(int argc, char **argv)
{
    const std::uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
    simulation arena(seed);
    std::printf("The arena, seed %" PRIu64 ": %" PRIu32 " units on %d x %d cells\n\n", seed, UNITS, SIZE, SIZE);
    for (int step = 1; step <= 240; step++) {
        arena.step(0.25f);
        if (step % 20 == 0)
            std::printf("step %3d  Red %3" PRIu32 "  Blue %3" PRIu32 "  dead %3" PRIu32 "  frozen %3" PRIu32
                        "  moved %3" PRIu32 "\n",
                        step, arena.count(SIDE_RED), arena.count(SIDE_BLUE),
                        arena.deaths[SIDE_RED] + arena.deaths[SIDE_BLUE], arena.game.frozen().count(),
                        arena.moved_last);
    }
    return print_summary(arena) ? EXIT_SUCCESS : EXIT_FAILURE;
}
