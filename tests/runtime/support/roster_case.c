#include "roster_case.h"

#include <string.h>

roster_context *roster;

void roster_begin(void)
{
    kin_context_options options = case_options(&(kin_context_options){.hash_seed = ROSTER_SEED});
    roster = roster_context_create(&options);
    ck_assert_ptr_nonnull(roster);
}

void roster_end(void)
{
    case_check(&roster->base);
    roster_context_destroy(roster);
    guard_end(&memory);
}

roster_entity roster_entity_named(const char *name)
{
    roster_entity made = roster_create_entity(roster);
    ck_assert_int_eq(roster_add_alias(roster, made, (Alias){name}), KIN_OK);
    return made;
}

roster_entity roster_entity_of_clan(const char *name)
{
    roster_entity made = roster_create_entity(roster);
    ck_assert_int_eq(roster_add_clan(roster, made, (Clan){name, 0}), KIN_OK);
    return made;
}

roster_entity roster_find_name(const char *name)
{
    return roster_entity_with_alias_value(roster, name);
}

uint32_t roster_clan_count(const char *name)
{
    uint32_t count;
    const roster_entity *entities = roster_entities_with_clan_name(roster, name, &count);
    ck_assert((entities == NULL) == (count == 0));
    return count;
}

const char *letters_of(size_t size, char last)
{
    static char text[100101];
    ck_assert_uint_lt(size, sizeof text);
    memset(text, 'x', size);
    text[size] = '\0';
    if (size > 0)
        text[size - 1] = last;
    return text;
}

Deed roster_deed_of(const char *title)
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
