/// Kin's runtime: includes every public header. The typed functions that games call are generated from a schema and
/// built on these.
///
/// One header for each concept:
///
/// - entity.h: handles
/// - context.h: contexts and queries
/// - reflect.h: components by id, for code that does not know the schema
/// - group.h, matcher.h: groups, subscriptions to them, and matchers
/// - collector.h: collectors
/// - event.h: events of entities and of a context
/// - systems.h, world.h: systems, and worlds that run them
/// - random.h: random numbers that do not depend on threads
/// - parallel.h, executor.h, share.h: parallel systems, how to run tasks on threads, and contexts that threads share
/// - snapshot.h: states to return to
/// - info.h: the schema as tables
/// - error.h: statuses and errors
/// - memory.h: memory usage and trimming
/// - look.h, inventory.h: for tools, reading without groups, and lists and counts of everything
/// - profile.h, probe.h, journal.h: for tools, times of systems, what hooks into updates, and notes of changes
///
/// The headers in generated/ are for generated code only, as are names with two underscores (`kin__…`). Both may change
/// with every interface version.
///
/// No function locks or uses globals: a context belongs to one thread at a time, unless it is shared (share.h), and
/// contexts share nothing.
///
/// Callbacks must return: no C++ exception and no `longjmp` may leave one. kin_world_abandon, kin_systems_abandon and
/// kin_context_abandon make it possible to destroy what one has left.
#ifndef KIN_KIN_H
#define KIN_KIN_H

#include <kin/collector.h>
#include <kin/context.h>
#include <kin/entity.h>
#include <kin/error.h>
#include <kin/event.h>
#include <kin/executor.h>
#include <kin/generated/blueprint.h>
#include <kin/generated/commands.h>
#include <kin/generated/component.h>
#include <kin/generated/create.h>
#include <kin/generated/direct.h>
#include <kin/generated/event_system.h>
#include <kin/generated/grid.h>
#include <kin/generated/index.h>
#include <kin/generated/iterator.h>
#include <kin/generated/job.h>
#include <kin/generated/list.h>
#include <kin/generated/members.h>
#include <kin/generated/ordered.h>
#include <kin/generated/picked.h>
#include <kin/generated/relation.h>
#include <kin/generated/rule.h>
#include <kin/generated/shared.h>
#include <kin/generated/storage.h>
#include <kin/generated/tree.h>
#include <kin/generated/world.h>
#include <kin/group.h>
#include <kin/info.h>
#include <kin/inventory.h>
#include <kin/journal.h>
#include <kin/look.h>
#include <kin/matcher.h>
#include <kin/memory.h>
#include <kin/parallel.h>
#include <kin/platform.h>
#include <kin/prefab.h>
#include <kin/probe.h>
#include <kin/profile.h>
#include <kin/random.h>
#include <kin/reflect.h>
#include <kin/share.h>
#include <kin/snapshot.h>
#include <kin/systems.h>
#include <kin/world.h>

#endif
