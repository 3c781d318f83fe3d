// Refusals: one sentence for each, told once to the handler before the status is returned.
//
//   <context>: cannot <verb> [<component> of] [entity …]: <why not>; <what to do instead>
#ifndef KIN_SRC_ERROR_H
#define KIN_SRC_ERROR_H

#include "core/core.h"

// What was tried. `reason` stands in place of the usual words for the status where there is more to say.
typedef struct kin__attempt {
    const char *verb;
    kin_entity entity;       // 0: no entity
    const char *component;   // NULL: none
    const char *reason;      // NULL: the usual one
    const char *preposition; // between component and entity; NULL: of
    bool is_unique;          // a call about a unique component, which names no entity
} kin__attempt;

// Tells the context's handler of a refusal and returns its status.
kin_status kin__refuse(const kin_context *context, kin_status status, const kin__attempt *attempt);

// The same for what is told apart by component id.
kin_status kin__refuse_component(const kin_context *context, kin_status status, const char *verb, kin_entity entity,
                                 kin_component_id id);

// The same for a call about a unique component.
kin_status kin__refuse_unique(const kin_context *context, kin_status status, const char *verb, kin_component_id id);

// The same where there is no context: `refused` says the bytes of KIN_ERROR_NO_MEMORY, `options` may be NULL.
kin_status kin__refuse_outside(const kin_context_options *options, kin_status status, const kin__attempt *attempt,
                               size_t refused);

#endif
