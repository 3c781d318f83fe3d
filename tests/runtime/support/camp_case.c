#include "camp_case.h"

#include "drops.h"

enum { MOST_ENTITIES = 3000 };

camp_context *camp, *other;
guard other_memory;
kin_snapshot *snapshot;

void camp_begin_again(void)
{
    kin_context_options options =
        case_options(&(kin_context_options){.max_entities = MOST_ENTITIES, .first_creation_index = 1});
    camp = camp_context_create(&options);
}

void camp_begin(void)
{
    drops();
    camp_begin_again();
    other = camp_context_create(&(kin_context_options){.allocator = guard_begin(&other_memory),
                                                       .on_error = error_log_append,
                                                       .error_user = &errors,
                                                       .max_entities = MOST_ENTITIES,
                                                       .first_creation_index = 5000});
    snapshot = NULL;
}

void camp_end(void)
{
    case_check(&camp->base);
    case_check(&other->base);
    camp_context_destroy(camp);
    kin_snapshot_destroy(snapshot);
    camp_context_destroy(other);
    guard_end(&memory);
    guard_end(&other_memory);
}
