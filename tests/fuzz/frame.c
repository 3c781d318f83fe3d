// Fuzzing frames: any bytes as a frame, or edits of frames of a market, with the sum made right, applied to what a
// replica has of the market.
//
// What is refused changes nothing. What is accepted can be restored, which a checked build checks, and sent on: a full
// frame of it gives another replica the same state. Then come 200 operations.
#include "fuzz/operate.h"
#include "save/buffer.h"

#include <kin/frame.h>
#include <square/square.h>
#include <square/square_net.h>

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { UNITS = 530, ZONES = 3, FULL = ZONES + 1, VIEWS = 2 * FULL, MOST = 1 << 18, EDIT_SIZE = 6, SUM_SIZE = 4 };

static buffer full[VIEWS], next[VIEWS]; // the frames 1 and 2 of all zones, then those of an owner
static char last_error[256];

static void expect(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s; the last error: %s\n", what, last_error);
    abort();
}

static void keep_error(const kin_error *error, void *user)
{
    (void)user;
    snprintf(last_error, sizeof last_error, "%s", error->message);
}

static void append(buffer *to, const void *bytes, size_t size)
{
    kin_sink sink = buffer_sink(to);
    expect(sink.write(bytes, size, sink.user), "a buffer takes no bytes");
}

static market_context *create_market(void)
{
    market_context *market = market_context_create(&(kin_context_options){.on_error = keep_error, .hash_seed = 1});
    kin_context *context = &market->base;
    kin_frames_use(&context, 1, &square_net_);
    return market;
}

// ---- systems, which do not run: there is no world

void steer_on_order(square_world *world, const Order *order)
{
    (void)world, (void)order;
}

void walk_update(square_world *world, walk_iter *it, const kin_tick *tick)
{
    (void)world, (void)it, (void)tick;
}

void spawn_on_speech(square_world *world, const Speech *speech)
{
    (void)world, (void)speech;
}

void spawn_on_inner(square_world *world, const Inner *inner)
{
    (void)world, (void)inner;
}

void draw_execute(square_world *world, const kin_tick *tick)
{
    (void)world, (void)tick;
}

void draw_on_boom(square_world *world, const Boom *boom)
{
    (void)world, (void)boom;
}

void draw_on_tremor(square_world *world)
{
    (void)world;
}

// ---- the frames of a market

static market_entity units[UNITS];

static void fill_market(market_context *market)
{
    static const Item items[] = {{SIDE_EAST, 3, 0}, {SIDE_WEST, 9, 0}};
    static const char *const names[] = {NULL, "Ada", "Bob"};
    for (uint32_t i = 0; i < UNITS; i++) {
        market_entity unit = units[i] = market_create_entity(market);
        market_add_position(market, unit, (Position){{(float)i, 1}});
        if (i % 8 != 0)
            market_add_cell(market, unit, (Cell){(int32_t)(i % ZONES)});
        if (i % 16 == 1)
            market_add_player(market, unit, (Player){.peer = i % 32, .name = names[i % 3]});
        if (i % 16 == 1)
            market_add_hand(market, unit, (Hand){{1, 2, 3, 4, (int32_t)i}});
        if (i % 5 == 0)
            market_add_bag(market, unit, (Bag){.items = {items, i % 3}});
        if (i % 7 == 0)
            market_add_big(market, unit, (Big){(int64_t)i << 40, 0.5, SIDE_SOUTH});
        if (i % 11 == 0)
            market_add_kind(market, unit, (Kind){"oak", (uint8_t)i});
        if (i > 0 && i % 4 == 0)
            market_add_child_of(market, unit, (ChildOf){units[i / 2]});
        if (i % 9 == 0)
            market_add_target(market, unit, (Target){units[i / 3]});
        market_add_health(market, unit, (Health){.points = (int32_t)i});
    }
}

static void change_market(market_context *market)
{
    for (uint32_t i = 0; i < UNITS; i++) {
        if (i % 3 == 0)
            market_replace_position(market, units[i], (Position){{(float)i + 0.5f, 7}});
        if (i % 10 == 0)
            market_replace_cell(market, units[i], (Cell){(int32_t)((i + 1) % ZONES)});
        if (i % 50 == 7)
            market_destroy_entity(market, units[i]);
        if (i % 13 == 0)
            market_set_asleep(market, units[i], true);
    }
    for (uint32_t i = 0; i < 8; i++)
        market_add_health(market, market_create_entity(market), (Health){.points = 1});
}

static kin_view view_of(uint32_t index, uint64_t number)
{
    uint32_t zone = index % FULL;
    return (kin_view){.zone = zone == ZONES ? 0 : (int32_t)zone,
                      .has_no_zone = zone == ZONES,
                      .epoch = 1,
                      .number = number,
                      .base = number - 1,
                      .is_owner = index >= FULL,
                      .peer = index >= FULL ? 17 : 0};
}

static void make_frames(void)
{
    market_context *market = create_market();
    kin_snapshot *before = NULL, *after = NULL;
    fill_market(market);
    expect(market_save(market, &before) == KIN_OK, "it is not saved");
    change_market(market);
    expect(market_save(market, &after) == KIN_OK, "it is not saved");
    for (uint32_t i = 0; i < VIEWS; i++) {
        kin_view first = view_of(i, 1);
        kin_view second = view_of(i, 2);
        kin_status made = kin_frame_make(NULL, before, &first, buffer_sink(&full[i]));
        expect(made == KIN_OK && kin_frame_make(before, after, &second, buffer_sink(&next[i])) == KIN_OK,
               "it makes no frame");
    }
    kin_snapshot_destroy(before);
    kin_snapshot_destroy(after);
    market_context_destroy(market);
}

// ---- the input

static void repair_sum(buffer *frame)
{
    size_t size = frame->size - SUM_SIZE;
    kin__little_write_32(frame->bytes + size, (uint32_t)kin__xxh64_of(frame->bytes, size, 0));
}

static void edit(buffer *frame, const uint8_t *bytes)
{
    size_t at = ((size_t)bytes[0] | (size_t)bytes[1] << 8) % frame->size;
    switch (bytes[2] % 4) {
    case 0:
        frame->bytes[at] = bytes[3];
        break;
    case 1:
        frame->bytes[at] ^= (unsigned char)(1 << bytes[3] % 8);
        break;
    case 2: // takes bytes out
        if (frame->size - at > bytes[3] + (size_t)SUM_SIZE) {
            memmove(frame->bytes + at, frame->bytes + at + bytes[3], frame->size - at - bytes[3]);
            frame->size -= bytes[3];
        }
        break;
    default: // puts bytes in
        memmove(frame->bytes + at + 2, frame->bytes + at, frame->size - at);
        frame->bytes[at] = bytes[4];
        frame->bytes[at + 1] = bytes[5];
        frame->size += 2;
    }
}

static void make_input(buffer *frame, const uint8_t *bytes, size_t size)
{
    frame->size = 0;
    if (bytes[0] % 4 == 0) {
        append(frame, bytes + 1, size - 1 < MOST ? size - 1 : MOST);
    } else {
        const buffer *from = bytes[0] % 4 == 1 ? &full[bytes[1] % VIEWS] : &next[bytes[1] % VIEWS];
        append(frame, from->bytes, from->size);
        for (size_t at = 2; at + EDIT_SIZE <= size && frame->size < MOST - 2; at += EDIT_SIZE)
            edit(frame, bytes + at);
    }
    repair_sum(frame);
}

// ---- one input

// Applies the frames 1: of all zones, and with `has_owner` of an owner.
static void begin_replica(market_context *market, kin_snapshot **shown, bool has_owner)
{
    static buffer all;
    all.size = 0;
    expect(market_save(market, shown) == KIN_OK, "it is not saved");
    for (uint32_t i = 0; i < (has_owner ? VIEWS : FULL); i++)
        append(&all, full[i].bytes, full[i].size);
    expect(kin_frame_apply(shown, buffer_source(&all)) == KIN_OK, "the first frames are refused");
}

// Sends what a replica has on to another one.
static void send_on(market_context *market)
{
    static buffer all;
    market_context *other = create_market();
    kin_snapshot *now = NULL, *shown = NULL;
    all.size = 0;
    expect(market_save(market, &now) == KIN_OK && market_save(other, &shown) == KIN_OK, "it is not saved");
    for (uint32_t i = 0; i < FULL; i++) {
        kin_view view = view_of(i, 2);
        view.base = 0;
        view.has_hash = true;
        expect(kin_frame_make(NULL, now, &view, buffer_sink(&all)) == KIN_OK, "it makes no frame");
    }
    expect(kin_frame_apply(&shown, buffer_source(&all)) == KIN_OK, "a frame of it is refused");
    expect(market_restore(other, shown, KIN_RESTORE_NOTIFY) == KIN_OK, "it is not restored there");
    kin_snapshot_destroy(now);
    kin_snapshot_destroy(shown);
    market_context_destroy(other);
}

// A replica for several inputs, until one is accepted: what is refused changes nothing.
typedef struct replica {
    market_context *market;
    kin_snapshot *shown;
    uint64_t hash;
} replica;

static replica *find_replica(bool has_owner)
{
    static replica replicas[2];
    replica *found = &replicas[has_owner];
    if (found->market != NULL)
        return found;
    found->market = create_market();
    begin_replica(found->market, &found->shown, has_owner);
    found->hash = kin_snapshot_hash(found->shown);
    return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static buffer frame;
    if (size < 2 + SUM_SIZE)
        return 0;
    if (full[0].size == 0) {
        make_frames();
        frame = (buffer){.bytes = malloc(MOST), .capacity = MOST}; // room for edits
    }
    make_input(&frame, bytes, size);
    last_error[0] = '\0';
    replica *replica = find_replica(bytes[0] / 4 % 2 != 0);
    if (kin_frame_apply(&replica->shown, buffer_source(&frame)) != KIN_OK) {
        expect(last_error[0] != '\0', "a frame was refused without a word");
        expect(kin_snapshot_hash(replica->shown) == replica->hash, "a frame that was refused changed something");
        return 0;
    }
    expect(market_restore(replica->market, replica->shown, KIN_RESTORE_NOTIFY) == KIN_OK, "it is not restored");
    send_on(replica->market);
    operate(&replica->market->base, replica->hash);
    kin_snapshot_destroy(replica->shown);
    market_context_destroy(replica->market);
    *replica = (struct replica){0};
    return 0;
}
