// The rules of transports, which each must pass, and what the memory transport does besides.
#include "suites.h"
#include "transport_rules.h"

#include <kin/net.h>

#include <string.h>

static kin_transport *host;

static kin_transport *begin_host(const kin_memory_options *options)
{
    host = kin_memory_transport_create(options);
    return host;
}

static kin_transport *begin_datagrams(void)
{
    return begin_host(NULL);
}

static kin_transport *begin_shared(void)
{
    return begin_host(&(kin_memory_options){.is_shared = true});
}

static kin_transport *join(void)
{
    return kin_memory_transport_join(host);
}

static void wait_for(void)
{
    kin_memory_transport_step(host);
}

START_TEST(net_17_datagrams_in_memory_pass_the_rules)
{
    transport_rules(&(transport_maker){begin_datagrams, join, wait_for});
}
END_TEST

START_TEST(net_17_a_shared_network_in_memory_passes_the_rules)
{
    transport_rules(&(transport_maker){begin_shared, join, wait_for});
}
END_TEST

// Sends numbered bytes to one peer, and returns how many arrived; `orders` counts those after a later one.
static uint32_t count_arrivals(const kin_memory_options *options, uint32_t sends, uint32_t *twice, uint32_t *late)
{
    kin_transport *sender = begin_host(options);
    kin_transport *receiver = join();
    bool seen[1000] = {false};
    uint32_t count = 0;
    uint32_t last = 0;
    kin_arrival arrival;
    ck_assert_uint_le(sends, 1000);
    *twice = *late = 0;
    for (uint32_t i = 0; i < sends + 100; i++) {
        if (i < sends)
            ck_assert(sender->send(sender, (kin_topic){.kind = KIN_TOPIC_TICK}, 1, &i, sizeof i));
        kin_memory_transport_step(sender);
        while (receiver->next(receiver, &arrival)) {
            uint32_t number;
            memcpy(&number, arrival.bytes, sizeof number);
            *twice += seen[number];
            *late += number < last;
            last = number > last ? number : last;
            count += !seen[number];
            seen[number] = true;
        }
    }
    receiver->end(receiver);
    sender->end(sender);
    return count;
}

START_TEST(net_17_loss_doubling_and_lateness_are_as_often_as_asked)
{
    uint32_t twice, late;
    ck_assert_uint_eq(count_arrivals(&(kin_memory_options){.seed = 1}, 1000, &twice, &late), 1000);
    ck_assert_uint_eq(twice + late, 0);
    uint32_t count = count_arrivals(&(kin_memory_options){.seed = 2, .loss = 100}, 1000, &twice, &late);
    ck_assert_uint_gt(count, 850);
    ck_assert_uint_lt(count, 950);
    ck_assert_uint_eq(count_arrivals(&(kin_memory_options){.seed = 3, .twice = 100}, 1000, &twice, &late), 1000);
    ck_assert_uint_gt(twice, 50);
    ck_assert_uint_eq(count_arrivals(&(kin_memory_options){.seed = 4, .late = 100}, 1000, &twice, &late), 1000);
    ck_assert_uint_gt(late, 50);
}
END_TEST

START_TEST(net_17_equal_seeds_lose_the_same)
{
    uint32_t twice[2], late[2], count[2];
    for (uint32_t i = 0; i < 2; i++)
        count[i] = count_arrivals(&(kin_memory_options){.seed = 9, .loss = 200, .twice = 200, .late = 200}, 500,
                                  &twice[i], &late[i]);
    ck_assert_uint_eq(count[0], count[1]);
    ck_assert_uint_eq(twice[0], twice[1]);
    ck_assert_uint_eq(late[0], late[1]);
}
END_TEST

START_TEST(net_17_delay_is_in_steps)
{
    kin_transport *sender = begin_host(&(kin_memory_options){.delay = 3});
    kin_transport *receiver = join();
    kin_arrival arrival;
    ck_assert(sender->send(sender, (kin_topic){.kind = KIN_TOPIC_TICK}, 1, "x", 1));
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert(!receiver->next(receiver, &arrival));
        kin_memory_transport_step(sender);
    }
    ck_assert(receiver->next(receiver, &arrival));
    receiver->end(receiver);
    sender->end(sender);
}
END_TEST

START_TEST(net_17_the_network_ends_with_its_last_end)
{
    kin_transport *first = begin_host(NULL);
    kin_transport *second = join();
    kin_arrival arrival;
    ck_assert(first->send(first, (kin_topic){.kind = KIN_TOPIC_TICK}, 1, "x", 1));
    first->end(first);
    ck_assert(second->next(second, &arrival));
    ck_assert(second->send(second, (kin_topic){.kind = KIN_TOPIC_IN, .peer = 1}, 0, "x", 1));
    second->end(second);
    ck_assert_ptr_null(kin_memory_transport_join(NULL));
    kin_memory_transport_step(NULL);
}
END_TEST

Suite *net_transport_suite(void)
{
    Suite *suite = suite_create("net_transport");
    TCase *tests = tcase_create("transport");
    tcase_add_test(tests, net_17_datagrams_in_memory_pass_the_rules);
    tcase_add_test(tests, net_17_a_shared_network_in_memory_passes_the_rules);
    tcase_add_test(tests, net_17_loss_doubling_and_lateness_are_as_often_as_asked);
    tcase_add_test(tests, net_17_equal_seeds_lose_the_same);
    tcase_add_test(tests, net_17_delay_is_in_steps);
    tcase_add_test(tests, net_17_the_network_ends_with_its_last_end);
    suite_add_tcase(suite, tests);
    return suite;
}
