// Worlds in files: what systems have is read back (FIL-01, FIL-06, EVO-10).
#include "../suites.h"
#include "base/little.h"
#include "buffer.h"
#include "context/validate.h"
#include "core/core.h"
#include "frame/format.h"
#include "runtime/support/town_random.h"

#include "world/world.h"

#include <town/town_save.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_SIZE = 1 << 16 };

static buffer file, again;
static kin_snapshot *read;
static char first_log[LOG_SIZE];

static char message[512]; // the last one that was reported

static void on_error(const kin_error *error, void *user)
{
    snprintf(message, sizeof message, "%s", error->message);
    log_error(error, user);
}

static void begin(void)
{
    twice_begin();
    town->base_->options.on_error = people->base.core->options.on_error = houses->base.core->options.on_error =
        on_error;
    memset(&file, 0, sizeof file);
    memset(&again, 0, sizeof again);
    read = NULL;
    town_random_retains = false;
}

static void end(void)
{
    buffer_release(&file);
    buffer_release(&again);
    kin_snapshot_destroy(read);
    twice_end();
}

static void write_to(buffer *to, const kin_snapshot *from)
{
    to->size = 0;
    ck_assert_int_eq(town_write(from, buffer_sink(to), NULL), KIN_OK);
}

static kin_status read_file(void)
{
    log_begin();
    return town_read(town, &read, buffer_source(&file), NULL, NULL);
}

// Saves, writes, reads and writes again: both files must be equal, and have the hash of the snapshot.
static void save_and_read(void)
{
    save();
    write_to(&file, snapshot);
    ck_assert_msg(read_file() == KIN_OK, "%s", message);
    ck_assert(kin_snapshot_hash(read) == kin_snapshot_hash(snapshot));
    ck_assert(kin__little_read_64(file.bytes + file.size - 8) == kin_snapshot_hash(snapshot));
    ck_assert_uint_eq(kin_snapshot_compare(snapshot, read, NULL, NULL), 0);
    write_to(&again, read);
    ck_assert_uint_eq(again.size, file.size);
    ck_assert_int_eq(memcmp(again.bytes, file.bytes, file.size), 0);
}

static void restore_read(void)
{
    log_begin();
    ck_assert_msg(town_world_restore(town, read, KIN_RESTORE_EXACTLY) == KIN_OK, "%s", message);
    ck_assert(kin__context_is_valid(&people->base) && kin__context_is_valid(&houses->base));
}

// The same as play_twice, but the second time from the file.
static const char *play_from_file(void (*play)(void))
{
    save_and_read();
    listen_to_all();
    play();
    ck_assert_uint_lt(strlen(log_text()), LOG_SIZE);
    strcpy(first_log, log_text());
    restore_read();
    listen_to_all();
    play();
    ck_assert_str_eq(log_text(), first_log);
    return first_log;
}

// ---- random worlds

static void go_on(void)
{
    town_random_go_on(30);
}

START_TEST(fil_01_a_world_that_was_read_is_written_as_before_and_goes_on_as_before)
{
    town_random_number = (uint64_t)_i + 1;
    town_random_resets = _i % 2 == 1;
    town_citizen(1);
    uint32_t rounds = getenv("KIN_SWEEP_COUNTS") != NULL ? 3 : 200;
    for (uint32_t round = 0; round < rounds; round++) {
        uint64_t next = town_random_number;
        log_begin();
        town_random_go_on(1 + (uint32_t)(next / 64 % 40));
        next = town_random_number;
        save_and_read();
        for (uint32_t i = 0; i < 2; i++) {
            listen_to_all();
            town_random_number = next;
            go_on();
            if (i == 0)
                strcpy(first_log, log_text());
            else
                ck_assert_str_eq(log_text(), first_log);
            ck_assert_uint_lt(strlen(log_text()), LOG_SIZE);
            if (i == 0)
                restore_read();
        }
    }
}
END_TEST

// ---- what is in a file

static void update_twice(void)
{
    update();
    update();
}

static void change(void)
{
    change_and_update();
}

START_TEST(fil_06_slots_of_dead_entities_are_held_for_those_who_collected_them)
{
    people_entity entity = named_citizen(3);
    update();
    people_destroy_entity(people, entity);
    const char *log = play_from_file(change);
    ck_assert_ptr_nonnull(strstr(log, "Undertaker:leave(1)"));
    ck_assert_ptr_nonnull(strstr(log, "Lamps:execute_people(1)"));
}
END_TEST

START_TEST(fil_01_clocks_ticks_messages_and_disabled_systems_are_in_the_file)
{
    town_citizen(1);
    town_world_update(town, 3); // noon drops steps
    town_world_push_time(town, (kin_tick){4, 5, 6});
    kin_systems_set_enabled(town_world_systems(town), "Mayor", false);
    kin_systems_deactivate_reactive(town_world_systems(town));
    for (int64_t i = 0; i < 5; i++)
        town_publish_gossip(town, (Gossip){i - 2});
    town_publish_greeting(town, (Greeting){.words = "good day", .mood = MOOD_ANGRY});
    town_publish_bell(town);
    const char *log = play_from_file(update_twice);
    ck_assert_ptr_nonnull(strstr(log, "Patient:gossip(-2)"));
    ck_assert_ptr_nonnull(strstr(log, "Registry:greeting(good day)"));
    ck_assert_ptr_null(strstr(log, "Mayor"));
    town_world_pop_time(town);
}
END_TEST

START_TEST(the_head_has_the_frame_of_the_world)
{
    kin_file_info info;
    update_twice();
    save_and_read();
    ck_assert_int_eq(kin_file_look(buffer_source(&file), &info, NULL, 0), KIN_OK);
    ck_assert_uint_eq(info.frame, 2);
    ck_assert_str_eq(info.package, "town");
}
END_TEST

START_TEST(another_world_goes_on_from_the_file)
{
    named_citizen(7);
    update();
    people_destroy_entity(people, citizen_of(0));
    town_citizen(8);
    save_and_read();
    listen_to_all();
    change_and_update();
    strcpy(first_log, log_text());
    kin_snapshot_destroy(read);
    read = NULL;
    town_world *former = twice_other();
    ck_assert_msg(read_file() == KIN_OK, "%s", message);
    restore_read();
    listen_to_all();
    change_and_update();
    ck_assert_str_eq(log_text(), first_log);
    kin_snapshot_destroy(read);
    read = NULL;
    twice_back(former);
}
END_TEST

START_TEST(a_context_takes_its_own_part_of_the_file_of_a_world)
{
    people_entity entity = town_citizen(4);
    update();
    people_set_asleep(people, entity, true); // Watch has collected it
    people_destroy_entity(people, entity);
    people_entity alive = town_citizen(5);
    save();
    write_to(&file, snapshot);
    people_destroy_all_entities(people);
    houses_entity house = houses_create_entity(houses);
    kin_status status = people_read(people, &read, buffer_source(&file), NULL, NULL);
    ck_assert_msg(status == KIN_OK, "%s", message);
    ck_assert_int_eq(people_restore(people, read, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert(people_entity_is_alive(people, alive) && houses_entity_is_alive(houses, house));
    ck_assert_int_eq(people_get_age(people, alive)->years, 5);
    ck_assert(kin__context_is_valid(&people->base));
}
END_TEST

START_TEST(the_file_of_a_context_is_not_one_of_a_world)
{
    town_citizen(4);
    ck_assert_int_eq(people_save(people, &snapshot), KIN_OK);
    write_to(&file, snapshot);
    ck_assert_int_eq(read_file(), KIN_ERROR_SHAPE);
    ck_assert_msg(strstr(message, "it is the file of a context") != NULL, "%s", message);
    ck_assert_ptr_null(read);
}
END_TEST

static kin_status status_inside;

static void read_inside(town_world *world)
{
    status_inside = town_read(world, &read, buffer_source(&file), NULL, NULL);
}

START_TEST(a_world_is_not_read_inside_its_run_and_not_without_arguments)
{
    kin_source none = {NULL, NULL, NULL};
    save_and_read();
    kin_snapshot *former = read;
    town_do("Mayor:execute", read_inside);
    update();
    ck_assert_int_eq(status_inside, KIN_ERROR_INVALID);
    ck_assert_int_eq(town_read(NULL, &read, buffer_source(&file), NULL, NULL), KIN_ERROR_INVALID);
    ck_assert_int_eq(town_read(town, NULL, buffer_source(&file), NULL, NULL), KIN_ERROR_INVALID);
    ck_assert_int_eq(town_read(town, &read, none, NULL, NULL), KIN_ERROR_INVALID);
    ck_assert_int_eq(town_read_path(town, &read, NULL, NULL, NULL), KIN_ERROR_INVALID);
    ck_assert_int_eq(town_read_path(town, &read, "/nowhere/at/all.kin", NULL, NULL), KIN_ERROR_STREAM);
    ck_assert_ptr_eq(read, former);
}
END_TEST

// ---- blocks that are changed

// Returns the payload of the block SYST with a path, behind the path, and its size; NULL if there is none.
static unsigned char *system_in_file(const char *path, unsigned char **block)
{
    size_t at = KIN__MAGIC_SIZE, length = strlen(path);
    while (at < file.size) {
        *block = file.bytes + at;
        const unsigned char *payload = *block + KIN__BLOCK_HEAD;
        if (memcmp(*block, "SYST", 4) == 0 && (size_t)(payload[0] | payload[1] << 8) == length &&
            memcmp(payload + 2, path, length) == 0)
            return *block + KIN__BLOCK_HEAD + 2 + length;
        at += KIN__BLOCK_HEAD + kin__little_read_32(*block + 4);
    }
    return NULL;
}

// Makes all sums those of the blocks.
static void repair(void)
{
    uint32_t number = 0;
    for (size_t at = KIN__MAGIC_SIZE; at + KIN__BLOCK_HEAD <= file.size; number++) {
        unsigned char *block = file.bytes + at;
        uint32_t size = kin__little_read_32(block + 4);
        if (size > file.size - at - KIN__BLOCK_HEAD)
            return;
        kin__little_write_64(block + 8, kin__block_sum((const char *)block, size, number, block + KIN__BLOCK_HEAD));
        at += KIN__BLOCK_HEAD + size;
    }
}

// Saves a world of which Watch has collected two entities, of which one is dead, and Patient has messages.
static void write_busy(void)
{
    named_citizen(1);
    people_entity dead = named_citizen(2);
    update();
    people_set_asleep(people, citizen_of(0), true);
    people_destroy_entity(people, dead);
    town_publish_gossip(town, (Gossip){5});
    town_publish_gossip(town, (Gossip){6});
    town_publish_greeting(town, (Greeting){.words = "hello"});
    save();
    write_to(&file, snapshot);
}

enum { COLLECTED = 1 + 8 + 8 + 1 }; // the offset of what a system without a step has collected

static const struct {
    const char *path;
    size_t at;
    unsigned char byte;
    const char *text;
} forged[] = {
    {"evening/Watch", 0, 0x80, "unknown flag"},
    {"evening/Watch", 17, 2, "a clock shows no time"},
    {"evening/Watch", 16, 0x7f, ""}, // a frame
    {"evening/Watch", 8, 0x7f, ""},
    {"evening/Watch", COLLECTED + 3, 0x40, "it counts more than it has"},
    {"evening/Watch", COLLECTED + 4, 2, "there is no context with its number"},
    {"evening/Watch", COLLECTED + 4 + 4, 9, "whose slot is free"},
    {"evening/Watch", COLLECTED + 4 + 4 + 2, 0xff, "without a slot"},
    {"evening/Watch", COLLECTED + 4 + 4 + 3, 9, "has another one"},
    {"evening/Watch", 0, 0, "a disabled system has collected"},
    {"evening/Watch", 0, 9, "a disabled system has collected"},
    {"evening", 0, 0, "a disabled system"},
    {"evening/tavern/Patient", 0, 0, "a disabled system has messages"},
    {"evening/tavern/Patient", COLLECTED + 8 + 2, 7, "there is no message with its number"},
    {"evening/tavern/Patient", COLLECTED + 8 + 2 + 8, 200, "was not given"},
    {"evening/tavern/Patient", COLLECTED + 8 + 2 + 8 + 16, 0, "a message is there twice"},
    {"evening/tavern/Patient", COLLECTED + 8 + 2 + 7, 0x10, "it counts more than it has"},
    {"evening/Registry", COLLECTED + 4 + 4, 1, ""},
    {"evening/Registry", COLLECTED + 4 + 3, 0x10, "it counts more than it has"},
    {"", 0, 0, "the root has"},
    {"", 17, 1, ""},
    {"", COLLECTED + 4 + 4 + 2, 9, "the root has"},
};

START_TEST(fil_04_a_forged_state_of_systems_is_refused)
{
    unsigned char *block;
    write_busy();
    unsigned char *bytes = system_in_file(forged[_i].path, &block);
    ck_assert_ptr_nonnull(bytes);
    bytes[forged[_i].at] = forged[_i].byte;
    repair();
    kin_status status = read_file();
    ck_assert_msg(forged[_i].text[0] == '\0' || (status == KIN_ERROR_CORRUPT && strstr(message, "[K13") != NULL &&
                                                strstr(message, forged[_i].text) != NULL),
                  "%s:%d: %s", forged[_i].path, (int)forged[_i].at, message);
    if (status == KIN_OK)
        restore_read();
}
END_TEST

// Changes bytes of any block and repairs the sums. Returns which one, for messages.
static size_t mutate(uint32_t count)
{
    size_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        at = KIN__MAGIC_SIZE + town_random_below((uint32_t)(file.size - KIN__MAGIC_SIZE));
        file.bytes[at] = (unsigned char)(town_random_below(3) == 0 ? town_random_below(256)
                                                                   : file.bytes[at] ^ 1u << town_random_below(8));
    }
    repair();
    return at;
}

START_TEST(fil_04_what_is_read_of_a_mutant_can_be_restored_and_played)
{
    uint32_t accepted = 0, rounds = getenv("KIN_SWEEP_COUNTS") != NULL ? 50 : 3000;
    write_busy();
    town_random_number = (uint64_t)_i + 1;
    write_to(&again, snapshot);
    for (uint32_t round = 0; round < rounds; round++) {
        memcpy(file.bytes, again.bytes, again.size);
        file.size = again.size;
        mutate(1 + town_random_below(3));
        if (read_file() != KIN_OK) {
            ck_assert_msg(strstr(message, "[K13") != NULL, "%s", message);
            continue;
        }
        accepted++;
        restore_read();
        update_twice();
        ck_assert(kin__context_is_valid(&people->base) && kin__context_is_valid(&houses->base));
    }
    ck_assert_uint_gt(accepted, rounds / 50);
    ck_assert_int_eq(town_world_restore(town, snapshot, KIN_RESTORE_EXACTLY), KIN_OK);
}
END_TEST

START_TEST(fil_03_a_file_that_ends_early_is_refused_at_each_length)
{
    write_busy();
    for (size_t size = file.size; size-- > 0;) {
        file.size = size;
        ck_assert_int_eq(read_file(), KIN_ERROR_CORRUPT);
        ck_assert_ptr_null(read);
    }
}
END_TEST

START_TEST(fil_03_a_file_with_a_flipped_bit_is_refused)
{
    write_busy();
    for (size_t bit = 0; bit < file.size * 8; bit++) {
        file.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        kin_status status = read_file();
        ck_assert_msg(status == KIN_ERROR_CORRUPT || status == KIN_ERROR_SHAPE, "bit %zu: %s", bit, message);
        ck_assert_ptr_null(read);
        file.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
}
END_TEST

START_TEST(without_memory_a_world_is_not_read_and_nothing_has_changed)
{
    bool is_read = false;
    write_busy();
    for (uint32_t on = 0; on < 2; on++)
        for (uint64_t number = 1; number == 1 || !is_read; number++) {
            kin_snapshot *former = NULL;
            read = NULL;
            guard_fail(&town_memory, number, on == 1);
            kin_status status = read_file();
            is_read = !guard_has_failed(&town_memory);
            guard_fail(&town_memory, 0, false);
            ck_assert_int_eq(status, is_read ? KIN_OK : KIN_ERROR_NO_MEMORY);
            ck_assert(is_read || read == former);
            if (is_read)
                restore_read();
            kin_snapshot_destroy(read);
            read = NULL;
            kin_context_trim(&people->base);
            kin_context_trim(&houses->base);
        }
}
END_TEST

START_TEST(without_memory_a_snapshot_that_is_read_anew_stays_what_it_was)
{
    write_busy();
    ck_assert_int_eq(read_file(), KIN_OK);
    uint64_t hash = kin_snapshot_hash(read);
    kin_snapshot_destroy(snapshot);
    snapshot = NULL;
    for (uint32_t i = 0; i < 300; i++)
        town_publish_gossip(town, (Gossip){i});
    save();
    write_to(&file, snapshot);
    bool is_read = false;
    for (uint64_t number = 1; !is_read; number++) {
        guard_fail(&town_memory, number, false);
        kin_status status = read_file();
        is_read = !guard_has_failed(&town_memory);
        guard_fail(&town_memory, 0, false);
        ck_assert_int_eq(status, is_read ? KIN_OK : KIN_ERROR_NO_MEMORY);
        ck_assert(is_read || kin_snapshot_hash(read) == hash);
    }
    ck_assert(kin_snapshot_hash(read) == kin_snapshot_hash(snapshot));
}
END_TEST

// ---- EVO-10

static void remove_system(const char *name)
{
    ck_assert_int_eq(kin_systems_remove(town_world_systems(town), name), KIN_OK);
}

START_TEST(evo_10_the_state_of_a_system_that_is_no_more_is_dropped)
{
    write_busy();
    town_world *former = twice_other();
    remove_system("Watch");
    remove_system("tavern");
    ck_assert_msg(read_file() == KIN_OK, "%s", message);
    restore_read();
    listen_to_all();
    update();
    ck_assert_ptr_null(strstr(log_text(), "Watch"));
    ck_assert_ptr_nonnull(strstr(log_text(), "Undertaker:leave(2)"));
    ck_assert_ptr_nonnull(strstr(log_text(), "Registry:greeting(hello)"));
    kin_snapshot_destroy(read);
    read = NULL;
    twice_back(former);
}
END_TEST

START_TEST(evo_10_a_new_system_begins_as_in_a_new_world)
{
    town_world *former = twice_other();
    remove_system("Watch");
    remove_system("Registry");
    town_citizen(1);
    update();
    kin_snapshot *fewer = NULL;
    ck_assert_int_eq(town_world_save(town, &fewer), KIN_OK);
    write_to(&file, fewer);
    kin_snapshot_destroy(fewer);
    twice_back(former);
    town_citizen(2); // what its own systems know is no part of the file
    kin_systems_set_enabled(town_world_systems(town), "evening", false);
    ck_assert_msg(read_file() == KIN_OK, "%s", message);
    restore_read();
    listen_to_all();
    update();
    ck_assert_ptr_nonnull(strstr(log_text(), "Registry:first_update(1) Registry:enter(1) "));
    ck_assert_ptr_null(strstr(log_text(), "Watch"));
}
END_TEST

// Replaces a name in SHAP and paths by one of equal length.
static void rename_in_file(const char *from, const char *to)
{
    size_t length = strlen(from);
    for (size_t at = 0; at + length <= file.size; at++)
        if (memcmp(file.bytes + at, from, length) == 0)
            memcpy(file.bytes + at, to, length);
    repair();
}

START_TEST(evo_10_messages_that_are_no_more_are_dropped)
{
    write_busy();
    rename_in_file("Gossip", "Gossiq");
    ck_assert_msg(read_file() == KIN_OK, "%s", message);
    restore_read();
    listen_to_all();
    update();
    ck_assert_ptr_null(strstr(log_text(), "gossip"));
    ck_assert_ptr_nonnull(strstr(log_text(), "Patient:greeting(hello)"));
}
END_TEST

START_TEST(evo_03_a_context_that_the_schema_does_not_know_is_refused_or_dropped_on_demand)
{
    kin_read_options options = {.drop_unknown = true};
    write_busy();
    rename_in_file("houses", "houzes");
    houses_create_entity(houses);
    ck_assert_int_eq(read_file(), KIN_ERROR_SHAPE);
    ck_assert_msg(strstr(message, "it has the context 'houzes'") != NULL, "%s", message);
    ck_assert_int_eq(town_read(town, &read, buffer_source(&file), &options, NULL), KIN_OK);
    restore_read();
    ck_assert_uint_eq(houses_entity_count(houses), 0);
    update_twice();
}
END_TEST

static TCase *files_of(Suite *suite, const char *name)
{
    TCase *cases = tcase_create(name);
    tcase_add_checked_fixture(cases, begin, end);
    tcase_set_timeout(cases, 120);
    suite_add_tcase(suite, cases);
    return cases;
}

Suite *save_world_suite(void)
{
    Suite *suite = suite_create("save_world");
    TCase *cases = files_of(suite, "world");
    tcase_add_loop_test(cases, fil_01_a_world_that_was_read_is_written_as_before_and_goes_on_as_before, 0, 6);
    tcase_add_test(cases, fil_01_clocks_ticks_messages_and_disabled_systems_are_in_the_file);
    tcase_add_test(cases, fil_06_slots_of_dead_entities_are_held_for_those_who_collected_them);
    tcase_add_test(cases, the_head_has_the_frame_of_the_world);
    tcase_add_test(cases, another_world_goes_on_from_the_file);
    tcase_add_test(cases, a_context_takes_its_own_part_of_the_file_of_a_world);
    tcase_add_test(cases, the_file_of_a_context_is_not_one_of_a_world);
    tcase_add_test(cases, a_world_is_not_read_inside_its_run_and_not_without_arguments);
    cases = files_of(suite, "changed");
    tcase_add_loop_test(cases, fil_04_a_forged_state_of_systems_is_refused, 0, sizeof forged / sizeof *forged);
    tcase_add_loop_test(cases, fil_04_what_is_read_of_a_mutant_can_be_restored_and_played, 0, 2);
    tcase_add_test(cases, fil_03_a_file_that_ends_early_is_refused_at_each_length);
    tcase_add_test(cases, fil_03_a_file_with_a_flipped_bit_is_refused);
    tcase_add_test(cases, without_memory_a_world_is_not_read_and_nothing_has_changed);
    tcase_add_test(cases, without_memory_a_snapshot_that_is_read_anew_stays_what_it_was);
    cases = files_of(suite, "evolution");
    tcase_add_test(cases, evo_10_the_state_of_a_system_that_is_no_more_is_dropped);
    tcase_add_test(cases, evo_10_a_new_system_begins_as_in_a_new_world);
    tcase_add_test(cases, evo_10_messages_that_are_no_more_are_dropped);
    tcase_add_test(cases, evo_03_a_context_that_the_schema_does_not_know_is_refused_or_dropped_on_demand);
    return suite;
}
