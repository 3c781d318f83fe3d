// Row: the table of all measurements.
//
// The bars and the best ratios of three other libraries are Kin's goals. The libraries are flecs 4.1, EnTT 4.0-dev and
// gaia-ecs 0.9; their ratios are to the same hand-written work with 10,000 entities, measured in turns with Kin's on
// one machine. Those of l, l2 and r.walk are older, from another machine. Those of relations are of flecs, to Kin
// without them.

#include "row.h"

#include <stddef.h>

enum { MOMENT_BYTES = 52 }; // of the values of a unit

const uint32_t row_sizes[ROW_SIZES] = {1000, ROW_ENTITIES, 50000, 100000, 1000000, 10000000};

#define ENTITIES(id, what, hand, kin, passes) id, what, "entity", hand, kin, passes, 1, 1, ROW_ALL, ROW_RATIO
#define LOOPS(id, what, hand, kin, share)     id, what, "entity", hand, kin, 100, share, 1, ROW_LARGE, ROW_RATIO

const row rows[] = {
    {ENTITIES("a", "create, empty", "a", "a", 1), 1.0, 3.5},
    {ENTITIES("b", "create with two components", "b", "b", 1), 2.2, 3.7},
    {ENTITIES("b.warm", "the same, recycled", "b.warm", "b.warm", 1), 1.6, 4.1},
    {ENTITIES("c", "create in bulk", "c", "c", 1), 2.2, 3.9},
    {ENTITIES("d", "destroy, one by one", "d", "d", 1), 2.8, 12.6},
    {ENTITIES("d.bulk", "destroy a group", "d", "d.bulk", 1), 1.0, 4.9},
    {LOOPS("e", "iterate one component", "e", "e", 1), 1.05, 1.03},
    {LOOPS("f", "iterate two components", "f", "f", 1), 1.05, 1.0},
    {LOOPS("g", "every second, by runs", "g", "g", 2), 4, 1.04},
    {LOOPS("g.blocks", "every second, by blocks", "g", "g.blocks", 2), 2, 1.04},
    {LOOPS("g.spawned", "every second, spawned", "g", "g.spawned", 2), 1.05, 1.04},
    {LOOPS("h", "iterate 26 kinds", "h", "h", 1), 1.05, 1.3},
    {LOOPS("h2", "iterate 256 kinds", "f", "h2", 1), 1.05, 1.04},
    {"i", "get at random, checked", "get", "i", "i", 20, 1, 1, ROW_LARGE, ROW_RATIO, 1.2, 1.44},
    {"i.un", "get at random, unchecked", "get", "i", "i.unchecked", 20, 1, 1, ROW_LARGE, ROW_RATIO, 1.2, 1.44},
    {"j", "has at random, checked", "has", "j", "j", 20, 1, 1, ROW_LARGE, ROW_RATIO, 1.3, 1.53},
    {"k", "add and remove a component", "pair", "k", "k", 20, 1, 1, ROW_ALL, ROW_RATIO, 2.5, 8.7},
    {"k.tag", "add and remove a flag", "pair", "k.tag", "k.tag", 20, 1, 1, ROW_ALL, ROW_RATIO, 2.5, 10.5},
    {"l", "k, 32 groups watch", "pair", "l.none", "l", 5, 1, 1, ROW_ALL & ~ROW_1M, ROW_RATIO, 10, 84},
    {"l.sets", "l, against sets by hand", "pair", "l.sets", "l", 1, 1, 1, ROW_ALL & ~ROW_1M, ROW_RATIO, 0, 0},
    {"l2", "l.sets, a listener on each", "pair", "l2", "l2", 1, 1, 1, ROW_ALL & ~ROW_1M, ROW_RATIO, 4, 10},
    {"m", "replace, one listener", "replace", "m", "m", 20, 1, 1, ROW_ALL, ROW_RATIO, 1.6, 1.9},
    {"n1", "change 1 %, collect, drain", "changed", "n1", "n1", 200, 100, 1, ROW_ALL, ROW_RATIO, 2.5, 5.1},
    {"n10", "change 10 %, collect, drain", "changed", "n10", "n10", 20, 10, 1, ROW_ALL, ROW_RATIO, 2.5, 2.9},
    {"n100", "change all, collect, drain", "changed", "n100", "n100", 2, 1, 1, ROW_ALL, ROW_RATIO, 2.5, 2.7},
    {"o.int", "look up by a number", "lookup", "o.int", "o.int", 20, 1, 1, ROW_ALL, ROW_RATIO, 1.05, 0.95},
    {"o.str", "look up by a text", "lookup", "o.str", "o.str", 20, 1, 1, ROW_ALL, ROW_RATIO, 1.15, 1.6},
    {"o.own", "look up by an owned string", "lookup", "o.str", "o.own", 20, 1, 1, ROW_ALL, ROW_RATIO, 1.15, 1.6},
    {"l.push", "push to a list", "push", "l.push", "l.push", 1, 1, 16, ROW_ALL, ROW_RATIO, 3, 0},
    {"l.read", "sum 16 elements of each list", "list", "l.read", "l.read", 20, 1, 1, ROW_100K, ROW_RATIO, 1.1, 0},
    {"s.get", "get a shared value", "get", "s.get", "s.get", 20, 1, 1, ROW_ALL, ROW_RATIO, 1.2, 0},
    {"s.replace", "replace a shared value", "replace", "s.replace", "s.replace", 5, 1, 1, ROW_ALL, ROW_RATIO, 3, 0},
    {"p", "count and array, unchanged", "call", "p", "p", 20, 0, 100, ROW_ALL, ROW_RATIO, 1.3, 1.2},
    {"p2", "the same after each change", "call", "p2", "p2", 20, 0, 100, ROW_ALL, ROW_NANOSECONDS, 30, 0},
    {"q", "a game's frame", "frame", "q", "q", 20, 0, 1, ROW_10K | ROW_50K | ROW_100K, ROW_RATIO, 1.6, 2.2},
    {ENTITIES("r", "spawn, one by one", "r", "r", 1), 2.0, 8.9},
    {ENTITIES("r.bulk", "spawn in bulk", "r", "r.bulk", 1), 1.3, 2.9},
    {ENTITIES("clone", "clone_entity", "r", "clone", 1), 2.0, 10.7},
    {ENTITIES("r.link", "add a relation", "r.link", "r.link", 1), 2.5, 30},
    {ENTITIES("r.unlink", "remove a relation", "r.unlink", "r.unlink", 1), 0, 55},
    {ENTITIES("r.reparent", "move leaves of trees", "r.reparent", "r.reparent", 1), 4, 120},
    {ENTITIES("r.cascade", "destroy trees of 100", "r.cascade", "r.cascade", 1), 3, 8.1},
    {ENTITIES("r.alone", "destroy beside a relation", "r.alone", "r.alone", 1), 0, 0},
    {"r.check5", "is below, 5 levels up", "check", "r.check5", "r.check5", 20, 6, 1, ROW_ALL, ROW_NANOSECONDS, 15, 0},
    {"r.check50", "is below, 50 levels up", "check", "r.check50", "r.check50", 20, 51, 1, ROW_ALL, ROW_NANOSECONDS, 500,
     0},
    {"r.walk10k", "walk trees, 10,000 nodes", "node", "r.walk", "r.walk", 20, 1, 1, ROW_10K, ROW_RATIO, 1.15, 1.57},
    {"r.walk", "walk trees, 100,000 nodes", "node", "r.walk", "r.walk", 20, 1, 1, ROW_100K, ROW_RATIO, 1.35, 1.68},
    {"r.changed", "walk what 1 % of the nodes change", "node", "r.changed", "r.changed", 1, 1, 1, ROW_10K | ROW_100K,
     ROW_RATIO, 0.2, 0},
    {ENTITIES("r.prefab", "spawn trees of five", "r.prefab", "r.prefab", 1), 1.5, 0},
    {"v.idle", "save, nothing changed", "save", "v.idle", "v.idle", 100, 0, 1, ROW_10K, ROW_RATIO, 1.0, 0},
    {"v.idle100k", "the same, 100,000 entities", "save", "v.idle", "v.idle", 100, 0, 1, ROW_100K, ROW_RATIO, 0.6, 0},
    {"v.half", "save, half changed", "save", "v.half", "v.half", 1, 0, 1, ROW_10K, ROW_RATIO, 1.0, 0},
    {"v.half100k", "the same, 100,000 entities", "save", "v.half", "v.half", 1, 0, 1, ROW_100K, ROW_RATIO, 1.4, 0},
    {"v.all", "save, all changed", "save", "v.all", "v.all", 1, 0, 1, ROW_10K, ROW_RATIO, 1.3, 0},
    {"v.all100k", "the same, 100,000 entities", "save", "v.all", "v.all", 1, 0, 1, ROW_100K, ROW_RATIO, 2.2, 0},
    {"v.restore", "restore, half changed", "restore", "v.restore", "v.restore", 1, 0, 1, ROW_10K, ROW_RATIO, 1.6, 0},
    {"v.rest100k", "the same, 100,000 entities", "restore", "v.restore", "v.restore", 1, 0, 1, ROW_100K, ROW_RATIO, 2.2,
     0},
    {"v.hash", "hash, all changed", "byte", "v.all", "v.hash", 1, 1, MOMENT_BYTES, ROW_10K | ROW_100K, ROW_NANOSECONDS,
     0.5, 0},
    {"v.rollback", "rewind 8 frames, all move", "rollback", "v.rollback", "v.rollback", 1, 0, 1, ROW_10K,
     ROW_NANOSECONDS, 300000, 0},
    {"v.index", "restore an index", "entity", "v.index", "v.index", 1, 1, 1, ROW_10K | ROW_100K, ROW_NANOSECONDS, 60,
     0},
    {"f.far", "replace by a far key", "replace", "f.far", "f.far", 4, 20, 1, ROW_10K | ROW_100K, ROW_NANOSECONDS, 250,
     0},
    {"f.near", "replace by a near key", "replace", "f.near", "f.near", 4, 20, 1, ROW_10K | ROW_100K, ROW_NANOSECONDS,
     60, 0},
    {"f.walk", "walk in order", "entity", "f.walk", "f.walk", 4, 1, 1, ROW_10K | ROW_100K, ROW_NANOSECONDS, 1.5, 0},
    {"f.from", "find the next key", "search", "f.from", "f.from", 4, 20, 1, ROW_10K | ROW_100K, ROW_NANOSECONDS, 130,
     0},
    {"f.count", "count lower keys", "search", "f.count", "f.count", 4, 20, 1, ROW_10K | ROW_100K, ROW_NANOSECONDS, 130,
     0},
    {"f.refresh", "refresh a grid, all moved", "entity", "f.refresh", "f.refresh", 1, 1, 1, ROW_10K | ROW_100K,
     ROW_NANOSECONDS, 3.5, 0},
    {"f.around", "find who is near", "look-up", "f.around", "f.around", 4, 20, 1, ROW_10K | ROW_100K, ROW_RATIO, 1.2,
     0},
    {"f.ordered", "the same, cell by cell", "look-up", "f.ordered", "f.ordered", 4, 20, 1, ROW_10K | ROW_100K,
     ROW_RATIO, 1.2, 0},
    {"f.box", "find who is in a box", "look-up", "f.box", "f.box", 4, 20, 1, ROW_10K | ROW_100K, ROW_RATIO, 1.2, 0},
    {"f.pairs", "find all pairs", "entity", "f.pairs", "f.pairs", 1, 1, 1, ROW_10K | ROW_100K, ROW_RATIO, 0.6, 0},
    {"f.nearest", "find the nearest eight", "look-up", "f.nearest", "f.nearest", 4, 20, 1, ROW_10K | ROW_100K,
     ROW_RATIO, 2, 0},
    {.id = NULL},
};

uint32_t row_count(const row *row)
{
    uint32_t size = 0;
    if ((row->scale & ROW_10K) != 0)
        return ROW_ENTITIES;
    while ((row->scale >> size & 1) == 0)
        size++;
    return row_sizes[size];
}

double row_operations(const row *row, uint32_t count)
{
    if (row->share == 0)
        return row->calls;
    uint32_t share = count / row->share;
    return (double)row->calls * (share == 0 ? 1 : share);
}

// Scales the passes with the number of entities, so that the total work is the same, but returns at least 1.
uint32_t row_passes(const row *row, uint32_t count)
{
    uint64_t passes = (uint64_t)row->passes * ROW_ENTITIES / count;
    return passes == 0 ? 1 : (uint32_t)passes;
}

uint32_t row_turns(uint32_t count)
{
    if (count <= ROW_ENTITIES)
        return 51;
    return count <= 100000 ? 15 : 9;
}
