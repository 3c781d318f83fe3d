// What tools such as the inspector see of a session.
#include "session/session.h"

static const char *role_name(kin_session_role role)
{
    static const char *const names[] = {
        [KIN_ALONE] = "alone", [KIN_HOST] = "host", [KIN_REPLICA] = "replica", [KIN_STANDBY] = "standby"};
    return names[role];
}

static void look(const void *user, kin_network *network)
{
    const kin_session *session = user;
    kin_session_numbers numbers;
    kin_session_state(session, &numbers);
    *network = (kin_network){.role = role_name(numbers.role),
                             .transport = session->transport->name,
                             .peer = session->transport->peer,
                             .epoch = numbers.epoch,
                             .frame = numbers.frame,
                             .behind = numbers.behind,
                             .applied_us = numbers.applied_us,
                             .applied_us_p99 = numbers.applied_us_p99,
                             .bytes_in = numbers.bytes_in,
                             .bytes_out = numbers.bytes_out,
                             .queue_bytes = numbers.queue_bytes,
                             .queue_frames = numbers.queue_frames,
                             .resyncs = numbers.resyncs,
                             .wrong_hashes = numbers.wrong_hashes,
                             .predicted = numbers.predicted,
                             .has_lease = session->transport->lease != NULL && numbers.role == KIN_HOST,
                             .lease_left_ms = numbers.lease_left_ms,
                             .is_converted = numbers.is_converted};
}

static bool look_at_peer(const void *user, uint32_t index, kin_network_peer *peer)
{
    const kin_session *session = user;
    const kin__net_peer *at = session->peers;
    while (at != NULL && (at->is_gone || index > 0)) {
        index -= !at->is_gone;
        at = at->next;
    }
    if (at == NULL)
        return false;
    bool is_known = at->acknowledged != 0 && !session->transport->is_shared;
    *peer = (kin_network_peer){.peer = at->peer,
                               .zone_count = at->zones.count,
                               .sees_all = at->zones.sees_all,
                               .frame = at->acknowledged,
                               .behind = is_known ? session->numbers.frame - at->acknowledged : 0,
                               .bytes_in = at->bytes_in,
                               .bytes_out = at->bytes_out,
                               .taken = at->taken,
                               .dropped = at->dropped,
                               .is_converted = at->other != NULL};
    return true;
}

static const char *look_at_refused(const void *user, uint32_t index, uint64_t *count)
{
    static const char *const names[KIN_REFUSALS] = {
        [KIN_REFUSED_SYNTAX] = "syntax", [KIN_REFUSED_DIRECTION] = "direction", [KIN_REFUSED_TWICE] = "twice",
        [KIN_REFUSED_FLOOD] = "flood",   [KIN_REFUSED_PEER] = "peer",           [KIN_REFUSED_EPOCH] = "epoch",
        [KIN_REFUSED_BASE] = "base",     [KIN_REFUSED_SHAPE] = "shape"};
    const kin_session *session = user;
    if (index >= KIN_REFUSALS)
        return NULL;
    *count = session->numbers.refused[index];
    return names[index];
}

// A replica keeps the frames that it applies only while somebody asks.
static uint64_t look_at_costs(void *user, kin_network_visitor *visit, void *visitor)
{
    kin_session *session = user;
    session->looked_at = kin__clock_read();
    return kin__frames_cost(session->world, session->memory, session->made.at, session->made.size, visit, visitor);
}

const kin_network_face kin__session_face = {look, look_at_peer, look_at_refused, look_at_costs};
