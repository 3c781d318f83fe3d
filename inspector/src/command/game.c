#include "command/game.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Reads a file that belongs to this user alone.
static json_t *read_file(int folder, const char *name)
{
    char text[4096];
    struct stat status;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return NULL;
    ssize_t size = -1;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
        (status.st_mode & 077) == 0)
        size = read(file, text, sizeof text);
    close(file);
    return size <= 0 ? NULL : json_loadb(text, (size_t)size, 0, NULL);
}

static bool is_running(long pid)
{
    return pid > 0 && (kill((pid_t)pid, 0) == 0 || errno == EPERM);
}

static bool read_game(const json_t *document, game *game)
{
    const char *name = json_string_value(json_object_get(document, "name"));
    const char *token = json_string_value(json_object_get(document, "token"));
    json_int_t port = json_integer_value(json_object_get(document, "port"));
    game->pid = (long)json_integer_value(json_object_get(document, "pid"));
    game->is_read_only = json_is_true(json_object_get(document, "read_only"));
    if (name == NULL || token == NULL || strlen(token) > 128 || port <= 0 || port > 65535 || !is_running(game->pid))
        return false;
    snprintf(game->name, sizeof game->name, "%.60s", name);
    snprintf(game->token, sizeof game->token, "%s", token);
    snprintf(game->url, sizeof game->url, "http://127.0.0.1:%d", (int)port);
    return true;
}

size_t games_find(game *games, size_t capacity)
{
    char path[1024];
    size_t count = 0;
    const char *parent = getenv("XDG_RUNTIME_DIR");
    snprintf(path, sizeof path, "%s/kin", parent == NULL ? "" : parent);
    DIR *folder = parent == NULL ? NULL : opendir(path);
    for (struct dirent *entry; folder != NULL && count < capacity && (entry = readdir(folder)) != NULL;) {
        if (strncmp(entry->d_name, "inspect-", 8) != 0)
            continue;
        json_t *document = read_file(dirfd(folder), entry->d_name);
        count += document != NULL && read_game(document, &games[count]);
        json_decref(document);
    }
    if (folder != NULL)
        closedir(folder);
    return count;
}

static bool fail(const char *sentence)
{
    fprintf(stderr, "kin-inspect: %s\n", sentence);
    return false;
}

static bool choose_url(const arguments *arguments, game *chosen)
{
    const char *token = getenv("KIN_TOKEN");
    if (token == NULL || strlen(token) > 128)
        return fail("KIN_TOKEN is missing: set it to the token of the address");
    *chosen = (game){0};
    snprintf(chosen->url, sizeof chosen->url, "%.200s", arguments->url);
    snprintf(chosen->token, sizeof chosen->token, "%s", token);
    return true;
}

bool game_choose(const arguments *arguments, game *chosen)
{
    static game games[MOST_GAMES];
    size_t matching = 0;
    if (arguments->url != NULL)
        return choose_url(arguments, chosen);
    size_t count = games_find(games, MOST_GAMES);
    for (size_t i = 0; i < count; i++) {
        if ((arguments->pid != 0 && games[i].pid != arguments->pid) ||
            (arguments->name != NULL && strcmp(games[i].name, arguments->name) != 0))
            continue;
        *chosen = games[i];
        matching++;
    }
    if (matching > 1)
        return fail("several games run; choose one with --pid or --name");
    return matching == 1 || fail("no game with an inspector runs; start one that calls kin_inspect, or give --url");
}
