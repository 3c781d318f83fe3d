// Systems: the line of a system as the payload of SYST.
#include "base/little.h"
#include "read/convert.h"
#include "save/private/packing.h"
#include "save/save_system.h"

#include <string.h>

static bool fail(packing *packing, const json_node *node, const char *what)
{
    return pack_error(packing, CODE_LINE_VALUE, node, "%s", what);
}

static json_node *find(const json_node *map, const char *key)
{
    return map->kind == JSON_MAP ? json_find(map, key, strlen(key)) : NULL;
}

static bool append_number(packing *packing, const json_node *map, const char *key, text *out)
{
    const json_node *node = find(map, key);
    uint64_t number;
    if (node == NULL || !pack_read_unsigned(node, UINT64_MAX, &number))
        return pack_error(packing, CODE_LINE_VALUE, node == NULL ? map : node, "'%s' is not a number", key);
    pack_append_number(out, number, 8);
    return true;
}

static bool append_double(packing *packing, const json_node *map, const char *key, text *out)
{
    const json_node *node = find(map, key);
    uint64_t bits;
    if (node == NULL || !pack_read_double(node, &bits))
        return pack_error(packing, CODE_LINE_VALUE, node == NULL ? map : node, "'%s' is not a number", key);
    pack_append_number(out, bits, 8);
    return true;
}

// Whether a list is one, or is left out.
static bool is_list(packing *packing, const json_node *list)
{
    return list == NULL || list->kind == JSON_LIST || fail(packing, list, "expected a list");
}

static size_t count_of(const json_node *list)
{
    return list == NULL ? 0 : list->size;
}

static const json_node *first_of(const json_node *list)
{
    return list == NULL ? NULL : list->first;
}

// ---- clocks

static bool append_clock(packing *packing, const json_node *line, text *out)
{
    const json_node *step = find(line, "step");
    if (!append_double(packing, line, "time", out) || !append_number(packing, line, "frame", out))
        return false;
    pack_append_number(out, step != NULL, 1);
    return step == NULL ||
           (append_double(packing, step, "left", out) && append_double(packing, step, "origin", out) &&
            append_double(packing, step, "dropped", out) && append_number(packing, step, "steps", out) &&
            append_number(packing, step, "step_frame", out) && pack_has_no_others(packing, step));
}

// ---- entities

static bool find_context(const packing *packing, const char *name, uint32_t *number)
{
    *number = 0;
    for (size_t i = 0; i < packing->context_count; i++) {
        const kin_context_info *info = packing->contexts[i].shape->info;
        if (!info->is_unsaved && strcmp(info->identity, name) == 0)
            return true;
        *number += !info->is_unsaved;
    }
    return false;
}

static bool append_collected(packing *packing, const json_node *list, text *out)
{
    if (!is_list(packing, list))
        return false;
    pack_append_number(out, count_of(list), 4);
    for (const json_node *item = first_of(list); item != NULL; item = item->next) {
        uint32_t context;
        uint64_t handle;
        if (item->kind != JSON_MAP || item->size != 1 || !pack_read_handle(item->first, &handle))
            return fail(packing, item, "a collected entity is {\"context\":\"index@slot\"}");
        if (!find_context(packing, item->first->key, &context))
            return pack_key_error(packing, CODE_LINE_NAME, item->first, "unknown context '%s'", item->first->key);
        pack_append_number(out, context, 4);
        pack_append_number(out, handle, 8);
    }
    return true;
}

static bool append_members(packing *packing, const json_node *list, text *out)
{
    if (!is_list(packing, list))
        return false;
    pack_append_number(out, count_of(list), 4);
    for (const json_node *item = first_of(list); item != NULL; item = item->next) {
        uint64_t handle;
        if (!pack_read_handle(item, &handle))
            return fail(packing, item, "an entity is \"index@slot\", as \"12@11\"");
        pack_append_number(out, handle, 8);
    }
    return true;
}

static bool append_others(packing *packing, const json_node *list, text *out)
{
    if (!is_list(packing, list) || list->size > UINT16_MAX)
        return false;
    pack_append_number(out, list->size, 2);
    for (const json_node *item = list->first; item != NULL; item = item->next)
        if (item->kind != JSON_LIST || !append_collected(packing, item, out))
            return item->kind == JSON_LIST ? false : fail(packing, item, "expected a list");
    return true;
}

static bool append_marks(packing *packing, const json_node *list, text *out)
{
    if (!is_list(packing, list))
        return false;
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
        size_t start = i == 0 ? 0 : value->ends[i - 1], end = value->ends[i];
        size_t head = leaves->leaves[i].is_list ? 4 : 0;
        bool is_text = kin__file_width(leaves->leaves[i].field->type) == 0;
        text_append(out, (const char *)value->bytes + start, is_text ? head : end - start);
        for (int pass = 0; is_text && pass < 2; pass++)
            for (size_t at = start + head; at < end;) {
                uint32_t length = kin__little_read_32(value->bytes + at);
                size_t letters = length == UINT32_MAX ? 0 : length;
                text_append(out, (const char *)value->bytes + at + (pass == 0 ? 0 : 4), pass == 0 ? 4 : letters);
                at += 4 + letters;
            }
    }
}

static bool append_message(packing *packing, uint32_t message, const json_node *item, text *out)
{
    const json_node *node = find(item, "value");
    kin__component_shape shape = {.identity = kin__message_identity(&packing->world->messages[message]),
                                  .leaves = packing->messages.of[message]};
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

static bool append_inbox(packing *packing, const json_node *inbox, text *out)
{
    const json_node *name = find(inbox, "message"), *list = find(inbox, "messages");
    uint32_t message = 0, count = packing->world->message_count;
    if (name == NULL || name->kind != JSON_TEXT || list == NULL || list->kind != JSON_LIST)
        return fail(packing, inbox, "an inbox has 'message' and 'messages'");
    while (message < count && strcmp(kin__message_identity(&packing->world->messages[message]), name->text) != 0)
        message++;
    if (message == count)
        return pack_error(packing, CODE_LINE_NAME, name, "unknown message '%s'", name->text);
    pack_append_number(out, kin__message_number(packing->world, message), 4);
    pack_append_number(out, list->size, 4);
    for (const json_node *item = list->first; item != NULL; item = item->next)
        if (!append_message(packing, message, item, out))
            return false;
    return pack_has_no_others(packing, inbox);
}

static bool append_inboxes(packing *packing, const json_node *list, text *out)
{
    if (!is_list(packing, list) || count_of(list) > UINT16_MAX)
        return false;
    pack_append_number(out, count_of(list), 2);
    for (const json_node *item = first_of(list); item != NULL; item = item->next)
        if (!append_inbox(packing, item, out))
            return false;
    return true;
}

static bool append_warned(packing *packing, const json_node *list, size_t inboxes, text *out)
{
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
    const json_node *pushed = find(line, "pushed");
    if (!is_list(packing, pushed) || count_of(pushed) > UINT8_MAX)
        return false;
    pack_append_number(out, count_of(pushed), 1);
    for (const json_node *item = first_of(pushed); item != NULL; item = item->next)
        if (!append_double(packing, item, "delta", out) || !append_double(packing, item, "time", out) ||
            !append_number(packing, item, "frame", out) || !pack_has_no_others(packing, item))
            return false;
    return append_number(packing, line, "published", out);
}

static uint8_t flags_of(const json_node *line)
{
    static const char *const names[] = {"enabled", "updated", "current", "deactivated"};
    uint8_t flags = 0;
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const json_node *node = find(line, names[i]);
        flags |= (uint8_t)(node != NULL && node->boolean ? 1 << i : 0);
    }
    flags |= find(line, "others") != NULL ? SAVE_SYSTEM_OTHERS : 0;
    flags |= find(line, "marks") != NULL ? SAVE_SYSTEM_MARKS : 0;
    flags |= find(line, "warned") != NULL ? SAVE_SYSTEM_WARNED : 0;
    return flags;
}

static bool append_system(packing *packing, const json_node *line, text *out)
{
    const json_node *inboxes = find(line, "inboxes");
    uint8_t flags = flags_of(line);
    pack_append_number(out, flags, 1);
    if (!append_clock(packing, line, out) || !append_collected(packing, find(line, "collected"), out) ||
        !append_members(packing, find(line, "members"), out) || !append_inboxes(packing, inboxes, out))
        return false;
    if ((flags & SAVE_SYSTEM_OTHERS) != 0 && !append_others(packing, find(line, "others"), out))
        return false;
    if ((flags & SAVE_SYSTEM_MARKS) != 0 && !append_marks(packing, find(line, "marks"), out))
        return false;
    if ((flags & SAVE_SYSTEM_WARNED) != 0 && !append_warned(packing, find(line, "warned"), count_of(inboxes), out))
        return false;
    return line->first->size > 0 || append_root(packing, line, out);
}

void pack_read_system(packing *packing, const json_node *line)
{
    json_node *path = line->first;
    text out = text_create(packing->arena);
    if (path->kind != JSON_TEXT || path->size > UINT16_MAX || strlen(path->text) != path->size) {
        fail(packing, path, "the path of a system is a string");
        return;
    }
    path->is_used = true;
    size_t errors = diagnostics_error_count(packing->diagnostics);
    pack_append_number(&out, path->size, 2);
    text_append(&out, path->text, path->size);
    bool is_valid = append_system(packing, line, &out) && pack_has_no_others(packing, line);
    if (!is_valid && diagnostics_error_count(packing->diagnostics) == errors)
        fail(packing, line, "a list has too many items");
    pack_append_number(&packing->systems, out.size, 4);
    text_append(&packing->systems, out.bytes, out.size);
}
