// Version change: schemas that change at random, each with the words that say how: things get other names, exchange
// them and take those of others, come and go.
//
// Each component and field has which one of the first version it was. Some are lost without a word.
#ifndef KIN_TESTS_SAVE_VERSION_CHANGE_H
#define KIN_TESTS_SAVE_VERSION_CHANGE_H

#include <stdbool.h>
#include <stdint.h>

enum { COMPONENTS = 3, FIELDS = 3, MOST = 3, NONE = -1 };

typedef struct version_name {
    char now[8], was[8];    // `was` may be empty
    char last[8], first[8]; // what the lock has: the name in the version before, and the identity
    int origin;             // the number of a component or field of the first version; NONE: none
    bool is_locked;         // the version before has it
} version_name;

// What the lock has at one level, also what this version gives up.
typedef struct version_names {
    version_name names[MOST];
    int count;
} version_names;

typedef struct version_field {
    version_name name;
    const char *type;
} version_field;

typedef struct version_component {
    version_name name;
    int field_count;
    bool loses; // a field, without a word
    version_field fields[FIELDS];
    version_names locked;
} version_component;

typedef struct version_schema {
    int count;
    version_component components[COMPONENTS];
    char removed[512];
    bool loses;  // a component, without a word
    bool reuses; // a new thing has a name that another one had
    version_names locked;
} version_schema;

// Begins the random numbers of a game; and a number below `end`.
void version_change_begin(uint64_t number);
uint32_t below(uint32_t end);

version_schema make_first(void);

// Returns the version that follows one whose lock was written.
version_schema change(const version_schema *before);

// Whether the version has lost something of the one before without a word.
bool loses_anything(const version_schema *schema);

// Returns the schema after its contexts.
const char *yaml_of(const version_schema *schema);

#endif
