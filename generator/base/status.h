// Status: what the program says with its exit status.
//
// Where a schema is wrong and the system failed too, the system counts.
#ifndef KIN_GENERATOR_BASE_STATUS_H
#define KIN_GENERATOR_BASE_STATUS_H

enum {
    STATUS_DONE = 0,
    STATUS_SCHEMA = 1,    // the schema is wrong, or a template
    STATUS_USAGE = 2,     // the command line is wrong
    STATUS_SYSTEM = 3,    // something cannot be read or written, or an output is not kin's
    STATUS_DIFFERENCE = 4 // `generate --check` would write
};

#endif
