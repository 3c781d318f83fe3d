#include "reading/internal.h"

#include "snapshot/snapshot.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// The sections of a context, in their order.
enum { SECTION_CONTEXT, SECTION_CHUNKS, SECTION_SHARED, SECTION_LINKS };

// ---- the head

static bool read_head(kin__file_reading *file)
{
    const kin_package_info *package = file->package;
    kin__head head;
    if (!kin__head_read(&file->blocks, &head))
        return false;
    file->head = head;
    if (head.package_size != strlen(package->name) || memcmp(head.package, package->name, head.package_size) != 0)
        return kin__fault_note(file->fault, KIN_ERROR_SHAPE,
                               "it is of the package '%.*s', and this program reads '%s' [K1304]",
                               (int)kin__min_size(head.package_size, 60), head.package, package->name);
    for (uint32_t i = 0; i < file->context_count; i++)
        file->contexts[i].version = head.version;
    if (!kin__block_reader_next(&file->blocks, KIN__BLOCK_LIMIT))
        return false;
    if (!kin__block_reader_is(&file->blocks, "META"))
        return true;
    if (file->blocks.size > KIN_META_SIZE)
        return kin__block_reader_fault(&file->blocks, 1307, "it has too many bytes");
    return kin__block_reader_next(&file->blocks, KIN__BLOCK_LIMIT);
}

// ---- the schema

static void find_context(kin__file_reading *file, kin__reading *reading)
{
    const char *identity = kin__context_identity(reading->context->info);
    for (uint32_t i = 0; i < file->schema.context_count; i++)
        if (strcmp(file->schema.contexts[i].name, identity) == 0) {
            KIN_ASSERT(reading->file == NULL); // names of the file occur once
            reading->file = &file->schema.contexts[i];
            reading->number = i;
        }
}

// Adds the contexts of the file that a world neither has nor gives up.
static void miss_contexts(const kin__file_reading *file, kin__unfit *unfit)
{
    char name[120];
    for (uint32_t i = 0; i < file->schema.context_count; i++) {
        bool is_known = kin__is_given_up(file->package, file->schema.contexts[i].name);
        for (uint32_t k = 0; k < file->context_count; k++)
            is_known = is_known || file->contexts[k].file == &file->schema.contexts[i];
        snprintf(name, sizeof name, "the context '%.100s'", file->schema.contexts[i].name);
        if (!is_known)
            kin__unfit_add(unfit->unknown, name);
    }
}

static kin__matching matching_of(const kin__file_reading *file, const kin__reading *reading)
{
    return (kin__matching){reading->shape, file->options, reading->migrations};
}

// Matches the contexts that the file has, and then reports all that does not fit.
static bool match_contexts(kin__file_reading *file)
{
    kin__unfit unfit = {"", ""};
    bool drops_unknown = file->options != NULL && file->options->drop_unknown;
    if (file->systems != NULL && !drops_unknown)
        miss_contexts(file, &unfit);
    for (uint32_t i = 0; i < file->context_count; i++) {
        kin__reading *reading = &file->contexts[i];
        kin__matching matching = matching_of(file, reading);
        if (reading->file == NULL)
            continue;
        if (file->systems != NULL)
            reading->file->world = file->systems->world->info->shown;
        kin__file_context_match(reading->file, &matching, &unfit);
    }
    return kin__unfit_report(&unfit, file->fault, file->package, file->head.version);
}

static bool read_schema(kin__file_reading *file)
{
    if (!kin__block_reader_is(&file->blocks, "SHAP"))
        return kin__block_reader_fault(&file->blocks, 1309, "the block of names does not follow the head");
    if (!kin__file_schema_read(&file->schema, &file->blocks, &file->heap))
        return false;
    for (uint32_t i = 0; i < file->context_count; i++)
        find_context(file, &file->contexts[i]);
    if (file->systems == NULL && file->contexts[0].file == NULL)
        return kin__fault_note(file->fault, KIN_ERROR_SHAPE,
                               "it has no context '%s'; read it in one that it has [K1305]",
                               kin__context_identity(file->contexts[0].context->info));
    if (!match_contexts(file))
        return false;
    for (uint32_t i = 0; i < file->context_count; i++) {
        kin__matching matching = matching_of(file, &file->contexts[i]);
        if (file->contexts[i].file != NULL && !kin__migrating_begin(&file->contexts[i], &matching))
            return false;
    }
    return file->systems == NULL || kin__systems_match_schema(file->systems, &file->schema);
}

// ---- blocks

// Returns the reading of a context of the file; NULL if the context is passed over.
static kin__reading *reading_of(const kin__file_reading *file, uint32_t context)
{
    for (uint32_t i = 0; i < file->context_count; i++)
        if (file->contexts[i].file != NULL && file->contexts[i].number == context)
            return &file->contexts[i];
    return NULL;
}

static bool advance_to(kin__file_reading *file, uint64_t position)
{
    KIN_ASSERT(position > 0);
    if (position == file->position)
        return kin__block_reader_fault(&file->blocks, 1308, "it is there twice");
    if (position < file->position)
        return kin__block_reader_fault(&file->blocks, 1309, "it must not follow the previous block");
    file->position = position;
    return true;
}

// Whether the block comes after the last one.
static bool advance(kin__file_reading *file, uint32_t context, uint32_t section, uint64_t at)
{
    if (context >= file->schema.context_count)
        return kin__block_reader_fault(&file->blocks, 1307, "there is no context with its number");
    KIN_ASSERT(section <= SECTION_LINKS && at >> 48 == 0);
    return advance_to(file, ((uint64_t)context << 50 | (uint64_t)section << 48 | at) + 1);
}

// Reads the number of the chunk, which the context has if it is one that is read.
static bool read_chunk_number(kin__file_reading *file, kin__decoder *decoder, const kin__reading *reading,
                              uint32_t *chunk)
{
    *chunk = kin__decode_32(decoder);
    if (decoder->is_short || *chunk >= (1 << 15))
        return kin__block_reader_fault(&file->blocks, 1307, "it is of a chunk that there is not");
    if (reading == NULL)
        return true;
    if (reading->part == NULL)
        return kin__block_reader_fault(&file->blocks, 1309, "it must follow its context");
    uint32_t count = reading->part->counts.assigned_chunks;
    if (kin__block_reader_is(&file->blocks, "KEEP"))
        count = reading->chunk_count;
    return *chunk < count || kin__block_reader_fault(&file->blocks, 1307, "it is of a chunk that there is not");
}

static uint32_t peek_32(const kin__decoder *decoder)
{
    kin__decoder copy = *decoder;
    return kin__decode_32(&copy);
}

static bool read_link(kin__file_reading *file, kin__decoder *decoder, uint32_t context)
{
    uint32_t chunk;
    kin__reading *reading = reading_of(file, context);
    if (!read_chunk_number(file, decoder, reading, &chunk))
        return false;
    kin__decoder copy = *decoder;
    uint64_t component = kin__decode_32(&copy);
    uint64_t leaf = kin__decode_16(&copy);
    if (component > UINT16_MAX)
        return kin__block_reader_fault(&file->blocks, 1307, "there is no field with its number");
    if (!advance(file, context, SECTION_LINKS, component << 31 | leaf << 15 | chunk))
        return false;
    return reading == NULL || kin__links_read(reading, decoder, chunk);
}

static bool read_shared(kin__file_reading *file, kin__decoder *decoder, uint32_t context)
{
    const uint32_t row = kin__decode_32(decoder);
    const uint32_t component = peek_32(decoder);
    kin__reading *reading = reading_of(file, context);
    bool is_in_range = row < (1 << 15) && component <= UINT16_MAX;
    if (decoder->is_short || !is_in_range)
        return kin__block_reader_fault(&file->blocks, 1307, "there is no component with its number, or no such row");
    if (reading != NULL && reading->part == NULL)
        return kin__block_reader_fault(&file->blocks, 1309, "it must follow its context");
    return advance(file, context, SECTION_SHARED, (uint64_t)component << 15 | row) &&
           (reading == NULL || kin__shared_order_read(reading, decoder, row));
}

// The kinds of blocks of a chunk have the order of kin__block_kind.
static bool read_of_chunk(kin__file_reading *file, kin__decoder *decoder, uint32_t context, kin__block_kind kind,
                          bool (*read)(kin__reading *reading, kin__decoder *decoder, uint32_t chunk))
{
    uint32_t chunk;
    uint32_t component = 0;
    kin__reading *reading = reading_of(file, context);
    if (!read_chunk_number(file, decoder, reading, &chunk))
        return false;
    if (kin__block_kinds[kind].is_of_component)
        component = peek_32(decoder);
    if (component > UINT16_MAX)
        return kin__block_reader_fault(&file->blocks, 1307, "there is no component with its number");
    if (!advance(file, context, SECTION_CHUNKS,
                 (uint64_t)chunk << 18 | (uint64_t)(kind - KIN__BLOCK_SLOTS) << 16 | component))
        return false;
    return reading == NULL || read(reading, decoder, chunk);
}

static bool read_slots(kin__file_reading *file, kin__decoder *decoder, uint32_t context)
{
    return read_of_chunk(file, decoder, context, KIN__BLOCK_SLOTS, kin__slots_read);
}

static bool read_column(kin__file_reading *file, kin__decoder *decoder, uint32_t context)
{
    return read_of_chunk(file, decoder, context, KIN__BLOCK_COLUMN, kin__column_read);
}

static bool read_kept(kin__file_reading *file, kin__decoder *decoder, uint32_t context)
{
    return read_of_chunk(file, decoder, context, KIN__BLOCK_KEPT, kin__kept_read);
}

// Systems come after all contexts.
static bool read_system(kin__file_reading *file, kin__decoder *decoder)
{
    uint64_t begin = (uint64_t)file->schema.context_count << 50;
    uint64_t next = file->position + 1;
    if (file->position < begin)
        next = begin;
    if (!advance_to(file, next))
        return false;
    return file->systems == NULL || kin__system_block_read(file->systems, decoder);
}

static bool read_context(kin__file_reading *file, kin__decoder *decoder, uint32_t context)
{
    kin__reading *reading = reading_of(file, context);
    if (!advance(file, context, SECTION_CONTEXT, 0))
        return false;
    return reading == NULL || kin__context_block_read(reading, decoder);
}

typedef bool read_function(kin__file_reading *file, kin__decoder *decoder, uint32_t context);

static read_function *const readers[] = {
    [KIN__BLOCK_CONTEXT] = read_context, [KIN__BLOCK_SLOTS] = read_slots,   [KIN__BLOCK_COLUMN] = read_column,
    [KIN__BLOCK_KEPT] = read_kept,       [KIN__BLOCK_SHARED] = read_shared,
};
_Static_assert(sizeof readers / sizeof *readers == KIN__BLOCK_KINDS, "each kind of block has a reader");

static bool read_block(kin__file_reading *file)
{
    kin__block_reader *blocks = &file->blocks;
    kin__decoder decoder = kin__decoder_of(blocks);
    if (kin__block_reader_is(blocks, "SYST"))
        return read_system(file, &decoder);
    uint32_t context = kin__decode_32(&decoder);
    for (uint32_t kind = 0; kind < KIN__BLOCK_KINDS; kind++)
        if (kin__block_reader_is(blocks, kin__block_kinds[kind].letters))
            return readers[kind](file, &decoder, context);
    if (kin__block_reader_is(blocks, "LINK"))
        return read_link(file, &decoder, context);
    return kin__block_reader_fault(blocks, 1309, "it must not stand here");
}

static bool read_done(kin__file_reading *file)
{
    kin__decoder decoder = kin__decoder_of(&file->blocks);
    uint32_t count = kin__decode_32(&decoder);
    kin__decode_64(&decoder);
    if (!kin__decoder_end(&decoder, &file->blocks))
        return false;
    if (count != file->blocks.number)
        return kin__block_reader_fault(&file->blocks, 1307, "%" PRIu32 " blocks were written before it", count);
    for (uint32_t i = 0; i < file->context_count; i++)
        if (file->contexts[i].file != NULL && file->contexts[i].part == NULL)
            return kin__block_reader_fault(&file->blocks, 1309, "a context is missing");
    return true;
}

static bool read_blocks(kin__file_reading *file)
{
    while (kin__block_reader_next(&file->blocks, KIN__BLOCK_LIMIT)) {
        if (kin__block_reader_is(&file->blocks, "DONE"))
            return read_done(file);
        if (!read_block(file))
            return false;
    }
    return false;
}

// ---- all together

static size_t largest_value(const kin_context_info *info)
{
    size_t size = 1;
    for (uint32_t id = 0; id < info->component_count; id++)
        size = kin__max_size(size, info->components[id].size);
    return size;
}

bool kin__reading_take_values(kin__reading *reading)
{
    KIN_ASSERT(reading->values == NULL);
    reading->values = kin__heap_take(&reading->heap, KIN__CHUNK_SLOTS, largest_value(reading->context->info));
    return reading->values != NULL;
}

static bool prepare(kin__file_reading *file)
{
    for (uint32_t i = 0; i < file->context_count; i++) {
        kin__reading *reading = &file->contexts[i];
        const kin_context_info *info = reading->context->info;
        reading->shape = kin__shape_make(&reading->context->core->snapshot_memory, info);
        if (reading->shape == NULL)
            return kin__fault_note(file->fault, KIN_ERROR_NO_MEMORY,
                                   "no memory for its shape; free some and try again");
        if (!kin__reading_take_values(reading))
            return false;
    }
    return file->systems == NULL || kin__systems_begin(file->systems);
}

static bool check_slots(kin__file_reading *file)
{
    for (uint32_t i = 0; i < file->context_count; i++) {
        kin__reading *reading = &file->contexts[i];
        if (!kin__migrating_finish(reading))
            return false;
        if (reading->part == NULL && !kin__slots_make_empty(reading))
            return false;
        if (!kin__links_repair(reading) || !kin__slots_check(reading))
            return false;
    }
    return file->systems == NULL || kin__systems_resolve(file->systems);
}

bool kin__reading_finish(kin__reading *reading)
{
    KIN_ASSERT(reading->part != NULL && !reading->migrating.is_pending);
    bool is_linked = kin__slots_finish(reading) && kin__links_finish(reading);
    if (!is_linked || !kin__kept_finish(reading))
        return false;
    return kin__shared_values_finish(reading) && kin__keys_check(reading);
}

bool kin__reading_derive(kin__reading *reading, bool makes_links)
{
    if (makes_links && !kin__links_finish(reading))
        return false;
    return kin__shared_values_finish(reading) && kin__keys_check(reading);
}

static bool finish(kin__file_reading *file)
{
    for (uint32_t i = 0; i < file->context_count; i++)
        if (!kin__reading_finish(&file->contexts[i]))
            return false;
    return true;
}

bool kin__file_read_names(kin__file_reading *file)
{
    return read_head(file) && read_schema(file);
}

bool kin__file_read_moment(kin__file_reading *file)
{
    file->position = 0;
    return read_blocks(file) && check_slots(file) && finish(file);
}

bool kin__file_read(kin__file_reading *file)
{
    KIN_ASSERT(file->systems != NULL || file->context_count == 1);
    return prepare(file) && kin__file_read_names(file) && kin__file_read_moment(file);
}
