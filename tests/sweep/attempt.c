#include "sweep.h"

#include "entity/entity.h"
#include "runtime/support/guard.h"
#include "runtime/support/support.h"
#include "runtime/support/visible.h"
#include "store/store.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 64, MOST_REQUESTS = 1000, MOST_ENTITIES = 3000, EAGER = 200 };

// The options that tests have given. They are never freed, because collectors outlive their contexts.
typedef struct giver {
    struct giver *next;
    kin_allocator allocator;
    void (*on_error)(const kin_error *error, void *user);
    void *error_user;
} giver;

static giver *givers;
static sweep_attempt *innermost;
static kin_context *contexts[LIMIT];
static kin_collector *collectors[LIMIT];
static uint32_t context_count, collector_count, attempt_count;

// ---- all contexts and collectors

void sweep_append_context(kin_context *context)
{
    ck_assert_uint_lt(context_count, LIMIT);
    contexts[context_count++] = context;
}

void sweep_forget_context(kin_context *context)
{
    for (uint32_t i = 0; i < context_count; i++)
        if (contexts[i] == context)
            contexts[i] = contexts[--context_count];
}

void sweep_append_collector(kin_collector *collector)
{
    ck_assert_uint_lt(collector_count, LIMIT);
    collectors[collector_count++] = collector;
}

void sweep_forget_collector(kin_collector *collector)
{
    for (uint32_t i = 0; i < collector_count; i++)
        if (collectors[i] == collector)
            collectors[i] = collectors[--collector_count];
}

// Large contexts are left out, because writing them would take too long in the tests that fill them. An attempt that is
// refused may give a context another chunk, but no entity: so a context is written before and after it, or never.
static visible *look(void)
{
    visible *seen = malloc(sizeof *seen);
    ck_assert_ptr_nonnull(seen);
    visible_begin(seen);
    for (uint32_t i = 0; i < context_count; i++)
        if (kin__entity_count(contexts[i]) <= MOST_ENTITIES)
            visible_add_context(seen, contexts[i]);
    for (uint32_t i = 0; i < collector_count; i++)
        visible_add_collector(seen, collectors[i]);
    return seen;
}

// ---- memory and errors

static bool refuses(const giver *giver, size_t size)
{
    sweep_attempt *attempt = innermost;
    if (attempt == NULL || guard_is_failing(&giver->allocator))
        return false;
    if (!attempt->may_fail)
        ck_abort_msg("%s needed %zu bytes", attempt->name, size);
    if (++attempt->requests != attempt->number)
        return false;
    if (attempt->before == NULL)
        attempt->before = look();
    attempt->refused = true;
    attempt->size = size;
    return true;
}

static void *allocate(size_t size, size_t alignment, void *user)
{
    const giver *giver = user;
    return refuses(giver, size) ? NULL : giver->allocator.allocate(size, alignment, giver->allocator.user);
}

static void release(void *memory, size_t size, void *user)
{
    const giver *giver = user;
    giver->allocator.release(memory, size, giver->allocator.user);
}

static void on_error(const kin_error *error, void *user)
{
    const giver *giver = user;
    if (innermost != NULL && innermost->refused) {
        innermost->error_count += error->status == KIN_ERROR_NO_MEMORY ? 1 : 100;
        snprintf(innermost->message, sizeof innermost->message, "%s", error->message);
    } else if (giver->on_error != NULL)
        giver->on_error(error, giver->error_user);
    else
        fprintf(stderr, "kin: %s\n", error->message);
}

kin_context_options sweep_options(const kin_context_options *options)
{
    kin_context_options swept = options != NULL ? *options : (kin_context_options){0};
    if ((swept.allocator.allocate == NULL) != (swept.allocator.release == NULL))
        return swept; // to be refused
    giver *made = malloc(sizeof *made);
    ck_assert_ptr_nonnull(made);
    // The block may be one that the default allocator releases if the given options name no allocator.
    *made = (giver){givers, kin__memory_of(swept.allocator).allocator, swept.on_error, swept.error_user};
    givers = made;
    swept.allocator = (kin_allocator){allocate, release, made};
    swept.on_error = on_error;
    swept.error_user = made;
    return swept;
}

// ---- attempts

void sweep_begin(sweep_attempt *attempt, const char *name, bool may_fail)
{
    if (innermost != NULL && innermost->refused)
        ck_abort_msg("%s was called back though it had got no memory", innermost->name);
    *attempt = (sweep_attempt){.outer = innermost, .name = name, .may_fail = may_fail, .number = may_fail};
    if (may_fail && ++attempt_count <= EAGER)
        attempt->before = look();
    innermost = attempt;
}

void sweep_end(sweep_attempt *attempt)
{
    if (innermost != attempt)
        ck_abort_msg("%s ended inside another", attempt->name);
    innermost = attempt->outer;
    sweep_count(attempt);
    free(attempt->before);
}

// The visible state must be the same as before the attempt.
static void check_unchanged(const sweep_attempt *attempt)
{
    for (uint32_t i = 0; i < context_count; i++)
        if (!kin__context_is_valid(contexts[i]))
            ck_abort_msg("%s left its context in disorder without memory", attempt->name);
    visible *after = look();
    if (strcmp(after->text, attempt->before->text) != 0)
        ck_abort_msg("%s changed something though request %u failed:\n%s\n---- afterwards\n%s", attempt->name,
                     (unsigned)attempt->number, attempt->before->text, after->text);
    free(after);
}

static void check_message(const sweep_attempt *attempt)
{
    char bytes[64];
    snprintf(bytes, sizeof bytes, "no memory for %zu byte%s; ", attempt->size, attempt->size == 1 ? "" : "s");
    if (attempt->error_count != 1 || strstr(attempt->message, bytes) == NULL)
        ck_abort_msg("%s error_count %u times \"%s\" of request %u of %zu bytes", attempt->name, attempt->error_count,
                     attempt->message, (unsigned)attempt->number, attempt->size);
}

// Makes the next request of the attempt fail.
static void go_on(sweep_attempt *attempt)
{
    check_unchanged(attempt);
    ck_assert_uint_lt(++attempt->number, MOST_REQUESTS);
    attempt->requests = attempt->error_count = 0;
    attempt->refused = false;
}

bool sweep_again(sweep_attempt *attempt, bool failed)
{
    if (!attempt->refused) {
        sweep_end(attempt);
        return false;
    }
    sweep_count(attempt);
    check_message(attempt);
    if (!failed)
        ck_abort_msg("%s does not answer that it got no memory", attempt->name);
    go_on(attempt);
    return true;
}

bool sweep_again_unreported(sweep_attempt *attempt)
{
    if (!attempt->refused) {
        sweep_end(attempt);
        return false;
    }
    sweep_count(attempt);
    if (attempt->error_count != 0)
        ck_abort_msg("%s error_count \"%s\"", attempt->name, attempt->message);
    go_on(attempt);
    return true;
}
