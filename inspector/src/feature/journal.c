// The journal of a context, with its watches and audits (internal.h), and the methods that start, stop and read it.
#include "feature/internal.h"

#include <stdio.h>
#include <string.h>

// ---- what runs now

static void set_now(kin__notes *notes, const kin__system_call *call)
{
    notes->journal.frame = kin__host_frame(notes->site->host);
    notes->journal.system = KIN__OUTSIDE;
    notes->journal.role = KIN__NO_ROLE;
    notes->journal.step = 0;
    if (call == NULL)
        return;
    notes->journal.system = call->name;
    notes->journal.role = (uint16_t)call->role;
    notes->journal.step = call->step;
}

static void enter(void *user, const kin__system_call *call)
{
    kin__notes *notes = user;
    bool was_fresh = notes->is_fresh;
    notes->is_fresh = false;
    if (call->is_collection)
        return;
    bool has_place = notes->beside_count > 0 && notes->beside_count < KIN__MAX_BESIDE;
    bool is_beside = has_place && kin__calls_is_beside(notes->site->host);
    if (!is_beside) {
        if (!was_fresh || !kin__calls_is_next(notes->site->host))
            kin__notes_compare(notes);
        set_now(notes, call);
        notes->beside_count = 0;
        notes->beside_left = 0;
    }
    KIN_ASSERT(notes->is_noting && notes->beside_count < KIN__MAX_BESIDE);
    notes->beside[notes->beside_count++] = *call;
}

static void leave(void *user, const kin__system_call *call)
{
    kin__notes *notes = user;
    notes->is_fresh = false;
    if (call->is_collection || ++notes->beside_left < notes->beside_count)
        return;
    kin__notes_compare(notes);
    set_now(notes, kin__calls_around(notes->site->host));
    notes->beside_count = 0;
    notes->beside_left = 0;
    notes->is_fresh = true;
}

// Audits have their time for what systems do.
static void compare_edit(kin__notes *notes)
{
    uint64_t left = notes->audit_left;
    kin__notes_compare(notes);
    notes->audit_left = left;
}

void kin__notes_enter_edit(const kin__site *site)
{
    kin__notes *notes = site->notes;
    if (notes == NULL || !notes->is_noting)
        return;
    KIN_ASSERT(!notes->is_edited);
    compare_edit(notes);
    notes->is_edited = true;
    notes->before_edit =
        (kin__moment){.step = notes->journal.step, .system = notes->journal.system, .role = notes->journal.role};
    set_now(notes, NULL);
    notes->journal.system = KIN__BY_INSPECTOR;
}

void kin__notes_leave_edit(const kin__site *site)
{
    kin__notes *notes = site->notes;
    if (notes == NULL || !notes->is_edited)
        return;
    compare_edit(notes);
    notes->is_edited = false;
    notes->journal.system = notes->before_edit.system;
    notes->journal.role = notes->before_edit.role;
    notes->journal.step = notes->before_edit.step;
}

// ---- which components are noted

// Returns whether there are watches or audits.
static bool has_observers(const kin__notes *notes)
{
    return notes->watch_count + notes->audit_count > 0;
}

static void add_component(kin__notes *notes, kin_component_id id)
{
    kin_journal *journal = &notes->journal;
    KIN_ASSERT(id < notes->site->info->component_count);
    for (uint32_t i = 0; i < journal->component_count; i++)
        if (notes->components[i] == id)
            return;
    KIN_ASSERT(journal->component_count < notes->site->info->component_count);
    notes->components[journal->component_count++] = id;
}

// Notes what the viewer, the watches and the audits want; while threads share the context, from the next update on.
static void note_wanted(kin__notes *notes)
{
    kin_journal *journal = &notes->journal;
    KIN_ASSERT(notes->is_noting || !has_observers(notes));
    journal->component_count = notes->is_on ? notes->wanted_count : 0;
    journal->components = notes->components;
    journal->all_components = notes->is_on && notes->wants_all;
    journal->lives = notes->is_on && notes->wants_lives;
    journal->entity = has_observers(notes) ? 0 : notes->wanted_entity;
    for (uint32_t i = 0; i < KIN__MAX_WATCHES; i++)
        if (notes->watches[i].number != 0)
            add_component(notes, notes->watches[i].spec.component);
    for (uint32_t i = 0; i < KIN__MAX_AUDITS; i++)
        if (notes->audits[i] != NULL)
            add_component(notes, notes->audits[i]->component);
    notes->lags = kin_context_journal(notes->site->context, journal) != KIN_OK;
}

static void use_memory(kin__notes *notes, void *memory, size_t size)
{
    kin_journal *journal = &notes->journal;
    KIN_ASSERT(memory != NULL && size > 0);
    if (journal->memory != notes->small && journal->memory != notes->ring)
        kin__bounded_release(notes->heap, journal->memory, journal->size);
    *journal = (kin_journal){.memory = memory, .size = size, .next_number = journal->next_number};
    notes->seen = journal->next_number;
    notes->last_seen = NULL;
    set_now(notes, kin__calls_now(notes->site->host));
}

// Notes in the memory that is there without a journal of a viewer.
static void use_own_memory(kin__notes *notes)
{
    if (notes->audit_count > 0 && notes->ring != NULL)
        use_memory(notes, notes->ring, KIN__AUDIT_RING);
    else
        use_memory(notes, notes->small, sizeof notes->small);
}

static bool begin(kin__notes *notes)
{
    if (notes->is_noting)
        return true;
    KIN_ASSERT(!notes->is_on && !has_observers(notes));
    notes->hook = (kin__hook){enter, leave, notes, false};
    notes->is_noting = kin__calls_follow(notes->site->host, notes->heap, &notes->hook);
    set_now(notes, kin__calls_now(notes->site->host));
    return notes->is_noting;
}

// Ends what nothing wants any more.
static void finish(kin__notes *notes)
{
    bool is_wanted = notes->is_on || has_observers(notes);
    if (!notes->is_noting || is_wanted)
        return;
    if (kin_context_journal(notes->site->context, NULL) != KIN_OK) { // threads share it: in the next update
        notes->lags = true;
        return;
    }
    notes->lags = false;
    kin__calls_unfollow(notes->site->host, &notes->hook);
    notes->beside_count = 0;
    use_own_memory(notes);
    notes->is_noting = false;
    notes->is_pinned = false;
}

// ---- the journal

bool kin__notes_start(kin__notes *notes, const kin__notes_spec *spec)
{
    KIN_ASSERT(spec->memory != NULL && spec->component_count <= KIN__MAX_WATCHES);
    if (!begin(notes))
        return false;
    kin__notes_compare(notes);
    use_memory(notes, spec->memory, spec->size);
    notes->wanted_entity = spec->entity;
    notes->is_on = true;
    notes->is_pinned = spec->is_pinned;
    notes->wants_all = spec->all_components;
    notes->wants_lives = spec->lives;
    notes->wanted_count = spec->component_count;
    memcpy(notes->components, spec->components, spec->component_count * sizeof *spec->components);
    note_wanted(notes);
    return true;
}

void kin__notes_stop(kin__notes *notes)
{
    if (!notes->is_on)
        return;
    kin__notes_compare(notes);
    notes->is_on = false;
    notes->wanted_entity = 0;
    kin_context_journal(notes->site->context, NULL);
    use_own_memory(notes);
    if (has_observers(notes))
        note_wanted(notes);
    finish(notes);
}

// ---- watches

uint32_t kin__notes_watch(kin__notes *notes, const kin__watch_spec *spec, bool is_pinned)
{
    KIN_ASSERT(notes->watch_count <= KIN__MAX_WATCHES);
    if (notes->watch_count == KIN__MAX_WATCHES || !begin(notes))
        return 0;
    kin__notes_compare(notes);
    uint32_t place = 0;
    while (notes->watches[place].number != 0)
        place++;
    kin__value_watch *watch = &notes->watches[place];
    KIN_ASSERT(spec->size > 0 && spec->size <= KIN__WATCHED_BYTES);
    memset(watch, 0, sizeof *watch);
    watch->spec = *spec;
    watch->number = ++notes->last_number;
    watch->is_there = kin__watch_read(notes->site->context, watch, watch->last);
    notes->watch_count++;
    notes->is_pinned = notes->is_pinned || is_pinned;
    note_wanted(notes);
    return watch->number;
}

bool kin__notes_unwatch(kin__notes *notes, uint32_t number)
{
    for (uint32_t i = 0; i < KIN__MAX_WATCHES && number != 0; i++)
        if (notes->watches[i].number == number) {
            kin__notes_compare(notes);
            KIN_ASSERT(notes->watch_count > 0);
            notes->watches[i].number = 0;
            notes->watch_count--;
            note_wanted(notes);
            finish(notes);
            return true;
        }
    return false;
}

// ---- audits

uint32_t kin__notes_audit(kin__notes *notes, kin__audit *audit, void **ring, bool is_pinned)
{
    uint32_t place = 0;
    KIN_ASSERT(audit->number == 0);
    while (place < KIN__MAX_AUDITS && notes->audits[place] != NULL)
        place++;
    if (place == KIN__MAX_AUDITS || !begin(notes))
        return 0;
    kin__notes_compare(notes);
    audit->number = ++notes->last_audit;
    notes->audits[place] = audit;
    notes->audit_count++;
    notes->is_pinned = notes->is_pinned || is_pinned;
    if (notes->ring == NULL) {
        notes->ring = *ring;
        *ring = NULL;
    }
    if (!notes->is_on && notes->journal.memory != notes->ring)
        use_own_memory(notes);
    note_wanted(notes);
    return audit->number;
}

static void drop_audit(kin__notes *notes, kin__audit **place)
{
    kin__audit_destroy(notes->heap, *place);
    KIN_ASSERT(notes->audit_count > 0);
    *place = NULL;
    notes->audit_count--;
    if (notes->audit_count > 0)
        return;
    if (!notes->is_on)
        use_own_memory(notes);
    kin__bounded_release(notes->heap, notes->ring, KIN__AUDIT_RING);
    notes->ring = NULL;
}

bool kin__notes_end_audit(kin__notes *notes, uint32_t number)
{
    for (uint32_t i = 0; i < KIN__MAX_AUDITS; i++)
        if (notes->audits[i] != NULL && notes->audits[i]->number == number) {
            kin__notes_compare(notes);
            drop_audit(notes, &notes->audits[i]);
            note_wanted(notes);
            finish(notes);
            return true;
        }
    return false;
}

// ---- comparing

// Returns the first record that was not seen, or NULL. `*is_complete` says whether the ring still has all after it.
static const kin_record *first_unseen(const kin__notes *notes, bool *is_complete)
{
    const kin_journal *journal = &notes->journal;
    uint64_t oldest = journal->next_number - journal->count;
    KIN_ASSERT(notes->seen <= journal->next_number);
    bool has_last = notes->last_seen != NULL && notes->last_number_seen >= oldest;
    *is_complete = notes->seen >= oldest;
    if (notes->seen == journal->next_number)
        return NULL;
    const kin_record *record = kin_journal_next(journal, has_last ? notes->last_seen : NULL);
    while (record != NULL && record->number < notes->seen)
        record = kin_journal_next(journal, record);
    KIN_ASSERT(record == NULL || record->number >= notes->seen);
    return record;
}

// Of systems beside each other, what was written is of the first one that declares it, else of the first one.
static void set_writer(kin__notes *notes, kin_component_id component)
{
    const kin__host *host = notes->site->host;
    const char *name = notes->site->info->components[component].name;
    KIN_ASSERT(notes->beside_count <= KIN__MAX_BESIDE);
    if (notes->beside_count < 2)
        return;
    const kin__system_call *writer = &notes->beside[0];
    for (uint32_t i = notes->beside_count; i > 0; i--)
        if (kin__calls_declares(host, kin__calls_name(host, notes->beside[i - 1].name), name))
            writer = &notes->beside[i - 1];
    set_now(notes, writer);
}

static void compare_audits(kin__notes *notes, const kin_record *first, bool is_complete)
{
    uint64_t began = kin__inspect_now();
    uint64_t deadline = began + notes->audit_left;
    KIN_ASSERT(notes->audit_count > 0);
    for (uint32_t i = 0; i < KIN__MAX_AUDITS; i++)
        if (notes->audits[i] != NULL) {
            set_writer(notes, notes->audits[i]->component);
            kin__audit_compare(notes, notes->audits[i], first, is_complete, deadline);
        }
    uint64_t spent = kin__inspect_now() - began;
    notes->audit_left -= kin__min_64(spent, notes->audit_left);
}

static void compare_all(kin__notes *notes)
{
    for (uint32_t i = 0; i < KIN__MAX_WATCHES; i++)
        if (notes->watches[i].number != 0) {
            set_writer(notes, notes->watches[i].spec.component);
            kin__watch_compare(notes, &notes->watches[i]);
        }
}

// The same without records: compares in full what does not stand still. Watches of one component often follow each
// other.
static void compare_changed(kin__notes *notes)
{
    const kin_context *context = notes->site->context;
    kin_component_id component = 0;
    uint64_t changes = kin_component_changes(context, component);
    for (uint32_t i = 0, left = notes->watch_count; left > 0; i++) {
        kin__value_watch *watch = &notes->watches[i];
        if (watch->number == 0)
            continue;
        left--;
        if (watch->spec.component != component)
            changes = kin_component_changes(context, component = watch->spec.component);
        if (!kin__watch_stands_still(watch, changes))
            kin__watch_compare(notes, watch);
    }
}

void kin__notes_compare(kin__notes *notes)
{
    bool is_parallel = notes->beside_count > 1 && notes->beside_left < notes->beside_count;
    bool is_needed = notes->is_noting && has_observers(notes);
    if (!is_needed || is_parallel)
        return;
    if (notes->audit_count > 0) {
        bool is_complete;
        const kin_record *first = first_unseen(notes, &is_complete);
        compare_audits(notes, first, is_complete);
        for (const kin_record *record = first; record != NULL; record = kin_journal_next(&notes->journal, record)) {
            notes->last_seen = record;
            notes->last_number_seen = record->number;
        }
    }
    if (notes->journal.next_number != notes->seen || notes->beside_count > 1)
        compare_all(notes);
    else
        compare_changed(notes);
    notes->seen = notes->journal.next_number;
}

static void begin_update(kin__notes *notes, uint64_t budget)
{
    if (notes->audit_count == 0)
        return;
    kin__notes_compare(notes);
    bool has_time = notes->audit_left > notes->audit_budget / 2;
    uint64_t deadline = kin__inspect_now() + budget;
    notes->audit_budget = budget;
    notes->audit_left = budget;
    for (uint32_t i = 0; i < KIN__MAX_AUDITS; i++)
        if (notes->audits[i] != NULL)
            kin__audit_begin_update(notes, notes->audits[i], has_time, deadline);
}

void kin__notes_begin_update(const kin__sites *sites, const kin__host *host, uint64_t budget)
{
    uint32_t count = atomic_load(&sites->site_count);
    for (uint32_t i = 0; i < count; i++)
        if (sites->sites[i].host == host && sites->sites[i].notes != NULL)
            begin_update(sites->sites[i].notes, budget);
}

// ---- beginning and ending

kin__notes *kin__notes_make(const kin__site *site, kin__bounded_heap *heap)
{
    kin__notes *notes = kin__bounded_zeros(heap, sizeof *notes);
    size_t size = (site->info->component_count + 1) * sizeof(kin_component_id);
    if (notes == NULL)
        return NULL;
    notes->components = kin__bounded_zeros(heap, size);
    if (notes->components == NULL) {
        kin__bounded_release(heap, notes, sizeof *notes);
        return NULL;
    }
    notes->site = site;
    notes->heap = heap;
    notes->journal = (kin_journal){.memory = notes->small, .size = sizeof notes->small};
    return notes;
}

void kin__notes_release(kin__notes *notes)
{
    if (notes == NULL)
        return;
    for (uint32_t i = 0; i < KIN__MAX_AUDITS; i++)
        kin__audit_destroy(notes->heap, notes->audits[i]);
    if (notes->journal.memory != notes->small && notes->journal.memory != notes->ring)
        kin__bounded_release(notes->heap, notes->journal.memory, notes->journal.size);
    kin__bounded_release(notes->heap, notes->ring, KIN__AUDIT_RING);
    kin__bounded_release(notes->heap, notes->components,
                         (notes->site->info->component_count + 1) * sizeof(kin_component_id));
    kin__bounded_release(notes->heap, notes, sizeof *notes);
}

bool kin__notes_install(const kin__site *site, kin__notes *notes)
{
    kin__site *owner = (kin__site *)(uintptr_t)site; // only the thread of the host has these
    if (owner->notes != NULL || notes == NULL)
        return false;
    owner->notes = notes;
    return true;
}

static void end(kin__notes *notes)
{
    kin__notes_stop(notes);
    for (uint32_t i = 0; i < KIN__MAX_WATCHES; i++)
        notes->watches[i].number = 0;
    notes->watch_count = 0;
    for (uint32_t i = 0; i < KIN__MAX_AUDITS; i++)
        if (notes->audits[i] != NULL)
            drop_audit(notes, &notes->audits[i]);
    finish(notes);
}

void kin__notes_end(const kin__sites *sites, const kin__host *host)
{
    uint32_t count = atomic_load(&sites->site_count);
    for (uint32_t i = 0; i < count; i++)
        if (sites->sites[i].host == host && sites->sites[i].notes != NULL)
            end(sites->sites[i].notes);
}

void kin__notes_expire(const kin__sites *sites, const kin__host *host, uint64_t now)
{
    bool is_silent = kin__host_is_silent(host, now);
    uint32_t count = atomic_load(&sites->site_count);
    for (uint32_t i = 0; i < count; i++) {
        if (sites->sites[i].host != host) // only its own thread may read the notes
            continue;
        kin__notes *notes = sites->sites[i].notes;
        if (notes == NULL || !notes->is_noting)
            continue;
        if (notes->lags)
            note_wanted(notes);
        if (is_silent && !notes->is_pinned)
            end(notes);
        else
            finish(notes);
    }
}

// ---- methods

// journal.start, .stop and .read: what changed a context, and by which system.

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

static bool parse_start(kin__task *task)
{
    json_int_t size = STANDARD;
    if (!kin__parameter_integer(task, "bytes", &size))
        return false;
    start_task *data = task->data;
    if (kin__parameter_text(task, "entity") != NULL && !kin__parameter_entity(task, "entity", &data->spec.entity))
        return false;
    data->spec.is_pinned = kin__parameter_bool(task, "pinned");
    if (!parse_components(task, &data->spec))
        return false;
    data->made = kin__notes_make(task->site, &task->service->heap);
    data->spec.size = (size_t)size / 8 * 8;
    data->spec.memory = kin__bounded_allocate(&task->service->heap, data->spec.size);
    bool has_memory = data->made != NULL && data->spec.memory != NULL;
    return has_memory || kin__task_fail_memory(task);
}

static void release_start(kin__task *task)
{
    start_task *data = task->data;
    kin__notes_release(data->made);
    if (!data->is_taken)
        kin__bounded_release(&task->service->heap, data->spec.memory, data->spec.size);
}

static bool step_start(kin__task *task)
{
    start_task *data = task->data;
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
    kin__json_put_natural(json, "frame", task->frame);
    kin__json_put_natural(json, "bytes", data->spec.size);
    kin__json_put_bool(json, "lives", data->spec.lives);
    kin__json_put_bool(json, "all_components", data->spec.all_components);
}

static bool step_stop(kin__task *task)
{
    if (task->site->notes != NULL)
        kin__notes_stop(task->site->notes);
    return true;
}

static void show_stop(const kin__task *task, kin__json *json)
{
    kin__json_put_natural(json, "frame", task->frame);
}

// ---- reading

typedef struct read_task {
    // filters
    bool has_component, has_kind, has_after;
    kin_component_id component;
    uint8_t kind;
    char system[SYSTEM]; // or "" for any
    json_int_t limit;
    uint64_t after; // the number of the first record
    // results
    uint64_t lost, first, next;
    uint32_t there;
    uint64_t count; // of those that were wanted; record n is in place n % limit
    char *places;   // in the capture
    // between slices
    uint64_t end;         // the number of the record after the last one that is looked at
    const kin_record *at; // the last one that was looked at, or NULL; it is there while the ring has its number
    uint64_t at_number;
} read_task;

static bool parse_filters(kin__task *task, read_task *data)
{
    const char *kind = kin__parameter_text(task, "kind");
    const char *system = kin__parameter_text_or_empty(task, "system");
    if (kin__parameter_text(task, "entity") != NULL && !kin__parameter_entity(task, "entity", &task->entity))
        return false;
    data->has_component = kin__parameter_text(task, "component") != NULL;
    if (data->has_component && !kin__parameter_component(task, "component", &data->component))
        return false;
    snprintf(data->system, sizeof data->system, "%s", system);
    data->has_kind = kind != NULL;
    if (!data->has_kind)
        return true;
    return kin__find_record_kind(kind, &data->kind) ||
           kin__task_fail(task, KIN__CODE_PARAMETERS,
                          "'kind' must be created, destroyed, added, removed, replaced, touched or written");
}

static bool parse_read(kin__task *task)
{
    read_task *data = task->data;
    data->limit = 100;
    return kin__parameter_integer(task, "limit", &data->limit) &&
           kin__parameter_after(task, &data->after, &data->has_after) && parse_filters(task, data) &&
           kin__task_make_capture(task, (size_t)data->limit * PLACE + 16, 0);
}

static bool is_wanted(const kin__task *task, const kin_record *record)
{
    const read_task *data = task->data;
    kin_entity noted = task->site->notes->wanted_entity; // watches and audits note others, too
    if (record->number < data->after)
        return false;
    if (task->entity != 0 && record->entity != task->entity)
        return false;
    if (noted != 0 && record->entity != noted)
        return false;
    if (data->has_component && record->component != data->component)
        return false;
    if (data->has_kind && record->kind != data->kind)
        return false;
    return data->system[0] == '\0' || strcmp(kin__record_system(task->site, record), data->system) == 0;
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
static bool step_read(kin__task *task)
{
    read_task *data = task->data;
    if (task->site->notes == NULL || !task->site->notes->is_on)
        return kin__task_fail(task, KIN__CODE_NOT_RECORDING, "%s has no journal; journal.start begins one",
                              task->site->name);
    const kin_journal *journal = &task->site->notes->journal;
    if (data->places == NULL && !kin__task_needs_caller(task, data->system))
        return true;
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
        if (n % RECORDS_OF_A_SLICE == 0 && kin__task_is_late(task))
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
    kin__task_show_frame(task, json);
    kin__json_put_natural(json, "lost", data->lost);
    kin__json_put_natural(json, "count", data->there);
    kin__json_put_digits(json, "first", data->first);
    kin__json_put_digits(json, "next", data->next);
    kin__json_begin_member(json, "records", '[');
    for (uint64_t n = kin__oldest_kept(data->count, (uint64_t)data->limit); n < data->count; n++) {
        const kin_record *record = record_at(data, n);
        kin__json_begin(json, '{');
        kin__show_record(json, task->site, record);
        show_values(json, task->site, record);
        kin__json_end(json, '}');
    }
    kin__json_end(json, ']');
}

const kin__method kin__method_journal_start = {
    .name = "journal.start",
    .doc =
        "Notes changes of the context from now on, instead of those of an earlier journal: what a parameter names, or "
        "everything. It ends when no viewer has asked for anything for ten seconds, unless it is pinned.",
    .result = "frame, bytes, lives, all_components",
    .writes = true,
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"components", "array", false, "names of components", 0, 0},
                   {"lives", "boolean", false, "notes created and destroyed entities", 0, 0},
                   {"entity", "string", false, "notes this one alone", 0, 0},
                   {"bytes", "integer", false, "of the ring, 4096 to 16777216; 4194304 without it", LEAST, MOST},
                   {"pinned", "boolean", false, "goes on without a viewer", 0, 0}},
    .data_size = sizeof(start_task),
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
                   {"entity", "string", false, "of this one alone", 0, 0},
                   {"component", "string", false, "of this one alone", 0, 0},
                   {"system", "string", false, "by this one alone; 'outside' and 'inspector' are names, too", 0, 0},
                   {"kind", "string", false, "of this kind alone", 0, 0},
                   {"after", "string", false, "'next' of an earlier answer", 0, 0},
                   {"limit", "integer", false, "1 to 1000; 100 without it", 1, MOST_RECORDS}},
    .data_size = sizeof(read_task),
    .parse = parse_read,
    .step = step_read,
    .show = show_read,
};
