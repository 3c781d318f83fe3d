#include "reading/internal.h"

#include "world/world.h"

#include <stdio.h>
#include <string.h>

// Reading: the calls of contexts and worlds.

#define DEFAULT_LIMIT ((uint64_t)1 << 30) // bytes

static const char verb[] = "read a snapshot", world_verb[] = "read a snapshot of the world";

// Where a reading comes from, and where it goes to.
typedef struct request {
    kin_snapshot **snapshot;
    kin_source source;
    const kin_read_options *options;
    kin_read_report *report; // or NULL
    const kin__migrations *migrations;
    kin__asking *asking; // NULL if the source cannot begin again
} request;

// ---- reading

static kin__reading begin_context(kin__file_reading *file, kin_context *context, const request *request)
{
    kin__heap heap = {.memory = &context->core->snapshot_memory, .fault = file->fault};
    return (kin__reading){.context = context,
                          .options = request->options,
                          .migrations = request->migrations,
                          .asking = request->asking,
                          .blocks = &file->blocks,
                          .fault = file->fault,
                          .heap = heap,
                          .value_heap = heap,
                          .has_systems = file->systems != NULL};
}

static bool read_source(kin__file_reading *file, const request *request)
{
    const kin_read_options *options = request->options;
    uint64_t limit = DEFAULT_LIMIT;
    if (options != NULL && options->max_bytes != 0)
        limit = options->max_bytes;
    kin__input input;
    kin__block_reader_begin(&file->blocks, &input);
    bool is_read = kin__input_begin(&input, request->source, limit, file->fault) && kin__file_read(file);
    if (is_read && !file->head.is_recording) // frames of a recording follow its first moment
        is_read = kin__input_is_over(&input);
    kin__block_reader_end(&file->blocks);
    kin__input_end(&input);
    return is_read;
}

static void fill_report(const kin__file_reading *file, kin_read_report *report)
{
    kin_read_report sum = {0};
    for (uint32_t i = 0; i < file->context_count; i++) {
        const kin_read_report *each = &file->contexts[i].report;
        sum.entities += each->entities;
        sum.converted += each->converted;
        sum.defaulted += each->defaulted;
        sum.dropped += each->dropped;
        sum.migrated += each->migrated;
    }
    if (report != NULL)
        *report = sum;
}

// Releases what the reading of a context has, also the part unless it was put into a snapshot.
static void end_context(kin__reading *reading, bool is_put)
{
    kin__migrating_end(reading);
    kin__kept_end(reading);
    if (!is_put)
        kin__part_release(reading->part);
    kin__heap_release(&reading->value_heap);
    kin__heap_release(&reading->heap);
    kin__shape_release(&reading->context->core->snapshot_memory, (kin__shape *)(uintptr_t)reading->shape);
}

// ---- contexts

static void read_context(kin_context *context, const request *request, kin__fault *fault)
{
    kin__memory *memory = &context->core->snapshot_memory;
    kin__file_reading file = {.options = request->options, .package = context->info->package, .fault = fault};
    kin__reading reading = begin_context(&file, context, request);
    file.heap = (kin__heap){.memory = memory, .fault = fault};
    file.contexts = &reading;
    file.context_count = 1;
    bool is_read = read_source(&file, request);
    if (is_read && !kin__snapshot_put(request->snapshot, memory, &reading.part, 1))
        is_read = kin__fault_note(fault, KIN_ERROR_NO_MEMORY, "no memory for a snapshot; free some and try again");
    if (is_read)
        fill_report(&file, request->report);
    end_context(&reading, is_read);
    kin__heap_release(&file.heap);
}

// ---- worlds

// Makes the readings of all contexts that are saved. False, with a fault noted, when out of memory.
static bool begin_world(kin__file_reading *file, kin__world *world, const request *request)
{
    file->contexts = kin__heap_take(&file->heap, world->info->context_count, sizeof *file->contexts);
    for (uint32_t i = 0; file->contexts != NULL && i < world->info->context_count; i++)
        if (kin__context_is_saved(world->contexts[i]))
            file->contexts[file->context_count++] = begin_context(file, world->contexts[i], request);
    if (file->contexts == NULL)
        return false;
    file->systems->contexts = file->contexts;
    file->systems->context_count = file->context_count;
    return kin__array_reserve_pointers(&world->memory, &world->parts, file->context_count) ||
           kin__fault_note(file->fault, KIN_ERROR_NO_MEMORY, "no memory for its contexts; free some and try again");
}

// Puts all parts and the state of the systems into the snapshot; the parts then belong to it. When out of memory,
// which is false, all parts have been released.
static bool put_world(kin__file_reading *file, kin__world *world, kin_snapshot **snapshot)
{
    size_t size = kin__systems_write_state(file->systems, NULL);
    KIN_ASSERT(size >= sizeof(kin__saved_world));
    world->part_count = file->context_count;
    if (kin__world_snapshot_reserve(world, *snapshot, size)) {
        for (uint32_t i = 0; i < file->context_count; i++) {
            ((kin__context_snapshot **)world->parts.elements)[i] = file->contexts[i].part;
            file->contexts[i].part = NULL;
        }
        if (kin__world_snapshot_put(world, snapshot, size)) {
            size_t written = kin__systems_write_state(file->systems, *snapshot);
            KIN_ASSERT(written == size);
            (void)written;
            kin__world_snapshot_end(world, *snapshot, size);
            return true;
        }
    }
    return kin__fault_note(file->fault, KIN_ERROR_NO_MEMORY, "no memory for a snapshot; free some and try again");
}

static void read_world(kin__world *world, const request *request, kin__fault *fault)
{
    kin__file_reading file = {
        .options = request->options, .package = world->contexts[0]->info->package, .fault = fault};
    kin__systems_reading systems = {.world = world, .blocks = &file.blocks, .fault = fault};
    file.systems = &systems;
    file.heap = systems.heap = (kin__heap){.memory = &world->memory, .fault = fault};
    bool is_read = begin_world(&file, world, request) && read_source(&file, request);
    if (is_read) {
        is_read = put_world(&file, world, request->snapshot);
        if (is_read)
            fill_report(&file, request->report);
    }
    for (uint32_t i = 0; i < file.context_count; i++)
        end_context(&file.contexts[i], is_read);
    kin__systems_end(&systems);
    kin__heap_release(&file.heap);
}

// ---- calls

typedef void read_call(void *object, const request *request, kin__fault *fault);

static void call_context(void *object, const request *request, kin__fault *fault)
{
    read_context(object, request, fault);
}

static void call_world(void *object, const request *request, kin__fault *fault)
{
    read_world(object, request, fault);
}

// Reads the source a second time if migrations are to be asked about values that turned out not to meet a condition.
static void read_and_ask(read_call *call, void *object, const request *of, kin__fault *fault)
{
    kin__asking asking = {false, false};
    request request = *of;
    request.asking = NULL;
    if (request.source.begin_again != NULL)
        request.asking = &asking;
    call(object, &request, fault);
    if (!asking.is_wanted || fault->status != KIN_OK)
        return;
    asking = (kin__asking){.is_asked = true};
    if (request.source.begin_again(request.source.user))
        call(object, &request, fault);
    else
        kin__fault_note(fault, KIN_ERROR_STREAM, "the source could not begin again, for its migrations");
}

static void read_from(read_call *call, void *object, const request *request, kin__fault *fault)
{
    if (request->snapshot == NULL || request->source.read == NULL)
        kin__fault_note(fault, KIN_ERROR_INVALID, "an argument is NULL; pass where the snapshot goes to, and a source");
    else
        read_and_ask(call, object, request, fault);
}

// Begins the text of a fault with the path, if both fit: the game may have read several files.
static void name_path(kin__fault *fault, const char *path)
{
    char text[KIN__FAULT_SIZE];
    if (fault->status != KIN_ERROR_CORRUPT && fault->status != KIN_ERROR_SHAPE)
        return;
    int length = snprintf(text, sizeof text, "'%s': %s", path, fault->text);
    if (length > 0 && (size_t)length < sizeof text)
        memcpy(fault->text, text, (size_t)length + 1);
}

// The fault of the file, if there is one, is the reason of any other.
static void read_path(read_call *call, void *object, request *request, const char *path, kin__fault *fault)
{
    kin__fault of_file = {KIN_OK, ""};
    kin__read_file file;
    if (request->snapshot == NULL || path == NULL) {
        kin__fault_note(fault, KIN_ERROR_INVALID, "an argument is NULL; pass where the snapshot goes to, and a path");
    } else if (kin__read_file_begin(&file, path, &of_file)) {
        request->source = kin__read_file_source(&file);
        read_and_ask(call, object, request, fault);
        kin__read_file_end(&file);
        name_path(fault, path);
    }
    if (of_file.status != KIN_OK)
        *fault = of_file;
}

static kin_status report_of_context(const kin_context *context, const kin__fault *fault)
{
    kin__attempt attempt = {.verb = verb, .reason = fault->text};
    if (fault->status == KIN_OK)
        return KIN_OK;
    return kin__report_error(context, fault->status, &attempt);
}

static kin_status report_of_world(const kin__world *world, const kin__fault *fault)
{
    if (fault->status == KIN_OK)
        return KIN_OK;
    return kin__world_refuse(world, fault->status, world_verb, fault->text);
}

kin_status kin__context_read(kin_context *context, kin_snapshot **snapshot, kin_source source,
                             const kin_read_options *options, kin_read_report *report,
                             const kin__migrations *migrations)
{
    kin__fault fault = {KIN_OK, ""};
    request request = {snapshot, source, options, report, migrations, NULL};
    kin_status status = kin__context_may_save(context, verb);
    if (status != KIN_OK)
        return status;
    read_from(call_context, context, &request, &fault);
    return report_of_context(context, &fault);
}

kin_status kin__context_read_path(kin_context *context, kin_snapshot **snapshot, const char *path,
                                  const kin_read_options *options, kin_read_report *report,
                                  const kin__migrations *migrations)
{
    kin__fault fault = {KIN_OK, ""};
    request request = {snapshot, {NULL, NULL, NULL}, options, report, migrations, NULL};
    kin_status status = kin__context_may_save(context, verb);
    if (status != KIN_OK)
        return status;
    read_path(call_context, context, &request, path, &fault);
    return report_of_context(context, &fault);
}

kin_status kin__world_read(kin_world *world, kin_snapshot **snapshot, kin_source source,
                           const kin_read_options *options, kin_read_report *report, const kin__migrations *migrations)
{
    kin__fault fault = {KIN_OK, ""};
    request request = {snapshot, source, options, report, migrations, NULL};
    if (!kin__world_may_save(world, world_verb))
        return KIN_ERROR_INVALID;
    read_from(call_world, world, &request, &fault);
    return report_of_world(world, &fault);
}

kin_status kin__world_read_path(kin_world *world, kin_snapshot **snapshot, const char *path,
                                const kin_read_options *options, kin_read_report *report,
                                const kin__migrations *migrations)
{
    kin__fault fault = {KIN_OK, ""};
    request request = {snapshot, {NULL, NULL, NULL}, options, report, migrations, NULL};
    if (!kin__world_may_save(world, world_verb))
        return KIN_ERROR_INVALID;
    read_path(call_world, world, &request, path, &fault);
    return report_of_world(world, &fault);
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

kin_status kin_world_read(kin_world *world, kin_snapshot **snapshot, kin_source source, const kin_read_options *options,
                          kin_read_report *report)
{
    return kin__world_read(world, snapshot, source, options, report, NULL);
}

kin_status kin_world_read_path(kin_world *world, kin_snapshot **snapshot, const char *path,
                               const kin_read_options *options, kin_read_report *report)
{
    return kin__world_read_path(world, snapshot, path, options, report, NULL);
}
