#include "world/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t tally_size(uint32_t count)
{
    return sizeof(kin__tally) + count * sizeof(kin_context *);
}

// Returns NULL when out of memory. `count` is not 0.
static kin__tally *tally_create(kin__memory *memory, kin_context *const *contexts, uint32_t count)
{
    kin__tally *tally = kin__allocate(memory, tally_size(count));
    KIN_ASSERT(count > 0);
    if (tally == NULL)
        return NULL;
    *tally = (kin__tally){.context_count = count};
    memcpy(tally->contexts, contexts, count * sizeof *contexts);
    return tally;
}

// NULL is allowed.
static void tally_destroy(kin__memory *memory, kin__tally *tally)
{
    if (tally != NULL)
        kin__release(memory, tally, tally_size(tally->context_count));
}

static kin_counts count_all(const kin__tally *tally)
{
    kin_counts sum = {0};
    for (uint32_t i = 0; i < tally->context_count; i++) {
        kin_counts counts = kin_context_counts(tally->contexts[i]);
        sum.created += counts.created;
        sum.destroyed += counts.destroyed;
        sum.changed += counts.changed;
    }
    return sum;
}

static void tally_begin(kin__tally *tally)
{
    if (tally->calls++ == 0)
        tally->before = count_all(tally);
}

static void tally_end(kin__tally *tally)
{
    KIN_ASSERT(tally->calls > 0);
    if (--tally->calls > 0)
        return;
    kin_counts now = count_all(tally);
    tally->sum.created += now.created - tally->before.created;
    tally->sum.destroyed += now.destroyed - tally->before.destroyed;
    tally->sum.changed += now.changed - tally->before.changed;
}

// Returns NULL when out of memory. The window is not 0.
static kin__profile *profile_create(kin__memory *memory, const kin_clock *clock, uint32_t window, kin__roles roles)
{
    size_t numbers = (size_t)window * (kin__count_bits(roles) + 1);
    size_t size = sizeof(kin__profile) + KIN_ROLE_COUNT * sizeof(kin__times) + numbers * sizeof(uint64_t);
    KIN_ASSERT(window > 0);
    KIN_ASSERT(roles >> KIN_ROLE_COUNT == 0);
    kin__profile *profile = kin__allocate(memory, size);
    if (profile == NULL)
        return NULL;
    *profile = (kin__profile){.clock = *clock, .window = window, .size = size};
    profile->times = (kin__times *)(void *)(profile + 1);
    memset(profile->times, 0, KIN_ROLE_COUNT * sizeof *profile->times);
    profile->sorted = (uint64_t *)(void *)(profile->times + KIN_ROLE_COUNT);
    uint64_t *ring = profile->sorted + window;
    for (uint32_t bits = roles; bits != 0; bits &= bits - 1, ring += window)
        profile->times[kin__lowest_bit(bits)].ring = ring;
    KIN_ASSERT((char *)ring == (char *)profile + size);
    return profile;
}

void kin__profile_destroy(kin__memory *memory, kin__profile *profile)
{
    if (profile == NULL || profile->size == 0)
        return;
    KIN_ASSERT(profile->next_tally == NULL);
    tally_destroy(memory, profile->tally);
    kin__release(memory, profile, profile->size);
}

static kin_call call_of(const kin__profile *profile, kin_role role, uint32_t step)
{
    kin_call call = profile->call;
    call.role = role;
    call.step = step;
    call.is_open = (profile->open >> role & 1) != 0;
    return call;
}

void kin__profile_enter(const kin__profile *profile, kin_role role, uint32_t step)
{
    if (profile->probe == NULL)
        return;
    kin_call call = call_of(profile, role, step);
    profile->probe->enter(profile->probe->user, &call);
}

void kin__profile_leave(const kin__profile *profile, kin_role role, uint32_t step, double share)
{
    if (profile->probe == NULL)
        return;
    kin_call call = call_of(profile, role, step);
    call.share = share;
    profile->probe->leave(profile->probe->user, &call);
}

uint64_t kin__profile_start(const kin__profile *profile, kin_role role)
{
    kin__profile_enter(profile, role, 0);
    if (profile->tally != NULL)
        tally_begin(profile->tally);
    return profile->window == 0 ? 0 : profile->clock.now(profile->clock.user);
}

// Returns the structural changes that were counted; zero if there is no profile, or none are counted.
static kin_counts profile_counts(const kin__profile *profile)
{
    kin_counts none = {0};
    return profile != NULL && profile->tally != NULL ? profile->tally->sum : none;
}

static void append(kin__profile *profile, kin_role role, uint64_t began, double share)
{
    kin__times *times = &profile->times[role];
    KIN_ASSERT(times->ring != NULL);
    KIN_ASSERT(times->next < profile->window && times->count <= profile->window);
    times->last = profile->clock.now(profile->clock.user) - began;
    if (share < 1)
        times->last = (uint64_t)((double)times->last * share);
    times->ring[times->next] = times->last;
    times->next = times->next + 1 == profile->window ? 0 : times->next + 1;
    times->count += times->count < profile->window;
}

void kin__profile_append(kin__profile *profile, kin_role role, uint64_t began, double share)
{
    KIN_ASSERT(share >= 0 && share <= 1);
    if (profile->window > 0)
        append(profile, role, began, share);
    if (profile->tally != NULL)
        tally_end(profile->tally);
    kin__profile_leave(profile, role, 0, share);
}

const char *kin_role_name(kin_role role)
{
    static const char *const names[KIN_ROLE_COUNT] = {"initialize", "start",        "execute", "leave", "enter",
                                                      "inbox",      "first_update", "update",  "draw",  "cleanup",
                                                      "tear_down",  "dispose",      "commands"};
    return (uint32_t)role < KIN_ROLE_COUNT ? names[role] : "unknown";
}

static int compare_numbers(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

// Evaluates the durations of a role that the system has.
static kin_timing profile_timing(const kin__profile *profile, kin_role role)
{
    const kin__times *times = &profile->times[role];
    uint32_t count = times->count;
    KIN_ASSERT(times->ring != NULL);
    if (count == 0)
        return (kin_timing){0};
    uint64_t sum = 0;
    uint64_t *sorted = profile->sorted;
    memcpy(sorted, times->ring, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_numbers);
    for (uint32_t i = 0; i < count; i++)
        sum += sorted[i];
    return (kin_timing){.last = times->last,
                        .average = sum / count,
                        .minimum = sorted[0],
                        .maximum = sorted[count - 1],
                        .p99 = sorted[((uint64_t)count * 99 + 99) / 100 - 1],
                        .count = count};
}

// Profiling all systems of a collection, and counting the structural changes that they make.

static uint64_t read_clock(void *user)
{
    (void)user;
    return kin__clock_read();
}

// Makes a profile for each node, next to those in use, so that nothing has changed when out of memory.
static bool prepare(kin_systems *systems, const kin_clock *clock, uint32_t window)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        if (node->nested != NULL) {
            if (prepare(node->nested, clock, window))
                continue;
            systems->memory.refused = node->nested->memory.refused;
            return false;
        }
        KIN_ASSERT(node->next_profile == NULL);
        node->next_profile = profile_create(&systems->memory, clock, window, kin__node_roles(node));
        if (node->next_profile == NULL)
            return false;
    }
    return true;
}

// Puts the new profile of a node in use, or none. The probe stays.
static void replace(kin__node *node)
{
    kin__profile *old = node->profile;
    kin__profile *next = node->next_profile;
    if (old != NULL && old->probe != NULL) {
        next = next != NULL ? next : &node->untimed;
        next->probe = old->probe;
        next->call = old->call;
    }
    node->profile = next;
    kin__profile_destroy(&node->owner->memory, old);
}

// Puts the new profiles in use and destroys the old ones, or destroys the new ones.
static void finish(kin_systems *systems, bool is_complete)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        if (node->nested != NULL) {
            finish(node->nested, is_complete);
            continue;
        }
        if (is_complete)
            replace(node);
        else
            kin__profile_destroy(&systems->memory, node->next_profile);
        node->next_profile = NULL;
    }
}

kin_status kin_systems_profile(kin_systems *systems, const kin_clock *clock, uint32_t window)
{
    static const kin_clock standard = {read_clock, NULL};
    const char *reason = NULL;
    if (systems == NULL)
        reason = "the collection is NULL; check the result of the call that created it";
    else if (kin__systems_are_running(systems))
        reason = "they are running; start or stop profiling after the run";
    else if (clock != NULL && clock->now == NULL)
        reason = "the clock has no function; set one, or pass NULL to use the clock of the system";
    if (reason != NULL)
        return kin__systems_report_error(systems, KIN_ERROR_INVALID, "profile systems", reason);
    bool is_complete = window == 0 || prepare(systems, clock != NULL ? clock : &standard, window);
    finish(systems, is_complete);
    return is_complete ? KIN_OK : kin__systems_report_error(systems, KIN_ERROR_NO_MEMORY, "profile systems", NULL);
}

// Formats "execute, inbox", with the roles of a profiled system.
static void list_roles(const kin__profile *profile, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t role = 0; role < KIN_ROLE_COUNT && used < size; role++)
        if (profile->times[role].ring != NULL)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", kin_role_name((kin_role)role));
}

// Formats why the timing of a role cannot be returned; returns false if it can.
static bool find_timing_fault(const kin__node *node, kin_role role, char *reason, size_t size)
{
    char name[KIN__ESCAPED_SIZE], roles[192];
    const char *shown = node->nested != NULL ? node->nested->name : node->name;
    shown = shown == NULL ? "unnamed" : kin__escape(name, shown, strlen(shown));
    if (node->nested != NULL) {
        snprintf(reason, size, "'%s' is a collection; name one of its systems", shown);
        return true;
    }
    if (!kin__profile_is_timed(node->profile)) {
        snprintf(reason, size, "'%s' is not profiled; call kin_systems_profile first", shown);
        return true;
    }
    if ((uint32_t)role < KIN_ROLE_COUNT && node->profile->times[role].ring != NULL)
        return false;
    list_roles(node->profile, roles, sizeof roles);
    snprintf(reason, size, "'%s' does not have the role %s; its roles are %s", shown, kin_role_name(role),
             roles[0] != '\0' ? roles : "none");
    return true;
}

kin_status kin_systems_timing(const kin_systems *systems, const char *name, kin_role role, kin_timing *timing)
{
    const char *verb = "get the timing of a system";
    char reason[KIN__ESCAPED_SIZE + 320];
    if (timing == NULL)
        return kin__systems_report_error(systems, KIN_ERROR_INVALID, verb,
                                         "the timing is NULL; pass a pointer to a kin_timing");
    const kin__node *node = kin__systems_find_or_report(systems, name, verb);
    *timing = (kin_timing){0};
    if (node == NULL)
        return KIN_ERROR_INVALID;
    if (find_timing_fault(node, role, reason, sizeof reason))
        return kin__systems_report_error(systems, KIN_ERROR_INVALID, verb, reason);
    *timing = profile_timing(node->profile, role);
    return KIN_OK;
}

// ---- structural changes

// Returns whether all systems are profiled.
static bool are_profiled(const kin_systems *systems)
{
    for (const kin__node *node = systems->first; node != NULL; node = node->next)
        if (node->nested != NULL ? !are_profiled(node->nested) : !kin__profile_is_timed(node->profile))
            return false;
    return true;
}

// Makes a tally for each system, next to those in use, so that nothing has changed when out of memory.
static bool prepare_tallies(kin_systems *systems, kin_context *const *contexts, uint32_t count)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        if (node->nested != NULL) {
            if (prepare_tallies(node->nested, contexts, count))
                continue;
            systems->memory.refused = node->nested->memory.refused;
            return false;
        }
        node->profile->next_tally = tally_create(&systems->memory, contexts, count);
        if (node->profile->next_tally == NULL)
            return false;
    }
    return true;
}

// Puts the new tallies in use and destroys the old ones, or destroys the new ones.
static void finish_tallies(kin_systems *systems, bool is_complete)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        if (node->nested != NULL) {
            finish_tallies(node->nested, is_complete);
            continue;
        }
        kin__profile *profile = node->profile;
        if (profile == NULL)
            continue;
        kin__tally *unused = is_complete ? profile->tally : profile->next_tally;
        profile->tally = is_complete ? profile->next_tally : profile->tally;
        profile->next_tally = NULL;
        tally_destroy(&systems->memory, unused);
    }
}

static const char *find_count_fault(const kin_systems *systems, kin_context *const *contexts, uint32_t count)
{
    if (systems == NULL)
        return "the collection is NULL; check the result of the call that created it";
    if (kin__systems_are_running(systems))
        return "they are running; start or stop counting after the run";
    if (count > 0 && !are_profiled(systems))
        return "they are not profiled; call kin_systems_profile first";
    for (uint32_t i = 0; i < count; i++)
        if (contexts == NULL || contexts[i] == NULL)
            return "a context is NULL; check the result of the call that created it";
    return NULL;
}

kin_status kin_systems_count_changes(kin_systems *systems, kin_context *const *contexts, uint32_t count)
{
    const char *verb = "count the changes of systems";
    const char *reason = find_count_fault(systems, contexts, count);
    if (reason != NULL)
        return kin__systems_report_error(systems, KIN_ERROR_INVALID, verb, reason);
    bool is_complete = count == 0 || prepare_tallies(systems, contexts, count);
    finish_tallies(systems, is_complete);
    return is_complete ? KIN_OK : kin__systems_report_error(systems, KIN_ERROR_NO_MEMORY, verb, NULL);
}

// Printing the profile of a collection: a line for each system and role, in the order in which they run.

enum { LEAST_NAME = 6, MOST_NAME = 48, INDENT = 2 };

// The roles that an update calls; a draw is part of a frame, too.
static const kin__roles frame_roles = (kin__roles)1 << KIN_ROLE_EXECUTE | (kin__roles)1 << KIN_ROLE_LEAVE |
                                      (kin__roles)1 << KIN_ROLE_ENTER | (kin__roles)1 << KIN_ROLE_INBOX |
                                      (kin__roles)1 << KIN_ROLE_UPDATE | (kin__roles)1 << KIN_ROLE_DRAW |
                                      (kin__roles)1 << KIN_ROLE_CLEANUP | (kin__roles)1 << KIN_ROLE_COMMANDS;

typedef struct table {
    const kin_systems *systems;
    FILE *file;
    int width; // of the first column
    uint64_t last, average;
} table;

static const char *name_of(const kin_system_entry *entry, char escaped[KIN__ESCAPED_SIZE])
{
    return entry->name == NULL ? "unnamed" : kin__escape(escaped, entry->name, strlen(entry->name));
}

static void measure(const kin_system_entry *entry, void *user)
{
    table *table = user;
    char escaped[KIN__ESCAPED_SIZE];
    size_t width = strlen(name_of(entry, escaped)) + (size_t)INDENT * entry->depth;
    if (width > (size_t)table->width)
        table->width = width < MOST_NAME ? (int)width : MOST_NAME;
}

static double milliseconds(uint64_t nanoseconds)
{
    return (double)nanoseconds / 1e6;
}

// Prints the name, in the first line of a system alone.
static void print_name(const table *table, const kin_system_entry *entry, bool is_first)
{
    char escaped[KIN__ESCAPED_SIZE];
    int indent = INDENT * (int)entry->depth;
    int width = table->width > indent ? table->width - indent : 0;
    fprintf(table->file, "%*s%-*s", indent, "", width, is_first ? name_of(entry, escaped) : "");
}

static void print_timing(table *table, const kin_system_entry *entry, kin_role role, bool is_first)
{
    kin_timing timing;
    kin_systems_timing_at(table->systems, entry->place, role, &timing);
    print_name(table, entry, is_first);
    fprintf(table->file, "  %-12s  %6u  %9.3f  %9.3f  %9.3f  %9.3f%s\n", kin_role_name(role), (unsigned)timing.count,
            milliseconds(timing.last), milliseconds(timing.average), milliseconds(timing.p99),
            milliseconds(timing.maximum), entry->runs ? "" : "  disabled");
    if ((frame_roles >> role & 1) != 0) {
        table->last += timing.last;
        table->average += timing.average;
    }
}

static void print_system(const kin_system_entry *entry, void *user)
{
    table *table = user;
    bool is_first = true;
    for (uint32_t role = 0; role < KIN_ROLE_COUNT; role++) {
        kin_timing timing = {0};
        if (!kin_systems_timing_at(table->systems, entry->place, (kin_role)role, &timing) || timing.count == 0)
            continue;
        print_timing(table, entry, (kin_role)role, is_first);
        is_first = false;
    }
    if (!is_first)
        return;
    print_name(table, entry, true);
    fputs(entry->runs ? "\n" : "  disabled\n", table->file);
}

void kin_systems_print_profile(const kin_systems *systems, FILE *file)
{
    table table = {.systems = systems, .file = file != NULL ? file : stdout, .width = LEAST_NAME};
    kin_systems_walk(systems, measure, &table);
    fprintf(table.file, "%-*s  %-12s  %6s  %9s  %9s  %9s  %9s\n", table.width, "system", "role", "calls", "last ms",
            "average", "p99", "maximum");
    kin_systems_walk(systems, print_system, &table);
    fprintf(table.file, "%-*s  %-12s  %6s  %9.3f  %9.3f\n", table.width, "sum", "of updates", "",
            milliseconds(table.last), milliseconds(table.average));
}

// The probe of the calls of all systems in a collection: the profile of each node has it, also that of a nested
// collection.

static void set(kin_systems *systems, const kin_call_probe *probe, uint32_t *place)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        bool is_collection = node->nested != NULL;
        KIN_ASSERT(!node->removed);
        node->profile = node->profile != NULL ? node->profile : &node->untimed;
        node->profile->probe = probe;
        node->profile->call = (kin_call){.name = is_collection ? node->nested->name : node->name,
                                         .place = (*place)++,
                                         .is_collection = is_collection};
        node->profile->open = is_collection ? 0 : node->open;
        if (!is_collection)
            continue;
        kin__systems_update_paced(node->nested);
        set(node->nested, probe, place);
    }
}

static void remove_probe(kin_systems *systems)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        if (node->profile != NULL)
            node->profile->probe = NULL;
        if (!kin__profile_is_timed(node->profile))
            node->profile = NULL;
        if (node->nested == NULL)
            continue;
        kin__systems_update_paced(node->nested);
        remove_probe(node->nested);
    }
}

static const char *find_fault(const kin_systems *systems, const kin_call_probe *probe)
{
    if (systems == NULL)
        return "the collection is NULL; check the result of the call that created it";
    if (kin__systems_are_running(systems))
        return "they are running; set or remove the probe after the run";
    if (probe != NULL && (probe->enter == NULL || probe->leave == NULL))
        return "the probe has no function enter or leave; set both";
    return NULL;
}

kin_status kin_systems_set_probe(kin_systems *systems, const kin_call_probe *probe)
{
    const char *reason = find_fault(systems, probe);
    uint32_t place = 0;
    if (reason != NULL)
        return kin__systems_report_error(systems, KIN_ERROR_INVALID, "set the probe of systems", reason);
    if (probe == NULL) {
        remove_probe(systems);
        return KIN_OK;
    }
    set(systems, probe, &place);
    return KIN_OK;
}

// Walks over a collection for tools (kin/inventory.h): every system and nested collection, numbered in depth-first
// order.

// A walk in progress; it visits all nodes, or looks for the one with the number `wanted`.
typedef struct walk {
    kin_systems_visitor *visit; // NULL: it looks for a node
    void *user;
    uint32_t place, depth, wanted;
} walk;

static void visit(const walk *walk, const kin__node *node)
{
    kin_system_entry entry = {.place = walk->place,
                              .depth = walk->depth,
                              .kind = kin__node_kind(node),
                              .name = node->nested != NULL ? node->nested->name : node->name,
                              .enabled = kin__node_is_wanted(node),
                              .runs = node->enabled && !node->owner->is_off,
                              .collector = node->reactive.collector,
                              .counts = profile_counts(node->profile)};
    walk->visit(&entry, walk->user);
}

// Returns the node that is looked for, or NULL after all were visited. Nodes that are removed have no number. Recursive
// over nested collections, the depth of which is limited.
static kin__node *go(walk *walk, const kin_systems *systems)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        if (node->removed)
            continue;
        if (walk->visit != NULL)
            visit(walk, node);
        else if (walk->place == walk->wanted)
            return node;
        walk->place++;
        walk->depth++;
        kin__node *inner = node->nested != NULL ? go(walk, node->nested) : NULL;
        walk->depth--;
        if (inner != NULL)
            return inner;
    }
    return NULL;
}

void kin_systems_walk(const kin_systems *systems, kin_systems_visitor *visit, void *user)
{
    walk walk = {.visit = visit, .user = user};
    if (systems != NULL && visit != NULL)
        go(&walk, systems);
}

bool kin_systems_timing_at(const kin_systems *systems, uint32_t place, kin_role role, kin_timing *timing)
{
    walk walk = {.wanted = place};
    const kin__node *node = systems == NULL ? NULL : go(&walk, systems);
    if (node == NULL || !kin__profile_is_timed(node->profile))
        return false;
    if ((uint32_t)role >= KIN_ROLE_COUNT || node->profile->times[role].ring == NULL)
        return false;
    *timing = profile_timing(node->profile, role);
    return true;
}

kin_status kin_systems_set_enabled_at(kin_systems *systems, uint32_t place, bool enabled)
{
    char reason[96];
    walk walk = {.wanted = place};
    kin__node *node = systems == NULL ? NULL : go(&walk, systems);
    if (node != NULL) {
        kin__node_set_enabled(node, enabled);
        kin__systems_refresh(node->owner);
        return KIN_OK;
    }
    snprintf(reason, sizeof reason, "the collection has no system %" PRIu32 "; use a place below %" PRIu32, place,
             walk.place);
    return kin__systems_report_error(
        systems, KIN_ERROR_INVALID, "enable or disable a system",
        systems == NULL ? "the collection is NULL; check the result of the call that created it" : reason);
}
