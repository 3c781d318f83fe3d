#include "frame/frame.h"

#include <string.h>

// Takes the masks of a run.
static void take_masks(kin__span_reader *reader)
{
    const kin__layout *layout = reader->layout;
    kin__bytes_in *in = reader->in;
    uint64_t bits[KIN__MOST_LEAF_WORDS + 1] = {0};
    kin__take_bits(in, bits, layout->bit_count + 1);
    for (uint32_t word = 0; word < layout->words; word++) {
        uint64_t next = word + 1 < layout->words ? bits[word + 1] : 0;
        reader->run.leaves[word] = bits[word] >> 1 | next << 63;
    }
    reader->run.kind = 0;
    memset(reader->run.toggled, 0, layout->component_words * sizeof(uint64_t));
    if ((bits[0] & 1) == 0)
        return;
    uint64_t kind = kin__take_number(in);
    bool is_known = kind >= 1 && kind <= 7;
    bool excludes = (kind & KIN__TOGGLED) != 0 && (kind & (KIN__CAME | KIN__WENT)) != 0;
    if (!is_known || excludes) {
        kin__refuse(in, "entities differ in no known way");
        return;
    }
    reader->run.kind = (uint8_t)kind;
    if ((kind & (KIN__CAME | KIN__TOGGLED)) != 0)
        kin__take_bits(in, reader->run.toggled, layout->component_count);
}

// Whether a component whose leaves follow is one that the entity has then, as far as the masks say.
static bool are_masks_possible(const kin__span_reader *reader)
{
    const kin__layout *layout = reader->layout;
    const kin__span *run = &reader->run;
    bool has_leaves = false;
    bool has_toggled = false;
    for (uint32_t i = 0; i < layout->component_count; i++) {
        bool is_toggled = kin__bits_have(run->toggled, i);
        has_toggled = has_toggled || is_toggled;
        for (uint32_t leaf = 0; leaf < layout->components[i]->leaf_count; leaf++) {
            if (!kin__bits_have(run->leaves, layout->firsts[i] + leaf))
                continue;
            has_leaves = true;
            if ((run->kind & KIN__CAME) != 0 && !is_toggled)
                return false;
        }
    }
    if (run->kind == KIN__WENT)
        return !has_leaves;
    if (run->kind == KIN__TOGGLED)
        return has_toggled;
    return run->kind != 0 || has_leaves;
}

bool kin__span_next(kin__span_reader *reader)
{
    kin__bytes_in *in = reader->in;
    uint64_t number = kin__take_number(in);
    if (number == 0 || in->fault != NULL)
        return false;
    if ((number & 2) != 0)
        take_masks(reader);
    else if (!reader->has_masks || number >> 2 == 0)
        return kin__refuse(in, "a run has no mask");
    uint64_t slot = reader->next_slot + (number >> 2);
    uint64_t count = 1;
    if ((number & 1) != 0)
        count = kin__take_number(in) + 2;
    if (in->fault != NULL)
        return false;
    if (number >> 2 >= KIN__MAX_SLOTS || slot >= KIN__MAX_SLOTS || count < 1 || count > KIN__MAX_SLOTS - slot)
        return kin__refuse(in, "a run is beyond the slots");
    if ((number & 2) != 0 && !are_masks_possible(reader))
        return kin__refuse(in, "a mask has leaves without their component, or says nothing");
    reader->has_new_masks = (number & 2) != 0;
    reader->has_masks = true;
    reader->run.slot = (uint32_t)slot;
    reader->run.count = (uint32_t)count;
    reader->next_slot = slot + count;
    return true;
}

bool kin__frame_head_take(kin__bytes_in *in, kin__frame_in *frame)
{
    *frame = (kin__frame_in){.begin = in->at};
    kin_view *view = &frame->view;
    view->zone = (int32_t)kin__take_32(in);
    view->epoch = kin__take_number(in);
    view->number = kin__take_number(in);
    view->base = kin__take_number(in);
    const unsigned char *flags = kin__take_bytes(in, 1);
    if (flags == NULL)
        return false;
    if (*flags > KIN__FRAME_FLAGS)
        return kin__refuse(in, "its flags are unknown");
    view->has_hash = (*flags & KIN__FRAME_HASH) != 0;
    view->is_owner = (*flags & KIN__FRAME_OWNER) != 0;
    view->is_last = (*flags & KIN__FRAME_LAST) != 0;
    view->has_no_zone = (*flags & KIN__FRAME_NO_ZONE) != 0;
    if (view->has_no_zone && view->zone != 0)
        return kin__refuse(in, "it has a zone, and says that it has none");
    if (view->is_owner) {
        uint64_t peer = kin__take_number(in);
        if (peer > UINT32_MAX)
            return kin__refuse(in, "a peer's number is too large");
        view->peer = (uint32_t)peer;
    }
    if (view->has_hash)
        frame->hash = kin__take_64(in);
    if (in->fault == NULL && (view->number == 0 || view->base >= view->number))
        kin__refuse(in, "its number is 0, or that of its base is not a lower one");
    frame->contexts = in->at;
    return in->fault == NULL;
}

bool kin_frame_look(const void *bytes, size_t size, kin_frame_info *info)
{
    kin__frame_in frame;
    if (bytes == NULL || info == NULL || size < 4)
        return false;
    kin__bytes_in in = {bytes, (const unsigned char *)bytes + size - 4, NULL};
    if (!kin__frame_head_take(&in, &frame))
        return false;
    if ((uint32_t)kin__xxh64_of(bytes, size - 4, 0) != kin__little_read_32((const unsigned char *)bytes + size - 4))
        return false;
    *info = (kin_frame_info){.view = frame.view, .size = size};
    return true;
}
