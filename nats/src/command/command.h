// command: kin-net: lists the worlds of a broker, and saves recordings of their hosts
//
//   main.c     the command line
//   worlds.c   what the buckets of a broker say of worlds
//   record.c   a recording from the stream, as a file
#ifndef KIN_SRC_COMMAND_H
#define KIN_SRC_COMMAND_H

#include "broker/broker.h"

#include <signal.h>

// What the program was asked for.
typedef struct arguments {
    kin_nats_options options; // `app` and `world` are NULL if they were not named
    const char *file;         // to record into; NULL: list
    uint32_t seconds;         // of a recording; 0: until a signal
} arguments;

enum { STATUS_DONE, STATUS_REFUSED, STATUS_USAGE, STATUS_NO_BROKER };

// A world that a broker knows.
typedef struct world {
    char app[KIN__BROKER_NAME + 1], name[KIN__BROKER_NAME + 1];
    kin__lease_entry lease;
    bool is_read;  // else the entry is of another program
    bool is_alive; // the host has renewed its lease while one looked
} world;

typedef struct worlds {
    world *at;
    uint32_t count;
} worlds;

// A connection to a broker, for questions.
typedef struct place {
    natsConnection *connection;
    jsCtx *js;
} place;

// Connect, which reports an error, and end that.
bool place_begin(place *place, const kin_nats_options *options);
void place_end(place *place);

// Finds the worlds that the options name, or all. False, reported, without an answer.
bool worlds_find(const place *place, const kin_nats_options *options, worlds *worlds);
void worlds_release(worlds *worlds);

// Reads the entry of a world again. False without an answer.
bool world_look(const place *place, world *world);

// Prints a table of worlds, after it has looked for as long as their leases last. Returns the exit status.
int worlds_list(const place *place, const kin_nats_options *options);

// Saves a recording of one world. Returns the exit status.
int record_run(const place *place, const arguments *arguments);

// Set by a signal.
extern volatile sig_atomic_t command_is_asked_to_end;

#endif
