// audit.start, .stop and .read: what each system wrote in place in a column, and whether its schema says so.

#include "method/methods.h"
#include "method/record.h"
#include "site/audits.h"
#include "host/host.h"

#include <inttypes.h>
#include <string.h>

enum { LEAST = 4096, MOST = 16 * 1024 * 1024, STANDARD = 4 * 1024 * 1024 };

// ---- starting and stopping

typedef struct start_task {
    kin__notes *made;
    kin__audit *audit; // NULL: the notes own it
    void *ring;        // NULL: so do they
    bool is_pinned;
    uint32_t number;
    json_int_t wanted, bytes;
} start_task;

static bool check_component(kin__task *task, kin_component_id id)
{
    const kin_component_info *info = &task->site->info->components[id];
    if (info->size == 0)
        return kin__task_fail(task, KIN__CODE_PARAMETERS, "%s is a flag: it has no value that could be written",
                              info->name);
    if (info->is_soa && info->size > KIN__AUDITED_SOA)
        return kin__task_fail(task, KIN__CODE_LIMIT, "an audit compares values of at most %d bytes with layout: soa",
                              KIN__AUDITED_SOA);
    return true;
}

static bool make_audit(kin__task *task, start_task *data, kin_component_id id)
{
    kin__bounded_heap *heap = &task->service->heap;
    data->made = kin__notes_make(task->site, heap);
    data->audit = kin__audit_make(heap, task->site, id, (size_t)data->bytes);
    data->ring = kin__bounded_allocate(heap, KIN__AUDIT_RING);
    return (data->made != NULL && data->audit != NULL && data->ring != NULL) ||
           kin__task_fail(task, KIN__CODE_LIMIT,
                          "the inspector has no memory left for a copy of the column; give fewer 'bytes', or raise "
                          "its limit");
}

static bool parse_start(kin__task *task)
{
    kin_component_id id;
    if (!kin__parameter_context(task) || !kin__task_make_data(task, sizeof(start_task)) ||
        !kin__parameter_component(task, "component", &id) || !check_component(task, id))
        return false;
    start_task *data = task->data;
    data->bytes = STANDARD;
    data->is_pinned = kin__parameter_bool(task, "pinned");
    return kin__parameter_integer(task, "bytes", LEAST, MOST, &data->bytes) && make_audit(task, data, id);
}

static void release_start(kin__task *task)
{
    start_task *data = task->data;
    if (data == NULL)
        return;
    kin__notes_release(data->made);
    kin__audit_destroy(&task->service->heap, data->audit);
    kin__bounded_release(&task->service->heap, data->ring, KIN__AUDIT_RING);
}

static bool step_start(kin__task *task, const kin__slice *slice)
{
    start_task *data = task->data;
    size_t needed = kin__audit_needs(data->audit, task->site->context);
    (void)slice;
    if (needed > (size_t)data->bytes) {
        kin__task_fail(task, KIN__CODE_LIMIT,
                       "a copy of the column of %s needs %zu bytes; raise 'bytes', which is %" JSON_INTEGER_FORMAT
                       ", up to %d",
                       data->audit->info->name, needed, data->bytes, MOST);
        return true;
    }
    if (kin__notes_install(task->site, data->made))
        data->made = NULL;
    data->number = kin__notes_audit(task->site->notes, data->audit, &data->ring, data->is_pinned);
    if (data->number == 0)
        kin__task_fail(task, KIN__CODE_LIMIT, "a context has at most %d audits; stop one", KIN__MAX_AUDITS);
    else
        data->audit = NULL;
    return true;
}

static void show_number(const kin__task *task, kin__json *json)
{
    const start_task *data = task->data;
    kin__json_begin(json, '{');
    kin__json_put_natural(json, "frame", task->frame);
    kin__json_put_natural(json, "audit", data->number);
    kin__json_end(json, '}');
}

static bool parse_stop(kin__task *task)
{
    return kin__parameter_context(task) && kin__task_make_data(task, sizeof(start_task)) &&
           kin__parameter_integer(task, "audit", 1, UINT32_MAX, &((start_task *)task->data)->wanted);
}

static bool step_stop(kin__task *task, const kin__slice *slice)
{
    start_task *data = task->data;
    (void)slice;
    data->number = (uint32_t)data->wanted;
    if (task->site->notes == NULL || !kin__notes_end_audit(task->site->notes, data->number))
        kin__task_fail(task, KIN__CODE_PARAMETERS, "there is no such audit; audit.read has them");
    return true;
}

// ---- reading

typedef struct read_task {
    json_int_t wanted; // 0: all
    uint32_t count;
    kin__audit *audits[KIN__MAX_AUDITS]; // in the capture, without the copy
    uint32_t compared[KIN__MAX_AUDITS], slots;
} read_task;

static bool parse_read(kin__task *task)
{
    return kin__parameter_context(task) && kin__task_make_data(task, sizeof(read_task)) &&
           kin__parameter_integer(task, "audit", 1, UINT32_MAX, &((read_task *)task->data)->wanted) &&
           kin__task_make_capture(task, KIN__MAX_AUDITS * (sizeof(kin__audit) + 16), 0);
}

static bool step_read(kin__task *task, const kin__slice *slice)
{
    read_task *data = task->data;
    kin__notes *notes = task->site->notes;
    (void)slice;
    if (notes == NULL || notes->audit_count == 0) {
        kin__task_fail(task, KIN__CODE_NOT_RECORDING, "%s has no audit; audit.start begins one", task->site->name);
        return true;
    }
    kin__notes_compare(notes);
    data->slots = 64 * kin_look_words(task->site->context);
    for (uint32_t i = 0; i < KIN__MAX_AUDITS; i++) {
        const kin__audit *audit = notes->audits[i];
        if (audit == NULL || (data->wanted != 0 && data->wanted != audit->number))
            continue;
        size_t size = offsetof(kin__audit, systems) + audit->system_count * sizeof *audit->systems;
        kin__audit *copy = kin__capture_reserve(&task->capture, size);
        if (copy == NULL)
            return true;
        memcpy(copy, audit, size);
        data->compared[data->count] = 64 * kin__audit_words(audit, task->site->context);
        data->audits[data->count++] = copy;
    }
    if (data->count == 0)
        kin__task_fail(task, KIN__CODE_PARAMETERS, "there is no such audit; audit.read without it has all");
    return true;
}

static void show_fields(kin__json *json, const kin_component_info *info, uint64_t fields)
{
    kin__json_key(json, "fields");
    kin__json_begin(json, '[');
    for (uint32_t i = 0; i < info->field_count; i++)
        if ((fields >> (i < 63 ? i : 63) & 1) != 0 && info->fields[i].inspect != KIN_INSPECT_HIDDEN)
            kin__json_string(json, info->fields[i].name);
    kin__json_end(json, ']');
}

static void show_writes(kin__json *json, const kin_component_info *info, const kin__audited_system *system)
{
    uint64_t kept = system->kept < KIN__AUDITED_WRITES ? system->kept : KIN__AUDITED_WRITES;
    size_t size = info->size < KIN__WATCHED_BYTES ? info->size : KIN__WATCHED_BYTES;
    kin__json_key(json, "writes");
    kin__json_begin(json, '[');
    for (uint64_t n = system->kept - kept; n < system->kept; n++) {
        const kin__audited_write *write = &system->writes[n % KIN__AUDITED_WRITES];
        kin__json_begin(json, '{');
        kin__json_key(json, "e");
        kin__json_entity(json, write->entity);
        kin__json_put_natural(json, "frame", write->frame);
        kin__json_put_natural(json, "step", write->step);
        kin__json_put_string(json, "role", kin__role_name(write->role));
        kin__show_known(json, "was", info, write->previous, size);
        kin__show_known(json, "is", info, write->value, size);
        kin__json_end(json, '}');
    }
    kin__json_end(json, ']');
}

// Returns whether the schema has the system.
static bool is_of_schema(const kin__host *host, const char *name)
{
    for (uint32_t i = 0; host->info != NULL && i < host->info->system_count; i++)
        if (strcmp(host->info->systems[i].name, name) == 0)
            return true;
    return false;
}

static void show_system(kin__json *json, const kin__site *site, const kin__audit *audit,
                        const kin__audited_system *system)
{
    bool is_viewer = system->name == KIN__BY_INSPECTOR;
    const char *name = is_viewer ? "inspector" : kin__calls_name(site->host, system->name);
    kin__json_begin(json, '{');
    kin__json_put_string(json, "system", name);
    kin__json_key(json, "declared");
    if (is_of_schema(site->host, name))
        kin__json_bool(json, kin__calls_declares(site->host, name, audit->info->name));
    else
        kin__json_null(json);
    kin__json_put_natural(json, "count", system->count);
    show_fields(json, audit->info, system->fields);
    kin__json_put_natural(json, "first", system->first_frame);
    kin__json_put_natural(json, "last", system->last_frame);
    show_writes(json, audit->info, system);
    kin__json_end(json, '}');
}

static void show_audit(kin__json *json, const kin__task *task, const kin__audit *audit, uint32_t compared)
{
    kin__json_begin(json, '{');
    kin__json_put_natural(json, "audit", audit->number);
    kin__json_put_string(json, "component", audit->info->name);
    kin__json_put_natural(json, "slots", ((const read_task *)task->data)->slots);
    kin__json_put_natural(json, "compared", compared);
    kin__json_put_natural(json, "cut", audit->cut);
    kin__json_put_natural(json, "lost", audit->lost);
    kin__json_put_natural(json, "other", audit->other);
    kin__json_key(json, "systems");
    kin__json_begin(json, '[');
    for (uint32_t i = 0; i < audit->system_count; i++)
        show_system(json, task->site, audit, &audit->systems[i]);
    kin__json_end(json, ']');
    kin__json_end(json, '}');
}

static void show_read(const kin__task *task, kin__json *json)
{
    const read_task *data = task->data;
    kin__json_begin(json, '{');
    kin__task_show_frame(task, json);
    kin__json_key(json, "audits");
    kin__json_begin(json, '[');
    for (uint32_t i = 0; i < data->count; i++)
        show_audit(json, task, data->audits[i], data->compared[i]);
    kin__json_end(json, ']');
    kin__json_end(json, '}');
}

const kin__method kin__method_audit_start = {
    .name = "audit.start",
    .doc = "Compares all values of a component before and after each call of a system, and counts those that each "
           "system wrote in place, from the next update on. Comparing takes at most the budget of an update: of a "
           "larger column each update compares a part. It ends when no viewer has asked for anything for ten seconds, "
           "unless it is pinned.",
    .result = "frame, audit",
    .writes = true,
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"component", "string", true, "one with a value"},
                   {"bytes", "integer", false, "of the copy, 4096 to 16777216; 4194304 without it"},
                   {"pinned", "boolean", false, "goes on without a viewer"}},
    .parse = parse_start,
    .step = step_start,
    .show = show_number,
    .release = release_start,
};

const kin__method kin__method_audit_stop = {
    .name = "audit.stop",
    .is_once = true,
    .doc = "Ends an audit, and forgets what it found.",
    .result = "frame, audit",
    .parameters = {KIN__CONTEXT_PARAMETER, {"audit", "integer", true, "the number that audit.start gave"}},
    .parse = parse_stop,
    .step = step_stop,
    .show = show_number,
};

const kin__method kin__method_audit_read = {
    .name = "audit.read",
    .doc = "What systems wrote in place: the fields, how many values, the last 8 of them, and whether the schema "
           "lists the component in the system's writes; null for a system that the schema does not have.",
    .result = "frame, audits of audit, component, slots, compared, cut, lost, other and systems of system, declared, "
              "count, fields, first, last and writes of e, frame, step, role, was and is",
    .parameters = {KIN__CONTEXT_PARAMETER, {"audit", "integer", false, "this one alone"}},
    .parse = parse_read,
    .step = step_read,
    .show = show_read,
};
