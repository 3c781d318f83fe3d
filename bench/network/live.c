// Measures sessions over ENet on this machine: a host of 10,000 units, of which a tenth moves and two are made again in
// each frame, and replicas in processes of their own that see all. Times are from before the update of the host until
// that of the replica has ended; the processor is that of the host's process alone.
//
//   live [PEERS HZ SECONDS LOSS_PERCENT]
#include <drove/drove.h>
#include <drove/drove_net.h>
#include <drove/drove_world.h>
#include <kin/enet.h>

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COUNT = 10000, PERCENT = 10, CHURN = 2, FRAMES = 1 << 14, TIMES = 1 << 15, PEERS = 128, SECOND = 1000000000 };

typedef struct row {
    uint32_t peers, hertz, seconds, loss;
    uint32_t look_us; // how often replicas look for frames
} row;

// What the processes share.
typedef struct board {
    atomic_bool is_counting, is_over;
    atomic_uint joined;
    uint64_t made_at[FRAMES]; // of a frame, by its number
    struct {
        uint32_t count, wrong, resyncs;
        uint32_t times[TIMES / 16]; // in microseconds
    } peers[PEERS];
} board;

static board *shared;

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

static void rest_until(uint64_t time)
{
    uint64_t now = now_ns();
    if (time > now)
        nanosleep(&(struct timespec){(time_t)((time - now) / SECOND), (long)((time - now) % SECOND)}, NULL);
}

static double cpu_ms(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

static uint64_t state = 1;

static uint32_t draw(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

// ---- loss: datagrams are lost before they are sent; what ENet sends again is not

typedef struct lossy {
    kin_transport transport; // first
    kin_transport *inner;
    uint32_t loss;
} lossy;

static lossy *lossy_of(kin_transport *transport)
{
    return (lossy *)(void *)transport;
}

static bool lossy_send(kin_transport *transport, kin_topic topic, uint32_t peer, const void *bytes, size_t size)
{
    kin_transport *inner = lossy_of(transport)->inner;
    bool is_lost = topic.kind != KIN_TOPIC_FULL && draw(100) < lossy_of(transport)->loss;
    return is_lost || inner->send(inner, topic, peer, bytes, size);
}

static bool lossy_next(kin_transport *transport, kin_arrival *arrival)
{
    kin_transport *inner = lossy_of(transport)->inner;
    bool has_arrival = inner->next(inner, arrival);
    transport->peer = inner->peer;
    return has_arrival;
}

static bool lossy_listen(kin_transport *transport, kin_topic topic, bool on)
{
    kin_transport *inner = lossy_of(transport)->inner;
    return inner->listen(inner, topic, on);
}

static void lossy_begin(lossy *made, kin_transport *inner, uint32_t loss)
{
    if (inner == NULL)
        exit(EXIT_FAILURE);
    *made = (lossy){.transport = *inner, .inner = inner, .loss = loss};
    made->transport.send = lossy_send;
    made->transport.next = lossy_next;
    made->transport.listen = lossy_listen;
    made->transport.lease = NULL;
}

// ---- replicas

static void note(uint32_t peer, uint64_t frame)
{
    uint64_t spent = (now_ns() - shared->made_at[frame % FRAMES]) / 1000;
    uint32_t count = shared->peers[peer].count;
    if (atomic_load(&shared->is_counting) && count < TIMES / 16) {
        shared->peers[peer].times[count] = spent > UINT32_MAX ? UINT32_MAX : (uint32_t)spent;
        shared->peers[peer].count++;
    }
}

static void follow(const row *row, uint32_t peer, uint16_t port)
{
    lossy lossy;
    state = 1000 + peer;
    lossy_begin(&lossy, kin_enet_transport("127.0.0.1", port), row->loss);
    drove_drove_world *world = drove_drove_world_create(NULL, NULL);
    kin_session *session = drove_drove_world_follow(world, &lossy.transport, NULL);
    kin_session_numbers numbers;
    uint64_t last = 0;
    while (session != NULL && !atomic_load(&shared->is_over)) {
        drove_drove_world_update(world, 1.0 / row->hertz);
        kin_session_state(session, &numbers);
        if (numbers.frame != last && last != 0)
            note(peer, numbers.frame);
        else if (numbers.frame != last)
            atomic_fetch_add(&shared->joined, 1);
        last = numbers.frame;
        rest_until(now_ns() + row->look_us * 1000u);
    }
    shared->peers[peer].wrong = (uint32_t)numbers.wrong_hashes;
    shared->peers[peer].resyncs = (uint32_t)numbers.resyncs;
    drove_drove_world_destroy(world);
    lossy.inner->end(lossy.inner);
}

// ---- the host

static drove_field_entity units[COUNT];

static void make_unit(drove_field_context *field, uint32_t i)
{
    bool moves = draw(100) < PERCENT;
    units[i] = drove_field_spawn_unit(field);
    drove_field_replace_place(field, units[i], (drove_Place){(float)draw(1000), (float)draw(1000)});
    drove_field_replace_speed(field, units[i], (drove_Speed){moves ? 0.37f : 0, moves ? 0.21f : 0});
}

static void move_units(drove_field_context *field)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        const drove_Speed *speed = drove_field_get_speed(field, units[i]);
        const drove_Place *at = drove_field_get_place(field, units[i]);
        if (speed->x != 0)
            drove_field_replace_place(field, units[i], (drove_Place){at->x + speed->x, at->y + speed->y});
    }
    for (uint32_t i = 0; i < CHURN; i++) {
        uint32_t at = draw(COUNT);
        drove_field_destroy_entity(field, units[at]);
        make_unit(field, at);
    }
}

typedef struct spent {
    double all, moving; // milliseconds of the processor
    uint64_t bytes, frames;
} spent;

// Updates the host for some frames; those that are counted are timed.
static void run(const row *row, drove_drove_world *world, kin_session *session, uint32_t frames, spent *spent)
{
    kin_session_numbers before, after;
    uint64_t next = now_ns();
    kin_session_state(session, &before);
    double began = cpu_ms();
    double moving = 0;
    for (uint32_t i = 0; i < frames; i++) {
        double step = cpu_ms();
        move_units(world->contexts->field);
        moving += cpu_ms() - step;
        kin_session_state(session, &after);
        shared->made_at[(after.frame + 1) % FRAMES] = now_ns();
        drove_drove_world_update(world, 1.0 / row->hertz);
        rest_until(next += SECOND / row->hertz);
    }
    kin_session_state(session, &after);
    *spent = (struct spent){cpu_ms() - began, moving, after.bytes_out - before.bytes_out, frames};
}

static int order(const void *one, const void *other)
{
    const uint32_t *first = one;
    const uint32_t *second = other;
    return (*first > *second) - (*first < *second);
}

static void print_row(const row *row, const spent *spent)
{
    static uint32_t times[PEERS * (TIMES / 16)];
    uint32_t count = 0, wrong = 0, resyncs = 0;
    for (uint32_t i = 0; i < row->peers; i++) {
        memcpy(times + count, shared->peers[i].times, shared->peers[i].count * sizeof *times);
        count += shared->peers[i].count;
        wrong += shared->peers[i].wrong;
        resyncs += shared->peers[i].resyncs;
    }
    qsort(times, count, sizeof *times, order);
    double seconds = (double)spent->frames / row->hertz;
    double shown = 100.0 * count / ((double)spent->frames * row->peers);
    printf("enet %3u peers %2u Hz, loss %2u %% | n.live p50 %6.2f, p99 %6.2f ms of %u frames, %5.1f %% of all | host "
           "%5.1f %% of "
           "a core, %4.1f of it the game | %6.1f KB/s a peer | wrong %u, resyncs %u\n",
           row->peers, row->hertz, row->loss, count == 0 ? 0 : times[count / 2] / 1e3,
           count == 0 ? 0 : times[(uint64_t)count * 99 / 100] / 1e3, count, shown, spent->all / seconds / 10,
           spent->moving / seconds / 10, (double)spent->bytes / seconds / row->peers / 1000, wrong, resyncs);
    fflush(stdout);
}

static void measure(const row *row)
{
    pid_t children[PEERS];
    lossy lossy;
    spent spent;
    memset((void *)shared, 0, sizeof *shared);
    int ends[2];
    uint16_t port = 0;
    if (pipe(ends) != 0)
        exit(EXIT_FAILURE);
    for (uint32_t i = 0; i < row->peers; i++) { // before this process has threads
        children[i] = fork();
        if (children[i] != 0)
            continue;
        if (read(ends[0], &port, sizeof port) == sizeof port)
            follow(row, i, port);
        _exit(0);
    }
    lossy_begin(&lossy, kin_enet_host_transport(0, row->peers), row->loss);
    port = kin_enet_port(lossy.inner);
    drove_drove_world *world = drove_drove_world_create(NULL, NULL);
    kin_session *session = drove_drove_world_host(world, &lossy.transport, NULL);
    for (uint32_t i = 0; i < COUNT; i++)
        make_unit(world->contexts->field, i);
    for (uint32_t i = 0; i < row->peers; i++)
        if (write(ends[1], &port, sizeof port) != sizeof port)
            exit(EXIT_FAILURE);
    for (uint32_t i = 0; i < 60 && atomic_load(&shared->joined) < row->peers; i++)
        run(row, world, session, row->hertz / 2, &spent);
    run(row, world, session, row->hertz * 3, &spent); // the ring fills
    atomic_store(&shared->is_counting, true);
    run(row, world, session, row->hertz * row->seconds, &spent);
    atomic_store(&shared->is_over, true);
    for (uint32_t i = 0; i < row->peers; i++)
        waitpid(children[i], NULL, 0);
    print_row(row, &spent);
    drove_drove_world_destroy(world);
    lossy.inner->end(lossy.inner);
    close(ends[0]);
    close(ends[1]);
}

int main(int argc, char **argv)
{
    static const row rows[] = {{10, 20, 10, 0, 300}, {10, 20, 10, 10, 300}, {100, 20, 10, 0, 5000}};
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return EXIT_FAILURE;
    if (argc == 5) {
        row row = {(uint32_t)atoi(argv[1]), (uint32_t)atoi(argv[2]), (uint32_t)atoi(argv[3]), (uint32_t)atoi(argv[4]),
                   300};
        bool is_row = row.peers > 0 && row.peers <= PEERS && row.hertz > 0 && row.seconds > 0;
        if (!is_row)
            return EXIT_FAILURE;
        measure(&row);
        return EXIT_SUCCESS;
    }
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++)
        measure(&rows[i]);
    return EXIT_SUCCESS;
}
