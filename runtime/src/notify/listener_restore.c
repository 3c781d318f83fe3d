#include "notify/listener_restore.h"

#include "base/base.h"
#include "notify/dispatch.h"
#include "notify/event.h"

// Returns which slots of a word have an entity that is the same, and alive, before and after.
static uint64_t stays(const kin__chunk *chunk, uint32_t word, const kin_entity *ids, const uint64_t *alive)
{
    uint64_t same = ids == NULL ? 0 : chunk->alive[word] & alive[word];
    for (uint64_t bits = same; bits != 0; bits &= bits - 1) {
        uint32_t place = word * 64 + kin__lowest_bit(bits);
        if (chunk->ids[place] != ids[place])
            same &= ~(bits & (~bits + 1));
    }
    return same;
}

static void end_subscribers(kin_context *context, kin__subscriber_list *subscribers)
{
    for (kin__subscriber *each = subscribers->first, *next = NULL; each != NULL; each = next) {
        next = each->next;
        kin__event_subscriber_end(each);
        kin__subscriber_retire(context, each);
    }
}

static bool has_listeners(const kin_context *context, uint32_t chunk)
{
    for (uint32_t event = 0; context->core->listeners.count > 0 && event < context->info->event_count; event++)
        if (kin__listener_block_of(context, event, chunk * KIN__CHUNK_SLOTS) != NULL)
            return true;
    return false;
}

void kin__listeners_restore(kin_context *context, uint32_t chunk, const kin_entity *ids, const uint64_t *alive)
{
    const kin__chunk *at = context->chunks[chunk];
    KIN_ASSERT(context->depth == 0 && context->core->listeners.calls_under_way == 0 && chunk < context->chunk_count);
    if (at->subscriber_lists == NULL && !has_listeners(context, chunk))
        return;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        for (uint64_t bits = ~stays(at, word, ids, alive); bits != 0; bits &= bits - 1) {
            uint32_t place = word * 64 + kin__lowest_bit(bits);
            if (at->subscriber_lists != NULL)
                end_subscribers(context, &at->subscriber_lists[place]);
            kin__listeners_end(context, chunk * KIN__CHUNK_SLOTS + place);
        }
}
