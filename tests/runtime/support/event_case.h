// Event case: a context of package solo or attic with generated events that their schemas do not have. Calls are
// written into one text, each as "<label><slot>" and, if a value is passed, "=<value>".
#ifndef KIN_TESTS_RUNTIME_EVENT_CASE_H
#define KIN_TESTS_RUNTIME_EVENT_CASE_H

#include "guard.h"
#include "support.h"

#include <attic/attic.h>
#include <solo/solo.h>

// In the order of delivery.
enum {
    ANY_FIRST,
    ANY_PLACE,
    SELF_PLACE,
    ANY_PLACE_REMOVED,
    SELF_PLACE_REMOVED,
    ANY_QUIET,
    ANY_QUIET_REMOVED,
    ANY_SCORE,
    ANY_SCORE_REMOVED,
    ANY_CLICK,
    ANY_CLICK_REMOVED
};
enum { ANY_COIN, ANY_COIN_REMOVED, ANY_NAME, ANY_NAME_REMOVED, SELF_NAME_REMOVED, ANY_TITLE_REMOVED };

// A listener: `act` is called after the call has been written.
typedef struct listener {
    const char *label;
    void (*act)(struct listener *listener, kin_context *context, kin_entity entity);
    kin_entity entity; // for `act`
    uint32_t event;
    struct listener *other;
} listener;

extern guard event_memory;
extern error_log event_errors;
extern solo_context *evented_solo; // Click is boxed there: use the functions of storage.h
extern attic_context *evented_attic;
extern kin_systems *event_systems;

// Creates a context and its event systems; the other context is NULL.
void events_begin_solo(void);
void events_begin_attic(void);

// Destroys the created context, and checks that all memory is free and that no error is left unchecked.
void events_end(void);

// The created context.
kin_context *evented(void);

// Adds a listener to an entity, and removes it. Fails the test if that is refused.
void event_listen(kin_entity entity, uint32_t event, listener *listener);
void unlisten(kin_entity entity, uint32_t event, listener *listener);
kin_function *listener_function(void);

// Entities of package solo: a new one in the next slot, from 0 on; one with Place; changes of Place; and the end.
kin_entity evented_create(void);
kin_entity evented_create_at(int32_t x);
void evented_place(kin_entity entity, int32_t x);
void evented_unplace(kin_entity entity);
void evented_destroy(kin_entity entity);

void deliver_all(void);

// The text written since the last call.
const char *logged(void);

#endif
