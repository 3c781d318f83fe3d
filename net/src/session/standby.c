// Standbys: they play the recording of a host while it is made, and become the host when its lease ends.
//
//   RECORD ──▶ parts of an update ──▶ chapters ──▶ bytes that the player has not read ──▶ player ──▶ world
//
// Only whole updates are given to the player, so that it never asks for bytes that are not there yet.
//
// Invariants:
//   1. the world is in the state of the host after update `numbers.frame`, with the same hash, if `is_ready`
//   2. `next` is the serial of the next RECORD of `numbers.epoch`; 0: a chapter must begin first
//   3. a standby that is not ready takes the lease only after it was free for two leases
#include "session/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char verb[] = "stand by for the host";

typedef struct kin__net_standby {
    const kin__migrations *migrations;
    kin__chapters *chapters;
    kin_player *player;   // NULL: the world has no state of the host
    kin__bytes_out parts; // of an update that is not whole
    bool begins;          // a chapter begins with these
    kin__bytes_out bytes; // that the player has not read, from `at` on
    size_t at;
    uint64_t next;
    uint64_t frames;   // that the player has not played
    uint64_t known;    // the last frame of the host that one knows of
    bool is_playing;   // the player updates the world
    bool asks_at_once; // it asked for the lease as one that is ready
    bool is_granted;   // it had the lease in the update before
    bool has_ended;    // the host gives the lease away, and has sent all
} kin__net_standby;

// ---- what the player reads

static bool append(const void *bytes, size_t size, void *user)
{
    kin__net_standby *standby = user;
    kin__put_bytes(&standby->bytes, bytes, size);
    return !standby->bytes.has_failed;
}

static size_t read_bytes(void *bytes, size_t size, void *user)
{
    kin__net_standby *standby = user;
    size_t left = standby->bytes.size - standby->at;
    size_t count = size < left ? size : left;
    if (count > 0)
        memcpy(bytes, standby->bytes.at + standby->at, count);
    standby->at += count;
    if (standby->at == standby->bytes.size)
        standby->at = standby->bytes.size = 0;
    return count;
}

// ---- joining and leaving

// Forgets the recording. The world stays as it is.
static void leave(kin_session *session)
{
    kin__net_standby *standby = session->standby;
    kin_player_destroy(standby->player);
    kin__chapters_destroy(standby->chapters);
    standby->player = NULL;
    standby->chapters = NULL;
    standby->parts.size = standby->bytes.size = standby->at = 0;
    standby->parts.has_failed = standby->bytes.has_failed = false;
    standby->next = standby->frames = 0;
    standby->has_ended = false;
    session->numbers.is_ready = false;
}

// The same, for a reason, which is reported; the next chapter is a new beginning.
static void leave_for(kin_session *session, kin_status status, const char *reason)
{
    char text[448];
    bool had_world = session->standby->player != NULL;
    snprintf(text, sizeof text, "%.390s; the next key of the recording is waited for", reason);
    leave(session);
    session->numbers.resyncs += had_world;
    kin__session_refuse(session, status, verb, text);
}

// ---- playing

// Returns whether the world is that of the host.
static bool check_divergence(kin_session *session)
{
    char text[448];
    const kin_divergence *divergence = kin_player_divergence(session->standby->player);
    if (divergence == NULL)
        return true;
    snprintf(text, sizeof text, "the world has become another one: %.390s", divergence->text);
    session->numbers.wrong_hashes++;
    leave_for(session, KIN_ERROR_DIFFERS, text);
    return false;
}

static bool step(kin_session *session)
{
    kin__net_standby *standby = session->standby;
    standby->is_playing = true;
    bool is_played = kin_player_step(standby->player);
    standby->is_playing = false;
    session->is_working = true; // the update of the player has ended
    if (is_played)
        standby->frames--;
    else
        leave_for(session, KIN_ERROR_STREAM, "a frame of the recording cannot be played");
    session->numbers.frame = session->world->root->frame;
    return is_played && check_divergence(session);
}

// Begins with the state at the beginning of a chapter. What cannot be read was reported by the player.
static bool begin_player(kin_session *session)
{
    kin__net_standby *standby = session->standby;
    standby->player = kin__player_create(session->world, (kin_source){read_bytes, NULL, standby}, standby->migrations);
    if (standby->player == NULL)
        leave_for(session, KIN_ERROR_STREAM, "it stands by in name only, as it cannot read the recording");
    session->numbers.frame = session->world->root->frame;
    return standby->player != NULL;
}

static void play(kin_session *session)
{
    kin__net_standby *standby = session->standby;
    if (standby->chapters == NULL || (standby->player == NULL && !begin_player(session)))
        return;
    while (standby->frames > 0)
        if (!step(session))
            return;
    session->numbers.is_ready = true;
}

// ---- arrivals

// Returns whether this is of the newest host that one knows of. A later one has another world.
static bool take_epoch(kin_session *session, uint64_t epoch)
{
    if (epoch < session->numbers.epoch || epoch > UINT32_MAX) {
        kin__session_count_refused(session, KIN_REFUSED_EPOCH);
        return false;
    }
    if (epoch > session->numbers.epoch) {
        session->numbers.resyncs += session->standby->player != NULL;
        leave(session);
        session->standby->known = 0;
    }
    session->numbers.epoch = (uint32_t)epoch;
    return true;
}

// Returns whether the part is the next one. After a gap only one that begins a chapter is.
static bool is_next(kin_session *session, uint64_t serial, bool begins)
{
    kin__net_standby *standby = session->standby;
    if (standby->next != 0 && serial < standby->next)
        return false; // it came twice
    if (standby->next != 0 && serial != standby->next) {
        session->numbers.resyncs++;
        leave(session);
    }
    if (standby->next != 0)
        return true;
    if (!begins)
        kin__session_count_refused(session, KIN_REFUSED_BASE);
    return begins;
}

// Gives a whole update to the chapters.
static void take_update(kin_session *session)
{
    kin__net_standby *standby = session->standby;
    if (standby->begins && standby->player == NULL) { // one begins here, and not with an older chapter
        kin__chapters_destroy(standby->chapters);
        standby->bytes.size = standby->at = standby->frames = 0;
        standby->chapters = kin__chapters_create((kin_sink){append, standby}, 0);
    }
    bool has_memory = standby->chapters != NULL && !standby->parts.has_failed;
    if (!has_memory)
        leave_for(session, KIN_ERROR_NO_MEMORY, "no memory for the recording");
    else if (!kin__chapters_take(standby->chapters, standby->begins, standby->parts.at, standby->parts.size,
                                 &standby->frames)) {
        char text[448];
        snprintf(text, sizeof text, "%.400s", kin__chapters_fault(standby->chapters));
        leave_for(session, KIN_ERROR_CORRUPT, text);
    }
    standby->parts.size = 0;
    standby->begins = false;
}

static void take_record(kin_session *session, kin__bytes_in *reader)
{
    kin__net_standby *standby = session->standby;
    uint64_t serial = kin__take_number(reader);
    uint8_t flags = kin__take_8(reader);
    uint64_t frame = kin__take_number(reader);
    if (reader->fault != NULL || flags > KIN__RECORD_FLAGS) {
        kin__session_count_refused(session, KIN_REFUSED_SYNTAX);
        return;
    }
    bool begins = (flags & KIN__RECORD_BEGINS) != 0;
    if (!is_next(session, serial, begins))
        return;
    standby->next = serial + 1;
    standby->has_ended = (flags & KIN__RECORD_IS_LAST) != 0;
    standby->known = frame > standby->known ? frame : standby->known;
    standby->begins = standby->begins || begins;
    kin__put_bytes(&standby->parts, reader->at, kin__bytes_left(reader));
    if ((flags & KIN__RECORD_ENDS_UPDATE) != 0)
        take_update(session);
}

static void take_arrival(kin_session *session, const kin_arrival *arrival)
{
    kin__bytes_in reader = kin__bytes_begin(arrival->bytes, arrival->size);
    uint8_t kind = kin__take_8(&reader);
    uint64_t epoch = kin__take_number(&reader);
    session->numbers.bytes_in += arrival->size;
    if (arrival->peer != 0) {
        kin__session_count_refused(session, KIN_REFUSED_PEER);
        return;
    }
    bool is_known = kind == 'R' || kind == 'T';
    if (reader.fault != NULL || !is_known) {
        kin__session_count_refused(session, KIN_REFUSED_SYNTAX);
        return;
    }
    if (!take_epoch(session, epoch))
        return;
    if (kind == 'R') {
        take_record(session, &reader);
        return;
    }
    uint64_t number = kin__take_number(&reader);
    if (reader.fault == NULL && number > session->standby->known)
        session->standby->known = number;
}

static void receive(kin_session *session)
{
    kin_arrival arrival;
    kin__net_standby *standby = session->standby;
    while (session->transport->next(session->transport, &arrival))
        take_arrival(session, &arrival);
    play(session);
    uint64_t frame = session->numbers.frame;
    session->numbers.behind = standby->known > frame && standby->player != NULL ? standby->known - frame : 0;
}

// ---- the lease

// Asks for the lease: at once with the host's world, else late. Returns whether the standby is to be the host.
static bool ask(kin_session *session)
{
    kin__net_standby *standby = session->standby;
    kin_transport *transport = session->transport;
    uint32_t lasts = session->options.lease_ms;
    bool is_ready = session->numbers.is_ready;
    kin_lease lease = {.lasts_ms = lasts, .after_ms = is_ready ? 0 : 2 * lasts, .is_given_up = standby->has_ended};
    if (standby->asks_at_once && !is_ready) // what it may have got meanwhile is not for it
        transport->lease(transport, &(kin_lease){.gives_up = true});
    standby->asks_at_once = is_ready;
    return transport->lease(transport, &lease) && lease.is_held;
}

static bool listen_to(const kin_session *session, bool on)
{
    kin_transport *transport = session->transport;
    bool is_heard = transport->listen(transport, (kin_topic){.kind = KIN_TOPIC_RECORD}, on);
    return transport->listen(transport, (kin_topic){.kind = KIN_TOPIC_TICK}, on) && is_heard;
}

// The world goes on from the last whole frame.
static void become_host(kin_session *session)
{
    kin_transport *transport = session->transport;
    uint64_t frame = session->numbers.frame;
    uint64_t known = session->standby->known;
    bool has_world = session->numbers.is_ready;
    session->numbers.taken_over = has_world ? frame : 0;
    session->numbers.lost = has_world && known > frame ? known - frame : 0;
    kin__standby_end(session);
    transport->listen(transport, (kin_topic){.kind = KIN_TOPIC_IN}, true);
}

void kin__standby_before(kin_session *session)
{
    if (session->standby->is_playing) {
        session->tracker.skips_update = false;
        return;
    }
    receive(session);
    bool is_granted = ask(session);
    bool was_granted = session->standby->is_granted;
    session->standby->is_granted = is_granted;
    if (is_granted && was_granted) // what the host had sent before the lease ended has come meanwhile
        become_host(session);
    session->tracker.skips_update = session->standby != NULL;
}

// What was published for replicas was sent by the host.
void kin__standby_after(kin_session *session)
{
    for (uint32_t i = 0; session->published != NULL && i < session->info->message_count; i++)
        while (session->published[i].count > 0)
            kin__inbox_drop(&session->published[i]);
}

// ---- beginning and ending

bool kin__standby_begin(kin_session *session, const kin__migrations *migrations)
{
    session->standby = kin__allocate_zero(session->memory, sizeof *session->standby);
    if (session->standby == NULL)
        return false;
    session->standby->migrations = migrations;
    session->standby->parts.memory = kin__memory_part(session->memory);
    session->standby->bytes.memory = kin__memory_part(session->memory);
    return listen_to(session, true);
}

void kin__standby_end(kin_session *session)
{
    kin__net_standby *standby = session->standby;
    if (standby == NULL)
        return;
    listen_to(session, false);
    leave(session);
    kin__bytes_out_release(&standby->parts);
    kin__bytes_out_release(&standby->bytes);
    kin__release(session->memory, standby, sizeof *standby);
    session->standby = NULL;
    session->numbers.behind = 0;
}
