// Compiled with the code of a random schema, whose context is `game`, and run with packs of content for it.
//
//   drawn equal PACK          what blueprints spawn, and what prefabs spawn that are their equals: entities and events
//   drawn reload SEED PACK…   random reloads from one pack to another, beside copies of all values (reload.c)
//
// Ends with 1 after the first difference, which it prints.
#include "drawn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *file_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *bytes = file == NULL ? NULL : malloc(1 << 22);
    if (bytes == NULL)
        die("cannot read %s", path);
    *size = fread(bytes, 1, 1 << 22, file);
    fclose(file);
    return bytes;
}

void game_begin(game *game, const char *pack)
{
    size_t size;
    char *bytes = file_read(pack, &size);
    *game = (struct game){.made = game_context_create(NULL)};
    game->context = &game->made->base;
    game->content = kin_content_open_bytes(game->context, bytes, size, NULL);
    if (game->content == NULL)
        die("%s is refused", pack);
    free(bytes);
}

void game_end(game *game)
{
    game_context_destroy(game->made);
    free(game->log.bytes);
}

// ---- events

// Returns the number of an entity: how many others events have named before.
static uint32_t number_of(game *game, kin_entity entity)
{
    for (uint32_t i = 0; i < game->seen_count; i++)
        if (game->seen[i] == entity)
            return i;
    if (game->seen_count == SEEN)
        die("too many entities");
    game->seen[game->seen_count] = entity;
    return game->seen_count++;
}

static void append_seen(void *data, line *line, kin_entity entity)
{
    if (entity == 0)
        line_append(line, "none");
    else
        line_append(line, "#%u", (unsigned)number_of(data, entity));
}

static const char *name_of(const kin_change *change)
{
    static const char *const context_events[] = {"created", "will be destroyed", "was destroyed", "group", "changed"};
    if (change->group != NULL)
        return kin_group_name(change->group);
    return change->component < game_info.component_count ? context_events[4] : context_events[0];
}

static void note(const kin_change *change, void *user)
{
    game *game = user;
    line_append(&game->log, "%s %d ", name_of(change), change->event);
    append_seen(game, &game->log, change->entity);
    if (change->component < game_info.component_count) {
        const kin_component_info *info = &game_info.components[change->component];
        const void *values[] = {change->previous, change->value};
        line_append(&game->log, " %s", info->name);
        for (int i = 0; i < 2; i++)
            value_append(&game->log, info, values[i], append_seen, game);
    }
    line_append(&game->log, "\n");
}

static void listen(game *game)
{
    static const kin_group_event events[] = {KIN_ADDED, KIN_REMOVED, KIN_MODIFIED};
    kin_context_subscribe(game->context, KIN_ENTITY_CREATED, note, game);
    kin_context_subscribe(game->context, KIN_COMPONENT_CHANGED, note, game);
    for (uint32_t i = 0; i < game_info.group_count; i++)
        for (int k = 0; k < 3; k++)
            kin_group_subscribe(kin_context_group(game->context, game_info.groups[i].matcher), events[k], note, game);
}

// ---- states

static int compare_births(const void *a, const void *b)
{
    uint64_t x = kin_entity_creation_index(*(const kin_entity *)a),
             y = kin_entity_creation_index(*(const kin_entity *)b);
    return (x > y) - (x < y);
}

// All living entities, in the order of their creation.
static void list_entities(game *game)
{
    game->seen_count = 0;
    kin_component_id content = kin_component_find(&game_info, "Content");
    for (uint32_t slot = 0; slot < 64 * kin_look_words(game->context); slot++) {
        kin_entity entity = kin_look_entity(game->context, slot);
        if (entity != 0 && !kin_has(game->context, entity, content))
            number_of(game, entity);
    }
    qsort(game->seen, game->seen_count, sizeof *game->seen, compare_births);
}

static void append_state(game *game, bool has_handles)
{
    list_entities(game);
    for (uint32_t i = 0, count = game->seen_count; i < count; i++) {
        kin_entity entity = game->seen[i];
        line_append(&game->log, "entity %u", (unsigned)i);
        if (has_handles)
            line_append(&game->log, " in slot %u", (unsigned)kin_entity_slot(entity));
        for (kin_component_id id = 0; id < game_info.component_count; id++) {
            const kin_component_info *info = &game_info.components[id];
            char *value = malloc(info->size + 1);
            if (kin_look_read(game->context, entity, id, value)) {
                line_append(&game->log, " %s", info->name);
                value_append(&game->log, info, info->size == 0 ? NULL : value, append_seen, game);
            }
            free(value);
        }
        line_append(&game->log, "\n");
    }
}

// ---- equal

typedef struct trial {
    const char *prefix; // of the prefabs: "Same"
    const char *level;  // with some of each; NULL: they are spawned by name
    uint32_t count;     // of each blueprint
    bool listens;
    bool has_handles; // they have those of the blueprints
} trial;

// Instances of a level that stand together are spawned as one batch.
static kin_status spawn_many(game *game, uint32_t number, uint32_t count)
{
    kin__batch batch = {count, NULL, NULL};
    if (game_info.blueprints[number].descendant_count > 0)
        return kin__spawn_trees(game->context, number, &batch);
    return kin__spawn_many(game->context, number, &batch);
}

static void spawn_blueprints(game *game, const trial *trial)
{
    uint32_t count = trial->level == NULL ? 1 : trial->count;
    for (uint32_t i = 0; i < game_info.blueprint_count; i++)
        for (uint32_t k = 0; k < trial->count; k += count)
            if (spawn_many(game, i, count) != KIN_OK)
                die("%s is not spawned", game_info.blueprints[i].name);
}

static void spawn_prefabs(game *game, const trial *trial)
{
    char name[64];
    if (trial->level != NULL && kin_place_level(game->context, trial->level) != KIN_OK)
        die("level %s is not placed", trial->level);
    for (uint32_t i = 0; trial->level == NULL && i < game_info.blueprint_count; i++) {
        snprintf(name, sizeof name, "%s%s", trial->prefix, game_info.blueprints[i].name);
        for (uint32_t k = 0; k < trial->count; k++)
            if (kin_spawn_named(game->context, name, NULL) == 0)
                die("%s is not spawned", name);
    }
}

static void try_equal(const char *pack, const trial *trial)
{
    static game blueprints, prefabs;
    game_begin(&blueprints, pack);
    game_begin(&prefabs, pack);
    if (trial->listens) {
        listen(&blueprints);
        listen(&prefabs);
    }
    spawn_blueprints(&blueprints, trial);
    spawn_prefabs(&prefabs, trial);
    bool is_said = trial->level != NULL && strcmp(trial->level, "said") == 0;
    if (is_said) // what an instance says of its parts is set when all of the level is placed: only the states are equal
        blueprints.log.size = prefabs.log.size = 0;
    append_state(&blueprints, trial->has_handles);
    append_state(&prefabs, trial->has_handles);
    lines_compare(blueprints.log.bytes, prefabs.log.bytes, "prefabs %s, level %s, %s", trial->prefix,
                  trial->level == NULL ? "none" : trial->level,
                  trial->listens ? "with listeners" : "without listeners");
    game_end(&blueprints);
    game_end(&prefabs);
}

static void run_equal(const char *pack)
{
    static const trial trials[] = {
        {"Same", NULL, 3, true, true},     {"Same", NULL, 3, false, true},    {"Same", "same", 3, true, true},
        {"Same", "same", 3, false, true},  {"Like", NULL, 3, true, false},    {"Like", NULL, 3, false, false},
        {"Like", "like", 3, true, false},  {"Like", "like", 3, false, false}, {"Like", "said", 1, true, false},
        {"Like", "said", 1, false, false},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        try_equal(pack, &trials[i]);
}

int main(int count, char **arguments)
{
    if (count == 3 && strcmp(arguments[1], "equal") == 0)
        run_equal(arguments[2]);
    else if (count > 3 && strcmp(arguments[1], "reload") == 0)
        run_reload(strtoull(arguments[2], NULL, 10), arguments + 3, (uint32_t)count - 3);
    else
        die("usage: drawn equal PACK | drawn reload SEED PACK...");
    return 0;
}
