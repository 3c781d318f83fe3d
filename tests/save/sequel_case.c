#include "sequel_case.h"

#include "past_make.h"

#include <sequel/sequel.h>
#include <sequel/sequel_save.h>

#include <check.h>
#include <stdio.h>
#include <string.h>

char sequel_case_called[8192];
uint32_t sequel_case_version;
void *sequel_case_user;
bool sequel_case_refuses, sequel_case_gives_wrong_list;
kin_entity sequel_case_foster;

static void note_call(const kin_record *record, char letter)
{
    size_t length = strlen(sequel_case_called);
    if (length + 1 < sizeof sequel_case_called)
        sequel_case_called[length] = letter;
    sequel_case_version = kin_record_version(record);
    sequel_case_user = kin_record_user(record);
}

bool child_of_migrate(ChildOf *value, const kin_record *record)
{
    kin_entity parent = 0;
    note_call(record, 'C');
    if (!kin_record_entity(record, "ChildOf.parent", &parent) && sequel_case_foster == 0)
        return false;
    value->parent.id = parent == 0 ? sequel_case_foster : parent;
    value->since = 7;
    return value->parent.id != 0;
}

bool crown_migrate(Crown *value, const kin_record *record)
{
    (void)value;
    note_call(record, '!');
    return false;
}

bool grid_migrate(Grid *value, const kin_record *record)
{
    double x = 0;
    int64_t cell = 0;
    note_call(record, 'G');
    if (!kin_record_number(record, "Grid.spots.x[1]", &x) || !kin_record_integer(record, "Grid.cells[3]", &cell))
        return false;
    ck_assert(!kin_record_number(record, "Grid.spots.x[2]", &x) && !kin_record_integer(record, "Grid.cells[4]", &cell));
    value->spots[0].x = (float)x;
    value->cells[0] = (int32_t)cell;
    return true;
}

bool look_migrate(Look *value, const kin_record *record)
{
    double size;
    note_call(record, 'L');
    if (!kin_record_number(record, "Look.size", &size))
        return false;
    value->size = (int32_t)(10 * size);
    return true;
}

// Keeps what is not over 99.
bool memo_migrate(Memo *value, const kin_record *record)
{
    static char text[16];
    int64_t number;
    note_call(record, 'M');
    if (!kin_record_integer(record, "Memo.number", &number) || number > 99)
        return false;
    snprintf(text, sizeof text, "memo %d", (int)number);
    value->text = text;
    return true;
}

// Gives strings in memory that the next call writes to.
bool name_migrate(Name *value, const kin_record *record)
{
    static char text[64];
    const char *before = NULL;
    note_call(record, 'N');
    if (!kin_record_text(record, "Name.value", &before) || before == NULL)
        return false;
    ck_assert_str_eq(value->value, before);
    snprintf(text, sizeof text, "the %s", before);
    value->value = text;
    value->length = (uint32_t)strlen(text);
    return true;
}

bool pace_migrate(Pace *value, const kin_record *record)
{
    double x, y;
    note_call(record, 'S');
    if (!kin_record_has(record, "Speed"))
        return false;
    ck_assert(value->v == 0);
    ck_assert(kin_record_number(record, "Speed.v.x", &x) && kin_record_number(record, "Speed.v.y", &y));
    value->v = (float)(x + y);
    return true;
}

bool path_migrate(Path *value, const kin_record *record)
{
    static Spot stops[8];
    char path[32];
    const char *side = NULL;
    uint32_t count = 0;
    double x;
    note_call(record, 'P');
    if (!kin_record_has(record, "Path"))
        return false;
    for (; snprintf(path, sizeof path, "Path.stops.x[%u]", count), kin_record_number(record, path, &x); count++)
        stops[count] = (Spot){(float)x * 2, 0};
    ck_assert(kin_record_text(record, "Path.sides", &side) == (count > 0));
    ck_assert(side == NULL || strcmp(side, "Red") == 0);
    stops[count] = (Spot){-1, -1};
    value->stops.at = sequel_case_gives_wrong_list ? NULL : stops;
    value->stops.count = count + 1;
    return true;
}

bool place_migrate(Place *value, const kin_record *record)
{
    int64_t cell;
    note_call(record, 'W');
    if (!kin_record_integer(record, "Place.cell", &cell))
        return false;
    ck_assert_int_eq(value->cell, cell < 128 ? (int)cell : 3);
    value->cell = (int8_t)(cell < 128 ? cell : 127);
    return true;
}

bool plate_migrate(Plate *value, const kin_record *record)
{
    int64_t points;
    note_call(record, 'H');
    ck_assert_int_eq(value->points, 0);
    if (!kin_record_integer(record, "Health.armor", &points) || points == 0)
        return false;
    value->points = (int32_t)points;
    return true;
}

bool team_migrate(Team *value, const kin_record *record)
{
    const char *side = NULL;
    int64_t number, ready;
    note_call(record, 'T');
    if (!kin_record_text(record, "Team.side", &side) || !kin_record_integer(record, "Team.side", &number) ||
        !kin_record_integer(record, "Team.ready", &ready))
        return false;
    ck_assert_int_eq(value->ready, ready);
    snprintf(value->side, sizeof value->side, "%s %d", side, (int)number);
    return true;
}

bool wide_migrate(Wide *value, const kin_record *record)
{
    int64_t big;
    note_call(record, 'B');
    if (!kin_record_integer(record, "Wide.big", &big))
        return false;
    value->big = big > INT32_MAX ? INT32_MAX : (int32_t)big;
    return true;
}

bool worn_migrate(Worn *value, const kin_record *record)
{
    note_call(record, 'O');
    return value->badge.number != NULL && kin_record_has(record, "Worn") && !sequel_case_refuses;
}

// The function of veteran.yaml, which no suite reads files with.
struct Armor;
bool armor_migrate(struct Armor *value, const kin_record *record);
bool armor_migrate(struct Armor *value, const kin_record *record)
{
    return value != NULL && kin_record_has(record, "Armor");
}
