// Groups: found, counted, shown and destroyed; queries with matchers.
#include "fuzz/api/harness.h"

#include <string.h>

static bool is_ascending(const kin_entity *entities, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (kin_entity_slot(entities[i - 1]) >= kin_entity_slot(entities[i]))
            return false;
    return true;
}

// The array is in ascending slots, and is the same array if nothing has changed (GRP-03).
static void see_members(kin_group *group)
{
    snapshot_source source = {.owner = group, .kind = SHOWN_MEMBERS};
    snapshot_forget(source);
    uint32_t expected = kin_group_count(group), count = 0, again = 0;
    const kin_entity *members = kin_group_entities(group, &count);
    if (members == NULL)
        return;
    CHECK(count == expected && is_ascending(members, count));
    for (uint32_t i = 0; i < count; i++)
        CHECK(kin_group_contains(group, members[i]));
    CHECK(kin_group_entities(group, &again) == members && again == count);
    const kin_context *context = context_of_group(group);
    if (context != NULL)
        snapshot_keep(source, context, members, count * sizeof *members);
}

static void copy_members(kin_group *group)
{
    kin_entity members[4] = {0};
    uint32_t count = kin_group_copy_entities(group, members, 4);
    CHECK(count == kin_group_count(group));
    CHECK(is_ascending(members, count < 4 ? count : 4));
}

static void ask_single(kin_group *group)
{
    kin_entity entity = 1;
    attempt attempt = attempt_begin();
    kin_status status = kin_group_single(group, &entity);
    attempt_end(attempt, status);
    CHECK(status != KIN_OK ? entity == 0 : (entity != 0) == (kin_group_count(group) == 1));
}

static void destroy_members(kin_group *group)
{
    attempt attempt = attempt_begin();
    attempt_end(attempt, kin_group_destroy_entities(group));
}

static uint32_t count_matching(const kin_context *context, kin_matcher matcher)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < context->chunk_count; i++) {
        const kin__chunk *chunk = context->chunks[i];
        for (uint32_t word = 0; word < sizeof chunk->alive / sizeof *chunk->alive; word++)
            KIN_EACH_BIT(bit, chunk->alive[word])
        count += kin_matches(context, matcher, chunk->ids[word * 64 + bit]);
    }
    return count;
}

static void make_group(const place *at)
{
    if (at->game == NULL)
        return;
    kin_matcher matcher = take_matcher();
    attempt attempt = attempt_begin();
    kin_group *group = game_group(at->game, matcher);
    attempt_end_made(attempt, group != NULL);
    if (group == NULL)
        return;
    here->groups[here->group_count++ % GROUPS] = (held_group){group, &at->game->base};
    if (here->level == 0)
        CHECK(kin_group_count(group) == count_matching(&at->game->base, matcher));
}

static void (*const uses[])(kin_group *group) = {see_members, see_members, copy_members, ask_single};

void do_group(const place *at)
{
    enum { USES = sizeof uses / sizeof *uses };
    uint32_t choice = take_below(USES + 3);
    if (choice > USES) {
        make_group(at);
        return;
    }
    kin_group *group = take_group();
    if (group == NULL)
        return;
    if (choice < USES)
        uses[choice](group);
    else if (take_below(4) == 0)
        destroy_members(group);
    else
        (void)kin_group_matcher(group);
}

// ---- descriptions

static void describe_entity(const kin_context *context, kin_entity entity, size_t size)
{
    char text[64];
    size_t length = kin_describe_entity(context, entity, size > 0 ? text : NULL, size);
    if (size > 0)
        CHECK(strlen(text) == (length < size ? length : size - 1));
}

static void describe_matcher(const kin_context *context, kin_matcher matcher, size_t size)
{
    char text[64];
    size_t length = kin_describe_matcher(context, matcher, size > 0 ? text : NULL, size);
    if (size > 0)
        CHECK(strlen(text) == (length < size ? length : size - 1));
}

void do_describe(const place *at)
{
    if (at->game == NULL)
        return;
    const kin_context *context = &at->game->base;
    size_t size = take_below(64);
    kin_entity entity = take_handle(&here->game_handles[at->package]);
    kin_matcher matcher = take_matcher();
    (void)kin_matches(context, matcher, entity);
    describe_entity(context, entity, size);
    describe_matcher(context, matcher, size);
}
