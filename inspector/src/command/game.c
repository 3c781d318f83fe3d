#include "command/command.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_own_file(const struct stat *status)
{
    return S_ISREG(status->st_mode) && status->st_uid == geteuid();
}

// Reads a file that belongs to this user alone.
static json_t *read_file(int folder, const char *name)
{
    char text[4096];
    struct stat status;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return NULL;
    ssize_t size = 0;
    if (fstat(file, &status) == 0 && is_own_file(&status) && (status.st_mode & 077) == 0)
        size = read(file, text, sizeof text);
    close(file);
    if (size <= 0)
        return NULL;
    return json_loadb(text, (size_t)size, 0, NULL);
}

// Returns whether a process has ended, and its parent only has not asked for its status yet.
static bool is_zombie(long pid)
{
    KIN_ASSERT(pid > 0);
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    const char *name_end = strrchr(text, ')');
    return name_end != NULL && strncmp(name_end, ") Z", 3) == 0;
}

static bool is_running(long pid)
{
    if (pid <= 0)
        return false;
    bool is_there = kill((pid_t)pid, 0) == 0 || errno == EPERM;
    return is_there && !is_zombie(pid);
}

// Returns whether a game listens at the port of a file: its process may be of another container.
static bool is_listening(int folder, const char *name)
{
    json_t *document = read_file(folder, name);
    json_int_t port = json_integer_value(json_object_get(document, "port"));
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int end = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool is_open = end < 0 || connect(end, (struct sockaddr *)&address, sizeof address) == 0;
    if (end >= 0)
        close(end);
    json_decref(document);
    return is_open;
}

// Removes the file of a killed game: a game that ends does it itself. Both the folder and the file must be the user's.
static bool remove_stale(int folder, const char *name)
{
    struct stat owner, file;
    int size = 0;
    long pid = 0;
    bool is_named = sscanf(name, "inspect-%9ld-%*u.json%n", &pid, &size) == 1 && size > 0;
    if (!is_named || name[size] != '\0')
        return false;
    if (is_running(pid) || is_listening(folder, name))
        return false;
    if (fstat(folder, &owner) != 0 || owner.st_uid != geteuid())
        return false;
    if (fstatat(folder, name, &file, AT_SYMLINK_NOFOLLOW) != 0 || !is_own_file(&file))
        return false;
    return unlinkat(folder, name, 0) == 0;
}

static bool read_game(const json_t *document, game *game)
{
    const char *name = json_string_value(json_object_get(document, "name"));
    const char *token = json_string_value(json_object_get(document, "token"));
    json_int_t port = json_integer_value(json_object_get(document, "port"));
    game->pid = (long)json_integer_value(json_object_get(document, "pid"));
    game->is_read_only = json_is_true(json_object_get(document, "read_only"));
    bool has_token = token != NULL && strlen(token) < sizeof game->token;
    bool has_port = port > 0 && port <= 65535;
    if (name == NULL || !has_token)
        return false;
    if (!has_port || !is_running(game->pid))
        return false;
    snprintf(game->name, sizeof game->name, "%.60s", name);
    snprintf(game->token, sizeof game->token, "%s", token);
    snprintf(game->url, sizeof game->url, "http://127.0.0.1:%d", (int)port);
    return true;
}

static bool fail(const char *sentence)
{
    fprintf(stderr, "kin-inspect: %s\n", sentence);
    return false;
}

static size_t find_in(DIR *folder, game *games, size_t capacity)
{
    size_t count = 0;
    for (struct dirent *entry; count < capacity && (entry = readdir(folder)) != NULL;) {
        if (strncmp(entry->d_name, "inspect-", 8) != 0 || remove_stale(dirfd(folder), entry->d_name))
            continue;
        json_t *document = read_file(dirfd(folder), entry->d_name);
        count += document != NULL && read_game(document, &games[count]);
        json_decref(document);
    }
    return count;
}

size_t games_find(game *games, size_t capacity)
{
    KIN_ASSERT(capacity > 0);
    size_t count = 0;
    for (unsigned number = 0; number < KIN__FOLDERS; number++) {
        int end = kin__folder_open(number, false);
        KIN_ASSERT(count <= capacity);
        if (end < 0)
            continue;
        DIR *folder = fdopendir(end);
        if (folder == NULL) {
            close(end);
            continue;
        }
        count += find_in(folder, games + count, capacity - count);
        closedir(folder);
    }
    return count;
}

void games_say_none(void)
{
    fail("no game with an inspector runs; start one that calls kin_inspect, or give --url and KIN_TOKEN for one of "
         "another user or with another TMPDIR");
}

// ---- choosing

// Takes an address as the game prints it, whose end is `/#token=…`; or as it is without a token, which is in KIN_TOKEN.
static bool choose_url(const arguments *arguments, game *chosen)
{
    KIN_ASSERT(arguments->url != NULL);
    size_t size = strcspn(arguments->url, "#");
    const char *token = strstr(arguments->url + size, "token=");
    if (token != NULL)
        token += strlen("token=");
    else
        token = getenv("KIN_TOKEN");
    bool is_given = token != NULL && token[0] != '\0';
    if (!is_given || strlen(token) > 128)
        return fail("KIN_TOKEN is missing: set it to the token of the address");
    while (size > 0 && arguments->url[size - 1] == '/')
        size--;
    *chosen = (game){0};
    snprintf(chosen->url, sizeof chosen->url, "%.*s", (int)kin__min_size(size, 200), arguments->url);
    snprintf(chosen->token, sizeof chosen->token, "%s", token);
    return true;
}

static bool is_wanted(const arguments *arguments, const game *game)
{
    if (arguments->pid != 0 && game->pid != arguments->pid)
        return false;
    return arguments->name == NULL || strcmp(game->name, arguments->name) == 0;
}

static void list(const game *games, size_t count)
{
    KIN_ASSERT(count > 0);
    for (size_t i = 0; i < count; i++) {
        fprintf(stderr, "  %ld  ", games[i].pid);
        show_text(stderr, games[i].name);
        fputc('\n', stderr);
    }
}

static void say_that_none_matches(const arguments *arguments)
{
    KIN_ASSERT(arguments->name != NULL || arguments->pid != 0);
    fputs("kin-inspect: no game ", stderr);
    if (arguments->name != NULL) {
        fputs("is called '", stderr);
        show_text(stderr, arguments->name);
        fputc('\'', stderr);
    }
    if (arguments->name != NULL && arguments->pid != 0)
        fputs(" and ", stderr);
    if (arguments->pid != 0)
        fprintf(stderr, "has the pid %ld", arguments->pid);
    fputs("; these run:\n", stderr);
}

// Moves the games that are wanted to the front. Returns how many they are.
static size_t keep_wanted(const arguments *arguments, game *games, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (is_wanted(arguments, &games[i]))
            games[kept++] = games[i];
    return kept;
}

bool game_choose(const arguments *arguments, game *chosen)
{
    static game games[MOST_GAMES];
    if (arguments->url != NULL)
        return choose_url(arguments, chosen);
    size_t count = games_find(games, MOST_GAMES);
    size_t matching = keep_wanted(arguments, games, count);
    if (matching == 1) {
        *chosen = games[0];
        return true;
    }
    if (count == 0) {
        games_say_none();
    } else if (matching == 0) {
        say_that_none_matches(arguments);
        list(games, count);
    } else {
        fail("several games run; choose one with --pid or --name");
        list(games, matching);
    }
    return false;
}
