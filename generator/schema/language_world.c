// The keys of messages, the schedule and systems.
#include "generator/schema/internal.h"

#include <stddef.h>

// The world of a schema: messages, the schedule and systems.

const language_value language_message = {
    .kind = LANGUAGE_MAPPING,
    .name = "message",
    .title = "A message",
    .doc = "A value that systems publish. Each inbox that lists the message receives a copy.",
    .keys = KEYS(
        KEY("fields", &language_fields,
            "The values of the message. They cannot own memory: a `string[31]` is allowed, a `string` is not. "
            "A message without fields only signals that something happened.",
            .refers_to = REFERS_TO_TYPE | REFERS_TO_CONTEXT, .declares = REFERS_TO_FIELD),
        KEY("was", &language_pascal_name, "The name of the message in earlier saves.",
            .member = {SAVED_IN(message), .fact = "Was"}),
        KEY("from", &language_replica, "`replica`: replicas may send the message to the host.",
            .omitted = " if replicas may not send it", .member = {BOOL_IN(message, is_from_replica), .json = "from"}),
        KEY("to", &language_replica,
            "`replica`: the host sends the message to replicas: to those that see the zone of its `zone` "
            "field, or to all.",
            .omitted = " if replicas do not receive it", .member = {BOOL_IN(message, is_to_replica), .json = "to"}),
        DOC_OF(message)),
};

const language_value language_node = {
    .kind = LANGUAGE_MAPPING,
    .name = "node",
    .title = "A node of the schedule",
    .doc = "A step of an update that systems run in. The systems of a node run before its children, except those that "
           "run after one.",
    .keys = KEYS(
        KEY("fixed", &language_step,
            "Runs in steps of this length, in the unit of the delta time, as many as fit into the elapsed time."),
        KEY("max_steps", &language_count, "The maximum number of steps in one update. Time beyond that is dropped.",
            .fallback = "5", .needs = "fixed", .member = {COUNT_IN(schedule_node, max_steps), .json = "max_steps"}),
        KEY("manual", &language_bool,
            "Whether the program runs the node, with a function such as `arena_world_run_physics`, instead of "
            "the update. The node has a clock of its own. Only at the top of the schedule.",
            .fallback = "false", .member = {BOOL_IN(schedule_node, is_manual), .json = "manual"}),
        KEY("runs", &language_runs,
            "Where the systems of the node, and of the nodes inside it, run in a world with a session, unless they say "
            "so themselves.",
            .omitted = " to run where the node around it runs",
            .member = {WORD_IN(schedule_node, runs), .json = "runs"}),
        KEY("children", MAP_OF(&language_snake_name, &language_node), "Child nodes, in order.",
            .declares = REFERS_TO_NODE),
        DOC_OF(schedule_node)),
};

// A message, or `{ Damage: { capacity: 256 } }`.
static const language_value inbox_item = {
    .kind = LANGUAGE_EITHER,
    .names = &language_pascal_name,
    .items = &(const language_value){
        .kind = LANGUAGE_MAP, .names = &language_pascal_name, .items = &language_bounds, .limit = 1}};

static const language_value system_or_node = {
    .kind = LANGUAGE_EITHER, .names = &language_pascal_name, .items = &language_snake_name};

static const language_value system_group = {
    .kind = LANGUAGE_EITHER, .names = &language_snake_name, .items = &language_group};

static const language_value order = {
    .kind = LANGUAGE_EITHER, .names = &language_tree_order, .items = &language_index_name};

static const language_value parallel = {.kind = LANGUAGE_EITHER, .names = &language_bool, .items = &language_pieces};

const language_value language_pieces = {
    .kind = LANGUAGE_MAPPING,
    .name = "pieces",
    .title = "The pieces of a parallel system",
    .doc =
        "How the group of a parallel system is divided into pieces. With `parallel: true` there are at most 128 pieces "
        "of equal size.",
    .keys = KEYS(KEY("grain", &language_grain,
                     "The places of a piece. `all`: one piece, which runs beside other systems.", .is_required = true)),
};

const language_value language_system = {
    .kind = LANGUAGE_MAPPING,
    .name = "system",
    .title = "A system",
    .doc = "A set of functions that the game implements, one for each role; `kin scaffold` writes stubs. With `group` "
           "it is a group system, with `react` a reactive system, otherwise a plain system.",
    .keys = KEYS(
        KEY("in", &language_snake_name,
            "The node of the schedule that the system runs in. Default: `simulation`, if the schedule has a "
            "node of that name; otherwise `in` is required.",
            .refers_to = REFERS_TO_NODE),
        KEY("group", &system_group,
            "The group that the system iterates each turn: the name of a declared group, or the rules of a group "
            "that only this system has, such as `{ all: [Position], none: [Frozen] }`. `update` is not called "
            "while the group is empty.",
            .refers_to = REFERS_TO_GROUP, .excludes = "react"),
        KEY("maybe", COMPONENTS,
            "Optional columns of the system's iterator, in addition to those of its group: components with "
            "fields. A column is `NULL` in a run or block without the component.",
            .refers_to = REFERS_TO_COMPONENT, .needs = "group"),
        KEY("tree", &language_snake_name,
            "The tree in whose order the system visits the members of its group, parents before children: the "
            "`reverse` of a field with `tree: true`. The iterator has one entity at a time, with its values "
            "and those of its parent.",
            .refers_to = REFERS_TO_TREE, .needs = "group"),
        KEY("only", &language_only,
            "`changed`: visits only the members that entered the group or were moved in the tree since the "
            "last turn, or of which a component in `reads` was added, replaced or touched; and all members "
            "below them.",
            .needs = "tree", .omitted = " to visit all members",
            .member = {BOOL_IN(declared_system, only_changed), .is_read_by_code = true, .json = "only"}),
        KEY("order", &order,
            "With `tree`: `depth`, the default, visits all members below a member before its next sibling; `breadth` "
            "visits the tree level by level. Without: an ordered index in whose order the system visits the members "
            "of its group, one at a time, or receives the entities that it reacts to.",
            .refers_to = REFERS_TO_INDEX),
        KEY("react", SET_OF(&language_trigger, 0),
            "The changes that cause `execute`, which receives the changed entities."),
        KEY("filter", &language_bool,
            "Whether a reactive system has a `filter` function that selects the entities for `execute`.",
            .fallback = "false"),
        KEY("roles", SET_OF(&language_role, 0),
            "The functions of the system. Default: `execute` for a plain system without an inbox, `update` for "
            "a group system. A reactive system always has `execute`."),
        KEY("reads", SET_OF(&language_pascal_name, 0),
            "Components that the system reads. Columns of the iterator that it does not write are `const`. A "
            "parallel system can read them of any entity, unless it writes them.",
            .refers_to = REFERS_TO_COMPONENT),
        KEY("writes", SET_OF(&language_pascal_name, 0),
            "Components that the system writes. Two systems of a node that write the same component need an "
            "order. Keys, relations and what the context owns stay `const` in their columns. A parallel system "
            "can write only columns of its iterator.",
            .refers_to = REFERS_TO_COMPONENT),
        KEY("parallel", &parallel,
            "Whether the system runs in pieces, if it has a group, and beside other parallel systems of its "
            "node, if none writes what another reads or writes. Its `update` or `execute` receives a job "
            "instead of the world, through which it can only do what the system declares.",
            .fallback = "false"),
        KEY("looks_up", SET_OF(&language_index_name, 0),
            "Indices in which a parallel system looks up entities. The index of a field is written as "
            "`Name.value`.",
            .refers_to = REFERS_TO_INDEX, .needs = "parallel"),
        KEY("changes", SET_OF(&language_pascal_name, 0),
            "Components that a parallel system adds, replaces and removes, by commands that run after the "
            "systems of its node.",
            .refers_to = REFERS_TO_COMPONENT, .needs = "parallel"),
        KEY("spawns", SET_OF(&language_pascal_name, 0), "Blueprints that a parallel system spawns, by commands.",
            .refers_to = REFERS_TO_BLUEPRINT, .needs = "parallel"),
        KEY("destroys", &language_bool, "Whether a parallel system destroys entities, by commands.",
            .fallback = "false", .needs = "parallel",
            .member = {BOOL_IN(declared_system, job.destroys), .is_read_by_code = true, .json = "destroys"}),
        KEY("publishes", SET_OF(&language_pascal_name, 0), "Messages that a parallel system publishes, by commands.",
            .refers_to = REFERS_TO_MESSAGE, .needs = "parallel"),
        KEY("random", &language_bool,
            "Whether the system draws random numbers, by a function such as `march_random`: the same on any number of "
            "threads, from the seed of the world.",
            .fallback = "false", .member = {BOOL_IN(declared_system, has_random), .json = "random"}),
        KEY("before", SET_OF(&system_or_node, 0),
            "Systems and nodes that run after this one. A child of its node may be named.",
            .refers_to = REFERS_TO_SYSTEM | REFERS_TO_NODE),
        KEY("after", SET_OF(&system_or_node, 0),
            "Systems and nodes that run before this one. A child of its node may be named: the system then runs "
            "after that child.",
            .refers_to = REFERS_TO_SYSTEM | REFERS_TO_NODE),
        KEY("first", &language_bool, "Whether the system runs before all systems of its node that are not `first`.",
            .fallback = "false"),
        KEY("last", &language_bool,
            "Whether the system runs after all systems of its node that are not `last`, and after the children "
            "of the node.",
            .fallback = "false"),
        KEY("inbox", SET_OF(&inbox_item, 0),
            "The messages that the system receives in its turn, in order of publishing, through functions such "
            "as `combat_on_damage`.",
            .refers_to = REFERS_TO_MESSAGE),
        KEY("on_leave", &language_on_leave, "`keep`: `leave` can read the last values of entities that left the group.",
            .omitted = " to receive entities without values",
            .member = {BOOL_IN(declared_system, keeps_left), .is_read_by_code = true, .json = "on_leave"}),
        KEY("runs", &language_runs,
            "Where the system runs in a world with a session. `host`: where the world is made; `replica`: in worlds "
            "that "
            "follow it; `predicted`: at the host, and in replicas ahead of it. Default: that of its node, or `host`. A "
            "world without a session runs all systems.",
            .omitted = " to run where its node runs", .member = {WORD_IN(declared_system, runs), .json = "runs"}),
        KEY("was", &language_pascal_name, "The name of the system in earlier saves.",
            .member = {SAVED_IN(declared_system), .fact = "Was"}),
        DOC_OF(declared_system)),
};

const language_value language_trigger = {
    .kind = LANGUAGE_MAPPING,
    .name = "trigger",
    .title = "A trigger",
    .doc = "A change that causes a reactive system to execute.",
    .keys = KEYS(
        KEY("group", &language_snake_name, "The group to watch.", .is_required = true, .refers_to = REFERS_TO_GROUP),
        KEY("event", &language_trigger_event,
            "What happens to an entity: it enters the group or leaves it. A replaced component counts as both; "
            "`modified` is only a replaced component.",
            .fallback = "\"added\"",
            .member = {WORD_IN(system_trigger, event), .is_read_by_code = true, .json = "event"})),
};

const language_value language_bounds = {
    .kind = LANGUAGE_MAPPING,
    .name = "bounds",
    .title = "The bounds of an inbox",
    .doc = "The capacity of an inbox, and what happens when it is full.",
    .keys =
        KEYS(KEY("capacity", &language_count, "The maximum number of messages. Default: no limit.",
                 .member = {COUNT_IN(system_inbox, capacity), .is_read_by_code = true, .json = "capacity"}),
             KEY("full", &language_full,
                 "What a full inbox loses when a message is published: `oldest` drops the oldest message in it, "
                 "`newest` "
                 "and `error` the published one. `oldest` and `newest` report `KIN_ERROR_LIMIT` for the first loss, "
                 "and again only after the system has read a message; `error` reports every loss.",
                 .fallback = "\"oldest\"", .needs = "capacity", .member = {WORD_IN(system_inbox, full)})),
};
