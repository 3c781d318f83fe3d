#include "support.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

// ---- errors

void error_log_append(const kin_error *error, void *log)
{
    error_log *errors = log;
    ck_assert_ptr_nonnull(error->message);
    if (errors->count < ERROR_LIMIT) {
        error_entry *entry = &errors->entries[errors->count];
        entry->status = error->status;
        entry->entity = error->entity;
        snprintf(entry->message, sizeof entry->message, "%s", error->message);
        snprintf(entry->context, sizeof entry->context, "%s", error->context != NULL ? error->context : "");
        snprintf(entry->component, sizeof entry->component, "%s", error->component != NULL ? error->component : "");
    }
    errors->count++;
}

void error_log_clear(error_log *log)
{
    log->count = 0;
}

// ---- calls

call_log calls;

static void copy_value(unsigned char *copy, const kin_change *change, const void *value)
{
    const kin_context_info *info = change->context->info;
    memset(copy, 0, VALUE_SIZE);
    if (value == NULL)
        return;
    ck_assert_uint_lt(change->component, info->component_count);
    size_t size = info->components[change->component].size;
    memcpy(copy, value, size < VALUE_SIZE ? size : VALUE_SIZE);
}

static void append_call(const kin_change *change, void *label)
{
    ck_assert_uint_lt(calls.count, CALL_LIMIT);
    call *made = &calls.calls[calls.count++];
    made->label = label;
    made->change = *change;
    copy_value(made->previous, change, change->previous);
    copy_value(made->value, change, change->value);
}

kin_subscription call_log_subscribe(kin_group *group, kin_group_event event, const char *label)
{
    return kin_group_subscribe(group, event, append_call, (void *)(uintptr_t)label);
}

void call_log_clear(void)
{
    calls.count = 0;
}

const char *call_log_labels(void)
{
    static char text[CALL_LIMIT * 8];
    size_t size = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < calls.count && size < sizeof text; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "%s ", calls.calls[i].label);
    return text;
}
