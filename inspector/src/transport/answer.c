#include "transport/internal.h"

#include <string.h>

// ---- files of the page

const kin__page_file *kin__page_find(const char *path)
{
    for (const kin__page_file *file = kin__page_files; file->path != NULL; file++)
        if (strcmp(file->path, path) == 0)
            return file;
    return NULL;
}

// ---- answers

static const struct {
    const char *name, *value;
} headers[] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
     "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
};

static void add_headers(struct MHD_Response *response)
{
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i].name, headers[i].value);
}

void kin__answer_secure(struct MHD_Response *response)
{
    add_headers(response);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
}

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response,
                              const char *type)
{
    if (response == NULL)
        return MHD_NO;
    kin__answer_secure(response);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "POST");
    if (status == MHD_HTTP_TOO_MANY_REQUESTS)
        MHD_add_response_header(response, MHD_HTTP_HEADER_RETRY_AFTER, "1");
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static char *text_of(const kin__json *json)
{
    return json->at == NULL ? "" : json->at;
}

enum MHD_Result kin__answer_text(struct MHD_Connection *connection, const char *type, const kin__json *text)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(text->size, text_of(text), MHD_RESPMEM_MUST_COPY);
    return answer(connection, MHD_HTTP_OK, response, type);
}

// Called when the answer was sent, or cannot be.
static void release_answer(void *user)
{
    kin__json json = *(kin__json *)user;
    kin__bounded_release(json.heap, user, sizeof json);
    kin__json_release(&json);
}

// The text stays where it is until it was sent, so that it counts as memory of the inspector.
enum MHD_Result kin__answer_json(struct MHD_Connection *connection, unsigned status, kin__json *json)
{
    KIN_ASSERT(json->heap != NULL && !json->is_full);
    kin__json *kept = kin__bounded_allocate(json->heap, sizeof *kept);
    if (kept == NULL) {
        kin__json_release(json);
        return kin__answer_refusal(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "The inspector has no memory left.\n");
    }
    *kept = *json;
    *json = (kin__json){0};
    struct MHD_Response *response =
        MHD_create_response_from_buffer_with_free_callback_cls(kept->size, text_of(kept), release_answer, kept);
    if (response == NULL)
        release_answer(kept);
    return answer(connection, status, response, "application/json");
}

enum MHD_Result kin__answer_refusal(struct MHD_Connection *connection, unsigned status, const char *sentence)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(strlen(sentence), (void *)(uintptr_t)sentence, MHD_RESPMEM_PERSISTENT);
    return answer(connection, status, response, "text/plain; charset=utf-8");
}

// The browser keeps the file, and asks each time whether it is still the same.
enum MHD_Result kin__answer_page(struct MHD_Connection *connection, const kin__page_file *file)
{
    KIN_ASSERT(file->path[0] == '/');
    const char *known = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_IF_NONE_MATCH);
    bool is_known = known != NULL && strcmp(known, file->tag) == 0;
    unsigned status = MHD_HTTP_OK;
    size_t size = file->size;
    if (is_known) {
        status = MHD_HTTP_NOT_MODIFIED;
        size = 0;
    }
    struct MHD_Response *response =
        MHD_create_response_from_buffer(size, (void *)(uintptr_t)file->bytes, MHD_RESPMEM_PERSISTENT);
    if (response == NULL)
        return MHD_NO;
    add_headers(response);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-cache");
    MHD_add_response_header(response, MHD_HTTP_HEADER_ETAG, file->tag);
    if (!is_known) {
        MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, file->type);
        MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
    }
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}
