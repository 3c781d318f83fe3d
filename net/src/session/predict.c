// Prediction: a replica runs the systems with `runs: predicted` ahead of the host, in a second world that nobody
// listens to, and shows the outcome. So listeners are notified of what differs at the end, and of nothing else.
//
//   restore the state of the host → for each frame ahead: publish own messages, update → save → show
//
// The second world has contexts of its own and the systems of the first, none of which is initialized.
#include "session/session.h"

#include "context/context.h"

#include <string.h>

// What generated code has at the beginning of its world.
typedef struct generated_world {
    kin_context **contexts; // a struct with a pointer for each context, in the order of their names
    void *user;
    kin__world *base;
} generated_world;

typedef struct kin__net_twin {
    kin__world *world;
    uint32_t context_count;
    kin_context *contexts[];
} kin__net_twin;

// ---- the second world

static void place_systems(kin_session *session, kin__world *world)
{
    for (uint32_t i = 0; i < world->info->system_count; i++) {
        const kin__schema_system *system = world->schema_systems[i];
        if (system != NULL && system->node != NULL)
            kin__node_set_elsewhere(system->node, session->info->runs[i] != KIN__RUNS_PREDICTED);
    }
    kin__systems_refresh(world->root);
}

static bool make_contexts(kin_session *session, kin__net_twin *twin)
{
    kin_context_options options = session->world->options;
    for (uint32_t i = 0; i < twin->context_count; i++) {
        const kin_context *like = session->world->contexts[i];
        options = like->core->options;
        twin->contexts[i] = kin__context_create(like->info, &options, like->core->context_size);
        if (twin->contexts[i] == NULL)
            return false;
    }
    return true;
}

bool kin__twin_begin(kin_session *session)
{
    uint32_t count = session->world->info->context_count;
    kin__net_twin *twin = kin__allocate_zero(session->memory, sizeof *twin + count * sizeof *twin->contexts);
    session->twin = twin;
    if (twin == NULL)
        return false;
    twin->context_count = count;
    if (!make_contexts(session, twin))
        return false;
    twin->world = kin__world_create(session->world->info, twin->contexts, &session->world->options);
    if (twin->world == NULL)
        return false;
    generated_world *generated = kin__world_self(twin->world);
    memcpy(generated, kin__world_self(session->world), sizeof *generated);
    generated->contexts = twin->contexts;
    generated->base = twin->world;
    kin_frames_use(twin->contexts, count, session->info);
    place_systems(session, twin->world);
    return true;
}

void kin__twin_end(kin_session *session)
{
    kin__net_twin *twin = session->twin;
    session->twin = NULL;
    if (twin == NULL)
        return;
    if (twin->world != NULL && kin__world_end(twin->world))
        kin__world_release(twin->world);
    for (uint32_t i = 0; i < twin->context_count; i++)
        kin__context_destroy(twin->contexts[i]);
    kin__release(session->memory, twin, sizeof *twin + twin->context_count * sizeof *twin->contexts);
}

// ---- predicting

static void restore_state(kin_session *session)
{
    kin__net_twin *twin = session->twin;
    for (uint32_t i = 0; i < twin->context_count; i++)
        if (twin->contexts[i]->core->replicated != NULL)
            kin__context_restore(twin->contexts[i], session->state.shown, KIN_RESTORE_EXACTLY);
    twin->world->root->frame = session->state.number;
    twin->world->root->time = session->state.time;
}

// Own messages that the host does not know are published in their frames; those that it should have taken already, in
// the first one.
static void publish_own(kin_session *session, uint64_t frame)
{
    for (const kin__net_waiting *own = session->own.first; own != NULL; own = own->next) {
        bool is_first = frame == session->state.number + 1;
        if (own->frame == frame || (is_first && own->frame < frame))
            kin__world_publish(session->twin->world, own->message->number, own->value);
    }
}

// Returns the frame to predict to: one more than before, unless that is not as far ahead as messages take.
static uint64_t next_target(const kin_session *session)
{
    uint64_t number = session->state.number;
    uint64_t ahead = number + session->lead;
    uint64_t target = session->predicted_to + 1;
    if (target < ahead || target > ahead + 2)
        target = ahead;
    return target > number + KIN__NET_LEAD ? number + KIN__NET_LEAD : target;
}

bool kin__twin_predict(kin_session *session, double delta, bool is_new)
{
    kin__net_twin *twin = session->twin;
    restore_state(session);
    if (is_new)
        kin__replica_remember(session, twin->contexts);
    session->predicted_to = next_target(session);
    for (uint64_t frame = session->state.number + 1; frame <= session->predicted_to; frame++) {
        publish_own(session, frame);
        kin__world_update(twin->world, delta);
        session->numbers.predicted++;
    }
    for (uint32_t i = 0; i < twin->context_count; i++)
        if (twin->contexts[i]->core->replicated != NULL &&
            kin__context_save(twin->contexts[i], &session->outcomes[i]) != KIN_OK)
            return false;
    kin__replica_show(session, true);
    return true;
}
