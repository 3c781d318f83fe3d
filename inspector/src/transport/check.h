// Check: what a request must be before its body is read (INS-21 to INS-23, INS-27).
#ifndef KIN_INSPECT_CHECK_H
#define KIN_INSPECT_CHECK_H

#include "page/page.h"
#include "rpc/report.h"
#include "host/host.h"
#include "transport/token.h"

#include <microhttpd.h>
#include <stddef.h>

enum { KIN__URL_SIZE = 2048, KIN__HEADER_SIZE = 8192 };

// What is counted over all requests.
typedef struct kin__guard {
    const char *token;
    kin__rate wrong_tokens, requests;
    uint64_t refused_until; // requests without a right token get 429 until then
} kin__guard;

typedef struct kin__request_line {
    const char *method, *path;
    size_t url_size; // with the query
    bool has_nul;    // %00, behind which `path` ends
} kin__request_line;

typedef struct kin__refusal {
    unsigned status; // of HTTP; 0: none
    const char *sentence;
} kin__refusal;

// Returns the file of the page that the request is for, which needs no token; else NULL.
const kin__page_file *kin__check_page(const kin__request_line *line);

// Returns the report that the request is for, or NULL.
const kin__report *kin__check_report(const kin__request_line *line);

// Returns why the request is refused, if it is.
kin__refusal kin__check_request(kin__guard *guard, struct MHD_Connection *connection, const kin__request_line *line,
                                uint64_t now);

// Reads the header Kin-Viewer into `name`, which stays as it is without one.
kin__refusal kin__check_viewer(struct MHD_Connection *connection, char name[KIN__VIEWER_NAME]);

#endif
