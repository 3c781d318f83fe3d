// Codes: errors of a game after which a command does something else than refuse.
#ifndef KIN_INSPECT_COMMAND_CODES_H
#define KIN_INSPECT_COMMAND_CODES_H

enum { NOT_UPDATING = -33101, ENDED = -33105 };

#endif
