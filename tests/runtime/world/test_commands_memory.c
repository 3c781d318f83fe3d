// The memory of command buffers: what is copied, and what is allocated (CMD-03, CMD-10).
#include "runtime/support/commands_case.h"
#include "suites.h"

#include <check.h>
#include <kin/memory.h>
#include <string.h>

static army_entity soldier(uint32_t i)
{
    return fixture.soldiers[i];
}

// Plays, and expects no refusal.
static void play(void)
{
    ck_assert_int_eq(army_commands_play(fixture.commands), KIN_OK);
    ck_assert_uint_eq(army_commands_count(fixture.commands), 0);
}

// ---- CMD-03

START_TEST(cmd_03_values_strings_and_lists_are_copied_when_they_are_recorded)
{
    commands_case_begin();
    char text[] = "Ada";
    int32_t numbers[] = {4, 5};
    army_entity members[] = {soldier(1), soldier(2)};
    army_commands_add_title(fixture.commands, soldier(0), (Title){text});
    army_commands_add_band(fixture.commands, soldier(0),
                           (Band){.numbers = {numbers, 2}, .members = {members, 2}, .name = text});
    army_commands_add_band(fixture.commands, soldier(1), (Band){.name = NULL});
    strcpy(text, "Bob");
    numbers[1] = 9;
    members[1] = soldier(3);
    play();
    const Band *band = army_get_band(fixture.army, soldier(0));
    ck_assert_str_eq(army_get_title(fixture.army, soldier(0))->text, "Ada");
    ck_assert_str_eq(band->name, "Ada");
    ck_assert_int_eq(band->numbers.at[1], 5);
    ck_assert(army_entity_equals(band->members.at[1], soldier(2)));
    ck_assert_ptr_null(army_get_band(fixture.army, soldier(1))->name);
    commands_case_end();
}
END_TEST

// Records commands with every n-th request refused, and plays those that were recorded.
START_TEST(cmd_03_without_memory_nothing_is_recorded)
{
    char text[5000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    for (uint64_t fail = 0; fail < 8; fail++) {
        commands_case_begin();
        uint32_t recorded = 0, made = 0;
        guard_fail(&fixture.memory, fail + 1, true);
        for (uint32_t i = 0; i < CASE_SOLDIERS; i++) {
            kin_status status = army_commands_add_title(fixture.commands, soldier(i), (Title){text});
            ck_assert(status == KIN_OK || status == KIN_ERROR_NO_MEMORY);
            recorded += status == KIN_OK;
            made += !army_entity_equals(army_commands_create_entity(fixture.commands), ARMY_NO_ENTITY);
            ck_assert_uint_eq(army_commands_count(fixture.commands), recorded + made);
        }
        guard_fail(&fixture.memory, 0, false);
        ck_assert_uint_eq(fixture.errors.count, 0); // another thread may record: nothing is reported
        uint32_t before = army_entity_count(fixture.army);
        play();
        ck_assert_uint_eq(army_entity_count(fixture.army), before + made);
        commands_case_end();
    }
}
END_TEST

START_TEST(fnd_40_without_memory_no_spawn_with_values_is_recorded)
{
    char text[5000];
    int32_t numbers[400] = {0};
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    army_bard_value value = {.title = {text}, .band = {.numbers = {numbers, 400}}};
    value.given.title = value.given.band = true;
    for (uint64_t fail = 0; fail < 8; fail++) {
        commands_case_begin();
        army_squad_parts parts;
        uint32_t bards = 0, squads = 0;
        guard_fail(&fixture.memory, fail + 1, true);
        for (uint32_t i = 0; i < CASE_SOLDIERS; i++) {
            bards += army_commands_spawn_bard_with(fixture.commands, value).id != 0;
            bool is_squad = army_commands_spawn_squad_parts(fixture.commands, &parts).id != 0;
            ck_assert((parts.entity.id != 0) == is_squad && (parts.last.entity.id != 0) == is_squad);
            squads += is_squad;
            ck_assert_uint_eq(army_commands_count(fixture.commands), bards + squads);
        }
        guard_fail(&fixture.memory, 0, false);
        ck_assert_uint_eq(fixture.errors.count, 0); // another thread may record: nothing is reported
        uint32_t before = army_entity_count(fixture.army);
        kin_status expected = squads > 1 ? KIN_ERROR_DUPLICATE_KEY : KIN_OK; // all captains have one badge
        ck_assert_int_eq(army_commands_play(fixture.commands), expected);
        ck_assert_uint_eq(army_entity_count(fixture.army), before + bards + (squads > 0 ? 4 : 0));
        error_log_clear(&fixture.errors);
        commands_case_end();
    }
}
END_TEST

START_TEST(cmd_03_a_buffer_needs_memory)
{
    commands_case_begin();
    guard_fail(&fixture.memory, 1, true);
    ck_assert_ptr_null(army_commands_create(fixture.army));
    ck_assert_reported(&fixture.errors, KIN_ERROR_NO_MEMORY);
    guard_fail(&fixture.memory, 0, false);
    army_commands_destroy(NULL);
    commands_case_end();
}
END_TEST

// ---- CMD-10

static void record_many(uint32_t count)
{
    char text[] = "a name";
    for (uint32_t i = 0; i < count; i++) {
        army_entity made = army_commands_spawn_guard(fixture.commands);
        army_commands_add_title(fixture.commands, made, (Title){text});
        army_commands_destroy_entity(fixture.commands, made);
    }
}

START_TEST(cmd_10_buffers_that_are_warm_need_no_memory)
{
    commands_case_begin();
    for (uint32_t i = 0; i < 3; i++) {
        record_many(1000);
        play();
    }
    for (uint32_t i = 0; i < 10; i++) {
        uint32_t blocks = fixture.memory.block_count;
        guard_fail(&fixture.memory, 1, true);
        for (uint32_t k = 0; k < 1000; k++)
            ck_assert_int_eq(army_commands_replace_post(fixture.commands, soldier(k % 12), (Post){1, 2}), KIN_OK);
        ck_assert_int_eq(army_commands_play(fixture.commands), KIN_OK);
        ck_assert_uint_eq(fixture.memory.block_count, blocks);
        guard_fail(&fixture.memory, 0, false);
    }
    commands_case_end();
}
END_TEST

START_TEST(cmd_10_after_a_trim_the_next_playback_gives_memory_back)
{
    commands_case_begin();
    size_t before = fixture.memory.size;
    for (uint32_t i = 0; i < 5000; i++)
        army_commands_touch_post(fixture.commands, soldier(0));
    play();
    ck_assert_uint_gt(fixture.memory.size, before + 5000 * 16);
    kin_context_trim(&fixture.army->base);
    play();
    ck_assert_uint_le(fixture.memory.size, before);
    army_commands_touch_post(fixture.commands, soldier(0));
    play();
    commands_case_end();
}
END_TEST

START_TEST(cmd_10_a_million_commands_fit_into_a_buffer)
{
    commands_case_begin();
    for (uint32_t i = 0; i < 1000000; i++)
        army_commands_replace_post(fixture.commands, soldier(i % 12), (Post){(float)i, 0});
    ck_assert_uint_eq(army_commands_count(fixture.commands), 1000000);
    play();
    ck_assert_float_eq(army_get_post(fixture.army, soldier(999999 % 12))->x, 999999);
    commands_case_end();
}
END_TEST

Suite *runtime_commands_memory_suite(void)
{
    Suite *suite = suite_create("runtime_commands_memory");
    TCase *tests = tcase_create("commands_memory");
    tcase_add_test(tests, cmd_03_values_strings_and_lists_are_copied_when_they_are_recorded);
    tcase_add_test(tests, cmd_03_without_memory_nothing_is_recorded);
    tcase_add_test(tests, cmd_03_a_buffer_needs_memory);
    tcase_add_test(tests, fnd_40_without_memory_no_spawn_with_values_is_recorded);
    tcase_add_test(tests, cmd_10_buffers_that_are_warm_need_no_memory);
    tcase_add_test(tests, cmd_10_after_a_trim_the_next_playback_gives_memory_back);
    tcase_add_test(tests, cmd_10_a_million_commands_fit_into_a_buffer);
    suite_add_tcase(suite, tests);
    return suite;
}
