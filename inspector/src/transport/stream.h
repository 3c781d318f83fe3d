// Stream: answers of methods that look, asked for again and again, and pushed as server-sent events.
//
//   subscription   method, parameters, period → a task each period → an event, if its result is another one than before
//
// The first event of a subscription is whole, and says so: "whole": true. Later ones have the difference from the last
// one that was sent (text/difference.h). An event is whole again after an error or one that was left out, and when a
// difference would not be shorter.
//
// One event of a stream is under way: what happens meanwhile is in the next one (INS-50). A viewer that does not read
// gets none, and costs no tasks.
#ifndef KIN_INSPECT_STREAM_H
#define KIN_INSPECT_STREAM_H

#include "rpc/exchange.h"

enum {
    KIN__MAX_SUBSCRIPTIONS = 8,
    KIN__MAX_STREAMS = 4,
    KIN__LEAST_PERIOD = 50,
    KIN__MOST_PERIOD = 60000,
    KIN__PERIOD = 200
};

typedef struct kin__subscription {
    const kin__method *method;
    json_t *id, *parameters;
    uint64_t period, due; // nanoseconds
    kin__task *task;      // that waits or is done; NULL: none
    kin__json last;       // the result that was sent last, whole
    bool begins_anew;     // an event was left out: the next one is whole
} kin__subscription;

typedef struct kin__stream {
    kin__service *service;
    json_t *document;
    const char *viewer; // that reads it
    uint32_t count;
    kin__subscription subscriptions[KIN__MAX_SUBSCRIPTIONS];
    kin__json out; // events that are to be sent
    size_t sent;
    uint64_t events, written; // how many, and when the last one was written
    uint64_t dropped;         // that were due while the viewer did not read or the world did not update
} kin__stream;

// Reads a request for a stream. Returns NULL, and what is wrong, when it is none.
kin__stream *kin__stream_create(kin__service *service, const char *text, size_t size, kin__mistake *mistake);

// Destroys a stream, none of whose tasks waits.
void kin__stream_destroy(kin__stream *stream);

// Makes the task of a subscription if it is due, none is under way, and no event is still to be sent; else returns
// NULL. Lowers `next` to the nanoseconds until one is due.
kin__task *kin__stream_ask(kin__stream *stream, uint32_t subscription, uint64_t now, uint64_t *next);

// Returns whether all events were sent.
bool kin__stream_is_sent(const kin__stream *stream);

// Writes a comment when nothing was written for ten seconds, so that a viewer that has gone is noticed.
void kin__stream_beat(kin__stream *stream, uint64_t now);

// Takes a task that is done, and writes its event.
void kin__stream_take(kin__stream *stream, kin__task *task);

// Copies what is to be sent. Returns 0 when that is nothing.
size_t kin__stream_read(kin__stream *stream, char *bytes, size_t size);

#endif
