// Every part of the C++ face, used once, on the package of plaza.yaml. Prints what it sees; test_cpp.c knows the lines.
#include <plaza/plaza.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace plaza;

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            std::printf("%s:%d: not %s\n", __FILE__, __LINE__, #condition);                                            \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (false)

// What the last refused call reported.
static char reported[200];

static void remember(const kin_error *error, void *)
{
    std::snprintf(reported, sizeof reported, "%s", error->message);
}

static kin_context_options quiet()
{
    kin_context_options options{};
    options.on_error = remember;
    return options;
}

static const kin_context_options options = quiet();

// ---- systems

static int points, bells;

extern "C" void fall_update(plaza_world *, fall_iter *it, const kin_tick *)
{
    static_assert(std::is_same_v<decltype(rows(it).begin().operator*().velocity), const Velocity &>);
    for (auto [position, velocity] : rows(it))
        position.y -= velocity.y;
    rows(it).each([](Position &position, const Velocity &velocity) { position.x += velocity.x; });
    for (auto run : rows(it).runs())
        EXPECT(run.count > 0 && run.position.size() == run.count);
}

extern "C" void follow_update(plaza_world *, follow_iter *it, const kin_tick *)
{
    for (auto &step : rows(it))
        if (step.parent_position != nullptr)
            step.position->x = step.parent_position->x + 1;
}

extern "C" void listen_on_hit(plaza_world *, const Hit *message)
{
    points += message->points;
}

extern "C" void listen_on_bell(plaza_world *world)
{
    bells++;
    EXPECT(world_ref(world).game().count() > 0);
}

extern "C" void listen_execute(plaza_world *, const kin_tick *)
{
}

// ---- contexts and entities

static void try_handles(const game &game)
{
    auto cat = game.create(Position{1, 2}, Velocity{3, 0});
    static_assert(sizeof cat == 16 && std::is_trivially_copyable_v<game_handle>);
    EXPECT(cat && !game_handle() && game.count() == 1 && cat == game[cat.c()]);
    EXPECT(cat.has<Position>() && !cat.has<Asleep>() && !cat.has<Name>());
    EXPECT(cat.get<Position>()->x == 1 && game.get<Position>(cat)->y == 2 && cat.get<Name>() == nullptr);
    EXPECT(!cat.add(Position{}) && cat.add(Position{}).value() == KIN_ERROR_HAS_COMPONENT);
    EXPECT(std::strcmp(cat.add(Position{}).name(), "KIN_ERROR_HAS_COMPONENT") == 0);
    EXPECT(cat.replace(Position{4, 5}) && cat.get<Position>()->x == 4);
    EXPECT(cat.add(Team{SIDE_BLUE}) && cat.remove<Team>() && !cat.remove<Team>());
    EXPECT(cat.patch<Position>([](Position &position) { position.y = 7; }) && cat.get<Position>()->y == 7);
    EXPECT(cat.patch<Name>([](Name &) {}) == KIN_ERROR_NO_COMPONENT);
    EXPECT(cat.set<Asleep>() && cat.has<Asleep>() && cat.set<Asleep>(false) && !cat.has<Asleep>());
    EXPECT(game.set<Asleep>(cat) && game.has<Asleep>(cat) && game.set<Asleep>(cat, false));
    cat.edit<Position>()->x = 9;
    EXPECT(cat.touch<Position>() && cat.get<Position>()->x == 9 && cat.ensure<Chest>()->coins == 0);
    auto twin = cat.clone();
    EXPECT(twin && twin != cat && twin.get<Position>()->x == 9 && twin.context().count() == 2);
    EXPECT(twin.destroy() && !twin && !twin.has<Position>() && twin.add(Team{}) == KIN_ERROR_NOT_ALIVE);
    EXPECT(cat.patch<Position>([](Position &) {}) && twin.patch<Position>([](Position &) {}) == KIN_ERROR_NOT_ALIVE);
    EXPECT(!game_handle(nullptr, cat.c()) && game_destroy_entity(game.c(), cat) == KIN_OK && !cat);
}

// ---- creating

static void try_creating(const game &game)
{
    auto tom = game.create(Name{"Tom"}, Position{1, 1});
    int calls = 0;
    auto walking = game.walkers().on(KIN_ADDED_OR_REMOVED, [&](game_handle) { calls++; });
    auto dog = game.create(Position{5, 5}, Velocity{1, 0}, Asleep{}); // the flag comes first
    EXPECT(dog.has<Asleep>() && calls == 0);
    EXPECT(game.create(Velocity{}, Position{}) && calls == 1);
    const uint32_t before = game.count();
    EXPECT(!game.create(Position{}, Velocity{}, Name{"Tom"}) && calls == 1 && game.count() == before);
    EXPECT(std::strstr(reported, "cannot create an entity with Name: entity") != nullptr);
    walking.end();
    EXPECT(!game.create(Position{}, Name{"Tom"}) && game.count() == before);
    EXPECT(game.create() && game.destroy(tom));
    EXPECT(game.create(Asleep{}).has<Asleep>() && game.create(Name{"Tom"}).get<Name>() != nullptr);
    EXPECT(game.reset() && game.count() == 0);
}

// ---- groups

static void try_groups(const game &game)
{
    for (int i = 0; i < 3; i++)
        game.create(Position{float(i), 0}, Velocity{1, 2});
    auto box = game.create(Position{7, 0}, Body{2, {3, 4}}, Chest{5});
    EXPECT(game.walkers().count() == 3 && game.walkers().size() == 3 && !game.walkers().empty());
    for (auto [position, velocity] : game.walkers())
        position.x += velocity.x;
    game.walkers().each([](Position &position, const Velocity &velocity) { position.y += velocity.y; });
    game.walkers().each([](game_entity, Position &position, Velocity &) { position.y += 1; });
    game.walkers().each([](game_handle unit, auto &position, auto &) { EXPECT(unit.get<Position>() == &position); });
    for (auto run : game.walkers().runs())
        for (uint32_t i = 0; i < run.count; i++)
            std::printf("walker %u at %g, %g\n", kin_entity_slot(run.at(i).id), double(run.position[i].x),
                        double(run.position[i].y));
    for (auto [body, position, chest, velocity] : game.bodies()) {
        body.mass += 1;
        body.marks[1] += position.x > 0;
        EXPECT(chest->coins == 5 && velocity == nullptr);
    }
    game.bodies().each([](game_entity, auto body, Position &, Chest *, Velocity *) { body.marks[0] = 8; });
    auto body = box.get<Body>();
    EXPECT(body && body->mass == 3 && body->marks[0] == 8 && (*body).marks[1] == 5 && !game.create().get<Body>());
    EXPECT(box.patch<Body>([](Body &changed) { changed.mass = 1; }) && box.get<Body>()->mass == 1);
    for (auto [chest] : game.chests())
        chest.coins++;
    for (auto run : game.chests().runs())
        EXPECT(run.chest[0]->coins == 6);
    EXPECT(box.set<Asleep>() && game.sleepers().contains(box));
    for (auto sleeper : game.sleepers())
        EXPECT(sleeper == box);
    EXPECT(game.walkers().all().size() == 3 && game.walkers().all()[0] == *game.walkers().all().begin());
    EXPECT(game.all().size() == game.count() && game.all_group().empty() && game.all().c().size() == game.count());
    EXPECT(game.walkers().destroy_all() && game.walkers().empty() && game.reset());
    for (auto row : game.walkers())
        EXPECT(row.position.x > 1e9f); // no row
}

// ---- relations, indices, blueprints, unique components

static void try_finding(const game &game)
{
    auto tom = game.create(Name{"Tom"}, Team{SIDE_RED});
    auto ann = game.create(Name{"Ann"}, Team{SIDE_RED});
    EXPECT(game.find<Name>("Tom") == tom && game.find<Name>("Ann") == ann && !game.find<Name>("Eve"));
    EXPECT(game.all_with<Team>(SIDE_RED).size() == 2 && game.all_with<Team>(Side::SIDE_BLUE).empty());
    EXPECT(tom.patch<Name>([](Name &name) { name.value = "Eve"; }) && game.find<Name>("Eve") == tom);
    EXPECT(ann.patch<Name>([](Name &name) { name.value = "Eve"; }) == KIN_ERROR_DUPLICATE_KEY);
    for (auto unit : game.all_with<Team>(SIDE_RED))
        EXPECT(unit.destroy());
    auto parent = game.create(), first = game.create(PartOf{parent}), second = game.create(PartOf{parent});
    int count = 0;
    for (auto part : parent.parts())
        EXPECT(part == (count++ == 0 ? first : second));
    EXPECT(count == 2 && parent.parts().size() == 2 && first.parts().empty());
    for (auto part : parent.parts())
        EXPECT(part.destroy());
    EXPECT(parent.parts().empty());
    auto crate = game.spawn_crate();
    EXPECT(crate.get<Chest>()->coins == 3 && crate.has<Position>());
    EXPECT(!game.unique<Level>() && game.unique<Level>().set({4}) && game.unique<Level>()->number == 4);
    EXPECT(game.unique<Level>().set({5}) == game.unique<Level>() && game.unique<Level>()->number == 5);
    EXPECT(game.unique<Level>().clear() && !game.unique<Level>());
    EXPECT(game.unique<Paused>().set() && game.unique<Paused>().has<Paused>());
    EXPECT(game.unique<Paused>().set(false) && !game.unique<Paused>() && game.reset());
}

// ---- listeners

static void try_listeners(const game &game)
{
    int added = 0, moved = 0, died = 0, created = 0;
    {
        auto walking = game.walkers().on_added([&](game_handle who, const kin_change &change) {
            EXPECT(who.c().id == change.entity && who.has<Velocity>());
            added++;
        });
        auto moving = game.walkers().on_modified([&](game_handle) { moved++; });
        auto making = game.on(KIN_ENTITY_CREATED, [&](game_handle) { created++; });
        auto cat = game.create(Position{}, Velocity{});
        auto dying = cat.on(KIN_ENTITY_DESTROYED, [&](game_handle) { died++; });
        EXPECT(cat.replace(Position{1, 1}) && cat.destroy());
        kin::subscription moved_to = std::move(walking);
        EXPECT(moved_to && !walking); // NOLINT
    }
    game.create(Position{}, Velocity{});
    EXPECT(added == 2 && moved == 1 && died == 1 && created == 1);
    kin::subscription once;
    int calls = 0;
    const char words[] = "kept until the call returns";
    once = game.walkers().on_added([&, words](game_handle) {
        once.end();
        calls += int(std::strlen(words) / 27);
    });
    game.create(Position{}, Velocity{});
    game.create(Position{}, Velocity{});
    EXPECT(calls == 1 && !once && game.reset());
}

// ---- snapshots, worlds

static void try_snapshots(const game &game)
{
    kin::snapshot saved;
    auto cat = game.create(Position{1, 1});
    EXPECT(!saved && saved.hash() == 0 && game.save(saved) && saved && saved.hash() != 0);
    EXPECT(cat.destroy() && game.restore(saved) && cat && cat.get<Position>()->x == 1);
    kin::snapshot other = std::move(saved);
    EXPECT(other && game.restore(other) && !game.restore(kin::snapshot()) && game.reset());
}

static void try_world()
{
    plaza::world world(&options);
    auto whole = world.game().create(Position{1, 5}, Velocity{1, 2});
    auto part = world.game().create(Position{0, 0}, PartOf{whole});
    world.publish(Hit{3});
    world.publish(Bell{});
    world.update(0.5);
    EXPECT(points == 3 && bells == 1 && world.tick().time == 0.5);
    EXPECT(whole.get<Position>()->x == 2 && whole.get<Position>()->y == 3 && part.get<Position>()->x == 3);
    kin::snapshot saved;
    EXPECT(world.save(saved) && world.reset() && world.game().count() == 0 && world.restore(saved) && part);
    world.draw();
    EXPECT(world.shop().create(Price{3}, Sold{}).has<Sold>() && world.systems() != nullptr);
    plaza::world moved = std::move(world);
    EXPECT(moved && moved.game().count() == 2);
}

int main()
{
    plaza::game game(&options);
    EXPECT(game);
    try_handles(game);
    try_creating(game);
    try_groups(game);
    try_finding(game);
    try_listeners(game);
    try_snapshots(game);
    try_world();
    plaza::game moved = std::move(game);
    moved.create(Position{});
    game_ref ref = moved;
    EXPECT(ref.count() == 1 && ref.c() == moved.c());
#if defined(__cpp_exceptions)
    kin_context_options wrong = options;
    wrong.allocator.allocate = [](std::size_t, std::size_t, void *) -> void * { return nullptr; };
    bool has_thrown = false;
    try {
        plaza::game none(&wrong);
    } catch (const kin::error &error) {
        has_thrown = error.value() == KIN_ERROR_INVALID && std::strcmp(error.what(), "KIN_ERROR_INVALID") == 0;
    }
    EXPECT(has_thrown);
    try {
        kin::status(KIN_ERROR_NO_MEMORY).or_throw();
    } catch (const std::bad_alloc &) {
        has_thrown = false;
    }
    EXPECT(!has_thrown);
    kin::status(KIN_OK).or_throw();
#else
    kin_context_options wrong = options;
    wrong.allocator.allocate = [](std::size_t, std::size_t, void *) -> void * { return nullptr; };
    EXPECT(!plaza::game(&wrong));
#endif
    std::printf("done\n");
}
