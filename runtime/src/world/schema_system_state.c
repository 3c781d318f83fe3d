#include "world/schema_system_state.h"

#include "base/base.h"

kin_collector *kin__schema_system_collector(void *object, uint32_t number)
{
    const kin__schema_system *schema_system = object;
    return number < schema_system->info->kept_count ? schema_system->leave_values[number].collector : NULL;
}

// ---- saving

static void save_order(const kin__tree_order *order, kin__state *state)
{
    size_t size = kin__tree_order_saved_size(order);
    kin__state_put_count(state, size);
    void *bytes = kin__state_take(state, size);
    if (bytes != NULL)
        kin__tree_order_save(order, bytes);
}

void kin__schema_system_save(const void *object, kin__saved_node *saved, kin__state *state)
{
    const kin__schema_system *schema_system = object;
    KIN_ASSERT(!schema_system->in_turn);
    saved->flags |= schema_system->has_updated ? KIN__SAVED_UPDATED : 0;
    saved->flags |= schema_system->compares ? KIN__SAVED_MEMBERS : 0;
    saved->flags |= schema_system->order != NULL ? KIN__SAVED_ORDER : 0;
    if (schema_system->compares && kin__membership_save(&schema_system->membership, state))
        saved->flags |= KIN__SAVED_CURRENT;
    saved->inbox_count = schema_system->inbox_count;
    for (uint32_t i = 0; i < schema_system->inbox_count; i++)
        kin__inbox_save(&schema_system->inboxes[i], state);
    if (schema_system->order != NULL)
        save_order(schema_system->order, state);
}

// ---- restoring

bool kin__schema_system_reserve(void *object, const kin__saved_node *saved, kin__state *state)
{
    kin__schema_system *schema_system = object;
    KIN_ASSERT(saved->inbox_count == schema_system->inbox_count);
    if (schema_system->compares && !kin__membership_reserve(&schema_system->membership, state))
        return false;
    for (uint32_t i = 0; i < saved->inbox_count; i++)
        if (!kin__inbox_reserve(&schema_system->inboxes[i], state))
            return false;
    return schema_system->order == NULL ||
           kin__tree_order_restore_reserve(schema_system->order, (size_t)kin__state_take_count(state));
}

static void restore_order(kin__tree_order *order, kin__state *state)
{
    size_t size = (size_t)kin__state_take_count(state);
    kin__tree_order_restore(order, kin__state_take(state, size), size);
    if (state->mode == KIN_RESTORE_ANEW)
        kin__tree_order_reset(order);
}

void kin__schema_system_restore(void *object, const kin__saved_node *saved, kin__state *state)
{
    kin__schema_system *schema_system = object;
    KIN_ASSERT(!schema_system->in_turn);
    schema_system->has_updated = (saved->flags & KIN__SAVED_UPDATED) != 0;
    if (schema_system->compares)
        kin__membership_restore(&schema_system->membership, state, (saved->flags & KIN__SAVED_CURRENT) != 0);
    for (uint32_t i = 0; i < saved->inbox_count; i++)
        kin__inbox_restore(&schema_system->inboxes[i], state);
    if (schema_system->order != NULL)
        restore_order(schema_system->order, state);
}
