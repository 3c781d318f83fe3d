#include "context/holders.h"

#include "notify/notify.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SHOWN = 3 };

// The text so far; `count` counts also the holders that are not shown.
typedef struct holders {
    char *text;
    uint32_t count;
} holders;

// Appends " by …", ", …" with what holds the entity. A text that is full is cut.
static void append(holders *holders, const char *what, const char *name)
{
    char escaped[KIN__ESCAPED_SIZE] = "";
    size_t length = strlen(holders->text);
    if (name != NULL)
        kin__escape(escaped, name, strlen(name));
    if (holders->count++ < MOST_SHOWN)
        snprintf(holders->text + length, KIN__HOLDERS_SIZE - length, "%s%s%s", holders->count == 1 ? " by " : ", ",
                 what, escaped);
}

static void append_owners(holders *holders, const kin_context *context, kin_entity entity)
{
    const void *owner = NULL;
    const char *name = NULL;
    for (uint32_t place = 0; kin__owners_next(context, entity, &place, &owner, &name);) {
        char what[48];
        snprintf(what, sizeof what, "the owner %p%s", owner, name != NULL ? " " : "");
        append(holders, what, name);
    }
}

static void append_collectors(holders *holders, const kin_context *context, kin_entity entity)
{
    for (const kin__slot_extension *each = context->core->slot_extensions; each != NULL; each = each->next) {
        const char *name = each->holder == NULL ? NULL : each->holder(each, entity);
        if (name != NULL && name[0] != '\0')
            append(holders, "the collector of ", name);
        else if (name != NULL)
            append(holders, "a collector", NULL);
    }
}

void kin__holders_describe(const kin_context *context, kin_entity entity, char text[KIN__HOLDERS_SIZE])
{
    holders holders = {.text = text};
    text[0] = '\0';
    append_owners(&holders, context, entity);
    append_collectors(&holders, context, entity);
    if (holders.count == 0 && context->core->options.fast_retain)
        append(&holders, "an owner", NULL);
    size_t length = strlen(text);
    if (holders.count > MOST_SHOWN)
        snprintf(text + length, KIN__HOLDERS_SIZE - length, " and %" PRIu32 " more", holders.count - MOST_SHOWN);
}
