// Errors of callers: one sentence each, reported once to the context's handler before the status is returned.
//
//   <context>: cannot <verb> [<component> of] [entity …]: <reason>; <fix>
//
// Reporting is the last thing that a failing call does, as the handler may destroy or change anything but the context.
#ifndef KIN_SRC_ERROR_H
#define KIN_SRC_ERROR_H

#include "core/core.h"

// The failed call of the caller. `reason` replaces the usual reason of the status.
typedef struct kin__attempt {
    const char *verb;
    kin_entity entity;       // 0: no entity
    const char *component;   // NULL: none
    const char *reason;      // NULL: the usual reason
    const char *preposition; // between component and entity; NULL: of
    bool is_unique;          // a call about a unique component, which names no entity
    const char *culprit;     // the caller, with a space, such as "system 'Steer' "; NULL: the program
} kin__attempt;

// Where an error goes. All NULL: to stderr.
typedef struct kin__receiver {
    const kin_context_options *options;
    const kin__error_watch *watch;
    const char *context; // name that the message begins with
} kin__receiver;

// Reports an error to the context's handler and returns its status. While threads share the context it only counts the
// call, as the handler is called by the thread that updates; what the limit of nesting refuses is KIN_ERROR_INVALID.
kin_status kin__report_error(const kin_context *context, kin_status status, const kin__attempt *attempt);

// Counts a call that is refused because threads share the context, and returns KIN_ERROR_INVALID.
kin_status kin__refuse_shared(const kin_context *context);

// Returns why a change may not begin at the limit of nesting: that limit, or the context was abandoned.
const char *kin__nesting_reason(const kin_context *context);

// The same for an attempt with a component.
kin_status kin__report_component_error(const kin_context *context, kin_status status, const char *verb,
                                       kin_entity entity, kin_component_id id);

// The same for a call about a unique component.
kin_status kin__report_unique_error(const kin_context *context, kin_status status, const char *verb,
                                    kin_component_id id);

// The same without a context: `refused` is the size for KIN_ERROR_NO_MEMORY; `options` may be NULL.
kin_status kin__report_error_to(const kin_context_options *options, kin_status status, const kin__attempt *attempt,
                                size_t refused);
kin_status kin__report_error_at(const kin__receiver *receiver, kin_status status, const kin__attempt *attempt,
                                size_t refused);

#endif
