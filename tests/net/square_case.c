#include "square_case.h"

#include "entity/entity.h"

#include <math.h>
#include <string.h>

square squares[SQUARE_MOST];
uint32_t square_count;

static square *square_of(square_world *world)
{
    return world->user;
}

// ---- systems

void steer_on_order(square_world *world, const Order *order)
{
    square *square = square_of(world);
    market_context *market = world->contexts->market;
    market_players_iter it = market_players_iterate(market);
    square->steers++;
    square->last_order = *order;
    while (market_players_next(&it))
        for (uint32_t i = 0; i < it.count; i++)
            if (it.player[i].peer == order->sender)
                it.position[i].at = order->to;
}

void walk_update(square_world *world, walk_iter *it, const kin_tick *tick)
{
    (void)tick;
    square_of(world)->walks++;
    while (walk_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            it->position[i].at.x += it->velocity[i].by.x;
            it->position[i].at.y += it->velocity[i].by.y;
        }
}

void spawn_on_speech(square_world *world, const Speech *speech)
{
    square_of(world)->speeches++;
    square_of(world)->last_speech = *speech;
}

void spawn_on_inner(square_world *world, const Inner *inner)
{
    square_of(world)->spawns++;
    if (inner->n == SQUARE_SHAKES)
        square_publish_tremor(world);
}

void draw_execute(square_world *world, const kin_tick *tick)
{
    square_of(world)->draws++;
    square_of(world)->drawn_frame = tick->frame;
}

void draw_on_boom(square_world *world, const Boom *boom)
{
    square_of(world)->booms++;
    square_of(world)->last_boom = *boom;
}

void draw_on_tremor(square_world *world)
{
    square_of(world)->tremors++;
}

// ---- worlds

static square *make(kin_transport *transport)
{
    ck_assert_uint_lt(square_count, SQUARE_MOST);
    square *square = &squares[square_count++];
    *square = (struct square){.transport = transport};
    kin_context_options options = {.on_error = error_log_append, .error_user = &square->errors};
    error_log_clear(&square->errors);
    square->world = square_world_create(&options, square);
    ck_assert_ptr_nonnull(square->world);
    ck_assert_ptr_nonnull(transport);
    square->market = square->world->contexts->market;
    return square;
}

square *square_host(kin_transport *transport, const kin_session_options *options)
{
    square *host = make(transport);
    host->session = square_world_host(host->world, host->transport, options);
    ck_assert_ptr_nonnull(host->session);
    return host;
}

square *square_follow(kin_transport *transport, const kin_session_options *options)
{
    square *replica = make(transport);
    replica->session = square_world_follow(replica->world, replica->transport, options);
    ck_assert_ptr_nonnull(replica->session);
    return replica;
}

square *square_stand_by(kin_transport *transport, const kin_session_options *options)
{
    square *standby = make(transport);
    standby->session = square_world_stand_by(standby->world, standby->transport, options);
    ck_assert_ptr_nonnull(standby->session);
    return standby;
}

void square_begin(const kin_memory_options *network, const kin_session_options *options)
{
    square_count = 0;
    square_host(kin_memory_transport_create(network), options);
}

square *square_join(const kin_session_options *options)
{
    return square_follow(kin_memory_transport_join(squares[0].transport), options);
}

void square_step(void)
{
    for (uint32_t i = 0; i < square_count; i++)
        square_world_update(squares[i].world, 0.0625);
    kin_memory_transport_step(squares[0].transport);
}

void square_steps(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        square_step();
}

void square_end(void)
{
    while (square_count > 0) {
        square *last = &squares[--square_count];
        square_world_destroy(last->world);
        last->transport->end(last->transport);
        ck_assert_uint_eq(last->errors.count, 0);
    }
}

kin_session_numbers square_state(const square *square)
{
    kin_session_numbers numbers;
    kin_session_state(square->session, &numbers);
    return numbers;
}

bool square_has_role(const square *square, kin_session_role role)
{
    return square_state(square).role == role;
}

uint64_t square_hash(const square *square)
{
    kin_snapshot *snapshot = NULL;
    ck_assert_int_eq(square_world_save(square->world, &snapshot), KIN_OK);
    uint64_t hash = kin_snapshot_hash(snapshot);
    kin_snapshot_destroy(snapshot);
    return hash;
}

market_entity square_unit(float x, float y, int32_t zone)
{
    market_context *market = squares[0].market;
    market_entity unit = market_create_entity(market);
    market_add_position(market, unit, (Position){{x, y}});
    market_add_velocity(market, unit, (Velocity){{0, 0}});
    market_add_cell(market, unit, (Cell){zone});
    market_add_health(market, unit, (Health){.points = 10, .regen = 3});
    return unit;
}

// ---- comparing

static bool sees(market_entity entity, const int32_t *zones, uint32_t count)
{
    const Cell *cell = market_get_cell(squares[0].market, entity);
    if (zones == NULL || cell == NULL)
        return true;
    for (uint32_t i = 0; i < count; i++)
        if (zones[i] == cell->zone)
            return true;
    return false;
}

// The nearest multiple of the precision of positions.
static float rounded(float number)
{
    return (float)(round((double)number / 0.0078125) * 0.0078125);
}

static void check_entity(market_context *market, market_entity entity)
{
    market_context *host = squares[0].market;
    ck_assert(market_entity_is_alive(market, entity));
    const Position *position = market_get_position(host, entity);
    ck_assert_int_eq(market_has_position(market, entity), position != NULL);
    if (position != NULL) {
        ck_assert(market_get_position(market, entity)->at.x == rounded(position->at.x));
        ck_assert(market_get_position(market, entity)->at.y == rounded(position->at.y));
    }
    const Health *health = market_get_health(host, entity);
    ck_assert_int_eq(market_has_health(market, entity), health != NULL);
    if (health != NULL) {
        ck_assert_int_eq(market_get_health(market, entity)->points, health->points);
        ck_assert(market_get_health(market, entity)->regen == 0);
    }
    const Cell *cell = market_get_cell(host, entity);
    ck_assert_int_eq(market_has_cell(market, entity), cell != NULL);
    if (cell != NULL)
        ck_assert_int_eq(market_get_cell(market, entity)->zone, cell->zone);
    ck_assert(!market_has_plan(market, entity));
}

void square_check(const square *replica, const int32_t *zones, uint32_t count)
{
    uint32_t all;
    uint32_t seen = 0;
    const market_entity *entities = market_entities(squares[0].market, &all);
    for (uint32_t i = 0; i < all; i++) {
        if (!sees(entities[i], zones, count)) {
            ck_assert(!market_entity_is_alive(replica->market, entities[i]));
            continue;
        }
        seen++;
        check_entity(replica->market, entities[i]);
    }
    ck_assert_uint_eq(market_entity_count(replica->market), seen);
    ck_assert(kin__context_is_valid(&replica->market->base));
}
