// A second implementation of relations: the fields of each entity, and for each relation and target the list of
// holders, changed by the plainest means. It notifies a function of each step, which may operate on it as listeners
// do.
#ifndef KIN_TESTS_RUNTIME_FAMILY_H
#define KIN_TESTS_RUNTIME_FAMILY_H

#include <kin/kin.h>

#include <stdbool.h>
#include <stdint.h>

enum { FAMILY_ENTITIES = 24, FAMILY_RELATIONS = 40, FAMILY_COMPONENTS = 32, FAMILY_NONE = -1 };

typedef enum family_event {
    FAMILY_CREATED,
    FAMILY_BEGINS, // it will be destroyed
    FAMILY_ADDED,
    FAMILY_REMOVED,
    FAMILY_REPLACED,
    FAMILY_ENDED // it was destroyed
} family_event;

typedef struct family_entity {
    bool is_alive;
    bool is_ending; // alive, and FAMILY_BEGINS was notified
    bool has[FAMILY_COMPONENTS];
    int target[FAMILY_RELATIONS]; // an entity, or FAMILY_NONE
} family_entity;

typedef struct family {
    const kin_context_info *info;
    kin_component_id
        keyed; // a component whose relations together are the key of a primary index; or none, any other id
    family_entity entities[FAMILY_ENTITIES];
    int lists[FAMILY_RELATIONS][FAMILY_ENTITIES][FAMILY_ENTITIES]; // by target: its holders in order
    int counts[FAMILY_RELATIONS][FAMILY_ENTITIES];
    void (*note)(family_event event, int entity, kin_component_id id); // NULL: nothing is notified
} family;

void family_begin(family *family, const kin_context_info *info);
void family_create(family *family, int entity);

// Creates an entity with the components of another one, except unique ones. Returns KIN_ERROR_DUPLICATE_KEY if the
// source has the keyed component, or the refusal of the first component that a listener has made impossible.
kin_status family_clone(family *family, int source, int clone);

// Adds or replaces a component; `targets` are by relation, those of other components are not read.
kin_status family_set(family *family, int entity, kin_component_id id, const int *targets);
kin_status family_remove(family *family, int entity, kin_component_id id);

// Returns KIN_ERROR_INVALID also for a sibling that is not alive. FAMILY_NONE: behind all.
kin_status family_place_before(family *family, int relation, int holder, int sibling);

// Destroys an entity and what hangs on it, as in REL-08 to REL-11. Asks the relations of `refuse`, or not.
kin_status family_destroy(family *family, int entity, bool asks);

// Destroys all holders of a relation.
kin_status family_destroy_holders(family *family, int relation, int target);

#endif
