// A recording from the stream: the chapters of one host, from the first that the broker has kept, as one file.
#include "command/command.h"

#include "file/file.h"
#include "frame/frame.h"
#include "session/session.h"

#include <kin/generated/replay.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { REST_MS = 5, LOOK_MS = 1000, HINT_MS = 10000, LEVEL = 3 };

volatile sig_atomic_t command_is_asked_to_end;

typedef struct recording {
    const arguments *arguments;
    world world;
    kin_transport *transport;
    kin__fault fault;
    kin__file file;
    kin__chapters *chapters;
    bool is_open;          // the file is
    uint64_t next;         // the serial that comes next; 0: a chapter must begin first
    uint64_t first, count; // the frame after which it begins, and how many it has
    kin__bytes_out parts;  // of an update that is not whole
    bool begins;           // a chapter begins with them
    bool is_over;
} recording;

static uint64_t now_ms(void)
{
    return kin__broker_clock() / 1000000;
}

// ---- writing

static bool open_file(recording *recording)
{
    recording->is_open = kin__file_begin(&recording->file, recording->arguments->file, &recording->fault);
    if (recording->is_open)
        recording->chapters = kin__chapters_create(kin__file_sink(&recording->file), LEVEL);
    if (recording->is_open && recording->chapters == NULL)
        kin__fault_note(&recording->fault, KIN_ERROR_NO_MEMORY, "out of memory");
    return recording->chapters != NULL;
}

// Closes the file. If nothing is in it, or it could not be written, what was there stays.
static bool close_file(recording *recording)
{
    const world *world = &recording->world;
    bool is_whole = kin__chapters_destroy(recording->chapters);
    if (recording->is_open && !is_whole)
        kin__fault_note(&recording->fault, KIN_ERROR_STREAM, "the last bytes could not be written");
    bool is_kept = recording->is_open && kin__file_end(&recording->file);
    if (recording->fault.status != KIN_OK)
        fprintf(stderr, "kin-net: cannot write '%s': %s\n", recording->arguments->file, recording->fault.text);
    else if (!is_kept)
        fprintf(stderr, "kin-net: nothing was recorded: no key of the recording of '%s.%s' came\n", world->app,
                world->name);
    return is_kept;
}

static void take_update(recording *recording)
{
    bool is_ready = recording->is_open || open_file(recording);
    KIN_ASSERT(!is_ready || recording->chapters != NULL);
    if (is_ready && !kin__chapters_take(recording->chapters, recording->begins, recording->parts.at,
                                        recording->parts.size, &recording->count))
        kin__fault_note(&recording->fault, KIN_ERROR_CORRUPT, "%s", kin__chapters_fault(recording->chapters));
    recording->is_over = recording->is_over || recording->fault.status != KIN_OK;
    recording->parts.size = 0;
    recording->begins = false;
}

// ---- arrivals

// A part that is missing ends the recording: what follows does not continue it.
static bool is_next(recording *recording, uint64_t serial, bool begins)
{
    if (recording->next == 0)
        return begins;
    if (serial > recording->next) {
        fputs("kin-net: a part of the recording was lost; it ends there\n", stderr);
        recording->is_over = true;
    }
    return serial == recording->next;
}

static void take_arrival(recording *recording, const kin_arrival *arrival)
{
    kin__bytes_in reader = kin__bytes_begin(arrival->bytes, arrival->size);
    uint8_t kind = kin__take_8(&reader);
    uint64_t epoch = kin__take_number(&reader);
    uint64_t serial = kin__take_number(&reader);
    uint8_t flags = kin__take_8(&reader);
    uint64_t frame = kin__take_number(&reader);
    bool begins = (flags & KIN__RECORD_BEGINS) != 0;
    if (reader.fault != NULL || kind != 'R')
        return;
    if (epoch != recording->world.lease.epoch || !is_next(recording, serial, begins))
        return;
    if (recording->next == 0)
        recording->first = frame;
    KIN_ASSERT(recording->next == 0 || recording->next == serial);
    recording->next = serial + 1;
    recording->begins = recording->begins || begins;
    kin__put_bytes(&recording->parts, reader.at, kin__bytes_left(&reader));
    if (recording->parts.has_failed)
        recording->is_over = !kin__fault_note(&recording->fault, KIN_ERROR_NO_MEMORY, "out of memory");
    else if ((flags & KIN__RECORD_ENDS_UPDATE) != 0)
        take_update(recording);
    if ((flags & KIN__RECORD_IS_LAST) != 0) {
        fputs("kin-net: the host has given its lease away; the recording ends\n", stderr);
        recording->is_over = true;
    }
}

// Ends when another host has the lease.
static void look_at_host(recording *recording, const place *place)
{
    world now = recording->world;
    if (!world_look(place, &now) || !now.is_read)
        return;
    if (now.lease.epoch == recording->world.lease.epoch)
        return;
    fprintf(stderr, "kin-net: another host has the lease, epoch %" PRIu32 "; the recording ends\n", now.lease.epoch);
    recording->is_over = true;
}

static bool goes_on(const recording *recording, uint64_t ends)
{
    if (recording->is_over || command_is_asked_to_end)
        return false;
    return now_ms() < ends;
}

static void run(recording *recording, const place *place)
{
    uint64_t began = now_ms();
    uint64_t look_at = began + LOOK_MS;
    uint64_t hint_at = began + HINT_MS;
    uint64_t ends = UINT64_MAX;
    if (recording->arguments->seconds > 0)
        ends = began + recording->arguments->seconds * 1000ull;
    while (goes_on(recording, ends)) {
        kin_arrival arrival;
        while (!recording->is_over && recording->transport->next(recording->transport, &arrival))
            take_arrival(recording, &arrival);
        nanosleep(&(struct timespec){.tv_nsec = (long)REST_MS * 1000000}, NULL);
        if (!recording->is_over && now_ms() >= look_at) {
            look_at = now_ms() + LOOK_MS;
            look_at_host(recording, place);
        }
        if (recording->next != 0 || now_ms() < hint_at)
            continue;
        hint_at = UINT64_MAX; // once
        fputs("kin-net: nothing comes of a recording: does the host run, with keeps_history?\n", stderr);
    }
}

// ---- beginning

// Finds the one world that is meant.
static bool choose(const place *place, const kin_nats_options *options, world *chosen)
{
    worlds worlds = {0};
    if (!worlds_find(place, options, &worlds))
        return false;
    bool is_one = worlds.count == 1 && worlds.at[0].is_read;
    if (is_one)
        *chosen = worlds.at[0];
    else if (worlds.count == 0)
        fputs("kin-net: there is no such world at this broker; kin-net lists what there is\n", stderr);
    else if (worlds.count == 1)
        fputs("kin-net: the entry of this world is of another program\n", stderr);
    else
        fputs("kin-net: there are several worlds; name one with --app and --world\n", stderr);
    worlds_release(&worlds);
    return is_one;
}

int record_run(const place *place, const arguments *arguments)
{
    recording recording = {.arguments = arguments};
    if (!choose(place, &arguments->options, &recording.world))
        return STATUS_REFUSED;
    kin__memory memory = kin__memory_of((kin_allocator){0});
    recording.parts.memory = memory;
    kin_nats_options options = arguments->options;
    options.app = recording.world.app;
    options.world = recording.world.name;
    recording.transport = kin_nats_transport_create(&options);
    if (recording.transport == NULL)
        return STATUS_NO_BROKER;
    kin_topic topic = {.kind = KIN_TOPIC_RECORD, .epoch = recording.world.lease.epoch};
    if (recording.transport->listen(recording.transport, topic, true))
        run(&recording, place);
    recording.transport->end(recording.transport);
    kin__bytes_out_release(&recording.parts);
    if (!close_file(&recording))
        return STATUS_REFUSED;
    printf("%s: %" PRIu64 " frames of '%s.%s', epoch %" PRIu32 ", after frame %" PRIu64 "\n", arguments->file,
           recording.count, recording.world.app, recording.world.name, recording.world.lease.epoch, recording.first);
    return STATUS_DONE;
}
