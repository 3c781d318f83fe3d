// The generated functions of package model1, as a port (port.h): one component and nothing else.

#include <model1/model1.h>

#define CONTEXT m1
#define INFO    M1
#define PORT    model_port_1

static Plain make_plain(int32_t tag)
{
    return (Plain){.tag = tag};
}

static void end_plain(const Plain *value)
{
    (void)value;
}

static int32_t tag_of_plain(const Plain *value)
{
    return value->tag;
}

static int32_t read_plain(const Plain *value)
{
    return value->tag;
}

#define COMPONENTS(VALUE, FIXED, SCATTERED, FLAG, UNIQUE, UNIQUE_FLAG) VALUE(PLAIN, Plain, plain)
#define TAG_OF_PLAIN(it, i)                                            read_plain(&(it).plain[i])
#define GROUPS(GROUP)                                                  GROUP(0, plains, TAG_OF_PLAIN)
#define EVENTS(EVENT, FLAG_EVENT)                                                                                      \
    EVENT(3, Plain, plain) EVENT(8, Plain, any_plain) EVENT(9, Plain, any_plain_removed) EVENT(13, Plain, plain_removed)
#define BLUEPRINTS(BLUEPRINT) BLUEPRINT(0, grain, Plain, plain)
#define INDICES                                                                                                        \
    {                                                                                                                  \
        0                                                                                                              \
    }

#include "port_define.inc"
