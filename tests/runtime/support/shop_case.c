#include "shop_case.h"

#include "drops.h"

#include <string.h>

shop_context *shop;
shop_entity owner;

void shop_begin(void)
{
    kin_context_options options = case_options(NULL);
    drops();
    shop = shop_context_create(&options);
    ck_assert_ptr_nonnull(shop);
    owner = shop_create_entity(shop);
}

void shop_end(void)
{
    case_check(&shop->base);
    shop_context_destroy(shop);
    guard_end(&memory);
}

void give_bag(const char *bytes)
{
    Bag bag = {.bytes = {(const uint8_t *)bytes, (uint32_t)strlen(bytes)}, .owner = 5};
    ck_assert_int_eq(shop_add_bag(shop, owner, bag), KIN_OK);
}

void ck_bytes(const Bag *bag, const char *expected)
{
    ck_assert_uint_eq(bag->bytes.count, strlen(expected));
    if (bag->bytes.count > 0)
        ck_assert_mem_eq(bag->bytes.at, expected, strlen(expected));
}

void ck_bag(const char *expected)
{
    ck_bytes(shop_get_bag(shop, owner), expected);
}
