#include "server.h"

#include "shell.h"

#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static arena memory;
static char folder[256];
static int port;
static pid_t process;
static bool is_secure;

static const char configuration[] =
    "listen: \"127.0.0.1:%d\"\n"
    "jetstream { store_dir: \"%s/jetstream\", max_mem: 512MB, max_file: 64MB }\n"
    "%s"
    "authorization { users: [\n"
    "  { user: admin, password: admin }\n"
    "  { user: host, password: host, permissions: {\n"
    "    publish: [\"kin.arena.square.frame.>\", \"kin.arena.square.frame\", \"kin.arena.square.full.>\",\n"
    "      \"kin.arena.square.full\", \"kin.arena.square.tick\", \"kin.arena.square.own.>\",\n"
    "      \"kin.arena.square.record.*\",\n"
    "      \"$JS.API.STREAM.CREATE.KIN_arena\", \"$JS.API.STREAM.*.KV_kin_arena\",\n"
    "      \"$JS.API.STREAM.MSG.GET.KV_kin_arena\", \"$JS.API.DIRECT.GET.KV_kin_arena.>\", \"$KV.kin_arena.square\"]\n"
    "    subscribe: [\"kin.arena.square.in.*\", \"kin.arena.square.inbox.*.>\"] } }\n"
    "  { user: standby, password: standby, permissions: {\n"
    "    publish: [\"kin.arena.square.>\", \"$JS.API.STREAM.CREATE.KIN_arena\", \"$JS.API.STREAM.*.KV_kin_arena\",\n"
    "      \"$JS.API.STREAM.MSG.GET.KV_kin_arena\", \"$JS.API.DIRECT.GET.KV_kin_arena.>\", \"$KV.kin_arena.square\",\n"
    "      \"$JS.API.DIRECT.GET.KIN_arena.kin.arena.square.full\",\n"
    "      \"$JS.API.CONSUMER.CREATE.KIN_arena.*.kin.arena.square.record.*\",\n"
    "      \"$JS.API.CONSUMER.CREATE.KIN_arena.*.kin.arena.square.tick\"]\n"
    "    subscribe: [\"kin.arena.square.in.*\", \"kin.arena.square.inbox.*.>\", \"kin.arena.square.record.*\",\n"
    "      \"kin.arena.square.tick\", \"kin.arena.square.own.*\", \"kin.arena.square.own.*.>\"] } }\n"
    "  { user: tool, password: tool, permissions: {\n"
    "    publish: [\"$JS.API.STREAM.NAMES\", \"$JS.API.STREAM.INFO.KV_kin_arena\",\n"
    "      \"$JS.API.STREAM.MSG.GET.KV_kin_arena\", \"$JS.API.DIRECT.GET.KV_kin_arena.>\",\n"
    "      \"$JS.API.CONSUMER.*.KV_kin_arena\", \"$JS.API.CONSUMER.*.KV_kin_arena.>\",\n"
    "      \"$JS.API.DIRECT.GET.KIN_arena.kin.arena.square.full\",\n"
    "      \"$JS.API.CONSUMER.CREATE.KIN_arena.*.kin.arena.square.record.*\"]\n"
    "    subscribe: [\"_INBOX.>\", \"kin.arena.square.record.*\", \"kin.arena.square.own.*.>\",\n"
    "      \"kin.arena.square.inbox.*.>\"] } }\n"
    "  { user: player, password: player, permissions: {\n"
    "    publish: [\"kin.arena.square.in.*\", \"$JS.API.DIRECT.GET.KIN_arena.kin.arena.square.full\",\n"
    "      \"$JS.API.CONSUMER.CREATE.KIN_arena.*.kin.arena.square.>\"]\n"
    "    subscribe: [\"kin.arena.square.frame\", \"kin.arena.square.frame.*\", \"kin.arena.square.full\",\n"
    "      \"kin.arena.square.full.*\", \"kin.arena.square.tick\", \"kin.arena.square.own.>\",\n"
    "      \"kin.arena.square.inbox.*.>\"] } }\n"
    "  { user: ada, password: ada, permissions: {\n"
    "    publish: [\"kin.arena.square.in.7\", \"$JS.API.DIRECT.GET.KIN_arena.kin.arena.square.full\",\n"
    "      \"$JS.API.CONSUMER.CREATE.KIN_arena.*.kin.arena.square.frame\",\n"
    "      \"$JS.API.CONSUMER.CREATE.KIN_arena.*.kin.arena.square.frame.3\",\n"
    "      \"$JS.API.CONSUMER.CREATE.KIN_arena.*.kin.arena.square.full\",\n"
    "      \"$JS.API.CONSUMER.CREATE.KIN_arena.*.kin.arena.square.full.3\",\n"
    "      \"$JS.API.CONSUMER.CREATE.KIN_arena.*.kin.arena.square.tick\"]\n"
    "    subscribe: [\"kin.arena.square.frame\", \"kin.arena.square.frame.3\", \"kin.arena.square.full\",\n"
    "      \"kin.arena.square.full.3\", \"kin.arena.square.tick\", \"kin.arena.square.own.7\",\n"
    "      \"kin.arena.square.own.7.>\", \"kin.arena.square.inbox.7.>\"] } }\n"
    "] }\n";

const char *server_file(const char *name)
{
    return arena_format(&memory, "%s/%s", folder, name);
}

// A port that is free now; another program might take it before the server does.
static int find_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(descriptor, (struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(getsockname(descriptor, (struct sockaddr *)&address, &size), 0);
    close(descriptor);
    return ntohs(address.sin_port);
}

// A certificate of an authority, one of the server and one of a client, and an authority that signed nothing.
static void make_certificates(void)
{
    static const char commands[] =
        "cd '%s' && for name in ca other; do openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes "
        "-days 2 -subj /CN=$name -keyout $name.key -out $name.pem; done && for name in server client; do "
        "openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=$name -keyout $name.key "
        "-out $name.csr && printf 'subjectAltName=IP:127.0.0.1' > $name.ext && openssl x509 -req -in $name.csr -CA "
        "ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile $name.ext -out $name.pem; done";
    shell_expect(&memory, arena_format(&memory, commands, folder));
}

bool server_prepare(bool has_tls)
{
    if (!shell_has(&memory, "nats-server") || (has_tls && !shell_has(&memory, "openssl")))
        return false;
    is_secure = has_tls;
    snprintf(folder, sizeof folder, "%s/kin-test-nats-XXXXXX", shell_scratch());
    ck_assert_ptr_nonnull(mkdtemp(folder));
    port = find_port();
    const char *tls = "";
    if (has_tls) {
        make_certificates();
        tls = arena_format(&memory,
                           "tls { cert_file: \"%s/server.pem\", key_file: \"%s/server.key\", ca_file: "
                           "\"%s/ca.pem\", verify: true }\n",
                           folder, folder, folder);
    }
    FILE *file = fopen(server_file("nats.conf"), "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, configuration, port, folder, tls);
    ck_assert_int_eq(fclose(file), 0);
    return true;
}

static bool answers(void)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    bool is_there = connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0;
    close(descriptor);
    return is_there;
}

void server_start(void)
{
    const char *file = server_file("nats.conf");
    const char *log = server_file("log");
    fflush(stdout);
    process = fork();
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); // a test that fails leaves no server
        execlp("nats-server", "nats-server", "-c", file, "-l", log, (char *)NULL);
        _exit(127);
    }
    for (int i = 0; i < 5000; i++) {
        if (answers())
            return;
        ck_assert_int_eq(waitpid(process, NULL, WNOHANG), 0);
        server_rest(2);
    }
    ck_abort_msg("nats-server does not answer");
}

void server_kill(void)
{
    if (process <= 0)
        return;
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
    process = 0;
}

bool server_begin(bool has_tls)
{
    if (!server_prepare(has_tls))
        return false;
    server_start();
    return true;
}

void server_end(void)
{
    server_kill();
    if (folder[0] != '\0')
        shell_run(&memory, arena_format(&memory, "rm -rf '%s'", folder));
    folder[0] = '\0';
    arena_release(&memory);
}

const kin_nats_options *server_options(const char *user)
{
    static kin_nats_options options;
    options = (kin_nats_options){.url = arena_format(&memory, "%s://127.0.0.1:%d", is_secure ? "tls" : "nats", port),
                                 .app = "arena",
                                 .world = "square",
                                 .user = user,
                                 .password = user,
                                 .peer = strcmp(user, "ada") == 0 ? 7 : 0};
    if (is_secure) {
        options.ca = server_file("ca.pem");
        options.certificate = server_file("client.pem");
        options.key = server_file("client.key");
    }
    return &options;
}

kin_transport *server_join(const char *user, error_log *errors)
{
    kin_nats_options options = *server_options(user);
    options.on_error = error_log_append;
    options.error_user = errors;
    return kin_nats_transport_create(&options);
}

void server_rest(uint32_t milliseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)milliseconds * 1000000}, NULL);
}

const char *server_play(arena *memory, const char *example, const char *script)
{
    static const char has[] = "has() { for i in $(seq 600); do grep -q \"$1\" $2 && return; sleep 0.05; done; cat $2; "
                              "kill -9 $all; exit 1; }";
    char *build = realpath(shell_build(), NULL);
    const char *program = arena_format(memory, "%s/examples/%s/%s", build, example, example);
    free(build);
    if (access(program, X_OK) != 0) {
        printf("skipped: %s was not built\n", example);
        return NULL;
    }
    if (!server_begin(false))
        return NULL;
    const char *address = strstr(server_options("admin")->url, "://") + 3;
    return shell_expect(memory, arena_format(memory, "%s\nprogram='%s' url=nats://admin:admin@%s; cd '%s'\n%s", has,
                                             program, address, server_file(""), script));
}
