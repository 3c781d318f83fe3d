#include "transport/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/socket.h>

static const uint64_t second = 1000000000u;

static uint32_t number_of(const kin__connections *connections, const struct MHD_Connection *connection)
{
    uint32_t number = 0;
    while (number < KIN__MAX_CONNECTIONS && connections->all[number].connection != connection)
        number++;
    return number;
}

static kin__connection *find(kin__connections *connections, const struct MHD_Connection *connection)
{
    uint32_t number = number_of(connections, connection);
    if (number == KIN__MAX_CONNECTIONS)
        return NULL;
    return &connections->all[number];
}

const char *kin__connections_viewer(const kin__connections *connections, const struct MHD_Connection *connection)
{
    uint32_t number = number_of(connections, connection);
    if (number == KIN__MAX_CONNECTIONS)
        return "";
    return connections->all[number].viewer;
}

bool kin__connections_have_place(const kin__connections *connections)
{
    for (uint32_t i = 0; i < KIN__MAX_CONNECTIONS; i++)
        if (connections->all[i].connection == NULL)
            return true;
    return false;
}

void kin__connections_open(kin__connections *connections, struct MHD_Connection *connection)
{
    KIN_ASSERT(connection != NULL);
    KIN_ASSERT(number_of(connections, connection) == KIN__MAX_CONNECTIONS);
    kin__connection *place = find(connections, NULL);
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (place == NULL || info == NULL)
        return;
    *place = (kin__connection){connection, info->connect_fd, KIN__PHASE_READ, kin__inspect_now(), {0}};
    snprintf(place->viewer, sizeof place->viewer, "connection %" PRIu64, ++connections->opened);
}

void kin__connections_close(kin__connections *connections, const struct MHD_Connection *connection)
{
    kin__connection *place = find(connections, connection);
    if (place != NULL)
        *place = (kin__connection){0};
}

void kin__connections_enter(kin__connections *connections, const struct MHD_Connection *connection, kin__phase phase)
{
    kin__connection *place = find(connections, connection);
    if (place == NULL)
        return;
    KIN_ASSERT(phase != KIN__PHASE_NONE);
    place->phase = phase;
    place->since = kin__inspect_now();
}

void kin__connections_await_read(kin__connections *connections, const struct MHD_Connection *connection)
{
    const kin__connection *place = find(connections, connection);
    if (place != NULL && place->phase != KIN__PHASE_READ)
        kin__connections_enter(connections, connection, KIN__PHASE_READ);
}

void kin__connections_await_write(kin__connections *connections, const struct MHD_Connection *connection)
{
    const kin__connection *place = find(connections, connection);
    if (place != NULL && place->phase == KIN__PHASE_WAIT)
        kin__connections_enter(connections, connection, KIN__PHASE_WRITE);
}

// Returns how long a phase may take, or 0 if that has no limit.
static uint64_t time_of(kin__phase phase)
{
    switch (phase) {
    case KIN__PHASE_READ:
    case KIN__PHASE_WRITE:
        return 5 * second;
    case KIN__PHASE_IDLE:
        return 30 * second;
    default:
        return 0;
    }
}

uint64_t kin__connections_expire(kin__connections *connections, uint64_t now)
{
    uint64_t next = 60 * second;
    for (uint32_t i = 0; i < KIN__MAX_CONNECTIONS; i++) {
        kin__connection *place = &connections->all[i];
        KIN_ASSERT(place->connection != NULL || place->phase == KIN__PHASE_NONE);
        uint64_t most = time_of(place->phase);
        uint64_t end = place->since + most;
        if (most == 0)
            continue;
        if (now >= end) {
            shutdown(place->socket, SHUT_RDWR);
            place->phase = KIN__PHASE_NONE;
        } else if (end - now < next) {
            next = end - now;
        }
    }
    return next;
}
