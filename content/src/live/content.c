// The content of a context: opening and closing it, and making its prefabs and values those of the context.
#include "live/live.h"

#include <stdio.h>
#include <string.h>

// ---- files

// Returns the bytes of a file, which is then at its beginning; -1 if it cannot be read.
static long size_of_file(FILE *file)
{
    if (fseek(file, 0, SEEK_END) != 0)
        return -1;
    long end = ftell(file);
    if (fseek(file, 0, SEEK_SET) != 0)
        return -1;
    return end;
}

static unsigned char *read_open_file(kin_content *content, FILE *file, size_t *size, kin__why *why)
{
    long end = size_of_file(file);
    if (end < 0)
        return NULL;
    *size = (size_t)end;
    unsigned char *bytes = kin__allocate(&content->memory, *size + 1);
    if (bytes == NULL) {
        kin__refuse_memory(why);
        return NULL;
    }
    if (fread(bytes, 1, *size, file) == *size)
        return bytes;
    kin__release(&content->memory, bytes, *size + 1);
    return NULL;
}

// Reads a whole file into memory of the content, of one byte more. NULL after setting `why`.
static unsigned char *read_file(kin_content *content, const char *path, size_t *size, kin__why *why)
{
    FILE *file = fopen(path, "rb");
    kin__refuse(why, KIN_ERROR_STREAM, "cannot read '%s'", path); // unless memory is missing
    if (file == NULL)
        return NULL;
    unsigned char *bytes = read_open_file(content, file, size, why);
    fclose(file);
    return bytes;
}

// ---- installing a generation

static void release_numbers(kin_content *content, kin__generation *generation)
{
    for (uint32_t i = 0; i < generation->prefab_count; i++) {
        if (generation->prefabs[i].number != KIN_NO_PREFAB)
            kin_prefab_release(content->context, generation->prefabs[i].number);
        generation->prefabs[i].number = KIN_NO_PREFAB;
    }
}

static bool make_numbers(kin_content *content, kin__generation *generation, kin__why *why)
{
    for (uint32_t i = 0; i < generation->prefab_count; i++) {
        kin__live_prefab *prefab = &generation->prefabs[i];
        prefab->number = kin_prefab_make(content->context, &prefab->tables, prefab->values);
        if (prefab->number == KIN_NO_PREFAB) {
            release_numbers(content, generation);
            return kin__refuse(why, KIN_ERROR_NO_MEMORY, "the prefab '%s' cannot be made", prefab->name);
        }
    }
    return true;
}

// Gives prefabs the numbers that those of the same first names have.
static void keep_numbers(kin_content *content, kin__generation *old, kin__generation *now)
{
    for (uint32_t i = 0; i < now->prefab_count; i++) {
        kin__live_prefab *prefab = &now->prefabs[i];
        kin__live_prefab *before = (kin__live_prefab *)kin__generation_find_hash(old, prefab->hash);
        if (before == NULL || before->number == KIN_NO_PREFAB)
            continue;
        kin_prefab_swap(content->context, before->number, prefab->number);
        kin_prefab number = before->number;
        before->number = prefab->number;
        prefab->number = number;
    }
}

static void install_blueprint(kin_content *content, const kin__live_prefab *prefab, uint32_t number)
{
    for (uint32_t i = 0; i < prefab->count; i++)
        for (uint32_t k = 0; k < prefab->nodes[i]->count; k++) {
            kin_component_id id = prefab->nodes[i]->ids[k];
            const void *now = kin_blueprint_value(content->context, number, i, id);
            const void *value = prefab->nodes[i]->values[k];
            if (value != NULL && memcmp(now, value, content->info->components[id].size) != 0)
                kin_blueprint_set_value(content->context, number, i, id, value);
        }
}

static void count_state(kin_content *content, const kin__generation *generation)
{
    content->state.version = generation->version;
    content->state.prefab_count = generation->prefab_count - content->info->blueprint_count;
    content->state.level_count = generation->pack.level_count;
}

bool kin__generation_install(kin_content *content, kin__generation *generation, kin__why *why)
{
    KIN_ASSERT(generation->prefab_count >= content->info->blueprint_count); // 1
    if (!make_numbers(content, generation, why))
        return false;
    if (content->now != NULL) {
        keep_numbers(content, content->now, generation);
        release_numbers(content, content->now);
    }
    for (uint32_t i = 0; i < content->info->blueprint_count; i++)
        install_blueprint(content, &generation->prefabs[i], i);
    count_state(content, generation);
    return true;
}

// ---- unique components

// Adds the component to an entity of its own. 0 after an error was reported.
kin_entity kin__content_make_carrier(kin_content *content, kin_component_id id, const void *value)
{
    KIN_ASSERT(content->info->components[id].is_unique);
    kin_entity entity = kin_create(content->context);
    if (entity == 0)
        return 0;
    if (kin_add(content->context, entity, id, value) == KIN_OK)
        return entity;
    kin_destroy(content->context, entity);
    return 0;
}

// Sets the value of a unique component, of its carrier or of a new entity.
static kin_status carry(kin_content *content, kin_component_id id, const void *value)
{
    kin_entity carrier = content->context->carriers[id];
    if (carrier != 0)
        return kin_replace(content->context, carrier, id, value);
    if (kin__content_make_carrier(content, id, value) == 0)
        return KIN_ERROR_NO_MEMORY;
    return KIN_OK;
}

// Returns Content.version of the context; 0 if no entity carries it.
static uint64_t version_of(const kin_content *content)
{
    kin_entity carrier = content->context->carriers[content->unique];
    if (carrier == 0)
        return 0;
    return *(const uint64_t *)kin_get(content->context, carrier, content->unique);
}

kin_status kin__content_set_version(kin_content *content, uint64_t version)
{
    bool has_carrier = content->context->carriers[content->unique] != 0;
    if (has_carrier && version_of(content) == version)
        return KIN_OK;
    return carry(content, content->unique, &version);
}

const kin__pack_unique *kin__generation_unique(const kin__generation *generation, kin_component_id id)
{
    for (uint32_t i = 0; i < generation->pack.unique_count; i++) {
        const kin__pack_unique *unique = &generation->pack.uniques[i];
        if (unique->context == generation->context && generation->components[unique->component] == id)
            return unique;
    }
    return NULL;
}

const kin__pack_unique *kin__unique_find(const kin_content *content, kin_component_id id, kin_entity entity)
{
    if (entity == 0 || content->context->carriers[id] != entity)
        return NULL;
    return kin__generation_unique(content->now, id);
}

// Writes what the pack says of a unique component into a value.
bool kin__unique_apply(kin_content *content, kin__generation *generation, const kin__pack_unique *unique, void *value,
                       kin__why *why)
{
    kin_component_id id = generation->components[unique->component];
    void *values[] = {value};
    kin__live_node node = {.path = "", .name = "", .ids = &id, .values = values, .count = 1};
    kin__live_node *nodes[] = {&node};
    kin__live_prefab prefab = {.name = content->info->components[id].name, .nodes = nodes, .count = 1};
    kin__overrides overrides = {NULL, 0, 0};
    kin__value_target target = {kin__place_in_value, value, &overrides, &generation->arena};
    kin__value_steps steps;
    KIN_ASSERT(unique->context == generation->context);
    if (!kin__value_steps_make(content, generation, &prefab, unique->writes.keys, &generation->arena, &steps, why))
        return false;
    return kin__values_apply(&steps, unique->writes.values, unique->writes.size, &target, why);
}

static kin_status set_unique(kin_content *content, kin__generation *generation, const kin__pack_unique *unique)
{
    kin_component_id id = generation->components[unique->component];
    const kin_component_info *info = &content->info->components[id];
    kin_entity carrier = content->context->carriers[id];
    void *value = kin__arena_take(&generation->arena, info->size);
    kin__why why = {KIN_ERROR_NO_MEMORY, ""};
    if (value == NULL)
        return kin__content_refuse(content, "set values of content", &why);
    if (carrier == 0)
        info->write_default(value);
    else
        kin_look_read(content->context, carrier, id, value);
    if (!kin__unique_apply(content, generation, unique, value, &why))
        return kin__content_refuse(content, "set values of content", &why);
    return carry(content, id, value);
}

// The entities that were made for unique components.
typedef struct carriers {
    kin_entity *made;
    uint32_t count;
} carriers;

// Sets the version and all unique components. False after a report.
static bool set_each_unique(kin_content *content, kin__generation *generation, carriers *all)
{
    const kin_entity *now = content->context->carriers;
    bool has_carrier = now[content->unique] != 0;
    if (kin__content_set_version(content, generation->version) != KIN_OK)
        return false;
    if (!has_carrier)
        all->made[all->count++] = now[content->unique];
    for (uint32_t i = 0; i < generation->pack.unique_count; i++) {
        const kin__pack_unique *unique = &generation->pack.uniques[i];
        if (unique->context != generation->context)
            continue;
        kin_component_id id = generation->components[unique->component];
        has_carrier = now[id] != 0;
        if (set_unique(content, generation, unique) != KIN_OK)
            return false;
        if (!has_carrier)
            all->made[all->count++] = now[id];
    }
    return true;
}

// The same for a content that is opened: after a report, the entities that were made are destroyed again.
static bool set_uniques(kin_content *content, kin__generation *generation)
{
    const kin__why why = {KIN_ERROR_NO_MEMORY, ""};
    carriers all = {.count = 0};
    all.made = kin__arena_take(&generation->arena, (generation->pack.unique_count + 1) * sizeof *all.made);
    if (all.made == NULL) {
        kin__content_refuse(content, "open content", &why);
        return false;
    }
    if (set_each_unique(content, generation, &all))
        return true;
    while (all.count > 0)
        kin_destroy(content->context, all.made[--all.count]);
    return false;
}

// ---- opening and closing

static void release_generations(kin_content *content, kin__generation *generation)
{
    while (generation != NULL) {
        kin__generation *older = generation->older;
        kin__generation_release(content, generation);
        generation = older;
    }
}

static void release(kin_content *content)
{
    if (content->editing != NULL)
        content->editing->release(content);
    release_generations(content, content->now);
    kin__release(&content->memory, content->path, content->path_size);
    kin__memory memory = content->memory;
    kin__release(&memory, content, sizeof *content);
}

void kin__content_end(void *content)
{
    release(content);
}

static void restore_blueprints(kin_content *content)
{
    // A pack that says nothing has the values of the schema.
    kin__why why = {0};
    kin__generation empty = *content->now;
    empty.arena = (kin__arena){.memory = &content->memory};
    empty.pack.prefab_count = 0;
    if (kin__generation_make_schema(content, &empty, &why))
        for (uint32_t i = 0; i < content->info->blueprint_count; i++)
            install_blueprint(content, &empty.prefabs[i], i);
    kin__arena_release(&empty.arena);
}

void kin_content_close(kin_content *content)
{
    if (content == NULL || content->context->depth > 0 || content->is_reporting)
        return;
    restore_blueprints(content);
    release_numbers(content, content->now);
    kin__content_set(content->context, NULL, NULL);
    release(content);
}

kin_content *kin_content_of(const kin_context *context)
{
    return kin__content_of(context);
}

bool kin__content_may_change(const kin_context *context)
{
    bool is_busy = context->depth > 0 || context->core->busy > 0;
    return !is_busy && !kin__context_is_shared(context);
}

bool kin__content_may_load(const kin_content *content)
{
    return !content->is_reporting && kin__content_may_change(content->context);
}

static bool copy_path(kin_content *content, const char *path)
{
    if (path == NULL)
        return true;
    content->path_size = strlen(path) + 1;
    content->path = kin__allocate(&content->memory, content->path_size);
    if (content->path == NULL)
        return false;
    memcpy(content->path, path, content->path_size);
    return true;
}

static kin_content *create(kin_context *context, const char *path, const kin_content_options *options, kin__why *why)
{
    kin_allocator allocator = context->core->options.allocator;
    if (options != NULL && options->memory.allocate != NULL)
        allocator = options->memory;
    kin__memory memory = kin__memory_of(allocator);
    kin_content *content = kin__allocate_zero(&memory, sizeof *content);
    if (content == NULL) {
        kin__refuse_memory(why);
        return NULL;
    }
    *content = (kin_content){.context = context, .info = context->info, .memory = memory};
    if (options != NULL)
        content->options = *options;
    content->origin = kin_component_find(context->info, "Origin");
    content->unique = kin_component_find(context->info, "Content");
    KIN_ASSERT(content->info->components[content->origin].size == sizeof(kin__live_origin));
    if (copy_path(content, path))
        return content;
    kin__refuse_memory(why);
    release(content);
    return NULL;
}

static bool has_content_components(const kin_context_info *info)
{
    return kin_component_find(info, "Origin") != KIN_NO_COMPONENT &&
           kin_component_find(info, "Content") != KIN_NO_COMPONENT;
}

static bool may_open(const kin_context *context, kin__why *why)
{
    if (!has_content_components(context->info))
        return kin__refuse(why, KIN_ERROR_INVALID, "the context has no 'content: true' in the schema");
    if (kin__content_of(context) != NULL)
        return kin__refuse(why, KIN_ERROR_INVALID, "the context has a content; close it first");
    if (!kin__content_may_change(context))
        return kin__refuse(why, KIN_ERROR_INVALID, "an update or a listener is under way; open it between updates");
    return true;
}

static kin_content *report_open(kin_context *context, const kin__why *why)
{
    kin__why_report(context, "open content", 0, why);
    return NULL;
}

// Reads the pack in a file. NULL after setting `why`.
static kin__generation *read_generation(kin_content *content, const char *path, kin__why *why)
{
    size_t size;
    unsigned char *bytes = read_file(content, path, &size, why);
    if (bytes == NULL)
        return NULL;
    kin__generation *generation = kin__generation_make(content, bytes, size, why);
    kin__release(&content->memory, bytes, size + 1);
    return generation;
}

// Makes a generation the first one. False with `why`, with nothing changed.
static bool begin(kin_content *content, kin__generation *generation, kin__why *why)
{
    if (generation == NULL)
        return false;
    if (!kin__generation_install(content, generation, why)) {
        kin__generation_release(content, generation);
        return false;
    }
    content->now = generation;
    return true;
}

// Makes the content that of its context. Closes it after a report.
static kin_content *enter(kin_content *content)
{
    const kin__why why = {KIN_ERROR_NO_MEMORY, ""};
    if (!kin__content_set(content->context, content, &kin__content_face))
        report_open(content->context, &why);
    else if (set_uniques(content, content->now))
        return content;
    kin_content_close(content);
    return NULL;
}

// Opens the pack at a path, or in `bytes` if it is NULL.
static kin_content *open_content(kin_context *context, const char *path, const void *bytes, size_t size,
                                 const kin_content_options *options)
{
    kin__why why = {KIN_OK, ""};
    kin_content *content = NULL;
    if (may_open(context, &why))
        content = create(context, path, options, &why);
    if (content == NULL)
        return report_open(context, &why);
    kin__generation *generation;
    if (path != NULL)
        generation = read_generation(content, path, &why);
    else
        generation = kin__generation_make(content, bytes, size, &why);
    if (begin(content, generation, &why))
        return enter(content);
    release(content);
    return report_open(context, &why);
}

static kin_content *refuse_nothing(kin_context *context)
{
    static const kin__why why = {KIN_ERROR_INVALID, "the pack is NULL; pass a path or bytes"};
    return report_open(context, &why);
}

kin_content *kin_content_open(kin_context *context, const char *path, const kin_content_options *options)
{
    if (path == NULL)
        return refuse_nothing(context);
    return open_content(context, path, NULL, 0, options);
}

kin_content *kin_content_open_bytes(kin_context *context, const void *bytes, size_t size,
                                    const kin_content_options *options)
{
    if (bytes == NULL)
        return refuse_nothing(context);
    return open_content(context, NULL, bytes, size, options);
}

void kin_content_report(const kin_content *content, kin_content_state *state)
{
    *state = content->state;
}

kin_prefab kin_prefab_find(const kin_content *content, const char *name)
{
    const kin__live_prefab *found = kin__generation_find(content->now, name);
    return found == NULL ? KIN_NO_PREFAB : found->number;
}

// ---- polling

static void call_on_reload(kin_content *content)
{
    if (content->options.on_reload == NULL)
        return;
    content->is_reporting = true;
    content->options.on_reload(&content->state, content->options.user);
    content->is_reporting = false;
}

// Tells that an error is mended by what was there before it.
static void end_error(kin_content *content)
{
    if (content->has_failed)
        call_on_reload(content);
    content->has_failed = false;
}

kin_status kin__content_report_load(kin_content *content, const kin__why *why)
{
    content->has_failed = true;
    snprintf(content->error, sizeof content->error, "%s", why->text);
    content->state.error = content->error;
    bool was_reporting = content->is_reporting;
    content->is_reporting = true; // on_error cannot close it either
    kin_status status = kin__content_refuse(content, "reload content", why);
    content->is_reporting = was_reporting;
    call_on_reload(content);
    return status;
}

static void drop_old(kin_content *content)
{
    uint32_t keep = content->options.keep == 0 ? 8 : content->options.keep;
    kin__generation *last = content->now;
    for (uint32_t i = 0; last != NULL && i < keep; i++)
        last = last->older;
    if (last == NULL)
        return;
    release_generations(content, last->older);
    last->older = NULL;
}

static kin__generation *find_version(const kin_content *content, uint64_t version)
{
    kin__generation *found = content->now;
    while (found != NULL && found->version != version)
        found = found->older;
    return found;
}

// A restore may have brought an older version back: the step from it to now is applied again.
static kin_status catch_up(kin_content *content)
{
    kin__generation *from = find_version(content, version_of(content));
    if (from == content->now)
        return KIN_OK;
    if (from != NULL && !kin__reload_apply(content, from, content->now))
        return KIN_ERROR_NO_MEMORY;
    return kin__content_set_version(content, content->now->version);
}

// Returns whether a pack is the one that is applied.
static bool is_loaded(const kin_content *content, const void *bytes, size_t size)
{
    return size == content->now->size && memcmp(bytes, content->now->bytes, size) == 0;
}

static kin_status load(kin_content *content, const void *bytes, size_t size)
{
    kin__why why = {KIN_OK, ""};
    kin_status status = catch_up(content);
    if (status != KIN_OK)
        return status;
    content->state.error = NULL;
    content->state.errors = NULL;
    content->state.errors_json = NULL;
    content->state.error_count = 0;
    if (is_loaded(content, bytes, size)) {
        end_error(content);
        return KIN_OK;
    }
    kin__generation *from = content->now;
    kin__generation *generation = kin__generation_make(content, bytes, size, &why);
    if (!begin(content, generation, &why))
        return kin__content_report_load(content, &why);
    kin__level_instances_forget(from);
    generation->older = from;
    if (kin__reload_apply(content, from, generation))
        status = kin__content_set_version(content, generation->version);
    else
        status = KIN_ERROR_NO_MEMORY; // the next poll applies what is missing
    drop_old(content);
    content->has_failed = false;
    call_on_reload(content);
    return status;
}

static bool may_load(kin_content *content)
{
    kin__why why = {KIN_ERROR_INVALID, "an update, a listener or on_reload is under way; poll between updates"};
    if (kin__content_may_load(content))
        return true;
    kin__content_refuse(content, "reload content", &why);
    return false;
}

kin_status kin_content_load(kin_content *content, const void *bytes, size_t size)
{
    if (!may_load(content))
        return KIN_ERROR_INVALID;
    return load(content, bytes, size);
}

kin_status kin_content_poll(kin_content *content)
{
    kin__why why = {KIN_OK, ""};
    size_t size;
    if (!may_load(content))
        return KIN_ERROR_INVALID;
    if (content->editing != NULL) {
        kin_status status = catch_up(content);
        if (status != KIN_OK)
            return status;
        return content->editing->poll(content);
    }
    if (content->path == NULL)
        return catch_up(content);
    unsigned char *bytes = read_file(content, content->path, &size, &why);
    if (bytes == NULL)
        return kin__content_report_load(content, &why);
    kin_status status = load(content, bytes, size);
    kin__release(&content->memory, bytes, size + 1);
    return status;
}

kin_status kin_content_adopt(kin_content *content, const char *old_pack)
{
    kin__why why = {KIN_OK, ""};
    if (!may_load(content))
        return KIN_ERROR_INVALID;
    kin__generation *old = read_generation(content, old_pack, &why);
    if (old == NULL)
        return kin__content_refuse(content, "adopt a pack of content", &why);
    bool is_applied = kin__reload_apply(content, old, content->now);
    kin__generation_release(content, old);
    if (!is_applied)
        return KIN_ERROR_NO_MEMORY;
    return kin__content_set_version(content, content->now->version);
}
