// Version: of the program, and of all that is released with it.
//
// It is printed by `kin --version`. Generated files do not carry it: they change when what they say changes.
#ifndef KIN_GENERATOR_VERSION_H
#define KIN_GENERATOR_VERSION_H

#define KIN_VERSION "0.1.0"

#endif
