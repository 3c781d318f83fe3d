// Roster case: a context of package roster, whose components are in indices by strings.
#ifndef KIN_TESTS_RUNTIME_ROSTER_CASE_H
#define KIN_TESTS_RUNTIME_ROSTER_CASE_H

#include "case.h"

#include <roster/roster.h>

enum { ROSTER_SEED = 1 }; // the seed of the hashes: its factors have no zero byte

extern roster_context *roster;

// Creates `roster` on the guard and the error log of the case. Checks and destroys it.
void roster_begin(void);
void roster_end(void);

// New entities: with an alias, and with a clan.
roster_entity roster_entity_named(const char *name);
roster_entity roster_entity_of_clan(const char *name);

// The entity with the alias, and the number of entities with the clan.
roster_entity roster_find_name(const char *name);
uint32_t roster_clan_count(const char *name);

Deed roster_deed_of(const char *title);

// `size` letters; the last one is `last`. In static storage, so that the same address has another string each time.
const char *letters_of(size_t size, char last);

#endif
