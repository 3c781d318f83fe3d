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
            return kin__block_reader_fault(reading->blocks, 1307, "a part is of a chunk that there is not");
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

static bool read_contexts(kin__made_moment *made, const kin__frame_parts *parts)
{
    for (uint32_t i = 0; i < made->count; i++) {
        kin__reading *reading = &made->contexts[i];
        const kin__context_snapshot *present = kin__made_present(made, reading);
        kin__replaced replaced;
        if (!kin__replaced_find(&replaced, reading, parts, present->chunk_count) ||
            !read_blocks(reading, present, &replaced, parts) || !kin__slots_check(reading))
            return false;
    }
    return true;
}

// The block of the root comes first, if there is one.
static bool read_systems(kin__made_moment *made, const kin__frame_parts *parts)
{
    for (uint32_t i = 0; i < parts->count; i++) {
        kin__decoder decoder = parts->parts[i].decoder, copy = decoder;
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
