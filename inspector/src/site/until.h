// Until: a query that is asked after each update or after each system, until it comes to match an entity, or none.
//
// It is asked whole: one that takes too much of the processor is refused (INS-62). The thread of the host asks it.
#ifndef KIN_INSPECT_UNTIL_H
#define KIN_INSPECT_UNTIL_H

#include "query/query.h"
#include "host/host.h"
#include "text/text.h"

enum { KIN__UNTIL_MICROSECONDS = 2000 }; // processor time of one ask, at most

typedef struct kin__until {
    kin__bounded_heap *heap;
    const kin__site *site;
    bool wants_none;  // holds when no entity matches
    bool each_system; // is asked after each system, too
    uint32_t took;    // microseconds of the processor for the last ask
    size_t scratch_size;
    void *scratch; // kin__query_scratch
    kin__query query;
} kin__until;

// Makes one without a query. NULL when out of memory.
kin__until *kin__until_create(kin__bounded_heap *heap, const kin__site *site);
void kin__until_destroy(kin__until *until);

typedef enum kin__until_answer { KIN__UNTIL_NO, KIN__UNTIL_YES, KIN__UNTIL_TOO_LONG } kin__until_answer;

// Asks the query.
kin__until_answer kin__until_ask(kin__until *until);

#endif
