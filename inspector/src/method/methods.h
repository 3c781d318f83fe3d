// Methods: the table of all that a viewer can ask for.
#ifndef KIN_INSPECT_METHODS_H
#define KIN_INSPECT_METHODS_H

#include "host/host.h"

// Returns the method with the name, or NULL.
const kin__method *kin__method_find(const char *name);

// Returns the method with the number, or NULL behind the last one.
const kin__method *kin__method_at(uint32_t number);

extern const kin__method kin__method_hello, kin__method_discover, kin__method_schema;
extern const kin__method kin__method_query, kin__method_get, kin__method_explain, kin__method_relations;
extern const kin__method kin__method_create, kin__method_spawn, kin__method_clone, kin__method_destroy;
extern const kin__method kin__method_add, kin__method_set, kin__method_replace, kin__method_remove;
extern const kin__method kin__method_groups, kin__method_uniques, kin__method_collectors, kin__method_indices;
extern const kin__method kin__method_systems, kin__method_enable, kin__method_memory;
extern const kin__method kin__method_time, kin__method_pause, kin__method_resume, kin__method_step, kin__method_speed;
extern const kin__method kin__method_hold, kin__method_until, kin__method_timeline_start, kin__method_timeline_get;
extern const kin__method kin__method_journal_start, kin__method_journal_stop, kin__method_journal_read;
extern const kin__method kin__method_why, kin__method_messages, kin__method_errors;
extern const kin__method kin__method_plot_add, kin__method_plot_remove, kin__method_plot_read;
extern const kin__method kin__method_mark_take, kin__method_mark_diff, kin__method_mark_drop;
extern const kin__method kin__method_snapshot_list, kin__method_snapshot_take, kin__method_snapshot_restore;
extern const kin__method kin__method_snapshot_diff, kin__method_snapshot_drop;
extern const kin__method kin__method_watch_add, kin__method_watch_remove, kin__method_watch_list;
extern const kin__method kin__method_audit_start, kin__method_audit_stop, kin__method_audit_read;

#endif
