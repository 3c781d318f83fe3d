#include "recording/recording.h"

#include "base/base.h"
#include "reading/reading.h"

// ---- which blocks are replaced

enum { MOST_CHUNKS = 1 << 15 };

static bool fault(kin__reading *reading, int code, const char *what)
{
    return kin__block_reader_fault(reading->blocks, code, "%s", what);
}

// ---- how many chunks

// Reads the kinds and chunks of all parts of the context, and finds its CTXT.
static bool look(kin__replaced *replaced, kin__reading *reading, const kin__frame_parts *parts)
{
    kin__decoder decoder;
    for (uint32_t i = 0; i < parts->count; i++) {
        const kin__frame_part *part = &parts->parts[i];
        if (!kin__part_is_of(reading, part, &decoder))
            continue;
        if (kin__frame_part_is(part, "CTXT")) {
            if (replaced->context != NULL)
                return fault(reading, 1308, "a part is there twice");
            replaced->context = part;
            continue;
        }
        if (kin__frame_part_is(part, "SHAR"))
            continue;
        uint32_t chunk = kin__decode_32(&decoder);
        if (decoder.is_short || chunk >= MOST_CHUNKS)
            return fault(reading, 1307, "a part is of a chunk that there is not");
        replaced->chunk_count = kin__max_32(replaced->chunk_count, chunk + 1);
    }
    return true;
}

static bool make(kin__replaced *replaced, kin__reading *reading)
{
    const kin_context_info *info = reading->context->info;
    size_t chunks = replaced->chunk_count;
    replaced->component_count = info->component_count;
    replaced->relation_count = info->relation_count;
    replaced->slots = kin__heap_take(&reading->heap, chunks, 1);
    replaced->columns = kin__heap_take(&reading->heap, chunks * info->component_count, 1);
    replaced->kept = kin__heap_take(&reading->heap, chunks * info->component_count, 1);
    replaced->links = kin__heap_take(&reading->heap, chunks * info->relation_count, 1);
    bool has_columns = replaced->columns != NULL && replaced->kept != NULL;
    bool has_slots = replaced->slots != NULL && replaced->links != NULL;
    return has_columns && has_slots;
}

// ---- marking

static bool mark(kin__reading *reading, unsigned char *bytes, size_t at)
{
    if (bytes[at] != 0)
        return fault(reading, 1308, "a part is there twice");
    bytes[at] = 1;
    return true;
}

static bool mark_component(kin__replaced *replaced, kin__reading *reading, const kin__frame_part *part,
                           kin__decoder *decoder, uint32_t chunk)
{
    uint32_t number = kin__decode_32(decoder);
    unsigned char *bytes = replaced->kept;
    if (kin__frame_part_is(part, "COLM"))
        bytes = replaced->columns;
    if (decoder->is_short || number >= reading->file->component_count)
        return fault(reading, 1307, "there is no component with its number");
    const kin__component_shape *now = reading->file->components[number].now;
    return now == NULL || mark(reading, bytes, (size_t)chunk * replaced->component_count + now->id);
}

static bool mark_links(kin__replaced *replaced, kin__reading *reading, kin__decoder *decoder, uint32_t chunk)
{
    const kin__file_context *file = reading->file;
    uint32_t count = replaced->relation_count;
    uint32_t component = kin__decode_32(decoder);
    uint16_t leaf = kin__decode_16(decoder);
    bool has_component = !decoder->is_short && component < file->component_count;
    if (!has_component || leaf >= file->components[component].leaf_count)
        return fault(reading, 1307, "there is no field with its number");
    uint32_t number = kin__links_relation(reading, &file->components[component], leaf);
    return number == count || mark(reading, replaced->links, (size_t)chunk * count + number);
}

static bool mark_part(kin__replaced *replaced, kin__reading *reading, const kin__frame_part *part,
                      kin__decoder *decoder)
{
    if (kin__frame_part_is(part, "CTXT"))
        return true;
    uint32_t chunk = kin__decode_32(decoder);
    KIN_ASSERT(kin__frame_part_is(part, "SHAR") || chunk < replaced->chunk_count);
    if (kin__frame_part_is(part, "SLOT"))
        return mark(reading, replaced->slots, chunk);
    if (kin__frame_part_is(part, "COLM") || kin__frame_part_is(part, "KEEP"))
        return mark_component(replaced, reading, part, decoder, chunk);
    if (kin__frame_part_is(part, "SHAR"))
        return true; // its rows are replaced one by one
    if (kin__frame_part_is(part, "LINK"))
        return mark_links(replaced, reading, decoder, chunk);
    return fault(reading, 1309, "a part of its kind must not stand here");
}

// Finds the blocks that parts replace. A block may be replaced once. False, with a fault noted, if a part is wrong.
// `chunk_count` is that of the present moment.
static bool find_replaced(kin__replaced *replaced, kin__reading *reading, const kin__frame_parts *parts,
                          uint32_t chunk_count)
{
    kin__decoder decoder;
    *replaced = (kin__replaced){.chunk_count = chunk_count};
    if (!look(replaced, reading, parts) || !make(replaced, reading))
        return false;
    for (uint32_t i = 0; i < parts->count; i++)
        if (kin__part_is_of(reading, &parts->parts[i], &decoder) &&
            !mark_part(replaced, reading, &parts->parts[i], &decoder))
            return false;
    return true;
}

// ---- one context

enum { VALUES_HEAD = 12 }; // bytes of the numbers of a block with values

typedef bool part_reader(kin__reading *reading, kin__decoder *decoder, uint32_t chunk);

static bool has_chunk(const kin__reading *reading, uint32_t chunk)
{
    return chunk < reading->part->chunk_count ||
           kin__block_reader_fault(reading->blocks, 1307, "a part is of a chunk that there is not");
}

// Reads the parts of one kind that are not gone. `head`: bytes of the numbers of the block.
static bool read_kind(kin__reading *reading, const kin__frame_parts *parts, const char *kind, size_t head,
                      part_reader *read)
{
    kin__decoder decoder;
    for (uint32_t i = 0; i < parts->count; i++) {
        const kin__frame_part *part = &parts->parts[i];
        bool is_gone = kin__decoder_left(&part->decoder) == head;
        bool is_of_kind = kin__frame_part_is(part, kind) && !is_gone;
        if (!is_of_kind || !kin__part_is_of(reading, part, &decoder))
            continue;
        uint32_t chunk = kin__decode_32(&decoder);
        if (!has_chunk(reading, chunk) || !read(reading, &decoder, chunk))
            return false;
    }
    return true;
}

static bool read_values(kin__reading *reading, const kin__context_snapshot *present, const kin__replaced *replaced,
                        const kin__frame_parts *parts)
{
    if (reading->migrating.count > 0)
        return kin__decide_read(reading, present, replaced, parts);
    return read_kind(reading, parts, "COLM", VALUES_HEAD, kin__column_read) &&
           read_kind(reading, parts, "KEEP", VALUES_HEAD, kin__kept_read);
}

// Reads the rows of the orders of shared values. A row without content is gone, with all rows after it.
static bool read_orders(kin__reading *reading, const kin__frame_parts *parts)
{
    kin__decoder decoder;
    for (uint32_t i = 0; i < parts->count; i++) {
        const kin__frame_part *part = &parts->parts[i];
        if (!kin__frame_part_is(part, "SHAR") || !kin__part_is_of(reading, part, &decoder))
            continue;
        uint32_t row = kin__decode_32(&decoder);
        if (decoder.is_short || row >= (1 << 15))
            return kin__block_reader_fault(reading->blocks, 1307, "a part is of a row that there is not");
        bool is_read;
        if (kin__decoder_left(&part->decoder) == VALUES_HEAD)
            is_read = kin__shared_order_cut(reading, kin__decode_32(&decoder), row);
        else
            is_read = kin__shared_order_read(reading, &decoder, row);
        if (!is_read)
            return false;
    }
    return true;
}

// Reads the order of the holders of targets. A chunk that no longer exists has a part without targets.
static bool read_links(kin__reading *reading, const kin__frame_parts *parts)
{
    kin__decoder decoder;
    for (uint32_t i = 0; i < parts->count; i++) {
        if (!kin__frame_part_is(&parts->parts[i], "LINK") || !kin__part_is_of(reading, &parts->parts[i], &decoder))
            continue;
        uint32_t chunk = kin__decode_32(&decoder);
        if (!kin__links_read(reading, &decoder, chunk))
            return false;
    }
    return true;
}

static bool read_context(kin__reading *reading, const kin__context_snapshot *present, const kin__replaced *replaced)
{
    kin__decoder decoder;
    if (replaced->context == NULL)
        return kin__share_context(reading, present);
    kin__part_is_of(reading, replaced->context, &decoder);
    return kin__context_block_read(reading, &decoder);
}

// Kind by kind: takes over what the frame does not replace, then reads what it does.
static bool read_blocks(kin__reading *reading, const kin__context_snapshot *present, const kin__replaced *replaced,
                        const kin__frame_parts *parts)
{
    if (!read_context(reading, present, replaced))
        return false;
    if (!kin__share_slots(reading, present, replaced) || !read_kind(reading, parts, "SLOT", 8, kin__slots_read))
        return false;
    if (!kin__share_columns(reading, present, replaced) || !read_values(reading, present, replaced, parts))
        return false;
    if (!kin__share_kept(reading, present, replaced))
        return false;
    if (!kin__share_orders(reading, present) || !read_orders(reading, parts))
        return false;
    return kin__share_links(reading, present, replaced) && read_links(reading, parts);
}

// ---- the snapshot

static bool read_contexts(kin__made_moment *made, const kin__frame_parts *parts)
{
    for (uint32_t i = 0; i < made->count; i++) {
        kin__reading *reading = &made->contexts[i];
        const kin__context_snapshot *present = kin__made_present(made, reading);
        reading->migrating.is_of_frame = true;
        kin__replaced replaced;
        KIN_ASSERT(reading->part == NULL);
        if (!find_replaced(&replaced, reading, parts, present->chunk_count) ||
            !read_blocks(reading, present, &replaced, parts))
            return false;
        if (!kin__links_repair(reading) || !kin__slots_check(reading))
            return false;
    }
    return true;
}

// The block of the root comes first, if there is one.
static bool read_systems(kin__made_moment *made, const kin__frame_parts *parts)
{
    for (uint32_t i = 0; i < parts->count; i++) {
        kin__decoder decoder = parts->parts[i].decoder;
        kin__decoder copy = decoder;
        if (!kin__frame_part_is(&parts->parts[i], "SYST"))
            continue;
        if (!made->systems.has_root && kin__decode_16(&copy) != 0) {
            made->systems.root = *(const kin__saved_world *)made->snapshot->systems;
            made->systems.has_root = true;
        }
        if (!kin__system_block_read(&made->systems, &decoder))
            return false;
    }
    return kin__made_keep_systems(made);
}

static bool finish(kin__made_moment *made)
{
    if (!kin__systems_resolve(&made->systems))
        return false;
    for (uint32_t i = 0; i < made->count; i++)
        if (!kin__reading_finish(&made->contexts[i]))
            return false;
    return true;
}

// Whether all parts are of a context of the file, or of systems.
static bool are_of_contexts(kin__recording *recording, const kin__frame_parts *parts)
{
    for (uint32_t i = 0; i < parts->count; i++) {
        kin__decoder decoder = parts->parts[i].decoder;
        if (kin__frame_part_is(&parts->parts[i], "SYST"))
            continue;
        if (kin__decode_32(&decoder) >= recording->file.schema.context_count || decoder.is_short)
            return kin__block_reader_fault(&recording->file.blocks, 1307, "a part is of a context that there is not");
    }
    return true;
}

bool kin__frame_apply(kin__recording *recording, kin_snapshot *snapshot, const kin__frame_parts *parts)
{
    kin__made_moment made;
    bool is_begun = kin__made_begin(&made, recording, snapshot) && are_of_contexts(recording, parts);
    bool is_read = is_begun && read_contexts(&made, parts);
    if (is_read)
        is_read = read_systems(&made, parts) && finish(&made);
    bool is_made = is_read && kin__made_put(&made);
    kin__made_end(&made);
    return is_made;
}
