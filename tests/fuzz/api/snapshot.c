#include "snapshot.h"

#include "harness.h"

#include <string.h>

static void release(snapshot *item)
{
    free(item->copy);
    *item = (snapshot){0};
}

static bool is_same(snapshot_source a, snapshot_source b)
{
    return a.owner == b.owner && a.kind == b.kind && a.index == b.index && a.key == b.key;
}

void snapshot_forget(snapshot_source source)
{
    for (uint32_t i = 0; i < SNAPSHOTS; i++) {
        snapshot *item = &here->snapshots.items[i];
        if (item->shown != NULL && is_same(item->source, source))
            release(item);
    }
}

void snapshot_keep(snapshot_source source, const kin_context *context, const void *shown, size_t size)
{
    if (shown == NULL || size == 0)
        return;
    snapshot *item = &here->snapshots.items[here->snapshots.next++ % SNAPSHOTS];
    release(item);
    *item = (snapshot){source, context, shown, malloc(size), size};
    CHECK(item->copy != NULL);
    memcpy(item->copy, shown, size);
}

void snapshot_forget_context(const kin_context *context)
{
    for (uint32_t i = 0; i < SNAPSHOTS; i++)
        if (here->snapshots.items[i].context == context)
            release(&here->snapshots.items[i]);
}

void snapshot_release_all(void)
{
    for (uint32_t i = 0; i < SNAPSHOTS; i++)
        release(&here->snapshots.items[i]);
}

void snapshot_compare_all(void)
{
    for (uint32_t i = 0; i < SNAPSHOTS; i++) {
        const snapshot *item = &here->snapshots.items[i];
        if (item->shown != NULL)
            CHECK(memcmp(item->shown, item->copy, item->size) == 0);
    }
}
