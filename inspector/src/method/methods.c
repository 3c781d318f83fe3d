#include "method/methods.h"

#include <string.h>

static const kin__method *const methods[] = {
    &kin__method_hello,
    &kin__method_discover,
    &kin__method_schema,
    &kin__method_query,
    &kin__method_get,
    &kin__method_explain,
    &kin__method_relations,
    &kin__method_create,
    &kin__method_spawn,
    &kin__method_clone,
    &kin__method_destroy,
    &kin__method_add,
    &kin__method_set,
    &kin__method_replace,
    &kin__method_remove,
    &kin__method_uniques,
    &kin__method_indices,
    &kin__method_groups,
    &kin__method_collectors,
    &kin__method_systems,
    &kin__method_enable,
    &kin__method_memory,
    &kin__method_time,
    &kin__method_pause,
    &kin__method_resume,
    &kin__method_step,
    &kin__method_speed,
    &kin__method_journal_start,
    &kin__method_journal_stop,
    &kin__method_journal_read,
    &kin__method_watch_add,
    &kin__method_watch_remove,
    &kin__method_watch_list,
    &kin__method_why,
    &kin__method_mark_take,
    &kin__method_mark_diff,
    &kin__method_mark_drop,
    &kin__method_plot_add,
    &kin__method_plot_remove,
    &kin__method_plot_read,
    &kin__method_hold,
    &kin__method_until,
    &kin__method_timeline_start,
    &kin__method_timeline_get,
    &kin__method_audit_start,
    &kin__method_audit_stop,
    &kin__method_audit_read,
    &kin__method_snapshot_list,
    &kin__method_snapshot_take,
    &kin__method_snapshot_restore,
    &kin__method_snapshot_diff,
    &kin__method_snapshot_drop,
    &kin__method_messages,
    &kin__method_errors,
};

const kin__method *kin__method_at(uint32_t number)
{
    return number < sizeof methods / sizeof *methods ? methods[number] : NULL;
}

const kin__method *kin__method_find(const char *name)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(methods[i]->name, name) == 0)
            return methods[i];
    return NULL;
}
