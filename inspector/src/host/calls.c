#include "host/host.h"

#include <string.h>

enum { MAX_DEPTH = 160, MAX_NAMES = 1024 };

// One collection of the host.
typedef struct probed {
    kin__host *host;
    uint16_t number;
    kin_call_probe probe;
    bool is_set;
    uint64_t hash;   // of the names in the walk when the probe was set
    uint16_t *names; // of each place
    uint32_t count;
} probed;

struct kin__calls {
    kin__bounded_heap *heap;
    const kin__hook *hooks[KIN__MAX_HOOKS];
    uint32_t hook_count; // those that are not NULL
    bool has_attention;
    uint32_t generation;
    kin__system_call last;   // entered or left before
    bool is_next;            // the system that is entered follows it at once
    bool is_interrupted;     // the game was changed after it
    bool is_beside;          // it runs beside the one that was entered before it
    uint32_t depth, unnoted; // calls on the stack, and those for which it was full
    kin__system_call stack[MAX_DEPTH];
    char *names[MAX_NAMES]; // by number, from 1
    _Atomic uint32_t name_count;
    probed probed[KIN__MAX_HOSTS];
};

// ---- names

const char *kin__calls_name(const kin__host *host, uint16_t name)
{
    const struct kin__calls *calls = host->calls;
    if (name == KIN__BY_INSPECTOR)
        return "inspector";
    if (name == KIN__OUTSIDE || calls == NULL)
        return "outside";
    if (name > atomic_load(&calls->name_count))
        return "outside";
    return calls->names[name - 1];
}

static uint16_t find_name(const struct kin__calls *calls, const char *name)
{
    uint32_t count = atomic_load(&calls->name_count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(calls->names[i], name) == 0)
            return (uint16_t)(i + 1);
    return KIN__OUTSIDE;
}

bool kin__calls_has_name(const kin__host *host, const char *name)
{
    return host->calls != NULL && find_name(host->calls, name) != KIN__OUTSIDE;
}

bool kin__calls_declares(const kin__host *host, const char *system, const char *component)
{
    for (uint32_t i = 0; host->info != NULL && i < host->info->system_count; i++) {
        const kin_system_info *info = &host->info->systems[i];
        if (strcmp(info->name, system) != 0)
            continue;
        for (uint32_t k = 0; k < info->write_count; k++)
            if (strcmp(info->writes[k], component) == 0)
                return true;
    }
    return false;
}

// Without memory a system goes by the name of those that are outside.
static uint16_t find_or_add_name(const kin__host *host, const char *name)
{
    struct kin__calls *calls = host->calls;
    uint16_t found = find_name(calls, name);
    uint32_t count = atomic_load(&calls->name_count);
    if (found != KIN__OUTSIDE || count == MAX_NAMES)
        return found;
    KIN_ASSERT(calls->names[count] == NULL);
    calls->names[count] = kin__bounded_allocate(calls->heap, strlen(name) + 1);
    if (calls->names[count] == NULL)
        return KIN__OUTSIDE;
    memcpy(calls->names[count], name, strlen(name) + 1);
    atomic_store(&calls->name_count, count + 1);
    return (uint16_t)(count + 1);
}

// ---- the stack

static void push(struct kin__calls *calls, kin__system_call call)
{
    if (calls->depth == MAX_DEPTH) {
        calls->unnoted++;
        return;
    }
    KIN_ASSERT(call.name != KIN__BY_INSPECTOR && call.systems < KIN__MAX_HOSTS);
    if (calls->depth > 0 && call.step == 0)
        call.step = calls->stack[calls->depth - 1].step;
    calls->stack[calls->depth++] = call;
}

// Parallel systems are not left in the opposite order.
static void pop(struct kin__calls *calls, const kin__system_call *call)
{
    for (uint32_t i = calls->depth; i > 0; i--) {
        const kin__system_call *entered = &calls->stack[i - 1];
        bool is_same_system = entered->systems == call->systems && entered->place == call->place;
        if (!is_same_system || entered->role != call->role)
            continue;
        memmove(&calls->stack[i - 1], &calls->stack[i], (calls->depth - i) * sizeof *call);
        calls->depth--;
        return;
    }
    calls->unnoted -= calls->unnoted > 0;
}

// Returns the system that is on the stack with `below` calls above it; NULL for a node, or if there is none.
static const kin__system_call *system_below(const struct kin__calls *calls, uint32_t below)
{
    if (calls == NULL || calls->depth <= below)
        return NULL;
    const kin__system_call *call = &calls->stack[calls->depth - below - 1];
    return call->is_collection ? NULL : call;
}

const kin__system_call *kin__calls_now(const kin__host *host)
{
    return system_below(host->calls, 0);
}

const kin__system_call *kin__calls_around(const kin__host *host)
{
    return system_below(host->calls, 1);
}

bool kin__calls_is_next(const kin__host *host)
{
    return host->calls != NULL && host->calls->is_next;
}

// Places are numbers in a walk, so that a node between two systems has one.
static bool follows_last(const struct kin__calls *calls, const kin__system_call *call)
{
    bool is_in_node = calls->depth > 1 && calls->stack[calls->depth - 2].is_collection;
    bool is_next_place = calls->last.systems == call->systems && call->place - calls->last.place <= 1;
    return is_in_node && is_next_place;
}

void kin__calls_interrupt(const kin__host *host)
{
    KIN_ASSERT(host->calls != NULL);
    host->calls->is_next = false;
    host->calls->is_interrupted = true;
}

bool kin__calls_is_beside(const kin__host *host)
{
    return host->calls != NULL && host->calls->is_beside;
}

// Whether a call may be the turn of a parallel system.
static bool is_parallel(const kin__system_call *call)
{
    if (call->is_collection || call->is_open)
        return false;
    return call->role == KIN_ROLE_EXECUTE || call->role == KIN_ROLE_UPDATE;
}

// The parallel systems of a batch are entered before the first of them is left.
static bool is_in_batch(const struct kin__calls *calls, const kin__system_call *call)
{
    const kin__system_call *before = system_below(calls, 1);
    if (before == NULL || before->systems != call->systems)
        return false;
    return is_parallel(before) && is_parallel(call);
}

const char *kin__role_name(uint32_t role)
{
    if (role >= KIN_ROLE_COUNT)
        return NULL;
    return kin_role_name((kin_role)role);
}

// ---- the probe

static kin__system_call call_of(const probed *probed, const kin_call *call)
{
    kin__system_call result = {.name = KIN__OUTSIDE,
                               .systems = probed->number,
                               .place = call->place,
                               .role = call->role,
                               .step = call->step,
                               .is_collection = call->is_collection,
                               .is_open = call->is_open,
                               .share = call->share};
    if (call->place < probed->count)
        result.name = probed->names[call->place];
    return result;
}

static void enter(void *user, const kin_call *call)
{
    const probed *probed = user;
    struct kin__calls *calls = probed->host->calls;
    KIN_ASSERT(probed->is_set && calls->has_attention);
    push(calls, call_of(probed, call));
    KIN_ASSERT(calls->depth > 0);
    kin__system_call entered = calls->stack[calls->depth - 1];
    calls->is_next = follows_last(calls, &entered) && !calls->is_interrupted;
    calls->is_interrupted = false;
    calls->is_beside = is_in_batch(calls, &entered);
    calls->last = entered;
    for (uint32_t i = 0; i < KIN__MAX_HOOKS && calls->unnoted == 0; i++)
        if (calls->hooks[i] != NULL && calls->hooks[i]->enter != NULL)
            calls->hooks[i]->enter(calls->hooks[i]->user, &entered);
}

static void leave(void *user, const kin_call *call)
{
    const probed *probed = user;
    struct kin__calls *calls = probed->host->calls;
    kin__system_call left = call_of(probed, call);
    if (calls->depth > 0 && left.step == 0)
        left.step = calls->stack[calls->depth - 1].step;
    for (uint32_t i = KIN__MAX_HOOKS; i > 0 && calls->unnoted == 0; i--)
        if (calls->hooks[i - 1] != NULL && calls->hooks[i - 1]->leave != NULL)
            calls->hooks[i - 1]->leave(calls->hooks[i - 1]->user, &left);
    calls->last = left;
    pop(calls, &left);
}

typedef struct walk {
    probed *probed;
    uint64_t hash;
    uint32_t count;
} walk;

static void hash_name(const kin_system_entry *entry, void *user)
{
    walk *walk = user;
    walk->hash = (walk->hash ^ entry->depth) * 1099511628211u;
    for (const char *at = entry->name; at != NULL && *at != '\0'; at++)
        walk->hash = (walk->hash ^ (unsigned char)*at) * 1099511628211u;
    walk->count++;
}

static void note_name(const kin_system_entry *entry, void *user)
{
    const walk *walk = user;
    const char *name = entry->name == NULL ? "unnamed" : entry->name;
    if (entry->place < walk->probed->count)
        walk->probed->names[entry->place] = find_or_add_name(walk->probed->host, name);
}

static void release_names(const struct kin__calls *calls, probed *probed)
{
    kin__bounded_release(calls->heap, probed->names, probed->count * sizeof *probed->names);
    probed->names = NULL;
    probed->count = 0;
}

static void stop_one(const struct kin__calls *calls, probed *probed, kin_systems *systems)
{
    if (probed->is_set && kin_systems_set_probe(systems, NULL) != KIN_OK)
        return;
    probed->is_set = false;
    release_names(calls, probed);
}

// Sets the probe if the systems are not those that have it. Returns false when out of memory.
static bool set_one(struct kin__calls *calls, probed *probed, kin_systems *systems)
{
    walk walk = {.probed = probed, .hash = 14695981039346656037u};
    kin_systems_walk(systems, hash_name, &walk);
    bool is_same = probed->hash == walk.hash && probed->count == walk.count + 1;
    if (probed->is_set && is_same)
        return true;
    calls->generation++;
    release_names(calls, probed);
    probed->names = kin__bounded_zeros(calls->heap, (walk.count + 1) * sizeof *probed->names);
    if (probed->names == NULL)
        return false;
    probed->count = walk.count + 1; // so that it is never empty
    kin_systems_walk(systems, note_name, &walk);
    probed->probe = (kin_call_probe){enter, leave, probed};
    probed->is_set = kin_systems_set_probe(systems, &probed->probe) == KIN_OK;
    probed->hash = walk.hash;
    return probed->is_set;
}

static bool set_all(kin__host *host)
{
    struct kin__calls *calls = host->calls;
    uint32_t count = atomic_load(&host->system_count);
    bool is_complete = true;
    for (uint32_t i = 0; i < count; i++) {
        calls->probed[i].host = host;
        calls->probed[i].number = (uint16_t)i;
        is_complete = set_one(calls, &calls->probed[i], host->systems[i]) && is_complete;
    }
    return is_complete;
}

static void set_attention(kin__host *host, bool on)
{
    if (on && !host->calls->has_attention)
        atomic_fetch_add(&host->attention, 1);
    KIN_ASSERT(!host->calls->has_attention || atomic_load(&host->attention) > 0);
    if (!on && host->calls->has_attention)
        atomic_fetch_sub(&host->attention, 1);
    host->calls->has_attention = on;
}

// ---- following

// The first place is that of the outermost hook.
static bool add_hook(struct kin__calls *calls, const kin__hook *hook)
{
    uint32_t place = 0;
    for (uint32_t i = 0; i < KIN__MAX_HOOKS; i++)
        KIN_ASSERT(calls->hooks[i] != hook);
    if (!hook->is_outermost)
        for (place = 1; place < KIN__MAX_HOOKS && calls->hooks[place] != NULL;)
            place++;
    if (place == KIN__MAX_HOOKS || calls->hooks[place] != NULL)
        return false;
    calls->hooks[place] = hook;
    calls->hook_count++;
    return true;
}

bool kin__calls_follow(kin__host *host, kin__bounded_heap *heap, const kin__hook *hook)
{
    if (host->calls == NULL) {
        host->calls = kin__bounded_zeros(heap, sizeof *host->calls);
        if (host->calls == NULL)
            return false;
        host->calls->heap = heap;
    }
    if (!add_hook(host->calls, hook))
        return false;
    set_attention(host, true);
    if (host->calls->depth > 0 || set_all(host)) // inside of a call they are probed already
        return true;
    kin__calls_unfollow(host, hook);
    return false;
}

void kin__calls_unfollow(kin__host *host, const kin__hook *hook)
{
    struct kin__calls *calls = host->calls;
    if (calls == NULL)
        return;
    for (uint32_t i = 0; i < KIN__MAX_HOOKS; i++)
        if (calls->hooks[i] == hook) {
            calls->hooks[i] = NULL;
            KIN_ASSERT(calls->hook_count > 0);
            calls->hook_count--;
        }
    if (calls->hook_count == 0 && calls->depth == 0)
        kin__calls_stop(host);
}

uint32_t kin__calls_generation(const kin__host *host)
{
    if (host->calls == NULL)
        return 0;
    return host->calls->generation;
}

void kin__calls_refresh(kin__host *host)
{
    if (host->calls == NULL || host->calls->depth > 0)
        return;
    if (host->calls->hook_count > 0) {
        set_attention(host, true); // the world may be another one
        set_all(host);
    } else {
        kin__calls_stop(host);
    }
}

void kin__calls_stop(kin__host *host)
{
    struct kin__calls *calls = host->calls;
    uint32_t count = atomic_load(&host->system_count);
    if (calls == NULL)
        return;
    for (uint32_t i = 0; i < count; i++)
        stop_one(calls, &calls->probed[i], host->systems[i]);
    set_attention(host, false);
}

void kin__calls_release(kin__host *host)
{
    struct kin__calls *calls = host->calls;
    if (calls == NULL)
        return;
    for (uint32_t i = 0; i < KIN__MAX_HOSTS; i++)
        release_names(calls, &calls->probed[i]);
    uint32_t count = atomic_load(&calls->name_count);
    for (uint32_t i = 0; i < count; i++)
        kin__bounded_release(calls->heap, calls->names[i], strlen(calls->names[i]) + 1);
    kin__bounded_release(calls->heap, calls, sizeof *calls);
    host->calls = NULL;
}

// ---- what runs now

void kin__running_set(kin__host *host, uint16_t system, kin_role role)
{
    uint32_t running = 0;
    if (system != KIN__OUTSIDE)
        running = (uint32_t)role << 16 | system;
    atomic_store_explicit(&host->running, running, memory_order_release); // with the names of its calls
}

const char *kin__running_system(const kin__host *host)
{
    uint32_t running = atomic_load_explicit(&host->running, memory_order_acquire);
    if (running == 0)
        return "";
    return kin__calls_name(host, (uint16_t)running);
}
