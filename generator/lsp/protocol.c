// Messages of the editor, and the answers to them.
#include "generator/lsp/internal.h"

#include <assert.h>
#include <errno.h>
#include <kin/platform.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MESSAGE_LIMIT = 64 * 1024 * 1024, // bytes of a message
    HEADER_LIMIT = 8 * 1024,          // bytes of the lines before it
    READ_SIZE = 64 * 1024
};

// Codes of errors in answers.
enum { NOT_INITIALIZED = -32002, INVALID_REQUEST = -32600, UNKNOWN_METHOD = -32601, REQUEST_FAILED = -32803 };

// ---- reading

// The bytes that the editor has sent and that are not read yet.
typedef struct input {
    char *bytes;
    size_t start, size, capacity; // from `start` to `size`
    const char *fault;            // why the session cannot go on; NULL: it can, or its input has ended
} input;

// Returns whether there are more bytes.
static bool receive(input *input)
{
    if (input->start > 0) {
        memmove(input->bytes, input->bytes + input->start, input->size - input->start);
        input->size -= input->start;
        input->start = 0;
    }
    if (input->capacity - input->size < READ_SIZE) {
        size_t capacity = 2 * input->capacity + READ_SIZE;
        char *bytes = realloc(input->bytes, capacity);
        if (bytes == NULL) {
            input->fault = "out of memory";
            return false;
        }
        input->bytes = bytes;
        input->capacity = capacity;
    }
    ssize_t size = 0;
    do
        size = read(STDIN_FILENO, input->bytes + input->size, input->capacity - input->size);
    while (size < 0 && errno == EINTR);
    if (size < 0)
        input->fault = strerror(errno);
    if (size <= 0)
        return false;
    input->size += (size_t)size;
    return true;
}

// Returns the size of the header with its empty line; 0 if it is not complete.
static size_t header_size(const input *input)
{
    size_t size = input->size - input->start;
    assert(input->start <= input->size && input->size <= input->capacity);
    if (size == 0)
        return 0;
    const char *bytes = input->bytes + input->start;
    for (size_t i = 0; i + 3 < size; i++)
        if (memcmp(bytes + i, "\r\n\r\n", 4) == 0)
            return i + 4;
    return 0;
}

// Returns whether a text begins with another one, which is in lower case, whatever the case of its letters.
static bool begins_with(const char *text, size_t size, const char *name)
{
    for (size_t i = 0; name[i] != '\0'; i++)
        if (i == size || byte_to_lower(text[i]) != name[i])
            return false;
    return true;
}

// Returns the number up to the end of the line; SIZE_MAX if it is none.
static size_t read_length(const char *digits)
{
    digits += strspn(digits, " ");
    size_t count = strspn(digits, "0123456789");
    if (count == 0 || count > 9)
        return SIZE_MAX;
    if (digits[count] != '\r')
        return SIZE_MAX;
    return (size_t)strtoul(digits, NULL, 10);
}

// Returns the value of Content-Length; SIZE_MAX if there is none.
static size_t content_length(const char *header, size_t size)
{
    static const char name[] = "content-length:";
    for (size_t at = 0; at < size; at++) {
        if (begins_with(header + at, size - at, name))
            return read_length(header + at + strlen(name));
        while (at < size && header[at] != '\n')
            at++;
    }
    return SIZE_MAX;
}

// Returns the next message; NULL at the end of the input, or with a fault.
static const char *next_message(input *input, size_t *size)
{
    size_t header = header_size(input);
    for (; header == 0; header = header_size(input)) {
        if (input->size - input->start > HEADER_LIMIT) {
            input->fault = "a message has no header";
            return NULL;
        }
        if (!receive(input))
            return NULL;
    }
    *size = content_length(input->bytes + input->start, header);
    if (*size > MESSAGE_LIMIT) {
        input->fault = "a message has no valid Content-Length";
        return NULL;
    }
    while (input->size - input->start < header + *size)
        if (!receive(input))
            return NULL;
    const char *message = input->bytes + input->start + header;
    input->start += header + *size;
    assert(input->start <= input->size);
    return message;
}

// Returns whether the next message, or a part of it, is here already.
static bool has_more(const input *input)
{
    struct pollfd poll_input = {.fd = STDIN_FILENO, .events = POLLIN};
    if (input->size > input->start)
        return true;
    return poll(&poll_input, 1, 0) > 0 && (poll_input.revents & POLLIN) != 0;
}

// ---- the session

static void add_workspace(server *server, const char *uri, size_t *capacity)
{
    static const char scheme[] = "file://";
    if (uri == NULL || strncmp(uri, scheme, strlen(scheme)) != 0)
        return;
    const char *path = uri + strlen(scheme);
    server->workspaces =
        arena_grow(&server->arena, server->workspaces, server->workspace_count, capacity, sizeof *server->workspaces);
    server->workspaces[server->workspace_count++] = arena_copy(&server->arena, path, strlen(path));
}

// Chooses the first encoding of positions that both sides know.
static void choose_encoding(server *server, const json_node *list)
{
    if (list == NULL || list->kind != JSON_LIST)
        return;
    for (const json_node *item = list->first; item != NULL; item = item->next) {
        const char *name = message_text(item, "");
        if (name == NULL)
            continue;
        server->is_utf8 = strcmp(name, "utf-8") == 0;
        if (server->is_utf8 || strcmp(name, "utf-16") == 0)
            return;
    }
}

static void write_strings(json_writer *writer, const char *key, const char *const *strings)
{
    writer_set_open_line(writer, key, '[');
    for (; *strings != NULL; strings++)
        writer_text(writer, *strings);
    writer_close(writer, ']');
}

static void write_capabilities(json_writer *writer, const server *server)
{
    static const char *const triggers[] = {" ", ":", "[", ",", "{", ".", "<", "-", NULL};
    static const char *const actions[] = {"quickfix", "source.fixAll", "refactor", NULL};
    static const char *const providers[] = {
        "hoverProvider",          "definitionProvider",      "referencesProvider",   "documentHighlightProvider",
        "documentSymbolProvider", "workspaceSymbolProvider", "foldingRangeProvider", "inlayHintProvider"};
    writer_set_text(writer, "positionEncoding", server->is_utf8 ? "utf-8" : "utf-16");
    writer_set_open_line(writer, "textDocumentSync", '{');
    writer_set_bool(writer, "openClose", true);
    writer_set_count(writer, "change", 1);
    writer_set_bool(writer, "save", true);
    writer_close(writer, '}');
    for (size_t i = 0; i < sizeof providers / sizeof providers[0]; i++)
        writer_set_bool(writer, providers[i], true);
    writer_set_open_line(writer, "completionProvider", '{');
    write_strings(writer, "triggerCharacters", triggers);
    writer_close(writer, '}');
    writer_set_open_line(writer, "renameProvider", '{');
    writer_set_bool(writer, "prepareProvider", true);
    writer_close(writer, '}');
    writer_set_open_line(writer, "codeActionProvider", '{');
    write_strings(writer, "codeActionKinds", actions);
    writer_close(writer, '}');
    writer_set_open_line(writer, "codeLensProvider", '{');
    writer_close(writer, '}');
}

// Returns the first item of a list; NULL if there is none.
static const json_node *first_of(const json_node *node, const char *path)
{
    const json_node *list = message_find(node, path);
    return list == NULL ? NULL : list->first;
}

static void answer_initialize(request *request)
{
    server *server = request->server;
    const json_node *parameters = request->parameters;
    size_t capacity = 0;
    choose_encoding(server, message_find(parameters, "capabilities.general.positionEncodings"));
    const json_node *kind = first_of(parameters, "capabilities.workspace.workspaceEdit.resourceOperations");
    for (; kind != NULL; kind = kind->next)
        if (kind->text != NULL && strcmp(kind->text, "create") == 0)
            server->creates_files = true;
    add_workspace(server, message_text(parameters, "rootUri"), &capacity);
    for (const json_node *item = first_of(parameters, "workspaceFolders"); item != NULL; item = item->next)
        add_workspace(server, message_text(item, "uri"), &capacity);
    server->is_initialized = true;
    json_writer *writer = request->writer;
    writer_open_line(writer, '{');
    writer_set_open_line(writer, "capabilities", '{');
    write_capabilities(writer, server);
    writer_close(writer, '}');
    writer_set_open_line(writer, "serverInfo", '{');
    writer_set_text(writer, "name", "kin");
    writer_set_text(writer, "version", KIN_VERSION);
    writer_close(writer, '}');
    writer_close(writer, '}');
}

static void answer_shutdown(request *request)
{
    request->server->is_shut_down = true;
    writer_null(request->writer);
}

// ---- documents

static void open_document(server *server, const json_node *parameters)
{
    const json_node *item = message_find(parameters, "textDocument");
    const char *uri = message_text(item, "uri");
    const json_node *text = message_find(item, "text");
    bool has_text = text != NULL && text->kind == JSON_TEXT;
    if (uri != NULL && has_text)
        server_open(server, uri, (int64_t)message_count(item, "version"), text->text, text->size);
}

// Applies one change: the whole text, or that of a range.
static void change_text(server *server, const document *document, const json_node *change, int64_t version)
{
    const json_node *text = message_find(change, "text");
    const json_node *range = message_find(change, "range");
    if (text == NULL || text->kind != JSON_TEXT)
        return;
    if (range == NULL || range->kind != JSON_MAP) {
        server_open(server, document->uri, version, text->text, text->size);
        return;
    }
    const source *source = document->text;
    size_t start = offset_of(
        server, source, (lsp_position){message_count(range, "start.line"), message_count(range, "start.character")});
    size_t end = offset_of(server, source,
                           (lsp_position){message_count(range, "end.line"), message_count(range, "end.character")});
    struct text whole = text_create(&server->message);
    text_append(&whole, source->bytes, start);
    text_append(&whole, text->text, text->size);
    if (end >= start)
        text_append(&whole, source->bytes + end, source->size - end);
    server_open(server, document->uri, version, whole.bytes, whole.size);
}

// Returns the open document that parameters name; NULL if there is none.
static document *find_document(server *server, const json_node *parameters)
{
    const char *uri = message_text(parameters, "textDocument.uri");
    if (uri == NULL)
        return NULL;
    return server_find(server, uri);
}

static void change_document(server *server, const json_node *parameters)
{
    const json_node *changes = message_find(parameters, "contentChanges");
    const document *document = find_document(server, parameters);
    if (document == NULL || changes == NULL)
        return;
    if (changes->kind != JSON_LIST)
        return;
    int64_t version = (int64_t)message_count(parameters, "textDocument.version");
    for (const json_node *change = changes->first; change != NULL; change = change->next)
        change_text(server, document, change, version);
}

static void close_document(server *server, const json_node *parameters)
{
    const char *uri = message_text(parameters, "textDocument.uri");
    if (uri != NULL)
        server_close(server, uri);
}

static void note_saved(server *server, const json_node *parameters)
{
    (void)parameters;
    server_forget(server);
}

static void note_initialized(server *server, const json_node *parameters)
{
    (void)server;
    (void)parameters;
}

static void end_session(server *server, const json_node *parameters)
{
    (void)parameters;
    server->has_ended = true;
}

// ---- dispatch

typedef enum question_place { ANYWHERE, IN_DOCUMENT, AT_POSITION } question_place;

static const struct {
    const char *method;
    void (*answer)(request *request);
    question_place place;
} questions[] = {
    {"initialize", answer_initialize, ANYWHERE},
    {"shutdown", answer_shutdown, ANYWHERE},
    {"textDocument/completion", answer_completion, AT_POSITION},
    {"textDocument/hover", answer_hover, AT_POSITION},
    {"textDocument/codeLens", answer_lenses, IN_DOCUMENT},
    {"textDocument/inlayHint", answer_inlays, IN_DOCUMENT},
    {"textDocument/definition", answer_definition, AT_POSITION},
    {"textDocument/references", answer_references, AT_POSITION},
    {"textDocument/documentHighlight", answer_highlights, AT_POSITION},
    {"textDocument/documentSymbol", answer_symbols, IN_DOCUMENT},
    {"workspace/symbol", answer_workspace_symbols, ANYWHERE},
    {"textDocument/foldingRange", answer_folding, IN_DOCUMENT},
    {"textDocument/codeAction", answer_actions, IN_DOCUMENT},
    {"textDocument/prepareRename", answer_prepare_rename, AT_POSITION},
    {"textDocument/rename", answer_rename, AT_POSITION},
};

static const struct {
    const char *method;
    void (*note)(server *server, const json_node *parameters);
} notifications[] = {
    {"exit", end_session},
    {"initialized", note_initialized},
    {"textDocument/didOpen", open_document},
    {"textDocument/didChange", change_document},
    {"textDocument/didClose", close_document},
    {"textDocument/didSave", note_saved},
    {"workspace/didChangeWatchedFiles", note_saved},
};

// Finds the document of a question. Returns whether it has an answer: its document is open, and a schema or content.
static bool place_request(request *request, question_place place)
{
    server *server = request->server;
    if (place == ANYWHERE)
        return true;
    request->document = find_document(server, request->parameters);
    if (request->document == NULL)
        return false;
    request->root = content_root(server, request->document);
    if (request->root == NULL)
        request->root = server_root_of(server, request->document, NULL);
    if (request->root == NULL)
        return false;
    request->file = root_file(request->root, request->document->path);
    assert(request->file != NULL);
    if (place == AT_POSITION)
        request->offset = offset_of(server, request->document->text,
                                    (lsp_position){message_count(request->parameters, "position.line"),
                                                   message_count(request->parameters, "position.character")});
    return true;
}

static void answer(server *server, const json_node *message, size_t index)
{
    const json_node *id = message_find(message, "id");
    text members = text_create(&server->message);
    message_append_id(&members, id);
    text_append_string(&members, ", \"result\": ");
    json_writer writer = writer_begin(&members);
    size_t empty = members.size;
    request request = {.server = server, .arena = &server->message, .writer = &writer};
    request.parameters = message_find(message, "params");
    if (place_request(&request, questions[index].place))
        questions[index].answer(&request);
    if (request.refusal != NULL) {
        message_send_error(server, id, REQUEST_FAILED, request.refusal);
        return;
    }
    if (members.size == empty)
        writer_null(&writer);
    message_send(server, &members);
}

static void handle_question(server *server, const json_node *message, const char *method)
{
    const json_node *id = message_find(message, "id");
    bool is_first = strcmp(method, "initialize") == 0;
    if (server->is_shut_down) {
        message_send_error(server, id, INVALID_REQUEST, "the server is shut down");
        return;
    }
    if (is_first && server->is_initialized) {
        message_send_error(server, id, INVALID_REQUEST, "the server is initialized already");
        return;
    }
    if (!is_first && !server->is_initialized) {
        message_send_error(server, id, NOT_INITIALIZED, "the server is not initialized");
        return;
    }
    server_settle(server);
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
        if (strcmp(questions[i].method, method) == 0) {
            answer(server, message, i);
            return;
        }
    message_send_error(server, id, UNKNOWN_METHOD, arena_format(&server->message, "unknown method '%s'", method));
}

static void handle_notification(server *server, const json_node *message, const char *method)
{
    bool is_exit = strcmp(method, "exit") == 0;
    bool is_serving = server->is_initialized && !server->is_shut_down;
    if (!is_exit && !is_serving)
        return;
    for (size_t i = 0; i < sizeof notifications / sizeof notifications[0]; i++)
        if (strcmp(notifications[i].method, method) == 0)
            notifications[i].note(server, message_find(message, "params"));
}

static void handle(server *server, const json_node *message)
{
    const char *method = message_text(message, "method");
    const json_node *id = message_find(message, "id");
    if (message->kind != JSON_MAP)
        message_send_error(server, NULL, INVALID_REQUEST, "a message must be a map");
    else if (method != NULL && id != NULL)
        handle_question(server, message, method);
    else if (method != NULL)
        handle_notification(server, message, method);
    else if (message_find(message, "result") == NULL && message_find(message, "error") == NULL)
        message_send_error(server, id, INVALID_REQUEST, "a message must have a method");
}

// Returns false after a message that is no JSON.
static bool read_message(server *server, input *input)
{
    size_t size = 0;
    const char *bytes = next_message(input, &size);
    if (bytes == NULL)
        return false;
    message_log(server, "-->", bytes, size);
    json_fault fault;
    const json_node *message = json_read(&server->message, bytes, size, &fault);
    if (message == NULL) {
        input->fault = arena_format(&server->arena, "a message is no JSON: %s at byte %zu", fault.message, fault.at);
        return false;
    }
    handle(server, message);
    return true;
}

// Diagnostics wait until all that the editor has sent is read.
static void serve(server *server, input *input)
{
    while (!server->has_ended && read_message(server, input)) {
        if (!has_more(input))
            server_settle(server);
        arena_release(&server->message);
    }
}

int lsp_run(arena *arena, const schema_folders *folders, const char *log)
{
    server server = {.arena = arena_beside(arena), .message = arena_beside(arena), .folders = folders};
    input input = {0};
    char *directory = getcwd(NULL, 0);
    server.directory = directory == NULL ? "/" : directory;
    if (log != NULL)
        server.log = fopen(log, "a");
    if (log != NULL && server.log == NULL) {
        fprintf(stderr, "kin: cannot open '%s': %s\n", text_escaped(arena, log), strerror(errno));
        free(directory);
        return STATUS_SYSTEM;
    }
    serve(&server, &input);
    if (input.fault != NULL)
        fprintf(stderr, "kin: the editor cannot be served: %s\n", text_escaped(arena, input.fault));
    bool is_well = server.is_shut_down && input.fault == NULL;
    if (server.log != NULL)
        fclose(server.log);
    server_release(&server);
    free(input.bytes);
    free(directory);
    return is_well ? STATUS_DONE : STATUS_SCHEMA;
}
