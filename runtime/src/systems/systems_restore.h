// The state of collections and their nodes in snapshots of worlds (snapshot.h of the room snapshot).
//
// A save writes it once to learn the size, and once more. A restore
//
//   kin__systems_match      compares the nodes with those that were saved: names, kinds, order
//   kin__systems_reserve    reserves all memory
//   kin__systems_restore    puts the state in place, without callbacks. kin__systems_refresh then opens what is enabled
//
// For each the state stands at the first saved node.
#ifndef KIN_SRC_SYSTEMS_RESTORE_H
#define KIN_SRC_SYSTEMS_RESTORE_H

#include "snapshot/snapshot.h"
#include "systems/systems.h"

// Says for all collectors of the systems whether they are in the scope of the save or restore that is under way.
void kin__systems_set_scope(kin_systems *systems, bool is_in_scope);

// Calls a function for each node, depth first, with `depth` of the state; false as soon as it returns that.
bool kin__nodes_visit(kin_systems *systems, kin__state *state, bool (*function)(kin__node *node, kin__state *state));

// Returns the collectors of a node by number: its own, then those of its type; NULL after the last one.
kin_collector *kin__node_collector(const kin__node *node, uint32_t number);

void kin__clock_save(const kin_systems *systems, kin__saved_clock *saved);
void kin__clock_restore(kin_systems *systems, const kin__saved_clock *saved);

// Writes all nodes, and counts them in the state.
void kin__systems_save(kin_systems *systems, kin__state *state);

// Returns whether the nodes are those that were saved; the caller compares their count.
bool kin__systems_match(kin_systems *systems, kin__state *state);

// Returns false when out of memory: nothing that can be seen has changed.
bool kin__systems_reserve(kin_systems *systems, kin__state *state);

void kin__systems_restore(kin_systems *systems, kin__state *state);

#endif
