#include "client.h"

#include "generator/program.h"
#include "shell.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Diagnostics that the server has sent.
typedef struct sent {
    const char *uri;
    const json_node *list;
    struct sent *next;
} sent;

static struct {
    arena arena, answers;
    pid_t process;
    int input, output; // of the server
    FILE *messages;
    unsigned long number; // of the newest request
    size_t published;
    sent *newest;
} client;

arena *client_arena(void)
{
    return &client.answers;
}

void client_forget(void)
{
    client.newest = NULL;
    arena_release(&client.answers);
}

// ---- messages

void client_send(const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(client.input, bytes, size);
        ck_assert_msg(written > 0, "the server reads no more");
        bytes += written;
        size -= (size_t)written;
    }
}

static void send_message(const char *body)
{
    const char *header = arena_format(&client.answers, "Content-Length: %zu\r\n\r\n", strlen(body));
    client_send(header, strlen(header));
    client_send(body, strlen(body));
}

static void read_bytes(char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t count = read(client.output, bytes, size);
        ck_assert_msg(count > 0, "the server has ended");
        bytes += count;
        size -= (size_t)count;
    }
}

static const json_node *read_message(void)
{
    char header[256] = {0};
    size_t size = 0;
    while (size < 4 || memcmp(header + size - 4, "\r\n\r\n", 4) != 0) {
        ck_assert_uint_lt(size, sizeof header - 1);
        read_bytes(header + size++, 1);
    }
    ck_assert_int_eq(strncmp(header, "Content-Length: ", 16), 0);
    size = strtoul(header + 16, NULL, 10);
    char *bytes = arena_allocate(&client.answers, size + 1);
    read_bytes(bytes, size);
    json_fault fault;
    const json_node *message = json_read(&client.answers, bytes, size, &fault);
    ck_assert_msg(message != NULL, "%s in %s", fault.message, bytes);
    return message;
}

const json_node *client_find(const json_node *node, const char *path)
{
    while (node != NULL && *path != '\0') {
        size_t size = strcspn(path, ".");
        if (byte_is_digit(*path)) {
            size_t index = strtoul(path, NULL, 10);
            for (node = node->kind == JSON_LIST ? node->first : NULL; node != NULL && index > 0; index--)
                node = node->next;
        } else {
            node = node->kind == JSON_MAP ? json_find(node, path, size) : NULL;
        }
        path += size;
        path += *path == '.';
    }
    return node;
}

const char *client_text(const json_node *node, const char *path)
{
    const json_node *found = client_find(node, path);
    if (found == NULL || (found->kind != JSON_TEXT && found->kind != JSON_NUMBER))
        return NULL;
    return found->text;
}

static void take_notification(const json_node *message)
{
    const char *method = client_text(message, "method");
    ck_assert_ptr_nonnull(method);
    if (strcmp(method, "textDocument/publishDiagnostics") != 0)
        return;
    sent *taken = arena_allocate(&client.answers, sizeof *taken);
    *taken = (sent){client_text(message, "params.uri"), client_find(message, "params.diagnostics"), client.newest};
    client.newest = taken;
    client.published++;
}

const json_node *client_ask(const char *method, const char *parameters)
{
    client.number++;
    send_message(arena_format(&client.answers, "{\"jsonrpc\":\"2.0\",\"id\":%lu,\"method\":\"%s\",\"params\":%s}",
                              client.number, method, parameters));
    for (;;) {
        const json_node *message = read_message();
        const char *id = client_text(message, "id");
        if (id != NULL && strtoul(id, NULL, 10) == client.number)
            return message;
        take_notification(message);
    }
}

void client_note(const char *method, const char *parameters)
{
    text body = text_create(&client.answers);
    text_append_string(&body, "{\"jsonrpc\":\"2.0\",\"method\":\"");
    text_append_string(&body, method);
    text_append_string(&body, "\",\"params\":");
    text_append_string(&body, parameters);
    text_append_string(&body, "}");
    send_message(body.bytes);
}

// ---- the session

void client_start(const char *initialize)
{
    int input[2];
    int output[2];
    ck_assert_int_eq(pipe(input), 0);
    ck_assert_int_eq(pipe(output), 0);
    client.messages = shell_file();
    client.number = client.published = 0;
    client.newest = NULL;
    client.process = fork();
    if (client.process == 0) {
        dup2(input[0], STDIN_FILENO);
        dup2(output[1], STDOUT_FILENO);
        dup2(fileno(client.messages), STDERR_FILENO);
        close(input[1]);
        close(output[0]);
        execl(program(), "kin", "lsp", (char *)NULL);
        _exit(127);
    }
    close(input[0]);
    close(output[1]);
    client.input = input[1];
    client.output = output[0];
    fcntl(client.input, F_SETFD, FD_CLOEXEC);
    const json_node *answer = client_ask("initialize", initialize == NULL ? "{\"capabilities\":{}}" : initialize);
    ck_assert_str_eq(client_text(answer, "result.serverInfo.name"), "kin");
    client_note("initialized", "{}");
}

static int wait_for_end(const char **messages)
{
    int status;
    close(client.input);
    ck_assert_int_eq(waitpid(client.process, &status, 0), client.process);
    close(client.output);
    ck_assert_msg(WIFEXITED(status), "kin lsp ended by signal %d", WTERMSIG(status));
    text said = text_create(&client.arena);
    char bytes[1000];
    rewind(client.messages);
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, client.messages)) > 0;)
        text_append(&said, bytes, size);
    fclose(client.messages);
    if (messages != NULL)
        *messages = said.size == 0 ? "" : said.bytes;
    else
        ck_assert_msg(said.size == 0, "kin lsp says: %s", said.bytes);
    return WEXITSTATUS(status);
}

int client_end(void)
{
    client_ask("shutdown", "null");
    client_note("exit", "null");
    int status = wait_for_end(NULL);
    client_forget();
    arena_release(&client.arena);
    return status;
}

int client_abandon(const char **messages)
{
    return wait_for_end(messages);
}

// ---- documents

const char *client_quoted(const char *text, size_t size)
{
    struct text out = text_create(&client.answers);
    writer_append_quoted(&out, text, size);
    return out.bytes;
}

const char *client_uri(const char *path)
{
    char *directory = getcwd(NULL, 0);
    const char *uri = arena_format(&client.answers, "file://%s/%s", directory, path);
    if (path[0] == '/')
        uri = arena_format(&client.answers, "file://%s", path);
    free(directory);
    return uri;
}

static void send_text(const char *method, const char *path, const char *format, const char *text, size_t size)
{
    struct text body = text_create(&client.answers);
    text_append_string(&body, "{\"textDocument\":{\"uri\":\"");
    text_append_string(&body, client_uri(path));
    text_append_string(&body, format);
    text_append_string(&body, client_quoted(text, size));
    text_append_string(&body, strstr(format, "contentChanges") != NULL ? "}]}" : "}}");
    client_note(method, body.bytes);
}

void client_open(const char *path, const char *text, size_t size)
{
    send_text("textDocument/didOpen", path, "\",\"languageId\":\"yaml\",\"version\":1,\"text\":", text, size);
}

void client_change(const char *path, const char *text, size_t size)
{
    send_text("textDocument/didChange", path, "\",\"version\":2},\"contentChanges\":[{\"text\":", text, size);
}

void client_close(const char *path)
{
    client_note("textDocument/didClose",
                arena_format(&client.answers, "{\"textDocument\":{\"uri\":\"%s\"}}", client_uri(path)));
}

const json_node *client_diagnostics(const char *path)
{
    client_ask("kin/nothing", "{}");
    for (const sent *sent = client.newest; sent != NULL; sent = sent->next)
        if (strcmp(sent->uri, client_uri(path)) == 0)
            return sent->list;
    return NULL;
}

size_t client_published(void)
{
    client_ask("kin/nothing", "{}");
    return client.published;
}

const json_node *client_answer(const char *method, const char *path, const char *text, size_t offset, const char *more)
{
    size_t line = 0;
    size_t start = 0;
    for (size_t i = 0; i < offset; i++)
        if (text[i] == '\n') {
            line++;
            start = i + 1;
        }
    return client_ask(method, arena_format(&client.answers,
                                           "{\"textDocument\":{\"uri\":\"%s\"},\"position\":{\"line\":%zu,"
                                           "\"character\":%zu}%s}",
                                           client_uri(path), line, offset - start, more));
}

const json_node *client_question(const char *method, const char *path, const char *text, size_t offset,
                                 const char *more)
{
    const json_node *answer = client_answer(method, path, text, offset, more);
    ck_assert_msg(client_find(answer, "error") == NULL, "%s: %s", method, client_text(answer, "error.message"));
    return client_find(answer, "result");
}

size_t client_offset(const char *text, const json_node *position)
{
    size_t line = strtoul(client_text(position, "line"), NULL, 10);
    const char *at = text;
    for (; line > 0; line--)
        at = strchr(at, '\n') + 1;
    return (size_t)(at - text) + strtoul(client_text(position, "character"), NULL, 10);
}

const char *client_apply(const json_node *edits, const char *text)
{
    struct text out = text_create(&client.answers);
    size_t at = 0;
    text_append_string(&out, "");
    for (const json_node *edit = edits == NULL ? NULL : edits->first; edit != NULL; edit = edit->next) {
        size_t start = client_offset(text, client_find(edit, "range.start"));
        ck_assert_uint_ge(start, at);
        text_append(&out, text + at, start - at);
        text_append_string(&out, client_text(edit, "newText"));
        at = client_offset(text, client_find(edit, "range.end"));
    }
    text_append_string(&out, text + at);
    return out.bytes;
}
