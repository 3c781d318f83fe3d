// Histories: hosts send their recordings, which standbys play while they are made.
//
//   update ──▶ recorder ──▶ bytes of the update ──▶ RECORD, in parts
//
// A recording is sent as chapters: each is a recording by itself, with a state at its beginning. A new one begins after
// an update, so that who has played the one before has that state already.
#include "session/session.h"

enum {
    LEVEL = 3,       // of zstd
    RECORD_HEAD = 48 // bytes of the head of a RECORD, at most
};

typedef struct kin__net_recording {
    kin__recorder *recorder; // NULL: none, until `begins_at`
    kin__bytes_out bytes;    // of this update
    bool is_deaf;            // what is written is not sent
    uint32_t epoch;
    uint64_t serial;    // of the next RECORD of this epoch
    uint64_t begins_at; // by the clock: when the next chapter is due
} kin__net_recording;

static bool gather(const void *bytes, size_t size, void *user)
{
    kin__net_recording *recording = user;
    if (!recording->is_deaf)
        kin__put_bytes(&recording->bytes, bytes, size);
    return true; // what is missing is found out when it is sent
}

// ---- sending

static bool send_part(kin_session *session, uint8_t flags, const unsigned char *bytes, size_t size)
{
    kin__net_recording *recording = session->recording;
    kin__bytes_out *writer = kin__session_begin(session, 'R');
    kin_topic topic = {.kind = KIN_TOPIC_RECORD, .epoch = recording->epoch};
    topic.is_key = (flags & KIN__RECORD_BEGINS) != 0;
    kin__put_number(writer, recording->epoch);
    kin__put_number(writer, recording->serial++);
    kin__put_8(writer, flags);
    kin__put_number(writer, session->world->root->frame);
    kin__put_bytes(writer, bytes, size);
    return kin__session_send(session, topic, 0, writer);
}

// Sends what the recorder has written. What cannot be sent is a gap, which the next chapter ends.
static void send_all(kin_session *session, uint8_t flags)
{
    kin__net_recording *recording = session->recording;
    size_t most = session->transport->most - RECORD_HEAD;
    bool is_sent = !recording->bytes.has_failed;
    size_t at = 0;
    do {
        size_t left = recording->bytes.size - at;
        size_t size = left < most ? left : most;
        uint8_t last = size == left ? KIN__RECORD_ENDS_UPDATE : 0;
        is_sent = send_part(session, flags | last, recording->bytes.at + at, size) && is_sent;
        at += size;
        flags = 0;
    } while (at < recording->bytes.size && is_sent);
    if (!is_sent)
        recording->serial++; // also if it was the memory that was missing
    recording->bytes.size = 0;
    recording->bytes.has_failed = false;
}

// ---- chapters

static void end_chapter(kin__net_recording *recording)
{
    if (recording->recorder == NULL)
        return;
    recording->is_deaf = true; // what zstd adds at the end is of no use
    kin__recorder_end(recording->recorder);
    recording->is_deaf = false;
    recording->recorder = NULL;
}

// Begins a chapter. If that fails, which is reported, the next one is tried when it is due.
static void begin_chapter(kin_session *session, uint64_t now)
{
    static const kin_record_options options = {.level = LEVEL};
    kin__net_recording *recording = session->recording;
    end_chapter(recording);
    recording->bytes.size = 0;
    recording->begins_at = now + KIN__NET_CHAPTER * session->options.full_every_ms * (KIN__NET_SECOND / 1000);
    recording->recorder = kin__recorder_begin(session->world, (kin_sink){gather, recording}, &options);
    if (recording->recorder != NULL)
        send_all(session, KIN__RECORD_BEGINS);
}

void kin__history_before(kin_session *session, double delta)
{
    kin__net_recording *recording = session->recording;
    if (recording == NULL)
        return;
    bool is_host = session->numbers.role == KIN_HOST;
    if (!is_host || recording->epoch != session->numbers.epoch) {
        end_chapter(recording);
        recording->epoch = session->numbers.epoch;
        recording->serial = recording->begins_at = 0;
    }
    if (is_host && recording->recorder == NULL) {
        uint64_t now = kin__clock_read();
        if (now >= recording->begins_at)
            begin_chapter(session, now);
    }
    if (recording->recorder != NULL)
        kin__recorder_before(recording->recorder, delta);
}

void kin__history_after(kin_session *session)
{
    kin__net_recording *recording = session->recording;
    if (recording == NULL || recording->recorder == NULL)
        return;
    if (!kin__recorder_after(recording->recorder)) {
        recording->recorder = NULL;
        return;
    }
    send_all(session, 0);
    uint64_t now = kin__clock_read();
    if (now >= recording->begins_at)
        begin_chapter(session, now);
}

// ---- beginning and ending

bool kin__history_begin(kin_session *session)
{
    session->recording = kin__allocate_zero(session->memory, sizeof *session->recording);
    if (session->recording == NULL)
        return false;
    session->recording->bytes.memory = kin__memory_part(session->memory);
    return true;
}

void kin__history_end(kin_session *session)
{
    kin__net_recording *recording = session->recording;
    if (recording == NULL)
        return;
    bool is_sending = recording->recorder != NULL && session->numbers.role == KIN_HOST;
    end_chapter(recording);
    if (is_sending)
        send_part(session, KIN__RECORD_IS_LAST, NULL, 0);
    kin__bytes_out_release(&recording->bytes);
    kin__release(session->memory, recording, sizeof *recording);
    session->recording = NULL;
}
