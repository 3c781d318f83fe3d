// What an entity without a label is called: what it was spawned from.
//
// An entity does not know its blueprint, but its chunk does. A child without a blueprint of its own is found by its
// parent: the children of a blueprint are spawned in the order of the schema, below the entity of their parent.
#include "capture/capture.h"

#include <kin/generated/relation.h>
#include <kin/inventory.h>
#include <kin/look.h>

#include <string.h>

enum { MOST_BLUEPRINTS = 512, MOST_LEVELS = 8, MOST_HOLDERS = 64 };

// The entity of a blueprint, or the one of its descendant `number - 1`.
typedef struct origin {
    const kin_blueprint_info *blueprint; // or NULL without a blueprint
    uint32_t number;
} origin;

// Returns the number of the blueprint from whose slots the entity is, or UINT32_MAX.
static uint32_t find_blueprint(const kin_context *context, kin_entity entity)
{
    const kin_context_info *info = kin_context_info_of(context);
    kin_pool_usage pools[MOST_BLUEPRINTS + 1];
    if (info->blueprint_count > MOST_BLUEPRINTS)
        return UINT32_MAX;
    for (uint32_t i = 0; i <= info->blueprint_count; i++)
        pools[i] = (kin_pool_usage){0};
    kin_context_pools(context, kin_entity_slot(entity) / KIN__CHUNK_SLOTS, 1, pools);
    for (uint32_t i = 0; i < info->blueprint_count; i++)
        if (pools[i + 1].chunks > 0)
            return i;
    return UINT32_MAX;
}

// ---- children

static bool fits(const kin_context *context, kin_entity entity, const kin_child_info *child)
{
    if (child->of != find_blueprint(context, entity))
        return false;
    for (uint32_t i = 0; i < child->entity.component_count; i++)
        if (!kin_has(context, entity, child->entity.components[i]))
            return false;
    return true;
}

// Walks over the children that the schema has below an entity.
typedef struct children {
    const kin_context *context;
    origin above;
    kin_entity parent;
} children;

static const kin_child_info *child_of(const children *children, uint32_t place)
{
    const kin_descendant_info *descendant = &children->above.blueprint->descendants[place];
    if (descendant->parent != children->above.number)
        return NULL;
    return &kin_context_info_of(children->context)->children[descendant->child];
}

// Returns how many entities below the parent could be this child.
static uint32_t count_fits(const children *children, const kin_child_info *child)
{
    uint32_t count = 0, seen = 0;
    kin_entity holder = kin__relation_first(children->context, child->relation, children->parent);
    for (; holder != 0 && seen < MOST_HOLDERS; seen++) {
        count += fits(children->context, holder, child);
        holder = kin__relation_next(children->context, child->relation, holder);
    }
    return seen < MOST_HOLDERS ? count : MOST_HOLDERS;
}

// Returns the place of the only child that the entity can be, or UINT32_MAX.
static uint32_t find_only(const children *children, kin_entity entity)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < children->above.blueprint->descendant_count; i++) {
        const kin_child_info *child = child_of(children, i);
        if (child == NULL || !fits(children->context, entity, child))
            continue;
        if (found != UINT32_MAX || count_fits(children, child) != 1)
            return UINT32_MAX;
        found = i;
    }
    return found;
}

// Returns the place of the child, if all children are there in the order of the schema and no others; else UINT32_MAX.
static uint32_t find_in_order(const children *children, kin_entity entity, uint32_t relation)
{
    kin_entity holder = kin__relation_first(children->context, relation, children->parent);
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < children->above.blueprint->descendant_count; i++) {
        const kin_child_info *child = child_of(children, i);
        if (child == NULL)
            continue;
        if (holder == 0 || !fits(children->context, holder, child))
            return UINT32_MAX;
        if (holder == entity)
            found = i;
        holder = kin__relation_next(children->context, relation, holder);
    }
    return holder == 0 ? found : UINT32_MAX;
}

// Returns the tree in which blueprints put their children, or UINT32_MAX.
static uint32_t find_tree(const kin_context_info *info)
{
    return info->child_count > 0 ? info->children[0].relation : UINT32_MAX;
}

static kin_entity parent_in(const kin_context *context, uint32_t tree, kin_entity entity)
{
    const kin_relation_info *relation = &kin_context_info_of(context)->relations[tree];
    const kin_component_info *component = &kin_context_info_of(context)->components[relation->component];
    char value[1024] = {0};
    kin_entity parent = 0;
    if (component->size > sizeof value || !kin_look_read(context, entity, relation->component, value))
        return 0;
    memcpy(&parent, value + relation->field->offset, sizeof parent);
    return kin_entity_is_alive(context, parent) ? parent : 0;
}

// Finds the origins from the highest parent on down, so that each is below one that is known.
static origin find_origin(const kin_context *context, kin_entity entity)
{
    const kin_context_info *info = kin_context_info_of(context);
    kin_entity chain[MOST_LEVELS] = {entity};
    uint32_t length = 1, tree = find_tree(info);
    for (; tree != UINT32_MAX && length < MOST_LEVELS && chain[length - 1] != 0; length++)
        chain[length] = parent_in(context, tree, chain[length - 1]);
    origin found = {NULL, 0};
    for (uint32_t i = length; i-- > 0;) {
        if (chain[i] == 0)
            continue;
        uint32_t place = UINT32_MAX, blueprint = find_blueprint(context, chain[i]);
        const children below = {context, found, i + 1 < length ? chain[i + 1] : 0};
        if (found.blueprint != NULL && below.parent != 0) {
            place = find_in_order(&below, chain[i], tree);
            place = place != UINT32_MAX ? place : find_only(&below, chain[i]);
        }
        if (place != UINT32_MAX)
            found.number = place + 1;
        else
            found = (origin){blueprint == UINT32_MAX ? NULL : &info->blueprints[blueprint], 0};
    }
    return found;
}

// ---- the name

// Returns a unique component of the entity, or NULL.
static const char *find_unique(const kin_context *context, kin_entity entity)
{
    const kin_context_info *info = kin_context_info_of(context);
    for (uint32_t id = 0; id < info->component_count; id++) {
        const kin_component_info *component = &info->components[id];
        bool is_shown = component->is_unique && component->inspect != KIN_INSPECT_HIDDEN;
        if (is_shown && kin_context_carrier(context, (kin_component_id)id) == entity)
            return component->name;
    }
    return NULL;
}

const char *kin__name_of(const kin_context *context, kin_entity entity)
{
    origin origin = find_origin(context, entity);
    if (origin.blueprint == NULL)
        return find_unique(context, entity);
    if (origin.number == 0)
        return origin.blueprint->name;
    uint32_t child = origin.blueprint->descendants[origin.number - 1].child;
    return kin_context_info_of(context)->children[child].entity.name;
}
