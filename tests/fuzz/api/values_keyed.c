// Components with keys: few different keys, so that they collide often.
#include "values.h"

#include <math.h>
#include <string.h>

#define NOTHING_TO_DROP(TYPE, NAME, ID)                                                                                \
    void drop_##NAME(const TYPE *value)                                                                                \
    {                                                                                                                  \
        (void)value;                                                                                                   \
    }
COMPONENTS_KEYED(NOTHING_TO_DROP)

Cell make_cell(void)
{
    uint8_t choice = take_byte();
    return (Cell){(int8_t)(choice & 3), (int8_t)(choice >> 2 & 3)};
}

void check_cell(const Cell *value)
{
    CHECK(value->x >= 0 && value->x < 4 && value->y >= 0 && value->y < 4);
}

Name make_name(void)
{
    const char *value = take_short_text();
    return (Name){value, take_short_text()};
}

void check_name(const Name *value)
{
    CHECK(text_is_known(value->value) && text_is_known(value->rest));
}

enum { LABEL_SIZE = 10, BRIEF_SIZE = 4, STRIP_SIZE = 6 };

// Sometimes with garbage after the end of the string, which is not part of the key.
Tag make_tag(void)
{
    static const char *const labels[] = {"", "lab", "123456789", "x", "abcdefgh"};
    static const char *const briefs[] = {"", "a", "ab", "abc", "abd", "z"};
    Tag value;
    memset(&value, 0, sizeof value);
    value.text = take_short_text();
    uint8_t choice = take_byte();
    snprintf(value.label, LABEL_SIZE, "%s", labels[choice % 5]);
    size_t end = strlen(value.label) + 1;
    if ((choice & 64) != 0 && end < LABEL_SIZE)
        memset(value.label + end, 0xEE, LABEL_SIZE - end);
    snprintf(value.brief, BRIEF_SIZE, "%s", briefs[choice / 8 % 6]);
    return value;
}

void check_tag(const Tag *value)
{
    CHECK(text_is_known(value->text));
    CHECK(memchr(value->label, '\0', LABEL_SIZE) != NULL && memchr(value->brief, '\0', BRIEF_SIZE) != NULL);
}

Number make_number(void)
{
    uint8_t choice = take_byte();
    return (Number){(int8_t)(choice & 3), choice >> 2 & 15};
}

void check_number(const Number *value)
{
    CHECK(value->m >= 0 && value->m < 4 && value->p < 16);
}

Real make_real(void)
{
    static const double numbers[] = {0, -0.0, 1, 2, (double)NAN, INFINITY, -INFINITY, 1e-45, 0.1, -1};
    uint8_t choice = take_byte();
    return (Real){(float)numbers[choice % 10], numbers[choice / 10 % 10]};
}

// A key that is NaN is refused.
void check_real(const Real *value)
{
    CHECK(!isnan(value->f) && !isnan(value->d));
}

Sole make_sole(void)
{
    uint32_t place = take_below(16);
    return (Sole){place, text_at(place)};
}

void check_sole(const Sole *value)
{
    CHECK(text_is_known(value->text));
    if (value->value == 5 && value->text != NULL && strcmp(value->text, "single") == 0) // a blueprint's
        return;
    const char *text = text_at((uint32_t)value->value);
    CHECK((text == NULL) == (value->text == NULL));
    if (text != NULL)
        CHECK(strcmp(text, value->text) == 0);
}

Link make_link(void)
{
    game_entity to = {take_handle(&here->game_handles[0])};
    return (Link){to, to.id ^ 5};
}

void check_link(const Link *value)
{
    bool is_none = value->to.id == 0 && value->any == 0;
    CHECK(here->has_merged || is_none || value->any == (value->to.id ^ 5));
}

// The padding of both kinds is not part of the key.
Badge make_badge(void)
{
    static const Side sides[] = {SIDE_RED, SIDE_BLUE, SIDE_HUGE};
    Badge value;
    memset(&value, take_below(2) == 1 ? 0xFF : 0, sizeof value);
    uint8_t choice = take_byte();
    value.s = sides[choice % 3];
    value.k.side = sides[choice / 3 % 3];
    memset(value.k.label, 0, BRIEF_SIZE);
    snprintf(value.k.label, BRIEF_SIZE, "%s", (choice & 64) != 0 ? "ab" : "");
    value.k.f = (choice & 128) != 0 ? -0.0F : 0;
    value.k.e = 3;
    return value;
}

void check_badge(const Badge *value)
{
    CHECK(value->k.f == 0 && (value->k.e == 3 || value->k.e == 0));
}

Strip make_strip(void)
{
    static const char *const labels[] = {"", "p", "qqqqq", "rs", "t", "uvw"};
    Strip value;
    memset(&value, 0, sizeof value);
    uint8_t choice = take_byte();
    value.k = (int16_t)((choice & 3) - 1);
    value.w = (float)value.k / 2;
    snprintf(value.l, STRIP_SIZE, "%s", labels[choice / 4 % 6]);
    return value;
}

void check_strip(const Strip *value)
{
    CHECK(value->k >= -1 && value->k < 3 && value->w == (float)value->k / 2);
    CHECK(memchr(value->l, '\0', STRIP_SIZE) != NULL);
}
