#include "notify/notify.h"

#include <kin/journal.h>

#include <string.h>

static void turn(kin_context *context, kin_component_id id, bool on)
{
    kin__watch *watch = &context->core->watches[id];
    KIN_ASSERT(kin__journal_is_on(watch) != on);
    watch->side_effects ^= KIN__SIDE_EFFECT_JOURNAL;
    kin__component_watch(context, id, on);
}

static size_t table_size(const kin_context *context)
{
    return context->info->component_count * sizeof(kin__journal *);
}

// Returns the journal of a component, made if it is missing; NULL when out of memory.
static kin__journal *find_or_make(kin_context *context, kin_component_id id)
{
    kin__core *core = context->core;
    if (core->journals == NULL)
        core->journals = kin__allocate_zero(&core->group_memory, table_size(context));
    if (core->journals != NULL && core->journals[id] == NULL)
        core->journals[id] = kin__allocate_zero(&core->group_memory, sizeof *core->journals[id]);
    return core->journals == NULL ? NULL : core->journals[id];
}

void kin__journal_begin(kin_context *context, kin_component_id id)
{
    kin__journal *journal = find_or_make(context, id);
    if (journal == NULL)
        return;
    journal->read_at = context->components[id].changes;
    if (!kin__journal_is_on(&context->core->watches[id]))
        turn(context, id, true);
}

void kin__journal_end(kin_context *context, kin_component_id id)
{
    turn(context, id, false);
}

void kin__journals_release(kin_context *context)
{
    kin__core *core = context->core;
    if (core->journals == NULL)
        return;
    for (uint32_t id = 0; id < context->info->component_count; id++)
        kin__release(&core->group_memory, core->journals[id], sizeof *core->journals[id]);
    kin__release(&core->group_memory, core->journals, table_size(context));
}

size_t kin__journals_used(const kin_context *context)
{
    struct kin__journal *const *journals = context->core->journals;
    size_t used = journals == NULL ? 0 : table_size(context);
    for (uint32_t id = 0; journals != NULL && id < context->info->component_count; id++)
        used += journals[id] == NULL ? 0 : sizeof *journals[id];
    return used;
}

bool kin__journal_is_valid(const kin_context *context, kin_component_id id)
{
    if (!kin__journal_is_on(&context->core->watches[id]))
        return true;
    return context->components[id].watchers > 0 &&
           context->core->journals[id]->read_at <= context->components[id].changes;
}

enum { LEAST_SIZE = 1024 };

// ---- the ring

static size_t round_up(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

static size_t size_of(const kin_record *record)
{
    return sizeof *record + round_up(record->previous_size) + round_up(record->value_size);
}

static kin_record *record_at(const kin_journal *journal, size_t offset)
{
    return (kin_record *)(void *)((char *)journal->memory + offset);
}

static void drop_oldest(kin_journal *journal)
{
    KIN_ASSERT(journal->count > 0);
    journal->first += size_of(record_at(journal, journal->first));
    journal->count--;
    journal->lost++;
    if (!journal->is_wrapped || journal->first < journal->end)
        return;
    journal->first = 0;
    journal->is_wrapped = false;
}

static bool fits(const kin_journal *journal, size_t size)
{
    return journal->next + size <= (journal->is_wrapped ? journal->first : journal->size);
}

// Makes room at `next`. A record is smaller than the ring.
static void make_room(kin_journal *journal, size_t size)
{
    while (!fits(journal, size)) {
        if (journal->is_wrapped) {
            drop_oldest(journal);
            continue;
        }
        journal->end = journal->next;
        journal->is_wrapped = journal->count > 0;
        journal->next = 0;
        journal->first = journal->is_wrapped ? journal->first : 0;
    }
}

// Appends a record, whose values the caller writes.
static kin_record *append(kin_journal *journal, kin_record record)
{
    size_t size = size_of(&record);
    make_room(journal, size);
    kin_record *place = record_at(journal, journal->next);
    record.number = journal->next_number++;
    record.frame = journal->frame;
    record.step = journal->step;
    record.system = journal->system;
    record.role = journal->role;
    *place = record;
    journal->next += size;
    journal->count++;
    return place;
}

static char *previous_of(const kin_record *record)
{
    return (char *)(uintptr_t)(record + 1);
}

static char *value_of(const kin_record *record)
{
    return previous_of(record) + round_up(record->previous_size);
}

const void *kin_record_previous(const kin_record *record)
{
    return record == NULL || record->previous_size == 0 ? NULL : previous_of(record);
}

const void *kin_record_value(const kin_record *record)
{
    return record == NULL || record->value_size == 0 ? NULL : value_of(record);
}

const kin_record *kin_journal_next(const kin_journal *journal, const kin_record *record)
{
    if (journal == NULL || journal->count == 0)
        return NULL;
    if (record == NULL)
        return record_at(journal, journal->first);
    size_t offset = (size_t)((const char *)record - (const char *)journal->memory) + size_of(record);
    if (offset == journal->next)
        return NULL;
    return record_at(journal, journal->is_wrapped && offset == journal->end ? 0 : offset);
}

void kin_journal_write(kin_journal *journal, const kin_record *record, const void *previous, const void *value)
{
    bool has_memory = journal != NULL && journal->memory != NULL && journal->size >= LEAST_SIZE;
    if (!has_memory || record == NULL)
        return;
    kin_record cut = *record;
    cut.previous_size = cut.previous_size > KIN_RECORD_VALUE ? KIN_RECORD_VALUE : cut.previous_size;
    cut.value_size = cut.value_size > KIN_RECORD_VALUE ? KIN_RECORD_VALUE : cut.value_size;
    cut.previous_size = previous == NULL ? 0 : cut.previous_size;
    cut.value_size = value == NULL ? 0 : cut.value_size;
    const kin_record *place = append(journal, cut);
    if (cut.previous_size > 0)
        memcpy(previous_of(place), previous, cut.previous_size);
    if (cut.value_size > 0)
        memcpy(value_of(place), value, cut.value_size);
}

// ---- noting

static void copy_fields(const kin_context *context, uint32_t slot, kin_component_id id, char *value)
{
    const kin_component_info *info = &context->info->components[id];
    memset(value, 0, KIN_RECORD_VALUE);
    for (uint32_t i = 0; i < info->field_count; i++) {
        const kin_field_info *field = &info->fields[i];
        if (field->offset + field->size <= KIN_RECORD_VALUE)
            memcpy(value + field->offset, kin__value_part(context, slot, id, field->offset), field->size);
    }
}

static void copy_current(const kin_context *context, uint32_t slot, kin_component_id id, char *value, size_t size)
{
    char fields[KIN_RECORD_VALUE];
    const void *current = fields;
    if (context->info->components[id].is_soa)
        copy_fields(context, slot, id, fields);
    else
        current = kin__value_of(context, slot, id);
    memcpy(value, current, size);
}

void kin__note_change(const kin_context *context, kin_entity entity, kin_component_id id, uint8_t kind,
                      const void *value)
{
    kin_journal *journal = context->core->tool_journal;
    size_t whole = kin__value_size(context, id);
    uint8_t size = (uint8_t)(whole < KIN_RECORD_VALUE ? whole : KIN_RECORD_VALUE);
    KIN_ASSERT(journal != NULL);
    if (journal->entity != 0 && journal->entity != entity)
        return;
    kin_record wanted = {.entity = entity, .component = id, .kind = (uint8_t)kind};
    wanted.previous_size = kind == KIN_RECORD_ADDED ? 0 : size;
    wanted.value_size = kind == KIN_RECORD_REMOVED ? 0 : size;
    const kin_record *record = append(journal, wanted);
    if (record->previous_size > 0)
        copy_current(context, kin_entity_slot(entity), id, previous_of(record), size);
    if (record->value_size > 0)
        memcpy(value_of(record), value != NULL ? value : previous_of(record), size);
}

static void note_life(const kin_context *context, kin_entity entity, kin_record_kind kind)
{
    kin_journal *journal = context->core->tool_journal;
    if (!context->core->notes_lives || (journal->entity != 0 && journal->entity != entity))
        return;
    kin_component_id none = (kin_component_id)context->info->component_count;
    append(journal, (kin_record){.entity = entity, .component = none, .kind = (uint8_t)kind});
}

void kin__note_created(const kin_context *context, kin_entity entity)
{
    note_life(context, entity, KIN_RECORD_CREATED);
}

void kin__note_destroyed(const kin_context *context, kin_entity entity, const uint64_t *lost)
{
    EACH_OF_ROW(id, lost, context->row_words)
    {
        if (kin__is_noted(context, (kin_component_id)id))
            kin__note_change(context, entity, (kin_component_id)id, KIN_RECORD_REMOVED, NULL);
    }
    note_life(context, entity, KIN_RECORD_DESTROYED);
}

// ---- which components are noted

static void set_noted(kin_context *context, kin_component_id id, bool on)
{
    kin__watch *watch = &context->core->watches[id];
    if (kin__is_noted(context, id) == on)
        return;
    watch->side_effects ^= KIN__SIDE_EFFECT_NOTED;
    kin__component_watch(context, id, on);
    kin__direct_refresh(context, id);
}

static bool wants(const kin_journal *journal, kin_component_id id)
{
    if (journal == NULL || journal->all_components)
        return journal != NULL;
    for (uint32_t i = 0; i < journal->component_count; i++)
        if (journal->components[i] == id)
            return true;
    return false;
}

static const char *find_journal_fault(const kin_context *context, const kin_journal *journal)
{
    if (journal->memory == NULL || journal->size < LEAST_SIZE || (uintptr_t)journal->memory % 8 != 0)
        return "the journal has not enough memory; give it 1024 bytes or more, aligned like a uint64_t";
    for (uint32_t i = 0; i < journal->component_count && !journal->all_components; i++)
        if (journal->components[i] >= context->info->component_count)
            return "the context has no such component; use ids of its schema";
    return NULL;
}

// Invariant: being alive and blueprints have the watchers that the journal needs.
static void change_journal(kin_context *context, kin_journal *journal)
{
    kin__core *core = context->core;
    if (core->notes_lives)
        core->alive->watchers--;
    if ((core->tool_journal != NULL) != (journal != NULL))
        kin__spawn_watch_all(context, journal != NULL);
    core->tool_journal = journal;
    core->notes_lives = journal != NULL && journal->lives;
    if (core->notes_lives)
        core->alive->watchers++;
    for (uint32_t id = 0; id < context->info->component_count; id++)
        set_noted(context, (kin_component_id)id, wants(journal, (kin_component_id)id));
}

kin_status kin_context_journal(kin_context *context, kin_journal *journal)
{
    kin__attempt attempt = {.verb = "set the journal of a context"};
    if (context == NULL) {
        attempt.reason = "the context is NULL; check the result of the call that created it";
        return kin__report_error_to(NULL, KIN_ERROR_INVALID, &attempt, 0);
    }
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    attempt.reason = journal == NULL ? NULL : find_journal_fault(context, journal);
    if (attempt.reason != NULL)
        return kin__report_error(context, KIN_ERROR_INVALID, &attempt);
    change_journal(context, journal);
    KIN_VALIDATE(kin__notes_are_valid(context));
    return KIN_OK;
}

bool kin__notes_are_valid(const kin_context *context)
{
    const kin__core *core = context->core;
    for (uint32_t id = 0; id < context->info->component_count; id++) {
        bool is_noted = kin__is_noted(context, (kin_component_id)id);
        if (is_noted && (core->tool_journal == NULL || context->components[id].watchers == 0))
            return false;
    }
    return core->tool_journal != NULL || !core->notes_lives;
}
