// journal.start, .stop and .read: what changed a context, and by which system.

#include "method/methods.h"
#include "method/record.h"
#include "host/host.h"

#include <stdio.h>
#include <string.h>

enum {
    LEAST = 4096,
    MOST = 16 * 1024 * 1024,
    STANDARD = 4 * 1024 * 1024,
    MOST_RECORDS = 1000,
    SYSTEM = 96,
    RECORDS_OF_A_SLICE = 256,
    PLACE = sizeof(kin_record) + 2 * KIN_RECORD_VALUE // of a record with its values
};

// ---- starting and stopping

typedef struct start_task {
    kin__notes *made;
    kin__notes_spec spec;
    bool is_taken; // the memory of the spec belongs to the notes
} start_task;

static bool parse_component(kin__task *task, kin__notes_spec *spec, const json_t *name)
{
    if (!json_is_string(name) || spec->component_count == KIN__MAX_WATCHES)
        return kin__task_fail(task, KIN__CODE_PARAMETERS, "'components' has up to %d names", KIN__MAX_WATCHES);
    kin_component_id *id = &spec->components[spec->component_count];
    if (!kin__find_component(task, json_string_value(name), id))
        return false;
    for (uint32_t i = 0; i < spec->component_count; i++)
        if (spec->components[i] == *id)
            return true;
    spec->component_count++;
    return true;
}

static bool parse_components(kin__task *task, kin__notes_spec *spec)
{
    const json_t *names = kin__parameter_any(task, "components");
    spec->lives = kin__parameter_bool(task, "lives");
    spec->all_components = names == NULL && !spec->lives;
    spec->lives = spec->lives || spec->all_components;
    for (size_t i = 0; i < json_array_size(names); i++)
        if (!parse_component(task, spec, json_array_get(names, i)))
            return false;
    return true;
}

static bool make_notes(kin__task *task, kin__notes **made)
{
    *made = kin__notes_make(task->site, &task->service->heap);
    return *made != NULL || kin__task_fail(task, KIN__CODE_LIMIT, "the inspector has no memory left");
}

static bool parse_start(kin__task *task)
{
    json_int_t size = STANDARD;
    if (!kin__parameter_context(task) || !kin__task_make_data(task, sizeof(start_task)) ||
        !kin__parameter_integer(task, "bytes", LEAST, MOST, &size))
        return false;
    start_task *data = task->data;
    if (kin__parameter_text(task, "entity") != NULL && !kin__parameter_entity(task, "entity", &data->spec.entity))
        return false;
    data->spec.is_pinned = kin__parameter_bool(task, "pinned");
    if (!parse_components(task, &data->spec) || !make_notes(task, &data->made))
        return false;
    data->spec.size = (size_t)size / 8 * 8;
    data->spec.memory = kin__bounded_allocate(&task->service->heap, data->spec.size);
    return data->spec.memory != NULL || kin__task_fail(task, KIN__CODE_LIMIT, "the inspector has no memory left");
}

static void release_start(kin__task *task)
{
    start_task *data = task->data;
    if (data == NULL)
        return;
    kin__notes_release(data->made);
    if (!data->is_taken)
        kin__bounded_release(&task->service->heap, data->spec.memory, data->spec.size);
}

static bool step_start(kin__task *task, const kin__slice *slice)
{
    start_task *data = task->data;
    (void)slice;
    if (kin__notes_install(task->site, data->made))
        data->made = NULL;
    data->is_taken = kin__notes_start(task->site->notes, &data->spec);
    if (!data->is_taken)
        kin__task_fail(task, KIN__CODE_LIMIT, "the calls of the systems cannot be followed: no memory is left");
    return true;
}

static void show_start(const kin__task *task, kin__json *json)
{
    const start_task *data = task->data;
    kin__json_begin(json, '{');
    kin__json_put_natural(json, "frame", task->frame);
    kin__json_put_natural(json, "bytes", data->spec.size);
    kin__json_put_bool(json, "lives", data->spec.lives);
    kin__json_put_bool(json, "all_components", data->spec.all_components);
    kin__json_end(json, '}');
}

static bool parse_stop(kin__task *task)
{
    return kin__parameter_context(task);
}

static bool step_stop(kin__task *task, const kin__slice *slice)
{
    (void)slice;
    if (task->site->notes != NULL)
        kin__notes_stop(task->site->notes);
    return true;
}

static void show_stop(const kin__task *task, kin__json *json)
{
    kin__json_begin(json, '{');
    kin__json_put_natural(json, "frame", task->frame);
    kin__json_end(json, '}');
}

// ---- reading

typedef struct read_task {
    // filters
    bool has_component, has_kind, has_after;
    kin_component_id component;
    uint8_t kind;
    char system[SYSTEM]; // "": any
    json_int_t limit;
    uint64_t after; // the number of the first record
    // results
    uint64_t lost, first, next;
    uint32_t there;
    uint64_t count; // of those that were wanted; record n is in place n % limit
    char *places;   // in the capture
    // between slices
    uint64_t end;         // the number of the record after the last one that is looked at
    const kin_record *at; // the last one that was looked at; valid while the ring has its number. NULL: none
    uint64_t at_number;
} read_task;

static bool parse_filters(kin__task *task, read_task *data)
{
    const char *kind = kin__parameter_text(task, "kind"), *system = kin__parameter_text(task, "system");
    if (kin__parameter_text(task, "entity") != NULL && !kin__parameter_entity(task, "entity", &task->entity))
        return false;
    data->has_component = kin__parameter_text(task, "component") != NULL;
    if (data->has_component && !kin__parameter_component(task, "component", &data->component))
        return false;
    data->has_kind = kind != NULL;
    if (system != NULL)
        snprintf(data->system, sizeof data->system, "%s", system);
    return kind == NULL || kin__find_record_kind(kind, &data->kind) ||
           kin__task_fail(task, KIN__CODE_PARAMETERS,
                          "'kind' must be created, destroyed, added, removed, replaced, touched or written");
}

static bool parse_read(kin__task *task)
{
    if (!kin__parameter_context(task) || !kin__task_make_data(task, sizeof(read_task)))
        return false;
    read_task *data = task->data;
    data->limit = 100;
    return kin__parameter_integer(task, "limit", 1, MOST_RECORDS, &data->limit) &&
           kin__parameter_after(task, &data->after, &data->has_after) && parse_filters(task, data) &&
           kin__task_make_capture(task, (size_t)data->limit * PLACE + 16, 0);
}

static bool is_wanted(const kin__task *task, const kin_record *record)
{
    const read_task *data = task->data;
    kin_entity noted = task->site->notes->wanted_entity; // watches and audits note others, too
    return record->number >= data->after && (task->entity == 0 || record->entity == task->entity) &&
           (noted == 0 || record->entity == noted) && (!data->has_component || record->component == data->component) &&
           (!data->has_kind || record->kind == data->kind) &&
           (data->system[0] == '\0' || strcmp(kin__record_system(task->site, record), data->system) == 0);
}

static const kin_record *record_at(const read_task *data, uint64_t n)
{
    return (const kin_record *)(const void *)(data->places + n % (uint64_t)data->limit * PLACE);
}

// Keeps a copy: the game may overwrite the record before the next slice.
static void keep_record(read_task *data, const kin_record *record)
{
    size_t size = sizeof *record + (((size_t)record->previous_size + 7) & ~(size_t)7) + record->value_size;
    memcpy(data->places + data->count % (uint64_t)data->limit * PLACE, record, size);
    data->count++;
}

static bool begin_read(kin__task *task, const kin_journal *journal)
{
    read_task *data = task->data;
    kin__notes_compare(task->site->notes);
    data->lost = journal->lost;
    data->first = journal->next_number - journal->count;
    data->there = journal->count;
    data->next = data->end = journal->next_number;
    data->places = kin__capture_reserve(&task->capture, (size_t)data->limit * PLACE);
    return data->places != NULL;
}

// Returns the record after those that were looked at. Those that the game has overwritten meanwhile are passed over.
static const kin_record *go_on(const read_task *data, const kin_journal *journal)
{
    bool is_there = data->at != NULL && data->at_number >= journal->next_number - journal->count;
    return kin_journal_next(journal, is_there ? data->at : NULL);
}

// With `after` the first records, without it the newest ones.
static bool step_read(kin__task *task, const kin__slice *slice)
{
    read_task *data = task->data;
    if (task->site->notes == NULL || !task->site->notes->is_on) {
        kin__task_fail(task, KIN__CODE_NOT_RECORDING, "%s has no journal; journal.start begins one", task->site->name);
        return true;
    }
    const kin_journal *journal = &task->site->notes->journal;
    if (data->places == NULL && !begin_read(task, journal))
        return true;
    const kin_record *record = go_on(data, journal);
    for (uint32_t n = 1; record != NULL && record->number < data->end; n++) {
        data->at = record;
        data->at_number = record->number;
        if (is_wanted(task, record)) {
            if (data->has_after && data->count == (uint64_t)data->limit) {
                data->next = record->number;
                return true;
            }
            keep_record(data, record);
        }
        record = kin_journal_next(journal, record);
        if (n % RECORDS_OF_A_SLICE == 0 && kin__inspect_now() >= slice->deadline)
            return false;
    }
    return true;
}

static void show_values(kin__json *json, const kin__site *site, const kin_record *record)
{
    if (record->component >= site->info->component_count)
        return;
    const kin_component_info *info = &site->info->components[record->component];
    kin__show_known(json, "was", info, kin_record_previous(record), record->previous_size);
    kin__show_known(json, "is", info, kin_record_value(record), record->value_size);
}

static void show_read(const kin__task *task, kin__json *json)
{
    const read_task *data = task->data;
    kin__json_begin(json, '{');
    kin__task_show_frame(task, json);
    kin__json_put_natural(json, "lost", data->lost);
    kin__json_put_natural(json, "count", data->there);
    kin__json_key(json, "first");
    kin__json_natural_digits(json, data->first);
    kin__json_key(json, "next");
    kin__json_natural_digits(json, data->next);
    kin__json_key(json, "records");
    kin__json_begin(json, '[');
    uint64_t kept = data->count < (uint64_t)data->limit ? data->count : (uint64_t)data->limit;
    for (uint64_t n = data->count - kept; n < data->count; n++) {
        const kin_record *record = record_at(data, n);
        kin__json_begin(json, '{');
        kin__show_record(json, task->site, record);
        show_values(json, task->site, record);
        kin__json_end(json, '}');
    }
    kin__json_end(json, ']');
    kin__json_end(json, '}');
}

const kin__method kin__method_journal_start = {
    .name = "journal.start",
    .doc =
        "Notes changes of the context from now on, instead of those of an earlier journal: what a parameter names, or "
        "everything. It ends when no viewer has asked for anything for ten seconds, unless it is pinned.",
    .result = "frame, bytes, lives, all_components",
    .writes = true,
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"components", "array", false, "names of components"},
                   {"lives", "boolean", false, "notes created and destroyed entities"},
                   {"entity", "string", false, "notes this one alone"},
                   {"bytes", "integer", false, "of the ring, 4096 to 16777216; 4194304 without it"},
                   {"pinned", "boolean", false, "goes on without a viewer"}},
    .parse = parse_start,
    .step = step_start,
    .show = show_start,
    .release = release_start,
};

const kin__method kin__method_journal_stop = {
    .name = "journal.stop",
    .is_once = true,
    .doc = "Ends the journal of the context, and forgets its records.",
    .result = "frame",
    .parameters = {KIN__CONTEXT_PARAMETER},
    .parse = parse_stop,
    .step = step_stop,
    .show = show_stop,
};

const kin__method kin__method_journal_read = {
    .name = "journal.read",
    .doc = "Records of the journal in order: what was created, destroyed, added, removed, replaced or touched, or "
           "written in place where a watch has found that. Without 'after' the newest ones.",
    .result = "frame, lost, count, first: the oldest record kept, next, records of n, frame, step, system, role, kind, "
              "e, component, was and is",
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"entity", "string", false, "of this one alone"},
                   {"component", "string", false, "of this one alone"},
                   {"system", "string", false, "by this one alone; 'outside' and 'inspector' are names, too"},
                   {"kind", "string", false, "of this kind alone"},
                   {"after", "string", false, "'next' of an earlier answer"},
                   {"limit", "integer", false, "1 to 1000; 100 without it"}},
    .parse = parse_read,
    .step = step_read,
    .show = show_read,
};
