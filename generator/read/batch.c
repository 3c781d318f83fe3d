// Finds dependencies between the systems of a stage of a node: which write the same component without an order, which
// could be parallel (their level), and which run side by side (their batch). The batches of a later stage of a node
// follow those of the earlier ones; so do the levels.
//
// The systems are visited in order. For each component of each context the batcher keeps the last writer in this stage,
// and the first batches that may read and write it. A system is in the first batch after those of all systems that it
// meets: its predecessors, systems of an earlier phase, and systems that use the same component if one of the two
// writes it. A system that may use anything is a batch of its own: for levels one that does not declare what it uses,
// for batches each that is not parallel. Cost: proportional to the number of columns and orders; sorting.
#include "generator/read/internal.h"

#include <assert.h>
#include <stdlib.h>

// How the systems of a stage use a component in a context.
typedef struct usage {
    size_t stage;       // number of the stage; the other members are stale if it is not the batcher's
    size_t read_until;  // first batch after all that read the component
    size_t write_until; // first batch after all that write it
    system_draft *writer;
    span span; // of the component in the writer's `writes`
} usage;

// What the batcher finds. The comments below call both batches.
typedef enum batch_kind { FIND_LEVELS, FIND_BATCHES } batch_kind;

typedef struct batcher {
    reader *reader;
    batch_kind kind;
    dictionary usages; // component name to an array with one usage per context
    system_draft **systems;
    size_t *ends; // by number of the node: first batch after all systems of its stages so far
    size_t stage; // number of the current stage, from 1 on
    const declared_system *previous;
    system_phase phase; // of the previous system
    size_t phase_begin; // first batch of that phase
    size_t end;         // first batch after all systems of the stage
    size_t alone_until; // first batch after the last system that may use anything
} batcher;

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static usage *usages_of(batcher *batcher, const component *component)
{
    usage *usages = (usage *)dictionary_find(&batcher->usages, component->name);
    if (usages == NULL) {
        usages = arena_allocate(batcher->reader->arena, (component->context_count + 1) * sizeof *usages);
        dictionary_add(&batcher->usages, component->name, usages);
    }
    for (size_t i = 0; i < component->context_count; i++)
        if (usages[i].stage != batcher->stage)
            usages[i] = (usage){.stage = batcher->stage};
    return usages;
}

// Returns whether the system uses the component in that context. A group system uses only its group's context, if the
// component is in it.
static bool is_used(const declared_system *system, const component *component, size_t context)
{
    const struct context *own = system->group == NULL ? NULL : system->group->context;
    return own == NULL || component->contexts[context] == own || !component_is_in(component, own);
}

// ---- writes without an order

// Returns whether `before` and `after` order the two systems, directly or through other systems.
static bool is_ordered(system_draft **systems, const system_draft *earlier, system_draft *later)
{
    size_t mark = later->place + 1;
    later->seen = mark;
    // Visit the systems between them from the last to the first: each marked system marks its predecessors.
    for (size_t place = later->place; place > earlier->place; place--) {
        const system_draft *each = systems[place];
        for (size_t i = 0; each->seen == mark && i < each->predecessors.count; i++)
            each->predecessors.items[i]->earlier->seen = mark;
    }
    return earlier->seen == mark;
}

static void check_write(batcher *batcher, const usage *usage, system_draft *draft, size_t column)
{
    diagnostics *diagnostics = batcher->reader->diagnostics;
    system_draft *writer = usage->writer;
    if (writer == NULL || writer == draft || writer->phase != draft->phase || writer->reported_with == draft ||
        is_ordered(batcher->systems, writer, draft))
        return;
    writer->reported_with = draft;
    diagnostic_warning(diagnostics, CODE_UNORDERED_WRITES, draft->write_spans[column],
                       "systems '%s' and '%s' both write component '%s' without a declared order", writer->system.name,
                       draft->system.name, draft->system.writes[column]->name);
    diagnostic_hint(diagnostics, "add 'after: [%s]' to '%s', or the reverse", writer->system.name, draft->system.name);
    diagnostic_note(diagnostics, usage->span, "'%s' writes it here and currently runs first", writer->system.name);
}

static void check_writes(batcher *batcher, system_draft *draft)
{
    for (size_t i = 0; i < draft->system.write_count; i++) {
        const component *component = draft->system.writes[i];
        usage *usages = usages_of(batcher, component);
        for (size_t k = 0; k < component->context_count; k++) {
            if (!is_used(&draft->system, component, k))
                continue;
            check_write(batcher, &usages[k], draft, i);
            usages[k].writer = draft;
            usages[k].span = draft->write_spans[i];
        }
    }
}

// ---- batches

typedef enum access { ACCESS_READ, ACCESS_WRITE } access;

// Components that a system accesses in the same way.
typedef struct used {
    const component *const *components;
    size_t count;
    access access;
} used;

// A system whose batch is being chosen: the first pass over its components finds the earliest batch, the second pass
// records that batch.
typedef struct turn {
    const declared_system *system;
    size_t batch;
    bool is_chosen;
} turn;

static void use(batcher *batcher, turn *turn, used used)
{
    for (size_t i = 0; i < used.count; i++) {
        usage *usages = usages_of(batcher, used.components[i]);
        for (size_t k = 0; k < used.components[i]->context_count; k++) {
            usage *usage = &usages[k];
            if (!is_used(turn->system, used.components[i], k))
                continue;
            size_t *until = used.access == ACCESS_WRITE ? &usage->write_until : &usage->read_until;
            if (turn->is_chosen)
                *until = larger(*until, turn->batch + 1);
            else
                turn->batch =
                    larger(turn->batch, used.access == ACCESS_WRITE ? larger(usage->write_until, usage->read_until)
                                                                    : usage->write_until);
        }
    }
}

// A group system reads all components in its group's rules and its columns, and the tree that it walks, even those that
// its `reads` omits.
static void use_all(batcher *batcher, turn *turn)
{
    const declared_system *system = turn->system;
    use(batcher, turn, (used){system->reads, system->read_count, ACCESS_READ});
    use(batcher, turn, (used){system->writes, system->write_count, ACCESS_WRITE});
    for (size_t i = 0; system->group != NULL && i < system->group->rule_count; i++)
        use(batcher, turn, (used){system->group->rules[i].components, system->group->rules[i].count, ACCESS_READ});
    for (size_t i = 0; i < system->job.look_up_count; i++) {
        const entity_index *index = system->job.looks_up[i];
        if (index->kind == INDEX_GRID && index->key_count > 0) // it compares with present values
            use(batcher, turn, (used){&index->key[0].component, 1, ACCESS_READ});
    }
    use(batcher, turn, (used){system->maybe.components, system->maybe.count, ACCESS_READ});
    if (system->tree != NULL)
        use(batcher, turn, (used){&system->tree->component, 1, ACCESS_READ});
    if (system->group != NULL)
        use(batcher, turn, (used){system->group->maybe.components, system->group->maybe.count, ACCESS_READ});
}

static size_t begin_of(const batcher *batcher, const system_draft *draft)
{
    size_t batch = larger(batcher->phase_begin, batcher->alone_until);
    for (size_t i = 0; i < draft->system.predecessor_count; i++) {
        const declared_system *earlier = draft->system.predecessors[i];
        if (stage_compare(earlier, &draft->system) == 0)
            batch = larger(batch, (batcher->kind == FIND_LEVELS ? earlier->level : earlier->batch) + 1);
    }
    assert(batch <= batcher->end);
    return batch;
}

static bool may_use_anything(const batcher *batcher, const declared_system *system)
{
    bool is_declared = system->group != NULL || system->read_count + system->write_count > 0;
    return !system->job.is_parallel && (batcher->kind == FIND_BATCHES || !is_declared);
}

static void choose_batch(batcher *batcher, system_draft *draft)
{
    declared_system *system = &draft->system;
    bool is_alone = may_use_anything(batcher, system);
    turn turn = {.system = system, .batch = is_alone ? batcher->end : begin_of(batcher, draft)};
    use_all(batcher, &turn);
    turn.is_chosen = true;
    use_all(batcher, &turn);
    *(batcher->kind == FIND_LEVELS ? &system->level : &system->batch) = turn.batch;
    batcher->end = larger(batcher->end, turn.batch + 1);
    if (is_alone)
        batcher->alone_until = turn.batch + 1;
}

// ---- all

static void enter_phase(batcher *batcher, const system_draft *draft)
{
    const declared_system *previous = batcher->previous;
    int stages = previous == NULL ? -1 : stage_compare(previous, &draft->system);
    assert(stages < 0 || (stages == 0 && draft->phase >= batcher->phase));
    if (previous != NULL && stages < 0)
        batcher->ends[previous->node->number] = batcher->end;
    if (stages < 0) {
        batcher->end = batcher->ends[draft->system.node->number];
        batcher->alone_until = batcher->phase_begin = batcher->end;
        batcher->stage++;
    } else if (batcher->phase != draft->phase) {
        batcher->phase_begin = batcher->end;
    }
    batcher->previous = &draft->system;
    batcher->phase = draft->phase;
}

static void find_batches(reader *reader, batch_kind kind, system_draft **systems, size_t count)
{
    batcher batcher = {.reader = reader, .kind = kind, .usages = dictionary_create(reader->arena), .systems = systems};
    batcher.ends = arena_allocate(reader->arena, (reader->package->node_count + 1) * sizeof *batcher.ends);
    for (size_t i = 0; i < count; i++) {
        enter_phase(&batcher, systems[i]);
        if (kind == FIND_LEVELS)
            check_writes(&batcher, systems[i]);
        choose_batch(&batcher, systems[i]);
    }
}

// ---- the order in which systems run

static int compare(const void *a, const void *b)
{
    const system_draft *left = *(system_draft *const *)a;
    const system_draft *right = *(system_draft *const *)b;
    int stages = stage_compare(&left->system, &right->system);
    if (stages != 0)
        return stages;
    if (left->system.batch != right->system.batch)
        return left->system.batch < right->system.batch ? -1 : 1;
    return (left->place > right->place) - (left->place < right->place);
}

static int compare_numbers(const void *a, const void *b)
{
    size_t left = (*(const declared_system *const *)a)->number;
    size_t right = (*(const declared_system *const *)b)->number;
    return (left > right) - (left < right);
}

void batch_systems(reader *reader, system_draft **systems, size_t count)
{
    find_batches(reader, FIND_LEVELS, systems, count);
    find_batches(reader, FIND_BATCHES, systems, count);
    qsort(systems, count, sizeof *systems, compare);
    for (size_t i = 0; i < count; i++)
        systems[i]->system.number = i;
    for (size_t i = 0; i < count; i++) {
        declared_system *system = &systems[i]->system;
        if (system->predecessor_count > 1)
            qsort((void *)system->predecessors, system->predecessor_count, sizeof *system->predecessors,
                  compare_numbers);
    }
}
