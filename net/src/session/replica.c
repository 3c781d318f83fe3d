// Replicas: they put together what the host sends, and show it.
#include "session/session.h"

#include "context/context.h"

#include <string.h>

static const char verb[] = "follow the host";

// ---- frames that wait

static void release_frame(kin_session *session, kin__net_frame *frame)
{
    for (uint32_t i = 0; i < frame->part_count; i++)
        kin__release(session->memory, frame->parts[i], frame->sizes[i]);
    kin__release(session->memory, frame->parts, frame->part_count * sizeof *frame->parts);
    kin__release(session->memory, frame->sizes, frame->part_count * sizeof *frame->sizes);
    kin__release(session->memory, frame, sizeof *frame);
    session->frame_count--;
}

static void remove_frame(kin_session *session, kin__net_frame **link)
{
    kin__net_frame *frame = *link;
    for (uint32_t i = 0; i < frame->part_count; i++)
        session->numbers.queue_bytes -= frame->sizes[i];
    *link = frame->next;
    release_frame(session, frame);
}

// Removes what is not newer than a number.
static void remove_frames(kin_session *session, uint64_t number)
{
    kin__net_frame **link = &session->frames;
    while (*link != NULL)
        if ((*link)->number <= number)
            remove_frame(session, link);
        else
            link = &(*link)->next;
}

static void remove_ticks(kin_session *session, uint64_t number)
{
    while (session->ticks != NULL && session->ticks->number <= number) {
        kin__net_tick *tick = session->ticks;
        session->ticks = tick->next;
        kin__waiting_release_all(session, &tick->events);
        kin__release(session->memory, tick, sizeof *tick + tick->zone_count * sizeof *tick->zones);
    }
}

// What a frame is of.
typedef struct frame_key {
    uint64_t number;
    int32_t zone;
    bool is_own, is_full, has_no_zone;
} frame_key;

static bool is_frame(const kin__net_frame *frame, const frame_key *key)
{
    bool is_same_zone = frame->zone == key->zone && frame->has_no_zone == key->has_no_zone;
    return is_same_zone && frame->number == key->number && frame->is_own == key->is_own &&
           frame->is_full == key->is_full;
}

static kin__net_frame *make_frame(kin_session *session, const frame_key *key, uint32_t parts)
{
    kin__net_frame *frame = kin__allocate_zero(session->memory, sizeof *frame);
    if (frame == NULL)
        return NULL;
    frame->parts = kin__allocate_zero(session->memory, parts * sizeof *frame->parts);
    frame->sizes = kin__allocate_zero(session->memory, parts * sizeof *frame->sizes);
    if (frame->parts == NULL || frame->sizes == NULL) {
        kin__release(session->memory, frame->parts, parts * sizeof *frame->parts);
        kin__release(session->memory, frame->sizes, parts * sizeof *frame->sizes);
        kin__release(session->memory, frame, sizeof *frame);
        return NULL;
    }
    frame->number = key->number;
    frame->zone = key->zone;
    frame->has_no_zone = key->has_no_zone;
    frame->is_own = key->is_own;
    frame->is_full = key->is_full;
    frame->part_count = parts;
    frame->next = session->frames;
    session->frames = frame;
    session->frame_count++;
    return frame;
}

static void put_part(kin_session *session, kin__net_frame *frame, uint32_t index, const kin__bytes_in *reader)
{
    size_t size = kin__bytes_left(reader);
    if (frame->parts[index] != NULL)
        return; // it came twice
    frame->parts[index] = kin__allocate(session->memory, size == 0 ? 1 : size);
    if (frame->parts[index] == NULL)
        return;
    memcpy(frame->parts[index], reader->at, size);
    frame->sizes[index] = size == 0 ? 1 : size;
    frame->last_size = index + 1 == frame->part_count ? size : frame->last_size;
    frame->parts_here++;
    session->numbers.queue_bytes += frame->sizes[index];
}

// Newer frames are worth more than older ones, which may never be complete. False if all that waits is newer.
static bool make_room(kin_session *session, uint64_t number)
{
    while (session->frame_count >= KIN__NET_FRAMES || session->numbers.queue_bytes >= KIN__NET_FRAME_SIZE) {
        uint64_t oldest = number;
        for (const kin__net_frame *frame = session->frames; frame != NULL; frame = frame->next)
            oldest = frame->number < oldest ? frame->number : oldest;
        if (oldest == number)
            return false;
        remove_frames(session, oldest);
        remove_ticks(session, oldest);
    }
    return true;
}

static void take_part(kin_session *session, kin__bytes_in *reader)
{
    frame_key key = {.number = kin__take_number(reader)};
    uint8_t flags = kin__take_8(reader);
    int64_t zone = kin__take_signed(reader);
    uint64_t index = kin__take_number(reader);
    uint64_t count = kin__take_at_most(reader, KIN__NET_PARTS);
    bool is_zone = zone >= INT32_MIN && zone <= INT32_MAX;
    if (reader->fault != NULL || index >= count || key.number == 0 || flags > 7 || !is_zone) {
        kin__session_count_refused(session, KIN_REFUSED_SYNTAX);
        return;
    }
    key.zone = (int32_t)zone;
    key.is_own = (flags & 1) != 0;
    key.is_full = (flags & 2) != 0;
    key.has_no_zone = (flags & 4) != 0;
    if (key.number <= session->state.number)
        return; // it is late, or came twice
    if (session->state.number == 0 && key.number <= session->lowest_part) {
        session->lowest_part = key.number;
        session->is_joining = true;
    }
    kin__net_frame *frame = session->frames;
    while (frame != NULL && !is_frame(frame, &key))
        frame = frame->next;
    if (frame == NULL && make_room(session, key.number))
        frame = make_frame(session, &key, (uint32_t)count);
    if (frame == NULL || frame->part_count != count)
        kin__session_count_refused(session, KIN_REFUSED_BASE);
    else
        put_part(session, frame, (uint32_t)index, reader);
}

// ---- ticks

// Returns the number of the last own message that the host has taken; 0 if the list does not have this peer.
static uint64_t read_taken(const kin_session *session, kin__bytes_in *reader, bool *is_known)
{
    uint64_t count = kin__take_number(reader);
    uint64_t taken = 0;
    *is_known = false;
    for (uint64_t i = 0; i < count && reader->fault == NULL; i++) {
        uint64_t peer = kin__take_number(reader);
        uint64_t last = kin__take_number(reader);
        bool is_own = peer == session->transport->peer;
        taken = is_own ? last : taken;
        *is_known = *is_known || is_own;
    }
    return taken;
}

static void insert_tick(kin_session *session, kin__net_tick *tick)
{
    kin__net_tick **link = &session->ticks;
    while (*link != NULL && (*link)->number < tick->number)
        link = &(*link)->next;
    tick->next = *link;
    *link = tick;
}

static bool has_tick(const kin_session *session, uint64_t number)
{
    for (const kin__net_tick *tick = session->ticks; tick != NULL; tick = tick->next)
        if (tick->number == number)
            return true;
    return false;
}

static void start_over(kin_session *session);

static void drop_other(kin_session *session)
{
    kin__other_release(session, session->other);
    session->other = NULL;
    session->has_owned = kin__session_has_owned(session);
}

// The hash of what the host's schema sends. With that of another schema a replica waits until it has its shape.
static void note_hash(kin_session *session, uint64_t hash)
{
    bool is_known = hash == (session->other == NULL ? session->hash : session->other->hash);
    bool was_unread = session->is_unread;
    session->host_hash = hash;
    if (is_known) {
        session->is_unread = false;
        session->refused_hash = 0;
        return;
    }
    if (session->other != NULL)
        drop_other(session);
    session->is_unread = hash != session->hash;
    if (session->is_unread && !was_unread)
        start_over(session);
}

static void take_tick(kin_session *session, kin__bytes_in *reader)
{
    uint64_t number = kin__take_number(reader);
    uint64_t base = kin__take_number(reader);
    double time = kin__take_double(reader);
    uint8_t flags = kin__take_8(reader);
    bool has_hash = (flags & 2) != 0;
    uint64_t hash = has_hash ? kin__take_64(reader) : 0;
    uint64_t count = kin__take_at_most(reader, kin__bytes_left(reader));
    if (reader->fault != NULL || number <= base || flags > 3) {
        kin__session_count_refused(session, KIN_REFUSED_SYNTAX);
        return;
    }
    if (has_hash)
        note_hash(session, hash);
    if (session->is_unread)
        return;
    if (number > session->newest_tick)
        session->newest_tick = number;
    if (number > session->numbers.frame + session->numbers.behind)
        session->numbers.behind = number - session->numbers.frame;
    if (number <= session->state.number || has_tick(session, number))
        return;
    kin__net_tick *tick = kin__allocate_zero(session->memory, sizeof *tick + (size_t)count * sizeof *tick->zones);
    if (tick == NULL)
        return;
    tick->number = number;
    tick->base = base;
    tick->time = time;
    tick->arrived = kin__clock_read();
    tick->has_none = (flags & 1) != 0;
    tick->has_hash = has_hash;
    tick->zone_count = (uint32_t)count;
    for (uint64_t i = 0; i < count; i++)
        tick->zones[i] = (int32_t)kin__take_signed(reader);
    tick->taken = read_taken(session, reader, &tick->is_known);
    bool is_whole = kin__events_read(session, reader, &tick->events) && kin__bytes_left(reader) == 0;
    insert_tick(session, tick);
    if (is_whole)
        return;
    kin__session_count_refused(session, KIN_REFUSED_SYNTAX);
    tick->is_bad = true;
}

// ---- arrivals

static void begin_again(kin_session *session);

// A piece of the host's shape, which has another schema. Both say what they cannot read.
static void take_shape(kin_session *session, kin__bytes_in *reader)
{
    char reason[KIN__NET_REASON];
    kin__net_taken taken = kin__pieces_take(session, &session->pieces, reader);
    if (taken == KIN__TAKEN_BAD)
        kin__session_count_refused(session, KIN_REFUSED_SYNTAX);
    if (taken != KIN__TAKEN_ALL)
        return;
    uint64_t hash = session->pieces.hash;
    bool is_late = session->transport->is_shared && session->host_hash != 0 && session->host_hash != hash;
    bool is_known = hash == session->hash || (session->other != NULL && session->other->hash == hash);
    bool is_new = !is_late && !is_known; // that of a former host may have been kept
    kin__net_other *other = is_new ? kin__other_make(session, &session->pieces, reason) : NULL;
    kin__pieces_release(session, &session->pieces);
    if (!is_new)
        return;
    if (other == NULL) {
        session->is_unread = true;
        if (reason[0] != '\0' && session->refused_hash != hash)
            kin__session_refuse(session, KIN_ERROR_SHAPE, verb, reason);
        session->refused_hash = reason[0] == '\0' ? 0 : hash;
        kin__replica_say_hello(session);
        return;
    }
    if (session->other != NULL)
        drop_other(session);
    session->other = other;
    session->has_owned = kin__other_has_owned(other);
    session->is_unread = false;
    session->refused_hash = 0;
    start_over(session);
}

static void take_goodbye(kin_session *session, uint8_t reason)
{
    static const char *const reasons[] = {
        [KIN__GOODBYE_END] = "the host has ended its session; follow the next host",
        [KIN__GOODBYE_SHAPE] = "the host has another schema, or another version of the library",
        [KIN__GOODBYE_FAULTS] = "the host has dropped this peer, which sent too many faults",
        [KIN__GOODBYE_SILENCE] = "the host has dropped this peer, which acknowledged nothing"};
    bool is_known = reason >= KIN__GOODBYE_END && reason <= KIN__GOODBYE_SILENCE;
    if (reason == KIN__GOODBYE_SHAPE && session->refused_hash != 0)
        return; // why has been said
    kin_status status = reason == KIN__GOODBYE_SHAPE ? KIN_ERROR_SHAPE : KIN_ERROR_STREAM;
    kin__session_refuse(session, status, verb, is_known ? reasons[reason] : "the host has dropped this peer");
}

// A host of a later epoch begins anew: what the one before has sent is void.
static bool take_epoch(kin_session *session, uint64_t epoch)
{
    if (epoch < session->numbers.epoch || epoch > UINT32_MAX) {
        kin__session_count_refused(session, KIN_REFUSED_EPOCH);
        return false;
    }
    if (epoch > session->numbers.epoch && session->numbers.epoch != 0) {
        begin_again(session);
        session->host_hash = 0;
        session->numbers.behind = session->events_to = 0; // its frames may have smaller numbers
    }
    session->numbers.epoch = (uint32_t)epoch;
    return true;
}

// Events of a zone wait for the tick of their frame.
static void take_events(kin_session *session, kin__bytes_in *reader)
{
    kin__net_list events = {0};
    uint64_t number = kin__take_number(reader);
    bool is_read = kin__events_read(session, reader, &events);
    bool has_room = session->zone_events.count < KIN__NET_WAITING;
    while (is_read && has_room && number > session->events_to && events.first != NULL) {
        kin__net_waiting *event = kin__waiting_take(&events);
        event->number = session->next_event++;
        kin__waiting_insert(&session->zone_events, event);
    }
    kin__waiting_release_all(session, &events);
    if (!is_read)
        kin__session_count_refused(session, KIN_REFUSED_SYNTAX);
}

static void take_one(kin_session *session, kin__bytes_in reader)
{
    uint8_t kind = kin__take_8(&reader);
    if (kind == 'G') {
        take_goodbye(session, kin__take_8(&reader));
        return;
    }
    if (kind == 'S') {
        take_shape(session, &reader);
        return;
    }
    uint64_t epoch = kin__take_number(&reader);
    if (reader.fault != NULL || !take_epoch(session, epoch))
        return;
    bool is_of_schema = kind == 'P' || kind == 'E';
    if (is_of_schema && session->is_unread)
        return;
    if (kind == 'P')
        take_part(session, &reader);
    else if (kind == 'T')
        take_tick(session, &reader);
    else if (kind == 'E') {
        take_events(session, &reader);
    } else
        kin__session_count_refused(session, KIN_REFUSED_SYNTAX);
}

static void take_arrival(kin_session *session, const kin_arrival *arrival)
{
    kin__bytes_in reader = kin__bytes_begin(arrival->bytes, arrival->size);
    session->numbers.bytes_in += arrival->size;
    if (arrival->peer != 0) {
        kin__session_count_refused(session, KIN_REFUSED_PEER);
        return;
    }
    if (arrival->size == 0 || *reader.at != 'B') {
        take_one(session, reader);
        return;
    }
    kin__take_8(&reader);
    while (kin__bytes_left(&reader) > 0) {
        size_t size = (size_t)kin__take_at_most(&reader, kin__bytes_left(&reader));
        const unsigned char *bytes = kin__take_bytes(&reader, size);
        if (bytes != NULL && *bytes != 'B')
            take_one(session, kin__bytes_begin(bytes, size));
    }
    if (reader.fault != NULL)
        kin__session_count_refused(session, KIN_REFUSED_SYNTAX);
}

// ---- asking the host

bool kin__replica_say_hello(kin_session *session)
{
    unsigned char hash[8];
    kin__bytes_out *writer = kin__session_begin(session, 'H');
    kin__little_write_64(hash, session->hash);
    kin__put_8(writer, KIN__NET_FORMAT);
    kin__put_bytes(writer, hash, sizeof hash);
    kin__put_number(writer, session->wanted.count);
    kin__put_8(writer, session->wanted.sees_all);
    for (uint32_t i = 0; i < session->wanted.count; i++) {
        kin__put_signed(writer, session->wanted.at[i].zone);
        kin__put_8(writer, session->wanted.at[i].every);
        kin__put_8(writer, session->wanted.at[i].weight);
    }
    session->hello_at = kin__clock_read() + KIN__NET_SECOND;
    session->hello_wait = KIN__NET_HELLO;
    bool is_sent =
        kin__session_send(session, (kin_topic){.kind = KIN_TOPIC_IN, .peer = session->transport->peer}, 0, writer);
    if (session->other != NULL || session->refused_hash != 0)
        kin__shape_send(session, 0);
    return is_sent;
}

static void acknowledge(kin_session *session, bool has_gap)
{
    kin__bytes_out *writer = kin__session_begin(session, 'A');
    kin__put_number(writer, session->state.number);
    kin__put_8(writer, has_gap);
    kin__put_number(writer, session->newest_tick);
    kin__session_send(session, (kin_topic){.kind = KIN_TOPIC_IN, .peer = session->transport->peer}, 0, writer);
}

static bool listen_to_frames(kin_session *session, kin_topic topic, bool on)
{
    kin_transport *transport = session->transport;
    topic.kind = KIN_TOPIC_FULL;
    bool is_heard = transport->listen(transport, topic, on);
    topic.kind = KIN_TOPIC_FRAME;
    return transport->listen(transport, topic, on) && is_heard;
}

// Listens to what is wanted of a shared transport, or ends that.
static bool listen_to(kin_session *session, bool on)
{
    kin_transport *transport = session->transport;
    bool is_heard = transport->listen(transport, (kin_topic){.kind = KIN_TOPIC_OWN, .peer = transport->peer}, on);
    is_heard = transport->listen(transport, (kin_topic){.kind = KIN_TOPIC_TICK}, on) && is_heard;
    if (!transport->is_shared)
        return is_heard;
    is_heard = listen_to_frames(session, (kin_topic){.has_no_zone = true}, on) && is_heard;
    if (session->wanted.sees_all)
        return listen_to_frames(session, (kin_topic){.has_every_zone = true}, on) && is_heard;
    for (uint32_t i = 0; i < session->wanted.count; i++)
        is_heard = listen_to_frames(session, (kin_topic){.zone = session->wanted.at[i].zone}, on) && is_heard;
    return is_heard;
}

// Forgets what waits.
static void forget(kin_session *session)
{
    remove_frames(session, UINT64_MAX);
    remove_ticks(session, UINT64_MAX);
    session->lowest_part = UINT64_MAX;
}

// Forgets all that has arrived, and asks for full frames. What is shown stays until they are here.
static void start_over(kin_session *session)
{
    forget(session);
    kin__waiting_release_all(session, &session->zone_events);
    kin__world_save_unreported(session->world, &session->state.shown); // it forgets which zones it has
    session->state.number = 0;
    session->newest_tick = 0;
    if (session->transport->is_shared) {
        listen_to(session, false);
        session->zone_count = 0;
        listen_to(session, true);
    }
    session->zone_count = 0;
    kin__replica_say_hello(session);
}

// The same, counted.
static void begin_again(kin_session *session)
{
    session->numbers.resyncs++;
    start_over(session);
}

// ---- which tick is next

static bool is_followed(const kin_session *session, int32_t zone)
{
    return !session->transport->is_shared || kin__zones_have(&session->wanted, zone);
}

// Returns a frame of which all parts have arrived, or NULL. Without a state a replica begins with the full frames that
// a shared transport keeps.
static kin__net_frame *find_frame(const kin_session *session, const kin__net_tick *tick, frame_key key)
{
    kin__net_frame *frame = session->frames;
    key.number = tick->number;
    key.is_full = session->state.number == 0 && tick->base != 0 && !key.is_own;
    while (frame != NULL && !is_frame(frame, &key))
        frame = frame->next;
    return frame != NULL && frame->parts_here == frame->part_count ? frame : NULL;
}

// Returns whether a tick has frames of what this peer alone gets.
static bool expects_own(const kin_session *session, const kin__net_tick *tick)
{
    return session->has_owned && tick->is_known;
}

// Returns whether the replica has what it alone gets of a zone.
static bool has_own(const kin_session *session, int32_t zone, bool has_no_zone)
{
    kin_view view = {.zone = zone, .has_no_zone = has_no_zone, .is_owner = true, .peer = session->transport->peer};
    return session->state.number != 0 && kin_frame_number(session->state.shown, &view, NULL) != 0;
}

// Returns whether an own frame is against what the replica does not have: it begins with a full one.
static bool lacks_base(const kin_session *session, const kin__net_frame *frame)
{
    kin__bytes_in reader = kin__bytes_begin(frame->parts[0], frame->sizes[0]);
    kin__take_bytes(&reader, sizeof(int32_t)); // the zone
    kin__take_number(&reader);                 // the epoch
    kin__take_number(&reader);                 // the number
    return kin__take_number(&reader) != 0 && !has_own(session, frame->zone, frame->has_no_zone);
}

// On a shared transport a replica may begin with a state that was made before the host knew it. What it alone gets
// comes with later full frames.
static bool needs_own(const kin_session *session, const kin__net_tick *tick, const frame_key *key)
{
    return !session->transport->is_shared || (tick->base != 0 && has_own(session, key->zone, key->has_no_zone));
}

// Finds the frames of a zone, of all and own; appends them to a list, unless that is NULL. False if one is missing.
static bool find_frames(const kin_session *session, const kin__net_tick *tick, frame_key key,
                        const kin__net_frame **list, uint32_t *count)
{
    const kin__net_frame *frame = find_frame(session, tick, key);
    const kin__net_frame *own = NULL;
    if (expects_own(session, tick)) {
        key.is_own = true;
        own = find_frame(session, tick, key);
        if (own != NULL && session->transport->is_shared && lacks_base(session, own))
            own = NULL;
        else if (own == NULL && needs_own(session, tick, &key))
            return false;
    }
    if (frame == NULL)
        return false;
    if (list == NULL)
        return true;
    list[(*count)++] = frame;
    if (own != NULL)
        list[(*count)++] = own;
    return true;
}

// The same for all zones of the tick that are followed.
static bool find_all(const kin_session *session, const kin__net_tick *tick, const kin__net_frame **list,
                     uint32_t *count)
{
    if (tick->has_none && !find_frames(session, tick, (frame_key){.has_no_zone = true}, list, count))
        return false;
    for (uint32_t i = 0; i < tick->zone_count; i++)
        if (is_followed(session, tick->zones[i]) &&
            !find_frames(session, tick, (frame_key){.zone = tick->zones[i]}, list, count))
            return false;
    return true;
}

static bool is_complete(const kin_session *session, const kin__net_tick *tick)
{
    bool begins = session->state.number == 0 && session->transport->is_shared;
    bool is_next = begins || tick->base == session->state.number || tick->base == 0;
    bool is_begin = session->state.number == 0 || tick->base == 0;
    if (is_begin && !tick->has_hash)
        return false; // of what schema it is, is not known
    return is_next && !tick->is_bad && find_all(session, tick, NULL, NULL);
}

// Returns the newest tick that can be shown: those before it are of no use.
static kin__net_tick *next_tick(const kin_session *session)
{
    kin__net_tick *found = NULL;
    for (kin__net_tick *tick = session->ticks; tick != NULL; tick = tick->next)
        if (is_complete(session, tick))
            found = tick;
    return found;
}

// ---- applying

// The bytes of several frames, one after the other.
typedef struct frames_source {
    const kin__net_frame *const *frames;
    uint32_t count, frame, part;
    size_t at;
} frames_source;

static size_t part_size(const kin__net_frame *frame, uint32_t part)
{
    return part + 1 == frame->part_count ? frame->last_size : frame->sizes[part];
}

static size_t read_frames(void *bytes, size_t size, void *user)
{
    frames_source *source = user;
    size_t done = 0;
    while (done < size && source->frame < source->count) {
        const kin__net_frame *frame = source->frames[source->frame];
        size_t left = part_size(frame, source->part) - source->at;
        size_t piece = left < size - done ? left : size - done;
        memcpy((char *)bytes + done, frame->parts[source->part] + source->at, piece);
        done += piece;
        source->at += piece;
        if (source->at < part_size(frame, source->part))
            continue;
        source->at = 0;
        if (++source->part == frame->part_count) {
            source->part = 0;
            source->frame++;
        }
    }
    return done;
}

static bool has_zone(const kin__net_tick *tick, int32_t zone)
{
    for (uint32_t i = 0; i < tick->zone_count; i++)
        if (tick->zones[i] == zone)
            return true;
    return false;
}

// Takes the zones out of the state that a tick with full frames does not list.
static kin_status drop_zones(kin_session *session, const kin__net_tick *tick)
{
    kin__net_zone *zones = session->zones.elements;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < session->zone_count; i++) {
        kin_view view = {.zone = zones[i].zone};
        if (has_zone(tick, zones[i].zone) && is_followed(session, zones[i].zone)) {
            zones[kept++] = zones[i];
            continue;
        }
        kin_status status = kin_frame_drop(session->state.shown, &view);
        if (status != KIN_OK)
            return status;
    }
    session->zone_count = kept;
    if (tick->has_none)
        return KIN_OK;
    return kin_frame_drop(session->state.shown, &(kin_view){.has_no_zone = true});
}

static bool keep_zones(kin_session *session, const kin__net_tick *tick)
{
    for (uint32_t i = 0; i < tick->zone_count; i++)
        if (is_followed(session, tick->zones[i]) && kin__session_zone(session, tick->zones[i], tick->number) == NULL)
            return false;
    return true;
}

// Keeps the bytes of frames for a tool that asks what they are for, and has asked not long ago.
static void keep_bytes(kin_session *session, frames_source source)
{
    kin__bytes_out *made = &session->made;
    made->size = 0;
    if (session->looked_at == 0 || kin__clock_read() - session->looked_at > KIN__NET_LOOKED)
        return;
    if (session->other != NULL)
        return; // it could not read them
    for (uint32_t i = 0; i < source.count; i++)
        for (uint32_t part = 0; part < source.frames[i]->part_count; part++)
            kin__put_bytes(made, source.frames[i]->parts[part], part_size(source.frames[i], part));
}

static kin_status apply_frames(kin_session *session, const kin__net_tick *tick)
{
    kin__array list = {0};
    frames_source source = {0};
    kin_status status = KIN_OK;
    const kin__shape_map *map = session->other == NULL ? NULL : session->other->map;
    if (!kin__array_reserve_pointers(session->memory, &list, 2 * tick->zone_count + 2))
        return KIN_ERROR_NO_MEMORY;
    if (session->state.number == 0 || tick->base == 0)
        status = drop_zones(session, tick);
    find_all(session, tick, list.elements, &source.count);
    source.frames = list.elements;
    keep_bytes(session, source);
    if (status == KIN_OK && source.count > 0)
        status = kin__frames_apply(&session->state.shown, (kin_source){read_frames, NULL, &source}, map);
    if (status == KIN_OK && !keep_zones(session, tick))
        status = KIN_ERROR_NO_MEMORY;
    kin__array_release(session->memory, &list, sizeof(void *));
    return status;
}

static void note_time(kin_session *session, uint64_t arrived)
{
    uint64_t spent = (kin__clock_read() - arrived) / 1000;
    session->numbers.applied_us = spent;
    session->times[session->time_count++ % KIN__NET_TIMES] = spent > UINT32_MAX ? UINT32_MAX : (uint32_t)spent;
}

// Moves the events of one frame to those for the inboxes, and releases what was published before.
static void move_events(kin_session *session, kin__net_list *from, uint64_t number)
{
    kin__net_waiting **link = &from->first;
    while (*link != NULL) {
        kin__net_waiting *event = *link;
        if (event->frame > number) {
            link = &event->next;
            continue;
        }
        *link = event->next;
        from->count--;
        bool is_new = event->frame == number && number > session->events_to;
        event->number = session->next_event++;
        if (!is_new || !kin__waiting_insert(&session->events, event))
            kin__waiting_release(session, event);
    }
}

static void keep_events(kin_session *session, kin__net_tick *tick)
{
    move_events(session, &tick->events, tick->number);
    move_events(session, &session->zone_events, tick->number);
    if (tick->number > session->events_to)
        session->events_to = tick->number;
}

static void drop_taken(kin_session *session, const kin__net_tick *tick)
{
    while (session->own.first != NULL && session->own.first->number <= tick->taken) {
        kin__net_waiting *own = kin__waiting_take(&session->own);
        if (tick->number > own->frame && session->lead < KIN__NET_LEAD)
            session->lead += tick->number - own->frame < KIN__NET_LEAD ? tick->number - own->frame : KIN__NET_LEAD;
        kin__waiting_release(session, own);
    }
}

// Applies a tick to the state. Returns false, and begins again, if it does not fit.
static bool apply(kin_session *session, kin__net_tick *tick)
{
    kin_status status = apply_frames(session, tick);
    if (status == KIN_ERROR_DIFFERS)
        session->numbers.wrong_hashes++;
    if (status != KIN_OK) {
        kin__session_count_refused(session, KIN_REFUSED_BASE);
        begin_again(session);
        return false;
    }
    session->state.before_time = session->state.time;
    session->state.number = session->numbers.frame = tick->number;
    session->state.time = tick->time;
    session->state.shown_at = kin__clock_read();
    session->numbers.behind = 0;
    note_time(session, tick->arrived);
    keep_events(session, tick);
    drop_taken(session, tick);
    remove_frames(session, tick->number);
    remove_ticks(session, session->state.number);
    return true;
}

// ---- showing

void kin__replica_show(kin_session *session, bool is_predicted)
{
    kin__world *world = session->world;
    for (uint32_t i = 0; i < world->info->context_count; i++) {
        kin_context *context = world->contexts[i];
        if (context->core->replicated == NULL)
            continue;
        if (context->core->is_sealed)
            kin__context_seal(context, false);
        const kin_snapshot *snapshot = is_predicted ? session->outcomes[i] : session->state.shown;
        kin__context_restore(context, snapshot, KIN_RESTORE_NOTIFY);
        if (!kin__context_is_in_use(context))
            kin__context_seal(context, true);
    }
}

void kin__replica_remember(kin_session *session, kin_context *const *contexts)
{
    for (uint32_t i = 0; i < session->world->info->context_count; i++) {
        kin_snapshot **pair = &session->history[2 * i];
        kin_snapshot *spare = pair[0];
        if (contexts[i]->core->replicated == NULL)
            continue;
        pair[0] = pair[1];
        pair[1] = spare;
        kin__context_save(contexts[i], &pair[1]);
    }
}

static void publish_events(kin_session *session)
{
    while (session->events.first != NULL) {
        kin__net_waiting *event = kin__waiting_take(&session->events);
        kin__world_publish(session->world, event->message->number, event->value);
        kin__waiting_release(session, event);
    }
}

// The ticks of systems are those of the host: the update that follows has the number of the state.
static void set_clock(kin_session *session, double delta)
{
    kin_systems *root = session->world->root;
    if (session->state.number == 0)
        return;
    uint64_t shown = session->twin == NULL ? session->state.number : session->predicted_to;
    root->frame = shown - 1;
    root->time = session->state.time + (double)(shown - session->state.number) * delta - delta;
}

// Another number of the transport is that of another host, whose frames may have smaller numbers.
static void notice_host(kin_session *session)
{
    uint32_t before = session->peer;
    if (session->transport->peer == before)
        return;
    session->peer = session->transport->peer;
    if (before == 0) {
        session->hello_at = 0; // what was said before may be lost
        return;
    }
    begin_again(session);
    kin__waiting_release_all(session, &session->own);
    session->numbers.epoch = 0;
    session->host_hash = 0;
    session->numbers.behind = session->events_to = 0;
}

// A host that has said nothing for a while, in updates and by the clock, may have dropped this replica.
static bool is_forgotten(kin_session *session)
{
    if (session->transport->is_shared || session->state.number == 0)
        return false;
    if (session->quiet++ == 0)
        session->hello_at = kin__clock_read() + KIN__NET_SECOND;
    return session->quiet >= KIN__NET_SILENCE && kin__clock_read() >= session->hello_at;
}

// Asks for what is missing. On a shared transport a replica begins again, at most once a second.
static void ask(kin_session *session, bool is_new)
{
    bool is_shared = session->transport->is_shared;
    bool has_gap = session->ticks != NULL && session->state.number != 0;
    bool may_ask = kin__clock_read() >= session->hello_at;
    bool has_waited = session->hello_wait > 0 && --session->hello_wait == 0;
    bool is_full = session->frame_count > KIN__NET_GAP;
    if (session->is_joining) { // what it begins with is on its way
        session->hello_wait = KIN__NET_HELLO;
        session->hello_at = kin__clock_read() + KIN__NET_PATIENCE;
    }
    bool is_repeated = session->transport->repeats_full && session->lowest_part != UINT64_MAX;
    bool stays = has_waited && is_repeated && session->state.number == 0;
    has_waited = has_waited && !stays;
    if (stays) // it waits, and says so
        session->hello_wait = KIN__NET_HELLO;
    bool asks_anew = session->state.number == 0 && !session->is_joining && (may_ask || has_waited);
    bool is_lost = is_forgotten(session);
    if (!is_shared && (asks_anew || (has_gap && is_full)))
        forget(session); // what was lost does not arrive any more
    if (asks_anew || is_lost)
        kin__replica_say_hello(session);
    else if (!is_shared && (is_new || has_gap || session->is_joining || stays))
        acknowledge(session, has_gap);
    else if (is_shared && has_gap && may_ask)
        begin_again(session);
}

static bool apply_all(kin_session *session)
{
    bool is_new = false;
    for (kin__net_tick *tick = next_tick(session); tick != NULL; tick = next_tick(session))
        is_new = apply(session, tick) || is_new;
    return is_new;
}

void kin__replica_before(kin_session *session, double delta)
{
    kin_arrival arrival;
    bool is_new = false;
    bool had_state = session->state.number != 0;
    if (!session->is_listening)
        session->is_listening = listen_to(session, true);
    session->is_joining = false;
    while (session->transport->next(session->transport, &arrival)) {
        session->quiet = 0;
        notice_host(session);
        take_arrival(session, &arrival);
        if (arrival.topic.kind == KIN_TOPIC_TICK) // so that a long history needs no room
            is_new = apply_all(session) || is_new;
    }
    notice_host(session);
    is_new = apply_all(session) || is_new;
    ask(session, is_new);
    if (session->has_owned && session->transport->is_shared && !had_state && session->state.number != 0)
        kin__replica_say_hello(session); // what it alone gets is not kept: the host sends it in full once more
    session->numbers.queue_frames = session->ticks == NULL ? 0 : session->numbers.behind;
    if (session->state.number != 0 && session->twin != NULL) {
        kin__twin_predict(session, delta, is_new);
    } else if (is_new) {
        kin__replica_show(session, false);
        kin__replica_remember(session, session->world->contexts);
    }
    publish_events(session);
    set_clock(session, delta);
}

void kin__replica_after(kin_session *session)
{
    (void)session;
}

// ---- messages to the host

kin_status kin__replica_send(kin_session *session, const kin__net_message *message, const void *value)
{
    static const char what[] = "send a message to the host";
    KIN_ASSERT(message != NULL && message->is_from_replica);
    kin__bytes_out *writer = kin__session_begin(session, 'M');
    kin__put_number(writer, message->number);
    kin__put_number(writer, session->next_message + 1);
    kin__put_number(writer, session->state.number);
    kin__net_message_write(writer, message, value);
    kin__net_waiting *own = session->own.count < KIN__NET_WAITING ? kin__waiting_make(session, message) : NULL;
    if (writer->has_failed || own == NULL) {
        bool is_full = session->own.count == KIN__NET_WAITING;
        if (own != NULL)
            kin__waiting_release(session, own);
        return kin__session_refuse(session, is_full ? KIN_ERROR_LIMIT : KIN_ERROR_NO_MEMORY, what,
                                   is_full ? "1024 messages wait for the host; send fewer" : NULL);
    }
    if (!kin__session_send(session, (kin_topic){.kind = KIN_TOPIC_IN, .peer = session->transport->peer}, 0, writer)) {
        bool is_too_large = writer->size > session->transport->most;
        kin__waiting_release(session, own);
        return kin__session_refuse(session, KIN_ERROR_LIMIT, what,
                                   is_too_large ? "it is larger than what the transport carries at once; send less"
                                                : "the transport has no room; send it again later");
    }
    own->number = ++session->next_message;
    own->frame = session->predicted_to + 1;
    if (message->size > 0)
        memcpy(own->value, value, message->size);
    if (message->peer != KIN__NET_NO_OFFSET)
        memcpy((char *)own->value + message->peer, &session->transport->peer, sizeof session->transport->peer);
    kin__waiting_insert(&session->own, own);
    return KIN_OK;
}

// ---- beginning and ending

static void seal_all(kin_session *session, bool on)
{
    for (uint32_t i = 0; i < session->world->info->context_count; i++) {
        kin_context *context = session->world->contexts[i];
        if (context->core->replicated != NULL && context->core->is_sealed != on)
            kin__context_seal(context, on);
    }
}

bool kin__replica_begin(kin_session *session)
{
    uint32_t count = session->world->info->context_count;
    session->wanted.sees_all = true;
    session->lead = 1;
    session->lowest_part = UINT64_MAX;
    session->peer = session->transport->peer;
    session->history = kin__allocate_zero(session->memory, 2 * count * sizeof *session->history);
    session->outcomes = kin__allocate_zero(session->memory, count * sizeof *session->outcomes);
    if (session->history == NULL || session->outcomes == NULL ||
        kin__world_save_unreported(session->world, &session->state.shown) == KIN_ERROR_NO_MEMORY)
        return false;
    if (session->options.predicts && !kin__twin_begin(session))
        return false;
    // On a shared transport the program may say before the first update what it wants to see: it may not see all.
    session->is_listening = !session->transport->is_shared && listen_to(session, true);
    if (session->is_listening == session->transport->is_shared || !kin__replica_say_hello(session))
        return false;
    seal_all(session, true);
    return true;
}

void kin__replica_end(kin_session *session)
{
    uint32_t count = session->world->info->context_count;
    listen_to(session, false);
    seal_all(session, false);
    kin__twin_end(session);
    remove_frames(session, UINT64_MAX);
    remove_ticks(session, UINT64_MAX);
    kin__waiting_release_all(session, &session->events);
    kin__waiting_release_all(session, &session->zone_events);
    kin__waiting_release_all(session, &session->own);
    kin__zones_release(session, &session->wanted);
    kin__pieces_release(session, &session->pieces);
    kin__other_release(session, session->other);
    kin__array_release(session->memory, &session->zones, sizeof(kin__net_zone));
    kin_snapshot_destroy(session->state.shown);
    for (uint32_t i = 0; session->history != NULL && i < 2 * count; i++)
        kin_snapshot_destroy(session->history[i]);
    for (uint32_t i = 0; session->outcomes != NULL && i < count; i++)
        kin_snapshot_destroy(session->outcomes[i]);
    kin__release(session->memory, session->history, 2 * count * sizeof *session->history);
    kin__release(session->memory, session->outcomes, count * sizeof *session->outcomes);
}

// ---- for the program

kin_status kin_session_see(kin_session *session, const kin_zone *zones, uint32_t count)
{
    static const char what[] = "see zones";
    if (session == NULL)
        return KIN_ERROR_INVALID;
    if (session->is_host || (zones == NULL && count > 0))
        return kin__session_refuse(session, KIN_ERROR_INVALID, what,
                                   "only a replica does, and the zones must not be NULL");
    if (session->is_listening)
        listen_to(session, false);
    bool is_set = kin__zones_set(session, &session->wanted, zones, count, false);
    if (session->is_listening)
        listen_to(session, true);
    if (!is_set)
        return kin__session_refuse(session, KIN_ERROR_NO_MEMORY, what, NULL);
    if (session->is_listening)
        begin_again(session);
    else
        kin__replica_say_hello(session);
    return KIN_OK;
}
