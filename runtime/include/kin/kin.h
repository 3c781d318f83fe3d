/// Kin's runtime, all of it. The typed functions that games use are generated from a schema and stand on this.
///
/// One header a concept: handles and errors, what the schema says of a context, matchers, contexts and their memory,
/// groups, collectors, systems and their profile. storage.h, create.h, index.h, blueprint.h, members.h, delivery.h,
/// iterator.h and world.h are what generated code needs; names with two underscores (`kin__…`) are for generated code
/// only and may change with every interface version.
///
/// No function takes locks or keeps globals: a context belongs to one thread at a time, and contexts share nothing.
#ifndef KIN_KIN_H
#define KIN_KIN_H

#include <kin/blueprint.h>
#include <kin/collector.h>
#include <kin/context.h>
#include <kin/create.h>
#include <kin/delivery.h>
#include <kin/entity.h>
#include <kin/error.h>
#include <kin/event.h>
#include <kin/group.h>
#include <kin/index.h>
#include <kin/info.h>
#include <kin/iterator.h>
#include <kin/matcher.h>
#include <kin/members.h>
#include <kin/memory.h>
#include <kin/platform.h>
#include <kin/profile.h>
#include <kin/solo.h>
#include <kin/storage.h>
#include <kin/systems.h>
#include <kin/world.h>

#endif
