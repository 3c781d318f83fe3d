#include "output_case.h"

#include "reading.h"
#include "scratch.h"

#include <check.h>
#include <string.h>

static diagnostics diagnostics_of_run;
static output_report report;

generated_file file_of(const char *path, const char *content)
{
    return (generated_file){path, content, strlen(content)};
}

int run_output(const generated_file *files, size_t count, output_mode mode)
{
    diagnostics_of_run = diagnostics_create(scratch_arena());
    report = output_report_create(&diagnostics_of_run);
    output_request request = {
        .arena = scratch_arena(), .directory = scratch_path("out"), .files = files, .count = count, .mode = mode};
    return output_write(&request, &report);
}

void write_output(const generated_file *files, size_t count)
{
    int status = run_output(files, count, OUTPUT_WRITE);
    ck_assert_str_eq(reading_print(report.diagnostics), "");
    ck_assert_int_eq(status, 0);
}

// Replaces each `$` with the path of the output directory.
static const char *expand(const char *pattern)
{
    text expanded = text_create(scratch_arena());
    for (; *pattern != '\0'; pattern++) {
        if (*pattern == '$')
            text_append_string(&expanded, scratch_path("out"));
        else
            text_append(&expanded, pattern, 1);
    }
    return expanded.bytes;
}

void expect_report(const char *done, const char *faults)
{
    ck_assert_str_eq(report.done.bytes, expand(done));
    ck_assert_str_eq(reading_print(report.diagnostics), expand(faults));
}

void expect_file(const char *name, const char *content)
{
    const char *found = scratch_read(arena_format(scratch_arena(), "out/%s", name));
    if (content == NULL)
        ck_assert_ptr_null(found);
    else
        ck_assert_msg(found != NULL && strcmp(found, content) == 0, "%s: '%s'", name, found == NULL ? "none" : found);
}
