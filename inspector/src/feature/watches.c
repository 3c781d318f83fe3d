// Watches: values that are compared around each call of a system. The journal of their context (internal.h) keeps them.
#include "feature/internal.h"

#include <stdio.h>
#include <string.h>

// Returns the component, read into `room` if it has no struct in memory; NULL if the entity does not have it.
static const char *read_whole(const kin_context *context, const kin__watch_spec *spec, char room[KIN__WATCHED_SOA])
{
    const char *at = kin_get(context, spec->entity, spec->component);
    if (at == NULL && kin_look_read(context, spec->entity, spec->component, room))
        at = room;
    return at;
}

bool kin__watch_read(const kin_context *context, const kin__value_watch *watch, char value[KIN__WATCHED_BYTES])
{
    const kin__watch_spec *spec = &watch->spec;
    KIN_ASSERT(spec->size <= KIN__WATCHED_BYTES);
    char room[KIN__WATCHED_SOA];
    const char *whole = read_whole(context, spec, room);
    if (whole == NULL)
        return false;
    memcpy(value, whole + spec->offset, spec->size);
    return true;
}

static void keep_change(kin__value_watch *watch, const kin_record *record, const char *previous, const char *value)
{
    KIN_ASSERT(watch->number != 0 && record != NULL);
    kin__watched_change *change = &watch->changes[watch->change_count++ % KIN__WATCHED_CHANGES];
    memset(change, 0, sizeof *change);
    change->record = *record;
    change->record.previous_size = 0;
    change->record.value_size = 0;
    if (previous != NULL) {
        change->record.previous_size = (uint8_t)watch->spec.size;
        memcpy(change->previous, previous, watch->spec.size);
    }
    if (value != NULL) {
        change->record.value_size = (uint8_t)watch->spec.size;
        memcpy(change->value, value, watch->spec.size);
    }
}

// Keeps a change that nothing was notified of, and notes it in the journal of a viewer.
static void note_written(kin__notes *notes, kin__value_watch *watch, const kin_record *before, const char *value)
{
    const kin_journal *now = &notes->journal;
    kin_record written = {.number = now->next_number, .frame = now->frame, .step = now->step, .system = now->system};
    KIN_ASSERT(watch->is_there);
    if (before != NULL) // the system of the change that follows
        written = *before;
    else
        written.role = now->role;
    written.entity = watch->spec.entity;
    written.component = watch->spec.component;
    written.kind = KIN_RECORD_WRITTEN;
    keep_change(watch, &written, watch->last, value);
    memcpy(watch->last, value, watch->spec.size);
}

// Appends a record of the whole component as it is now. What the bytes were before is known of the watched ones alone.
static void append_written(kin__notes *notes, const kin__value_watch *watch, const char *previous)
{
    const kin__watch_spec *spec = &watch->spec;
    char was[KIN__WATCHED_BYTES], room[KIN__WATCHED_SOA];
    size_t size = kin__min_size(notes->site->info->components[spec->component].size, sizeof was);
    KIN_ASSERT(spec->size > 0 && spec->size <= KIN__WATCHED_BYTES);
    if (!notes->is_on || spec->offset + spec->size > size)
        return;
    const char *is = read_whole(notes->site->context, spec, room);
    if (is == NULL)
        return;
    memcpy(was, is, size);
    memcpy(was + spec->offset, previous, spec->size);
    kin_record record = {.kind = KIN_RECORD_WRITTEN, .entity = spec->entity, .component = spec->component};
    record.previous_size = record.value_size = (uint8_t)size;
    kin_journal_write(&notes->journal, &record, was, is);
}

// Returns the watched bytes of a value of which a record has the first `size` bytes, or NULL if they are not all there.
static const char *watched_in(const kin__watch_spec *spec, const char *value, uint32_t size)
{
    KIN_ASSERT(spec->size > 0);
    if (value == NULL || spec->offset + spec->size > size)
        return NULL;
    return value + spec->offset;
}

// Follows one record of the component.
static void follow(kin__notes *notes, kin__value_watch *watch, const kin_record *record)
{
    const kin__watch_spec *spec = &watch->spec;
    const char *previous = watched_in(spec, kin_record_previous(record), record->previous_size);
    const char *value = watched_in(spec, kin_record_value(record), record->value_size);
    bool is_known = watch->is_there && previous != NULL;
    KIN_ASSERT(record->entity == spec->entity && record->component == spec->component);
    if (is_known && memcmp(previous, watch->last, spec->size) != 0)
        note_written(notes, watch, record, previous);
    keep_change(watch, record, previous, value);
    watch->is_there = record->kind != KIN_RECORD_REMOVED;
    if (value != NULL)
        memcpy(watch->last, value, spec->size);
    else if (watch->is_there)
        kin__watch_read(notes->site->context, watch, watch->last);
}

static bool is_change_of(const kin_record *record, const kin__watch_spec *spec)
{
    bool is_of_watch = record->entity == spec->entity && record->component == spec->component;
    return is_of_watch && record->kind != KIN_RECORD_WRITTEN;
}

void kin__watch_compare(kin__notes *notes, kin__value_watch *watch)
{
    char now[KIN__WATCHED_BYTES], previous[KIN__WATCHED_BYTES];
    const kin__watch_spec *spec = &watch->spec;
    KIN_ASSERT(watch->number != 0);
    if (notes->journal.next_number != notes->seen)
        for (const kin_record *record = kin_journal_next(&notes->journal, NULL); record != NULL;
             record = kin_journal_next(&notes->journal, record))
            if (record->number >= notes->seen && is_change_of(record, spec))
                follow(notes, watch, record);
    bool is_there = kin__watch_read(notes->site->context, watch, now);
    bool stayed = is_there && watch->is_there;
    if (stayed && memcmp(now, watch->last, spec->size) != 0) {
        memcpy(previous, watch->last, spec->size);
        note_written(notes, watch, NULL, now);
        append_written(notes, watch, previous);
    } else if (is_there)
        memcpy(watch->last, now, spec->size);
    watch->is_there = is_there;
    // Notes where the bytes are. Boxed values, and those that are stored by fields, move when they are replaced.
    const kin_context *context = notes->site->context;
    const kin_component_info *info = &notes->site->info->components[spec->component];
    watch->at = NULL;
    if (!info->is_boxed && !info->is_soa)
        watch->at = kin_get(context, spec->entity, spec->component);
    if (watch->at != NULL)
        watch->at += spec->offset;
    watch->since = kin_component_changes(context, spec->component);
}

// ---- methods

// watches.add, .remove and .list: what changed one value, also in place.

typedef struct watch_task {
    kin__notes *made;
    kin__watch_spec spec;
    bool is_pinned;
    uint32_t number;
    json_int_t wanted;
    kin__value_watch *watches; // in the capture
    uint32_t count;
} watch_task;

// ---- adding

// Finds the bytes of the path. One through a list has none of its own.
static bool parse_bytes(kin__task *task, kin__watch_spec *spec, const kin__path *path)
{
    const kin_component_info *info = &task->site->info->components[path->component];
    bool is_flat = path->field == NULL || kin__field_is_flat(path->field);
    KIN_ASSERT(path->component < task->site->info->component_count);
    for (uint32_t i = 0; i < path->step_count; i++)
        is_flat = is_flat && !path->steps[i].is_list;
    spec->component = path->component;
    spec->size = (uint32_t)info->size;
    if (path->field != NULL && is_flat) {
        for (uint32_t i = 0; i < path->step_count; i++)
            spec->offset += (uint32_t)path->steps[i].offset;
        spec->size = (uint32_t)path->field->size;
        if (path->is_element)
            spec->size = (uint32_t)kin__element_size(path->field);
    }
    bool fits = spec->size > 0 && spec->size <= KIN__WATCHED_BYTES;
    bool can_be_read = !info->is_soa || info->size <= KIN__WATCHED_SOA;
    if (!is_flat || !fits || !can_be_read)
        return kin__task_fail(task, KIN__CODE_PARAMETERS,
                              "a watch compares 1 to 64 bytes, and no texts, lists or opaque values; name a field");
    return true;
}

static bool parse_path(kin__task *task, kin__watch_spec *spec)
{
    kin__path path = {0};
    const char *text = kin__parameter_text(task, "path");
    snprintf(spec->path, sizeof spec->path, "%s", text);
    if (strpbrk(text, ".[") == NULL)
        return kin__find_component(task, text, &path.component) && parse_bytes(task, spec, &path);
    return kin__parameter_path(task, &path) && parse_bytes(task, spec, &path);
}

static bool parse_add(kin__task *task)
{
    watch_task *data = task->data;
    if (!kin__parameter_entity(task, "entity", &task->entity))
        return false;
    data->spec.entity = task->entity;
    data->is_pinned = kin__parameter_bool(task, "pinned");
    if (!parse_path(task, &data->spec))
        return false;
    data->made = kin__notes_make(task->site, &task->service->heap);
    return data->made != NULL || kin__task_fail_memory(task);
}

static void release(kin__task *task)
{
    kin__notes_release(((watch_task *)task->data)->made);
}

static bool step_add(kin__task *task)
{
    watch_task *data = task->data;
    if (!kin__task_needs_living(task, task->entity))
        return true;
    if (kin__notes_install(task->site, data->made))
        data->made = NULL;
    data->number = kin__notes_watch(task->site->notes, &data->spec, data->is_pinned);
    if (data->number == 0)
        kin__task_fail(task, KIN__CODE_LIMIT, "a context has at most %d watches; remove one", KIN__MAX_WATCHES);
    return true;
}

static void show_number(const kin__task *task, kin__json *json)
{
    const watch_task *data = task->data;
    kin__json_put_natural(json, "frame", task->frame);
    kin__json_put_natural(json, "watch", data->number);
}

// ---- removing

static bool parse_remove(kin__task *task)
{
    return kin__parameter_integer(task, "watch", &((watch_task *)task->data)->wanted);
}

static bool step_remove(kin__task *task)
{
    watch_task *data = task->data;
    data->number = (uint32_t)data->wanted;
    if (task->site->notes == NULL || !kin__notes_unwatch(task->site->notes, data->number))
        kin__task_fail(task, KIN__CODE_PARAMETERS, "there is no such watch; watches.list has them");
    return true;
}

// ---- listing

static bool parse_list(kin__task *task)
{
    return kin__task_make_capture(task, (KIN__MAX_WATCHES + 1) * sizeof(kin__value_watch), 0);
}

static bool step_list(kin__task *task)
{
    watch_task *data = task->data;
    kin__notes *notes = task->site->notes;
    data->watches = kin__capture_reserve(&task->capture, KIN__MAX_WATCHES * sizeof *data->watches);
    if (notes == NULL || data->watches == NULL)
        return true;
    kin__notes_compare(notes);
    for (uint32_t i = 0; i < KIN__MAX_WATCHES; i++)
        if (notes->watches[i].number != 0)
            data->watches[data->count++] = notes->watches[i];
    return true;
}

// Writes the watched bytes as the fields that are whole in them.
static void show_bytes(kin__json *json, const kin__site *site, const kin__watch_spec *spec, const char *key,
                       const char *bytes)
{
    char value[KIN__WATCHED_SOA] = {0};
    const kin_component_info *info = &site->info->components[spec->component];
    if (spec->offset + spec->size > sizeof value || info->inspect == KIN_INSPECT_HIDDEN)
        return;
    memcpy(value + spec->offset, bytes, spec->size);
    kin__json_begin_member(json, key, '{');
    for (uint32_t i = 0; i < info->field_count; i++) {
        const kin_field_info *field = &info->fields[i];
        bool is_watched = field->offset < spec->offset + spec->size && field->offset + field->size > spec->offset;
        if (!is_watched || !kin__field_is_known(field, sizeof value))
            continue;
        kin__json_key(json, field->name);
        kin__show_field(json, field, value + field->offset);
    }
    kin__json_end(json, '}');
}

static void show_list(const kin__task *task, kin__json *json)
{
    const watch_task *data = task->data;
    kin__task_show_frame(task, json);
    kin__json_begin_member(json, "watches", '[');
    for (uint32_t i = 0; i < data->count; i++) {
        const kin__value_watch *watch = &data->watches[i];
        kin__json_begin(json, '{');
        kin__json_put_natural(json, "watch", watch->number);
        kin__json_put_entity(json, "e", watch->spec.entity);
        kin__json_put_string(json, "path", watch->spec.path);
        if (watch->is_there)
            show_bytes(json, task->site, &watch->spec, "value", watch->last);
        kin__json_put_natural(json, "count", watch->change_count);
        const kin__site *site = task->site;
        kin__json_begin_member(json, "changes", '[');
        for (uint64_t n = kin__oldest_kept(watch->change_count, KIN__WATCHED_CHANGES); n < watch->change_count; n++) {
            const kin__watched_change *change = &watch->changes[n % KIN__WATCHED_CHANGES];
            kin__json_begin(json, '{');
            kin__show_record(json, site, &change->record);
            if (change->record.previous_size > 0)
                show_bytes(json, site, &watch->spec, "was", change->previous);
            if (change->record.value_size > 0)
                show_bytes(json, site, &watch->spec, "is", change->value);
            kin__json_end(json, '}');
        }
        kin__json_end(json, ']');
        kin__json_end(json, '}');
    }
    kin__json_end(json, ']');
}

const kin__method kin__method_watch_add = {
    .name = "watches.add",
    .is_once = true,
    .doc =
        "Compares a value of an entity before and after each call of a system, so that writing in place is found "
        "with its system, too. Watches end when nobody has asked for anything for ten seconds, unless one is pinned.",
    .result = "frame, watch",
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"entity", "string", true, "the handle, creation:slot", 0, 0},
                   {"path", "string", true, "a component, or a field such as Position.x; of 64 bytes at most", 0, 0},
                   {"pinned", "boolean", false, "goes on when nobody asks", 0, 0}},
    .data_size = sizeof(watch_task),
    .parse = parse_add,
    .step = step_add,
    .show = show_number,
    .release = release,
};

const kin__method kin__method_watch_remove = {
    .name = "watches.remove",
    .is_once = true,
    .doc = "Removes a watch.",
    .result = "frame, watch",
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"watch", "integer", true, "the number that watches.add gave", 1, UINT32_MAX}},
    .data_size = sizeof(watch_task),
    .parse = parse_remove,
    .step = step_remove,
    .show = show_number,
};

const kin__method kin__method_watch_list = {
    .name = "watches.list",
    .doc = "The watches, with the last 8 changes of each and the systems that made them.",
    .result = "frame, watches of watch, e, path, value, count and changes of n, frame, step, system, role, kind, e, "
              "component, was and is",
    .parameters = {KIN__CONTEXT_PARAMETER},
    .data_size = sizeof(watch_task),
    .parse = parse_list,
    .step = step_list,
    .show = show_list,
};
