// Systems: the line of a system as the payload of SYST.
#include "generator/save/internal.h"

#include "base/base.h"
#include "file/file.h"
#include "generator/schema/schema.h"

#include <assert.h>
#include <string.h>

static bool fail(packing *packing, const json_node *node, const char *what)
{
    return pack_error(packing, CODE_LINE_VALUE, node, "%s", what);
}

static json_node *find(const json_node *map, const char *key)
{
    if (map->kind != JSON_MAP)
        return NULL;
    return json_find(map, key, strlen(key));
}

static bool is_no_number(packing *packing, const json_node *map, const json_node *node, const char *key)
{
    if (node == NULL)
        node = map;
    return pack_error(packing, CODE_LINE_VALUE, node, "'%s' is not a number", key);
}

static bool append_number(packing *packing, const json_node *map, const char *key, text *out)
{
    const json_node *node = find(map, key);
    uint64_t number;
    if (node == NULL || !pack_read_unsigned(node, UINT64_MAX, &number))
        return is_no_number(packing, map, node, key);
    pack_append_number(out, number, 8);
    return true;
}

static bool append_double(packing *packing, const json_node *map, const char *key, text *out)
{
    const json_node *node = find(map, key);
    uint64_t bits;
    if (node == NULL || !pack_read_double(node, &bits))
        return is_no_number(packing, map, node, key);
    pack_append_number(out, bits, 8);
    return true;
}

// Returns the list of a key, which is empty if it is left out; NULL after reporting that it is none, and NULL if it has
// more than `most` items.
static const json_node *find_list(packing *packing, const json_node *map, const char *key, size_t most)
{
    static const json_node empty = {.kind = JSON_LIST};
    const json_node *list = find(map, key);
    if (list == NULL)
        return &empty;
    if (list->kind != JSON_LIST) {
        fail(packing, list, "expected a list");
        return NULL;
    }
    return list->size <= most ? list : NULL;
}

// ---- clocks

static bool append_clock(packing *packing, const json_node *line, text *out)
{
    const json_node *step = find(line, "step");
    if (!append_double(packing, line, "time", out) || !append_number(packing, line, "frame", out))
        return false;
    pack_append_number(out, step != NULL, 1);
    if (step == NULL)
        return true;
    if (!append_double(packing, step, "left", out) || !append_double(packing, step, "origin", out))
        return false;
    if (!append_double(packing, step, "dropped", out) || !append_number(packing, step, "steps", out))
        return false;
    return append_number(packing, step, "step_frame", out) && pack_has_no_others(packing, step);
}

// ---- entities

// Returns the number of a context in files.
static uint32_t number_of(const packing *packing, const pack_context *context)
{
    uint32_t number = 0;
    assert(context >= packing->contexts && context < packing->contexts + packing->context_count);
    for (const pack_context *other = packing->contexts; other != context; other++)
        number += !other->shape->info->is_unsaved;
    return number;
}

static bool append_collected(packing *packing, const json_node *list, text *out)
{
    assert(list->kind == JSON_LIST);
    pack_append_number(out, list->size, 4);
    for (const json_node *item = list->first; item != NULL; item = item->next) {
        uint64_t handle;
        bool is_pair = item->kind == JSON_MAP && item->size == 1;
        if (!is_pair || !pack_read_handle(item->first, &handle))
            return fail(packing, item, "a collected entity is {\"context\":\"index@slot\"}");
        const pack_context *context = pack_find_context(packing, item->first->key);
        if (context == NULL) {
            pack_report_context(packing, item->first);
            return false;
        }
        pack_append_number(out, number_of(packing, context), 4);
        pack_append_number(out, handle, 8);
    }
    return true;
}

static bool append_members(packing *packing, const json_node *list, text *out)
{
    assert(list->kind == JSON_LIST);
    pack_append_number(out, list->size, 4);
    for (const json_node *item = list->first; item != NULL; item = item->next) {
        uint64_t handle;
        if (!pack_read_handle(item, &handle))
            return fail(packing, item, "an entity is \"index@slot\", as \"12@11\"");
        pack_append_number(out, handle, 8);
    }
    return true;
}

static bool append_others(packing *packing, const json_node *list, text *out)
{
    pack_append_number(out, list->size, 2);
    for (const json_node *item = list->first; item != NULL; item = item->next) {
        if (item->kind != JSON_LIST)
            return fail(packing, item, "expected a list");
        if (!append_collected(packing, item, out))
            return false;
    }
    return true;
}

static bool append_marks(packing *packing, const json_node *list, text *out)
{
    pack_append_number(out, list->size, 4);
    for (const json_node *item = list->first; item != NULL; item = item->next) {
        uint64_t word;
        if (!pack_read_unsigned(item, UINT64_MAX, &word))
            return fail(packing, item, "a word is a number of 64 bits");
        pack_append_number(out, word, 8);
    }
    return true;
}

// ---- messages

// Appends a value that stands alone: of a leaf of texts all lengths come before all letters.
static void append_value(text *out, const pack_value *value, const kin__leaves *leaves)
{
    for (uint32_t i = 0; i < leaves->count; i++) {
        const char *bytes = (const char *)value->bytes;
        size_t start = pack_leaf_start(value, i);
        size_t end = value->ends[i];
        if (kin__file_width(leaves->leaves[i].field->type) > 0) {
            text_append(out, bytes + start, end - start);
            continue;
        }
        size_t head = 4 * leaves->leaves[i].is_list; // the count
        text_append(out, bytes + start, head);
        for (size_t at = start + head; at < end; at += 4 + pack_letters(value->bytes + at))
            text_append(out, bytes + at, 4);
        for (size_t at = start + head; at < end; at += 4 + pack_letters(value->bytes + at))
            text_append(out, bytes + at + 4, pack_letters(value->bytes + at));
    }
}

static bool append_message(packing *packing, uint32_t message, const json_node *item, text *out)
{
    const json_node *node = find(item, "value");
    const kin_message_info *of = &packing->world->messages[message];
    kin_component_info info = {.name = of->name, .fields = of->fields, .field_count = of->field_count};
    kin__component_shape shape = {
        .identity = kin__message_identity(of), .info = &info, .leaves = packing->messages.of[message]};
    assert(message < packing->world->message_count);
    if (!append_number(packing, item, "serial", out))
        return false;
    if (node == NULL)
        return fail(packing, item, "'value' is missing");
    const pack_value *value = pack_read_value(packing, &shape, 0, node);
    if (value == NULL)
        return false;
    append_value(out, value, &shape.leaves);
    return pack_has_no_others(packing, item);
}

// Finds a message by the name that saves have, or that it has now. False after reporting that there is none.
static bool find_message(packing *packing, const json_node *name, uint32_t *message)
{
    const kin_world_info *world = packing->world;
    name_search search = name_search_begin(name->text);
    assert(name->kind == JSON_TEXT);
    for (int is_now = 0; is_now < 2; is_now++)
        for (*message = 0; *message < world->message_count; ++*message) {
            const kin_message_info *info = &world->messages[*message];
            const char *const names[] = {kin__message_identity(info), info->name};
            name_search_offer(&search, names[is_now]);
            if (strcmp(names[is_now], name->text) == 0)
                return true;
        }
    pack_error(packing, CODE_LINE_NAME, name, "unknown message '%s'", name->text);
    pack_suggest(packing, &search);
    return false;
}

static bool append_inbox(packing *packing, const json_node *inbox, text *out)
{
    const json_node *name = find(inbox, "message");
    const json_node *list = find(inbox, "messages");
    uint32_t message;
    bool has_name = name != NULL && name->kind == JSON_TEXT;
    bool has_list = list != NULL && list->kind == JSON_LIST;
    if (!has_name || !has_list)
        return fail(packing, inbox, "an inbox has 'message' and 'messages'");
    if (!find_message(packing, name, &message))
        return false;
    pack_append_number(out, kin__message_number(packing->world, message), 4);
    pack_append_number(out, list->size, 4);
    for (const json_node *item = list->first; item != NULL; item = item->next)
        if (!append_message(packing, message, item, out))
            return false;
    return pack_has_no_others(packing, inbox);
}

static bool append_inboxes(packing *packing, const json_node *list, text *out)
{
    pack_append_number(out, list->size, 2);
    for (const json_node *item = list->first; item != NULL; item = item->next)
        if (!append_inbox(packing, item, out))
            return false;
    return true;
}

static bool append_warned(packing *packing, const json_node *list, size_t inboxes, text *out)
{
    assert(list != NULL);
    if (list->kind != JSON_LIST || list->size != inboxes)
        return fail(packing, list, "'warned' has true or false for each inbox");
    for (const json_node *item = list->first; item != NULL; item = item->next) {
        if (item->kind != JSON_BOOL)
            return fail(packing, item, "expected true or false");
        pack_append_number(out, item->boolean, 1);
    }
    return true;
}

// ---- the root

static bool append_root(packing *packing, const json_node *line, text *out)
{
    const json_node *pushed = find_list(packing, line, "pushed", UINT8_MAX);
    if (pushed == NULL)
        return false;
    pack_append_number(out, pushed->size, 1);
    for (const json_node *item = pushed->first; item != NULL; item = item->next) {
        if (!append_double(packing, item, "delta", out) || !append_double(packing, item, "time", out))
            return false;
        if (!append_number(packing, item, "frame", out) || !pack_has_no_others(packing, item))
            return false;
    }
    if (!append_number(packing, line, "published", out))
        return false;
    const json_node *seed = find(line, "seed");
    size_t begin = out->size;
    if (seed == NULL)
        return true;
    if (!append_number(packing, line, "seed", out))
        return false;
    for (size_t i = begin; i < out->size; i++)
        if (out->bytes[i] != '\0')
            return true;
    return fail(packing, seed, "'seed' is not 0; leave it out");
}

static uint8_t flags_of(const json_node *line)
{
    static const char *const names[] = {"enabled", "updated", "current", "deactivated"};
    uint8_t flags = 0;
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const json_node *node = find(line, names[i]);
        if (node != NULL && node->boolean)
            flags |= (uint8_t)(1 << i);
    }
    if (find(line, "others") != NULL)
        flags |= SAVE_SYSTEM_OTHERS;
    if (find(line, "marks") != NULL)
        flags |= SAVE_SYSTEM_MARKS;
    if (find(line, "warned") != NULL)
        flags |= SAVE_SYSTEM_WARNED;
    if (line->first->size == 0 && find(line, "seed") != NULL)
        flags |= SAVE_SYSTEM_SEED;
    return flags;
}

static bool append_system(packing *packing, const json_node *line, text *out)
{
    uint8_t flags = flags_of(line);
    pack_append_number(out, flags, 1);
    if (!append_clock(packing, line, out))
        return false;
    const json_node *collected = find_list(packing, line, "collected", UINT32_MAX);
    if (collected == NULL || !append_collected(packing, collected, out))
        return false;
    const json_node *members = find_list(packing, line, "members", UINT32_MAX);
    if (members == NULL || !append_members(packing, members, out))
        return false;
    const json_node *inboxes = find_list(packing, line, "inboxes", UINT16_MAX);
    if (inboxes == NULL || !append_inboxes(packing, inboxes, out))
        return false;
    const json_node *others = find_list(packing, line, "others", UINT16_MAX);
    if ((flags & SAVE_SYSTEM_OTHERS) != 0 && (others == NULL || !append_others(packing, others, out)))
        return false;
    const json_node *marks = find_list(packing, line, "marks", UINT32_MAX);
    if ((flags & SAVE_SYSTEM_MARKS) != 0 && (marks == NULL || !append_marks(packing, marks, out)))
        return false;
    if ((flags & SAVE_SYSTEM_WARNED) != 0 && !append_warned(packing, find(line, "warned"), inboxes->size, out))
        return false;
    return line->first->size > 0 || append_root(packing, line, out);
}

// ---- paths

// A path of systems or nodes. Those of events and cleanup are there once for each context.
struct pack_system_path {
    const char *saved; // as saves have it
    uint32_t count, used;
};

static void add_path(packing *packing, const char *path, const char *saved)
{
    pack_system_path *known = (pack_system_path *)(uintptr_t)dictionary_find(&packing->system_paths, path);
    if (known == NULL) {
        known = arena_allocate(packing->arena, sizeof *known);
        known->saved = saved;
        dictionary_add(&packing->system_paths, path, known);
    }
    known->count++;
}

static void add_made_paths(packing *packing, const context *context)
{
    placed_events events = schema_events_of(packing->arena, context);
    add_path(packing, "events", "events");
    for (size_t i = 0; i < events.count; i++) {
        const placed_event *placed = &events.events[i];
        const char *name = schema_event_name(packing->arena, placed->component, placed->event);
        const char *path = arena_format(packing->arena, "events/%s", name);
        add_path(packing, path, path);
    }
    add_path(packing, "cleanup", "cleanup");
    for (size_t i = 0; i < context->component_count; i++) {
        const char *path = arena_format(packing->arena, "cleanup/%s", context->components[i]->name);
        if (context->components[i]->cleanup != CLEANUP_NONE)
            add_path(packing, path, path);
    }
}

static const char *path_of_node(arena *arena, const schedule_node *node)
{
    if (node->parent == NULL)
        return node->name;
    return arena_format(arena, "%s/%s", path_of_node(arena, node->parent), node->name);
}

static const char *path_of_system(arena *arena, const declared_system *system, const char *name)
{
    return arena_format(arena, "%s/%s", path_of_node(arena, system->node), name);
}

void pack_list_systems(packing *packing)
{
    const package *package = packing->package;
    arena *arena = packing->arena;
    packing->system_paths = dictionary_create(arena);
    add_path(packing, "", "");
    for (size_t i = 0; i < package->node_count; i++)
        add_path(packing, path_of_node(arena, package->nodes[i]), path_of_node(arena, package->nodes[i]));
    for (size_t i = 0; i < package->context_count; i++)
        add_made_paths(packing, package->contexts[i]);
    for (size_t i = 0; i < package->system_count; i++) {
        const declared_system *system = package->systems[i];
        const char *saved = path_of_system(arena, system, system->saved.identity);
        add_path(packing, saved, saved);
    }
    for (size_t i = 0; i < package->system_count; i++) {
        const declared_system *system = package->systems[i];
        const char *now = path_of_system(arena, system, system->name);
        if (dictionary_find(&packing->system_paths, now) == NULL)
            add_path(packing, now, path_of_system(arena, system, system->saved.identity));
    }
}

// Returns the path that saves have of a system; NULL after reporting that the schema has none, or no other one.
static const char *find_system(packing *packing, const json_node *path)
{
    const pack_system_path *found = dictionary_find(&packing->system_paths, path->text);
    if (found == NULL) {
        name_search search = name_search_begin(path->text);
        for (size_t i = 0; i < packing->system_paths.capacity; i++)
            if (packing->system_paths.entries[i].key != NULL)
                name_search_offer(&search, packing->system_paths.entries[i].key);
        pack_error(packing, CODE_LINE_NAME, path, "unknown system '%s'", path->text);
        if (search.nearest != NULL)
            pack_suggest(packing, &search);
        else
            diagnostic_hint(packing->diagnostics, "without its line, a system begins as in a new world");
        return NULL;
    }
    pack_system_path *saved = (pack_system_path *)(uintptr_t)dictionary_find(&packing->system_paths, found->saved);
    if (saved->used++ < saved->count)
        return saved->saved;
    pack_error(packing, CODE_LINE_TWICE, path, "system '%s' is there twice", path->text);
    return NULL;
}

void pack_read_system(packing *packing, const json_node *line)
{
    json_node *path = line->first;
    text out = text_create(packing->arena);
    bool is_string = path->kind == JSON_TEXT && strlen(path->text) == path->size;
    if (!is_string || path->size > UINT16_MAX) {
        fail(packing, path, "the path of a system is a string");
        return;
    }
    path->is_used = true;
    size_t errors = diagnostics_error_count(packing->diagnostics);
    const char *saved = find_system(packing, path);
    if (saved == NULL)
        return;
    pack_append_number(&out, strlen(saved), 2);
    text_append_string(&out, saved);
    bool is_valid = append_system(packing, line, &out) && pack_has_no_others(packing, line);
    if (!is_valid && diagnostics_error_count(packing->diagnostics) == errors)
        fail(packing, line, "a list has too many items");
    if (path->size == 0) {
        text_append(&packing->root, out.bytes, out.size);
        return;
    }
    pack_append_number(&packing->systems, out.size, 4);
    text_append(&packing->systems, out.bytes, out.size);
}

void pack_add_root(packing *packing)
{
    static const char line[] = "{\"system\":\"\",\"enabled\":true,\"time\":0,\"frame\":0,\"published\":0}";
    json_fault fault;
    if (packing->systems.size > 0 && packing->root.size == 0)
        pack_read_system(packing, json_read(packing->arena, line, strlen(line), &fault));
}
