// Fuzzing the language server: any bytes as an open document, after one byte that says where the cursor is.
//
// Every question is asked there. Each answer must be JSON, and edits must be inside of the document.
#include "generator/lsp/internal.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char uri[] = "untitled:fuzz.yaml";
static server session;
static schema_folders folders;

static void expect(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

// Works in a folder that is missing, so that no schemas are found; what is sent is not read.
int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    expect(freopen("/dev/null", "w", stdout) != NULL, "no /dev/null");
    session = (server){.folders = &folders, .directory = "/nowhere", .is_utf8 = true};
    return 0;
}

static const char parameters[] = "{\"newName\":\"Other\",\"query\":\"o\",\"context\":{},\"range\":"
                                 "{\"start\":{\"line\":0,\"character\":0},\"end\":{\"line\":9,\"character\":9}}}";

static void ask(void (*answer)(request *request), const json_node *asked, size_t offset)
{
    json_fault fault;
    text out = text_create(&session.message);
    json_writer writer = writer_begin(&out);
    request request = {.server = &session, .arena = &session.message, .writer = &writer, .offset = offset};
    request.parameters = asked;
    request.document = server_find(&session, uri);
    request.root = server_root_of(&session, request.document, NULL);
    if (request.root == NULL) // YAML of something else
        return;
    request.file = root_file(request.root, request.document->path);
    expect(request.file != NULL, "a root without its file");
    answer(&request);
    expect(out.size == 0 || json_read(&session.message, out.bytes, out.size, &fault) != NULL, "the answer is no JSON");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static void (*const answers[])(request * request) = {
        answer_completion, answer_hover,          answer_definition, answer_references,
        answer_highlights, answer_symbols,        answer_inlays,     answer_workspace_symbols,
        answer_folding,    answer_prepare_rename, answer_rename,     answer_actions,
        answer_lenses};
    if (size == 0)
        return 0;
    const char *text = (const char *)bytes + 1;
    size_t length = size - 1;
    server_open(&session, uri, 1, text, length);
    server_settle(&session);
    json_fault fault;
    const json_node *asked = json_read(&session.message, parameters, strlen(parameters), &fault);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        ask(answers[i], asked, length * bytes[0] / 255);
    server_close(&session, uri);
    server_settle(&session);
    arena_release(&session.message);
    session.published = NULL;
    arena_release(&session.arena);
    return 0;
}
