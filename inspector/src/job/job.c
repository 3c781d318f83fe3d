#include "job/job.h"

#include "job/parameters.h"

#include <string.h>

enum { TOUCHED = 64 * 1024 };

bool kin__job_make_data(kin__job *job, size_t size)
{
    job->data = kin__bounded_zeros(&job->service->heap, size);
    job->data_size = job->data == NULL ? 0 : size;
    return job->data != NULL || kin__job_fail(job, KIN__CODE_LIMIT, "the inspector has no memory left");
}

bool kin__job_make_capture(kin__job *job, size_t size, size_t string_limit)
{
    job->capture = (kin__capture){.at = kin__bounded_allocate(&job->service->heap, size), .string_limit = string_limit};
    job->capture.capacity = job->capture.at == NULL ? 0 : size;
    // The first pages are touched here, so that the thread of the game need not wait for them.
    if (job->capture.at != NULL)
        memset(job->capture.at, 0, size < TOUCHED ? size : TOUCHED);
    return job->capture.at != NULL || kin__job_fail(job, KIN__CODE_LIMIT, "the inspector has no memory left");
}

kin__job *kin__job_create(kin__service *service, const kin__method *method, json_t *parameters)
{
    kin__job *job = kin__bounded_zeros(&service->heap, sizeof *job);
    if (job == NULL) {
        json_decref(parameters);
        return NULL;
    }
    job->service = service;
    job->method = method;
    job->parameters = parameters;
    if (method->writes && service->is_read_only)
        kin__job_fail(job, KIN__CODE_READ_ONLY, "the inspector is read-only");
    else if (kin__parameters_check(job) && method->parse != NULL)
        method->parse(job);
    job->is_done = job->mistake.code != 0 || method->step == NULL;
    return job;
}

void kin__job_destroy(kin__job *job)
{
    if (job == NULL)
        return;
    kin__bounded_heap *heap = &job->service->heap;
    if (job->method->release != NULL)
        job->method->release(job);
    kin__bounded_release(heap, job->data, job->data_size);
    kin__bounded_release(heap, job->capture.at, job->capture.capacity);
    json_decref(job->parameters);
    kin__bounded_release(heap, job, sizeof *job);
}

bool kin__job_step(kin__job *job, const kin__slice *slice)
{
    job->frame = kin__host_frame(job->host);
    if (!job->has_began)
        job->first_frame = job->frame;
    job->has_began = true;
    return job->method->step(job, slice) || job->mistake.code != 0;
}

// ---- answers

void kin__job_show_frame(const kin__job *job, kin__json *json)
{
    kin__json_key(json, "frame");
    kin__json_begin(json, '[');
    kin__json_natural(json, job->first_frame);
    kin__json_natural(json, job->frame);
    kin__json_end(json, ']');
}

static void show_meant(kin__json *json, const kin__mistake *mistake)
{
    if (mistake->meant[0] == NULL)
        return;
    kin__json_key(json, "did_you_mean");
    kin__json_begin(json, '[');
    for (size_t i = 0; i < KIN__MEANT && mistake->meant[i] != NULL; i++)
        kin__json_string(json, mistake->meant[i]);
    kin__json_end(json, ']');
}

void kin__show_mistake(kin__json *json, const kin__mistake *mistake, const char *status, bool has_place)
{
    kin__json_key(json, "error");
    kin__json_begin(json, '{');
    kin__json_key(json, "code");
    kin__json_integer(json, mistake->code);
    kin__json_put_string(json, "message", mistake->message);
    if (status != NULL || has_place || mistake->meant[0] != NULL) {
        kin__json_key(json, "data");
        kin__json_begin(json, '{');
        if (status != NULL) {
            kin__json_put_string(json, "status", status);
            kin__json_put_string(json, "sentence", mistake->message);
        }
        if (has_place) {
            kin__json_put_natural(json, "at", mistake->at);
            kin__json_put_natural(json, "length", mistake->length);
        }
        show_meant(json, mistake);
        kin__json_end(json, '}');
    }
    kin__json_end(json, '}');
}

void kin__job_show(const kin__job *job, kin__json *json)
{
    if (job->mistake.code != 0) {
        kin__show_mistake(json, &job->mistake, job->status, job->has_place);
        return;
    }
    kin__json_key(json, "result");
    job->method->show(job, json);
}

// ---- errors of the runtime

static void catch_error(const kin_error *error, void *user)
{
    kin__job *job = user;
    job->mistake = (kin__mistake){0};
    job->status = kin_status_name(error->status);
    kin__job_fail(job, KIN__CODE_REFUSED - (int)error->status, "%s", error->message);
    atomic_fetch_add_explicit(&job->service->refused, 1, memory_order_relaxed);
}

void kin__job_catch(kin__job *job)
{
    kin_context_catch_errors(job->site->context, catch_error, job);
}

void kin__job_release_errors(kin__job *job)
{
    kin_context_catch_errors(job->site->context, NULL, NULL);
}
