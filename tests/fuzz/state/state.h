// State: plays a world of realm.yaml with operations that are decoded from bytes, and compares its states.
//
//   state.c      one input, its operations, and the checks of moments
//   values.c     values from bytes, with lists; commands, compared with the same calls made at once
//   systems.c    the systems, which depend on the state alone; which members a system over a tree has to visit
//   executor.c   executors, most of which break their contract
//
// What must hold:
//   - an update from an equal state gives an equal state and file, and visits the same entities (SNP-01, PAR-03)
//   - a state that was restored, or read from its file, has its hash and its file (SNP-27, FIL-01)
//   - commands give the same state as calls (CMD-01, CMD-03, CMD-04, LST-01)
//   - a recording plays without divergence (RPL-01, RPL-02)
//   - a system with `only: changed` visits what has changed and what is below it, and nothing else (REL-21)
//
// The updates of systems read no bytes, as they have to be repeated.
#ifndef KIN_TESTS_FUZZ_STATE_H
#define KIN_TESTS_FUZZ_STATE_H

#include "save/buffer.h"

#include <kin/look.h>
#include <kin/reflect.h>
#include <realm/realm.h>
#include <realm/realm_save.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not true: %s; the last error: %s\n", __FILE__, __LINE__, #condition, last_error);  \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

enum { HANDLES = 64, MOST_SLOTS = 1 << 15, ELEMENTS = 6 };

extern char last_error[512];
extern uint32_t error_count, executor_errors;

// ---- state.c: choices; 0 after the end of the bytes
uint8_t take_byte(void);
uint32_t take_below(uint32_t end);
land_entity take_entity(void);
void keep_entity(land_entity entity);
void show(const char *format, ...);

extern realm_world *world;
extern land_context *land;
extern bool has_refused_value; // a value that no file can have was used (FIL-07)

// ---- values.c

// A value with everything that it points to.
typedef struct given {
    kin_component_id id;
    union {
        Bag bag;
        Chest chest;
        ChildOf child_of;
        Crown crown;
        Flag flag;
        Likes likes;
        Name name;
        Paint paint;
        PartOf part_of;
        Spot spot;
        Sum sum;
        Wide wide;
    } value;
    land_entity items[ELEMENTS];
    int32_t counts[ELEMENTS];
    Point points[ELEMENTS];
    int64_t numbers[ELEMENTS];
} given;

// Each component of `land` that is no flag.
#define COMPONENTS(X)                                                                                                  \
    X(bag, BAG)                                                                                                        \
    X(chest, CHEST)                                                                                                    \
    X(child_of, CHILD_OF)                                                                                              \
    X(crown, CROWN)                                                                                                    \
    X(flag, FLAG)                                                                                                      \
    X(likes, LIKES)                                                                                                    \
    X(name, NAME) X(paint, PAINT) X(part_of, PART_OF) X(spot, SPOT) X(sum, SUM) X(wide, WIDE)

kin_component_id take_component(void);
void take_value(given *given, kin_component_id id);
bool has_list_without_address(const given *given);
void do_commands(void);
void commands_release(void); // the states that it compares

// ---- systems.c

// The members of a system with `only: changed` that the next turn visits, by slot.
typedef struct tree_model {
    bool marked[MOST_SLOTS];
    bool has_all, is_known;
} tree_model;

typedef enum model_tree { CHILDREN, PARTS, TREES } model_tree;

typedef struct model {
    tree_model trees[TREES];
} model;

extern model model_now;
extern uint64_t visits;   // a hash of all entities that systems have visited
void model_listen(void);  // to the changes of `land`
void model_restart(void); // after a reset
void model_forget(void);

// ---- state.c: states

typedef struct state {
    kin_snapshot *snapshot; // of the world, or of `land` alone
    buffer file;
    uint64_t hash;
    model model;
    bool is_whole, has_file;
    bool is_exact; // a restore gives this state: nothing outside of the snapshot holds a slot (SNP-08)
} state;

void state_save(state *state);                            // of the world
void state_restore(const state *state);                   // exactly
void state_compare(const state *one, const state *other); // equal states have equal hashes and files
void state_release(state *state);

// ---- executor.c

typedef enum executor_kind {
    BACKWARDS,
    TWICE,   // calls each task twice
    WRONG,   // calls indices that it was not given
    LATE,    // calls tasks of an earlier batch, after its `wait`
    REFUSES, // begins nothing
    FORGETS, // leaves out a task
    LIES,    // runs all tasks, and says that it began none: they do not run again
    EXECUTORS
} executor_kind;

const kin_executor *executor_of(executor_kind kind);
bool executor_keeps_results(executor_kind kind); // as PAR-03 says, although it is reported
bool executor_was_wrong(void);                   // since the last question
void executor_call_late(void);                   // the task that LATE has kept
void executor_forget(void);                      // when a world ends

#endif
