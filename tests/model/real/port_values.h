// Included once by the port of each package that has all parts, before port_define.inc: the values of tags, and
// the lists of its contents. Without an include guard: every package has its own types.
//
// `make` and `read` are inverse functions; `read` returns MODEL_BROKEN for a value that is torn or freed.
#include "model/token.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BROKEN = INT32_MIN + 1 };

// A value of which only the tag counts, or that owns nothing.
#define TAGGED(Type, name, ...)                                                                                        \
    static Type make_##name(int32_t tag)                                                                               \
    {                                                                                                                  \
        return (Type)__VA_ARGS__;                                                                                      \
    }                                                                                                                  \
    static void end_##name(const Type *value)                                                                          \
    {                                                                                                                  \
        (void)value;                                                                                                   \
    }
#define TAG_OF(Type, name, member)                                                                                     \
    static int32_t tag_of_##name(const Type *value)                                                                    \
    {                                                                                                                  \
        return value->member;                                                                                          \
    }
#define READ(Type, name, is_whole)                                                                                     \
    TAG_OF(Type, name, tag)                                                                                            \
    static int32_t read_##name(const Type *value)                                                                      \
    {                                                                                                                  \
        int32_t tag = value->tag;                                                                                      \
        return (is_whole) ? tag : BROKEN;                                                                              \
    }

static Big make_big(int32_t tag)
{
    Big big;
    for (int i = 0; i < 40; i++)
        big.values[i] = tag + i * i;
    return big;
}

static void end_big(const Big *value)
{
    (void)value;
}

TAG_OF(Big, big, values[0])
static int32_t read_big(const Big *value)
{
    Big whole = make_big(value->values[0]);
    return memcmp(&whole, value, sizeof whole) == 0 ? value->values[0] : BROKEN;
}

// One in five tags has no title; the titles of the others have different lengths.
static const char *title_of(int32_t tag)
{
    static char text[96];
    if (tag % 5 == 0)
        return NULL;
    snprintf(text, sizeof text, "%*d", tag % 10 * 9, tag % 10);
    return text;
}

static bool is_title(const char *title, int32_t tag)
{
    const char *wanted = title_of(tag);
    return wanted == NULL || title == NULL ? wanted == title : title != wanted && strcmp(title, wanted) == 0;
}

TAGGED(Book, book, {.title = title_of(tag), .tag = tag})
READ(Book, book, is_title(value->title, tag))

TAGGED(Cell, cell, {.x = tag % 5 - 2, .y = (int8_t)(tag / 5 % 3), .tag = tag})
READ(Cell, cell, value->x == tag % 5 - 2 && value->y == tag / 5 % 3)

static Coin make_coin(int32_t tag)
{
    return (Coin){model_token_make(tag), tag};
}

static void end_coin(const Coin *value)
{
    model_token_drop(value->token);
}

READ(Coin, coin, model_token_is_there(value->token) && value->token.tag == tag)

TAGGED(Crown, crown, {.tag = tag, .twice = 2 * (int64_t)tag})
READ(Crown, crown, value->twice == 2 * (int64_t)tag)

TAGGED(Fading, fading, {.tag = tag})
READ(Fading, fading, true)

TAGGED(Floor, floor, {.z = (int16_t)(tag % 2), .tag = tag})
READ(Floor, floor, value->z == tag % 2)

static kin_entity target_of(int32_t tag)
{
    return (kin_entity)(tag % 6) << 24 | (kin_entity)(tag % 6);
}

TAGGED(Link, link, {.target = target_of(tag), .tag = tag})
READ(Link, link, value->target == target_of(tag))

static Name make_name(int32_t tag)
{
    Name name = {.tag = tag};
    snprintf(name.value, sizeof name.value, "%*d", 1 + tag % 24 / 2, tag % 24);
    return name;
}

static void end_name(const Name *value)
{
    (void)value;
}

READ(Name, name, strcmp(value->value, make_name(tag).value) == 0)

TAGGED(Plain, plain, {.tag = tag})
READ(Plain, plain, true)

// NaN, -0, 0, and other numbers.
static double number_of(int32_t tag)
{
    int32_t number = tag % 12;
    return number == 0 ? (double)NAN : number == 1 ? -0.0 : number == 2 ? 0.0 : number * 0.5;
}

TAGGED(Rank, rank, {.number = number_of(tag), .tag = tag})
READ(Rank, rank, value->number == number_of(tag))

static Side side_of(int32_t tag)
{
    static const Side sides[] = {SIDE_RED, SIDE_BLUE, SIDE_GREEN, SIDE_BLACK};
    return sides[tag % 4];
}

TAGGED(Team, team, {.side = side_of(tag), .tag = tag})
READ(Team, team, value->side == side_of(tag))

TAGGED(Turn, turn, {.tag = (int16_t)tag})
READ(Turn, turn, true)

#define COMPONENTS(VALUE, FIXED, SCATTERED, FLAG, UNIQUE, UNIQUE_FLAG)                                                 \
    FLAG(ALARM, alarm, is)                                                                                             \
    VALUE(BIG, Big, big)                                                                                               \
    FLAG(BIG005, big005, is)                                                                                           \
    FIXED(BOOK, Book, book)                                                                                            \
    SCATTERED(CELL, Cell, cell)                                                                                        \
    FIXED(COIN, Coin, coin)                                                                                            \
    UNIQUE(CROWN, Crown, crown)                                                                                        \
    FLAG(DIM, dim, can)                                                                                                \
    FLAG(DOOMED, doomed, is)                                                                                           \
    VALUE(FADING, Fading, fading)                                                                                      \
    FIXED(FLOOR, Floor, floor)                                                                                         \
    FLAG(FLOOR006, floor006, is)                                                                                       \
    FLAG(GONE, gone, is)                                                                                               \
    UNIQUE_FLAG(KING, king)                                                                                            \
    FLAG(KING001, king001, is)                                                                                         \
    FIXED(LINK, Link, link)                                                                                            \
    FLAG(LINK004, link004, is)                                                                                         \
    FIXED(NAME, Name, name)                                                                                            \
    VALUE(PLAIN, Plain, plain)                                                                                         \
    FIXED(RANK, Rank, rank)                                                                                            \
    FIXED(TEAM, Team, team)                                                                                            \
    VALUE(TURN, Turn, turn)                                                                                            \
    FLAG(ZONE, zone, is)

#define NO_TAG(it, i)       0
#define TAG_OF_MOVER(it, i) (read_big((it).big[i]) == BROKEN ? BROKEN : read_plain(&(it).plain[i]))
#define CELL_AT(it, i)                                                                                                 \
    (Cell)                                                                                                             \
    {                                                                                                                  \
        .x = (it).cell.x[i], .y = (it).cell.y[i], .tag = (it).cell.tag[i]                                              \
    }
#define TAG_OF_TURNING(it, i) (read_cell(&CELL_AT(it, i)) == BROKEN ? BROKEN : read_turn(&(it).turn[i]))
#define GROUPS(GROUP)                                                                                                  \
    GROUP(0, crowds, NO_TAG)                                                                                           \
    GROUP(1, movers, TAG_OF_MOVER) GROUP(2, quiet, NO_TAG) GROUP(3, turning, TAG_OF_TURNING)

#define EVENTS(EVENT, FLAG_EVENT)                                                                                      \
    EVENT(0, Book, book_removed)                                                                                       \
    FLAG_EVENT(1, any_zone_removed)                                                                                    \
    EVENT(2, Crown, any_crown_removed)                                                                                 \
    EVENT(3, Plain, plain)                                                                                             \
    FLAG_EVENT(4, any_zone)                                                                                            \
    EVENT(5, Book, any_book)                                                                                           \
    EVENT(6, Coin, any_coin_removed)                                                                                   \
    EVENT(7, Crown, crown)                                                                                             \
    EVENT(8, Plain, any_plain)                                                                                         \
    EVENT(9, Plain, any_plain_removed)                                                                                 \
    FLAG_EVENT(10, zone)                                                                                               \
    EVENT(11, Book, any_book_removed)                                                                                  \
    EVENT(12, Coin, any_coin)                                                                                          \
    EVENT(13, Plain, plain_removed)

#define BLUEPRINTS(BLUEPRINT)                                                                                          \
    BLUEPRINT(0, band, Big, big)                                                                                       \
    BLUEPRINT(1, flake, Cell, cell)                                                                                    \
    BLUEPRINT(2, grain, Turn, turn)                                                                                    \
    BLUEPRINT(3, keyed, Name, name)                                                                                    \
    BLUEPRINT(4, rated, Rank, rank)                                                                                    \
    BLUEPRINT(5, ruler, Plain, plain)                                                                                  \
    BLUEPRINT(6, spot, Cell, cell)
