#include "site/watches.h"

#include <string.h>

bool kin__watch_read(const kin_context *context, const kin__value_watch *watch, char value[KIN__WATCHED_BYTES])
{
    const kin__watch_spec *spec = &watch->spec;
    const char *at = kin_get(context, spec->entity, spec->component);
    char copy[KIN__WATCHED_SOA];
    if (at == NULL && !kin_look_read(context, spec->entity, spec->component, copy))
        return false;
    memcpy(value, (at == NULL ? copy : at) + spec->offset, spec->size);
    return true;
}

static void keep_change(kin__value_watch *watch, const kin_record *record, const char *previous, const char *value)
{
    kin__watched_change *change = &watch->changes[watch->change_count++ % KIN__WATCHED_CHANGES];
    memset(change, 0, sizeof *change);
    change->record = *record;
    change->record.previous_size = previous == NULL ? 0 : (uint8_t)watch->spec.size;
    change->record.value_size = value == NULL ? 0 : (uint8_t)watch->spec.size;
    if (previous != NULL)
        memcpy(change->previous, previous, watch->spec.size);
    if (value != NULL)
        memcpy(change->value, value, watch->spec.size);
}

// Keeps a change that nothing was notified of, and notes it in the journal of a viewer.
static void note_written(kin__notes *notes, kin__value_watch *watch, const kin_record *before, const char *value)
{
    const kin_journal *now = &notes->journal;
    kin_record written = {.number = now->next_number, .frame = now->frame, .step = now->step, .system = now->system};
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
    char was[KIN__WATCHED_BYTES], copy[KIN__WATCHED_SOA];
    size_t whole = notes->site->info->components[spec->component].size;
    size_t size = whole < sizeof was ? whole : sizeof was;
    const void *is = kin_get(notes->site->context, spec->entity, spec->component);
    if (is == NULL && kin_look_read(notes->site->context, spec->entity, spec->component, copy))
        is = copy;
    if (!notes->is_on || is == NULL || spec->offset + spec->size > size)
        return;
    memcpy(was, is, size);
    memcpy(was + spec->offset, previous, spec->size);
    kin_record record = {.kind = KIN_RECORD_WRITTEN, .entity = spec->entity, .component = spec->component};
    record.previous_size = record.value_size = (uint8_t)size;
    kin_journal_write(&notes->journal, &record, was, is);
}

// Follows one record of the component.
static void follow(kin__notes *notes, kin__value_watch *watch, const kin_record *record)
{
    const kin__watch_spec *spec = &watch->spec;
    const char *previous = kin_record_previous(record), *value = kin_record_value(record);
    uint32_t end = spec->offset + spec->size;
    previous = previous != NULL && end <= record->previous_size ? previous + spec->offset : NULL;
    value = value != NULL && end <= record->value_size ? value + spec->offset : NULL;
    if (watch->is_there && previous != NULL && memcmp(previous, watch->last, spec->size) != 0)
        note_written(notes, watch, record, previous);
    keep_change(watch, record, previous, value);
    watch->is_there = record->kind != KIN_RECORD_REMOVED;
    if (value != NULL)
        memcpy(watch->last, value, spec->size);
    else if (watch->is_there)
        kin__watch_read(notes->site->context, watch, watch->last);
}

// Values of other kinds move when they are replaced.
static void find(const kin__notes *notes, kin__value_watch *watch)
{
    const kin__watch_spec *spec = &watch->spec;
    const kin_context *context = notes->site->context;
    const kin_component_info *info = &notes->site->info->components[spec->component];
    const char *at = info->is_boxed || info->is_soa ? NULL : kin_get(context, spec->entity, spec->component);
    watch->at = at == NULL ? NULL : at + spec->offset;
    watch->since = kin_component_changes(context, spec->component);
}

void kin__watch_compare(kin__notes *notes, kin__value_watch *watch)
{
    char now[KIN__WATCHED_BYTES], previous[KIN__WATCHED_BYTES];
    const kin__watch_spec *spec = &watch->spec;
    if (notes->journal.next_number != notes->seen)
        for (const kin_record *record = kin_journal_next(&notes->journal, NULL); record != NULL;
             record = kin_journal_next(&notes->journal, record))
            if (record->number >= notes->seen && record->entity == spec->entity &&
                record->component == spec->component && record->kind != KIN_RECORD_WRITTEN)
                follow(notes, watch, record);
    bool is_there = kin__watch_read(notes->site->context, watch, now);
    if (is_there && watch->is_there && memcmp(now, watch->last, spec->size) != 0) {
        memcpy(previous, watch->last, spec->size);
        note_written(notes, watch, NULL, now);
        append_written(notes, watch, previous);
    } else if (is_there)
        memcpy(watch->last, now, spec->size);
    watch->is_there = is_there;
    find(notes, watch);
}
