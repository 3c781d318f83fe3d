// Report: what GET gives beside the page, made of one task for each world.
#ifndef KIN_INSPECT_REPORT_H
#define KIN_INSPECT_REPORT_H

#include "rpc/exchange.h"

typedef struct kin__report {
    const char *path, *type; // of HTTP
    const kin__method *method;
    const char *begin, *end; // around what the tasks show
} kin__report;

// Returns the report with the path, or NULL.
const kin__report *kin__report_find(const char *path);

// Makes the tasks. NULL when out of memory.
kin__exchange *kin__report_create(const kin__report *report, kin__service *service);

// Writes the text, when all tasks are done. Returns the mistake of the first task if all have one, else NULL.
const kin__mistake *kin__report_show(const kin__report *report, const kin__exchange *exchange, kin__json *json);

#endif
