// Clan case: a context of package kinship with a small tree, and listeners that write into the log of relay_case.h.
//
//   sun ── earth ── moon
//       └─ mars
#ifndef KIN_TESTS_RUNTIME_CLAN_CASE_H
#define KIN_TESTS_RUNTIME_CLAN_CASE_H

#include "relay_case.h"

#include <kinship/kinship.h>

#include <check.h>

extern clan_context *clan;
extern guard clan_memory;
extern clan_entity sun, earth, moon, mars; // in slots 0, 1, 3 and 2

// Creates `clan` with the tree, on a guard and with a handler that writes into the log; or without entities.
void clan_begin(void);
void clan_begin_empty(void);

// Checks and destroys the context, and checks that all memory is free.
void clan_end(void);

// Creates an entity below another one, or at the top of a tree for CLAN_NO_ENTITY.
clan_entity child_of(clan_entity parent);

// Makes the log show each change as a sign, the first letter of the component and the slot: `+` added, `-` removed,
// `=` replaced; `!` and the slot of an entity that will be destroyed, `x` of one that was.
void clan_note_all(void);

// Compares the slots of the children, each followed by a space.
void ck_children(clan_entity parent, const char *expected);

#endif
