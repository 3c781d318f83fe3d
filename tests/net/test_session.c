// Sessions: a host and its replicas, on networks in memory.
#include "entity/entity.h"
#include "square_case.h"
#include "suites.h"

#include <math.h>
#include <string.h>
#include <time.h>

// The numbers of messages, in the order of their names.
enum { BOOM = 0, SPEECH = 3 };

static const kin_session_options predicts = {.predicts = true};
static const kin_memory_options shared = {.is_shared = true};

// ---- following

static void follow(const kin_memory_options *network)
{
    square_begin(network, NULL);
    square_unit(1, 2, 0);
    square *replica = square_join(NULL);
    square_steps(3);
    square_check(replica, NULL, 0);
    market_entity second = square_unit(3.004f, 4, 7);
    market_replace_velocity(squares[0].market, second, (Velocity){{0.5f, 0.25f}});
    square_steps(10);
    square_check(replica, NULL, 0);
    market_destroy_entity(squares[0].market, second);
    market_remove_health(squares[0].market, square_unit(5, 5, 7));
    square_steps(2);
    square_check(replica, NULL, 0);
    ck_assert_uint_gt(square_state(replica).frame, 10);
    ck_assert_uint_eq(square_state(replica).frame, square_state(&squares[0]).frame);
    ck_assert_uint_eq(square_state(replica).resyncs, 0);
    square_end();
}

START_TEST(net_04_a_replica_has_the_entities_of_the_host_under_their_handles)
{
    follow(NULL);
}
END_TEST

START_TEST(net_16_a_replica_of_a_shared_transport_joins_without_asking)
{
    follow(&shared);
}
END_TEST

START_TEST(net_16_one_joins_late)
{
    const kin_memory_options *const networks[] = {NULL, &shared};
    for (uint32_t i = 0; i < 2; i++) {
        square_begin(networks[i], NULL);
        market_entity unit = square_unit(1, 2, 3);
        market_replace_velocity(squares[0].market, unit, (Velocity){{1, 0}});
        square_steps(20);
        square *late = square_join(NULL);
        square_steps(3);
        square_check(late, NULL, 0);
        square_steps(20);
        square_check(late, NULL, 0);
        square_end();
    }
}
END_TEST

// ---- zones

START_TEST(net_08_an_entity_that_changes_zones_stays_for_a_replica_of_both)
{
    square_begin(NULL, NULL);
    market_entity unit = square_unit(1, 2, 1);
    square *both = square_join(NULL);
    square *one = square_join(NULL);
    kin_zone zones[] = {{.zone = 1}};
    square_steps(2);
    ck_assert_int_eq(kin_session_see(one->session, zones, 1), KIN_OK);
    square_steps(3);
    square_check(one, (int32_t[]){1}, 1);
    market_replace_cell(squares[0].market, unit, (Cell){2});
    square_steps(2);
    square_check(both, NULL, 0);
    square_check(one, (int32_t[]){1}, 1);
    ck_assert_uint_eq(market_entity_count(one->market), 0);
    market_replace_cell(squares[0].market, unit, (Cell){1});
    square_steps(2);
    square_check(one, (int32_t[]){1}, 1);
    square_end();
}
END_TEST

START_TEST(net_06_a_host_says_what_a_peer_sees)
{
    square_begin(NULL, NULL);
    for (int32_t zone = 0; zone < 6; zone++)
        square_unit((float)zone, 0, zone);
    square *replica = square_join(NULL);
    square_steps(3);
    kin_zone zones[] = {{.zone = 2}, {.zone = 5}};
    ck_assert_int_eq(kin_session_show(squares[0].session, replica->transport->peer, zones, 2), KIN_OK);
    square_steps(2);
    square_check(replica, (int32_t[]){2, 5}, 2);
    ck_assert_int_eq(kin_session_see(replica->session, &(kin_zone){.zone = 1}, 1), KIN_OK);
    square_steps(3);
    square_check(replica, (int32_t[]){2, 5}, 2);
    ck_assert_int_eq(kin_session_show(squares[0].session, 99, zones, 2), KIN_ERROR_INVALID);
    ck_assert_reported(&squares[0].errors, KIN_ERROR_INVALID);
    square_end();
}
END_TEST

// ---- changes by the program

START_TEST(net_11_a_replica_changes_nothing_itself)
{
    square_begin(NULL, NULL);
    market_entity unit = square_unit(1, 2, 0);
    square *replica = square_join(NULL);
    square_steps(3);
    market_context *market = replica->market;
    ck_assert_int_eq(market_replace_health(market, unit, (Health){.points = 1}), KIN_ERROR_REPLICA);
    ck_assert_reported(&replica->errors, KIN_ERROR_REPLICA);
    ck_assert_int_eq(market_remove_health(market, unit), KIN_ERROR_REPLICA);
    ck_assert_reported(&replica->errors, KIN_ERROR_REPLICA);
    ck_assert_int_eq(market_destroy_entity(market, unit), KIN_ERROR_REPLICA);
    ck_assert_reported(&replica->errors, KIN_ERROR_REPLICA);
    ck_assert_uint_eq(market_create_entity(market).id, 0);
    ck_assert_reported(&replica->errors, KIN_ERROR_REPLICA);
    ck_assert_int_eq(market_set_asleep(market, unit, true), KIN_ERROR_REPLICA);
    ck_assert_reported(&replica->errors, KIN_ERROR_REPLICA);
    square_step();
    square_check(replica, NULL, 0);
    stalls_context *stalls = replica->world->contexts->stalls;
    stalls_entity sprite = stalls_create_entity(stalls);
    ck_assert_int_eq(stalls_add_sprite(stalls, sprite, (Sprite){.of = unit}), KIN_OK);
    kin_snapshot *snapshot = NULL;
    ck_assert_int_eq(market_save(market, &snapshot), KIN_OK);
    ck_assert_int_eq(market_restore(market, snapshot, KIN_RESTORE_EXACTLY), KIN_ERROR_REPLICA);
    ck_assert_reported(&replica->errors, KIN_ERROR_REPLICA);
    kin_snapshot_destroy(snapshot);
    kin_session_end(replica->session);
    ck_assert_int_eq(market_replace_health(market, unit, (Health){.points = 1}), KIN_OK);
    square_end();
}
END_TEST

START_TEST(net_11_systems_run_where_the_schema_says)
{
    square_begin(NULL, NULL);
    square_unit(1, 2, 0);
    square *replica = square_join(NULL);
    square *prophet = square_join(&predicts);
    square_steps(5);
    ck_assert_uint_eq(squares[0].draws, 0);
    ck_assert_uint_gt(squares[0].walks, 0);
    ck_assert_uint_eq(replica->walks, 0);
    ck_assert_uint_gt(replica->draws, 0);
    ck_assert_uint_gt(prophet->walks, 0);
    ck_assert_uint_gt(prophet->draws, 0);
    ck_assert_uint_eq(replica->drawn_frame + 1, square_state(replica).frame);
    square_world *alone = replica->world;
    uint32_t walks = replica->walks;
    kin_session_end(replica->session);
    square_world_update(alone, 1);
    ck_assert_uint_gt(replica->walks, walks);
    square_end();
}
END_TEST

// ---- messages

START_TEST(net_22_messages_of_a_replica_are_published_by_the_host_with_their_sender)
{
    square_begin(NULL, NULL);
    square *first = square_join(NULL);
    square *second = square_join(NULL);
    square_steps(3);
    ck_assert_int_eq(square_send_order(second->world, (Order){{3, 4}, .sender = 77}), KIN_OK);
    square_steps(2);
    ck_assert_uint_eq(squares[0].steers, 1);
    ck_assert_uint_eq(squares[0].last_order.sender, second->transport->peer);
    ck_assert(squares[0].last_order.to.x == 3 && squares[0].last_order.to.y == 4);
    ck_assert_int_eq(square_send_order(first->world, (Order){.to = {1, 1}}), KIN_OK);
    ck_assert_int_eq(square_send_order(first->world, (Order){.to = {2, 2}}), KIN_OK);
    square_steps(2);
    ck_assert_uint_eq(squares[0].steers, 3);
    ck_assert(squares[0].last_order.to.x == 2);
    kin_peer_numbers peers[4];
    ck_assert_uint_eq(kin_session_peers(squares[0].session, peers, 4), 2);
    ck_assert_uint_eq(peers[0].taken, 2);
    ck_assert_uint_eq(peers[1].taken, 1);
    square_end();
}
END_TEST

START_TEST(net_22_a_host_takes_so_many_messages_of_a_peer_and_leaves_the_rest)
{
    square_begin(NULL, &(kin_session_options){.messages_each_frame = 2});
    square *replica = square_join(NULL);
    square_steps(2);
    for (uint32_t i = 0; i < 5; i++)
        ck_assert_int_eq(square_send_order(replica->world, (Order){.to = {(float)i, 0}}), KIN_OK);
    square_step();
    ck_assert_uint_eq(squares[0].steers, 2);
    square_step();
    ck_assert_uint_eq(squares[0].steers, 4);
    square_step();
    ck_assert_uint_eq(squares[0].steers, 5);
    square_end();
}
END_TEST

START_TEST(net_21_what_a_peer_may_not_send_is_refused)
{
    square_begin(NULL, NULL);
    square *replica = square_join(NULL);
    square_steps(3);
    kin_transport *peer = replica->transport;
    kin_topic in = {.kind = KIN_TOPIC_IN, .peer = peer->peer};
    const unsigned char boom[] = {'M', BOOM, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2};
    ck_assert(peer->send(peer, in, 0, boom, sizeof boom));
    ck_assert(peer->send(peer, in, 0, "M", 1));
    ck_assert(peer->send(peer, in, 0, "?", 1));
    square_step();
    ck_assert_uint_eq(square_state(&squares[0]).refused[KIN_REFUSED_DIRECTION], 1);
    ck_assert_uint_eq(square_state(&squares[0]).refused[KIN_REFUSED_SYNTAX], 2);
    for (uint32_t i = 0; i < 16; i++)
        ck_assert(peer->send(peer, in, 0, "M", 1));
    square_step();
    ck_assert_uint_eq(kin_session_peers(squares[0].session, NULL, 0), 0);
    square_step();
    ck_assert_reported(&replica->errors, KIN_ERROR_STREAM);
    square_end();
}
END_TEST

START_TEST(net_21_values_that_a_field_cannot_have_are_refused)
{
    square_begin(NULL, NULL);
    square *replica = square_join(NULL);
    square_steps(3);
    kin_transport *peer = replica->transport;
    kin_topic in = {.kind = KIN_TOPIC_IN, .peer = peer->peer};
    // text, side, who: too long, not UTF-8, an unknown side, and one that is right
    const unsigned char length[] = {'M', SPEECH, 1, 1, 32, 'x', 0, 0};
    const unsigned char bytes[] = {'M', SPEECH, 2, 1, 2, 0xC3, 0x28, 0, 0};
    const unsigned char side[] = {'M', SPEECH, 3, 1, 1, 'x', 8, 0};
    const unsigned char more[] = {'M', SPEECH, 4, 1, 1, 'x', 2, 0, 0};
    const unsigned char right[] = {'M', SPEECH, 5, 1, 3, 'a', 0xC3, 0xA4, 2, 5};
    ck_assert(peer->send(peer, in, 0, length, sizeof length));
    ck_assert(peer->send(peer, in, 0, bytes, sizeof bytes));
    ck_assert(peer->send(peer, in, 0, side, sizeof side));
    ck_assert(peer->send(peer, in, 0, more, sizeof more));
    ck_assert(peer->send(peer, in, 0, right, sizeof right));
    ck_assert(peer->send(peer, in, 0, right, sizeof right));
    square_step();
    ck_assert_uint_eq(square_state(&squares[0]).refused[KIN_REFUSED_SYNTAX], 4);
    ck_assert_uint_eq(square_state(&squares[0]).refused[KIN_REFUSED_TWICE], 1);
    ck_assert_uint_eq(squares[0].speeches, 1);
    ck_assert_str_eq(squares[0].last_speech.text, "a\xC3\xA4");
    ck_assert_int_eq(squares[0].last_speech.side, SIDE_EAST);
    ck_assert_uint_eq(squares[0].last_speech.who.id, 5);
    square_end();
}
END_TEST

START_TEST(net_15_messages_to_replicas_arrive_once_in_those_that_see_their_zone)
{
    const kin_memory_options *const networks[] = {NULL, &shared};
    for (uint32_t i = 0; i < 2; i++) {
        square_begin(networks[i], NULL);
        square_unit(1, 2, 4);
        square_unit(1, 2, 5);
        square *four = square_join(NULL);
        square *five = square_join(NULL);
        square_steps(2);
        ck_assert_int_eq(kin_session_see(four->session, &(kin_zone){.zone = 4}, 1), KIN_OK);
        ck_assert_int_eq(kin_session_see(five->session, &(kin_zone){.zone = 5}, 1), KIN_OK);
        square_steps(4);
        square_publish_boom(squares[0].world, (Boom){.at = {1, 2}, .cell = 4});
        square_publish_tremor(squares[0].world);
        square_steps(3);
        ck_assert_uint_eq(four->booms, 1);
        ck_assert_uint_eq(five->booms, 0);
        ck_assert_uint_eq(four->tremors, 1);
        ck_assert_uint_eq(five->tremors, 1);
        ck_assert(four->last_boom.at.y == 2);
        square_end();
    }
}
END_TEST

START_TEST(net_15_alone_a_message_is_published)
{
    square_begin(NULL, NULL);
    ck_assert_int_eq(square_send_order(squares[0].world, (Order){.to = {1, 1}}), KIN_OK);
    square_step();
    ck_assert_uint_eq(squares[0].steers, 1);
    ck_assert_int_eq(square_send_order(NULL, (Order){.to = {1, 1}}), KIN_ERROR_INVALID);
    square_end();
}
END_TEST

// ---- prediction

static market_entity player_of(const square *replica)
{
    market_entity player = square_unit(0, 0, 0);
    market_add_player(squares[0].market, player, (Player){.peer = replica->transport->peer, .name = "Ada"});
    return player;
}

START_TEST(net_13_a_replica_shows_its_own_messages_before_the_host_has_them)
{
    square_begin(&(kin_memory_options){.delay = 3}, NULL);
    square *replica = square_join(&predicts);
    market_entity player = player_of(replica);
    square_steps(20);
    square_check(replica, NULL, 0);
    ck_assert_int_eq(square_send_order(replica->world, (Order){.to = {8, 9}}), KIN_OK);
    square_step();
    ck_assert(market_get_position(squares[0].market, player)->at.x == 0);
    ck_assert(market_get_position(replica->market, player)->at.x == 8);
    for (uint32_t i = 0; i < 20; i++) {
        square_step();
        ck_assert(market_get_position(replica->market, player)->at.x == 8);
    }
    ck_assert(market_get_position(squares[0].market, player)->at.x == 8);
    square_check(replica, NULL, 0);
    square_end();
}
END_TEST

START_TEST(net_13_a_wrong_guess_is_replaced_by_the_truth)
{
    square_begin(&(kin_memory_options){.delay = 2}, NULL);
    square *replica = square_join(&predicts);
    market_entity player = player_of(replica);
    square_steps(20);
    ck_assert_int_eq(square_send_order(replica->world, (Order){.to = {8, 9}}), KIN_OK);
    market_replace_player(squares[0].market, player, (Player){.peer = 1000, .name = "Bob"});
    square_steps(20);
    ck_assert(market_get_position(squares[0].market, player)->at.x == 0);
    ck_assert_str_eq(market_get_player(replica->market, player)->name, "Bob");
    square_check(replica, NULL, 0);
    square_end();
}
END_TEST

// ---- blending

START_TEST(net_14_blending_is_between_the_last_two_states)
{
    square_begin(NULL, NULL);
    market_entity unit = square_unit(0, 0, 0);
    market_replace_velocity(squares[0].market, unit, (Velocity){{1, 2}});
    square *replica = square_join(NULL);
    square_steps(10);
    Position last = *market_get_position(replica->market, unit);
    Position blended = market_blend_position(replica->session, unit);
    ck_assert(blended.at.x >= last.at.x - 1 && blended.at.x <= last.at.x);
    ck_assert(fabs(blended.at.y - 2 * blended.at.x) < 0.01);
    market_entity young = square_unit(5, 6, 0);
    square_step();
    ck_assert(market_blend_position(replica->session, young).at.x == 5);
    market_destroy_entity(squares[0].market, young);
    square_step();
    ck_assert(market_blend_position(replica->session, young).at.x == 5);
    square_step();
    ck_assert(market_blend_position(replica->session, young).at.x == 0);
    ck_assert(market_blend_position(NULL, unit).at.x == 0);
    square_end();
}
END_TEST

// ---- owners

START_TEST(net_06_components_of_the_owner_go_to_the_owner_alone)
{
    const kin_memory_options *const networks[] = {NULL, &shared};
    for (uint32_t i = 0; i < 2; i++) {
        square_begin(networks[i], NULL);
        square *owner = square_join(NULL);
        square *other = square_join(NULL);
        market_entity player = player_of(owner);
        market_add_hand(squares[0].market, player, (Hand){{1, 2, 3, 4, 5}});
        square_steps(5);
        ck_assert(market_has_hand(owner->market, player));
        ck_assert_int_eq(market_get_hand(owner->market, player)->cards[4], 5);
        ck_assert(!market_has_hand(other->market, player));
        market_replace_hand(squares[0].market, player, (Hand){{1, 2, 3, 4, 6}});
        square_steps(3);
        ck_assert_int_eq(market_get_hand(owner->market, player)->cards[4], 6);
        ck_assert(!market_has_hand(other->market, player));
        square_end();
    }
}
END_TEST

// A replica that joins a broker late gets what it alone gets with the next full frames, and again after a gap.
START_TEST(net_16_what_an_owner_gets_comes_after_joining_a_shared_transport)
{
    square_begin(&shared, &(kin_session_options){.full_every_ms = 1});
    market_entity unit = square_unit(1, 2, 3);
    square_steps(40);
    square *owner = square_join(NULL);
    market_entity player = player_of(owner);
    market_add_hand(squares[0].market, player, (Hand){{1, 2, 3, 4, 5}});
    for (uint32_t i = 0; i < 20; i++) {
        market_replace_velocity(squares[0].market, unit, (Velocity){{(float)i, 0}});
        square_steps(4);
    }
    ck_assert_int_eq(market_get_hand(owner->market, player)->cards[4], 5);
    kin_zone zones[] = {{.zone = 3}, {.zone = 0}};
    ck_assert_int_eq(kin_session_see(owner->session, zones, 2), KIN_OK);
    square_steps(60);
    ck_assert_int_eq(market_get_hand(owner->market, player)->cards[4], 5);
    ck_assert_uint_eq(square_state(owner).refused[KIN_REFUSED_BASE], 0);
    ck_assert_uint_eq(square_state(owner).wrong_hashes, 0);
    square_end();
}
END_TEST

// As many as a square of eight zones by eight has in two seconds.
START_TEST(net_16_one_joins_late_in_many_zones)
{
    square_begin(&shared, &(kin_session_options){.full_every_ms = 50});
    for (int32_t zone = 0; zone < 64; zone++)
        market_replace_velocity(squares[0].market, square_unit(1, 2, zone), (Velocity){{1, 0}});
    for (uint32_t i = 0; i < 4; i++) {
        square_steps(30);
        square *late = square_join(NULL);
        square_steps(30);
        square_check(late, NULL, 0);
        ck_assert_uint_eq(square_state(late).resyncs, 0);
    }
    square_end();
}
END_TEST

// ---- leases

static bool is_granted, is_out_of_reach;
static uint32_t granted_epoch, roles;

static bool lease_by_hand(kin_transport *transport, kin_lease *lease)
{
    (void)transport;
    lease->is_held = is_granted && !lease->gives_up;
    lease->epoch = granted_epoch;
    is_granted = is_granted && !lease->gives_up;
    return !is_out_of_reach;
}

static void count_role(kin_session *session, kin_session_role before, void *user)
{
    (void)before, (void)user;
    kin_session_numbers numbers;
    kin_session_state(session, &numbers);
    roles = roles * 10 + (uint32_t)numbers.role;
}

START_TEST(net_26_a_host_sends_only_while_it_has_the_lease)
{
    is_granted = is_out_of_reach = false;
    granted_epoch = 4;
    roles = 0;
    square_begin(&shared, NULL);
    kin_session_end(squares[0].session);
    squares[0].transport->lease = lease_by_hand;
    squares[0].session = square_world_host(squares[0].world, squares[0].transport,
                                           &(kin_session_options){.changed = count_role, .full_every_ms = 1});
    square *replica = square_join(NULL);
    square_unit(1, 2, 3);
    square_steps(5);
    ck_assert_int_eq(square_state(&squares[0]).role, KIN_ALONE);
    ck_assert_uint_eq(square_state(replica).frame, 0);
    is_granted = true;
    square_steps(5);
    ck_assert_int_eq(square_state(&squares[0]).role, KIN_HOST);
    ck_assert_uint_eq(square_state(replica).epoch, 4);
    square_check(replica, NULL, 0);
    is_out_of_reach = true;
    uint64_t bytes = square_state(&squares[0]).bytes_out;
    square_unit(2, 2, 2);
    square_steps(5);
    ck_assert_int_eq(square_state(&squares[0]).role, KIN_ALONE);
    ck_assert_uint_eq(square_state(&squares[0]).bytes_out, bytes);
    ck_assert_uint_eq(market_entity_count(replica->market), 1);
    is_out_of_reach = false;
    granted_epoch = 6;
    square_steps(5);
    ck_assert_uint_eq(square_state(replica).epoch, 6);
    ck_assert_uint_eq(kin_session_peers(squares[0].session, NULL, 0), 1);
    square_check(replica, NULL, 0);
    ck_assert_uint_eq(roles, KIN_HOST * 100 + KIN_ALONE * 10 + KIN_HOST);
    kin_session_end(squares[0].session);
    ck_assert(!is_granted);
    error_log_clear(&replica->errors);
    square_steps(1);
    error_log_clear(&replica->errors);
    square_end();
}
END_TEST

// ---- bad networks

START_TEST(net_17_loss_and_disorder_change_nothing)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const kin_memory_options network = {.seed = seed, .loss = 100, .twice = 100, .late = 200, .delay = 1};
        square_begin(&network, NULL);
        square *replica = square_join(NULL);
        uint64_t state = seed;
        for (uint32_t i = 0; i < 60; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            market_entity unit = square_unit((float)(state >> 60), (float)i, (int32_t)(state >> 40 & 3));
            market_replace_velocity(squares[0].market, unit, (Velocity){{0.25f, 0}});
            square_step();
        }
        square_steps(200);
        ck_assert_uint_gt(square_state(replica).frame, 60);
        ck_assert_uint_eq(square_state(replica).wrong_hashes, 0);
        ck_assert_uint_eq(market_entity_count(replica->market), 60);
        square_end();
    }
}
END_TEST

// ---- values

START_TEST(net_05_floats_that_are_no_neighbours_stay_apart)
{
    square_begin(NULL, NULL);
    square *replica = square_join(NULL);
    market_entity unit = square_unit(0, 0, 0);
    market_add_spin(squares[0].market, unit, (Spin){1, 2, 3, 4});
    square_steps(3);
    market_replace_spin(squares[0].market, unit, (Spin){5, 2, 6, 7});
    square_steps(2);
    const Spin *spin = market_get_spin(replica->market, unit);
    ck_assert(spin->x == 5 && spin->y == 2 && spin->z == 6 && spin->turns == 7);
    market_replace_spin(squares[0].market, unit, (Spin){5, 8, 9, 7});
    square_steps(2);
    spin = market_get_spin(replica->market, unit);
    ck_assert(spin->x == 5 && spin->y == 8 && spin->z == 9 && spin->turns == 7);
    square_end();
}
END_TEST

// ---- budgets

enum { CROWD = 60, CROWD_ZONES = 6 };

static market_entity crowd_units[CROWD];
static uint64_t crowd_state;

static uint32_t crowd_draw(uint32_t below)
{
    crowd_state = crowd_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(crowd_state >> 33) % below;
}

static void begin_crowd(void)
{
    crowd_state = 1;
    for (uint32_t i = 0; i < CROWD; i++)
        crowd_units[i] = square_unit((float)i, 0, (int32_t)(i % CROWD_ZONES));
}

// Moves some units, lets others change their zones, and replaces a few by others in their slots.
static void change_crowd(void)
{
    market_context *market = squares[0].market;
    for (uint32_t i = 0; i < CROWD / 4; i++) {
        uint32_t unit = crowd_draw(CROWD);
        market_replace_position(market, crowd_units[unit], (Position){{(float)crowd_draw(100), 1}});
    }
    market_replace_cell(market, crowd_units[crowd_draw(CROWD)], (Cell){(int32_t)crowd_draw(CROWD_ZONES)});
    if (crowd_draw(2) == 0) {
        uint32_t unit = crowd_draw(CROWD);
        market_destroy_entity(market, crowd_units[unit]);
        crowd_units[unit] = square_unit(5, 5, (int32_t)crowd_draw(CROWD_ZONES));
    }
    if (crowd_draw(8) == 0)
        market_remove_cell(market, crowd_units[crowd_draw(CROWD)]);
    for (uint32_t i = 0; i < CROWD; i++)
        if (!market_has_cell(market, crowd_units[i]) && crowd_draw(4) == 0)
            market_add_cell(market, crowd_units[i], (Cell){2});
}

static uint64_t bytes_to_peer(void)
{
    kin_peer_numbers peer;
    ck_assert_uint_eq(kin_session_peers(squares[0].session, &peer, 1), 1);
    return peer.bytes_out;
}

START_TEST(net_19_every_zone_arrives_with_any_budget)
{
    static const uint32_t budgets[] = {64, 100, 300, 1000, 5000};
    for (uint32_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        square_begin(NULL, &(kin_session_options){.budget = budgets[i]});
        square *replica = square_join(NULL);
        begin_crowd();
        square_steps(40);
        square_check(replica, NULL, 0);
        for (uint32_t step = 0; step < 60; step++) {
            change_crowd();
            square_step();
            ck_assert(kin__context_is_valid(&replica->market->base));
        }
        square_steps(40);
        square_check(replica, NULL, 0);
        ck_assert_uint_eq(square_state(replica).wrong_hashes, 0);
        ck_assert_uint_eq(square_state(replica).resyncs, 0);
        square_end();
    }
}
END_TEST

START_TEST(net_19_a_peer_gets_no_more_than_its_budget)
{
    square_begin(NULL, &(kin_session_options){.budget = 400});
    square *replica = square_join(NULL);
    begin_crowd();
    square_steps(3);
    for (uint32_t step = 0; step < 20; step++) {
        uint64_t before = bytes_to_peer();
        for (uint32_t i = 0; i < CROWD; i++)
            market_replace_position(squares[0].market, crowd_units[i], (Position){{(float)crowd_draw(100), 1}});
        square_step();
        ck_assert_uint_le(bytes_to_peer() - before, 400);
        ck_assert_uint_gt(bytes_to_peer() - before, 100);
    }
    square_steps(40);
    square_check(replica, NULL, 0);
    square_end();
}
END_TEST

// How often a unit was seen to move, while it moves in every frame.
static uint32_t count_moves(const square *replica, market_entity unit, uint32_t frames)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < frames; i++) {
        float before = market_get_position(replica->market, unit)->at.x;
        square_step();
        count += market_get_position(replica->market, unit)->at.x != before;
    }
    return count;
}

START_TEST(net_19_a_zone_is_sent_every_so_many_frames)
{
    square_begin(NULL, NULL);
    square *replica = square_join(NULL);
    market_entity fast = square_unit(0, 0, 1);
    market_entity slow = square_unit(0, 0, 2);
    market_replace_velocity(squares[0].market, fast, (Velocity){{1, 0}});
    market_replace_velocity(squares[0].market, slow, (Velocity){{1, 0}});
    const kin_zone zones[] = {{.zone = 1}, {.zone = 2, .every = 4}};
    square_steps(3);
    ck_assert_int_eq(kin_session_see(replica->session, zones, 2), KIN_OK);
    square_steps(8);
    ck_assert_uint_eq(count_moves(replica, fast, 16), 16);
    ck_assert_uint_eq(count_moves(replica, slow, 16), 4);
    ck_assert_uint_eq(square_state(replica).resyncs, 1); // by kin_session_see
    market_replace_velocity(squares[0].market, slow, (Velocity){{0, 0}});
    market_replace_velocity(squares[0].market, fast, (Velocity){{0, 0}});
    square_steps(6);
    square_check(replica, (const int32_t[]){1, 2}, 2);
    square_end();
}
END_TEST

START_TEST(net_19_what_weighs_more_is_sent_more_often)
{
    square_begin(NULL, &(kin_session_options){.budget = 64});
    square *replica = square_join(NULL);
    market_entity units[3];
    kin_zone zones[3];
    for (int32_t i = 0; i < 3; i++) {
        units[i] = square_unit(0, 0, i);
        market_replace_velocity(squares[0].market, units[i], (Velocity){{1, 0}});
        zones[i] = (kin_zone){.zone = i, .weight = (uint8_t)(i == 0 ? 6 : 1)};
    }
    square_steps(3);
    ck_assert_int_eq(kin_session_show(squares[0].session, replica->transport->peer, zones, 3), KIN_OK);
    square_steps(12);
    uint32_t heavy = count_moves(replica, units[0], 24);
    uint32_t light = count_moves(replica, units[1], 24);
    ck_assert_uint_ge(heavy, 2 * light);
    ck_assert_uint_gt(light, 2);
    square_end();
}
END_TEST

START_TEST(net_19_the_zone_of_the_own_entities_goes_first)
{
    square_begin(NULL, &(kin_session_options){.budget = 64});
    square *replica = square_join(NULL);
    begin_crowd();
    market_entity own = square_unit(0, 0, 77);
    market_add_player(squares[0].market, own, (Player){.peer = replica->transport->peer, .name = "Ada"});
    market_replace_velocity(squares[0].market, own, (Velocity){{1, 0}});
    for (uint32_t i = 0; i < CROWD; i++)
        market_replace_velocity(squares[0].market, crowd_units[i], (Velocity){{1, 0}});
    square_steps(100);
    ck_assert_uint_ge(count_moves(replica, own, 16), 14);
    ck_assert_uint_lt(count_moves(replica, crowd_units[0], 16), 8);
    square_end();
}
END_TEST

START_TEST(net_08_with_a_budget_an_entity_that_changes_zones_stays_alive)
{
    square_begin(NULL, &(kin_session_options){.budget = 64});
    square *replica = square_join(NULL);
    begin_crowd();
    square_steps(40);
    for (uint32_t step = 0; step < 100; step++) {
        uint32_t unit = crowd_draw(CROWD);
        market_replace_cell(squares[0].market, crowd_units[unit], (Cell){(int32_t)crowd_draw(CROWD_ZONES)});
        market_replace_position(squares[0].market, crowd_units[crowd_draw(CROWD)], (Position){{(float)step, 1}});
        square_step();
        for (uint32_t i = 0; i < CROWD; i++)
            ck_assert(market_entity_is_alive(replica->market, crowd_units[i]));
    }
    ck_assert_uint_eq(square_state(replica).resyncs, 0);
    square_end();
}
END_TEST

START_TEST(net_19_a_peer_that_begins_anew_forgets_what_had_no_zone)
{
    const kin_zone heavy = {.zone = 0, .weight = 6};
    square_begin(NULL, &(kin_session_options){.budget = 64});
    square *replica = square_join(NULL);
    market_entity unit = square_unit(0, 0, 0);
    market_remove_cell(squares[0].market, unit);
    square_unit(1, 1, 0);
    square_steps(10);
    ck_assert(market_entity_is_alive(replica->market, unit));
    market_add_cell(squares[0].market, unit, (Cell){0}); // in the slot that it has at the replica without a zone
    ck_assert_int_eq(kin_session_show(squares[0].session, replica->transport->peer, &heavy, 1), KIN_OK);
    square_steps(10);
    ck_assert(market_entity_is_alive(replica->market, unit));
    ck_assert_uint_eq(square_state(replica).resyncs, 0);
    square_end();
}
END_TEST

START_TEST(net_19_budgets_converge_after_loss_and_disorder)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        const kin_memory_options network = {
            .seed = seed, .loss = 100, .twice = 100, .late = 200, .delay = (uint32_t)seed % 4};
        square_begin(&network, &(kin_session_options){.budget = 150});
        square *replica = square_join(NULL);
        begin_crowd();
        for (uint32_t step = 0; step < 150; step++) {
            change_crowd();
            square_step();
            ck_assert(kin__context_is_valid(&replica->market->base));
        }
        uint64_t resyncs = square_state(replica).resyncs;
        square_steps(300);
        square_check(replica, NULL, 0);
        ck_assert_uint_eq(square_state(replica).wrong_hashes, 0);
        ck_assert_uint_le(resyncs, 3);
        square_end();
    }
}
END_TEST

// ---- misuse

// A full frame that says what a peer now sees may be lost. What follows must not be against what it had before.
START_TEST(net_17_a_lost_change_of_zones_is_sent_again)
{
    square_begin(&(kin_memory_options){.seed = 5, .loss = 100, .delay = 3}, NULL);
    for (int32_t zone = 0; zone < 8; zone++)
        for (int32_t i = 0; i < 40; i++)
            market_replace_velocity(squares[0].market, square_unit((float)i, 0, zone), (Velocity){{0.5f, 0.25f}});
    square *replica = square_join(NULL);
    square_steps(60);
    for (int32_t zone = 0; zone < 40; zone++) {
        kin_zone zones[] = {{.zone = zone % 8}, {.zone = (zone + 1) % 8}};
        ck_assert_int_eq(kin_session_show(squares[0].session, replica->transport->peer, zones, 2), KIN_OK);
        square_steps(12);
    }
    ck_assert_uint_eq(square_state(replica).refused[KIN_REFUSED_BASE], 0);
    ck_assert_uint_gt(square_state(replica).frame, 500);
    square_end();
}
END_TEST

// A peer that asks again and again for what is lost is not silent; one that says nothing is dropped.
START_TEST(net_18_a_silent_peer_is_dropped_and_one_that_asks_is_not)
{
    square_begin(&(kin_memory_options){.seed = 1, .loss = 150}, &(kin_session_options){.ring = 8});
    for (int32_t i = 0; i < 600; i++)
        square_unit((float)i * 1.37f, (float)i, i % 8);
    square *replica = square_join(NULL);
    square_steps(200);
    ck_assert_uint_eq(kin_session_peers(squares[0].session, NULL, 0), 1);
    for (uint32_t i = 0; i < 80; i++)
        square_world_update(squares[0].world, 0.0625);
    ck_assert_uint_eq(kin_session_peers(squares[0].session, NULL, 0), 0);
    error_log_clear(&replica->errors);
    square_end();
}
END_TEST

// Its hello is that of a new one.
START_TEST(net_18_a_peer_that_was_silent_comes_back)
{
    square_begin(NULL, &(kin_session_options){.ring = 8});
    square_unit(1, 2, 3);
    square *replica = square_join(NULL);
    square_steps(20);
    for (uint32_t i = 0; i < 80; i++)
        square_world_update(squares[0].world, 0.0625);
    ck_assert_uint_eq(kin_session_peers(squares[0].session, NULL, 0), 0);
    square_unit(4, 5, 6);
    for (uint32_t i = 0; i < 4000 && square_state(replica).frame != square_state(&squares[0]).frame; i++) {
        square_step();
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); // it asks once a second
    }
    error_log_clear(&replica->errors);
    square_check(replica, NULL, 0);
    ck_assert_uint_eq(kin_session_peers(squares[0].session, NULL, 0), 1);
    square_end();
}
END_TEST

// A transport of a replica that is connected to one network, then to another.
typedef struct moving {
    kin_transport transport; // first
    kin_transport *inner;
} moving;

static bool moving_send(kin_transport *transport, kin_topic topic, uint32_t peer, const void *bytes, size_t size)
{
    kin_transport *inner = ((moving *)(void *)transport)->inner;
    return inner->send(inner, topic, peer, bytes, size);
}

static bool moving_next(kin_transport *transport, kin_arrival *arrival)
{
    kin_transport *inner = ((moving *)(void *)transport)->inner;
    transport->peer = inner->peer;
    return inner->next(inner, arrival);
}

static bool moving_listen(kin_transport *transport, kin_topic topic, bool on)
{
    kin_transport *inner = ((moving *)(void *)transport)->inner;
    return inner->listen(inner, topic, on);
}

static void moving_end(kin_transport *transport)
{
    kin_transport *inner = ((moving *)(void *)transport)->inner;
    inner->end(inner);
}

// As a replica over ENet that has connected again: another number is another host, whatever its frame and epoch.
START_TEST(net_16_another_number_of_the_transport_is_another_host)
{
    square_begin(NULL, NULL);
    square_unit(1, 2, 3);
    moving moving = {.inner = kin_memory_transport_join(squares[0].transport)};
    moving.transport = *moving.inner;
    moving.transport.send = moving_send;
    moving.transport.next = moving_next;
    moving.transport.listen = moving_listen;
    moving.transport.end = moving_end;
    square *replica = square_follow(&moving.transport, NULL);
    square_steps(50);
    ck_assert_uint_ge(square_state(replica).frame, 49);
    kin_transport *network = kin_memory_transport_create(NULL);
    kin_transport *first = kin_memory_transport_join(network);
    moving.inner->end(moving.inner);
    moving.inner = kin_memory_transport_join(network);
    kin_session_end(squares[0].session);
    squares[0].transport->end(squares[0].transport);
    squares[0].transport = network;
    square_world_destroy(squares[0].world);
    squares[0].world = square_world_create(NULL, &squares[0]);
    squares[0].market = squares[0].world->contexts->market;
    squares[0].session = square_world_host(squares[0].world, network, NULL);
    square_unit(7, 8, 9);
    square_unit(7, 8, 10);
    square_steps(5);
    ck_assert_uint_eq(square_state(replica).frame, 5);
    ck_assert_uint_eq(square_state(replica).resyncs, 1);
    square_check(replica, NULL, 0);
    first->end(first);
    square_end();
}
END_TEST

START_TEST(net_35_sessions_are_refused_where_they_cannot_be)
{
    square_begin(NULL, NULL);
    square *host = &squares[0];
    ck_assert_ptr_null(square_world_host(NULL, host->transport, NULL));
    ck_assert_ptr_null(square_world_host(host->world, host->transport, NULL));
    ck_assert_reported(&host->errors, KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_session_see(host->session, NULL, 0), KIN_ERROR_INVALID);
    ck_assert_reported(&host->errors, KIN_ERROR_INVALID);
    kin_session_end(host->session);
    ck_assert_ptr_null(square_world_follow(host->world, NULL, NULL));
    ck_assert_reported(&host->errors, KIN_ERROR_INVALID);
    kin_session_end(NULL);
    kin_session_state(NULL, &(kin_session_numbers){0});
    kin_session_state(NULL, NULL);
    ck_assert_uint_eq(kin_session_peers(NULL, NULL, 0), 0);
    ck_assert_int_eq(kin_session_show(NULL, 1, NULL, 0), KIN_ERROR_INVALID);
    square_end();
}
END_TEST

Suite *net_session_suite(void)
{
    Suite *suite = suite_create("net_session");
    TCase *tests = tcase_create("session");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, net_04_a_replica_has_the_entities_of_the_host_under_their_handles);
    tcase_add_test(tests, net_16_a_replica_of_a_shared_transport_joins_without_asking);
    tcase_add_test(tests, net_16_one_joins_late);
    tcase_add_test(tests, net_08_an_entity_that_changes_zones_stays_for_a_replica_of_both);
    tcase_add_test(tests, net_06_a_host_says_what_a_peer_sees);
    tcase_add_test(tests, net_11_a_replica_changes_nothing_itself);
    tcase_add_test(tests, net_11_systems_run_where_the_schema_says);
    tcase_add_test(tests, net_22_messages_of_a_replica_are_published_by_the_host_with_their_sender);
    tcase_add_test(tests, net_22_a_host_takes_so_many_messages_of_a_peer_and_leaves_the_rest);
    tcase_add_test(tests, net_21_what_a_peer_may_not_send_is_refused);
    tcase_add_test(tests, net_21_values_that_a_field_cannot_have_are_refused);
    tcase_add_test(tests, net_15_messages_to_replicas_arrive_once_in_those_that_see_their_zone);
    tcase_add_test(tests, net_15_alone_a_message_is_published);
    tcase_add_test(tests, net_13_a_replica_shows_its_own_messages_before_the_host_has_them);
    tcase_add_test(tests, net_13_a_wrong_guess_is_replaced_by_the_truth);
    tcase_add_test(tests, net_14_blending_is_between_the_last_two_states);
    tcase_add_test(tests, net_06_components_of_the_owner_go_to_the_owner_alone);
    tcase_add_test(tests, net_16_what_an_owner_gets_comes_after_joining_a_shared_transport);
    tcase_add_test(tests, net_16_one_joins_late_in_many_zones);
    tcase_add_test(tests, net_26_a_host_sends_only_while_it_has_the_lease);
    tcase_add_test(tests, net_17_loss_and_disorder_change_nothing);
    tcase_add_test(tests, net_05_floats_that_are_no_neighbours_stay_apart);
    tcase_add_test(tests, net_19_every_zone_arrives_with_any_budget);
    tcase_add_test(tests, net_19_a_peer_gets_no_more_than_its_budget);
    tcase_add_test(tests, net_19_a_zone_is_sent_every_so_many_frames);
    tcase_add_test(tests, net_19_what_weighs_more_is_sent_more_often);
    tcase_add_test(tests, net_19_the_zone_of_the_own_entities_goes_first);
    tcase_add_test(tests, net_08_with_a_budget_an_entity_that_changes_zones_stays_alive);
    tcase_add_test(tests, net_19_a_peer_that_begins_anew_forgets_what_had_no_zone);
    tcase_add_test(tests, net_19_budgets_converge_after_loss_and_disorder);
    tcase_add_test(tests, net_17_a_lost_change_of_zones_is_sent_again);
    tcase_add_test(tests, net_18_a_silent_peer_is_dropped_and_one_that_asks_is_not);
    tcase_add_test(tests, net_18_a_peer_that_was_silent_comes_back);
    tcase_add_test(tests, net_16_another_number_of_the_transport_is_another_host);
    tcase_add_test(tests, net_35_sessions_are_refused_where_they_cannot_be);
    suite_add_tcase(suite, tests);
    return suite;
}
