// Relay case: a context of package relay, and a journal in which its listeners write what they are told.
//
// A journal is text: each call its label and a blank, `!` and the status's name where an operation was refused. So a
// test says in one line what is to be told in which order. Everything is in static storage: one test at a time.
#ifndef KIN_TESTS_RUNTIME_RELAY_CASE_H
#define KIN_TESTS_RUNTIME_RELAY_CASE_H

#include "guard.h"

#include <relay/relay.h>

#include <check.h>

extern relay_context *relay;
extern guard relay_memory;

// Makes `relay`, on a guard and with a handler that writes into the journal. NULL: the other options are the defaults.
void relay_begin(const kin_context_options *options);

// Checks and ends the context, and that all memory came back.
void relay_end(void);

// The same without a context: for what is made of others.
void journal_begin(void);
void journal_write(const char *format, ...);
const char *journal_text(void);
void journal_error(const kin_error *error, void *user);

// Compares the journal and empties it.
#define ck_assert_journal(expected)                                                                                    \
    do {                                                                                                               \
        ck_assert_str_eq(journal_text(), expected);                                                                    \
        journal_begin();                                                                                               \
    } while (0)

// What a listener does once it has written its label.
typedef void relay_act(const kin_change *change);

// Subscribes a listener that writes `label`. What the label's last letter says is written behind it: `=` the values
// before and after, `#` the component's name, `@` the entity's creation index.
kin_subscription relay_watch(kin_group *group, kin_group_event event, const char *label);

// The same, and then it acts, the first `times` times.
kin_subscription relay_watch_and(kin_group *group, kin_group_event event, const char *label, relay_act *act,
                                 uint32_t times);

// The same for events of one entity and of the context.
kin_subscription relay_watch_entity(relay_entity entity, kin_entity_event event, const char *label, relay_act *act);
kin_subscription relay_watch_context(kin_context_event event, const char *label, relay_act *act);

// A watcher for a group and event that are also what its label says: `A+`, `A-`, `A~`.
#define RELAY_WATCH(group, name)                                                                                       \
    do {                                                                                                               \
        relay_watch(group, KIN_ADDED, name "+");                                                                       \
        relay_watch(group, KIN_REMOVED, name "-");                                                                     \
    } while (0)

// The entity that listeners are told of.
relay_entity relay_told(const kin_change *change);

// Groups by what they are of.
kin_group *relay_all(kin_component_id id);
kin_group *relay_none(kin_component_id id);

// A new entity that has A.
relay_entity relay_entity_with_a(int32_t value);

#endif
