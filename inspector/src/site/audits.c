#include "site/audits.h"

#include "host/host.h"

#include <string.h>

enum { FIRST_WINDOW = 64, LEAST_WINDOW = 8, WORDS_A_CLOCK = 16 };

static size_t word_size(const kin__audit *audit)
{
    return sizeof *audit->has + 64 * audit->info->size;
}

kin__audit *kin__audit_make(kin__bounded_heap *heap, const kin__site *site, kin_component_id id, size_t bytes)
{
    const kin_component_info *info = &site->info->components[id];
    size_t capacity = bytes / (sizeof(uint64_t) + 64 * info->size);
    size_t whole = sizeof(kin__audit) + capacity * (sizeof(uint64_t) + 64 * info->size);
    kin__audit *audit = kin__bounded_zeros(heap, whole); // touched here, so that the thread of the game need not wait
    if (audit == NULL)
        return NULL;
    audit->component = id;
    audit->info = info;
    audit->whole = whole;
    audit->capacity = (uint32_t)capacity;
    audit->has = (uint64_t *)(void *)(audit + 1);
    audit->values = (char *)(audit->has + capacity);
    audit->is_waiting = true;
    return audit;
}

void kin__audit_destroy(kin__bounded_heap *heap, kin__audit *audit)
{
    if (audit != NULL)
        kin__bounded_release(heap, audit, audit->whole);
}

size_t kin__audit_needs(const kin__audit *audit, const kin_context *context)
{
    return kin_look_words(context) * word_size(audit);
}

uint32_t kin__audit_words(const kin__audit *audit, const kin_context *context)
{
    uint32_t words = kin_look_words(context);
    return audit->count < words ? audit->count : words;
}

// ---- the column

// Returns the value of a slot that has the component; of one that is stored by fields it is read into `room`.
static const char *value_at(const kin_context *context, const kin__audit *audit, uint32_t slot, char *room)
{
    kin_entity entity = kin_look_entity(context, slot);
    const char *value = kin_get(context, entity, audit->component);
    if (value == NULL && kin_look_read(context, entity, audit->component, room))
        value = room;
    return value;
}

static char *copy_at(const kin__audit *audit, uint32_t word, uint32_t place)
{
    return audit->values + ((size_t)word * 64 + place) * audit->info->size;
}

// Whether the values of neighbouring slots lie one after the other.
static bool is_dense(const kin__audit *audit)
{
    return !audit->info->is_soa && !audit->info->is_boxed;
}

static uint32_t lowest(uint64_t bits)
{
    return kin__lowest_bit(bits);
}

// Returns how many slots with values follow one another from the lowest one on.
static uint32_t run_length(const kin__audit *audit, uint64_t bits)
{
    uint64_t ended = ~(bits >> lowest(bits));
    return !is_dense(audit) ? 1 : ended == 0 ? 64 : lowest(ended);
}

static uint64_t run_bits(uint32_t place, uint32_t length)
{
    return (length == 64 ? ~(uint64_t)0 : ((uint64_t)1 << length) - 1) << place;
}

static void copy_word(const kin_context *context, kin__audit *audit, uint32_t word)
{
    char room[KIN__AUDITED_SOA] = {0};
    uint64_t bits = kin_look_has(context, audit->component, audit->first + word);
    audit->has[word] = bits;
    while (bits != 0) {
        uint32_t place = lowest(bits), length = run_length(audit, bits);
        const char *value = value_at(context, audit, (audit->first + word) * 64 + place, room);
        memcpy(copy_at(audit, word, place), value, length * audit->info->size);
        bits &= ~run_bits(place, length);
    }
}

// ---- what was written

static kin__audited_system *find_system(kin__audit *audit, uint16_t name)
{
    for (uint32_t i = 0; i < audit->system_count; i++)
        if (audit->systems[i].name == name)
            return &audit->systems[i];
    if (audit->system_count == KIN__AUDITED_SYSTEMS)
        return NULL;
    kin__audited_system *system = &audit->systems[audit->system_count++];
    *system = (kin__audited_system){.name = name};
    return system;
}

// Returns the fields that differ within the first `size` bytes, as bits, without hidden ones.
static uint64_t find_fields(const kin_component_info *info, const char *a, const char *b, size_t size)
{
    uint64_t fields = 0;
    for (uint32_t i = 0; i < info->field_count; i++) {
        const kin_field_info *field = &info->fields[i];
        if (field->inspect != KIN_INSPECT_HIDDEN && field->offset + field->size <= size &&
            memcmp(a + field->offset, b + field->offset, field->size) != 0)
            fields |= (uint64_t)1 << (i < 63 ? i : 63);
    }
    return fields;
}

static void copy_shown(const kin_component_info *info, char *copy, const char *value, size_t size)
{
    memcpy(copy, value, size);
    for (uint32_t i = 0; i < info->field_count; i++) {
        const kin_field_info *field = &info->fields[i];
        if (field->inspect == KIN_INSPECT_HIDDEN && field->offset < size)
            memset(copy + field->offset, 0, field->size < size - field->offset ? field->size : size - field->offset);
    }
}

// Notes that a value was written by the system that is now, or that a record names.
static void note_write(const kin__notes *notes, kin__audit *audit, kin_entity entity, const kin_record *record,
                       const char *previous, const char *value, size_t size)
{
    const kin_journal *now = &notes->journal;
    uint64_t fields = find_fields(audit->info, previous, value, size);
    uint64_t frame = record == NULL ? now->frame : record->frame;
    if (fields == 0)
        return;
    kin__audited_system *system = find_system(audit, record == NULL ? now->system : record->system);
    if (system == NULL) {
        audit->other++;
        return;
    }
    system->first_frame = system->count == 0 ? frame : system->first_frame;
    system->last_frame = frame;
    system->count++;
    system->fields |= fields;
    kin__audited_write *write = &system->writes[system->kept++ % KIN__AUDITED_WRITES];
    write->entity = entity;
    write->frame = frame;
    write->step = record == NULL ? now->step : record->step;
    write->role = record == NULL ? now->role : record->role;
    size = size < sizeof write->value ? size : sizeof write->value;
    copy_shown(audit->info, write->previous, previous, size);
    copy_shown(audit->info, write->value, value, size);
}

// ---- what was notified

// Applies a change to the copy. What the record has from before, and the copy has not, was written in place.
static void apply_record(const kin__notes *notes, kin__audit *audit, const kin_record *record)
{
    uint32_t slot = kin_entity_slot(record->entity), word = slot / 64 - audit->first, place = slot % 64;
    uint64_t bit = (uint64_t)1 << place;
    if (record->component != audit->component || record->kind == KIN_RECORD_WRITTEN || slot / 64 < audit->first ||
        word >= audit->count)
        return;
    char room[KIN__AUDITED_SOA] = {0}, *copy = copy_at(audit, word, place);
    const char *previous = kin_record_previous(record), *value = kin_record_value(record);
    bool is_silent = record->kind == KIN_RECORD_REPLACED || record->kind == KIN_RECORD_REMOVED;
    if (is_silent && previous != NULL && (audit->has[word] & bit) != 0)
        note_write(notes, audit, record->entity, record, copy, previous, record->previous_size);
    audit->has[word] = value == NULL ? audit->has[word] & ~bit : audit->has[word] | bit;
    if (value == NULL)
        return;
    // Of a larger value the rest is taken as it is now.
    const char *now =
        record->value_size == audit->info->size ? NULL : value_at(notes->site->context, audit, slot, room);
    if (now != NULL)
        memcpy(copy, now, audit->info->size);
    memcpy(copy, value, record->value_size);
}

// ---- comparing

static void compare_value(const kin__notes *notes, kin__audit *audit, uint32_t word, uint32_t place, const char *value)
{
    char *copy = copy_at(audit, word, place);
    if (memcmp(copy, value, audit->info->size) == 0)
        return;
    kin_entity entity = kin_look_entity(notes->site->context, (audit->first + word) * 64 + place);
    note_write(notes, audit, entity, NULL, copy, value, audit->info->size);
    memcpy(copy, value, audit->info->size);
}

static void compare_word(const kin__notes *notes, kin__audit *audit, uint32_t word)
{
    char room[KIN__AUDITED_SOA] = {0};
    const kin_context *context = notes->site->context;
    uint64_t now = kin_look_has(context, audit->component, audit->first + word), bits = now & audit->has[word];
    bool is_same = now == audit->has[word];
    while (bits != 0) {
        uint32_t place = lowest(bits), length = run_length(audit, bits);
        const char *value = value_at(context, audit, (audit->first + word) * 64 + place, room);
        if (memcmp(copy_at(audit, word, place), value, length * audit->info->size) != 0)
            for (uint32_t i = 0; i < length; i++)
                compare_value(notes, audit, word, place + i, value + i * audit->info->size);
        bits &= ~run_bits(place, length);
    }
    if (!is_same) // such as after a reset of the context, which is not noted
        copy_word(context, audit, word);
}

// Ends comparing until the next update.
static void cut(kin__audit *audit)
{
    audit->cut += !audit->is_cut;
    audit->is_waiting = audit->is_cut = true;
}

static bool is_late(uint32_t word, uint64_t deadline)
{
    return word % WORDS_A_CLOCK == WORDS_A_CLOCK - 1 && kin__inspect_now() >= deadline;
}

void kin__audit_compare(const kin__notes *notes, kin__audit *audit, const kin_record *first, bool is_complete,
                        uint64_t deadline)
{
    uint32_t words = kin_look_words(notes->site->context), done = 0;
    if (audit->is_waiting)
        return;
    audit->lost += !is_complete;
    for (const kin_record *record = first; is_complete && record != NULL && !audit->is_waiting;
         record = kin_journal_next(&notes->journal, record)) {
        apply_record(notes, audit, record);
        if (is_late(done++, deadline))
            cut(audit);
    }
    for (uint32_t word = 0; word < audit->count && audit->first + word < words && !audit->is_waiting; word++) {
        if (is_complete)
            compare_word(notes, audit, word);
        else
            copy_word(notes->site->context, audit, word);
        if (is_late(word, deadline))
            cut(audit);
    }
}

// ---- the window

static void choose_window(kin__audit *audit, uint32_t words, bool has_time)
{
    uint32_t most = words < audit->capacity ? words : audit->capacity, former = audit->count;
    if (former == 0)
        audit->count = FIRST_WINDOW;
    else if (audit->is_cut)
        audit->count = former / 2;
    else if (has_time)
        audit->count = former * 2;
    audit->count = audit->count < LEAST_WINDOW ? LEAST_WINDOW : audit->count;
    audit->count = audit->count < most ? audit->count : most;
    audit->first = former > 0 && audit->count < words ? audit->first + former : 0;
    audit->first = audit->first < words ? audit->first : 0;
}

void kin__audit_begin_update(const kin__notes *notes, kin__audit *audit, bool has_time, uint64_t deadline)
{
    uint32_t words = kin_look_words(notes->site->context);
    bool is_whole = audit->first == 0 && audit->count >= words;
    if (!audit->is_waiting && is_whole)
        return;
    choose_window(audit, words, has_time);
    audit->is_waiting = audit->is_cut = false;
    for (uint32_t word = 0; word < audit->count && audit->first + word < words && !audit->is_waiting; word++) {
        copy_word(notes->site->context, audit, word);
        if (is_late(word, deadline))
            cut(audit);
    }
}
