// Writes what an entity has different from its content into the file that gives it; or gives it back what that says.
#include "edit/edit.h"
#include "generator/schema/schema.h"

#include <string.h>

// ---- what differs

typedef struct listing {
    kin__differences list;
    kin_entity entity;
    kin__why *why;
    bool is_listed;
} listing;

static void list_all(void *data)
{
    listing *listing = data;
    listing->is_listed = kin__differences_list(&listing->list, listing->entity, listing->why);
}

// Lists with `arena`, which gives up as compiles do.
static bool list_differences(listing *listing, arena *arena)
{
    listing->list.arena = arena;
    if (!kin__with_memory(list_all, listing))
        return kin__refuse_memory(listing->why);
    return listing->is_listed;
}

static kin_status refuse(kin_content *content, const char *verb, kin_entity entity, const kin__why *why)
{
    return kin__why_report(content->context, verb, entity, why);
}

static kin_content_difference difference_of(const kin_content *content, const kin__difference *each)
{
    return (kin_content_difference){each->entity, each->node->name, content->info->components[each->id].name,
                                    each->field,  each->given,      each->value,
                                    each->why};
}

kin_status kin__content_differ(void *data, kin_entity entity, kin_content_visit *visit, void *user, const char **level)
{
    kin_content *content = data;
    kin__why why = {KIN_OK, ""};
    arena arena = {.blocks = NULL};
    listing listing = {.list = {.content = content}, .entity = entity, .why = &why};
    kin__compile_arena(&arena);
    bool is_listed = list_differences(&listing, &arena);
    for (const kin__difference *each = listing.list.first; is_listed && each != NULL; each = each->next) {
        kin_content_difference difference = difference_of(content, each);
        visit(&difference, user);
    }
    *level = NULL;
    if (is_listed && listing.list.level != NULL)
        *level = kin__differences_level(&listing.list);
    kin__differences_release(&listing.list);
    arena_release(&arena);
    if (is_listed)
        return KIN_OK;
    return refuse(content, "compare with content", entity, &why);
}

// ---- giving back

static bool are_of_one_component(const kin__difference *a, const kin__difference *b)
{
    return a->entity == b->entity && a->id == b->id;
}

// The differences of a component follow one another: each component is replaced once. Returns the last error.
static kin_status give_back(kin_content *content, const kin__difference *first, char *value, uint32_t *written)
{
    kin_status status = KIN_OK;
    const kin__difference *next = first;
    while (next != NULL) {
        const kin__difference *each = next;
        uint32_t count = 0;
        bool has_value = kin_look_read(content->context, each->entity, each->id, value);
        while (next != NULL && are_of_one_component(next, each)) {
            memcpy(value + next->offset, next->bytes, next->size);
            next = next->next;
            count++;
        }
        if (!has_value)
            continue;
        kin_status done = kin_replace(content->context, each->entity, each->id, value);
        if (done == KIN_OK)
            *written += count;
        else
            status = done;
    }
    return status;
}

kin_status kin__content_revert(void *data, kin_entity entity, uint32_t *written)
{
    kin_content *content = data;
    kin__why why = {KIN_OK, ""};
    arena arena = {.blocks = NULL};
    listing listing = {.list = {.content = content}, .entity = entity, .why = &why};
    char *value = NULL;
    kin_status status;
    *written = 0;
    kin__compile_arena(&arena);
    if (list_differences(&listing, &arena)) {
        value = kin__arena_take(&listing.list.values, kin__largest_value(content->info));
        if (value == NULL)
            kin__refuse_memory(&why);
    }
    if (value == NULL)
        status = refuse(content, "revert to content", entity, &why);
    else
        status = give_back(content, listing.list.first, value, written);
    kin__differences_release(&listing.list);
    arena_release(&arena);
    return status;
}

// ---- saving

typedef struct saving {
    kin_content *content;
    kin__watcher *watcher;
    kin_entity entity;
    kin_content_saving *asked;
    kin__why *why;
    kin__compile compile, check; // before and after the change
    listing listing;
    const content_change *changes;
    uint32_t count, left_out;
    uint32_t place_count; // of those that are left out: where an instance stands
    bool is_saved;
} saving;

static kin__target target_of(const char *where)
{
    if (strcmp(where, "instance") == 0)
        return KIN__TO_INSTANCE;
    if (strcmp(where, "prefab") == 0)
        return KIN__TO_PREFAB;
    return KIN__TO_NEW_PREFAB;
}

static bool refuse_errors(saving *saving, kin__compile *compile, const char *what)
{
    text errors = text_create(&compile->arena);
    kin_status status = KIN_ERROR_INVALID;
    diagnostics_append(&errors, &compile->diagnostics);
    KIN_ASSERT(errors.size > 0);
    if (compile->diagnostics.system_errors > 0)
        status = KIN_ERROR_STREAM;
    return kin__refuse(saving->why, status, "%s: %.*s", what, (int)size_min(strcspn(errors.bytes, "\n"), 240),
                       errors.bytes);
}

// The files must say what was applied last: what differs was found by that.
static bool check_files(saving *saving)
{
    kin__compile_files(saving->watcher, &saving->compile, NULL);
    if (saving->compile.pack == NULL)
        return refuse_errors(saving, &saving->compile, "the files have errors");
    kin__pack_bytes bytes = {.memory = &saving->content->memory};
    bool is_made = kin__pack_write(saving->compile.pack, &bytes);
    kin__pack_bytes_release(&bytes);
    if (!is_made)
        return kin__refuse_memory(saving->why);
    if (saving->compile.pack->content == saving->content->now->version)
        return true;
    return kin__refuse(saving->why, KIN_ERROR_INVALID, "files have changed since the last poll; nothing was saved");
}

// Returns the path of a difference: "head.Gun.interval".
static const char *path_of(saving *saving, const kin__difference *each)
{
    const char *part = each->node->name;
    return arena_format(&saving->compile.arena, "%s%s%s.%s", part, part[0] == '\0' ? "" : ".",
                        saving->content->info->components[each->id].name, each->field);
}

static bool is_within(const char *path, const char *above)
{
    size_t size = strlen(above);
    return strncmp(path, above, size) == 0 && (path[size] == '\0' || path[size] == '.');
}

static bool is_asked(const saving *saving, const char *path)
{
    const kin_content_saving *asked = saving->asked;
    if (asked->paths == NULL)
        return true;
    for (uint32_t i = 0; i < asked->path_count; i++)
        if (is_within(path, asked->paths[i]))
            return true;
    return false;
}

// Each path that was asked for has something that differs.
static bool check_path(saving *saving, const char *asked)
{
    if (asked == NULL)
        return kin__refuse(saving->why, KIN_ERROR_INVALID, "nothing differs from the content at 'NULL'");
    name_search search = name_search_begin(asked);
    for (const kin__difference *each = saving->listing.list.first; each != NULL; each = each->next) {
        const char *path = path_of(saving, each);
        if (is_within(path, asked))
            return true;
        name_search_offer(&search, path);
        name_search_offer(&search, arena_copy(&saving->compile.arena, path, strlen(path) - strlen(each->field) - 1));
    }
    if (search.nearest == NULL)
        return kin__refuse(saving->why, KIN_ERROR_INVALID, "nothing differs from the content at '%s'", asked);
    return kin__refuse(saving->why, KIN_ERROR_INVALID, "nothing differs from the content at '%s'; did you mean '%s'?",
                       asked, search.nearest);
}

static void leave_out(saving *saving, const kin__difference *each)
{
    kin_content_difference difference = difference_of(saving->content, each);
    saving->left_out++;
    saving->place_count += each->is_place;
    if (saving->asked->left_out != NULL)
        saving->asked->left_out(&difference, saving->asked->user);
}

static bool check_paths(saving *saving)
{
    const kin_content_saving *asked = saving->asked;
    if (asked->paths == NULL)
        return true;
    for (uint32_t i = 0; i < asked->path_count; i++)
        if (!check_path(saving, asked->paths[i]))
            return false;
    return true;
}

static void make_changes(saving *saving)
{
    kin__differences *list = &saving->listing.list;
    content_change *changes = arena_allocate(&saving->compile.arena, (list->count + (size_t)1) * sizeof *changes);
    for (const kin__difference *each = list->first; each != NULL; each = each->next) {
        if (!is_asked(saving, path_of(saving, each)))
            continue;
        if (each->why != NULL)
            leave_out(saving, each);
        else
            changes[saving->count++] = (content_change){
                each->node->name, saving->content->info->components[each->id].name, each->field, each->value};
    }
    KIN_ASSERT(saving->count + saving->left_out <= list->count);
    saving->changes = changes;
}

// Nothing can be saved: says why of the first value.
static bool refuse_all(saving *saving)
{
    const kin__difference *first = saving->listing.list.first;
    const char *others = "";
    KIN_ASSERT(saving->left_out > 0);
    while (first->why == NULL || !is_asked(saving, path_of(saving, first)))
        first = first->next;
    if (saving->left_out > 1)
        others =
            arena_format(&saving->compile.arena, "; and %u others cannot be saved", (unsigned)saving->left_out - 1);
    return kin__refuse(saving->why, KIN_ERROR_INVALID, "'%s' cannot be saved there: %s%s", path_of(saving, first),
                       first->why, others);
}

static bool find_subject(saving *saving, content_subject *subject)
{
    const kin__differences *list = &saving->listing.list;
    if (list->prefab == NULL)
        return kin__refuse(saving->why, KIN_ERROR_INVALID,
                           "unique components are of no instance or prefab; change 'values' in the file");
    *subject = (content_subject){.context = saving->content->info->name, .prefab = list->prefab->name};
    if (list->target == KIN__TO_NEW_PREFAB)
        subject->create = saving->asked->where;
    if (list->target != KIN__TO_INSTANCE)
        return true;
    if (list->level == NULL)
        return kin__refuse(saving->why, KIN_ERROR_INVALID, "the entity is no instance of a level");
    subject->level = kin__differences_level(list);
    subject->instance = list->instance;
    return true;
}

static bool write_file(saving *saving, const source *source, text *after)
{
    source_overlay overlay = {source->path, after->bytes, after->size, NULL};
    kin__compile_files(saving->watcher, &saving->check, &overlay);
    if (saving->check.pack == NULL)
        return refuse_errors(saving, &saving->check, "the new text would have errors");
    if (!content_replace(&saving->compile.diagnostics, source, after))
        return refuse_errors(saving, &saving->compile, "cannot save");
    return true;
}

static bool save(saving *saving)
{
    content_subject subject;
    text after = text_create(&saving->compile.arena);
    if (!check_files(saving))
        return false;
    saving->listing.list.arena = &saving->compile.arena;
    list_all(&saving->listing);
    if (!saving->listing.is_listed || !find_subject(saving, &subject))
        return false;
    if (!check_paths(saving))
        return false;
    make_changes(saving);
    uint32_t lost = saving->left_out;
    if (subject.create != NULL) // which has no place
        lost -= saving->place_count;
    if (saving->count == 0 && lost > 0)
        return refuse_all(saving);
    if (saving->count == 0 && subject.create == NULL)
        return true;
    const source *source =
        content_change_text(saving->compile.compiler, subject, saving->changes, saving->count, &after);
    if (source == NULL)
        return refuse_errors(saving, &saving->compile, "cannot save");
    return write_file(saving, source, &after);
}

static void save_all(void *data)
{
    saving *saving = data;
    saving->is_saved = save(saving);
}

// "instance", "prefab", or the name of a new prefab.
static bool is_target(const char *where)
{
    if (where == NULL)
        return false;
    if (strcmp(where, "instance") == 0 || strcmp(where, "prefab") == 0)
        return true;
    return where[0] >= 'A' && where[0] <= 'Z';
}

kin_status kin__content_save(void *data, kin_entity entity, kin_content_saving *asked)
{
    kin_content *content = data;
    kin__why why = {KIN_OK, ""};
    saving saving = {.content = content, .watcher = content->watcher, .entity = entity, .asked = asked, .why = &why};
    saving.listing = (listing){.list = {.content = content, .has_places = true}, .entity = entity, .why = &why};
    if (!is_target(asked->where)) {
        kin__refuse(&why, KIN_ERROR_INVALID, "say where: \"instance\", \"prefab\", or the name of a new prefab");
    } else {
        saving.listing.list.target = target_of(asked->where);
        if (!kin__with_memory(save_all, &saving))
            kin__refuse_memory(&why);
    }
    kin__differences_release(&saving.listing.list);
    arena_release(&saving.compile.arena);
    arena_release(&saving.check.arena);
    content->state.saved = saving.is_saved ? saving.count : 0;
    content->state.left_out = saving.left_out;
    asked->saved = content->state.saved;
    if (saving.is_saved)
        return KIN_OK;
    return refuse(content, "save to content files", entity, &why);
}

// ---- for programs

static bool is_watched(kin_content *content, const char *verb, kin_entity entity)
{
    kin__why why = {KIN_ERROR_INVALID, "no folder is watched; call kin_content_watch before"};
    if (content == NULL)
        return false;
    if (content->editing == NULL)
        refuse(content, verb, entity, &why);
    return content->editing != NULL;
}

kin_status kin_content_save(kin_content *content, kin_entity entity, const char *where)
{
    return kin_content_save_paths(content, entity, where, NULL, 0);
}

kin_status kin_content_save_paths(kin_content *content, kin_entity entity, const char *where, const char *const *paths,
                                  uint32_t count)
{
    kin_content_saving saving = {.where = where, .paths = paths, .path_count = count};
    if (!is_watched(content, "save to content files", entity))
        return KIN_ERROR_INVALID;
    return kin__content_save(content, entity, &saving);
}

kin_status kin_content_revert(kin_content *content, kin_entity entity)
{
    uint32_t written;
    if (!is_watched(content, "revert to content", entity))
        return KIN_ERROR_INVALID;
    return kin__content_revert(content, entity, &written);
}
