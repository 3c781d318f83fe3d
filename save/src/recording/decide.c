#include "recording/recording.h"

#include "base/base.h"
#include "reading/reading.h"

#include <string.h>

enum { VALUES_HEAD = 12 }; // bytes of the numbers of a block with values

// The parts of a context, of which `next` comes next.
typedef struct deciding {
    kin__reading *reading;
    const kin__context_snapshot *present;
    const kin__replaced *replaced;
    const kin__frame_parts *parts;
    uint32_t next;
} deciding;

// ---- which entities are decided

static bool is_replaced(const deciding *deciding, const unsigned char *columns, uint32_t chunk, kin_component_id id)
{
    const kin__replaced *replaced = deciding->replaced;
    return chunk < replaced->chunk_count && columns[(size_t)chunk * replaced->component_count + id] != 0;
}

// Leaves the values of other entities as they are in the world.
static void keep_present(const deciding *deciding, kin__decided *decided, uint32_t chunk, const uint64_t *same)
{
    kin__image *present = kin__part_image(deciding->present, chunk, decided->now->id);
    uint64_t any = 0;
    for (uint32_t word = 0; present != NULL && word < KIN__CHUNK_WORDS; word++)
        any |= decided->kept[word] = kin__image_has(present)[word] & same[word] & ~decided->asked[word];
    decided->present = NULL;
    if (any != 0)
        decided->present = present;
}

static void ask(const deciding *deciding, kin__decided *decided, uint32_t chunk, const uint64_t *same)
{
    bool is_own = is_replaced(deciding, deciding->replaced->columns, chunk, decided->now->id);
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        decided->asked[word] = is_own ? UINT64_MAX : ~same[word];
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (decided->stashed[place] != NULL)
            kin__bits_add(decided->asked, place);
    keep_present(deciding, decided, chunk, same);
}

// Chunks whose entities are the same, and whose column of the component was not replaced, share the column.
static void ask_all(const deciding *deciding, uint32_t chunk)
{
    const kin__migrating *migrating = &deciding->reading->migrating;
    uint32_t head = kin__head_number(deciding->present->info);
    uint64_t same[KIN__CHUNK_WORDS];
    kin__share_find_same(kin__part_image(deciding->present, chunk, head),
                         kin__part_image(deciding->reading->part, chunk, head), same);
    for (uint32_t i = 0; i < migrating->count; i++) {
        kin__decided *decided = &migrating->decided[i];
        if (kin__share_is_decided(deciding->reading, deciding->replaced, chunk, decided->now->id) ||
            is_replaced(deciding, deciding->replaced->columns, chunk, decided->now->id))
            ask(deciding, decided, chunk, same);
        else
            memset(decided->asked, 0, sizeof decided->asked);
    }
}

// ---- reading

static bool fault(const deciding *deciding)
{
    return kin__block_reader_fault(deciding->reading->blocks, 1309, "its parts are not in the order of a save");
}

// Returns the next part of the context with values, or NULL.
static const kin__frame_part *next_part(deciding *deciding, kin__decoder *decoder)
{
    for (; deciding->next < deciding->parts->count; deciding->next++) {
        const kin__frame_part *part = &deciding->parts->parts[deciding->next];
        bool has_values = kin__frame_part_is(part, "COLM") || kin__frame_part_is(part, "KEEP");
        bool is_gone = kin__decoder_left(&part->decoder) == VALUES_HEAD;
        bool is_read = has_values && !is_gone;
        if (is_read && kin__part_is_of(deciding->reading, part, decoder))
            return part;
    }
    return NULL;
}

static bool read_parts(deciding *deciding, uint32_t chunk)
{
    kin__decoder decoder;
    bool has_kept = false;
    for (const kin__frame_part *part; (part = next_part(deciding, &decoder)) != NULL; deciding->next++) {
        bool is_kept = kin__frame_part_is(part, "KEEP");
        uint32_t number = kin__decode_32(&decoder);
        if (number > chunk)
            return true;
        bool is_column_late = has_kept && !is_kept;
        if (number < chunk || is_column_late)
            return fault(deciding);
        has_kept = is_kept;
        bool is_read;
        if (is_kept)
            is_read = kin__kept_read(deciding->reading, &decoder, chunk);
        else
            is_read = kin__column_read(deciding->reading, &decoder, chunk);
        if (!is_read)
            return false;
    }
    return true;
}

static bool read_chunk(deciding *deciding, uint32_t chunk)
{
    if (!kin__migrating_open(deciding->reading, chunk) || !read_parts(deciding, chunk))
        return false;
    ask_all(deciding, chunk);
    if (kin__reading_head(deciding->reading, chunk) != NULL)
        return kin__migrating_finish(deciding->reading);
    kin__migrating_end(deciding->reading);
    return true;
}

bool kin__decide_read(kin__reading *reading, const kin__context_snapshot *present, const kin__replaced *replaced,
                      const kin__frame_parts *parts)
{
    deciding deciding = {reading, present, replaced, parts, 0};
    kin__decoder decoder;
    KIN_ASSERT(reading->migrating.is_of_frame && reading->migrating.count > 0);
    for (uint32_t chunk = 0; chunk < reading->part->chunk_count; chunk++)
        if (!read_chunk(&deciding, chunk))
            return false;
    return next_part(&deciding, &decoder) == NULL || fault(&deciding);
}
