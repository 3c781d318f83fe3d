// What one finds, lists, commands, jobs and files in the C++ face, on the package of fair.yaml. Prints "done".
#include <fair/fair_save.hpp>
#include <kin/pool.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace fair;

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            std::printf("%s:%d: not %s\n", __FILE__, __LINE__, #condition);                                            \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (false)

static kin_context_options quiet()
{
    kin_context_options options{};
    options.on_error = [](const kin_error *, void *) {};
    return options;
}

static const kin_context_options options = quiet();

// ---- the program's functions

extern "C" uint32_t area_of(const Place *place, int32_t keys[KIN_INDEX_KEYS])
{
    keys[0] = int32_t(place->x / 10);
    return 1;
}

static int born, rests;

void swim_update(swim_job *job, swim_iter *it, const kin_tick *)
{
    EXPECT(commands(job).piece() < commands(job).piece_count() && commands(job).c() == job);
    rows(it).each([&](game_entity who, Place &place, const Speed &speed) {
        place.x += speed.x;
        if (commands(job).has<Broken>(who))
            (void)commands(job).destroy(who);
        if (place.x < 2)
            return;
        EXPECT(commands(job).replace(who, Speed{-speed.x}) && commands(job).set<Broken>(who));
        game_walker_value value{};
        value.speed = {7};
        value.given.speed = true;
        const game_entity young = commands(job).spawn_walker(value);
        EXPECT(commands(job).publish(Born{young}) && commands(job).publish(Rest{}));
        EXPECT(commands(job).replace(commands(job).spawn_walker(), Speed{0}) && commands(job).remove<Speed>(young));
        kin_random dice = commands(job).random(who);
        EXPECT(kin_random_below(&dice, 6) < 6 && commands(job).get<Part>(who) == nullptr &&
               !commands(job).has<Part>(who));
        EXPECT(!commands(job).get<Mass>(who) && commands(job).parts(who).empty() && !commands(job).cells().find(8, 8));
        game_entity rows_of[2];
        EXPECT(commands(job).rows().copy(8, rows_of) == 0);
        for (auto [other, distance_squared] : commands(job).spots().near(Vec2{0, 0}, 1))
            EXPECT(other && distance_squared <= 1);
    });
}

void grow_update(grow_job *, grow_iter *it, const kin_tick *)
{
    for (auto [level] : rows(it))
        level.number++;
}

void tell_on_born(fair_world *, const Born *message)
{
    born += message->who.id != 0;
}

void tell_on_rest(fair_world *)
{
    rests++;
}

void tell_execute(fair_world *, const kin_tick *)
{
}

// ---- finding

static void try_ordered(game_ref game)
{
    auto tom = game.create(Score{70, 2}, Layer{3}), ann = game.create(Score{90, 1}, Layer{1});
    auto kit = game.create(Score{70, 1}, Layer{2});
    const game_handle in_order[] = {ann, kit, tom};
    int at = 0;
    for (auto unit : game.by_score())
        EXPECT(unit == in_order[at++]);
    EXPECT(at == 3);
    for (auto unit : game.by_score().reversed())
        EXPECT(unit == in_order[--at]);
    for (auto unit : game.by_score().from(70, 2))
        EXPECT(unit == tom && at++ == 0);
    for (auto unit : game.by_score().range(90, 0, 70, 1).reversed())
        EXPECT(unit == in_order[at--]);
    EXPECT(at == -1 && game.by_score().first() == ann && game.by_score().last() == tom);
    EXPECT(game.by_score().count_below(70, 0) == 1 && game.by_score().refresh() == 0);
    kit.edit<Score>()->points = 95;
    EXPECT(game.by_score().refresh() == 1 && game.by_score().first() == kit);
    EXPECT(game.layer_value().first() == ann && game.layer_value().count_below(9) == 3);
    int last = 0;
    for (auto [layer] : game.drawn())
        EXPECT(layer.value == ++last);
    game.drawn().each([&](game_handle unit, auto &layer) { EXPECT(unit.get<Layer>() == &layer); });
    EXPECT(last == 3 && game.reset() && !game.by_score().first());
}

static void try_grids(game_ref game)
{
    auto cow = game.create(Place{501, 500}), dog = game.create(Place{503, 500});
    auto cat = game.create(Spot{{1, 2}});
    for (auto [unit, distance_squared] : game.ground().near(500, 500, 2.5))
        EXPECT(unit == cow && distance_squared == 1);
    int count = 0;
    for (auto unit : game.ground().in_box(500, 490, 510, 510))
        EXPECT(unit == (count++ == 0 ? cow : dog));
    EXPECT(count == 2 && game.ground().nearest(503, 501, 100) == dog && !game.ground().nearest(0, 0, 100));
    game_entity found[2];
    EXPECT(game.ground().nearest(503, 501, 100, found).size() == 2 && game[found[0]] == dog && game[found[1]] == cow);
    for (auto [first, second, distance_squared] : game.ground().pairs_within(5))
        EXPECT(first == cow && second == dog && distance_squared == 4);
    EXPECT(game.spots().nearest(Vec2{0, 0}, 5) == cat);
    dog.edit<Place>()->x = 480;
    EXPECT(game.ground().refresh() == 1 && game.areas().all_with(48).empty() && dog.touch<Place>());
    EXPECT(game.areas().all_with(48).size() == 1 && game.areas().copy(48, found) == 1 && game[found[0]] == dog);
    EXPECT(game.reset());
}

static void try_keys(game_ref game)
{
    auto tom = game.create(Cell{3, 4}), ann = game.create(Cell{5, 4});
    EXPECT(game.cells().find(3, 4) == tom && game.cells().find(5, 4) == ann && !game.cells().find(4, 4));
    EXPECT(game.rows_index().all_with(4).size() == 2 && game.rows().count() == 2);
    auto first = game.create(Look{7}), second = game.create(Look{7});
    game.create(Look{8});
    EXPECT(game.all_with<Look>(Look{7}).size() == 2 && first.get<Look>() == second.get<Look>());
    uint32_t meshes = 0;
    for (auto [look, count] : game.values<Look>())
        meshes += look.mesh * count;
    EXPECT(meshes == 22 && game.reset());
}

// ---- trees, lists, switching off, stashed values

static void try_trees(game_ref game)
{
    auto cart = game.create(Part{}, Name{"cart"}), wheel = game.create(Part{cart}), nail = game.create(Part{wheel});
    uint32_t last = 0;
    for (auto [part, depth] : cart.parts().below())
        EXPECT(part && depth == last++);
    EXPECT(last == 3 && nail.parts().root() == cart && nail.parts().depth() == 2 && cart.parts().contains(nail));
    EXPECT(cart.parts().first() == wheel && cart.parts().last() == wheel && !nail.parts().first());
    uint32_t wholes = 0, broken = 0;
    EXPECT(wheel.set<Broken>());
    for (auto [part] : game.wholes())
        wholes += part.of.id != 1;
    for (auto [part] : game.broken_parts())
        broken += part.of.id == wheel.c().id;
    EXPECT(wholes == 2 && broken == 1 && cart.set_hidden_below() && nail.has<Hidden>());
    EXPECT(!game.find<Name>("cart") && cart.set_hidden_below(false) && game.find<Name>("cart") == cart);
    EXPECT(cart.parts().destroy_all() && !wheel && game.reset());
}

static void try_lists(game_ref game)
{
    auto guard = game.spawn_guard();
    auto items = guard.list<&Bag::items>();
    EXPECT(items.size() == 2 && items[1].amount == 3 && !items.empty());
    EXPECT(items.push({KIND_BOW, 5}) && items.insert(0, {KIND_SWORD, 9}) && items.erase(1) && items.resize(4));
    uint32_t sum = 0;
    for (const Item &item : items)
        sum += item.amount;
    EXPECT(sum == 9 + 3 + 5 + 1 && !items.erase(7) && guard.touch<Bag>());
    for (Item &item : items.edit())
        item.amount = 1;
    const Item bows[] = {{KIND_BOW, 4}};
    EXPECT(items[0].amount == 1 && guard.replace(Bag{{bows, 1}, {nullptr, 0}}) && items.size() == 1);
    for (const Item &item : kin::elements_of(guard.get<Bag>()->items))
        EXPECT(item.amount == 4);
    auto friends = guard.list<&Bag::friends>();
    EXPECT(friends.push(guard) && game[friends[0]] == guard && guard.destroy() && items.empty() && game.reset());
    auto ill = game.create(Effect{3});
    EXPECT(ill.stash<Effect>() && !ill.has<Effect>() && ill.restore<Effect>() && ill.get<Effect>()->power == 3);
    EXPECT(game.spawn_many_walker(20) && game.movers().count() == 20 && game.reset());
}

// ---- commands

static void try_commands(game_ref game)
{
    auto old = game.create(Place{1, 1}, Speed{1});
    auto later = game.commands();
    const game_entity walker = later.spawn_walker();
    EXPECT(later.replace(walker, Place{9, 9}) && later.destroy(old) && later.set<Broken>(walker));
    const game_entity child = later.create(Part{walker}, Broken{});
    EXPECT(child.id != 0 && later.add(child, Speed{2}) && later.remove<Speed>(child) && later.count() == 9 && old);
    EXPECT(later.play() && !old && later.made(walker).get<Place>()->x == 9 && later.dropped() == 0);
    EXPECT(later.made(walker).parts().first() == later.made(child) && later.made(child).has<Broken>());
    auto moved = std::move(later);
    EXPECT(moved && moved.destroy(walker) && moved.count() == 1);
    moved.clear();
    EXPECT(moved.count() == 0 && moved.c() != nullptr && game.reset());
}

// ---- threads, files

struct bytes {
    char *data;
    std::size_t size = 0, at = 0;
    std::size_t operator()(void *into, std::size_t most)
    {
        const std::size_t part = most < size - at ? most : size - at;
        std::memcpy(into, data + at, part);
        at += part;
        return part;
    }
    bool begin_again()
    {
        at = 0;
        return true;
    }
};

static char written[1 << 20];
static std::size_t written_size;

static bool keep(const void *from, std::size_t size)
{
    std::memcpy(written + written_size, from, size);
    written_size += size;
    return written_size < sizeof written / 2;
}

static void try_world()
{
    kin::pool pool(2);
    uint32_t sums[8] = {};
    pool.run(8, [&](uint32_t i) { sums[i] = i; });
    EXPECT(pool && sums[7] == 7);
    fair::world world(&options);
    EXPECT(world.set_executor(pool.c()) && world.set_seed(5) && world.game().spawn_many_walker(1000));
    kin::recording recorded = record(world, keep);
    EXPECT(recorded && !record(world, keep));
    for (int i = 0; i < 3; i++)
        world.update(1);
    EXPECT(recorded.stop() && !recorded && !recorded.stop());
    world.update(1);
    EXPECT(born == 1000 && rests == 1000 && world.game().movers().count() == 1000);

    fair::world other(&options);
    kin::player player = play(other, bytes{written, written_size});
    EXPECT(player && player.step() && player.divergence() == nullptr);
    while (player.step())
        continue;
    EXPECT(player.seek(1) && other.tick().frame == 0 && player.c() != nullptr && player.divergence() == nullptr);
    kin::player moved = std::move(player);
    EXPECT(moved && !player); // NOLINT

    kin::snapshot saved, read_again;
    written_size = 0;
    EXPECT(world.save(saved) && kin::write(saved, keep) && written_size > 0);
    EXPECT(read(other, read_again, bytes{written, written_size}) && other.restore(read_again));
    EXPECT(read_again.hash() == saved.hash());
    EXPECT(!kin::write(saved, "/no/such/folder") && !read(other, read_again, "/no/such/file"));
    EXPECT(read(other.game(), read_again, bytes{written, written_size}) && other.game().restore(read_again));
}

int main()
{
    fair::game game(&options);
    try_ordered(game);
    try_grids(game);
    try_keys(game);
    try_trees(game);
    try_lists(game);
    try_commands(game);
    try_world();
    std::printf("done\n");
}
