// What tools such as the inspector ask of a content: its lists, and names of entities instead of numbers.
#include "live/live.h"

#include <stdio.h>
#include <stdlib.h>

enum { PATH_SIZE = 512 };

// ---- names

static const kin__live_node *find_node(const kin__live_prefab *prefab, uint32_t hash)
{
    for (uint32_t i = 0; prefab != NULL && i < prefab->count; i++)
        if (prefab->nodes[i]->hash == hash)
            return prefab->nodes[i];
    return NULL;
}

// The names of all places, in order of their hashes. They are made when a tool first asks for one.
typedef struct naming {
    kin__generation *now;
    kin__live_name *names;
    uint32_t count;
    char path[PATH_SIZE];  // of first names, as Origin.place has it
    char shown[PATH_SIZE]; // of the names now
} naming;

static uint32_t count_names(const kin__pack *pack, const kin__pack_level *level)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < level->run_count; r++) {
        const kin__pack_run *run = &level->runs[r];
        if (run->prefab == KIN__PACK_NONE)
            count += run->count * count_names(pack, &pack->levels[run->level]);
        else if (run->is_named)
            count += run->count;
    }
    return count;
}

// Appends a name to a path of `used` bytes. Returns how many it would have.
static size_t append(char *path, size_t used, const char *name, bool is_level)
{
    return used + (size_t)snprintf(path + used, PATH_SIZE - used, "%s%s", name, is_level ? "." : "");
}

// Adds the names of a level and the levels in it, which begin with the path so far. Recursive, as deep as packs allow.
static bool add_names(naming *naming, const kin__pack_level *level, size_t used, size_t shown)
{
    const kin__pack *pack = &naming->now->pack;
    uint32_t number = (uint32_t)(level - pack->levels);
    for (uint32_t r = 0; r < level->run_count; r++) {
        const kin__pack_run *run = &level->runs[r];
        bool is_level = run->prefab == KIN__PACK_NONE;
        for (uint32_t i = 0; i < run->count && (is_level || run->is_named); i++) {
            const char *first = run->instances[i].name;
            const char *own = first == NULL ? kin__level_name(pack, run->level)
                                            : kin__pack_name_now(pack, KIN__PACK_NAMED_INSTANCE, number, first, first);
            first = first == NULL ? pack->levels[run->level].name : first;
            size_t size = append(naming->path, used, first, is_level);
            size_t end = append(naming->shown, shown, own, is_level);
            if (size >= PATH_SIZE || end >= PATH_SIZE)
                continue; // shown by its prefab
            if (is_level && !add_names(naming, &pack->levels[run->level], size, end))
                return false;
            if (is_level)
                continue;
            const char *name = kin__arena_copy(&naming->now->arena, naming->shown, end + 1);
            if (name == NULL)
                return false;
            naming->names[naming->count++] = (kin__live_name){kin__name_hash(name), name};
        }
    }
    return true;
}

static int compare_names(const void *a, const void *b)
{
    const kin__live_name *left = a, *right = b;
    return (left->place > right->place) - (left->place < right->place);
}

static bool make_names(kin__generation *now)
{
    naming naming = {.now = now};
    uint32_t count = 0;
    for (uint32_t i = 0; i < now->pack.level_count; i++)
        count += now->pack.levels[i].context == now->context ? count_names(&now->pack, &now->pack.levels[i]) : 0;
    naming.names = kin__arena_take(&now->arena, (count + (size_t)1) * sizeof *naming.names);
    bool is_made = naming.names != NULL;
    for (uint32_t i = 0; is_made && i < now->pack.level_count; i++) {
        const kin__pack_level *level = &now->pack.levels[i];
        size_t used = (size_t)snprintf(naming.path, PATH_SIZE, "%s/", level->name);
        size_t shown = (size_t)snprintf(naming.shown, PATH_SIZE, "%s/", kin__level_name(&now->pack, i));
        bool is_named = level->context == now->context && used < PATH_SIZE && shown < PATH_SIZE;
        is_made = !is_named || add_names(&naming, level, used, shown);
    }
    if (!is_made)
        return false;
    if (naming.count > 1)
        qsort(naming.names, naming.count, sizeof *naming.names, compare_names);
    now->names = naming.names;
    now->name_count = naming.count;
    return true;
}

// Without memory for the names, prefabs stand for them.
static const char *name_of_place(kin__generation *now, uint32_t place)
{
    kin__live_name wanted = {place, NULL};
    if (place == 0 || (now->names == NULL && !make_names(now)) || now->name_count == 0)
        return NULL;
    const kin__live_name *found = bsearch(&wanted, now->names, now->name_count, sizeof wanted, compare_names);
    return found == NULL ? NULL : found->name;
}

static size_t name_of(const void *data, kin_entity entity, char *name, size_t size)
{
    const kin_content *content = data;
    const kin__live_origin *origin = kin_get(content->context, entity, content->origin);
    if (origin == NULL)
        return 0;
    const kin__live_prefab *prefab = kin__generation_find_hash(content->now, origin->prefab);
    const kin__live_node *node = find_node(prefab, origin->part);
    if (node == NULL)
        return 0;
    const char *placed = name_of_place(content->now, origin->place);
    size_t used = (size_t)snprintf(name, size, "%s", placed == NULL ? prefab->name : placed);
    if (node->name[0] == '\0')
        return used;
    if (used >= size)
        return used + 1 + strlen(node->name);
    return used + (size_t)snprintf(name + used, size - used, ".%s", node->name);
}

// ---- lists

static uint64_t version(const void *content)
{
    return ((const kin_content *)content)->state.version;
}

static const char *prefab_at(const void *data, uint32_t index)
{
    const kin_content *content = data;
    const kin__generation *now = content->now;
    uint64_t number = (uint64_t)index + content->info->blueprint_count;
    return number < now->prefab_count ? now->prefabs[number].name : NULL;
}

static const char *level_at(const void *data, uint32_t index)
{
    const kin__pack *pack = &((const kin_content *)data)->now->pack;
    return index < pack->level_count ? kin__level_name(pack, index) : NULL;
}

static const char *no_file(const void *content, uint32_t index)
{
    (void)content;
    (void)index;
    return NULL;
}

static const char *no_folder(const void *content)
{
    (void)content;
    return NULL;
}

static const char *error(const void *content)
{
    return ((const kin_content *)content)->state.error;
}

static const char *errors(const void *content)
{
    return ((const kin_content *)content)->state.errors_json;
}

static bool has_values(const void *data, kin_entity entity)
{
    const kin_content *content = data;
    for (kin_component_id id = 0; id < content->info->component_count; id++)
        if (content->info->components[id].is_unique && kin__unique_find(content, id, entity) != NULL)
            return true;
    return false;
}

static kin_entity spawn(void *data, const char *name)
{
    return kin_spawn_named(((const kin_content *)data)->context, name, NULL);
}

const kin_content_face kin__content_face = {
    .end = kin__content_end,
    .version = version,
    .name = name_of,
    .prefab = prefab_at,
    .level = level_at,
    .file = no_file,
    .folder = no_folder,
    .error = error,
    .errors = errors,
    .has_values = has_values,
    .spawn = spawn,
};
