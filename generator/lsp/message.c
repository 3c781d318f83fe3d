// Members of messages, and sending.
#include "generator/lsp/internal.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- members of messages

const json_node *message_find(const json_node *node, const char *path)
{
    while (node != NULL && *path != '\0') {
        size_t size = strcspn(path, ".");
        if (node->kind != JSON_MAP)
            return NULL;
        node = json_find(node, path, size);
        path += size;
        path += *path == '.';
    }
    return node;
}

const char *message_text(const json_node *node, const char *path)
{
    const json_node *found = message_find(node, path);
    if (found == NULL || found->kind != JSON_TEXT)
        return NULL;
    return found->text;
}

size_t message_count(const json_node *node, const char *path)
{
    const json_node *found = message_find(node, path);
    if (found == NULL || found->kind != JSON_NUMBER)
        return 0;
    if (strlen(found->text) > 9)
        return 0;
    return (size_t)strtoul(found->text, NULL, 10);
}

// ---- writing

void message_log(server *server, const char *direction, const char *bytes, size_t size)
{
    if (server->log == NULL)
        return;
    fprintf(server->log, "%s ", direction);
    fwrite(bytes, 1, size, server->log);
    fputs("\n", server->log);
    fflush(server->log);
}

void message_send(server *server, const text *members)
{
    text body = text_create(&server->message);
    assert(members->size > 0 && members->bytes[0] == '"');
    text_append_string(&body, "{\"jsonrpc\": \"2.0\", ");
    text_append(&body, members->bytes, members->size);
    text_append_string(&body, "}");
    printf("Content-Length: %zu\r\n\r\n", body.size);
    fwrite(body.bytes, 1, body.size, stdout);
    if (fflush(stdout) != 0)
        server->has_ended = true;
    message_log(server, "<--", body.bytes, body.size);
}

void message_append_id(text *out, const json_node *id)
{
    text_append_string(out, "\"id\": ");
    if (id != NULL && id->kind == JSON_TEXT)
        writer_append_quoted(out, id->text, id->size);
    else if (id != NULL && id->kind == JSON_NUMBER)
        text_append_string(out, id->text);
    else
        text_append_string(out, "null");
}

void message_send_error(server *server, const json_node *id, int code, const char *message)
{
    text members = text_create(&server->message);
    message_append_id(&members, id);
    text_append_format(&members, ", \"error\": {\"code\": %d, \"message\": ", code);
    writer_append_quoted(&members, message, strlen(message));
    text_append_string(&members, "}");
    message_send(server, &members);
}
