// Roster case: a context of package roster, whose components are in indices by strings.
#ifndef KIN_TESTS_RUNTIME_ROSTER_CASE_H
#define KIN_TESTS_RUNTIME_ROSTER_CASE_H

#include "guard.h"
#include "support.h"

#include <roster/roster.h>

enum { ROSTER_SEED = 1 }; // the seed of the hashes: its factors have no zero byte

extern guard roster_memory;
extern error_log roster_errors;
extern roster_context *roster;

// Creates `roster` on the guard and the error log.
void roster_begin(void);

// Checks and destroys the context, and checks that all memory is free and that no error is left unchecked.
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

#define ck_assert_entity(actual, expected) ck_assert_uint_eq((actual).id, (expected).id)

#endif
