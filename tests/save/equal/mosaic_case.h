// Mosaic case: random worlds of package mosaic, and everything of them that a program can observe, as text.
#ifndef KIN_TESTS_SAVE_MOSAIC_CASE_H
#define KIN_TESTS_SAVE_MOSAIC_CASE_H

#include "save/buffer.h"

#include <mosaic/mosaic_save.h>

extern uint64_t mosaic_random; // what random operations depend on, besides the world

extern char mosaic_error[512]; // the last one: operations may be refused

// Returns a world that was just created.
mosaic_world *mosaic_make(void);

// Changes the world by so many random operations, and now and then an update. The same ones have the same effects in
// equal worlds.
void mosaic_play(mosaic_world *world, uint32_t operations);

// The same without updates.
void mosaic_change(mosaic_world *world, uint32_t operations);

// Appends all that a program can observe: entities, values, and every order.
void mosaic_walk(mosaic_world *world, buffer *walk);

// The state of a world in all three forms.
typedef struct mosaic_state {
    kin_snapshot *snapshot;
    uint64_t hash;
    buffer file, walk;
} mosaic_state;

// Saves the world in all forms; and releases them.
void mosaic_note(mosaic_world *world, mosaic_state *state);
void mosaic_forget(mosaic_state *state);

// Fails unless both are equal in all forms. `how`: what was done, for the message.
void mosaic_equal(const mosaic_state *one, const mosaic_state *other, const char *how);

#endif
