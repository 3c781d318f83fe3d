// Hosts: they take the messages of peers, and send what their worlds become.
#include "session/session.h"

#include <string.h>

// ---- peers

static kin__net_peer *find_peer(const kin_session *session, uint32_t number)
{
    kin__net_peer *peer = session->peers;
    while (peer != NULL && peer->peer != number)
        peer = peer->next;
    return peer;
}

static void remove_peer(kin_session *session, kin__net_peer **link)
{
    kin__net_peer *peer = *link;
    *link = peer->next;
    kin__waiting_release_all(session, &peer->waiting);
    kin__zones_release(session, &peer->zones);
    kin__pieces_release(session, &peer->pieces);
    kin__other_release(session, peer->other);
    kin__budget_release_peer(session, peer);
    kin__release(session->memory, peer, sizeof *peer);
    session->peer_count--;
}

static void forget_peers(kin_session *session)
{
    while (session->peers != NULL)
        remove_peer(session, &session->peers);
}

// Forgets peers that have said nothing, which may come back by a hello.
static void forget_silent(kin_session *session)
{
    kin__net_peer **link = &session->peers;
    while (*link != NULL)
        if ((*link)->is_silent)
            remove_peer(session, link);
        else
            link = &(*link)->next;
}

// Forgets the first of those that were dropped for their faults, to have room for another one.
static void forget_one(kin_session *session)
{
    kin__net_peer **link = &session->peers;
    while (*link != NULL && !(*link)->is_gone)
        link = &(*link)->next;
    if (*link != NULL)
        remove_peer(session, link);
}

// Peers are in the order of their numbers, in which their messages are taken.
static kin__net_peer *add_peer(kin_session *session, uint32_t number)
{
    kin__net_peer **link = &session->peers;
    if (session->peer_count == KIN__NET_PEERS)
        forget_one(session);
    if (session->peer_count == KIN__NET_PEERS)
        return NULL;
    kin__net_peer *peer = kin__allocate_zero(session->memory, sizeof *peer);
    if (peer == NULL)
        return NULL;
    while (*link != NULL && (*link)->peer < number)
        link = &(*link)->next;
    peer->peer = number;
    peer->next = *link;
    *link = peer;
    session->peer_count++;
    return peer;
}

void kin__peer_say_goodbye(kin_session *session, kin__net_peer *peer, kin__goodbye reason)
{
    kin__bytes_out *writer = kin__session_begin(session, 'G');
    kin__put_8(writer, (uint8_t)reason);
    kin__session_send(session, (kin_topic){.kind = KIN_TOPIC_OWN, .peer = peer->peer}, peer->peer, writer);
    kin__waiting_release_all(session, &peer->waiting);
    peer->is_gone = true;
}

// A fault drops the message; too many in a second drop the peer.
static void note_fault(kin_session *session, kin__net_peer *peer, kin_refusal reason)
{
    uint64_t now = kin__clock_read();
    kin__session_count_refused(session, reason);
    peer->dropped++;
    if (now - peer->second > KIN__NET_SECOND) {
        peer->second = now;
        peer->faults = 0;
    }
    if (++peer->faults >= KIN__NET_FAULTS)
        kin__peer_say_goodbye(session, peer, KIN__GOODBYE_FAULTS);
}

// ---- what peers send

static bool read_zones(kin_session *session, kin__bytes_in *reader, kin__net_peer *peer)
{
    uint64_t count = kin__take_at_most(reader, KIN__NET_ZONES);
    bool sees_all = kin__take_8(reader) != 0;
    kin__array zones = {0};
    if (reader->fault != NULL || count > kin__bytes_left(reader) ||
        !kin__array_reserve(session->memory, &zones, (uint32_t)count, sizeof(kin_zone)))
        return false;
    kin_zone *at = zones.elements;
    for (uint64_t i = 0; i < count; i++) {
        int64_t zone = kin__take_signed(reader);
        at[i] = (kin_zone){(int32_t)zone, kin__take_8(reader), kin__take_8(reader)};
        if (zone != at[i].zone)
            kin__refuse(reader, "a zone is out of range");
    }
    bool is_set = reader->fault == NULL && kin__bytes_left(reader) == 0;
    if (is_set && !peer->is_shown)
        is_set = kin__zones_set(session, &peer->zones, at, (uint32_t)count, sees_all);
    kin__array_release(session->memory, &zones, sizeof(kin_zone));
    return is_set;
}

static const char let[] = "let a peer follow the world";

// A peer with another schema waits until its shape is here. It is answered by the own one.
static void note_hash(kin_session *session, kin__net_peer *peer, uint64_t hash)
{
    bool is_read = hash == session->hash || (peer->other != NULL && peer->other->hash == hash);
    peer->hash = hash;
    peer->is_unread = !is_read;
    if (peer->other != NULL && peer->other->hash != hash) {
        kin__other_release(session, peer->other);
        peer->other = NULL;
    }
    if (is_read || peer->is_answered)
        return;
    peer->is_answered = true;
    if (kin__shape_send(session, peer->peer))
        return;
    kin__peer_say_goodbye(session, peer, KIN__GOODBYE_SHAPE);
    kin__session_refuse(session, KIN_ERROR_SHAPE, let,
                        "it has another schema, and this one is too long to be compared");
}

// A piece of the shape of a peer that has said hello.
static void take_shape(kin_session *session, kin__net_peer *peer, kin__bytes_in *reader)
{
    char reason[KIN__NET_REASON];
    kin__net_taken taken = KIN__TAKEN_PART;
    if (peer->is_unread)
        taken = kin__pieces_take(session, &peer->pieces, reader);
    if (taken == KIN__TAKEN_BAD)
        note_fault(session, peer, KIN_REFUSED_SYNTAX);
    if (taken != KIN__TAKEN_ALL)
        return;
    bool is_meant = peer->pieces.hash == peer->hash;
    kin__net_other *other = is_meant ? kin__other_make(session, &peer->pieces, reason) : NULL;
    kin__pieces_release(session, &peer->pieces);
    if (!is_meant)
        return;
    peer->other = other;
    peer->is_unread = other == NULL;
    peer->heard = session->numbers.frame;
    if (other != NULL || reason[0] == '\0')
        return; // without memory it is asked again
    kin__peer_say_goodbye(session, peer, KIN__GOODBYE_SHAPE);
    kin__session_refuse(session, KIN_ERROR_SHAPE, let, reason);
}

// A peer begins, or begins again.
static void take_hello(kin_session *session, uint32_t number, kin__bytes_in *reader)
{
    kin__net_peer *peer = find_peer(session, number);
    uint8_t format = kin__take_8(reader);
    const unsigned char *hash = kin__take_bytes(reader, 8);
    if (peer == NULL)
        peer = add_peer(session, number);
    if (peer == NULL || peer->is_gone) {
        kin__session_count_refused(session, KIN_REFUSED_PEER);
        return;
    }
    if (hash == NULL || format != KIN__NET_FORMAT) {
        kin__peer_say_goodbye(session, peer, KIN__GOODBYE_SHAPE);
        kin__session_refuse(session, KIN_ERROR_SHAPE, let, "it is of another version of the library");
        return;
    }
    note_hash(session, peer, kin__little_read_64(hash));
    if (peer->is_gone)
        return;
    peer->needs_full = true;
    peer->heard = session->numbers.frame;
    if (!read_zones(session, reader, peer))
        note_fault(session, peer, KIN_REFUSED_SYNTAX);
}

static void take_acknowledgement(kin_session *session, kin__net_peer *peer, kin__bytes_in *reader)
{
    uint64_t number = kin__take_number(reader);
    bool has_gap = kin__take_8(reader) != 0;
    uint64_t newest = kin__take_number(reader);
    bool is_early = number > peer->sent && peer->sent != 0; // or it was said to the host before it was forgotten
    if (reader->fault != NULL || is_early) {
        note_fault(session, peer, KIN_REFUSED_SYNTAX);
        return;
    }
    peer->heard = session->numbers.frame;
    if (number > peer->acknowledged && peer->sent != 0)
        peer->acknowledged = number;
    // What was sent for this gap is still under way, unless the peer has seen that or a later one.
    if (has_gap && peer->sent != 0 && number >= peer->acknowledged && newest >= peer->mended)
        peer->behind = number;
}

// Returns what a message of another schema is here, or one that stands for what the schema lacks.
static const kin__net_message *message_of(const kin__message_map *map)
{
    if (map == NULL || map->to != NULL)
        return map == NULL ? NULL : map->to;
    return map->from->is_from_replica ? &kin__no_message : map->from;
}

static void take_message(kin_session *session, kin__net_peer *peer, kin__bytes_in *reader)
{
    uint64_t kind = kin__take_number(reader);
    const kin__message_map *map = peer->other == NULL ? NULL : kin__message_map_of(peer->other->map, kind);
    const kin__net_message *message = peer->other == NULL ? kin__net_message_of(session->info, kind) : message_of(map);
    uint64_t number = kin__take_number(reader);
    uint64_t seen = kin__take_number(reader);
    if (peer->is_unread) {
        kin__session_count_refused(session, KIN_REFUSED_SHAPE);
        peer->dropped++;
        return;
    }
    bool goes_here = message == &kin__no_message || (message != NULL && message->is_from_replica);
    if (reader->fault != NULL || !goes_here || number == 0) {
        bool is_known = reader->fault == NULL && message != NULL && !message->is_from_replica;
        note_fault(session, peer, is_known ? KIN_REFUSED_DIRECTION : KIN_REFUSED_SYNTAX);
        return;
    }
    kin__net_waiting *waiting = NULL;
    if (number > peer->last && peer->waiting.count < KIN__NET_WAITING)
        waiting = kin__waiting_make(session, message);
    if (waiting == NULL) {
        kin__session_count_refused(session, number > peer->last ? KIN_REFUSED_FLOOD : KIN_REFUSED_TWICE);
        peer->dropped += number > peer->last;
        return;
    }
    waiting->number = number;
    waiting->frame = seen;
    waiting->arrived = kin__clock_read();
    bool is_read = map == NULL ? kin__net_message_read(reader, message, waiting->value)
                               : kin__net_message_convert(reader, map, waiting->value);
    is_read = is_read && kin__bytes_left(reader) == 0;
    bool has_sender = message != &kin__no_message && message->peer != KIN__NET_NO_OFFSET;
    if (is_read && has_sender)
        memcpy((char *)waiting->value + message->peer, &peer->peer, sizeof peer->peer);
    if (is_read && kin__waiting_insert(&peer->waiting, waiting))
        return;
    kin__waiting_release(session, waiting);
    if (is_read)
        kin__session_count_refused(session, KIN_REFUSED_TWICE);
    else
        note_fault(session, peer, KIN_REFUSED_SYNTAX);
}

static void take_arrival(kin_session *session, const kin_arrival *arrival)
{
    kin__bytes_in reader = kin__bytes_begin(arrival->bytes, arrival->size);
    uint8_t kind = kin__take_8(&reader);
    session->numbers.bytes_in += arrival->size;
    if (arrival->topic.kind != KIN_TOPIC_IN || arrival->peer == 0) {
        kin__session_count_refused(session, KIN_REFUSED_PEER);
        return;
    }
    if (kind == 'H') {
        take_hello(session, arrival->peer, &reader);
        return;
    }
    kin__net_peer *peer = find_peer(session, arrival->peer);
    if (peer != NULL)
        peer->bytes_in += arrival->size;
    if (peer == NULL || peer->is_gone)
        kin__session_count_refused(session, KIN_REFUSED_PEER);
    else if (kind == 'A')
        take_acknowledgement(session, peer, &reader);
    else if (kind == 'M')
        take_message(session, peer, &reader);
    else if (kind == 'S')
        take_shape(session, peer, &reader);
    else
        note_fault(session, peer, KIN_REFUSED_SYNTAX);
}

// ---- before an update

// Publishes what a peer has sent. What does not fit waits for the next update, at most a second.
static void publish(kin_session *session, kin__net_peer *peer, uint64_t now)
{
    uint32_t left = session->options.messages_each_frame;
    while (peer->waiting.first != NULL) {
        bool is_old = now - peer->waiting.first->arrived > KIN__NET_SECOND;
        if (left == 0 && !is_old)
            return;
        kin__net_waiting *waiting = kin__waiting_take(&peer->waiting);
        bool is_known = waiting->message != &kin__no_message;
        peer->last = waiting->number;
        if (left == 0 || !is_known) {
            kin__session_count_refused(session, is_known ? KIN_REFUSED_FLOOD : KIN_REFUSED_SHAPE);
            peer->dropped++;
        } else {
            left--;
            peer->taken++;
            kin__world_publish(session->world, waiting->message->number, waiting->value);
        }
        kin__waiting_release(session, waiting);
    }
}

// Asks for the lease, or renews it. A host that gets it begins anew: its first frames are full ones. One that has lost
// it forgets its peers, which another host has.
static void renew_lease(kin_session *session)
{
    kin_transport *transport = session->transport;
    kin_session_role before = session->numbers.role;
    kin_lease lease = {.lasts_ms = session->options.lease_ms, .epoch = 1, .is_held = transport->lease == NULL};
    if (transport->lease != NULL && !transport->lease(transport, &lease))
        lease.is_held = false;
    session->numbers.lease_left_ms = lease.is_held ? lease.left_ms : 0;
    bool is_new = lease.is_held && (before != KIN_HOST || lease.epoch != session->numbers.epoch);
    session->numbers.role = lease.is_held ? KIN_HOST : KIN_ALONE;
    if (is_new) {
        session->numbers.epoch = lease.epoch;
        session->last_number = session->full_at = 0;
    }
    if (is_new || before != session->numbers.role)
        forget_peers(session);
}

void kin__host_before(kin_session *session)
{
    kin_arrival arrival;
    kin_session_role before = session->numbers.role;
    if (session->transport->lease != NULL)
        renew_lease(session);
    kin__session_say_changed(session, before);
    forget_silent(session);
    for (kin__net_peer *peer = session->peers; peer != NULL; peer = peer->next)
        peer->is_answered = false;
    while (session->transport->next(session->transport, &arrival))
        if (session->numbers.role == KIN_HOST)
            take_arrival(session, &arrival);
    uint64_t now = kin__clock_read();
    for (kin__net_peer *peer = session->peers; peer != NULL; peer = peer->next)
        publish(session, peer, now);
}

// ---- zones of the world

uint32_t kin__host_field(const kin__context_snapshot *part, const kin__image *image, const kin__net_place *field,
                         uint32_t place)
{
    uint32_t value;
    const char *at = NULL;
    if (part->info->components[field->component].is_soa)
        at = (const char *)kin__image_field(part->info, image, field->field) + place * sizeof value;
    else
        at = (const char *)kin__image_value(part->info, image, place, NULL) + field->offset;
    memcpy(&value, at, sizeof value);
    return value;
}

kin__net_key kin__host_zone(const kin__context_snapshot *part, uint32_t chunk, uint32_t place)
{
    const kin__net_place *zone = &part->context->core->replicated->zone;
    const kin__image *image = NULL;
    if (zone->component != KIN__NET_NO_COMPONENT)
        image = kin__part_image(part, chunk, zone->component);
    if (image == NULL || !kin__bits_have(kin__image_has(image), place))
        return KIN__NET_NONE;
    return (int32_t)kin__host_field(part, image, zone, place);
}

// Adds the zones of a column.
static bool add_zones(kin_session *session, const kin__context_snapshot *part, const kin__net_place *place,
                      uint64_t number)
{
    int32_t last = 0;
    bool has_last = false;
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++) {
        const kin__image *image = kin__part_image(part, chunk, place->component);
        for (uint32_t slot = 0; image != NULL && slot < KIN__CHUNK_SLOTS; slot++) {
            if (!kin__bits_have(kin__image_has(image), slot))
                continue;
            int32_t zone = (int32_t)kin__host_field(part, image, place, slot);
            bool is_new = !has_last || zone != last;
            last = zone;
            has_last = true;
            if (is_new && kin__session_zone(session, zone, number) == NULL)
                return false;
        }
    }
    return true;
}

// Zones stay known: what left the last one must be sent too.
static bool find_zones(kin_session *session, const kin_snapshot *now, uint64_t number)
{
    for (uint32_t i = 0; i < session->world->info->context_count; i++) {
        const kin__net_context *context = kin__session_context(session, i);
        if (context == NULL || context->zone.component == KIN__NET_NO_COMPONENT)
            continue;
        const kin__context_snapshot *part = kin__snapshot_part(now, session->world->contexts[i]->info);
        if (part != NULL && !add_zones(session, part, &context->zone, number))
            return false;
    }
    return true;
}

// ---- sending frames

static bool gather(const void *bytes, size_t size, void *user)
{
    kin__bytes_out *writer = user;
    kin__put_bytes(writer, bytes, size);
    return !writer->has_failed;
}

static kin__net_made *cached(kin_session *session, const kin_view *view)
{
    if (view->is_owner)
        return NULL;
    if (view->has_no_zone)
        return session->made_none;
    kin__net_zone *zone = kin__session_zone(session, view->zone, view->number);
    return zone == NULL ? NULL : zone->made;
}

// Peers that have the same base share a frame.
bool kin__host_make(const kin__sending *sending, const kin_view *view, kin__net_made *made)
{
    kin_session *session = sending->session;
    kin__net_made *known = cached(session, view);
    const kin_snapshot *base = view->base == 0 ? NULL : kin__host_state(session, view->base);
    for (uint32_t i = 0; known != NULL && i < KIN__NET_BASES; i++) {
        bool is_same = known[i].number == view->number && known[i].base == view->base;
        if (is_same && known[i].has_hash == view->has_hash) {
            *made = known[i];
            return true;
        }
    }
    *made = (kin__net_made){view->number, view->base, view->has_hash, session->made.size, 0};
    session->made.has_failed = false;
    if (kin_frame_make(base, sending->now, view, (kin_sink){gather, &session->made}) != KIN_OK)
        return false;
    made->size = session->made.size - made->begin;
    if (known != NULL)
        known[view->base % KIN__NET_BASES] = *made;
    return true;
}

static kin_topic topic_of(const kin_view *view, bool is_full)
{
    if (view->is_owner)
        return (kin_topic){.kind = KIN_TOPIC_OWN, .peer = view->peer};
    return (kin_topic){
        .kind = is_full ? KIN_TOPIC_FULL : KIN_TOPIC_FRAME, .zone = view->zone, .has_no_zone = view->has_no_zone};
}

// Sends a frame, cut into parts.
bool kin__host_send_frame(kin_session *session, const kin_view *view, kin_topic topic, const kin__net_made *made,
                          uint32_t peer)
{
    size_t most = session->transport->most - KIN__NET_HEAD;
    size_t count = made->size == 0 ? 1 : (made->size + most - 1) / most;
    bool is_sent = true;
    for (size_t i = 0; i < count && is_sent; i++) {
        kin__bytes_out *writer = kin__session_begin(session, 'P');
        size_t begin = i * most;
        kin__put_number(writer, session->numbers.epoch);
        kin__put_number(writer, view->number);
        kin__put_8(writer, (uint8_t)(view->is_owner | (topic.kind == KIN_TOPIC_FULL) << 1 | view->has_no_zone << 2));
        kin__put_signed(writer, view->zone);
        kin__put_number(writer, i);
        kin__put_number(writer, count);
        kin__put_bytes(writer, session->made.at + made->begin + begin,
                       made->size - begin < most ? made->size - begin : most);
        is_sent = kin__session_put(session, topic, peer, writer);
    }
    return is_sent;
}

static kin_view view_of(const kin__sending *sending, int32_t zone, bool has_no_zone)
{
    const kin_session *session = sending->session;
    bool has_hash = sending->number % session->options.hash_every == 0;
    return (kin_view){.zone = has_no_zone ? 0 : zone,
                      .has_no_zone = has_no_zone,
                      .epoch = session->numbers.epoch,
                      .number = sending->number,
                      .base = sending->base_number,
                      .has_hash = has_hash};
}

// Sends the frame of a view. What the base does not have is sent in full; on a shared transport sometimes all is.
static bool send_view(const kin__sending *sending, kin_view view, uint64_t since)
{
    kin_session *session = sending->session;
    uint32_t peer = sending->peer == NULL ? 0 : sending->peer->peer;
    const kin_snapshot *base = since > sending->base_number ? NULL : sending->base;
    view.base = base == NULL ? 0 : sending->base_number;
    kin__net_made made;
    bool is_sent = kin__host_make(sending, &view, &made) &&
                   kin__host_send_frame(session, &view, topic_of(&view, false), &made, peer);
    if (!sending->is_full || sending->base == NULL || view.is_owner)
        return is_sent; // what the owner alone gets is full then
    view.base = 0;
    return kin__host_make(sending, &view, &made) &&
           kin__host_send_frame(session, &view, topic_of(&view, true), &made, peer) && is_sent;
}

static bool sees(const kin__sending *sending, int32_t zone)
{
    return sending->peer == NULL || kin__zones_have(&sending->peer->zones, zone);
}

// What a peer alone gets of a zone. On a shared transport that is sent to each peer that has said hello, of what it sees.
static bool send_owned(const kin__sending *sending, int32_t zone, bool has_no_zone, uint64_t since)
{
    kin_session *session = sending->session;
    bool is_sent = true;
    if (!session->has_owned)
        return true;
    for (const kin__net_peer *peer = session->peers; peer != NULL; peer = peer->next) {
        kin_view view = view_of(sending, zone, has_no_zone);
        bool is_meant = sending->peer == NULL ? !peer->is_gone && !peer->is_unread : peer == sending->peer;
        is_meant = is_meant && (has_no_zone || kin__zones_have(&peer->zones, zone));
        bool is_full = peer->needs_full || sending->is_full;
        view.is_owner = true;
        view.peer = peer->peer;
        if (is_meant)
            is_sent = send_view(sending, view, is_full ? UINT64_MAX : since) && is_sent;
    }
    return is_sent;
}

// Sends the frames of all zones, and writes the zones that were sent.
static bool send_zones(const kin__sending *sending, kin__bytes_out *zones, uint32_t *count)
{
    kin_session *session = sending->session;
    const kin__net_zone *at = session->zones.elements;
    bool is_sent = send_view(sending, view_of(sending, 0, true), 0) && send_owned(sending, 0, true, 0);
    *count = 0;
    for (uint32_t i = 0; i < session->zone_count && is_sent; i++) {
        if (!sees(sending, at[i].zone))
            continue;
        is_sent = send_view(sending, view_of(sending, at[i].zone, false), at[i].since) &&
                  send_owned(sending, at[i].zone, false, at[i].since);
        kin__put_signed(zones, at[i].zone);
        ++*count;
    }
    return is_sent && !zones->has_failed;
}

static void write_taken(const kin_session *session, kin__bytes_out *writer, const kin__net_peer *only)
{
    uint32_t count = only != NULL;
    for (const kin__net_peer *peer = session->peers; only == NULL && peer != NULL; peer = peer->next)
        count += !peer->is_gone;
    kin__put_number(writer, count);
    for (const kin__net_peer *peer = session->peers; peer != NULL; peer = peer->next) {
        bool is_listed = only == NULL ? !peer->is_gone : peer == only;
        if (!is_listed)
            continue;
        kin__put_number(writer, peer->peer);
        kin__put_number(writer, peer->last);
    }
}

// Returns whether the receiver of a tick gets an event: without a zone, or if it sees that.
static bool gets_event(const kin__net_waiting *event, const kin__net_peer *peer)
{
    int32_t zone;
    if (event->message->zone == KIN__NET_NO_OFFSET)
        return true;
    memcpy(&zone, (const char *)event->value + event->message->zone, sizeof zone);
    return peer != NULL && kin__zones_have(&peer->zones, zone);
}

static void write_events(const kin_session *session, kin__bytes_out *writer, const kin__net_peer *peer)
{
    uint32_t count = 0;
    for (const kin__net_waiting *event = session->events.first; event != NULL; event = event->next)
        count += gets_event(event, peer);
    kin__put_number(writer, count);
    for (const kin__net_waiting *event = session->events.first; event != NULL; event = event->next) {
        if (!gets_event(event, peer))
            continue;
        kin__put_number(writer, event->frame);
        kin__put_number(writer, event->message->number);
        kin__net_message_write(writer, event->message, event->value);
    }
}

bool kin__host_send_tick(const kin__sending *sending, const kin__bytes_out *zones, uint32_t zone_count, bool has_none)
{
    kin_session *session = sending->session;
    kin__bytes_out *writer = kin__session_begin(session, 'T');
    kin__put_number(writer, session->numbers.epoch);
    kin__put_number(writer, sending->number);
    kin__put_number(writer, sending->base_number);
    kin__put_double(writer, session->world->root->time);
    bool has_hash = sending->base_number == 0 || sending->is_full;
    kin__put_8(writer, (uint8_t)(has_none | has_hash << 1));
    if (has_hash)
        kin__put_64(writer, session->hash);
    kin__put_number(writer, zone_count);
    kin__put_bytes(writer, zones->at, zones->size);
    write_taken(session, writer, sending->peer);
    write_events(session, writer, sending->peer);
    return kin__session_put(session, (kin_topic){.kind = KIN_TOPIC_TICK},
                            sending->peer == NULL ? 0 : sending->peer->peer, writer);
}

// Events of a zone go to those who listen to it.
static bool send_events_of_zones(const kin__sending *sending)
{
    kin_session *session = sending->session;
    bool is_sent = true;
    for (const kin__net_waiting *event = session->events.first; event != NULL; event = event->next) {
        int32_t zone;
        if (event->message->zone == KIN__NET_NO_OFFSET)
            continue;
        memcpy(&zone, (const char *)event->value + event->message->zone, sizeof zone);
        kin__bytes_out *writer = kin__session_begin(session, 'E');
        kin__put_number(writer, session->numbers.epoch);
        kin__put_number(writer, sending->number);
        kin__put_number(writer, 1);
        kin__put_number(writer, event->frame);
        kin__put_number(writer, event->message->number);
        kin__net_message_write(writer, event->message, event->value);
        is_sent = kin__session_send(session, (kin_topic){.kind = KIN_TOPIC_FRAME, .zone = zone}, 0, writer) && is_sent;
    }
    return is_sent;
}

static bool send_all(const kin__sending *sending)
{
    kin_session *session = sending->session;
    kin__bytes_out zones = {.memory = kin__memory_part(session->memory)};
    uint32_t count = 0;
    bool is_sent = send_zones(sending, &zones, &count);
    if (is_sent && sending->peer == NULL)
        is_sent = send_events_of_zones(sending);
    is_sent = is_sent && kin__host_send_tick(sending, &zones, count, true);
    kin__bytes_out_release(&zones);
    return is_sent;
}

// ---- after an update

// Takes what was published for replicas from the inboxes, in the order of publishing.
static bool take_events(kin_session *session, uint64_t number)
{
    kin__waiting_release_all(session, &session->events);
    for (uint32_t i = 0; session->published != NULL && i < session->info->message_count; i++) {
        const kin__net_message *message = &session->info->messages[i];
        kin__inbox *inbox = &session->published[i];
        while (inbox->count > 0) {
            kin__net_waiting *event = kin__waiting_make(session, message);
            if (event == NULL)
                return false;
            event->number = kin__inbox_serial(inbox);
            event->frame = number;
            kin__inbox_take(inbox, event->value);
            kin__waiting_insert(&session->events, event);
        }
    }
    return true;
}

const kin_snapshot *kin__host_state(const kin_session *session, uint64_t number)
{
    uint64_t place = number % session->options.ring;
    return number != 0 && session->ring_numbers[place] == number ? session->ring[place] : NULL;
}

// A frame is against the one before. If a peer has a gap, it is against what the peer has, or full.
static void send_to_peer(kin__sending sending, kin__net_peer *peer)
{
    kin_session *session = sending.session;
    if (peer->is_gone)
        return;
    uint64_t silence = sending.number - peer->heard;
    if (silence > session->options.ring && silence > KIN__NET_SILENCE) {
        kin__peer_say_goodbye(session, peer, KIN__GOODBYE_SILENCE);
        peer->is_silent = true;
        return;
    }
    if (peer->is_unread)
        return;
    sending.peer = peer;
    sending.base_number = peer->behind != 0 ? peer->behind : peer->sent;
    peer->needs_full = peer->needs_full || sending.base_number < peer->full; // that full frame was lost
    if (peer->behind != 0 || peer->needs_full)
        peer->mended = sending.number;
    sending.base = peer->needs_full ? NULL : kin__host_state(session, sending.base_number);
    if (sending.base == NULL) {
        sending.base_number = 0;
        peer->full = sending.number;
    }
    uint64_t before = session->numbers.bytes_out;
    peer->needs_full = sending.base == NULL; // for what the owner alone gets
    session->sends_full = sending.base == NULL;
    bool is_sent = kin__budget_counts(session, peer) ? kin__budget_send(&sending) : send_all(&sending);
    is_sent = kin__session_flush(session, peer->peer) && is_sent;
    session->sends_full = false;
    peer->bytes_out += session->numbers.bytes_out - before;
    peer->needs_full = !is_sent;
    peer->behind = 0;
    peer->sent = sending.number;
}

// Saves the world. A world that cannot be saved now sends nothing: the next frame is against what was sent.
static const kin_snapshot *save(kin_session *session, uint64_t number)
{
    uint64_t place = number % session->options.ring;
    session->ring_numbers[place] = 0;
    if (!kin__world_can_save(session->world) ||
        kin__world_save_unreported(session->world, &session->ring[place]) == KIN_ERROR_NO_MEMORY)
        return NULL;
    session->ring_numbers[place] = number;
    return session->ring[place];
}

void kin__host_after(kin_session *session)
{
    uint64_t number = session->world->root->frame;
    bool is_shared = session->transport->is_shared;
    bool has_events = take_events(session, number);
    bool has_receivers = is_shared || session->peers != NULL;
    session->numbers.frame = number;
    if (session->numbers.role != KIN_HOST || !has_receivers)
        return;
    const kin_snapshot *now = save(session, number);
    session->made.size = 0;
    memset(session->made_none, 0, sizeof session->made_none);
    if (now == NULL || !has_events || !find_zones(session, now, number)) {
        kin__session_refuse(session, KIN_ERROR_NO_MEMORY, "send a frame", NULL);
        return;
    }
    kin__sending sending = {.session = session, .now = now, .number = number};
    sending.base = kin__host_state(session, session->last_number);
    sending.base_number = sending.base == NULL ? 0 : session->last_number;
    session->last_number = number;
    if (!is_shared) {
        for (kin__net_peer *peer = session->peers; peer != NULL; peer = peer->next)
            send_to_peer(sending, peer);
        return;
    }
    uint64_t clock = kin__clock_read();
    sending.is_full = clock >= session->full_at;
    if (sending.is_full)
        session->full_at = clock + session->options.full_every_ms * (KIN__NET_SECOND / 1000);
    send_all(&sending);
    for (kin__net_peer *peer = session->peers; peer != NULL; peer = peer->next) {
        peer->needs_full = false;
        peer->sent = number;
    }
}

// ---- beginning and ending

bool kin__host_begin(kin_session *session)
{
    kin_transport *transport = session->transport;
    bool stands_by = session->numbers.role == KIN_STANDBY;
    if (!stands_by)
        renew_lease(session);
    session->numbers.frame = session->world->root->frame;
    session->ring = kin__allocate_zero(session->memory, session->options.ring * sizeof *session->ring);
    session->ring_numbers = kin__allocate_zero(session->memory, session->options.ring * sizeof *session->ring_numbers);
    if (session->ring == NULL || session->ring_numbers == NULL)
        return false;
    if (session->options.keeps_history && transport->is_shared && !kin__history_begin(session))
        return false;
    return stands_by || transport->listen(transport, (kin_topic){.kind = KIN_TOPIC_IN}, true);
}

void kin__host_end(kin_session *session)
{
    kin_transport *transport = session->transport;
    kin_lease lease = {.gives_up = true};
    bool has_next_host = transport->lease != NULL && transport->is_shared; // which the peers follow
    transport->listen(transport, (kin_topic){.kind = KIN_TOPIC_IN}, false);
    if (transport->lease != NULL)
        transport->lease(transport, &lease);
    for (kin__net_peer *peer = session->peers; peer != NULL; peer = peer->next)
        if (!peer->is_gone && !has_next_host)
            kin__peer_say_goodbye(session, peer, KIN__GOODBYE_END);
    forget_peers(session);
    kin__waiting_release_all(session, &session->events);
    kin__array_release(session->memory, &session->zones, sizeof(kin__net_zone));
    kin__budget_release(session);
    for (uint32_t i = 0; session->ring != NULL && i < session->options.ring; i++)
        kin_snapshot_destroy(session->ring[i]);
    kin__release(session->memory, session->ring, session->options.ring * sizeof *session->ring);
    kin__release(session->memory, session->ring_numbers, session->options.ring * sizeof *session->ring_numbers);
}

// ---- for the program

kin_status kin_session_show(kin_session *session, uint32_t number, const kin_zone *zones, uint32_t count)
{
    static const char verb[] = "show zones to a peer";
    if (session == NULL)
        return KIN_ERROR_INVALID;
    kin__net_peer *peer = find_peer(session, number);
    if (!session->is_host || (zones == NULL && count > 0))
        return kin__session_refuse(session, KIN_ERROR_INVALID, verb,
                                   "only a host does, and the zones must not be NULL");
    if (peer == NULL)
        return kin__session_refuse(session, KIN_ERROR_INVALID, verb,
                                   "the peer is not known; kin_session_peers lists them");
    if (!kin__zones_set(session, &peer->zones, zones, count, false))
        return kin__session_refuse(session, KIN_ERROR_NO_MEMORY, verb, NULL);
    peer->is_shown = true;
    peer->needs_full = true;
    return KIN_OK;
}

uint32_t kin_session_peers(const kin_session *session, kin_peer_numbers *peers, uint32_t capacity)
{
    uint32_t count = 0;
    for (const kin__net_peer *peer = session == NULL ? NULL : session->peers; peer != NULL; peer = peer->next) {
        if (peer->is_gone)
            continue;
        if (count < capacity && peers != NULL)
            peers[count] = (kin_peer_numbers){.peer = peer->peer,
                                              .zone_count = peer->zones.count,
                                              .acknowledged = peer->acknowledged,
                                              .round_trip_frames = peer->sent - peer->acknowledged,
                                              .bytes_in = peer->bytes_in,
                                              .bytes_out = peer->bytes_out,
                                              .taken = peer->taken,
                                              .dropped = peer->dropped,
                                              .is_converted = peer->other != NULL};
        count++;
    }
    return count;
}
