#include "transport/listen.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

static int listen_at(uint16_t port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int one = 1, descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0)
        return -1;
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    bool is_low = descriptor < FD_SETSIZE;
    if (is_low && bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0 && listen(descriptor, 16) == 0)
        return descriptor;
    int error = is_low ? errno : EMFILE;
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
    uint64_t one = 1;
    while (write(event, &one, sizeof one) < 0 && errno == EINTR)
        continue;
}

void kin__event_clear(int event)
{
    uint64_t count;
    while (read(event, &count, sizeof count) < 0 && errno == EINTR)
        continue;
}
