// Checks what only the whole content shows: unique components and primary keys that are placed twice, and names whose
// hashes are equal, so that Origin could not tell them apart (CNT-02, section 3 of the rules of Origin).
#include "generator/content/internal.h"

#include <assert.h>
#include <string.h>

// ---- hashes

// FNV-1a of 32 bits, as Origin has it.
static uint32_t hash_name(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash;
}

typedef struct hashed {
    const char *name;
    span span;
} hashed;

static void check_hash(compiler *compiler, dictionary *hashes, const char *name, span span)
{
    const char *key = arena_format(compiler->arena, "%08x", (unsigned)hash_name(name));
    hashed *made = arena_allocate(compiler->arena, sizeof *made);
    *made = (hashed){name, span};
    const hashed *earlier = dictionary_add(hashes, key, made);
    if (earlier == NULL || strcmp(earlier->name, name) == 0)
        return;
    diagnostic_error(compiler->diagnostics, CODE_HASHES_MEET, span, "'%s' and '%s' have the same hash", name,
                     earlier->name);
    diagnostic_hint(compiler->diagnostics, "rename one of them");
    if (earlier->span.source != NULL)
        diagnostic_note(compiler->diagnostics, earlier->span, "the other name is here");
}

static void check_hashes(compiler *compiler)
{
    dictionary prefabs = dictionary_create(compiler->arena);
    dictionary places = dictionary_create(compiler->arena);
    for (size_t i = 0; i < compiler->schema.count; i++)
        for (uint32_t j = 0; j < compiler->schema.contexts[i]->blueprint_count; j++)
            check_hash(compiler, &prefabs, compiler->schema.contexts[i]->blueprints[j].name, (span){0});
    for (const prefab *each = compiler->prefabs; each != NULL; each = each->next) {
        if (each->is_blueprint)
            continue;
        check_hash(compiler, &prefabs, each->first_name, each->key->span);
        dictionary parts = dictionary_create(compiler->arena);
        for (const part *part = each->parts.first; part != NULL; part = part->next)
            check_hash(compiler, &parts, part->first_path, each->key->span);
    }
    for (const level *level = compiler->levels; level != NULL; level = level->next)
        for (const instance *each = level->first; each != NULL; each = each->next)
            if (each->name != NULL)
                check_hash(compiler, &places,
                           arena_format(compiler->arena, "%s/%s", level->first_name, each->first_name),
                           each->name_span);
}

// ---- what can be there once

// The first place of a unique component or a key.
typedef struct once {
    span span;
} once;

static void note_once(compiler *compiler, dictionary *known, const char *name, span span, diagnostic_code code,
                      const char *what)
{
    once *made = arena_allocate(compiler->arena, sizeof *made);
    made->span = span;
    const once *earlier = dictionary_add(known, name, made);
    if (earlier == NULL)
        return;
    diagnostic_error(compiler->diagnostics, code, span, "%s is there twice", what);
    diagnostic_note(compiler->diagnostics, earlier->span, "first here");
}

static void check_uniques_of(compiler *compiler, dictionary *known, const prefab *prefab, span span)
{
    for (uint32_t id = 0; id < prefab->info->component_count; id++) {
        const kin_component_info *info = &prefab->info->components[id];
        if (!info->is_unique)
            continue;
        for (const part *each = prefab->parts.first; each != NULL; each = each->next)
            if (!each->is_gone && part_has(each, (kin_component_id)id))
                note_once(compiler, known, info->name, span, CODE_UNIQUE_TWICE,
                          arena_format(compiler->arena, "unique component '%s'", info->name));
    }
}

// ---- keys

static const write *find_in_list(const write_list *list, const char *part, const char *component, const char *field)
{
    for (const write *each = list->first; each != NULL; each = each->next) {
        if (strcmp(each->part, part) != 0 || strcmp(each->leaf->component->name, component) != 0)
            continue;
        if (strcmp(each->leaf->path, field) == 0)
            return each;
    }
    return NULL;
}

// Returns the write of a leaf that the outermost gives: the instance, then its prefab, then what that extends. Parts
// that are of a prefab have its values below those. Recursive along bases and `of`, which are limited.
static const write *find_write(const prefab *prefab, const char *part, const char *component, const char *field)
{
    const write *found = find_in_list(&prefab->writes, part, component, field);
    if (found != NULL)
        return found;
    for (size_t i = 0; i < prefab->new_count; i++) {
        const struct part *new_part = prefab->new_parts[i];
        if (!path_is_within(part, new_part->path))
            continue;
        const char *below = part + strlen(new_part->path);
        return find_write(new_part->of, below + (*below == '.'), component, field);
    }
    if (prefab->base == NULL)
        return NULL;
    return find_write(prefab->base, part, component, field);
}

static const prefab *outermost_blueprint(const prefab *prefab)
{
    while (prefab->base != NULL)
        prefab = prefab->base;
    return prefab;
}

// Appends the value of a part of a key. Without a value in the content it is that of the blueprint, which is the same
// for all of that blueprint.
static void append_key(text *out, const instance *instance, const part *part, const kin_key_info *key)
{
    const kin_component_info *component = &instance->prefab->info->components[key->component];
    const char *field = identity_of(key->field->identity, key->field->name);
    const write *found = find_in_list(&instance->writes, part->path, component->name, field);
    if (found == NULL)
        found = find_write(instance->prefab, part->path, component->name, field);
    if (found == NULL) {
        text_append_format(out, "|of %s.%s", outermost_blueprint(instance->prefab)->name, part->path);
        return;
    }
    text_append(out, "|", 1);
    for (size_t i = 0; i < found->size; i++)
        text_append_format(out, "%02x", (unsigned char)found->bytes[i]);
}

static bool has_key(const part *part, const kin_index_info *index)
{
    for (uint32_t i = 0; i < index->key_count; i++)
        if (!part_has(part, index->key[i].component))
            return false;
    return !part->is_gone;
}

static void check_keys_of(compiler *compiler, dictionary *known, const instance *instance, const kin_index_info *index)
{
    assert(index->key_count > 0);
    for (const part *each = instance->prefab->parts.first; each != NULL; each = each->next) {
        if (!has_key(each, index))
            continue;
        text key = text_create(compiler->arena);
        text_append_format(&key, "%s", index->name);
        for (uint32_t i = 0; i < index->key_count; i++)
            append_key(&key, instance, each, &index->key[i]);
        note_once(compiler, known, key.bytes, instance->key->span, CODE_PLACED_TWICE,
                  arena_format(compiler->arena, "the key of index '%s'", index->name));
    }
}

// Most levels place nothing of which there can be only one, and need no look at each instance.

// Whether content gives the keys of an index, and no two entities may have the same one.
static bool is_checked(const kin_index_info *index)
{
    return index->is_primary && index->function == NULL;
}

static bool part_has_once(const part *part, const kin_context_info *info)
{
    for (uint32_t id = 0; id < info->component_count; id++)
        if (info->components[id].is_unique && part_has(part, (kin_component_id)id))
            return true;
    for (uint32_t i = 0; i < info->index_count; i++)
        if (is_checked(&info->indices[i]) && part_has(part, info->indices[i].key[0].component))
            return true;
    return false;
}

static bool prefab_has_once(prefab *prefab)
{
    if (prefab->once != ONCE_UNKNOWN)
        return prefab->once == ONCE_SOME;
    prefab->once = ONCE_NONE;
    for (const part *each = prefab->parts.first; each != NULL; each = each->next)
        if (part_has_once(each, prefab->info))
            prefab->once = ONCE_SOME;
    return prefab->once == ONCE_SOME;
}

static bool level_has_once(level *level);

static bool instance_has_once(const instance *instance)
{
    if (instance->level != NULL && level_has_once(instance->level))
        return true;
    return instance->prefab != NULL && prefab_has_once(instance->prefab);
}

// Recursive along levels in levels, which are limited.
static bool level_has_once(level *level)
{
    if (level->once != ONCE_UNKNOWN)
        return level->once == ONCE_SOME;
    level->once = ONCE_NONE;
    for (const instance *each = level->first; each != NULL; each = each->next)
        if (instance_has_once(each))
            level->once = ONCE_SOME;
    return level->once == ONCE_SOME;
}

// Recursive along levels in levels, which are limited.
static void check_level(compiler *compiler, dictionary *uniques, dictionary *keys, const level *level, span place)
{
    for (const instance *each = level->first; each != NULL; each = each->next) {
        span span = each->key->span;
        if (place.source != NULL) // of the level around it
            span = place;
        if (each->level != NULL && level_has_once(each->level))
            check_level(compiler, uniques, keys, each->level, span);
        if (each->prefab == NULL || !prefab_has_once(each->prefab))
            continue;
        check_uniques_of(compiler, uniques, each->prefab, span);
        const kin_context_info *info = each->prefab->info;
        for (uint32_t i = 0; i < info->index_count; i++)
            if (is_checked(&info->indices[i]))
                check_keys_of(compiler, keys, each, &info->indices[i]);
    }
}

void check_placed(compiler *compiler)
{
    check_hashes(compiler);
    for (const prefab *each = compiler->prefabs; each != NULL; each = each->next) {
        dictionary known = dictionary_create(compiler->arena);
        if (!each->is_blueprint)
            check_uniques_of(compiler, &known, each, each->key->span);
    }
    for (level *each = compiler->levels; each != NULL; each = each->next) {
        dictionary uniques = dictionary_create(compiler->arena);
        dictionary keys = dictionary_create(compiler->arena);
        if (level_has_once(each))
            check_level(compiler, &uniques, &keys, each, (span){0});
    }
}
