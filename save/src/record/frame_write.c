#include "record/frame_write.h"

#include "base/little.h"
#include "base/xxh64.h"
#include "compare/hash.h"
#include "delta/delta.h"
#include "delta/part_hash.h"
#include "delta/systems_hash.h"
#include "encode/kept.h"
#include "file/file.h"
#include "writing/writing.h"

#include <stdlib.h>
#include <string.h>

static bool is_faulty(const kin__block_writer *writer)
{
    return writer->output->fault->status != KIN_OK;
}

static bool note_no_memory(kin__fault *fault, const char *what)
{
    return kin__fault_note(fault, KIN_ERROR_NO_MEMORY, "no memory for %s; free some and begin again", what);
}

// ---- hashes

static uint16_t write_hash(kin__block_writer *writer, uint32_t context, uint32_t component, uint64_t hash)
{
    kin__write_32(writer, context);
    kin__write_32(writer, component);
    kin__write_64(writer, hash);
    return 1;
}

// Marks the component of a block that the update has changed.
static bool mark(const kin__block *block, bool is_gone, void *user)
{
    bool is_of_slots = block->kind == KIN__BLOCK_CONTEXT || block->kind == KIN__BLOCK_SLOTS;
    (void)is_gone;
    kin__bits_add(user, is_of_slots ? block->shape->count : block->component);
    return true;
}

// Appends the hashes of a context's components that the update has changed, and returns how many.
static uint16_t write_context(kin__block_writer *writer, const kin__recorded_frame *frame, const kin__shape *shape,
                              uint32_t context)
{
    kin__moments moments = {kin__snapshot_part(frame->begun, shape->info),
                            kin__snapshot_part(frame->after, shape->info), shape, context};
    uint64_t changed[KIN__COMPONENT_WORDS + 1]; // as many words as there are components, and slots, are used
    uint16_t count = 0;
    memset(changed, 0, (shape->count / 64 + 1) * sizeof *changed);
    kin__delta_visit(&moments, mark, changed);
    for (uint32_t i = 0; i <= shape->count; i++)
        if (kin__bits_have(changed, i))
            count += write_hash(writer, context, i, kin__part_hash(moments.after, shape, i));
    return count;
}

// The clocks of the systems change in each update, so that the hash of the systems always follows.
static void write_hashes(kin__block_writer *writer, const kin__recorded_frame *frame, const kin__written_parts *parts,
                         uint64_t systems)
{
    size_t at = writer->size;
    uint16_t count = 0;
    kin__write_16(writer, 0);
    for (uint32_t i = 0; i < parts->count; i++)
        count += write_context(writer, frame, parts->parts[i].shape, i);
    count += write_hash(writer, KIN__HASH_SYSTEMS, KIN__HASH_SYSTEMS, systems);
    if (!is_faulty(writer))
        kin__little_write_16(writer->bytes + KIN__BLOCK_HEAD + at, count);
}

// ---- frames

static void write_double(kin__block_writer *writer, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    kin__write_64(writer, bits);
}

void kin__frame_write(kin__block_writer *writer, const kin__recorded_frame *frame, const kin__written_parts *parts)
{
    kin__frame_moments outside = {frame->ended, frame->begun, parts};
    kin__frame_moments update = {frame->begun, frame->after, parts};
    uint64_t hash = 0;
    uint64_t systems = 0;
    if (!kin__snapshot_hash(frame->after, &hash, &systems))
        note_no_memory(writer->output->fault, "the hash of a state");
    kin__write_64(writer, frame->number);
    write_double(writer, frame->delta);
    kin__write_64(writer, hash);
    write_hashes(writer, frame, parts, systems);
    kin__frame_parts_write(writer, &outside);
    if (frame->has_states)
        kin__frame_parts_write(writer, &update);
    else
        kin__write_32(writer, 0);
    kin__block_writer_put(writer, "FRAM");
}

// ---- keys

// Blocks that wait for their sum of sizes.
typedef struct collected {
    unsigned char *bytes;
    size_t size, capacity;
    kin__fault *fault;
} collected;

static bool collect(const void *bytes, size_t size, void *user)
{
    collected *collected = user;
    if (collected->size + size > collected->capacity) {
        size_t capacity = (collected->size + size) * 2;
        unsigned char *larger = realloc(collected->bytes, capacity);
        if (larger == NULL)
            return note_no_memory(collected->fault, "a whole state");
        collected->bytes = larger;
        collected->capacity = capacity;
    }
    memcpy(collected->bytes + collected->size, bytes, size);
    collected->size += size;
    return true;
}

static void set_moment(kin__written_parts *parts, const kin_snapshot *snapshot)
{
    for (uint32_t i = 0; i < parts->count; i++)
        parts->parts[i].part = kin__snapshot_part(snapshot, parts->parts[i].shape->info);
}

void kin__key_write(kin__block_writer *writer, const kin_snapshot *snapshot, kin__written_parts *parts)
{
    kin__output *output = writer->output;
    collected collected = {.fault = output->fault};
    kin__output memory = {.sink = {collect, &collected}, .fault = output->fault};
    uint32_t number = writer->number++;
    set_moment(parts, snapshot);
    writer->output = &memory;
    kin__moment_write(writer, snapshot, parts);
    uint32_t next = writer->number;
    writer->output = output;
    writer->number = number;
    kin__write_64(writer, collected.size);
    kin__block_writer_put(writer, "KEYF");
    writer->number = next;
    kin__output_write(output, collected.bytes, collected.size);
    free(collected.bytes);
}

void kin__recording_begin(kin__block_writer *writer, const kin_snapshot *snapshot, kin__written_parts *parts,
                          uint64_t frame)
{
    const kin_package_info *package = parts->parts[0].part->info->package;
    kin__head head = {.version = package->version, .package = package->name, .frame = frame, .is_recording = true};
    kin__head_write(writer, &head, NULL);
    kin__schema_write(writer, parts);
    kin__moment_write(writer, snapshot, parts);
}
