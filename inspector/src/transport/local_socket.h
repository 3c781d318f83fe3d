// Local socket: the Unix socket of the option `socket` (INS-20). Only its user can open it, from the moment on when it
// is there.
#ifndef KIN_INSPECT_LOCAL_SOCKET_H
#define KIN_INSPECT_LOCAL_SOCKET_H

#include <stdint.h>

typedef struct kin__local_socket {
    int descriptor; // -1: none
    char path[108];
    uint64_t device, number; // of the file, so that that of another program is not removed
} kin__local_socket;

// Listens at a path. A socket that a program which has ended left there is replaced. `descriptor` is -1 on failure.
kin__local_socket kin__local_socket_open(const char *path);

// Closes the socket and removes its file.
void kin__local_socket_close(kin__local_socket *local);

#endif
