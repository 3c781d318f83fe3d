// Versions: hosts and replicas whose schemas are of two versions of one package.
#include "net/ferry_case.h"
#include "runtime/support/support.h"
#include "suites.h"

#include "session/session.h"

#include <string.h>

static const kin_memory_options networks[] = {
    {0}, {.is_shared = true}, {.seed = 7, .loss = 100, .twice = 100, .late = 100, .delay = 2}};

// ---- versions that can meet

static void play(ferry_version host, ferry_version replica, const kin_memory_options *network)
{
    ferry_begin(host, network);
    ferry_fill();
    ferry *other = ferry_join(replica);
    ferry *same = ferry_join(host);
    for (uint32_t round = 0; round < 60; round++) {
        ferry_stir(round);
        ferry_steps(1);
    }
    if (ferry_options.budget > 0)
        ferry_steps(64);                            // each zone is sent until then
    uint64_t last = ferry_state(&ferries[0]).frame; // nothing changes after it
    for (uint32_t i = 0; i < 400 && ferry_state(other).frame <= last + 1; i++)
        ferry_steps(1);
    for (uint32_t i = 0; i < 400 && ferry_state(same).frame <= last + 1; i++)
        ferry_steps(1);
    ferry_check(other);
    ferry_check(same);
    ck_assert(ferry_state(other).is_converted);
    ck_assert(!ferry_state(same).is_converted);
    ck_assert_uint_eq(ferry_state(other).wrong_hashes, 0);
    ck_assert_uint_eq(ferry_state(other).refused[KIN_REFUSED_BASE], 0);
    if (network->loss == 0)
        ck_assert_uint_eq(ferry_state(other).resyncs, 0);
    ferry_end();
}

START_TEST(net_33_a_replica_of_a_later_version_follows)
{
    for (uint32_t i = 0; i < 3; i++)
        play(FERRY_FIRST, FERRY_SECOND, &networks[i]);
}
END_TEST

START_TEST(net_33_a_replica_that_lags_a_release_plays_on)
{
    for (uint32_t i = 0; i < 3; i++)
        play(FERRY_SECOND, FERRY_FIRST, &networks[i]);
}
END_TEST

START_TEST(net_33_wider_types_read_narrower_ones)
{
    for (uint32_t i = 0; i < 3; i++)
        play(FERRY_FIRST, FERRY_THIRD, &networks[i]);
}
END_TEST

START_TEST(net_33_a_replica_of_another_version_has_a_budget)
{
    ferry_options.budget = 900;
    play(FERRY_SECOND, FERRY_FIRST, &networks[0]);
    play(FERRY_FIRST, FERRY_THIRD, &networks[2]);
    ferry_options.budget = 0;
}
END_TEST

START_TEST(net_33_a_replica_of_another_version_sees_zones)
{
    ferry_begin(FERRY_FIRST, &networks[0]);
    ferry_fill();
    ferry *replica = ferry_join(FERRY_SECOND);
    ck_assert_int_eq(kin_session_see(replica->session, &(kin_zone){.zone = 1}, 1), KIN_OK);
    ferry_steps(4);
    uint32_t seen = ferry_count(replica);
    ck_assert_uint_gt(seen, 0);
    ck_assert_uint_lt(seen, ferry_count(&ferries[0]));
    ck_assert_int_eq(kin_session_see(replica->session, (kin_zone[]){{.zone = 1}, {.zone = 2}}, 2), KIN_OK);
    ferry_steps(4);
    ck_assert_uint_gt(ferry_count(replica), seen);
    ferry_end();
}
END_TEST

START_TEST(net_33_the_next_host_may_be_of_another_version)
{
    static const ferry_version hosts[] = {FERRY_FIRST, FERRY_SECOND, FERRY_FIRST, FERRY_SECOND};
    ferry_begin(hosts[0], &networks[1]);
    ferry *first = ferry_join(FERRY_FIRST);
    ferry *second = ferry_join(FERRY_SECOND);
    for (uint32_t i = 0; i < 4; i++) {
        if (i > 0)
            ferry_replace_host(hosts[i]);
        ferry_steps(2);
        ferry_fill();
        ferry_steps(2);
        for (uint32_t round = 0; round < 10; round++) {
            ferry_stir(round);
            ferry_steps(1);
        }
        uint64_t last = ferry_state(&ferries[0]).frame;
        for (uint32_t k = 0; k < 200 && ferry_state(first).frame <= last; k++)
            ferry_steps(1);
        ferry_check(first);
        ferry_check(second);
        ck_assert_int_eq(ferry_state(first).is_converted, hosts[i] == FERRY_SECOND);
        ck_assert_int_eq(ferry_state(second).is_converted, hosts[i] == FERRY_FIRST);
        ck_assert_uint_eq(ferry_state(first).epoch, i + 1);
    }
    ferry_end();
}
END_TEST

// ---- versions that cannot

static void meet_in_vain(ferry_version host, ferry_version replica, const kin_memory_options *network)
{
    ferry_begin(host, network);
    ferry_fill();
    ferry *other = ferry_join(replica);
    ferry_steps(60);
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(ferries[i].errors.count, 1);
        ck_assert_int_eq(ferries[i].errors.entries[0].status, KIN_ERROR_SHAPE);
        const char *message = ferries[i].errors.entries[0].message;
        ck_assert_msg(strstr(message, "Anchor.depth (double[2] at the host, float at the replica)") != NULL, "%s",
                      message);
        ck_assert_msg(strstr(message, "Captain.name (string at the host, string[7] at the") != NULL, "%s", message);
        ck_assert_msg(strstr(message, "kin breaking --net") != NULL, "%s", message);
        error_log_clear(&ferries[i].errors);
    }
    ck_assert_uint_eq(ferry_count(other), 0);
    ck_assert_uint_eq(ferry_state(other).frame, 0);
    ck_assert_uint_eq(kin_session_peers(ferries[0].session, NULL, 0), 0);
    ferry_end();
}

START_TEST(net_33_both_sides_name_what_cannot_be_converted)
{
    meet_in_vain(FERRY_THIRD, FERRY_FIRST, &networks[0]);
    meet_in_vain(FERRY_THIRD, FERRY_FIRST, &networks[1]);
}
END_TEST

START_TEST(net_33_another_package_is_refused)
{
    ferry_begin(FERRY_FIRST, &networks[0]);
    ferry *other = ferry_join_as(FERRY_SECOND, "barge");
    ferry_steps(4);
    for (uint32_t i = 0; i < 2; i++)
        ck_assert_ptr_nonnull(
            strstr(ferries[i].errors.entries[0].message, "package ferry at the host, barge at the replica"));
    ck_assert_reported(&ferries[0].errors, KIN_ERROR_SHAPE);
    ck_assert_reported(&other->errors, KIN_ERROR_SHAPE);
    ferry_end();
}
END_TEST

static const int32_t numbers[] = {0, 200, 300};
static const char *const names[] = {"Port", "Starboard", "Stern"};

#define LEAF(kin_type, bytes, ...)                                                                                     \
    {                                                                                                                  \
        .path = "a", .type = (kin_type), .size = (bytes), __VA_ARGS__                                                  \
    }
#define VALUES(count) .value_count = (count), .values = numbers, .names = names

// What one type may become: the rules of files (EVO-04) without those that lose values.
static const struct {
    kin__net_leaf from, to;
    bool is_read, is_read_back;
} pairs[] = {
    {LEAF(KIN_TYPE_INT16, 2, ), LEAF(KIN_TYPE_INT16, 2, ), true, true},
    {LEAF(KIN_TYPE_INT16, 2, ), LEAF(KIN_TYPE_INT32, 4, ), true, false},
    {LEAF(KIN_TYPE_UINT16, 2, ), LEAF(KIN_TYPE_INT32, 4, ), true, false},
    {LEAF(KIN_TYPE_UINT32, 4, ), LEAF(KIN_TYPE_INT32, 4, ), false, false},
    {LEAF(KIN_TYPE_INT16, 2, ), LEAF(KIN_TYPE_FLOAT, 4, ), true, false},
    {LEAF(KIN_TYPE_INT32, 4, ), LEAF(KIN_TYPE_FLOAT, 4, ), false, false},
    {LEAF(KIN_TYPE_INT32, 4, ), LEAF(KIN_TYPE_DOUBLE, 8, ), true, false},
    {LEAF(KIN_TYPE_INT64, 8, ), LEAF(KIN_TYPE_DOUBLE, 8, ), false, false},
    {LEAF(KIN_TYPE_UINT64, 8, ), LEAF(KIN_TYPE_INT64, 8, ), false, false},
    {LEAF(KIN_TYPE_FLOAT, 4, ), LEAF(KIN_TYPE_DOUBLE, 8, ), true, false},
    {LEAF(KIN_TYPE_FLOAT, 4, ), LEAF(KIN_TYPE_FLOAT, 4, .precision = 0.5), true, true},
    {LEAF(KIN_TYPE_BOOL, 1, ), LEAF(KIN_TYPE_INT8, 1, ), true, false},
    {LEAF(KIN_TYPE_BOOL, 1, ), LEAF(KIN_TYPE_FLOAT, 4, ), true, false},
    {LEAF(KIN_TYPE_BOOL, 1, ), LEAF(KIN_TYPE_ENTITY, 8, ), false, false},
    {LEAF(KIN_TYPE_INT64, 8, ), LEAF(KIN_TYPE_ENTITY, 8, ), false, false},
    {LEAF(KIN_TYPE_ENTITY, 8, .target = "sea"), LEAF(KIN_TYPE_ENTITY, 8, ), true, false},
    {LEAF(KIN_TYPE_ENTITY, 8, .target = "sea"), LEAF(KIN_TYPE_ENTITY, 8, .target = "air"), false, false},
    {LEAF(KIN_TYPE_INLINE_STRING, 8, ), LEAF(KIN_TYPE_INLINE_STRING, 9, ), true, false},
    {LEAF(KIN_TYPE_INLINE_STRING, 8, ), LEAF(KIN_TYPE_STRING, 8, ), true, false},
    {LEAF(KIN_TYPE_STRING, 8, ), LEAF(KIN_TYPE_INT8, 1, ), false, false},
    {LEAF(KIN_TYPE_INT8, 1, .count = 2), LEAF(KIN_TYPE_INT8, 1, .count = 3), true, false},
    {LEAF(KIN_TYPE_INT8, 1, .count = 2), LEAF(KIN_TYPE_INT8, 1, .is_list = true), true, false},
    {LEAF(KIN_TYPE_INT8, 1, ), LEAF(KIN_TYPE_INT16, 2, .count = 1), true, false},
    {LEAF(KIN_TYPE_INT8, 1, ), LEAF(KIN_TYPE_INT8, 1, .is_list = true), true, false},
    {LEAF(KIN_TYPE_ENUM, 4, VALUES(2)), LEAF(KIN_TYPE_ENUM, 4, VALUES(3)), true, false},
    {LEAF(KIN_TYPE_ENUM, 4, VALUES(2)), LEAF(KIN_TYPE_UINT8, 1, ), true, false},
    {LEAF(KIN_TYPE_ENUM, 4, VALUES(3)), LEAF(KIN_TYPE_UINT8, 1, ), false, false},
    {LEAF(KIN_TYPE_ENUM, 4, VALUES(3)), LEAF(KIN_TYPE_FLOAT, 4, ), true, false},
};

// Returns whether a replica can follow a host, of which each sends one leaf.
static bool can_follow(const kin__net_leaf *host, const kin__net_leaf *replica, char said[KIN__SHAPE_NAMES])
{
    kin__net_info infos[2];
    kin__net_context contexts[2];
    kin__net_component components[2];
    for (uint32_t i = 0; i < 2; i++) {
        components[i] = (kin__net_component){.name = "C", .leaves = i == 0 ? host : replica, .leaf_count = 1};
        contexts[i] = (kin__net_context){.name = "c", .components = &components[i], .component_count = 1};
        contexts[i].zone.component = contexts[i].peer.component = KIN__NET_NO_COMPONENT;
        infos[i] = (kin__net_info){.package = "p", .contexts = &contexts[i], .context_count = 1};
    }
    return kin__shapes_meet(&infos[0], &infos[1], said);
}

START_TEST(net_33_types_that_keep_all_values_are_read)
{
    char said[KIN__SHAPE_NAMES];
    for (uint32_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        ck_assert_msg(can_follow(&pairs[i].from, &pairs[i].to, said) == pairs[i].is_read, "row %u", (unsigned)i);
        ck_assert_msg(can_follow(&pairs[i].to, &pairs[i].from, said) == pairs[i].is_read_back, "row %u", (unsigned)i);
    }
}
END_TEST

START_TEST(net_33_a_struct_that_became_an_array_is_named)
{
    char said[KIN__SHAPE_NAMES];
    kin__net_leaf inner = LEAF(KIN_TYPE_FLOAT, 4, );
    kin__net_leaf one = {.path = "at.a", .type = KIN_TYPE_FLOAT, .size = 4};
    kin__net_leaf many = {
        .path = "at", .type = KIN_TYPE_STRUCT, .size = 4, .count = 2, .inner = &inner, .inner_count = 1};
    ck_assert(!can_follow(&one, &many, said));
    ck_assert_str_eq(said, "C.at.a (float at the host, struct[2] at the replica)");
    ck_assert(!can_follow(&many, &one, said));
    ck_assert_str_eq(said, "C.at (struct[2] at the host, float at the replica)");
}
END_TEST

START_TEST(net_33_a_zone_at_another_field_is_named)
{
    char said[KIN__SHAPE_NAMES];
    kin__net_info host = ferry_info(FERRY_FIRST, "ferry");
    kin__net_info replica = host;
    kin__net_context context = host.contexts[0];
    context.zone.component = KIN__NET_NO_COMPONENT;
    replica.contexts = &context;
    ck_assert(!kin__shapes_meet(&host, &replica, said));
    ck_assert_str_eq(said, "the field with 'zone: true' of sea");
    context = host.contexts[0];
    context.peer.component = KIN__NET_NO_COMPONENT;
    ck_assert(!kin__shapes_meet(&host, &replica, said));
    ck_assert_str_eq(said, "the field with 'peer: true' of sea");
}
END_TEST

// ---- messages

START_TEST(net_34_messages_of_a_replica_are_converted)
{
    ferry_begin(FERRY_FIRST, &networks[0]);
    ferry *replica = ferry_join(FERRY_SECOND);
    ferry_steps(4);
    second_Steer steer = {.slow = true, .sender = 99, .by = {.x = 1.5f, .y = -2}, .hard = 200};
    ck_assert_int_eq(second_ferry2_send_steer(replica->second, steer), KIN_OK);
    second_Hail hail = {.side = SECOND_SIDE_PORT, .text = "ahoy"};
    ck_assert_int_eq(second_ferry2_send_hail(replica->second, hail), KIN_OK);
    ferry_steps(2);
    ck_assert_uint_eq(ferries[0].steers, 1);
    ck_assert(ferries[0].first_steer.by.x == 1.5f && ferries[0].first_steer.by.y == -2);
    ck_assert_uint_eq(ferries[0].first_steer.hard, 200);
    ck_assert_uint_eq(ferries[0].first_steer.sender, replica->transport->peer);
    ck_assert_uint_eq(ferries[0].hails, 1);
    ck_assert_str_eq(ferries[0].first_hail.text, "ahoy");
    ck_assert_int_eq(ferries[0].first_hail.side, FIRST_SIDE_PORT);
    ferry_end();
}
END_TEST

START_TEST(net_34_fields_that_a_message_of_a_replica_lacks_are_0)
{
    ferry_begin(FERRY_SECOND, &networks[0]);
    ferry *replica = ferry_join(FERRY_FIRST);
    ferry_steps(4);
    first_Steer steer = {.by = {2, 3}, .hard = 9};
    ck_assert_int_eq(first_ferry1_send_steer(replica->first, steer), KIN_OK);
    ferry_steps(2);
    ck_assert_uint_eq(ferries[0].steers, 1);
    ck_assert(ferries[0].second_steer.by.x == 2 && ferries[0].second_steer.by.y == 3);
    ck_assert(!ferries[0].second_steer.slow);
    ck_assert_uint_eq(ferries[0].second_steer.hard, 9);
    ck_assert_uint_eq(ferries[0].second_steer.sender, replica->transport->peer);
    ferry_end();
}
END_TEST

START_TEST(net_34_a_message_that_the_host_lacks_is_dropped_and_counted)
{
    ferry_begin(FERRY_FIRST, &networks[0]);
    ferry *replica = ferry_join(FERRY_SECOND);
    ferry_steps(4);
    for (uint32_t i = 0; i < 40; i++) { // more than the faults for which a peer is dropped
        second_Wave wave = {.flag = "yellow", .at = {{1, 2}, {3, 4}}};
        ck_assert_int_eq(second_ferry2_send_wave(replica->second, wave), KIN_OK);
    }
    ck_assert_int_eq(second_ferry2_send_steer(replica->second, (second_Steer){.hard = 1}), KIN_OK);
    ferry_steps(6);
    ck_assert_uint_eq(ferry_state(&ferries[0]).refused[KIN_REFUSED_SHAPE], 40);
    ck_assert_uint_eq(ferry_state(&ferries[0]).refused[KIN_REFUSED_SYNTAX], 0);
    ck_assert_uint_eq(ferries[0].steers, 1);
    kin_peer_numbers peer;
    ck_assert_uint_eq(kin_session_peers(ferries[0].session, &peer, 1), 1);
    ck_assert_uint_eq(peer.dropped, 40);
    ck_assert_uint_eq(peer.taken, 1);
    ck_assert(peer.is_converted);
    ck_assert_uint_eq(replica->session->own.count, 0); // the host has them all behind it
    ferry_end();
}
END_TEST

START_TEST(net_21_a_message_is_read_where_both_send_it)
{
    // A peer whose schema says that replicas send what this host alone sends. Nobody has compared such fields.
    kin__net_info host = ferry_info(FERRY_FIRST, "ferry");
    kin__net_info replica = host;
    kin__net_message messages[8];
    kin__memory memory = kin__memory_of((kin_allocator){0});
    kin__fault fault = {KIN_OK, ""};
    kin__heap heap = {.memory = &memory, .fault = &fault};
    ck_assert_uint_le(host.message_count, 8);
    memcpy(messages, host.messages, host.message_count * sizeof *messages);
    for (uint32_t i = 0; i < host.message_count; i++)
        messages[i].is_from_replica = true;
    replica.messages = messages;
    const kin__shape_map *map = kin__shape_map_make(&heap, &replica, &host, true);
    for (uint32_t i = 0; i < host.message_count; i++)
        ck_assert_int_eq(map->messages[i].to != NULL, host.messages[i].is_from_replica);
    map = kin__shape_map_make(&heap, &replica, &host, false);
    for (uint32_t i = 0; i < host.message_count; i++)
        ck_assert_int_eq(map->messages[i].to != NULL, host.messages[i].is_to_replica);
    kin__heap_release(&heap);
}
END_TEST

START_TEST(net_34_messages_to_a_replica_are_converted)
{
    for (uint32_t i = 0; i < 2; i++) { // not shared, and shared
        ferry_begin(FERRY_SECOND, &networks[i]);
        ferry *replica = ferry_join(FERRY_FIRST);
        ferry_steps(4);
        second_ferry2_publish_horn(ferries[0].second, (second_Horn){.area = 2, .tone = -300, .loud = true});
        second_ferry2_publish_gull(ferries[0].second, (second_Gull){.at = {{1, 1}, {2, 2}}, .name = "Bo"});
        second_ferry2_publish_bell(ferries[0].second, (second_Bell){8});
        ferry_steps(3);
        ck_assert_uint_eq(replica->horns, 1);
        ck_assert_int_eq(replica->first_horn.tone, -300);
        ck_assert_int_eq(replica->first_horn.zone, 2);
        ck_assert_uint_eq(replica->bells, 1);
        ck_assert_int_eq(replica->first_bell.rings, 8);
        ck_assert_uint_eq(ferry_state(replica).refused[KIN_REFUSED_SHAPE], 1);
        ck_assert_uint_eq(ferry_state(replica).refused[KIN_REFUSED_SYNTAX], 0);
        ferry_end();
    }
}
END_TEST

START_TEST(net_34_wider_fields_of_messages_read_narrower_ones)
{
    ferry_begin(FERRY_FIRST, &networks[0]);
    ferry *replica = ferry_join(FERRY_THIRD);
    ferry_steps(4);
    first_ferry1_publish_horn(ferries[0].first, (first_Horn){.tone = -7, .zone = 1});
    first_ferry1_publish_bell(ferries[0].first, (first_Bell){-5});
    ferry_steps(2);
    ck_assert_int_eq(replica->third_horn.tone, -7);
    ck_assert(replica->third_bell.rings[0] == -5 && replica->third_bell.rings[1] == 0);
    ferry_end();
}
END_TEST

// ---- what is no shape

static void shape_bytes(ferry_version version, kin__bytes_out *out)
{
    kin__net_info info = ferry_info(version, "ferry");
    kin__shape_put(out, &info);
    ck_assert(!out->has_failed);
}

// Reads bytes as a shape, and makes a map of it where it is one that can meet.
static bool read_shape(const void *bytes, size_t size, const kin__net_info *own, kin__memory *memory)
{
    char said[KIN__SHAPE_NAMES];
    kin__fault fault = {KIN_OK, ""};
    kin__heap heap = {.memory = memory, .fault = &fault};
    kin__bytes_in in = kin__bytes_begin(bytes, size);
    const kin__net_info *info = kin__shape_take(&in, &heap);
    ck_assert_int_eq(info == NULL, in.fault != NULL);
    for (uint32_t i = 0; info != NULL && i < 2; i++)
        if (i == 0 ? kin__shapes_meet(info, own, said) : kin__shapes_meet(own, info, said))
            ck_assert_ptr_nonnull(kin__shape_map_make(&heap, info, own, i == 1));
    kin__heap_release(&heap);
    return info != NULL;
}

START_TEST(net_21_what_is_no_shape_is_refused)
{
    kin__memory memory = kin__memory_of((kin_allocator){0});
    kin__bytes_out out = {.memory = memory};
    kin__net_info own = ferry_info(FERRY_SECOND, "ferry");
    shape_bytes(FERRY_FIRST, &out);
    ck_assert(read_shape(out.at, out.size, &own, &memory));
    for (size_t size = 0; size < out.size; size++)
        ck_assert(!read_shape(out.at, size, &own, &memory));
    uint32_t accepted = 0;
    for (size_t bit = 0; bit < 8 * out.size; bit++) {
        out.at[bit / 8] ^= (unsigned char)(1 << bit % 8);
        accepted += read_shape(out.at, out.size, &own, &memory);
        out.at[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    ck_assert_uint_gt(accepted, 0); // other names and types
    kin__bytes_out_release(&out);
}
END_TEST

START_TEST(net_21_a_shape_has_limits)
{
    kin__memory memory = kin__memory_of((kin_allocator){0});
    kin__net_info own = ferry_info(FERRY_SECOND, "ferry");
    kin__bytes_out out = {.memory = memory};
    static const unsigned char *const faults[] = {
        (const unsigned char *)"\1p\xff\xff\xff\xff\x0f",               // contexts without end
        (const unsigned char *)"\1p\1\1c\0\1\1C\0\xff\xff\xff\xff\x0f", // leaves without end
        (const unsigned char *)"\1p\1\1c\0\1\1C\2\0\0\0\0",             // to nobody
        (const unsigned char *)"\1p\1\1c\0\1\1C\0\1\1a\x10\0\0\0\0",    // a type that does not exist
        (const unsigned char *)"\1p\1\1c\0\1\1C\0\1\1a\1\3\1\0\0\0",    // a list that is an array
        (const unsigned char *)"\1p\1\1c\0\1\1C\0\1\1a\x0e\0\0\0\0\0",  // an enum without values
        (const unsigned char *)"\1p\1\1c\0\1\1C\0\1\1a\x0f\0\0\0\0\0",  // a struct without leaves
    };
    static const size_t sizes[] = {7, 14, 13, 17, 18, 18, 18};
    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        ck_assert_msg(!read_shape(faults[i], sizes[i], &own, &memory), "%u", (unsigned)i);
    kin__put_bytes(&out, "\1p\1\1c\0\1\1C\0", 10); // structs in structs without end
    for (uint32_t i = 0; i < 100; i++)
        kin__put_bytes(&out, "\1\1a\x0f\0", 5);
    ck_assert(!read_shape(out.at, out.size, &own, &memory));
    kin__bytes_out_release(&out);
}
END_TEST

// Lets the requests of one side fail, one in each round, while two versions meet. Returns whether one has failed.
static bool meet_without_memory(ferry_version version, uint32_t side, uint64_t request)
{
    guard guards[2];
    ferry_allocator = guard_begin(&guards[0]);
    ferry_begin(version, &networks[0]);
    ferry_fill();
    ferry_allocator = guard_begin(&guards[1]);
    ferry *replica = ferry_join(version == FERRY_FIRST ? FERRY_SECOND : FERRY_FIRST);
    ferry_allocator = (kin_allocator){0};
    guard_fail(&guards[side], request, false);
    ferry_steps(8);
    bool has_failed = guard_has_failed(&guards[side]);
    guard_fail(&guards[side], 0, false);
    for (uint32_t i = 0; i < 200 && ferry_state(replica).frame + 1 < ferry_state(&ferries[0]).frame; i++)
        ferry_steps(1);
    ferry_steps(2);
    ferry_check(replica);
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t k = 0; k < ferries[i].errors.count; k++) {
            kin_status status = ferries[i].errors.entries[k].status;
            bool is_expected = status == KIN_ERROR_NO_MEMORY || status == KIN_ERROR_STREAM; // of a frame that is made
            ck_assert_msg(is_expected, "%s", ferries[i].errors.entries[k].message);
        }
        error_log_clear(&ferries[i].errors);
    }
    ferry_end();
    guard_end(&guards[0]);
    guard_end(&guards[1]);
    return has_failed;
}

START_TEST(net_33_versions_meet_when_there_is_memory_again)
{
    for (uint32_t side = 0; side < 2; side++) {
        uint64_t request = 1;
        while (meet_without_memory(side == 0 ? FERRY_SECOND : FERRY_FIRST, side, request))
            request += request < 150 ? 1 : 13;
        ck_assert_uint_gt(request, 20);
    }
}
END_TEST

// What a peer sends instead of the pieces of its shape, after a hello with another hash.
START_TEST(net_21_pieces_of_shapes_that_do_not_fit_are_refused)
{
    ferry_begin(FERRY_FIRST, &networks[0]);
    ferry *replica = ferry_join(FERRY_FIRST);
    ferry_steps(3);
    kin_transport *peer = replica->transport;
    kin_topic in = {.kind = KIN_TOPIC_IN, .peer = peer->peer};
    static const unsigned char pieces[][14] = {
        {'S', 1, 2, 3, 4, 5, 6, 7, 8, 0, 64, 0},       // of no bytes
        {'S', 1, 2, 3, 4, 5, 6, 7, 8, 2, 1, 0, 0, 0},  // too small
        {'S', 1, 2, 3, 4, 5, 6, 7, 8, 2, 64, 1, 0, 0}, // beyond the end
        {'S', 1, 2, 3, 4, 5, 6, 7, 8, 3, 64, 0, 0, 0}, // too short
        {'S', 1, 2, 3},
        {'S', 1, 2, 3, 4, 5, 6, 7, 8, 255, 255, 255, 255, 15},
    };
    static const size_t sizes[] = {12, 14, 14, 14, 4, 14};
    static const unsigned char hello[] = {'H', KIN__NET_FORMAT, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1};
    static const unsigned char shape[] = {'S', 1, 2, 3, 4, 5, 6, 7, 8, 2, 64, 0, '?', '?'};
    static const unsigned char message[] = {'M', 0, 1, 0};
    for (uint32_t i = 0; i < 6; i++) // not asked for
        ck_assert(peer->send(peer, in, 0, pieces[i], sizes[i]));
    ferry_steps(1);
    ck_assert_uint_eq(ferry_state(&ferries[0]).refused[KIN_REFUSED_SYNTAX], 0);
    ck_assert(peer->send(peer, in, 0, hello, sizeof hello));
    ck_assert(peer->send(peer, in, 0, message, sizeof message));
    for (uint32_t i = 0; i < 6; i++)
        ck_assert(peer->send(peer, in, 0, pieces[i], sizes[i]));
    ferry_update(&ferries[0]);
    ck_assert_uint_eq(ferry_state(&ferries[0]).refused[KIN_REFUSED_SYNTAX], 6);
    ck_assert_uint_eq(ferry_state(&ferries[0]).refused[KIN_REFUSED_SHAPE], 1);
    ck_assert(peer->send(peer, in, 0, hello, sizeof hello));
    ck_assert(peer->send(peer, in, 0, shape, sizeof shape));
    ferry_update(&ferries[0]);
    ck_assert_ptr_nonnull(strstr(ferries[0].errors.entries[0].message, "it sends no shape of a schema"));
    ck_assert_reported(&ferries[0].errors, KIN_ERROR_SHAPE);
    ck_assert_uint_eq(kin_session_peers(ferries[0].session, NULL, 0), 0);
    ferry_steps(1);
    ck_assert_reported(&replica->errors, KIN_ERROR_SHAPE);
    ferry_end();
}
END_TEST

// Frames of another shape, cut and changed: they are refused, or what they say is in place.
START_TEST(net_33_damaged_frames_of_another_version_are_refused)
{
    ferry_begin(FERRY_FIRST, &networks[0]);
    ferry_fill();
    ferry *replica = ferry_join(FERRY_SECOND);
    ferry_steps(4);
    ferry_check(replica);
    uint32_t refused = ferry_damage(replica, 20000);
    ck_assert_uint_gt(refused, 1000);
    ferry_steps(2);
    ferry_check(replica);
    ferry_end();
}
END_TEST

Suite *net_versions_suite(void)
{
    Suite *suite = suite_create("net_versions");
    TCase *tests = tcase_create("versions");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, net_33_a_replica_of_a_later_version_follows);
    tcase_add_test(tests, net_33_a_replica_that_lags_a_release_plays_on);
    tcase_add_test(tests, net_33_wider_types_read_narrower_ones);
    tcase_add_test(tests, net_33_a_replica_of_another_version_has_a_budget);
    tcase_add_test(tests, net_33_a_replica_of_another_version_sees_zones);
    tcase_add_test(tests, net_33_the_next_host_may_be_of_another_version);
    tcase_add_test(tests, net_33_both_sides_name_what_cannot_be_converted);
    tcase_add_test(tests, net_33_another_package_is_refused);
    tcase_add_test(tests, net_33_types_that_keep_all_values_are_read);
    tcase_add_test(tests, net_33_a_struct_that_became_an_array_is_named);
    tcase_add_test(tests, net_33_a_zone_at_another_field_is_named);
    tcase_add_test(tests, net_34_messages_of_a_replica_are_converted);
    tcase_add_test(tests, net_34_fields_that_a_message_of_a_replica_lacks_are_0);
    tcase_add_test(tests, net_34_a_message_that_the_host_lacks_is_dropped_and_counted);
    tcase_add_test(tests, net_21_a_message_is_read_where_both_send_it);
    tcase_add_test(tests, net_34_messages_to_a_replica_are_converted);
    tcase_add_test(tests, net_34_wider_fields_of_messages_read_narrower_ones);
    tcase_add_test(tests, net_21_what_is_no_shape_is_refused);
    tcase_add_test(tests, net_21_a_shape_has_limits);
    tcase_add_test(tests, net_33_versions_meet_when_there_is_memory_again);
    tcase_add_test(tests, net_21_pieces_of_shapes_that_do_not_fit_are_refused);
    tcase_add_test(tests, net_33_damaged_frames_of_another_version_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
