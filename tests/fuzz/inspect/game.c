#include "inspect/game.h"

#include <everything/everything.h>
#include <satchel/satchel.h>

// Opaque values cannot be given.
void sprite_release(struct sprite *sprite)
{
    (void)sprite;
}

void game_ignore_error(const kin_error *error, void *user)
{
    (void)error, (void)user;
}

static void add_default(kin_context *context, kin_entity entity, kin_component_id id)
{
    const kin_component_info *info = &kin_context_info_of(context)->components[id];
    void *value = calloc(1, info->size + 1);
    REQUIRE(value != NULL);
    if (info->write_default != NULL)
        info->write_default(value);
    kin_add(context, entity, id, info->size == 0 ? NULL : value); // refused where a key or an entity is unique
    free(value);
}

static kin_context *fill(kin_context *context)
{
    REQUIRE(context != NULL);
    uint32_t components = kin_context_info_of(context)->component_count;
    for (uint32_t i = 0; i < GAME_ENTITIES; i++) {
        kin_entity entity = kin_create(context);
        for (kin_component_id id = 0; id < components; id++)
            if (i == 0 || (id + i) % 3 != 0)
                add_default(context, entity, id);
    }
    return context;
}

kin_context *game_begin(void)
{
    return fill(&my_game_context_create(&(kin_context_options){.on_error = game_ignore_error})->base);
}

kin_context *shop_begin(void)
{
    return fill(&shop_context_create(&(kin_context_options){.on_error = game_ignore_error})->base);
}

char *text_of(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size + 1);
    REQUIRE(text != NULL);
    if (size > 0)
        memcpy(text, bytes, size);
    text[size] = '\0';
    return text;
}
