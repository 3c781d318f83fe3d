#include "recording/recording.h"

#include "world/world.h"
#include "writing/writing.h"

#include <kin/generated/replay.h>

#include <inttypes.h>
#include <stdio.h>

// Recorders: they save a world before and after each update, and write what differs.
//
//   ended   after the update before, or at the beginning     ─┐ the first parts of a frame
//   begun   before the update                                ─┘ ─┐ hashes and states
//   after   after the update                                    ─┘
//
// Everything is written after the update. A fault ends the recording, and is reported once. A recorder is a tracker of
// its world, or another library drives it.

enum { DEFAULT_KEYS = 600, DEFAULT_LEVEL = 3, MOST_LEVEL = 22 };

static const char verb[] = "record the world";

struct kin__recorder {
    kin__tracker tracker; // first
    kin__world *world;
    kin__fault fault;
    kin__output output;
    kin__block_writer writer;
    kin__written_parts parts;
    kin__recorded_frame frame;
    uint32_t key_interval, frames_to_key;
    kin_entity held; // a dead entity that is held from outside, to be reported, or 0
    bool is_held_reported;
};

typedef struct kin__recorder recorder;

// ---- slots that are held from outside

// Returns a dead entity that an owner or a collector outside of the world holds, or 0.
static kin_entity find_held(const kin_context *context, const kin__context_snapshot *part)
{
    const kin__saved_owner *owners = part->owners.at;
    for (uint32_t i = 0; i < kin__part_owner_count(part); i++)
        if (kin__chunk_of(context, owners[i].entity) == NULL)
            return owners[i].entity;
    if (!part->counts.is_held_outside)
        return 0;
    return kin__held_from_outside(context);
}

static kin_entity find_held_of_world(const kin__world *world, const kin_snapshot *snapshot)
{
    kin_entity held = 0;
    kin__systems_set_scope(world->root, true);
    for (uint32_t i = 0; i < world->info->context_count && held == 0; i++)
        if (kin__context_is_saved(world->contexts[i]))
            held = find_held(world->contexts[i], kin__snapshot_part(snapshot, world->contexts[i]->info));
    kin__systems_set_scope(world->root, false);
    return held;
}

static kin_status report_held(const kin__world *world, kin_entity held, const char *what)
{
    char reason[256];
    snprintf(reason, sizeof reason,
             "%s: slot %" PRIu32 " of a destroyed entity is held by an owner, or by a collector that is not the "
             "world's; release it first",
             what, kin_entity_slot(held));
    return kin__world_refuse(world, KIN_ERROR_RETAINED, verb, reason);
}

// ---- saving

// Saves one of the moments, and looks for slots that are held.
static void save(recorder *recorder, kin_snapshot **snapshot)
{
    kin__world *world = recorder->world;
    if (recorder->fault.status != KIN_OK)
        return;
    if (!kin__world_can_save(world)) {
        kin__fault_note(&recorder->fault, KIN_ERROR_INVALID,
                        "it ends, as the world was updated inside a listener; update it after the call returns");
        return;
    }
    if (kin__world_save_unreported(world, snapshot) == KIN_ERROR_NO_MEMORY)
        kin__fault_note(&recorder->fault, KIN_ERROR_NO_MEMORY, "no memory for a snapshot; free some and begin again");
    else if (!recorder->is_held_reported && recorder->held == 0)
        recorder->held = find_held_of_world(world, *snapshot);
}

// Releases a recorder that is not linked any more, and reports its fault.
static kin_status end(recorder *recorder)
{
    kin__world *world = recorder->world;
    kin__systems_pin(world->root); // the sink cannot destroy the world
    kin__output_end(&recorder->output);
    kin__systems_unpin(world->root);
    recorder->output = (kin__output){.fault = &recorder->fault};
    kin__fault fault = recorder->fault;
    kin__memory *memory = &recorder->world->memory;
    kin__output_end(&recorder->output);
    kin__block_writer_end(&recorder->writer);
    kin__written_parts_release(&recorder->parts);
    kin_snapshot_destroy(recorder->frame.ended);
    kin_snapshot_destroy(recorder->frame.begun);
    kin_snapshot_destroy(recorder->frame.after);
    kin__release(memory, recorder, sizeof *recorder);
    if (fault.status == KIN_OK)
        return KIN_OK;
    return kin__world_refuse(world, fault.status, verb, fault.text);
}

// ---- frames

void kin__recorder_before(kin__recorder *recorder, double delta)
{
    recorder->frame.delta = delta;
    recorder->frame.number = recorder->world->root->frame;
    save(recorder, &recorder->frame.begun);
}

static void before_update(kin__tracker *tracker, double delta)
{
    recorder *recorder = (void *)tracker;
    KIN_ASSERT(recorder->world->recorder == tracker);
    kin__recorder_before(recorder, delta);
}

static void write_frame(recorder *recorder)
{
    kin__block_writer *writer = &recorder->writer;
    KIN_ASSERT(recorder->fault.status == KIN_OK);
    KIN_ASSERT(recorder->key_interval == 0 || recorder->frames_to_key > 0);
    kin__frame_write(writer, &recorder->frame, &recorder->parts);
    if (recorder->key_interval > 0 && --recorder->frames_to_key == 0) {
        recorder->frames_to_key = recorder->key_interval;
        kin__key_write(writer, recorder->frame.after, &recorder->parts);
    }
    kin__output_flush(&recorder->output);
    kin_snapshot *former = recorder->frame.ended;
    recorder->frame.ended = recorder->frame.after;
    recorder->frame.after = former;
}

// Saves and writes the frame. False after a fault.
static bool record(recorder *recorder)
{
    kin__world *world = recorder->world;
    save(recorder, &recorder->frame.after);
    if (recorder->fault.status == KIN_OK) {
        kin__systems_pin(world->root); // the sink can neither end the recording nor destroy the world
        write_frame(recorder);
        kin__systems_unpin(world->root);
    }
    if (recorder->fault.status != KIN_OK)
        return false;
    if (recorder->held != 0 && !recorder->is_held_reported) {
        recorder->is_held_reported = true;
        report_held(world, recorder->held, "it goes on, but may not play as it was");
    }
    return true;
}

static void after_update(kin__tracker *tracker)
{
    recorder *recorder = (void *)tracker;
    if (record(recorder))
        return;
    kin__world_untrack(recorder->world, tracker);
    end(recorder);
}

bool kin__recorder_after(kin__recorder *recorder)
{
    if (record(recorder))
        return true;
    end(recorder);
    return false;
}

static void world_ends(kin__tracker *tracker)
{
    end((void *)tracker);
}

// ---- beginning and ending

static const char *find_fault(const kin__world *world, kin_sink sink, int level)
{
    if (sink.write == NULL)
        return "the sink has no function; pass one that writes";
    if (level < 0 || level > MOST_LEVEL)
        return "the level is not from 0 to 22; pass one that zstd has";
    if (world->recorder != NULL)
        return "it is recorded already; stop that first";
    return NULL;
}

// Makes a recorder, and writes the first moment.
static void begin(recorder *recorder, kin_sink sink, int level)
{
    save(recorder, &recorder->frame.ended);
    if (recorder->fault.status != KIN_OK || recorder->held != 0)
        return;
    kin__systems_pin(recorder->world->root); // the sink cannot destroy the world
    if (kin__output_begin(&recorder->output, sink, level, &recorder->fault) &&
        kin__written_parts_make(&recorder->parts, recorder->frame.ended, &recorder->fault)) {
        kin__block_writer_begin(&recorder->writer, &recorder->output);
        kin__recording_begin(&recorder->writer, recorder->frame.ended, &recorder->parts, recorder->world->root->frame);
        kin__output_flush(&recorder->output);
    }
    kin__systems_unpin(recorder->world->root);
}

static recorder *make(kin__world *world, const kin_record_options *options)
{
    recorder *made = kin__allocate_zero(&world->memory, sizeof *made);
    if (made == NULL)
        return NULL;
    made->tracker =
        (kin__tracker){.before_update = before_update, .after_update = after_update, .world_ends = world_ends};
    made->world = world;
    made->output.fault = &made->fault;
    made->writer.output = &made->output;
    made->frame.has_states = options->states;
    made->key_interval = options->key_interval;
    made->frames_to_key = options->key_interval;
    return made;
}

// Makes a recorder that has begun. NULL, already reported, if it cannot.
static recorder *make_begun(kin__world *world, kin_sink sink, const kin_record_options *options, kin_status *status)
{
    recorder *recorder = make(world, options);
    if (recorder == NULL) {
        *status = kin__world_refuse(world, KIN_ERROR_NO_MEMORY, verb, NULL);
        return NULL;
    }
    begin(recorder, sink, options->level);
    kin_entity held = recorder->held;
    if (recorder->fault.status == KIN_OK && held == 0)
        return recorder;
    *status = end(recorder);
    if (*status == KIN_OK)
        *status = report_held(world, held, "it does not begin");
    return NULL;
}

kin_status kin__world_record(kin__world *world, kin_sink sink, const kin_record_options *options)
{
    static const kin_record_options defaults = {.key_interval = DEFAULT_KEYS, .level = DEFAULT_LEVEL};
    kin_status status = KIN_OK;
    if (!kin__world_may_save(world, verb))
        return KIN_ERROR_INVALID;
    if (options == NULL)
        options = &defaults;
    const char *fault = find_fault(world, sink, options->level);
    if (fault != NULL)
        return kin__world_refuse(world, KIN_ERROR_INVALID, verb, fault);
    recorder *recorder = make_begun(world, sink, options, &status);
    if (recorder != NULL)
        kin__world_track(world, &recorder->tracker);
    return status;
}

kin__recorder *kin__recorder_begin(kin__world *world, kin_sink sink, const kin_record_options *options)
{
    kin_status status;
    KIN_ASSERT(sink.write != NULL && options->level >= 0 && options->level <= MOST_LEVEL);
    return kin__world_may_save(world, verb) ? make_begun(world, sink, options, &status) : NULL;
}

kin_status kin__recorder_end(kin__recorder *recorder)
{
    return end(recorder);
}

kin_status kin__world_stop_recording(kin__world *world)
{
    static const char stop[] = "stop recording the world";
    if (kin__world_report_null(world, "stop recording") || !kin__world_is_idle(world, stop))
        return KIN_ERROR_INVALID;
    if (world->recorder == NULL)
        return kin__world_refuse(world, KIN_ERROR_INVALID, stop, "it is not recorded; record it first");
    recorder *recorder = (void *)world->recorder;
    kin__world_untrack(world, &recorder->tracker);
    return end(recorder);
}
