#include "site/refusals.h"

#include "host/host.h"

#include <string.h>

static const uint64_t kept_for = 10 * (uint64_t)1000000000;

// ---- making

kin__refusals *kin__refusals_create(kin__bounded_heap *heap)
{
    kin__refusals *refusals = kin__bounded_allocate(heap, sizeof *refusals);
    if (refusals == NULL)
        return NULL;
    memset(refusals, 0, offsetof(kin__refusals, next));
    refusals->heap = heap;
    return refusals;
}

void kin__refusals_destroy(kin__refusals *refusals)
{
    if (refusals != NULL)
        kin__bounded_release(refusals->heap, refusals, sizeof *refusals);
}

// ---- recording

uint64_t kin__refusals_first(const kin__refusals *refusals)
{
    return refusals->count > KIN__KEPT_REFUSALS ? refusals->count - KIN__KEPT_REFUSALS : 0;
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

static void copy_text(char *copy, const char *text, size_t capacity)
{
    size_t size = strnlen(text, capacity - 1);
    memcpy(copy, text, size);
    copy[size] = '\0';
}

static void describe(kin__refusal *refusal, const kin__host *host, const kin_error *error)
{
    const kin_context_info *info = find_info(host, error->context);
    refusal->moment = kin__moment_now(host);
    refusal->status = error->status;
    refusal->entity = error->entity;
    refusal->context = info == NULL ? NULL : info->name;
    copy_text(refusal->component, error->component == NULL ? "" : error->component, sizeof refusal->component);
    bool has_key = error->status == KIN_ERROR_DUPLICATE_KEY || error->status == KIN_ERROR_INVALID;
    refusal->is_hidden = has_key && info != NULL && kin__has_hidden_key(info, error->component);
    copy_text(refusal->sentence, refusal->is_hidden ? "" : error->message, sizeof refusal->sentence);
}

static bool is_like(const kin__refusal *one, const kin__refusal *other)
{
    return one->status == other->status && one->context == other->context && one->entity == other->entity &&
           one->moment.system == other->moment.system && one->moment.role == other->moment.role &&
           strcmp(one->component, other->component) == 0 && strcmp(one->sentence, other->sentence) == 0;
}

// One that is like the last one takes its place.
static void record(kin__refusals *refusals, const kin_error *error)
{
    kin__refusal *last = &refusals->ring[(refusals->count - 1) % KIN__KEPT_REFUSALS];
    kin__refusal *next = &refusals->next;
    describe(next, refusals->host, error);
    next->first = next->last = refusals->calls++;
    if (refusals->count > 0 && is_like(last, next))
        next->first = last->first;
    else
        refusals->count++;
    refusals->ring[(refusals->count - 1) % KIN__KEPT_REFUSALS] = *next;
}

void kin__refusals_note(kin__host *host, const kin_error *error)
{
    host->refused[(uint32_t)error->status % KIN__STATUSES]++;
    if (host->refusals != NULL)
        record(host->refusals, error);
}

// ---- its life

bool kin__refusals_start(kin__host *host, kin__refusals *refusals)
{
    refusals->host = host;
    if (!kin__calls_follow(host, refusals->heap, &refusals->hook))
        return false;
    host->refusals = refusals;
    atomic_store(&host->keeps_refusals, true);
    kin__refusals_want(refusals);
    return true;
}

void kin__refusals_want(kin__refusals *refusals)
{
    refusals->until = kin__inspect_now() + kept_for;
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
    atomic_store(&host->keeps_refusals, false);
    host->refusals = NULL;
    kin__calls_unfollow(host, &refusals->hook);
    kin__refusals_destroy(refusals);
}
