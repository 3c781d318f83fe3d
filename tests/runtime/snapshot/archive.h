// Archive: a context of package archive on the guard and the error log, and what two snapshots of it differ in.
#ifndef KIN_TESTS_RUNTIME_ARCHIVE_H
#define KIN_TESTS_RUNTIME_ARCHIVE_H

#include "runtime/support/case.h"

#include <archive/archive.h>
#include <kin/snapshot.h>

// The context, and three snapshots. NULL at first.
extern crypt_context *crypt;
extern kin_snapshot *first, *second, *third;

void archive_begin(void);
void archive_end(void);

// Saves the context.
void archive_save(kin_snapshot **snapshot);

// Compares `first` and `second`, and fails the test unless the differences are described by these lines, each with a
// newline. Saves `second` before that.
void ck_differences(const char *expected);

#endif
