#include "harness.h"

#include <math.h>
#include <string.h>

uint8_t take_byte(void)
{
    if (here->left == 0)
        return 0;
    here->left--;
    return *here->bytes++;
}

uint32_t take_below(uint32_t end)
{
    return take_byte() % end;
}

// ---- entities

// Mostly an entity that the harness has seen, sometimes an invented handle.
kin_entity take_handle(const handle_list *list)
{
    static const kin_entity odd[] = {0, 1, ~(kin_entity)0, (kin_entity)1 << 24 | 0xFFFFFF};
    uint8_t choice = take_byte();
    if (choice >= 252)
        return odd[choice - 252];
    if (choice >= 248) {
        kin_entity creation = take_below(32);
        return creation << 24 | take_below(32);
    }
    return list->handles[choice % HANDLES];
}

void keep_handle(handle_list *list, kin_entity entity)
{
    if (entity != 0)
        list->handles[list->count++ % HANDLES] = entity;
}

// ---- strings

#define TEN_X     "xxxxxxxxxx"
#define HUNDRED_X TEN_X TEN_X TEN_X TEN_X TEN_X TEN_X TEN_X TEN_X TEN_X TEN_X

static const char *const texts[] = {NULL,     "",     "a",    "abc",   "abcdefgh",    "abcdefghi",
                                    "ownstr", "same", "lone", "text",  HUNDRED_X "1", HUNDRED_X "2",
                                    "dflt",   "abc2", "far",  "single"};

enum { TEXT_COUNT = sizeof texts / sizeof *texts };

const char *text_at(uint32_t place)
{
    return texts[place % TEXT_COUNT];
}

const char *take_text(void)
{
    return text_at(take_byte());
}

const char *take_short_text(void)
{
    const char *text = take_text();
    if (text == NULL || here->text_count == TEXTS)
        return text;
    char *copy = strdup(text);
    CHECK(copy != NULL);
    here->texts[here->text_count++] = copy;
    return copy;
}

void release_texts(uint32_t from)
{
    while (here->text_count > from)
        free(here->texts[--here->text_count]);
}

// Compares, and so reads the string up to its end.
bool text_is_known(const char *text)
{
    if (text == NULL)
        return true;
    for (uint32_t i = 1; i < TEXT_COUNT; i++)
        if (strcmp(texts[i], text) == 0)
            return true;
    return false;
}

// ---- numbers

double take_seconds(void)
{
    static const double seconds[] = {0,        0.1,       0.25,  0.5,    1,   -1,  0.05, (double)NAN,
                                     INFINITY, -INFINITY, 1e300, 1e-300, 3.7, 0.1, 0.3,  1e18};
    return seconds[take_below(16)];
}

// ---- matchers and groups

enum { EMPTY_RULE = 249, LONG_RULE = 248, ODD_KINDS = 250, EMPTY_MATCHER = 254, LONG_MATCHER = 255 };
enum { ODD_ID = 255, FIRST_COMPONENTS = 22, FIRST_ADDED = 240 };

// The components of the first inputs and one id that the context does not have; the high bytes select those that were
// added to the schema since, whose names are the last.
kin_component_id take_component(void)
{
    uint8_t id = take_byte();
    if (id == ODD_ID)
        return UINT16_MAX;
    if (id >= FIRST_ADDED)
        return (kin_component_id)(FIRST_COMPONENTS + id % (GAME_COMPONENT_COUNT - FIRST_COMPONENTS));
    uint32_t first = id % (FIRST_COMPONENTS + 1);
    return (kin_component_id)(first < FIRST_COMPONENTS ? first : GAME_COMPONENT_COUNT);
}

static void take_rule(kin_rule *rule)
{
    uint8_t choice = take_byte();
    rule->kind = (uint16_t)(choice >= ODD_KINDS ? choice - ODD_KINDS + 5 : 1 + choice % 4);
    rule->count = (uint16_t)(choice == EMPTY_RULE ? 0 : 1 + choice / 8 % 4);
    for (uint32_t i = 0; i < rule->count; i++)
        rule->ids[i] = take_component();
    if (choice == LONG_RULE)
        rule->count = KIN_RULE_MAX_IDS + 1;
}

kin_matcher take_matcher(void)
{
    kin_matcher matcher;
    memset(&matcher, 0, sizeof matcher);
    uint8_t choice = take_byte();
    matcher.count = 1 + choice % 4;
    for (uint32_t i = 0; i < matcher.count; i++)
        take_rule(&matcher.rules[i]);
    if (choice == EMPTY_MATCHER)
        matcher.count = 0;
    if (choice == LONG_MATCHER)
        matcher.count = KIN_MATCHER_MAX_RULES + 1;
    return matcher;
}

static kin_group *declared_group(uint32_t number, const place *at)
{
    uint32_t game_count = game_info.group_count, other_count = other_info.group_count;
    if (number >= game_count)
        return at->other != NULL ? at->other->base.groups[(number - game_count) % other_count] : NULL;
    return at->game != NULL ? at->game->base.groups[number] : NULL;
}

kin_group *take_group(void)
{
    uint8_t choice = take_byte();
    uint32_t package = choice % PACKAGES, number = choice / PACKAGES;
    place at = {package, game_of(package), other_of(package)};
    if (number < (uint32_t)game_info.group_count + other_info.group_count)
        return declared_group(number, &at);
    return here->groups[number % GROUPS].group;
}

static kin_context *owner_of_declared(kin_context *context, const kin_group *group)
{
    for (uint32_t i = 0; i < context->info->group_count; i++)
        if (context->groups[i] == group)
            return context;
    return NULL;
}

kin_context *context_of_group(const kin_group *group)
{
    kin_context *owner = NULL;
    for (uint32_t i = 0; i < PACKAGES && owner == NULL; i++) {
        if (game_of(i) != NULL)
            owner = owner_of_declared(&game_of(i)->base, group);
        if (owner == NULL && other_of(i) != NULL)
            owner = owner_of_declared(&other_of(i)->base, group);
    }
    for (uint32_t i = 0; i < GROUPS && owner == NULL; i++)
        if (here->groups[i].group == group)
            owner = here->groups[i].context;
    return owner;
}
