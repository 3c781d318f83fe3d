// Attempts: a refused operation reports its status once; a successful operation reports nothing. If an error handler
// performs operations of its own, the count is unknown.
#include "harness.h"

attempt attempt_begin(void)
{
    return (attempt){here->errors[here->level], here->callbacks, here->text_count, here->operations,
                     here->memory.failures};
}

static uint32_t reported_since(attempt attempt)
{
    return here->errors[here->level] - attempt.errors;
}

bool attempt_is_alone(const attempt *attempt)
{
    return here->operations == attempt->operations && !here->deep_nested;
}

void attempt_end(attempt attempt, kin_status status)
{
    release_texts(attempt.texts);
    CHECK(status != KIN_ERROR_NO_MEMORY || here->memory.failures != attempt.failures);
    if (here->reenters_errors)
        return;
    CHECK(reported_since(attempt) == (status != KIN_OK));
    if (status != KIN_OK)
        CHECK(here->last_status == status);
}

// Of a call that concerns several contexts: each may report.
void attempt_end_several(attempt attempt, kin_status status)
{
    release_texts(attempt.texts);
    if (!here->reenters_errors)
        CHECK((reported_since(attempt) > 0) == (status != KIN_OK));
}

void attempt_end_quiet(attempt attempt, kin_status status)
{
    if (status != KIN_OK && !here->reenters_errors)
        CHECK(here->callbacks == attempt.callbacks);
    attempt_end(attempt, status);
}

void attempt_end_made(attempt attempt, bool made)
{
    release_texts(attempt.texts);
    if (!here->reenters_errors)
        CHECK(reported_since(attempt) == !made);
}
