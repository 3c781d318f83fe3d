#include "write/systems.h"

#include "base/xxh64.h"
#include "file/file.h"
#include "write/check.h"

#include <stdlib.h>
#include <string.h>

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
    size_t capacity = path->capacity == 0 ? 256 : path->capacity;
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

// Makes it the path of a node.
static bool follow(path *path, const kin_snapshot *snapshot, const kin__saved_node *saved, kin__fault *fault)
{
    uint32_t depth = saved->depth < KIN__PATH_DEPTH ? saved->depth : KIN__PATH_DEPTH - 1;
    const char *name = kin__node_identity(snapshot->world_info, saved);
    size_t begin = path->ends[depth], length = strlen(name);
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
    while (fault->status == KIN_OK && state.size < snapshot->systems_size &&
           follow(&path, snapshot, (const void *)(state.bytes + state.size), fault))
        write_node(to, snapshot, &path, &state);
    free(path.letters);
}
