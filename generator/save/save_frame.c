#include "save/save_frame.h"

#include "frame/format.h"
#include "save/save_text.h"

#include <inttypes.h>
#include <string.h>

// ---- reading

// Where the file ends, the recording ends.
static bool end(save_file *file)
{
    if (file->input.has_ended)
        file->fault = (kin__fault){KIN_OK, ""};
    return false;
}

static bool next_block(save_file *file)
{
    return kin__block_reader_next(&file->blocks, KIN__BLOCK_LIMIT) || end(file);
}

// Reads to the end of the state that a key has.
static bool skip_key(save_file *file)
{
    while (next_block(file))
        if (kin__block_reader_is(&file->blocks, "DONE"))
            return true;
    return false;
}

bool save_frame_next(save_file *file, kin__read_frame *frame)
{
    if (file->frames.memory != NULL)
        kin__heap_release(&file->frames);
    file->frames = (kin__heap){.memory = &file->memory, .fault = &file->fault};
    if (!file->is_recording || save_file_is_faulty(file))
        return false;
    while (next_block(file)) {
        if (kin__block_reader_is(&file->blocks, "FRAM"))
            return kin__frame_read(frame, &file->blocks, &file->frames);
        if (!kin__block_reader_is(&file->blocks, "KEYF"))
            return save_file_wrong(file, 1309, "it must not stand here");
        if (!skip_key(file))
            return false;
    }
    return false;
}

// ---- names

// Appends "game.Health", "game:slots" for the slots of a context, or "systems".
static void append_changed(text *out, const save_file *file, uint32_t context, uint32_t component)
{
    if (context >= file->schema.context_count) {
        text_append_string(out, "systems");
        return;
    }
    const kin__file_context *of = &file->schema.contexts[context];
    text_append_string(out, text_escaped(out->arena, of->name));
    text_append_string(out, component >= of->component_count ? ":slots" : ".");
    if (component < of->component_count)
        text_append_string(out, text_escaped(out->arena, of->components[component].name));
}

static void read_part(const kin__frame_part *part, uint32_t *context, uint32_t *component)
{
    kin__decoder decoder = part->decoder;
    bool is_of_slots = kin__frame_part_is(part, "CTXT") || kin__frame_part_is(part, "SLOT");
    *component = UINT32_MAX;
    *context = kin__frame_part_is(part, "SYST") ? UINT32_MAX : kin__decode_32(&decoder);
    if (*context == UINT32_MAX || is_of_slots)
        return;
    kin__decode_32(&decoder);
    *component = kin__decode_32(&decoder);
}

// ---- a line

static void append_part_names(text *out, const save_file *file, const kin__frame_parts *parts)
{
    uint32_t last_context = 0, last_component = 0;
    for (uint32_t i = 0; i < parts->count; i++) {
        uint32_t context, component;
        read_part(&parts->parts[i], &context, &component);
        if (i > 0 && context == last_context && component == last_component)
            continue;
        text_append_string(out, i == 0 ? "\"" : ",\"");
        append_changed(out, file, context, component);
        text_append_string(out, "\"");
        last_context = context;
        last_component = component;
    }
}

void save_append_frame(text *out, const save_file *file, const kin__read_frame *frame)
{
    text_append_format(out, "{\"frame\":%" PRIu64 ",\"delta\":", frame->number);
    save_append_double(out, frame->delta);
    text_append_format(out, ",\"hash\":\"%016" PRIx64 "\",\"before\":[", frame->hash);
    append_part_names(out, file, &frame->outside);
    text_append_string(out, "],\"update\":[");
    for (uint32_t i = 0; i < frame->hash_count; i++) {
        text_append_string(out, i == 0 ? "\"" : ",\"");
        append_changed(out, file, frame->hashes[i].context, frame->hashes[i].component);
        text_append_string(out, "\"");
    }
    text_append_string(out, "]}\n");
}

// ---- differences

static bool is_same_part(const kin__frame_part *one, const kin__frame_part *other)
{
    size_t size = kin__decoder_left(&one->decoder);
    return kin__frame_part_is(one, other->kind) && size == kin__decoder_left(&other->decoder) &&
           memcmp(one->decoder.at, other->decoder.at, size) == 0;
}

// Returns the first part that only one of the frames has; NULL: none.
static const kin__frame_part *find_part(const kin__frame_parts *one, const kin__frame_parts *other)
{
    uint32_t same = 0;
    while (same < one->count && same < other->count && is_same_part(&one->parts[same], &other->parts[same]))
        same++;
    return same < one->count ? &one->parts[same] : same < other->count ? &other->parts[same] : NULL;
}

// Returns the first hash that differs, or that only one of the frames has; NULL: none.
static const kin__frame_hash *find_hash(const kin__read_frame *one, const kin__read_frame *other)
{
    uint32_t same = 0;
    while (same < one->hash_count && same < other->hash_count &&
           memcmp(&one->hashes[same], &other->hashes[same], sizeof *one->hashes) == 0)
        same++;
    return same < one->hash_count ? &one->hashes[same] : same < other->hash_count ? &other->hashes[same] : NULL;
}

static void append_end(text *out, uint64_t number, const char *which)
{
    text_append_format(out, "frame %" PRIu64 ": only the %s recording has it\n", number, which);
}

bool save_append_frame_difference(text *out, const save_file *file, const kin__read_frame *before,
                                  const kin__read_frame *after)
{
    uint32_t context = UINT32_MAX, component = UINT32_MAX;
    if (before == NULL || after == NULL) {
        append_end(out, (before == NULL ? after : before)->number, before == NULL ? "second" : "first");
        return true;
    }
    const kin__frame_part *part = find_part(&before->outside, &after->outside);
    const kin__frame_hash *hash = find_hash(before, after);
    bool is_same_time = before->number == after->number && before->delta == after->delta;
    if (is_same_time && part == NULL && hash == NULL && before->hash == after->hash)
        return false;
    if (part != NULL)
        read_part(part, &context, &component);
    else if (hash != NULL)
        context = hash->context, component = hash->component;
    text_append_format(out, "frame %" PRIu64 ": ", before->number);
    if (is_same_time)
        append_changed(out, file, context, component);
    else
        text_append_string(out, "its number or delta");
    text_append_string(out,
                       !is_same_time || part == NULL ? " differs after the update\n" : " differs before the update\n");
    return true;
}
