// Lines: what each of them is.
#include "generator/save/internal.h"

#include "snapshot/snapshot.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum { SLOT_LIMIT = SAVE_CHUNK_LIMIT * SAVE_CHUNK_SLOTS };

#define INDEX_LIMIT ((uint64_t)1 << 40) // of creation indices

// Returns an item that a line must have; NULL after reporting that it has none.
static const json_node *need(packing *packing, const json_node *line, const char *key)
{
    const json_node *item = json_find(line, key, strlen(key));
    if (item == NULL)
        pack_error(packing, CODE_LINE_VALUE, line, "'%s' is missing", key);
    return item;
}

static bool need_number(packing *packing, const json_node *line, const char *key, uint64_t most, uint64_t *number)
{
    const json_node *item = need(packing, line, key);
    if (item == NULL)
        return false;
    return pack_read_unsigned(item, most, number) ||
           pack_error(packing, CODE_LINE_VALUE, item, "'%s' is not a number up to %" PRIu64, key, most);
}

static const json_node *need_list(packing *packing, const json_node *line, const char *key)
{
    const json_node *item = need(packing, line, key);
    if (item != NULL && item->kind != JSON_LIST) {
        pack_error(packing, CODE_LINE_VALUE, item, "'%s' is not a list", key);
        return NULL;
    }
    return item;
}

// ---- the head

static bool read_numbers_of_head(packing *packing, const json_node *line)
{
    const json_node *version = json_find(line, "version", strlen("version"));
    const json_node *frame = json_find(line, "frame", strlen("frame"));
    uint64_t number = packing->package->version;
    if (version != NULL && !pack_read_unsigned(version, UINT32_MAX, &number))
        return pack_error(packing, CODE_LINE_VALUE, version, "'version' is not a number up to %" PRIu32, UINT32_MAX);
    packing->version = (uint32_t)number;
    if (frame == NULL || pack_read_unsigned(frame, UINT64_MAX, &packing->frame))
        return true;
    return pack_error(packing, CODE_LINE_VALUE, frame, "'frame' is not a number");
}

// Reports what makes all lines that follow useless.
static void refuse_save(packing *packing, diagnostic_code code, const json_node *node, const char *what)
{
    pack_error(packing, code, node, "%s", what);
    packing->is_other = true;
}

static void read_head(packing *packing, const json_node *line)
{
    const json_node *format = json_find(line, "kin", 3);
    const json_node *package = json_find(line, "package", strlen("package"));
    const json_node *meta = json_find(line, "meta", strlen("meta"));
    const char *bytes;
    uint64_t number;
    packing->has_head = true;
    bool has_package = package != NULL && package->kind == JSON_TEXT;
    if (format == NULL || !has_package) {
        pack_error(packing, CODE_LINE_SYNTAX, line, "the first line is not the head of a save");
        diagnostic_hint(packing->diagnostics, "begin with {\"kin\":1,\"package\":\"%s\"}", packing->package->name);
        return;
    }
    if (!pack_read_unsigned(format, 1, &number) || number != 1)
        refuse_save(packing, CODE_SAVE_FOREIGN, format, "this version of kin knows the lines of format 1");
    else if (strcmp(package->text, packing->package->name) != 0)
        refuse_save(packing, CODE_SAVE_FOREIGN, package,
                    arena_format(packing->arena, "the save is of the package '%s', and the schema of '%s'",
                                 package->text, packing->package->name));
    else if (meta != NULL &&
             (!pack_read_bytes(packing->arena, meta, &bytes, &packing->meta_size) || packing->meta_size > 64 * 1024))
        pack_error(packing, CODE_LINE_VALUE, meta, "'meta' is not a string of at most 65536 bytes");
    else if (read_numbers_of_head(packing, line))
        pack_has_no_others(packing, line);
    if (meta != NULL && packing->meta_size > 0)
        packing->meta = arena_copy(packing->arena, bytes, packing->meta_size);
}

// ---- entities

static pack_origin origin_of(packing *packing, const json_node *end)
{
    assert(end->end <= packing->line_size);
    return (pack_origin){packing->line_number, arena_copy(packing->arena, packing->line, end->end)};
}

// Adds a value after those of lower components. They mostly come in order.
static bool add_value(packing *packing, pack_entity *entity, pack_value *value, const json_node *item)
{
    pack_value **at = &entity->first;
    assert(value->next == NULL);
    if (entity->last != NULL && entity->last->component < value->component)
        at = &entity->last->next;
    while (*at != NULL && (*at)->component < value->component)
        at = &(*at)->next;
    if (*at != NULL && (*at)->component == value->component)
        return pack_key_error(packing, CODE_LINE_TWICE, item, "'%s' is there twice", item->key);
    value->next = *at;
    *at = value;
    if (value->next == NULL)
        entity->last = value;
    return true;
}

static void read_entity(packing *packing, pack_context *context, const json_node *line)
{
    pack_entity *entity = pack_list_add(packing->arena, &context->entities, sizeof *entity);
    assert(line->first != NULL);
    entity->origin = origin_of(packing, line->first);
    if (!pack_read_handle(line->first, &entity->handle) || entity->handle == 0) {
        pack_error(packing, CODE_LINE_VALUE, line->first, "an entity is \"index@slot\", as \"12@11\"");
        return;
    }
    for (const json_node *item = line->first->next; item != NULL; item = item->next) {
        uint32_t component;
        pack_found found = pack_find_component(packing, context, item, &component);
        if (found == PACK_GIVEN_UP)
            continue;
        if (found == PACK_UNKNOWN)
            return;
        pack_value *value = pack_read_value(packing, &context->shape->components[component], component, item);
        if (value == NULL || !add_value(packing, entity, value, item))
            return;
    }
}

// ---- slots

static bool read_slot_list(packing *packing, const json_node *list, text *out)
{
    for (const json_node *item = list->first; item != NULL; item = item->next) {
        uint64_t slot;
        if (!pack_read_unsigned(item, SLOT_LIMIT - 1, &slot))
            return pack_error(packing, CODE_LINE_VALUE, item, "a slot is a number below %d", SLOT_LIMIT);
        pack_append_number(out, slot, 4);
    }
    return true;
}

static bool read_usable(packing *packing, const json_node *pool, text *out)
{
    const json_node *words = need_list(packing, pool, "usable");
    if (words == NULL)
        return false;
    if (words->size != SAVE_CHUNK_WORDS)
        return pack_error(packing, CODE_LINE_VALUE, words, "'usable' has eight words");
    for (const json_node *item = words->first; item != NULL; item = item->next) {
        uint64_t word;
        if (!pack_read_unsigned(item, UINT64_MAX, &word))
            return pack_error(packing, CODE_LINE_VALUE, item, "a word is a number of 64 bits");
        pack_append_number(out, word, 8);
    }
    return true;
}

static bool read_pool(packing *packing, const json_node *pool, text *out)
{
    uint64_t fresh;
    uint64_t fresh_end;
    const json_node *blueprint = NULL;
    if (pool->kind == JSON_MAP)
        blueprint = need(packing, pool, "blueprint");
    bool has_name = blueprint != NULL && blueprint->kind == JSON_TEXT;
    if (!has_name || blueprint->size > SCHEMA_NAME_LIMIT)
        return pack_error(packing, CODE_LINE_VALUE, pool, "a pool has the name of a blueprint, or \"\"");
    pack_append_number(out, blueprint->size, 2);
    text_append(out, blueprint->text, blueprint->size);
    if (!need_number(packing, pool, "fresh", SLOT_LIMIT, &fresh) ||
        !need_number(packing, pool, "fresh_end", SLOT_LIMIT, &fresh_end))
        return false;
    pack_append_number(out, fresh, 4);
    pack_append_number(out, fresh_end, 4);
    if (fresh_end % SAVE_CHUNK_SLOTS != 0 && !read_usable(packing, pool, out))
        return false;
    const json_node *slots = need_list(packing, pool, "free");
    if (slots == NULL)
        return false;
    pack_append_number(out, slots->size, 4);
    return read_slot_list(packing, slots, out) && pack_has_no_others(packing, pool);
}

static bool read_chunks(packing *packing, const json_node *line, size_t pools, text *out)
{
    const json_node *chunks = json_find(line, "chunks", strlen("chunks"));
    for (const json_node *item = chunks->first; item != NULL; item = item->next) {
        uint64_t pool = UINT16_MAX;
        bool is_valid = item->kind == JSON_NULL;
        if (!is_valid)
            is_valid = pack_read_unsigned(item, UINT16_MAX - 1, &pool) && pool < pools;
        if (!is_valid)
            return pack_error(packing, CODE_LINE_VALUE, item, "a chunk is the place of its pool, or null");
        pack_append_number(out, pool, 2);
    }
    return true;
}

static void read_slots(packing *packing, pack_context *context, const json_node *line)
{
    text *out = &context->slots;
    const json_node *pools = need_list(packing, line, "pools");
    const json_node *chunks = need_list(packing, line, "chunks");
    assert(context->is_there);
    if (out->size > 0) {
        pack_error(packing, CODE_LINE_TWICE, line, "the slots of '%s' are there twice", context->shape->info->name);
        return;
    }
    if (pools == NULL || chunks == NULL)
        return;
    if (!need_number(packing, line, "next", INDEX_LIMIT, &context->next_index) ||
        !need_number(packing, line, "first", INDEX_LIMIT, &context->first_index))
        return;
    if (chunks->size > SAVE_CHUNK_LIMIT || pools->size >= UINT16_MAX) {
        pack_error(packing, CODE_LINE_VALUE, line, "there are too many pools or chunks");
        return;
    }
    context->chunk_count = (uint32_t)chunks->size;
    pack_append_number(out, context->next_index, 8);
    pack_append_number(out, context->first_index, 8);
    pack_append_number(out, chunks->size, 4);
    pack_append_number(out, pools->size, 2);
    for (const json_node *pool = pools->first; pool != NULL; pool = pool->next)
        if (!read_pool(packing, pool, out))
            return;
    if (read_chunks(packing, line, pools->size, out))
        pack_has_no_others(packing, line);
}

// ---- last values and links

static void read_kept(packing *packing, pack_context *context, const json_node *line)
{
    const json_node *stashed = json_find(line, "stashed", strlen("stashed"));
    uint64_t slot;
    uint32_t component;
    assert(context->is_there);
    if (!need_number(packing, line, "slot", SLOT_LIMIT - 1, &slot))
        return;
    const json_node *item = line->first;
    while (item != NULL && item->is_used)
        item = item->next;
    if (item == NULL) {
        pack_error(packing, CODE_LINE_VALUE, line, "a component is missing");
        return;
    }
    if (pack_find_component(packing, context, item, &component) != PACK_FOUND)
        return;
    pack_value *value = pack_read_value(packing, &context->shape->components[component], component, item);
    ((json_node *)(uintptr_t)item)->is_used = true;
    if (value == NULL || !pack_has_no_others(packing, line))
        return;
    pack_kept *kept = pack_list_add(packing->arena, &context->kept, sizeof *kept);
    *kept = (pack_kept){(uint32_t)slot, stashed != NULL && stashed->boolean, value, origin_of(packing, item)};
}

// Finds a leaf by its path in saves, or of now.
static bool find_leaf_of(packing *packing, const kin__component_shape *shape, const char *path, uint32_t *leaf)
{
    pack_fields fields = {shape->info->fields, shape->info->field_count};
    for (int is_now = 0; is_now < 2; is_now++)
        for (*leaf = 0; *leaf < shape->leaves.count; ++*leaf) {
            const char *known = shape->leaves.leaves[*leaf].path;
            if (is_now)
                known = pack_path_now(&packing->line_arena, fields, known);
            if (strcmp(known, path) == 0)
                return true;
        }
    return false;
}

static bool find_named(packing *packing, const pack_context *context, const json_node *component, uint32_t *number)
{
    json_node named = *component;
    assert(component->kind == JSON_TEXT);
    named.key = component->text;
    named.key_start = component->start;
    named.key_end = component->end;
    return pack_find_component(packing, context, &named, number) == PACK_FOUND;
}

static bool find_leaf(packing *packing, const pack_context *context, const json_node *line, pack_links *links)
{
    const json_node *component = need(packing, line, "component");
    const json_node *field = need(packing, line, "field");
    if (component == NULL || field == NULL)
        return false;
    if (component->kind != JSON_TEXT || field->kind != JSON_TEXT)
        return pack_error(packing, CODE_LINE_VALUE, line, "names are strings");
    if (!find_named(packing, context, component, &links->component))
        return false;
    return find_leaf_of(packing, &context->shape->components[links->component], field->text, &links->leaf) ||
           pack_error(packing, CODE_LINE_NAME, field, "unknown field '%s.%s'", component->text, field->text);
}

static void read_links(packing *packing, pack_context *context, const json_node *line)
{
    pack_links links = {0};
    uint64_t target;
    text slots = text_create(packing->arena);
    const json_node *holders = need_list(packing, line, "holders");
    assert(context->is_there);
    if (holders == NULL || !find_leaf(packing, context, line, &links))
        return;
    if (!need_number(packing, line, "target", SLOT_LIMIT - 1, &target) || !read_slot_list(packing, holders, &slots))
        return;
    if (!pack_has_no_others(packing, line))
        return;
    links.target = (uint32_t)target;
    links.count = (uint32_t)holders->size;
    links.holders = (const unsigned char *)slots.bytes;
    pack_links *added = pack_list_add(packing->arena, &context->links, sizeof *added);
    *added = links;
}

// ---- the order of shared values

static bool read_use(packing *packing, const json_node *item, text *out)
{
    uint64_t use = KIN__SHARED_FREE;
    uint64_t flag = 0;
    const json_node *slot = item;
    if (item->kind == JSON_MAP && item->size == 1 && strcmp(item->first->key, "kept") == 0) {
        slot = item->first;
        flag = KIN__SHARED_KEPT;
    }
    if (item->kind != JSON_NULL && !pack_read_unsigned(slot, SLOT_LIMIT - 1, &use))
        return pack_error(packing, CODE_LINE_VALUE, item, "a use is a slot below %d, {\"kept\":slot}, or null",
                          SLOT_LIMIT);
    pack_append_number(out, use | flag, 4);
    return true;
}

static void read_shared(packing *packing, pack_context *context, const json_node *line)
{
    pack_shared shared = {0};
    uint64_t first;
    text bytes = text_create(packing->arena);
    const json_node *component = need(packing, line, "component");
    const json_node *uses = need_list(packing, line, "uses");
    assert(context->is_there);
    if (component == NULL || uses == NULL)
        return;
    if (!need_number(packing, line, "first", SLOT_LIMIT - 1, &first))
        return;
    bool has_begin = component->kind == JSON_TEXT && first % SAVE_CHUNK_SLOTS == 0;
    if (!has_begin || uses->size == 0 || uses->size > SAVE_CHUNK_SLOTS) {
        pack_error(packing, CODE_LINE_VALUE, line,
                   "a line has the name of a component, and 1 to %d uses from a "
                   "multiple of that on",
                   SAVE_CHUNK_SLOTS);
        return;
    }
    for (const json_node *item = uses->first; item != NULL; item = item->next)
        if (!read_use(packing, item, &bytes))
            return;
    if (!find_named(packing, context, component, &shared.component) || !pack_has_no_others(packing, line))
        return;
    shared.first = (uint32_t)first;
    shared.count = (uint32_t)uses->size;
    shared.uses = (const unsigned char *)bytes.bytes;
    shared.origin = origin_of(packing, uses);
    pack_shared *added = pack_list_add(packing->arena, &context->shared, sizeof *added);
    *added = shared;
}

// ---- lines

static bool is_text(const json_node *node, const char *text)
{
    return node->kind == JSON_TEXT && strcmp(node->text, text) == 0;
}

static void read_of_context(packing *packing, const json_node *line)
{
    json_node *first = line->first;
    pack_context *context = pack_find_context(packing, first->key);
    if (context == NULL) {
        pack_report_context(packing, first);
        return;
    }
    context->is_there = true;
    first->is_used = true;
    if (is_text(first, "slots"))
        read_slots(packing, context, line);
    else if (is_text(first, "kept"))
        read_kept(packing, context, line);
    else if (is_text(first, "shared"))
        read_shared(packing, context, line);
    else if (is_text(first, "links"))
        read_links(packing, context, line);
    else
        read_entity(packing, context, line);
}

// Whether the line is a frame of a recording.
static bool is_frame(const packing *packing, const json_node *line)
{
    return pack_find_context(packing, "frame") == NULL && strcmp(line->first->key, "frame") == 0;
}

void pack_line(packing *packing)
{
    json_fault fault;
    const json_node *line = json_read(&packing->line_arena, packing->line, packing->line_size, &fault);
    if (line == NULL) {
        json_node place = {.start = fault.at, .end = fault.at + (fault.at < packing->line_size)};
        pack_error(packing, CODE_LINE_SYNTAX, &place, "%s", fault.message);
    } else if (line->kind != JSON_MAP || line->first == NULL) {
        pack_error(packing, CODE_LINE_SYNTAX, line, "a line is an object with a context");
    } else if (!packing->has_head) {
        read_head(packing, line);
    } else if (strcmp(line->first->key, "system") == 0) {
        pack_read_system(packing, line);
    } else if (is_frame(packing, line)) {
        refuse_save(packing, CODE_LINE_SYNTAX, line->first,
                    "these are the lines of a recording, which cannot be packed");
        diagnostic_hint(packing->diagnostics, "the lines before it are a save: its first state");
    } else {
        read_of_context(packing, line);
    }
}
