#include "recording/recording.h"

#include "file/file.h"
#include "world/world.h"

// ---- names

bool kin__recorded_is_same(const kin__file_component *component)
{
    if (component->is_converted || component->is_defaulted)
        return false;
    if (component->is_dropped || component->now == NULL)
        return false;
    return component->leaf_count == component->now->leaves.count;
}

kin__reading *kin__recorded_context(const kin__recording *recording, uint32_t number)
{
    for (uint32_t i = 0; i < recording->file.context_count; i++)
        if (recording->file.contexts[i].number == number)
            return &recording->file.contexts[i];
    return NULL;
}

static bool make_context(kin__recording *recording, kin_context *context)
{
    kin__reading *reading = &recording->file.contexts[recording->file.context_count];
    *reading = (kin__reading){.context = context,
                              .migrations = recording->migrations,
                              .blocks = &recording->file.blocks,
                              .heap = {.memory = &context->core->snapshot_memory, .fault = &recording->fault},
                              .fault = &recording->fault,
                              .has_systems = true};
    reading->shape = kin__shape_make(&context->core->snapshot_memory, context->info);
    recording->file.context_count += reading->shape != NULL;
    return reading->shape != NULL ||
           kin__fault_note(&recording->fault, KIN_ERROR_NO_MEMORY, "no memory for its shape; free some and try again");
}

static bool make_contexts(kin__recording *recording)
{
    kin__world *world = recording->world;
    uint32_t count = world->info->context_count;
    recording->file.contexts = kin__heap_take(&recording->heap, count, sizeof *recording->file.contexts);
    recording->none = kin__heap_take(&recording->heap, count, sizeof *recording->none);
    if (recording->file.contexts == NULL || recording->none == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (kin__context_is_saved(world->contexts[i]) && !make_context(recording, world->contexts[i]))
            return false;
    return true;
}

static bool is_of_this_version(const kin__recording *recording)
{
    const kin__file_reading *file = &recording->file;
    bool is_same = file->head.version == file->package->version && file->schema.context_count == file->context_count;
    for (uint32_t i = 0; i < file->schema.context_count; i++) {
        const kin__reading *reading = kin__recorded_context(recording, i);
        bool has_all = reading != NULL && reading->file->component_count == reading->shape->count;
        is_same = is_same && has_all;
        for (uint32_t k = 0; is_same && k < reading->file->component_count; k++)
            is_same = kin__recorded_is_same(&reading->file->components[k]);
    }
    return is_same;
}

// Contexts that the file does not have get numbers after those of the file, and no components.
static void number_contexts(kin__recording *recording)
{
    for (uint32_t i = 0; i < recording->file.context_count; i++) {
        kin__reading *reading = &recording->file.contexts[i];
        if (reading->file != NULL)
            continue;
        reading->file = &recording->none[i];
        reading->number = recording->file.schema.context_count + i;
    }
}

// Until its names were read, the systems of the file are asked for nothing but their world.
static bool read_names(kin__recording *recording)
{
    kin__systems_reading systems = {.world = recording->world};
    recording->file.systems = &systems;
    bool is_read = kin__file_read_names(&recording->file);
    recording->file.systems = NULL;
    if (!is_read)
        return false;
    if (!recording->file.head.is_recording)
        return kin__fault_note(&recording->fault, KIN_ERROR_CORRUPT, "it is a save and no recording [K1301]");
    recording->is_of_this_version = is_of_this_version(recording);
    number_contexts(recording);
    return true;
}

bool kin__recording_open(kin__recording *recording)
{
    KIN_ASSERT(!recording->is_open && recording->fault.status == KIN_OK);
    recording->heap = (kin__heap){.memory = &recording->world->memory, .fault = &recording->fault};
    recording->file = (kin__file_reading){
        .package = recording->world->contexts[0]->info->package, .heap = recording->heap, .fault = &recording->fault};
    recording->is_open = true;
    kin__block_reader_begin(&recording->file.blocks, &recording->input);
    return kin__input_begin(&recording->input, recording->source, KIN__MOMENT_LIMIT, &recording->fault) &&
           make_contexts(recording) && read_names(recording);
}

void kin__recording_close(kin__recording *recording)
{
    if (!recording->is_open)
        return;
    for (uint32_t i = 0; i < recording->file.context_count; i++) {
        kin__reading *reading = &recording->file.contexts[i];
        kin__heap_release(&reading->heap);
        kin__shape_release(&reading->context->core->snapshot_memory, (kin__shape *)(uintptr_t)reading->shape);
    }
    kin__block_reader_end(&recording->file.blocks);
    kin__input_end(&recording->input);
    kin__heap_release(&recording->file.heap);
    kin__heap_release(&recording->heap);
    recording->is_open = false;
}

bool kin__recording_reopen(kin__recording *recording)
{
    kin__recording_close(recording);
    if (recording->source.begin_again == NULL || !recording->source.begin_again(recording->source.user))
        return kin__fault_note(&recording->fault, KIN_ERROR_STREAM,
                               "the source did not begin again; give one that can");
    return kin__recording_open(recording);
}

// ---- blocks

// Reads a block, and allows as many bytes after it as a moment may have.
static bool next(kin__recording *recording)
{
    recording->input.limit = recording->input.offset + KIN__MOMENT_LIMIT;
    return kin__block_reader_next(&recording->file.blocks, KIN__BLOCK_LIMIT);
}

// Where the source ends, the recording ends.
static kin__recording_block end(kin__recording *recording)
{
    KIN_ASSERT(recording->fault.status != KIN_OK);
    if (!recording->input.has_ended)
        return KIN__RECORDING_FAULT;
    recording->fault = (kin__fault){KIN_OK, ""};
    return KIN__RECORDING_END;
}

static bool is(const kin__recording *recording, const char *kind)
{
    return kin__block_reader_is(&recording->file.blocks, kind);
}

kin__recording_block kin__recording_next_frame(kin__recording *recording, uint64_t *keys)
{
    while (next(recording)) {
        if (is(recording, "FRAM"))
            return KIN__RECORDING_FRAME;
        if (!is(recording, "KEYF")) {
            kin__block_reader_fault(&recording->file.blocks, 1309, "it must not stand here");
            return KIN__RECORDING_FAULT;
        }
        if (!kin__recording_skip_moment(recording))
            break;
        ++*keys;
    }
    return end(recording);
}

bool kin__recording_next_key(kin__recording *recording)
{
    while (next(recording))
        if (is(recording, "KEYF"))
            return true;
    return false;
}

bool kin__recording_skip_moment(kin__recording *recording)
{
    recording->input.limit = recording->input.offset + KIN__MOMENT_LIMIT;
    while (kin__block_reader_next(&recording->file.blocks, KIN__BLOCK_LIMIT))
        if (is(recording, "DONE"))
            return true;
    return false;
}
