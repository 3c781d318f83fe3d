// Version case: versions of a schema in one program, each with a context, and a save that one writes and another reads.
#ifndef KIN_TESTS_SAVE_VERSION_CASE_H
#define KIN_TESTS_SAVE_VERSION_CASE_H

#include "model_info.h"
#include "past_make.h"

#include <kin/kin.h>

extern kin_context *version_case_contexts[MODEL_INFO_VERSIONS];

void version_case_begin(void);
void version_case_end(void);

// Makes the context of a schema that follows the one with that lock (NULL: the first version). Returns its own lock.
const char *version_case_make(const char *schema, const char *before, size_t version);

// Returns the lock of a schema whose lock was written, and the codes of errors that it has then.
const char *version_case_lock_again(const char *schema, const char *before, const char **codes);

// Returns the codes of all diagnostics since the test began to read schemas, with a space between them.
const char *version_case_codes(void);

// Writes the save of a version.
void version_case_write(size_t version);

// What the last comparison has said of all changes, without `kin: ` and the line break; and the last report of reading.
extern const char *version_case_summary;
extern kin_read_report version_case_report;

// Reads the last save into a version and restores it there, if it is not refused. `migrates`: the first component of
// the version has a migration that changes no value; entities have it that had `A` and not `B`.
kin_status version_case_read(size_t version, bool migrates);

#endif
