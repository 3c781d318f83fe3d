// Refusals: the calls of the game that the library refused. All are counted, by status, from the beginning; the last
// ones are recorded with frame, system and sentence.
//
//   ring [ refusal | refusal | … ]     one that is like the one before it only counts
//
// They are recorded from the first ask on, until no viewer has asked for ten seconds. All but making and destroying is
// for the thread of the host.
//
// Invariants:
//   1. calls are followed exactly while the host has refusals
//   2. refusal n is in place n % KIN__KEPT_REFUSALS, if it is one of the last; the numbers of its calls follow those of
//      refusal n - 1
#include "feature/internal.h"

#include <stdio.h>
#include <string.h>

static inline const kin__refusal *kin__refusals_at(const kin__refusals *refusals, uint64_t number)
{
    return &refusals->ring[number % KIN__KEPT_REFUSALS];
}

// ---- making

static kin__refusals *refusals_create(kin__bounded_heap *heap)
{
    kin__refusals *refusals = kin__bounded_allocate(heap, sizeof *refusals);
    if (refusals == NULL)
        return NULL;
    memset(refusals, 0, offsetof(kin__refusals, next));
    refusals->heap = heap;
    return refusals;
}

// Destroys one that does not record. NULL is allowed.
static void refusals_destroy(kin__refusals *refusals)
{
    if (refusals != NULL)
        kin__bounded_release(refusals->heap, refusals, sizeof *refusals);
}

// ---- recording

static uint64_t refusals_first(const kin__refusals *refusals)
{
    return kin__oldest_kept(refusals->count, KIN__KEPT_REFUSALS);
}

// Returns the tables of a context of the host, or NULL.
static const kin_context_info *find_info(const kin__host *host, const char *name)
{
    for (uint32_t i = 0; name != NULL && i < host->context_count; i++) {
        const kin_context_info *info = kin_context_info_of(host->contexts[i]);
        if (strcmp(info->name, name) == 0)
            return info;
    }
    return NULL;
}

// NULL is copied as "".
static void copy_text(char *copy, const char *text, size_t capacity)
{
    KIN_ASSERT(capacity > 0);
    size_t size = 0;
    if (text != NULL)
        size = strnlen(text, capacity - 1);
    if (size > 0)
        memcpy(copy, text, size);
    copy[size] = '\0';
}

static void describe(kin__refusal *refusal, const kin__host *host, const kin_error *error)
{
    const kin_context_info *info = find_info(host, error->context);
    refusal->moment = kin__moment_now(host);
    refusal->status = error->status;
    refusal->entity = error->entity;
    refusal->context = NULL;
    refusal->is_hidden = false;
    copy_text(refusal->component, error->component, sizeof refusal->component);
    if (info != NULL) {
        bool has_key = error->status == KIN_ERROR_DUPLICATE_KEY || error->status == KIN_ERROR_INVALID;
        refusal->context = info->name;
        refusal->is_hidden = has_key && kin__has_hidden_key(info, error->component);
    }
    copy_text(refusal->sentence, refusal->is_hidden ? NULL : error->message, sizeof refusal->sentence);
}

static bool is_like(const kin__refusal *one, const kin__refusal *other)
{
    bool is_same_call = one->moment.system == other->moment.system && one->moment.role == other->moment.role;
    bool is_same_place = one->context == other->context && one->entity == other->entity;
    if (!is_same_call || !is_same_place)
        return false;
    if (one->status != other->status)
        return false;
    return strcmp(one->component, other->component) == 0 && strcmp(one->sentence, other->sentence) == 0;
}

void kin__refusals_note(kin__host *host, const kin_error *error)
{
    host->refused[(uint32_t)error->status % KIN__STATUSES]++;
    if (host->refusals != NULL) {
        // One that is like the last one takes its place.
        kin__refusals *refusals = host->refusals;
        kin__refusal *last = &refusals->ring[(refusals->count - 1) % KIN__KEPT_REFUSALS];
        kin__refusal *next = &refusals->next;
        describe(next, refusals->host, error);
        next->first = refusals->calls;
        next->last = refusals->calls++;
        if (refusals->count > 0 && is_like(last, next))
            next->first = last->first;
        else
            refusals->count++;
        KIN_ASSERT(refusals->count > 0 && next->first <= next->last);
        refusals->ring[(refusals->count - 1) % KIN__KEPT_REFUSALS] = *next;
    }
}

// ---- its life

// Goes on for ten seconds more.
static void refusals_want(kin__refusals *refusals)
{
    refusals->until = kin__inspect_now() + kin__silence;
}

static bool refusals_start(kin__host *host, kin__refusals *refusals)
{
    KIN_ASSERT(host->refusals == NULL && refusals->count == 0);
    refusals->host = host;
    if (!kin__calls_follow(host, refusals->heap, &refusals->hook))
        return false;
    host->refusals = refusals;
    atomic_store(&host->keeps_refusals, true);
    refusals_want(refusals);
    return true;
}

void kin__refusals_expire(kin__host *host, uint64_t now)
{
    if (host->refusals != NULL && now > host->refusals->until)
        kin__refusals_stop(host);
}

void kin__refusals_stop(kin__host *host)
{
    kin__refusals *refusals = host->refusals;
    if (refusals == NULL)
        return;
    KIN_ASSERT(refusals->host == host && atomic_load(&host->keeps_refusals));
    atomic_store(&host->keeps_refusals, false);
    host->refusals = NULL;
    kin__calls_unfollow(host, &refusals->hook);
    refusals_destroy(refusals);
}

// ---- methods

// errors.read: the last calls of the game that the library refused.

enum { STANDARD = 100, SYSTEM = 96 };

typedef struct errors_task {
    kin__refusals *made; // until the host takes it
    char system[SYSTEM]; // "" for any
    bool has_after;
    uint64_t after;
    json_int_t limit;
    bool is_new;
    uint64_t lost, next;
    uint64_t counts[KIN__STATUSES];
    uint32_t count;
    kin__refusal *refusals[KIN__KEPT_REFUSALS]; // in the capture
} errors_task;

// ---- parameters

// What is recorded already needs no memory.
static bool make(kin__task *task, errors_task *data)
{
    if (atomic_load(&task->host->keeps_refusals))
        return true;
    data->made = refusals_create(&task->service->heap);
    return data->made != NULL || kin__task_fail_memory(task);
}

static bool parse(kin__task *task)
{
    errors_task *data = task->data;
    data->limit = STANDARD;
    snprintf(data->system, sizeof data->system, "%s", kin__parameter_text_or_empty(task, "system"));
    return kin__parameter_integer(task, "limit", &data->limit) &&
           kin__parameter_after(task, &data->after, &data->has_after) && make(task, data) &&
           kin__task_make_capture(task, KIN__KEPT_REFUSALS * (sizeof(kin__refusal) + 16), 0);
}

static void release(kin__task *task)
{
    refusals_destroy(((errors_task *)task->data)->made);
}

// ---- capturing

static bool is_wanted(const kin__task *task, const kin__refusal *refusal)
{
    const errors_task *data = task->data;
    if (refusal->last < data->after)
        return false;
    return data->system[0] == '\0' || strcmp(kin__calls_name(task->host, refusal->moment.system), data->system) == 0;
}

static void capture(kin__task *task, const kin__refusal *refusal)
{
    errors_task *data = task->data;
    kin__refusal *copy = kin__capture_reserve(&task->capture, sizeof *copy);
    if (copy != NULL)
        *copy = *refusal;
    data->refusals[data->count++] = copy;
}

// With `after` the first ones, without it the newest ones.
static void capture_all(kin__task *task, const kin__refusals *refusals)
{
    errors_task *data = task->data;
    uint64_t numbers[KIN__KEPT_REFUSALS];
    uint32_t found = 0;
    data->next = refusals->calls;
    for (uint64_t n = refusals_first(refusals); n < refusals->count; n++) {
        if (!is_wanted(task, kin__refusals_at(refusals, n)))
            continue;
        if (data->has_after && found == data->limit) {
            data->next = kin__refusals_at(refusals, n)->first;
            break;
        }
        numbers[found++] = n;
    }
    for (uint32_t i = (uint32_t)kin__oldest_kept(found, (uint64_t)data->limit); i < found; i++)
        capture(task, kin__refusals_at(refusals, numbers[i]));
}

static bool step(kin__task *task)
{
    errors_task *data = task->data;
    kin__host *host = task->host;
    if (!kin__task_needs_caller(task, data->system))
        return true;
    memcpy(data->counts, host->refused, sizeof data->counts);
    if (host->refusals == NULL && data->made != NULL) {
        data->is_new = refusals_start(host, data->made);
        if (!data->is_new)
            return kin__task_fail(task, KIN__CODE_LIMIT, "the calls of systems cannot be followed: no memory is left");
        data->made = NULL;
    }
    if (host->refusals == NULL)
        return true;
    refusals_want(host->refusals);
    if (refusals_first(host->refusals) > 0)
        data->lost = kin__refusals_at(host->refusals, refusals_first(host->refusals))->first;
    capture_all(task, host->refusals);
    return true;
}

// ---- the answer

static void show_sentence(kin__json *json, const kin__refusal *refusal)
{
    char text[160];
    if (!refusal->is_hidden) {
        kin__json_put_string(json, "sentence", refusal->sentence);
        return;
    }
    snprintf(text, sizeof text, "%s: another entity has the key of %s", refusal->context, refusal->component);
    kin__json_put_string(json, "sentence", text);
}

static void show_refusal(const kin__task *task, kin__json *json, const kin__refusal *refusal)
{
    kin__json_begin(json, '{');
    kin__json_put_digits(json, "n", refusal->last);
    kin__json_put_natural(json, "count", refusal->last - refusal->first + 1);
    kin__show_moment(json, task->host, &refusal->moment, "system");
    kin__json_put_string(json, "status", kin_status_name(refusal->status));
    show_sentence(json, refusal);
    kin__json_put_string(json, "context", refusal->context);
    kin__json_put_text(json, "component", refusal->component);
    kin__json_put_entity(json, "e", refusal->entity);
    kin__json_end(json, '}');
}

static void show(const kin__task *task, kin__json *json)
{
    const errors_task *data = task->data;
    kin__task_show_frame(task, json);
    kin__json_put_string(json, "world", task->host->name);
    kin__json_put_bool(json, "began", data->is_new);
    kin__show_next(json, data->lost, data->next);
    // The statuses that came, with how often.
    kin__json_begin_member(json, "counts", '{');
    for (uint32_t status = 0; status < KIN__STATUSES; status++)
        if (data->counts[status] > 0)
            kin__json_put_natural(json, kin_status_name((kin_status)status), data->counts[status]);
    kin__json_end(json, '}');
    kin__json_begin_member(json, "errors", '[');
    for (uint32_t i = 0; i < data->count; i++)
        if (data->refusals[i] != NULL)
            show_refusal(task, json, data->refusals[i]);
    kin__json_end(json, ']');
}

const kin__method kin__method_errors = {
    .name = "errors.read",
    .doc =
        "The last 256 calls of the game that the library refused, in order, with the sentence that 'on_error' got. "
        "Equal ones in a row are one, with their 'count' and the frame and number of the last one. They are recorded "
        "from the first ask on, until no viewer has asked for ten seconds; 'counts' has all since the inspector is "
        "there. Without 'after' the newest ones.",
    .result =
        "frame, world, began, lost, next, counts by status, errors of n, count, frame, step, system, role, status, "
        "sentence, context, component and e",
    .parameters = {KIN__WORLD_PARAMETER,
                   {"system", "string", false, "of this one alone", 0, 0},
                   {"after", "string", false, "the 'next' of an answer", 0, 0},
                   {"limit", "integer", false, "1 to 256; 100 without it", 1, KIN__KEPT_REFUSALS}},
    .data_size = sizeof(errors_task),
    .parse = parse,
    .step = step,
    .show = show,
    .release = release,
};
