#include "transport/local_socket.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

// Returns whether a path is a socket of this user at which no program listens.
static bool is_abandoned(const struct sockaddr_un *address)
{
    struct stat status;
    if (lstat(address->sun_path, &status) != 0 || !S_ISSOCK(status.st_mode) || status.st_uid != geteuid())
        return false;
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0)
        return false;
    bool is_refused =
        connect(descriptor, (const struct sockaddr *)address, sizeof *address) < 0 && errno == ECONNREFUSED;
    close(descriptor);
    return is_refused;
}

// The mode is set before the file is made.
static bool listen_at(int descriptor, const struct sockaddr_un *address)
{
    return descriptor < FD_SETSIZE && fchmod(descriptor, 0600) == 0 &&
           bind(descriptor, (const struct sockaddr *)address, sizeof *address) == 0 &&
           chmod(address->sun_path, 0600) == 0 && listen(descriptor, 16) == 0;
}

kin__local_socket kin__local_socket_open(const char *path)
{
    struct stat status;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    kin__local_socket local = {.descriptor = -1};
    if (path[0] == '\0' || strlen(path) >= sizeof address.sun_path)
        return local;
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (is_abandoned(&address))
        unlink(path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0)
        return local;
    if (!listen_at(descriptor, &address) || lstat(path, &status) != 0) {
        close(descriptor);
        return local;
    }
    local = (kin__local_socket){.descriptor = descriptor, .device = status.st_dev, .number = status.st_ino};
    snprintf(local.path, sizeof local.path, "%s", path);
    return local;
}

void kin__local_socket_close(kin__local_socket *local)
{
    struct stat status;
    if (local->descriptor < 0)
        return;
    if (lstat(local->path, &status) == 0 && status.st_dev == local->device && status.st_ino == local->number)
        unlink(local->path);
    close(local->descriptor);
    local->descriptor = -1;
}
