#include "recording/recording.h"

#include "file/file.h"
#include "world/world.h"
#include "writing/writing.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CHANGED = 16 }; // nodes whose names are remembered

static bool is_faulty(const kin__block_writer *writer)
{
    return writer->output->fault->status != KIN_OK;
}

// ---- parts

// Two moments of the world that is recorded.
typedef struct frame_moments {
    const kin_snapshot *before, *after;
    const kin__written_parts *parts; // the shapes of its contexts, in the order of their numbers
} frame_moments;

// Parts on their way to the payload of a frame.
typedef struct writing {
    kin__block_writer *writer;
    kin__encoder encoder;
    uint32_t count;
} writing;

// Writes a number over four bytes that were appended at this place of the payload.
static void patch(const kin__block_writer *writer, size_t at, size_t number)
{
    if (!is_faulty(writer))
        kin__little_write_32(writer->bytes + KIN__BLOCK_HEAD + at, (uint32_t)number);
}

// Begins a part; returns where it begins, for end_part.
static size_t begin_part(kin__block_writer *writer, const char *kind)
{
    kin__write_bytes(writer, kind, 4);
    kin__write_32(writer, 0);
    return writer->size;
}

static void end_part(writing *writing, size_t begin)
{
    KIN_ASSERT(begin <= writing->writer->size || is_faulty(writing->writer));
    patch(writing->writer, begin - sizeof(uint32_t), writing->writer->size - begin);
    writing->count++;
}

// ---- blocks of contexts

static bool append(const void *bytes, size_t size, void *user)
{
    writing *writing = user;
    kin__write_bytes(writing->writer, bytes, size);
    return !is_faulty(writing->writer);
}

static bool write_block(const kin__block *block, bool is_gone, void *user)
{
    writing *writing = user;
    KIN_ASSERT(!is_faulty(writing->writer));
    size_t begin = begin_part(writing->writer, kin__block_kinds[block->kind].letters);
    kin__encoder_begin(&writing->encoder, append, writing);
    kin__block_encode_numbers(&writing->encoder, block);
    kin__encoder_flush(&writing->encoder);
    size_t numbers = writing->writer->size;
    if (!is_gone)
        kin__block_encode_content(&writing->encoder, block);
    kin__encoder_flush(&writing->encoder);
    end_part(writing, begin);
    if (is_faulty(writing->writer))
        return false;
    return is_gone || kin__block_check(writing->writer, block, numbers);
}

// ---- links

// Whether the targets of a chunk have their holders in the same order in both moments. What the later one has stands at
// the end of the payload, from `begin` on.
static bool are_links_equal(const writing *writing, size_t begin, const kin__link_block *before)
{
    kin__block_writer *writer = writing->writer;
    size_t end = writer->size;
    kin__link_block_write(writer, before);
    const unsigned char *payload = writer->bytes + KIN__BLOCK_HEAD;
    bool is_as_long = !is_faulty(writer) && writer->size - end == end - begin;
    bool is_equal = is_as_long && memcmp(payload + begin, payload + end, end - begin) == 0;
    writer->size = end;
    return is_equal;
}

static void write_link(writing *writing, const kin__link_block *after, const kin__context_snapshot *before)
{
    size_t begin = begin_part(writing->writer, "LINK");
    kin__link_block former = *after;
    former.part = before;
    kin__link_block_write(writing->writer, after);
    if (are_links_equal(writing, begin, &former)) {
        writing->writer->size = begin - 8;
        return;
    }
    end_part(writing, begin);
}

// A list goes on in other chunks, so that no list has changed only if no image has.
static bool are_shared(const kin__link_block *links, const kin__context_snapshot *before)
{
    const kin__context_snapshot *after = links->part;
    if (before->chunk_count != after->chunk_count)
        return false;
    for (uint32_t chunk = 0; chunk < after->chunk_count; chunk++)
        if (kin__part_image(before, chunk, links->image) != kin__part_image(after, chunk, links->image))
            return false;
    return true;
}

static void write_relation(writing *writing, kin__link_block *links, const kin__context_snapshot *before)
{
    const kin__context_snapshot *after = links->part;
    uint32_t chunk_count = kin__max_32(before->chunk_count, after->chunk_count);
    if (are_shared(links, before))
        return;
    for (links->chunk = 0; links->chunk < chunk_count; links->chunk++)
        write_link(writing, links, before);
}

static void write_links(writing *writing, const kin__moments *moments)
{
    kin__link_block links = {.part = moments->after, .context = moments->context};
    while (kin__link_block_next(&links, moments->shape))
        write_relation(writing, &links, moments->before);
}

// ---- systems

// The nodes of the later moment, and beside them those of the earlier one: they are the same unless systems were added
// or removed; then all that follow these are written.
typedef struct systems {
    writing *writing;
    const frame_moments *moments;
    kin__state before, after;                     // at the nodes
    const char *names[KIN__PATH_DEPTH];           // from the collection at the top down to the node
    uint32_t depth;                               // number of names
    const kin__saved_node *changed[MOST_CHANGED]; // NULL for the root
    uint32_t changed_count;
} systems;

static size_t node_size(const kin_snapshot *snapshot, const kin__state *state)
{
    if (state->size >= snapshot->systems_size)
        return 0;
    if (state->size == 0)
        return sizeof(kin__saved_world);
    const kin__saved_node *saved = (const void *)(state->bytes + state->size);
    return (size_t)saved->size;
}

static void add_name(systems *systems)
{
    const kin__saved_node *saved = (const void *)(systems->after.bytes + systems->after.size);
    uint32_t depth = kin__min_32(saved->depth, KIN__PATH_DEPTH - 1);
    systems->names[depth] = kin__node_identity(systems->moments->after->world_info, saved);
    systems->depth = depth + 1;
}

static void write_path(const systems *systems)
{
    kin__block_writer *writer = systems->writing->writer;
    size_t size = 0;
    if (systems->depth > 0)
        size = systems->depth - 1; // the slashes
    for (uint32_t i = 0; i < systems->depth; i++)
        size += strlen(systems->names[i]);
    if (size > UINT16_MAX)
        kin__fault_note(writer->output->fault, KIN_ERROR_LIMIT,
                        "the names of its systems are too long; a path has up to 65535 bytes");
    kin__write_16(writer, (uint16_t)size);
    for (uint32_t i = 0; i < systems->depth; i++) {
        kin__write_bytes(writer, "/", i > 0);
        kin__write_bytes(writer, systems->names[i], strlen(systems->names[i]));
    }
}

static void write_node(const systems *systems)
{
    writing *writing = systems->writing;
    kin__state state = systems->after;
    size_t begin = begin_part(writing->writer, "SYST");
    write_path(systems);
    kin__encoder_begin(&writing->encoder, append, writing);
    kin__node_encode(&writing->encoder, systems->moments->after, &state, &systems->moments->parts->messages);
    kin__encoder_flush(&writing->encoder);
    end_part(writing, begin);
    if (!is_faulty(writing->writer))
        kin__system_check(writing->writer, systems->moments->parts, begin);
}

static bool differs(const systems *systems)
{
    size_t before = node_size(systems->moments->before, &systems->before);
    size_t after = node_size(systems->moments->after, &systems->after);
    return before != after ||
           memcmp(systems->before.bytes + systems->before.size, systems->after.bytes + systems->after.size, after) != 0;
}

// Nodes of several contexts have the same paths, such as "events". Readers find them by their order, so that all of
// them are written. If many nodes have changed, all are.
static void write_changed(systems *systems)
{
    const kin__saved_node *saved = (const void *)(systems->after.bytes + systems->after.size);
    bool is_written = systems->changed_count > MOST_CHANGED || differs(systems);
    uint32_t count = systems->changed_count;
    if (systems->after.size == 0)
        count = 0; // the root has no name
    for (uint32_t i = 0; i < count && !is_written; i++) {
        const kin__saved_node *changed = systems->changed[i];
        bool is_as_long = changed != NULL && changed->name_size == saved->name_size;
        is_written = is_as_long && memcmp(changed + 1, saved + 1, saved->name_size) == 0;
    }
    if (is_written)
        write_node(systems);
}

typedef void node_visitor(systems *systems);

static void visit(systems *systems, node_visitor *function)
{
    const frame_moments *moments = systems->moments;
    systems->before = (kin__state){.bytes = moments->before->systems};
    systems->after = (kin__state){.bytes = moments->after->systems};
    while (systems->after.size < moments->after->systems_size && !is_faulty(systems->writing->writer)) {
        size_t before = node_size(moments->before, &systems->before);
        size_t after = node_size(moments->after, &systems->after);
        if (systems->after.size > 0)
            add_name(systems);
        function(systems);
        KIN_ASSERT(after > 0);
        systems->before.size += before;
        systems->after.size += after;
    }
}

static void compare_node(systems *systems)
{
    if (differs(systems)) {
        if (systems->changed_count < MOST_CHANGED && systems->after.size > 0)
            systems->changed[systems->changed_count] = (const void *)(systems->after.bytes + systems->after.size);
        systems->changed_count++;
    }
}

static void write_systems(writing *writing, const frame_moments *moments)
{
    systems systems = {.writing = writing, .moments = moments};
    visit(&systems, compare_node);
    systems.depth = 0;
    if (systems.changed_count > 0)
        visit(&systems, write_changed);
}

// ---- all together

// Appends what differs to the payload of the writer. Faults are those of the writer.
static void write_parts(kin__block_writer *writer, const frame_moments *moments)
{
    writing writing; // without its encoder, which is large
    writing.writer = writer;
    writing.count = 0;
    size_t count_at = writer->size;
    kin__write_32(writer, 0);
    for (uint32_t i = 0; i < moments->parts->count && !is_faulty(writer); i++) {
        const kin__shape *shape = moments->parts->parts[i].shape;
        kin__moments of_context = {kin__snapshot_part(moments->before, shape->info),
                                   kin__snapshot_part(moments->after, shape->info), shape, i};
        uint32_t count = writing.count; // players check the keys of a context that a frame changes
        if (kin__delta_visit(&of_context, write_block, &writing) &&
            (count == writing.count || kin__written_keys_check(of_context.after, writer->output->fault)))
            write_links(&writing, &of_context);
    }
    if (!is_faulty(writer))
        write_systems(&writing, moments);
    patch(writer, count_at, writing.count);
}

// ---- frames and keys

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
    (void)is_gone;
    if (block->kind == KIN__BLOCK_CONTEXT || block->kind == KIN__BLOCK_SLOTS)
        kin__bits_add(user, block->shape->count);
    else
        kin__bits_add(user, block->component);
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
    KIN_ASSERT(writer->size == 0 || is_faulty(writer));
    frame_moments outside = {frame->ended, frame->begun, parts};
    frame_moments update = {frame->begun, frame->after, parts};
    uint64_t hash = 0;
    uint64_t systems = 0;
    if (!kin__snapshot_hash(frame->after, &hash, &systems))
        note_no_memory(writer->output->fault, "the hash of a state");
    kin__write_64(writer, frame->number);
    write_double(writer, frame->delta);
    kin__write_64(writer, hash);
    write_hashes(writer, frame, parts, systems);
    write_parts(writer, &outside);
    if (frame->has_states)
        write_parts(writer, &update);
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
    KIN_ASSERT(collected->size <= collected->capacity);
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

void kin__key_write(kin__block_writer *writer, const kin_snapshot *snapshot, kin__written_parts *parts)
{
    kin__output *output = writer->output;
    collected collected = {.fault = output->fault};
    kin__output memory = {.sink = {collect, &collected}, .fault = output->fault};
    uint32_t number = writer->number++;
    for (uint32_t i = 0; i < parts->count; i++)
        parts->parts[i].part = kin__snapshot_part(snapshot, parts->parts[i].shape->info);
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
