// Harness: drives the generated API of ordeal.yaml with operations that are decoded from bytes.
//
//   harness.c      one input from its first byte to the last check
//     operation.c    the table of operations; what callbacks do
//       operations/    operations by area; attempt.c checks status against the error handler
//     listener.c, event.c, roles.c, updates.c    callbacks, which perform further operations
//     mirror.c       which entity has which component, kept apart from the runtime
//     ledger.c       what a listener of all changes is told
//     verify.c       what must hold for a context at any time
//   input.c        choices from bytes
//   values*.c, parts.c    values of components that can be recognized as whole
//   snapshot.c, allocator.c, token.c    arrays that must not change; the allocator; opaque values
//
// All state is in one struct, and each thread has its own, so that inputs can run in several threads.
//
// A CHECK that fails ends the program at once, so that the fuzzer sees the operation that caused it.
#ifndef KIN_TESTS_FUZZ_API_HARNESS_H
#define KIN_TESTS_FUZZ_API_HARNESS_H

#include "snapshot.h"

#include <ordeal/ordeal.h>

#include <kin/kin.h>
#include <kin/snapshot.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                                  \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

enum {
    HANDLES = 48,
    SUBSCRIPTIONS = 64,
    COLLECTORS = 12,
    COLLECTIONS = 8,
    WALKS = 8,
    ORDERED_WALKS = 4, // after those, in the same array
    GRID_WALKS = 4,    // after those
    GROUPS = 32,
    TEXTS = 64,
    MOMENTS = 6, // snapshots of the runtime
    LEVELS = 128,
    PACKAGES = 2, // the contexts of a world, and those created without one
    OPERATION_LIMIT = 1500,
    VERIFY_EVERY = 24
};

typedef struct handle_list {
    kin_entity handles[HANDLES];
    uint32_t count;
} handle_list;

typedef struct held_subscription {
    kin_subscription subscription;
    kin_context *context;
} held_subscription;

typedef struct held_group {
    kin_group *group;
    kin_context *context;
} held_group;

struct walk;

// The allocator: what is allocated, and when it fails next.
typedef struct memory_state {
    size_t size, blocks;
    size_t budget;        // 0: none
    uint32_t fail_every;  // 0: never
    uint32_t fail_in;     // the next request that fails, counted from 1; 0: none
    uint32_t fail_repeat; // how many fail after it
    bool fails_always;
    uint64_t requests, failures;
} memory_state;

// The record of one slot of a game context.
typedef struct mirror_slot {
    kin_entity entity; // 0: none
    uint32_t components;
} mirror_slot;

typedef struct mirror {
    mirror_slot *slots;
    uint32_t slot_count, capacity, count;
    bool is_known;    // false after a change that the mirror could not follow
    bool is_followed; // followed by the current operation
} mirror;

// The calls that ledger.c has received.
typedef struct ledger_mark {
    uint32_t calls, replaced;
} ledger_mark;

typedef struct ledger {
    kin_context *context; // NULL: closed
    kin_subscription subscription;
    ledger_mark calls;
    int32_t counts[GAME_COMPONENT_COUNT];  // entities of each component before the operation
    int32_t balance[GAME_COMPONENT_COUNT]; // additions without removals since
    bool is_known;                         // whether `counts` are
} ledger;

typedef struct harness {
    const uint8_t *bytes;
    size_t left;
    ordeal_world *world;
    ordeal_contexts *contexts;
    handle_list game_handles[PACKAGES], other_handles[PACKAGES];
    held_subscription subscriptions[SUBSCRIPTIONS];
    held_group groups[GROUPS];
    uint32_t subscription_count, group_count;
    kin_collector *collectors[COLLECTORS];
    kin_systems *collections[COLLECTIONS];
    struct walk *walks;
    snapshot_list snapshots; // of arrays
    kin_snapshot *moments[MOMENTS];
    char *texts[TEXTS]; // short-lived strings of arguments
    uint32_t text_count;
    memory_state memory;
    mirror mirrors[PACKAGES];
    ledger ledgers[PACKAGES];
    int live_tokens, last_token; // opaque values

    bool shows;     // prints each operation
    uint32_t level; // of callbacks
    uint32_t errors[LEVELS];
    kin_status last_status;
    bool reenters_errors;
    uint32_t error_depth;
    uint32_t callbacks, operations, trims;
    uint32_t operations_before; // the number of the operation outside all callbacks
    uint32_t deep_left;         // callbacks that may still nest, one change each
    bool deep_nested;           // whether one nested in that operation
    bool lost_collection;
    bool has_merged; // values may name other entities than those that they were made with (MRG-03)
} harness;

extern _Thread_local harness *here;

static inline game_context *game_of(uint32_t package)
{
    if (package == 0)
        return here->world != NULL ? here->world->contexts->game : NULL;
    return here->contexts != NULL ? here->contexts->game : NULL;
}

static inline other_context *other_of(uint32_t package)
{
    if (package == 0)
        return here->world != NULL ? here->world->contexts->other : NULL;
    return here->contexts != NULL ? here->contexts->other : NULL;
}

// input.c: choices; 0 and NULL after the end of the bytes.
uint8_t take_byte(void);
uint32_t take_below(uint32_t end);
kin_entity take_handle(const handle_list *list);
void keep_handle(handle_list *list, kin_entity entity);
const char *take_text(void);       // lives as long as the program
const char *take_short_text(void); // until the end of the operation
const char *text_at(uint32_t place);
bool text_is_known(const char *text);
void release_texts(uint32_t from);
double take_seconds(void);
kin_component_id take_component(void); // sometimes one that the context does not have
kin_matcher take_matcher(void);
kin_group *take_group(void);
kin_context *context_of_group(const kin_group *group);

// show.c: prints a line, indented by the level, when KIN_FUZZ_SHOW is set.
void show(const char *format, ...);

// operation.c: performs operations in a callback.
void perform_operations(uint32_t count);
void perform_callback(void);

// attempt.c: the calls before and after an operation that may be refused.
typedef struct attempt {
    uint32_t errors, callbacks, texts, operations;
    uint64_t failures; // of the allocator
} attempt;

attempt attempt_begin(void);
void attempt_end(attempt attempt, kin_status status);       // checks that a refusal was reported once
void attempt_end_quiet(attempt attempt, kin_status status); // checks also that no callback has run
void attempt_end_several(attempt attempt, kin_status status);
void attempt_end_made(attempt attempt, bool made);
bool attempt_is_alone(const attempt *attempt); // no callback has performed an operation

// Areas of operations; each decodes the rest of its operation.
typedef struct place {
    uint32_t package;
    game_context *game;   // NULL when there is none
    other_context *other; // likewise
} place;

void do_entity(const place *at);
void do_component(const place *at);
void do_component_again(const place *at);
void do_unique(const place *at);
void do_spawn(const place *at);
void do_spawn_values(const place *at);
void do_other(const place *at);
void do_subscribe(const place *at);
void do_collector(const place *at);
void do_group(const place *at);
void do_index(const place *at);
void do_describe(const place *at);
void do_collection(const place *at);
void do_run_collection(const place *at);
void do_world(const place *at);
void do_package(const place *at);
void do_walk(const place *at);
void do_event(const place *at);
void do_memory(const place *at);
void do_trouble(const place *at);
void do_by_id(const place *at);
void do_field(const place *at);
void do_look(const place *at);
void do_given(const place *at);
void do_restart(const place *at);
void do_spawn_with(const place *at);
void do_ensure(const place *at);
void do_stash(const place *at);
void do_copy(const place *at);
void do_maybe(const place *at);
void do_moment(const place *at);
void do_ordered(const place *at);
void do_grid(const place *at);
void do_switch(const place *at);

// Callbacks that several areas pass.
void on_change(const kin_change *change, void *user);
void on_error(const kin_error *error, void *user);
kin_context_options take_options(void);
void make_world(void);
void make_contexts(void);
void end_world(void);
void end_contexts(void);
void end_moments(void);
void forget_walks(const kin_context *context);

// verify.c
void verify_all(void);
void verify_game(game_context *game);
void verify_ordered(const game_context *game);

#endif
