// Snapshots. Now and then the allocator refuses a request of a save or restore: then it is made again.

#include "entity/entity.h"
#include "real.h"

#include <check.h>
#include <stdlib.h>

// The number of the request to refuse; 0: none.
static uint64_t refusal_of(const model_operation *operation)
{
    return operation->value % 4 == 0 ? (uint64_t)operation->value / 4 % 12 + 1 : 0;
}

static void refuse(real *real, const model_operation *operation)
{
    guard_fail(&real->memory, refusal_of(operation), operation->value % 8 == 0);
    real->is_refusing = true;
}

// Call when a listener is called: a restore that tells of itself is done.
void real_refuse_no_more(real *real)
{
    if (real->is_refusing)
        guard_fail(&real->memory, 0, false);
    real->is_refusing = false;
}

// SNP-06, SNP-13: what was refused has changed nothing.
static bool was_refused(real *real, kin_status status)
{
    bool has_failed = guard_has_failed(&real->memory);
    guard_fail(&real->memory, 0, false);
    real->is_refusing = false;
    if (status != KIN_ERROR_NO_MEMORY)
        return false;
    if (!has_failed)
        ck_abort_msg("no memory, and no request was refused");
    real_measure(real);
    if (!kin__context_is_valid(real->context))
        ck_abort_msg("a refused save or restore has left an invalid context");
    return true;
}

kin_status real_save(real *real, const model_operation *operation)
{
    kin_snapshot **snapshot = &real->snapshots[operation->number];
    refuse(real, operation);
    kin_status status = real->port->save(real->typed, snapshot);
    if (!was_refused(real, status))
        return status;
    real->is_refusing = true;
    status = real->port->save(real->typed, snapshot);
    real->is_refusing = false;
    return status;
}

// ---- going back

// The values that are there, to compare their addresses (SNP-16).
typedef struct shown {
    kin_entity entity;
    const void *values[MODEL_PARTS];
} shown;

static const void *value_of(const real *real, kin_entity entity, int32_t part)
{
    const model_port_part *port = &real->port->parts[part];
    bool has_address = port->get != NULL && !real->port->info->components[port->id].is_soa;
    return has_address ? kin_get(real->context, entity, port->id) : NULL;
}

static shown *show_values(const real *real, uint32_t *count)
{
    const kin_entity *entities = real->port->entities(real->typed, count);
    shown *made = calloc(*count + 1, sizeof *made);
    for (uint32_t i = 0; i < *count; i++) {
        made[i].entity = entities[i];
        for (int32_t part = 0; part < MODEL_PARTS; part++)
            made[i].values[part] = value_of(real, entities[i], part);
    }
    return made;
}

static void compare_addresses(const real *real, const shown *before, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (int32_t part = 0; part < MODEL_PARTS; part++) {
            const void *value = value_of(real, before[i].entity, part);
            if (value != NULL && before[i].values[part] != NULL && value != before[i].values[part])
                ck_abort_msg("a restore has moved a value of %s", model_traits[part].name);
        }
}

kin_status real_rewind(real *real, const model_operation *operation)
{
    const kin_snapshot *snapshot = real->snapshots[operation->number];
    kin_restore_mode mode = (kin_restore_mode)operation->other;
    uint32_t count = 0, calls = real->calls;
    shown *before = show_values(real, &count);
    refuse(real, operation);
    kin_status status = real->port->rewind(real->typed, snapshot, mode);
    if (was_refused(real, status))
        status = real->port->rewind(real->typed, snapshot, mode);
    if (real->calls == calls) // a listener may have changed more than the restore
        compare_addresses(real, before, count);
    free(before);
    if (status == KIN_OK && !kin__context_is_valid(real->context))
        ck_abort_msg("a restored context is not valid");
    return status;
}

kin_status real_end_snapshot(real *real, int32_t number)
{
    kin_snapshot_destroy(real->snapshots[number]);
    real->snapshots[number] = NULL;
    return KIN_OK;
}
