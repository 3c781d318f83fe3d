#include "runtime/snapshot/replay.h"

#include <kin/generated/relation.h>
#include <kin/generated/shared.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUE = 4096, MOST_ELEMENTS = 3, TEXT = 1024, MOST_ALIVE = 700 };

static _Alignas(64) unsigned char value[MOST_VALUE];
static _Alignas(64) unsigned char elements[16][MOST_ELEMENTS * 256];
static uint32_t lists;
static int owners[3];

static uint32_t draw(replay *replay, uint32_t limit)
{
    replay->state = replay->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(replay->state >> 33) % limit;
}

static uint64_t fold(uint64_t digest, uint64_t number)
{
    return (digest ^ number) * UINT64_C(0x9E3779B97F4A7C15) ^ (digest >> 29);
}

static uint64_t fold_text(uint64_t digest, const char *text)
{
    for (; *text != '\0'; text++)
        digest = fold(digest, (unsigned char)*text);
    return digest;
}

static void note(replay *replay, const char *what, uint64_t number)
{
    if (getenv("KIN_REPLAY_LOG") != NULL)
        fprintf(stderr, "%s %llx\n", what, (unsigned long long)number);
    replay->digest = fold(replay->digest, number);
}

void replay_begin(replay *replay, kin_context *context, uint64_t seed)
{
    *replay = (struct replay){.context = context, .state = seed, .most = REPLAY_KNOWN};
    draw(replay, 2);
}

// ---- values

static kin_entity any_entity(replay *replay)
{
    return replay->known[draw(replay, replay->most)];
}

static void write_number(void *at, size_t size, uint64_t number)
{
    uint8_t small = (uint8_t)number;
    uint16_t medium = (uint16_t)number;
    uint32_t large = (uint32_t)number;
    memcpy(at,
           size == 1   ? (void *)&small
           : size == 2 ? (void *)&medium
           : size == 4 ? (void *)&large
                       : (void *)&number,
           size);
}

static void fill_fields(replay *replay, const kin_field_info *fields, uint32_t count, unsigned char *at);

static void fill_one(replay *replay, const kin_field_info *field, size_t size, unsigned char *at)
{
    static const char *const texts[] = {"a", "bob", "a text that is longer than sixteen bytes", "", NULL};
    const char *text = texts[draw(replay, 5)];
    float single = (float)draw(replay, 4);
    double precise = draw(replay, 4);
    kin_entity entity = draw(replay, 4) == 0 ? 0 : any_entity(replay);
    memset(at, 0, size);
    if (field->type == KIN_TYPE_STRUCT)
        fill_fields(replay, field->of->fields, field->of->field_count, at);
    else if (field->type == KIN_TYPE_STRING)
        memcpy(at, &text, sizeof text);
    else if (field->type == KIN_TYPE_INLINE_STRING)
        at[0] = size > 1 ? (unsigned char)('a' + draw(replay, 3)) : 0;
    else if (field->type == KIN_TYPE_FLOAT)
        memcpy(at, &single, sizeof single);
    else if (field->type == KIN_TYPE_DOUBLE)
        memcpy(at, &precise, sizeof precise);
    else if (field->type == KIN_TYPE_ENTITY)
        memcpy(at, &entity, sizeof entity);
    else if (field->type == KIN_TYPE_ENUM)
        write_number(at, size, (uint64_t)field->of->values[draw(replay, field->of->value_count)].value);
    else if (field->type != KIN_TYPE_OPAQUE)
        write_number(at, size, draw(replay, field->type == KIN_TYPE_BOOL ? 2 : 6));
}

static void fill_list(replay *replay, const kin_field_info *field, unsigned char *at)
{
    uint32_t count = field->element_size > 256 ? 0 : draw(replay, MOST_ELEMENTS + 1);
    void *list = elements[lists++ % 16];
    for (uint32_t i = 0; i < count; i++)
        fill_one(replay, field, field->element_size, (unsigned char *)list + i * field->element_size);
    memset(at, 0, field->size);
    memcpy(at, &list, sizeof list);
    memcpy(at + sizeof list, &count, sizeof count);
}

static void fill_fields(replay *replay, const kin_field_info *fields, uint32_t count, unsigned char *at)
{
    for (uint32_t i = 0; i < count; i++) {
        const kin_field_info *field = &fields[i];
        uint32_t times = field->count == 0 ? 1 : field->count;
        for (uint32_t k = 0; k < times && !field->is_list; k++)
            fill_one(replay, field, field->size / times, at + field->offset + k * (field->size / times));
        if (field->is_list)
            fill_list(replay, field, at + field->offset);
    }
}

static const void *any_value(replay *replay, kin_component_id id)
{
    const kin_component_info *info = &replay->context->info->components[id];
    if (info->size == 0)
        return NULL;
    memset(value, 0, info->size);
    lists = 0;
    fill_fields(replay, info->fields, info->field_count, value);
    return value;
}

// ---- operations

static kin_component_id any_component(replay *replay)
{
    return (kin_component_id)draw(replay, replay->context->info->component_count);
}

// Opaque values with a `drop` need values that a test counts: components with them are left out.
static bool has_drops(const replay *replay, uint32_t blueprint)
{
    const kin_blueprint_info *info = &replay->context->info->blueprints[blueprint];
    for (uint32_t i = 0; i < info->component_count; i++)
        if (replay->context->info->components[info->components[i]].has_drops)
            return true;
    return false;
}

static kin_entity make(replay *replay)
{
    uint32_t blueprints = replay->context->info->blueprint_count, kind = draw(replay, 6);
    uint32_t blueprint = blueprints == 0 ? 0 : draw(replay, blueprints);
    if (kind == 0)
        return kin_clone(replay->context, any_entity(replay));
    return kind < 3 && blueprints > 0 && !has_drops(replay, blueprint) ? kin_spawn(replay->context, blueprint)
                                                                       : kin_create(replay->context);
}

static void create(replay *replay)
{
    kin_entity made = make(replay);
    note(replay, "create", made);
    if (made == 0)
        return;
    kin_counts counts = kin_context_counts(replay->context);
    kin_entity *place = &replay->known[draw(replay, replay->most)];
    if (counts.created - counts.destroyed > MOST_ALIVE)
        note(replay, "destroy", kin_destroy(replay->context, *place));
    *place = made;
}

static void change(replay *replay)
{
    kin_context *context = replay->context;
    kin_component_id id = any_component(replay);
    kin_entity entity = any_entity(replay);
    const kin_component_info *info = &context->info->components[id];
    const void *given = any_value(replay, id);
    uint32_t kind = draw(replay, 10);
    if (info->has_drops || info->size > MOST_VALUE)
        return;
    if (kind < 4)
        note(replay, "add", kin_add(context, entity, id, given));
    else if (kind < 6 || !info->is_stashable)
        note(replay, "replace", kin_replace(context, entity, id, given));
    else if (kind < 7)
        note(replay, "remove", kin_remove(context, entity, id));
    else if (kind < 9)
        note(replay, "stash", kin__component_stash(context, entity, id));
    else
        note(replay, "unstash", kin__component_restore(context, entity, id));
}

static void hold(replay *replay)
{
    kin_entity entity = any_entity(replay);
    int *owner = &owners[draw(replay, 3)];
    if (draw(replay, 2) == 0)
        note(replay, "retain", kin_retain_named(replay->context, entity, owner, draw(replay, 2) == 0 ? NULL : "owner"));
    else
        note(replay, "release", kin__entity_release(replay->context, entity, owner));
}

static void move(replay *replay)
{
    uint32_t relations = replay->context->info->relation_count;
    kin_entity holder = any_entity(replay), sibling = draw(replay, 4) == 0 ? 0 : any_entity(replay);
    if (relations > 0)
        note(replay, "move", kin__relation_place_before(replay->context, draw(replay, relations), holder, sibling));
}

static void list_members(replay *replay)
{
    kin_component_id id = any_component(replay);
    kin_group *group = kin_context_group(replay->context, KIN_MATCHER(KIN_ALL(id)));
    uint32_t count = 0;
    const kin_entity *members = group == NULL ? NULL : kin_group_entities(group, &count);
    note(replay, "members", count);
    for (uint32_t i = 0; i < count; i++)
        replay->digest = fold(replay->digest, members[i]);
}

static void operate(replay *replay)
{
    uint32_t kind = draw(replay, 64);
    if (kind < 10)
        create(replay);
    else if (kind < 16)
        note(replay, "destroy", kin_destroy(replay->context, any_entity(replay)));
    else if (kind < 48)
        change(replay);
    else if (kind < 54)
        hold(replay);
    else if (kind < 58)
        move(replay);
    else if (kind < 63)
        list_members(replay);
    else if (draw(replay, 16) == 0)
        note(replay, "reset", kin__context_reset(replay->context));
}

uint64_t replay_play(replay *replay, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        operate(replay);
    return replay->digest;
}

// ---- looking

static uint64_t look_at_relations(const kin_context *context, kin_entity entity, uint64_t digest)
{
    kin_entity holders[64];
    for (uint32_t number = 0; number < context->info->relation_count; number++) {
        uint32_t count = kin__relation_copy(context, number, entity, holders, 64);
        digest = fold(digest, count);
        for (uint32_t i = 0; i < count && i < 64; i++)
            digest = fold(digest, holders[i]);
    }
    return digest;
}

static uint64_t look_at_entity(const kin_context *context, kin_entity entity, uint64_t digest)
{
    char text[TEXT];
    kin_describe_entity(context, entity, text, sizeof text);
    digest = fold_text(fold(digest, entity), text);
    for (uint32_t id = 0; id < context->info->component_count; id++)
        if (context->info->components[id].is_stashable)
            digest = fold(digest, kin__component_has_stashed(context, entity, (kin_component_id)id));
    return look_at_relations(context, entity, digest);
}

static void on_entry(const kin_index_entry *entry, void *user)
{
    uint64_t *digest = user;
    *digest = fold(fold(fold_text(*digest, entry->key), entry->entity), (uint64_t)entry->place << 32 | entry->count);
}

static uint64_t look_at_shared(const kin_context *context, kin_component_id id, uint64_t digest)
{
    char text[TEXT];
    uint32_t number = 0, count = 0;
    for (const void *shared; (shared = kin__shared_next(context, id, &number, &count)) != NULL;) {
        kin_component_describe(context, id, shared, text, sizeof text);
        digest = fold(fold_text(digest, text), (uint64_t)number << 32 | count);
    }
    return digest;
}

uint64_t replay_look(const replay *replay)
{
    const kin_context *context = replay->context;
    uint64_t digest = fold(kin_context_retained_count(context), kin_context_reusable_count(context));
    for (uint32_t word = 0; word < kin_look_words(context); word++)
        KIN_EACH_BIT(bit, kin_look_alive(context, word))
    digest = look_at_entity(context, kin_look_entity(context, word * 64 + bit), digest);
    for (uint32_t index = 0; index < context->info->index_count; index++) {
        digest = fold(digest, kin_index_count(context, index));
        kin_index_walk(context, index, on_entry, &digest);
    }
    for (uint32_t id = 0; id < context->info->component_count; id++) {
        digest = fold(digest, kin_context_carrier(context, (kin_component_id)id));
        digest =
            context->info->components[id].is_shared ? look_at_shared(context, (kin_component_id)id, digest) : digest;
    }
    return digest;
}
