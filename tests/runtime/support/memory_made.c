#include "memory_steps.h"

#include "entity/entity.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

memory_steps_made made;

static void count_errors(const kin_error *error, void *user)
{
    (void)user;
    made.error_count++;
    made.error_status = error->status;
    snprintf(made.error_message, sizeof made.error_message, "%s", error->message);
}

void memory_steps_begin(void)
{
    memset(&made, 0, sizeof made);
    made.options = (kin_context_options){.allocator = guard_begin(&made.memory), .on_error = count_errors};
    relay = NULL;
}

void memory_steps_end(void)
{
    if (made.nested != NULL && made.nested->place == NULL)
        kin_systems_destroy(made.nested);
    kin_systems_destroy(made.root);
    kin_collector_destroy(made.across);
    links_contexts_destroy(made.contexts);
    kin_collector_destroy(made.narrow);
    relay_context_destroy(relay);
    kin_collector_destroy(made.broad);
    relay = NULL;
    guard_end(&made.memory);
}

void memory_steps_look(visible *visible)
{
    visible_begin(visible);
    if (relay != NULL) {
        ck_assert(kin__context_is_valid(&relay->base));
        visible_add_context(visible, &relay->base);
    }
    if (made.contexts != NULL) {
        ck_assert(kin__context_is_valid(&made.contexts->dock->base) &&
                  kin__context_is_valid(&made.contexts->sea->base));
        visible_add_context(visible, &made.contexts->dock->base);
        visible_add_context(visible, &made.contexts->sea->base);
    }
    visible_add_collector(visible, made.narrow);
    visible_add_collector(visible, made.broad);
    visible_add_collector(visible, made.across);
}
