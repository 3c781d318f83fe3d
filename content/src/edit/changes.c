// Which files have changed: by inotify, or by a walk that compares times and sizes where there is none.
//
// A poll costs one read of the descriptor, and one stat of the folder, which may have been replaced.
#define _GNU_SOURCE
#include "edit/edit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/inotify.h>
#endif

enum { DEPTH_LIMIT = 64, PATH_SIZE = 4096, WALK_NANOSECONDS = 200000000 };

typedef struct other {
    struct other *next;
    char path[]; // of a file outside of the folder
} other;

struct kin__changes {
    kin__memory *memory;
    char *folder;
    int notify; // -1: walks
    bool has_changed;
    other *others;
    uint64_t folder_id; // its device and number; 0: it is missing
    uint64_t walked;    // hash of all that a walk sees
    uint64_t walk_time;
    uint64_t *visited; // folders of a walk
    uint32_t visited_count, visited_capacity;
};

// ---- walks

static uint64_t id_of(const struct stat *found)
{
    uint64_t numbers[] = {(uint64_t)found->st_dev, (uint64_t)found->st_ino};
    return kin__xxh64_of(numbers, sizeof numbers, 1) | 1;
}

static uint64_t hash_file(const char *path, const struct stat *found, uint64_t hash)
{
    uint64_t numbers[] = {id_of(found), (uint64_t)found->st_size, (uint64_t)found->st_mtim.tv_sec,
                          (uint64_t)found->st_mtim.tv_nsec};
    return hash + kin__xxh64_of(path, strlen(path), kin__xxh64_of(numbers, sizeof numbers, 2));
}

static void watch(const kin__changes *changes, const char *path);

static bool reserve_visit(kin__changes *changes)
{
    if (changes->visited_count < changes->visited_capacity)
        return true;
    uint32_t capacity = kin__max_32(64, 2 * changes->visited_capacity);
    uint64_t *grown = kin__allocate(changes->memory, capacity * sizeof *grown);
    if (grown == NULL)
        return false;
    if (changes->visited != NULL)
        memcpy(grown, changes->visited, changes->visited_count * sizeof *grown);
    kin__release(changes->memory, changes->visited, changes->visited_capacity * sizeof *grown);
    changes->visited = grown;
    changes->visited_capacity = capacity;
    return true;
}

// Returns whether the folder is visited for the first time in this walk: symbolic links may form circles.
static bool enter(kin__changes *changes, const char *path)
{
    struct stat found;
    if (stat(path, &found) != 0)
        return false;
    uint64_t id = id_of(&found);
    for (uint32_t i = 0; i < changes->visited_count; i++)
        if (changes->visited[i] == id)
            return false;
    if (!reserve_visit(changes))
        return false;
    KIN_ASSERT(changes->visited_count < changes->visited_capacity);
    changes->visited[changes->visited_count++] = id;
    return true;
}

// Visits the folders, also behind symbolic links. Returns the hash of what is in them, whatever the order of entries.
static uint64_t walk(kin__changes *changes, const char *path, int depth, bool follows)
{
    uint64_t hash = 0;
    char below[PATH_SIZE];
    if (depth == DEPTH_LIMIT || !enter(changes, path))
        return 0;
    DIR *folder = opendir(path);
    if (folder == NULL)
        return 0;
    if (follows)
        watch(changes, path);
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        struct stat found;
        if (entry->d_name[0] == '.')
            continue;
        int size = snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        if (size >= (int)sizeof below || stat(below, &found) != 0)
            continue;
        if (S_ISDIR(found.st_mode))
            hash += walk(changes, below, depth + 1, follows);
        else if (!follows && text_ends_in(below, ".yaml"))
            hash = hash_file(below, &found, hash);
    }
    closedir(folder);
    return hash;
}

static uint64_t walk_all(kin__changes *changes)
{
    changes->visited_count = 0;
    uint64_t hash = walk(changes, changes->folder, 0, false);
    for (const other *each = changes->others; each != NULL; each = each->next) {
        struct stat found;
        if (stat(each->path, &found) == 0)
            hash = hash_file(each->path, &found, hash);
    }
    return hash;
}

// ---- inotify

#ifdef __linux__

enum { MASK = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVE | IN_ATTRIB | IN_ONLYDIR };

static int begin_notify(void)
{
    return inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
}

// The limits of the system leave folders out; then changes in them are seen with others only.
static void watch(const kin__changes *changes, const char *path)
{
    if (changes->notify >= 0)
        (void)inotify_add_watch(changes->notify, path, MASK);
}

static bool is_other(const kin__changes *changes, const char *name)
{
    for (const other *each = changes->others; each != NULL; each = each->next)
        if (strcmp(each->path + source_folder_size(each->path), name) == 0)
            return true;
    return false;
}

// Files of editors and of others are in these folders too.
static bool concerns(const kin__changes *changes, const struct inotify_event *event)
{
    if ((event->mask & IN_Q_OVERFLOW) != 0)
        return true;
    if (event->len == 0)
        return false;
    if (is_other(changes, event->name))
        return true;
    if (event->name[0] == '.')
        return false;
    bool is_folder = (event->mask & IN_ISDIR) != 0;
    return is_folder || text_ends_in(event->name, ".yaml");
}

static bool read_events(const kin__changes *changes)
{
    _Alignas(struct inotify_event) char events[4096];
    bool has_changed = false;
    for (;;) {
        ssize_t size = read(changes->notify, events, sizeof events);
        if (size <= 0)
            return has_changed;
        for (const char *at = events; at < events + size;) {
            const struct inotify_event *event = (const void *)at;
            has_changed = has_changed || concerns(changes, event);
            at += sizeof *event + event->len;
            KIN_ASSERT(at <= events + size);
        }
    }
}

#else

static int begin_notify(void)
{
    return -1;
}

static void watch(const kin__changes *changes, const char *path)
{
    (void)changes;
    (void)path;
}

static bool read_events(const kin__changes *changes)
{
    (void)changes;
    return false;
}

#endif

// ---- all

kin__changes *kin__changes_begin(kin__memory *memory, const char *folder, bool walks)
{
    kin__changes *changes = kin__allocate_zero(memory, sizeof *changes);
    if (changes == NULL)
        return NULL;
    *changes = (kin__changes){.memory = memory, .notify = -1, .has_changed = true};
    if (!walks)
        changes->notify = begin_notify();
    changes->folder = kin__allocate(memory, strlen(folder) + 1);
    if (changes->folder != NULL) {
        memcpy(changes->folder, folder, strlen(folder) + 1);
        return changes;
    }
    kin__changes_end(changes);
    return NULL;
}

void kin__changes_end(kin__changes *changes)
{
    if (changes == NULL)
        return;
    while (changes->others != NULL) {
        other *each = changes->others;
        changes->others = each->next;
        kin__release(changes->memory, each, sizeof *each + strlen(each->path) + 1);
    }
    if (changes->notify >= 0)
        close(changes->notify);
    if (changes->folder != NULL)
        kin__release(changes->memory, changes->folder, strlen(changes->folder) + 1);
    kin__release(changes->memory, changes->visited, changes->visited_capacity * sizeof *changes->visited);
    kin__release(changes->memory, changes, sizeof *changes);
}

static bool is_time_to_walk(kin__changes *changes)
{
    uint64_t now = kin__clock_read();
    if (changes->walk_time != 0 && now - changes->walk_time < WALK_NANOSECONDS)
        return false;
    changes->walk_time = now;
    return true;
}

bool kin__changes_look(kin__changes *changes)
{
    struct stat found;
    uint64_t id = 0;
    if (stat(changes->folder, &found) == 0)
        id = id_of(&found);
    bool has_changed = changes->has_changed || id != changes->folder_id;
    changes->has_changed = false;
    changes->folder_id = id;
    if (changes->notify >= 0)
        return read_events(changes) || has_changed;
    if (!has_changed && !is_time_to_walk(changes))
        return false;
    uint64_t walked = walk_all(changes);
    has_changed = has_changed || walked != changes->walked;
    changes->walked = walked;
    return has_changed;
}

void kin__changes_repeat(kin__changes *changes)
{
    changes->has_changed = true;
}

void kin__changes_follow(kin__changes *changes)
{
    changes->visited_count = 0;
    if (changes->notify >= 0)
        (void)walk(changes, changes->folder, 0, true);
}

static void add_other(kin__changes *changes, const char *path)
{
    for (const other *each = changes->others; each != NULL; each = each->next)
        if (strcmp(each->path, path) == 0)
            return;
    other *added = kin__allocate(changes->memory, sizeof *added + strlen(path) + 1);
    if (added == NULL)
        return; // its changes are seen with others
    memcpy(added->path, path, strlen(path) + 1);
    added->next = changes->others;
    changes->others = added;
    changes->has_changed = true; // it may have changed since it was read
    char folder[PATH_SIZE];
    snprintf(folder, sizeof folder, "%.*s", source_folder_size(path), path);
    watch(changes, folder[0] == '\0' ? "." : folder);
}

// Whether the folder's own events, or a walk, show changes of the file.
static bool is_in_folder(const kin__changes *changes, const char *path)
{
    size_t size = strlen(changes->folder);
    while (size > 1 && changes->folder[size - 1] == '/')
        size--;
    if (strncmp(path, changes->folder, size) != 0 || path[size] != '/')
        return false;
    bool is_hidden = strstr(path + size, "/.") != NULL;
    return !is_hidden && text_ends_in(path, ".yaml");
}

// A symbolic link changes where it stands, and where its file is.
void kin__changes_add(kin__changes *changes, const char *path)
{
    struct stat found;
    if (!is_in_folder(changes, path))
        add_other(changes, path);
    if (lstat(path, &found) != 0 || !S_ISLNK(found.st_mode))
        return;
    char *real = realpath(path, NULL);
    if (real != NULL)
        add_other(changes, real);
    free(real);
}
