// Fuzzing values: the first byte chooses a component, the others are a value of it as JSON.
//
// A value that is accepted stays within its component. What the inspector shows of it can be read again, and is
// the same value.
#include "inspect/game.h"

#include "feature/internal.h"
#include "query/query.h"

// A list in a shorter input has few enough elements to be shown whole.
enum { GAMES = 2, CAPTURE = 1024 * 1024, TEXT = 16 * 1024 * 1024, FIRST = 'A', LONGEST = 2 * KIN__CAPTURED_ELEMENTS };

static kin_context *games[GAMES];
static kin__bounded_heap heap;
static char block[CAPTURE];

typedef struct reading {
    kin__task task;
    char *bytes, *mask, *base;
} reading;

static void begin_reading(reading *reading, const kin_component_info *info)
{
    size_t size = info->size + 1;
    memset(&reading->task, 0, sizeof reading->task);
    reading->task.capture = (kin__capture){.at = block, .capacity = CAPTURE, .string_limit = CAPTURE};
    reading->bytes = calloc(1, size);
    reading->mask = calloc(1, size);
    reading->base = calloc(1, size);
    REQUIRE(reading->bytes != NULL && reading->mask != NULL && reading->base != NULL);
}

static void end_reading(reading *reading)
{
    free(reading->bytes);
    free(reading->mask);
    free(reading->base);
}

// Reads what a viewer gives over the values of the schema.
static bool read_value(reading *reading, const kin_component_info *info, const json_t *value, bool is_forced)
{
    kin__reader reader = {&reading->task, is_forced, is_forced, reading->bytes, reading->mask};
    bool is_read = kin__read_struct(&reader, info->fields, info->field_count, value, 0);
    REQUIRE(is_read == (reading->task.mistake.code == 0));
    if (info->write_default != NULL)
        info->write_default(reading->base);
    for (size_t i = 0; i < info->size; i++)
        reading->base[i] = (char)((reading->base[i] & ~reading->mask[i]) | (reading->bytes[i] & reading->mask[i]));
    return is_read;
}

// Returns what the inspector shows of a value; NULL when it does not fit.
static json_t *show_value(reading *reading, const kin_component_info *info)
{
    kin__json json = kin__json_make(&heap, TEXT);
    kin__capture *capture = &reading->task.capture;
    char *copy = kin__capture_reserve(capture, info->size);
    if (copy == NULL)
        return NULL;
    memcpy(copy, reading->base, info->size);
    bool fits = kin__capture_fields(capture, info->fields, info->field_count, copy);
    if (fits)
        kin__show_component(&json, info, copy);
    json_t *shown = fits && !json.is_full ? json_loadb(json.at, json.size, JSON_DECODE_ANY, NULL) : NULL;
    REQUIRE(shown != NULL || !fits || json.is_full);
    kin__json_release(&json);
    return shown;
}

static void read_again(const reading *first, const kin_component_info *info, const json_t *shown)
{
    reading second;
    begin_reading(&second, info);
    second.task.capture = first->task.capture;
    bool is_read = read_value(&second, info, shown, true);
    REQUIRE(is_read || second.task.mistake.code == KIN__CODE_READ_ONLY); // an opaque value is shown as its type
    for (uint32_t i = 0; is_read && i < info->field_count; i++) {
        const kin_field_info *field = &info->fields[i];
        REQUIRE(kin__same_field(field, second.bytes + field->offset, second.mask + field->offset,
                                first->base + field->offset, false));
    }
    end_reading(&second);
}

static void try_value(const kin_component_info *info, const json_t *value)
{
    reading first;
    begin_reading(&first, info);
    if (read_value(&first, info, value, false)) {
        json_t *shown = show_value(&first, info);
        if (shown != NULL)
            read_again(&first, info, shown);
        json_decref(shown);
    }
    end_reading(&first);
}

static const kin_component_info *choose_component(uint8_t byte)
{
    if (games[0] == NULL) {
        games[0] = game_begin();
        games[1] = shop_begin();
        kin__bounded_heap_init(&heap, (kin_allocator){0}, SIZE_MAX);
    }
    const kin_context_info *game = kin_context_info_of(games[0]), *shop = kin_context_info_of(games[1]);
    uint32_t number = (uint8_t)(byte - FIRST) % (game->component_count + shop->component_count);
    return number < game->component_count ? &game->components[number]
                                          : &shop->components[number - game->component_count];
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 2 || size > LONGEST)
        return 0;
    const kin_component_info *info = choose_component(bytes[0]);
    json_t *value = json_loadb((const char *)bytes + 1, size - 1, JSON_DECODE_ANY, NULL);
    if (value != NULL && info->field_count > 0 && !info->has_drops)
        try_value(info, value);
    json_decref(value);
    return 0;
}
