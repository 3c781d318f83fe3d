// The session of a world in a network, if it has one: its peers, and what its frames cost. Without libkin-net: a
// session brings a table of functions.
#include "feature/internal.h"

#include <stdio.h>

enum { CAPTURE = 512 * 1024, STRING = 128 };

// ---- capturing, for the method and for GET /metrics

static void capture_peers(kin__task *task, const kin_network_face *face, const void *session, kin__network *network)
{
    kin__network_peer_row **end = &network->peers;
    kin_network_peer peer;
    for (uint32_t i = 0; face->peer(session, i, &peer); i++) {
        kin__network_peer_row *row = kin__capture_reserve(&task->capture, sizeof *row);
        if (row == NULL)
            return;
        *row = (kin__network_peer_row){NULL, peer};
        *end = row;
        end = &row->next;
    }
}

typedef struct walk {
    kin__task *task;
    kin__network_cost_row **end;
} walk;

static void capture_cost(const kin_network_cost *cost, void *user)
{
    walk *walk = user;
    kin__capture *capture = &walk->task->capture;
    kin__network_cost_row *row = kin__capture_reserve(capture, sizeof *row);
    if (row == NULL)
        return;
    *row = (kin__network_cost_row){.bytes = cost->bytes};
    row->context = kin__capture_string(capture, cost->context);
    row->component = kin__capture_string(capture, cost->component);
    row->field = kin__capture_string(capture, cost->field);
    *walk->end = row;
    walk->end = &row->next;
}

void kin__network_capture(kin__task *task, kin__network *network)
{
    void *session;
    const kin_network_face *face = kin_network_face_of(task->host->world, &session);
    *network = (kin__network){.has_session = face != NULL};
    if (face == NULL)
        return;
    face->look(session, &network->now);
    network->role = kin__capture_string(&task->capture, network->now.role);
    network->transport = kin__capture_string(&task->capture, network->now.transport);
    const char *reason;
    for (uint32_t i = 0; (reason = face->refused(session, i, &network->refused[i].count)) != NULL;) {
        network->refused[i].reason = kin__capture_string(&task->capture, reason);
        network->reason_count = ++i;
        if (i == KIN__MAX_REASONS)
            break;
    }
    network->cost = face->costs(session, capture_cost, &(walk){task, &network->costs});
    capture_peers(task, face, session, network);
    task->capture.is_full = false; // what does not fit is left out
}

// ---- network.status

static bool parse(kin__task *task)
{
    return kin__task_make_capture(task, CAPTURE, STRING);
}

static bool step(kin__task *task)
{
    kin__network_capture(task, task->data);
    return true;
}

// The version of the schema on the other side, where it differs.
static const char another[] = "another";

static void show_numbers(const kin__network *network, kin__json *json)
{
    const kin_network *now = &network->now;
    kin__json_put_string(json, "role", network->role);
    kin__json_put_string(json, "transport", network->transport);
    kin__json_put_natural(json, "peer", now->peer);
    kin__json_put_natural(json, "epoch", now->epoch);
    kin__json_put_natural(json, "number", now->frame);
    kin__json_put_natural(json, "behind", now->behind);
    kin__json_put_natural(json, "applied_us", now->applied_us);
    kin__json_put_natural(json, "applied_us_p99", now->applied_us_p99);
    kin__json_put_natural(json, "bytes_in", now->bytes_in);
    kin__json_put_natural(json, "bytes_out", now->bytes_out);
    kin__json_put_natural(json, "queue_bytes", now->queue_bytes);
    kin__json_put_natural(json, "queue_frames", now->queue_frames);
    kin__json_put_natural(json, "resyncs", now->resyncs);
    kin__json_put_natural(json, "wrong", now->wrong_hashes);
    kin__json_put_natural(json, "predicted", now->predicted);
    if (now->has_lease)
        kin__json_put_natural(json, "lease_ms", now->lease_left_ms);
    if (now->is_converted)
        kin__json_put_string(json, "version", another);
    kin__json_begin_member(json, "refused", '{');
    for (uint32_t i = 0; i < network->reason_count; i++)
        kin__json_put_natural(json, network->refused[i].reason, network->refused[i].count);
    kin__json_end(json, '}');
}

static void show_peer(const kin_network_peer *peer, kin__json *json)
{
    kin__json_begin(json, '{');
    kin__json_put_natural(json, "peer", peer->peer);
    kin__json_put_bool(json, "sees_all", peer->sees_all);
    kin__json_put_natural(json, "zones", peer->zone_count);
    kin__json_put_natural(json, "number", peer->frame);
    kin__json_put_natural(json, "behind", peer->behind);
    kin__json_put_natural(json, "bytes_in", peer->bytes_in);
    kin__json_put_natural(json, "bytes_out", peer->bytes_out);
    kin__json_put_natural(json, "taken", peer->taken);
    kin__json_put_natural(json, "dropped", peer->dropped);
    if (peer->is_converted)
        kin__json_put_string(json, "version", another);
    kin__json_end(json, '}');
}

static void show(const kin__task *task, kin__json *json)
{
    const kin__network *network = task->data;
    kin__task_show_frame(task, json);
    kin__json_put_bool(json, "network", network->has_session);
    if (!network->has_session)
        return;
    show_numbers(network, json);
    kin__json_put_natural(json, "cost", network->cost);
    kin__json_begin_member(json, "costs", '[');
    for (const kin__network_cost_row *row = network->costs; row != NULL; row = row->next) {
        kin__json_begin(json, '{');
        kin__json_put_string(json, "context", row->context);
        kin__json_put_string(json, "component", row->component);
        kin__json_put_string(json, "field", row->field);
        kin__json_put_natural(json, "bytes", row->bytes);
        kin__json_end(json, '}');
    }
    kin__json_end(json, ']');
    kin__json_begin_member(json, "peers", '[');
    for (const kin__network_peer_row *row = network->peers; row != NULL; row = row->next)
        show_peer(&row->peer, json);
    kin__json_end(json, ']');
}

const kin__method kin__method_network_status = {
    .name = "network.status",
    .doc = "The session of a world in a network: its role and numbers, its peers, and the bytes of each field in the "
           "frames of the last update.",
    .result = "frame, network, role, transport, peer, epoch, number, behind, times, bytes, queue, resyncs, wrong, "
              "predicted, lease_ms, version, refused, cost, costs, peers",
    .parameters = {KIN__WORLD_PARAMETER},
    .data_size = sizeof(kin__network),
    .parse = parse,
    .step = step,
    .show = show,
};
