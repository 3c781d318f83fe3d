// What tools such as the inspector ask of a content: its lists, and names of entities instead of numbers.
#include "live/live.h"

#include <stdio.h>
#include <stdlib.h>

enum { PATH_SIZE = 512 };

// ---- names

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

// Appends a name and what follows it to a path of `used` bytes. Returns how many it would have.
static size_t append(char *path, size_t used, const char *name, const char *after)
{
    KIN_ASSERT(used < PATH_SIZE);
    return used + (size_t)snprintf(path + used, PATH_SIZE - used, "%s%s", name, after);
}

// Bytes of the paths of a naming.
typedef struct lengths {
    size_t path, shown;
} lengths;

static bool add_names(naming *naming, const kin__pack_level *level, lengths used);

// Adds the name of an instance, or those of a level in a level.
static bool add_instance(naming *naming, uint32_t level, const kin__pack_run *run, uint32_t number, lengths used)
{
    const kin__pack_instance *said = &run->instances[number];
    const kin__pack *pack = &naming->now->pack;
    bool is_level = run->prefab == KIN__PACK_NONE;
    const char *after = is_level ? "." : "";
    const char *now = kin__pack_name_now(pack, KIN__PACK_NAMED_INSTANCE, level, said->name, said->name);
    lengths size = {append(naming->path, used.path, said->name, after), append(naming->shown, used.shown, now, after)};
    if (size.path >= PATH_SIZE || size.shown >= PATH_SIZE)
        return true; // shown by its prefab
    if (is_level)
        return add_names(naming, &pack->levels[run->level], size);
    const char *name = kin__arena_copy(&naming->now->arena, naming->shown, size.shown + 1);
    if (name == NULL)
        return false;
    naming->names[naming->count++] = (kin__live_name){kin__name_hash(name), name};
    return true;
}

// Adds the names of a level and the levels in it, which begin with the path so far. Recursive, as deep as packs allow.
static bool add_names(naming *naming, const kin__pack_level *level, lengths used)
{
    uint32_t number = (uint32_t)(level - naming->now->pack.levels);
    for (uint32_t r = 0; r < level->run_count; r++) {
        const kin__pack_run *run = &level->runs[r];
        if (!run->is_named)
            continue;
        for (uint32_t i = 0; i < run->count; i++)
            if (!add_instance(naming, number, run, i, used))
                return false;
    }
    return true;
}

static bool add_level(naming *naming, uint32_t number)
{
    const kin__pack *pack = &naming->now->pack;
    const kin__pack_level *level = &pack->levels[number];
    if (level->context != naming->now->context)
        return true;
    lengths used = {append(naming->path, 0, level->name, "/"),
                    append(naming->shown, 0, kin__level_name(pack, number), "/")};
    if (used.path >= PATH_SIZE || used.shown >= PATH_SIZE)
        return true;
    return add_names(naming, level, used);
}

static int compare_names(const void *a, const void *b)
{
    const kin__live_name *left = a;
    const kin__live_name *right = b;
    return (left->place > right->place) - (left->place < right->place);
}

static bool make_names(kin__generation *now)
{
    naming naming = {.now = now};
    uint32_t count = 0;
    for (uint32_t i = 0; i < now->pack.level_count; i++)
        if (now->pack.levels[i].context == now->context)
            count += count_names(&now->pack, &now->pack.levels[i]);
    naming.names = kin__arena_take(&now->arena, (count + (size_t)1) * sizeof *naming.names);
    if (naming.names == NULL)
        return false;
    for (uint32_t i = 0; i < now->pack.level_count; i++)
        if (!add_level(&naming, i))
            return false;
    KIN_ASSERT(naming.count <= count);
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
    if (place == 0)
        return NULL;
    if (now->names == NULL && !make_names(now))
        return NULL;
    if (now->name_count == 0)
        return NULL;
    const kin__live_name *found = bsearch(&wanted, now->names, now->name_count, sizeof wanted, compare_names);
    return found == NULL ? NULL : found->name;
}

static size_t name_of(const void *data, kin_entity entity, char *name, size_t size)
{
    const kin_content *content = data;
    const kin__live_origin *origin = kin__origin_of(content, entity);
    if (origin == NULL)
        return 0;
    const kin__live_prefab *prefab = kin__generation_find_hash(content->now, origin->prefab);
    if (prefab == NULL)
        return 0;
    const kin__live_node *node = kin__live_prefab_find_hash(prefab, origin->part);
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
    if (number >= now->prefab_count)
        return NULL;
    KIN_ASSERT(!now->prefabs[number].is_blueprint); // 1
    return now->prefabs[number].name;
}

static const char *level_at(const void *data, uint32_t index)
{
    const kin__pack *pack = &((const kin_content *)data)->now->pack;
    if (index >= pack->level_count)
        return NULL;
    return kin__level_name(pack, index);
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
