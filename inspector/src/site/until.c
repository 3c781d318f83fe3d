#include "site/until.h"

#include "host/host.h"

kin__until *kin__until_create(kin__bounded_heap *heap, const kin__site *site)
{
    kin__until *until = kin__bounded_zeros(heap, sizeof *until);
    if (until == NULL)
        return NULL;
    until->heap = heap;
    until->site = site;
    until->scratch_size = kin__query_scratch(site->info);
    until->scratch = kin__bounded_allocate(heap, until->scratch_size);
    if (until->scratch != NULL)
        return until;
    kin__until_destroy(until);
    return NULL;
}

void kin__until_destroy(kin__until *until)
{
    if (until == NULL)
        return;
    kin__bounded_heap *heap = until->heap;
    kin__bounded_release(heap, until->scratch, until->scratch_size);
    kin__bounded_release(heap, until, sizeof *until);
}

// One that takes too long is not asked to its end.
kin__until_answer kin__until_ask(kin__until *until)
{
    uint64_t began = kin__inspect_worked(), limit = KIN__UNTIL_MICROSECONDS * (uint64_t)1000, took = 0;
    uint32_t words = kin_look_words(until->site->context);
    bool has_match = false;
    for (uint32_t word = 0; word < words && !has_match; word++) {
        has_match = kin__query_word(&until->query, until->site->context, word, until->scratch) != 0;
        if (word % 16 == 15 && (took = kin__inspect_worked() - began) > limit)
            break;
    }
    took = kin__inspect_worked() - began;
    until->took = (uint32_t)(took / 1000);
    if (took > limit)
        return KIN__UNTIL_TOO_LONG;
    return has_match != until->wants_none ? KIN__UNTIL_YES : KIN__UNTIL_NO;
}
