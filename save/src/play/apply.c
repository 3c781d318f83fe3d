#include "play/apply.h"

#include "play/made.h"
#include "play/share.h"
#include "read/column.h"
#include "read/kept.h"
#include "read/links.h"
#include "read/slots.h"

// ---- one context

// Reads the parts of one kind that are not gone. `head`: bytes of the numbers of the block.
static bool read_kind(kin__reading *reading, const kin__frame_parts *parts, const char *kind, size_t head)
{
    kin__decoder decoder;
    for (uint32_t i = 0; i < parts->count; i++) {
        const kin__frame_part *part = &parts->parts[i];
        if (!kin__frame_part_is(part, kind) || !kin__part_is_of(reading, part, &decoder) ||
            kin__decoder_left(&part->decoder) == head)
            continue;
        uint32_t chunk = kin__decode_32(&decoder);
        if (chunk >= reading->part->chunk_count)
            return kin__block_reader_fault(&reading->blocks, 1307, "a part is of a chunk that there is not");
        if (!(kind[0] == 'S'   ? kin__slots_read
              : kind[0] == 'C' ? kin__column_read
              : kind[0] == 'K' ? kin__kept_read
                               : kin__links_read)(reading, &decoder, chunk))
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
           read_kind(reading, parts, "SLOT", 8) && kin__share_columns(reading, present, replaced) &&
           read_kind(reading, parts, "COLM", 12) && kin__share_kept(reading, present, replaced) &&
           read_kind(reading, parts, "KEEP", 12) && kin__share_links(reading, present, replaced) &&
           read_kind(reading, parts, "LINK", 0);
}

// ---- the snapshot

static bool make_context(kin__made_moment *made, uint32_t number, const kin__frame_parts *parts)
{
    kin__reading reading = kin__recording_reading(made->recording, number);
    const kin__context_snapshot *present = kin__made_present(made, &reading);
    kin__replaced replaced;
    bool is_made = kin__replaced_find(&replaced, &reading, parts, present->chunk_count) &&
                   kin__recording_values(&reading) && read_blocks(&reading, present, &replaced, parts) &&
                   kin__made_add(made, &reading);
    kin__part_release(reading.part);
    kin__heap_release(&reading.value_heap);
    kin__heap_release(&reading.heap);
    return is_made;
}

// Whether all parts are of a context of the file, or of systems.
static bool are_of_contexts(kin__recording *recording, const kin__frame_parts *parts)
{
    for (uint32_t i = 0; i < parts->count; i++) {
        kin__decoder decoder = parts->parts[i].decoder;
        if (!kin__frame_part_is(&parts->parts[i], "SYST") &&
            (kin__decode_32(&decoder) >= recording->schema.context_count || decoder.is_short))
            return kin__block_reader_fault(&recording->reader, 1307, "a part is of a context that there is not");
    }
    return true;
}

static bool make_contexts(kin__made_moment *made, const kin__frame_parts *parts)
{
    for (uint32_t i = 0; i < made->recording->schema.context_count; i++)
        if (!make_context(made, i, parts))
            return false;
    return true;
}

bool kin__frame_apply(kin__recording *recording, kin_snapshot *snapshot, const kin__frame_parts *parts)
{
    kin__made_moment made = kin__made_moment_of(recording, snapshot);
    bool is_made = are_of_contexts(recording, parts) && kin__made_begin(&made, parts) &&
                   make_contexts(&made, parts) && kin__made_put(&made);
    kin__made_release(&made);
    return is_made;
}
