#include "destroy/cascade.h"

#include "change/component.h"
#include "core/ending.h"
#include "destroy/destroy.h"
#include "notify/dispatch.h"
#include "notify/notify.h"
#include "storage/chunk.h"
#include "storage/value.h"

#include <string.h>

#define ROOT UINT32_MAX // the mark of the first entity of a cascade; others have the slot of their target + 1

static kin_entity entity_in(const kin_context *context, uint32_t slot)
{
    return kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS];
}

// ---- detaching

// Empties the field of a holder in place: no memory is needed. Removes the component if an index forbids that value:
// another entity may have its primary key.
static void clear_field(kin_context *context, const kin__relation *relation, kin_entity holder)
{
    kin_component_id id = relation->info->component;
    uint32_t slot = kin_entity_slot(holder);
    void *value = kin__relations_scratch(context);
    kin__value_read(context, slot, id, value);
    memset((char *)value + relation->info->field->offset, 0, sizeof(kin_entity));
    kin__step step = {KIN__STEP_REPLACE, holder, id, value};
    if (kin__indices_check(context, &step) == KIN_OK && kin__indices_reserve_replacement(context, slot, id))
        kin__change_overwrite(context, &step);
    else
        kin__component_remove(context, holder, id);
}

static void detach(kin_context *context, const kin__relation *relation, kin_entity holder)
{
    if (relation->info->on_destroy == KIN_ON_DESTROY_REMOVE)
        kin__component_remove(context, holder, relation->info->component);
    else
        clear_field(context, relation, holder);
}

bool kin__cascade_detach_holders(kin_context *context, kin_entity entity)
{
    uint64_t epoch = context->core->dispatch.epoch;
    for (uint32_t i = 0; i < context->info->relation_count; i++) {
        const kin__relation *relation = kin__relation_at(context, i);
        kin_entity holder;
        while (context->core->dispatch.epoch == epoch &&
               (holder = kin__relation_first_of(context, relation, kin_entity_slot(entity))) != 0)
            detach(context, relation, holder);
    }
    return context->core->dispatch.epoch == epoch;
}

// ---- walking

// Returns the first entity that is taken along with another one and is not being destroyed yet; 0 if there is none.
static kin_entity find_taken(const kin_context *context, uint32_t slot)
{
    for (uint32_t i = 0; i < context->info->relation_count; i++) {
        const kin__relation *relation = kin__relation_at(context, i);
        if (relation->info->on_destroy != KIN_ON_DESTROY_DESTROY)
            continue;
        kin_entity holder = kin__relation_first_of(context, relation, slot);
        while (holder != 0 && kin__is_about_to_be_destroyed(context, holder))
            holder = kin__relation_next_of(context, relation, kin_entity_slot(holder));
        if (holder != 0)
            return holder;
    }
    return 0;
}

static bool has_holders(const kin_context *context, uint32_t slot)
{
    for (uint32_t i = 0; i < context->info->relation_count; i++)
        if (kin__relation_first_of(context, kin__relation_at(context, i), slot) != 0)
            return true;
    return false;
}

// Notifies that an entity will be destroyed. False when a listener has reset the context.
static bool announce(kin_context *context, kin_entity entity)
{
    return context->core->events.will_destroy_subscribers == KIN__RELATIONS_AS_SUBSCRIBERS ||
           kin__notify_will_be_destroyed(context, entity);
}

static void begin(kin_context *context, uint32_t slot, uint32_t mark)
{
    *kin__ending_of(context, slot) = mark;
    context->core->slots.about_to_be_destroyed++;
    context->core->slots.announced++;
}

// Strips an entity that nothing names, and returns its mark.
static uint32_t end(kin_context *context, uint32_t slot)
{
    uint32_t *mark = kin__ending_of(context, slot), was = *mark;
    KIN_ASSERT(was != 0 && context->core->slots.about_to_be_destroyed > 0);
    *mark = 0;
    context->core->slots.about_to_be_destroyed--;
    kin__entity_destroy_announced(context, entity_in(context, slot));
    return was;
}

// The entity is announced and marked.
static void walk(kin_context *context, uint32_t slot)
{
    uint64_t epoch = context->core->dispatch.epoch;
    for (;;) {
        kin_entity taken = find_taken(context, slot);
        if (taken != 0) {
            if (!announce(context, taken))
                return;
            begin(context, kin_entity_slot(taken), slot + 1);
            slot = kin_entity_slot(taken);
        } else if (!kin__cascade_detach_holders(context, entity_in(context, slot))) {
            return;
        } else if (!has_holders(context, slot)) {
            uint32_t mark = end(context, slot);
            if (mark == ROOT || context->core->dispatch.epoch != epoch)
                return;
            slot = mark - 1;
        }
    }
}

// Most entities have no holders.
void kin__cascade(kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    KIN_ASSERT(kin__dispatch_may_nest(context) && !kin__is_about_to_be_destroyed(context, entity));
    if (!announce(context, entity))
        return;
    if (!has_holders(context, slot)) {
        kin__entity_destroy_announced(context, entity);
        return;
    }
    begin(context, slot, ROOT);
    walk(context, slot);
}
