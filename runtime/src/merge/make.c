// Makes the entities: first all of them without components, then their components. Listeners may do anything meanwhile.
#include "merge/merging.h"

#include "base/base.h"
#include "entity/entity.h"
#include "notify/notify.h"
#include "store/store.h"

static const char was_reset[] = "a listener has reset the context";

// Whether the context was reset since its first entity was made: then handles of before may be given out again.
static bool is_reset(const kin__merging *merging)
{
    return merging->plan.epoch != merging->context->core->dispatch.epoch;
}

static bool is_alive(const kin__merging *merging, uint32_t number)
{
    return kin__chunk_of(merging->context, merging->entities[number]) != NULL;
}

// ---- entities

// Creates the next entity. A listener may have taken its slot. `*differs` if it is not the one that was expected.
static kin_status create_next(kin__merging *merging, kin__merge_failure *failure, bool *differs)
{
    kin__pool *pool = kin__merging_pool(merging, merging->made);
    uint32_t slot;
    kin_status status = kin__entity_find_slot(merging->context, pool, &slot, failure->text, &failure->reason);
    if (status != KIN_OK)
        return status;
    kin_entity *made = &merging->entities[merging->made++], expected = *made;
    *made = kin__entity_create_reserved(merging->context, pool);
    *differs = *differs || *made != expected;
    failure->reason = was_reset;
    return is_reset(merging) ? KIN_ERROR_NOT_ALIVE : KIN_OK;
}

static kin_status create_all(kin__merging *merging, kin__merge_failure *failure, bool *differs)
{
    kin_status status = KIN_OK;
    failure->merging = merging;
    merging->plan.epoch = merging->context->core->dispatch.epoch;
    while (status == KIN_OK && merging->made < merging->count)
        status = create_next(merging, failure, differs);
    return status;
}

// ---- components

// Adds the components of an entity, unless a listener destroys it.
static kin_status add_parts(kin__merging *merging, uint32_t number, kin__merge_failure *failure)
{
    for (size_t i = merging->firsts[number]; i < merging->firsts[number + 1]; i++) {
        if (!is_reset(merging) && !is_alive(merging, number)) {
            kin__plan_skip(&merging->plan);
            continue;
        }
        kin_status status = kin__plan_commit(&merging->plan, merging->entities[number]);
        if (status == KIN_OK)
            continue;
        failure->entity = is_reset(merging) ? 0 : merging->entities[number];
        kin__plan_describe(&merging->plan, merging->entities[number], status, &failure->plan);
        return status;
    }
    return KIN_OK;
}

static kin_status add_all(kin__merging *merging, kin__merge_failure *failure)
{
    kin_status status = KIN_OK;
    failure->merging = merging;
    failure->reason = was_reset;
    for (uint32_t i = 0; status == KIN_OK && i < merging->count; i++)
        status = add_parts(merging, i, failure);
    KIN_ASSERT(status != KIN_OK || merging->plan.done == merging->plan.count);
    return status;
}

static kin_status relink_all(kin__merge *merge)
{
    for (uint32_t i = 0; i < merge->count; i++) {
        merge->failure.merging = &merge->mergings[i];
        merge->failure.reason = NULL;
        if (!kin__merging_relink(&merge->mergings[i]))
            return KIN_ERROR_NO_MEMORY;
    }
    return KIN_OK;
}

// ---- all of it

static kin_status make_all(kin__merge *merge)
{
    kin_status status = KIN_OK;
    bool differs = false;
    for (uint32_t i = 0; status == KIN_OK && i < merge->count; i++)
        status = create_all(&merge->mergings[i], &merge->failure, &differs);
    if (status == KIN_OK && differs)
        status = relink_all(merge);
    for (uint32_t i = 0; status == KIN_OK && i < merge->count; i++)
        status = add_all(&merge->mergings[i], &merge->failure);
    for (uint32_t i = 0; status == KIN_OK && i < merge->count; i++) {
        merge->failure.merging = &merge->mergings[i];
        status = kin__merging_move_siblings(&merge->mergings[i], &merge->failure);
    }
    return status;
}

// Listeners of the end of one may end others, or reset the context.
static void destroy_all(const kin__merging *merging)
{
    for (uint32_t i = merging->made; i-- > 0 && !is_reset(merging);)
        if (is_alive(merging, i))
            kin__entity_destroy_checked_fast(merging->context, merging->entities[i]);
}

kin_status kin__merge_make(kin__merge *merge)
{
    kin_status status = make_all(merge);
    for (uint32_t i = merge->count; status != KIN_OK && i-- > 0;)
        destroy_all(&merge->mergings[i]);
    return status;
}
