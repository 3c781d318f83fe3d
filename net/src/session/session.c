#include "session/session.h"

#include "context/context.h"

#include <string.h>

static const char verb[] = "follow or host a world";

kin_status kin__session_refuse(const kin_session *session, kin_status status, const char *what, const char *reason)
{
    return kin__world_refuse(session->world, status, what, reason);
}

// ---- sending

kin__bytes_out *kin__session_begin(kin_session *session, char kind)
{
    session->out.size = 0;
    session->out.has_failed = false;
    kin__put_8(&session->out, (uint8_t)kind);
    return &session->out;
}

bool kin__session_send(kin_session *session, kin_topic topic, uint32_t peer, const kin__bytes_out *writer)
{
    kin_transport *transport = session->transport;
    if (writer->has_failed || !transport->send(transport, topic, peer, writer->at, writer->size))
        return false;
    session->numbers.bytes_out += writer->size;
    return true;
}

bool kin__session_flush(kin_session *session, uint32_t peer)
{
    kin_transport *transport = session->transport;
    kin__bytes_out *bundle = &session->bundle;
    size_t size = bundle->size;
    kin_topic topic = {.kind = session->sends_full ? KIN_TOPIC_FULL : KIN_TOPIC_OWN, .peer = peer};
    bool is_sent = true;
    if (size > 0)
        is_sent = !bundle->has_failed && transport->send(transport, topic, peer, bundle->at, size);
    bundle->size = 0;
    bundle->has_failed = false;
    session->numbers.bytes_out += is_sent ? size : 0;
    return is_sent;
}

bool kin__session_put(kin_session *session, kin_topic topic, uint32_t peer, const kin__bytes_out *writer)
{
    enum { HEAD = 1 + KIN__MOST_NUMBER };
    kin__bytes_out *bundle = &session->bundle;
    size_t most = session->transport->most;
    if (peer == 0 || session->transport->is_shared || writer->size + HEAD > most)
        return kin__session_send(session, topic, peer, writer);
    if (bundle->size + writer->size + HEAD > most && !kin__session_flush(session, peer))
        return false;
    if (bundle->size == 0)
        kin__put_8(bundle, 'B');
    kin__put_number(bundle, writer->size);
    kin__put_bytes(bundle, writer->at, writer->size);
    return !writer->has_failed && !bundle->has_failed;
}

void kin__session_count_refused(kin_session *session, kin_refusal reason)
{
    session->numbers.refused[reason]++;
}

// ---- zones

bool kin__zones_set(kin_session *session, kin__net_zones *zones, const kin_zone *at, uint32_t count, bool sees_all)
{
    if (count > zones->capacity) {
        kin_zone *room = kin__allocate(session->memory, count * sizeof *room);
        if (room == NULL)
            return false;
        kin__zones_release(session, zones);
        zones->at = room;
        zones->capacity = count;
    }
    if (count > 0)
        memcpy(zones->at, at, count * sizeof *at);
    zones->count = count;
    zones->sees_all = sees_all;
    zones->has_every = false;
    for (uint32_t i = 0; i < count; i++)
        zones->has_every = zones->has_every || at[i].every > 1;
    return true;
}

void kin__zones_release(kin_session *session, kin__net_zones *zones)
{
    kin__release(session->memory, zones->at, zones->capacity * sizeof *zones->at);
    *zones = (kin__net_zones){0};
}

bool kin__zones_have(const kin__net_zones *zones, int32_t zone)
{
    for (uint32_t i = 0; i < zones->count; i++)
        if (zones->at[i].zone == zone)
            return true;
    return zones->sees_all;
}

kin__net_zone *kin__session_zone(kin_session *session, int32_t zone, uint64_t since)
{
    kin__net_zone *zones = session->zones.elements;
    uint32_t low = 0;
    uint32_t high = session->zone_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (zones[middle].zone < zone)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < session->zone_count && zones[low].zone == zone)
        return &zones[low];
    if (!kin__array_reserve(session->memory, &session->zones, session->zone_count + 1, sizeof *zones))
        return NULL;
    zones = session->zones.elements;
    memmove(zones + low + 1, zones + low, (session->zone_count - low) * sizeof *zones);
    zones[low] = (kin__net_zone){.zone = zone, .since = since};
    session->zone_count++;
    return &zones[low];
}

// ---- which systems run here

static kin_session *session_of(kin__tracker *tracker)
{
    return (kin_session *)(void *)tracker;
}

static bool runs_here(const kin_session *session, uint32_t system)
{
    kin__net_runs runs = (kin__net_runs)session->info->runs[system];
    if (!session->is_host)
        return runs == KIN__RUNS_REPLICA;
    return runs != KIN__RUNS_REPLICA;
}

// A replica does not clean up what it is sent.
static bool cleans_elsewhere(const kin_session *session, const kin__node *node)
{
    const kin__cleanup_system *cleanup = node->object;
    bool is_cleanup = node->nested == NULL && kin__node_kind(node) == KIN_SYSTEM_CLEANUP && cleanup != NULL;
    return is_cleanup && !session->is_host && cleanup->context->core->replicated != NULL;
}

static void place_cleanups(const kin_session *session, kin_systems *systems, bool is_ending)
{
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        if (node->nested != NULL)
            place_cleanups(session, node->nested, is_ending);
        else if (cleans_elsewhere(session, node))
            kin__node_set_elsewhere(node, !is_ending);
    }
}

// Lets the systems run that run in this role, or all at the end.
static void place_systems(const kin_session *session, bool is_ending)
{
    kin__world *world = session->world;
    for (uint32_t i = 0; i < world->info->system_count; i++) {
        const kin__schema_system *system = world->schema_systems[i];
        if (system != NULL && system->node != NULL)
            kin__node_set_elsewhere(system->node, !is_ending && !runs_here(session, i));
    }
    place_cleanups(session, world->root, is_ending);
    kin__systems_refresh(world->root);
}

// ---- what is published for replicas

static bool begin_inboxes(kin_session *session)
{
    uint32_t count = session->info->message_count;
    kin__memory *memory = session->memory;
    if (count == 0 || !session->is_host)
        return true;
    session->published = kin__allocate_zero(memory, count * sizeof *session->published);
    session->published_infos = kin__allocate_zero(memory, count * sizeof *session->published_infos);
    if (session->published == NULL || session->published_infos == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const kin__net_message *message = &session->info->messages[i];
        kin__inbox *inbox = &session->published[i];
        session->published_infos[i] = (kin__inbox_info){.message = message->number};
        *inbox = kin__inbox_of(&session->published_infos[i], "the network", message->size, memory);
        inbox->is_open = message->is_to_replica;
        if (!message->is_to_replica)
            continue;
        inbox->next = session->world->subscribers[message->number];
        session->world->subscribers[message->number] = inbox;
    }
    return true;
}

static void end_inboxes(kin_session *session)
{
    uint32_t count = session->info->message_count;
    for (uint32_t i = 0; session->published != NULL && i < count; i++) {
        kin__inbox **link = &session->world->subscribers[session->info->messages[i].number];
        while (*link != NULL && *link != &session->published[i])
            link = &(*link)->next;
        if (*link != NULL)
            *link = session->published[i].next;
        if (session->published[i].memory != NULL)
            kin__inbox_release(&session->published[i]);
    }
    kin__release(session->memory, session->published, count * sizeof *session->published);
    kin__release(session->memory, session->published_infos, count * sizeof *session->published_infos);
    session->published = NULL;
    session->published_infos = NULL;
}

// ---- the tracker

static void before_update(kin__tracker *tracker, double delta)
{
    kin_session *session = session_of(tracker);
    session->is_working = true;
    if (session->standby != NULL)
        kin__standby_before(session); // which may make it a host
    if (!session->is_host)
        kin__replica_before(session, delta);
    else if (session->standby == NULL) {
        kin__host_before(session);
        kin__history_before(session, delta);
    }
    session->is_working = false;
}

static void after_update(kin__tracker *tracker)
{
    kin_session *session = session_of(tracker);
    session->is_working = true;
    if (session->standby != NULL)
        kin__standby_after(session);
    else if (session->is_host) {
        kin__history_after(session);
        kin__host_after(session);
    } else
        kin__replica_after(session);
    session->is_working = false;
}

static void release(kin_session *session)
{
    kin__memory *memory = session->memory;
    end_inboxes(session);
    kin__bytes_out_release(&session->out);
    kin__bytes_out_release(&session->made);
    kin__bytes_out_release(&session->bundle);
    kin__bytes_out_release(&session->shape);
    kin__release(memory, session, sizeof *session);
}

static void end_role(kin_session *session)
{
    kin__standby_end(session);
    kin__history_end(session);
    if (session->is_host)
        kin__host_end(session);
    else
        kin__replica_end(session);
}

// The world ends: its systems do not run again.
static void world_ends(kin__tracker *tracker)
{
    kin_session *session = session_of(tracker);
    end_role(session);
    release(session);
}

// ---- beginning and ending

static const char *find_fault(const kin__world *world, const kin_transport *transport, kin_session_role role)
{
    if (transport == NULL)
        return "the transport is NULL; check the result of the call that created it";
    if (transport->send == NULL || transport->next == NULL || transport->listen == NULL)
        return "the transport lacks a function; set send, next and listen";
    if (transport->most < 512)
        return "the transport sends fewer than 512 bytes at once; set `most`";
    if (world->session != NULL)
        return "it has a session already; end that first";
    bool has_history = transport->is_shared && transport->lease != NULL;
    if (role == KIN_STANDBY && !has_history)
        return "the transport keeps nothing, or has no lease; a standby needs one that is shared, such as a broker";
    return NULL;
}

bool kin__session_has_owned(const kin_session *session)
{
    for (uint32_t i = 0; i < session->world->info->context_count; i++) {
        const kin__net_context *context = kin__session_context(session, i);
        for (uint32_t k = 0; context != NULL && k < context->component_count; k++)
            if (context->components[k].to == KIN__NET_TO_OWNER)
                return true;
    }
    return false;
}

static void set_defaults(kin_session_options *options)
{
    if (options->ring == 0)
        options->ring = KIN__NET_RING;
    if (options->hash_every == 0)
        options->hash_every = 16;
    if (options->full_every_ms == 0)
        options->full_every_ms = 2000;
    if (options->lease_ms == 0)
        options->lease_ms = 1000;
    if (options->messages_each_frame == 0)
        options->messages_each_frame = KIN__NET_MESSAGES;
}

static kin_session *begin(kin__world *world, const kin__net_info *info, kin_transport *transport,
                          const kin_session_options *options, kin_session_role role)
{
    if (kin__world_report_null(world, verb) || !kin__world_is_idle(world, verb))
        return NULL;
    const char *fault = find_fault(world, transport, role);
    if (fault != NULL) {
        kin__world_refuse(world, KIN_ERROR_INVALID, verb, fault);
        return NULL;
    }
    kin_session *session = kin__allocate_zero(&world->memory, sizeof *session);
    if (session == NULL) {
        kin__world_refuse(world, KIN_ERROR_NO_MEMORY, verb, NULL);
        return NULL;
    }
    session->tracker =
        (kin__tracker){.before_update = before_update, .after_update = after_update, .world_ends = world_ends};
    session->world = world;
    session->info = info;
    session->transport = transport;
    session->memory = &world->memory;
    session->out.memory = kin__memory_part(session->memory);
    session->bundle.memory = kin__memory_part(session->memory);
    session->made.memory = kin__memory_part(session->memory);
    session->shape.memory = kin__memory_part(session->memory);
    if (options != NULL)
        session->options = *options;
    set_defaults(&session->options);
    session->hash = info->hash;
    session->is_host = role != KIN_REPLICA;
    session->numbers.role = role == KIN_HOST ? KIN_ALONE : role; // without the lease
    kin_frames_use(world->contexts, world->info->context_count, info);
    session->has_owned = kin__session_has_owned(session);
    bool is_begun = begin_inboxes(session);
    is_begun = is_begun && (session->is_host ? kin__host_begin(session) : kin__replica_begin(session));
    if (!is_begun) {
        kin__world_refuse(world, KIN_ERROR_NO_MEMORY, verb, "no memory, or the transport has no room");
        world_ends(&session->tracker);
        return NULL;
    }
    kin__world_track_session(world, &session->tracker);
    world->session_face = &kin__session_face;
    place_systems(session, false);
    return session;
}

void kin__session_say_changed(kin_session *session, kin_session_role before)
{
    if (session->options.changed != NULL && session->numbers.role != before)
        session->options.changed(session, before, session->options.user);
}

kin_session *kin__world_host(kin__world *world, const kin__net_info *info, kin_transport *transport,
                             const kin_session_options *options)
{
    kin_session *session = begin(world, info, transport, options, KIN_HOST);
    if (session != NULL)
        kin__session_say_changed(session, KIN_ALONE);
    return session;
}

kin_session *kin__world_follow(kin__world *world, const kin__net_info *info, kin_transport *transport,
                               const kin_session_options *options)
{
    kin_session *session = begin(world, info, transport, options, KIN_REPLICA);
    if (session != NULL)
        kin__session_say_changed(session, KIN_ALONE);
    return session;
}

kin_session *kin__world_stand_by(kin__world *world, const kin__net_info *info, kin_transport *transport,
                                 const kin_session_options *options, const kin__migrations *migrations)
{
    kin_session *session = begin(world, info, transport, options, KIN_STANDBY);
    if (session == NULL)
        return NULL;
    if (kin__standby_begin(session, migrations)) {
        kin__session_say_changed(session, KIN_ALONE);
        return session;
    }
    kin__world_refuse(world, KIN_ERROR_NO_MEMORY, verb, "no memory, or the transport has no room");
    session->numbers.role = KIN_ALONE;
    kin_session_end(session);
    return NULL;
}

void kin_session_end(kin_session *session)
{
    static const char what[] = "end the session";
    if (session == NULL || !kin__world_is_idle(session->world, what))
        return;
    if (session->is_working) {
        kin__session_refuse(session, KIN_ERROR_INVALID, what, "the world is being updated; call this after the update");
        return;
    }
    kin_session_role before = session->numbers.role;
    kin__world_untrack(session->world, &session->tracker);
    place_systems(session, true);
    end_role(session);
    session->numbers.role = KIN_ALONE;
    kin__session_say_changed(session, before);
    release(session);
}

// ---- messages to the host

kin_status kin__world_send(kin__world *world, uint32_t number, const void *message)
{
    if (kin__world_report_null(world, "send a message"))
        return KIN_ERROR_INVALID;
    kin_session *session = world->session == NULL ? NULL : session_of(world->session);
    if (session != NULL && session->standby != NULL)
        return kin__session_refuse(session, KIN_ERROR_REPLICA, "send a message",
                                   "the world stands by for its host, and has what that has; send it to the host");
    if (session != NULL && !session->is_host)
        return kin__replica_send(session, kin__net_message_of(session->info, number), message);
    kin__world_publish(world, number, message);
    return KIN_OK;
}

// ---- numbers

void kin_session_state(const kin_session *session, kin_session_numbers *numbers)
{
    if (numbers == NULL)
        return;
    *numbers = (kin_session_numbers){0};
    if (session == NULL)
        return;
    *numbers = session->numbers;
    numbers->is_converted = session->other != NULL;
    uint32_t count = session->time_count < KIN__NET_TIMES ? session->time_count : KIN__NET_TIMES;
    uint32_t above = count / 100;
    uint64_t limit = UINT64_MAX;
    for (uint32_t i = 0; count > 0 && i <= above; i++) { // the largest, then the next
        uint64_t largest = 0;
        for (uint32_t k = 0; k < count; k++)
            if (session->times[k] < limit && session->times[k] > largest)
                largest = session->times[k];
        limit = largest;
    }
    numbers->applied_us_p99 = count == 0 ? 0 : limit;
}
