
#include "file/file.h"
#include "lookup/lookup.h"
#include "writing/writing.h"

#include <stdlib.h>
#include <string.h>

// ---- LINK

static const kin__relation_block *block_of(const kin__link_block *links, uint32_t chunk)
{
    const kin__image *image = kin__part_image(links->part, chunk, links->image);
    if (image == NULL)
        return NULL;
    return kin__image_links(image);
}

static void write_target(kin__block_writer *writer, const kin__link_block *links, uint32_t slot, uint32_t count)
{
    const kin__relation_block *block = block_of(links, slot / KIN__CHUNK_SLOTS);
    KIN_ASSERT(block != NULL && count == block->counts[slot % KIN__CHUNK_SLOTS]);
    uint32_t node = block->nodes[KIN__CHUNK_SLOTS + slot % KIN__CHUNK_SLOTS].next;
    kin__write_32(writer, slot);
    kin__write_32(writer, count);
    for (uint32_t i = 0; i < count && kin__is_holder_node(node); i++) {
        uint32_t holder = kin__relation_slot_of(node);
        kin__write_32(writer, holder);
        node = block_of(links, holder / KIN__CHUNK_SLOTS)->nodes[holder % KIN__CHUNK_SLOTS].next;
    }
}

static uint32_t count_targets(const kin__link_block *links)
{
    const kin__relation_block *block = block_of(links, links->chunk);
    uint32_t targets = 0;
    for (uint32_t place = 0; block != NULL && place < KIN__CHUNK_SLOTS; place++)
        targets += block->counts[place] > 1;
    return targets;
}

void kin__link_block_write(kin__block_writer *writer, const kin__link_block *links)
{
    const kin__relation_block *block = block_of(links, links->chunk);
    uint32_t targets = count_targets(links);
    kin__write_32(writer, links->context);
    kin__write_32(writer, links->chunk);
    kin__write_32(writer, links->component);
    kin__write_16(writer, (uint16_t)links->leaf);
    kin__write_32(writer, targets);
    for (uint32_t place = 0; targets > 0 && place < KIN__CHUNK_SLOTS; place++)
        if (block->counts[place] > 1)
            write_target(writer, links, links->chunk * KIN__CHUNK_SLOTS + place, block->counts[place]);
}

// Returns the number of the relation of a field; the count of relations if it has none.
static uint32_t relation_of(const kin_context_info *info, const kin_field_info *field)
{
    uint32_t number = 0;
    while (number < info->relation_count && info->relations[number].field != field)
        number++;
    return number;
}

bool kin__link_block_next(kin__link_block *links, const kin__shape *shape)
{
    for (; links->component < shape->count; links->component++, links->next_leaf = 0) {
        const kin__leaves *leaves = &shape->components[links->component].leaves;
        while (links->next_leaf < leaves->count) {
            links->leaf = links->next_leaf++;
            uint32_t number = relation_of(shape->info, leaves->leaves[links->leaf].field);
            links->image = kin__links_number(shape->info, number);
            if (number < shape->info->relation_count)
                return true;
        }
    }
    return false;
}

void kin__links_write(kin__block_writer *writer, const kin__written_part *part, uint32_t context)
{
    kin__link_block links = {.part = part->part, .context = context};
    while (kin__link_block_next(&links, part->shape))
        for (links.chunk = 0; links.chunk < part->part->chunk_count; links.chunk++) {
            if (count_targets(&links) == 0)
                continue;
            kin__link_block_write(writer, &links);
            kin__block_writer_put(writer, "LINK");
        }
}

// ---- SYST

// The path of a node: the names around it, which nodes after it continue.
typedef struct path {
    char *letters; // malloc's
    size_t capacity, size;
    size_t ends[KIN__PATH_DEPTH + 1]; // by depth: of the part that is the path of the nodes around it
} path;

static uint64_t hash_of(const void *bytes, size_t size)
{
    kin__xxh64 hash = kin__xxh64_begin(0);
    kin__xxh64_add(&hash, bytes, size);
    return kin__xxh64_end(&hash);
}

static bool reserve(path *path, size_t size, kin__fault *fault)
{
    size_t capacity = kin__max_size(path->capacity, 256);
    if (size > UINT16_MAX)
        return kin__fault_note(fault, KIN_ERROR_LIMIT,
                               "the names of its systems are too long; a path has up to 65535 bytes");
    while (capacity < size)
        capacity *= 2;
    if (capacity == path->capacity)
        return true;
    char *letters = realloc(path->letters, capacity);
    if (letters == NULL)
        return kin__fault_note(fault, KIN_ERROR_NO_MEMORY, "no memory for its systems; free some and try again");
    path->letters = letters;
    path->capacity = capacity;
    return true;
}

// Changes the path to that of a node.
static bool follow(path *path, const kin_snapshot *snapshot, const kin__saved_node *saved, kin__fault *fault)
{
    uint32_t depth = kin__min_32(saved->depth, KIN__PATH_DEPTH - 1);
    KIN_ASSERT(path->ends[0] == 0);
    const char *name = kin__node_identity(snapshot->world_info, saved);
    size_t begin = path->ends[depth];
    size_t length = strlen(name);
    if (!reserve(path, begin + 1 + length, fault))
        return false;
    if (depth > 0)
        path->letters[begin++] = '/';
    memcpy(path->letters + begin, name, length);
    path->size = path->ends[depth + 1] = begin + length;
    return true;
}

// Writes the node at the state, and moves past it.
static void write_node(const kin__systems_writer *to, const kin_snapshot *snapshot, const path *path, kin__state *state)
{
    kin__block_writer *writer = to->writer;
    KIN_ASSERT(path->size <= UINT16_MAX && writer->size == 0);
    kin__write_16(writer, (uint16_t)path->size);
    kin__write_bytes(writer, path->letters, path->size);
    size_t begin = writer->size;
    kin__node_encode(to->encoder, snapshot, state, &to->parts->messages);
    kin__encoder_flush(to->encoder);
    if (to->parts->fault->status != KIN_OK || !kin__system_check(writer, to->parts, 0))
        return;
    to->add_pair(hash_of(path->letters, path->size),
                 hash_of(writer->bytes + KIN__BLOCK_HEAD + begin, writer->size - begin), to->user);
    kin__block_writer_put(writer, "SYST");
}

void kin__systems_write(const kin__systems_writer *to, const kin_snapshot *snapshot)
{
    path path = {0};
    kin__fault *fault = to->parts->fault;
    kin__state state = {.bytes = snapshot->systems};
    if (snapshot->systems_size > 0)
        write_node(to, snapshot, &path, &state);
    while (fault->status == KIN_OK && state.size < snapshot->systems_size) {
        if (follow(&path, snapshot, (const void *)(state.bytes + state.size), fault))
            write_node(to, snapshot, &path, &state);
    }
    KIN_ASSERT(fault->status != KIN_OK || state.size == snapshot->systems_size);
    free(path.letters);
}
