// Printing the profile of a collection: a line for each system and role, in the order in which they run.

#include "store/store.h"
#include "systems/systems.h"

#include <string.h>

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
