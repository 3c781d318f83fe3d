// Prefabs: blueprints that are made at run time, and the values of all blueprints of a context.
#include "entity/entity.h"

#include <kin/prefab.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { REASON_SIZE = 192, FEW_ENTITIES = 32, DESCENDANT_LIMIT = 4095 };

// ---- checking tables

static bool has_component(const kin_blueprint_info *info, kin_component_id id)
{
    for (uint32_t i = 0; i < info->component_count; i++)
        if (info->components[i] == id)
            return true;
    return false;
}

static const char *find_component_fault(const kin_context *context, const kin_blueprint_info *info)
{
    for (uint32_t i = 0; i < info->component_count; i++) {
        if (info->components[i] >= context->info->component_count)
            return "an entity has a component that the context has not";
        if (i > 0 && info->components[i] <= info->components[i - 1])
            return "the components of an entity are not in ascending order";
    }
    return info->name == NULL ? "an entity has no name" : NULL;
}

static const char *find_child_fault(const kin_context *context, const kin_child_info *child)
{
    if (child->relation >= context->info->relation_count || !context->info->relations[child->relation].is_tree)
        return "a child is in no tree of the context";
    if (child->of != UINT32_MAX && child->of >= context->info->blueprint_count)
        return "a child is of a blueprint that the context has not";
    if (!has_component(&child->entity, context->info->relations[child->relation].component))
        return "a child lacks the component that names its parent";
    return find_component_fault(context, &child->entity);
}

static const kin_blueprint_info *entity_of(const kin_prefab_info *info, uint32_t number)
{
    return number == 0 ? &info->entity : &info->children[info->entity.descendants[number - 1].child].entity;
}

static const char *find_slot_fault(const kin_context *context, const kin_prefab_info *info, const kin_slot_info *slot)
{
    uint32_t count = 1 + info->entity.descendant_count;
    if (slot->holder >= count || slot->part >= count || !has_component(entity_of(info, slot->holder), slot->component))
        return "a slot names an entity or a component that is not there";
    const kin_component_info *component = &context->info->components[slot->component];
    if (component->is_shared || slot->offset > component->size || component->size - slot->offset < sizeof(kin_entity))
        return "a slot is in a component that cannot have it";
    return NULL;
}

static const char *find_slots_fault(const kin_context *context, const kin_prefab_info *info)
{
    const kin_slot_info *slots = info->entity.slots;
    const char *fault = NULL;
    for (uint32_t i = 0; fault == NULL && i < info->entity.slot_count; i++) {
        fault = find_slot_fault(context, info, &slots[i]);
        if (fault == NULL && i > 0 && slots[i].holder < slots[i - 1].holder)
            fault = "the slots are not in the order of their holders";
    }
    return fault;
}

// Returns why the tables do not fit the context; NULL if they do.
static const char *find_fault(const kin_context *context, const kin_prefab_info *info)
{
    const kin_blueprint_info *first = &info->entity;
    const char *fault = find_component_fault(context, first);
    if (fault == NULL && first->extends > context->info->blueprint_count)
        fault = "it extends a blueprint that the context has not";
    if (fault == NULL && first->descendant_count > DESCENDANT_LIMIT)
        fault = "it has more than 4096 entities";
    for (uint32_t i = 0; fault == NULL && i < first->descendant_count; i++) {
        const kin_descendant_info *descendant = &first->descendants[i];
        if (descendant->child >= info->child_count || descendant->parent > i)
            fault = "a descendant has no table, or comes before its parent";
        else
            fault = find_child_fault(context, &info->children[descendant->child]);
    }
    return fault == NULL ? find_slots_fault(context, info) : fault;
}

// ---- making and releasing

static size_t size_of(uint32_t count)
{
    return kin__round_up(sizeof(kin__prefab)) + count * sizeof(kin__blueprint);
}

static void release(kin_context *context, kin__prefab *prefab)
{
    if (prefab == NULL)
        return;
    kin__blueprint_tree_release(context, &prefab->blueprints[0]);
    for (uint32_t i = 0; i < prefab->count; i++)
        kin__blueprint_release(context, &prefab->blueprints[i]);
    kin__release(&context->core->memory, prefab, size_of(prefab->count));
}

static void *place_of(const kin__part *part)
{
    return (void *)(uintptr_t)part->value;
}

// Writes the values of one entity. `values` are those of its components, or NULL.
static void write_values(const kin_context *context, const kin__blueprint *blueprint, const void *const *values)
{
    for (uint32_t i = 0; i < blueprint->part_count; i++) {
        const kin__part *part = &blueprint->parts[i];
        const void *given = values == NULL ? NULL : values[i];
        if (part->size == 0)
            continue;
        if (given != NULL)
            memcpy(place_of(part), given, part->size);
        else if (blueprint->info->write_values == NULL)
            context->info->components[part->id].write_default(place_of(part));
    }
}

// The first blueprint is that of the first entity; the others are in the order of `children`, then of descendants.
static kin__prefab *make(kin_context *context, const kin_prefab_info *info, const void *const *values)
{
    uint32_t count = 1 + info->child_count;
    kin__prefab *prefab = kin__allocate_zero(&context->core->memory, size_of(count));
    if (prefab == NULL)
        return NULL;
    prefab->info = info;
    prefab->count = count;
    prefab->blueprints = (kin__blueprint *)(void *)((char *)prefab + kin__round_up(sizeof *prefab));
    bool made = kin__blueprint_make(context, &prefab->blueprints[0], &info->entity, NULL);
    for (uint32_t i = 0; made && i < info->child_count; i++)
        made = kin__blueprint_make(context, &prefab->blueprints[1 + i], &info->children[i].entity, &info->children[i]);
    for (uint32_t i = 0; made && i < count; i++)
        prefab->blueprints[i].watchers = kin__blueprint_count_watchers(context, &prefab->blueprints[i]);
    uint32_t of = info->entity.extends;
    kin__pool *pool = of == 0 ? &context->pool : &context->blueprints[of - 1].pool;
    made = made && kin__blueprint_tree_make(context, &prefab->blueprints[0], pool, prefab->blueprints + 1);
    if (!made) {
        release(context, prefab);
        return NULL;
    }
    const kin__blueprint_tree *tree = prefab->blueprints[0].tree;
    for (uint32_t i = 0; i < tree->node_count; i++)
        write_values(context, tree->nodes[i].blueprint, values == NULL ? NULL : values + tree->nodes[i].first_part);
    return prefab;
}

// ---- numbers

static kin__prefab *find(const kin_context *context, kin_prefab prefab)
{
    const kin__prefabs *prefabs = context->core->prefabs;
    return prefabs == NULL || prefab - 1 >= prefabs->all.capacity ? NULL : *kin__prefab_at(prefabs, prefab - 1);
}

static uint32_t find_free(const kin__prefabs *prefabs)
{
    uint32_t place = 0;
    while (place < prefabs->all.capacity && *kin__prefab_at(prefabs, place) != NULL)
        place++;
    return place;
}

static bool reserve_number(kin_context *context)
{
    kin__memory *memory = &context->core->memory;
    kin__prefabs *prefabs = context->core->prefabs;
    if (prefabs == NULL)
        prefabs = context->core->prefabs = kin__allocate_zero(memory, sizeof *prefabs);
    return prefabs != NULL && kin__array_reserve_pointers(memory, &prefabs->all, find_free(prefabs) + 1);
}

static kin_status report(const kin_context *context, kin_status status, const char *verb, const char *reason)
{
    kin__attempt attempt = {.verb = verb, .reason = reason};
    return kin__report_error(context, status, &attempt);
}

static kin_status report_number(const kin_context *context, const char *verb, kin_prefab prefab)
{
    char reason[REASON_SIZE];
    snprintf(reason, sizeof reason, "the context has no prefab %" PRIu32 "; it was released, or is of another context",
             prefab);
    return report(context, KIN_ERROR_INVALID, verb, reason);
}

kin_prefab kin_prefab_make(kin_context *context, const kin_prefab_info *tables, const void *const *values)
{
    char verb[112];
    const char *fault = find_fault(context, tables);
    snprintf(verb, sizeof verb, "make prefab %s", tables->entity.name == NULL ? "?" : tables->entity.name);
    if (fault != NULL) {
        report(context, KIN_ERROR_INVALID, verb, fault);
        return KIN_NO_PREFAB;
    }
    if (kin__context_is_shared(context)) {
        kin__refuse_shared(context);
        return KIN_NO_PREFAB;
    }
    kin__prefab *made = reserve_number(context) ? make(context, tables, values) : NULL;
    if (made == NULL) {
        report(context, KIN_ERROR_NO_MEMORY, verb, NULL);
        return KIN_NO_PREFAB;
    }
    uint32_t place = find_free(context->core->prefabs);
    *kin__prefab_at(context->core->prefabs, place) = made;
    return place + 1;
}

kin_status kin_prefab_release(kin_context *context, kin_prefab prefab)
{
    kin__prefab *released = find(context, prefab);
    if (released == NULL)
        return KIN_OK;
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    if (context->depth > 0)
        return report(context, KIN_ERROR_INVALID, "release a prefab",
                      "a listener is being called; release it afterwards");
    *kin__prefab_at(context->core->prefabs, prefab - 1) = NULL;
    release(context, released);
    return KIN_OK;
}

kin_status kin_prefab_swap(kin_context *context, kin_prefab a, kin_prefab b)
{
    kin__prefab *of_a = find(context, a);
    kin__prefab *of_b = find(context, b);
    if (of_a == NULL || of_b == NULL)
        return report_number(context, "exchange prefabs", of_a == NULL ? a : b);
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    *kin__prefab_at(context->core->prefabs, a - 1) = of_b;
    *kin__prefab_at(context->core->prefabs, b - 1) = of_a;
    return KIN_OK;
}

// ---- spawning

// The fast path needs room for the entities; a few are on the stack.
static bool spawn_fast(kin_context *context, const kin__prefab *prefab, const kin__batch *batch, kin_entity *entities)
{
    kin_entity few[FEW_ENTITIES];
    const kin__blueprint_tree *tree = prefab->blueprints[0].tree;
    kin_entity *all = entities != NULL ? entities : few;
    bool has_array = entities != NULL || tree->node_count <= FEW_ENTITIES;
    return has_array && kin__blueprint_tree_try_fast(context, tree, batch, true, all);
}

kin_status kin_prefab_spawn(kin_context *context, kin_prefab prefab, const kin_prefab_batch *batch,
                            kin_entity *entities)
{
    const kin__prefab *spawned = find(context, prefab);
    kin__batch all = {.count = batch == NULL ? 1 : batch->count, .values = batch == NULL ? NULL : batch->values};
    if (spawned == NULL)
        return report_number(context, "spawn a prefab", prefab);
    if (all.count == 0 || spawn_fast(context, spawned, &all, entities))
        return KIN_OK;
    const kin__blueprint_tree *tree = spawned->blueprints[0].tree;
    bool is_single = tree->node_count == 1 && tree->slot_count == 0;
    size_t count = (size_t)all.count * tree->node_count;
    all.entities = is_single ? entities : NULL;
    kin_status status = is_single
                            ? kin__blueprint_spawn_many(context, &spawned->blueprints[0], tree->nodes[0].pool, &all)
                            : kin__blueprint_trees_spawn(context, &spawned->blueprints[0], &all, true, entities);
    if (status != KIN_OK && entities != NULL)
        memset(entities, 0, count * sizeof *entities);
    return status;
}

// ---- questions

uint32_t kin_prefab_entity_count(const kin_context *context, kin_prefab prefab)
{
    const kin__prefab *found = find(context, prefab);
    return found == NULL ? 0 : 1 + found->info->entity.descendant_count;
}

const kin_prefab_info *kin_prefab_info_of(const kin_context *context, kin_prefab prefab)
{
    const kin__prefab *found = find(context, prefab);
    return found == NULL ? NULL : found->info;
}

static const kin__part *find_part(const kin__blueprint *blueprint, kin_component_id id)
{
    for (uint32_t i = 0; i < blueprint->part_count; i++)
        if (blueprint->parts[i].id == id)
            return &blueprint->parts[i];
    return NULL;
}

// Returns a part of an entity that the blueprint spawns; NULL if there is none.
static const kin__part *find_part_of(const kin__blueprint *blueprint, uint32_t entity, kin_component_id id)
{
    if (entity == 0)
        return find_part(blueprint, id);
    if (blueprint->tree == NULL || entity >= blueprint->tree->node_count)
        return NULL;
    return find_part(blueprint->tree->nodes[entity].blueprint, id);
}

const void *kin_prefab_value(const kin_context *context, kin_prefab prefab, uint32_t entity, kin_component_id id)
{
    const kin__prefab *found = find(context, prefab);
    const kin__part *part = found == NULL ? NULL : find_part_of(&found->blueprints[0], entity, id);
    return part == NULL ? NULL : part->value;
}

static const kin__part *find_blueprint_part(const kin_context *context, uint32_t blueprint, uint32_t entity,
                                            kin_component_id id)
{
    return blueprint < context->info->blueprint_count ? find_part_of(&context->blueprints[blueprint], entity, id)
                                                      : NULL;
}

const void *kin_blueprint_value(const kin_context *context, uint32_t blueprint, uint32_t entity, kin_component_id id)
{
    const kin__part *part = find_blueprint_part(context, blueprint, entity, id);
    return part == NULL ? NULL : part->value;
}

kin_status kin_blueprint_set_value(kin_context *context, uint32_t blueprint, uint32_t entity, kin_component_id id,
                                   const void *value)
{
    static const char verb[] = "set a value of a blueprint";
    const kin__part *part = find_blueprint_part(context, blueprint, entity, id);
    if (part == NULL || part->size == 0 || value == NULL)
        return report(context, KIN_ERROR_INVALID, verb, "there is no such blueprint, entity, component or value");
    kin_status status = kin__lists_check(&context->info->components[id], value);
    if (status != KIN_OK)
        return report(context, status, verb, "a list of the value is too long, or has no elements");
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    memcpy(place_of(part), value, part->size);
    return KIN_OK;
}

// ---- content

void *kin__content_of(const kin_context *context)
{
    return context->core->prefabs == NULL ? NULL : context->core->prefabs->content;
}

const kin_content_face *kin_content_face_of(const kin_context *context, void **content)
{
    *content = kin__content_of(context);
    return *content == NULL ? NULL : context->core->prefabs->face;
}

bool kin__content_set(kin_context *context, void *content, const struct kin_content_face *face)
{
    if (!reserve_number(context))
        return false;
    context->core->prefabs->content = content;
    context->core->prefabs->face = face;
    return true;
}

// ---- all of a context

void kin__prefabs_release(kin_context *context)
{
    kin__prefabs *prefabs = context->core->prefabs;
    if (prefabs == NULL)
        return;
    if (prefabs->content != NULL)
        prefabs->face->end(prefabs->content);
    for (uint32_t i = 0; i < prefabs->all.capacity; i++)
        release(context, *kin__prefab_at(prefabs, i));
    kin__array_release(&context->core->memory, &prefabs->all, sizeof(kin__prefab *));
    kin__release(&context->core->memory, prefabs, sizeof *prefabs);
}

size_t kin__prefabs_used(const kin_context *context)
{
    const kin__prefabs *prefabs = context->core->prefabs;
    size_t used = prefabs == NULL ? 0 : sizeof *prefabs + prefabs->all.capacity * sizeof(kin__prefab *);
    for (uint32_t i = 0; prefabs != NULL && i < prefabs->all.capacity; i++) {
        const kin__prefab *prefab = *kin__prefab_at(prefabs, i);
        if (prefab == NULL)
            continue;
        used += size_of(prefab->count) + prefab->blueprints[0].tree->size;
        for (uint32_t k = 0; k < prefab->count; k++)
            used += prefab->blueprints[k].block_size;
    }
    return used;
}

bool kin__prefabs_are_valid(const kin_context *context)
{
    const kin__prefabs *prefabs = context->core->prefabs;
    for (uint32_t i = 0; prefabs != NULL && i < prefabs->all.capacity; i++) {
        const kin__prefab *prefab = *kin__prefab_at(prefabs, i);
        for (uint32_t k = 0; prefab != NULL && k < prefab->count; k++)
            if (prefab->blueprints[k].watchers != kin__blueprint_count_watchers(context, &prefab->blueprints[k]))
                return false;
    }
    return true;
}
