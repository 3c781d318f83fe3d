#include "transport/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

// ---- tokens

bool kin__rate_allows(kin__rate *rate, uint64_t now, uint32_t most)
{
    KIN_ASSERT(most > 0);
    uint64_t second = now / 1000000000u;
    if (second != rate->second)
        *rate = (kin__rate){second, 0};
    return ++rate->count <= most;
}

bool kin__token_is_valid(const char *token)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    size_t size = strlen(token);
    bool has_length = size >= KIN__TOKEN_LEAST && size <= KIN__TOKEN_MOST;
    return has_length && strspn(token, allowed) == size;
}

bool kin__token_make(char token[KIN__TOKEN_MOST + 1])
{
    unsigned char bits[16];
    if (getrandom(bits, sizeof bits, 0) != (ssize_t)sizeof bits)
        return false;
    for (size_t i = 0; i < sizeof bits; i++)
        snprintf(token + 2 * i, 3, "%02x", bits[i]);
    KIN_ASSERT(kin__token_is_valid(token));
    return true;
}

bool kin__token_matches(const char *token, const char *header)
{
    KIN_ASSERT(kin__token_is_valid(token));
    static const char scheme[] = "Bearer ";
    if (header == NULL || strncmp(header, scheme, sizeof scheme - 1) != 0)
        return false;
    const char *given = header + sizeof scheme - 1;
    size_t size = strlen(token);
    size_t given_size = strlen(given);
    unsigned difference = size != given_size;
    for (size_t i = 0; i < size; i++)
        difference |= (unsigned char)token[i] ^ (unsigned char)given[given_size == 0 ? 0 : i % given_size];
    return difference == 0;
}

// ---- requests

// A header: how many there are, and the value of the last one, "" without any.
typedef struct wanted {
    const char *name, *value;
    uint32_t count;
} wanted;

static enum MHD_Result count_header(void *user, enum MHD_ValueKind kind, const char *name, const char *value)
{
    wanted *wanted = user;
    (void)kind;
    if (strcasecmp(name, wanted->name) == 0) {
        wanted->value = value == NULL ? "" : value;
        wanted->count++;
    }
    return MHD_YES;
}

static wanted header_of(struct MHD_Connection *connection, const char *name)
{
    wanted wanted = {.name = name, .value = ""};
    MHD_get_connection_values(connection, MHD_HEADER_KIND, count_header, &wanted);
    return wanted;
}

static bool is_number(const char *text)
{
    return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

// Returns whether a host is 127.0.0.1, localhost or [::1], with any port.
static bool is_local(const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t size = strlen(names[i]);
        if (strncasecmp(host, names[i], size) != 0)
            continue;
        const char *port = host + size;
        if (*port == '\0')
            return true;
        return *port == ':' && is_number(port + 1);
    }
    return false;
}

static bool is_from_here(struct MHD_Connection *connection)
{
    wanted host = header_of(connection, MHD_HTTP_HEADER_HOST);
    wanted origin = header_of(connection, MHD_HTTP_HEADER_ORIGIN);
    wanted site = header_of(connection, "Sec-Fetch-Site");
    if (host.count != 1 || !is_local(host.value))
        return false;
    if (origin.count > 1 || site.count > 1)
        return false;
    bool has_scheme = strncmp(origin.value, "http://", 7) == 0;
    bool is_of_host = has_scheme && strcasecmp(origin.value + 7, host.value) == 0;
    if (origin.count == 1 && !is_of_host)
        return false;
    if (site.count == 0)
        return true;
    return strcmp(site.value, "same-origin") == 0 || strcmp(site.value, "none") == 0;
}

// After too many wrong tokens in a second, all requests without a right one wait a second.
static kin__http_refusal check_token(kin__guard *guard, struct MHD_Connection *connection, uint64_t now)
{
    wanted header = header_of(connection, MHD_HTTP_HEADER_AUTHORIZATION);
    if (header.count == 1 && kin__token_matches(guard->token, header.value))
        return (kin__http_refusal){0};
    if (now < guard->refused_until)
        return (kin__http_refusal){MHD_HTTP_TOO_MANY_REQUESTS, "Too many wrong tokens; wait a second.\n"};
    if (!kin__rate_allows(&guard->wrong_tokens, now, KIN__WRONG_TOKENS))
        guard->refused_until = now + 1000000000u;
    return (kin__http_refusal){MHD_HTTP_UNAUTHORIZED,
                               "The token is missing or wrong: open the address that the game printed.\n"};
}

static kin__http_refusal check_body(struct MHD_Connection *connection)
{
    wanted type = header_of(connection, MHD_HTTP_HEADER_CONTENT_TYPE);
    wanted length = header_of(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);
    wanted encoding = header_of(connection, MHD_HTTP_HEADER_TRANSFER_ENCODING);
    if (type.count != 1 || strcmp(type.value, "application/json") != 0)
        return (kin__http_refusal){MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, "Content-Type must be application/json.\n"};
    if (length.count + encoding.count > 1)
        return (kin__http_refusal){MHD_HTTP_BAD_REQUEST, "A body has one length.\n"};
    if (length.count == 1 && strtoull(length.value, NULL, 10) > KIN__MAX_BODY)
        return (kin__http_refusal){MHD_HTTP_CONTENT_TOO_LARGE, "A body has at most 65536 bytes.\n"};
    return (kin__http_refusal){0};
}

static kin__http_refusal check_size(struct MHD_Connection *connection, const kin__request_line *line)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    if (line->url_size > KIN__URL_SIZE)
        return (kin__http_refusal){MHD_HTTP_URI_TOO_LONG, "A URL has at most 2048 bytes.\n"};
    if (line->has_nul)
        return (kin__http_refusal){MHD_HTTP_BAD_REQUEST, "A URL has no %00.\n"};
    if (info != NULL && info->header_size > KIN__HEADER_SIZE)
        return (kin__http_refusal){MHD_HTTP_REQUEST_HEADER_FIELDS_TOO_LARGE, "Headers have at most 8192 bytes.\n"};
    return (kin__http_refusal){0};
}

static bool is_read(const kin__request_line *line)
{
    return strcmp(line->method, MHD_HTTP_METHOD_GET) == 0 || strcmp(line->method, MHD_HTTP_METHOD_HEAD) == 0;
}

const kin__page_file *kin__check_page(const kin__request_line *line)
{
    if (!is_read(line))
        return NULL;
    return kin__page_find(line->path);
}

const kin__report *kin__check_report(const kin__request_line *line)
{
    if (strcmp(line->method, MHD_HTTP_METHOD_GET) != 0)
        return NULL;
    return kin__report_find(line->path);
}

static kin__http_refusal check_rate(kin__guard *guard, uint64_t now)
{
    if (kin__rate_allows(&guard->requests, now, KIN__REQUESTS_A_SECOND))
        return (kin__http_refusal){0};
    return (kin__http_refusal){MHD_HTTP_TOO_MANY_REQUESTS, "There are at most 200 requests a second.\n"};
}

kin__http_refusal kin__check_request(kin__guard *guard, struct MHD_Connection *connection,
                                     const kin__request_line *line, uint64_t now)
{
    kin__http_refusal refusal = check_size(connection, line);
    if (refusal.status != 0)
        return refusal;
    if (!is_from_here(connection))
        return (kin__http_refusal){MHD_HTTP_FORBIDDEN, "Host, Origin and Sec-Fetch-Site must be of this machine.\n"};
    bool is_known = strcmp(line->path, "/rpc") == 0 || strcmp(line->path, "/stream") == 0;
    if (kin__check_page(line) != NULL)
        return check_rate(guard, now);
    bool is_report = kin__check_report(line) != NULL;
    bool is_post = strcmp(line->method, MHD_HTTP_METHOD_POST) == 0;
    bool needs_post = !is_report && (is_known || !is_read(line));
    if (needs_post && !is_post)
        return (kin__http_refusal){MHD_HTTP_METHOD_NOT_ALLOWED, "POST /rpc or /stream.\n"};
    refusal = check_token(guard, connection, now);
    if (refusal.status != 0)
        return refusal;
    if (!is_known && !is_report)
        return (kin__http_refusal){MHD_HTTP_NOT_FOUND,
                                   "There is POST /rpc and /stream, and GET /metrics and /trace.\n"};
    refusal = check_rate(guard, now);
    if (refusal.status != 0 || is_report)
        return refusal;
    return check_body(connection);
}

kin__http_refusal kin__check_viewer(struct MHD_Connection *connection, char name[KIN__VIEWER_NAME])
{
    wanted header = header_of(connection, "Kin-Viewer");
    if (header.count == 0)
        return (kin__http_refusal){0};
    if (header.count > 1 || !kin__viewer_name_is_valid(header.value))
        return (kin__http_refusal){MHD_HTTP_BAD_REQUEST,
                                   "Kin-Viewer must be one name of at most 64 characters of ASCII.\n"};
    snprintf(name, KIN__VIEWER_NAME, "%s", header.value);
    return (kin__http_refusal){0};
}
