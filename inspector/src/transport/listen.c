#include "transport/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

// ---- the port

static int listen_at(uint16_t port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int one = 1;
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0)
        return -1;
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    bool is_low = descriptor < FD_SETSIZE;
    bool is_bound = is_low && bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0;
    if (is_bound && listen(descriptor, 16) == 0)
        return descriptor;
    int error = errno;
    if (!is_low)
        error = EMFILE;
    close(descriptor);
    errno = error;
    return -1;
}

int kin__listen(uint16_t *port)
{
    if (*port != 0)
        return listen_at(*port);
    for (*port = KIN__FIRST_PORT; *port <= KIN__LAST_PORT; (*port)++) {
        int descriptor = listen_at(*port);
        if (descriptor >= 0)
            return descriptor;
    }
    return -1;
}

int kin__event_create(void)
{
    int event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (event < FD_SETSIZE)
        return event;
    close(event);
    return -1;
}

// A write that fails finds the event readable already.
void kin__event_wake(int event)
{
    KIN_ASSERT(event >= 0);
    uint64_t one = 1;
    while (write(event, &one, sizeof one) < 0 && errno == EINTR)
        continue;
}

void kin__event_clear(int event)
{
    KIN_ASSERT(event >= 0);
    uint64_t count;
    while (read(event, &count, sizeof count) < 0 && errno == EINTR)
        continue;
}

// ---- the Unix socket

// Returns whether a path is a socket of this user at which no program listens.
static bool is_abandoned(const struct sockaddr_un *address)
{
    struct stat status;
    if (lstat(address->sun_path, &status) != 0)
        return false;
    if (!S_ISSOCK(status.st_mode) || status.st_uid != geteuid())
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
static bool listen_at_path(int descriptor, const struct sockaddr_un *address)
{
    if (descriptor >= FD_SETSIZE || fchmod(descriptor, 0600) != 0)
        return false;
    if (bind(descriptor, (const struct sockaddr *)address, sizeof *address) != 0)
        return false;
    return chmod(address->sun_path, 0600) == 0 && listen(descriptor, 16) == 0;
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
    if (!listen_at_path(descriptor, &address) || lstat(path, &status) != 0) {
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
    bool is_there = lstat(local->path, &status) == 0;
    if (is_there && status.st_dev == local->device && status.st_ino == local->number)
        unlink(local->path);
    close(local->descriptor);
    local->descriptor = -1;
}

// ---- the file by which games are found

enum { MOST_FILES = 16 };

static bool write_file(int folder, const char *name, const kin__json *json)
{
    int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    bool is_written = write(file, json->at, json->size) == (ssize_t)json->size;
    close(file);
    if (!is_written)
        unlinkat(folder, name, 0);
    return is_written;
}

// Writes the file in a folder, which the notice keeps. Closes the folder if that fails.
static bool write_in(kin__notice *notice, int folder, const kin__json *json)
{
    KIN_ASSERT(folder >= 0 && notice->folder < 0);
    for (unsigned n = 0; n < MOST_FILES; n++) {
        snprintf(notice->name, sizeof notice->name, "inspect-%ld-%u.json", (long)getpid(), n);
        if (!write_file(folder, notice->name, json))
            continue;
        notice->folder = folder;
        return true;
    }
    close(folder);
    return false;
}

kin__notice kin__notice_write(const kin__json *json)
{
    kin__notice notice = {.folder = -1};
    for (unsigned number = 0; number < KIN__FOLDERS && !json->is_full; number++) {
        int folder = kin__folder_open(number, true);
        if (folder >= 0 && write_in(&notice, folder, json))
            return notice;
    }
    return notice;
}

void kin__notice_remove(kin__notice *notice)
{
    if (notice->folder < 0)
        return;
    unlinkat(notice->folder, notice->name, 0);
    close(notice->folder);
    notice->folder = -1;
}
