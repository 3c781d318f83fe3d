// Output case: what the tests of outputs share. The package's folder is `out` in the scratch directory.
#ifndef KIN_TESTS_OUTPUT_CASE_H
#define KIN_TESTS_OUTPUT_CASE_H

#include "output/output.h"

#include <stddef.h>

#define MARK "/* " GENERATED_MARK " */\n"

#define FOREIGN(path)                                                                                                  \
    "kin: error: '" path                                                                                               \
    "' was not made by kin and stays as it is: move it away, or choose another directory with -o [K0904]\n"
#define EDITED(path)                                                                                                   \
    "kin: error: '" path "' was edited since kin wrote it and stays as it is: undo that, or delete it to have it "     \
    "made again [K0903]\n"

generated_file file_of(const char *path, const char *content);

// The status; the report is kept until the next call.
int run_output(const generated_file *files, size_t count, output_mode mode);

// Writes the files, which must succeed.
void write_output(const generated_file *files, size_t count);

// Compares the report; `$` stands for the folder.
void expect_report(const char *done, const char *faults);

// Compares a file of the folder; NULL: there must be none.
void expect_file(const char *name, const char *content);

#endif
