#include "site/moment.h"

kin__moment kin__moment_now(const kin__host *host)
{
    const kin__system_call *call = kin__calls_now(host);
    kin__moment moment = {.frame = kin__host_frame(host), .role = KIN__NO_ROLE};
    if (host->is_edited)
        moment.system = KIN__BY_INSPECTOR;
    else if (call != NULL)
        moment = (kin__moment){moment.frame, call->step, call->name, (uint16_t)call->role};
    return moment;
}
