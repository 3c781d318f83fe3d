#include "inspector/inspector.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Environment: what KIN_INSPECT says, a list with commas of off, read and port=N. It restricts each inspector.

typedef struct kin__environment {
    bool is_off, is_read_only;
    bool is_wrong; // it has another word: one with a typo would allow more than was meant
    uint16_t port; // or 0 if it is not given
} kin__environment;

// ---- the environment

static bool is_word(const char *at, size_t size, const char *word)
{
    return size == strlen(word) && strncmp(at, word, size) == 0;
}

// Returns the number of port=N, or 0 for another word.
static uint16_t port_of(const char *at, size_t size)
{
    static const char key[] = "port=";
    char *end;
    if (strncmp(at, key, strlen(key)) != 0)
        return 0;
    unsigned long port = strtoul(at + strlen(key), &end, 10);
    if (end != at + size || port > UINT16_MAX)
        return 0;
    return (uint16_t)port;
}

static void read_word(kin__environment *environment, const char *at, size_t size)
{
    uint16_t port = port_of(at, size);
    if (port != 0)
        environment->port = port;
    else if (is_word(at, size, "off"))
        environment->is_off = true;
    else if (is_word(at, size, "read"))
        environment->is_read_only = true;
    else
        environment->is_wrong = true;
}

static kin__environment kin__environment_read(void)
{
    kin__environment environment = {.port = 0};
    const char *list = getenv("KIN_INSPECT");
    for (; list != NULL && *list != '\0'; list += *list == ',') {
        size_t size = strcspn(list, ",");
        read_word(&environment, list, size);
        list += size;
    }
    return environment;
}

// ---- inspectors

enum { BUDGET = 500, MEMORY = 32 * 1024 * 1024 };

static kin_status report(const kin_inspector_options *options, kin_status status, const char *message)
{
    char text[200];
    snprintf(text, sizeof text, "cannot %s", message);
    kin_error error = {.status = status, .message = text};
    if (options != NULL && options->on_error != NULL)
        options->on_error(&error, options->error_user);
    else
        fprintf(stderr, "kin: %s\n", text);
    return status;
}

// The sentence ends in a line break.
static void report_refusal(const char *sentence, uint32_t count, void *user)
{
    KIN_ASSERT(count > 0);
    const kin_inspector *inspector = user;
    char text[160];
    char what[32] = "a request";
    if (count > 1)
        snprintf(what, sizeof what, "%u requests", (unsigned)count);
    snprintf(text, sizeof text, "answer %s: %.*s", what, (int)strcspn(sentence, "\n"), sentence);
    report(&inspector->options, KIN_ERROR_INVALID, text);
}

// ---- creating

static bool start(kin_inspector *inspector, const kin_inspector_options *options)
{
    KIN_ASSERT(inspector->transport == NULL);
    const char *fault;
    if (options->offline)
        return true;
    if (options->token != NULL && !kin__token_is_valid(options->token)) {
        report(options, KIN_ERROR_INVALID,
               "start the inspector: the token must be 32 to 128 letters, digits, _ and -; give none for a random one");
        return false;
    }
    kin__transport_options transport = {inspector->options.port, options->token, options->socket};
    inspector->transport = kin__transport_start(&inspector->service, &transport, &fault);
    if (inspector->transport == NULL)
        report(options, KIN_ERROR_LIMIT, fault);
    return inspector->transport != NULL;
}

// The thread of viewers may read the name at once.
static void set_name(kin_inspector *inspector, const char *name)
{
    if (inspector->name[0] != '\0')
        return;
    snprintf(inspector->name, sizeof inspector->name, "%.60s", name);
    atomic_store(&inspector->service.name, name[0] == '\0' ? "" : inspector->name);
}

static const char *find_fault(const kin_inspector_options *options, const kin__environment *environment)
{
    const kin_inspector_snapshots *given = options->snapshots;
    if ((options->allocator.allocate == NULL) != (options->allocator.release == NULL))
        return "create an inspector: the allocator has only one function; set both or neither";
    if (environment->is_wrong)
        return "create an inspector: KIN_INSPECT has an unknown word; write off, read or port=N, with commas between";
    bool is_whole = given == NULL || (given->take != NULL && given->restore != NULL && given->release != NULL);
    if (!is_whole)
        return "create an inspector: the snapshots lack a function; set take, restore and release, or give none";
    return NULL;
}

// What a method that writes changes is noted, and collected, as by the inspector.
static void see_step(const kin__task *task, bool begins)
{
    KIN_ASSERT(task->host != NULL);
    bool is_noted = task->method->writes && task->site != NULL;
    if (begins && is_noted)
        kin__notes_enter_edit(task->site);
    task->host->is_edited = begins && task->method->writes;
    kin__traces_see_edit(task->host);
    if (!begins && is_noted)
        kin__notes_leave_edit(task->site);
}

static void take_functions(kin_inspector *inspector)
{
    KIN_ASSERT(inspector->service.on_step == NULL);
    inspector->service.on_step = see_step;
    inspector->service.on_hold = inspector->options.on_hold;
    inspector->service.hold_user = inspector->options.hold_user;
    inspector->service.report_refusal = report_refusal;
    inspector->service.refusal_user = inspector;
    if (inspector->options.snapshots != NULL)
        inspector->service.snapshots = *inspector->options.snapshots;
    inspector->options.snapshots = NULL;
}

static void obey(kin_inspector *inspector, const kin__environment *environment)
{
    inspector->service.is_read_only = inspector->options.read_only || environment->is_read_only;
    if (environment->port != 0)
        inspector->options.port = environment->port;
}

static kin_inspector *create(const kin_inspector_options *options)
{
    kin_inspector_options complete = *options;
    kin__environment environment = kin__environment_read();
    kin__bounded_heap heap;
    if (environment.is_off)
        return NULL;
    if (complete.memory == 0)
        complete.memory = MEMORY;
    if (complete.budget == 0)
        complete.budget = BUDGET;
    const char *fault = find_fault(&complete, &environment);
    if (fault != NULL) {
        report(options, KIN_ERROR_INVALID, fault);
        return NULL;
    }
    kin__bounded_heap_init(&heap, complete.allocator, complete.memory);
    kin_inspector *inspector = kin__bounded_zeros(&heap, sizeof *inspector);
    if (inspector == NULL) {
        report(options, KIN_ERROR_NO_MEMORY, "create an inspector: no memory; free some or raise its limit");
        return NULL;
    }
    kin__bounded_heap_init(&inspector->service.heap, complete.allocator, heap.limit);
    atomic_store(&inspector->service.heap.used, sizeof *inspector);
    inspector->options = complete;
    inspector->options.name = NULL;
    set_name(inspector, complete.name == NULL ? "" : complete.name);
    inspector->service.budget = complete.budget;
    take_functions(inspector);
    obey(inspector, &environment);
    pthread_mutex_init(&inspector->service.sites.viewers.lock, NULL);
    inspector->last = kin__json_make(&inspector->service.heap, KIN__MAX_ANSWER);
    return inspector;
}

kin_inspector *kin_inspector_create(const kin_inspector_options *options)
{
    static const kin_inspector_options standard;
    if (options == NULL)
        options = &standard;
    kin_inspector *inspector = create(options);
    if (inspector == NULL || start(inspector, options))
        return inspector;
    kin_inspector_destroy(inspector);
    return NULL;
}

void kin_inspector_destroy(kin_inspector *inspector)
{
    if (inspector == NULL)
        return;
    kin__sites *sites = &inspector->service.sites;
    uint32_t count = atomic_load(&sites->host_count);
    for (uint32_t i = 0; i < count; i++)
        if (!atomic_load(&sites->hosts[i].has_ended))
            kin__probe_remove(&sites->hosts[i]);
    kin__transport_stop(inspector->transport);
    for (uint32_t i = 0; i < count; i++) {
        kin__host *host = &sites->hosts[i];
        kin__hold_release(&inspector->service, host);
        kin__run_release(&inspector->service, host);
        kin__traces_release(host->traces);
        kin__snapshots_release(host->snapshots);
        kin__host_release(host);
    }
    count = atomic_load(&sites->site_count);
    for (uint32_t i = 0; i < count; i++) {
        kin__notes_release(sites->sites[i].notes);
        kin__plots_release(sites->sites[i].plots);
        kin__site_marks_release(sites->sites[i].marks);
    }
    pthread_mutex_destroy(&sites->viewers.lock);
    kin__json_release(&inspector->last);
    kin__bounded_heap heap;
    kin__bounded_heap_init(&heap, inspector->service.heap.allocator, inspector->service.heap.limit);
    atomic_store(&heap.used, atomic_load(&inspector->service.heap.used));
    KIN_ASSERT(heap.used == sizeof *inspector);
    kin__bounded_release(&heap, inspector, sizeof *inspector);
}

// ---- worlds

// When the first world or context is there, and with it the name.
static void announce(kin_inspector *inspector, const char *name)
{
    set_name(inspector, name);
    if (inspector->transport != NULL)
        kin__transport_announce(inspector->transport);
    if (inspector->transport == NULL || inspector->options.quiet)
        return;
    inspector->options.quiet = true;
    fprintf(stderr, "kin: inspect %s at %s\n", inspector->name, kin__transport_address(inspector->transport));
}

kin_status kin_inspector_add_world(kin_inspector *inspector, kin_world *world)
{
    if (inspector == NULL)
        return KIN_OK;
    const kin_world_info *info = kin_world_info_of(world);
    kin__sites *sites = &inspector->service.sites;
    if (info == NULL)
        return report(&inspector->options, KIN_ERROR_INVALID,
                      "inspect a world: it is NULL; check the result of the call that created it");
    uint32_t host_count = atomic_load(&sites->host_count);
    bool has_places = atomic_load(&sites->site_count) + info->context_count <= KIN__MAX_SITES;
    kin__host *ended = kin__sites_find_ended(sites, info);
    KIN_ASSERT(ended == NULL || ended->world == NULL); // 1
    kin__host *host = ended;
    if (ended == NULL && has_places && host_count < KIN__MAX_HOSTS)
        host = &sites->hosts[host_count];
    if (host == NULL)
        return report(&inspector->options, KIN_ERROR_LIMIT,
                      "inspect a world: an inspector has at most 16 worlds and 64 contexts; create another one");
    kin_status status = kin__probe_set(host, inspector, world);
    if (status != KIN_OK)
        return status;
    if (ended != NULL) {
        kin__pace_end(host);
        kin__sites_revive(sites, host, world);
    } else {
        kin__sites_add_host(sites, inspector, world);
        for (uint32_t i = 0; i < info->context_count; i++)
            kin__sites_add(sites, host, kin_world_context(world, i));
    }
    announce(inspector, info->name);
    return KIN_OK;
}

kin_inspector *kin_inspect(kin_world *world, const kin_inspector_options *options)
{
    kin_inspector *inspector = kin_inspector_create(options);
    if (inspector == NULL)
        return NULL;
    if (kin_inspector_add_world(inspector, world) != KIN_OK) {
        kin_inspector_destroy(inspector);
        return NULL;
    }
    inspector->ends_with_world = true;
    return inspector;
}

// ---- contexts and systems without a world

static kin__host *frame_host(kin_inspector *inspector)
{
    kin__sites *sites = &inspector->service.sites;
    uint32_t count = atomic_load(&sites->host_count);
    for (uint32_t i = 0; i < count; i++)
        if (sites->hosts[i].info == NULL)
            return &sites->hosts[i];
    return NULL;
}

kin_status kin_inspector_add(kin_inspector *inspector, kin_context *context, kin_systems *systems)
{
    if (inspector == NULL)
        return KIN_OK;
    if (context == NULL && systems == NULL)
        return report(&inspector->options, KIN_ERROR_INVALID,
                      "inspect a context: it and the systems are NULL; pass one of them");
    kin__sites *sites = &inspector->service.sites;
    kin__host *host = frame_host(inspector);
    if (host == NULL)
        host = kin__sites_add_host(sites, inspector, NULL);
    bool is_added = host != NULL;
    if (is_added && systems != NULL)
        is_added = atomic_load(&host->system_count) < KIN__MAX_HOSTS;
    if (is_added && context != NULL)
        is_added = kin__sites_add(sites, host, context);
    if (!is_added)
        return report(&inspector->options, KIN_ERROR_LIMIT,
                      "inspect a context: an inspector has at most 64 contexts and 16 systems; create another one");
    const char *name = host->name;
    if (systems != NULL) {
        uint32_t count = atomic_load(&host->system_count);
        host->systems[count] = systems;
        atomic_store(&host->system_count, count + 1);
    }
    if (context != NULL) {
        kin__probe_watch(host, context);
        name = kin_context_info_of(context)->name;
    }
    announce(inspector, name);
    return KIN_OK;
}

bool kin_inspector_frame(kin_inspector *inspector, double *delta)
{
    double ignored = 0;
    if (inspector == NULL)
        return true;
    if (delta == NULL)
        delta = &ignored;
    kin__host *host = frame_host(inspector);
    if (host == NULL)
        return true;
    bool runs = kin__serve(&inspector->service, host, delta);
    host->frames += runs;
    return runs;
}

const char *kin_inspector_address(const kin_inspector *inspector)
{
    if (inspector == NULL || inspector->transport == NULL)
        return "";
    return kin__transport_address(inspector->transport);
}

uint64_t kin_inspector_cost(const kin_inspector *inspector)
{
    if (inspector == NULL)
        return 0;
    return atomic_load_explicit(&inspector->service.cost_last, memory_order_relaxed);
}

// ---- requests

static void run_task(kin__task *task)
{
    if (task == NULL || task->is_done)
        return;
    KIN_ASSERT(task->host != NULL);
    if (atomic_load(&task->host->has_ended))
        kin__task_fail(task, KIN__CODE_ENDED, "the world has ended");
    while (task->mistake.code == 0 && !kin__task_step(task, UINT64_MAX))
        continue;
    task->is_done = true;
    atomic_fetch_add_explicit(&task->service->served, 1, memory_order_relaxed);
}

static size_t copy_answer(const kin_inspector *inspector, char *answer, size_t capacity)
{
    size_t size = inspector->last.size;
    if (capacity == 0)
        return size;
    size_t kept = kin__min_size(size, capacity - 1);
    if (kept > 0)
        memcpy(answer, inspector->last.at, kept);
    answer[kept] = '\0';
    return size;
}

size_t kin_inspector_request(kin_inspector *inspector, const char *request, size_t size, char *answer, size_t capacity)
{
    if (inspector == NULL) {
        if (capacity > 0)
            answer[0] = '\0';
        return 0;
    }
    if (request == NULL)
        return copy_answer(inspector, answer, capacity);
    kin__hosts_note_request(&inspector->service, "the game");
    kin__json_clear(&inspector->last);
    kin__exchange *exchange = kin__exchange_create(&inspector->service, request, size);
    if (exchange == NULL) {
        kin__exchange_show_error(&inspector->last, KIN__CODE_LIMIT, "the inspector has no memory left");
        return copy_answer(inspector, answer, capacity);
    }
    kin__exchange_set_viewer(exchange, "the game");
    for (uint32_t i = 0; i < exchange->count; i++)
        run_task(exchange->calls[i].task);
    kin__exchange_show(exchange, &inspector->last);
    kin__exchange_destroy(exchange);
    return copy_answer(inspector, answer, capacity);
}
