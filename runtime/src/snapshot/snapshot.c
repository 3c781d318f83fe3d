#include "snapshot/snapshot.h"

#include "report/error.h"

#include <kin/generated/storage.h>

kin_status kin__context_save(kin_context *context, kin_snapshot **snapshot)
{
    (void)snapshot;
    return kin__report_error(context, KIN_ERROR_INVALID, &(kin__attempt){.verb = "save the context"});
}

kin_status kin__context_restore(kin_context *context, const kin_snapshot *snapshot, kin_restore_mode mode)
{
    (void)snapshot, (void)mode;
    return kin__report_error(context, KIN_ERROR_INVALID, &(kin__attempt){.verb = "restore the context"});
}

void kin_snapshot_destroy(kin_snapshot *snapshot)
{
    (void)snapshot;
}

kin__context_snapshot *kin__snapshot_part(const kin_snapshot *snapshot, const kin_context_info *info)
{
    for (uint32_t i = 0; i < snapshot->part_count; i++)
        if (snapshot->parts[i] != NULL && snapshot->parts[i]->info == info)
            return snapshot->parts[i];
    return NULL;
}

uint32_t kin_snapshot_count(const kin_snapshot *snapshot, const kin_context_info *context)
{
    const kin__context_snapshot *part = snapshot == NULL ? NULL : kin__snapshot_part(snapshot, context);
    return part == NULL ? 0 : kin__part_count(part);
}
