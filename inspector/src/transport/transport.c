#include "transport/internal.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

// The system keeps little for a viewer that does not read: what it reads then is recent (INS-30).
enum { CONNECTION_MEMORY = 32 * 1024, SEND_BUFFER = 128 * 1024 };

static const uint64_t deaf = 100 * (uint64_t)1000000;

struct kin__transport {
    kin__waiting waiting;
    struct MHD_Daemon *daemon;
    int listening;
    uint64_t deaf_until; // no connections are taken until then: the system has no descriptors or memory for them
    kin__local_socket local;
    pthread_t thread;
    kin__notice notice;
    bool is_announced;
    atomic_bool stops;
    uint16_t port;
    char token[KIN__TOKEN_MOST + 1];
    char address[KIN__TOKEN_MOST + 64];
};

static struct timeval time_of(uint64_t nanoseconds)
{
    return (struct timeval){.tv_sec = (time_t)(nanoseconds / 1000000000u),
                            .tv_usec = (suseconds_t)(nanoseconds % 1000000000u / 1000u)};
}

// Takes connections while there are places: others wait in the backlog, where libmicrohttpd would close them.
static void accept_connections(kin__transport *transport, int listening)
{
    KIN_ASSERT(listening >= 0);
    while (kin__connections_have_place(&transport->waiting.connections)) {
        struct sockaddr_storage address;
        int kept = SEND_BUFFER;
        socklen_t size = sizeof address;
        int connection = accept4(listening, (struct sockaddr *)&address, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (connection < 0) {
            if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR && errno != ECONNABORTED)
                transport->deaf_until = kin__inspect_now() + deaf;
            return;
        }
        setsockopt(connection, SOL_SOCKET, SO_SNDBUF, &kept, sizeof kept);
        if (connection >= FD_SETSIZE)
            close(connection);
        else if (MHD_add_connection(transport->daemon, connection, (struct sockaddr *)&address, size) != MHD_YES)
            return;
    }
}

// Returns the nanoseconds until there is something to do, if no socket and no event is first.
static uint64_t time_to_wait(kin__transport *transport)
{
    MHD_UNSIGNED_LONG_LONG timeout;
    uint64_t now = kin__inspect_now();
    uint64_t wait = kin__waiting_tick(&transport->waiting, now);
    uint64_t deadline = kin__connections_expire(&transport->waiting.connections, now);
    wait = kin__min_64(wait, deadline);
    if (transport->deaf_until > now)
        wait = kin__min_64(wait, transport->deaf_until - now);
    if (MHD_get_timeout(transport->daemon, &timeout) == MHD_YES)
        wait = kin__min_64(wait, timeout * 1000000u);
    return wait;
}

static void await_connections(kin__transport *transport, fd_set *reading, int *most)
{
    int listening[] = {transport->listening, transport->local.descriptor};
    if (!kin__connections_have_place(&transport->waiting.connections) || kin__inspect_now() < transport->deaf_until)
        return;
    for (size_t i = 0; i < sizeof listening / sizeof *listening; i++) {
        if (listening[i] < 0)
            continue;
        FD_SET(listening[i], reading);
        if (listening[i] > *most)
            *most = listening[i];
    }
}

// Waits for sockets, the event and the next deadline, and lets libmicrohttpd work.
static void turn(kin__transport *transport)
{
    KIN_ASSERT(transport->waiting.event >= 0 && transport->daemon != NULL);
    fd_set reading, writing, failing;
    MHD_socket most = transport->waiting.event;
    struct timeval time = time_of(time_to_wait(transport));
    FD_ZERO(&reading);
    FD_ZERO(&writing);
    FD_ZERO(&failing);
    MHD_get_fdset(transport->daemon, &reading, &writing, &failing, &most);
    FD_SET(transport->waiting.event, &reading);
    await_connections(transport, &reading, &most);
    if (select(most + 1, &reading, &writing, &failing, &time) < 0)
        return;
    if (FD_ISSET(transport->waiting.event, &reading))
        kin__waiting_collect(&transport->waiting);
    int listening[] = {transport->listening, transport->local.descriptor};
    for (size_t i = 0; i < sizeof listening / sizeof *listening; i++) {
        if (listening[i] < 0)
            continue;
        if (FD_ISSET(listening[i], &reading))
            accept_connections(transport, listening[i]);
        FD_CLR(listening[i], &reading);
    }
    FD_CLR(transport->waiting.event, &reading);
    MHD_run_from_select(transport->daemon, &reading, &writing, &failing);
}

static void resume_all(kin__transport *transport)
{
    kin__waiting_collect(&transport->waiting);
    for (kin__request *request = transport->waiting.requests; request != NULL; request = request->next)
        if (!request->is_abandoned)
            kin__request_resume(request);
}

static void *run(void *user)
{
    kin__transport *transport = user;
#ifdef SCHED_BATCH
    struct sched_param parameters = {0};
    pthread_setschedparam(pthread_self(), SCHED_BATCH, &parameters);
#endif
    while (!atomic_load(&transport->stops))
        turn(transport);
    resume_all(transport);
    return NULL;
}

static void ignore_log(void *user, const char *format, va_list arguments)
{
    (void)user, (void)format, (void)arguments;
}

static struct MHD_Daemon *start_daemon(kin__transport *transport)
{
    return MHD_start_daemon(
        MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ERROR_LOG, 0, NULL, NULL, kin__handle,
        &transport->waiting, MHD_OPTION_EXTERNAL_LOGGER, ignore_log, NULL, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)KIN__MAX_CONNECTIONS + 1, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
        MHD_OPTION_CONNECTION_TIMEOUT, 0u, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
        MHD_OPTION_URI_LOG_CALLBACK, kin__handle_line, &transport->waiting, MHD_OPTION_NOTIFY_COMPLETED,
        kin__handle_completed, &transport->waiting, MHD_OPTION_NOTIFY_CONNECTION, kin__handle_connection,
        &transport->waiting, MHD_OPTION_END);
}

// The thread gets no signals: they are the game's.
static bool start_thread(kin__transport *transport)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool has_started = pthread_create(&transport->thread, NULL, run, transport) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return has_started;
}

// Returns why no socket listens.
static const char *why_deaf(bool is_chosen, int error)
{
    if (error == EACCES)
        return "start the inspector: the system keeps the port; choose one above 1023";
    if (error != EADDRINUSE)
        return "start the inspector: the system gives no more descriptors; close some";
    if (is_chosen)
        return "start the inspector: the port is taken; choose another one";
    return "start the inspector: ports 5460 to 5475 are taken; choose one";
}

static const char *start(kin__transport *transport, const char *local)
{
    KIN_ASSERT(transport->daemon == NULL && kin__token_is_valid(transport->token));
    bool is_chosen = transport->port != 0;
    transport->listening = kin__listen(&transport->port);
    if (transport->listening < 0)
        return why_deaf(is_chosen, errno);
    if (local != NULL)
        transport->local = kin__local_socket_open(local);
    if (local != NULL && transport->local.descriptor < 0)
        return "start the inspector: the Unix socket cannot be made; choose a path of at most 107 bytes that is free";
    transport->waiting.event = kin__event_create();
    if (transport->waiting.event >= 0)
        transport->daemon = start_daemon(transport);
    if (transport->daemon == NULL)
        return "start the inspector: the system gives no more descriptors; close some";
    if (!start_thread(transport))
        return "start the inspector: the system gives no more threads; end some";
    return NULL;
}

void kin__transport_announce(kin__transport *transport)
{
    KIN_ASSERT(transport->port != 0);
    kin__service *service = transport->waiting.service;
    kin__json json = kin__json_make(&service->heap, 4096);
    if (transport->is_announced)
        return;
    transport->is_announced = true;
    kin__json_begin(&json, '{');
    kin__json_put_natural(&json, "pid", (uint64_t)getpid());
    kin__json_put_string(&json, "name", atomic_load(&service->name));
    kin__json_put_natural(&json, "port", transport->port);
    kin__json_put_text(&json, "socket", transport->local.path);
    kin__json_put_string(&json, "token", transport->token);
    kin__json_put_bool(&json, "read_only", service->is_read_only);
    kin__json_end(&json, '}');
    transport->notice = kin__notice_write(&json);
    kin__json_release(&json);
}

static void release(kin__transport *transport)
{
    kin__bounded_heap *heap = &transport->waiting.service->heap;
    if (transport->daemon != NULL)
        MHD_stop_daemon(transport->daemon);
    if (transport->waiting.event >= 0)
        close(transport->waiting.event);
    if (transport->listening >= 0)
        close(transport->listening);
    kin__local_socket_close(&transport->local);
    pthread_mutex_destroy(&transport->waiting.lock);
    if (transport->waiting.metrics.heap != NULL)
        kin__json_release(&transport->waiting.metrics);
    kin__bounded_release(heap, transport, sizeof *transport);
}

kin__transport *kin__transport_start(kin__service *service, const kin__transport_options *options, const char **fault)
{
    kin__transport *transport = kin__bounded_zeros(&service->heap, sizeof *transport);
    *fault = "start the inspector: no memory; free some or raise its limit";
    if (transport == NULL)
        return NULL;
    transport->waiting.service = service;
    transport->waiting.event = transport->listening = transport->notice.folder = transport->local.descriptor = -1;
    transport->waiting.guard.token = transport->token;
    transport->port = options->port;
    pthread_mutex_init(&transport->waiting.lock, NULL);
    bool has_token = true;
    if (options->token != NULL)
        snprintf(transport->token, sizeof transport->token, "%s", options->token);
    else
        has_token = kin__token_make(transport->token);
    if (has_token)
        *fault = start(transport, options->socket);
    else
        *fault = "start the inspector: the system gives no random numbers; give a token";
    if (*fault != NULL) {
        release(transport);
        return NULL;
    }
    snprintf(transport->address, sizeof transport->address, "http://127.0.0.1:%u/#token=%s", (unsigned)transport->port,
             transport->token);
    return transport;
}

void kin__transport_stop(kin__transport *transport)
{
    if (transport == NULL)
        return;
    KIN_ASSERT(!atomic_load(&transport->stops));
    atomic_store(&transport->stops, true);
    kin__notice_remove(&transport->notice);
    kin__event_wake(transport->waiting.event);
    pthread_join(transport->thread, NULL);
    release(transport);
}

const char *kin__transport_address(const kin__transport *transport)
{
    KIN_ASSERT(transport->address[0] != '\0');
    return transport->address;
}
