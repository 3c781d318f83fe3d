// Worlds: messages, the schedule and systems in the model.
#include "generator/base/base.h"
#include "generator/read/read.h"
#include "generator/reading.h"
#include "generator/schema/schema.h"
#include "suites.h"

#include <check.h>
#include <string.h>

static const char components[] = "components:\n"
                                 "  Position: { fields: { x: float } }\n"
                                 "  Velocity: { fields: { x: float } }\n"
                                 "  Frozen: {}\n"
                                 "groups:\n"
                                 "  movers: { all: [Position, Velocity], none: [Frozen] }\n"
                                 "  frozen: { all: [Frozen] }\n";

static const package *read_world(const char *rest)
{
    return reading_package_in_game(arena_format(reading_arena(), "%s%s", components, rest));
}

static const declared_system *find(const package *package, const char *name)
{
    for (size_t i = 0; i < package->system_count; i++)
        if (strcmp(package->systems[i]->name, name) == 0)
            return package->systems[i];
    ck_abort_msg("no system %s", name);
}

// ---- messages and nodes

START_TEST(a_package_without_any_of_the_keys_has_no_world)
{
    const package *package = read_world("");
    reading_expect_nothing();
    ck_assert(!package->has_world);
    ck_assert_uint_eq(package->node_count + package->message_count + package->system_count, 0);
    ck_assert(read_world("messages: { Over: {} }\n")->has_world);
    ck_assert(read_world("schedule: { all: {} }\n")->has_world);
    ck_assert(read_world("systems: { Run: { in: simulation } }\n")->has_world);
}
END_TEST

START_TEST(messages_are_numbered_by_name_and_laid_out)
{
    const package *package = read_world("messages:\n"
                                        "  Over: { doc: It is over. }\n"
                                        "  Damage: { fields: { target: entity<game>, amount: int32 } }\n");
    reading_expect_nothing();
    ck_assert_uint_eq(package->message_count, 2);
    const message *damage = package->messages[0], *over = package->messages[1];
    ck_assert_str_eq(damage->name, "Damage");
    ck_assert_uint_eq(damage->number, 0);
    ck_assert_uint_eq(damage->fields.count, 2);
    ck_assert_uint_eq(damage->layout.size, 16);
    ck_assert_ptr_nonnull(damage->fields.fields[1].default_value);
    ck_assert_str_eq(over->doc, "It is over.");
    ck_assert_uint_eq(over->number, 1);
    ck_assert_uint_eq(over->fields.count, 0);
}
END_TEST

START_TEST(a_schedule_is_walked_depth_first)
{
    const package *package =
        read_world("schedule:\n"
                   "  first: { doc: Begins. }\n"
                   "  second: { children: { inner: { children: { innermost: {} } }, other: {} } }\n"
                   "  third: {}\n");
    reading_expect_nothing();
    static const char *const names[] = {"first", "second", "inner", "innermost", "other", "third"};
    static const int parents[] = {-1, -1, 1, 2, 1, -1};
    ck_assert_uint_eq(package->node_count, 6);
    for (size_t i = 0; i < 6; i++) {
        const schedule_node *node = package->nodes[i], *parent = parents[i] < 0 ? NULL : package->nodes[parents[i]];
        ck_assert_str_eq(node->name, names[i]);
        ck_assert_uint_eq(node->number, i);
        ck_assert_ptr_eq(node->parent, parent);
        ck_assert_double_eq(node->step, 0);
        ck_assert_uint_eq(node->max_steps, 0);
    }
    ck_assert_str_eq(package->nodes[0]->doc, "Begins.");
}
END_TEST

START_TEST(without_a_schedule_there_are_three_nodes)
{
    const package *package = read_world("systems: { Run: { in: simulation } }\n");
    reading_expect_nothing();
    static const char *const names[] = {"initialization", "simulation", "presentation"};
    ck_assert_uint_eq(package->node_count, 3);
    for (size_t i = 0; i < 3; i++)
        ck_assert_str_eq(package->nodes[i]->name, names[i]);
    ck_assert_ptr_eq(package->systems[0]->node, package->nodes[1]);
}
END_TEST

START_TEST(a_system_without_in_runs_in_simulation)
{
    const package *package = read_world("systems: { Move: { group: movers } }\n");
    reading_expect_nothing();
    ck_assert_str_eq(find(package, "Move")->node->name, "simulation");
    package = read_world("schedule: { input: {}, simulation: {} }\n"
                         "systems: { Move: { group: movers }, Poll: { in: input } }\n");
    reading_expect_nothing();
    ck_assert_str_eq(find(package, "Move")->node->name, "simulation");
    ck_assert_uint_eq(find(package, "Poll")->number, 0);
}
END_TEST

START_TEST(nodes_at_the_top_may_be_manual)
{
    const package *package =
        reading_package_in_game("components: { Frozen: {} }\n"
                                "schedule:\n"
                                "  engine: { manual: true, children: { physics: {}, forces: {} } }\n"
                                "  logic: { manual: false, fixed: 1 }\n");
    reading_expect_nothing();
    ck_assert(package->nodes[0]->is_manual);
    ck_assert(!package->nodes[1]->is_manual);
    ck_assert(!package->nodes[3]->is_manual);
    ck_assert_uint_eq(package->nodes[0]->last, 2);
    ck_assert_uint_eq(package->nodes[1]->last, 1);
}
END_TEST

START_TEST(a_fixed_node_catches_up_on_five_steps_by_default)
{
    const package *package = read_world("schedule:\n"
                                        "  physics: { fixed: 0.02 }\n"
                                        "  logic: { fixed: 1, max_steps: 1 }\n"
                                        "  often: { fixed: 1e-3, max_steps: 4294967295 }\n");
    reading_expect_nothing();
    ck_assert_double_eq(package->nodes[0]->step, 0.02);
    ck_assert_uint_eq(package->nodes[0]->max_steps, 5);
    ck_assert_double_eq(package->nodes[1]->step, 1);
    ck_assert_uint_eq(package->nodes[1]->max_steps, 1);
    ck_assert_double_eq(package->nodes[2]->step, 0.001);
    ck_assert_uint_eq(package->nodes[2]->max_steps, UINT32_MAX);
}
END_TEST

// ---- systems

static const struct {
    const char *written;
    system_kind kind;
    const char *roles;
} systems[] = {
    {"", SYSTEM_PLAIN, " execute"},
    {"inbox: [Over]", SYSTEM_PLAIN, ""},
    {"inbox: [Over], roles: [execute]", SYSTEM_PLAIN, " execute"},
    {"roles: [tear_down, initialize]", SYSTEM_PLAIN, " initialize tear_down"},
    {"roles: [start, dispose, draw, cleanup]", SYSTEM_PLAIN, " start draw cleanup dispose"},
    {"group: movers", SYSTEM_GROUP, " update"},
    {"group: movers, inbox: [Over]", SYSTEM_GROUP, " update"},
    {"group: movers, roles: [draw, leave, enter]", SYSTEM_GROUP, " enter leave draw"},
    {"group: movers, roles: [first_update, update, cleanup]", SYSTEM_GROUP, " first_update update cleanup"},
    {"react: [{ group: movers }]", SYSTEM_REACTIVE, " execute"},
    {"react: [{ group: movers }], filter: true", SYSTEM_REACTIVE, " execute filter"},
    {"react: [{ group: movers }], filter: false", SYSTEM_REACTIVE, " execute"},
    {"react: [{ group: movers }], roles: [initialize, filter]", SYSTEM_REACTIVE, " initialize execute filter"},
    {"react: [{ group: movers }], roles: [execute, draw]", SYSTEM_REACTIVE, " execute draw"},
};

START_TEST(a_system_has_the_roles_of_its_kind)
{
    const char *rest =
        arena_format(reading_arena(), "messages: { Over: {} }\nsystems: { Run: { in: simulation%s%s } }\n",
                     systems[_i].written[0] == '\0' ? "" : ", ", systems[_i].written);
    const package *package = read_world(rest);
    reading_expect_nothing();
    const declared_system *system = package->systems[0];
    ck_assert_int_eq(system->kind, systems[_i].kind);
    text roles = text_create(reading_arena());
    for (system_role role = 0; role < ROLE_COUNT; role++)
        if (system->roles[role])
            text_append_format(&roles, " %s", schema_role_name(role));
    ck_assert_str_eq(roles.bytes, systems[_i].roles);
}
END_TEST

START_TEST(a_group_system_knows_its_group_and_columns)
{
    const package *package =
        read_world("systems:\n"
                   "  Move: { in: simulation, group: movers, writes: [Position], reads: [Velocity],\n"
                   "          roles: [leave], on_leave: keep, doc: Moves. }\n");
    reading_expect_nothing();
    const declared_system *move = package->systems[0];
    const component *position = package->components[1], *velocity = package->components[2];
    ck_assert_str_eq(move->doc, "Moves.");
    ck_assert_str_eq(move->group->name, "movers");
    ck_assert(move->keeps_left);
    ck_assert_uint_eq(move->write_count, 1);
    ck_assert_uint_eq(move->read_count, 1);
    ck_assert_ptr_eq(move->reads[0], velocity);
    ck_assert(schema_writes(move, position));
    ck_assert(!schema_writes(move, velocity));
}
END_TEST

START_TEST(only_components_with_fields_that_all_members_have_are_columns)
{
    const package *package = read_world("  any_of: { any: [Position, Velocity], only: [Position, Velocity] }\n"
                                        "  both: { all: [Position, Frozen] }\n");
    reading_expect_nothing();
    const component *frozen = package->components[0], *position = package->components[1];
    const declared_system any_of = {.group = package->groups[0]}, both = {.group = package->groups[1]};
    ck_assert(schema_is_column_of(&both, position));
    ck_assert(!schema_is_column_of(&both, frozen));
    ck_assert(!schema_is_column_of(&both, package->components[2]));
    ck_assert(!schema_is_column_of(&any_of, position));
    ck_assert(!schema_is_column_of(&(declared_system){0}, position));
}
END_TEST

START_TEST(optional_columns_are_those_of_the_group_and_of_the_system)
{
    const package *package = read_world("  placed: { all: [Position], maybe: [Velocity] }\n"
                                        "systems:\n"
                                        "  Move: { in: simulation, group: placed }\n"
                                        "  Stop: { in: simulation, group: frozen, maybe: [Velocity, Position] }\n"
                                        "  Turn: { in: simulation, group: { all: [Frozen], maybe: [Position] } }\n");
    reading_expect_nothing();
    const component *position = package->components[1], *velocity = package->components[2];
    const declared_system *move = find(package, "Move"), *stop = find(package, "Stop"), *turn = find(package, "Turn");
    ck_assert_uint_eq(move->maybe.count, 0);
    ck_assert_ptr_eq(move->group->maybe.components[0], velocity);
    ck_assert_uint_eq(stop->group->maybe.count, 0);
    ck_assert_uint_eq(stop->maybe.count, 2);
    ck_assert_ptr_eq(stop->maybe.components[1], position);
    ck_assert_uint_eq(turn->group->maybe.count, 1);
    ck_assert(schema_is_column_of(move, velocity));
    ck_assert(schema_is_column_of(stop, velocity));
    ck_assert(schema_is_column_of(turn, position));
    ck_assert(!schema_is_column_of(turn, velocity));
}
END_TEST

START_TEST(a_reactive_system_has_its_triggers_in_order_of_the_file)
{
    const package *package = read_world("systems:\n"
                                        "  Show:\n"
                                        "    in: presentation\n"
                                        "    react:\n"
                                        "      - { group: movers, event: modified }\n"
                                        "      - { event: removed, group: frozen }\n"
                                        "      - { group: movers, event: added_or_removed }\n"
                                        "      - group: movers\n");
    reading_expect_nothing();
    static const trigger_event events[] = {TRIGGER_MODIFIED, TRIGGER_REMOVED, TRIGGER_ADDED_OR_REMOVED, TRIGGER_ADDED};
    const declared_system *show = package->systems[0];
    ck_assert_uint_eq(show->trigger_count, 4);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_str_eq(show->triggers[i].group->name, i == 1 ? "frozen" : "movers");
        ck_assert_int_eq(show->triggers[i].event, events[i]);
    }
}
END_TEST

START_TEST(an_inbox_is_unbounded_or_has_a_declared_capacity)
{
    const package *package =
        read_world("messages: { A: {}, B: {}, C: {}, D: {} }\n"
                   "systems:\n"
                   "  Read:\n"
                   "    in: simulation\n"
                   "    inbox: [D, { A: { capacity: 1 } }, { C: { capacity: 256, full: newest } },\n"
                   "            { B: { full: error, capacity: 0x10 } }]\n"
                   "  Other: { in: simulation, inbox: [{ A: {} }] }\n");
    reading_expect_nothing();
    static const struct {
        const char *name;
        uint32_t capacity;
        inbox_full full;
    } expected[] = {{"D", 0, INBOX_OLDEST}, {"A", 1, INBOX_OLDEST}, {"C", 256, INBOX_NEWEST}, {"B", 16, INBOX_ERROR}};
    const declared_system *read = find(package, "Read");
    ck_assert_uint_eq(read->inbox_count, 4);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_str_eq(read->inboxes[i].message->name, expected[i].name);
        ck_assert_uint_eq(read->inboxes[i].capacity, expected[i].capacity);
        ck_assert_int_eq(read->inboxes[i].full, expected[i].full);
    }
    ck_assert_uint_eq(find(package, "Other")->inboxes[0].capacity, 0);
}
END_TEST

// ---- names

static const symbol *find_symbol(const symbol_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->symbols[i].name, name) == 0)
            return &list->symbols[i];
    return NULL;
}

START_TEST(every_name_of_a_world_has_an_origin)
{
    const package *package =
        reading_package("kin: 1\n"
                        "package: arena\n"
                        "prefix: my_\n"
                        "contexts: { game: { default: true }, input: {} }\n"
                        "components: { Mass: { contexts: [game, input], fields: { x: float } } }\n"
                        "groups: { heavy: { all: [Mass] }, far: { context: input, all: [Mass] } }\n"
                        "messages: { OverThere: { fields: { x: float } }, Bare: {} }\n"
                        "systems:\n"
                        "  Fall: { in: simulation, group: heavy, on_leave: keep,\n"
                        "          roles: [update, leave, tear_down], inbox: [OverThere] }\n"
                        "  Near: { in: simulation, react: [{ group: heavy }], filter: true }\n"
                        "  Both: { in: simulation, react: [{ group: far }, { group: heavy }] }\n");
    reading_expect_nothing();
    static const char *const cases[][2] = {
        {"arena_world.c", "world of package 'arena'"}, {"my_arena_world_push_time", "world of package 'arena'"},
        {"my_OverThere", "message 'OverThere'"},       {"my_arena_publish_over_there", "message 'OverThere'"},
        {"my_arena_publish_bare", "message 'Bare'"},   {"my_fall_iter", "system 'Fall'"},
        {"my_fall_iter.mass", "system 'Fall'"},        {"my_fall_tear_down", "system 'Fall'"},
        {"my_fall_left_mass", "system 'Fall'"},        {"my_fall_on_over_there", "system 'Fall'"},
        {"my_near_execute", "system 'Near'"},          {"my_near_filter", "system 'Near'"},
        {"my_both_execute_game", "system 'Both'"},     {"my_both_execute_input", "system 'Both'"},
    };
    symbol_list list = symbols_of(reading_arena(), package);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const symbol *symbol = find_symbol(&list, cases[i][0]);
        ck_assert_msg(symbol != NULL, "%s is missing", cases[i][0]);
        ck_assert_str_eq(symbol->origin, cases[i][1]);
    }
    static const char *const others[] = {"my_both_execute", "my_near_execute_game", "my_near_iter", "my_fall_execute",
                                         "my_Bare"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_msg(find_symbol(&list, others[i]) == NULL, "%s is there", others[i]);
}
END_TEST

Suite *schema_world_suite(void)
{
    Suite *suite = suite_create("schema_world");
    TCase *tests = tcase_create("schema_world");
    tcase_add_checked_fixture(tests, reading_begin, reading_end);
    tcase_add_test(tests, a_package_without_any_of_the_keys_has_no_world);
    tcase_add_test(tests, messages_are_numbered_by_name_and_laid_out);
    tcase_add_test(tests, a_schedule_is_walked_depth_first);
    tcase_add_test(tests, without_a_schedule_there_are_three_nodes);
    tcase_add_test(tests, a_system_without_in_runs_in_simulation);
    tcase_add_test(tests, nodes_at_the_top_may_be_manual);
    tcase_add_test(tests, a_fixed_node_catches_up_on_five_steps_by_default);
    tcase_add_loop_test(tests, a_system_has_the_roles_of_its_kind, 0, sizeof systems / sizeof *systems);
    tcase_add_test(tests, a_group_system_knows_its_group_and_columns);
    tcase_add_test(tests, only_components_with_fields_that_all_members_have_are_columns);
    tcase_add_test(tests, optional_columns_are_those_of_the_group_and_of_the_system);
    tcase_add_test(tests, a_reactive_system_has_its_triggers_in_order_of_the_file);
    tcase_add_test(tests, an_inbox_is_unbounded_or_has_a_declared_capacity);
    tcase_add_test(tests, every_name_of_a_world_has_an_origin);
    suite_add_tcase(suite, tests);
    return suite;
}
