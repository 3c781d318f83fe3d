// Measures what a host pays to keep history, and a standby to follow it, on a network in memory: CPU time of an update
// without and with history, and of what a standby does for it; the bytes of a frame and of a key; the time to join.
// "outside" replaces one value in every fourth frame from outside of the update.
//
//   standby [COUNT]
#include <herd/herd.h>
#include <herd/herd_net.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { FRAMES = 100, WARMING_UP = 10, MOST = 64 << 20 };

typedef struct figures {
    double host, standby, join;
    size_t frames, bytes, key;
    bool is_ready;
} figures;

static uint64_t state = 1;
static figures measured;
static bool (*send_on)(kin_transport *transport, kin_topic topic, uint32_t peer, const void *bytes, size_t size);

static float part(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (float)((state >> 33) & 0xFFFF) / 65536;
}

static double cpu(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

void herd_walk_update(herd_herd_world *world, herd_walk_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    while (herd_walk_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            it->place[i].x += it->speed[i].x;
            it->place[i].y += it->speed[i].y;
        }
}

// Counts what is recorded.
static bool count_and_send(kin_transport *transport, kin_topic topic, uint32_t peer, const void *bytes, size_t size)
{
    bool is_record = topic.kind == KIN_TOPIC_RECORD;
    if (is_record && topic.is_key)
        measured.key = size;
    measured.frames += is_record && !topic.is_key;
    measured.bytes += is_record && !topic.is_key ? size : 0;
    return send_on(transport, topic, peer, bytes, size);
}

static void fill(herd_field_context *field, uint32_t count, uint32_t percent)
{
    for (uint32_t i = 0; i < count; i++) {
        bool moves = i % 100 < percent;
        herd_field_entity unit = moves ? herd_field_spawn_unit(field) : herd_field_spawn_stone(field);
        herd_field_replace_place(field, unit, (herd_Place){part() * 1000, part() * 1000});
        if (moves)
            herd_field_replace_speed(field, unit, (herd_Speed){part() - 0.5f, part() - 0.5f});
    }
}

static void change_outside(herd_field_context *field, int frame)
{
    uint32_t count;
    const herd_field_entity *units = herd_field_entities(field, &count);
    if (frame % 4 == 0)
        herd_field_replace_strength(field, units[(uint32_t)frame * 77 % count], (herd_Strength){frame});
}

static void run(herd_herd_world *host, herd_herd_world *standby, bool is_outside)
{
    for (int frame = 0; frame < WARMING_UP + FRAMES; frame++) {
        bool counts = frame >= WARMING_UP;
        if (frame == WARMING_UP)
            measured.frames = measured.bytes = 0;
        if (is_outside)
            change_outside(host->contexts->field, frame);
        double began = cpu();
        herd_herd_world_update(host, 1.0 / 60);
        double updated = cpu();
        if (standby != NULL)
            herd_herd_world_update(standby, 1.0 / 60);
        measured.host += counts ? updated - began : 0;
        measured.standby += counts ? cpu() - updated : 0;
    }
}

// Without history there is no standby.
static void measure(uint32_t count, uint32_t percent, bool keeps_history, bool is_outside)
{
    const kin_session_options options = {.keeps_history = keeps_history, .full_every_ms = 3600000};
    kin_transport *here = kin_memory_transport_create(&(kin_memory_options){.is_shared = true, .most = MOST});
    kin_transport *there = kin_memory_transport_join(here);
    herd_herd_world *host = herd_herd_world_create(NULL, NULL);
    herd_herd_world *standby = keeps_history ? herd_herd_world_create(NULL, NULL) : NULL;
    measured = (figures){0};
    send_on = here->send;
    here->send = count_and_send;
    fill(host->contexts->field, count, percent);
    herd_herd_world_host(host, here, &options);
    herd_herd_world_update(host, 1.0 / 60);
    if (keeps_history) {
        kin_session *session = herd_herd_world_stand_by(standby, there, &options);
        kin_session_numbers numbers;
        double began = cpu();
        herd_herd_world_update(standby, 1.0 / 60);
        measured.join = cpu() - began;
        run(host, standby, is_outside);
        kin_session_state(session, &numbers);
        measured.is_ready = numbers.is_ready;
    } else
        run(host, NULL, is_outside);
    herd_herd_world_destroy(standby);
    herd_herd_world_destroy(host);
    there->end(there);
    here->end(here);
}

int main(int argc, char **argv)
{
    static const uint32_t percents[] = {1, 10, 100};
    uint32_t most = argc > 1 ? (uint32_t)atoi(argv[1]) : 100000;
    for (uint32_t count = 1000; count <= most; count *= 10)
        for (uint32_t i = 0; i < 3; i++) {
            measure(count, percents[i], false, false);
            double plain = measured.host;
            for (uint32_t outside = 0; outside < 2; outside++) {
                measure(count, percents[i], true, outside == 1);
                printf("%7u %3u %% %-7s | n.standby host %7.1f us, without history %7.1f; standby %7.1f us; frame "
                       "%5.1f B, key %7.1f KB; join %8.1f us%s\n",
                       count, percents[i], outside == 1 ? "outside" : "", measured.host / FRAMES, plain / FRAMES,
                       measured.standby / FRAMES, (double)measured.bytes / (double)measured.frames,
                       (double)measured.key / 1000, measured.join, measured.is_ready ? "" : "; NOT READY");
            }
        }
    return 0;
}
