// Followers: those who keep something for each slot of a context.

#include "storage/chunk.h"

void kin__follow(kin_context *context, kin__follower *follower)
{
    follower->next = context->core->followers;
    context->core->followers = follower;
}

void kin__unfollow(kin_context *context, kin__follower *follower)
{
    kin__follower **place = &context->core->followers;
    while (*place != follower)
        place = &(*place)->next;
    *place = follower->next;
}
