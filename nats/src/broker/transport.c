// The functions of the transport, its threads, and connecting.
#include "broker/broker.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    CONNECT_MS = 2000,
    KEEP_MS = 15000,
    WAIT_MS = 500, // for answers of JetStream
    RECONNECT_MS = 100,
    PING_MS = 5000,
    END_MS = 1000,
    SECOND = 1000000000
};

static kin__broker *broker_of(kin_transport *transport)
{
    return (kin__broker *)(void *)transport;
}

// ---- sending

static bool nats_send(kin_transport *transport, kin_topic topic, uint32_t peer, const void *bytes, size_t size)
{
    kin__broker *broker = broker_of(transport);
    bool has_bytes = bytes != NULL || size == 0;
    if (!has_bytes || size > transport->most)
        return false;
    kin__packet *packet = kin__packet_make(topic, peer, bytes, size);
    if (packet == NULL)
        return false;
    pthread_mutex_lock(&broker->mutex);
    bool has_room = broker->out.bytes + size <= KIN__BROKER_QUEUE;
    if (has_room)
        kin__packets_append(&broker->out, packet);
    pthread_cond_signal(&broker->has_packets);
    pthread_mutex_unlock(&broker->mutex);
    if (!has_room)
        free(packet);
    return has_room;
}

// What cannot be sent now is lost: it would be old when the broker is back.
static void publish(kin__broker *broker, const kin__packet *packet)
{
    char subject[KIN__BROKER_SUBJECT];
    if (!kin__broker_is_connected(broker))
        return;
    assert(packet->size <= KIN__BROKER_MOST);
    kin__subject_write(broker, packet->topic, packet->peer, subject);
    natsConnection_Publish(broker->connection, subject, packet->bytes, (int)packet->size);
}

// Sends until the transport ends, and what waits then, too.
static void *send_all(void *user)
{
    kin__broker *broker = user;
    pthread_mutex_lock(&broker->mutex);
    while (!broker->is_ending || broker->out.first != NULL) {
        kin__packet *packet = kin__packets_take(&broker->out);
        if (packet == NULL) {
            pthread_cond_wait(&broker->has_packets, &broker->mutex);
            continue;
        }
        assert(!broker->is_publishing); // there is one sender
        broker->is_publishing = true;
        pthread_mutex_unlock(&broker->mutex);
        publish(broker, packet);
        free(packet);
        pthread_mutex_lock(&broker->mutex);
        broker->is_publishing = false;
        if (broker->is_draining)
            pthread_cond_broadcast(&broker->has_work);
    }
    pthread_mutex_unlock(&broker->mutex);
    nats_ReleaseThreadMemory();
    return NULL;
}

// ---- receiving

// Packets that find no room are lost, which sessions notice.
static void on_message(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *user)
{
    kin__broker *broker = user;
    kin_topic topic;
    uint32_t peer;
    int size = natsMsg_GetDataLength(message);
    kin__packet *packet = NULL;
    (void)connection;
    (void)subscription;
    if (size >= 0 && kin__subject_read(broker, natsMsg_GetSubject(message), &topic, &peer))
        packet = kin__packet_make(topic, peer, natsMsg_GetData(message), (size_t)size);
    natsMsg_Destroy(message);
    if (packet == NULL)
        return;
    pthread_mutex_lock(&broker->mutex);
    kin__packets *packets = &broker->in;
    if (broker->is_joining && topic.kind != KIN_TOPIC_IN)
        packets = &broker->held;
    bool has_room = broker->in.bytes + broker->held.bytes < KIN__BROKER_QUEUE;
    if (has_room)
        kin__packets_append(packets, packet);
    pthread_mutex_unlock(&broker->mutex);
    if (!has_room)
        free(packet);
}

// Reports what the threads have noted.
static void report_fault(kin__broker *broker)
{
    char message[sizeof broker->fault];
    pthread_mutex_lock(&broker->mutex);
    bool has_fault = broker->has_fault;
    kin_status status = broker->fault_status;
    memcpy(message, broker->fault, sizeof message);
    broker->has_fault = false;
    pthread_mutex_unlock(&broker->mutex);
    if (has_fault)
        kin__broker_report(&broker->options, status, message);
}

static bool nats_next(kin_transport *transport, kin_arrival *arrival)
{
    kin__broker *broker = broker_of(transport);
    free(broker->taken);
    pthread_mutex_lock(&broker->mutex);
    broker->taken = kin__packets_take(&broker->in);
    bool has_fault = broker->has_fault;
    if (broker->has_wishes && !broker->is_asked) {
        broker->is_asked = true; // all topics of this update are fetched at once
        pthread_cond_broadcast(&broker->has_work);
    }
    pthread_mutex_unlock(&broker->mutex);
    if (has_fault)
        report_fault(broker);
    const kin__packet *taken = broker->taken;
    if (taken == NULL)
        return false;
    *arrival = (kin_arrival){.topic = taken->topic, .peer = taken->peer, .bytes = taken->bytes, .size = taken->size};
    return true;
}

// ---- listening

static bool is_same(kin_topic a, kin_topic b)
{
    if (a.has_no_zone != b.has_no_zone || a.has_every_zone != b.has_every_zone)
        return false;
    if (a.kind != b.kind || a.zone != b.zone)
        return false;
    return a.peer == b.peer && a.epoch == b.epoch;
}

static bool is_kept(kin_topic topic)
{
    return topic.kind != KIN_TOPIC_OWN && topic.kind != KIN_TOPIC_IN;
}

// Drops what has come of a topic that is not heard any longer. With the mutex.
static void drop(kin__packets *packets, kin_topic topic)
{
    kin__packets left = {0};
    for (kin__packet *packet = kin__packets_take(packets); packet != NULL; packet = kin__packets_take(packets)) {
        if (kin__topic_covers(topic, packet->topic))
            free(packet);
        else
            kin__packets_append(&left, packet);
    }
    *packets = left;
}

static void end_listening(kin__broker *broker, kin__listened **link)
{
    pthread_mutex_lock(&broker->mutex);
    kin__listened *listened = *link;
    assert(broker->topic_count > 0);
    *link = listened->next;
    broker->topic_count--;
    drop(&broker->in, listened->topic);
    drop(&broker->held, listened->topic);
    pthread_mutex_unlock(&broker->mutex);
    natsSubscription_Destroy(listened->subscription);
    free(listened);
}

static bool begin_listening(kin__broker *broker, kin_topic topic)
{
    char subject[KIN__BROKER_SUBJECT];
    bool is_host = topic.kind == KIN_TOPIC_IN && topic.peer == 0;
    kin__listened *listened = calloc(1, sizeof *listened);
    if (listened == NULL || broker->topic_count == KIN__BROKER_TOPICS) {
        free(listened);
        return false;
    }
    listened->topic = topic;
    listened->needs_history = is_kept(topic);
    if (is_host)
        broker->transport.peer = 0;
    pthread_mutex_lock(&broker->mutex);
    listened->next = broker->topics;
    broker->topics = listened;
    broker->topic_count++;
    broker->is_joining = broker->is_joining || listened->needs_history;
    broker->has_wishes = broker->has_wishes || listened->needs_history;
    pthread_mutex_unlock(&broker->mutex);
    kin__subject_write(broker, topic, 0, subject);
    listened->subscription = kin__broker_subscribe(broker, subject, on_message);
    if (listened->subscription == NULL)
        end_listening(broker, &broker->topics);
    return listened->subscription != NULL;
}

// What is for this peer alone, whatever its topic.
static bool listen_to_own(kin__broker *broker)
{
    char subject[KIN__BROKER_SUBJECT];
    if (broker->own != NULL || broker->transport.peer == 0)
        return true;
    kin__subject_write(broker, (kin_topic){.kind = KIN_TOPIC_OWN, .peer = broker->transport.peer}, 0, subject);
    strcat(subject, ".>");
    broker->own = kin__broker_subscribe(broker, subject, on_message);
    return broker->own != NULL;
}

static bool nats_listen(kin_transport *transport, kin_topic topic, bool on)
{
    kin__broker *broker = broker_of(transport);
    kin__listened **link = &broker->topics;
    while (*link != NULL && !is_same((*link)->topic, topic))
        link = &(*link)->next;
    if (*link != NULL && !on)
        end_listening(broker, link);
    if (*link != NULL || !on)
        return true;
    if (topic.kind != KIN_TOPIC_IN && !listen_to_own(broker))
        return false;
    return begin_listening(broker, topic);
}

// ---- the worker

static bool has_work(const kin__broker *broker, uint64_t now)
{
    if (broker->is_asked || broker->lease.gives_up)
        return true;
    return broker->lease.is_wanted && now >= broker->lease.next_at;
}

static void sleep_until(kin__broker *broker, uint64_t now)
{
    struct timespec until;
    uint64_t wait = SECOND;
    if (broker->lease.is_wanted && broker->lease.next_at > now)
        wait = broker->lease.next_at - now;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(wait % SECOND);
    until.tv_sec += (time_t)(wait / SECOND) + until.tv_nsec / SECOND;
    until.tv_nsec %= SECOND;
    pthread_cond_timedwait(&broker->has_work, &broker->mutex, &until);
}

// Fetches histories and keeps the lease, until the transport ends. A lease that was given up is given away first.
static void *work(void *user)
{
    kin__broker *broker = user;
    pthread_mutex_lock(&broker->mutex);
    while (!broker->is_ending || broker->lease.gives_up) {
        uint64_t now = kin__broker_clock();
        if (!has_work(broker, now)) {
            sleep_until(broker, now);
            continue;
        }
        bool joins = broker->is_asked && !broker->is_ending;
        pthread_mutex_unlock(&broker->mutex);
        if (joins)
            kin__broker_join(broker);
        uint64_t next_at = kin__broker_keep_lease(broker);
        pthread_mutex_lock(&broker->mutex);
        broker->lease.next_at = next_at;
    }
    pthread_mutex_unlock(&broker->mutex);
    nats_ReleaseThreadMemory();
    return NULL;
}

// ---- the connection

// Returns what the connection says of its last error; `otherwise` if it says nothing.
static const char *last_error(natsConnection *connection, const char *otherwise)
{
    const char *text = NULL;
    natsConnection_GetLastError(connection, &text);
    if (text == NULL || text[0] == '\0')
        return otherwise;
    return text;
}

static void on_error(natsConnection *connection, natsSubscription *subscription, natsStatus status, void *user)
{
    (void)subscription;
    kin__broker_note(user, KIN_ERROR_STREAM, "the broker reports: %s",
                     last_error(connection, natsStatus_GetText(status)));
}

static void on_reconnect(natsConnection *connection, void *user)
{
    kin__broker *broker = user;
    (void)connection;
    pthread_mutex_lock(&broker->mutex);
    broker->is_reconnected = true;                    // what the broker had in memory may be gone
    memset(broker->faults, 0, sizeof broker->faults); // errors are news again
    broker->lease.next_at = 0;
    pthread_cond_broadcast(&broker->has_work);
    pthread_mutex_unlock(&broker->mutex);
}

static void on_closed(natsConnection *connection, void *user)
{
    kin__broker *broker = user;
    pthread_mutex_lock(&broker->mutex);
    bool is_ending = broker->is_ending;
    pthread_mutex_unlock(&broker->mutex);
    if (!is_ending)
        kin__broker_note(broker, KIN_ERROR_STREAM, "the connection to the broker is closed for good: %s",
                         last_error(connection, "it refuses this client"));
    kin__broker_refer(broker, -1);
}

static const char *text_or(const char *text, const char *otherwise)
{
    return text == NULL ? otherwise : text;
}

static natsStatus set_security(natsOptions *made, const kin_nats_options *options)
{
    natsStatus status = NATS_OK;
    if (options->ca != NULL)
        status = natsOptions_LoadCATrustedCertificates(made, options->ca);
    if (status == NATS_OK && options->ca != NULL)
        status = natsOptions_SetSecure(made, true);
    if (status == NATS_OK && options->certificate != NULL)
        status = natsOptions_LoadCertificatesChain(made, options->certificate, options->key);
    if (status == NATS_OK && options->credentials != NULL)
        status = natsOptions_SetUserCredentialsFromFiles(made, options->credentials, NULL);
    if (status == NATS_OK && options->user != NULL)
        status = natsOptions_SetUserInfo(made, options->user, text_or(options->password, ""));
    return status;
}

// Several are separated by commas.
static natsStatus set_urls(natsOptions *made, const char *urls)
{
    enum { MOST = 16 };
    const char *list[MOST];
    int count = 0;
    char *copy = strdup(urls);
    char *place = NULL;
    natsStatus status = NATS_INVALID_ARG;
    if (copy == NULL)
        return status;
    for (char *url = strtok_r(copy, ", ", &place); url != NULL; url = strtok_r(NULL, ", ", &place))
        if (count < MOST)
            list[count++] = url;
    if (count > 0)
        status = natsOptions_SetServers(made, list, count);
    free(copy);
    return status;
}

// Adds an option, unless one before has failed.
#define SET(call) status = status == NATS_OK ? (call) : status

static natsStatus set_options(natsOptions *made, const kin_nats_options *options, kin__broker *broker)
{
    natsStatus status = set_urls(made, text_or(options->url, NATS_DEFAULT_URL));
    SET(natsOptions_SetTimeout(made, options->connect_ms));
    SET(natsOptions_SetName(made, broker->inbox));
    SET(natsOptions_SetCustomInboxPrefix(made, broker->inbox));
    SET(natsOptions_SetNoEcho(made, true));
    SET(natsOptions_SetSendAsap(made, true));
    SET(natsOptions_UseGlobalMessageDelivery(made, true));
    SET(natsOptions_SetMaxReconnect(made, -1));
    SET(natsOptions_SetReconnectWait(made, RECONNECT_MS));
    SET(natsOptions_SetReconnectJitter(made, RECONNECT_MS / 2, RECONNECT_MS / 2));
    SET(natsOptions_SetPingInterval(made, PING_MS));
    SET(natsOptions_SetWriteDeadline(made, PING_MS));
    SET(natsOptions_SetErrorHandler(made, on_error, broker));
    SET(natsOptions_SetReconnectedCB(made, on_reconnect, broker));
    SET(natsOptions_SetClosedCB(made, on_closed, broker));
    SET(set_security(made, options));
    return status;
}

// ---- beginning and ending

static bool is_name(const char *name, bool may_be_missing)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    if (name == NULL)
        return may_be_missing;
    size_t size = strlen(name);
    if (size == 0 || size > KIN__BROKER_NAME)
        return false;
    return strspn(name, letters) == size;
}

static uint64_t draw(const kin__broker *broker)
{
    uint64_t number = kin__broker_clock() ^ (uint64_t)(uintptr_t)broker ^ (uint64_t)getpid() << 40;
    FILE *source = fopen("/dev/urandom", "rb");
    if (source != NULL) {
        uint64_t read = 0;
        if (fread(&read, sizeof read, 1, source) == 1)
            number ^= read;
        fclose(source);
    }
    return number;
}

static void set_names(kin__broker *broker, const kin_nats_options *options)
{
    uint64_t number = draw(broker);
    uint32_t peer = options->peer;
    if (peer == 0)
        peer = (uint32_t)(number % INT32_MAX) + 1;
    strcpy(broker->app, options->app);
    strcpy(broker->world, options->world);
    strcpy(broker->domain, text_or(options->domain, ""));
    snprintf(broker->name, sizeof broker->name, "%016" PRIx64, number);
    snprintf(broker->api, sizeof broker->api, "$JS%s%s.API", options->domain == NULL ? "" : ".", broker->domain);
    snprintf(broker->prefix, sizeof broker->prefix, "kin.%s.%s.", broker->app, broker->world);
    snprintf(broker->inbox, sizeof broker->inbox, "%sinbox.%" PRIu32, broker->prefix, peer);
    broker->transport.peer = peer;
    assert(peer != 0 && strlen(broker->inbox) < sizeof broker->inbox - 1);
}

// Copies a URL without the name and the password in it.
static void hide_password(const char *url, char *text, size_t size)
{
    const char *scheme = strstr(url, "://");
    const char *at = strrchr(url, '@');
    if (at == NULL)
        snprintf(text, size, "%s", url);
    else if (scheme == NULL)
        snprintf(text, size, "%s", at + 1);
    else
        snprintf(text, size, "%.*s%s", (int)(scheme + 3 - url), url, at + 1);
}

static natsStatus connect_to(kin__broker *broker, const kin_nats_options *options)
{
    natsOptions *made = NULL;
    jsOptions js;
    jsOptions_Init(&js);
    js.Wait = WAIT_MS;
    if (broker->domain[0] != '\0')
        js.Domain = broker->domain;
    natsStatus status = natsOptions_Create(&made);
    SET(set_options(made, options, broker));
    SET(natsConnection_Connect(&broker->connection, made));
    SET(natsConnection_JetStream(&broker->js, broker->connection, &js));
    natsOptions_Destroy(made);
    return status;
}

static bool begin_threads(kin__broker *broker)
{
    if (pthread_create(&broker->sender, NULL, send_all, broker) != 0)
        return false;
    broker->has_sender = true;
    broker->has_worker = pthread_create(&broker->worker, NULL, work, broker) == 0;
    return broker->has_worker;
}

static void begin_mutex(kin__broker *broker)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&broker->mutex, NULL);
    pthread_cond_init(&broker->has_packets, &attributes);
    pthread_cond_init(&broker->has_work, &attributes);
    pthread_condattr_destroy(&attributes);
}

// Waits until libnats calls nothing of this transport any longer. Returns false if it still may, after a while.
static bool wait_for_references(kin__broker *broker)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += END_MS / 1000;
    pthread_mutex_lock(&broker->mutex);
    while (broker->references > 0)
        if (pthread_cond_timedwait(&broker->has_work, &broker->mutex, &until) != 0)
            break;
    bool is_over = broker->references == 0;
    pthread_mutex_unlock(&broker->mutex);
    return is_over;
}

static void end_threads(kin__broker *broker)
{
    pthread_mutex_lock(&broker->mutex);
    broker->is_ending = true;
    pthread_cond_broadcast(&broker->has_packets);
    pthread_cond_broadcast(&broker->has_work);
    pthread_mutex_unlock(&broker->mutex);
    if (broker->has_worker)
        pthread_join(broker->worker, NULL);
    if (broker->has_sender)
        pthread_join(broker->sender, NULL);
}

static void nats_end(kin_transport *transport)
{
    kin__broker *broker = broker_of(transport);
    end_threads(broker);
    assert(!broker->has_sender || broker->out.first == NULL); // the sender sends what waits
    if (kin__broker_is_connected(broker))
        natsConnection_FlushTimeout(broker->connection, END_MS);
    while (broker->topics != NULL)
        end_listening(broker, &broker->topics);
    natsSubscription_Destroy(broker->own);
    kvStore_Destroy(broker->bucket);
    jsCtx_Destroy(broker->js);
    natsConnection_Close(broker->connection);
    bool is_over = wait_for_references(broker);
    natsConnection_Destroy(broker->connection);
    kin__packets_release(&broker->out);
    kin__packets_release(&broker->in);
    kin__packets_release(&broker->held);
    free(broker->taken);
    if (!is_over)
        return; // rather lost than used after it was freed
    pthread_cond_destroy(&broker->has_packets);
    pthread_cond_destroy(&broker->has_work);
    pthread_mutex_destroy(&broker->mutex);
    free(broker);
}

static kin_transport *refuse(const kin_nats_options *options, kin_status status, const char *format, const char *what,
                             const char *why)
{
    char message[512];
    snprintf(message, sizeof message, format, what, why);
    kin__broker_report(options, status, message);
    return NULL;
}

static const char *find_fault(const kin_nats_options *options)
{
    if (options == NULL)
        return "the options are NULL; set at least `app` and `world`";
    if (!is_name(options->app, false))
        return "`app` is no name; use 1 to 32 of A-Z, a-z, 0-9, '-' and '_'";
    if (!is_name(options->world, false))
        return "`world` is no name; use 1 to 32 of A-Z, a-z, 0-9, '-' and '_'";
    if (!is_name(options->domain, true))
        return "`domain` is no name; use 1 to 32 of A-Z, a-z, 0-9, '-' and '_'";
    if ((options->certificate == NULL) != (options->key == NULL))
        return "`certificate` and `key` go together; set both or neither";
    return NULL;
}

static void set_functions(kin__broker *broker)
{
    int64_t most = natsConnection_GetMaxPayload(broker->connection);
    kin_transport *transport = &broker->transport;
    transport->name = "nats";
    transport->is_shared = true;
    transport->most = KIN__BROKER_MOST;
    if (most > 0 && most < KIN__BROKER_MOST)
        transport->most = (uint32_t)most;
    transport->send = nats_send;
    transport->next = nats_next;
    transport->listen = nats_listen;
    transport->lease = kin__broker_lease;
    transport->end = nats_end;
}

kin_transport *kin_nats_transport_create(const kin_nats_options *options)
{
    const char *fault = find_fault(options);
    if (fault != NULL)
        return refuse(options, KIN_ERROR_INVALID, "cannot connect to a broker: %s%s", fault, "");
    kin__broker *broker = calloc(1, sizeof *broker);
    if (broker == NULL)
        return refuse(options, KIN_ERROR_NO_MEMORY, "cannot connect to a broker: %s%s", "out of memory", "");
    broker->options = *options;
    if (options->connect_ms == 0)
        broker->options.connect_ms = CONNECT_MS;
    if (options->keep_ms == 0)
        broker->options.keep_ms = KEEP_MS;
    begin_mutex(broker);
    set_names(broker, options);
    broker->references = 1; // until on_closed, which is called only after it has connected
    natsStatus status = connect_to(broker, &broker->options);
    if (status != NATS_OK) {
        broker->references = 0;
        char url[256];
        hide_password(text_or(options->url, NATS_DEFAULT_URL), url, sizeof url);
        refuse(options, KIN_ERROR_STREAM, "cannot connect to the broker at %s: %s", url, kin__broker_reason(status));
        nats_end(&broker->transport);
        return NULL;
    }
    set_functions(broker);
    if (begin_threads(broker))
        return &broker->transport;
    refuse(options, KIN_ERROR_NO_MEMORY, "cannot connect to a broker: %s%s", "the system refuses a thread", "");
    nats_end(&broker->transport);
    return NULL;
}

bool kin_nats_is_connected(const kin_transport *transport)
{
    if (transport == NULL || transport->end != nats_end)
        return false;
    return kin__broker_is_connected((const kin__broker *)(const void *)transport);
}
