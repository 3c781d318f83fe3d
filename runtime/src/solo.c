// Replacing a component that one listener or collector minds, and nobody else: most that are replaced each frame. Alone
// in this file, as every instruction shows here: rows are of one word, and the former value is kept on the stack.

#include "dispatch.h"
#include "plain.h"

// Copies what is at a place to `previous`, then the value there: 4, 8, 12 or 16 bytes, without a call.
static inline void exchange(void *place, const void *value, void *previous, size_t size)
{
    if (size == 4) {
        memcpy(previous, place, 4);
        memcpy(place, value, 4);
    } else if (size == 8) {
        memcpy(previous, place, 8);
        memcpy(place, value, 8);
    } else if (size == 12) {
        memcpy(previous, place, 12);
        memcpy(place, value, 12);
    } else {
        memcpy(previous, place, 16);
        memcpy(place, value, 16);
    }
}

// One group watches, and one subscriber is told, of one event: nothing can come behind that, so that of all that a
// change has to remember its depth is left.
kin_status kin__component_replace(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin__core *core = context->core;
    const kin__watch *watch = &core->watches[id];
    const kin__subscriber *solo = watch->solo;
    kin__chunk *chunk = kin__chunk_of(context, entity);
    uint32_t depth = core->dispatch.depth, place = kin_entity_slot(entity) % KIN__CHUNK_SLOTS;
    if (solo == NULL || chunk == NULL || depth + 1 >= KIN__MAX_DEPTH ||
        !kin__column_has(kin__chunk_columns(chunk, 1)[id], place))
        return kin__component_replace_told(context, entity, id, value);
    _Alignas(KIN__SOLO_SIZE) unsigned char previous[KIN__SOLO_SIZE];
    exchange(kin__column_value(kin__chunk_columns(chunk, 1)[id], place, watch->size), value, previous, watch->size);
    if ((kin__chunk_row(chunk, 1, place)[0] & watch->solo_care) != watch->solo_want)
        return KIN_OK;
    kin_change change = {.context = context,
                         .group = solo->group,
                         .entity = entity,
                         .component = id,
                         .previous = solo->events == KIN__EVENT_ADDED ? NULL : previous,
                         .value = solo->events == KIN__EVENT_REMOVED ? NULL : value};
    core->dispatch.depth = depth + 1;
    solo->listener(&change, solo->user);
    core->dispatch.depth = depth;
    if (depth == 0 && core->dispatch.unsettled)
        kin__dispatch_settle(context);
    return KIN_OK;
}
