#include "library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

// Looks up a function of the library. POSIX lets the bytes of a data pointer become those of a function pointer; C has
// no cast for it.
static bool find(const library *library, const char *name, void *function)
{
    void *address = dlsym(library->handle, name);
    if (address == NULL)
        fprintf(stderr, "%s\n", dlerror());
    else
        memcpy(function, &address, sizeof address);
    return address != NULL;
}

static bool create_world(library *library, reload_contexts *contexts)
{
    reload_world *(*create_on)(reload_contexts * contexts, const kin_context_options *options, void *user);
    if (!find(library, "reload_world_create_on", &create_on) ||
        !find(library, "reload_world_update", &library->update) ||
        !find(library, "reload_world_destroy", &library->destroy))
        return false;
    library->world = create_on(contexts, NULL, NULL);
    return library->world != NULL;
}

bool library_has_changed(const library *library)
{
    struct stat file;
    if (library->handle == NULL)
        return true;
    return stat(library->path, &file) == 0 &&
           (file.st_ino != library->file.st_ino || file.st_mtim.tv_sec != library->file.st_mtim.tv_sec ||
            file.st_mtim.tv_nsec != library->file.st_mtim.tv_nsec);
}

bool library_open(library *library, reload_contexts *contexts)
{
    if (stat(library->path, &library->file) != 0) {
        perror(library->path);
        return false;
    }
    library->handle = dlopen(library->path, RTLD_NOW | RTLD_LOCAL);
    if (library->handle == NULL)
        fprintf(stderr, "%s\n", dlerror());
    if (library->handle == NULL || !create_world(library, contexts)) {
        library_close(library);
        return false;
    }
    return true;
}

void library_close(library *library)
{
    if (library->world != NULL)
        library->destroy(library->world);
    if (library->handle != NULL)
        dlclose(library->handle);
    library->world = NULL;
    library->handle = NULL;
}
