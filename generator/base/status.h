// Status: the exit statuses of the program.
//
// STATUS_SYSTEM takes precedence over STATUS_SCHEMA.
#ifndef KIN_GENERATOR_BASE_STATUS_H
#define KIN_GENERATOR_BASE_STATUS_H

enum {
    STATUS_DONE = 0,
    STATUS_SCHEMA = 1,    // the schema or a template is invalid
    STATUS_USAGE = 2,     // the command line is invalid
    STATUS_SYSTEM = 3,    // a file cannot be read or written, or an output was not written by kin
    STATUS_DIFFERENCE = 4 // `generate --check` found outputs that are not up to date
};

#endif
