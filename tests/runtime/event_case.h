// Event case: a context of package solo or attic with generated events that their schemas do not have. What is told
// is written into one text, each call as "<label><slot>" and, where a value is passed, "=<value>".
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

// One who listens: `act` is called after the call has been written down.
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

// Begins with a context and its event systems; the other one is NULL.
void events_begin_solo(void);
void events_begin_attic(void);

// Ends what was begun and is not NULL, and checks that all memory came back and no error was left unseen.
void events_end(void);

// The context that was begun.
kin_context *evented(void);

// Hangs an ear on an entity, and takes it off. It must work.
void listen(kin_entity listener, uint32_t event, ear *ear);
void unlisten(kin_entity listener, uint32_t event, ear *ear);
kin_function *ear_function(void);

void deliver_all(void);

// What was told since the last time.
const char *heard(void);

#endif
