// entities.get: all that is known of one entity.

#include "capture/show.h"
#include "job/parameters.h"
#include "method/methods.h"

enum { CAPTURE = 4 * 1024 * 1024, STRING = 64 * 1024, MOST_COMPONENTS = 4096 };

typedef struct held {
    kin_component_id id;
    const void *value; // NULL: it did not fit
} held;

typedef struct get_job {
    const void *label;
    held *components; // in the capture
    uint32_t component_count;
    bool *groups; // by number: it is a member
} get_job;

static bool parse(kin__job *job)
{
    return kin__parameter_context(job) && kin__parameter_entity(job, "entity", &job->entity) &&
           kin__job_make_data(job, sizeof(get_job)) && kin__job_make_capture(job, CAPTURE, STRING);
}

static void capture_components(kin__job *job, get_job *data)
{
    kin_component_id ids[MOST_COMPONENTS];
    uint32_t count = kin_entity_components(job->site->context, job->entity, ids, MOST_COMPONENTS);
    count = count < MOST_COMPONENTS ? count : MOST_COMPONENTS;
    data->components = kin__capture_reserve(&job->capture, (count + 1) * sizeof *data->components);
    for (uint32_t i = 0; data->components != NULL && i < count; i++) {
        if (job->site->info->components[ids[i]].inspect == KIN_INSPECT_HIDDEN)
            continue;
        held *held = &data->components[data->component_count++];
        held->id = ids[i];
        held->value = kin__capture_component(&job->capture, job->site->context, job->entity, ids[i]);
        job->capture.is_full = false;
    }
}

static bool step(kin__job *job, const kin__slice *slice)
{
    get_job *data = job->data;
    const kin_context *context = job->site->context;
    (void)slice;
    if (!kin_entity_is_alive(context, job->entity)) {
        kin__job_fail(job, KIN__CODE_REFUSED - KIN_ERROR_NOT_ALIVE, "%s has no such living entity", job->site->name);
        job->status = kin_status_name(KIN_ERROR_NOT_ALIVE);
        return true;
    }
    data->label = kin__capture_label(&job->capture, context, job->entity);
    data->groups = kin__capture_reserve(&job->capture, job->site->info->group_count + 1);
    for (uint32_t i = 0; data->groups != NULL && i < job->site->info->group_count; i++)
        data->groups[i] = kin_matches(context, job->site->info->groups[i].matcher, job->entity);
    capture_components(job, data);
    return true;
}

static void show_components(const kin__job *job, kin__json *json)
{
    const get_job *data = job->data;
    kin__json_key(json, "components");
    kin__json_begin(json, '{');
    for (uint32_t i = 0; i < data->component_count; i++) {
        const kin_component_info *info = &job->site->info->components[data->components[i].id];
        kin__json_key(json, info->name);
        if (data->components[i].value == NULL)
            kin__json_null(json);
        else
            kin__show_component(json, info, data->components[i].value);
    }
    kin__json_end(json, '}');
}

static void show(const kin__job *job, kin__json *json)
{
    const get_job *data = job->data;
    kin__json_begin(json, '{');
    kin__job_show_frame(job, json);
    kin__json_key(json, "e");
    kin__json_entity(json, job->entity);
    kin__show_label(json, job->site->info, data->label);
    show_components(job, json);
    kin__json_key(json, "groups");
    kin__json_begin(json, '[');
    for (uint32_t i = 0; data->groups != NULL && i < job->site->info->group_count; i++)
        if (data->groups[i])
            kin__json_string(json, job->site->info->groups[i].name);
    kin__json_end(json, ']');
    kin__json_end(json, '}');
}

const kin__method kin__method_get = {
    .name = "entities.get",
    .doc = "All components of an entity with their values, and the groups that it is in.",
    .result = "frame, e, label, components, groups",
    .parameters = {{"context", "string", false, "the context; may be left out if there is one"},
                   {"entity", "string", true, "the handle, creation:slot"}},
    .parse = parse,
    .step = step,
    .show = show,
};
