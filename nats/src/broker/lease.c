// The lease of a world: an entry of a bucket, which its holder renews by compare-and-set.
//
//   "EPOCH NAME LASTS held"   of the holder NAME, for LASTS milliseconds from each renewal on
//   "EPOCH NAME LASTS free"   it was given away
//
// No clock is compared with that of another machine: the holder counts from before it asked, and who waits counts from
// when it saw the entry. The entry of a dead holder stays as it is; its revision has not changed for LASTS.
#include "broker/broker.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    LOOKS = 10, // while one waits, in the time of a lease
    RENEWALS = 3,
    DRAIN_SECONDS = 1,
    IDLE_MS = 1000,
    LONGEST_LOOK_MS = 250, // between two looks
    BUCKET_BYTES = 64,     // of an entry
    BUCKET_MOST = 1024,    // with its headers
    KEPT_BYTES = 256 << 20 // of frames, in the memory of the broker
};

static const uint64_t millisecond = 1000000;

typedef kin__lease_entry entry;

bool kin__lease_entry_read(const char *text, size_t size, kin__lease_entry *entry)
{
    char copy[BUCKET_BYTES + 1] = "";
    char state[8] = "";
    if (size > BUCKET_BYTES)
        return false;
    if (size > 0)
        memcpy(copy, text, size);
    int count =
        sscanf(copy, "%" SCNu32 " %16[0-9a-f] %" SCNu32 " %7s", &entry->epoch, entry->name, &entry->lasts_ms, state);
    entry->is_free = strcmp(state, "free") == 0;
    if (count != 4)
        return false;
    return entry->is_free || strcmp(state, "held") == 0;
}

// ---- the thread of the world

bool kin__broker_lease(kin_transport *transport, kin_lease *lease)
{
    kin__broker *broker = (kin__broker *)(void *)transport;
    kin__lease_state *state = &broker->lease;
    uint64_t now = kin__broker_clock();
    pthread_mutex_lock(&broker->mutex);
    uint64_t margin = state->lasts_ms * millisecond / LOOKS;
    if (lease->gives_up) {
        state->gives_up = state->gives_up || state->is_held;
        state->is_held = false;
        state->is_wanted = false;
    } else if (!state->is_wanted) {
        state->is_wanted = true;
        state->next_at = 0;
    }
    if (lease->lasts_ms != 0)
        state->lasts_ms = lease->lasts_ms;
    state->after_ms = lease->after_ms;
    if (lease->is_given_up && !state->is_held)
        state->next_at = 0;
    if (state->is_held && now + margin >= state->valid_until) {
        state->is_held = false; // what is sent now might meet that of another host
        state->next_at = 0;
    }
    lease->is_held = state->is_held;
    lease->epoch = state->epoch;
    lease->left_ms = 0;
    if (state->is_held) {
        assert(state->is_wanted && state->valid_until > now); // 3
        lease->left_ms = (state->valid_until - now) / millisecond;
    }
    if (state->next_at == 0 || state->gives_up)
        pthread_cond_broadcast(&broker->has_work);
    pthread_mutex_unlock(&broker->mutex);
    return true;
}

// ---- the bucket

static bool make_stream(kin__broker *broker)
{
    char name[64];
    enum { KINDS = 6 };
    char subjects[KINDS][64];
    const char *list[KINDS];
    static const char *const kinds[KINDS] = {"frame", "frame.*", "full", "full.*", "tick", "record.*"};
    jsStreamConfig config;
    jsErrCode code = 0;
    jsStreamConfig_Init(&config);
    snprintf(name, sizeof name, "KIN_%s", broker->app);
    for (uint32_t i = 0; i < KINDS; i++) {
        snprintf(subjects[i], sizeof subjects[i], "kin.%s.*.%s", broker->app, kinds[i]);
        list[i] = subjects[i];
    }
    config.Name = name;
    config.Subjects = list;
    config.SubjectsLen = KINDS;
    config.Storage = js_MemoryStorage;
    config.MaxAge = (int64_t)broker->options.keep_ms * (int64_t)millisecond;
    config.MaxBytes = KEPT_BYTES;
    config.NoAck = true;
    config.AllowDirect = true;
    natsStatus status = js_AddStream(NULL, broker->js, &config, NULL, &code);
    if (status == NATS_OK || code == JSStreamNameExistErr)
        return true;
    kin__broker_note(broker, KIN_ERROR_STREAM,
                     "cannot make the stream %s on the broker: %s; give the account of the host JetStream", name,
                     kin__broker_reason(status));
    return false;
}

// Opens the bucket, or makes it, unless another host was faster.
static bool open_bucket(kin__broker *broker, const char *name)
{
    kvConfig config;
    kvConfig_Init(&config);
    config.Bucket = name;
    config.History = 1;
    config.StorageType = js_FileStorage;
    config.MaxValueSize = BUCKET_MOST;
    if (js_KeyValue(&broker->bucket, broker->js, name) == NATS_OK)
        return true;
    if (js_CreateKeyValue(&broker->bucket, broker->js, &config) == NATS_OK)
        return true;
    return js_KeyValue(&broker->bucket, broker->js, name) == NATS_OK;
}

static bool make_bucket(kin__broker *broker)
{
    char name[64];
    snprintf(name, sizeof name, "kin_%s", broker->app);
    if (broker->bucket != NULL || open_bucket(broker, name))
        return true;
    kin__broker_note(broker, KIN_ERROR_STREAM,
                     "cannot make the bucket %s on the broker: %s; give the account of the host JetStream", name,
                     kin__broker_reason(NATS_ERR));
    return false;
}

// Returns false without an answer, or for an entry of another program, which is reported.
static bool look(kin__broker *broker, entry *found)
{
    kvEntry *entry = NULL;
    *found = (kin__lease_entry){0};
    natsStatus status = kvStore_Get(&entry, broker->bucket, broker->world);
    if (status == NATS_NOT_FOUND)
        return true;
    if (status != NATS_OK)
        return false;
    int size = kvEntry_ValueLen(entry);
    bool is_read = size >= 0 && kin__lease_entry_read(kvEntry_Value(entry), (size_t)size, found);
    found->revision = kvEntry_Revision(entry);
    kvEntry_Destroy(entry);
    if (is_read)
        return true;
    kin__broker_note(broker, KIN_ERROR_CORRUPT,
                     "the entry of '%s' in the bucket kin_%s is of another program; delete it, or choose another name",
                     broker->world, broker->app);
    return false;
}

// Writes the own entry over that of a revision; 0: there is none. Returns the new revision; 0 if there is no answer or
// another one was faster.
static uint64_t write_entry(kin__broker *broker, uint32_t epoch, uint32_t lasts_ms, const char *state, uint64_t last)
{
    char text[BUCKET_BYTES];
    uint64_t revision = 0;
    natsStatus status;
    int size = snprintf(text, sizeof text, "%" PRIu32 " %s %" PRIu32 " %s", epoch, broker->name, lasts_ms, state);
    assert(size > 0 && (size_t)size < sizeof text && broker->bucket != NULL);
    if (last == 0)
        status = kvStore_Create(&revision, broker->bucket, broker->world, text, size);
    else
        status = kvStore_Update(&revision, broker->bucket, broker->world, text, size, last);
    if (status != NATS_OK)
        return 0;
    return revision;
}

// ---- steps of the worker

static void set_held(kin__broker *broker, uint32_t epoch, uint64_t revision, uint64_t asked_at)
{
    kin__lease_state *state = &broker->lease;
    assert(revision != 0);
    pthread_mutex_lock(&broker->mutex);
    state->is_held = state->is_wanted;
    state->gives_up = state->gives_up || !state->is_wanted; // the program gave up meanwhile
    state->epoch = epoch;
    state->revision = revision;
    state->valid_until = asked_at + state->lasts_ms * millisecond;
    pthread_mutex_unlock(&broker->mutex);
}

// Returns how long an entry must not change before the lease is taken.
static uint64_t wait_for_entry(const kin__broker *broker, const entry *found, const kin__lease_state *now)
{
    bool is_own = strcmp(found->name, broker->name) == 0;
    if (found->revision == 0 || found->is_free)
        return now->after_ms;
    if (is_own)
        return now->after_ms;
    uint64_t lasts_ms = found->lasts_ms;
    if (lasts_ms < now->lasts_ms)
        lasts_ms = now->lasts_ms;
    return lasts_ms + now->after_ms;
}

// Takes the lease if it is free, its holder is dead, or it is the own one; if asked to, after a while.
static void try_to_take(kin__broker *broker, const kin__lease_state *now)
{
    kin__lease_state *state = &broker->lease;
    entry found;
    uint64_t asked_at = kin__broker_clock();
    if (!look(broker, &found))
        return;
    if (!state->has_seen || found.revision != state->seen_revision) {
        state->has_seen = true;
        state->seen_revision = found.revision;
        state->seen_at = asked_at;
    }
    if (kin__broker_clock() - state->seen_at < wait_for_entry(broker, &found, now) * millisecond)
        return;
    asked_at = kin__broker_clock();
    uint64_t revision = write_entry(broker, found.epoch + 1, now->lasts_ms, "held", found.revision);
    if (revision != 0)
        set_held(broker, found.epoch + 1, revision, asked_at);
}

static bool is_held_here(const kin__broker *broker, const entry *found, uint32_t epoch)
{
    if (found->is_free || found->epoch != epoch)
        return false;
    return strcmp(found->name, broker->name) == 0;
}

static void lose(kin__broker *broker)
{
    pthread_mutex_lock(&broker->mutex);
    broker->lease.is_held = false;
    pthread_mutex_unlock(&broker->mutex);
}

// Renews the lease. An answer that was lost leaves an own entry of another revision.
static void renew(kin__broker *broker, const kin__lease_state *now)
{
    entry found;
    uint64_t asked_at = kin__broker_clock();
    uint64_t revision = write_entry(broker, now->epoch, now->lasts_ms, "held", now->revision);
    if (revision == 0 && look(broker, &found)) {
        asked_at = kin__broker_clock();
        if (is_held_here(broker, &found, now->epoch))
            revision = write_entry(broker, now->epoch, now->lasts_ms, "held", found.revision);
        else
            lose(broker); // another host has it
    }
    pthread_mutex_lock(&broker->mutex);
    bool is_still_held = broker->lease.is_held;
    pthread_mutex_unlock(&broker->mutex);
    if (revision != 0 && is_still_held)
        set_held(broker, now->epoch, revision, asked_at);
}

// Waits until all that the host has sent has left, at most a while: a standby goes on from there.
static void drain(kin__broker *broker)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += DRAIN_SECONDS;
    pthread_mutex_lock(&broker->mutex);
    broker->is_draining = true;
    while (broker->out.first != NULL || broker->is_publishing)
        if (pthread_cond_timedwait(&broker->has_work, &broker->mutex, &until) != 0)
            break;
    broker->is_draining = false;
    pthread_mutex_unlock(&broker->mutex);
}

static bool prepare(kin__broker *broker)
{
    pthread_mutex_lock(&broker->mutex);
    bool is_ready = broker->lease.is_ready && !broker->is_reconnected;
    broker->is_reconnected = false;
    pthread_mutex_unlock(&broker->mutex);
    if (is_ready)
        return true;
    is_ready = make_stream(broker) && make_bucket(broker);
    pthread_mutex_lock(&broker->mutex);
    broker->lease.is_ready = is_ready;
    pthread_mutex_unlock(&broker->mutex);
    return is_ready;
}

uint64_t kin__broker_keep_lease(kin__broker *broker)
{
    pthread_mutex_lock(&broker->mutex);
    kin__lease_state now = broker->lease;
    broker->lease.gives_up = false;
    pthread_mutex_unlock(&broker->mutex);
    bool is_connected = kin__broker_is_connected(broker);
    bool can_write = is_connected && now.is_ready;
    if (now.gives_up && can_write) {
        drain(broker);
        write_entry(broker, now.epoch, now.lasts_ms, "free", now.revision);
    }
    if (!now.is_wanted)
        return kin__broker_clock() + IDLE_MS * millisecond;
    if (is_connected && prepare(broker)) {
        if (now.is_held)
            renew(broker, &now);
        else
            try_to_take(broker, &now);
    }
    pthread_mutex_lock(&broker->mutex);
    bool is_held = broker->lease.is_held;
    uint32_t wait_ms = now.lasts_ms / (is_held ? RENEWALS : LOOKS);
    if (!is_held && wait_ms > LONGEST_LOOK_MS)
        wait_ms = LONGEST_LOOK_MS;
    pthread_mutex_unlock(&broker->mutex);
    return kin__broker_clock() + wait_ms * millisecond;
}
