#include "command/command.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: kin-net [OPTIONS] [URL]\n"
    "\n"
    "Lists the worlds of a NATS broker, with the epoch of their hosts, or saves a recording of one.\n"
    "\n"
    "  URL               such as nats://user:password@host:4222; nats://127.0.0.1:4222 if it is missing\n"
    "  --app APP         only worlds of this program\n"
    "  --world WORLD     only worlds of this name\n"
    "  --record FILE     save what the host of the world records, from the first key that the broker has kept;\n"
    "                    until Ctrl-C, or the host changes. The host needs keeps_history\n"
    "  --seconds N       end the recording after N seconds\n"
    "  --domain DOMAIN   of JetStream, behind a leaf node\n"
    "  --ca FILE         certificates to trust, for TLS\n"
    "  --certificate FILE, --key FILE   the own certificate, and its key\n"
    "  --credentials FILE   a user with a JWT and a key\n"
    "\n"
    "exit status: 0 done, 1 refused, 2 usage, 3 no broker\n";

static void ask_to_end(int number)
{
    (void)number;
    command_is_asked_to_end = 1;
}

static bool read_seconds(const char *text, uint32_t *seconds)
{
    char *end = NULL;
    unsigned long value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9')
        return false;
    if (*end != '\0' || value == 0)
        return false;
    if (value > UINT32_MAX)
        return false;
    *seconds = (uint32_t)value;
    return true;
}

// Reads an option with its value. False if there is no such option, or it has no value.
static bool read_option(const char *name, const char *value, arguments *arguments)
{
    const struct {
        const char *name, **value;
    } options[] = {{"--app", &arguments->options.app}, {"--world", &arguments->options.world},
                   {"--record", &arguments->file},     {"--domain", &arguments->options.domain},
                   {"--ca", &arguments->options.ca},   {"--certificate", &arguments->options.certificate},
                   {"--key", &arguments->options.key}, {"--credentials", &arguments->options.credentials}};
    if (value == NULL)
        return false;
    if (strcmp(name, "--seconds") == 0)
        return read_seconds(value, &arguments->seconds);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strcmp(name, options[i].name) == 0) {
            *options[i].value = value;
            return true;
        }
    return false;
}

static bool read_arguments(int count, char **words, arguments *arguments)
{
    for (int i = 1; i < count; i++) {
        bool is_option = words[i][0] == '-';
        bool is_read = false;
        if (is_option) {
            is_read = read_option(words[i], words[i + 1], arguments);
        } else if (arguments->options.url == NULL) {
            is_read = true;
            arguments->options.url = words[i];
        }
        if (!is_read) {
            fprintf(stderr, "kin-net: cannot read '%s'; see kin-net --help\n", words[i]);
            return false;
        }
        i += is_option;
    }
    if ((arguments->options.certificate == NULL) == (arguments->options.key == NULL))
        return true;
    fputs("kin-net: --certificate and --key go together\n", stderr);
    return false;
}

int main(int count, char **words)
{
    arguments arguments = {0};
    place place = {0};
    if (count == 2 && strcmp(words[1], "--help") == 0) {
        fputs(usage, stdout);
        return STATUS_DONE;
    }
    if (!read_arguments(count, words, &arguments))
        return STATUS_USAGE;
    signal(SIGINT, ask_to_end);
    signal(SIGTERM, ask_to_end);
    int status = STATUS_NO_BROKER;
    if (place_begin(&place, &arguments.options) && arguments.file != NULL)
        status = record_run(&place, &arguments);
    else if (place.js != NULL)
        status = worlds_list(&place, &arguments.options);
    place_end(&place);
    return status;
}
