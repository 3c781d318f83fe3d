#include "play/recording.h"

#include "frame/format.h"
#include "frame/head.h"
#include "shape/identity.h"

#include <string.h>

// ---- names

static kin_context *find_context(const kin__world *world, const char *identity)
{
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (!world->contexts[i]->info->is_unsaved &&
            strcmp(kin__context_identity(world->contexts[i]->info), identity) == 0)
            return world->contexts[i];
    return NULL;
}

bool kin__recorded_is_same(const kin__file_component *component)
{
    return component->now != NULL && !component->is_converted && !component->is_defaulted && !component->is_dropped &&
           component->leaf_count == component->now->leaves.count;
}

static bool match_context(kin__recording *recording, uint32_t number)
{
    kin__file_context *file = &recording->schema.contexts[number];
    kin__recorded_context *context = &recording->contexts[number];
    context->context = find_context(recording->world, file->name);
    if (context->context == NULL)
        return kin__fault_note(&recording->fault, KIN_ERROR_SHAPE,
                               "it has a context '%.60s', which the schema does not; say 'was' where it is now [K1305]",
                               file->name);
    context->shape = kin__shape_make(&recording->memory, context->context->info);
    if (context->shape == NULL)
        return kin__fault_note(&recording->fault, KIN_ERROR_NO_MEMORY,
                               "no memory for its shape; free some and try again");
    if (!kin__file_context_match(file, context->shape, NULL, &recording->fault))
        return false;
    recording->is_of_this_version &= file->component_count == context->shape->count;
    for (uint32_t i = 0; i < file->component_count; i++)
        recording->is_of_this_version &= kin__recorded_is_same(&file->components[i]);
    return true;
}

static bool match_contexts(kin__recording *recording)
{
    uint32_t saved = 0;
    recording->contexts =
        kin__heap_take(&recording->heap, recording->schema.context_count, sizeof *recording->contexts);
    for (uint32_t i = 0; recording->contexts != NULL && i < recording->schema.context_count; i++)
        if (!match_context(recording, i))
            return false;
    for (uint32_t i = 0; i < recording->world->info->context_count; i++)
        saved += !recording->world->contexts[i]->info->is_unsaved;
    recording->is_of_this_version &= saved == recording->schema.context_count;
    return recording->contexts != NULL;
}

static bool read_head(kin__recording *recording)
{
    const kin_package_info *package = recording->world->contexts[0]->info->package;
    kin__block_reader *reader = &recording->reader;
    kin__head head;
    if (!kin__head_read(reader, &head))
        return false;
    if (head.package_size != strlen(package->name) || memcmp(head.package, package->name, head.package_size) != 0)
        return kin__fault_note(&recording->fault, KIN_ERROR_SHAPE,
                               "it is of the package '%.*s', and this one is '%s' [K1304]",
                               (int)(head.package_size < 60 ? head.package_size : 60), head.package, package->name);
    if (!head.is_recording)
        return kin__fault_note(&recording->fault, KIN_ERROR_CORRUPT, "it is a save and no recording [K1301]");
    recording->first_frame = head.frame;
    recording->is_of_this_version = head.version == package->version;
    if (!kin__block_reader_next(reader, KIN__BLOCK_LIMIT))
        return false;
    return !kin__block_reader_is(reader, "META") || kin__block_reader_next(reader, KIN__BLOCK_LIMIT);
}

static bool read_names(kin__recording *recording)
{
    if (!kin__block_reader_is(&recording->reader, "SHAP"))
        return kin__block_reader_fault(&recording->reader, 1309, "the names do not come behind the head");
    return kin__file_schema_read(&recording->schema, &recording->reader, &recording->heap) &&
           match_contexts(recording);
}

bool kin__recording_open(kin__recording *recording)
{
    recording->heap = (kin__heap){.memory = &recording->memory, .fault = &recording->fault};
    recording->schema = (kin__file_schema){0};
    recording->contexts = NULL;
    recording->is_open = true;
    kin__block_reader_begin(&recording->reader, &recording->input);
    return kin__input_begin(&recording->input, recording->source, KIN__MOMENT_LIMIT, &recording->fault) &&
           read_head(recording) && read_names(recording);
}

void kin__recording_close(kin__recording *recording)
{
    if (!recording->is_open)
        return;
    for (uint32_t i = 0; recording->contexts != NULL && i < recording->schema.context_count; i++)
        kin__shape_release(&recording->memory, recording->contexts[i].shape);
    kin__block_reader_end(&recording->reader);
    kin__input_end(&recording->input);
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

// Reads a block, and allows as many bytes behind it as a moment may have.
static bool next(kin__recording *recording)
{
    recording->input.limit = recording->input.offset + KIN__MOMENT_LIMIT;
    return kin__block_reader_next(&recording->reader, KIN__BLOCK_LIMIT);
}

// Where the source ends, the recording ends.
static kin__recording_block end(kin__recording *recording)
{
    if (!recording->input.has_ended)
        return KIN__RECORDING_FAULT;
    recording->fault = (kin__fault){KIN_OK, ""};
    return KIN__RECORDING_END;
}

static bool is(const kin__recording *recording, const char *kind)
{
    return kin__block_reader_is(&recording->reader, kind);
}

kin__recording_block kin__recording_next_frame(kin__recording *recording, uint64_t *keys)
{
    while (next(recording)) {
        if (is(recording, "FRAM"))
            return KIN__RECORDING_FRAME;
        if (!is(recording, "KEYF")) {
            kin__block_reader_fault(&recording->reader, 1309, "it must not stand here");
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
    while (kin__block_reader_next(&recording->reader, KIN__BLOCK_LIMIT))
        if (kin__block_reader_is(&recording->reader, "DONE"))
            return true;
    return false;
}

// ---- readings

kin__reading kin__recording_reading(kin__recording *recording, uint32_t number)
{
    const kin__recorded_context *context = &recording->contexts[number];
    kin__reading reading = {.context = context->context,
                            .shape = context->shape,
                            .migrations = recording->migrations,
                            .blocks = recording->reader,
                            .fault = &recording->fault,
                            .file = &recording->schema.contexts[number],
                            .number = number,
                            .schema = recording->schema};
    reading.heap = reading.value_heap =
        (kin__heap){.memory = &context->context->core->snapshot_memory, .fault = &recording->fault};
    return reading;
}

bool kin__recording_values(kin__reading *reading)
{
    const kin_context_info *info = reading->context->info;
    size_t size = 1;
    for (uint32_t id = 0; id < info->component_count; id++)
        size = info->components[id].size > size ? info->components[id].size : size;
    reading->values = kin__heap_take(&reading->heap, KIN__CHUNK_SLOTS, size);
    return reading->values != NULL;
}
