// A game's frame on hand-written arrays: two groups as sets, a queue of changed entities.

#include "side.h"
#include "store.h"

typedef struct frame {
    hand_store store;
    hand_set movable, frozen;
    uint32_t count, capacity, head, next, queued; // head: the index of the oldest in the ring
    hand_entity *ring;
    uint32_t *queue;
    uint8_t *dirty;
    uint64_t random, sum;
} frame;

static void collect(frame *frame, uint32_t slot)
{
    if (frame->dirty[slot])
        return;
    frame->dirty[slot] = 1;
    frame->queue[frame->queued++] = slot;
}

static void drain(frame *frame)
{
    for (uint32_t i = 0; i < frame->queued; i++) {
        frame->dirty[frame->queue[i]] = 0;
        frame->sum += (uint64_t)frame->store.healths[frame->queue[i]].hp;
    }
    frame->queued = 0;
}

static void spawn(frame *frame, uint32_t at)
{
    uint32_t number = frame->next++;
    hand_entity entity = hand_create(&frame->store);
    hand_add_position(&frame->store, entity, workload_position(number));
    hand_add_velocity(&frame->store, entity, workload_velocity(number));
    hand_add_health(&frame->store, entity, workload_health(number));
    hand_set_add(&frame->movable, hand_slot_of(entity));
    collect(frame, hand_slot_of(entity));
    frame->ring[at % frame->capacity] = entity;
}

static void *create_frame(uint32_t count)
{
    frame *made = calloc(1, sizeof *made);
    uint32_t room = count + workload_share(count, 1) + 1024;
    made->count = count;
    made->capacity = count + workload_share(count, 1);
    made->ring = malloc(made->capacity * sizeof *made->ring);
    made->queue = malloc(room * sizeof *made->queue);
    made->dirty = calloc(room, 1);
    hand_set_create(&made->movable, room);
    hand_set_create(&made->frozen, room);
    made->random = 42;
    for (uint32_t i = 0; i < count; i++)
        spawn(made, i);
    drain(made);
    made->sum = 0;
    return made;
}

static void destroy_frame(void *user)
{
    frame *frame = user;
    hand_store_release(&frame->store);
    hand_set_release(&frame->movable);
    hand_set_release(&frame->frozen);
    free(frame->ring);
    free(frame->queue);
    free(frame->dirty);
    free(frame);
}

static void move_all(frame *frame)
{
    Position *positions = frame->store.positions;
    const Velocity *velocities = frame->store.velocities;
    for (uint32_t j = 0; j < frame->movable.count; j++) {
        uint32_t i = frame->movable.members[j];
        positions[i].x += velocities[i].x * workload_step;
        positions[i].y += velocities[i].y * workload_step;
        positions[i].z += velocities[i].z * workload_step;
    }
}

static void destroy_oldest(frame *frame)
{
    for (uint32_t j = 0; j < workload_share(frame->count, 1); j++) {
        hand_entity entity = frame->ring[(frame->head + j) % frame->capacity];
        hand_set_remove(&frame->movable, hand_slot_of(entity));
        hand_set_remove(&frame->frozen, hand_slot_of(entity));
        hand_destroy(&frame->store, entity);
    }
}

static void spawn_some(frame *frame)
{
    uint32_t count = workload_share(frame->count, 1);
    for (uint32_t j = 0; j < count; j++)
        spawn(frame, frame->head + frame->count + j);
    frame->head = (frame->head + count) % frame->capacity;
}

static hand_entity choose(frame *frame)
{
    return frame->ring[(frame->head + workload_random_below(&frame->random, frame->count)) % frame->capacity];
}

static void freeze_some(frame *frame)
{
    for (uint32_t j = 0; j < workload_share(frame->count, 2); j++) {
        uint32_t slot = hand_slot_of(choose(frame));
        frame->store.slots[slot].mask ^= HAND_FROZEN;
        if ((frame->store.slots[slot].mask & HAND_FROZEN) != 0) {
            hand_set_remove(&frame->movable, slot);
            hand_set_add(&frame->frozen, slot);
        } else {
            hand_set_add(&frame->movable, slot);
            hand_set_remove(&frame->frozen, slot);
        }
    }
}

static void hurt_some(frame *frame)
{
    for (uint32_t j = 0; j < workload_share(frame->count, 5); j++) {
        hand_entity entity = choose(frame);
        if (!hand_is_alive(&frame->store, entity))
            continue;
        frame->store.healths[hand_slot_of(entity)].hp--;
        collect(frame, hand_slot_of(entity));
    }
}

static void play(void *user)
{
    frame *frame = user;
    move_all(frame);
    destroy_oldest(frame);
    spawn_some(frame);
    freeze_some(frame);
    hurt_some(frame);
    drain(frame);
    frame->sum += frame->movable.count * 3u + frame->frozen.count * 7u;
}

static uint64_t sum_of_frames(void *user)
{
    const frame *frame = user;
    uint64_t sum = frame->sum;
    for (uint32_t j = 0; j < frame->count; j++) {
        hand_entity entity = frame->ring[(frame->head + j) % frame->capacity];
        sum += workload_position_sum(&frame->store.positions[hand_slot_of(entity)]);
    }
    return sum;
}

const side_work hand_frame_works[] = {
    {"q", create_frame, NULL, play, sum_of_frames, destroy_frame},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
