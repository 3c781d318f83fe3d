// Operate: 200 operations by id on a context that was restored from what a fuzzer made, drawn from a seed.
#ifndef KIN_TESTS_FUZZ_OPERATE_H
#define KIN_TESTS_FUZZ_OPERATE_H

#include "store/store.h"

#include <kin/entity.h>
#include <kin/reflect.h>

#include <stdlib.h>
#include <string.h>

enum { OPERATIONS = 200, MOST_ENTITIES = 64, LARGEST_VALUE = 4096 };

typedef struct play {
    kin_context *context;
    uint64_t state; // of the random numbers
    kin_entity entities[MOST_ENTITIES];
} play;

static uint32_t below(play *play, uint32_t limit)
{
    play->state ^= play->state << 13;
    play->state ^= play->state >> 7;
    play->state ^= play->state << 17;
    return (uint32_t)(play->state >> 20) % limit;
}

// Some of the slots that were read, which may have no entity.
static void begin_play(play *play)
{
    for (uint32_t i = 0; i < MOST_ENTITIES; i++) {
        uint32_t slot = below(play, play->context->chunk_count == 0 ? 1 : play->context->chunk_count * 512);
        play->entities[i] =
            i / 512 < play->context->chunk_count ? play->context->chunks[slot / 512]->ids[slot % 512] : 0;
    }
}

// Adds or replaces a component by the value of another entity, or by its default.
static void set_value(play *play, kin_entity entity, kin_component_id id)
{
    static max_align_t value[LARGEST_VALUE / sizeof(max_align_t)];
    const kin_component_info *info = &kin_context_info_of(play->context)->components[id];
    const void *other = kin_get(play->context, play->entities[below(play, MOST_ENTITIES)], id);
    if (info->size > sizeof value)
        abort();
    memset(value, 0, sizeof value);
    if (info->write_default != NULL)
        info->write_default(value);
    if (info->size == 0)
        kin_set_flag(play->context, entity, id, below(play, 2));
    else if (other == NULL || !info->has_drops) // an opaque value has one owner
        kin_replace(play->context, entity, id, other == NULL ? (const void *)value : other);
}

static void operate_once(play *play)
{
    const kin_context_info *info = kin_context_info_of(play->context);
    uint32_t place = below(play, MOST_ENTITIES);
    kin_component_id id = (kin_component_id)below(play, info->component_count);
    switch (below(play, 8)) {
    case 0:
        play->entities[place] = kin_create(play->context);
        break;
    case 1:
        play->entities[place] = kin_spawn(play->context, below(play, info->blueprint_count + 1));
        break;
    case 2:
        kin_destroy(play->context, play->entities[place]);
        break;
    case 3:
        kin_remove(play->context, play->entities[place], id);
        break;
    default:
        set_value(play, play->entities[place], id);
    }
}

static void operate(kin_context *context, uint64_t seed)
{
    play play = {.context = context, .state = seed | 1};
    begin_play(&play);
    for (uint32_t i = 0; i < OPERATIONS; i++)
        operate_once(&play);
}

#endif
