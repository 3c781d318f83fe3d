#include "play/apply.h"

#include "play/decide.h"
#include "play/made.h"
#include "play/share.h"
#include "reading/reading.h"

enum { VALUES_HEAD = 12 }; // bytes of the numbers of a block with values

// ---- one context

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
        if (!kin__frame_part_is(part, kind) || !kin__part_is_of(reading, part, &decoder) ||
            kin__decoder_left(&part->decoder) == head)
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
        if (kin__decoder_left(&part->decoder) == VALUES_HEAD
                ? !kin__shared_order_cut(reading, kin__decode_32(&decoder), row)
                : !kin__shared_order_read(reading, &decoder, row))
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

static bool read_blocks(kin__reading *reading, const kin__context_snapshot *present, const kin__replaced *replaced,
                        const kin__frame_parts *parts)
{
    return read_context(reading, present, replaced) && kin__share_slots(reading, present, replaced) &&
           read_kind(reading, parts, "SLOT", 8, kin__slots_read) && kin__share_columns(reading, present, replaced) &&
           read_values(reading, present, replaced, parts) && kin__share_kept(reading, present, replaced) &&
           kin__share_orders(reading, present) && read_orders(reading, parts) &&
           kin__share_links(reading, present, replaced) && read_links(reading, parts);
}

// ---- the snapshot

static bool read_contexts(kin__made_moment *made, const kin__frame_parts *parts)
{
    for (uint32_t i = 0; i < made->count; i++) {
        kin__reading *reading = &made->contexts[i];
        const kin__context_snapshot *present = kin__made_present(made, reading);
        reading->migrating.is_of_frame = true;
        kin__replaced replaced;
        if (!kin__replaced_find(&replaced, reading, parts, present->chunk_count) ||
            !read_blocks(reading, present, &replaced, parts) || !kin__links_repair(reading) ||
            !kin__slots_check(reading))
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
        if (!kin__frame_part_is(&parts->parts[i], "SYST") &&
            (kin__decode_32(&decoder) >= recording->file.schema.context_count || decoder.is_short))
            return kin__block_reader_fault(&recording->file.blocks, 1307, "a part is of a context that there is not");
    }
    return true;
}

bool kin__frame_apply(kin__recording *recording, kin_snapshot *snapshot, const kin__frame_parts *parts)
{
    kin__made_moment made;
    bool is_made = kin__made_begin(&made, recording, snapshot) && are_of_contexts(recording, parts) &&
                   read_contexts(&made, parts) && read_systems(&made, parts) && finish(&made) && kin__made_put(&made);
    kin__made_end(&made);
    return is_made;
}
