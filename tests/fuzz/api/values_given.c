// Components of indices by function, and the functions. Few different keys, so that they collide often.
#include "values.h"

#include <ctype.h>
#include <string.h>

#define NOTHING_TO_DROP(TYPE, NAME, ID)                                                                                \
    void drop_##NAME(const TYPE *value)                                                                                \
    {                                                                                                                  \
        (void)value;                                                                                                   \
    }
COMPONENTS_GIVEN(NOTHING_TO_DROP)

enum { SPOT_SIZE = 4, ZIP_SIZE = 8, ZIP_LETTERS = 5 };

Zone make_zone(void)
{
    uint8_t choice = take_byte();
    Zone value = {(int16_t)(choice & 7), (int8_t)(choice >> 3 & 3), choice >> 5};
    if (choice >= 250) // 16 keys, or too many
        value.n = choice >= 254 ? ZONES_TOO_MANY : ZONE_KEYS_MAX;
    return value;
}

void check_zone(const Zone *value)
{
    CHECK(value->n <= ZONE_KEYS_MAX);
}

Zeal make_zeal(void)
{
    static const char *const labels[] = {"", "a", "ab", "abc"};
    Zeal value;
    memset(&value, 0, sizeof value);
    uint8_t choice = take_byte();
    value.a = (int8_t)(choice & 7);
    snprintf(value.label, SPOT_SIZE, "%s", labels[choice >> 3 & 3]);
    return value;
}

void check_zeal(const Zeal *value)
{
    CHECK(memchr(value->label, '\0', SPOT_SIZE) != NULL);
}

Zip make_zip(void)
{
    const char *text = take_short_text();
    return (Zip){text, (int8_t)take_below(4)};
}

void check_zip(const Zip *value)
{
    CHECK(text_is_known(value->text));
}

// ---- the functions: none to 16 keys, sometimes equal ones

uint32_t ordeal_zones(const Zone *zone, int32_t keys[KIN_INDEX_KEYS])
{
    for (int32_t i = 0; i < zone->n && i < KIN_INDEX_KEYS; i++)
        keys[i] = zone->x + i * zone->y;
    return zone->n;
}

static Spot make_spot(int16_t x, const char *label)
{
    Spot spot;
    memset(&spot, 0, sizeof spot);
    spot.x = x;
    memcpy(spot.label, label, strlen(label));
    return spot;
}

uint32_t ordeal_zeals(const Zeal *zeal, const Zone *zone, Spot keys[KIN_INDEX_KEYS])
{
    keys[0] = make_spot(zone->x, zeal->label);
    keys[1] = make_spot(zeal->a, zeal->label);
    return 2;
}

// The first letters without case, each with a number at its end.
uint32_t ordeal_zips(const Zip *zip, char keys[KIN_INDEX_KEYS][ZIP_SIZE])
{
    if (zip->text == NULL)
        return 0;
    uint32_t count = 1 + ((uint32_t)zip->n & 3);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length = 0;
        for (; length < ZIP_LETTERS && zip->text[length] != '\0'; length++)
            keys[i][length] = (char)toupper((unsigned char)zip->text[length]);
        snprintf(keys[i] + length, ZIP_SIZE - length, "%u", (unsigned)i);
    }
    return count;
}
