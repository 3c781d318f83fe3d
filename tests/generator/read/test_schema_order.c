// The order in which systems run, and which of them could run in parallel.
#include "generator/base/base.h"
#include "generator/reading.h"
#include "generator/schema/schema.h"
#include "suites.h"

#include <check.h>
#include <string.h>

static const package *read_systems_of(const char *rest)
{
    static const char components[] = "components:\n"
                                     "  Position: { fields: { x: float } }\n"
                                     "  Velocity: { fields: { x: float } }\n"
                                     "  Frozen: {}\n"
                                     "groups:\n"
                                     "  movers: { all: [Position, Velocity], none: [Frozen] }\n"
                                     "  frozen: { all: [Frozen] }\n";
    return reading_package_in_game(arena_format(reading_arena(), "%s%s", components, rest));
}

// Returns the names of the systems in the order in which they run, each after a space, with a bar between nodes.
static const char *order_of(const package *package)
{
    text order = text_create(reading_arena());
    for (size_t i = 0; i < package->system_count; i++) {
        const declared_system *system = package->systems[i];
        ck_assert_uint_eq(system->number, i);
        if (i > 0 && system->node != package->systems[i - 1]->node)
            text_append_string(&order, " |");
        text_append_format(&order, " %s", system->name);
    }
    return order.bytes;
}

static const declared_system *find(const package *package, const char *name)
{
    for (size_t i = 0; i < package->system_count; i++)
        if (strcmp(package->systems[i]->name, name) == 0)
            return package->systems[i];
    ck_abort_msg("no system %s", name);
}

static const struct {
    const char *systems, *order;
} orders[] = {
    // file order unless declared otherwise
    {"C: { in: one }, A: { in: one }, B: { in: one }", " C A B"},
    // by node: systems of a node before those of its children
    {"A: { in: three }, B: { in: inner }, C: { in: two }, D: { in: one }, E: { in: two }", " D | C E | B | A"},
    {"A: { in: one }, B: { in: one, before: [A] }", " B A"},
    {"A: { in: one, after: [B] }, B: { in: one }", " B A"},
    {"A: { in: one, after: [C] }, B: { in: one }, C: { in: one }, D: { in: one }", " B C A D"},
    {"A: { in: one, after: [D] }, B: { in: one }, C: { in: one, before: [B] }, D: { in: one }", " C B D A"},
    {"A: { in: one }, B: { in: one, first: true }, C: { in: one }, D: { in: one, first: true }", " B D A C"},
    {"A: { in: one, last: true }, B: { in: one }, C: { in: one, last: true }, D: { in: one }", " B D A C"},
    {"A: { in: one, last: true }, B: { in: one, first: true, before: [A] }, C: { in: one }", " B C A"},
    {"A: { in: one, first: true, after: [B] }, B: { in: one, first: true }", " B A"},
    {"A: { in: one, last: true, after: [B] }, B: { in: one, last: true }, C: { in: one, first: false }", " C B A"},
    // orders that agree with the tree are allowed
    {"A: { in: two, after: [B], before: [C] }, B: { in: one }, C: { in: inner }", " B | A | C"},
    // both systems may declare the same order
    {"A: { in: one, after: [B] }, B: { in: one, before: [A] }", " B A"},
    // before and after the children of the node
    {"A: { in: two, after: [inner] }, B: { in: inner }, C: { in: two }", " C | B | A"},
    {"A: { in: two, last: true }, B: { in: inner }, C: { in: two, after: [inner] }", " B | C A"},
    {"A: { in: two, after: [B] }, B: { in: two, after: [inner] }, C: { in: inner }, D: { in: two, before: [inner] }",
     " D | C | B A"},
    {"A: { in: two, last: true, after: [B] }, B: { in: inner, before: [A] }, C: { in: two }", " C | B | A"},
    {"A: { in: two, after: [B] }, B: { in: two, after: [C] }, C: { in: two, after: [inner] }, D: { in: inner }",
     " D | C B A"},
    // nodes elsewhere in the schedule
    {"A: { in: three, after: [two, inner, B] }, B: { in: inner, before: [three], after: [one] }, C: { in: two }",
     " C | B | A"},
};

START_TEST(systems_run_by_node_then_phase_then_declared_order_then_file_order)
{
    const char *rest = arena_format(reading_arena(),
                                    "schedule: { one: {}, two: { children: { inner: {} } }, three: {} }\n"
                                    "systems: { %s }\n",
                                    orders[_i].systems);
    const package *package = read_systems_of(rest);
    reading_expect_nothing();
    ck_assert_str_eq(order_of(package), orders[_i].order);
}
END_TEST

START_TEST(systems_run_after_the_last_node_that_is_named_or_that_their_predecessors_follow)
{
    const package *package =
        read_systems_of("schedule: { top: { children: { left: { children: { leaf: {} } }, right: {} } } }\n"
                        "systems:\n"
                        "  A: { in: top, after: [leaf] }\n"
                        "  B: { in: top, after: [A], before: [right] }\n"
                        "  C: { in: top, after: [B], last: true }\n"
                        "  D: { in: left, last: true }\n"
                        "  E: { in: top, before: [left] }\n");
    reading_expect_nothing();
    ck_assert_str_eq(order_of(package), " E | D | A B C");
    ck_assert_str_eq(find(package, "A")->after->name, "leaf");
    ck_assert_str_eq(find(package, "B")->after->name, "leaf");
    ck_assert_str_eq(find(package, "C")->after->name, "right");
    ck_assert_str_eq(find(package, "D")->after->name, "leaf");
    ck_assert_str_eq(find(package, "E")->after->name, "top");
    ck_assert_uint_gt(find(package, "A")->batch, find(package, "E")->batch);
}
END_TEST

START_TEST(a_system_knows_the_systems_that_it_is_declared_to_run_after)
{
    const package *package = read_systems_of("systems:\n"
                                             "  A: { in: simulation, after: [C, Show, B] }\n"
                                             "  B: { in: simulation, before: [A] }\n"
                                             "  C: { in: simulation }\n"
                                             "  Show: { in: initialization }\n");
    reading_expect_nothing();
    const declared_system *a = find(package, "A");
    ck_assert_uint_eq(a->predecessor_count, 3);
    ck_assert_str_eq(a->predecessors[0]->name, "Show");
    ck_assert_str_eq(a->predecessors[1]->name, "B");
    ck_assert_str_eq(a->predecessors[2]->name, "C");
}
END_TEST

// ---- at random

enum { TRIALS = 200, MOST_SYSTEMS = 24, NODES = 4 };

static uint32_t chance;

static uint32_t below(uint32_t limit)
{
    chance = chance * 1664525u + 1013904223u;
    return (chance >> 8) % limit;
}

// Nodes and phases in the order in which they run: n2 is in n1.
static const struct {
    size_t node, phase;
} turns[] = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {3, 0}, {3, 1}, {3, 2}};

// Systems whose declared orders all agree with a hidden order, which is sorted by node and phase.
typedef struct trial {
    size_t count;
    size_t rank[MOST_SYSTEMS]; // the hidden order: turn, then at random
    bool is_before[MOST_SYSTEMS][MOST_SYSTEMS];
    text schema;
} trial;

static const char *const phases[] = {", first: true", "", ", last: true"};

static size_t group_of(const trial *trial, size_t system)
{
    return trial->rank[system] / MOST_SYSTEMS;
}

static void append_orders(trial *trial, size_t system)
{
    static const char *const keys[] = {"before", "after"};
    for (size_t key = 0; key < 2; key++) {
        size_t count = 0;
        for (size_t other = 0; other < trial->count; other++) {
            bool is_before = trial->rank[system] < trial->rank[other];
            if (trial->rank[system] == trial->rank[other] || is_before != (key == 0) || below(6) > 0)
                continue;
            trial->is_before[is_before ? system : other][is_before ? other : system] = true;
            if (count++ == 0)
                text_append_format(&trial->schema, ", %s: [S%zu", keys[key], other);
            else
                text_append_format(&trial->schema, ", S%zu", other);
        }
        text_append_string(&trial->schema, count == 0 ? "" : "]");
    }
}

static void write_trial(trial *trial)
{
    trial->count = 1 + below(MOST_SYSTEMS);
    trial->schema = text_create(reading_arena());
    text_append_string(&trial->schema, "schedule: { n0: {}, n1: { children: { n2: {} } }, n3: {} }\nsystems:\n");
    for (size_t i = 0; i < trial->count; i++)
        trial->rank[i] = below(3 * NODES) * MOST_SYSTEMS + below(MOST_SYSTEMS);
    for (size_t i = 0; i < trial->count; i++) {
        text_append_format(&trial->schema, "  S%zu: { in: n%zu%s", i, turns[group_of(trial, i)].node,
                           phases[turns[group_of(trial, i)].phase]);
        append_orders(trial, i);
        text_append_string(&trial->schema, " }\n");
    }
}

static size_t place_of(const package *package, size_t system)
{
    return find(package, arena_format(reading_arena(), "S%zu", system))->number;
}

// Checks that the system at `place` does not run before an earlier one of the file, of the same node and phase,
// without a reason: a system that runs between them, or the one at `place`, is declared to run before the earlier one.
static bool has_reason(const trial *trial, const size_t *order, size_t place)
{
    for (size_t later = place + 1; later < trial->count; later++) {
        if (order[later] > order[place] || group_of(trial, order[later]) != group_of(trial, order[place]))
            continue;
        bool is_held = false;
        for (size_t between = place; between < later && !is_held; between++)
            is_held = trial->is_before[order[between]][order[later]];
        if (!is_held)
            return false;
    }
    return true;
}

static void check_trial(const trial *trial, const package *package)
{
    size_t order[MOST_SYSTEMS];
    for (size_t i = 0; i < trial->count; i++)
        order[place_of(package, i)] = i;
    for (size_t i = 0; i < trial->count; i++)
        for (size_t k = i + 1; k < trial->count; k++) {
            ck_assert_uint_le(group_of(trial, order[i]), group_of(trial, order[k]));
            ck_assert_msg(!trial->is_before[order[k]][order[i]], "S%zu runs after S%zu in:\n%s", order[k], order[i],
                          trial->schema.bytes);
        }
    for (size_t i = 0; i < trial->count; i++)
        ck_assert_msg(has_reason(trial, order, i), "S%zu runs early in:\n%s", order[i], trial->schema.bytes);
}

START_TEST(random_orders_are_kept_and_file_order_decides_the_rest)
{
    for (chance = 1; chance <= TRIALS; chance++) {
        uint32_t seed = chance;
        trial trial = {.count = 0};
        write_trial(&trial);
        const package *package = read_systems_of(trial.schema.bytes);
        ck_assert_msg(package != NULL, "%s", reading_printed());
        check_trial(&trial, package);
        chance = seed;
    }
}
END_TEST

static const struct {
    const char *systems, *levels;
} levels[] = {
    // a system without `reads` and `writes` may access anything
    {"A: { in: one }, B: { in: one }, C: { in: one, writes: [Position] }", " 0 1 2"},
    {"A: { in: one, reads: [Position] }, B: { in: one, reads: [Position] }, C: { in: one }", " 0 0 1"},
    // readers run in parallel, a writer alone
    {"A: { in: one, reads: [Position] }, B: { in: one, writes: [Velocity] }, C: { in: one, writes: [Position] }",
     " 0 0 1"},
    {"A: { in: one, writes: [Position] }, B: { in: one, reads: [Velocity] }, C: { in: one, reads: [Position] }",
     " 0 0 1"},
    {"A: { in: one, writes: [Position] }, B: { in: one, writes: [Position], after: [A] }", " 0 1"},
    // a declared order is kept, whatever the systems access
    {"A: { in: one, reads: [Position] }, B: { in: one, reads: [Position], after: [A] }", " 0 1"},
    {"A: { in: one, reads: [Position], last: true }, B: { in: one, reads: [Position] }", " 0 1"},
    // a group system reads the components of its group, also those under `none`
    {"A: { in: one, group: movers }, B: { in: one, group: movers }", " 0 0"},
    {"A: { in: one, group: movers, writes: [Position] }, B: { in: one, group: frozen }", " 0 0"},
    {"A: { in: one, writes: [Frozen] }, B: { in: one, group: movers }, C: { in: one, group: frozen }", " 0 1 1"},
    {"A: { in: one, group: movers, writes: [Position] }, B: { in: one, group: movers }", " 0 1"},
    // systems without conflicts move forward, but not past a system that may access anything
    {"A: { in: one, writes: [Position] }, B: { in: one, reads: [Position] }, C: { in: one, writes: [Velocity] }",
     " 0 1 0"},
    {"A: { in: one, reads: [Position] }, B: { in: one }, C: { in: one, reads: [Velocity] }", " 0 1 2"},
    // steps are counted in each node separately
    {"A: { in: one }, B: { in: one }, C: { in: two }, D: { in: inner, after: [C] }", " 0 1 0 0"},
};

START_TEST(systems_without_conflicts_could_run_in_parallel)
{
    const char *rest = arena_format(reading_arena(),
                                    "schedule: { one: {}, two: { children: { inner: {} } }, three: {} }\n"
                                    "systems: { %s }\n",
                                    levels[_i].systems);
    const package *package = read_systems_of(rest);
    reading_expect_nothing();
    text numbers = text_create(reading_arena());
    for (size_t i = 0; i < package->system_count; i++)
        text_append_format(&numbers, " %zu", package->systems[i]->level);
    ck_assert_str_eq(numbers.bytes, levels[_i].levels);
}
END_TEST

static const struct {
    const char *systems, *order, *batches;
} batches[] = {
    // a system that is not parallel is a batch of its own, whatever it declares
    {"A: { in: one, reads: [Position] }, B: { in: one, reads: [Position] }", " A B", " 0 1"},
    {"A: { in: one, @ }, B: { in: one }, C: { in: one, @ }", " A B C", " 0 1 2"},
    // a parallel system is in the first batch in which it meets none of those before it
    {"A: { in: one, @ }, B: { in: one, @ }", " A B", " 0 0"},
    {"A: { in: one, @, reads: [Position] }, B: { in: one, @, reads: [Position] }", " A B", " 0 0"},
    {"A: { in: one, @, group: movers, writes: [Position] }, B: { in: one, @, reads: [Position] }, C: { in: one, @ }",
     " A C B", " 0 0 1"},
    {"A: { in: one, @, reads: [Velocity] }, B: { in: one, @, group: movers, writes: [Velocity] }", " A B", " 0 1"},
    // a group reads what its rules name, also under `none`
    {"A: { in: one, @, group: movers, writes: [Position] }, B: { in: one, @, group: movers }", " A B", " 0 1"},
    {"A: { in: one, @, group: movers, writes: [Position] }, B: { in: one, @, group: frozen }", " A B", " 0 0"},
    {"A: { in: one, @, group: movers, writes: [Position] }, B: { in: one, @, group: placed, writes: [Position], after: "
     "[A] }",
     " A B", " 0 1"},
    // two systems that only read each other's neighbours are side by side
    {"A: { in: one, @, group: movers, reads: [Position] }, B: { in: one, @, group: movers }", " A B", " 0 0"},
    // declared orders: after, before, first and last; also through others
    {"A: { in: one, @ }, B: { in: one, @, after: [A] }, C: { in: one, @ }", " A C B", " 0 0 1"},
    {"A: { in: one, @ }, B: { in: one, @, after: [A] }, C: { in: one, @, after: [B] }, D: { in: one, @, before: [C] }",
     " A D B C", " 0 0 1 2"},
    {"A: { in: one, @ }, B: { in: one, @, first: true }, C: { in: one, @, last: true }", " B A C", " 0 1 2"},
    // commands do not make systems meet
    {"A: { in: one, @, changes: [Position], destroys: true }, B: { in: one, @, reads: [Position] }", " A B", " 0 0"},
    // not past a system that is not parallel
    {"A: { in: one, @, reads: [Position] }, B: { in: one }, C: { in: one, @, reads: [Velocity] }, D: { in: one, @ }",
     " A B C D", " 0 1 2 2"},
    // each node has its own; those after a child follow those before it
    {"A: { in: two, @ }, B: { in: inner, @ }, C: { in: two, @, last: true }, D: { in: three, @ }", " A | B | C | D",
     " 0 0 1 0"},
};

static const char *parallel(const char *systems)
{
    text result = text_create(reading_arena());
    for (; *systems != '\0'; systems++)
        if (*systems == '@')
            text_append_string(&result, "parallel: true");
        else
            text_append_format(&result, "%c", *systems);
    return result.bytes;
}

START_TEST(par_08_parallel_systems_run_in_the_first_batch_in_which_they_meet_no_other)
{
    const char *rest = arena_format(reading_arena(),
                                    "  placed: { all: [Position] }\n"
                                    "schedule: { one: {}, two: { children: { inner: {} } }, three: {} }\n"
                                    "systems: { %s }\n",
                                    parallel(batches[_i].systems));
    const package *package = read_systems_of(rest);
    reading_expect_nothing();
    ck_assert_str_eq(order_of(package), batches[_i].order);
    text numbers = text_create(reading_arena());
    for (size_t i = 0; i < package->system_count; i++)
        text_append_format(&numbers, " %zu", package->systems[i]->batch);
    ck_assert_str_eq(numbers.bytes, batches[_i].batches);
}
END_TEST

START_TEST(predecessors_are_in_run_order_also_if_batches_change_it)
{
    const package *package = read_systems_of("systems:\n"
                                             "  A: { in: simulation, parallel: true }\n"
                                             "  B: { in: simulation, parallel: true, after: [A] }\n"
                                             "  C: { in: simulation, parallel: true }\n"
                                             "  D: { in: simulation, parallel: true, after: [A, B, C] }\n");
    reading_expect_nothing();
    const declared_system *d = find(package, "D");
    ck_assert_uint_eq(d->predecessor_count, 3);
    ck_assert_str_eq(d->predecessors[0]->name, "A");
    ck_assert_str_eq(d->predecessors[1]->name, "C");
    ck_assert_str_eq(d->predecessors[2]->name, "B");
}
END_TEST

static const struct {
    const char *systems;
    size_t warnings;
} writers[] = {
    {"A: { in: one, writes: [Position] }, B: { in: one, writes: [Position] }", 1},
    {"A: { in: one, writes: [Position, Velocity] }, B: { in: one, writes: [Velocity, Position] }", 1},
    {"A: { in: one, writes: [Position] }, B: { in: one, writes: [Velocity] }", 0},
    {"A: { in: one, writes: [Position] }, B: { in: two, writes: [Position] }", 0},
    {"A: { in: one, writes: [Position] }, B: { in: one, writes: [Position], first: true }", 0},
    {"A: { in: one, writes: [Position] }, B: { in: one, after: [A], before: [C] }, C: { in: one, writes: [Position] }",
     0},
    {"A: { in: one, writes: [Position], before: [B, C] }, B: { in: one, writes: [Position] },"
     " C: { in: one, writes: [Position] }",
     1},
    {"A: { in: one, writes: [Position] }, B: { in: one, writes: [Position] }, C: { in: one, writes: [Position] }", 2},
};

START_TEST(unordered_systems_of_a_node_that_write_the_same_are_reported)
{
    const char *rest =
        arena_format(reading_arena(), "schedule: { one: {}, two: {} }\nsystems: { %s }\n", writers[_i].systems);
    ck_assert_ptr_nonnull(read_systems_of(rest));
    ck_assert_uint_eq(diagnostics_warning_count(reading_diagnostics()), writers[_i].warnings);
}
END_TEST

Suite *schema_order_suite(void)
{
    Suite *suite = suite_create("schema_order");
    TCase *tests = tcase_create("schema_order");
    tcase_add_checked_fixture(tests, reading_begin, reading_end);
    tcase_add_loop_test(tests, systems_run_by_node_then_phase_then_declared_order_then_file_order, 0,
                        sizeof orders / sizeof *orders);
    tcase_add_test(tests, systems_run_after_the_last_node_that_is_named_or_that_their_predecessors_follow);
    tcase_add_test(tests, a_system_knows_the_systems_that_it_is_declared_to_run_after);
    tcase_add_test(tests, random_orders_are_kept_and_file_order_decides_the_rest);
    tcase_add_loop_test(tests, systems_without_conflicts_could_run_in_parallel, 0, sizeof levels / sizeof *levels);
    tcase_add_loop_test(tests, par_08_parallel_systems_run_in_the_first_batch_in_which_they_meet_no_other, 0,
                        sizeof batches / sizeof *batches);
    tcase_add_test(tests, predecessors_are_in_run_order_also_if_batches_change_it);
    tcase_add_loop_test(tests, unordered_systems_of_a_node_that_write_the_same_are_reported, 0,
                        sizeof writers / sizeof *writers);
    suite_add_tcase(suite, tests);
    return suite;
}
