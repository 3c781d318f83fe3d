// Watches the files of a content: compiles them when one has changed, and loads the pack.
#include "edit/edit.h"

#include <stdio.h>
#include <string.h>

// ---- memory

static _Thread_local jmp_buf *no_memory;

static void give_up(size_t size)
{
    (void)size;
    longjmp(*no_memory, 1);
}

bool kin__with_memory(void (*work)(void *data), void *data)
{
    jmp_buf here;
    jmp_buf *outer = no_memory;
    volatile bool is_done = false;
    no_memory = &here;
    if (setjmp(here) == 0) {
        work(data);
        is_done = true;
    }
    no_memory = outer;
    return is_done;
}

void kin__compile_arena(arena *arena)
{
    arena->give_up = give_up;
}

static char *copy_text(kin_content *content, const char *text, size_t size)
{
    char *copy = kin__allocate(&content->memory, size + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

static void release_text(kin_content *content, char *text)
{
    if (text != NULL)
        kin__release(&content->memory, text, strlen(text) + 1);
}

static void release_strings(kin_content *content, kin__strings *strings)
{
    for (uint32_t i = 0; i < strings->count; i++)
        release_text(content, strings->all[i]);
    if (strings->all != NULL)
        kin__release(&content->memory, strings->all, (strings->count + (size_t)1) * sizeof *strings->all);
    *strings = (kin__strings){NULL, 0};
}

// ---- compiling

void kin__compile_files(kin__watcher *watcher, kin__compile *compile, const source_overlay *overlay)
{
    const char *const *paths = (const char *const *)&watcher->folder;
    content_schema schema = {watcher->contexts, watcher->context_count};
    kin__compile_arena(&compile->arena);
    compile->diagnostics = diagnostics_create(&compile->arena);
    compile->diagnostics.overlays = overlay;
    compile->compiler = content_read(&compile->arena, &compile->diagnostics, schema, (content_paths){paths, 1});
    compile->pack = content_make(compile->compiler);
}

// ---- files that have vanished

static bool has_file(const kin__compile *compile, const char *path)
{
    for (size_t i = 0; content_file(compile->compiler, i) != NULL; i++)
        if (strcmp(content_file(compile->compiler, i), path) == 0)
            return true;
    return false;
}

static bool has_prefab(const kin__pack *pack, const kin__pack_prefab *wanted)
{
    for (uint32_t i = 0; i < pack->prefab_count; i++)
        if (pack->prefabs[i].kind == wanted->kind && strcmp(pack->prefabs[i].name, wanted->name) == 0)
            return true;
    return false;
}

static bool has_level(const kin__pack *pack, const char *name)
{
    for (uint32_t i = 0; i < pack->level_count; i++)
        if (strcmp(pack->levels[i].name, name) == 0)
            return true;
    return false;
}

static const char *unique_name(const kin__pack *pack, uint32_t index)
{
    return pack->contexts[pack->uniques[index].context].components[pack->uniques[index].component].name;
}

static bool has_unique(const kin__pack *pack, const char *name)
{
    for (uint32_t i = 0; i < pack->unique_count; i++)
        if (strcmp(unique_name(pack, i), name) == 0)
            return true;
    return false;
}

// Returns what the pack of before says and this one does not: "prefab 'Slow'"; NULL if there is nothing.
static const char *find_lost(kin__compile *compile, const kin__pack *before)
{
    static const char *const kinds[] = {[KIN__PACK_PREFAB] = "prefab", [KIN__PACK_BLUEPRINT] = "what it says of"};
    for (uint32_t i = 0; i < before->prefab_count; i++) {
        const kin__pack_prefab *prefab = &before->prefabs[i];
        bool says_something = prefab->kind == KIN__PACK_PREFAB || prefab->writes.keys != KIN__PACK_NONE;
        if (says_something && !has_prefab(compile->pack, prefab))
            return arena_format(&compile->arena, "%s '%s'", kinds[prefab->kind], prefab->name);
    }
    for (uint32_t i = 0; i < before->level_count; i++)
        if (!has_level(compile->pack, before->levels[i].name))
            return arena_format(&compile->arena, "level '%s'", before->levels[i].name);
    for (uint32_t i = 0; i < before->unique_count; i++)
        if (!has_unique(compile->pack, unique_name(before, i)))
            return arena_format(&compile->arena, "the values of '%s'", unique_name(before, i));
    return NULL;
}

static void report_vanished(kin__compile *compile, const char *path, const char *lost)
{
    diagnostic_system_error(&compile->diagnostics, CODE_FILE_UNREADABLE, "'%s' is gone, and %s with it", path, lost);
    diagnostic_about(&compile->diagnostics, path);
    compile->pack = NULL;
}

// Names the files that have vanished beside the errors of those that need what they said. If the folder has vanished,
// that is the error. Returns one of the files; NULL: none has.
static const char *explain_errors(const kin__watcher *watcher, kin__compile *compile)
{
    const char *gone = NULL;
    if (compile->pack != NULL || content_file(compile->compiler, 0) == NULL)
        return NULL;
    for (uint32_t i = watcher->files.count; i-- > 0;) {
        if (has_file(compile, watcher->files.all[i]))
            continue;
        gone = watcher->files.all[i];
        report_vanished(compile, gone, "what it says");
    }
    return gone;
}

// A file that is empty or no content any more has vanished too: it may be half written.
static void check_vanished(const kin__watcher *watcher, kin__compile *compile)
{
    for (uint32_t i = 0; compile->pack != NULL && i < watcher->files.count; i++) {
        const char *path = watcher->files.all[i];
        if (has_file(compile, path))
            continue;
        const char *lost = find_lost(compile, &watcher->content->now->pack);
        if (lost != NULL)
            report_vanished(compile, path, lost);
    }
}

// ---- what a compile leaves

// Copies the paths of all files. False when out of memory, with nothing to release.
static bool copy_files(kin_content *content, const kin__compile *compile, kin__strings *files)
{
    uint32_t count = 0;
    while (content_file(compile->compiler, count) != NULL)
        count++;
    files->all = kin__allocate_zero(&content->memory, (count + (size_t)1) * sizeof *files->all);
    if (files->all == NULL)
        return false;
    files->count = count;
    for (uint32_t i = 0; i < count; i++) {
        const char *path = content_file(compile->compiler, i);
        files->all[i] = copy_text(content, path, strlen(path));
        if (files->all[i] == NULL) {
            release_strings(content, files);
            return false;
        }
    }
    return true;
}

static bool keep_files(kin__watcher *watcher, const kin__compile *compile)
{
    kin_content *content = watcher->content;
    kin__strings files = {NULL, 0};
    if (!copy_files(content, compile, &files))
        return false;
    release_strings(content, &watcher->files);
    watcher->files = files;
    content->state.file_count = watcher->files.count;
    return true;
}

static void forget_errors(kin__watcher *watcher)
{
    kin_content *content = watcher->content;
    release_text(content, watcher->errors);
    release_text(content, watcher->errors_json);
    watcher->errors = NULL;
    watcher->errors_json = NULL;
    content->state.errors = NULL;
    content->state.errors_json = NULL;
    content->state.error_count = 0;
}

// ---- polls

typedef struct polling {
    kin__watcher *watcher;
    kin__compile compile;
    kin__pack_bytes bytes; // of the pack
    const char *gone;      // a file that has vanished, beside errors of others; NULL: none
    text errors, list;
} polling;

static kin_status report_errors(kin__watcher *watcher, const polling *polling)
{
    kin_content *content = watcher->content;
    const char *errors = polling->errors.bytes;
    size_t count = diagnostics_error_count(&polling->compile.diagnostics);
    size_t line = strcspn(errors, "\n");
    kin__why why = {KIN_ERROR_INVALID, ""};
    KIN_ASSERT(count > 0 && watcher->errors == NULL); // forgotten before
    watcher->errors = copy_text(content, errors, polling->errors.size);
    watcher->errors_json = copy_text(content, polling->list.bytes, polling->list.size);
    content->state.errors = watcher->errors;
    content->state.errors_json = watcher->errors_json;
    content->state.error_count = (uint32_t)size_min(count, UINT32_MAX);
    if (count == 1)
        kin__refuse(&why, KIN_ERROR_INVALID, "%.*s", (int)size_min(line, 300), errors);
    else if (polling->gone != NULL)
        kin__refuse(&why, KIN_ERROR_INVALID, "'%s' is gone; %zu errors in '%s', the first: %.*s", polling->gone, count,
                    watcher->folder, (int)size_min(line, 160), errors);
    else
        kin__refuse(&why, KIN_ERROR_INVALID, "%zu errors in '%s', the first: %.*s", count, watcher->folder,
                    (int)size_min(line, 240), errors);
    return kin__content_report_load(content, &why);
}

static void follow_files(kin__watcher *watcher, const kin__compile *compile)
{
    for (size_t i = 0; content_file(compile->compiler, i) != NULL; i++)
        kin__changes_add(watcher->changes, content_file(compile->compiler, i));
    for (size_t i = 0; content_missing(compile->compiler, i) != NULL; i++)
        kin__changes_add(watcher->changes, content_missing(compile->compiler, i));
}

// All that needs memory of arenas.
static void compile_all(void *data)
{
    polling *polling = data;
    kin__compile *compile = &polling->compile;
    kin__compile_files(polling->watcher, compile, NULL);
    follow_files(polling->watcher, compile);
    polling->gone = explain_errors(polling->watcher, compile);
    check_vanished(polling->watcher, compile);
    polling->errors = text_create(&compile->arena);
    polling->list = text_create(&compile->arena);
    json_writer writer = writer_begin(&polling->list);
    diagnostics_append(&polling->errors, &compile->diagnostics);
    diagnostics_append_list(&writer, &compile->diagnostics);
    if (compile->pack != NULL)
        (void)kin__pack_write(compile->pack, &polling->bytes); // short without memory
}

static kin_status report_memory(kin_content *content)
{
    kin__why why = {KIN_ERROR_NO_MEMORY, "out of memory"};
    kin__content_report_load(content, &why);
    return KIN_ERROR_NO_MEMORY;
}

// Whether a compile has the errors of the last one, which are reported.
static bool has_same_errors(const kin__watcher *watcher, const polling *polling)
{
    if (polling->compile.pack != NULL || watcher->errors == NULL)
        return false;
    return strcmp(watcher->errors, polling->errors.bytes) == 0;
}

// Loads what a compile has made, or reports its errors.
static kin_status use_compile(kin__watcher *watcher, polling *polling)
{
    kin_content *content = watcher->content;
    if (has_same_errors(watcher, polling))
        return KIN_OK;
    forget_errors(watcher);
    if (!watcher->is_quiet)
        fputs(polling->errors.bytes, stderr); // also warnings of files without errors
    if (polling->compile.pack == NULL)
        return report_errors(watcher, polling);
    if (polling->bytes.is_short || !keep_files(watcher, &polling->compile))
        return report_memory(content);
    return kin_content_load(content, polling->bytes.at, polling->bytes.size);
}

static kin_status compile_now(kin__watcher *watcher)
{
    kin_content *content = watcher->content;
    polling polling = {.watcher = watcher, .bytes = {.memory = &content->memory}};
    kin_status status;
    kin__changes_follow(watcher->changes);
    if (kin__with_memory(compile_all, &polling)) {
        status = use_compile(watcher, &polling);
    } else {
        forget_errors(watcher);
        status = report_memory(content);
    }
    kin__pack_bytes_release(&polling.bytes);
    if (status == KIN_ERROR_NO_MEMORY) // it may be there in the next poll
        kin__changes_repeat(watcher->changes);
    arena_release(&polling.compile.arena);
    return status;
}

static kin_status poll(kin_content *content)
{
    kin__watcher *watcher = content->watcher;
    KIN_ASSERT(watcher->content == content);
    if (!kin__changes_look(watcher->changes))
        return KIN_OK;
    return compile_now(watcher);
}

// ---- beginning and ending

static void release(kin_content *content)
{
    kin__watcher *watcher = content->watcher;
    if (watcher == NULL)
        return;
    forget_errors(watcher);
    release_strings(content, &watcher->files);
    kin__changes_end(watcher->changes);
    release_text(content, watcher->folder);
    if (watcher->contexts != NULL)
        kin__release(&content->memory, watcher->contexts, (watcher->context_count + 1) * sizeof(void *));
    kin__release(&content->memory, watcher, sizeof *watcher);
    content->watcher = NULL;
    content->editing = NULL;
}

static const char *file_at(const void *content, uint32_t index)
{
    const kin__watcher *watcher = ((const kin_content *)content)->watcher;
    if (index >= watcher->files.count)
        return NULL;
    return watcher->files.all[index];
}

static const char *folder_of(const void *content)
{
    return ((const kin__watcher *)((const kin_content *)content)->watcher)->folder;
}

// The face of a content that is watched: that of libkin-content, with what this library adds.
static void set_editing(kin_content *content)
{
    kin__watcher *watcher = content->watcher;
    KIN_ASSERT(watcher->content == content && content->editing == NULL);
    kin__editing *editing = &watcher->editing;
    *editing = (kin__editing){.face = kin__content_face, .poll = poll, .release = release};
    editing->face.file = file_at;
    editing->face.folder = folder_of;
    editing->face.differ = kin__content_differ;
    editing->face.save = kin__content_save;
    editing->face.revert = kin__content_revert;
    content->editing = editing;
    kin__content_set(content->context, content, &editing->face);
}

static bool copy_contexts(kin__watcher *watcher, const kin_context_info *const *contexts, uint32_t count)
{
    size_t size = (count + (size_t)1) * sizeof *watcher->contexts;
    watcher->context_count = count;
    watcher->contexts = kin__allocate_zero(&watcher->content->memory, size);
    if (watcher->contexts == NULL)
        return false;
    memcpy(watcher->contexts, contexts, count * sizeof *watcher->contexts);
    return true;
}

static bool create(kin_content *content, const char *folder, const kin_content_watch_options *options)
{
    const kin_context_info *const own[] = {content->info};
    kin__watcher *watcher = kin__allocate_zero(&content->memory, sizeof *watcher);
    if (watcher == NULL)
        return false;
    *watcher = (kin__watcher){.content = content, .is_quiet = options->is_quiet};
    content->watcher = watcher;
    bool is_made = options->contexts == NULL ? copy_contexts(watcher, own, 1)
                                             : copy_contexts(watcher, options->contexts, options->context_count);
    watcher->folder = copy_text(content, folder, strlen(folder));
    watcher->changes = kin__changes_begin(&content->memory, folder, options->walks);
    bool has_changes = watcher->folder != NULL && watcher->changes != NULL;
    if (is_made && has_changes)
        return true;
    release(content);
    return false;
}

static kin_status refuse(kin_content *content, kin_status status, const char *text)
{
    kin__why why = {status, ""};
    if (content == NULL)
        return status;
    kin__refuse(&why, status, "%s", text);
    return kin__content_refuse(content, "watch content", &why);
}

kin_status kin_content_watch(kin_content *content, const char *folder, const kin_content_watch_options *options)
{
    static const kin_content_watch_options none = {.contexts = NULL};
    bool is_missing = folder == NULL || folder[0] == '\0';
    if (content == NULL || is_missing)
        return refuse(content, KIN_ERROR_INVALID, "the folder is missing");
    if (options == NULL)
        options = &none;
    if (options->contexts != NULL && options->context_count == 0)
        return refuse(content, KIN_ERROR_INVALID, "the list of contexts is empty");
    if (!kin__content_may_load(content))
        return refuse(content, KIN_ERROR_INVALID,
                      "an update, a listener or on_reload is under way; watch between updates");
    void *before = content->watcher;
    const kin__editing *editing_before = content->editing;
    if (!create(content, folder, options)) {
        content->watcher = before;
        content->editing = editing_before;
        return refuse(content, KIN_ERROR_NO_MEMORY, "");
    }
    void *watcher = content->watcher;
    content->watcher = before;
    release(content);
    content->watcher = watcher;
    set_editing(content);
    return kin_content_poll(content);
}
