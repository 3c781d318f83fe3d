// Refusals: one call of each function that changes a context of package commons, with arguments for which it succeeds
// if the context is not shared.
#ifndef KIN_TESTS_RUNTIME_REFUSALS_H
#define KIN_TESTS_RUNTIME_REFUSALS_H

#include <commons/commons.h>

typedef struct refusal {
    const char *name;
    bool (*is_refused)(void); // makes the call
} refusal;

// Ends with a refusal without a name.
extern const refusal refusals[];

// Fills the context, which the calls change, and forgets it: it may be destroyed afterwards.
void refusals_begin(commons_context *commons);
void refusals_end(void);

// Adds listeners and collectors to every component.
void refusals_watch_all(void);

#endif
