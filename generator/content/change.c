// Writes values of a living entity into the text that gives them.
//
//   a value that the text gives    the compiler knows the place of its spelling, which is replaced
//   a value that it does not give  is added below the subject: parts, component, fields
//
// All places are replaced at once, in the text as it was read. What is added follows by its keys, which no replacement
// moves.
#include "generator/content/internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_LIMIT = 256 }; // keys from the root of a file to a value

typedef struct replacement {
    span span;
    const char *value;
} replacement;

typedef struct changing {
    compiler *compiler;
    const source *source;
    size_t context;
    const prefab *prefab; // whose new parts stand below `parts`; NULL: none
    const write_list *writes;
    const tree_node *node; // of the subject; NULL: it has no text yet
    const char *keys[KEY_LIMIT];
    size_t key_count; // of the subject
    replacement *replacements;
    size_t replacement_count;
    bool has_failed;
} changing;

static bool refuse(changing *changing, span span, const char *what, const char *name)
{
    diagnostic_error(changing->compiler->diagnostics, CODE_CONTENT_VALUE, span, "%s '%s'", what, name);
    changing->has_failed = true;
    return false;
}

static void add_key(changing *changing, const char *key)
{
    if (changing->key_count < KEY_LIMIT)
        changing->keys[changing->key_count++] = key;
    else
        refuse(changing, (span){0}, "the path is too long at", key);
}

static void add_keys(changing *changing, const char *path)
{
    while (*path != '\0') {
        size_t size = strcspn(path, ".");
        add_key(changing, arena_copy(changing->compiler->arena, path, size));
        path += size + (path[size] == '.');
    }
}

// ---- subjects

static size_t context_of(const compiler *compiler, const char *name)
{
    for (size_t i = 0; i < compiler->schema.count; i++)
        if (strcmp(compiler->schema.contexts[i]->name, name) == 0)
            return i;
    return 0;
}

// The first file with the key at its root, else the first file.
static const file *file_with(const compiler *compiler, const char *key)
{
    for (const file *each = compiler->files; each != NULL; each = each->next)
        if (tree_find(each->root, key) != NULL)
            return each;
    return compiler->files;
}

static bool find_new(changing *changing, const prefab *base, content_subject subject)
{
    const file *file = file_with(changing->compiler, "prefabs");
    if (dictionary_find(&changing->compiler->prefab_names, subject.create) != NULL)
        return refuse(changing, (span){0}, "there is a prefab", subject.create);
    if (!name_is_pascal_case(subject.create))
        return refuse(changing, (span){0}, "names of prefabs are in PascalCase, unlike", subject.create);
    bool is_prefab = base != NULL && !base->is_blueprint;
    if (is_prefab && base->node != NULL)
        changing->source = base->node->span.source;
    else if (file != NULL)
        changing->source = file->source;
    add_key(changing, "prefabs");
    add_key(changing, subject.create);
    return true;
}

static bool find_prefab_text(changing *changing, content_subject subject)
{
    compiler *compiler = changing->compiler;
    const prefab *found = dictionary_find(&compiler->prefab_names, subject.prefab);
    if (found == NULL)
        found = dictionary_find(&compiler->blueprint_names, subject.prefab);
    if (subject.create != NULL)
        return find_new(changing, found, subject);
    bool is_blueprint = found == NULL || found->is_blueprint;
    add_key(changing, is_blueprint ? "blueprints" : "prefabs");
    add_key(changing, subject.prefab);
    if (found != NULL && found->node != NULL) {
        changing->node = found->node;
        changing->source = found->key->span.source;
        changing->writes = &found->writes;
        changing->prefab = found;
        return true;
    }
    const file *file = file_with(compiler, "blueprints");
    if (file != NULL)
        changing->source = file->source;
    return true;
}

static const char *number_text(changing *changing, size_t number)
{
    return arena_format(changing->compiler->arena, "%zu", number);
}

// Adds the keys of an instance in its level: its item, and its place in that if the item has several.
static bool add_item(changing *changing, const tree_node *place, const tree_node *wanted)
{
    size_t item_number = 0;
    for (const tree_node *item = place->items; item != NULL; item = item->next, item_number++) {
        const tree_pair *pair = item->pairs;
        size_t number = 0;
        if (pair == NULL)
            continue;
        add_key(changing, number_text(changing, item_number));
        add_key(changing, pair->key->text);
        if (pair->value == wanted)
            return true;
        for (const tree_node *each = pair->value->items; each != NULL; each = each->next, number++)
            if (each == wanted) {
                add_key(changing, number_text(changing, number));
                return true;
            }
        changing->key_count -= 2;
    }
    return false;
}

static const instance *instance_at(const level *level, size_t index)
{
    const instance *found = level->first;
    for (size_t i = 0; found != NULL && i < index; i++)
        found = found->next;
    return found;
}

static bool find_instance_text(changing *changing, content_subject subject)
{
    const level *level = dictionary_find(&changing->compiler->level_names, subject.level);
    const instance *found = NULL;
    if (level != NULL)
        found = instance_at(level, subject.instance);
    if (found == NULL)
        return refuse(changing, (span){0}, "the instance is not in level", subject.level);
    add_key(changing, "levels");
    add_key(changing, level->name);
    add_key(changing, "place");
    if (!add_item(changing, tree_find(level->node, "place"), found->node))
        return refuse(changing, (span){0}, "the instance is not in level", subject.level);
    changing->node = found->node;
    changing->source = found->node->span.source;
    changing->writes = &found->writes;
    return true;
}

// ---- values that are there

// Returns the first leaf in a place; NULL if there is none.
static const leaf *first_leaf(compiler *compiler, place *place)
{
    while (place->leaf == NULL && place->field_count > 0)
        place = place_find(compiler, place, place->fields[0].name);
    return place->leaf;
}

static const leaf *find_leaf(changing *changing, const content_change *change)
{
    compiler *compiler = changing->compiler;
    const kin_context_info *info = compiler->schema.contexts[changing->context];
    int64_t id = component_find(info, change->component);
    if (id < 0)
        return NULL;
    place *place = place_of_component(compiler, changing->context, (kin_component_id)id);
    const char *field = change->field;
    while (*field != '\0') {
        size_t size = strcspn(field, ".");
        place = place_find(compiler, place, arena_copy(compiler->arena, field, size));
        if (place == NULL)
            return NULL;
        field += size + (field[size] == '.');
    }
    return first_leaf(compiler, place);
}

static const write *find_write(const changing *changing, const content_change *change, const leaf *leaf)
{
    if (changing->writes == NULL)
        return NULL;
    for (const write *each = changing->writes->first; each != NULL; each = each->next)
        if (each->leaf == leaf && strcmp(each->part, change->part) == 0)
            return each;
    return NULL;
}

// A knob of several fields: what stands there is for others too.
static bool is_shared(const changing *changing, const write *write)
{
    for (const struct write *each = changing->writes->first; each != NULL; each = each->next) {
        bool is_here = each->span.source == write->span.source && each->span.start == write->span.start;
        bool is_other = each->leaf->component != write->leaf->component || strcmp(each->part, write->part) != 0;
        if (is_here && is_other)
            return true;
    }
    return false;
}

// Returns the mapping around the list of `append: [...]`; NULL if there is none. Recursive, as trees are nested.
static const tree_node *find_around(const tree_node *node, span list)
{
    const tree_node *found = NULL;
    for (const tree_pair *pair = node->pairs; found == NULL && pair != NULL; pair = pair->next) {
        if (pair->value->span.start == list.start && strcmp(pair->key->text, "append") == 0)
            return node;
        found = find_around(pair->value, list);
    }
    for (const tree_node *item = node->items; found == NULL && item != NULL; item = item->next)
        found = find_around(item, list);
    return found;
}

static void replace(changing *changing, const content_change *change, const write *write)
{
    span span = write->span;
    assert(span.source == changing->source && changing->node != NULL);
    if (is_shared(changing, write)) {
        refuse(changing, span, "a knob sets several fields here; change the file for", change->component);
        return;
    }
    if (write->is_append && find_around(changing->node, span) != NULL)
        span = find_around(changing->node, span)->span;
    changing->replacements[changing->replacement_count++] = (replacement){span, change->value};
}

static int compare_replacements(const void *a, const void *b)
{
    const replacement *left = a;
    const replacement *right = b;
    return span_compare(left->span, right->span);
}

static text replace_all(changing *changing)
{
    text out = text_create(changing->compiler->arena);
    const source *source = changing->source;
    size_t at = 0;
    if (changing->replacement_count > 1)
        qsort(changing->replacements, changing->replacement_count, sizeof *changing->replacements,
              compare_replacements);
    for (size_t i = 0; i < changing->replacement_count; i++) {
        const replacement *each = &changing->replacements[i];
        assert(each->span.start >= at && each->span.source == source);
        text_append(&out, source->bytes + at, each->span.start - at);
        text_append_string(&out, each->value);
        at = each->span.end;
    }
    text_append(&out, source->bytes + at, source->size - at);
    return out;
}

// ---- values that are added

static bool is_new_part(const changing *changing, const char *path, size_t size)
{
    if (changing->prefab == NULL)
        return false;
    for (size_t i = 0; i < changing->prefab->new_count; i++) {
        const char *part = changing->prefab->new_parts[i]->path;
        if (strncmp(part, path, size) == 0 && part[size] == '\0')
            return true;
    }
    return false;
}

static void add_parts(changing *changing, const char *path)
{
    size_t at = 0;
    while (path[at] != '\0') {
        size_t size = strcspn(path + at, ".");
        if (is_new_part(changing, path, at + size))
            add_key(changing, "parts");
        add_key(changing, arena_copy(changing->compiler->arena, path + at, size));
        at += size + (path[at + size] == '.');
    }
}

static void add_value(changing *changing, const content_change *change, text *out)
{
    size_t count = changing->key_count;
    const source *source = source_from_bytes(changing->compiler->arena, changing->source->path, out->bytes, out->size);
    text added = text_create(changing->compiler->arena);
    add_parts(changing, change->part);
    add_key(changing, change->component);
    add_keys(changing, change->field);
    content_path path = {changing->keys, changing->key_count};
    changing->key_count = count;
    if (changing->has_failed)
        return;
    if (content_edit(changing->compiler->diagnostics, source, path, change->value, &added))
        *out = added;
    else
        refuse(changing, (span){0}, "the file gives another kind of value for", change->component);
}

static void create(changing *changing, content_subject subject, text *out)
{
    compiler *compiler = changing->compiler;
    const source *source = source_from_bytes(compiler->arena, changing->source->path, out->bytes, out->size);
    text added = text_create(compiler->arena);
    const char *value = arena_format(compiler->arena, "{ extends: %s }", subject.prefab);
    if (content_edit(compiler->diagnostics, source, (content_path){changing->keys, 2}, value, &added))
        *out = added;
    else
        refuse(changing, (span){0}, "the file has no place for", subject.create);
}

// Finds the text of the subject, and the file in which it is or will be.
static bool find_text(changing *changing, content_subject subject)
{
    assert(subject.level == NULL || subject.create == NULL);
    if (subject.level != NULL)
        return find_instance_text(changing, subject);
    if (!find_prefab_text(changing, subject))
        return false;
    if (changing->source == NULL)
        return refuse(changing, (span){0}, "there is no content file for", subject.prefab);
    return true;
}

const source *content_change_text(compiler *compiler, content_subject subject, const content_change *changes,
                                  size_t count, text *out)
{
    changing changing = {.compiler = compiler, .context = context_of(compiler, subject.context)};
    if (!find_text(&changing, subject))
        return NULL;
    const write **found = arena_allocate(compiler->arena, (count + 1) * sizeof *found);
    changing.replacements = arena_allocate(compiler->arena, (count + 1) * sizeof *changing.replacements);
    for (size_t i = 0; i < count; i++) {
        found[i] = find_write(&changing, &changes[i], find_leaf(&changing, &changes[i]));
        if (found[i] != NULL)
            replace(&changing, &changes[i], found[i]);
    }
    *out = replace_all(&changing);
    if (subject.create != NULL)
        create(&changing, subject, out);
    for (size_t i = 0; i < count && !changing.has_failed; i++)
        if (found[i] == NULL)
            add_value(&changing, &changes[i], out);
    if (changing.has_failed)
        return NULL;
    return changing.source;
}
