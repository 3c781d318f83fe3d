#include "version_case.h"

#include "buffer.h"
#include "generator/base/base.h"
#include "generator/evolve/evolve.h"
#include "generator/reading.h"
#include "past_make.h"

#include <kin/generated/save.h>
#include <kin/reflect.h>

#include <check.h>
#include <string.h>

kin_context *version_case_contexts[MODEL_INFO_VERSIONS];
const char *version_case_summary;
kin_read_report version_case_report;
static kin_snapshot *snapshots[MODEL_INFO_VERSIONS];
static buffer file;

void version_case_begin(void)
{
    reading_begin();
    memset(&file, 0, sizeof file);
    past_case_error[0] = '\0';
}

void version_case_end(void)
{
    for (size_t i = 0; i < MODEL_INFO_VERSIONS; i++) {
        kin_snapshot_destroy(snapshots[i]);
        kin__context_destroy(version_case_contexts[i]);
        snapshots[i] = NULL;
        version_case_contexts[i] = NULL;
    }
    buffer_release(&file);
    reading_end();
}

static const char *codes_of(const diagnostics *diagnostics, bool has_warnings)
{
    text text = text_create(reading_arena());
    for (const diagnostic *item = diagnostics->first; item != NULL; item = item->next)
        if (has_warnings || item->kind == DIAGNOSTIC_ERROR)
            text_append_format(&text, "%s%s", text.size == 0 ? "" : " ",
                               diagnostic_code_text(reading_arena(), item->code));
    return text.bytes;
}

const char *version_case_codes(void)
{
    return codes_of(reading_diagnostics(), true);
}

static lock *read_lock(const char *text)
{
    return text == NULL ? NULL
                        : lock_parse(reading_arena(), reading_diagnostics(),
                                     source_from_bytes(reading_arena(), "arena.lock", text, strlen(text)));
}

const char *version_case_lock_again(const char *schema, const char *before, const char **codes)
{
    lock_counts counts;
    text text = text_create(reading_arena());
    diagnostics diagnostics = diagnostics_create(reading_arena());
    package *package = reading_package_in_game(schema);
    evolution evolution = evolve_package(reading_arena(), &diagnostics, package, read_lock(before));
    lock_append(&text, evolution.lock, &counts);
    *codes = codes_of(&diagnostics, false);
    return text.bytes;
}

const char *version_case_make(const char *schema, const char *before, size_t version)
{
    kin_context_options options = past_case_options();
    lock_counts counts;
    text text = text_create(reading_arena());
    package *package = reading_package_in_game(schema);
    ck_assert_msg(package != NULL, "%s\n%s", schema, reading_printed());
    evolution evolution = evolve_package(reading_arena(), reading_diagnostics(), package, read_lock(before));
    const kin_context_info *info = model_info(reading_arena(), package, version);
    size_t size = sizeof(kin_context) + (info->component_count + 1) * sizeof(kin__component);
    version_case_contexts[version] = kin__context_create(info, &options, size);
    ck_assert_ptr_nonnull(version_case_contexts[version]);
    lock_append(&text, evolution.lock, &counts);
    struct text summary = text_create(reading_arena());
    evolve_append_summary(&summary, &evolution);
    summary.bytes[summary.size - 1] = '\0';
    version_case_summary = summary.bytes + strlen("kin: ");
    return text.bytes;
}

// A function of a component that keeps it, unless the entity also has `B`.
static bool keep(void *value, const kin_record *record)
{
    (void)value;
    return kin_record_has(record, "A") && !kin_record_has(record, "B");
}

kin_status version_case_read(size_t version, bool migrates)
{
    kin_context *context = version_case_contexts[version];
    kin__migration migration = {kin_context_info_of(context), 0, keep};
    kin__migrations migrations = {&migration, migrates ? 1 : 0};
    kin_status status =
        kin__context_read(context, &snapshots[version], buffer_source(&file), NULL, &version_case_report, &migrations);
    if (status == KIN_OK)
        ck_assert_int_eq(kin__context_restore(context, snapshots[version], KIN_RESTORE_EXACTLY), KIN_OK);
    return status;
}

void version_case_write(size_t version)
{
    buffer_release(&file);
    ck_assert_int_eq(kin__context_save(version_case_contexts[version], &snapshots[version]), KIN_OK);
    ck_assert_int_eq(kin_snapshot_write(snapshots[version], buffer_sink(&file), NULL), KIN_OK);
}
