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
typedef struct ear {
    const char *label;
    void (*act)(struct ear *ear, kin_context *context, kin_entity entity);
    kin_entity entity; // for `act`
    uint32_t event;
    struct ear *other;
} ear;

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

// Adds an ear as a listener of an entity, and removes it. Fails the test if that is refused.
void listen(kin_entity listener, uint32_t event, ear *ear);
void unlisten(kin_entity listener, uint32_t event, ear *ear);
kin_function *ear_function(void);

void deliver_all(void);

// The text written since the last call.
const char *heard(void);

#endif
