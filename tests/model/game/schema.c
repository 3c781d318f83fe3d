#include "schema.h"

#include "model/real/port.h"

#include <string.h>

const model_trait model_traits[MODEL_PARTS] = {
    [PART_ALARM] = {.name = "Alarm", .is_flag = true, .is_cloned = true},
    [PART_BIG] = {.name = "Big", .is_editable = true, .is_cloned = true},
    [PART_BIG005] = {.name = "Big005", .is_flag = true, .is_cloned = true},
    [PART_BOOK] = {.name = "Book", .is_touchable = true, .is_cloned = true},
    [PART_CELL] = {.name = "Cell", .is_cloned = true},
    [PART_COIN] = {.name = "Coin", .is_touchable = true},
    [PART_CROWN] = {.name = "Crown", .is_unique = true, .is_editable = true},
    [PART_DIM] = {.name = "Dim", .is_flag = true, .is_cloned = true},
    [PART_DOOMED] = {.name = "Doomed", .is_flag = true, .is_cloned = true, .cleanup = CLEANUP_DESTROYS},
    [PART_FADING] = {.name = "Fading", .is_editable = true, .is_cloned = true, .cleanup = CLEANUP_REMOVES},
    [PART_FLOOR] = {.name = "Floor", .is_touchable = true, .is_cloned = true},
    [PART_FLOOR006] = {.name = "Floor006", .is_flag = true, .is_cloned = true},
    [PART_GONE] = {.name = "Gone", .is_flag = true, .is_cloned = true},
    [PART_KING] = {.name = "King", .is_flag = true, .is_unique = true},
    [PART_KING001] = {.name = "King001", .is_flag = true, .is_cloned = true},
    [PART_LINK] = {.name = "Link", .is_touchable = true, .is_cloned = true},
    [PART_LINK004] = {.name = "Link004", .is_flag = true, .is_cloned = true},
    [PART_NAME] = {.name = "Name", .is_touchable = true},
    [PART_PLAIN] = {.name = "Plain", .is_editable = true, .is_cloned = true, .standard = 77},
    [PART_RANK] = {.name = "Rank", .is_touchable = true},
    [PART_TEAM] = {.name = "Team", .is_touchable = true, .is_cloned = true},
    [PART_TURN] = {.name = "Turn", .is_editable = true, .is_cloned = true},
    [PART_ZONE] = {.name = "Zone", .is_flag = true, .is_cloned = true},
};

// ---- matchers

#define B(part) ((uint32_t)1 << PART_##part)

static const model_matcher matchers[] = {
    {2, {{KIN_RULE_ANY, B(TEAM) | B(RANK) | B(CELL)}, {KIN_RULE_ANY, B(PLAIN) | B(ZONE)}}}, // crowds
    {2, {{KIN_RULE_ALL, B(BIG) | B(PLAIN)}, {KIN_RULE_NONE, B(GONE)}}},                     // movers
    {1, {{KIN_RULE_NONE, B(PLAIN)}}},                                                       // quiet
    {1, {{KIN_RULE_ALL, B(CELL) | B(TURN)}}},                                               // turning
    {1, {{KIN_RULE_ALL, B(PLAIN)}}},
    {1, {{KIN_RULE_ANY, B(ALARM) | B(ZONE)}}},
    {2, {{KIN_RULE_ALL, B(PLAIN) | B(TURN)}, {KIN_RULE_NONE, B(ZONE)}}},
    {1, {{KIN_RULE_ONLY, B(PLAIN) | B(ALARM)}}},
    {1, {{KIN_RULE_ONLY, B(ZONE)}}},
    {2, {{KIN_RULE_ONLY, B(PLAIN)}, {KIN_RULE_ONLY, B(BIG)}}},
    {2, {{KIN_RULE_ALL, B(CELL)}, {KIN_RULE_ANY, B(FLOOR) | B(TEAM)}}},
    {1, {{KIN_RULE_ALL, B(COIN)}}},
    {2, {{KIN_RULE_ALL, B(BOOK)}, {KIN_RULE_NONE, B(DIM) | B(DOOMED)}}},
    {1, {{KIN_RULE_ANY, B(CROWN) | B(KING)}}},
    {3, {{KIN_RULE_ANY, B(BIG) | B(LINK)}, {KIN_RULE_ANY, B(NAME) | B(FADING)}, {KIN_RULE_NONE, B(KING)}}},
    {2, {{KIN_RULE_ALL, B(NAME)}, {KIN_RULE_ALL, B(RANK)}}},
    {1, {{KIN_RULE_NONE, B(GONE)}}},
    {1, {{KIN_RULE_ALL, B(ZONE)}}},
    {1, {{KIN_RULE_ALL, B(BOOK)}}},
    {1, {{KIN_RULE_ALL, B(CROWN)}}},
    {1, {{KIN_RULE_ONLY, B(BIG005) | B(KING001)}}},
    {2, {{KIN_RULE_ANY, B(FLOOR006) | B(LINK004)}, {KIN_RULE_NONE, B(BIG005) | B(KING001)}}},
};

static const model_matcher single_matchers[] = {
    {1, {{KIN_RULE_ALL, B(PLAIN)}}},
    {1, {{KIN_RULE_ANY, B(PLAIN)}}},
    {1, {{KIN_RULE_NONE, B(PLAIN)}}},
    {1, {{KIN_RULE_ONLY, B(PLAIN)}}},
    {2, {{KIN_RULE_ALL, B(PLAIN)}, {KIN_RULE_NONE, B(PLAIN)}}},
    {2, {{KIN_RULE_ALL, B(PLAIN)}, {KIN_RULE_ANY, B(PLAIN)}}},
};

static bool rule_holds(const model_rule *rule, uint32_t parts)
{
    switch (rule->kind) {
    case KIN_RULE_ALL:
        return (parts & rule->parts) == rule->parts;
    case KIN_RULE_ANY:
        return (parts & rule->parts) != 0;
    case KIN_RULE_NONE:
        return (parts & rule->parts) == 0;
    case KIN_RULE_ONLY:
        return parts == rule->parts;
    }
    return false;
}

// MAT-01.
bool model_matches(const model_matcher *matcher, uint32_t parts)
{
    for (uint32_t i = 0; i < matcher->count; i++)
        if (!rule_holds(&matcher->rules[i], parts))
            return false;
    return true;
}

bool model_names_part(const model_matcher *matcher, int32_t part)
{
    for (uint32_t i = 0; i < matcher->count; i++)
        if (matcher->rules[i].kind != KIN_RULE_NONE && (matcher->rules[i].parts & model_bit(part)) != 0)
            return true;
    return false;
}

void model_leave_out(const model_package *package, model_matcher *matcher)
{
    model_rule *none = NULL;
    for (uint32_t i = 0; i < matcher->count; i++) {
        model_rule *rule = &matcher->rules[i];
        if (package->off < 0 || rule->kind == KIN_RULE_ONLY || (rule->parts & model_bit(package->off)) != 0)
            return;
        if (rule->kind == KIN_RULE_NONE)
            none = rule;
    }
    if (package->off < 0)
        return;
    if (none == NULL) {
        none = &matcher->rules[matcher->count++];
        *none = (model_rule){KIN_RULE_NONE, 0};
    }
    none->parts |= model_bit(package->off);
}

// ---- indices

const model_index_trait model_indices[MODEL_INDICES] = {
    [INDEX_BOOK] = {.all = B(BOOK), .key = {PART_BOOK, -1}, .ends = {10, 1}},
    [INDEX_CELL] = {.is_primary = true,
                    .is_custom = true,
                    .all = B(CELL) | B(FLOOR) | B(PLAIN),
                    .none = B(GONE) | B(KING) | B(FADING),
                    .key = {PART_CELL, PART_FLOOR},
                    .ends = {15, 2}},
    [INDEX_CLAIM] = {.is_primary = true,
                     .is_custom = true,
                     .gives = true,
                     .all = B(BIG),
                     .none = B(GONE),
                     .key = {PART_BIG, -1},
                     .ends = {31, 1}},
    [INDEX_LINK] = {.all = B(LINK), .key = {PART_LINK, -1}, .ends = {6, 1}},
    [INDEX_NAME] = {.is_primary = true, .all = B(NAME), .key = {PART_NAME, -1}, .ends = {24, 1}},
    [INDEX_NEAR] = {.is_custom = true,
                    .gives = true,
                    .all = B(PLAIN) | B(LINK),
                    .none = B(DIM),
                    .key = {PART_PLAIN, PART_LINK},
                    .ends = {9, 1}},
    [INDEX_RANK] = {.is_primary = true, .all = B(RANK), .key = {PART_RANK, -1}, .ends = {12, 1}},
    [INDEX_SPOT] =
        {.is_custom = true, .all = B(CELL) | B(TEAM), .none = B(DIM), .key = {PART_CELL, PART_TEAM}, .ends = {5, 4}},
    [INDEX_TEAM] = {.all = B(TEAM), .key = {PART_TEAM, -1}, .ends = {4, 1}},
};

uint32_t model_give(model_index index, int32_t first, int32_t second, int64_t keys[MODEL_KEYS])
{
    bool is_near = index == INDEX_NEAR;
    keys[0] = is_near ? (first + second) % 9 : first % 24;
    keys[1] = is_near ? (5 * first + second) % 9 : 24 + first % 7;
    return is_near ? (uint32_t)first % 3 : first % 4 == 0 ? 2 : 0;
}

int64_t model_key(model_index index, int32_t first, int32_t second)
{
    const model_index_trait *trait = &model_indices[index];
    int64_t key = first % trait->ends[0] + (trait->key[1] < 0 ? 0 : second % trait->ends[1] * 1000);
    if (index == INDEX_BOOK && key % 5 == 0)
        return MODEL_NO_KEY; // NULL (IDX-07)
    if (index == INDEX_RANK && key == 0)
        return MODEL_NAN_KEY;
    return index == INDEX_RANK && key == 1 ? 2 : key; // -0 and 0 (IDX-08)
}

// ---- events

const model_event_trait model_events[MODEL_EVENTS] = {
    {PART_BOOK, false, true},  {PART_ZONE, true, true},   {PART_CROWN, true, true},  {PART_PLAIN, false, false},
    {PART_ZONE, true, false},  {PART_BOOK, true, false},  {PART_COIN, true, true},   {PART_CROWN, false, false},
    {PART_PLAIN, true, false}, {PART_PLAIN, true, true},  {PART_ZONE, false, false}, {PART_BOOK, true, true},
    {PART_COIN, true, false},  {PART_PLAIN, false, true},
};

int32_t model_event_matcher(const model_package *package, int32_t event)
{
    model_matcher wanted = {1, {{KIN_RULE_ALL, model_bit(model_events[event].part)}}};
    int32_t number = 0;
    model_leave_out(package, &wanted);
    while (memcmp(&package->matchers[number], &wanted, sizeof wanted) != 0)
        number++;
    return number;
}

// ---- blueprints

static const model_blueprint blueprints[MODEL_BLUEPRINTS] = {
    {B(BIG) | B(BOOK) | B(CELL) | B(TURN),
     PART_BIG,
     {[PART_BIG] = 2, [PART_BOOK] = 1, [PART_CELL] = 7, [PART_TURN] = 11}},
    {B(CELL) | B(GONE) | B(TURN), PART_CELL, {[PART_CELL] = 8, [PART_TURN] = 12}},
    {B(ALARM) | B(KING001) | B(TURN) | B(ZONE), PART_TURN, {[PART_TURN] = 13}},
    {B(LINK) | B(NAME) | B(TEAM), PART_NAME, {[PART_LINK] = 6, [PART_NAME] = 2, [PART_TEAM] = 1}},
    {B(RANK) | B(TEAM), PART_RANK, {[PART_RANK] = 3, [PART_TEAM] = 4}},
    {B(CROWN) | B(DIM) | B(PLAIN), PART_PLAIN, {[PART_CROWN] = 4, [PART_PLAIN] = 77}},
    {B(CELL) | B(FLOOR) | B(PLAIN), PART_CELL, {[PART_CELL] = 9, [PART_FLOOR] = 3, [PART_PLAIN] = 5}},
};

static const model_blueprint single_blueprint = {B(PLAIN), PART_PLAIN, {[PART_PLAIN] = 5}};

// ---- packages

#define ALL_PARTS ((1u << MODEL_PARTS) - 1)
#define PACKAGE(number, off)                                                                                           \
    {                                                                                                                  \
        "model" #number, ALL_PARTS, off, matchers, sizeof matchers / sizeof *matchers, MODEL_DECLARED, MODEL_INDICES,  \
            blueprints, MODEL_BLUEPRINTS, &model_port_##number                                                         \
    }

const model_package model_packages[MODEL_PACKAGES] = {
    {"model1", B(PLAIN), -1, single_matchers, sizeof single_matchers / sizeof *single_matchers, 1, 0, &single_blueprint,
     1, &model_port_1},
    PACKAGE(63, -1),
    PACKAGE(64, -1),
    PACKAGE(65, PART_DIM),
    PACKAGE(300, -1),
};
