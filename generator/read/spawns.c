// Blueprints that can never be spawned.
#include "generator/read/read.h"

#include "generator/base/base.h"

#include <string.h>

// An entity that a blueprint spawns.
typedef struct spawned {
    const struct spawned *parent; // NULL for the blueprint's own entity
    const blueprint_child *child; // NULL for the blueprint's own entity
    const blueprint_part *parts;
    size_t part_count;
    size_t depth;
} spawned;

typedef struct spawn_check {
    arena *arena; // of this blueprint
    diagnostics *diagnostics;
    const package *package;
    const blueprint *blueprint;
    spawned *entities; // as many as a blueprint can spawn
    size_t count;
    dictionary claims;    // to the entity that has a key or a unique component
    dictionary *reported; // names children, which blueprints share
} spawn_check;

// ---- keys

static const blueprint_part *find_part(const spawned *entity, const component *component)
{
    for (size_t i = 0; i < entity->part_count; i++)
        if (entity->parts[i].component == component)
            return &entity->parts[i];
    return NULL;
}

static bool meets_rule(const spawned *entity, const rule *rule)
{
    for (size_t i = 0; i < rule->count; i++) {
        bool has = find_part(entity, rule->components[i]) != NULL;
        if (has != (rule->kind == RULE_ALL))
            return false;
    }
    return true;
}

static bool meets_rules(const spawned *entity, const entity_index *index)
{
    for (size_t i = 0; i < index->rule_count; i++)
        if (!meets_rule(entity, &index->rules[i]))
            return false;
    return true;
}

// Appends the value so that different values give different text. Returns false for a NULL string, which keeps the
// entity out of the index. Recursive over nested structs, whose depth is limited.
static bool append_value(text *key, const field_type *type, const constant *value)
{
    switch (value->kind) {
    case CONSTANT_BOOL:
        text_append_format(key, "%d,", value->boolean);
        return true;
    case CONSTANT_NUMBER:
        text_append_format(key, "%s,", value->literal);
        return true;
    case CONSTANT_ENUMERATOR:
        text_append_format(key, "%d,", value->enumerator->number);
        return true;
    case CONSTANT_STRING:
        text_append_format(key, "%zu:", value->bytes == NULL ? 0 : value->size);
        text_append_string(key, value->bytes == NULL ? "" : value->bytes);
        return value->bytes != NULL || type->kind == TYPE_INLINE_STRING;
    case CONSTANT_STRUCT:
        for (size_t i = 0; i < value->count; i++)
            if (!append_value(key, &type->definition->fields.fields[i].type, schema_constant_item(value, i)))
                return false;
        return true;
    case CONSTANT_ENTITY: // always the null entity
    case CONSTANT_OPAQUE:
    case CONSTANT_ARRAY: // the last two are in no key
        return true;
    }
    return false;
}

// The field of a tree names the parent, which is different for each parent.
static bool append_field(text *key, const spawned *entity, const key_part *part)
{
    const blueprint_part *own = find_part(entity, part->component);
    if (own == NULL)
        return false;
    if (entity->child->tree->field == part->field) {
        text_append_format(key, "%p,", (const void *)entity->parent);
        return true;
    }
    size_t place = (size_t)(part->field - part->component->fields.fields);
    const constant *value = own->values == NULL ? part->field->default_value : own->values[place];
    return append_value(key, &part->field->type, value);
}

// Returns the key of the entity in the index as text; NULL if the entity is not in it.
static const char *key_of(const spawn_check *check, const spawned *entity, const entity_index *index)
{
    text key = text_create(check->arena);
    text_append_format(&key, "%s ", index->name);
    for (size_t i = 0; i < index->key_count; i++)
        if (!append_field(&key, entity, &index->key[i]))
            return NULL;
    return meets_rules(entity, index) ? key.bytes : NULL;
}

// ---- two entities

static const char *name_of(arena *arena, const spawned *entity)
{
    const char *name = entity->child == NULL ? "its own entity" : entity->child->name;
    if (entity->child == NULL)
        return name;
    for (entity = entity->parent; entity->child != NULL; entity = entity->parent)
        name = arena_format(arena, "%s.%s", entity->child->name, name);
    return arena_format(arena, "child '%s'", name);
}

// Returns where the later entity parts from the earlier one: itself, or the child above it that brings it.
static const blueprint_child *find_place(const spawned *earlier, const spawned *later)
{
    while (earlier->depth > later->depth)
        earlier = earlier->parent;
    while (later->depth > earlier->depth && later->parent != earlier)
        later = later->parent;
    while (later->parent != earlier && later->parent != earlier->parent) {
        later = later->parent;
        earlier = earlier->parent;
    }
    return later->child;
}

// Blueprints share children, so that the same two entities can be found again.
static bool is_new(const spawn_check *check, const blueprint_child *place)
{
    arena *arena = check->reported->arena;
    const char *name = arena_format(arena, "%s %zu", place->context->name, place->number);
    return dictionary_add(check->reported, name, place) == NULL;
}

static void claim(spawn_check *check, const spawned *entity, const char *key, const char *what, const char *hint)
{
    const spawned *earlier = dictionary_add(&check->claims, key, entity);
    const blueprint_child *place = earlier == NULL ? NULL : find_place(earlier, entity);
    if (place == NULL || !is_new(check, place))
        return;
    diagnostic_warning(check->diagnostics, CODE_EXCLUDED_SPAWN, place->span,
                       "blueprint '%s' can never be spawned: %s and %s have %s", check->blueprint->name,
                       name_of(check->arena, earlier), name_of(check->arena, entity), what);
    diagnostic_hint(check->diagnostics, "%s", hint);
}

// A spawn can give the blueprint's own entity other values, but no other components.
static void claim_keys(spawn_check *check, const spawned *entity)
{
    for (size_t i = 0; i < check->package->index_count && entity->child != NULL; i++) {
        const entity_index *index = check->package->indices[i];
        if (index->kind != INDEX_PRIMARY || index->function != NULL || index->context != check->blueprint->context)
            continue;
        const char *key = key_of(check, entity, index);
        if (key == NULL)
            continue;
        claim(check, entity, key,
              arena_format(check->arena, "equal keys in the primary %s '%s'", schema_index_title(index), index->name),
              "give them different values");
    }
}

static void claim_unique(spawn_check *check, const spawned *entity)
{
    for (size_t i = 0; i < entity->part_count; i++) {
        const component *component = entity->parts[i].component;
        if (component->is_unique)
            claim(check, entity, arena_format(check->arena, "%s\n", component->name),
                  arena_format(check->arena, "the unique component '%s'", component->name),
                  "remove it from one of them");
    }
}

// Recursive, at most SCHEMA_CHILD_DEPTH_LIMIT deep.
static void check_entity(spawn_check *check, const spawned *entity, const child_list *children)
{
    claim_unique(check, entity);
    claim_keys(check, entity);
    for (size_t i = 0; i < children->count; i++) {
        const blueprint_child *child = children->children[i];
        spawned *below = &check->entities[check->count++];
        *below = (spawned){entity, child, child->parts, child->part_count, entity->depth + 1};
        check_entity(check, below, &child->children);
    }
}

static void check_blueprint(arena *arena, spawn_check *check)
{
    const blueprint *blueprint = check->blueprint;
    check->claims = dictionary_create(arena);
    check->entities = arena_allocate(arena, (blueprint->children.node_count + 1) * sizeof *check->entities);
    spawned *root = &check->entities[check->count++];
    *root = (spawned){.parts = blueprint->parts, .part_count = blueprint->part_count};
    check_entity(check, root, &blueprint->children);
}

// A fault in children that blueprints share is reported for the first blueprint that others are of.
void advice_on_exclusions(arena *arena, diagnostics *diagnostics, const package *package)
{
    dictionary reported = dictionary_create(arena);
    const blueprint **ordered = arena_allocate(arena, (package->blueprint_count + 1) * sizeof *ordered);
    for (size_t i = 0; i < package->blueprint_count; i++)
        ordered[package->blueprints[i]->order] = package->blueprints[i];
    for (size_t i = 0; i < package->blueprint_count; i++) {
        struct arena own = arena_beside(arena);
        spawn_check check = {.arena = &own,
                             .diagnostics = diagnostics,
                             .package = package,
                             .blueprint = ordered[i],
                             .reported = &reported};
        if (ordered[i]->children.count > 0)
            check_blueprint(&own, &check);
        arena_release(&own);
    }
}
