#include "crowd.h"

#include "entity/entity.h"
#include "store/store.h"

#include <kin/reflect.h>

#include <check.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 4096, ELEMENTS = 24, OWNERS = 3 };

// Their headers cannot be included together: several have types of one name.
#define DECLARED(name)                                                                                                 \
    struct name##_context;                                                                                             \
    struct name##_context *name##_context_create(const kin_context_options *options);                                  \
    static kin_context *make_##name(const kin_context_options *options)                                                \
    {                                                                                                                  \
        return (kin_context *)(void *)name##_context_create(options);                                                  \
    }

DECLARED(clan)
DECLARED(shop)
DECLARED(salon)
DECLARED(cellar)
DECLARED(larder)
DECLARED(m65)

static kin_context *(*const makers[CROWDS])(const kin_context_options *options) = {make_clan,   make_shop,   make_salon,
                                                                                   make_cellar, make_larder, make_m65};

static void note_error(const kin_error *error, void *user)
{
    crowd *noted = user;
    noted->errors++;
    noted->status = error->status;
}

void crowd_begin(crowd *crowd, uint32_t package)
{
    memset(crowd, 0, sizeof *crowd);
    crowd->random = package + 1;
    crowd->drops = makers[package] == make_m65; // the others' tests count what is dropped
    crowd->context = makers[package](&(kin_context_options){
        .allocator = guard_begin(&crowd->memory), .on_error = note_error, .error_user = crowd, .hash_seed = 1});
}

void crowd_end(crowd *crowd)
{
    kin__context_destroy(crowd->context);
    guard_end(&crowd->memory);
}

void crowd_look(const crowd *crowd, visible *visible)
{
    ck_assert(kin__context_is_valid(crowd->context));
    visible_begin(visible);
    visible_add_context(visible, crowd->context);
}

static uint32_t draw(crowd *crowd, uint32_t below)
{
    crowd->random = crowd->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(crowd->random >> 33) % below;
}

static kin_entity draw_entity(crowd *crowd)
{
    kin_context *context = crowd->context;
    kin_entity found = 0;
    for (int tries = 0; tries < 20 && found == 0 && context->chunk_count > 0; tries++) {
        kin_entity entity = context->chunks[draw(crowd, context->chunk_count)]->ids[draw(crowd, KIN__CHUNK_SLOTS)];
        if (kin_entity_is_alive(context, entity))
            found = entity;
    }
    return found;
}

// ---- values

static const char *const texts[] = {NULL, "", "a", "ab", "a text of more than a few words, so that it is long", "z"};

static void draw_number(crowd *crowd, const kin_field_info *field, char *at)
{
    uint32_t number = draw(crowd, 40);
    float single = (float)number;
    double precise = number;
    if (field->type == KIN_TYPE_FLOAT)
        memcpy(at, &single, sizeof single);
    else if (field->type == KIN_TYPE_DOUBLE)
        memcpy(at, &precise, sizeof precise);
    else
        *at = (char)number; // the lowest byte of a small integer, or the highest
}

static void draw_list(crowd *crowd, const kin_field_info *field, void *value)
{
    static alignas(max_align_t) char elements[ELEMENTS * 256];
    uint32_t count = draw(crowd, ELEMENTS);
    memset(elements, 0, sizeof elements);
    if (field->type == KIN_TYPE_INT64 || field->type == KIN_TYPE_UINT8 || field->type == KIN_TYPE_UINT16 ||
        field->type == KIN_TYPE_UINT32)
        memset(elements, (int)draw(crowd, 200), count * field->element_size);
    kin__list_field_write(value, field, (kin__list_field){elements, count});
}

static void draw_field(crowd *crowd, const kin_field_info *field, char *value)
{
    kin_entity entity = draw_entity(crowd);
    const char *text = texts[draw(crowd, sizeof texts / sizeof *texts)];
    if (field->is_list)
        draw_list(crowd, field, value);
    else if (field->count > 0 || field->range != NULL)
        return;
    else if (field->type == KIN_TYPE_STRING)
        memcpy(value + field->offset, &text, sizeof text);
    else if (field->type == KIN_TYPE_ENTITY)
        memcpy(value + field->offset, &entity, sizeof entity);
    else if (field->type >= KIN_TYPE_INT8 && field->type <= KIN_TYPE_DOUBLE)
        draw_number(crowd, field, value + field->offset);
}

static kin_status give(crowd *crowd, kin_entity entity, kin_component_id id)
{
    static alignas(max_align_t) char value[LARGEST];
    const kin_component_info *info = &crowd->context->info->components[id];
    ck_assert_uint_le(info->size, sizeof value);
    if (info->has_drops && !crowd->drops)
        return KIN_OK;
    if (info->size == 0)
        return kin_set_flag(crowd->context, entity, id, true);
    info->write_default(value);
    for (uint32_t i = 0; i < info->field_count; i++)
        draw_field(crowd, &info->fields[i], value);
    return draw(crowd, 2) == 0 ? kin_add(crowd->context, entity, id, value)
                               : kin_replace(crowd->context, entity, id, value);
}

// ---- changes

static void make(crowd *crowd)
{
    const kin_context_info *info = crowd->context->info;
    if (info->blueprint_count > 0 && draw(crowd, 3) == 0)
        kin_spawn(crowd->context, draw(crowd, info->blueprint_count));
    else if (draw(crowd, 4) == 0)
        kin_clone(crowd->context, draw_entity(crowd));
    else
        kin_create(crowd->context);
}

static void change_one(crowd *crowd, kin_entity entity)
{
    static char owners[OWNERS];
    kin_component_id id = (kin_component_id)draw(crowd, crowd->context->info->component_count);
    char *owner = &owners[draw(crowd, OWNERS)];
    switch (draw(crowd, 16)) {
    case 0:
    case 1:
        kin_destroy(crowd->context, entity);
        break;
    case 2:
    case 3:
    case 4:
        kin_remove(crowd->context, entity, id);
        break;
    case 5:
        kin_retain_named(crowd->context, entity, owner, "owner");
        break;
    case 6:
        kin__entity_release(crowd->context, entity, owner);
        break;
    default:
        give(crowd, entity, id);
        break;
    }
}

void crowd_change(crowd *crowd, uint32_t changes, uint32_t population)
{
    for (; changes > 0; changes--) {
        if (kin__entity_count(crowd->context) < population && draw(crowd, 2) == 0)
            make(crowd);
        else
            change_one(crowd, draw_entity(crowd));
    }
}
