#include "writing/writing.h"

#include "file/file.h"
#include "snapshot/snapshot.h"

#include <stdlib.h>
#include <string.h>

// ---- parts

// Insertion sort: files have few contexts.
static bool insert(kin__written_parts *parts, const kin__context_snapshot *part)
{
    const char *identity = kin__context_identity(part->info);
    kin__shape *shape = kin__shape_make(&parts->memory, part->info);
    uint32_t to = parts->count;
    if (shape == NULL)
        return kin__fault_note(parts->fault, KIN_ERROR_NO_MEMORY, "no memory for its shape; free some and try again");
    for (; to > 0 && strcmp(kin__context_identity(parts->parts[to - 1].part->info), identity) > 0; to--)
        parts->parts[to] = parts->parts[to - 1];
    parts->parts[to] = (kin__written_part){part, shape};
    parts->count++;
    KIN_ASSERT(to == 0 || strcmp(kin__context_identity(parts->parts[to - 1].part->info), identity) < 0);
    return true;
}

static bool make_messages(kin__written_parts *parts, const kin_snapshot *snapshot)
{
    if (snapshot->systems_size == 0)
        return true;
    for (uint32_t i = 0; i < snapshot->part_count; i++)
        if (snapshot->parts[i] == NULL)
            return kin__fault_note(parts->fault, KIN_ERROR_INVALID,
                                   "a context of its world has ended; write it while all exist");
    parts->world = snapshot->world_info;
    return kin__message_leaves_make(&parts->messages, parts->world, (kin_allocator){NULL, NULL, NULL}) ||
           kin__fault_note(parts->fault, KIN_ERROR_NO_MEMORY, "no memory for its messages; free some and try again");
}

bool kin__written_parts_make(kin__written_parts *parts, const kin_snapshot *snapshot, kin__fault *fault)
{
    *parts = (kin__written_parts){.memory = kin__memory_of((kin_allocator){NULL, NULL, NULL}), .fault = fault};
    parts->parts = malloc((snapshot->part_count + 1) * sizeof *parts->parts);
    if (parts->parts == NULL)
        return kin__fault_note(fault, KIN_ERROR_NO_MEMORY, "no memory for its contexts; free some and try again");
    for (uint32_t i = 0; i < snapshot->part_count; i++) {
        const kin__context_snapshot *part = snapshot->parts[i];
        bool is_saved = part != NULL && !part->info->is_unsaved;
        if (is_saved && !insert(parts, part))
            return false;
    }
    if (parts->count == 0)
        return kin__fault_note(fault, KIN_ERROR_INVALID,
                               "it is empty, as its contexts have ended; write it while they exist");
    return make_messages(parts, snapshot);
}

void kin__written_parts_release(kin__written_parts *parts)
{
    for (uint32_t i = 0; i < parts->count; i++)
        kin__shape_release(&parts->memory, parts->parts[i].shape);
    free(parts->parts);
    kin__message_leaves_release(&parts->messages);
}

// ---- the file

// The hash in DONE equals kin_snapshot_hash, which cannot be called, as it writes to the snapshot. The hash begins with
// slots and columns, which are hashed while they are written; the pairs of all other blocks are collected and hashed at
// the end.

enum { PAIR = 16, NUMBER = 4 };

// A growing array of pairs of hashes.
typedef struct pairs {
    unsigned char *bytes;
    size_t size, capacity;
} pairs;

typedef struct writing {
    kin__block_writer writer;
    kin__written_parts parts;
    kin__encoder encoder;
    kin__xxh64 hash; // of slots and columns, and at the end of `later`
    pairs later;     // of the other blocks
} writing;

static bool is_faulty(const writing *writing)
{
    return writing->parts.fault->status != KIN_OK;
}

// ---- the hash

static void add_later(writing *writing, const unsigned char pair[PAIR])
{
    pairs *later = &writing->later;
    KIN_ASSERT(later->size % PAIR == 0);
    if (later->size + PAIR > later->capacity) {
        size_t capacity = kin__max_size(2 * later->capacity, 64 * PAIR);
        unsigned char *bytes = realloc(later->bytes, capacity);
        if (bytes == NULL) {
            kin__fault_note(writing->parts.fault, KIN_ERROR_NO_MEMORY,
                            "no memory for its hash; free some and try again");
            return;
        }
        later->bytes = bytes;
        later->capacity = capacity;
    }
    memcpy(later->bytes + later->size, pair, PAIR);
    later->size += PAIR;
}

// The payload is the numbers of the block and its content; only the content is hashed, and for some kinds the chunk.
static uint64_t hash_content(const writing *writing, const kin__block *block, size_t numbers)
{
    const unsigned char *payload = writing->writer.bytes + KIN__BLOCK_HEAD;
    kin__xxh64 hash = kin__xxh64_begin(0);
    KIN_ASSERT(numbers >= NUMBER && numbers <= writing->writer.size);
    if (kin__block_kinds[block->kind].hashes_chunk)
        kin__xxh64_add(&hash, payload + NUMBER, NUMBER);
    kin__xxh64_add(&hash, payload + numbers, writing->writer.size - numbers);
    return kin__xxh64_end(&hash);
}

static void add_to_hash(writing *writing, const kin__block *block, size_t numbers)
{
    const kin__block_traits *kind = &kin__block_kinds[block->kind];
    unsigned char pair[PAIR];
    uint64_t shape = block->shape->hash;
    if (kind->is_of_component)
        shape = block->shape->components[block->component].hash;
    kin__little_write_64(pair, shape);
    kin__little_write_64(pair + 8, hash_content(writing, block, numbers));
    if (kind->is_hashed_first)
        kin__xxh64_add(&writing->hash, pair, sizeof pair);
    else
        add_later(writing, pair);
}

// ---- blocks

static bool append(const void *bytes, size_t size, void *user)
{
    writing *writing = user;
    kin__write_bytes(&writing->writer, bytes, size);
    return !is_faulty(writing);
}

static bool write_block(const kin__block *block, void *user)
{
    writing *writing = user;
    KIN_ASSERT(writing->writer.size == 0);
    kin__block_encode_numbers(&writing->encoder, block);
    kin__encoder_flush(&writing->encoder);
    size_t numbers = writing->writer.size;
    kin__block_encode_content(&writing->encoder, block);
    kin__encoder_flush(&writing->encoder);
    if (is_faulty(writing) || !kin__block_check(&writing->writer, block, numbers))
        return false;
    add_to_hash(writing, block, numbers);
    kin__block_writer_put(&writing->writer, kin__block_kinds[block->kind].letters);
    return !is_faulty(writing);
}

static void write_contexts(writing *writing)
{
    for (uint32_t i = 0; i < writing->parts.count && !is_faulty(writing); i++) {
        const kin__written_part *part = &writing->parts.parts[i];
        kin__blocks blocks = {part->part, part->shape, i};
        kin__encoder_begin(&writing->encoder, append, writing);
        if (kin__written_keys_check(part->part, writing->parts.fault) &&
            kin__blocks_visit(&blocks, write_block, writing))
            kin__links_write(&writing->writer, part, i);
    }
}

static void add_system(uint64_t path, uint64_t bytes, void *user)
{
    unsigned char pair[PAIR];
    kin__little_write_64(pair, path);
    kin__little_write_64(pair + 8, bytes);
    add_later(user, pair);
}

static void write_systems(writing *writing, const kin_snapshot *snapshot)
{
    kin__systems_writer to = {&writing->writer, &writing->parts, &writing->encoder, add_system, writing};
    kin__encoder_begin(&writing->encoder, append, writing);
    if (!is_faulty(writing))
        kin__systems_write(&to, snapshot);
}

static void write_done(writing *writing)
{
    kin__xxh64_add(&writing->hash, writing->later.bytes, writing->later.size);
    kin__write_32(&writing->writer, writing->writer.number);
    kin__write_64(&writing->writer, kin__xxh64_end(&writing->hash));
    kin__block_writer_put(&writing->writer, "DONE");
}

void kin__moment_write(kin__block_writer *writer, const kin_snapshot *snapshot, const kin__written_parts *parts)
{
    KIN_ASSERT(writer->size == 0 || parts->fault->status != KIN_OK);
    writing writing = {.writer = *writer, .parts = *parts, .hash = kin__xxh64_begin(0)};
    write_contexts(&writing);
    write_systems(&writing, snapshot);
    write_done(&writing);
    free(writing.later.bytes);
    *writer = writing.writer;
}

static uint64_t frame_of(const kin_snapshot *snapshot)
{
    const kin__saved_world *saved = snapshot->systems;
    if (snapshot->systems_size == 0)
        return 0;
    return saved->clock.frame;
}

static void write_all(writing *writing, const kin_snapshot *snapshot, const kin_write_options *options)
{
    const kin_package_info *package = writing->parts.parts[0].part->info->package;
    kin__head head = {.version = package->version, .package = package->name, .frame = frame_of(snapshot)};
    kin__head_write(&writing->writer, &head, options);
    kin__schema_write(&writing->writer, &writing->parts);
    write_contexts(writing);
    write_systems(writing, snapshot);
    write_done(writing);
}

static void write_to(const kin_snapshot *snapshot, kin_sink sink, const kin_write_options *options, kin__fault *fault)
{
    kin__output output;
    writing writing = {.hash = kin__xxh64_begin(0)};
    int level = 0;
    if (options != NULL)
        level = options->level;
    if (kin__written_parts_make(&writing.parts, snapshot, fault)) {
        if (kin__output_begin(&output, sink, level, fault)) {
            kin__block_writer_begin(&writing.writer, &output);
            write_all(&writing, snapshot, options);
            kin__block_writer_end(&writing.writer);
        }
        kin__output_end(&output);
    }
    free(writing.later.bytes);
    kin__written_parts_release(&writing.parts);
}

// ---- calls

// Another thread may use the context, so only its error handler may write to it.
static kin_status report(const kin_snapshot *snapshot, const kin__fault *fault)
{
    const kin_context_options *options = NULL;
    kin__attempt attempt = {.verb = "write the snapshot", .reason = fault->text};
    if (fault->status == KIN_OK)
        return KIN_OK;
    for (uint32_t i = 0; snapshot != NULL && i < snapshot->part_count; i++)
        if (options == NULL && snapshot->parts[i] != NULL)
            options = &snapshot->parts[i]->context->core->options;
    return kin__report_error_to(options, fault->status, &attempt, 0);
}

static bool are_valid(const kin_snapshot *snapshot, bool has_end, const kin_write_options *options, kin__fault *fault)
{
    if (snapshot == NULL || !has_end)
        return kin__fault_note(fault, KIN_ERROR_INVALID, "an argument is NULL; pass a snapshot, and a sink or a path");
    if (options == NULL || options->meta_size == 0)
        return true;
    if (options->meta_size > KIN_META_SIZE || options->meta == NULL)
        return kin__fault_note(fault, KIN_ERROR_INVALID,
                               "its meta is NULL, or has more than 65536 bytes; pass fewer bytes, or none");
    return true;
}

kin_status kin_snapshot_write(const kin_snapshot *snapshot, kin_sink sink, const kin_write_options *options)
{
    kin__fault fault = {KIN_OK, ""};
    if (are_valid(snapshot, sink.write != NULL, options, &fault))
        write_to(snapshot, sink, options, &fault);
    return report(snapshot, &fault);
}

kin_status kin_snapshot_write_path(const kin_snapshot *snapshot, const char *path, const kin_write_options *options)
{
    kin__fault fault = {KIN_OK, ""};
    kin__file file;
    if (are_valid(snapshot, path != NULL, options, &fault)) {
        if (kin__file_begin(&file, path, &fault))
            write_to(snapshot, kin__file_sink(&file), options, &fault);
        kin__file_end(&file);
    }
    return report(snapshot, &fault);
}
