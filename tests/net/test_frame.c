// Frames (NET-01 to NET-09): random contexts at a host, and replicas that apply frames of them, which are lost, doubled
// and come late.
#include "entity/entity.h"
#include "frame/frame.h"
#include "net/tables.h"
#include "runtime/snapshot/crowd.h"
#include "snapshot/snapshot.h"
#include "suites.h"

#include <kin/event.h>
#include <kin/frame.h>
#include <kin/generated/storage.h>
#include <kin/group.h>
#include <kin/reflect.h>

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POPULATION = 150, RING = 16, MOST_BYTES = 1 << 20, ZONES = 6 };

static crowd host, replica;
static tables table;
static uint64_t random_state;

static uint32_t draw(uint32_t below)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % below;
}

// ---- bytes

typedef struct buffer {
    unsigned char bytes[MOST_BYTES];
    size_t size, read;
} buffer;

static bool write_bytes(const void *bytes, size_t size, void *user)
{
    buffer *buffer = user;
    ck_assert_uint_le(buffer->size + size, MOST_BYTES);
    memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
    return true;
}

static size_t read_bytes(void *bytes, size_t size, void *user)
{
    buffer *buffer = user;
    size_t left = buffer->size - buffer->read;
    if (size > left)
        size = left;
    memcpy(bytes, buffer->bytes + buffer->read, size);
    buffer->read += size;
    return size;
}

static kin_sink sink_of(buffer *buffer)
{
    buffer->size = 0;
    return (kin_sink){write_bytes, buffer};
}

static kin_source source_of(buffer *buffer)
{
    buffer->read = 0;
    return (kin_source){read_bytes, NULL, buffer};
}

// ---- both sides

static kin_snapshot *ring[RING]; // of the host, by number
static kin_snapshot *shown;      // of the replica
static kin_snapshot *kept;       // a copy of it
static buffer frame, other;

static void begin(uint32_t package, const tables_options *options)
{
    random_state = package * 977 + 1;
    crowd_begin(&host, package);
    crowd_begin(&replica, package);
    tables_make(&table, host.context->info, options);
    ck_assert_int_eq(kin_frames_use(&host.context, 1, &table.info), KIN_OK);
    ck_assert_int_eq(kin_frames_use(&replica.context, 1, &table.info), KIN_OK);
    ck_assert_int_eq(kin__context_save(replica.context, &shown), KIN_OK);
}

static void end(void)
{
    for (uint32_t i = 0; i < RING; i++) {
        kin_snapshot_destroy(ring[i]);
        ring[i] = NULL;
    }
    kin_snapshot_destroy(shown);
    kin_snapshot_destroy(kept);
    shown = kept = NULL;
    crowd_end(&host);
    crowd_end(&replica);
}

static void save(uint64_t number)
{
    kin_status status = kin__context_save(host.context, &ring[number % RING]);
    ck_assert(status == KIN_OK || status == KIN_ERROR_RETAINED);
}

static kin_view view_of(uint64_t number, uint64_t base)
{
    return (kin_view){.has_no_zone = true, .epoch = 1, .number = number, .base = base, .has_hash = true};
}

static kin_status make(buffer *to, const kin_view *view)
{
    return kin_frame_make(view->base == 0 ? NULL : ring[view->base % RING], ring[view->number % RING], view,
                          sink_of(to));
}

// ---- the naive model: what a replica shows of a host, entity by entity

static bool is_leaf_equal(const kin__net_leaf *leaf, const char *one, const char *other)
{
    for (uint32_t i = 0; leaf->precision > 0 && !leaf->is_list && i < (leaf->count == 0 ? 1 : leaf->count); i++) {
        double first, second;
        float halves[2];
        memcpy(&halves[0], one + i * leaf->size, sizeof halves[0]);
        memcpy(&halves[1], other + i * leaf->size, sizeof halves[1]);
        memcpy(&first, one + i * leaf->size, leaf->type == KIN_TYPE_DOUBLE ? sizeof first : sizeof halves[0]);
        memcpy(&second, other + i * leaf->size, leaf->type == KIN_TYPE_DOUBLE ? sizeof second : sizeof halves[1]);
        if (leaf->type == KIN_TYPE_FLOAT) {
            first = (double)halves[0];
            second = (double)halves[1];
        }
        double distance = first < second ? second - first : first - second;
        double size = first < 0 ? -first : first;
        bool is_near = distance <= leaf->precision * 0.5001 || distance <= size * 1e-6;
        if (!is_near && !(first != first && second != second) && first != second)
            return false;
    }
    return leaf->precision > 0 || kin__leaf_is_same(leaf, 0, one, other);
}

static bool is_relation(const kin_context_info *info, uint32_t id, const kin__net_leaf *leaf)
{
    for (uint32_t i = 0; i < info->relation_count; i++)
        if (info->relations[i].component == id && info->relations[i].field->offset == leaf->offset)
            return true;
    return false;
}

static const char *value_of(kin_context *context, kin_entity entity, kin_component_id id, void *copy)
{
    kin__value_read(context, kin_entity_slot(entity), id, copy);
    return copy;
}

// Of an entity with the component that has the zone.
static int32_t zone_of(kin_entity entity)
{
    static max_align_t copy[1024];
    int32_t zone;
    memcpy(&zone, value_of(host.context, entity, table.context.zone.component, copy) + table.context.zone.offset,
           sizeof zone);
    return zone;
}

static bool sees(const kin_view *views, uint32_t count, kin_entity entity)
{
    const kin__net_place *zone = &table.context.zone;
    int32_t value = 0;
    bool has = zone->component != KIN__NET_NO_COMPONENT && kin_has(host.context, entity, zone->component);
    if (has)
        value = zone_of(entity);
    for (uint32_t i = 0; i < count; i++)
        if (has ? !views[i].has_no_zone && views[i].zone == value : views[i].has_no_zone)
            return true;
    return false;
}

static void compare_component(kin_entity entity, const kin__net_component *component)
{
    static max_align_t copies[2][1024];
    ck_assert_int_eq(kin_has(replica.context, entity, component->id), kin_has(host.context, entity, component->id));
    if (component->leaf_count == 0 || !kin_has(host.context, entity, component->id))
        return;
    const char *one = value_of(host.context, entity, component->id, copies[0]);
    const char *two = value_of(replica.context, entity, component->id, copies[1]);
    for (uint32_t i = 0; i < component->leaf_count; i++) {
        const kin__net_leaf *leaf = &component->leaves[i];
        kin_entity target;
        if (is_relation(host.context->info, component->id, leaf)) {
            memcpy(&target, one + leaf->offset, sizeof target);
            if (!kin_entity_is_alive(replica.context, target))
                target = 0;
            ck_assert_mem_eq(two + leaf->offset, &target, sizeof target);
        } else {
            ck_assert_msg(is_leaf_equal(leaf, one + leaf->offset, two + leaf->offset), "%s.%s differs",
                          host.context->info->components[component->id].name, leaf->path);
        }
    }
}

// The host's context must stand at the number that is shown.
static void compare(const kin_view *views, uint32_t count)
{
    uint32_t alive = 0;
    ck_assert_int_eq(kin__context_restore(replica.context, shown, KIN_RESTORE_NOTIFY), KIN_OK);
    ck_assert(kin__context_is_valid(replica.context));
    for (uint32_t i = 0; i < host.context->chunk_count; i++)
        for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
            const kin__chunk *chunk = host.context->chunks[i];
            if (!kin__chunk_is_alive(chunk, place))
                continue;
            bool is_seen = sees(views, count, chunk->ids[place]);
            ck_assert_int_eq(kin_entity_is_alive(replica.context, chunk->ids[place]), is_seen);
            alive += is_seen;
            for (uint32_t k = 0; is_seen && k < table.context.component_count; k++)
                compare_component(chunk->ids[place], &table.components[k]);
        }
    ck_assert_uint_eq(kin_snapshot_count(shown, replica.context->info), alive);
}

static void apply(buffer *from)
{
    kin_status status = kin_frame_apply(&shown, source_of(from));
    ck_assert_msg(status == KIN_OK, "%s", kin_status_name(status));
    ck_assert(kin__context_is_valid(replica.context));
}

static uint32_t rounds(void)
{
    const char *text = getenv("KIN_FRAME_ROUNDS");
    return text == NULL ? 16 : (uint32_t)atoi(text);
}

// ---- streams

static const tables_options plain = {0}, steps = {.precision = 0.125}, some = {.local = 3},
                            zoned = {.has_zones = true, .local = 4};

static void play_stream(const tables_options *options, int package)
{
    kin_view seen = {.has_no_zone = true};
    begin((uint32_t)package, options);
    for (uint64_t number = 1; number <= rounds(); number++) {
        crowd_change(&host, number == 1 ? 400 : draw(60), POPULATION);
        save(number);
        kin_view view = view_of(number, number - 1);
        ck_assert_int_eq(make(&frame, &view), KIN_OK);
        apply(&frame);
        compare(&seen, 1);
        ck_assert_uint_eq(kin_frame_number(shown, &view, NULL), number);
    }
    end();
}

START_TEST(net_04_a_stream_gives_what_the_host_has_under_its_handles)
{
    play_stream(&plain, _i);
}
END_TEST

START_TEST(net_05_values_with_precision_are_the_nearest_multiples)
{
    play_stream(&steps, _i);
}
END_TEST

START_TEST(net_06_what_does_not_replicate_is_not_there)
{
    play_stream(&some, _i);
}
END_TEST

// Runs go over the ends of chunks.
START_TEST(net_03_many_entities_need_several_chunks)
{
    kin_view seen = {.has_no_zone = true};
    begin((uint32_t)_i, &plain);
    kin_component_id flag = 0;
    while (flag + 1u < host.context->info->component_count && host.context->info->components[flag].size > 0)
        flag++;
    for (uint32_t i = 0; i < 1700; i++) {
        kin_entity entity = kin_create(host.context);
        if (i % 900 > 3 && host.context->info->components[flag].size == 0)
            kin_set_flag(host.context, entity, flag, true);
    }
    for (uint64_t number = 1; number <= 3; number++) {
        save(number);
        kin_view view = view_of(number, number - 1);
        ck_assert_int_eq(make(&frame, &view), KIN_OK);
        apply(&frame);
        compare(&seen, 1);
        crowd_change(&host, 60, POPULATION);
    }
    end();
}
END_TEST

// ---- full frames, and frames against any base

START_TEST(net_03_a_full_frame_gives_what_all_frames_give)
{
    begin((uint32_t)_i, &some);
    kin_snapshot *full = NULL;
    ck_assert_int_eq(kin__context_save(replica.context, &full), KIN_OK);
    for (uint64_t number = 1; number <= rounds(); number++) {
        crowd_change(&host, 100, POPULATION);
        save(number);
        kin_view view = view_of(number, number - 1);
        ck_assert_int_eq(make(&frame, &view), KIN_OK);
        apply(&frame);
        view.base = 0;
        ck_assert_int_eq(make(&other, &view), KIN_OK);
        kin_snapshot *fresh = NULL;
        ck_assert_int_eq(kin__context_save(replica.context, &fresh), KIN_OK);
        ck_assert_int_eq(kin_frame_apply(&fresh, source_of(&other)), KIN_OK);
        ck_assert_int_eq(kin_frame_apply(&full, source_of(&other)), KIN_OK);
        ck_assert_uint_eq(kin_snapshot_compare(shown, fresh, NULL, NULL), 0);
        ck_assert_uint_eq(kin_snapshot_compare(shown, full, NULL, NULL), 0);
        ck_assert_uint_eq(kin_snapshot_hash(shown), kin_snapshot_hash(fresh));
        kin_snapshot_destroy(fresh);
    }
    kin_snapshot_destroy(full);
    end();
}
END_TEST

// Datagrams: each is against the number that the replica acknowledged, and is lost, doubled or late.
START_TEST(net_03_the_last_entity_that_goes_leaves_no_trace)
{
    kin_view first = view_of(1, 0);
    kin_view second = view_of(2, 1);
    kin_view whole = view_of(2, 0);
    begin((uint32_t)_i, &plain);
    kin_create(host.context);
    kin_entity last = kin_create(host.context);
    save(1);
    ck_assert_int_eq(make(&frame, &first), KIN_OK);
    apply(&frame);
    ck_assert_int_eq(kin_destroy(host.context, last), KIN_OK);
    save(2);
    ck_assert_int_eq(make(&frame, &second), KIN_OK);
    apply(&frame);
    ck_assert_int_eq(kin__context_save(replica.context, &kept), KIN_OK);
    ck_assert_int_eq(make(&frame, &whole), KIN_OK);
    ck_assert_int_eq(kin_frame_apply(&kept, source_of(&frame)), KIN_OK);
    ck_assert_uint_eq(kin_snapshot_hash(kept), kin_snapshot_hash(shown));
    end();
}
END_TEST

START_TEST(net_02_frames_that_are_lost_doubled_or_late_change_nothing)
{
    static buffer late;
    kin_view seen = {.has_no_zone = true};
    uint64_t acknowledged = 0;
    uint32_t refused = 0;
    begin((uint32_t)_i, &plain);
    late.size = 0;
    for (uint64_t number = 1; number <= 3 * rounds(); number++) {
        crowd_change(&host, draw(40), POPULATION);
        save(number);
        if (acknowledged > 0 && number - acknowledged >= RING)
            acknowledged = 0;
        kin_view view = view_of(number, acknowledged);
        ck_assert_int_eq(make(&frame, &view), KIN_OK);
        uint32_t fate = draw(10);
        if (late.size > 0 && draw(3) == 0) {
            refused += kin_frame_apply(&shown, source_of(&late)) != KIN_OK;
            late.size = 0;
        }
        if (fate < 2)
            continue;
        if (fate == 2) {
            memcpy(&late, &frame, sizeof late);
            continue;
        }
        if (kin_frame_apply(&shown, source_of(&frame)) == KIN_OK) {
            compare(&seen, 1);
            acknowledged = number;
        }
        if (fate == 3)
            refused += kin_frame_apply(&shown, source_of(&frame)) != KIN_OK;
    }
    (void)refused;
    end();
}
END_TEST

// ---- zones

static kin_view followed[ZONES];
static uint32_t followed_count;

static uint32_t find_zones(int32_t *zones, uint32_t most)
{
    uint32_t count = 0;
    const kin__net_place *zone = &table.context.zone;
    for (uint32_t i = 0; i < host.context->chunk_count; i++)
        for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
            const kin__chunk *chunk = host.context->chunks[i];
            int32_t value;
            if (!kin__chunk_is_alive(chunk, place) || !kin_has(host.context, chunk->ids[place], zone->component))
                continue;
            value = zone_of(chunk->ids[place]);
            if (count < most && draw(4) == 0)
                zones[count++] = value;
        }
    return count;
}

static bool is_followed(const kin_view *view)
{
    for (uint32_t i = 0; i < followed_count; i++)
        if (followed[i].has_no_zone == view->has_no_zone && (view->has_no_zone || followed[i].zone == view->zone))
            return true;
    return false;
}

// Follows a zone that is there, or no longer one.
static void change_zones(void)
{
    int32_t zones[64];
    uint32_t count = find_zones(zones, 64);
    if (followed_count > 0 && draw(3) == 0) {
        uint32_t at = draw(followed_count);
        ck_assert_int_eq(kin_frame_drop(shown, &followed[at]), KIN_OK);
        ck_assert(kin__context_is_valid(replica.context)); // which shares values with the snapshot
        followed[at] = followed[--followed_count];
    }
    kin_view view = {.has_no_zone = count == 0 || draw(8) == 0};
    if (!view.has_no_zone)
        view.zone = zones[draw(count)];
    if (followed_count < ZONES && !is_followed(&view))
        followed[followed_count++] = view;
}

START_TEST(net_07_zones_move_together_and_entities_change_them)
{
    begin((uint32_t)_i, &zoned);
    followed_count = 0;
    if (table.context.zone.component != KIN__NET_NO_COMPONENT)
        for (uint64_t number = 1; number <= rounds(); number++) {
            crowd_change(&host, number == 1 ? 400 : draw(60), POPULATION);
            save(number);
            change_zones();
            frame.size = 0;
            for (uint32_t i = 0; i < followed_count; i++) {
                kin_view view = view_of(number, kin_frame_number(shown, &followed[i], NULL));
                view.zone = followed[i].zone;
                view.has_no_zone = followed[i].has_no_zone;
                ck_assert_int_eq(make(&other, &view), KIN_OK);
                write_bytes(other.bytes, other.size, &frame);
            }
            if (followed_count == 0)
                continue;
            apply(&frame);
            compare(followed, followed_count);
        }
    end();
}
END_TEST

// ---- one context gives the same bytes

START_TEST(net_01_equal_snapshots_give_equal_bytes)
{
    begin((uint32_t)_i, &plain);
    for (uint64_t number = 1; number < 4; number++) {
        crowd_change(&host, 200, POPULATION);
        save(number);
    }
    kin_view view = view_of(3, 1);
    ck_assert_int_eq(make(&frame, &view), KIN_OK);
    crowd_change(&host, 200, POPULATION);
    ck_assert_int_eq(make(&other, &view), KIN_OK);
    ck_assert_uint_eq(frame.size, other.size);
    ck_assert_mem_eq(frame.bytes, other.bytes, frame.size);
    kin_frame_info info;
    ck_assert(kin_frame_look(frame.bytes, frame.size, &info));
    ck_assert_uint_eq(info.view.number, 3);
    ck_assert_uint_eq(info.view.base, 1);
    ck_assert(!kin_frame_look(frame.bytes, frame.size - 1, &info));
    view.base = 3; // nothing differs
    view.number = 4;
    view.has_hash = false;
    save(4);
    ck_assert_int_eq(kin_frame_make(ring[3], ring[3], &view, sink_of(&frame)), KIN_OK);
    ck_assert_uint_lt(frame.size, 16);
    end();
}
END_TEST

// ---- what is refused

static void keep(void)
{
    ck_assert_int_eq(kin__context_restore(replica.context, shown, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert_int_eq(kin__context_save(replica.context, &kept), KIN_OK);
}

static void check_kept(uint64_t number)
{
    kin_view view = view_of(1, 0);
    ck_assert_uint_eq(kin_snapshot_compare(kept, shown, NULL, NULL), 0);
    ck_assert_uint_eq(kin_frame_number(shown, &view, NULL), number);
}

static void mend_sum(buffer *buffer)
{
    uint32_t sum = (uint32_t)kin__xxh64_of(buffer->bytes, buffer->size - 4, 0);
    kin__little_write_32(buffer->bytes + buffer->size - 4, sum);
}

static void begin_two_frames(uint32_t package)
{
    begin(package, &plain);
    for (uint64_t number = 1; number <= 2; number++) {
        crowd_change(&host, 120, 60);
        save(number);
    }
    kin_view view = view_of(1, 0);
    ck_assert_int_eq(make(&frame, &view), KIN_OK);
    apply(&frame);
    keep();
    view = view_of(2, 1);
    view.has_hash = false;
    ck_assert_int_eq(make(&frame, &view), KIN_OK);
}

START_TEST(net_02_frames_cut_at_every_byte_change_nothing)
{
    begin_two_frames((uint32_t)_i);
    for (size_t size = 0; size < frame.size; size += 1 + size / 64) {
        memcpy(other.bytes, frame.bytes, size);
        other.size = size;
        ck_assert_int_eq(kin_frame_apply(&shown, source_of(&other)), KIN_ERROR_CORRUPT);
        check_kept(1);
    }
    end();
}
END_TEST

// Bits are flipped and the sum is mended: it is refused with nothing changed, or gives a valid state.
START_TEST(net_06_frames_with_flipped_bits_are_refused_or_give_a_valid_state)
{
    begin_two_frames((uint32_t)_i);
    uint32_t flips = (uint32_t)frame.size / 16 + 2; // some 256 of them
    for (size_t bit = 0; bit < 8 * (frame.size - 4); bit += 1 + draw(flips)) {
        memcpy(&other, &frame, sizeof other);
        other.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        mend_sum(&other);
        kin_status status = kin_frame_apply(&shown, source_of(&other));
        if (status != KIN_OK) {
            check_kept(1);
            continue;
        }
        kin_status restored = kin__context_restore(replica.context, shown, KIN_RESTORE_NOTIFY);
        ck_assert_int_eq(restored, KIN_OK);
        ck_assert(kin__context_is_valid(replica.context));
        crowd_change(&replica, 5, 60);
        ck_assert(kin__context_is_valid(replica.context));
        kin_view view = view_of(1, 0);
        kin_snapshot_destroy(shown);
        shown = NULL;
        ck_assert_int_eq(kin__context_save(replica.context, &shown), KIN_OK);
        ck_assert_int_eq(make(&other, &view), KIN_OK);
        apply(&other);
        keep();
    }
    end();
}
END_TEST

START_TEST(net_05_a_nan_is_no_key)
{
    static const unsigned char bits[8] = {0, 0, 0, 0, 0, 0, 0xF8, 0x3F};
    begin_two_frames(5);
    size_t at = 0;
    while (at + 8 < frame.size && memcmp(frame.bytes + at, bits, 8) != 0)
        at++;
    ck_assert_uint_lt(at + 8, frame.size);
    frame.bytes[at + 7] = 0x7F;
    mend_sum(&frame);
    ck_assert_int_eq(kin_frame_apply(&shown, source_of(&frame)), KIN_ERROR_CORRUPT);
    check_kept(1);
    end();
}
END_TEST

START_TEST(net_09_another_state_differs)
{
    begin((uint32_t)_i, &plain);
    crowd_change(&host, 200, POPULATION);
    save(1);
    kin_view view = view_of(1, 0);
    ck_assert_int_eq(make(&frame, &view), KIN_OK);
    frame.bytes[8] ^= 1; // in the hash
    mend_sum(&frame);
    keep();
    ck_assert_int_eq(kin_frame_apply(&shown, source_of(&frame)), KIN_ERROR_DIFFERS);
    ck_assert_uint_eq(kin_frame_number(shown, &view, NULL), 0);
    ck_assert_int_eq(make(&frame, &view), KIN_OK);
    apply(&frame);
    end();
}
END_TEST

START_TEST(net_02_calls_that_cannot_be_are_refused)
{
    begin(0, &plain);
    crowd_change(&host, 50, POPULATION);
    save(1);
    save(2);
    kin_view view = view_of(1, 0);
    ck_assert_int_eq(kin_frame_make(NULL, NULL, &view, sink_of(&frame)), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_frame_make(NULL, ring[1], NULL, sink_of(&frame)), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_frame_make(ring[1], ring[2], &view, sink_of(&frame)), KIN_ERROR_INVALID);
    view.number = 0;
    ck_assert_int_eq(kin_frame_make(NULL, ring[1], &view, sink_of(&frame)), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_frame_apply(NULL, source_of(&frame)), KIN_ERROR_INVALID);
    kin_snapshot *none = NULL;
    ck_assert_int_eq(kin_frame_apply(&none, source_of(&frame)), KIN_ERROR_INVALID);
    view = view_of(2, 1);
    ck_assert_int_eq(make(&frame, &view), KIN_OK);
    ck_assert_int_eq(kin_frame_apply(&shown, source_of(&frame)), KIN_ERROR_INVALID); // its base is not there
    ck_assert_uint_eq(kin_frame_number(NULL, &view, NULL), 0);
    ck_assert_int_eq(kin_frame_drop(shown, &view), KIN_OK);
    ck_assert_int_eq(kin_frame_drop(NULL, &view), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_frames_use(NULL, 1, &table.info), KIN_ERROR_INVALID);
    end();
}
END_TEST

START_TEST(net_02_frames_without_memory_change_nothing)
{
    begin_two_frames((uint32_t)_i);
    for (uint64_t number = 1;; number++) {
        guard_fail(&replica.memory, number, true);
        kin_status status = kin_frame_apply(&shown, source_of(&frame));
        bool has_failed = guard_has_failed(&replica.memory);
        guard_fail(&replica.memory, 0, false);
        ck_assert_int_eq(status, has_failed ? KIN_ERROR_NO_MEMORY : KIN_OK);
        if (!has_failed)
            break;
        check_kept(1);
    }
    kin_view view = view_of(2, 1);
    for (uint64_t number = 1;; number++) {
        guard_fail(&host.memory, number, true);
        kin_status status = make(&frame, &view);
        bool has_failed = guard_has_failed(&host.memory);
        guard_fail(&host.memory, 0, false);
        ck_assert_int_eq(status, has_failed ? KIN_ERROR_NO_MEMORY : KIN_OK);
        if (!has_failed)
            break;
    }
    end();
}
END_TEST

Suite *net_frame_suite(void)
{
    Suite *suite = suite_create("net_frame");
    TCase *tests = tcase_create("frame");
    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, net_01_equal_snapshots_give_equal_bytes, 0, CROWDS);
    tcase_add_loop_test(tests, net_04_a_stream_gives_what_the_host_has_under_its_handles, 0, CROWDS);
    tcase_add_loop_test(tests, net_05_values_with_precision_are_the_nearest_multiples, 0, CROWDS);
    tcase_add_loop_test(tests, net_06_what_does_not_replicate_is_not_there, 0, CROWDS);
    tcase_add_loop_test(tests, net_03_many_entities_need_several_chunks, 0, CROWDS);
    tcase_add_loop_test(tests, net_03_a_full_frame_gives_what_all_frames_give, 0, CROWDS);
    tcase_add_loop_test(tests, net_03_the_last_entity_that_goes_leaves_no_trace, 0, CROWDS);
    tcase_add_loop_test(tests, net_02_frames_that_are_lost_doubled_or_late_change_nothing, 0, CROWDS);
    tcase_add_loop_test(tests, net_07_zones_move_together_and_entities_change_them, 0, CROWDS);
    suite_add_tcase(suite, tests);
    tests = tcase_create("hostile");
    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, net_02_frames_cut_at_every_byte_change_nothing, 0, CROWDS);
    tcase_add_loop_test(tests, net_06_frames_with_flipped_bits_are_refused_or_give_a_valid_state, 0, CROWDS);
    tcase_add_loop_test(tests, net_09_another_state_differs, 0, CROWDS);
    tcase_add_loop_test(tests, net_02_frames_without_memory_change_nothing, 0, CROWDS);
    tcase_add_test(tests, net_05_a_nan_is_no_key);
    tcase_add_test(tests, net_02_calls_that_cannot_be_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
