// Components without keys and without values to drop: each is made from one byte.
#include "values.h"

#include <string.h>

#define NOTHING_TO_DROP(TYPE, NAME, ID)                                                                                \
    void drop_##NAME(const TYPE *value)                                                                                \
    {                                                                                                                  \
        (void)value;                                                                                                   \
    }
COMPONENTS_PLAIN(NOTHING_TO_DROP)

Pos make_pos(void)
{
    float x = (float)(int8_t)take_byte();
    return (Pos){x, x * 2};
}

// Blueprints set { 2, 0 } and { 0, 0 }.
void check_pos(const Pos *value)
{
    CHECK(value->y == value->x * 2 || (value->x == 2 && value->y == 0));
}

Vel make_vel(void)
{
    int32_t n = take_byte();
    return (Vel){{(float)n, (float)n + 1}, n * 7};
}

void check_vel(const Vel *value)
{
    bool is_standard = value->n == 0 && value->v.x == 0;
    CHECK(is_standard || (value->v.y == value->v.x + 1 && value->n == (int32_t)value->v.x * 7));
}

enum { SLAB_COUNT = 40, CRATE_COUNT = 8 };

Slab make_slab(void)
{
    Slab value;
    uint64_t first = take_byte();
    for (uint32_t i = 0; i < SLAB_COUNT; i++)
        value.data[i] = first * (i + 1);
    return value;
}

void check_slab(const Slab *value)
{
    for (uint32_t i = 0; i < SLAB_COUNT; i++)
        CHECK(value->data[i] == value->data[0] * (i + 1));
}

Crate make_crate(void)
{
    Crate value;
    memset(&value, 0, sizeof value);
    int32_t first = take_byte();
    for (int32_t i = 0; i < CRATE_COUNT; i++)
        value.big[i] = first * (i + 1);
    value.inner.side = SIDE_BLUE;
    value.inner.at.x = (float)first;
    return value;
}

void check_crate(const Crate *value)
{
    if (value->big[0] == 5 && value->big[7] == 9) { // the value of a blueprint
        CHECK(value->big[1] == 0);
        return;
    }
    for (int32_t i = 0; i < CRATE_COUNT; i++)
        CHECK(value->big[i] == value->big[0] * (i + 1));
    CHECK(value->inner.at.x == (float)value->big[0]);
}

Bit make_bit(void)
{
    return (Bit){take_below(2) == 1};
}

void check_bit(const Bit *value)
{
    unsigned char byte;
    memcpy(&byte, &value->b, 1);
    CHECK(byte < 2);
}

static const int64_t throne_step = 0x0101010101;

Throne make_throne(void)
{
    return (Throne){take_byte() * throne_step};
}

void check_throne(const Throne *value)
{
    CHECK(value->value % throne_step == 0);
}

static void write_label(char label[6], int8_t number)
{
    snprintf(label, 6, "%d", number);
}

Spread make_spread(void)
{
    Spread value;
    memset(&value, 0, sizeof value);
    value.a = (int8_t)take_byte();
    value.b = value.a * 3.0;
    write_label(value.c, value.a);
    value.e = (kin_entity)(uint8_t)value.a << 3;
    value.v = (Vec2){value.a, (float)-value.a};
    return value;
}

void check_spread(const Spread *value)
{
    if (strcmp(value->c, "hey") == 0 || value->c[0] == '\0') { // the value of a blueprint, and the default
        CHECK(value->a == 0 && value->b == 0 && value->e == 0);
        return;
    }
    char label[6];
    write_label(label, value->a);
    CHECK(strcmp(label, value->c) == 0 && value->b == value->a * 3.0);
    CHECK(here->has_merged || value->e == (kin_entity)(uint8_t)value->a << 3);
    CHECK(value->v.x == value->a && value->v.y == -value->a);
}
