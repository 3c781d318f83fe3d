// A second implementation of relations, for random tests: the fields of each entity, and for each relation and target
// the list of holders, rebuilt by the plainest means.
#ifndef KIN_TESTS_RUNTIME_RELATION_FAMILY_H
#define KIN_TESTS_RUNTIME_RELATION_FAMILY_H

#include <kin/kin.h>

#include <stdbool.h>
#include <stdint.h>

enum { FAMILY_ENTITIES = 24, FAMILY_RELATIONS = 40, FAMILY_NONE = -1 };

typedef struct family_entity {
    bool is_alive;
    bool has[64];                 // by component
    int target[FAMILY_RELATIONS]; // an entity, or FAMILY_NONE
} family_entity;

// What a destroy notifies: an entity will be destroyed, loses or keeps a component with another value, was destroyed.
typedef enum family_event { FAMILY_BEGINS, FAMILY_REMOVED, FAMILY_REPLACED, FAMILY_ENDED } family_event;

typedef struct family {
    const kin_context_info *info;
    kin_component_id keyed; // a component whose relations together are the key of a primary index
    family_entity entities[FAMILY_ENTITIES];
    int lists[FAMILY_RELATIONS][FAMILY_ENTITIES][FAMILY_ENTITIES]; // by target: its holders in order
    int counts[FAMILY_RELATIONS][FAMILY_ENTITIES];
    void (*note)(family_event event, int entity, kin_component_id id); // NULL: a destroy is not logged
} family;

void family_begin(family *family, const kin_context_info *info);
void family_create(family *family, int entity);

// Adds or replaces a component; `targets` are by relation, those of other components are not read. Returns KIN_OK,
// KIN_ERROR_NOT_ALIVE for a dead target, or KIN_ERROR_CIRCLE.
kin_status family_set(family *family, int entity, kin_component_id id, const int *targets);
void family_remove(family *family, int entity, kin_component_id id);
void family_clone(family *family, int source, int clone);
void family_place_before(family *family, int relation, int holder, int sibling);

// Destroys an entity and what hangs on it, as in REL-08 to REL-10. Returns KIN_OK or, if it asks, KIN_ERROR_REFERENCED.
kin_status family_destroy(family *family, int entity, bool asks);

// Destroys all holders of a relation.
kin_status family_destroy_holders(family *family, int relation, int target);

#endif
