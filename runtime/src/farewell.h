// Farewell: the last value of one component of what has left a group, for `leave` of a system that says `on_leave: keep`.
//
//   collector → the entities that lost the component since the last turn; the value of each is a keepsake
//   kept[i]   the i-th of those who left is one of them
//
// What still has the component has its last value there. Without keep a system needs none of this; with it, whoever
// loses the component is held until the system's turn.
#ifndef KIN_SRC_FAREWELL_H
#define KIN_SRC_FAREWELL_H

#include "collector.h"
#include "keepsake.h"
#include "roster.h"

typedef struct kin__farewell {
    kin_component_id id;
    kin_context *context;
    kin__memory *memory;       // the world's
    kin__keepsakes *keepsakes; // NULL: not made
    kin_collector *collector;  // NULL: not made
    kin__array kept;           // of bool
    void *copy;                // of a value whose fields have columns, while it is shown; else NULL
} kin__farewell;

// Fills one that is all zero but for memory. Not KIN_OK without memory or room for one more group: then it is to be
// released.
kin_status kin__farewell_make(kin__farewell *farewell, kin_context *context, kin_component_id id);
void kin__farewell_release(kin__farewell *farewell);

// Room for `count` of those who left. False without memory.
bool kin__farewell_reserve(kin__farewell *farewell, uint32_t count);

// `leave` begins: takes what was collected, and finds whom of those who left it concerns.
void kin__farewell_begin(kin__farewell *farewell, const kin__roster *roster);
void kin__farewell_end(kin__farewell *farewell);

// The last value of the `place`-th of those who left; NULL when nobody listened as it was lost.
const void *kin__farewell_value(kin__farewell *farewell, const kin__roster *roster, uint32_t place);

#endif
