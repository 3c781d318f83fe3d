#include "plaza_case.h"

#include <ctype.h>
#include <string.h>

plaza_context *plaza;
uint32_t plaza_cell_calls;

void plaza_begin(void)
{
    kin_context_options options = case_options(NULL);
    plaza_cell_calls = 0;
    plaza = plaza_context_create(&options);
    ck_assert_ptr_nonnull(plaza);
}

void plaza_end(void)
{
    case_check(&plaza->base);
    plaza_context_destroy(plaza);
    guard_end(&memory);
}

// ---- the functions of the schema

int32_t plaza_cell_at(int32_t x, int32_t y)
{
    return (y >> 2) * 1000 + (x >> 2);
}

uint32_t quarter_cell_of(const Spot *spot, int32_t keys[KIN_INDEX_KEYS])
{
    plaza_cell_calls++;
    keys[0] = plaza_cell_at(spot->x, spot->y);
    return spot->x == INT32_MAX ? 0 : 1;
}

// Returns the number of all tiles, which can be too large.
uint32_t quarter_tiles_of(const Spot *spot, const Size *size, Tile keys[KIN_INDEX_KEYS])
{
    uint32_t count = 0;
    for (int32_t y = 0; y < size->height; y++)
        for (int32_t x = 0; x < size->width; x++, count++)
            if (count < KIN_INDEX_KEYS)
                keys[count] = (Tile){(int16_t)(spot->x + x), spot->y + y};
    return count;
}

uint32_t quarter_fold(const Name *name, char keys[KIN_INDEX_KEYS][12])
{
    uint32_t size = 0;
    memset(keys[0], 'x', sizeof keys[0]); // what follows the NUL is ignored
    for (; name->value != NULL && name->value[size] != '\0' && size < 11; size++)
        keys[0][size] = (char)tolower((unsigned char)name->value[size]);
    keys[0][size] = '\0';
    return name->value != NULL;
}

uint32_t quarter_tags_of(const Tag *tag, int64_t keys[KIN_INDEX_KEYS])
{
    for (int32_t i = 0; i < tag->count && i < KIN_INDEX_KEYS; i++)
        keys[i] = tag->first + i;
    return (uint32_t)tag->count;
}

uint32_t quarter_items_of(const Bag *bag, plaza_entity keys[KIN_INDEX_KEYS])
{
    memcpy(keys, bag->items, sizeof bag->items); // equal items are one key
    return 3;
}

uint32_t quarter_ground_of(const Bag *bag, Ground keys[KIN_INDEX_KEYS])
{
    keys[0] = bag->ground;
    return 1;
}

uint32_t quarter_terms_of(const Mayor *mayor, const Keys *value_2, uint8_t keys[KIN_INDEX_KEYS])
{
    keys[0] = (uint8_t)(mayor->term + value_2->many);
    return 1;
}

// ---- entities

plaza_entity plaza_entity_at(int32_t x, int32_t y)
{
    plaza_entity made = plaza_create_entity(plaza);
    ck_assert_int_eq(plaza_add_spot(plaza, made, (Spot){x, y}), KIN_OK);
    return made;
}

plaza_entity plaza_house_at(int32_t x, int32_t y, int32_t width, int32_t height)
{
    plaza_entity made = plaza_entity_at(x, y);
    plaza_set_solid(plaza, made, true);
    if (plaza_add_size(plaza, made, (Size){width, height}) == KIN_OK)
        return made;
    plaza_destroy_entity(plaza, made);
    return PLAZA_NO_ENTITY;
}

plaza_entity plaza_tagged(int32_t first, int32_t count)
{
    plaza_entity made = plaza_create_entity(plaza);
    ck_assert_int_eq(plaza_add_tag(plaza, made, (Tag){first, count}), KIN_OK);
    return made;
}

uint32_t plaza_count_near(int32_t x, int32_t y)
{
    uint32_t count;
    plaza_entities_with_near(plaza, plaza_cell_at(x, y), &count);
    return count;
}
