// Writes packs.
#include "pack/pack.h"

#include <string.h>

// The payload of one block, and the file so far.
typedef struct writing {
    const kin__pack *pack;
    kin__pack_bytes *file;
    kin__pack_bytes block;
    kin__xxh64 content; // of all payloads after that of HEAD
    uint32_t number;    // of the block
    const char **parts; // of all keys, sorted
    uint32_t part_count;
} writing;

static void number(writing *writing, uint64_t value)
{
    kin__pack_append_number(&writing->block, value);
}

static void text(writing *writing, const char *value)
{
    kin__pack_append_text(&writing->block, value, strlen(value));
}

// An index that may be KIN__PACK_NONE.
static void optional(writing *writing, uint32_t index)
{
    number(writing, (uint32_t)(index + 1)); // KIN__PACK_NONE becomes 0
}

static void put(writing *writing, const char *kind)
{
    kin__pack_bytes *block = &writing->block;
    unsigned char head[KIN__PACK_BLOCK_HEAD];
    uint32_t size = (uint32_t)block->size;
    if (block->size > KIN__PACK_BLOCK_LIMIT)
        block->is_short = true;
    memcpy(head, kind, 4);
    kin__little_write_32(head + 4, size);
    kin__little_write_64(head + 8, kin__pack_block_sum(kind, size, writing->number++, block->at));
    kin__pack_append(writing->file, head, sizeof head);
    kin__pack_append(writing->file, block->at, block->size);
    writing->file->is_short = writing->file->is_short || block->is_short;
    block->size = 0;
}

// ---- SHAP

static void write_leaf(writing *writing, const kin__pack_leaf *leaf)
{
    KIN_ASSERT(leaf->type < KIN_TYPE_STRUCT && leaf->elements > 0);
    text(writing, leaf->path);
    kin__pack_append_little(&writing->block, (uint64_t)leaf->type | (leaf->is_list ? KIN__PACK_IS_LIST : 0), 1);
    number(writing, leaf->elements);
    number(writing, leaf->name_count);
    for (uint32_t i = 0; i < leaf->name_count; i++)
        text(writing, leaf->names[i]);
}

static void write_shape(writing *writing)
{
    const kin__pack *pack = writing->pack;
    number(writing, pack->context_count);
    for (uint32_t i = 0; i < pack->context_count; i++) {
        const kin__pack_context *context = &pack->contexts[i];
        text(writing, context->name);
        number(writing, context->component_count);
        for (uint32_t j = 0; j < context->component_count; j++) {
            const kin__pack_component *component = &context->components[j];
            KIN_ASSERT(j == 0 || strcmp(component[-1].name, component->name) < 0); // 3
            text(writing, component->name);
            number(writing, component->leaf_count);
            for (uint32_t k = 0; k < component->leaf_count; k++)
                write_leaf(writing, &component->leaves[k]);
        }
    }
}

// ---- PREF

// Returns the index of a part in the list of all; the place for it if the list lacks it.
static uint32_t find_part(const writing *writing, const char *part)
{
    uint32_t low = 0;
    uint32_t high = writing->part_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(writing->parts[middle], part) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void note_part(writing *writing, const char *part)
{
    uint32_t at = find_part(writing, part);
    if (at < writing->part_count && strcmp(writing->parts[at], part) == 0)
        return;
    memmove(writing->parts + at + 1, writing->parts + at, (writing->part_count - at) * sizeof *writing->parts);
    writing->parts[at] = part;
    writing->part_count++;
}

static void write_keys(writing *writing)
{
    const kin__pack *pack = writing->pack;
    number(writing, writing->part_count);
    for (uint32_t i = 0; i < writing->part_count; i++)
        text(writing, writing->parts[i]);
    number(writing, pack->keys_count);
    for (uint32_t i = 0; i < pack->keys_count; i++) {
        const kin__pack_keys *keys = &pack->keys[i];
        number(writing, keys->context);
        number(writing, keys->count);
        for (uint32_t j = 0; j < keys->count; j++) {
            const kin__pack_key *key = &keys->keys[j];
            KIN_ASSERT(key->component < pack->contexts[keys->context].component_count); // 1
            KIN_ASSERT(!key->is_append || kin__pack_leaf_of(pack, keys->context, key)->is_list);
            number(writing, find_part(writing, key->part));
            number(writing, key->component);
            number(writing, (uint64_t)key->leaf << 1 | key->is_append);
        }
    }
}

static void write_values(writing *writing, const kin__pack_writes *writes)
{
    optional(writing, writes->keys);
    kin__pack_append(&writing->block, writes->values, writes->size);
}

static void write_components_at(writing *writing, const kin__pack_component_at *list, uint32_t count)
{
    number(writing, count);
    for (uint32_t i = 0; i < count; i++) {
        text(writing, list[i].part);
        number(writing, list[i].component);
    }
}

static void write_knobs(writing *writing, const kin__pack_prefab *prefab)
{
    number(writing, prefab->knob_count);
    for (uint32_t i = 0; i < prefab->knob_count; i++) {
        const kin__pack_knob *knob = &prefab->knobs[i];
        KIN_ASSERT(i == 0 || strcmp(knob[-1].name, knob->name) < 0); // 3
        text(writing, knob->name);
        number(writing, knob->target_count);
        for (uint32_t j = 0; j < knob->target_count; j++) {
            text(writing, knob->targets[j].part);
            number(writing, knob->targets[j].component);
            text(writing, knob->targets[j].field);
        }
    }
}

static void write_prefab(writing *writing, uint32_t index)
{
    const kin__pack_prefab *prefab = &writing->pack->prefabs[index];
    KIN_ASSERT(prefab->base == KIN__PACK_NONE || prefab->base < index); // 2
    text(writing, prefab->name);
    text(writing, prefab->doc);
    number(writing, prefab->context);
    number(writing, prefab->kind);
    optional(writing, prefab->base);
    number(writing, prefab->part_count);
    for (uint32_t i = 0; i < prefab->part_count; i++) {
        KIN_ASSERT(prefab->parts[i].of == KIN__PACK_NONE || prefab->parts[i].of < index); // 2
        text(writing, prefab->parts[i].path);
        optional(writing, prefab->parts[i].of);
    }
    write_components_at(writing, prefab->added, prefab->added_count);
    number(writing, prefab->gone_part_count);
    for (uint32_t i = 0; i < prefab->gone_part_count; i++)
        text(writing, prefab->gone_parts[i]);
    write_components_at(writing, prefab->gone, prefab->gone_count);
    write_knobs(writing, prefab);
    write_values(writing, &prefab->writes);
}

static void write_prefabs(writing *writing)
{
    write_keys(writing);
    number(writing, writing->pack->prefab_count);
    for (uint32_t i = 0; i < writing->pack->prefab_count; i++)
        write_prefab(writing, i);
}

// ---- LEVL and VALS

static void write_run(writing *writing, const kin__pack_run *run)
{
    KIN_ASSERT(run->prefab != KIN__PACK_NONE || run->level < writing->pack->level_count);
    optional(writing, run->prefab);
    number(writing, run->level);
    optional(writing, run->keys);
    number(writing, run->is_named ? KIN__PACK_IS_NAMED : 0);
    number(writing, run->count);
    for (uint32_t i = 0; i < run->count; i++) {
        const kin__pack_instance *instance = &run->instances[i];
        if (run->is_named)
            text(writing, instance->name);
        kin__pack_append(&writing->block, instance->values, instance->size);
        if (!run->is_named && run->keys == KIN__PACK_NONE)
            number(writing, 0); // so that each instance has a byte, which bounds what a count can claim
    }
}

static void write_levels(writing *writing)
{
    number(writing, writing->pack->level_count);
    for (uint32_t i = 0; i < writing->pack->level_count; i++) {
        const kin__pack_level *level = &writing->pack->levels[i];
        text(writing, level->name);
        number(writing, level->context);
        number(writing, level->run_count);
        for (uint32_t j = 0; j < level->run_count; j++)
            write_run(writing, &level->runs[j]);
    }
}

static void write_uniques(writing *writing)
{
    number(writing, writing->pack->unique_count);
    for (uint32_t i = 0; i < writing->pack->unique_count; i++) {
        const kin__pack_unique *unique = &writing->pack->uniques[i];
        number(writing, unique->context);
        number(writing, unique->component);
        write_values(writing, &unique->writes);
    }
}

static void write_renames(writing *writing)
{
    number(writing, writing->pack->rename_count);
    for (uint32_t i = 0; i < writing->pack->rename_count; i++) {
        const kin__pack_rename *rename = &writing->pack->renames[i];
        kin__pack_append_little(&writing->block, rename->of, 1);
        number(writing, rename->owner);
        text(writing, rename->path);
        text(writing, rename->name);
    }
}

// ---- all

static bool list_parts(writing *writing, size_t *size)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < writing->pack->keys_count; i++)
        count += writing->pack->keys[i].count;
    *size = (size_t)(count + 1) * sizeof *writing->parts;
    writing->parts = kin__allocate(writing->file->memory, *size);
    if (writing->parts == NULL)
        return false;
    for (uint32_t i = 0; i < writing->pack->keys_count; i++)
        for (uint32_t j = 0; j < writing->pack->keys[i].count; j++)
            note_part(writing, writing->pack->keys[i].keys[j].part);
    return true;
}

// The hash is that of the payloads, but HEAD precedes them: its place is filled at the end.
static void write_head(writing *writing, uint64_t content)
{
    kin__pack_append_little(&writing->block, KIN__PACK_FORMAT, 2);
    kin__pack_append_little(&writing->block, KIN__PACK_WHAT, 2);
    kin__pack_append_little(&writing->block, writing->pack->version, 4);
    kin__pack_append_little(&writing->block, content, 8);
    text(writing, writing->pack->package);
    text(writing, "kin " KIN_VERSION);
    put(writing, "HEAD");
}

static void write_blocks(writing *writing)
{
    static const char kinds[][5] = {"SHAP", "PREF", "LEVL", "VALS", "NAME", "DONE"};
    static void (*const payloads[])(struct writing *) = {write_shape,   write_prefabs, write_levels,
                                                         write_uniques, write_renames, NULL};
    for (size_t i = 0; i < sizeof payloads / sizeof *payloads; i++) {
        if (payloads[i] == write_renames && writing->pack->rename_count == 0)
            continue;
        if (payloads[i] != NULL)
            payloads[i](writing);
        if (writing->block.size > 0)
            kin__xxh64_add(&writing->content, writing->block.at, writing->block.size);
        put(writing, kinds[i]);
    }
}

bool kin__pack_write(kin__pack *pack, kin__pack_bytes *bytes)
{
    writing writing = {.pack = pack, .file = bytes, .block = {.memory = bytes->memory}};
    size_t list_size = 0;
    writing.content = kin__xxh64_begin(0);
    if (!list_parts(&writing, &list_size)) {
        bytes->is_short = true;
        return false;
    }
    kin__pack_append(bytes, kin__pack_magic, sizeof kin__pack_magic);
    size_t begin = bytes->size;
    write_head(&writing, 0);
    size_t after = bytes->size;
    write_blocks(&writing);
    pack->content = kin__xxh64_end(&writing.content);
    if (!bytes->is_short) { // HEAD has one size, whatever the hash is
        size_t end = bytes->size;
        bytes->size = begin;
        writing.number = 0;
        write_head(&writing, pack->content);
        KIN_ASSERT(bytes->size == after);
        bytes->size = end;
    }
    (void)after;
    kin__release(bytes->memory, writing.parts, list_size);
    kin__pack_bytes_release(&writing.block);
    return !bytes->is_short;
}
