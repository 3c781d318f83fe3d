// Strings of any length in the keys of indices: IDX-03, IDX-05 to IDX-08, CMP-12 and DSP-12.
#include "context/validate.h"
#include "guard.h"
#include "index/index.h"
#include "suites.h"
#include "support.h"

#include <math.h>
#include <roster/roster.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 1 }; // its factors have no zero byte

static guard memory;
static error_log errors;
static roster_context *roster;

static void begin(void)
{
    kin_context_options options = {
        .allocator = guard_begin(&memory), .on_error = error_log_append, .error_user = &errors, .hash_seed = SEED};
    error_log_clear(&errors);
    roster = roster_context_create(&options);
    ck_assert_ptr_nonnull(roster);
}

static void end(void)
{
    ck_assert(kin__context_is_valid(&roster->base));
    ck_assert_uint_eq(errors.count, 0);
    roster_context_destroy(roster);
    guard_end(&memory);
}

#define ck_assert_entity(actual, expected) ck_assert_uint_eq((actual).id, (expected).id)

static roster_entity called(const char *name)
{
    roster_entity made = roster_create_entity(roster);
    ck_assert_int_eq(roster_add_alias(roster, made, (Alias){name}), KIN_OK);
    return made;
}

static roster_entity of_clan(const char *name)
{
    roster_entity made = roster_create_entity(roster);
    ck_assert_int_eq(roster_add_clan(roster, made, (Clan){name, 0}), KIN_OK);
    return made;
}

static roster_entity find(const char *name)
{
    return roster_entity_with_alias_value(roster, name);
}

static uint32_t clan_count(const char *name)
{
    uint32_t count;
    const roster_entity *entities = roster_entities_with_clan_name(roster, name, &count);
    ck_assert((entities == NULL) == (count == 0));
    return count;
}

// `size` letters; the last one is `last`. In static storage, so that the same address has another string each time.
static const char *text_of(size_t size, char last)
{
    static char text[100101];
    ck_assert_uint_lt(size, sizeof text);
    memset(text, 'x', size);
    text[size] = '\0';
    if (size > 0)
        text[size - 1] = last;
    return text;
}

static const size_t sizes[] = {0, 1, 7, 8, 9, 14, 15, 16, 17, 23, 24, 31, 32, 33, 255, 4000, 100000};

enum { SIZES = sizeof sizes / sizeof *sizes };

START_TEST(idx_06_strings_of_any_length_are_compared_by_content)
{
    roster_entity entities[SIZES];
    for (uint32_t i = 0; i < SIZES; i++)
        entities[i] = called(text_of(sizes[i], 'x'));
    for (uint32_t i = 0; i < SIZES; i++) {
        ck_assert_entity(find(text_of(sizes[i], 'x')), entities[i]);
        ck_assert_entity(find(roster_get_alias(roster, entities[i])->value), entities[i]);
        if (sizes[i] > 0)
            ck_assert_entity(find(text_of(sizes[i], 'y')), ROSTER_NO_ENTITY);
        roster_replace_alias(roster, entities[i], (Alias){text_of(sizes[i] + 100, 'y')});
        ck_assert_entity(find(text_of(sizes[i], 'x')), ROSTER_NO_ENTITY);
        ck_assert_entity(find(text_of(sizes[i] + 100, 'y')), entities[i]);
        roster_remove_alias(roster, entities[i]);
        ck_assert_entity(find(text_of(sizes[i] + 100, 'y')), ROSTER_NO_ENTITY);
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
        entities[i] = called(names[i]);
        roster_add_clan(roster, entities[i], (Clan){names[i], 0});
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        ck_assert_entity(find(names[i]), entities[i]);
        ck_assert_uint_eq(clan_count(names[i]), 1);
    }
}
END_TEST

START_TEST(idx_07_an_entity_with_null_in_its_key_is_in_no_index)
{
    roster_entity first = called(NULL), second = called(NULL), empty = called("");
    ck_assert_entity(find(NULL), ROSTER_NO_ENTITY);
    ck_assert_entity(find(""), empty);
    roster_add_clan(roster, first, (Clan){NULL, 1});
    roster_add_clan(roster, second, (Clan){"", 1});
    ck_assert_uint_eq(clan_count(NULL), 0);
    ck_assert_uint_eq(clan_count(""), 1);
    ck_assert_ptr_null(roster_get_alias(roster, first)->value);
    ck_assert_int_eq(roster_replace_alias(roster, first, (Alias){"one"}), KIN_OK);
    ck_assert_int_eq(roster_replace_alias(roster, second, (Alias){"one"}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert_int_eq(roster_replace_alias(roster, empty, (Alias){NULL}), KIN_OK);
    ck_assert_entity(find(""), ROSTER_NO_ENTITY);
    ck_assert_int_eq(roster_replace_alias(roster, first, (Alias){NULL}), KIN_OK);
    ck_assert_entity(find("one"), ROSTER_NO_ENTITY);
    ck_assert_int_eq(roster_remove_alias(roster, first), KIN_OK);
    ck_assert_int_eq(roster_destroy_entity(roster, second), KIN_OK);
}
END_TEST

START_TEST(idx_07_one_null_of_several_strings_is_enough)
{
    roster_entity one = of_clan("owls"), two = of_clan("owls");
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
    ck_assert_int_eq(roster_replace_clan(roster, one, (Clan){"owls", 0}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
}
END_TEST

START_TEST(idx_08_nan_is_refused_unless_the_key_has_null)
{
    roster_entity one = roster_create_entity(roster);
    uint32_t count;
    ck_assert_int_eq(roster_add_stain(roster, one, (Stain){NAN, "nothing"}), KIN_ERROR_INVALID);
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_int_eq(roster_add_stain(roster, one, (Stain){NAN, NULL}), KIN_OK);
    ck_assert_int_eq(roster_replace_stain(roster, one, (Stain){NAN, "nothing"}), KIN_ERROR_INVALID);
    ck_assert_ptr_nonnull(strstr(errors.entries[0].message, "(nan, \"nothing\") in index stain would not be a number"));
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_ptr_null(roster_entities_with_stain(roster, NAN, "nothing", &count));
    ck_assert_int_eq(roster_replace_stain(roster, one, (Stain){-0.0f, "zero"}), KIN_OK);
    ck_assert_entity(roster_entities_with_stain(roster, 0.0f, "zero", &count)[0], one);
    ck_assert_entity(roster_entities_with_stain(roster, -0.0f, "zero", &count)[0], one);
    ck_assert_ptr_null(roster_entities_with_stain(roster, 0.0f, "Zero", &count));
}
END_TEST

static Deed deed_of(const char *title)
{
    Deed deed;
    memset(&deed, 0xEE, sizeof deed); // the padding, and the bytes after the strings
    deed.title = title;
    deed.count = -3;
    deed.place.x = -0.0f;
    deed.place.y = 2;
    strcpy(deed.place.sign, "ab");
    deed.rank = WORTH_GREAT;
    return deed;
}

START_TEST(idx_06_every_part_of_a_mixed_key_counts)
{
    roster_entity one = roster_create_entity(roster), two = roster_create_entity(roster);
    Deed deed = deed_of("a long title, longer than any word");
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
    roster_entity first = called(one);
    ck_assert_entity(find(two), ROSTER_NO_ENTITY);
    roster_entity second = called(two);
    ck_assert_entity(find(one), first);
    ck_assert_entity(find(two), second);
    roster_add_clan(roster, first, (Clan){one, 0});
    ck_assert_uint_eq(clan_count(two), 0);
    roster_add_clan(roster, second, (Clan){two, 0});
    ck_assert_uint_eq(clan_count(one), 1);
    roster_add_stain(roster, first, (Stain){1, one});
    roster_add_stain(roster, second, (Stain){1, two});
    roster_set_mark(roster, first, true);
    roster_set_mark(roster, second, true);
    ck_assert_entity(roster_entity_with_spare(roster, two, two), second);
    roster_destroy_entity(roster, first);
    ck_assert_entity(find(one), ROSTER_NO_ENTITY);
    ck_assert_entity(find(two), second);
    ck_assert_uint_eq(clan_count(two), 1);
    ck_assert_uint_eq(clan_count(one), 0);
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
    roster_entity longer = called(text);
    ck_assert_entity(find(beginning), ROSTER_NO_ENTITY);
    roster_entity shorter = called(beginning);
    ck_assert_entity(find(beginning), shorter);
    ck_assert_entity(find(text), longer);
    roster_destroy_entity(roster, longer);
    ck_assert_entity(find(text), ROSTER_NO_ENTITY);
}
END_TEST

START_TEST(idx_03_a_second_entity_with_the_string_is_refused)
{
    char name[8] = "bob";
    roster_entity first = called(name), second = roster_create_entity(roster);
    ck_assert_int_eq(roster_add_alias(roster, second, (Alias){"bob"}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_str_eq(errors.entries[0].message,
                     "roster: cannot add Alias of entity 2 in slot 1: entity 1 in slot 0 has "
                     "the key \"bob\" in index Alias.value; look it up first");
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert(!roster_has_alias(roster, second));
    ck_assert_int_eq(roster_replace_alias(roster, first, (Alias){"bob"}), KIN_OK);
    ck_assert_entity(find("bob"), first);
    name[0] = 'r';
    ck_assert_int_eq(roster_add_alias(roster, second, (Alias){name}), KIN_OK);
    ck_assert_int_eq(roster_replace_alias(roster, second, (Alias){"bob"}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert_str_eq(roster_get_alias(roster, second)->value, "rob");
    ck_assert_entity(find("rob"), second);
}
END_TEST

// The error's description of a duplicate key.
static void expect_shown(const char *key, const char *shown)
{
    roster_entity first = called(key), second = roster_create_entity(roster);
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
    Deed deed = deed_of("\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC and more than can be shown of one string");
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
    roster_entity one = called("a name that is long enough to be cut");
    const char *old = roster_get_alias(roster, one)->value;
    ck_assert_int_eq(roster_replace_alias(roster, one, (Alias){old}), KIN_OK);
    ck_assert_entity(find("a name that is long enough to be cut"), one);
    old = roster_get_alias(roster, one)->value;
    ck_assert_int_eq(roster_replace_alias(roster, one, (Alias){old + 2}), KIN_OK);
    ck_assert_entity(find("name that is long enough to be cut"), one);
    ck_assert_entity(find("a name that is long enough to be cut"), ROSTER_NO_ENTITY);
    roster_add_clan(roster, one, (Clan){"the owls", 0});
    ck_assert_uint_eq(clan_count("the owls"), 1);
    roster_replace_clan(roster, one, (Clan){roster_get_clan(roster, one)->name + 4, 0});
    ck_assert_uint_eq(clan_count("the owls"), 0);
    ck_assert_uint_eq(clan_count("owls"), 1);
}
END_TEST

START_TEST(idx_05_the_array_stays_while_its_key_loses_all_entities)
{
    char name[] = "the clan of the owls, which has a long name";
    roster_entity entities[40];
    for (uint32_t i = 0; i < 40; i++)
        entities[i] = of_clan(name);
    uint32_t count;
    const roster_entity *owls = roster_entities_with_clan_name(roster, name, &count);
    ck_assert_uint_eq(count, 40);
    for (uint32_t i = 0; i < 40; i++) {
        ck_assert_entity(owls[i], entities[i]);
        if (i % 2 == 0)
            roster_destroy_entity(roster, owls[i]);
        else
            roster_replace_clan(roster, owls[i], (Clan){"moles", 0});
        ck_assert_uint_eq(clan_count("moles"), (i + 1) / 2);
    }
    ck_assert_entity(owls[39], entities[39]);
    ck_assert(kin__context_is_valid(&roster->base));
    roster_entity late = of_clan(name);
    ck_assert_entity(roster_entities_with_clan_name(roster, name, &count)[0], late);
    ck_assert_uint_eq(count, 1);
    roster_destroy_entity(roster, late);
    ck_assert_uint_eq(clan_count(name), 0);
    ck_assert_uint_eq(clan_count(name), 0);
}
END_TEST

START_TEST(idx_06_a_multi_index_keeps_the_key_whichever_entity_leaves)
{
    roster_entity entities[5];
    for (uint32_t i = 0; i < 5; i++)
        entities[i] = of_clan("a clan with a name of more than sixteen letters");
    static const uint32_t order[] = {4, 0, 2, 1};
    for (uint32_t i = 0; i < 4; i++) {
        roster_remove_clan(roster, entities[order[i]]);
        roster_entity joined = of_clan("a clan with a name of more than sixteen letters");
        roster_destroy_entity(roster, joined);
        ck_assert(kin__context_is_valid(&roster->base));
    }
    ck_assert_uint_eq(clan_count("a clan with a name of more than sixteen letters"), 1);
    roster_replace_clan(roster, entities[3], (Clan){"a clan with a name of more than sixteen letters", 1});
    ck_assert_uint_eq(clan_count("a clan with a name of more than sixteen letters"), 1);
}
END_TEST

START_TEST(cpy_02_a_clone_has_the_multi_string_and_not_the_primary_one)
{
    roster_entity source = called("bob");
    roster_add_clan(roster, source, (Clan){"owls", 0});
    roster_entity clone = roster_clone_entity(roster, source);
    ck_assert(!roster_has_alias(roster, clone) && roster_has_clan(roster, clone));
    ck_assert_entity(find("bob"), source);
    uint32_t count;
    ck_assert_entity(roster_entities_with_clan_name(roster, "owls", &count)[1], clone);
    roster_destroy_entity(roster, source);
    ck_assert_entity(roster_entities_with_clan_name(roster, "owls", &count)[0], clone);
    ck_assert_uint_eq(count, 1);
}
END_TEST

START_TEST(cpy_03_a_source_with_null_in_its_custom_key_can_be_cloned)
{
    roster_entity source = of_clan("owls");
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
    victim = of_clan("a clan whose name goes with its entity");
    roster_set_away(roster, victim, true);
    roster_add_stain(roster, victim, (Stain){2, "a text that goes with its entity"});
    roster_add_deed(roster, victim, deed_of("a title that goes with its entity"));
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
    ck_assert_uint_eq(clan_count("a clan whose name goes with its entity"), 1);
}
END_TEST

START_TEST(uni_a_unique_string_is_found_also_when_a_listener_ends_the_one_that_was_given)
{
    victim = called("the chief, formerly a name of another");
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
    was_free = previous == NULL || find(previous->value).id == 0;
    was_found = value == NULL || find(value->value).id == change->entity;
}

START_TEST(idx_01_a_string_is_found_in_the_call_that_reports_it)
{
    kin_group_subscribe(roster_aliases_group(roster), KIN_ADDED_OR_REMOVED, look_up, NULL);
    roster_entity one = called("one");
    ck_assert(was_found && was_free);
    roster_replace_alias(roster, one, (Alias){"another, and a long one at that"});
    ck_assert(was_found && was_free);
    roster_destroy_entity(roster, one);
    ck_assert(was_found && was_free);
}
END_TEST

START_TEST(ctx_07_strings_are_forgotten_by_a_reset)
{
    called("bob");
    of_clan("owls");
    ck_assert_uint_eq(clan_count("owls"), 1);
    ck_assert_int_eq(roster_context_reset(roster), KIN_OK);
    ck_assert_entity(find("bob"), ROSTER_NO_ENTITY);
    ck_assert_uint_eq(clan_count("owls"), 0);
    roster_entity again = called("bob");
    ck_assert_entity(find("bob"), again);
}
END_TEST

START_TEST(dsp_12_lookups_and_removals_of_strings_need_no_memory)
{
    enum { COUNT = 600 };
    roster_entity entities[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        entities[i] = called(text_of(i, 'a'));
        roster_set_away(roster, entities[i], true);
        roster_add_stain(roster, entities[i], (Stain){(float)(i % 7), text_of(i % 50, 'b')});
        roster_add_clan(roster, entities[i], (Clan){text_of(i % 3, 'c'), 0});
    }
    ck_assert_uint_eq(clan_count(text_of(2, 'c')), 200);
    guard_fail(&memory, 1, true);
    for (uint32_t i = 0; i < COUNT; i++) {
        ck_assert_entity(find(text_of(i, 'a')), entities[i]);
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
    victim = called("the old name");
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
        ck_assert_entity(find("the old name"), victim);
        ck_assert_entity(find("the new name"), ROSTER_NO_ENTITY);
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
        of_clan(name);
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
    ck_assert_uint_eq(clan_count(name), _i % 2 == 0 ? 0 : 50);
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
    return memcpy(texts[number], text_of(length, (char)('a' + number / 6)), length + 1);
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
    ck_assert_uint_eq(find(name).id, named);
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

Suite *runtime_index_string_suite(void)
{
    Suite *suite = suite_create("runtime_index_string");
    TCase *rules = tcase_create("rules");
    tcase_set_timeout(rules, 60);
    tcase_add_checked_fixture(rules, begin, end);
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
    tcase_add_test(rules, idx_06_a_multi_index_keeps_the_key_whichever_entity_leaves);
    tcase_add_test(rules, cpy_02_a_clone_has_the_multi_string_and_not_the_primary_one);
    tcase_add_test(rules, cpy_03_a_source_with_null_in_its_custom_key_can_be_cloned);
    tcase_add_test(rules, cpy_01_a_listener_may_end_the_strings_that_are_cloned);
    tcase_add_test(rules, uni_a_unique_string_is_found_also_when_a_listener_ends_the_one_that_was_given);
    tcase_add_test(rules, idx_01_a_string_is_found_in_the_call_that_reports_it);
    tcase_add_test(rules, ctx_07_strings_are_forgotten_by_a_reset);
    tcase_add_test(rules, dsp_12_lookups_and_removals_of_strings_need_no_memory);
    tcase_add_loop_test(rules, no_memory_at_any_request_changes_nothing, 0, ATTEMPTS);
    tcase_add_loop_test(rules, no_memory_for_an_array_of_a_string_gives_none, 0, 3);
    tcase_add_loop_test(rules, at_random_strings_are_found_like_by_a_search, 0, 4);
    suite_add_tcase(suite, rules);
    return suite;
}
