#include "command/command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ANSWER_MS = 2000, LONGEST_LOOK_MS = 10000, LOOK_MS = 50, SECOND_MS = 1000 };

static const char bucket_prefix[] = "KV_kin_";

// ---- connecting

// Adds an option, unless one before has failed.
#define SET(call) status = status == NATS_OK ? (call) : status

static natsStatus set_options(natsOptions *made, const kin_nats_options *options)
{
    const char *url = NATS_DEFAULT_URL;
    if (options->url != NULL)
        url = options->url;
    natsStatus status = natsOptions_SetURL(made, url);
    SET(natsOptions_SetTimeout(made, ANSWER_MS));
    SET(natsOptions_SetName(made, "kin-net"));
    if (options->ca != NULL)
        SET(natsOptions_LoadCATrustedCertificates(made, options->ca));
    if (options->ca != NULL)
        SET(natsOptions_SetSecure(made, true));
    if (options->certificate != NULL)
        SET(natsOptions_LoadCertificatesChain(made, options->certificate, options->key));
    if (options->credentials != NULL)
        SET(natsOptions_SetUserCredentialsFromFiles(made, options->credentials, NULL));
    return status;
}

bool place_begin(place *place, const kin_nats_options *options)
{
    natsOptions *made = NULL;
    jsOptions js;
    jsOptions_Init(&js);
    js.Wait = ANSWER_MS;
    js.Domain = options->domain;
    natsStatus status = natsOptions_Create(&made);
    SET(set_options(made, options));
    SET(natsConnection_Connect(&place->connection, made));
    SET(natsConnection_JetStream(&place->js, place->connection, &js));
    natsOptions_Destroy(made);
    if (status != NATS_OK)
        fprintf(stderr, "kin-net: cannot connect to the broker: %s\n", kin__broker_reason(status));
    return status == NATS_OK;
}

void place_end(place *place)
{
    jsCtx_Destroy(place->js);
    natsConnection_Destroy(place->connection);
}

// ---- buckets

static bool is_named(const char *name, const char *wanted)
{
    return wanted == NULL || strcmp(name, wanted) == 0;
}

static world *append(worlds *worlds)
{
    world *at = realloc(worlds->at, (worlds->count + 1) * sizeof *at);
    if (at == NULL)
        return NULL;
    worlds->at = at;
    at[worlds->count] = (world){0};
    return &at[worlds->count++];
}

static void read_entry(world *world, kvEntry *entry)
{
    int size = kvEntry_ValueLen(entry);
    world->is_read = size >= 0 && kin__lease_entry_read(kvEntry_Value(entry), (size_t)size, &world->lease);
    world->lease.revision = kvEntry_Revision(entry);
}

static bool find_in_bucket(const place *place, const char *app, const char *wanted, worlds *worlds)
{
    char name[64];
    kvStore *bucket = NULL;
    kvKeysList keys = {0};
    snprintf(name, sizeof name, "kin_%s", app);
    natsStatus status = js_KeyValue(&bucket, place->js, name);
    SET(kvStore_Keys(&keys, bucket, NULL));
    bool is_found = status == NATS_OK || status == NATS_NOT_FOUND; // it has no keys
    for (int i = 0; i < keys.Count && is_found; i++) {
        kvEntry *entry = NULL;
        bool is_name = strlen(keys.Keys[i]) <= KIN__BROKER_NAME && is_named(keys.Keys[i], wanted);
        if (!is_name || kvStore_Get(&entry, bucket, keys.Keys[i]) != NATS_OK)
            continue;
        world *world = append(worlds);
        is_found = world != NULL;
        if (world != NULL) {
            snprintf(world->app, sizeof world->app, "%s", app);
            snprintf(world->name, sizeof world->name, "%s", keys.Keys[i]);
            read_entry(world, entry);
        }
        kvEntry_Destroy(entry);
    }
    kvKeysList_Destroy(&keys);
    kvStore_Destroy(bucket);
    if (!is_found)
        fprintf(stderr, "kin-net: cannot read the bucket kin_%s: %s\n", app, kin__broker_reason(status));
    return is_found;
}

// Takes the names of buckets from the answer, which is JSON: "streams":["KV_kin_arena",…].
static bool find_in_answer(const place *place, const kin_nats_options *options, const char *json, worlds *worlds)
{
    bool is_found = true;
    for (const char *at = strstr(json, bucket_prefix); at != NULL && is_found; at = strstr(at, bucket_prefix)) {
        char app[KIN__BROKER_NAME + 1] = "";
        at += sizeof bucket_prefix - 1;
        size_t size = strcspn(at, "\"");
        if (size > KIN__BROKER_NAME)
            continue;
        memcpy(app, at, size);
        if (is_named(app, options->app))
            is_found = find_in_bucket(place, app, options->world, worlds);
    }
    return is_found;
}

static int by_name(const void *a, const void *b)
{
    const world *left = a;
    const world *right = b;
    int order = strcmp(left->app, right->app);
    if (order == 0)
        order = strcmp(left->name, right->name);
    return order;
}

bool worlds_find(const place *place, const kin_nats_options *options, worlds *worlds)
{
    char question[64];
    static const char filter[] = "{\"subject\":\"$KV.>\"}";
    natsMsg *answer = NULL;
    if (options->domain == NULL)
        snprintf(question, sizeof question, "$JS.API.STREAM.NAMES");
    else
        snprintf(question, sizeof question, "$JS.%s.API.STREAM.NAMES", options->domain);
    natsStatus status = natsConnection_RequestString(&answer, place->connection, question, filter, ANSWER_MS);
    if (status != NATS_OK || natsMsg_IsNoResponders(answer)) {
        fprintf(stderr,
                "kin-net: the broker does not answer: %s; its JetStream must be on, and the account may ask %s\n",
                kin__broker_reason(status), question);
        natsMsg_Destroy(answer);
        return false;
    }
    size_t size = (size_t)natsMsg_GetDataLength(answer);
    char *json = calloc(size + 1, 1);
    if (json != NULL)
        memcpy(json, natsMsg_GetData(answer), size);
    bool is_found = json != NULL && find_in_answer(place, options, json, worlds);
    free(json);
    natsMsg_Destroy(answer);
    if (worlds->count > 0)
        qsort(worlds->at, worlds->count, sizeof *worlds->at, by_name);
    return is_found;
}

void worlds_release(worlds *worlds)
{
    free(worlds->at);
}

// ---- looking

bool world_look(const place *place, world *world)
{
    char name[64];
    kvStore *bucket = NULL;
    kvEntry *entry = NULL;
    snprintf(name, sizeof name, "kin_%s", world->app);
    natsStatus status = js_KeyValue(&bucket, place->js, name);
    SET(kvStore_Get(&entry, bucket, world->name));
    if (status == NATS_OK)
        read_entry(world, entry);
    kvEntry_Destroy(entry);
    kvStore_Destroy(bucket);
    return status == NATS_OK;
}

static bool may_be_alive(const world *world)
{
    return world->is_read && !world->lease.is_free;
}

// A host renews its lease at a third of its time.
static void look_again(const place *place, worlds *worlds)
{
    uint32_t wait_ms = 0;
    bool is_known = false;
    for (uint32_t i = 0; i < worlds->count; i++)
        if (may_be_alive(&worlds->at[i]) && worlds->at[i].lease.lasts_ms > wait_ms)
            wait_ms = worlds->at[i].lease.lasts_ms;
    if (wait_ms > LONGEST_LOOK_MS)
        wait_ms = LONGEST_LOOK_MS;
    for (uint32_t spent = 0; spent < wait_ms && !is_known; spent += LOOK_MS) {
        nanosleep(&(struct timespec){.tv_nsec = (long)LOOK_MS * 1000000}, NULL);
        is_known = true;
        for (uint32_t i = 0; i < worlds->count; i++) {
            world *world = &worlds->at[i];
            uint64_t before = world->lease.revision;
            if (!may_be_alive(world) || world->is_alive)
                continue;
            world->is_alive = world_look(place, world) && world->lease.revision != before;
            is_known = is_known && world->is_alive;
        }
    }
}

static const char *state_of(const world *world)
{
    if (!world->is_read)
        return "the entry of another program";
    if (world->lease.is_free)
        return "given away";
    if (world->is_alive)
        return "alive";
    if (world->lease.lasts_ms > LONGEST_LOOK_MS)
        return "not known yet";
    return "dead";
}

int worlds_list(const place *place, const kin_nats_options *options)
{
    worlds worlds = {0};
    bool is_found = worlds_find(place, options, &worlds);
    if (is_found)
        look_again(place, &worlds);
    if (worlds.count > 0)
        printf("%-24s %5s  %-16s %9s  %s\n", "world", "epoch", "host", "lease", "state");
    for (uint32_t i = 0; i < worlds.count; i++) {
        const world *world = &worlds.at[i];
        char name[2 * KIN__BROKER_NAME + 2];
        snprintf(name, sizeof name, "%s.%s", world->app, world->name);
        printf("%-24s %5" PRIu32 "  %-16s %6" PRIu32 " ms  %s\n", name, world->lease.epoch, world->lease.name,
               world->lease.lasts_ms, state_of(world));
    }
    if (is_found && worlds.count == 0)
        fputs("kin-net: no world has had a host at this broker\n", stderr);
    int status = STATUS_REFUSED;
    if (is_found && worlds.count > 0)
        status = STATUS_DONE;
    worlds_release(&worlds);
    return status;
}
