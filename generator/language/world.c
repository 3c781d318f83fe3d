// What a schema says of a world: messages, the schedule, and systems.
#include "language/private/make.h"

#include <stddef.h>

const language_value language_message = {
    .kind = LANGUAGE_MAPPING,
    .name = "message",
    .title = "A message",
    .doc = "What a system publishes, and a copy of which each inbox gets.",
    .keys =
        (const language_key[]){
            {.name = "fields",
             .value = &language_fields,
             .doc =
                 "What it carries, none of which is owned: a `string[31]`, but no `string`. Without it a message only "
                 "says that something happened."},
            {.name = "doc", .value = &language_text, .doc = "What it says. Becomes a comment in the generated C."},
            {0}},
};

const language_value language_node = {
    .kind = LANGUAGE_MAPPING,
    .name = "node",
    .title = "A node of the schedule",
    .doc = "A place in the order of an update, on which systems hang. Its systems run before its children.",
    .keys =
        (const language_key[]){
            {.name = "fixed",
             .value = &language_step,
             .doc =
                 "Runs in steps of this length, in the unit of the deltas, as many as the time that passed asks for."},
            {.name = "max_steps",
             .value = &language_count,
             .fallback = "5",
             .needs = "fixed",
             .doc = "How many steps an update makes up for at most; what is beyond them is dropped."},
            {.name = "children",
             .value = MAP_OF(&language_snake_name, &language_node),
             .doc = "Nodes within it, in their order."},
            {.name = "doc", .value = &language_text, .doc = "What runs there. Becomes a comment in the generated C."},
            {0}},
};

// A message, or `{ Damage: { capacity: 256 } }`.
static const language_value inbox_item = {
    .kind = LANGUAGE_EITHER,
    .names = &language_pascal_name,
    .items = &(const language_value){
        .kind = LANGUAGE_MAP, .names = &language_pascal_name, .items = &language_bounds, .limit = 1}};

const language_value language_system = {
    .kind = LANGUAGE_MAPPING,
    .name = "system",
    .title = "A system",
    .doc = "Functions that the game writes, one for each role: `kin scaffold` begins them. With `group` it is a group "
           "system, with `react` a reactive one, else a plain one.",
    .keys =
        (const language_key[]){
            {.name = "in",
             .value = &language_snake_name,
             .is_required = true,
             .doc = "The node of the schedule on which it hangs."},
            {.name = "group",
             .value = &language_snake_name,
             .excludes = "react",
             .doc = "The group that it walks each turn; a turn in which that is empty has no `update`."},
            {.name = "react",
             .value = SET_OF(&language_trigger, 0),
             .doc = "The changes after which it executes, with the entities that changed."},
            {.name = "filter",
             .value = &language_bool,
             .fallback = "false",
             .doc = "Whether a reactive system has a function that is asked about each entity."},
            {.name = "roles",
             .value = SET_OF(&language_role, 0),
             .doc =
                 "What it has functions for. Without it a plain system has `execute` unless it has an inbox, a group "
                 "system `update`; a reactive one always has `execute`."},
            {.name = "reads",
             .value = SET_OF(&language_pascal_name, 0),
             .doc = "Components that it reads. The columns of its iterator that it does not write are constant."},
            {.name = "writes",
             .value = SET_OF(&language_pascal_name, 0),
             .doc = "Components that it writes. Two systems of a node that write the same need an order."},
            {.name = "before", .value = SET_OF(&language_pascal_name, 0), .doc = "Systems that run behind it."},
            {.name = "after", .value = SET_OF(&language_pascal_name, 0), .doc = "Systems that run before it."},
            {.name = "first",
             .value = &language_bool,
             .fallback = "false",
             .doc = "Whether it runs before all systems of its node that do not say so."},
            {.name = "last",
             .value = &language_bool,
             .fallback = "false",
             .doc = "Whether it runs behind all systems of its node that do not say so."},
            {.name = "inbox",
             .value = SET_OF(&inbox_item, 0),
             .doc = "The messages that it gets, in its turn and in order of publishing, by functions such as "
                    "`combat_on_damage`."},
            {.name = "on_leave",
             .value = &language_on_leave,
             .doc = "`keep`: the last values of what left the group can be read in `leave`."},
            {.name = "doc", .value = &language_text, .doc = "What it does. Becomes a comment in the generated C."},
            {0}},
};

const language_value language_trigger = {
    .kind = LANGUAGE_MAPPING,
    .name = "trigger",
    .title = "A trigger",
    .doc = "A change after which a reactive system executes.",
    .keys =
        (const language_key[]){
            {.name = "group", .value = &language_snake_name, .is_required = true, .doc = "The group that is watched."},
            {.name = "event",
             .value = &language_trigger_event,
             .fallback = "\"added\"",
             .doc = "What happens to an entity: it comes into the group or leaves it, and a replace of a component is "
                    "both; `modified` is a replace alone."},
            {0}},
};

const language_value language_bounds = {
    .kind = LANGUAGE_MAPPING,
    .name = "bounds",
    .title = "The bounds of an inbox",
    .doc = "How many messages an inbox holds, and what becomes of those that it does not.",
    .keys =
        (const language_key[]){
            {.name = "capacity",
             .value = &language_count,
             .doc = "How many messages it holds at most. Without it, all that come."},
            {.name = "full",
             .value = &language_full,
             .fallback = "\"oldest\"",
             .needs = "capacity",
             .doc = "What is lost when it is full: the oldest message, the newest, or the newest with an error."},
            {0}},
};
