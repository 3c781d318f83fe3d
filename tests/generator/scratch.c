#define _XOPEN_SOURCE 700 // nftw
#include "scratch.h"

#include "../shell.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static arena memory;
static char *directory;

void scratch_create(void)
{
    char *made = arena_format(&memory, "%s/kin-test-XXXXXX", shell_scratch());
    ck_assert_msg(mkdtemp(made) != NULL, "%s: %s", made, strerror(errno));
    directory = realpath(made, NULL);
    ck_assert_ptr_nonnull(directory);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

void scratch_destroy(void)
{
    nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(directory);
    directory = NULL;
    arena_release(&memory);
}

arena *scratch_arena(void)
{
    return &memory;
}

const char *scratch_path(const char *name)
{
    return name[0] == '\0' ? directory : arena_format(&memory, "%s/%s", directory, name);
}

void scratch_write(const char *name, const char *content)
{
    const char *slash = strrchr(name, '/');
    if (slash != NULL)
        mkdir(scratch_path(arena_copy(&memory, name, (size_t)(slash - name))), 0777);
    FILE *file = fopen(scratch_path(name), "wb");
    ck_assert_msg(file != NULL, "%s: %s", name, strerror(errno));
    ck_assert_int_ge(fputs(content, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

const char *scratch_read(const char *name)
{
    FILE *file = fopen(scratch_path(name), "rb");
    if (file == NULL)
        return NULL;
    struct stat status;
    ck_assert_int_eq(fstat(fileno(file), &status), 0);
    char *content = arena_allocate(&memory, (size_t)status.st_size + 1);
    ck_assert_uint_eq(fread(content, 1, (size_t)status.st_size, file), (size_t)status.st_size);
    fclose(file);
    return content;
}

size_t scratch_count(const char *name)
{
    DIR *opened = opendir(scratch_path(name));
    if (opened == NULL)
        return 0;
    size_t count = 0;
    for (const struct dirent *entry = readdir(opened); entry != NULL; entry = readdir(opened))
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(opened);
    return count;
}
