// Strip: the end of an entity whose components are more than bits and values, or of which somebody is told.
#ifndef KIN_SRC_DESTROY_H
#define KIN_SRC_DESTROY_H

#include "core/core.h"

// Destroys a living entity, whoever has to be told, or tells why not.
kin_status kin__entity_destroy(kin_context *context, kin_entity entity);

// The same where the change may nest and the entity is not being destroyed; this does not fail.
void kin__entity_end(kin_context *context, kin_entity entity);

// The same without telling that it will be destroyed: it dies at once.
void kin__entity_die(kin_context *context, kin_entity entity);

#endif
