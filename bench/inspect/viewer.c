#include "viewer.h"

#include "sample.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

struct viewer {
    int connection;
    bool reads;
    pthread_t thread;
    uint64_t bytes;
};

static int connect_to(const char *address)
{
    struct sockaddr_in to = {.sin_family = AF_INET};
    const struct timeval patience = {.tv_sec = 10};
    unsigned port = 0;
    if (sscanf(address, "http://127.0.0.1:%u/", &port) != 1)
        return -1;
    to.sin_port = htons((uint16_t)port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(connection, (struct sockaddr *)&to, sizeof to) == 0)
        return connection;
    close(connection);
    return -1;
}

static bool post(int connection, const char *address, const char *path, const char *body)
{
    char request[2048];
    const char *token = strstr(address, "#token=");
    int size = snprintf(request, sizeof request,
                        "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Type: "
                        "application/json\r\nContent-Length: %zu\r\n\r\n%s",
                        path, token == NULL ? "" : token + 7, strlen(body), body);
    return send(connection, request, (size_t)size, MSG_NOSIGNAL) == size;
}

static void *read_events(void *user)
{
    viewer *viewer = user;
    char bytes[65536];
    ssize_t got;
    while ((got = recv(viewer->connection, bytes, sizeof bytes, 0)) > 0)
        viewer->bytes += (uint64_t)got;
    return NULL;
}

viewer *viewer_open(const char *address, const char *method, const char *parameters, bool reads)
{
    char body[1024];
    viewer *viewer = calloc(1, sizeof *viewer);
    if (viewer == NULL)
        return NULL;
    snprintf(body, sizeof body, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s+watch\",\"params\":%s}", method,
             parameters);
    viewer->reads = reads;
    viewer->connection = connect_to(address);
    if (viewer->connection < 0 || !post(viewer->connection, address, "/stream", body)) {
        free(viewer);
        return NULL;
    }
    if (reads)
        pthread_create(&viewer->thread, NULL, read_events, viewer);
    return viewer;
}

uint64_t viewer_close(viewer *viewer)
{
    if (viewer == NULL)
        return 0;
    shutdown(viewer->connection, SHUT_RDWR);
    if (viewer->reads)
        pthread_join(viewer->thread, NULL);
    close(viewer->connection);
    uint64_t bytes = viewer->bytes;
    free(viewer);
    return bytes;
}

int viewer_half_open(const char *address)
{
    static const char half[] = "POST /rpc HTTP/1.1\r\nHost: 127.";
    int connection = connect_to(address);
    if (connection >= 0 && send(connection, half, sizeof half - 1, MSG_NOSIGNAL) < 0)
        perror("send");
    return connection;
}

double viewer_hello(const char *address)
{
    char bytes[256];
    double began = sample_now();
    int connection = connect_to(address);
    bool is_answered = connection >= 0 &&
                       post(connection, address, "/rpc", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"kin.hello\"}") &&
                       recv(connection, bytes, sizeof bytes, 0) > 12 && memcmp(bytes + 9, "200", 3) == 0;
    if (connection >= 0)
        close(connection);
    return is_answered ? sample_now() - began : -1;
}
