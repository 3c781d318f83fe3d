// Output case: helpers for the tests of outputs. The output directory is `out` in the scratch directory.
#ifndef KIN_TESTS_OUTPUT_CASE_H
#define KIN_TESTS_OUTPUT_CASE_H

#include "generator/render/render.h"

#include <stddef.h>

#define MARK "/* " GENERATED_MARK " */\n"

#define FOREIGN(path)                                                                                                  \
    "kin: error: '" path "' was not written by kin; move it, or choose another directory with -o [K0904]\n"
#define EDITED(path)                                                                                                   \
    "kin: error: '" path "' was edited after kin wrote it; undo the edit, or delete the file to "                      \
    "generate it again [K0903]\n"

generated_file file_of(const char *path, const char *content);

// Returns the exit status. The report is valid until the next call.
int run_output(const generated_file *files, size_t count, output_mode mode);

// Writes the files; fails the test on any error.
void write_output(const generated_file *files, size_t count);

// Compares the report of the last run; `$` stands for the path of the output directory.
void expect_report(const char *done, const char *faults);

// Compares the content of a file in the output directory; NULL: the file must not exist.
void expect_file(const char *name, const char *content);

#endif
