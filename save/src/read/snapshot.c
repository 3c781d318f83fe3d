// Reads the blocks of a file in order, and makes the checks that need all of them.
#include "snapshot/snapshot.h"
#include "frame/format.h"
#include "frame/head.h"
#include "path/file.h"
#include "read/column.h"
#include "read/kept.h"
#include "read/keys.h"
#include "read/links.h"
#include "read/migrate.h"
#include "read/shared.h"
#include "read/slots.h"
#include "report/error.h"
#include "shape/identity.h"
#include "snapshot/save.h"

#include <inttypes.h>
#include <string.h>

#define DEFAULT_LIMIT ((uint64_t)1 << 30) // bytes

static const char verb[] = "read a snapshot";

// The sections of a context, and the kinds of blocks of a chunk, in their order.
enum { SECTION_CONTEXT, SECTION_CHUNKS, SECTION_LINKS, SECTION_SYSTEMS };
enum { KIND_SLOTS, KIND_COLUMN, KIND_KEPT };

// ---- the head

static bool read_head(kin__reading *reading)
{
    const kin_package_info *package = reading->context->info->package;
    kin__head head;
    if (!kin__head_read(&reading->blocks, &head))
        return false;
    if (head.package_size != strlen(package->name) || memcmp(head.package, package->name, head.package_size) != 0)
        return kin__fault_note(reading->fault, KIN_ERROR_SHAPE, "it is of package '%.*s', not of '%s' [K1304]",
                               (int)(head.package_size < 60 ? head.package_size : 60), head.package, package->name);
    reading->version = head.version;
    if (!kin__block_reader_next(&reading->blocks, KIN__BLOCK_LIMIT))
        return false;
    if (!kin__block_reader_is(&reading->blocks, "META"))
        return true;
    if (reading->blocks.size > KIN_META_SIZE)
        return kin__block_reader_fault(&reading->blocks, 1307, "it has too many bytes");
    return kin__block_reader_next(&reading->blocks, KIN__BLOCK_LIMIT);
}

static bool read_schema(kin__reading *reading)
{
    const char *identity = kin__context_identity(reading->context->info);
    if (!kin__block_reader_is(&reading->blocks, "SHAP"))
        return kin__block_reader_fault(&reading->blocks, 1309, "the block of names does not follow the head");
    if (!kin__file_schema_read(&reading->schema, &reading->blocks, &reading->heap))
        return false;
    for (uint32_t i = 0; i < reading->schema.context_count; i++)
        if (strcmp(reading->schema.contexts[i].name, identity) == 0) {
            reading->file = &reading->schema.contexts[i];
            reading->number = i;
        }
    if (reading->file == NULL)
        return kin__fault_note(reading->fault, KIN_ERROR_SHAPE,
                               "it has no context '%s'; read it in one that it has [K1305]", identity);
    kin__matching matching = {reading->shape, reading->options, reading->migrations, reading->fault};
    return kin__file_context_match(reading->file, &matching) && kin__migrating_begin(reading, &matching);
}

// ---- blocks

// Whether the block may follow the last one; notes a fault if not.
static bool advance(kin__reading *reading, uint32_t context, uint32_t section, uint64_t at)
{
    uint64_t position = ((uint64_t)context << 50 | (uint64_t)section << 48 | at) + 1;
    if (context >= reading->schema.context_count)
        return kin__block_reader_fault(&reading->blocks, 1307, "no context has its number");
    if (position == reading->position)
        return kin__block_reader_fault(&reading->blocks, 1308, "it occurs twice");
    if (position < reading->position)
        return kin__block_reader_fault(&reading->blocks, 1309, "it must not follow the previous block");
    reading->position = position;
    return true;
}

// Reads the number of a chunk. If the context is the one that is read, it must have the chunk.
static bool read_chunk_number(kin__reading *reading, kin__decoder *decoder, uint32_t context, uint32_t *chunk)
{
    *chunk = kin__decode_32(decoder);
    if (decoder->is_short || *chunk >= (1 << 15))
        return kin__block_reader_fault(&reading->blocks, 1307, "it is of a chunk that there is not");
    if (context != reading->number)
        return true;
    if (reading->part == NULL)
        return kin__block_reader_fault(&reading->blocks, 1309, "it must follow its context");
    return *chunk < reading->part->chunk_count ||
           kin__block_reader_fault(&reading->blocks, 1307, "it is of a chunk that there is not");
}

static uint32_t peek_32(const kin__decoder *decoder)
{
    kin__decoder copy = *decoder;
    return kin__decode_32(&copy);
}

static bool read_link(kin__reading *reading, kin__decoder *decoder, uint32_t context)
{
    uint32_t chunk;
    if (!read_chunk_number(reading, decoder, context, &chunk))
        return false;
    kin__decoder copy = *decoder;
    uint64_t component = kin__decode_32(&copy), leaf = kin__decode_16(&copy);
    if (component > UINT16_MAX)
        return kin__block_reader_fault(&reading->blocks, 1307, "no field has its number");
    if (!advance(reading, context, SECTION_LINKS, component << 31 | leaf << 15 | chunk))
        return false;
    return context != reading->number || kin__links_read(reading, decoder, chunk);
}

static bool read_of_chunk(kin__reading *reading, kin__decoder *decoder, uint32_t context, uint32_t kind)
{
    uint32_t chunk, component = 0;
    if (!read_chunk_number(reading, decoder, context, &chunk))
        return false;
    if (kind != KIND_SLOTS)
        component = peek_32(decoder);
    if (component > UINT16_MAX)
        return kin__block_reader_fault(&reading->blocks, 1307, "no component has its number");
    if (!advance(reading, context, SECTION_CHUNKS, (uint64_t)chunk << 18 | (uint64_t)kind << 16 | component))
        return false;
    if (context != reading->number)
        return true;
    return kind == KIND_SLOTS    ? kin__slots_read(reading, decoder, chunk)
           : kind == KIND_COLUMN ? kin__column_read(reading, decoder, chunk)
                                 : kin__kept_read(reading, decoder, chunk);
}

// Reads a block of a context. Skips other contexts, and systems.
static bool read_block(kin__reading *reading)
{
    kin__block_reader *blocks = &reading->blocks;
    kin__decoder decoder = kin__decoder_of(blocks);
    if (kin__block_reader_is(blocks, "SYST"))
        return true;
    uint32_t context = kin__decode_32(&decoder);
    if (kin__block_reader_is(blocks, "CTXT"))
        return advance(reading, context, SECTION_CONTEXT, 0) &&
               (context != reading->number || kin__context_block_read(reading, &decoder));
    if (kin__block_reader_is(blocks, "SLOT"))
        return read_of_chunk(reading, &decoder, context, KIND_SLOTS);
    if (kin__block_reader_is(blocks, "COLM"))
        return read_of_chunk(reading, &decoder, context, KIND_COLUMN);
    if (kin__block_reader_is(blocks, "KEEP"))
        return read_of_chunk(reading, &decoder, context, KIND_KEPT);
    if (kin__block_reader_is(blocks, "LINK"))
        return read_link(reading, &decoder, context);
    return kin__block_reader_fault(blocks, 1309, "it is not allowed here");
}

static bool read_blocks(kin__reading *reading)
{
    while (kin__block_reader_next(&reading->blocks, KIN__BLOCK_LIMIT)) {
        if (!kin__block_reader_is(&reading->blocks, "DONE")) {
            if (!read_block(reading))
                return false;
            continue;
        }
        kin__decoder decoder = kin__decoder_of(&reading->blocks);
        uint32_t count = kin__decode_32(&decoder);
        kin__decode_64(&decoder);
        if (!kin__decoder_end(&decoder, &reading->blocks))
            return false;
        if (count != reading->blocks.number)
            return kin__block_reader_fault(&reading->blocks, 1307, "%" PRIu32 " blocks were written before it", count);
        return reading->part != NULL || kin__block_reader_fault(&reading->blocks, 1309, "a context is missing");
    }
    return false;
}

// ---- the whole file

static size_t largest_value(const kin_context_info *info)
{
    size_t size = 1;
    for (uint32_t id = 0; id < info->component_count; id++)
        size = info->components[id].size > size ? info->components[id].size : size;
    return size;
}

static bool prepare(kin__reading *reading)
{
    kin_context *context = reading->context;
    kin__shape *shape = kin__shape_make(&context->core->snapshot_memory, context->info);
    reading->shape = shape;
    if (shape == NULL)
        return kin__fault_note(reading->fault, KIN_ERROR_NO_MEMORY, "no memory for its shape; free some and try again");
    reading->values = kin__heap_take(&reading->heap, KIN__CHUNK_SLOTS, largest_value(context->info));
    return reading->values != NULL;
}

static bool read_all(kin__reading *reading)
{
    return prepare(reading) && read_head(reading) && read_schema(reading) && read_blocks(reading) &&
           kin__migrating_finish(reading) && kin__slots_finish(reading) && kin__links_finish(reading) &&
           kin__kept_finish(reading) && kin__shared_values_finish(reading) && kin__keys_check(reading);
}

// Where a reading comes from, and where it goes to.
typedef struct request {
    kin_snapshot **snapshot;
    kin_source source;
    const kin_read_options *options;
    kin_read_report *report; // NULL: not asked for
    const kin__migrations *migrations;
} request;

static void read_from(kin_context *context, const request *request, kin__fault *fault)
{
    kin__memory *memory = &context->core->snapshot_memory;
    const kin_read_options *options = request->options;
    kin__input input;
    kin__reading reading = {.context = context, .options = options, .migrations = request->migrations, .fault = fault};
    reading.heap = reading.value_heap = (kin__heap){.memory = memory, .fault = fault};
    kin__block_reader_begin(&reading.blocks, &input);
    uint64_t limit = options == NULL || options->max_bytes == 0 ? DEFAULT_LIMIT : options->max_bytes;
    bool is_read =
        kin__input_begin(&input, request->source, limit, fault) && read_all(&reading) && kin__input_is_over(&input);
    kin__migrating_end(&reading);
    if (is_read && !kin__snapshot_put(request->snapshot, memory, &reading.part, 1))
        is_read = kin__fault_note(fault, KIN_ERROR_NO_MEMORY, "no memory for a snapshot; free some and try again");
    if (!is_read)
        kin__part_release(reading.part);
    else if (request->report != NULL)
        *request->report = reading.report;
    kin__block_reader_end(&reading.blocks);
    kin__input_end(&input);
    kin__heap_release(&reading.value_heap);
    kin__heap_release(&reading.heap);
    kin__shape_release(memory, (kin__shape *)(uintptr_t)reading.shape);
}

static kin_status report_fault(const kin_context *context, const kin__fault *fault)
{
    kin__attempt attempt = {.verb = verb, .reason = fault->text};
    return fault->status == KIN_OK ? KIN_OK : kin__report_error(context, fault->status, &attempt);
}

kin_status kin__context_read(kin_context *context, kin_snapshot **snapshot, kin_source source,
                             const kin_read_options *options, kin_read_report *report,
                             const kin__migrations *migrations)
{
    kin__fault fault = {KIN_OK, ""};
    request request = {snapshot, source, options, report, migrations};
    kin_status status = kin__context_may_save(context, verb);
    if (status != KIN_OK)
        return status;
    if (snapshot == NULL || source.read == NULL)
        kin__fault_note(&fault, KIN_ERROR_INVALID,
                        "an argument is NULL; pass the address of a snapshot pointer, and a source");
    else
        read_from(context, &request, &fault);
    return report_fault(context, &fault);
}

kin_status kin__context_read_path(kin_context *context, kin_snapshot **snapshot, const char *path,
                                  const kin_read_options *options, kin_read_report *report,
                                  const kin__migrations *migrations)
{
    kin__fault fault = {KIN_OK, ""}, of_file = {KIN_OK, ""};
    kin__read_file file;
    kin_status status = kin__context_may_save(context, verb);
    if (status != KIN_OK)
        return status;
    if (snapshot == NULL || path == NULL) {
        kin__fault_note(&fault, KIN_ERROR_INVALID,
                        "an argument is NULL; pass the address of a snapshot pointer, and a path");
    } else if (kin__read_file_begin(&file, path, &of_file)) {
        request request = {snapshot, kin__read_file_source(&file), options, report, migrations};
        read_from(context, &request, &fault);
        kin__read_file_end(&file);
    }
    return report_fault(context, of_file.status != KIN_OK ? &of_file : &fault);
}

kin_status kin_context_read(kin_context *context, kin_snapshot **snapshot, kin_source source,
                            const kin_read_options *options, kin_read_report *report)
{
    return kin__context_read(context, snapshot, source, options, report, NULL);
}

kin_status kin_context_read_path(kin_context *context, kin_snapshot **snapshot, const char *path,
                                 const kin_read_options *options, kin_read_report *report)
{
    return kin__context_read_path(context, snapshot, path, options, report, NULL);
}
