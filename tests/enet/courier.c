#include "courier.h"

#include <arpa/inet.h>
#include <check.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LINES = 64, REST_MS = 10, MOST = 2048 };

// A replica, and the socket by which the host knows it.
typedef struct line {
    struct sockaddr_in address;
    int socket;
} line;

static struct {
    pthread_t thread;
    pthread_mutex_t mutex;
    bool is_begun, is_ending;
    uint32_t loss, wrong, carried, lost;
    uint16_t port;
    // of the thread
    uint64_t random;
    int socket;
    line lines[LINES];
    uint32_t line_count;
} courier = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static struct sockaddr_in local(uint16_t port)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(port)};
}

static int open_socket(void)
{
    struct sockaddr_in address = local(0);
    int made = socket(AF_INET, SOCK_DGRAM, 0);
    int size = 4 << 20;
    ck_assert_int_ge(made, 0);
    ck_assert_int_eq(bind(made, (struct sockaddr *)&address, sizeof address), 0);
    setsockopt(made, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    return made;
}

static uint32_t draw(uint32_t below)
{
    courier.random = courier.random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(courier.random >> 33) % below;
}

static void carry(int by, struct sockaddr_in to, unsigned char *bytes, size_t size)
{
    pthread_mutex_lock(&courier.mutex);
    bool is_lost = draw(100) < courier.loss;
    bool is_wrong = draw(100) < courier.wrong;
    courier.carried += !is_lost;
    courier.lost += is_lost;
    pthread_mutex_unlock(&courier.mutex);
    if (is_lost)
        return;
    sendto(by, bytes, size, 0, (struct sockaddr *)&to, sizeof to);
    if (!is_wrong || size == 0)
        return;
    bytes[draw((uint32_t)size)] ^= (unsigned char)(1U << draw(8));
    sendto(by, bytes, size, 0, (struct sockaddr *)&to, sizeof to);
}

static line *line_of(struct sockaddr_in address)
{
    for (uint32_t i = 0; i < courier.line_count; i++)
        if (courier.lines[i].address.sin_port == address.sin_port)
            return &courier.lines[i];
    ck_assert_uint_lt(courier.line_count, LINES);
    courier.lines[courier.line_count] = (line){address, open_socket()};
    return &courier.lines[courier.line_count++];
}

static void carry_to_host(void)
{
    unsigned char bytes[MOST];
    struct sockaddr_in from;
    socklen_t length = sizeof from;
    ssize_t size = recvfrom(courier.socket, bytes, sizeof bytes, MSG_DONTWAIT, (struct sockaddr *)&from, &length);
    if (size < 0)
        return;
    pthread_mutex_lock(&courier.mutex);
    uint16_t port = courier.port;
    pthread_mutex_unlock(&courier.mutex);
    carry(line_of(from)->socket, local(port), bytes, (size_t)size);
}

static void carry_back(const line *line)
{
    unsigned char bytes[MOST];
    ssize_t size = recv(line->socket, bytes, sizeof bytes, MSG_DONTWAIT);
    if (size >= 0)
        carry(courier.socket, line->address, bytes, (size_t)size);
}

static bool is_over(void)
{
    pthread_mutex_lock(&courier.mutex);
    bool is_ending = courier.is_ending;
    pthread_mutex_unlock(&courier.mutex);
    return is_ending;
}

static void *run(void *user)
{
    (void)user;
    while (!is_over()) {
        struct pollfd waiting[LINES + 1] = {{.fd = courier.socket, .events = POLLIN}};
        uint32_t count = courier.line_count;
        for (uint32_t i = 0; i < count; i++)
            waiting[i + 1] = (struct pollfd){.fd = courier.lines[i].socket, .events = POLLIN};
        poll(waiting, count + 1, REST_MS);
        if (waiting[0].revents != 0)
            carry_to_host();
        for (uint32_t i = 0; i < count; i++)
            if (waiting[i + 1].revents != 0)
                carry_back(&courier.lines[i]);
    }
    return NULL;
}

uint16_t courier_begin(uint16_t port, uint64_t seed)
{
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    courier.random = seed;
    courier.port = port;
    courier.socket = open_socket();
    ck_assert_int_eq(getsockname(courier.socket, (struct sockaddr *)&address, &length), 0);
    courier.is_ending = false;
    courier.is_begun = pthread_create(&courier.thread, NULL, run, NULL) == 0;
    ck_assert(courier.is_begun);
    return ntohs(address.sin_port);
}

void courier_treat(uint32_t loss, uint32_t wrong)
{
    pthread_mutex_lock(&courier.mutex);
    courier.loss = loss;
    courier.wrong = wrong;
    pthread_mutex_unlock(&courier.mutex);
}

void courier_point(uint16_t port)
{
    pthread_mutex_lock(&courier.mutex);
    courier.port = port;
    pthread_mutex_unlock(&courier.mutex);
}

uint32_t courier_carried(void)
{
    pthread_mutex_lock(&courier.mutex);
    uint32_t carried = courier.carried;
    pthread_mutex_unlock(&courier.mutex);
    return carried;
}

uint32_t courier_lost(void)
{
    pthread_mutex_lock(&courier.mutex);
    uint32_t lost = courier.lost;
    pthread_mutex_unlock(&courier.mutex);
    return lost;
}

void courier_end(void)
{
    if (!courier.is_begun)
        return;
    pthread_mutex_lock(&courier.mutex);
    courier.is_ending = true;
    pthread_mutex_unlock(&courier.mutex);
    pthread_join(courier.thread, NULL);
    close(courier.socket);
    for (uint32_t i = 0; i < courier.line_count; i++)
        close(courier.lines[i].socket);
    courier.line_count = courier.loss = courier.wrong = courier.carried = courier.lost = 0;
    courier.is_begun = false;
}
