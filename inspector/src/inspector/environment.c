#include "inspector/environment.h"

#include <stdlib.h>
#include <string.h>

static bool is_word(const char *at, size_t size, const char *word)
{
    return size == strlen(word) && strncmp(at, word, size) == 0;
}

// Returns the number of port=N; 0: it is none.
static uint16_t port_of(const char *at, size_t size)
{
    static const char key[] = "port=";
    char *end;
    if (strncmp(at, key, strlen(key)) != 0)
        return 0;
    unsigned long port = strtoul(at + strlen(key), &end, 10);
    return end == at + size && port <= UINT16_MAX ? (uint16_t)port : 0;
}

static void read_word(kin__environment *environment, const char *at, size_t size)
{
    uint16_t port = port_of(at, size);
    if (port != 0)
        environment->port = port;
    else if (is_word(at, size, "off"))
        environment->is_off = true;
    else if (is_word(at, size, "read"))
        environment->is_read_only = true;
    else
        environment->is_wrong = true;
}

kin__environment kin__environment_read(void)
{
    kin__environment environment = {.port = 0};
    const char *list = getenv("KIN_INSPECT");
    for (; list != NULL && *list != '\0'; list += *list == ',') {
        size_t size = strcspn(list, ",");
        read_word(&environment, list, size);
        list += size;
    }
    return environment;
}
