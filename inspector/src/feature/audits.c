// Audits: which values of a column each system wrote in place (internal.h).
#include "feature/internal.h"

#include <inttypes.h>
#include <string.h>

// ---- audits

enum { FIRST_WINDOW = 64, LEAST_WINDOW = 8, WORDS_A_CLOCK = 16 };

static size_t word_size(const kin_component_info *info)
{
    return sizeof(uint64_t) + 64 * info->size;
}

kin__audit *kin__audit_make(kin__bounded_heap *heap, const kin__site *site, kin_component_id id, size_t bytes)
{
    const kin_component_info *info = &site->info->components[id];
    size_t capacity = bytes / word_size(info);
    size_t whole = sizeof(kin__audit) + capacity * word_size(info);
    kin__audit *audit = kin__bounded_zeros(heap, whole); // touched here, so that the thread of the game need not wait
    if (audit == NULL)
        return NULL;
    audit->component = id;
    audit->info = info;
    audit->whole = whole;
    audit->capacity = (uint32_t)capacity;
    audit->has = (uint64_t *)(void *)(audit + 1);
    audit->values = (char *)(audit->has + capacity);
    KIN_ASSERT(audit->values + capacity * 64 * info->size == (char *)audit + whole);
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
    return kin_look_words(context) * word_size(audit->info);
}

uint32_t kin__audit_words(const kin__audit *audit, const kin_context *context)
{
    return kin__min_32(audit->count, kin_look_words(context));
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
    KIN_ASSERT(word < audit->capacity && place < 64);
    return audit->values + ((size_t)word * 64 + place) * audit->info->size;
}

// Returns how many values lie one after the other in memory from the lowest slot on.
static uint32_t run_length(const kin__audit *audit, uint64_t bits)
{
    KIN_ASSERT(bits != 0);
    if (audit->info->is_soa || audit->info->is_boxed)
        return 1;
    uint64_t ended = ~(bits >> kin__lowest_bit(bits));
    if (ended == 0)
        return 64;
    return kin__lowest_bit(ended);
}

static uint64_t run_bits(uint32_t place, uint32_t length)
{
    KIN_ASSERT(length > 0 && place + length <= 64);
    return ~(uint64_t)0 >> (64 - length) << place;
}

static void copy_word(const kin_context *context, kin__audit *audit, uint32_t word)
{
    char room[KIN__AUDITED_SOA] = {0};
    uint64_t bits = kin_look_has(context, audit->component, audit->first + word);
    KIN_ASSERT(word < audit->count);
    audit->has[word] = bits;
    while (bits != 0) {
        uint32_t place = kin__lowest_bit(bits);
        uint32_t length = run_length(audit, bits);
        const char *value = value_at(context, audit, (audit->first + word) * 64 + place, room);
        KIN_ASSERT(value != NULL);
        memcpy(copy_at(audit, word, place), value, length * audit->info->size);
        bits &= ~run_bits(place, length);
    }
}

// ---- what was written

static kin__audited_system *find_system(kin__audit *audit, uint16_t name)
{
    KIN_ASSERT(audit->system_count <= KIN__AUDITED_SYSTEMS);
    for (uint32_t i = 0; i < audit->system_count; i++)
        if (audit->systems[i].name == name)
            return &audit->systems[i];
    if (audit->system_count == KIN__AUDITED_SYSTEMS)
        return NULL;
    kin__audited_system *system = &audit->systems[audit->system_count++];
    *system = (kin__audited_system){.name = name};
    return system;
}

// The bit of a field; all after the 63rd share the last one.
static uint64_t field_bit(uint32_t field)
{
    return (uint64_t)1 << kin__min_32(field, 63);
}

// Returns the fields that differ within the first `size` bytes, as bits, without hidden ones.
static uint64_t find_fields(const kin_component_info *info, const char *a, const char *b, size_t size)
{
    uint64_t fields = 0;
    for (uint32_t i = 0; i < info->field_count; i++) {
        const kin_field_info *field = &info->fields[i];
        bool is_known = field->inspect != KIN_INSPECT_HIDDEN && field->offset + field->size <= size;
        if (is_known && memcmp(a + field->offset, b + field->offset, field->size) != 0)
            fields |= field_bit(i);
    }
    return fields;
}

static void copy_shown(const kin_component_info *info, char *copy, const char *value, size_t size)
{
    KIN_ASSERT(size <= info->size);
    memcpy(copy, value, size);
    for (uint32_t i = 0; i < info->field_count; i++) {
        const kin_field_info *field = &info->fields[i];
        if (field->inspect == KIN_INSPECT_HIDDEN && field->offset < size)
            memset(copy + field->offset, 0, kin__min_size(field->size, size - field->offset));
    }
}

// Notes that a value was written at a moment. Its first `size` bytes are known.
static void note_write(kin__audit *audit, kin_entity entity, const kin__moment *moment, const char *previous,
                       const char *value, size_t size)
{
    uint64_t fields = find_fields(audit->info, previous, value, size);
    KIN_ASSERT(size <= audit->info->size);
    if (fields == 0)
        return;
    kin__audited_system *system = find_system(audit, moment->system);
    if (system == NULL) {
        audit->other++;
        return;
    }
    if (system->count++ == 0)
        system->first_frame = moment->frame;
    system->last_frame = moment->frame;
    system->fields |= fields;
    kin__audited_write *write = &system->writes[system->kept++ % KIN__AUDITED_WRITES];
    write->entity = entity;
    write->frame = moment->frame;
    write->step = moment->step;
    write->role = moment->role;
    size = kin__min_size(size, sizeof write->value);
    copy_shown(audit->info, write->previous, previous, size);
    copy_shown(audit->info, write->value, value, size);
}

// ---- what was notified

// Applies a change to the copy. What the record has from before, and the copy has not, was written in place.
static void apply_record(const kin__notes *notes, kin__audit *audit, const kin_record *record)
{
    uint32_t slot = kin_entity_slot(record->entity);
    uint32_t word = slot / 64 - audit->first;
    uint32_t place = slot % 64;
    uint64_t bit = (uint64_t)1 << place;
    bool is_in_window = slot / 64 >= audit->first && word < audit->count;
    bool is_change = record->component == audit->component && record->kind != KIN_RECORD_WRITTEN;
    if (!is_in_window || !is_change)
        return;
    KIN_ASSERT(audit->count <= audit->capacity);
    char *copy = copy_at(audit, word, place);
    const char *previous = kin_record_previous(record);
    const char *value = kin_record_value(record);
    kin__moment moment = {record->frame, record->step, record->system, record->role};
    bool is_of_value = record->kind == KIN_RECORD_REPLACED || record->kind == KIN_RECORD_REMOVED;
    bool is_known = previous != NULL && (audit->has[word] & bit) != 0;
    if (is_of_value && is_known)
        note_write(audit, record->entity, &moment, copy, previous, record->previous_size);
    if (value == NULL) {
        audit->has[word] &= ~bit;
        return;
    }
    audit->has[word] |= bit;
    KIN_ASSERT(record->value_size <= audit->info->size);
    if (record->value_size < audit->info->size) { // the rest of a larger value is taken as it is now
        char room[KIN__AUDITED_SOA] = {0};
        const char *now = value_at(notes->site->context, audit, slot, room);
        if (now != NULL)
            memcpy(copy, now, audit->info->size);
    }
    memcpy(copy, value, record->value_size);
}

// ---- comparing

static void compare_value(const kin__notes *notes, kin__audit *audit, uint32_t word, uint32_t place, const char *value)
{
    char *copy = copy_at(audit, word, place);
    KIN_ASSERT(value != NULL);
    if (memcmp(copy, value, audit->info->size) == 0)
        return;
    const kin_journal *now = &notes->journal;
    kin__moment moment = {now->frame, now->step, now->system, now->role};
    kin_entity entity = kin_look_entity(notes->site->context, (audit->first + word) * 64 + place);
    note_write(audit, entity, &moment, copy, value, audit->info->size);
    memcpy(copy, value, audit->info->size);
}

static void compare_word(const kin__notes *notes, kin__audit *audit, uint32_t word)
{
    char room[KIN__AUDITED_SOA] = {0};
    const kin_context *context = notes->site->context;
    uint64_t now = kin_look_has(context, audit->component, audit->first + word);
    uint64_t bits = now & audit->has[word];
    bool is_same = now == audit->has[word];
    KIN_ASSERT(word < audit->count);
    while (bits != 0) {
        uint32_t place = kin__lowest_bit(bits);
        uint32_t length = run_length(audit, bits);
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

// Returns the words of the window that the context has.
static uint32_t window_end(const kin__notes *notes, const kin__audit *audit)
{
    uint32_t words = kin_look_words(notes->site->context);
    if (words <= audit->first)
        return 0;
    return kin__min_32(audit->count, words - audit->first);
}

static bool is_late(uint32_t word, uint64_t deadline)
{
    return word % WORDS_A_CLOCK == WORDS_A_CLOCK - 1 && kin__inspect_now() >= deadline;
}

void kin__audit_compare(const kin__notes *notes, kin__audit *audit, const kin_record *first, bool is_complete,
                        uint64_t deadline)
{
    uint32_t end = window_end(notes, audit);
    uint32_t done = 0;
    KIN_ASSERT(audit->count <= audit->capacity);
    if (audit->is_waiting)
        return;
    if (!is_complete) {
        audit->lost++;
        first = NULL;
    }
    for (const kin_record *record = first; record != NULL && !audit->is_waiting;
         record = kin_journal_next(&notes->journal, record)) {
        apply_record(notes, audit, record);
        if (is_late(done++, deadline))
            cut(audit);
    }
    for (uint32_t word = 0; word < end && !audit->is_waiting; word++) {
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
    uint32_t former = audit->count;
    if (former == 0)
        audit->count = FIRST_WINDOW;
    else if (audit->is_cut)
        audit->count = former / 2;
    else if (has_time)
        audit->count = former * 2;
    audit->count = kin__max_32(audit->count, LEAST_WINDOW);
    audit->count = kin__min_32(audit->count, kin__min_32(words, audit->capacity));
    bool is_part = former > 0 && audit->count < words;
    audit->first += former;
    if (!is_part || audit->first >= words)
        audit->first = 0;
}

void kin__audit_begin_update(const kin__notes *notes, kin__audit *audit, bool has_time, uint64_t deadline)
{
    uint32_t words = kin_look_words(notes->site->context);
    bool is_whole = audit->first == 0 && audit->count >= words;
    KIN_ASSERT(audit->count <= audit->capacity);
    if (!audit->is_waiting && is_whole)
        return;
    choose_window(audit, words, has_time);
    audit->is_waiting = audit->is_cut = false;
    uint32_t end = window_end(notes, audit);
    for (uint32_t word = 0; word < end && !audit->is_waiting; word++) {
        copy_word(notes->site->context, audit, word);
        if (is_late(word, deadline))
            cut(audit);
    }
}

// ---- methods

// audit.start, .stop and .read: what each system wrote in place in a column, and whether its schema says so.

enum { LEAST = 4096, MOST = 16 * 1024 * 1024, STANDARD = 4 * 1024 * 1024 };

// ---- starting and stopping

typedef struct start_task {
    kin__notes *made;
    kin__audit *audit; // or NULL when the notes own it
    void *ring;        // or NULL when they own it
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

static bool parse_start(kin__task *task)
{
    kin_component_id id;
    start_task *data = task->data;
    kin__bounded_heap *heap = &task->service->heap;
    data->bytes = STANDARD;
    data->is_pinned = kin__parameter_bool(task, "pinned");
    if (!kin__parameter_component(task, "component", &id) || !check_component(task, id) ||
        !kin__parameter_integer(task, "bytes", &data->bytes))
        return false;
    data->made = kin__notes_make(task->site, heap);
    data->audit = kin__audit_make(heap, task->site, id, (size_t)data->bytes);
    data->ring = kin__bounded_allocate(heap, KIN__AUDIT_RING);
    bool has_memory = data->made != NULL && data->audit != NULL && data->ring != NULL;
    return has_memory || kin__task_fail(task, KIN__CODE_LIMIT,
                                        "the inspector has no memory left for a copy of the column; give fewer "
                                        "'bytes', or raise its limit");
}

static void release_start(kin__task *task)
{
    start_task *data = task->data;
    kin__notes_release(data->made);
    kin__audit_destroy(&task->service->heap, data->audit);
    kin__bounded_release(&task->service->heap, data->ring, KIN__AUDIT_RING);
}

static bool step_start(kin__task *task)
{
    start_task *data = task->data;
    size_t needed = kin__audit_needs(data->audit, task->site->context);
    if (needed > (size_t)data->bytes)
        return kin__task_fail(
            task, KIN__CODE_LIMIT,
            "a copy of the column of %s needs %zu bytes; raise 'bytes', which is %" JSON_INTEGER_FORMAT ", up to %d",
            data->audit->info->name, needed, data->bytes, MOST);
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
    kin__json_put_natural(json, "frame", task->frame);
    kin__json_put_natural(json, "audit", data->number);
}

static bool parse_stop(kin__task *task)
{
    return kin__parameter_integer(task, "audit", &((start_task *)task->data)->wanted);
}

static bool step_stop(kin__task *task)
{
    start_task *data = task->data;
    data->number = (uint32_t)data->wanted;
    if (task->site->notes == NULL || !kin__notes_end_audit(task->site->notes, data->number))
        kin__task_fail(task, KIN__CODE_PARAMETERS, "there is no such audit; audit.read has them");
    return true;
}

// ---- reading

typedef struct read_task {
    json_int_t wanted; // or 0 for all
    uint32_t count;
    kin__audit *audits[KIN__MAX_AUDITS]; // in the capture, without the copy
    uint32_t compared[KIN__MAX_AUDITS], slots;
} read_task;

static bool parse_read(kin__task *task)
{
    return kin__parameter_integer(task, "audit", &((read_task *)task->data)->wanted) &&
           kin__task_make_capture(task, KIN__MAX_AUDITS * (sizeof(kin__audit) + 16), 0);
}

static bool step_read(kin__task *task)
{
    read_task *data = task->data;
    kin__notes *notes = task->site->notes;
    if (notes == NULL || notes->audit_count == 0)
        return kin__task_fail(task, KIN__CODE_NOT_RECORDING, "%s has no audit; audit.start begins one",
                              task->site->name);
    kin__notes_compare(notes);
    data->slots = 64 * kin_look_words(task->site->context);
    for (uint32_t i = 0; i < KIN__MAX_AUDITS; i++) {
        const kin__audit *audit = notes->audits[i];
        bool is_wanted = audit != NULL && (data->wanted == 0 || data->wanted == audit->number);
        if (!is_wanted)
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

static void show_writes(kin__json *json, const kin_component_info *info, const kin__audited_system *system)
{
    size_t size = kin__min_size(info->size, KIN__WATCHED_BYTES);
    kin__json_begin_member(json, "writes", '[');
    for (uint64_t n = kin__oldest_kept(system->kept, KIN__AUDITED_WRITES); n < system->kept; n++) {
        const kin__audited_write *write = &system->writes[n % KIN__AUDITED_WRITES];
        kin__json_begin(json, '{');
        kin__json_put_entity(json, "e", write->entity);
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
    const char *name = kin__calls_name(site->host, system->name);
    kin__json_begin(json, '{');
    kin__json_put_string(json, "system", name);
    kin__json_key(json, "declared");
    if (is_of_schema(site->host, name))
        kin__json_bool(json, kin__calls_declares(site->host, name, audit->info->name));
    else
        kin__json_null(json);
    kin__json_put_natural(json, "count", system->count);
    const kin_component_info *info = audit->info;
    kin__json_begin_member(json, "fields", '[');
    for (uint32_t i = 0; i < info->field_count; i++)
        if ((system->fields & field_bit(i)) != 0 && info->fields[i].inspect != KIN_INSPECT_HIDDEN)
            kin__json_string(json, info->fields[i].name);
    kin__json_end(json, ']');
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
    kin__json_begin_member(json, "systems", '[');
    for (uint32_t i = 0; i < audit->system_count; i++)
        show_system(json, task->site, audit, &audit->systems[i]);
    kin__json_end(json, ']');
    kin__json_end(json, '}');
}

static void show_read(const kin__task *task, kin__json *json)
{
    const read_task *data = task->data;
    kin__task_show_frame(task, json);
    kin__json_begin_member(json, "audits", '[');
    for (uint32_t i = 0; i < data->count; i++)
        show_audit(json, task, data->audits[i], data->compared[i]);
    kin__json_end(json, ']');
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
                   {"component", "string", true, "one with a value", 0, 0},
                   {"bytes", "integer", false, "of the copy, 4096 to 16777216; 4194304 without it", LEAST, MOST},
                   {"pinned", "boolean", false, "goes on without a viewer", 0, 0}},
    .data_size = sizeof(start_task),
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
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"audit", "integer", true, "the number that audit.start gave", 1, UINT32_MAX}},
    .data_size = sizeof(start_task),
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
    .parameters = {KIN__CONTEXT_PARAMETER, {"audit", "integer", false, "this one alone", 1, UINT32_MAX}},
    .data_size = sizeof(read_task),
    .parse = parse_read,
    .step = step_read,
    .show = show_read,
};
