// Standbys: worlds that play the recording of a host on a network in memory, and take over when its lease ends. A step
// of the network is a millisecond of the lease.
#include "entity/entity.h"
#include "runtime/support/guard.h"
#include "save/buffer.h"
#include "square_case.h"
#include "suites.h"

#include <square/square_save.h>

#include <inttypes.h>
#include <string.h>

enum { LEASE = 8, STANDBY = 1, REPLICA = 2 };

static const kin_memory_options shared = {.is_shared = true};
static const kin_session_options keeps = {.lease_ms = LEASE, .keeps_history = true};
static const kin_session_options hasty = {.lease_ms = LEASE, .keeps_history = true, .full_every_ms = 1};

// A host with units that walk, a standby and a replica.
static void begin(const kin_session_options *options)
{
    square_begin(&shared, options);
    for (int32_t zone = 0; zone < 4; zone++) {
        market_entity unit = square_unit((float)zone, 2, zone);
        market_replace_velocity(squares[0].market, unit, (Velocity){{0.5f, 0.25f}});
    }
    square_stand_by(kin_memory_transport_join(squares[0].transport), options);
    square_join(NULL);
    square_steps(5);
}

// What a program does between updates, and its systems cannot do.
static void disturb(uint32_t number)
{
    market_context *market = squares[0].market;
    uint32_t count;
    const market_entity *units = market_entities(market, &count);
    market_entity unit = units[number % count];
    if (number % 3 == 0)
        market_edit_health(market, unit)->regen += 1;
    if (number % 5 == 0)
        square_unit((float)number, 1, (int32_t)number % 4);
    if (number % 7 == 0 && count > 4)
        market_destroy_entity(market, unit);
    if (number % 2 == 0)
        square_publish_inner(squares[0].world, (Inner){(int32_t)number});
}

// Updates all but the host, which is as dead.
static void steps_without_host(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 1; k < square_count; k++)
            square_world_update(squares[k].world, 0.0625);
        kin_memory_transport_step(squares[0].transport);
    }
}

// Makes another square the first one, so that others are compared with it.
static void make_first(uint32_t number)
{
    square former = squares[0];
    squares[0] = squares[number];
    squares[number] = former;
}

static void check_equal(const square *a, const square *b)
{
    ck_assert_uint_eq(square_state(a).frame, square_state(b).frame);
    ck_assert_uint_eq(square_hash(a), square_hash(b));
}

// ---- following

START_TEST(net_29_a_standby_has_the_world_of_the_host_after_each_update)
{
    begin(&keeps);
    for (uint32_t i = 0; i < 100; i++) {
        disturb(i);
        square_step();
        check_equal(&squares[0], &squares[STANDBY]);
        ck_assert(square_state(&squares[STANDBY]).is_ready);
    }
    ck_assert(square_has_role(&squares[STANDBY], KIN_STANDBY));
    ck_assert_uint_gt(squares[0].spawns, 0);
    ck_assert_uint_eq(squares[STANDBY].spawns, squares[0].spawns);
    ck_assert_uint_eq(squares[STANDBY].draws, 0); // it runs what the host runs
    ck_assert_uint_eq(square_state(&squares[STANDBY]).wrong_hashes, 0);
    ck_assert_uint_eq(square_world_tick(squares[STANDBY].world).frame, square_world_tick(squares[0].world).frame);
    square_end();
}
END_TEST

// A chapter of the recording begins after each update or two: one joins at any, and passes over the others.
START_TEST(net_29_a_standby_joins_late_and_passes_over_keys)
{
    begin(&hasty);
    for (uint32_t i = 0; i < 60; i++) {
        disturb(i);
        square_step();
        check_equal(&squares[0], &squares[STANDBY]);
    }
    square *late = square_stand_by(kin_memory_transport_join(squares[0].transport), &keeps);
    for (uint32_t i = 0; i < 60; i++) {
        disturb(i);
        square_step();
        check_equal(&squares[0], &squares[STANDBY]);
        check_equal(&squares[0], late);
    }
    ck_assert_uint_eq(square_state(late).resyncs + square_state(&squares[STANDBY]).resyncs, 0);
    square_end();
}
END_TEST

START_TEST(net_29_a_large_state_comes_in_parts)
{
    const kin_memory_options network = {.is_shared = true, .most = 512};
    square_begin(&network, &hasty);
    for (int32_t i = 0; i < 2000; i++)
        square_unit((float)i * 0.37f, (float)(i * i) * 0.11f, i % 7);
    square *standby = square_stand_by(kin_memory_transport_join(squares[0].transport), &keeps);
    for (uint32_t i = 0; i < 20; i++) {
        disturb(i);
        square_step();
        check_equal(&squares[0], standby);
    }
    square_end();
}
END_TEST

// The program may record the host, and the standby, at the same time.
START_TEST(net_29_a_program_records_beside_a_session)
{
    begin(&keeps);
    buffer files[2] = {0};
    ck_assert_int_eq(square_world_record(squares[0].world, buffer_sink(&files[0]), NULL), KIN_OK);
    ck_assert_int_eq(square_world_record(squares[STANDBY].world, buffer_sink(&files[1]), NULL), KIN_OK);
    for (uint32_t i = 0; i < 20; i++) {
        disturb(i);
        square_step();
    }
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_int_eq(square_world_stop_recording(squares[i].world), KIN_OK);
        square other = {0};
        other.world = square_world_create(NULL, &other);
        kin_player *player = square_player_create(other.world, buffer_source(&files[i]));
        ck_assert_ptr_nonnull(player);
        for (uint32_t k = 0; k < 20; k++)
            ck_assert(kin_player_step(player));
        ck_assert(!kin_player_step(player));
        ck_assert_ptr_null(kin_player_divergence(player));
        ck_assert_uint_eq(square_hash(&other), square_hash(&squares[i]));
        kin_player_destroy(player);
        square_world_destroy(other.world);
        buffer_release(&files[i]);
    }
    square_end();
}
END_TEST

// ---- taking over

static uint32_t roles;

static void note_role(kin_session *session, kin_session_role before, void *user)
{
    kin_session_numbers numbers;
    kin_session_state(session, &numbers);
    ck_assert_uint_eq(before, *(uint32_t *)user);
    *(uint32_t *)user = numbers.role;
    roles = roles * 10 + (uint32_t)numbers.role;
}

START_TEST(net_29_a_standby_goes_on_with_the_last_frame_of_a_dead_host)
{
    uint32_t role = KIN_ALONE;
    roles = 0;
    kin_session_options options = keeps;
    options.changed = note_role;
    options.user = &role;
    begin(&keeps);
    square *standby = square_stand_by(kin_memory_transport_join(squares[0].transport), &options);
    square_world_destroy(squares[STANDBY].world);
    squares[STANDBY].world = square_world_create(NULL, &squares[STANDBY]); // it has no session
    square_steps(10);
    market_entity unit = square_unit(3, 4, 1);
    square_steps(3);
    uint64_t frame = square_state(&squares[0]).frame;
    uint64_t hash = square_hash(&squares[0]);
    for (uint32_t i = 0; i < LEASE; i++) {
        ck_assert(square_has_role(standby, KIN_STANDBY));
        ck_assert_uint_eq(square_hash(standby), hash);
        steps_without_host(1);
    }
    ck_assert_uint_eq(roles, KIN_STANDBY);
    steps_without_host(1);
    ck_assert_uint_eq(roles, KIN_STANDBY * 10 + KIN_HOST);
    ck_assert_uint_eq(square_state(standby).epoch, 2);
    ck_assert_uint_eq(square_state(standby).taken_over, frame);
    ck_assert_uint_eq(square_state(standby).lost, 0);
    ck_assert_uint_eq(square_state(standby).frame, frame + 1);
    ck_assert(market_entity_is_alive(standby->market, unit));
    steps_without_host(3);
    square_world_update(squares[REPLICA].world, 0.0625); // it was updated before the new host
    make_first((uint32_t)(standby - squares));
    ck_assert_uint_eq(square_state(&squares[REPLICA]).epoch, 2);
    square_check(&squares[REPLICA], NULL, 0);
    ck_assert_uint_eq(square_state(&squares[REPLICA]).wrong_hashes, 0);
    square_end();
}
END_TEST

// What the host made after the last frame that arrived is gone.
START_TEST(net_29_a_standby_says_which_frames_are_lost)
{
    begin(&keeps);
    kin_transport *host = squares[0].transport;
    kin_transport *ear = squares[STANDBY].transport;
    uint64_t frame = square_state(&squares[STANDBY]).frame;
    ear->listen(ear, (kin_topic){.kind = KIN_TOPIC_RECORD}, false); // only the ticks arrive
    square_steps(3);
    ck_assert_uint_eq(square_state(&squares[STANDBY]).frame, frame);
    ck_assert_uint_eq(square_state(&squares[STANDBY]).behind, 3);
    steps_without_host(LEASE + 2);
    ck_assert(square_has_role(&squares[STANDBY], KIN_HOST));
    ck_assert_uint_eq(square_state(&squares[STANDBY]).taken_over, frame);
    ck_assert_uint_eq(square_state(&squares[STANDBY]).lost, 3);
    (void)host;
    square_end();
}
END_TEST

START_TEST(net_27_a_host_that_slept_is_alone_and_nobody_hears_it)
{
    begin(&keeps);
    steps_without_host(LEASE + 2);
    ck_assert(square_has_role(&squares[STANDBY], KIN_HOST));
    uint64_t bytes = square_state(&squares[0]).bytes_out;
    square_steps(5);
    ck_assert(square_has_role(&squares[0], KIN_ALONE));
    ck_assert_uint_eq(square_state(&squares[0]).bytes_out, bytes);
    make_first(STANDBY);
    square_check(&squares[REPLICA], NULL, 0);
    square_end();
}
END_TEST

START_TEST(net_26_one_of_two_standbys_takes_over_and_then_the_other)
{
    begin(&keeps);
    square_stand_by(kin_memory_transport_join(squares[0].transport), &keeps);
    square_steps(4);
    steps_without_host(LEASE + 2);
    ck_assert(square_has_role(&squares[STANDBY], KIN_HOST));
    ck_assert(square_has_role(&squares[3], KIN_STANDBY));
    make_first(STANDBY);
    squares[1].session = NULL;
    kin_session_state(NULL, &(kin_session_numbers){0});
    for (uint32_t i = 0; i < 20; i++) {
        disturb(i);
        square_world_update(squares[0].world, 0.0625);
        square_world_update(squares[2].world, 0.0625);
        square_world_update(squares[3].world, 0.0625);
        kin_memory_transport_step(squares[0].transport);
    }
    check_equal(&squares[0], &squares[3]);
    uint64_t hash = square_hash(&squares[0]);
    for (uint32_t i = 0; i <= LEASE; i++) {
        ck_assert_uint_eq(square_hash(&squares[3]), hash);
        square_world_update(squares[3].world, 0.0625);
        kin_memory_transport_step(squares[0].transport);
    }
    square_world_update(squares[3].world, 0.0625);
    ck_assert(square_has_role(&squares[3], KIN_HOST));
    ck_assert_uint_eq(square_state(&squares[3]).epoch, 3);
    square_end();
}
END_TEST

// ---- standbys in name only

static void check_asks_late(void)
{
    for (uint32_t i = 0; i <= 3 * LEASE; i++) {
        ck_assert_msg(square_has_role(&squares[STANDBY], KIN_STANDBY), "after %" PRIu32, i);
        steps_without_host(1);
    }
    steps_without_host(1);
    ck_assert(square_has_role(&squares[STANDBY], KIN_HOST));
    ck_assert_uint_eq(square_state(&squares[STANDBY]).taken_over, 0);
}

START_TEST(net_30_a_standby_that_diverges_says_so_and_asks_late)
{
    begin(&keeps);
    square *standby = &squares[STANDBY];
    uint32_t count;
    market_edit_health(standby->market, market_entities(standby->market, &count)[0])->regen = 77;
    square_step();
    ck_assert(!square_state(standby).is_ready);
    ck_assert_uint_eq(square_state(standby).wrong_hashes, 1);
    ck_assert_ptr_nonnull(strstr(standby->errors.entries[0].message, "has differed before this update"));
    ck_assert_reported(&standby->errors, KIN_ERROR_DIFFERS);
    square_steps(5);
    ck_assert(!square_state(standby).is_ready);
    check_asks_late();
    square_end();
}
END_TEST

START_TEST(net_30_a_standby_that_diverged_begins_again_with_the_next_key)
{
    begin(&hasty);
    square *standby = &squares[STANDBY];
    uint32_t count;
    market_edit_health(standby->market, market_entities(standby->market, &count)[0])->regen = 77;
    square_step();
    ck_assert_reported(&standby->errors, KIN_ERROR_DIFFERS);
    for (uint32_t i = 0; i < 1000000 && !square_state(standby).is_ready; i++)
        square_step();
    check_equal(&squares[0], standby);
    ck_assert_uint_eq(square_state(standby).resyncs, 1);
    steps_without_host(LEASE + 2);
    ck_assert(square_has_role(standby, KIN_HOST));
    square_end();
}
END_TEST

START_TEST(net_30_a_lost_part_of_the_recording_is_a_gap_until_the_next_key)
{
    begin(&hasty);
    square *standby = &squares[STANDBY];
    kin_transport *ear = standby->transport;
    square_world_update(squares[0].world, 0.0625);
    for (kin_arrival arrival; ear->next(ear, &arrival);)
        continue; // all that was sent is lost
    square_step();
    for (uint32_t i = 0; i < 1000000 && !square_state(standby).is_ready; i++)
        square_step();
    check_equal(&squares[0], standby);
    ck_assert_uint_le(square_state(standby).resyncs, 1);
    ck_assert_uint_eq(square_state(standby).wrong_hashes, 0);
    square_end();
}
END_TEST

START_TEST(net_30_a_standby_without_a_host_becomes_one_late)
{
    square_begin(&shared, NULL);
    kin_session_end(squares[0].session);
    square_stand_by(kin_memory_transport_join(squares[0].transport), &keeps);
    squares[0].session = NULL;
    for (uint32_t i = 0; i < 2 * LEASE; i++) {
        ck_assert(square_has_role(&squares[STANDBY], KIN_STANDBY));
        steps_without_host(1);
    }
    steps_without_host(2);
    ck_assert(square_has_role(&squares[STANDBY], KIN_HOST));
    ck_assert_uint_eq(square_state(&squares[STANDBY]).taken_over, 0);
    square_end();
}
END_TEST

// ---- damage

enum { BYTES = 1 << 16, HEAD = 5 };

static unsigned char chapter[BYTES];
static size_t chapter_size;

// Takes what a host sends first of its recording.
static void take_chapter(void)
{
    square_begin(&shared, &keeps);
    square_unit(1, 2, 3);
    kin_transport *ear = kin_memory_transport_join(squares[0].transport);
    ear->listen(ear, (kin_topic){.kind = KIN_TOPIC_RECORD}, true);
    square_step();
    kin_arrival arrival;
    ck_assert(ear->next(ear, &arrival));
    ck_assert_uint_lt(arrival.size, BYTES);
    memcpy(chapter, arrival.bytes, arrival.size);
    chapter_size = arrival.size;
    ear->end(ear);
    square_end();
    ck_assert_uint_eq(chapter[0], 'R');
    ck_assert_uint_eq(chapter[1], 1); // the epoch
    ck_assert_uint_eq(chapter[3], 3); // begins, and is whole
}

static bool is_refusal(kin_status status)
{
    return status == KIN_ERROR_CORRUPT || status == KIN_ERROR_SHAPE || status == KIN_ERROR_STREAM ||
           status == KIN_ERROR_LIMIT;
}

START_TEST(net_30_damaged_recordings_are_refused)
{
    take_chapter();
    square_begin(&shared, NULL);
    kin_session_end(squares[0].session);
    squares[0].session = NULL;
    square *standby = square_stand_by(kin_memory_transport_join(squares[0].transport), NULL);
    kin_transport *host = squares[0].transport;
    kin_topic topic = {.kind = KIN_TOPIC_RECORD, .epoch = 1, .is_key = true};
    for (size_t at = 0; at < chapter_size; at++) {
        unsigned char bytes[BYTES];
        memcpy(bytes, chapter, chapter_size);
        bytes[1] = 1;
        bytes[at] ^= (unsigned char)(1 << at % 8);
        ck_assert(host->send(host, topic, 0, at % 2 == 0 ? bytes : chapter, at % 2 == 0 ? chapter_size : at));
        square_world_update(standby->world, 0.0625);
        for (uint32_t i = 0; i < standby->errors.count; i++)
            ck_assert_msg(is_refusal(standby->errors.entries[i].status), "%s", standby->errors.entries[i].message);
        error_log_clear(&standby->errors);
        if (square_state(standby).epoch > 1) { // a host that is not there: begin anew
            kin_session_end(standby->session);
            standby->session = square_world_stand_by(standby->world, standby->transport, NULL);
            error_log_clear(&standby->errors);
        }
    }
    ck_assert(kin__context_is_valid(&standby->market->base));
    ck_assert(host->send(host, topic, 0, chapter, chapter_size));
    square_world_update(standby->world, 0.0625);
    ck_assert(square_state(standby).is_ready || square_state(standby).epoch > 1);
    error_log_clear(&standby->errors);
    square_end();
}
END_TEST

START_TEST(net_30_what_is_no_recording_of_the_host_is_refused)
{
    begin(&keeps);
    kin_transport *host = squares[0].transport;
    kin_transport *other = squares[REPLICA].transport;
    kin_topic topic = {.kind = KIN_TOPIC_RECORD, .epoch = 1};
    square *standby = &squares[STANDBY];
    uint64_t before[KIN_REFUSALS];
    memcpy(before, square_state(standby).refused, sizeof before);
    ck_assert(other->send(other, topic, 0, "R\1\0\3\1", 5)); // of a peer
    ck_assert(host->send(host, topic, 0, "", 0));
    ck_assert(host->send(host, topic, 0, "R", 1));
    ck_assert(host->send(host, topic, 0, "R\1", 2));
    ck_assert(host->send(host, topic, 0, "R\1\0\10\1", 5)); // flags
    ck_assert(host->send(host, topic, 0, "X\1\0\3\1", 5));
    ck_assert(host->send(host, topic, 0, "R\0\0\3\1", 5)); // of an earlier host
    ck_assert(host->send(host, topic, 0, "R\1\0\3\1", 5)); // it came before
    square_step();
    check_equal(&squares[0], standby);
    ck_assert_uint_eq(square_state(standby).refused[KIN_REFUSED_PEER], before[KIN_REFUSED_PEER] + 1);
    ck_assert_uint_eq(square_state(standby).refused[KIN_REFUSED_SYNTAX], before[KIN_REFUSED_SYNTAX] + 5);
    ck_assert_uint_eq(square_state(standby).refused[KIN_REFUSED_EPOCH], before[KIN_REFUSED_EPOCH] + 1);
    square_end();
}
END_TEST

// ---- giving away

START_TEST(net_31_a_session_that_ends_hands_over_without_a_gap)
{
    begin(&keeps);
    square *standby = &squares[STANDBY];
    market_entity unit = square_unit(3, 4, 1);
    for (uint32_t i = 0; i < 3; i++) {
        square_publish_inner(squares[0].world, (Inner){SQUARE_SHAKES});
        square_step();
    }
    square_step();
    ck_assert_uint_eq(squares[REPLICA].tremors, 3);
    uint64_t frame = square_state(&squares[0]).frame;
    uint64_t hash = square_hash(&squares[0]);
    kin_session_end(squares[0].session);
    squares[0].session = NULL;
    steps_without_host(1);
    ck_assert(square_has_role(standby, KIN_STANDBY));
    ck_assert_uint_eq(square_hash(standby), hash);
    steps_without_host(1);
    ck_assert(square_has_role(standby, KIN_HOST));
    ck_assert_uint_eq(square_state(standby).taken_over, frame);
    ck_assert_uint_eq(square_state(standby).lost, 0);
    ck_assert_uint_eq(square_state(standby).frame, frame + 1);
    ck_assert_int_eq(square_send_speech(squares[REPLICA].world, (Speech){.text = "go on"}), KIN_OK);
    steps_without_host(3);
    ck_assert_str_eq(standby->last_speech.text, "go on");
    ck_assert_uint_eq(squares[REPLICA].tremors, 3); // what the former host sent is not sent again
    make_first(STANDBY);
    ck_assert(market_entity_is_alive(squares[REPLICA].market, unit));
    square_check(&squares[REPLICA], NULL, 0);
    square_end();
}
END_TEST

START_TEST(net_31_a_world_that_ends_gives_the_lease_away)
{
    begin(&keeps);
    square_world_destroy(squares[0].world);
    squares[0].world = NULL;
    steps_without_host(2);
    ck_assert(square_has_role(&squares[STANDBY], KIN_HOST));
    square_end();
}
END_TEST

// ---- calls

static void end_inside(kin_session *session, kin_session_role before, void *user)
{
    (void)before;
    if (*(bool *)user)
        kin_session_end(session);
}

START_TEST(net_29_calls_that_a_standby_cannot_make_are_refused)
{
    bool ends = false;
    kin_session_options options = keeps;
    options.changed = end_inside;
    options.user = &ends;
    begin(&keeps);
    square *standby = &squares[STANDBY];
    ck_assert_ptr_null(square_world_stand_by(NULL, standby->transport, NULL));
    ck_assert_ptr_null(square_world_stand_by(standby->world, standby->transport, NULL));
    ck_assert_reported(&standby->errors, KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_session_see(standby->session, NULL, 0), KIN_ERROR_INVALID);
    ck_assert_reported(&standby->errors, KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_session_show(standby->session, 1, NULL, 0), KIN_ERROR_INVALID);
    ck_assert_reported(&standby->errors, KIN_ERROR_INVALID);
    ck_assert_int_eq(square_send_speech(standby->world, (Speech){.text = "no"}), KIN_ERROR_REPLICA);
    ck_assert_reported(&standby->errors, KIN_ERROR_REPLICA);
    ck_assert_uint_eq(kin_session_peers(standby->session, NULL, 0), 0);
    kin_session_end(standby->session);
    ck_assert_ptr_null(square_world_stand_by(standby->world, NULL, NULL));
    ck_assert_reported(&standby->errors, KIN_ERROR_INVALID);
    kin_transport *datagrams = kin_memory_transport_create(NULL);
    ck_assert_ptr_null(square_world_stand_by(standby->world, datagrams, NULL));
    ck_assert_reported(&standby->errors, KIN_ERROR_INVALID);
    datagrams->end(datagrams);
    standby->session = square_world_stand_by(standby->world, standby->transport, &options);
    square_steps(3);
    check_equal(&squares[0], standby);
    ends = true;
    steps_without_host(LEASE + 2);
    ck_assert(square_has_role(standby, KIN_HOST)); // the session cannot end inside an update
    ck_assert_reported(&standby->errors, KIN_ERROR_INVALID);
    ends = false;
    square_end();
}
END_TEST

// Whatever allocation fails, the standby goes on, or begins again with the next key.
START_TEST(net_29_a_standby_without_memory_loses_nothing)
{
    static guard memory;
    kin_allocator allocator = guard_begin(&memory);
    square_begin(&shared, &hasty);
    square_unit(1, 2, 3);
    square *standby = &squares[square_count++];
    *standby = (square){.transport = kin_memory_transport_join(squares[0].transport)};
    kin_context_options options = {
        .allocator = allocator, .on_error = error_log_append, .error_user = &standby->errors};
    standby->world = square_world_create(&options, standby);
    standby->market = standby->world->contexts->market;
    for (uint64_t number = 1; standby->session == NULL; number++) {
        guard_fail(&memory, number, true);
        standby->session = square_world_stand_by(standby->world, standby->transport, &keeps);
        guard_fail(&memory, 0, false);
        for (uint32_t i = 0; i < standby->errors.count; i++)
            ck_assert_int_eq(standby->errors.entries[i].status, KIN_ERROR_NO_MEMORY);
        error_log_clear(&standby->errors);
    }
    for (uint64_t number = 1; number < 200; number++) {
        disturb((uint32_t)number);
        guard_fail(&memory, number, false);
        square_step();
        guard_fail(&memory, 0, false);
        error_log_clear(&standby->errors);
    }
    for (uint32_t i = 0; i < 1000000 && !square_state(standby).is_ready; i++)
        square_step();
    error_log_clear(&standby->errors);
    check_equal(&squares[0], standby);
    square_end();
    guard_end(&memory);
}
END_TEST

Suite *net_standby_suite(void)
{
    Suite *suite = suite_create("net_standby");
    TCase *tests = tcase_create("standby");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, net_29_a_standby_has_the_world_of_the_host_after_each_update);
    tcase_add_test(tests, net_29_a_standby_joins_late_and_passes_over_keys);
    tcase_add_test(tests, net_29_a_large_state_comes_in_parts);
    tcase_add_test(tests, net_29_a_program_records_beside_a_session);
    tcase_add_test(tests, net_29_a_standby_goes_on_with_the_last_frame_of_a_dead_host);
    tcase_add_test(tests, net_29_a_standby_says_which_frames_are_lost);
    tcase_add_test(tests, net_27_a_host_that_slept_is_alone_and_nobody_hears_it);
    tcase_add_test(tests, net_26_one_of_two_standbys_takes_over_and_then_the_other);
    tcase_add_test(tests, net_30_a_standby_that_diverges_says_so_and_asks_late);
    tcase_add_test(tests, net_30_a_standby_that_diverged_begins_again_with_the_next_key);
    tcase_add_test(tests, net_30_a_lost_part_of_the_recording_is_a_gap_until_the_next_key);
    tcase_add_test(tests, net_30_a_standby_without_a_host_becomes_one_late);
    tcase_add_test(tests, net_30_damaged_recordings_are_refused);
    tcase_add_test(tests, net_30_what_is_no_recording_of_the_host_is_refused);
    tcase_add_test(tests, net_31_a_session_that_ends_hands_over_without_a_gap);
    tcase_add_test(tests, net_31_a_world_that_ends_gives_the_lease_away);
    tcase_add_test(tests, net_29_calls_that_a_standby_cannot_make_are_refused);
    tcase_add_test(tests, net_29_a_standby_without_memory_loses_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
