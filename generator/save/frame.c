// The frames of a recording.
#include "generator/save/save.h"

#include "file/file.h"

#include <assert.h>
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

static bool keep_block(save_file *file)
{
    file->decoder = kin__decoder_of(&file->blocks);
    return save_file_read_place(file) && save_file_keep(file);
}

// Reads to the end of the state that a key has.
static bool read_key(save_file *file)
{
    if (file->moment != NULL)
        save_moment_clear(file->moment);
    while (next_block(file)) {
        if (kin__block_reader_is(&file->blocks, "DONE"))
            return true;
        if (!keep_block(file))
            return false;
    }
    return false;
}

bool save_frame_read_place(save_file *file, const kin__frame_part *part)
{
    memcpy(file->blocks.kind, part->kind, sizeof file->blocks.kind);
    file->decoder = part->decoder;
    return save_file_read_place(file) &&
           (file->place.kind != SAVE_DONE || save_file_wrong(file, 1309, "a part of its kind must not stand here"));
}

// A part without content says that its block is gone; a context and a system stay.
static bool check_parts(save_file *file, const kin__frame_parts *parts)
{
    for (uint32_t i = 0; i < parts->count; i++) {
        if (!save_frame_read_place(file, &parts->parts[i]))
            return false;
        bool must_stay = file->place.kind == SAVE_CONTEXT || file->place.kind == SAVE_SYSTEM;
        if (must_stay && kin__decoder_left(&file->decoder) == 0)
            return save_file_wrong(file, 1307, "a part has no content");
    }
    return true;
}

static bool read_frame(save_file *file, kin__read_frame *frame)
{
    return kin__frame_read(frame, &file->blocks, &file->frames) && check_parts(file, &frame->outside) &&
           check_parts(file, &frame->states);
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
            return read_frame(file, frame);
        if (!kin__block_reader_is(&file->blocks, "KEYF"))
            return save_file_wrong(file, 1309, "it must not stand here");
        if (!read_key(file))
            return false;
    }
    return false;
}

// ---- the state after a frame

bool save_frame_apply(save_file *file, const kin__frame_parts *parts)
{
    assert(file->moment != NULL);
    save_moment_begin_pass(file->moment);
    for (uint32_t i = 0; i < parts->count; i++) {
        save_frame_read_place(file, &parts->parts[i]);
        if (kin__decoder_left(&file->decoder) == 0)
            save_moment_put(file->moment, &file->place, NULL);
        else if (!save_file_keep(file))
            return false;
    }
    return true;
}

bool save_frame_has_states(const kin__read_frame *frame)
{
    return frame->states.count > 0 || frame->hash_count == 0;
}

bool save_frame_update(save_file *file, const kin__read_frame *frame)
{
    assert(file->moment != NULL);
    if (save_frame_has_states(frame))
        return save_frame_apply(file, &frame->states);
    for (uint32_t i = 0; i < frame->hash_count; i++)
        save_moment_forget(file->moment, frame->hashes[i].context, frame->hashes[i].component);
    return true;
}

// ---- names

void save_append_changed(text *out, const save_file *file, uint32_t context, uint32_t component)
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
    uint32_t last_context = 0;
    uint32_t last_component = 0;
    for (uint32_t i = 0; i < parts->count; i++) {
        uint32_t context;
        uint32_t component;
        read_part(&parts->parts[i], &context, &component);
        if (i > 0 && context == last_context && component == last_component)
            continue;
        text_append_string(out, i == 0 ? "\"" : ",\"");
        save_append_changed(out, file, context, component);
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
        save_append_changed(out, file, frame->hashes[i].context, frame->hashes[i].component);
        text_append_string(out, "\"");
    }
    text_append_string(out, "]}\n");
}
