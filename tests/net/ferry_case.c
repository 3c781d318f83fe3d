#include "net/ferry_case.h"

#include "session/session.h"

#include <stdio.h>
#include <string.h>

enum { BOATS = 40, CRATES = 3 };

ferry ferries[FERRY_MOST];
kin_session_options ferry_options;
kin_allocator ferry_allocator;
static uint32_t ferry_total;
static uint32_t chance;

static uint32_t roll(uint32_t count)
{
    chance = chance * 1664525 + 1013904223;
    return (chance >> 8) % count;
}

// ---- systems

static ferry *ferry_of(void *user)
{
    return user;
}

void first_helm_on_steer(first_ferry1_world *world, const first_Steer *message)
{
    ferry_of(world->user)->steers++;
    ferry_of(world->user)->first_steer = *message;
}

void first_helm_on_hail(first_ferry1_world *world, const first_Hail *message)
{
    ferry_of(world->user)->hails++;
    ferry_of(world->user)->first_hail = *message;
}

void first_watch_execute(first_ferry1_world *world, const kin_tick *tick)
{
    (void)world, (void)tick;
}

void first_watch_on_horn(first_ferry1_world *world, const first_Horn *message)
{
    ferry_of(world->user)->horns++;
    ferry_of(world->user)->first_horn = *message;
}

void first_watch_on_bell(first_ferry1_world *world, const first_Bell *message)
{
    ferry_of(world->user)->bells++;
    ferry_of(world->user)->first_bell = *message;
}

void second_helm_on_steer(second_ferry2_world *world, const second_Steer *message)
{
    ferry_of(world->user)->steers++;
    ferry_of(world->user)->second_steer = *message;
}

void second_helm_on_hail(second_ferry2_world *world, const second_Hail *message)
{
    (void)world, (void)message;
}

void second_helm_on_wave(second_ferry2_world *world, const second_Wave *message)
{
    (void)world, (void)message;
}

void second_helm_on_alarm(second_ferry2_world *world, const second_Alarm *message)
{
    (void)world, (void)message;
}

void second_watch_execute(second_ferry2_world *world, const kin_tick *tick)
{
    (void)world, (void)tick;
}

void second_watch_on_horn(second_ferry2_world *world, const second_Horn *message)
{
    (void)world, (void)message;
}

void second_watch_on_bell(second_ferry2_world *world, const second_Bell *message)
{
    (void)world, (void)message;
}

void second_watch_on_gull(second_ferry2_world *world, const second_Gull *message)
{
    (void)world, (void)message;
}

void third_helm_on_steer(third_ferry3_world *world, const third_Steer *message)
{
    (void)world, (void)message;
}

void third_helm_on_hail(third_ferry3_world *world, const third_Hail *message)
{
    (void)world, (void)message;
}

void third_watch_execute(third_ferry3_world *world, const kin_tick *tick)
{
    (void)world, (void)tick;
}

void third_watch_on_horn(third_ferry3_world *world, const third_Horn *message)
{
    ferry_of(world->user)->third_horn = *message;
}

void third_watch_on_bell(third_ferry3_world *world, const third_Bell *message)
{
    ferry_of(world->user)->third_bell = *message;
}

// ---- worlds

kin__net_info ferry_info(ferry_version version, const char *package)
{
    static const kin__net_info *const infos[] = {&first_ferry1_net_, &second_ferry2_net_, &third_ferry3_net_};
    kin__net_info info = *infos[version];
    info.package = package;
    return info;
}

static struct kin__world *world_of(const ferry *ferry)
{
    if (ferry->first != NULL)
        return ferry->first->base_;
    return ferry->second != NULL ? ferry->second->base_ : ferry->third->base_;
}

static void make_at(ferry *ferry, ferry_version version, kin_transport *transport, const char *package)
{
    ck_assert_ptr_nonnull(transport);
    *ferry = (struct ferry){.version = version, .transport = transport, .info = ferry_info(version, package)};
    kin_context_options options = {
        .on_error = error_log_append, .error_user = &ferry->errors, .allocator = ferry_allocator};
    error_log_clear(&ferry->errors);
    if (version == FERRY_FIRST)
        ferry->first = first_ferry1_world_create(&options, ferry);
    else if (version == FERRY_SECOND)
        ferry->second = second_ferry2_world_create(&options, ferry);
    else
        ferry->third = third_ferry3_world_create(&options, ferry);
}

static void host_at(ferry *host, ferry_version version, kin_transport *transport)
{
    make_at(host, version, transport, "ferry");
    host->session = kin__world_host(world_of(host), &host->info, transport, &ferry_options);
    ck_assert_ptr_nonnull(host->session);
}

static void destroy_world(ferry *ferry)
{
    first_ferry1_world_destroy(ferry->first);
    second_ferry2_world_destroy(ferry->second);
    third_ferry3_world_destroy(ferry->third);
    ck_assert_uint_eq(ferry->errors.count, 0);
}

void ferry_replace_host(ferry_version version)
{
    destroy_world(&ferries[0]);
    host_at(&ferries[0], version, ferries[0].transport);
}

void ferry_begin_on(ferry_version version, kin_transport *transport)
{
    ferry_total = 1;
    chance = 1;
    host_at(&ferries[0], version, transport);
}

void ferry_begin(ferry_version version, const kin_memory_options *network)
{
    ferry_begin_on(version, kin_memory_transport_create(network));
}

static ferry *follow(ferry_version version, kin_transport *transport, const char *package)
{
    ck_assert_uint_lt(ferry_total, FERRY_MOST);
    ferry *replica = &ferries[ferry_total++];
    make_at(replica, version, transport, package);
    replica->session = kin__world_follow(world_of(replica), &replica->info, transport, NULL);
    ck_assert_ptr_nonnull(replica->session);
    return replica;
}

ferry *ferry_join_on(ferry_version version, kin_transport *transport)
{
    return follow(version, transport, "ferry");
}

ferry *ferry_join_as(ferry_version version, const char *package)
{
    return follow(version, kin_memory_transport_join(ferries[0].transport), package);
}

ferry *ferry_join(ferry_version version)
{
    return ferry_join_as(version, "ferry");
}

void ferry_update(ferry *ferry)
{
    if (ferry->first != NULL)
        first_ferry1_world_update(ferry->first, 0.0625);
    else if (ferry->second != NULL)
        second_ferry2_world_update(ferry->second, 0.0625);
    else
        third_ferry3_world_update(ferry->third, 0.0625);
}

void ferry_steps(uint32_t count)
{
    for (uint32_t step = 0; step < count; step++) {
        for (uint32_t i = 0; i < ferry_total; i++)
            ferry_update(&ferries[i]);
        kin_memory_transport_step(ferries[0].transport);
    }
}

void ferry_end(void)
{
    while (ferry_total > 0) {
        ferry *last = &ferries[--ferry_total];
        destroy_world(last);
        last->transport->end(last->transport);
    }
}

kin_session_numbers ferry_state(const ferry *ferry)
{
    kin_session_numbers numbers;
    kin_session_state(ferry->session, &numbers);
    return numbers;
}

static kin_context *sea_of(const ferry *ferry)
{
    if (ferry->first != NULL)
        return &ferry->first->contexts->sea->base;
    return ferry->second != NULL ? &ferry->second->contexts->ocean->base : &ferry->third->contexts->sea->base;
}

uint32_t ferry_count(const ferry *ferry)
{
    uint32_t count;
    kin__entities(sea_of(ferry), &count);
    return count;
}

// ---- filling

static kin_entity boats[BOATS];

static int32_t small(void)
{
    return (int32_t)roll(40001) - 20000;
}

static const char *text(void)
{
    static const char *const texts[] = {NULL, "", "oak", "ää", "a long chain of iron"};
    return texts[roll(5)];
}

static first_Crate first_crate(void)
{
    return (first_Crate){(int16_t)small(), (first_Side)roll(2), {(float)small() / 8, (float)small()}};
}

static void set_first(kin_entity id)
{
    first_sea_context *sea = ferries[0].first->contexts->sea;
    first_sea_entity boat = {id};
    first_Crate crates[CRATES] = {first_crate(), first_crate(), first_crate()};
    first_Captain captain = {.peer = roll(4)};
    first_Kind kind = {.tons = (uint8_t)roll(3)};
    snprintf(captain.name, sizeof captain.name, "%u", roll(100));
    snprintf(kind.title, sizeof kind.title, "kind %u", roll(3));
    first_sea_replace_position(sea, boat, (first_Position){{(float)small() / 4, (float)small() / 4}});
    first_sea_replace_cell(sea, boat, (first_Cell){(int32_t)roll(3)});
    first_sea_replace_captain(sea, boat, captain);
    first_sea_replace_orders(sea, boat, (first_Orders){small(), (int16_t)small()});
    first_sea_replace_hull(sea, boat, (first_Hull){(int16_t)small(), (first_Side)roll(2), {(int8_t)roll(128), -3}});
    first_sea_replace_anchor(sea, boat, (first_Anchor){(float)small() / 3, text()});
    first_sea_replace_hold(sea, boat, (first_Hold){{crates, roll(CRATES + 1)}, {first_crate(), first_crate()}, text()});
    first_sea_replace_deck(sea, boat, (first_Deck){(int16_t)small(), small(), roll(2) == 1});
    first_sea_replace_kind(sea, boat, kind);
    first_sea_replace_tow(sea, boat, (first_Tow){{boats[roll(BOATS)]}});
    first_sea_set_moored(sea, boat, roll(2) == 1);
}

static second_Load second_load(void)
{
    return (second_Load){small(),
                         {(float)small(), (float)small() / 8},
                         roll(2) == 0 ? SECOND_SIDE_PORT : SECOND_SIDE_STARBOARD,
                         (int16_t)small()};
}

static void set_second(kin_entity id)
{
    second_ocean_context *ocean = ferries[0].second->contexts->ocean;
    second_ocean_entity boat = {id};
    second_Load loads[CRATES] = {second_load(), second_load(), second_load()};
    int32_t notes[] = {1, 2, 3};
    second_Captain captain = {.rank = small(), .peer = roll(4)};
    second_Kind kind = {.tons = (uint8_t)roll(3), .flag = (int32_t)roll(4)};
    snprintf(captain.name, sizeof captain.name, "%u", roll(100));
    snprintf(kind.title, sizeof kind.title, "kind %u", roll(3));
    second_ocean_replace_position(ocean, boat, (second_Position){{(float)small() / 2, (float)small() / 2}});
    second_ocean_replace_cell(ocean, boat, (second_Cell){(int32_t)roll(3)});
    second_ocean_replace_captain(ocean, boat, captain);
    second_ocean_replace_orders(ocean, boat, (second_Orders){small(), small()});
    second_ocean_replace_body(ocean, boat,
                              (second_Body){small(),
                                            {(int8_t)roll(128), -3},
                                            (int16_t)small(),
                                            roll(2) == 0 ? SECOND_SIDE_PORT : SECOND_SIDE_STARBOARD});
    second_ocean_replace_hold(ocean, boat,
                              (second_Hold){.first = {second_load(), second_load()},
                                            .owner = text(),
                                            .crates = {loads, roll(CRATES + 1)},
                                            .notes = {notes, roll(4)}});
    second_ocean_replace_deck(ocean, boat, (second_Deck){roll(2) == 1, small(), small()});
    second_ocean_replace_kind(ocean, boat, kind);
    second_ocean_replace_tow(ocean, boat, (second_Tow){{boats[roll(BOATS)]}});
    second_ocean_set_moored(ocean, boat, roll(2) == 1);
    second_ocean_replace_sail(ocean, boat, (second_Sail){(double)small(), roll(2) == 1, text()});
    second_ocean_set_wreck(ocean, boat, roll(2) == 1);
}

static void set(kin_entity boat)
{
    if (ferries[0].first != NULL)
        set_first(boat);
    else if (ferries[0].second != NULL)
        set_second(boat);
}

static kin_entity create(void)
{
    if (ferries[0].first != NULL)
        return first_sea_create_entity(ferries[0].first->contexts->sea).id;
    if (ferries[0].third != NULL)
        return third_sea_create_entity(ferries[0].third->contexts->sea).id;
    second_air_context *air = ferries[0].second->contexts->air;
    second_air_add_bird(air, second_air_create_entity(air), (second_Bird){small()});
    return second_ocean_create_entity(ferries[0].second->contexts->ocean).id;
}

static void destroy(kin_entity boat)
{
    if (ferries[0].first != NULL)
        first_sea_destroy_entity(ferries[0].first->contexts->sea, (first_sea_entity){boat});
    else
        second_ocean_destroy_entity(ferries[0].second->contexts->ocean, (second_ocean_entity){boat});
}

void ferry_fill(void)
{
    for (uint32_t i = 0; i < BOATS; i++)
        boats[i] = create();
    for (uint32_t i = 0; i < BOATS; i += 2)
        set(boats[i]);
}

// Removes a component by chance, and one that the other version lacks.
static void strip(kin_entity id)
{
    if (ferries[0].first != NULL) {
        first_sea_context *sea = ferries[0].first->contexts->sea;
        first_sea_entity boat = {id};
        if (roll(2) == 0 && first_sea_has_anchor(sea, boat))
            first_sea_remove_anchor(sea, boat);
        if (roll(2) == 0 && first_sea_has_hull(sea, boat))
            first_sea_remove_hull(sea, boat);
        if (roll(3) == 0 && first_sea_has_cell(sea, boat))
            first_sea_remove_cell(sea, boat);
        return;
    }
    second_ocean_context *ocean = ferries[0].second->contexts->ocean;
    second_ocean_entity boat = {id};
    if (roll(2) == 0 && second_ocean_has_sail(ocean, boat))
        second_ocean_remove_sail(ocean, boat);
    if (roll(2) == 0 && second_ocean_has_hold(ocean, boat))
        second_ocean_remove_hold(ocean, boat);
    if (roll(3) == 0 && second_ocean_has_cell(ocean, boat))
        second_ocean_remove_cell(ocean, boat);
}

void ferry_stir(uint32_t round)
{
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t place = roll(BOATS);
        if (roll(6) == 0) {
            destroy(boats[place]);
            boats[place] = create();
        }
        if (roll(3) > 0)
            set(boats[place]);
        else
            strip(boats[place]);
    }
    if (round % 7 == 0) // one field of one component alone
        set(boats[0]);
}

// ---- comparing

typedef struct crate {
    double weight, x, y;
    int32_t side;
} crate;

// What versions know of a boat, in the words of the first one. Texts are those of the world.
typedef struct boat {
    bool has_position, has_cell, has_captain, has_orders, has_hull, has_anchor, has_hold, has_deck, has_kind, has_tow;
    bool is_moored;
    double x, y, points, dents[2], depth, length, width, painted, tons, sealed;
    int32_t zone, side;
    uint32_t peer, crate_count;
    const char *name, *chain, *owner, *title;
    crate crates[CRATES + 2]; // the last are the first ones
    kin_entity tow;
} boat;

static crate crate_of_first(const first_Crate *from)
{
    return (crate){(double)from->weight, (double)from->at.x, (double)from->at.y, (int32_t)from->side};
}

static boat boat_of_first(first_sea_context *sea, kin_entity id)
{
    first_sea_entity entity = {id};
    boat boat = {.is_moored = first_sea_is_moored(sea, entity)};
    const first_Position *position = first_sea_get_position(sea, entity);
    const first_Cell *cell = first_sea_get_cell(sea, entity);
    const first_Captain *captain = first_sea_get_captain(sea, entity);
    const first_Orders *orders = first_sea_get_orders(sea, entity);
    const first_Hull *hull = first_sea_get_hull(sea, entity);
    const first_Anchor *anchor = first_sea_get_anchor(sea, entity);
    const first_Hold *hold = first_sea_get_hold(sea, entity);
    const first_Kind *kind = first_sea_get_kind(sea, entity);
    const first_Tow *tow = first_sea_get_tow(sea, entity);
    if ((boat.has_position = position != NULL))
        boat.x = (double)position->at.x, boat.y = (double)position->at.y;
    if ((boat.has_cell = cell != NULL))
        boat.zone = cell->zone;
    if ((boat.has_captain = captain != NULL))
        boat.peer = captain->peer, boat.name = captain->name;
    if ((boat.has_orders = orders != NULL))
        boat.sealed = (double)orders->sealed;
    if ((boat.has_hull = hull != NULL)) {
        boat.points = (double)hull->points;
        boat.side = (int32_t)hull->side;
        boat.dents[0] = (double)hull->dents[0], boat.dents[1] = (double)hull->dents[1];
    }
    if ((boat.has_anchor = anchor != NULL))
        boat.depth = (double)anchor->depth, boat.chain = anchor->chain;
    if ((boat.has_hold = hold != NULL)) {
        boat.crate_count = hold->crates.count;
        boat.owner = hold->owner;
        for (uint32_t i = 0; i < hold->crates.count; i++)
            boat.crates[i] = crate_of_first(&hold->crates.at[i]);
        for (uint32_t i = 0; i < 2; i++)
            boat.crates[CRATES + i] = crate_of_first(&hold->first[i]);
    }
    first_Deck deck;
    if ((boat.has_deck = first_sea_read_deck(sea, entity, &deck))) {
        boat.length = (double)deck.length, boat.width = (double)deck.width, boat.painted = deck.painted;
    }
    if ((boat.has_kind = kind != NULL))
        boat.title = kind->title, boat.tons = (double)kind->tons;
    if ((boat.has_tow = tow != NULL))
        boat.tow = tow->boat.id;
    return boat;
}

static int32_t side_of_second(second_Side side)
{
    if (side == SECOND_SIDE_PORT)
        return FIRST_SIDE_PORT;
    return side == SECOND_SIDE_STARBOARD ? (int32_t)FIRST_SIDE_STARBOARD : -1;
}

static crate crate_of_second(const second_Load *from)
{
    return (crate){(double)from->mass, (double)from->at.x, (double)from->at.y, side_of_second(from->side)};
}

static boat boat_of_second(second_ocean_context *ocean, kin_entity id)
{
    second_ocean_entity entity = {id};
    boat boat = {.is_moored = second_ocean_is_moored(ocean, entity)};
    const second_Position *position = second_ocean_get_position(ocean, entity);
    const second_Cell *cell = second_ocean_get_cell(ocean, entity);
    const second_Captain *captain = second_ocean_get_captain(ocean, entity);
    const second_Orders *orders = second_ocean_get_orders(ocean, entity);
    const second_Body *body = second_ocean_get_body(ocean, entity);
    const second_Hold *hold = second_ocean_get_hold(ocean, entity);
    const second_Kind *kind = second_ocean_get_kind(ocean, entity);
    const second_Tow *tow = second_ocean_get_tow(ocean, entity);
    if ((boat.has_position = position != NULL))
        boat.x = (double)position->at.x, boat.y = (double)position->at.y;
    if ((boat.has_cell = cell != NULL))
        boat.zone = cell->area;
    if ((boat.has_captain = captain != NULL))
        boat.peer = captain->peer, boat.name = captain->name;
    if ((boat.has_orders = orders != NULL))
        boat.sealed = (double)orders->sealed;
    if ((boat.has_hull = body != NULL)) {
        boat.points = (double)body->hits;
        boat.side = side_of_second(body->side);
        boat.dents[0] = (double)body->dents[0], boat.dents[1] = (double)body->dents[1];
    }
    if ((boat.has_hold = hold != NULL)) {
        boat.crate_count = hold->crates.count;
        boat.owner = hold->owner;
        for (uint32_t i = 0; i < hold->crates.count; i++)
            boat.crates[i] = crate_of_second(&hold->crates.at[i]);
        for (uint32_t i = 0; i < 2; i++)
            boat.crates[CRATES + i] = crate_of_second(&hold->first[i]);
    }
    second_Deck deck;
    if ((boat.has_deck = second_ocean_read_deck(ocean, entity, &deck))) {
        boat.width = (double)deck.width, boat.painted = deck.painted;
    }
    if ((boat.has_kind = kind != NULL))
        boat.title = kind->title, boat.tons = (double)kind->tons;
    if ((boat.has_tow = tow != NULL))
        boat.tow = tow->boat.id;
    return boat;
}

static int32_t side_of_third(third_Side side)
{
    if (side == THIRD_SIDE_PORT)
        return FIRST_SIDE_PORT;
    return side == THIRD_SIDE_STARBOARD ? (int32_t)FIRST_SIDE_STARBOARD : -1;
}

static crate crate_of_third(const third_Crate *from)
{
    return (crate){(double)from->weight, from->at.x, from->at.y, side_of_third(from->side)};
}

static boat boat_of_third(third_sea_context *sea, kin_entity id)
{
    third_sea_entity entity = {id};
    boat boat = {.is_moored = third_sea_has_moored(sea, entity)};
    const third_Position *position = third_sea_get_position(sea, entity);
    const third_Cell *cell = third_sea_get_cell(sea, entity);
    const third_Captain *captain = third_sea_get_captain(sea, entity);
    const third_Orders *orders = third_sea_get_orders(sea, entity);
    const third_Hull *hull = third_sea_get_hull(sea, entity);
    const third_Anchor *anchor = third_sea_get_anchor(sea, entity);
    const third_Hold *hold = third_sea_get_hold(sea, entity);
    const third_Kind *kind = third_sea_get_kind(sea, entity);
    const third_Tow *tow = third_sea_get_tow(sea, entity);
    if ((boat.has_position = position != NULL))
        boat.x = position->at.x, boat.y = position->at.y;
    if ((boat.has_cell = cell != NULL))
        boat.zone = cell->zone;
    if ((boat.has_captain = captain != NULL))
        boat.peer = captain->peer, boat.name = captain->name;
    if ((boat.has_orders = orders != NULL)) {
        boat.sealed = (double)orders->sealed;
        ck_assert_uint_eq(orders->secret.count, 1);
    }
    if ((boat.has_hull = hull != NULL)) {
        boat.points = (double)hull->points;
        boat.side = side_of_third(hull->side);
        boat.dents[0] = (double)hull->dents[0], boat.dents[1] = (double)hull->dents[1];
        ck_assert_int_eq(hull->dents[2], 0);
    }
    if ((boat.has_anchor = anchor != NULL)) {
        boat.depth = anchor->depth[0], boat.chain = anchor->chain;
        ck_assert(anchor->depth[1] == 0);
    }
    if ((boat.has_hold = hold != NULL)) {
        boat.crate_count = hold->crates.count;
        boat.owner = hold->owner;
        ck_assert_uint_eq(hold->first.count, 2);
        for (uint32_t i = 0; i < hold->crates.count; i++)
            boat.crates[i] = crate_of_third(&hold->crates.at[i]);
        for (uint32_t i = 0; i < 2; i++)
            boat.crates[CRATES + i] = crate_of_third(&hold->first.at[i]);
    }
    third_Deck deck;
    if ((boat.has_deck = third_sea_read_deck(sea, entity, &deck))) {
        boat.length = (double)deck.length, boat.width = deck.width, boat.painted = (double)deck.painted;
    }
    if ((boat.has_kind = kind != NULL))
        boat.title = kind->title, boat.tons = kind->tons;
    if ((boat.has_tow = tow != NULL))
        boat.tow = tow->boat;
    return boat;
}

static boat boat_of(const ferry *ferry, kin_entity entity)
{
    if (ferry->first != NULL)
        return boat_of_first(ferry->first->contexts->sea, entity);
    if (ferry->second != NULL)
        return boat_of_second(ferry->second->contexts->ocean, entity);
    return boat_of_third(ferry->third->contexts->sea, entity);
}

static void compare_texts(const char *one, const char *other)
{
    if (one == NULL || other == NULL)
        ck_assert_ptr_eq(one, other);
    else
        ck_assert_str_eq(one, other);
}

static void check_crates(const boat *host, const boat *replica)
{
    ck_assert_uint_eq(host->crate_count, replica->crate_count);
    for (uint32_t i = 0; i < CRATES + 2; i++) {
        const crate *one = &host->crates[i];
        const crate *other = &replica->crates[i];
        ck_assert(one->weight == other->weight && one->x == other->x && one->y == other->y);
        ck_assert_int_eq(one->side, other->side);
    }
    compare_texts(host->owner, replica->owner);
}

static void check_hull(const boat *host, const boat *replica)
{
    ck_assert_int_eq(host->has_hull, replica->has_hull);
    ck_assert(host->points == replica->points && host->dents[0] == replica->dents[0]);
    ck_assert(host->dents[1] == replica->dents[1]);
    ck_assert_int_eq(host->side, replica->side);
}

static void check_boat(const ferry *ferry, const boat *host, const boat *replica)
{
    bool knows_second = ferries[0].second != NULL || ferry->second != NULL;
    bool is_owner = host->has_captain && host->peer == ferry->transport->peer;
    ck_assert_int_eq(host->has_position, replica->has_position);
    ck_assert(host->x == replica->x && host->y == replica->y);
    ck_assert_int_eq(host->has_cell, replica->has_cell);
    ck_assert_int_eq(host->zone, replica->zone);
    ck_assert_int_eq(host->has_captain, replica->has_captain);
    ck_assert_uint_eq(host->peer, replica->peer);
    compare_texts(host->name, replica->name);
    ck_assert_int_eq(host->has_orders && is_owner, replica->has_orders);
    ck_assert(!replica->has_orders || host->sealed == replica->sealed);
    check_hull(host, replica);
    if (!knows_second) {
        ck_assert_int_eq(host->has_anchor, replica->has_anchor);
        ck_assert(host->depth == replica->depth && host->length == replica->length);
        compare_texts(host->chain, replica->chain);
    }
    ck_assert_int_eq(host->has_hold, replica->has_hold);
    check_crates(host, replica);
    ck_assert_int_eq(host->has_deck, replica->has_deck);
    ck_assert(host->width == replica->width && host->painted == replica->painted);
    ck_assert_int_eq(host->has_kind, replica->has_kind);
    ck_assert(host->tons == replica->tons);
    compare_texts(host->title, replica->title);
    ck_assert_int_eq(host->has_tow, replica->has_tow);
    ck_assert_uint_eq(host->tow, replica->tow);
    ck_assert_int_eq(host->is_moored, replica->is_moored);
}

// What the host does not send has its default.
static void check_second_alone(second_ocean_context *ocean, second_ocean_entity entity)
{
    const second_Body *body = second_ocean_get_body(ocean, entity);
    const second_Captain *captain = second_ocean_get_captain(ocean, entity);
    const second_Kind *kind = second_ocean_get_kind(ocean, entity);
    const second_Hold *hold = second_ocean_get_hold(ocean, entity);
    ck_assert(body == NULL || body->armour == 7);
    ck_assert(captain == NULL || captain->rank == 3);
    ck_assert(kind == NULL || kind->flag == 2);
    ck_assert(hold == NULL || (hold->notes.count == 0 && hold->first[0].label == 0));
    second_Deck deck;
    ck_assert(!second_ocean_read_deck(ocean, entity, &deck) || deck.planks == 4);
    ck_assert(!second_ocean_has_sail(ocean, entity) && !second_ocean_is_wreck(ocean, entity));
}

static bool is_alive(const ferry *ferry, kin_entity entity)
{
    uint32_t count;
    const kin_entity *entities = kin__entities(sea_of(ferry), &count);
    for (uint32_t i = 0; i < count; i++)
        if (entities[i] == entity)
            return true;
    return false;
}

void ferry_check(const ferry *replica)
{
    uint32_t count;
    const kin_entity *entities = kin__entities(sea_of(&ferries[0]), &count);
    ck_assert_uint_eq(ferry_count(replica), count);
    for (uint32_t i = 0; i < count; i++) {
        boat of_host = boat_of(&ferries[0], entities[i]);
        boat of_replica = boat_of(replica, entities[i]);
        ck_assert(is_alive(replica, entities[i]));
        check_boat(replica, &of_host, &of_replica);
        if (ferries[0].first != NULL && replica->second != NULL)
            check_second_alone(replica->second->contexts->ocean, (second_ocean_entity){entities[i]});
    }
    ck_assert(kin__context_is_valid(sea_of(replica)));
}

// ---- damage

// Bytes of a frame, as a sink and a source.
typedef struct frame_bytes {
    unsigned char bytes[1 << 16];
    size_t size, at;
} frame_bytes;

static bool take_bytes(const void *bytes, size_t size, void *user)
{
    frame_bytes *frame = user;
    ck_assert_uint_le(size, sizeof frame->bytes);
    memcpy(frame->bytes, bytes, size);
    frame->size = size;
    return true;
}

static size_t give_bytes(void *bytes, size_t size, void *user)
{
    frame_bytes *frame = user;
    size_t left = frame->size - frame->at;
    size_t piece = left < size ? left : size;
    memcpy(bytes, frame->bytes + frame->at, piece);
    frame->at += piece;
    return piece;
}

uint32_t ferry_damage(ferry *replica, uint32_t faults)
{
    static frame_bytes frame;
    static frame_bytes damaged;
    kin_snapshot *now = NULL;
    kin_snapshot *state = NULL;
    kin_view view = {.zone = 1, .epoch = 1, .number = 1000};
    uint32_t refused = 0;
    ck_assert_int_eq(kin__world_save_unreported(world_of(&ferries[0]), &now), KIN_OK);
    ck_assert_int_eq(kin_frame_make(NULL, now, &view, (kin_sink){take_bytes, &frame}), KIN_OK);
    for (uint32_t i = 0; i < faults; i++) {
        size_t end = frame.size - sizeof(uint32_t);
        damaged = frame;
        damaged.at = 0;
        damaged.bytes[roll((uint32_t)end)] ^= (unsigned char)(1u << roll(8));
        kin__little_write_32(damaged.bytes + end, (uint32_t)kin__xxh64_of(damaged.bytes, end, 0));
        ck_assert_int_eq(kin__world_save_unreported(world_of(replica), &state), KIN_OK);
        kin_source source = {give_bytes, NULL, &damaged};
        refused += kin__frames_apply(&state, source, replica->session->other->map) != KIN_OK;
        error_log_clear(&replica->errors);
    }
    kin_snapshot_destroy(now);
    kin_snapshot_destroy(state);
    return refused;
}
