// Tables of what replicates, made for a context of any package: all of it but opaque fields. Enums may
// have any value, as crowds give them any.
#ifndef KIN_TESTS_NET_TABLES_H
#define KIN_TESTS_NET_TABLES_H

#include <kin/generated/net.h>

#include <stdbool.h>

typedef struct tables {
    kin__net_info info;
    kin__net_context context;
    kin__net_component components[256];
    kin__net_leaf leaves[2048];
    uint32_t leaf_count;
} tables;

// How the table is made. Every nth component is left out or is for owners; 0: none. `precision` is that of all floats.
typedef struct tables_options {
    double precision;
    uint32_t local, of_owner;
    bool has_zones; // in the first component with a number of 32 bits, if there is one
} tables_options;

void tables_make(tables *tables, const kin_context_info *info, const tables_options *options);

#endif
