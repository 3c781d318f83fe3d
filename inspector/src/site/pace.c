#include "site/pace.h"

// Keeps the count of what needs attention in step with the pace.
void kin__pace_set(kin__host *host, const kin__pace *pace)
{
    bool is_paced = pace->is_paused || (pace->speed != 0 && pace->speed != 1) || pace->hold[0] != '\0' ||
                    pace->system_steps > 0 || host->until != NULL;
    if (is_paced && !host->is_paced)
        atomic_fetch_add(&host->attention, 1);
    if (!is_paced && host->is_paced)
        atomic_fetch_sub(&host->attention, 1);
    host->is_paced = is_paced;
    host->pace = *pace;
}

void kin__pace_set_until(kin__host *host, kin__until *until, kin__until_state state)
{
    kin__pace pace = host->pace;
    kin__until_destroy(host->until);
    host->until = until;
    host->until_state = state;
    host->until_frame = kin__host_frame(host);
    kin__pace_set(host, &pace);
}

void kin__pace_end(kin__host *host)
{
    kin__pace_set_until(host, NULL, KIN__UNTIL_NONE);
    kin__pace_set(host, &(kin__pace){0});
    host->held.goes_on = true;
}
