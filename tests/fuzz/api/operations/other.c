// The second context: entities and components of `other`.
#include "fuzz/api/values.h"

static other_entity take_entity(const place *at)
{
    return (other_entity){take_handle(&here->other_handles[at->package])};
}

static void keep_made(const place *at, attempt attempt, other_entity entity)
{
    attempt_end_made(attempt, entity.id != 0);
    keep_handle(&here->other_handles[at->package], entity.id);
}

static void make(const place *at)
{
    uint32_t choice = take_below(4);
    other_entity source = take_entity(at);
    attempt attempt = attempt_begin();
    if (choice == 0)
        keep_made(at, attempt, other_clone_entity(at->other, source));
    else if (choice == 1)
        keep_made(at, attempt, other_spawn_far(at->other));
    else
        keep_made(at, attempt, other_create_entity(at->other));
}

static kin_status add_pos(other_context *other, other_entity entity)
{
    return other_add_pos(other, entity, make_pos());
}

static kin_status replace_pos(other_context *other, other_entity entity)
{
    return other_replace_pos(other, entity, make_pos());
}

static kin_status remove_pos(other_context *other, other_entity entity)
{
    return other_remove_pos(other, entity);
}

static kin_status add_name(other_context *other, other_entity entity)
{
    return other_add_name(other, entity, make_name());
}

static kin_status replace_name(other_context *other, other_entity entity)
{
    return other_replace_name(other, entity, make_name());
}

static kin_status remove_name(other_context *other, other_entity entity)
{
    return other_remove_name(other, entity);
}

static kin_status edit_pos(other_context *other, other_entity entity)
{
    Pos *value = other_edit_pos(other, entity);
    if (value != NULL)
        *value = make_pos();
    return other_touch_pos(other, entity);
}

static kin_status destroy_all(other_context *other, other_entity entity)
{
    (void)entity;
    return take_byte() > 200 ? other_destroy_all_entities(other) : KIN_OK;
}

static kin_status reset(other_context *other, other_entity entity)
{
    (void)entity;
    return take_byte() > 220 ? other_context_reset(other) : KIN_OK;
}

static kin_status hold(other_context *other, other_entity entity)
{
    static const char owner;
    return take_below(2) == 1 ? other_retain_entity(other, entity, &owner)
                              : other_release_entity(other, entity, &owner);
}

static kin_status (*const changes[])(other_context *other, other_entity entity) = {
    add_pos,        replace_pos, remove_pos, add_name, replace_name,         remove_name,
    edit_pos,       destroy_all, reset,      hold,     other_destroy_entity, other_remove_all_components,
    other_apply_far};

enum { CHANGES = sizeof changes / sizeof *changes };

void do_other(const place *at)
{
    if (at->other == NULL)
        return;
    uint32_t choice = take_below(CHANGES + 4);
    if (choice >= CHANGES) {
        make(at);
        return;
    }
    other_entity entity = take_entity(at);
    attempt attempt = attempt_begin();
    attempt_end(attempt, changes[choice](at->other, entity));
}

// Switches an entity off or on (FND-20): it leaves or enters the groups that do not name the flag.
void do_switch(const place *at)
{
    if (at->other == NULL)
        return;
    other_entity entity = take_entity(at);
    attempt attempt = attempt_begin();
    attempt_end(attempt, other_set_idle(at->other, entity, take_below(2) == 0));
    bool is_idle = other_is_idle(at->other, entity);
    bool has_pos = other_has_pos(at->other, entity);
    CHECK(kin_group_contains(other_opos_group(at->other), entity.id) == (has_pos && !is_idle));
    CHECK(kin_group_contains(other_oidle_group(at->other), entity.id) == is_idle);
}
