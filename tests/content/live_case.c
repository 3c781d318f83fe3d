#include "live_case.h"

#include "generator/content/content.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static arena files;
arena *const scratch = &files;
static char folder[64];

void live_case_begin(void)
{
    snprintf(folder, sizeof folder, "%s/kin-live-XXXXXX", getenv("TMPDIR") == NULL ? "/tmp" : getenv("TMPDIR"));
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

const char *path_of(const char *name)
{
    return arena_format(scratch, "%s/%s", folder, name);
}

void live_case_end(void)
{
    remove(path_of("a.yaml"));
    remove(path_of("a.kinc"));
    rmdir(folder);
    arena_release(scratch);
}

void write_file(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

text pack_for(const kin_context_info *info, const char *yaml)
{
    const kin_context_info *const contexts[] = {info};
    const char *path = path_of("a.yaml");
    const char *const paths[] = {path};
    diagnostics faults = diagnostics_create(scratch);
    const char *whole = arena_format(scratch, "content: 1\n%s", yaml);
    write_file(path, whole, strlen(whole));
    kin__pack *pack = content_compile(scratch, &faults, (content_schema){contexts, 1}, (content_paths){paths, 1});
    if (pack == NULL)
        diagnostics_print(&faults, stderr);
    ck_assert_ptr_nonnull(pack);
    text bytes = text_create(scratch);
    content_append_file(pack, &bytes);
    return bytes;
}
