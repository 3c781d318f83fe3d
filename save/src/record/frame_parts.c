#include "record/frame_parts.h"

#include "base/little.h"
#include "delta/delta.h"
#include "frame/format.h"
#include "snapshot/systems_state.h"
#include "world_snapshot/world_encode.h"
#include "write/links.h"

#include <string.h>

// Parts on their way to the payload of a frame.
typedef struct writing {
    kin__block_writer *writer;
    kin__encoder encoder;
    uint32_t count;
} writing;

static bool is_faulty(const kin__block_writer *writer)
{
    return writer->output->fault->status != KIN_OK;
}

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
    size_t begin = begin_part(writing->writer, kin__block_letters(block->kind));
    kin__encoder_begin(&writing->encoder, append, writing);
    kin__block_encode_numbers(&writing->encoder, block);
    if (!is_gone)
        kin__block_encode_content(&writing->encoder, block);
    kin__encoder_flush(&writing->encoder);
    end_part(writing, begin);
    return !is_faulty(writing->writer);
}

// ---- links

// Whether the targets of a chunk have their holders in the same order in both moments. What the later one has stands at
// the end of the payload, from `begin` on.
static bool are_links_equal(const writing *writing, size_t begin, const kin__link_block *before)
{
    kin__block_writer *writer = writing->writer;
    size_t end = writer->size;
    kin__link_block_write(writer, before);
    bool is_equal = !is_faulty(writer) && writer->size - end == end - begin &&
                    memcmp(writer->bytes + KIN__BLOCK_HEAD + begin, writer->bytes + KIN__BLOCK_HEAD + end,
                           end - begin) == 0;
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
    uint32_t chunk_count = before->chunk_count > after->chunk_count ? before->chunk_count : after->chunk_count;
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
// or removed, and then all behind these are written.
typedef struct systems {
    writing *writing;
    const kin_snapshot *before, *after;
    size_t at; // of the node of the earlier moment
} systems;

static size_t node_size(const kin_snapshot *snapshot, size_t at)
{
    const char *node = (const char *)snapshot->systems + at;
    if (at >= snapshot->systems_size)
        return 0;
    return at == 0 ? sizeof(kin__saved_world) : ((const kin__saved_node *)(const void *)node)->size;
}

static bool write_node(const kin__node_block *block, void *user)
{
    systems *systems = user;
    writing *writing = systems->writing;
    size_t at = kin__node_offset(block), size = node_size(systems->before, systems->at);
    const char *before = (const char *)systems->before->systems + systems->at;
    bool is_equal = size == node_size(systems->after, at) &&
                    memcmp(before, (const char *)systems->after->systems + at, size) == 0;
    systems->at += size;
    if (is_equal)
        return true;
    size_t begin = begin_part(writing->writer, "SYST");
    kin__encoder_begin(&writing->encoder, append, writing);
    kin__node_encode_path(&writing->encoder, block);
    kin__node_encode_content(&writing->encoder, block);
    kin__encoder_flush(&writing->encoder);
    end_part(writing, begin);
    return !is_faulty(writing->writer);
}

static void write_systems(writing *writing, const kin__frame_moments *moments)
{
    systems systems = {writing, moments->before, moments->after, 0};
    if (!kin__nodes_visit(moments->after, write_node, &systems))
        kin__fault_note(writing->writer->output->fault, KIN_ERROR_NO_MEMORY,
                        "no memory for its systems; free some and begin again");
}

// ---- all together

void kin__frame_parts_write(kin__block_writer *writer, const kin__frame_moments *moments)
{
    writing writing = {.writer = writer};
    size_t count_at = writer->size;
    kin__write_32(writer, 0);
    for (uint32_t i = 0; i < moments->parts->count && !is_faulty(writer); i++) {
        const kin__shape *shape = moments->parts->parts[i].shape;
        kin__moments of_context = {kin__snapshot_part(moments->before, shape->info),
                                   kin__snapshot_part(moments->after, shape->info), shape, i};
        if (kin__delta_visit(&of_context, write_block, &writing))
            write_links(&writing, &of_context);
    }
    if (!is_faulty(writer))
        write_systems(&writing, moments);
    patch(writer, count_at, writing.count);
}
