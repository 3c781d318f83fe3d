// Joining: what the stream has kept of topics, fetched by a consumer for each, from the newest full frame on.
//
// The broker checks each question by its subject, which names the topic: an account gets the history of what it may see.
// The answers come to subjects of the own inbox:
//
//   INBOX.N.a.s     the newest full frame without a zone: its sequence is where a history begins
//   INBOX.N.a.c.K   the consumer of topic K has begun
//   INBOX.N.d       its messages, which have the subjects that they were published on. The broker sends them only to a
//                   subscription of just this subject
#include "broker/broker.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    STEPS_BACK = 64, // the parts of the newest full frame come before its last one
    FLUSH_MS = 1000,
    ANSWER_MS = 2000
};

// ---- answers

// Returns the number that follows a name in JSON; 0 without it.
static uint64_t find_number(const char *json, const char *name)
{
    const char *at = strstr(json, name);
    if (at == NULL)
        return 0;
    return strtoull(at + strlen(name), NULL, 10);
}

static void finish_topic(kin__history *history, uint32_t topic)
{
    if (topic >= history->count || history->is_done[topic])
        return;
    assert(history->waiting > 0 && history->waiting <= history->count);
    history->is_done[topic] = true;
    history->waiting--;
}

// Returns the bytes of a message; 0 without any.
static size_t size_of(natsMsg *message)
{
    int size = natsMsg_GetDataLength(message);
    return size < 0 ? 0 : (size_t)size;
}

// A consumer has begun, with or without messages to deliver, or was refused.
static void take_begin(kin__broker *broker, uint32_t topic, natsMsg *message)
{
    char json[2048];
    size_t size = size_of(message);
    if (size >= sizeof json)
        size = sizeof json - 1;
    memcpy(json, natsMsg_GetData(message), size);
    json[size] = '\0';
    bool is_refused = natsMsg_IsNoResponders(message) || strstr(json, "\"error\":") != NULL;
    uint64_t total = find_number(json, "\"delivered\":{\"consumer_seq\":") + find_number(json, "\"num_pending\":");
    if (is_refused || total == 0)
        finish_topic(&broker->history, topic);
}

// Where a message of a consumer is in the stream, and which consumer it is.
typedef struct place {
    uint64_t sequence, pending;
    unsigned long number, topic; // of the fetching, and in it
} place;

// Reads a subject such as $JS.ACK.stream.consumer.1.sequence.1.time.pending; behind a domain two more words come before
// the stream. Consumers are named NAME_N_K.
static bool read_place(const char *reply, place *place)
{
    enum { WORDS = 12, FEWEST = 9, FEWEST_WITH_DOMAIN = 11 };
    const char *words[WORDS];
    uint32_t count = 0;
    for (const char *at = reply; at != NULL && count < WORDS; at = strchr(at, '.')) {
        at += *at == '.';
        words[count++] = at;
    }
    if (count < FEWEST)
        return false;
    uint32_t more = 0;
    if (count >= FEWEST_WITH_DOMAIN)
        more = 2;
    place->sequence = strtoull(words[5 + more], NULL, 10);
    place->pending = strtoull(words[8 + more], NULL, 10);
    return sscanf(words[3 + more], "%*16[0-9a-f]_%lu_%lu", &place->number, &place->topic) == 2;
}

static void take_kept(kin__broker *broker, natsMsg *message)
{
    kin__history *history = &broker->history;
    kin_topic topic;
    uint32_t peer;
    place place;
    const char *reply = natsMsg_GetReply(message);
    if (reply == NULL || !read_place(reply, &place))
        return;
    if (place.number != history->number)
        return; // of an earlier fetching
    bool is_known = kin__subject_read(broker, natsMsg_GetSubject(message), &topic, &peer);
    kin__packet *packet = NULL;
    if (is_known && history->packets.bytes < KIN__BROKER_QUEUE)
        packet = kin__packet_make(topic, peer, natsMsg_GetData(message), size_of(message));
    if (packet != NULL) {
        packet->sequence = place.sequence;
        kin__packets_append(&history->packets, packet);
    }
    if (place.pending == 0)
        finish_topic(history, (uint32_t)place.topic);
}

// The answer about the newest full frame. Without one there is no history, or all of it is needed.
static void take_start(kin__history *history, natsMsg *message)
{
    const char *sequence = NULL;
    history->has_answer = true;
    history->start = 1;
    if (natsMsgHeader_Get(message, "Nats-Sequence", &sequence) != NATS_OK)
        return;
    uint64_t newest = strtoull(sequence, NULL, 10);
    if (newest > STEPS_BACK)
        history->start = newest - STEPS_BACK;
}

static void take_answer(kin__broker *broker, const char *rest, natsMsg *message)
{
    char *end = NULL;
    unsigned long number = strtoul(rest, &end, 10);
    if (number != broker->history.number || strncmp(end, ".a.", 3) != 0)
        return; // of an earlier fetching
    char kind = end[3];
    if (kind == 's')
        take_start(&broker->history, message);
    if (kind != 'c')
        return;
    uint32_t topic = 0;
    if (end[4] == '.')
        topic = (uint32_t)strtoul(end + 5, NULL, 10);
    take_begin(broker, topic, message);
}

void kin__broker_answered(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *user)
{
    kin__broker *broker = user;
    const char *subject = natsMsg_GetSubject(message);
    size_t size = strlen(broker->inbox);
    (void)connection;
    (void)subscription;
    pthread_mutex_lock(&broker->mutex);
    if (strncmp(subject, broker->inbox, size) == 0 && subject[size] == '.')
        take_answer(broker, subject + size + 1, message);
    else
        take_kept(broker, message);
    pthread_cond_broadcast(&broker->has_work);
    pthread_mutex_unlock(&broker->mutex);
    natsMsg_Destroy(message);
}

// ---- questions

static bool ask(kin__broker *broker, const char *question, const char *kind, const char *body)
{
    char reply[KIN__BROKER_SUBJECT];
    snprintf(reply, sizeof reply, "%s.%" PRIu32 ".a.%s", broker->inbox, broker->history.number, kind);
    return natsConnection_PublishRequestString(broker->connection, question, reply, body) == NATS_OK;
}

static bool ask_for_start(kin__broker *broker)
{
    char full[KIN__BROKER_SUBJECT];
    char question[2 * KIN__BROKER_SUBJECT];
    kin__subject_write(broker, (kin_topic){.kind = KIN_TOPIC_FULL, .has_no_zone = true}, 0, full);
    snprintf(question, sizeof question, "%s.DIRECT.GET.KIN_%s.%s", broker->api, broker->app, full);
    return ask(broker, question, "s", "");
}

static bool ask_for_topic(kin__broker *broker, kin_topic topic, uint32_t number)
{
    char subject[KIN__BROKER_SUBJECT];
    char name[64];
    char kind[16];
    char question[2 * KIN__BROKER_SUBJECT];
    char body[4 * KIN__BROKER_SUBJECT];
    const kin__history *history = &broker->history;
    uint64_t start = history->start;
    if (topic.kind == KIN_TOPIC_RECORD) // its keys come at other times
        start = 1;
    kin__subject_write(broker, topic, 0, subject);
    snprintf(name, sizeof name, "%s_%" PRIu32 "_%" PRIu32, broker->name, history->number, number);
    snprintf(kind, sizeof kind, "c.%" PRIu32, number);
    snprintf(question, sizeof question, "%s.CONSUMER.CREATE.KIN_%s.%s.%s", broker->api, broker->app, name, subject);
    snprintf(body, sizeof body,
             "{\"stream_name\":\"KIN_%s\",\"config\":{\"name\":\"%s\",\"deliver_subject\":\"%s.%" PRIu32 ".d\","
             "\"deliver_policy\":\"by_start_sequence\",\"opt_start_seq\":%" PRIu64 ",\"ack_policy\":\"none\","
             "\"max_deliver\":1,\"filter_subject\":\"%s\",\"replay_policy\":\"instant\","
             "\"inactive_threshold\":5000000000,\"num_replicas\":1,\"mem_storage\":true}}",
             broker->app, name, broker->inbox, history->number, start, subject);
    return ask(broker, question, kind, body);
}

// ---- fetching

// Waits until a condition of the history holds, or a time has come, or the transport ends. With the mutex.
static void wait_for(kin__broker *broker, bool (*holds)(const kin__history *history))
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ANSWER_MS / 1000;
    while (!holds(&broker->history) && !broker->is_ending)
        if (pthread_cond_timedwait(&broker->has_work, &broker->mutex, &until) != 0)
            return;
}

static bool has_start(const kin__history *history)
{
    return history->has_answer;
}

static bool is_complete(const kin__history *history)
{
    return history->waiting == 0;
}

// Takes the topics that need a history. Returns them, or NULL when out of memory. With the mutex.
static kin_topic *begin(kin__broker *broker)
{
    kin__history *history = &broker->history;
    kin_topic *topics = calloc(broker->topic_count + 1, sizeof *topics);
    bool *is_done = calloc(broker->topic_count + 1, sizeof *is_done);
    history->number++;
    history->count = 0;
    history->has_answer = false;
    history->start = 1;
    assert(history->is_done == NULL && history->packets.first == NULL);
    bool has_memory = topics != NULL && is_done != NULL;
    for (kin__listened *listened = broker->topics; listened != NULL; listened = listened->next) {
        if (has_memory && listened->needs_history)
            topics[history->count++] = listened->topic;
        listened->needs_history = false;
    }
    assert(history->count <= broker->topic_count);
    history->waiting = history->count;
    history->is_done = is_done;
    broker->is_asked = false;
    broker->has_wishes = false;
    return topics;
}

static int by_sequence(const void *a, const void *b)
{
    const kin__packet *const *left = a;
    const kin__packet *const *right = b;
    return ((*left)->sequence > (*right)->sequence) - ((*left)->sequence < (*right)->sequence);
}

// Puts the packets of all topics into the order of the stream.
static void sort(kin__packets *packets)
{
    size_t count = 0;
    for (const kin__packet *packet = packets->first; packet != NULL; packet = packet->next)
        count++;
    kin__packet **list = malloc((count + 1) * sizeof *list);
    if (list == NULL)
        return; // what is out of order is as if it came late
    for (size_t i = 0; i < count; i++)
        list[i] = kin__packets_take(packets);
    qsort(list, count, sizeof *list, by_sequence);
    for (size_t i = 0; i < count; i++)
        kin__packets_append(packets, list[i]);
    free(list);
}

static bool is_same(const kin__packet *a, const kin__packet *b)
{
    if (a->topic.kind != b->topic.kind || a->topic.zone != b->topic.zone)
        return false;
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

// Drops what came live and is kept, too. Both are in the order of sending, and what came live is the newest.
static void drop_kept(const kin__packets *kept, kin__packets *live)
{
    const kin__packet *at = kept->first;
    while (live->first != NULL) {
        while (at != NULL && !is_same(at, live->first))
            at = at->next;
        if (at == NULL)
            return;
        at = at->next;
        free(kin__packets_take(live));
    }
}

// Moves the history into `in`, and behind it what came meanwhile.
static void finish(kin__broker *broker)
{
    kin__history *history = &broker->history;
    kin__packets kept = {0};
    pthread_mutex_lock(&broker->mutex);
    kin__packets_move(&history->packets, &kept);
    history->number++; // what still comes is of no use
    pthread_mutex_unlock(&broker->mutex);
    sort(&kept);
    pthread_mutex_lock(&broker->mutex);
    drop_kept(&kept, &broker->held);
    kin__packets_move(&kept, &broker->in);
    kin__packets_move(&broker->held, &broker->in);
    broker->is_joining = broker->has_wishes;
    free(history->is_done);
    history->is_done = NULL;
    history->count = 0;
    pthread_mutex_unlock(&broker->mutex);
}

// Asks the broker, and waits for what it has.
static void fetch(kin__broker *broker, const kin_topic *topics)
{
    bool is_asked = ask_for_start(broker);
    pthread_mutex_lock(&broker->mutex);
    if (is_asked)
        wait_for(broker, has_start);
    bool is_answered = is_asked && broker->history.has_answer;
    uint32_t count = broker->history.count;
    pthread_mutex_unlock(&broker->mutex);
    for (uint32_t i = 0; i < count && is_answered; i++)
        is_answered = ask_for_topic(broker, topics[i], i);
    pthread_mutex_lock(&broker->mutex);
    if (is_answered)
        wait_for(broker, is_complete);
    pthread_mutex_unlock(&broker->mutex);
}

void kin__broker_join(kin__broker *broker)
{
    char subject[KIN__BROKER_SUBJECT];
    natsSubscription *answers = NULL;
    natsSubscription *messages = NULL;
    pthread_mutex_lock(&broker->mutex);
    kin_topic *topics = begin(broker);
    pthread_mutex_unlock(&broker->mutex);
    // The broker must have the subscriptions before it is asked what there was until now.
    if (topics != NULL && kin__broker_is_connected(broker)) {
        snprintf(subject, sizeof subject, "%s.%" PRIu32 ".a.>", broker->inbox, broker->history.number);
        answers = kin__broker_subscribe(broker, subject, kin__broker_answered);
        snprintf(subject, sizeof subject, "%s.%" PRIu32 ".d", broker->inbox, broker->history.number);
        messages = kin__broker_subscribe(broker, subject, kin__broker_answered);
    }
    bool has_both = answers != NULL && messages != NULL;
    if (has_both && natsConnection_FlushTimeout(broker->connection, FLUSH_MS) == NATS_OK)
        fetch(broker, topics);
    finish(broker);
    natsSubscription_Destroy(answers);
    natsSubscription_Destroy(messages);
    free(topics);
}
