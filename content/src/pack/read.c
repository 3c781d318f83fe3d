// Reads packs, and refuses those that are damaged.
#include "pack/pack.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- memory

enum { BLOCK_SIZE = 16 * 1024 };

struct kin__pack_block {
    kin__pack_block *next;
    size_t used, size; // bytes; the size has this struct, too
    max_align_t bytes[];
};

void *kin__pack_take(kin__pack *pack, size_t count, size_t size)
{
    if (count > SIZE_MAX / 4 / size)
        return NULL;
    size_t bytes = kin__round_up(count * size + 1);
    kin__pack_block *block = pack->blocks;
    if (block == NULL || bytes > block->size - sizeof *block - block->used) {
        size_t room = sizeof *block + kin__max_size(bytes, BLOCK_SIZE);
        block = kin__allocate(pack->memory, room);
        if (block == NULL)
            return NULL;
        *block = (kin__pack_block){.next = pack->blocks, .size = room};
        pack->blocks = block;
    }
    void *at = (char *)block->bytes + block->used;
    block->used += bytes;
    KIN_ASSERT(block->used <= block->size - sizeof *block);
    return memset(at, 0, bytes);
}

void kin__pack_release(kin__pack *pack)
{
    while (pack->blocks != NULL) {
        kin__pack_block *block = pack->blocks;
        pack->blocks = block->next;
        kin__release(pack->memory, block, block->size);
    }
}

// ---- faults

typedef struct reading {
    kin__pack *pack;
    kin__pack_fault *fault;
    const unsigned char *file; // its first byte
    size_t size, offset;       // of the file; of the next block
    uint32_t number;           // of the block that is read
    char kind[5];
    size_t block;            // its offset
    kin__pack_cursor cursor; // in its payload
    const char **parts;      // of PREF
    uint32_t part_count;
    uint16_t *depths; // of prefabs, then of levels
    kin__xxh64 content;
    uint64_t expected; // the hash in HEAD
} reading;

static bool note(reading *reading, kin_status status, int code, const char *format, ...)
{
    char said[192];
    va_list arguments;
    if (reading->fault->status != KIN_OK)
        return false;
    va_start(arguments, format);
    vsnprintf(said, sizeof said, format, arguments);
    va_end(arguments);
    reading->fault->status = status;
    snprintf(reading->fault->text, sizeof reading->fault->text, "block %" PRIu32 " (%s) at byte %zu: %s [K%d]",
             reading->number, reading->kind, reading->block, said, code);
    return false;
}

static bool wrong(reading *reading, int code, const char *what)
{
    return note(reading, KIN_ERROR_CORRUPT, code, "%s", what);
}

static bool no_memory(reading *reading)
{
    if (reading->fault->status != KIN_OK)
        return false;
    reading->fault->status = KIN_ERROR_NO_MEMORY;
    snprintf(reading->fault->text, sizeof reading->fault->text, "no memory for the content; free some and try again");
    return false;
}

// ---- blocks

static void show_kind(reading *reading, const unsigned char *kind)
{
    for (int i = 0; i < 4; i++)
        if (kind[i] >= 'A' && kind[i] <= 'Z')
            reading->kind[i] = (char)kind[i];
}

// Begins the next block, which must be of this kind.
static bool begin_block(reading *reading, const char *kind)
{
    const unsigned char *head = reading->file + reading->offset;
    size_t left = reading->size - reading->offset;
    KIN_ASSERT(reading->offset <= reading->size && reading->fault->status == KIN_OK);
    reading->number += reading->offset > sizeof kin__pack_magic;
    reading->block = reading->offset;
    memcpy(reading->kind, "????", 5);
    if (left < KIN__PACK_BLOCK_HEAD)
        return note(reading, KIN_ERROR_CORRUPT, 1302, "it ends after %zu bytes of the block", left);
    uint32_t size = kin__little_read_32(head + 4);
    show_kind(reading, head);
    if (size > KIN__PACK_BLOCK_LIMIT)
        return note(reading, KIN_ERROR_CORRUPT, 1307, "its size is %" PRIu32 " bytes; at most %d are allowed", size,
                    KIN__PACK_BLOCK_LIMIT);
    if (size > left - KIN__PACK_BLOCK_HEAD)
        return note(reading, KIN_ERROR_CORRUPT, 1302, "it ends after %zu of %" PRIu32 " bytes",
                    left - KIN__PACK_BLOCK_HEAD, size);
    const unsigned char *payload = head + KIN__PACK_BLOCK_HEAD;
    if (kin__pack_block_sum((const char *)head, size, reading->number, payload) != kin__little_read_64(head + 8))
        return wrong(reading, 1303, "its checksum does not match");
    if (memcmp(head, kind, 4) != 0)
        return note(reading, KIN_ERROR_CORRUPT, 1309, "expected the block %s", kind);
    reading->cursor = kin__pack_cursor_of(payload, size);
    reading->offset += KIN__PACK_BLOCK_HEAD + size;
    if (reading->number > 0 && size > 0)
        kin__xxh64_add(&reading->content, payload, size);
    return true;
}

static bool end_block(reading *reading)
{
    if (reading->fault->status != KIN_OK)
        return false;
    if (reading->cursor.is_short)
        return wrong(reading, 1307, "its counts exceed its size, or a number or a text in it is invalid");
    if (reading->cursor.at != reading->cursor.end)
        return note(reading, KIN_ERROR_CORRUPT, 1307, "%zu bytes follow its content",
                    (size_t)(reading->cursor.end - reading->cursor.at));
    return true;
}

// ---- parts of a payload

static bool has_failed(const reading *reading)
{
    return reading->cursor.is_short || reading->fault->status != KIN_OK;
}

static uint32_t next(reading *reading)
{
    uint64_t number = kin__pack_next_number(&reading->cursor);
    if (number > UINT32_MAX - 1) {
        reading->cursor.is_short = true;
        return 0;
    }
    return (uint32_t)number;
}

// Returns the next number, which must be less than `count`.
static uint32_t next_index(reading *reading, uint32_t count, const char *of)
{
    uint32_t index = next(reading);
    if (index < count || has_failed(reading))
        return index;
    note(reading, KIN_ERROR_CORRUPT, 1307, "it names number %" PRIu32 " of %" PRIu32 " %s", index, count, of);
    return 0;
}

static uint32_t next_optional(reading *reading, uint32_t count, const char *of)
{
    uint32_t index = next(reading);
    if (index == 0)
        return KIN__PACK_NONE;
    if (index <= count || has_failed(reading))
        return index - 1;
    note(reading, KIN_ERROR_CORRUPT, 1307, "it names number %" PRIu32 " of %" PRIu32 " %s", index - 1, count, of);
    return 0;
}

static bool is_letter(char byte)
{
    char lower = (char)(byte | ('a' - 'A'));
    return lower >= 'a' && lower <= 'z';
}

static bool is_name_byte(char byte)
{
    bool is_digit = byte >= '0' && byte <= '9';
    return is_digit || byte == '_' || is_letter(byte);
}

// Whether a text is names joined by dots. None of them is empty.
static bool are_names(const char *text)
{
    bool is_in_name = false;
    for (; *text != '\0'; text++) {
        bool is_dot = *text == '.' && is_in_name;
        if (!is_dot && !is_name_byte(*text))
            return false;
        is_in_name = !is_dot;
    }
    return is_in_name;
}

// Reads names joined by dots; "" if that is allowed.
static const char *next_name(reading *reading, bool may_be_empty)
{
    uint32_t size;
    const char *name = kin__pack_next_text(&reading->cursor, &size);
    if (size == 0 && may_be_empty)
        return name;
    if (!are_names(name) && !has_failed(reading))
        wrong(reading, 1307, "a name is invalid");
    return name;
}

// Reads a name that follows the previous one, which is NULL for the first.
static const char *next_ascending(reading *reading, const char *previous, bool may_be_empty)
{
    const char *name = next_name(reading, may_be_empty);
    if (previous == NULL || has_failed(reading))
        return name;
    if (strcmp(previous, name) >= 0)
        note(reading, KIN_ERROR_CORRUPT, 1308, "'%.100s' is a duplicate, or out of order", name);
    return name;
}

// Reads a count of elements that need a byte each, and returns memory for them; NULL after a fault.
static void *next_list(reading *reading, uint32_t *count, size_t size)
{
    uint32_t claimed = next(reading);
    *count = 0;
    if (claimed > (size_t)(reading->cursor.end - reading->cursor.at))
        reading->cursor.is_short = true;
    if (has_failed(reading))
        return NULL;
    void *list = kin__pack_take(reading->pack, claimed, size);
    if (list == NULL)
        no_memory(reading);
    else
        *count = claimed;
    return list;
}

// ---- HEAD

static bool read_head(reading *reading)
{
    kin__pack_cursor *cursor = &reading->cursor;
    uint32_t size;
    if (!begin_block(reading, "HEAD"))
        return false;
    if ((size_t)(cursor->end - cursor->at) < 16)
        return wrong(reading, 1307, "its counts exceed its size");
    unsigned format = cursor->at[0] | (unsigned)cursor->at[1] << 8;
    unsigned what = cursor->at[2] | (unsigned)cursor->at[3] << 8;
    if (what != KIN__PACK_WHAT)
        return wrong(reading, 1301, "it is a file of Kin, but not content");
    if (format > KIN__PACK_FORMAT)
        return note(reading, KIN_ERROR_SHAPE, 1304, "it has format %u, and this version of Kin reads format %d", format,
                    KIN__PACK_FORMAT);
    if (format == 0)
        return wrong(reading, 1307, "there is no format 0");
    reading->pack->version = kin__little_read_32(cursor->at + 4);
    reading->expected = kin__little_read_64(cursor->at + 8);
    cursor->at += 16;
    reading->pack->package = next_name(reading, false);
    kin__pack_next_text(cursor, &size); // of the program that wrote it
    return end_block(reading);
}

// ---- SHAP

static uint32_t most_names(kin_type type)
{
    if (type == KIN_TYPE_ENUM)
        return UINT16_MAX;
    return type == KIN_TYPE_ENTITY;
}

static unsigned next_byte(reading *reading)
{
    if (reading->cursor.at < reading->cursor.end)
        return *reading->cursor.at++;
    reading->cursor.is_short = true;
    return 0;
}

static void read_leaf(reading *reading, kin__pack_leaf *leaf, const char *previous)
{
    leaf->path = next_ascending(reading, previous, false);
    unsigned type = next_byte(reading);
    leaf->type = (kin_type)(type & (KIN__PACK_IS_LIST - 1));
    leaf->is_list = (type & KIN__PACK_IS_LIST) != 0;
    leaf->elements = next(reading);
    const char **names = next_list(reading, &leaf->name_count, sizeof *names);
    for (uint32_t i = 0; i < leaf->name_count && !has_failed(reading); i++)
        names[i] = next_name(reading, false);
    leaf->names = names;
    if (has_failed(reading))
        return;
    if (leaf->type >= KIN_TYPE_STRUCT) {
        leaf->type = KIN_TYPE_BOOL;
        wrong(reading, 1307, "a field has an unknown type");
    } else if (leaf->elements == 0 || leaf->elements > UINT16_MAX) {
        wrong(reading, 1307, "a field has no elements, or too many");
    } else if (leaf->name_count > most_names(leaf->type)) {
        wrong(reading, 1307, "a field has names, but its type cannot have any");
    }
}

static void read_component(reading *reading, kin__pack_component *component, const char *previous)
{
    const char *last = NULL;
    component->name = next_ascending(reading, previous, false);
    kin__pack_leaf *leaves = next_list(reading, &component->leaf_count, sizeof *leaves);
    component->leaves = leaves;
    for (uint32_t i = 0; i < component->leaf_count && !has_failed(reading); i++) {
        read_leaf(reading, &leaves[i], last);
        last = leaves[i].path;
    }
}

static void read_context(reading *reading, kin__pack_context *context, const char *previous)
{
    const char *last = NULL;
    context->name = next_ascending(reading, previous, false);
    kin__pack_component *components = next_list(reading, &context->component_count, sizeof *components);
    context->components = components;
    for (uint32_t i = 0; i < context->component_count && !has_failed(reading); i++) {
        read_component(reading, &components[i], last);
        last = components[i].name;
    }
}

static bool read_shape(reading *reading)
{
    kin__pack *pack = reading->pack;
    const char *last = NULL;
    if (!begin_block(reading, "SHAP"))
        return false;
    kin__pack_context *contexts = next_list(reading, &pack->context_count, sizeof *contexts);
    pack->contexts = contexts;
    for (uint32_t i = 0; i < pack->context_count && !has_failed(reading); i++) {
        read_context(reading, &contexts[i], last);
        last = contexts[i].name;
    }
    return end_block(reading);
}

// ---- keys and values

static bool are_ascending(const kin__pack_key *a, const kin__pack_key *b)
{
    int order = strcmp(a->part, b->part);
    if (order != 0)
        return order < 0;
    if (a->component != b->component)
        return a->component < b->component;
    return a->leaf < b->leaf;
}

static void read_key(reading *reading, const kin__pack_context *context, kin__pack_key *key)
{
    uint32_t part = next_index(reading, reading->part_count, "parts");
    key->component = next_index(reading, context->component_count, "components");
    uint32_t leaf = next(reading);
    if (has_failed(reading))
        return;
    KIN_ASSERT(part < reading->part_count && key->component < context->component_count); // 1
    const kin__pack_component *component = &context->components[key->component];
    key->part = reading->parts[part];
    key->leaf = leaf >> 1;
    key->is_append = (leaf & 1) != 0;
    if (key->leaf >= component->leaf_count)
        wrong(reading, 1307, "it names a field that its component lacks");
    else if (key->is_append && !component->leaves[key->leaf].is_list)
        wrong(reading, 1307, "it appends to a field that is no list");
}

static void read_keys(reading *reading)
{
    kin__pack *pack = reading->pack;
    const char *last = NULL;
    reading->parts = next_list(reading, &reading->part_count, sizeof *reading->parts);
    for (uint32_t i = 0; i < reading->part_count && !has_failed(reading); i++) {
        reading->parts[i] = next_ascending(reading, last, true);
        last = reading->parts[i];
    }
    kin__pack_keys *all = next_list(reading, &pack->keys_count, sizeof *all);
    pack->keys = all;
    for (uint32_t i = 0; i < pack->keys_count && !has_failed(reading); i++) {
        all[i].context = next_index(reading, pack->context_count, "contexts");
        kin__pack_key *keys = next_list(reading, &all[i].count, sizeof *keys);
        all[i].keys = keys;
        for (uint32_t j = 0; j < all[i].count && !has_failed(reading); j++) {
            read_key(reading, &pack->contexts[all[i].context], &keys[j]);
            if (has_failed(reading) || j == 0)
                continue;
            if (!are_ascending(&keys[j - 1], &keys[j]))
                wrong(reading, 1308, "keys are there twice, or out of order");
        }
    }
}

// Reads the index of keys of a context.
static uint32_t next_keys(reading *reading, uint32_t context)
{
    uint32_t keys = next_optional(reading, reading->pack->keys_count, "keys");
    if (keys == KIN__PACK_NONE || has_failed(reading))
        return keys;
    if (reading->pack->keys[keys].context != context)
        wrong(reading, 1307, "its keys are of another context");
    return keys;
}

// Passes over the values of these keys. Returns their size.
static uint32_t skip_values(reading *reading, uint32_t context, uint32_t number)
{
    const unsigned char *begin = reading->cursor.at;
    if (number == KIN__PACK_NONE || has_failed(reading))
        return 0;
    const kin__pack_keys *keys = &reading->pack->keys[number];
    KIN_ASSERT(keys->context == context);
    for (uint32_t i = 0; i < keys->count && !has_failed(reading); i++)
        kin__pack_skip_value(&reading->cursor, kin__pack_leaf_of(reading->pack, context, &keys->keys[i]));
    return (uint32_t)(reading->cursor.at - begin);
}

static void read_writes(reading *reading, uint32_t context, kin__pack_writes *writes)
{
    writes->keys = next_keys(reading, context);
    writes->values = reading->cursor.at;
    writes->size = skip_values(reading, context, writes->keys);
}

// ---- prefabs

static const kin__pack_component_at *read_components_at(reading *reading, uint32_t context, uint32_t *count)
{
    kin__pack_component_at *list = next_list(reading, count, sizeof *list);
    for (uint32_t i = 0; i < *count && !has_failed(reading); i++) {
        list[i].part = next_name(reading, true);
        list[i].component = next_index(reading, reading->pack->contexts[context].component_count, "components");
    }
    return list;
}

static void read_knobs(reading *reading, kin__pack_prefab *prefab)
{
    uint32_t components = reading->pack->contexts[prefab->context].component_count;
    const char *last = NULL;
    kin__pack_knob *knobs = next_list(reading, &prefab->knob_count, sizeof *knobs);
    prefab->knobs = knobs;
    for (uint32_t i = 0; i < prefab->knob_count && !has_failed(reading); i++) {
        knobs[i].name = next_ascending(reading, last, false);
        last = knobs[i].name;
        kin__pack_target *targets = next_list(reading, &knobs[i].target_count, sizeof *targets);
        knobs[i].targets = targets;
        for (uint32_t j = 0; j < knobs[i].target_count && !has_failed(reading); j++) {
            targets[j].part = next_name(reading, true);
            targets[j].component = next_index(reading, components, "components");
            targets[j].field = next_name(reading, true);
        }
    }
}

// Reads the index of a prefab before this one, of the same context.
static uint32_t next_prefab(reading *reading, uint32_t count, uint32_t context)
{
    uint32_t prefab = next_optional(reading, count, "prefabs before it");
    if (prefab == KIN__PACK_NONE || has_failed(reading))
        return prefab;
    if (reading->pack->prefabs[prefab].context != context)
        wrong(reading, 1307, "it names a prefab of another context");
    return prefab;
}

static void deepen(reading *reading, uint32_t number, uint32_t below, const char *what)
{
    if (has_failed(reading) || below == KIN__PACK_NONE)
        return;
    KIN_ASSERT(below < number); // 2
    if (reading->depths[below] < reading->depths[number])
        return;
    reading->depths[number] = (uint16_t)(reading->depths[below] + 1);
    if (reading->depths[number] > KIN__PACK_DEPTH_LIMIT)
        note(reading, KIN_ERROR_LIMIT, 1307, "%s are more than %d levels deep", what, KIN__PACK_DEPTH_LIMIT);
}

static void read_parts(reading *reading, uint32_t number, kin__pack_prefab *prefab)
{
    kin__pack_part *parts = next_list(reading, &prefab->part_count, sizeof *parts);
    prefab->parts = parts;
    if (prefab->part_count > KIN__PACK_PART_LIMIT)
        note(reading, KIN_ERROR_LIMIT, 1307, "a prefab has more than %d parts", KIN__PACK_PART_LIMIT);
    for (uint32_t i = 0; i < prefab->part_count && !has_failed(reading); i++) {
        parts[i].path = next_name(reading, false);
        parts[i].of = next_prefab(reading, number, prefab->context);
        deepen(reading, number, parts[i].of, "prefabs");
    }
}

static void read_prefab(reading *reading, uint32_t number, kin__pack_prefab *prefab)
{
    uint32_t size;
    prefab->name = next_name(reading, false);
    prefab->doc = kin__pack_next_text(&reading->cursor, &size);
    prefab->context = next_index(reading, reading->pack->context_count, "contexts");
    if (has_failed(reading))
        return;
    prefab->kind = (kin__pack_kind)next_index(reading, KIN__PACK_BLUEPRINT + 1, "kinds of prefabs");
    prefab->base = next_prefab(reading, number, prefab->context);
    deepen(reading, number, prefab->base, "prefabs");
    read_parts(reading, number, prefab);
    prefab->added = read_components_at(reading, prefab->context, &prefab->added_count);
    const char **gone = next_list(reading, &prefab->gone_part_count, sizeof *gone);
    for (uint32_t i = 0; i < prefab->gone_part_count && !has_failed(reading); i++)
        gone[i] = next_name(reading, false);
    prefab->gone_parts = gone;
    prefab->gone = read_components_at(reading, prefab->context, &prefab->gone_count);
    read_knobs(reading, prefab);
    read_writes(reading, prefab->context, &prefab->writes);
    if (has_failed(reading) || prefab->kind != KIN__PACK_BLUEPRINT)
        return;
    bool has_base = prefab->base != KIN__PACK_NONE;
    if (has_base || prefab->part_count + prefab->added_count > 0)
        wrong(reading, 1307, "a blueprint of the schema has a base, parts or components of its own");
}

static bool begin_depths(reading *reading, uint32_t count)
{
    reading->depths = kin__pack_take(reading->pack, count, sizeof *reading->depths);
    return reading->depths != NULL || no_memory(reading);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Prefabs are in an order in which each follows its base, so their names do not ascend.
static void check_names(reading *reading, const char **names, uint32_t count)
{
    if (count > 1)
        qsort(names, count, sizeof *names, compare_names);
    for (uint32_t i = 1; i < count; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            note(reading, KIN_ERROR_CORRUPT, 1308, "'%.100s' is there twice", names[i]);
}

static bool read_prefabs(reading *reading)
{
    kin__pack *pack = reading->pack;
    if (!begin_block(reading, "PREF"))
        return false;
    read_keys(reading);
    kin__pack_prefab *prefabs = next_list(reading, &pack->prefab_count, sizeof *prefabs);
    pack->prefabs = prefabs;
    const char **names = kin__pack_take(pack, pack->prefab_count, sizeof *names);
    if (names == NULL || !begin_depths(reading, pack->prefab_count))
        return no_memory(reading);
    for (uint32_t i = 0; i < pack->prefab_count && !has_failed(reading); i++) {
        read_prefab(reading, i, &prefabs[i]);
        names[i] = prefabs[i].name;
    }
    if (!end_block(reading))
        return false;
    check_names(reading, names, pack->prefab_count);
    return reading->fault->status == KIN_OK;
}

// ---- levels

static void read_instances(reading *reading, uint32_t context, kin__pack_run *run)
{
    kin__pack_instance *instances = next_list(reading, &run->count, sizeof *instances);
    run->instances = instances;
    for (uint32_t i = 0; i < run->count && !has_failed(reading); i++) {
        if (run->is_named)
            instances[i].name = next_name(reading, false);
        instances[i].values = reading->cursor.at;
        instances[i].size = skip_values(reading, context, run->keys);
        bool has_byte = run->is_named || run->keys != KIN__PACK_NONE;
        if (!has_byte && next(reading) != 0)
            reading->cursor.is_short = true;
    }
}

// Checks what a run places in the level with that number: something of one context, and a level before it.
static bool check_run(reading *reading, uint32_t number, uint32_t context, const kin__pack_run *run)
{
    const kin__pack *pack = reading->pack;
    bool is_level = run->prefab == KIN__PACK_NONE;
    bool is_before = is_level ? run->level < number : run->level == 0;
    if (!is_before)
        return note(reading, KIN_ERROR_CORRUPT, 1307, "it names level %" PRIu32 ", which is not before it", run->level);
    uint32_t placed = is_level ? pack->levels[run->level].context : pack->prefabs[run->prefab].context;
    if (placed != context)
        return wrong(reading, 1307, "it places something of another context");
    return true;
}

// Counts the instances of a run, with those of the level that it places.
static void count_instances(reading *reading, kin__pack_level *level, const kin__pack_run *run)
{
    bool is_level = run->prefab == KIN__PACK_NONE;
    bool is_single = run->count == 1 && run->is_named;
    uint64_t each = is_level ? reading->pack->levels[run->level].instance_count : 1;
    uint64_t count = level->instance_count + each * run->count;
    if (count > KIN__PACK_INSTANCE_LIMIT)
        note(reading, KIN_ERROR_LIMIT, 1307, "a level has more than %d instances", KIN__PACK_INSTANCE_LIMIT);
    else if (is_level && !is_single)
        wrong(reading, 1307, "a level in a level has no name, or several");
    else
        level->instance_count = (uint32_t)count;
}

static void read_run(reading *reading, uint32_t number, kin__pack_level *level, kin__pack_run *run)
{
    kin__pack *pack = reading->pack;
    run->prefab = next_optional(reading, pack->prefab_count, "prefabs");
    run->level = next(reading);
    run->keys = next_keys(reading, level->context);
    uint32_t flags = next_index(reading, KIN__PACK_IS_NAMED + 1, "flags");
    run->is_named = flags == KIN__PACK_IS_NAMED;
    if (has_failed(reading) || !check_run(reading, number, level->context, run))
        return;
    read_instances(reading, level->context, run);
    if (has_failed(reading))
        return;
    count_instances(reading, level, run);
    if (run->prefab == KIN__PACK_NONE)
        deepen(reading, number, run->level, "levels");
}

static bool read_levels(reading *reading)
{
    kin__pack *pack = reading->pack;
    if (!begin_block(reading, "LEVL"))
        return false;
    kin__pack_level *levels = next_list(reading, &pack->level_count, sizeof *levels);
    pack->levels = levels;
    const char **names = kin__pack_take(pack, pack->level_count, sizeof *names);
    if (names == NULL || !begin_depths(reading, pack->level_count))
        return no_memory(reading);
    for (uint32_t i = 0; i < pack->level_count && !has_failed(reading); i++) {
        kin__pack_level *level = &levels[i];
        level->name = next_name(reading, false);
        names[i] = level->name;
        level->context = next_index(reading, pack->context_count, "contexts");
        kin__pack_run *runs = next_list(reading, &level->run_count, sizeof *runs);
        level->runs = runs;
        for (uint32_t j = 0; j < level->run_count && !has_failed(reading); j++)
            read_run(reading, i, level, &runs[j]);
    }
    if (!end_block(reading))
        return false;
    check_names(reading, names, pack->level_count);
    return reading->fault->status == KIN_OK;
}

// ---- VALS, NAME and DONE

static bool are_uniques_ascending(const kin__pack_unique *a, const kin__pack_unique *b)
{
    if (a->context != b->context)
        return a->context < b->context;
    return a->component < b->component;
}

static bool read_uniques(reading *reading)
{
    kin__pack *pack = reading->pack;
    if (!begin_block(reading, "VALS"))
        return false;
    kin__pack_unique *uniques = next_list(reading, &pack->unique_count, sizeof *uniques);
    pack->uniques = uniques;
    for (uint32_t i = 0; i < pack->unique_count && !has_failed(reading); i++) {
        kin__pack_unique *unique = &uniques[i];
        unique->context = next_index(reading, pack->context_count, "contexts");
        if (has_failed(reading))
            break;
        unique->component = next_index(reading, pack->contexts[unique->context].component_count, "components");
        read_writes(reading, unique->context, &unique->writes);
        if (has_failed(reading) || i == 0)
            continue;
        if (!are_uniques_ascending(&uniques[i - 1], unique))
            wrong(reading, 1308, "a component is there twice, or out of order");
    }
    return end_block(reading);
}

static int compare_renames(const kin__pack_rename *a, const kin__pack_rename *b)
{
    if (a->of != b->of)
        return a->of < b->of ? -1 : 1;
    if (a->owner != b->owner)
        return a->owner < b->owner ? -1 : 1;
    return strcmp(a->path, b->path);
}

static void read_rename(reading *reading, kin__pack_rename *rename)
{
    rename->of = (kin__pack_named)next_index(reading, KIN__PACK_NAMED_COUNT, "kinds of names");
    bool has_path = rename->of == KIN__PACK_NAMED_PART || rename->of == KIN__PACK_NAMED_INSTANCE;
    if (rename->of <= KIN__PACK_NAMED_PART)
        rename->owner = next_index(reading, reading->pack->prefab_count, "prefabs");
    else
        rename->owner = next_index(reading, reading->pack->level_count, "levels");
    rename->path = next_name(reading, !has_path);
    rename->name = next_name(reading, false);
    if (has_failed(reading) || has_path)
        return;
    if (rename->path[0] != '\0')
        wrong(reading, 1307, "a prefab or a level has the name of a part");
}

// The block is missing in packs in which nothing was renamed.
static bool read_renames(reading *reading)
{
    kin__pack *pack = reading->pack;
    bool has_more = reading->size - reading->offset >= KIN__PACK_BLOCK_HEAD;
    if (!has_more || memcmp(reading->file + reading->offset, "NAME", 4) != 0)
        return true;
    if (!begin_block(reading, "NAME"))
        return false;
    kin__pack_rename *renames = next_list(reading, &pack->rename_count, sizeof *renames);
    pack->renames = renames;
    for (uint32_t i = 0; i < pack->rename_count && !has_failed(reading); i++) {
        read_rename(reading, &renames[i]);
        if (has_failed(reading) || i == 0)
            continue;
        if (compare_renames(&renames[i - 1], &renames[i]) >= 0)
            wrong(reading, 1308, "a name is there twice, or out of order");
    }
    if (pack->rename_count == 0 && !has_failed(reading))
        wrong(reading, 1307, "it has no names");
    return end_block(reading);
}

const char *kin__pack_name_now(const kin__pack *pack, kin__pack_named of, uint32_t owner, const char *path,
                               const char *name)
{
    const kin__pack_rename wanted = {of, owner, path, NULL};
    uint32_t low = 0;
    uint32_t high = pack->rename_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = compare_renames(&pack->renames[middle], &wanted);
        if (order == 0)
            return pack->renames[middle].name;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return name;
}

static bool read_done(reading *reading)
{
    if (!begin_block(reading, "DONE") || !end_block(reading))
        return false;
    if (reading->offset != reading->size)
        return note(reading, KIN_ERROR_CORRUPT, 1309, "%zu bytes follow the last block",
                    reading->size - reading->offset);
    reading->pack->content = kin__xxh64_end(&reading->content);
    if (reading->pack->content != reading->expected)
        return wrong(reading, 1303, "the hash in the head is of other content");
    return true;
}

static bool read_blocks(reading *reading)
{
    static bool (*const blocks[])(struct reading *) = {read_head,    read_shape,   read_prefabs, read_levels,
                                                       read_uniques, read_renames, read_done};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (!blocks[i](reading))
            return false;
    return true;
}

bool kin__pack_read(kin__pack *pack, kin__memory *memory, const void *bytes, size_t size, kin__pack_fault *fault)
{
    reading reading = {.pack = pack, .fault = fault, .file = bytes, .size = size, .kind = "????"};
    *pack = (kin__pack){.memory = memory};
    *fault = (kin__pack_fault){.status = KIN_OK};
    reading.content = kin__xxh64_begin(0);
    reading.offset = sizeof kin__pack_magic;
    if (size < sizeof kin__pack_magic || memcmp(bytes, kin__pack_magic, sizeof kin__pack_magic) != 0) {
        *fault = (kin__pack_fault){.status = KIN_ERROR_CORRUPT, .text = "it is not a file of Kin [K1301]"};
        return false;
    }
    bool is_read = read_blocks(&reading);
    KIN_ASSERT(is_read == (fault->status == KIN_OK));
    if (!is_read) {
        kin__pack_release(pack);
        *pack = (kin__pack){.memory = memory};
    }
    return is_read;
}
