#include "world/schema_system_state.h"

#include "base/assertion.h"

kin_collector *kin__schema_system_collector(void *object, uint32_t number)
{
    const kin__schema_system *schema_system = object;
    return number < schema_system->info->kept_count ? schema_system->leave_values[number].collector : NULL;
}

// Returns whether the system visits what has changed since its last turn.
static bool has_marks(const kin__schema_system *schema_system)
{
    return schema_system->order != NULL && schema_system->order->info->is_changed;
}

// ---- saving

static void save_marks(const kin__marks *marks, kin__state *state)
{
    uint32_t count = kin__marks_count(marks);
    kin__state_put_count(state, count);
    kin__state_put(state, marks->words.elements, count * sizeof(uint64_t));
}

void kin__schema_system_save(const void *object, kin__saved_node *saved, kin__state *state)
{
    const kin__schema_system *schema_system = object;
    KIN_ASSERT(!schema_system->in_turn);
    saved->flags |= schema_system->has_updated ? KIN__SAVED_UPDATED : 0;
    if (schema_system->compares && kin__membership_save(&schema_system->membership, state))
        saved->flags |= KIN__SAVED_CURRENT;
    saved->inbox_count = schema_system->inbox_count;
    for (uint32_t i = 0; i < schema_system->inbox_count; i++)
        kin__inbox_save(&schema_system->inboxes[i], state);
    if (!has_marks(schema_system))
        return;
    saved->flags |= schema_system->order->marks.has_all ? KIN__SAVED_ALL_MARKED : 0;
    save_marks(&schema_system->order->marks, state);
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
    return !has_marks(schema_system) ||
           kin__marks_reserve(&schema_system->order->marks, (uint32_t)kin__state_take_count(state));
}

static void restore_marks(kin__marks *marks, const kin__saved_node *saved, kin__state *state)
{
    uint32_t count = (uint32_t)kin__state_take_count(state);
    kin__marks_restore(marks, kin__state_take(state, count * sizeof(uint64_t)), count);
    marks->has_all = (saved->flags & KIN__SAVED_ALL_MARKED) != 0 || state->mode == KIN_RESTORE_ANEW;
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
        kin__tree_order_reset(schema_system->order);
    if (has_marks(schema_system))
        restore_marks(&schema_system->order->marks, saved, state);
}
