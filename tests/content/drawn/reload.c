// Random reloads between packs, beside copies of all values: what the old content gives, what the new content gives,
// and what lives, which the game changes between them (CNT-20, CNT-21). Handles are not compared.
#include "drawn.h"

#include <kin/generated/list.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTITIES = 2000, LEAVES = 128, COMPONENTS = 16, PACKS = 16, STEPS = 60, CHANGES = 12 };

typedef struct copied_component {
    bool is_there;
    uint32_t leaf_count;
    char *leaves[LEAVES]; // each as text
} copied_component;

typedef struct copied_entity {
    uint32_t place, part, parent; // `parent` is the part above; the first entity has 0 for both
    kin_entity entity;
    copied_component components[COMPONENTS];
} copied_entity;

typedef struct copy {
    copied_entity *all;
    uint32_t count;
} copy;

static uint64_t state;
static kin_component_id origin, child_of;

static uint32_t draw(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 11) % below;
}

// ---- copies

static void append_nothing(void *data, line *line, kin_entity entity)
{
    (void)data, (void)line, (void)entity;
}

static void copy_leaf(copied_component *component, const kin_field_info *field, const char *at)
{
    line leaf = {NULL, 0, 0};
    line_append(&leaf, "%s ", field->name);
    field_append(&leaf, field, at, append_nothing, NULL);
    if (component->leaf_count == LEAVES)
        die("too many leaves");
    component->leaves[component->leaf_count++] = leaf.bytes;
}

// A list is one leaf, and each element of an array one or more.
static void copy_leaves(copied_component *component, const kin_field_info *fields, uint32_t count, const char *value)
{
    for (uint32_t i = 0; i < count; i++) {
        kin_field_info element = fields[i];
        uint32_t elements = fields[i].is_list || fields[i].count == 0 ? 1 : fields[i].count;
        element.size /= elements;
        element.count = 0;
        for (uint32_t k = 0; k < elements; k++) {
            const char *at = value + fields[i].offset + k * element.size;
            if (element.type == KIN_TYPE_STRUCT && !element.is_list)
                copy_leaves(component, element.of->fields, element.of->field_count, at);
            else
                copy_leaf(component, &element, at);
        }
    }
}

static Origin origin_of(const game *game, kin_entity entity)
{
    Origin found = {0};
    kin_look_read(game->context, entity, origin, &found);
    return found;
}

static void copy_entity(const game *game, kin_entity entity, copied_entity *to)
{
    Origin from = origin_of(game, entity);
    ChildOf above = {0};
    kin_look_read(game->context, entity, child_of, &above);
    *to = (copied_entity){.place = from.place, .part = from.part, .entity = entity};
    to->parent = origin_of(game, above.parent.id).part;
    for (kin_component_id id = 0; id < game_info.component_count; id++) {
        const kin_component_info *info = &game_info.components[id];
        char *value = malloc(info->size + 1);
        to->components[id].is_there = kin_look_read(game->context, entity, id, value);
        if (to->components[id].is_there && id != origin)
            copy_leaves(&to->components[id], info->fields, info->field_count, value);
        free(value);
    }
}

// Copies all entities of levels, parents first.
static copy copy_game(const game *game)
{
    copy made = {malloc(ENTITIES * sizeof *made.all), 0};
    for (uint32_t slot = 0; slot < 64 * kin_look_words(game->context); slot++) {
        kin_entity entity = kin_look_entity(game->context, slot);
        if (entity == 0 || origin_of(game, entity).place == 0)
            continue;
        if (made.count == ENTITIES)
            die("too many entities");
        copy_entity(game, entity, &made.all[made.count++]);
    }
    return made;
}

static void copy_free(copy *copy)
{
    for (uint32_t i = 0; i < copy->count; i++)
        for (uint32_t id = 0; id < COMPONENTS; id++)
            for (uint32_t k = 0; k < copy->all[i].components[id].leaf_count; k++)
                free(copy->all[i].components[id].leaves[k]);
    free(copy->all);
}

static copied_entity *find(const copy *copy, uint32_t place, uint32_t part)
{
    for (uint32_t i = 0; i < copy->count; i++)
        if (copy->all[i].place == place && copy->all[i].part == part)
            return &copy->all[i];
    return NULL;
}

// ---- the rules

static copied_component component_from(const copied_component *from)
{
    copied_component made = *from;
    for (uint32_t i = 0; i < from->leaf_count; i++)
        made.leaves[i] = strdup(from->leaves[i]);
    return made;
}

static void merge_component(copied_component *live, const copied_component *old, const copied_component *now)
{
    if (old->is_there && !now->is_there)
        live->is_there = false;
    if (!old->is_there && now->is_there && !live->is_there)
        *live = component_from(now);
    if (!old->is_there || !now->is_there || !live->is_there)
        return;
    for (uint32_t i = 0; i < live->leaf_count; i++) {
        if (strcmp(live->leaves[i], old->leaves[i]) != 0)
            continue;
        free(live->leaves[i]);
        live->leaves[i] = strdup(now->leaves[i]);
    }
}

static void merge_entity(copied_entity *live, const copied_entity *old, const copied_entity *now)
{
    for (uint32_t id = 0; id < game_info.component_count; id++)
        if (id != origin && id != child_of)
            merge_component(&live->components[id], &old->components[id], &now->components[id]);
}

// What lives after a reload. An entity that is gone has no place.
static void reload_copy(copy *live, const copy *old, const copy *now)
{
    for (uint32_t i = 0; i < old->count; i++) {
        copied_entity *gone = find(live, old->all[i].place, old->all[i].part);
        if (gone != NULL && find(now, old->all[i].place, old->all[i].part) == NULL)
            gone->place = 0;
    }
    for (uint32_t pass = 0; pass < 8; pass++) { // slots are in no order: a part may be listed before that above
        for (uint32_t i = 0; i < now->count; i++) {
            const copied_entity *each = &now->all[i];
            const copied_entity *before = find(old, each->place, each->part);
            copied_entity *found = find(live, each->place, each->part);
            if (before != NULL && found != NULL && pass == 0)
                merge_entity(found, before, each);
            if (before != NULL || found != NULL || find(live, each->place, each->parent) == NULL)
                continue;
            live->all[live->count] = *each;
            for (uint32_t id = 0; id < COMPONENTS; id++)
                live->all[live->count].components[id] = component_from(&each->components[id]);
            live->count++;
        }
    }
}

static void compare_entity(const copied_entity *expected, const copied_entity *found, uint32_t step)
{
    for (uint32_t id = 0; id < game_info.component_count; id++) {
        const copied_component *a = &expected->components[id], *b = &found->components[id];
        const char *name = game_info.components[id].name;
        if (a->is_there != b->is_there)
            die("step %u: part %08x of %08x %s %s", step, found->part, found->place, b->is_there ? "has" : "lacks",
                name);
        for (uint32_t i = 0; a->is_there && i < a->leaf_count; i++)
            if (strcmp(a->leaves[i], b->leaves[i]) != 0)
                die("step %u: part %08x of %08x has %s.%s, expected %s", step, found->part, found->place, name,
                    b->leaves[i], a->leaves[i]);
    }
}

static void compare(const copy *expected, const copy *found, uint32_t step)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < expected->count; i++) {
        const copied_entity *each = &expected->all[i];
        if (each->place == 0)
            continue;
        const copied_entity *is = find(found, each->place, each->part);
        if (is == NULL)
            die("step %u: part %08x of %08x is missing", step, each->part, each->place);
        compare_entity(each, is, step);
        count++;
    }
    if (count != found->count)
        die("step %u: %u entities, expected %u", step, found->count, count);
}

// ---- what the game does

static void write_scalar(const kin_field_info *field, char *at)
{
    static const char *const strings[] = {"one", "mine", NULL, ""};
    float number = (float)draw(9) + 0.25F;
    double wide = number;
    const char *string = strings[draw(4)];
    if (field->type == KIN_TYPE_STRING)
        memcpy(at, &string, sizeof string);
    else if (field->type == KIN_TYPE_INLINE_STRING)
        snprintf(at, field->size, "w%u", (unsigned)draw(5));
    else if (field->type == KIN_TYPE_FLOAT)
        memcpy(at, &number, sizeof number);
    else if (field->type == KIN_TYPE_DOUBLE)
        memcpy(at, &wide, sizeof wide);
    else if (field->type == KIN_TYPE_BOOL || field->type == KIN_TYPE_ENUM)
        *at = (char)draw(2);
    else if (field->type != KIN_TYPE_ENTITY)
        *at = (char)draw(9);
}

static void write_leaf(const kin_field_info *fields, uint32_t count, char *value);

// Makes a list empty, or changes its first element, in memory that is valid until the next call.
static void write_list(const kin_field_info *field, char *at)
{
    static char elements[4096];
    kin__list_field list;
    memcpy(&list.at, at, sizeof list.at);
    memcpy(&list.count, at + offsetof(kin__list_field, count), sizeof list.count);
    size_t size = list.count * field->element_size;
    if (size == 0 || size > sizeof elements || draw(2) == 0) {
        memset(at, 0, field->size);
        return;
    }
    memcpy(elements, list.at, size);
    if (field->type == KIN_TYPE_STRUCT)
        write_leaf(field->of->fields, field->of->field_count, elements);
    else
        write_scalar(field, elements);
    list.at = elements;
    memcpy(at, &list.at, sizeof list.at);
}

// Writes one leaf of a value.
static void write_leaf(const kin_field_info *fields, uint32_t count, char *value)
{
    const kin_field_info *field = &fields[draw(count)];
    uint32_t elements = field->is_list || field->count == 0 ? 1 : field->count;
    char *at = value + field->offset + draw(elements) * (field->size / elements);
    if (field->is_list)
        write_list(field, at);
    else if (field->type == KIN_TYPE_STRUCT)
        write_leaf(field->of->fields, field->of->field_count, at);
    else
        write_scalar(field, at);
}

static void change_component(game *game, kin_entity entity, kin_component_id id)
{
    const kin_component_info *info = &game_info.components[id];
    char *value = malloc(info->size + 1);
    bool is_there = kin_look_read(game->context, entity, id, value);
    if (is_there && draw(4) == 0) {
        kin_remove(game->context, entity, id);
    } else if (is_there && info->size > 0) {
        write_leaf(info->fields, info->field_count, value);
        kin_replace(game->context, entity, id, value);
    } else if (!is_there && draw(4) == 0) {
        if (info->size > 0)
            info->write_default(value);
        kin_add(game->context, entity, id, info->size > 0 ? value : NULL);
    }
    free(value);
}

static void play(game *game)
{
    copy live = copy_game(game);
    for (uint32_t i = 0; i < CHANGES && live.count > 0; i++) {
        const copied_entity *each = &live.all[draw(live.count)];
        kin_component_id id = (kin_component_id)draw(game_info.component_count);
        bool is_fixed = id == origin || id == child_of || strcmp(game_info.components[id].name, "Content") == 0;
        if (draw(20) == 0 && kin_entity_is_alive(game->context, each->entity))
            kin_destroy(game->context, each->entity);
        else if (!is_fixed && kin_entity_is_alive(game->context, each->entity))
            change_component(game, each->entity, id);
    }
    copy_free(&live);
}

// ---- a game

static copy copy_fresh(const char *pack)
{
    static game fresh;
    game_begin(&fresh, pack);
    if (kin_place_level(fresh.context, "named") != KIN_OK)
        die("level named is not placed");
    copy made = copy_game(&fresh);
    game_end(&fresh);
    return made;
}

static void reload(game *game, const char *pack)
{
    size_t size;
    char *bytes = file_read(pack, &size);
    kin_content_state counts;
    if (kin_content_load(game->content, bytes, size) != KIN_OK)
        die("%s is refused", pack);
    kin_content_report(game->content, &counts);
    if (counts.refused > 0)
        die("%u changes are refused", counts.refused);
    free(bytes);
}

void run_reload(uint64_t seed, char **packs, uint32_t count)
{
    static game live;
    copy fresh[PACKS];
    uint32_t now = 0;
    state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
    origin = kin_component_find(&game_info, "Origin");
    child_of = kin_component_find(&game_info, "ChildOf");
    if (count > PACKS || game_info.component_count > COMPONENTS)
        die("too many packs or components");
    for (uint32_t i = 0; i < count; i++)
        fresh[i] = copy_fresh(packs[i]);
    game_begin(&live, packs[0]);
    kin_place_level(live.context, "named");
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t next = draw(count);
        play(&live);
        copy expected = copy_game(&live);
        reload_copy(&expected, &fresh[now], &fresh[next]);
        reload(&live, packs[next]);
        copy found = copy_game(&live);
        compare(&expected, &found, step);
        copy_free(&expected);
        copy_free(&found);
        now = next;
    }
    game_end(&live);
    for (uint32_t i = 0; i < count; i++)
        copy_free(&fresh[i]);
}
