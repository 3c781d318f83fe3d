// Callbacks of changes, and the error handler: each checks its arguments, performs operations, and checks them again.
#include "values.h"

#include <inttypes.h>
#include <string.h>

typedef struct change_hash {
    uint64_t previous, value;
} change_hash;

static change_hash hash_change(const kin_change *change)
{
    const kin_context_info *info = change->context->info;
    if (change->component >= info->component_count)
        return (change_hash){0, 0};
    check_value(change->context, change->component, change->previous);
    check_value(change->context, change->component, change->value);
    size_t size = info->components[change->component].size;
    return (change_hash){change->previous != NULL ? hash_bytes(1, change->previous, size) : 0,
                         change->value != NULL ? hash_bytes(1, change->value, size) : 0};
}

// Both values stay readable and unchanged until the listener returns (DSP-09).
void on_change(const kin_change *change, void *user)
{
    CHECK(user == NULL);
    show("notified of %s %" PRIx64, change->context->info->name, change->entity);
    kin_change copy = *change;
    change_hash before = hash_change(change);
    perform_callback();
    CHECK(copy.context == change->context && copy.group == change->group && copy.entity == change->entity);
    CHECK(copy.component == change->component && copy.previous == change->previous && copy.value == change->value);
    change_hash after = hash_change(change);
    CHECK(before.previous == after.previous && before.value == after.value);
}

enum { ERROR_DEPTH = 3 };

static void reenter(const kin_error *error)
{
    char *copy = strdup(error->message);
    CHECK(copy != NULL);
    here->error_depth++;
    perform_callback();
    here->error_depth--;
    CHECK(strcmp(copy, error->message) == 0);
    free(copy);
}

void on_error(const kin_error *error, void *user)
{
    CHECK(user == here);
    CHECK(error->status != KIN_OK && error->message != NULL && error->message[0] != '\0');
    CHECK(error->context == NULL || error->context[0] != '\0');
    CHECK(error->component == NULL || error->component[0] != '\0');
    show("refused: %s", error->message);
    here->errors[here->level]++;
    here->last_status = error->status;
    if (here->reenters_errors && here->error_depth < ERROR_DEPTH)
        reenter(error);
}
