#include "mirror.h"

#include <string.h>

_Static_assert(GAME_COMPONENT_COUNT <= 32, "a slot of the mirror has a bit for each component");

// ---- slots

static mirror_slot *find(mirror *mirror, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    if (entity == 0 || slot >= mirror->slot_count || mirror->slots[slot].entity != entity)
        return NULL;
    return &mirror->slots[slot];
}

static void put(mirror *mirror, kin_entity entity, uint32_t components)
{
    uint32_t slot = kin_entity_slot(entity);
    if (slot >= mirror->capacity) {
        mirror->capacity = (slot + 1) * 2;
        mirror->slots = realloc(mirror->slots, mirror->capacity * sizeof *mirror->slots);
        CHECK(mirror->slots != NULL);
    }
    while (mirror->slot_count <= slot)
        mirror->slots[mirror->slot_count++] = (mirror_slot){0, 0};
    CHECK(mirror->slots[slot].entity == 0);
    mirror->slots[slot] = (mirror_slot){entity, components};
    mirror->count++;
}

// ---- what the context shows

static uint32_t shown_components(const kin_context *context, kin_entity entity)
{
    uint32_t components = 0;
    for (uint32_t id = 0; id < GAME_COMPONENT_COUNT; id++)
        if (kin_has(context, entity, (kin_component_id)id))
            components |= UINT32_C(1) << id;
    return components;
}

static void read_chunk(mirror *mirror, const kin_context *context, const kin__chunk *chunk)
{
    for (uint32_t word = 0; word < sizeof chunk->alive / sizeof *chunk->alive; word++)
        KIN_EACH_BIT(bit, chunk->alive[word])
        {
            kin_entity entity = chunk->ids[word * 64 + bit];
            put(mirror, entity, shown_components(context, entity));
        }
}

// Reads the storage, because `entities` would replace the array that it has returned before.
static void read_context(mirror *mirror, const kin_context *context)
{
    mirror->slot_count = mirror->count = 0;
    for (uint32_t i = 0; i < context->chunk_count; i++)
        read_chunk(mirror, context, context->chunks[i]);
    mirror->is_known = true;
}

void mirror_sync(uint32_t package)
{
    if (here->level == 0 && !here->mirrors[package].is_known && game_of(package) != NULL)
        read_context(&here->mirrors[package], &game_of(package)->base);
}

void mirror_lose(uint32_t package)
{
    here->mirrors[package].is_known = false;
}

void mirror_release(void)
{
    for (uint32_t i = 0; i < PACKAGES; i++) {
        free(here->mirrors[i].slots);
        here->mirrors[i] = (mirror){0};
    }
}

// ---- questions

bool mirror_is_known(uint32_t package)
{
    return here->level == 0 && here->mirrors[package].is_known;
}

bool mirror_is_alive(uint32_t package, kin_entity entity)
{
    return find(&here->mirrors[package], entity) != NULL;
}

uint32_t mirror_components(uint32_t package, kin_entity entity)
{
    const mirror_slot *slot = find(&here->mirrors[package], entity);
    return slot != NULL ? slot->components : 0;
}

bool mirror_has(uint32_t package, kin_entity entity, kin_component_id id)
{
    return (mirror_components(package, entity) >> id & 1) != 0;
}

kin_entity mirror_carrier(uint32_t package, kin_component_id id)
{
    const mirror *mirror = &here->mirrors[package];
    for (uint32_t i = 0; i < mirror->slot_count; i++)
        if (mirror->slots[i].entity != 0 && (mirror->slots[i].components >> id & 1) != 0)
            return mirror->slots[i].entity;
    return 0;
}

// ---- following

// False if the mirror cannot follow: in a callback, or after operations in a callback.
static bool follows(uint32_t package, const attempt *attempt)
{
    if (here->level > 0)
        return false;
    mirror *mirror = &here->mirrors[package];
    mirror->is_known = mirror->is_known && attempt_is_alone(attempt);
    mirror->is_followed = mirror->is_known;
    return mirror->is_known;
}

static void compare_entity(uint32_t package, kin_entity entity)
{
    const game_context *game = game_of(package);
    CHECK(game_entity_count(game) == here->mirrors[package].count);
    CHECK(game_entity_is_alive(game, (game_entity){entity}) == mirror_is_alive(package, entity));
    CHECK(shown_components(&game->base, entity) == mirror_components(package, entity));
}

void mirror_create(uint32_t package, const attempt *attempt, kin_entity entity, uint32_t components)
{
    if (!follows(package, attempt))
        return;
    put(&here->mirrors[package], entity, components);
    compare_entity(package, entity);
}

void mirror_destroy(uint32_t package, const attempt *attempt, kin_entity entity)
{
    if (!follows(package, attempt))
        return;
    *find(&here->mirrors[package], entity) = (mirror_slot){0, 0};
    here->mirrors[package].count--;
    compare_entity(package, entity);
}

void mirror_set(uint32_t package, const attempt *attempt, kin_entity entity, uint32_t components)
{
    if (!follows(package, attempt))
        return;
    find(&here->mirrors[package], entity)->components = components;
    compare_entity(package, entity);
}

void mirror_keep(uint32_t package, const attempt *attempt)
{
    if (follows(package, attempt))
        CHECK(game_entity_count(game_of(package)) == here->mirrors[package].count);
}

void mirror_begin_operation(void)
{
    here->deep_nested = false;
    here->operations_before = here->operations;
    for (uint32_t i = 0; i < PACKAGES; i++)
        here->mirrors[i].is_followed = false;
}

void mirror_end_operation(bool changes)
{
    bool is_nested = here->operations != here->operations_before || here->deep_nested;
    for (uint32_t i = 0; i < PACKAGES; i++)
        if ((changes && !here->mirrors[i].is_followed) || is_nested)
            mirror_lose(i);
}

void mirror_compare(uint32_t package)
{
    const mirror *mirror = &here->mirrors[package];
    if (!mirror_is_known(package) || game_of(package) == NULL)
        return;
    for (uint32_t i = 0; i < mirror->slot_count; i++)
        if (mirror->slots[i].entity != 0)
            compare_entity(package, mirror->slots[i].entity);
}
