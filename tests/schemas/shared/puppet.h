// Puppet: a C type that uses types of the schema puppet.yaml, which holds values of it.
#ifndef KIN_TESTS_SCHEMAS_PUPPET_H
#define KIN_TESTS_SCHEMAS_PUPPET_H

#include "puppet/puppet_types_plain.h"

typedef struct puppet_strings {
    Joint joints[4];
    Hand hand;
    stage_entity owner;
} puppet_strings;

void puppet_strings_drop(puppet_strings *strings);

#endif
