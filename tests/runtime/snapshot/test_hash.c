// Hashes of snapshots: of the state and its identities alone (SNP-27).
#include "runtime/snapshot/archive.h"
#include "suites.h"

#include <check.h>
#include <chronicle/chronicle.h>
#include <kin/memory.h>
#include <string.h>

size_t archive_key_save(struct archive_key key, void *bytes, size_t capacity)
{
    if (capacity >= 1)
        *(unsigned char *)bytes = (unsigned char)key.number;
    return 1;
}

bool archive_key_load(struct archive_key *key, const void *bytes, size_t size)
{
    *key = (struct archive_key){.number = *(const unsigned char *)bytes};
    return size == 1;
}

static late_cave_context *cave;

static void begin(void)
{
    archive_begin();
    cave = late_cave_context_create(NULL);
    ck_assert_ptr_nonnull(cave);
}

static void end(void)
{
    late_cave_context_destroy(cave);
    archive_end();
}

// ---- one state in two packages

static const int16_t levels[] = {-1, 2, 300};
static crypt_entity archived; // has most of the components

static void fill_crypt(void)
{
    static const Corner stops[] = {{.label = "a", .at = {1, 2}, .uv = {3, 4}}, {.label = "bcd"}};
    crypt_entity one = crypt_create_entity(crypt), two = crypt_create_entity(crypt), three = crypt_create_entity(crypt);
    crypt_destroy_entity(crypt, two);
    archived = one;
    crypt_add_place(crypt, one, (Place){.at = {1.5F, -0.0F}});
    crypt_add_place(crypt, three, (Place){.at = {-2, 1e30F}});
    crypt_add_padded(crypt, one, (Padded){.tiny = -1, .large = 0.1, .tail = 65535});
    crypt_add_spread(crypt, three, (Spread){.number = 7, .at = {8, 9}, .height = 10});
    crypt_add_large(crypt, one, (Large){.weights = {[0] = 1, [299] = -2}, .text = "large"});
    crypt_add_common(crypt, one, (Common){NULL, 3});
    crypt_add_common(crypt, three, (Common){"", 4});
    crypt_add_name(crypt, one, (Name){.text = "Ada", .brief = "brief"});
    crypt_add_form(crypt, one, (Form){.corners = {[1] = stops[0]}, .side = SIDE_RIGHT, .owner = three, .on = true});
    crypt_add_route(crypt, three, (Route){.stops = {stops, 2}, .levels = {levels, 3}});
    crypt_add_path(crypt, three, (Path){.goal = one.id});
    crypt_add_memo(crypt, one, (Memo){"stashed"});
    crypt_stash_memo(crypt, one);
    crypt_add_lock(crypt, one, (Lock){{.number = 5, .cache = crypt}});
    crypt_set_frozen(crypt, three, true);
}

static void fill_cave(void)
{
    static const late_Edge stops[] = {{.label = "a", .spot = {.east = 1, .y = 2}, .uv = {3, 4}}, {.label = "bcd"}};
    late_cave_entity one = late_cave_create_entity(cave), two = late_cave_create_entity(cave);
    late_cave_entity three = late_cave_create_entity(cave);
    late_cave_destroy_entity(cave, two);
    late_cave_set_still(cave, three, true);
    late_cave_add_lock(cave, one, (late_Lock){{.number = 5}});
    late_cave_add_memo(cave, one, (late_Memo){"stashed"});
    late_cave_stash_memo(cave, one);
    late_cave_add_path(cave, three, (late_Path){.goal = one.id});
    late_cave_add_route(cave, three, (late_Route){.stops = {stops, 2}, .levels = {levels, 3}});
    late_cave_add_form(cave, one,
                       (late_Form){.edges = {[1] = stops[0]}, .side = LATE_WING_RIGHT, .owner = three, .on = true});
    late_cave_add_title(cave, one, (late_Title){.text = "Ada", .brief = "brief", .extra = 99});
    late_cave_add_common(cave, three, (late_Common){.text = "", .number = 4});
    late_cave_add_common(cave, one, (late_Common){.text = NULL, .number = 3});
    late_cave_add_large(cave, one, (late_Large){.weights = {[0] = 1, [299] = -2}, .text = "large"});
    late_cave_add_spread(cave, three, (late_Spread){.number = 7, .at = {.east = 8, .y = 9}, .height = 10});
    late_cave_add_cushioned(cave, one, (late_Cushioned){.tiny = -1, .large = 0.1, .tail = 65535});
    late_cave_add_whereabouts(cave, three, (late_Whereabouts){.spot = {.east = -2, .y = 1e30F}});
    late_cave_add_whereabouts(cave, one, (late_Whereabouts){.spot = {.east = 1.5F, .y = -0.0F}});
}

// The hash of what fill_crypt makes. It is the same on every machine, for ever: files have it.
#define HASH UINT64_C(0xD066A53EAE00E11D)

START_TEST(snp_27_the_hash_of_a_state_is_the_same_on_every_machine)
{
    fill_crypt();
    archive_save(&first);
    ck_assert_uint_eq(kin_snapshot_hash(first), HASH);
    ck_assert_uint_eq(kin_snapshot_hash(first), HASH);
}
END_TEST

// Names, orders, storages and layouts differ, and there is a component that no entity has.
START_TEST(snp_27_the_hash_is_of_identities_and_values_alone)
{
    kin_snapshot *later = NULL;
    fill_cave();
    ck_assert_int_eq(late_cave_save(cave, &later), KIN_OK);
    ck_assert_uint_eq(kin_snapshot_hash(later), HASH);
    kin_snapshot_destroy(later);
}
END_TEST

// ---- what changes a hash

START_TEST(snp_27_every_field_is_in_the_hash)
{
    uint64_t hash;
    fill_crypt();
    crypt_entity one = archived;
    archive_save(&first);
    hash = kin_snapshot_hash(first);
    crypt_edit_form(crypt, one)->on = false;
    archive_save(&second);
    ck_assert_uint_ne(kin_snapshot_hash(second), hash);
    crypt_edit_form(crypt, one)->on = true;
    crypt_edit_lock(crypt, one)->key.cache = NULL; // its `save` function leaves it out
    archive_save(&second);
    ck_assert_uint_eq(kin_snapshot_hash(second), hash);
    crypt_edit_lock(crypt, one)->key.number = 6;
    archive_save(&second);
    ck_assert_uint_ne(kin_snapshot_hash(second), hash);
}
END_TEST

START_TEST(snp_27_what_is_not_saved_is_not_hashed)
{
    crypt_entity one = crypt_create_entity(crypt);
    crypt_add_path(crypt, one, (Path){.cache = 1});
    archive_save(&first);
    uint64_t hash = kin_snapshot_hash(first);
    crypt_edit_path(crypt, one)->cache = 2;
    crypt_add_trail(crypt, one, (Trail){1});
    crypt_add_pane(crypt, one, (Pane){crypt}); // cannot be saved
    archive_save(&second);
    ck_assert_uint_eq(kin_snapshot_hash(second), hash);
}
END_TEST

// Also images that are used again, and whose hashes were kept.
START_TEST(snp_27_the_hash_of_a_ring_follows_the_state)
{
    enum { COUNT = 1500, ROUNDS = 60 };
    static crypt_entity entities[COUNT];
    kin_snapshot *ring[3] = {NULL};
    uint64_t hashes[ROUNDS];
    for (int i = 0; i < COUNT; i++)
        entities[i] = crypt_spawn_post(crypt);
    for (int round = 0; round < ROUNDS; round++) {
        crypt_edit_place(crypt, entities[round * 37 % COUNT])->at.y = (float)(round % 2 + 1);
        ck_assert_int_eq(crypt_save(crypt, &ring[round % 3]), KIN_OK);
        hashes[round] = kin_snapshot_hash(ring[round % 3]);
        if (round >= 2)
            ck_assert_uint_eq(kin_snapshot_hash(ring[(round - 2) % 3]), hashes[round - 2]);
        kin_snapshot_destroy(third);
        third = NULL;
        archive_save(&third);
        ck_assert_uint_eq(kin_snapshot_hash(third), hashes[round]);
        for (int earlier = 0; earlier < round; earlier++)
            ck_assert_uint_ne(hashes[earlier], hashes[round]);
    }
    ck_assert_int_eq(crypt_restore(crypt, ring[0], KIN_RESTORE_EXACTLY), KIN_OK);
    archive_save(&first);
    ck_assert_uint_eq(kin_snapshot_hash(first), kin_snapshot_hash(ring[0]));
    for (int i = 0; i < 3; i++)
        kin_snapshot_destroy(ring[i]);
}
END_TEST

// ---- calls

START_TEST(a_hash_without_memory_is_0_and_reported)
{
    guard memory;
    error_log errors;
    kin_snapshot *snapshot = NULL;
    kin_context_options options = {
        .allocator = guard_begin(&memory), .on_error = error_log_append, .error_user = &errors};
    error_log_clear(&errors);
    crypt_context *other = crypt_context_create(&options);
    ck_assert_int_eq(crypt_save(other, &snapshot), KIN_OK);
    guard_fail(&memory, 1, true);
    ck_assert_uint_eq(kin_snapshot_hash(snapshot), 0);
    ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
    guard_fail(&memory, 0, false);
    ck_assert_uint_ne(kin_snapshot_hash(snapshot), 0);
    kin_context_trim(&other->base);
    ck_assert_uint_ne(kin_snapshot_hash(snapshot), 0);
    crypt_context_destroy(other);
    ck_assert_uint_eq(kin_snapshot_hash(snapshot), UINT64_C(0xEF46DB3751D8E999)); // of no bytes
    ck_assert_uint_eq(kin_snapshot_hash(NULL), 0);
    kin_snapshot_destroy(snapshot);
    guard_end(&memory);
}
END_TEST

Suite *runtime_hash_suite(void)
{
    Suite *suite = suite_create("runtime_hash");
    TCase *test = tcase_create("hash");
    tcase_add_checked_fixture(test, begin, end);
    tcase_add_test(test, snp_27_the_hash_of_a_state_is_the_same_on_every_machine);
    tcase_add_test(test, snp_27_the_hash_is_of_identities_and_values_alone);
    tcase_add_test(test, snp_27_every_field_is_in_the_hash);
    tcase_add_test(test, snp_27_what_is_not_saved_is_not_hashed);
    tcase_add_test(test, snp_27_the_hash_of_a_ring_follows_the_state);
    tcase_add_test(test, a_hash_without_memory_is_0_and_reported);
    suite_add_tcase(suite, test);
    return suite;
}
