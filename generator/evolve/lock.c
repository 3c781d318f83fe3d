// A lock as a tree, and its text.
#include "generator/evolve/internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const lock_notation notations[] = {
    [LOCK_CONTEXT] = {"context", "context", .format = 1},
    [LOCK_COMPONENT] = {"", "component", .format = 1, .has_contexts = true, .has_types = true},
    [LOCK_MESSAGE] = {"message", "message", .format = 1, .has_types = true},
    [LOCK_PRIMARY] = {"primary", "index", 1, .has_contexts = true, .is_mark = true, .is_flat = true, .is_key = true},
    [LOCK_SYSTEM] = {"system", "system", .format = 1},
    [LOCK_UNIQUE] = {"unique", "component", .format = 1, .is_mark = true},
    [LOCK_RANGE] = {"range", "range", 2, .is_mark = true, .is_flat = true, .value = LOCK_VALUE_RANGE},
    [LOCK_RELATION] = {"relation", "relation", 2, .is_mark = true, .is_flat = true},
    [LOCK_STASH] = {"stash", "component", 2, .is_mark = true, .is_flat = true},
    [LOCK_TREE] = {"tree", "tree", 2, .is_mark = true, .is_flat = true},
    [LOCK_CONDITION] = {"condition", "condition", 3, .is_mark = true, .is_flat = true, .is_key = true,
                        .value = LOCK_VALUE_CONDITION},
    [LOCK_INBOX] = {"inbox", "inbox", 3, .is_mark = true, .is_flat = true, .value = LOCK_VALUE_CAPACITY},
    [LOCK_MESSAGE_RANGE] = {"message_range", "range", 3, .is_mark = true, .is_flat = true, .value = LOCK_VALUE_RANGE},
};

const lock_notation *lock_notation_of(lock_kind kind)
{
    assert((size_t)kind < sizeof notations / sizeof *notations);
    return &notations[kind];
}

const char *lock_path(arena *arena, const char *path, const char *name)
{
    if (path[0] == '\0')
        return name;
    return arena_format(arena, "%s.%s", path, name);
}

const char *lock_next_name(arena *arena, const char **path)
{
    size_t size = strcspn(*path, ".");
    const char *name = arena_copy(arena, *path, size);
    *path += size + ((*path)[size] == '.');
    return name;
}

// Returns where the node is, or where it would be.
static lock_node **find_place(lock_list *list, const char *identity)
{
    lock_node **place = &list->first;
    assert(identity != NULL);
    if (list->found != NULL && strcmp(list->found->identity, identity) < 0)
        place = &list->found->next;
    while (*place != NULL && strcmp((*place)->identity, identity) < 0) {
        list->found = *place;
        place = &(*place)->next;
    }
    return place;
}

lock_node *lock_find(lock_list *list, const char *identity)
{
    lock_node *node = *find_place(list, identity);
    if (node == NULL || strcmp(node->identity, identity) != 0)
        return NULL;
    return node;
}

lock_node *lock_add(arena *arena, lock_list *list, const char *identity)
{
    lock_node **place = find_place(list, identity);
    if (*place != NULL && strcmp((*place)->identity, identity) == 0)
        return *place;
    lock_node *node = arena_allocate(arena, sizeof *node);
    *node = (lock_node){.identity = identity, .name = identity, .next = *place};
    *place = node;
    return node;
}

// Recursive, as deep as structs are nested.
bool lock_is_live(const lock_node *node)
{
    if (node->has_line && !node->is_removed)
        return true;
    for (const lock_node *child = node->children.first; child != NULL; child = child->next)
        if (lock_is_live(child))
            return true;
    return false;
}

const lock_node *lock_first_line(arena *arena, const lock_node *node, const char **path)
{
    assert(lock_is_live(node));
    while (!node->has_line || node->is_removed) {
        node = node->children.first;
        while (!lock_is_live(node))
            node = node->next;
        *path = lock_path(arena, *path, node->name);
    }
    return node;
}

// ---- the text of a lock

// The text of a lock.

typedef struct lines {
    arena *arena;
    const char **items;
    size_t count, capacity;
    int format;
    lock_counts counts;
} lines;

static void append_line(lines *lines, const char *line)
{
    if (lines->count == lines->capacity) {
        const char **old = lines->items;
        lines->capacity *= 2;
        if (lines->capacity == 0)
            lines->capacity = 64;
        lines->items = arena_allocate(lines->arena, lines->capacity * sizeof *lines->items);
        if (old != NULL)
            memcpy(lines->items, old, lines->count * sizeof *old);
    }
    lines->items[lines->count++] = line;
}

// Appends the types that saves may have. Returns whether the current type must be written too.
static bool append_types(text *text, const lock_node *node, int format)
{
    bool has_others = false;
    const char *before = " ";
    assert(node->types != NULL);
    for (const lock_type *type = node->types; type != NULL; type = type->next) {
        if (node->type != NULL && lock_type_is_like(type, node->type))
            continue;
        text_append_string(text, before);
        lock_append_type(text, type, format);
        before = "|";
        has_others = true;
    }
    if (has_others || node->type == NULL)
        return has_others && node->type != NULL;
    text_append_string(text, " ");
    lock_append_type(text, node->types, format);
    return false;
}

const lock_type *lock_type_now(const lock_node *node)
{
    if (node->type == NULL)
        return NULL;
    const lock_type *type = node->types;
    while (type != NULL && !lock_type_is_like(type, node->type))
        type = type->next;
    return type;
}

static void count_line(lines *lines, lock_kind kind, const lock_node *node, bool is_renamed)
{
    if (!lock_notation_of(kind)->has_types)
        return;
    lines->counts.leaves++;
    lines->counts.removed += node->is_removed;
    lines->counts.renamed += is_renamed && !node->is_removed;
}

static const char *line_of(lines *lines, lock_kind kind, const lock_node *node, const char *path, const char *name)
{
    text text = text_create(lines->arena);
    const char *word = lock_notation_of(kind)->word;
    bool is_retyped = false;
    bool is_renamed = strcmp(path, name) != 0 && !node->is_removed;
    assert(node->has_line);
    text_append_string(&text, word);
    if (word[0] != '\0')
        text_append_string(&text, " ");
    text_append_string(&text, path);
    if (node->contexts.count > 0) {
        text_append_string(&text, " ");
        lock_append_names(&text, &node->contexts, false);
    }
    if (node->types != NULL)
        is_retyped = append_types(&text, node, lines->format);
    if (is_renamed || is_retyped)
        text_append_format(&text, " = %s", name);
    if (is_retyped) {
        text_append_string(&text, " ");
        lock_append_type(&text, lock_type_now(node), lines->format);
    }
    if (node->value != NULL)
        text_append_format(&text, " %s", node->value);
    if (node->is_removed)
        text_append_string(&text, " removed");
    count_line(lines, kind, node, is_renamed);
    return text.bytes;
}

// Recursive, as deep as structs are nested.
static void append_nodes(lines *lines, lock_kind kind, const lock_node *node, const char *path, const char *name)
{
    for (; node != NULL; node = node->next) {
        const char *own_path = lock_path(lines->arena, path, node->identity);
        const char *own_name = lock_path(lines->arena, name, node->name);
        if (node->has_line)
            append_line(lines, line_of(lines, kind, node, own_path, own_name));
        append_nodes(lines, kind, node->children.first, own_path, own_name);
    }
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void append_sorted(text *text, lines *lines)
{
    if (lines->count > 1)
        qsort(lines->items, lines->count, sizeof *lines->items, compare_lines);
    for (size_t i = 0; i < lines->count; i++)
        text_append_format(text, "%s\n", lines->items[i]);
    lines->count = 0;
}

void lock_append(text *text, const lock *lock, lock_counts *counts)
{
    lines lines = {.arena = text->arena, .format = lock->format};
    assert(lock->format >= 1 && lock->format <= LOCK_FORMAT);
    text_append_format(text, "kin lock %d\npackage %s version %u\n", lock->format, lock->package,
                       (unsigned)lock->version);
    append_nodes(&lines, LOCK_CONTEXT, lock->nodes[LOCK_CONTEXT].first, "", "");
    append_sorted(text, &lines);
    for (int kind = LOCK_CONTEXT + 1; kind < LOCK_KIND_COUNT; kind++) {
        bool is_later = lock_notation_of((lock_kind)kind)->format > lock->format;
        if (is_later)
            continue;
        append_nodes(&lines, (lock_kind)kind, lock->nodes[kind].first, "", "");
    }
    append_sorted(text, &lines);
    *counts = lines.counts;
}
