#include "mosaic_case.h"

#include <check.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t mosaic_random = 1;
char mosaic_error[512];

static uint32_t draw(uint32_t below)
{
    mosaic_random ^= mosaic_random << 13;
    mosaic_random ^= mosaic_random >> 7;
    mosaic_random ^= mosaic_random << 17;
    return (uint32_t)(mosaic_random >> 20) % below;
}

static mural_entity draw_entity(mural_context *mural)
{
    uint32_t count;
    const mural_entity *entities = mural_entities(mural, &count);
    return count == 0 ? MURAL_NO_ENTITY : entities[draw(count)];
}

// ---- values: few, so that many entities share them

static const char *const names[] = {"", "blue", NULL, "a name that is longer than most"};

static Tile draw_tile(void)
{
    return (Tile){.hue = draw(6), .name = names[draw(4)]};
}

static Glaze draw_glaze(mural_context *mural)
{
    return (Glaze){.depth = (uint8_t)draw(3), .of = draw(3) == 0 ? draw_entity(mural) : MURAL_NO_ENTITY};
}

static Veil draw_veil(void)
{
    return (Veil){.seen = (int32_t)draw(3), .hidden = (int32_t)draw(2)};
}

// ---- systems: they depend on the state alone, and on each order of it

// Does what the first of all distinct values says.
void chooser_execute(mosaic_world *world, const kin_tick *tick)
{
    mural_context *mural = world->contexts->mural;
    Count count = mural_has_unique_count(mural) ? *mural_get_unique_count(mural) : (Count){.seed = 1};
    mural_tile_values values = mural_tile_values_iterate(mural);
    for (uint32_t i = 0; mural_tile_values_next(&values); i++) {
        count.sum = count.sum * 31 + values.value->hue * (i + 1) + values.count;
        count.hue = i == 0 ? values.value->hue : count.hue;
    }
    count.seed = count.seed * 1103515245 + 12345 + (uint32_t)tick->frame;
    mural_entity entity = mural_replace_unique_count(mural, count);
    if (count.seed / 65536 % 3 == 0)
        mural_replace_tile(mural, entity, (Tile){.hue = count.hue + 1, .name = "chosen"});
    if (count.seed / 65536 % 7 == 0)
        mural_destroy_entity(mural, mural_parts_first(mural, entity));
    if (count.seed / 65536 % 5 == 0)
        mosaic_publish_chip(world, (Chip){count.hue});
}

static void add(mosaic_world *world, uint64_t number)
{
    mural_context *mural = world->contexts->mural;
    if (!mural_has_unique_count(mural))
        return;
    Count count = *mural_get_unique_count(mural);
    count.sum = count.sum * 31 + number;
    mural_replace_unique_count(mural, count);
}

void mason_enter(mosaic_world *world, const mural_entity *entities, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        add(world, entities[i].id);
}

void mason_leave(mosaic_world *world, const mural_entity *entities, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        add(world, entities[i].id + (mason_left_tile(world, i) == NULL ? 0 : mason_left_tile(world, i)->hue));
}

void polish_update(mosaic_world *world, polish_iter *it, const kin_tick *tick)
{
    (void)world;
    while (polish_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            it->patch[i].x += (int32_t)tick->delta;
}

void warden_execute(mosaic_world *world, const mural_entity *entities, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        add(world, entities[i].id);
}

void warden_on_chip(mosaic_world *world, const Chip *message)
{
    add(world, message->hue);
}

// ---- random operations

static void change_tree(mural_context *mural, mural_entity entity)
{
    mural_entity other = draw_entity(mural);
    switch (draw(5)) {
    case 0:
        mural_replace_part_of(mural, entity, (PartOf){other});
        break;
    case 1:
        mural_parts_place_before(mural, mural_parts_last(mural, other), mural_parts_first(mural, other));
        break;
    case 2:
        mural_replace_beside(mural, entity, (Beside){other});
        break;
    case 3:
        mural_neighbours_place_before(mural, mural_neighbours_last(mural, other), MURAL_NO_ENTITY);
        break;
    default:
        mural_neighbours_place_before(mural, mural_neighbours_last(mural, other), mural_neighbours_first(mural, other));
    }
}

static void change_values(mosaic_world *world, mural_entity entity)
{
    mural_context *mural = world->contexts->mural;
    switch (draw(10)) {
    case 0:
        mural_remove_tile(mural, entity);
        break;
    case 1:
    case 2:
    case 3:
        mural_replace_tile(mural, entity, draw_tile());
        break;
    case 4:
        mural_replace_glaze(mural, entity, draw_glaze(mural));
        break;
    case 5:
        mural_replace_veil(mural, entity, draw_veil());
        break;
    case 6:
        mural_replace_scrap(mural, entity, (Scrap){names[draw(4)]});
        break;
    case 7:
        mural_stash_scrap(mural, entity);
        break;
    case 8:
        mural_replace_patch(mural, entity, (Patch){.x = (int32_t)draw(9), .marks = {(uint8_t[]){1, 2, 3}, draw(4)}});
        break;
    default:
        mural_set_loose(mural, entity, draw(2) == 0);
    }
}

static void change_entities(mosaic_world *world, mural_entity entity)
{
    mural_context *mural = world->contexts->mural;
    switch (draw(9)) {
    case 0:
    case 1:
        mural_destroy_entity(mural, entity);
        break;
    case 2:
        mural_spawn_corner(mural);
        break;
    case 3:
        mural_spawn_fringe(mural);
        break;
    case 4:
        mural_clone_entity(mural, entity);
        break;
    default:
        mural_create_entity(mural);
    }
}

// New chunks, and none left.
static void change_much(mosaic_world *world)
{
    mural_context *mural = world->contexts->mural;
    switch (draw(12)) {
    case 0:
        mural_spawn_many_corner(mural, 600, NULL);
        break;
    case 1:
        mural_spawn_many_fringe(mural, 1, NULL);
        break;
    case 2:
        mural_destroy_all_entities(mural);
        break;
    case 3:
        mural_context_reset(mural);
        break;
    case 4:
        mosaic_world_reset(world);
        break;
    case 5:
        kin_context_trim(&mural->base);
        break;
    case 6:
        kin_systems_set_enabled(mosaic_world_systems(world), "Mason", draw(2) == 0);
        break;
    default:
        break;
    }
}

static void change_border(mosaic_world *world)
{
    border_context *border = world->contexts->border;
    uint32_t count;
    const border_entity *entities = border_entities(border, &count);
    border_entity entity = count == 0 || draw(3) == 0 ? border_create_entity(border) : entities[draw(count)];
    if (draw(4) == 0)
        border_destroy_entity(border, entity);
    else
        border_replace_glaze(border, entity, draw_glaze(world->contexts->mural));
}

static void change(mosaic_world *world)
{
    mural_entity entity = draw_entity(world->contexts->mural);
    uint32_t kind = draw(18);
    if (kind < 9)
        change_values(world, entity);
    else if (kind < 13)
        change_tree(world->contexts->mural, entity);
    else if (kind < 16)
        change_entities(world, entity);
    else if (kind < 17)
        change_border(world);
    else
        change_much(world);
    if (mural_entity_count(world->contexts->mural) > 900)
        mural_destroy_all_entities(world->contexts->mural);
}

void mosaic_change(mosaic_world *world, uint32_t operations)
{
    for (uint32_t i = 0; i < operations; i++)
        change(world);
}

void mosaic_play(mosaic_world *world, uint32_t operations)
{
    for (uint32_t i = 0; i < operations; i++)
        if (draw(20) == 0)
            mosaic_world_update(world, draw(3));
        else
            change(world);
}

// ---- walks

static void print(buffer *walk, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void print(buffer *walk, const char *format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ck_assert_int_lt(size, (int)sizeof text);
    kin_sink sink = buffer_sink(walk);
    ck_assert(sink.write(text, (size_t)size, sink.user));
}

static const char *text_of(const char *text)
{
    return text == NULL ? "NULL" : text;
}

static void walk_values(mural_context *mural, buffer *walk)
{
    for (mural_tile_values it = mural_tile_values_iterate(mural); mural_tile_values_next(&it);)
        print(walk, "tile %u %s: %u\n", it.value->hue, text_of(it.value->name), it.count);
    for (mural_glaze_values it = mural_glaze_values_iterate(mural); mural_glaze_values_next(&it);)
        print(walk, "glaze %u %" PRIx64 ": %u\n", it.value->depth, it.value->of.id, it.count);
    for (uint8_t depth = 0; depth < 3; depth++) {
        uint32_t count;
        const mural_entity *entities = mural_entities_with_glaze_depth(mural, depth, &count);
        for (uint32_t i = 0; i < count; i++)
            print(walk, "depth %u: %" PRIx64 "\n", depth, entities[i].id);
    }
}

static void walk_holders(mural_context *mural, mural_entity entity, buffer *walk)
{
    for (mural_entity each = mural_parts_first(mural, entity); each.id != 0; each = mural_parts_next(mural, each))
        print(walk, " part %" PRIx64, each.id);
    for (mural_entity each = mural_neighbours_first(mural, entity); each.id != 0;
         each = mural_neighbours_next(mural, each))
        print(walk, " beside %" PRIx64, each.id);
}

static void walk_entity(mural_context *mural, mural_entity entity, buffer *walk)
{
    print(walk, "%" PRIx64, entity.id);
    if (mural_has_tile(mural, entity))
        print(walk, " tile %u %s", mural_get_tile(mural, entity)->hue, text_of(mural_get_tile(mural, entity)->name));
    if (mural_has_glaze(mural, entity))
        print(walk, " glaze %u", mural_get_glaze(mural, entity)->depth);
    if (mural_has_veil(mural, entity))
        print(walk, " veil %d", mural_get_veil(mural, entity)->seen);
    if (mural_has_scrap(mural, entity))
        print(walk, " scrap %s", text_of(mural_get_scrap(mural, entity)->text));
    print(walk, mural_has_stashed_scrap(mural, entity) ? " stashed" : "");
    if (mural_has_patch(mural, entity))
        print(walk, " patch %d %u", mural_get_patch(mural, entity)->x, mural_get_patch(mural, entity)->marks.count);
    if (mural_has_count(mural, entity))
        print(walk, " count %" PRIu64, mural_get_count(mural, entity)->sum);
    walk_holders(mural, entity, walk);
    print(walk, mural_is_loose(mural, entity) ? " loose\n" : "\n");
}

void mosaic_walk(mosaic_world *world, buffer *walk)
{
    mural_context *mural = world->contexts->mural;
    border_context *border = world->contexts->border;
    uint32_t count;
    const mural_entity *entities = mural_entities(mural, &count);
    for (uint32_t i = 0; i < count; i++)
        walk_entity(mural, entities[i], walk);
    walk_values(mural, walk);
    for (border_glaze_values it = border_glaze_values_iterate(border); border_glaze_values_next(&it);)
        print(walk, "border %u %" PRIx64 ": %u\n", it.value->depth, it.value->of.id, it.count);
}

// ---- states

void mosaic_note(mosaic_world *world, mosaic_state *state)
{
    *state = (mosaic_state){0};
    ck_assert_int_eq(mosaic_world_save(world, &state->snapshot), KIN_OK);
    state->hash = kin_snapshot_hash(state->snapshot);
    ck_assert_int_eq(mosaic_write(state->snapshot, buffer_sink(&state->file), NULL), KIN_OK);
    mosaic_walk(world, &state->walk);
}

void mosaic_forget(mosaic_state *state)
{
    kin_snapshot_destroy(state->snapshot);
    buffer_release(&state->file);
    buffer_release(&state->walk);
}

static bool are_equal(const buffer *one, const buffer *other)
{
    return one->size == other->size && (one->size == 0 || memcmp(one->bytes, other->bytes, one->size) == 0);
}

void mosaic_equal(const mosaic_state *one, const mosaic_state *other, const char *how)
{
    ck_assert_msg(are_equal(&one->walk, &other->walk), "%s: another walk:\n%.*s\nand\n%.*s", how, (int)one->walk.size,
                  (const char *)one->walk.bytes, (int)other->walk.size, (const char *)other->walk.bytes);
    ck_assert_msg(one->hash == other->hash, "%s: another hash", how);
    ck_assert_msg(are_equal(&one->file, &other->file), "%s: another file", how);
}

static void report(const kin_error *error, void *user)
{
    (void)user;
    snprintf(mosaic_error, sizeof mosaic_error, "%s", error->message);
}

mosaic_world *mosaic_make(void)
{
    kin_context_options options = {.on_error = report};
    mosaic_world *world = mosaic_world_create(&options, NULL);
    ck_assert_ptr_nonnull(world);
    return world;
}
