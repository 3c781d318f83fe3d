#include "case.h"

guard memory;
error_log errors;
uint32_t call_count;

kin_context_options case_options(const kin_context_options *given)
{
    kin_context_options options = given != NULL ? *given : (kin_context_options){0};
    options.allocator = guard_begin(&memory);
    if (options.on_error == NULL) {
        options.on_error = error_log_append;
        options.error_user = &errors;
    }
    error_log_clear(&errors);
    call_log_clear();
    call_count = 0;
    return options;
}

void case_check(const kin_context *context)
{
    ck_assert(kin__context_is_valid(context));
    if (errors.count > 0)
        ck_abort_msg("an error that the test did not expect: %s", errors.entries[0].message);
}

void ignore_error(const kin_error *error, void *user)
{
    (void)error;
    (void)user;
}

void ignore_change(const kin_change *change, void *user)
{
    (void)change;
    (void)user;
}

void count_call(const kin_change *change, void *user)
{
    (void)change;
    (void)user;
    call_count++;
}
