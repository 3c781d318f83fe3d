#include "golden.h"

#include "past_case.h"
#include "save_others.h"

#include <check.h>

const char *const golden_names[GOLDEN_SAVES] = {"almanac", "archive", "past"};

static kin_context *create_past(bool is_filled)
{
    kin_context_options options = past_case_options();
    if (!is_filled)
        return &past_context_create(&options)->base;
    past_case_has_badges = true;
    past_case_begin(40);
    kin_snapshot_destroy(past_snapshot);
    past_snapshot = NULL;
    return &past->base;
}

kin_context *golden_create(int number, bool is_filled)
{
    return number == 0   ? save_almanac_create(is_filled)
           : number == 1 ? save_archive_create(is_filled)
                         : create_past(is_filled);
}

void golden_destroy(kin_context *context)
{
    kin__context_destroy(context);
}

uint64_t golden_write(kin_context *context, buffer *file)
{
    kin_snapshot *snapshot = NULL;
    ck_assert_int_eq(kin__context_save(context, &snapshot), KIN_OK);
    ck_assert_int_eq(kin_snapshot_write(snapshot, buffer_sink(file), NULL), KIN_OK);
    uint64_t hash = kin_snapshot_hash(snapshot);
    kin_snapshot_destroy(snapshot);
    return hash;
}
