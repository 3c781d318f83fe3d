// Adding and removing a component where the fast path does not apply: with an entry in its journal if that is on.

#include "change/component.h"
#include "change/fast.h"
#include "notify/journal.h"

kin_status kin__component_add_slow(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    return kin__journal_is_on(&context->core->watches[id]) ? kin__component_add_noted(context, entity, id, value)
                                                           : kin__component_add(context, entity, id, value);
}

kin_status kin__component_remove_slow(kin_context *context, kin_entity entity, kin_component_id id)
{
    return kin__journal_is_on(&context->core->watches[id]) ? kin__component_remove_noted(context, entity, id)
                                                           : kin__component_remove(context, entity, id);
}
