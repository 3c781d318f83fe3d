// Relay case: a context of package relay, and a log into which its listeners write their calls.
//
// A log is text: for each call its label and a space, for each refused operation `!` and the name of the status. So a
// test states in one line which calls it expects in which order. Everything is in static storage: one test at a time.
#ifndef KIN_TESTS_RUNTIME_RELAY_CASE_H
#define KIN_TESTS_RUNTIME_RELAY_CASE_H

#include "guard.h"

#include <relay/relay.h>

#include <check.h>

extern relay_context *relay;
extern guard relay_memory;

// Creates `relay`, on a guard and, unless the options have a handler, with one that writes into the log.
void relay_begin_with(const kin_context_options *options);
void relay_begin(void);

// Checks and destroys the context, and checks that all memory is free.
void relay_end(void);

// The same without a context, for contexts of other packages.
void log_begin(void);
void log_write(const char *format, ...);
const char *log_text(void);
void log_error(const kin_error *error, void *user);

// Compares the log and empties it.
#define ck_assert_log(expected)                                                                                        \
    do {                                                                                                               \
        ck_assert_str_eq(log_text(), expected);                                                                        \
        log_begin();                                                                                                   \
    } while (0)

// The action of a listener after it has written its label.
typedef void relay_act(const kin_change *change);

// An action: destroys the entity of the call.
void destroy_it(const kin_change *change);

// Subscribes a listener that writes `label`. The last letter of the label adds to it: `=` the values before and after,
// `#` the component's name, `@` the entity's creation index.
kin_subscription relay_watch(kin_group *group, kin_group_event event, const char *label);

// The same, and the listener acts in its first `times` calls.
kin_subscription relay_watch_and(kin_group *group, kin_group_event event, const char *label, relay_act *act,
                                 uint32_t times);

// The same for events of one entity and of the context.
kin_subscription relay_watch_entity(relay_entity entity, kin_entity_event event, const char *label, relay_act *act);
kin_subscription relay_watch_context(kin_context_event event, const char *label, relay_act *act);

// Watches a group and event that the label names: `A+`, `A-`, `A~`.
#define RELAY_WATCH(group, name)                                                                                       \
    do {                                                                                                               \
        relay_watch(group, KIN_ADDED, name "+");                                                                       \
        relay_watch(group, KIN_REMOVED, name "-");                                                                     \
    } while (0)

// The entity of the current call.
relay_entity relay_changed_entity(const kin_change *change);

// Groups by their rules.
kin_group *relay_all(kin_component_id id);
kin_group *relay_none(kin_component_id id);
kin_group *relay_any(kin_component_id first, kin_component_id second);

// A new entity that has A.
relay_entity relay_entity_with_a(int32_t value);

#endif
