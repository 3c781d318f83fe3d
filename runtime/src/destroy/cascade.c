#include "destroy/cascade.h"

#include "change/component.h"
#include "store/store.h"
#include "destroy/destroy.h"
#include "destroy/silent_holder.h"
#include "notify/notify.h"

#include <string.h>

// The mark of the first entity of a cascade. The mark of any other entity is the slot of its target + 1.
#define ROOT UINT32_MAX

static kin_entity entity_in(const kin_context *context, uint32_t slot)
{
    return kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS];
}

// Returns the first holder of the entity in a slot, in order of relation and list; 0 if it has none.
static kin_entity find_holder(const kin_context *context, uint32_t slot, const kin__relation **relation)
{
    for (uint32_t i = 0; i < context->info->relation_count; i++) {
        *relation = kin__relation_at(context, i);
        kin_entity holder = kin__relation_first_of(context, *relation, slot);
        if (holder != 0)
            return holder;
    }
    return 0;
}

// ---- detaching

// Clears the field of a holder in place, which needs memory only for keys that functions return. False, with nothing
// changed, when out of memory or if an index forbids the value: another entity may have its primary key.
static bool clear_field(kin_context *context, const kin__relation *relation, kin_entity holder)
{
    kin_component_id id = relation->info->component;
    uint32_t slot = kin_entity_slot(holder);
    void *value = kin__relations_scratch(context);
    kin__value_read(context, slot, id, value);
    memset((char *)value + relation->info->field->offset, 0, sizeof(kin_entity));
    kin__step step = {KIN__STEP_REPLACE, holder, id, value};
    if (kin__indices_check(context, &step) != KIN_OK || !kin__indices_reserve_replacement(context, slot, id))
        return false;
    kin__change_overwrite(context, &step);
    return true;
}

// Returns whether all indices allow the removal of the holder's component: the holder may then enter an index that has
// the component in `none`, in which another entity has its key.
static bool may_remove(const kin_context *context, kin_component_id id, kin_entity holder)
{
    kin__step step = {KIN__STEP_REMOVE, holder, id, NULL};
    return kin__indices_check(context, &step) == KIN_OK;
}

// Either clearing or removing is always possible: the generator refuses other schemas (K1408).
static void detach(kin_context *context, const kin__relation *relation, kin_entity holder)
{
    kin_component_id id = relation->info->component;
    bool is_removed = relation->info->on_destroy == KIN_ON_DESTROY_REMOVE && may_remove(context, id, holder);
    if (!is_removed && clear_field(context, relation, holder))
        return;
    kin_status status = kin__component_remove(context, holder, id);
    KIN_ASSERT(status == KIN_OK);
    (void)status;
}

bool kin__cascade_detach_all(kin_context *context, kin_entity entity)
{
    uint64_t epoch = context->core->dispatch.epoch;
    const kin__relation *relation;
    kin_entity holder;
    while (context->core->dispatch.epoch == epoch &&
           (holder = find_holder(context, kin_entity_slot(entity), &relation)) != 0)
        detach(context, relation, holder);
    return context->core->dispatch.epoch == epoch;
}

// ---- walking

// Returns the first holder that is destroyed with the entity in a slot and is not marked yet; 0 if it has none.
static kin_entity find_taken(const kin_context *context, uint32_t slot)
{
    for (uint32_t i = 0; i < context->info->relation_count; i++) {
        const kin__relation *relation = kin__relation_at(context, i);
        if (!relation->takes)
            continue;
        kin_entity holder = kin__relation_first_of(context, relation, slot);
        while (holder != 0 && kin__is_about_to_be_destroyed(context, holder))
            holder = kin__relation_next_of(context, relation, kin_entity_slot(holder));
        if (holder != 0)
            return holder;
    }
    return 0;
}

// Notifies listeners that an entity will be destroyed. False if a listener has reset the context.
static inline bool announce(kin_context *context, kin_entity entity)
{
    return context->core->events.will_destroy_subscribers == KIN__RELATIONS_AS_SUBSCRIBERS ||
           kin__notify_will_be_destroyed(context, entity);
}

static inline void begin(kin_context *context, uint32_t slot, uint32_t mark)
{
    *kin__ending_of(context, slot) = mark;
    context->core->slots.about_to_be_destroyed++;
    context->core->slots.announced++;
}

// Destroys an entity without holders. Updates `*loud` if that may have called a listener.
static void strip(kin_context *context, uint32_t slot, kin__loud *loud)
{
    kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    if (kin__holder_is_silent(context, chunk, slot, *loud)) {
        kin__holder_destroy_silently(context, chunk, slot, context->watched[0]);
    } else {
        kin__entity_destroy_announced(context, entity_in(context, slot));
        *loud = kin__loud_components(context);
    }
}

// The same for a marked entity. Returns its mark.
static inline uint32_t end(kin_context *context, uint32_t slot, kin__loud *loud)
{
    uint32_t *mark = kin__ending_of(context, slot), was = *mark;
    KIN_ASSERT(was != 0 && context->core->slots.about_to_be_destroyed > 0);
    *mark = 0;
    context->core->slots.about_to_be_destroyed--;
    strip(context, slot, loud);
    return was;
}

// Makes all silent steps of a cascade, from the entity in `*slot` on, then one step that may notify. Sets `*slot` for
// the step that follows. False when the cascade has ended or a listener has reset the context. `*loud` must be current.
static bool step(kin_context *context, uint32_t *slot, kin__loud *loud)
{
    uint64_t epoch = context->core->dispatch.epoch;
    const kin__relation *relation;
    if (*loud != KIN__ALL_LOUD)
        *slot = kin__cascade_silently(context, *slot, *loud);
    kin_entity taken = find_taken(context, *slot), holder = taken == 0 ? find_holder(context, *slot, &relation) : 0;
    if (taken != 0) {
        if (!announce(context, taken))
            return false;
        begin(context, kin_entity_slot(taken), *slot + 1);
        *slot = kin_entity_slot(taken);
    } else if (holder != 0) {
        detach(context, relation, holder);
        *loud = kin__loud_components(context);
    } else {
        uint32_t mark = end(context, *slot, loud);
        if (mark == ROOT)
            return false;
        *slot = mark - 1;
    }
    return context->core->dispatch.epoch == epoch;
}

void kin__cascade_general(kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    KIN_ASSERT(kin__dispatch_may_nest(context) && !kin__is_about_to_be_destroyed(context, entity));
    if (!announce(context, entity))
        return;
    kin__loud loud = kin__loud_components(context);
    if (!kin__has_holders(context, slot)) {
        strip(context, slot, &loud);
        return;
    }
    begin(context, slot, ROOT);
    while (step(context, &slot, &loud))
        ;
}

// Most entities have no holders.
kin_status kin__cascade(kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    if (kin__holder_is_silent(context, chunk, slot, kin__loud_components(context)) && !kin__has_holders(context, slot))
        kin__holder_destroy_silently(context, chunk, slot, context->watched[0]);
    else
        kin__cascade_general(context, entity);
    return KIN_OK;
}

kin_status kin__cascade_if_allowed(kin_context *context, kin_entity entity)
{
    if (context->core->relations->can_refuse && !kin__cascade_is_allowed(context, entity, NULL))
        return KIN_ERROR_REFERENCED;
    return kin__cascade(context, entity);
}
