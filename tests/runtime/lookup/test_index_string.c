// Strings of any length in the keys of indices: IDX-03, IDX-05 to IDX-08 and CMP-12.
#include "entity/entity.h"
#include "lookup/lookup.h"
#include "runtime/support/roster_case.h"
#include "suites.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const size_t sizes[] = {0, 1, 7, 8, 9, 14, 15, 16, 17, 23, 24, 31, 32, 33, 255, 4000, 100000};

enum { SIZES = sizeof sizes / sizeof *sizes };

START_TEST(idx_06_strings_of_any_length_are_compared_by_content)
{
    roster_entity entities[SIZES];
    for (uint32_t i = 0; i < SIZES; i++)
        entities[i] = roster_entity_named(letters_of(sizes[i], 'x'));
    for (uint32_t i = 0; i < SIZES; i++) {
        ck_assert_entity(roster_find_name(letters_of(sizes[i], 'x')), entities[i]);
        ck_assert_entity(roster_find_name(roster_get_alias(roster, entities[i])->value), entities[i]);
        if (sizes[i] > 0)
            ck_assert_entity(roster_find_name(letters_of(sizes[i], 'y')), ROSTER_NO_ENTITY);
        roster_replace_alias(roster, entities[i], (Alias){letters_of(sizes[i] + 100, 'y')});
        ck_assert_entity(roster_find_name(letters_of(sizes[i], 'x')), ROSTER_NO_ENTITY);
        ck_assert_entity(roster_find_name(letters_of(sizes[i] + 100, 'y')), entities[i]);
        roster_remove_alias(roster, entities[i]);
        ck_assert_entity(roster_find_name(letters_of(sizes[i] + 100, 'y')), ROSTER_NO_ENTITY);
    }
}
END_TEST

START_TEST(idx_06_letters_are_bytes_of_any_value)
{
    static const char *const names[] = {
        "\xC3\xA4\xC3\xB6", "\xFF\xFE", "\x80", "\x7F", "\x01", "a\tb", "\xE2\x82\xAC and nineteen more letters"};
    enum { COUNT = sizeof names / sizeof *names };
    roster_entity entities[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        entities[i] = roster_entity_named(names[i]);
        roster_add_clan(roster, entities[i], (Clan){names[i], 0});
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        ck_assert_entity(roster_find_name(names[i]), entities[i]);
        ck_assert_uint_eq(roster_clan_count(names[i]), 1);
    }
}
END_TEST

START_TEST(idx_07_an_entity_with_null_in_its_key_is_in_no_index)
{
    roster_entity first = roster_entity_named(NULL), second = roster_entity_named(NULL),
                  empty = roster_entity_named("");
    ck_assert_entity(roster_find_name(NULL), ROSTER_NO_ENTITY);
    ck_assert_entity(roster_find_name(""), empty);
    roster_add_clan(roster, first, (Clan){NULL, 1});
    roster_add_clan(roster, second, (Clan){"", 1});
    ck_assert_uint_eq(roster_clan_count(NULL), 0);
    ck_assert_uint_eq(roster_clan_count(""), 1);
    ck_assert_ptr_null(roster_get_alias(roster, first)->value);
    ck_assert_int_eq(roster_replace_alias(roster, first, (Alias){"one"}), KIN_OK);
    ck_assert_refused(&errors, roster_replace_alias(roster, second, (Alias){"one"}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_int_eq(roster_replace_alias(roster, empty, (Alias){NULL}), KIN_OK);
    ck_assert_entity(roster_find_name(""), ROSTER_NO_ENTITY);
    ck_assert_int_eq(roster_replace_alias(roster, first, (Alias){NULL}), KIN_OK);
    ck_assert_entity(roster_find_name("one"), ROSTER_NO_ENTITY);
    ck_assert_int_eq(roster_remove_alias(roster, first), KIN_OK);
    ck_assert_int_eq(roster_destroy_entity(roster, second), KIN_OK);
}
END_TEST

START_TEST(idx_07_one_null_of_several_strings_is_enough)
{
    roster_entity one = roster_entity_of_clan("owls"), two = roster_entity_of_clan("owls");
    roster_set_mark(roster, one, true);
    roster_set_mark(roster, two, true);
    roster_add_stain(roster, one, (Stain){1, "point"});
    ck_assert_entity(roster_entity_with_spare(roster, "point", "owls"), one);
    ck_assert_entity(roster_entity_with_spare(roster, "point", NULL), ROSTER_NO_ENTITY);
    ck_assert_entity(roster_entity_with_spare(roster, NULL, "owls"), ROSTER_NO_ENTITY);
    ck_assert_int_eq(roster_add_stain(roster, two, (Stain){1, "point"}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_ptr_nonnull(strstr(errors.entries[0].message, "has the key (\"point\", \"owls\") in index spare"));
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert_int_eq(roster_add_stain(roster, two, (Stain){1, NULL}), KIN_OK);
    ck_assert_int_eq(roster_replace_clan(roster, one, (Clan){NULL, 0}), KIN_OK);
    ck_assert_entity(roster_entity_with_spare(roster, "point", "owls"), ROSTER_NO_ENTITY);
    ck_assert_int_eq(roster_replace_stain(roster, two, (Stain){1, "point"}), KIN_OK);
    ck_assert_entity(roster_entity_with_spare(roster, "point", "owls"), two);
    ck_assert_refused(&errors, roster_replace_clan(roster, one, (Clan){"owls", 0}), KIN_ERROR_DUPLICATE_KEY);
}
END_TEST

START_TEST(idx_08_nan_is_refused_unless_the_key_has_null)
{
    roster_entity one = roster_create_entity(roster);
    uint32_t count;
    ck_assert_refused(&errors, roster_add_stain(roster, one, (Stain){NAN, "nothing"}), KIN_ERROR_INVALID);
    ck_assert_int_eq(roster_add_stain(roster, one, (Stain){NAN, NULL}), KIN_OK);
    ck_assert_int_eq(roster_replace_stain(roster, one, (Stain){NAN, "nothing"}), KIN_ERROR_INVALID);
    ck_assert_ptr_nonnull(strstr(errors.entries[0].message, "(nan, \"nothing\") in index stain has a NaN"));
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_ptr_null(roster_entities_with_stain(roster, NAN, "nothing", &count));
    ck_assert_int_eq(roster_replace_stain(roster, one, (Stain){-0.0f, "zero"}), KIN_OK);
    ck_assert_entity(roster_entities_with_stain(roster, 0.0f, "zero", &count)[0], one);
    ck_assert_entity(roster_entities_with_stain(roster, -0.0f, "zero", &count)[0], one);
    ck_assert_ptr_null(roster_entities_with_stain(roster, 0.0f, "Zero", &count));
}
END_TEST

START_TEST(idx_06_every_part_of_a_mixed_key_counts)
{
    roster_entity one = roster_create_entity(roster), two = roster_create_entity(roster);
    Deed deed = roster_deed_of("a long title, longer than any word");
    roster_add_deed(roster, one, deed);
    ck_assert_int_eq(roster_add_giver(roster, one, (Giver){7, "note", "abc"}), KIN_OK);
    roster_add_deed(roster, two, deed);
    ck_assert_int_eq(roster_add_giver(roster, two, (Giver){7, "note", "abc"}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_ptr_nonnull(
        strstr(errors.entries[0].message, "the key (\"a long title, longer than any word\", -3, {x: 0"));
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    const char *title = deed.title;
    Spot spot = {0.0f, 2, "ab"}, other = {0.0f, 2, "ac"};
    ck_assert_entity(roster_entity_with_deed(roster, title, -3, spot, WORTH_GREAT, 7, "note", "abc"), one);
    ck_assert_entity(roster_entity_with_deed(roster, title, -2, spot, WORTH_GREAT, 7, "note", "abc"), ROSTER_NO_ENTITY);
    ck_assert_entity(roster_entity_with_deed(roster, title, -3, other, WORTH_GREAT, 7, "note", "abc"),
                     ROSTER_NO_ENTITY);
    ck_assert_entity(roster_entity_with_deed(roster, title, -3, spot, WORTH_SMALL, 7, "note", "abc"), ROSTER_NO_ENTITY);
    ck_assert_entity(roster_entity_with_deed(roster, title, -3, spot, WORTH_GREAT, 8, "note", "abc"), ROSTER_NO_ENTITY);
    ck_assert_entity(roster_entity_with_deed(roster, title, -3, spot, WORTH_GREAT, 7, "Note", "abc"), ROSTER_NO_ENTITY);
    ck_assert_entity(roster_entity_with_deed(roster, title, -3, spot, WORTH_GREAT, 7, "note", "ab"), ROSTER_NO_ENTITY);
    ck_assert_entity(roster_entity_with_deed(roster, title, -3, spot, WORTH_GREAT, 7, "note", "abcd"),
                     ROSTER_NO_ENTITY);
    ck_assert_int_eq(roster_add_giver(roster, two, (Giver){8, "note", "abc"}), KIN_OK);
    ck_assert_entity(roster_entity_with_deed(roster, title, -3, spot, WORTH_GREAT, 8, "note", "abc"), two);
}
END_TEST

// The first factor of the context: eight letters that cancel the others if the hash starts with two words.
static void write_factor(char *letters)
{
    memcpy(letters, roster->base.core->factors, sizeof *roster->base.core->factors);
}

static uint64_t hash_of(const char *text)
{
    return kin__key_hash(roster->base.core->factors, text, strlen(text));
}

// Two strings of 32 letters with one hash, as their last eight letters do not count. Their beginnings are equal or
// differ.
static void make_twins(char *one, char *two, bool begin_alike)
{
    snprintf(one, 33, "%016u%8s%8s", 1, "", "one");
    snprintf(two, 33, "%016u%8s%8s", begin_alike ? 1 : 2, "", "other");
    write_factor(one + 16);
    write_factor(two + 16);
    ck_assert_uint_eq(hash_of(one), hash_of(two));
    ck_assert_str_ne(one, two);
}

START_TEST(idx_06_strings_with_one_hash_are_distinguished)
{
    char one[33], two[33];
    make_twins(one, two, _i == 0);
    roster_entity first = roster_entity_named(one);
    ck_assert_entity(roster_find_name(two), ROSTER_NO_ENTITY);
    roster_entity second = roster_entity_named(two);
    ck_assert_entity(roster_find_name(one), first);
    ck_assert_entity(roster_find_name(two), second);
    roster_add_clan(roster, first, (Clan){one, 0});
    ck_assert_uint_eq(roster_clan_count(two), 0);
    roster_add_clan(roster, second, (Clan){two, 0});
    ck_assert_uint_eq(roster_clan_count(one), 1);
    roster_add_stain(roster, first, (Stain){1, one});
    roster_add_stain(roster, second, (Stain){1, two});
    roster_set_mark(roster, first, true);
    roster_set_mark(roster, second, true);
    ck_assert_entity(roster_entity_with_spare(roster, two, two), second);
    roster_destroy_entity(roster, first);
    ck_assert_entity(roster_find_name(one), ROSTER_NO_ENTITY);
    ck_assert_entity(roster_find_name(two), second);
    ck_assert_uint_eq(roster_clan_count(two), 1);
    ck_assert_uint_eq(roster_clan_count(one), 0);
    ck_assert_entity(roster_entity_with_spare(roster, one, one), ROSTER_NO_ENTITY);
}
END_TEST

// A string of 16 letters with the hash of its first eight letters: in both the letters that are hashed last do not
// count.
static void make_longer_twin(char *text)
{
    write_factor(text);
    memcpy(text + 8, "the end", 8);
    text[8] = '\0';
    uint64_t hash = hash_of(text);
    text[8] = 't';
    ck_assert_uint_eq(hash_of(text), hash);
}

START_TEST(idx_06_a_string_is_not_another_one_that_it_begins)
{
    char text[17], beginning[9] = "";
    make_longer_twin(text);
    memcpy(beginning, text, 8);
    roster_entity longer = roster_entity_named(text);
    ck_assert_entity(roster_find_name(beginning), ROSTER_NO_ENTITY);
    roster_entity shorter = roster_entity_named(beginning);
    ck_assert_entity(roster_find_name(beginning), shorter);
    ck_assert_entity(roster_find_name(text), longer);
    roster_destroy_entity(roster, longer);
    ck_assert_entity(roster_find_name(text), ROSTER_NO_ENTITY);
}
END_TEST

START_TEST(idx_03_a_second_entity_with_the_string_is_refused)
{
    char name[8] = "bob";
    roster_entity first = roster_entity_named(name), second = roster_create_entity(roster);
    ck_assert_int_eq(roster_add_alias(roster, second, (Alias){"bob"}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_str_eq(errors.entries[0].message,
                     "roster: cannot add Alias of entity 2 in slot 1: entity 1 in slot 0 has "
                     "the key \"bob\" in index Alias.value; look it up first");
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert(!roster_has_alias(roster, second));
    ck_assert_int_eq(roster_replace_alias(roster, first, (Alias){"bob"}), KIN_OK);
    ck_assert_entity(roster_find_name("bob"), first);
    name[0] = 'r';
    ck_assert_int_eq(roster_add_alias(roster, second, (Alias){name}), KIN_OK);
    ck_assert_refused(&errors, roster_replace_alias(roster, second, (Alias){"bob"}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_str_eq(roster_get_alias(roster, second)->value, "rob");
    ck_assert_entity(roster_find_name("rob"), second);
}
END_TEST

// The error's description of a duplicate key.
static void expect_shown(const char *key, const char *shown)
{
    roster_entity first = roster_entity_named(key), second = roster_create_entity(roster);
    ck_assert_int_eq(roster_add_alias(roster, second, (Alias){key}), KIN_ERROR_DUPLICATE_KEY);
    const char *at = strstr(errors.entries[0].message, "has the key ");
    ck_assert_ptr_nonnull(at);
    ck_assert_int_eq(strncmp(at + strlen("has the key "), shown, strlen(shown)), 0);
    ck_assert_ptr_nonnull(strstr(at, " in index Alias.value; look it up first"));
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    roster_destroy_entity(roster, first);
}

START_TEST(err_04_a_string_is_shown_on_one_line_and_cut_where_it_is_long)
{
    expect_shown("", "\"\" in");
    expect_shown("two\nlines\x01", "\"two\\x0alines\\x01\" in");
    expect_shown("forty-eight letters are shown of a string, these.",
                 "\"forty-eight letters are shown of a string, these...\" in");
    expect_shown("forty-eight letters are shown of a string, these",
                 "\"forty-eight letters are shown of a string, these\"");
    expect_shown("no letter is cut in two, of two, three or more \xE2\x82\xAC!",
                 "\"no letter is cut in two, of two, three or more ...\" in");
    expect_shown("\xC3\xA4", "\"\xC3\xA4\" in");
    expect_shown("\x7F\xC2\x9B\xE2\x80\xAE\xFF", "\"\\x7f\\xc2\\x9b\\xe2\\x80\\xae\\xff\" in");
}
END_TEST

START_TEST(err_04_a_key_of_many_strings_is_cut_at_its_end)
{
    Deed deed =
        roster_deed_of("\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC and more than can be shown of one string");
    roster_entity entities[2];
    kin_status status = KIN_OK;
    for (uint32_t i = 0; i < 2; i++) {
        entities[i] = roster_create_entity(roster);
        roster_add_deed(roster, entities[i], deed);
        status = roster_add_giver(roster, entities[i], (Giver){7, deed.title, "abc"});
    }
    ck_assert_int_eq(status, KIN_ERROR_DUPLICATE_KEY);
    ck_assert_ptr_nonnull(strstr(errors.entries[0].message, "... in index deed; look it up first"));
    ck_assert_ptr_nonnull(strstr(errors.entries[0].message, "of one s...\", -3, {x: 0, y: 2, sign: \"ab\"}, Great, "));
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
}
END_TEST

START_TEST(cmp_12_the_new_string_may_point_into_the_old_one)
{
    roster_entity one = roster_entity_named("a name that is long enough to be cut");
    const char *old = roster_get_alias(roster, one)->value;
    ck_assert_int_eq(roster_replace_alias(roster, one, (Alias){old}), KIN_OK);
    ck_assert_entity(roster_find_name("a name that is long enough to be cut"), one);
    old = roster_get_alias(roster, one)->value;
    ck_assert_int_eq(roster_replace_alias(roster, one, (Alias){old + 2}), KIN_OK);
    ck_assert_entity(roster_find_name("name that is long enough to be cut"), one);
    ck_assert_entity(roster_find_name("a name that is long enough to be cut"), ROSTER_NO_ENTITY);
    roster_add_clan(roster, one, (Clan){"the owls", 0});
    ck_assert_uint_eq(roster_clan_count("the owls"), 1);
    roster_replace_clan(roster, one, (Clan){roster_get_clan(roster, one)->name + 4, 0});
    ck_assert_uint_eq(roster_clan_count("the owls"), 0);
    ck_assert_uint_eq(roster_clan_count("owls"), 1);
}
END_TEST

START_TEST(idx_05_the_array_stays_while_its_key_loses_all_entities)
{
    char name[] = "the clan of the owls, which has a long name";
    roster_entity entities[40];
    for (uint32_t i = 0; i < 40; i++)
        entities[i] = roster_entity_of_clan(name);
    uint32_t count;
    const roster_entity *owls = roster_entities_with_clan_name(roster, name, &count);
    ck_assert_uint_eq(count, 40);
    for (uint32_t i = 0; i < 40; i++) {
        ck_assert_entity(owls[i], entities[i]);
        if (i % 2 == 0)
            roster_destroy_entity(roster, owls[i]);
        else
            roster_replace_clan(roster, owls[i], (Clan){"moles", 0});
        ck_assert_uint_eq(roster_clan_count("moles"), (i + 1) / 2);
    }
    ck_assert_entity(owls[39], entities[39]);
    ck_assert(kin__context_is_valid(&roster->base));
    roster_entity late = roster_entity_of_clan(name);
    ck_assert_entity(roster_entities_with_clan_name(roster, name, &count)[0], late);
    ck_assert_uint_eq(count, 1);
    roster_destroy_entity(roster, late);
    ck_assert_uint_eq(roster_clan_count(name), 0);
    ck_assert_uint_eq(roster_clan_count(name), 0);
}
END_TEST

START_TEST(idx_06_a_multi_index_keeps_the_key_when_any_entity_leaves)
{
    roster_entity entities[5];
    for (uint32_t i = 0; i < 5; i++)
        entities[i] = roster_entity_of_clan("a clan with a name of more than sixteen letters");
    static const uint32_t order[] = {4, 0, 2, 1};
    for (uint32_t i = 0; i < 4; i++) {
        roster_remove_clan(roster, entities[order[i]]);
        roster_entity joined = roster_entity_of_clan("a clan with a name of more than sixteen letters");
        roster_destroy_entity(roster, joined);
        ck_assert(kin__context_is_valid(&roster->base));
    }
    ck_assert_uint_eq(roster_clan_count("a clan with a name of more than sixteen letters"), 1);
    roster_replace_clan(roster, entities[3], (Clan){"a clan with a name of more than sixteen letters", 1});
    ck_assert_uint_eq(roster_clan_count("a clan with a name of more than sixteen letters"), 1);
}
END_TEST

Suite *runtime_index_string_suite(void)
{
    Suite *suite = suite_create("runtime_index_string");
    TCase *rules = tcase_create("rules");
    tcase_set_timeout(rules, 60);
    tcase_add_checked_fixture(rules, roster_begin, roster_end);
    tcase_add_test(rules, idx_06_strings_of_any_length_are_compared_by_content);
    tcase_add_test(rules, idx_06_letters_are_bytes_of_any_value);
    tcase_add_test(rules, idx_07_an_entity_with_null_in_its_key_is_in_no_index);
    tcase_add_test(rules, idx_07_one_null_of_several_strings_is_enough);
    tcase_add_test(rules, idx_08_nan_is_refused_unless_the_key_has_null);
    tcase_add_test(rules, idx_06_every_part_of_a_mixed_key_counts);
    tcase_add_loop_test(rules, idx_06_strings_with_one_hash_are_distinguished, 0, 2);
    tcase_add_test(rules, idx_06_a_string_is_not_another_one_that_it_begins);
    tcase_add_test(rules, idx_03_a_second_entity_with_the_string_is_refused);
    tcase_add_test(rules, err_04_a_string_is_shown_on_one_line_and_cut_where_it_is_long);
    tcase_add_test(rules, err_04_a_key_of_many_strings_is_cut_at_its_end);
    tcase_add_test(rules, cmp_12_the_new_string_may_point_into_the_old_one);
    tcase_add_test(rules, idx_05_the_array_stays_while_its_key_loses_all_entities);
    tcase_add_test(rules, idx_06_a_multi_index_keeps_the_key_when_any_entity_leaves);
    suite_add_tcase(suite, rules);
    return suite;
}
