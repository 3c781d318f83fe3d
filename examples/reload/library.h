// Library: the world and the systems of the game, loaded from a shared library.
//
// The generated code of the contexts is in the program, so entities stay while the library is replaced; that of the
// world is in the library, beside the systems. Both use the one libkin.so.
#ifndef RELOAD_LIBRARY_H
#define RELOAD_LIBRARY_H

#include "reload/reload.h"

#include <stdbool.h>
#include <sys/stat.h>

typedef struct library {
    const char *path; // with a slash, or the system's folders are searched
    struct stat file; // the file that was loaded
    void *handle;     // NULL while nothing is loaded
    reload_world *world;
    void (*update)(reload_world *world, double delta);
    void (*destroy)(reload_world *world);
} library;

// Returns whether the file differs from the one that was loaded, or none is loaded.
bool library_has_changed(const library *library);

// Loads the library and creates its world on the contexts. Prints what is wrong and returns false if that is not
// possible; then the next build can be tried.
bool library_open(library *library, reload_contexts *contexts);

// Destroys the world and removes the library from memory. The contexts and their entities stay.
void library_close(library *library);

#endif
