// feature: what viewers can ask for and change: one file for each feature, with its state and its methods
//
//   a method   a table: name, doc, parameters with types and ranges, and the functions of its task (host/host.h)
//   state      is made and read by the methods of a feature, and filled by the updates of its host
//
// Recordings of a feature (the journal, messages, refused calls, times, the timeline, traces, plots, snapshots) begin
// with the first question of a viewer, and end when no viewer has asked for anything for ten seconds, unless they are
// pinned. The functions below, but for methods, are for the thread of the host.
//
// Invariants:
//   1. the state of a feature is in its host or site, and NULL before the first question
//   2. attention of the host is one more for each recording that runs, so that an update without any is one load
//   3. all memory of a recording is allocated before the thread of the host gets it
//
// Cycle: journal.c, watches.c, audits.c: the journal of a context compares its watches and audits, which are added to
// it Cycle: read.c, edit.c: a value is refused if it is not the one that is expected
#ifndef KIN_SRC_INSPECT_FEATURE_H
#define KIN_SRC_INSPECT_FEATURE_H

#include "host/host.h"

// ---- methods

// Returns the method with the name, or NULL.
const kin__method *kin__method_find(const char *name);

// Returns the method with the number, or NULL after the last one.
const kin__method *kin__method_at(uint32_t number);

// What GET gives beside the page. Each is made of one task for each world, which viewers cannot name.
extern const kin__method kin__method_trace, kin__method_metrics;

// ---- the journal, watches and audits of a context

// Begins an update, of which audits may take `budget` nanoseconds.
void kin__notes_begin_update(const kin__sites *sites, const kin__host *host, uint64_t budget);

// Stops what no viewer has looked at for ten seconds, of all sites of the host.
void kin__notes_expire(const kin__sites *sites, const kin__host *host, uint64_t now);

// Stops everything, as the host ends; and frees the notes of a site.
void kin__notes_end(const kin__sites *sites, const kin__host *host);
void kin__notes_release(struct kin__notes *notes);

// Begin and end changes of a viewer.
void kin__notes_enter_edit(const kin__site *site);
void kin__notes_leave_edit(const kin__site *site);

// ---- messages

enum { KIN__KEPT_MESSAGES = 1024 };

// Notes a message that the world published.
void kin__messages_note(kin__host *host, uint32_t message, const void *value);

// End the recording: when no viewer has asked, and at once.
void kin__messages_expire(kin__host *host, uint64_t now);
void kin__messages_stop(kin__host *host);

// ---- refused calls

enum { KIN__KEPT_REFUSALS = 256 };

// Counts a refused call, and notes it if there is a recording.
void kin__refusals_note(kin__host *host, const kin_error *error);

// End the recording: when no viewer has asked, and at once.
void kin__refusals_expire(kin__host *host, uint64_t now);
void kin__refusals_stop(kin__host *host);

// ---- times of systems, and the timeline

// Stops when no viewer has asked, and begins anew when systems were added or removed.
void kin__timing_expire(kin__host *host, uint64_t now);
void kin__timing_stop(kin__host *host);

// Notes that an update begins; ends the timeline when no viewer has asked.
void kin__timeline_begin_update(kin__host *host, uint64_t now);
void kin__timeline_stop(kin__host *host);

// ---- traces of collectors

// Called when `is_edited` of the host has changed: what viewers change is collected by the inspector.
void kin__traces_see_edit(kin__host *host);

// End the traces: when no viewer has asked, and at once. The last one frees them.
void kin__traces_expire(kin__host *host, uint64_t now);
void kin__traces_end(kin__host *host);
void kin__traces_release(struct kin__traces *traces);

// ---- plots and marks

// Samples the plots of all sites of the host until the deadline, or ends those that no viewer looks at.
void kin__plots_sample(const kin__sites *sites, const kin__host *host, uint64_t now, uint64_t deadline);
void kin__plots_end(const kin__sites *sites, const kin__host *host);
void kin__plots_release(struct kin__plots *plots);

void kin__site_marks_release(struct kin__site_marks *marks);

// ---- snapshots

// Takes a snapshot if it is due; or ends the period, if no viewer is there. `budget` is in microseconds.
void kin__snapshots_keep(kin__host *host, bool is_silent, uint32_t budget);

// Drops all, as the host ends; and frees the list.
void kin__snapshots_end(kin__host *host);
void kin__snapshots_release(struct kin__snapshots *snapshots);

// ---- time

// Sets the pace, which may be that of the game; and gives the game its time back.
void kin__pace_set(kin__host *host, const kin__pace *pace);
void kin__pace_end(kin__host *host);

typedef enum kin__until_answer { KIN__UNTIL_NO, KIN__UNTIL_YES, KIN__UNTIL_TOO_LONG } kin__until_answer;

// Asks the query of time.until, if there is one, and notes how long that took.
kin__until_answer kin__until_ask(kin__host *host);
void kin__until_destroy(struct kin__until *until);

// Returns whether the query is asked after each system, too.
bool kin__until_is_of_systems(const struct kin__until *until);

// Sets what is asked until it holds, or NULL, and destroys what was asked before.
void kin__pace_set_until(kin__host *host, struct kin__until *until, kin__until_state state);

#endif
