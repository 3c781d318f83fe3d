// Handle: requests of HTTP from their first line to their answer. These are the functions that libmicrohttpd calls;
// `user` is the kin__waiting.
#ifndef KIN_INSPECT_HANDLE_H
#define KIN_INSPECT_HANDLE_H

#include "transport/waiting.h"

// Called when the first line of a request was read. Returns the request.
void *kin__handle_line(void *user, const char *line, struct MHD_Connection *connection);

// Called with the headers, then with each part of the body, then at its end, and when the connection was resumed.
enum MHD_Result kin__handle(void *user, struct MHD_Connection *connection, const char *url, const char *method,
                            const char *version, const char *data, size_t *size, void **state);

// Called when the request has ended.
void kin__handle_completed(void *user, struct MHD_Connection *connection, void **state,
                           enum MHD_RequestTerminationCode code);

// Called when a connection begins and when it ends.
void kin__handle_connection(void *user, struct MHD_Connection *connection, void **socket,
                            enum MHD_ConnectionNotificationCode code);

#endif
