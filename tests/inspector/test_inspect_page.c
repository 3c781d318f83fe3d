// The files of the browser's page, as a browser gets them.
#include "http_case.h"
#include "suites.h"

#include "transport/transport.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_BYTES = 96 * 1024 };

static const char *get(const char *path, const char *headers)
{
    return exchange(request_of(arena_format(&http_memory, "GET %s HTTP/1.1", path), headers, ""));
}

START_TEST(ins_21_the_page_needs_no_token)
{
    for (const kin__page_file *file = kin__page_files; file->path != NULL; file++) {
        const char *response = get(file->path, HOST);
        ck_assert_msg(status_of(response) == 200, "%s\n%s", file->path, response);
        ck_assert_ptr_nonnull(strstr(response, "Content-Encoding: gzip\r\n"));
        ck_assert_ptr_nonnull(strstr(response, file->type));
        ck_assert_ptr_nonnull(strstr(response, "Content-Security-Policy: default-src 'none'; script-src 'self'"));
        ck_assert_ptr_nonnull(strstr(response, "X-Content-Type-Options: nosniff"));
        ck_assert_ptr_null(strstr(response, TOKEN));
        ck_assert_ptr_null(strstr(response, "no-store"));
    }
    ck_assert_ptr_nonnull(kin__page_find("/"));
    ck_assert_int_eq(status_of(get("/index.html", HOST)), 401);
    ck_assert_int_eq(status_of(get("/main.js/", HOST)), 401);
}
END_TEST

START_TEST(ins_22_the_page_is_not_for_other_hosts)
{
    ck_assert_int_eq(status_of(get("/", "Host: evil.example\r\n")), 403);
    ck_assert_int_eq(status_of(get("/main.js", HOST "Origin: http://evil.example\r\n")), 403);
    ck_assert_int_eq(status_of(get("/main.js", HOST "Sec-Fetch-Site: cross-site\r\n")), 403);
    ck_assert_int_eq(status_of(exchange(request_of("POST / HTTP/1.1", HOST BEARER TYPE, HELLO))), 404);
    ck_assert_int_eq(status_of(exchange(request_of("DELETE / HTTP/1.1", HOST BEARER, ""))), 405);
}
END_TEST

START_TEST(the_browser_keeps_a_file_that_is_still_the_same)
{
    const kin__page_file *file = kin__page_find("/main.js");
    const char *header = arena_format(&http_memory, HOST "If-None-Match: %s\r\n", file->tag);
    const char *response = get("/main.js", header);
    ck_assert_int_eq(status_of(response), 304);
    ck_assert_ptr_nonnull(strstr(response, file->tag));
    ck_assert_int_eq(status_of(get("/main.js", HOST "If-None-Match: \"other\"\r\n")), 200);
    response = exchange(request_of("HEAD /main.js HTTP/1.1", HOST, ""));
    ck_assert_int_eq(status_of(response), 200);
    ck_assert_str_eq(strstr(response, "\r\n\r\n"), "\r\n\r\n");
}
END_TEST

START_TEST(k8_the_page_has_96_kib_at_most)
{
    size_t size = 0;
    for (const kin__page_file *file = kin__page_files; file->path != NULL; file++)
        size += file->size;
    ck_assert_uint_gt(size, 1024);
    ck_assert_msg(size <= MOST_BYTES, "%zu bytes", size);
}
END_TEST

// Texts of the game stay texts: nothing makes HTML of a string, and nothing is loaded from elsewhere.
START_TEST(ins_25_the_page_makes_no_html_of_texts)
{
    shell_result checked = shell_run(
        &http_memory, "! grep -nE 'innerHTML|outerHTML|insertAdjacent|dangerously|document[.]write|eval[(]|https?://"
                      "[^1w]' inspector/page/*.js inspector/page/*.css inspector/page/*.html");
    ck_assert_msg(checked.status == 0, "%s", checked.output);
}
END_TEST

START_TEST(the_libraries_of_the_page_are_what_their_hashes_say)
{
    shell_result checked =
        shell_run(&http_memory, "cd inspector/page/vendor && sha512sum --quiet -c SHA512 && test -s LICENSES");
    ck_assert_msg(checked.status == 0, "%s", checked.output);
}
END_TEST

START_TEST(ins_09_the_bar_has_the_p99_of_what_the_inspector_costs)
{
    exchange(request_of(POST, HOST BEARER TYPE, QUERY));
    const char *response = exchange(request_of(POST, HOST BEARER TYPE, HELLO));
    const char *found = strstr(response, "\"p99_nanoseconds\":");
    ck_assert_msg(found != NULL, "%s", response);
    ck_assert_int_gt(atoi(found + strlen("\"p99_nanoseconds\":")), 0);
}
END_TEST

START_TEST(a_stream_whose_viewer_left_makes_place_for_another)
{
    const char *body = "{\"jsonrpc\":\"2.0\",\"id\":\"t\",\"method\":\"groups.list+watch\",\"params\":{\"context\":"
                       "\"people\",\"period\":60000}}";
    const char *request = arena_format(
        &http_memory, "POST /stream HTTP/1.1\r\n" HOST BEARER TYPE "Content-Length: %zu\r\n\r\n%s", strlen(body), body);
    char head[13] = {0};
    for (int i = 0; i < 12; i++) {
        int connection = connect_to();
        send_bytes(connection, request, strlen(request));
        ck_assert_int_eq(recv(connection, head, 12, MSG_WAITALL), 12);
        ck_assert_str_eq(head, "HTTP/1.1 200");
        close(connection);
    }
}
END_TEST

Suite *inspect_page_suite(void)
{
    Suite *suite = suite_create("inspect_page");
    TCase *page = tcase_create("page");
    tcase_add_checked_fixture(page, http_begin, http_end);
    tcase_add_test(page, ins_21_the_page_needs_no_token);
    tcase_add_test(page, ins_22_the_page_is_not_for_other_hosts);
    tcase_add_test(page, the_browser_keeps_a_file_that_is_still_the_same);
    tcase_add_test(page, k8_the_page_has_96_kib_at_most);
    tcase_add_test(page, ins_25_the_page_makes_no_html_of_texts);
    tcase_add_test(page, the_libraries_of_the_page_are_what_their_hashes_say);
    tcase_add_test(page, ins_09_the_bar_has_the_p99_of_what_the_inspector_costs);
    tcase_add_test(page, a_stream_whose_viewer_left_makes_place_for_another);
    suite_add_tcase(suite, page);
    return suite;
}
