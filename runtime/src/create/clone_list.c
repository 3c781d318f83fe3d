#include "create/clone_list.h"

#include "base/base.h"

bool kin__clone_list_make(kin_context *context, uint64_t row)
{
    kin__clone_list *list = &context->core->clone_list;
    KIN_ASSERT(context->row_words == 1);
    if ((row & context->core->soa_row[0]) != 0)
        return false;
    list->row = row;
    list->count = 0;
    for (uint64_t bits = row; bits != 0; bits &= bits - 1) {
        uint32_t id = kin__lowest_bit(bits);
        list->parts[list->count++] = (kin__clone_part){id, context->core->watches[id].size};
    }
    return true;
}

bool kin__clone_list_is_valid(const kin_context *context)
{
    const kin__clone_list *list = &context->core->clone_list;
    uint32_t count = 0;
    for (uint64_t bits = list->row; bits != 0; bits &= bits - 1, count++) {
        uint32_t id = kin__lowest_bit(bits);
        const kin__clone_part *part = &list->parts[count];
        if (count == list->count || part->id != id || part->size != context->core->watches[id].size)
            return false;
    }
    return count == list->count && (list->row & context->core->soa_row[0]) == 0;
}
