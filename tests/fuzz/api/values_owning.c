// Components with opaque values, and the functions for all values.
#include "values.h"

#include <string.h>

Owner make_owner(void)
{
    Owner value;
    memset(&value, 0, sizeof value);
    value.token = make_token();
    value.text = take_short_text();
    return value;
}

void check_owner(const Owner *value)
{
    check_token(value->token);
    CHECK(text_is_known(value->text));
}

void drop_owner(const Owner *value)
{
    ordeal_token_drop(value->token);
}

static void *const some_address = &(char){0};

Hoard make_hoard(void)
{
    Hoard value;
    memset(&value, 0, sizeof value);
    value.first.a = make_token();
    value.first.b[1] = make_token();
    value.more[0].b[0] = make_token();
    value.more[1].a = make_token();
    value.text = take_short_text();
    value.address = some_address;
    return value;
}

static void visit_tokens(const Hoard *value, void (*visit)(Token token))
{
    const Tokens *const tokens[] = {&value->first, &value->more[0], &value->more[1]};
    for (uint32_t i = 0; i < 3; i++) {
        visit(tokens[i]->a);
        visit(tokens[i]->b[0]);
        visit(tokens[i]->b[1]);
    }
}

void check_hoard(const Hoard *value)
{
    visit_tokens(value, check_token);
    CHECK(text_is_known(value->text));
    CHECK(value->address == NULL || value->address == some_address);
}

void drop_hoard(const Hoard *value)
{
    visit_tokens(value, ordeal_token_drop);
}

// ---- any component

static void check_game_value(kin_component_id id, const void *value)
{
    switch (id) {
#define CHECK_VALUE(TYPE, NAME, ID)                                                                                    \
    case GAME_##ID:                                                                                                    \
        check_##NAME(value);                                                                                           \
        break;
        COMPONENTS_WITH_FIELDS(CHECK_VALUE)
        COMPONENTS_GIVEN(CHECK_VALUE)
    default:
        CHECK(false); // a flag has no value
    }
}

void check_value(const kin_context *context, kin_component_id id, const void *value)
{
    if (value == NULL)
        return;
    if (context->info == &game_info)
        check_game_value(id, value);
    else if (id == OTHER_POS)
        check_pos(value);
    else
        check_name(value);
}

// FNV-1a.
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}
