// Strings in keys while entities change: clones, listeners, reset, memory and random changes (IDX, CPY, DSP-12).
#include "entity/entity.h"
#include "runtime/support/roster_case.h"
#include "suites.h"

#include <string.h>

START_TEST(cpy_02_a_clone_has_the_multi_string_and_not_the_primary_one)
{
    roster_entity source = roster_entity_named("bob");
    roster_add_clan(roster, source, (Clan){"owls", 0});
    roster_entity clone = roster_clone_entity(roster, source);
    ck_assert(!roster_has_alias(roster, clone) && roster_has_clan(roster, clone));
    ck_assert_entity(roster_find_name("bob"), source);
    uint32_t count;
    ck_assert_entity(roster_entities_with_clan_name(roster, "owls", &count)[1], clone);
    roster_destroy_entity(roster, source);
    ck_assert_entity(roster_entities_with_clan_name(roster, "owls", &count)[0], clone);
    ck_assert_uint_eq(count, 1);
}
END_TEST

START_TEST(cpy_03_a_source_with_null_in_its_custom_key_can_be_cloned)
{
    roster_entity source = roster_entity_of_clan("owls");
    roster_set_mark(roster, source, true);
    roster_add_stain(roster, source, (Stain){1, "point"});
    ck_assert_entity(roster_clone_entity(roster, source), ROSTER_NO_ENTITY);
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    roster_replace_stain(roster, source, (Stain){1, NULL});
    roster_entity clone = roster_clone_entity(roster, source);
    ck_assert(roster_is_mark(roster, clone) && roster_has_stain(roster, clone));
    ck_assert_int_eq(roster_replace_stain(roster, source, (Stain){1, "point"}), KIN_OK);
    ck_assert_entity(roster_entity_with_spare(roster, "point", "owls"), source);
}
END_TEST

static roster_entity victim;

static void destroy_victim(const kin_change *change, void *user)
{
    (void)user;
    if (change->entity != victim.id)
        roster_destroy_entity(roster_context_of(change->context), victim);
}

static void call_back(const kin_change *change, void *user)
{
    (void)user;
    roster_set_away(roster_context_of(change->context), roster_entity_of(change->entity), false);
}

START_TEST(cpy_01_a_listener_may_end_the_strings_that_are_cloned)
{
    victim = roster_entity_of_clan("a clan whose name goes with its entity");
    roster_set_away(roster, victim, true);
    roster_add_stain(roster, victim, (Stain){2, "a text that goes with its entity"});
    roster_add_deed(roster, victim, roster_deed_of("a title that goes with its entity"));
    roster_add_giver(roster, victim, (Giver){1, "a note that goes with its entity", ""});
    kin_group_subscribe(roster_clans_group(roster), KIN_ADDED, destroy_victim, NULL);
    kin_group_subscribe(roster_clans_group(roster), KIN_ADDED, call_back, NULL);
    roster_entity clone = roster_clone_entity(roster, victim);
    uint32_t count;
    ck_assert(!roster_entity_is_alive(roster, victim));
    ck_assert_entity(roster_entities_with_stain(roster, 2, "a text that goes with its entity", &count)[0], clone);
    ck_assert_entity(roster_entity_with_deed(roster, "a title that goes with its entity", -3, (Spot){0, 2, "ab"},
                                             WORTH_GREAT, 1, "a note that goes with its entity", ""),
                     clone);
    ck_assert_uint_eq(roster_clan_count("a clan whose name goes with its entity"), 1);
}
END_TEST

START_TEST(a_unique_string_is_found_after_a_listener_has_destroyed_the_original)
{
    victim = roster_entity_named("the chief, formerly a name of another");
    kin_context_subscribe(&roster->base, KIN_ENTITY_CREATED, destroy_victim, NULL);
    roster_entity chief = roster_set_unique_chief(roster, (Chief){roster_get_alias(roster, victim)->value});
    ck_assert_entity(roster_entity_with_chief_title(roster, "the chief, formerly a name of another"), chief);
    ck_assert(!roster_entity_is_alive(roster, victim));
    ck_assert_entity(roster_replace_unique_chief(roster, (Chief){"boss"}), chief);
    ck_assert_entity(roster_entity_with_chief_title(roster, "boss"), chief);
    ck_assert_entity(roster_replace_unique_chief(roster, (Chief){NULL}), chief);
    ck_assert_entity(roster_entity_with_chief_title(roster, "boss"), ROSTER_NO_ENTITY);
    ck_assert_int_eq(roster_remove_unique_chief(roster), KIN_OK);
}
END_TEST

static bool was_found, was_free;

static void look_up(const kin_change *change, void *user)
{
    (void)user;
    const Alias *previous = change->previous, *value = change->value;
    was_free = previous == NULL || roster_find_name(previous->value).id == 0;
    was_found = value == NULL || roster_find_name(value->value).id == change->entity;
}

START_TEST(idx_01_a_string_is_found_in_the_call_that_reports_it)
{
    kin_group_subscribe(roster_aliases_group(roster), KIN_ADDED_OR_REMOVED, look_up, NULL);
    roster_entity one = roster_entity_named("one");
    ck_assert(was_found && was_free);
    roster_replace_alias(roster, one, (Alias){"another, and a long one at that"});
    ck_assert(was_found && was_free);
    roster_destroy_entity(roster, one);
    ck_assert(was_found && was_free);
}
END_TEST

START_TEST(ctx_07_strings_are_forgotten_by_a_reset)
{
    roster_entity_named("bob");
    roster_entity_of_clan("owls");
    ck_assert_uint_eq(roster_clan_count("owls"), 1);
    ck_assert_int_eq(roster_context_reset(roster), KIN_OK);
    ck_assert_entity(roster_find_name("bob"), ROSTER_NO_ENTITY);
    ck_assert_uint_eq(roster_clan_count("owls"), 0);
    roster_entity again = roster_entity_named("bob");
    ck_assert_entity(roster_find_name("bob"), again);
}
END_TEST

START_TEST(dsp_12_lookups_and_removals_of_strings_need_no_memory)
{
    enum { COUNT = 600 };
    roster_entity entities[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        entities[i] = roster_entity_named(letters_of(i, 'a'));
        roster_set_away(roster, entities[i], true);
        roster_add_stain(roster, entities[i], (Stain){(float)(i % 7), letters_of(i % 50, 'b')});
        roster_add_clan(roster, entities[i], (Clan){letters_of(i % 3, 'c'), 0});
    }
    ck_assert_uint_eq(roster_clan_count(letters_of(2, 'c')), 200);
    guard_fail(&memory, 1, true);
    for (uint32_t i = 0; i < COUNT; i++) {
        ck_assert_entity(roster_find_name(letters_of(i, 'a')), entities[i]);
        ck_assert_int_eq(roster_set_away(roster, entities[i], false), KIN_OK);
        if (i % 2 == 0)
            ck_assert_int_eq(roster_remove_clan(roster, entities[i]), KIN_OK);
        if (i % 3 == 0)
            ck_assert_int_eq(roster_remove_alias(roster, entities[i]), KIN_OK);
    }
    ck_assert(kin__context_is_valid(&roster->base));
    ck_assert_int_eq(roster_destroy_all_entities(roster), KIN_OK);
    ck_assert(!guard_has_failed(&memory));
    guard_fail(&memory, 0, false);
}
END_TEST

typedef enum attempt { ADD_ALIAS, REPLACE_ALIAS, ADD_CLAN, REPLACE_CLAN, ADD_STAIN, SET_CHIEF, ATTEMPTS } attempt;

static kin_status try(attempt attempt, roster_entity entity)
{
    switch (attempt) {
    case ADD_ALIAS:
        return roster_add_alias(roster, entity, (Alias){"the new name"});
    case REPLACE_ALIAS:
        return roster_replace_alias(roster, victim, (Alias){"the new name"});
    case ADD_CLAN:
        return roster_add_clan(roster, entity, (Clan){"the new name", 0});
    case REPLACE_CLAN:
        return roster_replace_clan(roster, victim, (Clan){"the new name", 0});
    case ADD_STAIN:
        return roster_add_stain(roster, entity, (Stain){1, "the new name"});
    default:
        return roster_set_unique_chief(roster, (Chief){"the new name"}).id != 0 ? KIN_OK : KIN_ERROR_NO_MEMORY;
    }
}

START_TEST(no_memory_at_any_request_changes_nothing)
{
    uint32_t count, failures = 0;
    roster_entity entity = roster_create_entity(roster);
    victim = roster_entity_named("the old name");
    roster_add_clan(roster, victim, (Clan){"the old name", 0});
    for (uint64_t fail = 1;; fail++) {
        guard_fail(&memory, fail, false);
        kin_status status = try((attempt)_i, entity);
        bool has_failed = guard_has_failed(&memory);
        guard_fail(&memory, 0, false);
        if (!has_failed) {
            ck_assert_int_eq(status, KIN_OK);
            break;
        }
        failures++;
        ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
        ck_assert(kin__context_is_valid(&roster->base));
        ck_assert(!roster_has_alias(roster, entity) && !roster_has_clan(roster, entity));
        ck_assert_entity(roster_find_name("the old name"), victim);
        ck_assert_entity(roster_find_name("the new name"), ROSTER_NO_ENTITY);
        ck_assert_ptr_null(roster_entities_with_clan_name(roster, "the new name", &count));
        ck_assert_uint_eq(roster_entity_count(roster), 2);
    }
    ck_assert_uint_gt(failures, 0);
}
END_TEST

START_TEST(no_memory_for_an_array_of_a_string_gives_none)
{
    static const char name[] = "owls, in a name of a certain length";
    for (uint32_t i = 0; i < 50; i++)
        roster_entity_of_clan(name);
    uint32_t count;
    guard_fail(&memory, (uint64_t)_i + 1, false); // the copy of the key, the array, the marks
    ck_assert_ptr_null(roster_entities_with_clan_name(roster, name, &count));
    ck_assert(guard_has_failed(&memory));
    ck_assert_uint_eq(count, 0);
    ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
    guard_fail(&memory, 0, false);
    ck_assert(kin__context_is_valid(&roster->base));
    if (_i % 2 == 0)
        ck_assert_int_eq(roster_destroy_all_entities(roster), KIN_OK);
    ck_assert_uint_eq(roster_clan_count(name), _i % 2 == 0 ? 0 : 50);
}
END_TEST

// ---- random changes, compared with a search

enum { MOST = 60, NAMES = 24, STEPS = 8000 };

static const char *name_of(uint32_t number)
{
    static const size_t lengths[] = {0, 3, 15, 16, 17, 60};
    static char texts[NAMES][64];
    if (number >= NAMES)
        return NULL;
    size_t length = lengths[number % 6];
    return memcpy(texts[number], letters_of(length, (char)('a' + number / 6)), length + 1);
}

static bool are_equal(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

static void compare(const roster_entity *entities, const char *name)
{
    kin_entity named = 0;
    uint32_t count, members = 0;
    const roster_entity *clan = roster_entities_with_clan_name(roster, name, &count);
    for (uint32_t i = 0; i < MOST; i++) {
        const Alias *alias = roster_get_alias(roster, entities[i]);
        const Clan *other = roster_get_clan(roster, entities[i]);
        named = alias != NULL && are_equal(alias->value, name) ? entities[i].id : named;
        members += other != NULL && are_equal(other->name, name);
    }
    ck_assert_uint_eq(roster_find_name(name).id, named);
    ck_assert_uint_eq(count, members);
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_str_eq(roster_get_clan(roster, clan[i])->name, name);
        ck_assert(i == 0 || kin_entity_slot(clan[i - 1].id) < kin_entity_slot(clan[i].id));
    }
}

static void change(roster_entity *entity, uint32_t random)
{
    const char *name = name_of(random / 8 % (NAMES + 1));
    switch (random % 8) {
    case 0:
        roster_destroy_entity(roster, *entity);
        *entity = roster_create_entity(roster);
        break;
    case 1:
        roster_remove_alias(roster, *entity);
        break;
    case 2:
        roster_remove_clan(roster, *entity);
        break;
    case 3:
    case 4:
        roster_replace_alias(roster, *entity, (Alias){name});
        break;
    default:
        roster_replace_clan(roster, *entity, (Clan){name, (int32_t)random});
        break;
    }
}

START_TEST(at_random_strings_are_found_like_by_a_search)
{
    roster_entity entities[MOST];
    uint64_t random = (uint64_t)_i + 1;
    uint32_t refused = 0;
    for (uint32_t i = 0; i < MOST; i++)
        entities[i] = roster_create_entity(roster);
    for (uint32_t step = 0; step < STEPS; step++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        change(&entities[random >> 58 < MOST ? random >> 58 : 0], (uint32_t)(random >> 20));
        refused += errors.count > 0 && errors.entries[0].status == KIN_ERROR_DUPLICATE_KEY;
        error_log_clear(&errors);
        compare(entities, name_of((uint32_t)(random >> 40) % (NAMES + 1)));
        if (step % 256 == 0)
            ck_assert(kin__context_is_valid(&roster->base));
    }
    ck_assert_uint_gt(refused, 100);
}
END_TEST

Suite *runtime_index_string_change_suite(void)
{
    Suite *suite = suite_create("runtime_index_string_change");
    TCase *tests = tcase_create("changes");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, roster_begin, roster_end);
    tcase_add_test(tests, cpy_02_a_clone_has_the_multi_string_and_not_the_primary_one);
    tcase_add_test(tests, cpy_03_a_source_with_null_in_its_custom_key_can_be_cloned);
    tcase_add_test(tests, cpy_01_a_listener_may_end_the_strings_that_are_cloned);
    tcase_add_test(tests, a_unique_string_is_found_after_a_listener_has_destroyed_the_original);
    tcase_add_test(tests, idx_01_a_string_is_found_in_the_call_that_reports_it);
    tcase_add_test(tests, ctx_07_strings_are_forgotten_by_a_reset);
    tcase_add_test(tests, dsp_12_lookups_and_removals_of_strings_need_no_memory);
    tcase_add_loop_test(tests, no_memory_at_any_request_changes_nothing, 0, ATTEMPTS);
    tcase_add_loop_test(tests, no_memory_for_an_array_of_a_string_gives_none, 0, 3);
    tcase_add_loop_test(tests, at_random_strings_are_found_like_by_a_search, 0, 4);
    suite_add_tcase(suite, tests);
    return suite;
}
