#include "site/notes.h"

#include "site/audits.h"
#include "host/host.h"
#include "site/watches.h"

#include <string.h>

static const uint64_t kept_for = 10 * (uint64_t)1000000000;

// ---- what runs now

static void set_now(kin__notes *notes, const kin__system_call *call)
{
    notes->journal.frame = kin__host_frame(notes->site->host);
    notes->journal.system = call == NULL ? KIN__OUTSIDE : call->name;
    notes->journal.role = call == NULL ? KIN__NO_ROLE : (uint16_t)call->role;
    notes->journal.step = call == NULL ? 0 : call->step;
}

static bool is_beside(const kin__notes *notes)
{
    return kin__calls_is_beside(notes->site->host) && notes->beside_count > 0 && notes->beside_count < KIN__MAX_BESIDE;
}

static void enter(void *user, const kin__system_call *call)
{
    kin__notes *notes = user;
    bool was_fresh = notes->is_fresh;
    notes->is_fresh = false;
    if (call->is_collection)
        return;
    if (!is_beside(notes)) {
        if (!was_fresh || !kin__calls_is_next(notes->site->host))
            kin__notes_compare(notes);
        set_now(notes, call);
        notes->beside_count = notes->beside_left = 0;
    }
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
    notes->beside_count = notes->beside_left = 0;
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

static void add_component(kin__notes *notes, kin_component_id id)
{
    kin_journal *journal = &notes->journal;
    for (uint32_t i = 0; i < journal->component_count; i++)
        if (notes->components[i] == id)
            return;
    notes->components[journal->component_count++] = id;
}

// Notes what the viewer, the watches and the audits want; while threads share the context, from the next update on.
static void note_wanted(kin__notes *notes)
{
    kin_journal *journal = &notes->journal;
    journal->component_count = notes->is_on ? notes->wanted_count : 0;
    journal->components = notes->components;
    journal->all_components = notes->is_on && notes->wants_all;
    journal->lives = notes->is_on && notes->wants_lives;
    journal->entity = notes->watch_count + notes->audit_count > 0 ? 0 : notes->wanted_entity;
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
    bool has_ring = notes->audit_count > 0 && notes->ring != NULL;
    use_memory(notes, has_ring ? notes->ring : notes->small, has_ring ? KIN__AUDIT_RING : sizeof notes->small);
}

static bool begin(kin__notes *notes)
{
    if (notes->is_noting)
        return true;
    notes->hook = (kin__hook){enter, leave, notes, false};
    notes->is_noting = kin__calls_follow(notes->site->host, notes->heap, &notes->hook);
    set_now(notes, kin__calls_now(notes->site->host));
    return notes->is_noting;
}

// Ends what nothing wants any more.
static void finish(kin__notes *notes)
{
    if (!notes->is_noting || notes->is_on || notes->watch_count + notes->audit_count > 0)
        return;
    if (kin_context_journal(notes->site->context, NULL) != KIN_OK) { // threads share it: in the next update
        notes->lags = true;
        return;
    }
    notes->lags = false;
    kin__calls_unfollow(notes->site->host, &notes->hook);
    notes->beside_count = 0;
    use_own_memory(notes);
    notes->is_noting = notes->is_pinned = false;
}

// ---- the journal

bool kin__notes_start(kin__notes *notes, const kin__notes_spec *spec)
{
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
    if (notes->watch_count + notes->audit_count > 0)
        note_wanted(notes);
    finish(notes);
}

// ---- watches

uint32_t kin__notes_watch(kin__notes *notes, const kin__watch_spec *spec, bool is_pinned)
{
    if (notes->watch_count == KIN__MAX_WATCHES || !begin(notes))
        return 0;
    kin__notes_compare(notes);
    uint32_t place = 0;
    while (notes->watches[place].number != 0)
        place++;
    kin__value_watch *watch = &notes->watches[place];
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

// Returns the first record that was not seen, or NULL. `*is_complete`: none of those that follow was lost.
static const kin_record *first_unseen(const kin__notes *notes, bool *is_complete)
{
    const kin_journal *journal = &notes->journal;
    uint64_t oldest = journal->next_number - journal->count;
    bool has_last = notes->last_seen != NULL && notes->last_number_seen >= oldest;
    *is_complete = notes->seen >= oldest;
    if (notes->seen == journal->next_number)
        return NULL;
    const kin_record *record = kin_journal_next(journal, has_last ? notes->last_seen : NULL);
    while (record != NULL && record->number < notes->seen)
        record = kin_journal_next(journal, record);
    return record;
}

// Of systems beside each other, what was written is of the first one that declares it, else of the first one.
static void set_writer(kin__notes *notes, kin_component_id component)
{
    const kin__host *host = notes->site->host;
    const char *name = notes->site->info->components[component].name;
    if (notes->beside_count < 2)
        return;
    uint32_t writer = 0;
    while (writer < notes->beside_count &&
           !kin__calls_declares(host, kin__calls_name(host, notes->beside[writer].name), name))
        writer++;
    set_now(notes, &notes->beside[writer < notes->beside_count ? writer : 0]);
}

static void compare_audits(kin__notes *notes, const kin_record *first, bool is_complete)
{
    uint64_t began = kin__inspect_now(), deadline = began + notes->audit_left;
    for (uint32_t i = 0; i < KIN__MAX_AUDITS; i++)
        if (notes->audits[i] != NULL) {
            set_writer(notes, notes->audits[i]->component);
            kin__audit_compare(notes, notes->audits[i], first, is_complete, deadline);
        }
    uint64_t spent = kin__inspect_now() - began;
    notes->audit_left -= spent < notes->audit_left ? spent : notes->audit_left;
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
    bool is_complete;
    bool is_parallel = notes->beside_count > 1 && notes->beside_left < notes->beside_count;
    if (!notes->is_noting || notes->watch_count + notes->audit_count == 0 || is_parallel)
        return;
    const kin_record *first = notes->audit_count > 0 ? first_unseen(notes, &is_complete) : NULL;
    if (notes->audit_count > 0)
        compare_audits(notes, first, is_complete);
    for (const kin_record *record = first; record != NULL; record = kin_journal_next(&notes->journal, record)) {
        notes->last_seen = record;
        notes->last_number_seen = record->number;
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
    notes->audit_budget = notes->audit_left = budget;
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
    bool is_silent = now > atomic_load_explicit(&host->last_request, memory_order_relaxed) + kept_for;
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
