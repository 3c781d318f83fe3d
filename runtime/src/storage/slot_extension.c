// Followers: those who keep something for each slot of a context.

#include "storage/chunk.h"

void kin__slot_extension_add(kin_context *context, kin__slot_extension *extension)
{
    extension->next = context->core->slot_extensions;
    context->core->slot_extensions = extension;
}

void kin__slot_extension_remove(kin_context *context, kin__slot_extension *extension)
{
    kin__slot_extension **place = &context->core->slot_extensions;
    while (*place != extension)
        place = &(*place)->next;
    *place = extension->next;
}
