/// Kin's runtime, all of it. The typed functions that games use are generated from a schema and stand on this.
///
/// One header a concept: handles and errors, what the schema says of a context, matchers, contexts and their memory,
/// groups, collectors, systems and their profile. storage.h, create.h, index.h, blueprint.h, members.h, event_system.h,
/// iterator.h and world.h are what generated code needs; names with two underscores (`kin__…`) are for generated code
/// only and may change with every interface version.
///
/// No function takes locks or keeps globals: a context belongs to one thread at a time, and contexts share nothing.
#ifndef KIN_KIN_H
#define KIN_KIN_H

#include <kin/collector.h>
#include <kin/context.h>
#include <kin/entity.h>
#include <kin/error.h>
#include <kin/event.h>
#include <kin/generated/blueprint.h>
#include <kin/generated/create.h>
#include <kin/generated/direct.h>
#include <kin/generated/event_system.h>
#include <kin/generated/index.h>
#include <kin/generated/iterator.h>
#include <kin/generated/members.h>
#include <kin/generated/storage.h>
#include <kin/generated/world.h>
#include <kin/group.h>
#include <kin/info.h>
#include <kin/matcher.h>
#include <kin/memory.h>
#include <kin/platform.h>
#include <kin/profile.h>
#include <kin/systems.h>

#endif
