#include "site/viewer.h"

#include <stdio.h>
#include <string.h>

static const uint64_t silence = 10 * (uint64_t)1000000000;

bool kin__viewer_name_is_valid(const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; i < size; i++)
        if (name[i] < ' ' || name[i] > '~' || name[i] == '"' || name[i] == '\\')
            return false;
    return size > 0 && size < KIN__VIEWER_NAME;
}

static kin__viewer *find(kin__viewers *viewers, const char *name)
{
    for (uint32_t i = 0; i < KIN__MAX_VIEWERS; i++)
        if (strcmp(viewers->all[i].name, name) == 0)
            return &viewers->all[i];
    return NULL;
}

static kin__viewer *make_room(kin__viewers *viewers)
{
    kin__viewer *oldest = &viewers->all[0];
    for (uint32_t i = 1; i < KIN__MAX_VIEWERS; i++)
        if (viewers->all[i].seen < oldest->seen)
            oldest = &viewers->all[i];
    return oldest;
}

void kin__viewers_note(kin__viewers *viewers, const char *name, uint64_t now)
{
    if (name[0] == '\0')
        return;
    pthread_mutex_lock(&viewers->lock);
    kin__viewer *viewer = find(viewers, name);
    if (viewer == NULL) {
        viewer = make_room(viewers);
        snprintf(viewer->name, sizeof viewer->name, "%s", name);
    }
    viewer->seen = now;
    pthread_mutex_unlock(&viewers->lock);
}

void kin__viewers_forget(kin__viewers *viewers, const char *name)
{
    pthread_mutex_lock(&viewers->lock);
    kin__viewer *viewer = name[0] == '\0' ? NULL : find(viewers, name);
    if (viewer != NULL)
        *viewer = (kin__viewer){0};
    pthread_mutex_unlock(&viewers->lock);
}

uint64_t kin__viewers_seen(kin__viewers *viewers, const char *name)
{
    pthread_mutex_lock(&viewers->lock);
    const kin__viewer *viewer = name[0] == '\0' ? NULL : find(viewers, name);
    uint64_t seen = viewer == NULL ? 0 : viewer->seen;
    pthread_mutex_unlock(&viewers->lock);
    return seen;
}

uint32_t kin__viewers_count(kin__viewers *viewers, uint64_t now)
{
    uint32_t count = 0;
    pthread_mutex_lock(&viewers->lock);
    for (uint32_t i = 0; i < KIN__MAX_VIEWERS; i++)
        count += viewers->all[i].name[0] != '\0' && now < viewers->all[i].seen + silence;
    pthread_mutex_unlock(&viewers->lock);
    return count;
}
