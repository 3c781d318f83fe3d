// content.lock: the names under which levels, instances, prefabs, parts and knobs were first packed.
//
//   kin content lock 1
//   package town
//   knob Cannon2.at
//   part Cannon2.head.flag = banner                KIND PATH [= NAME NOW]
//   place valley/north_gun
//   prefab Cannon2 = FastCannon
//   prefab Slow removed
//
// It is in the folder of the content. A path has first names; after `=` is what the last of them is called now. Lines
// are sorted, so that version control can merge two locks. Without a lock a first name is `was`, or else the name.
//
// Invariant: the same files find the same first names after their lock was written.
#include "generator/content/internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char head[] = "kin content lock 1";

static const char *const kind_words[NAMED_COUNT] = {
    [NAMED_KNOB] = "knob",   [NAMED_LEVEL] = "level",   [NAMED_PART] = "part",
    [NAMED_PLACE] = "place", [NAMED_PREFAB] = "prefab",
};

// A line.
typedef struct locked_name {
    named_kind kind;
    const char *path; // first names
    const char *name; // the last name of the path, when the lock was written
    const char *now;  // in the content, if it is found; else as `name`
    span span;
    bool is_removed;
    bool is_found; // in the content
    struct locked_name *next;
} locked_name;

// A `was` that is the last name of something.
typedef struct last_word {
    named_kind kind;
    const char *owner, *first, *was;
    struct last_word *next;
} last_word;

struct name_lock {
    last_word *words;
    const source *source;
    locked_name *first, *last;
    dictionary by_path, by_name; // "part Cannon2.head.flag", "part Cannon2.head.banner"; without removed ones
};

// ---- paths

static const char *key_of(compiler *compiler, named_kind kind, const char *owner, const char *name)
{
    const char *separator = "";
    if (owner[0] != '\0')
        separator = kind == NAMED_PLACE ? "/" : ".";
    return arena_format(compiler->arena, "%s %s%s%s", kind_words[kind], owner, separator, name);
}

static bool is_separator(char byte)
{
    return byte == '.' || byte == '/';
}

// Returns the size of what is before the last name of a path, without the separator.
static size_t owner_size(const char *path)
{
    size_t size = strlen(path);
    while (size > 0 && !is_separator(path[size]))
        size--;
    return size;
}

const char *path_last(const char *path)
{
    size_t size = owner_size(path);
    return path + size + (size > 0);
}

static locked_name *first_line(const compiler *compiler)
{
    if (compiler->lock == NULL)
        return NULL;
    return compiler->lock->first;
}

static locked_name *find_path(compiler *compiler, named_kind kind, const char *path)
{
    if (compiler->lock == NULL)
        return NULL;
    return (locked_name *)dictionary_find(&compiler->lock->by_path, key_of(compiler, kind, "", path));
}

// Returns the line of what a path is below: of its level, or of the nearest part or prefab. NULL if the lock has none.
static locked_name *find_owner(compiler *compiler, named_kind kind, const char *path)
{
    locked_name *found = NULL;
    const char *owner = path;
    while (found == NULL && owner_size(owner) > 0) {
        owner = arena_copy(compiler->arena, owner, owner_size(owner));
        named_kind above = NAMED_PREFAB;
        if (kind == NAMED_PLACE)
            above = NAMED_LEVEL;
        else if (strchr(owner, '.') != NULL)
            above = NAMED_PART;
        found = find_path(compiler, above, owner);
    }
    return found;
}

// Returns the path with the names of now. Recursive along a path, which lines limit.
static const char *path_now(compiler *compiler, const locked_name *name)
{
    size_t size = owner_size(name->path);
    if (size == 0)
        return name->now;
    const locked_name *owner = find_owner(compiler, name->kind, name->path);
    const char *above = "";
    size_t known = 0;
    if (owner != NULL) {
        above = path_now(compiler, owner);
        known = strlen(owner->path);
        assert(known <= size && strncmp(owner->path, name->path, known) == 0);
    }
    return arena_format(compiler->arena, "%s%.*s%c%s", above, (int)(size - known), name->path + known, name->path[size],
                        name->now);
}

// ---- reading

static void refuse_line(compiler *compiler, span line)
{
    diagnostic_error(compiler->diagnostics, CODE_LOCK, line, "this is not a line of a lock of content");
    diagnostic_hint(compiler->diagnostics, "restore the file from version control; 'kin lock' writes it");
    compiler->is_incomplete = true;
}

static bool is_path(const char *word)
{
    bool begins = true;
    for (; *word != '\0'; word++) {
        bool separates = is_separator(*word) && !begins;
        if (!separates && !byte_is_word(*word))
            return false;
        begins = separates;
    }
    return !begins;
}

// Two lines of a path: a merge may have joined equal ones.
static void check_equal(compiler *compiler, const locked_name *earlier, const locked_name *later)
{
    if (strcmp(earlier->name, later->name) == 0 && earlier->is_removed == later->is_removed)
        return;
    diagnostic_error(compiler->diagnostics, CODE_SAVED_TWICE, later->span, "'%s' has two meanings in the lock",
                     later->path);
    diagnostic_note(compiler->diagnostics, earlier->span, "the other line is here");
    diagnostic_hint(compiler->diagnostics, "keep the line that matches the content, and delete the other");
}

static void add_line(compiler *compiler, locked_name *made)
{
    name_lock *lock = compiler->lock;
    const char *key = key_of(compiler, made->kind, "", made->path);
    const locked_name *earlier = dictionary_add(&lock->by_path, key, made);
    if (earlier != NULL) {
        check_equal(compiler, earlier, made);
        return;
    }
    if (!made->is_removed) {
        const char *owner = arena_copy(compiler->arena, made->path, owner_size(made->path));
        dictionary_add(&lock->by_name, key_of(compiler, made->kind, owner, made->name), made);
    }
    if (lock->last == NULL)
        lock->first = made;
    else
        lock->last->next = made;
    lock->last = made;
}

// Splits a line in place at its spaces. Returns the count of words, which is more than `limit` if there are too many.
static size_t split(char *line, char **words, size_t limit)
{
    static const char spaces[] = " \t\r";
    size_t count = 0;
    for (char *word = line + strspn(line, spaces); *word != '\0'; word += strspn(word, spaces)) {
        if (count < limit)
            words[count] = word;
        count++;
        word += strcspn(word, spaces);
        if (*word != '\0')
            *word++ = '\0';
    }
    return count;
}

// Returns the kind of a word; NAMED_COUNT if it is none.
static named_kind find_kind(const char *word)
{
    int kind = 0;
    while (kind < NAMED_COUNT && strcmp(kind_words[kind], word) != 0)
        kind++;
    return (named_kind)kind;
}

// Reads the words of a line: KIND PATH [= NAME NOW] [removed]. False if it is none.
static bool read_words(char *const *words, size_t count, locked_name *name)
{
    size_t at = 2;
    if (count < at || !is_path(words[1]))
        return false;
    name->kind = find_kind(words[0]);
    name->path = words[1];
    name->name = path_last(words[1]);
    if (name->kind == NAMED_COUNT)
        return false;
    if (at + 1 < count && strcmp(words[at], "=") == 0) {
        name->name = words[at + 1];
        at += 2;
    }
    name->now = name->name;
    name->is_removed = at < count && strcmp(words[at], "removed") == 0;
    if (!is_path(name->name) || owner_size(name->name) > 0)
        return false;
    return at + name->is_removed == count;
}

static void read_line(compiler *compiler, span line)
{
    enum { WORDS = 5 };
    char *words[WORDS] = {NULL};
    char *bytes = arena_copy(compiler->arena, line.source->bytes + line.start, line.end - line.start);
    size_t count = split(bytes, words, WORDS);
    if (count == 0)
        return;
    locked_name *made = arena_allocate(compiler->arena, sizeof *made);
    *made = (locked_name){.span = line};
    if (count <= WORDS && read_words(words, count, made))
        add_line(compiler, made);
    else
        refuse_line(compiler, line);
}

// Reads the second line, which says of which package the content is.
static void check_package(compiler *compiler, span line)
{
    const char *package = compiler->schema.contexts[0]->package->name;
    char *words[2] = {NULL};
    size_t count = split(arena_copy(compiler->arena, line.source->bytes + line.start, line.end - line.start), words, 2);
    if (count != 2 || strcmp(words[0], "package") != 0) {
        refuse_line(compiler, line);
    } else if (strcmp(words[1], package) != 0) {
        diagnostic_error(compiler->diagnostics, CODE_LOCK, line,
                         "the lock is of package '%s', and this is package '%s'", words[1], package);
        diagnostic_hint(compiler->diagnostics, "give the content of the package, or delete the lock");
        compiler->is_incomplete = true;
    }
}

const char *name_lock_path(arena *arena, content_paths paths)
{
    struct stat found;
    for (size_t i = 0; i < paths.count; i++)
        if (stat(paths.paths[i], &found) == 0 && S_ISDIR(found.st_mode)) {
            const char *separator = text_if(!text_ends_in(paths.paths[i], "/"), "/");
            return arena_format(arena, "%s%scontent.lock", paths.paths[i], separator);
        }
    return NULL;
}

void name_lock_load(compiler *compiler, content_paths paths)
{
    struct stat found;
    const char *path = name_lock_path(compiler->arena, paths);
    if (path == NULL || stat(path, &found) != 0)
        return;
    const source *source = source_load(compiler->arena, compiler->diagnostics, path);
    if (source == NULL) {
        compiler->is_incomplete = true;
        return;
    }
    compiler->lock = arena_allocate(compiler->arena, sizeof *compiler->lock);
    *compiler->lock = (name_lock){.source = source};
    compiler->lock->by_path = dictionary_create(compiler->arena);
    compiler->lock->by_name = dictionary_create(compiler->arena);
    span first = source_line(source, 1);
    bool is_lock = first.end - first.start >= sizeof head - 1;
    if (!is_lock || memcmp(source->bytes + first.start, head, sizeof head - 1) != 0) {
        diagnostic_error(compiler->diagnostics, CODE_LOCK, first, "expected '%s', the first line of a lock of content",
                         head);
        diagnostic_hint(compiler->diagnostics, "use the kin that wrote the lock, or restore the file");
        compiler->is_incomplete = true;
        return;
    }
    if (source->line_count > 1)
        check_package(compiler, source_line(source, 2));
    for (size_t line = 3; line <= source->line_count; line++)
        read_line(compiler, source_line(source, line));
}

// ---- first names

static locked_name *find_name(compiler *compiler, named_kind kind, const char *owner, const char *name)
{
    return (locked_name *)dictionary_find(&compiler->lock->by_name, key_of(compiler, kind, owner, name));
}

// Returns the line of a first name; NULL if there is none, or it was removed.
static const locked_name *find_first(compiler *compiler, named_kind kind, const char *owner, const char *name)
{
    const locked_name *found = dictionary_find(&compiler->lock->by_path, key_of(compiler, kind, owner, name));
    if (found == NULL || found->is_removed)
        return NULL;
    return found;
}

static void note_word(compiler *compiler, last_word word)
{
    assert(compiler->lock != NULL);
    last_word *made = arena_allocate(compiler->arena, sizeof *made);
    *made = word;
    made->next = compiler->lock->words;
    compiler->lock->words = made;
}

// What has its name and its `was` already comes first, then last names, then what has the same name as before, whose
// `was` is an older word, then first names.
const char *name_first(compiler *compiler, named_kind kind, const char *owner, const char *name, const char *was)
{
    if (was != NULL)
        compiler->has_renames = true;
    if (compiler->lock == NULL)
        return was == NULL ? name : was;
    const locked_name *found = find_name(compiler, kind, owner, name);
    bool has_this_was = found != NULL && was != NULL && strcmp(path_last(found->path), was) == 0;
    if (has_this_was || (found != NULL && was == NULL)) {
        if (found->name != path_last(found->path))
            compiler->has_renames = true;
        return path_last(found->path);
    }
    if (was == NULL)
        return name;
    const locked_name *before = find_name(compiler, kind, owner, was);
    if (before != NULL)
        note_word(compiler, (last_word){kind, owner, path_last(before->path), was, NULL});
    if (before == NULL)
        before = found;
    if (before == NULL)
        before = find_first(compiler, kind, owner, was);
    return before == NULL ? was : path_last(before->path);
}

const char *name_read_was(compiler *compiler, const tree_node *node)
{
    if (node->kind != TREE_MAPPING)
        return NULL;
    const tree_node *was = tree_find(node, "was");
    if (was == NULL || !node_expect_value(compiler->diagnostics, was, "a former name for 'was'"))
        return NULL;
    if (name_is_snake_case(was->text) || name_is_pascal_case(was->text))
        return was->text;
    diagnostic_error(compiler->diagnostics, CODE_CONTENT_KEY, was->span, "'%s' is no name", was->text);
    diagnostic_hint(compiler->diagnostics, "write the former name alone, without what it is in");
    return NULL;
}

// ---- what has names

typedef struct named_thing {
    named_kind kind;
    const char *path;                // first names
    const char *name;                // now
    const char *shown;               // its path of the names now, for messages
    const struct named_thing *owner; // the prefab or level that has a part, a knob or an instance
    span span;
    locked_name *before;
    struct named_thing *next;
} named_thing;

typedef struct naming {
    compiler *compiler;
    named_thing *first, *last;
    dictionary by_path;
} naming;

static named_thing *add_thing(naming *naming, named_thing thing)
{
    compiler *compiler = naming->compiler;
    named_thing *made = arena_allocate(compiler->arena, sizeof *made);
    *made = thing;
    made->before = find_path(compiler, thing.kind, thing.path);
    if (made->before != NULL) {
        made->before->is_found = true;
        made->before->now = thing.name;
    }
    if (naming->last == NULL)
        naming->first = made;
    else
        naming->last->next = made;
    naming->last = made;
    const named_thing *earlier = dictionary_add(&naming->by_path, key_of(compiler, thing.kind, "", thing.path), made);
    if (earlier == NULL)
        return made;
    diagnostic_error(compiler->diagnostics, CODE_SAVED_TWICE, thing.span, "'%s' and '%s' are both '%s' in packs",
                     thing.shown, earlier->shown, thing.path);
    diagnostic_hint(compiler->diagnostics, "remove 'was' if it is older than the lock; else add 'was: NAME' to the new "
                                           "one, with a name that nothing has had");
    diagnostic_note(compiler->diagnostics, earlier->span, "'%s' is here", earlier->shown);
    return made;
}

static void add_prefab(naming *naming, const prefab *prefab)
{
    arena *arena = naming->compiler->arena;
    const named_thing *owner = add_thing(naming, (named_thing){NAMED_PREFAB, prefab->first_name, prefab->name,
                                                               prefab->name, NULL, prefab->key->span, NULL, NULL});
    for (size_t i = 0; i < prefab->new_count; i++) {
        const part *part = prefab->new_parts[i];
        add_thing(naming, (named_thing){NAMED_PART, arena_format(arena, "%s.%s", prefab->first_name, part->first_path),
                                        path_last(part->path), arena_format(arena, "%s.%s", prefab->name, part->path),
                                        owner, part->span, NULL, NULL});
    }
    for (const prefab_knob *each = prefab->knobs; each != inherited_knobs(prefab); each = each->next)
        add_thing(naming,
                  (named_thing){NAMED_KNOB, arena_format(arena, "%s.%s", prefab->first_name, each->name), each->name,
                                arena_format(arena, "%s.%s", prefab->name, each->name), owner, each->span, NULL, NULL});
}

static void add_level(naming *naming, const level *level)
{
    arena *arena = naming->compiler->arena;
    const named_thing *owner = add_thing(naming, (named_thing){NAMED_LEVEL, level->first_name, level->name, level->name,
                                                               NULL, level->key->span, NULL, NULL});
    for (const instance *each = level->first; each != NULL; each = each->next)
        if (each->name != NULL)
            add_thing(naming,
                      (named_thing){NAMED_PLACE, arena_format(arena, "%s/%s", level->first_name, each->first_name),
                                    each->name, arena_format(arena, "%s/%s", level->name, each->name), owner,
                                    each->name_span, NULL, NULL});
}

static naming list_things(compiler *compiler)
{
    naming naming = {compiler, NULL, NULL, dictionary_create(compiler->arena)};
    for (const prefab *each = compiler->prefabs; each != NULL; each = each->next)
        if (!each->is_blueprint)
            add_prefab(&naming, each);
    for (const level *each = compiler->levels; each != NULL; each = each->next)
        add_level(&naming, each);
    return naming;
}

// ---- what is gone

static bool is_gone(const locked_name *name)
{
    return name != NULL && !name->is_found;
}

// Marks the lines that an entry of `removed` names.
static void read_removed(compiler *compiler, const tree_node *item)
{
    bool is_found = false;
    bool is_removed = false;
    if (!node_expect_value(compiler->diagnostics, item, "a name in 'removed'") || compiler->lock == NULL)
        return;
    for (locked_name *each = compiler->lock->first; each != NULL; each = each->next) {
        if (strcmp(each->path, item->text) != 0 && strcmp(path_now(compiler, each), item->text) != 0)
            continue;
        if (each->is_found) {
            is_found = true;
        } else {
            each->is_removed = true;
            is_removed = true;
        }
    }
    if (is_removed)
        return;
    if (is_found)
        diagnostic_error(compiler->diagnostics, CODE_REMOVED, item->span, "'removed' lists '%s', which the content has",
                         item->text);
    else
        diagnostic_error(compiler->diagnostics, CODE_REMOVED, item->span, "'removed' lists '%s', which no lock has",
                         item->text);
    diagnostic_hint(compiler->diagnostics, "remove it from the list, or correct the name");
}

static bool is_below_removed(compiler *compiler, const locked_name *name)
{
    const locked_name *owner = find_owner(compiler, name->kind, name->path);
    for (; owner != NULL; owner = find_owner(compiler, owner->kind, owner->path))
        if (is_gone(owner) && owner->is_removed)
            return true;
    return false;
}

static void read_all_removed(compiler *compiler)
{
    for (const file *file = compiler->files; file != NULL; file = file->next) {
        const tree_node *node = tree_find(file->root, "removed");
        if (node == NULL || node->kind == TREE_BROKEN)
            continue;
        if (node->kind != TREE_SEQUENCE) {
            diagnostic_error(compiler->diagnostics, CODE_LIST_EXPECTED, node->span,
                             "expected a list for 'removed', found %s", node_kind(node));
            continue;
        }
        for (const tree_node *item = node->items; item != NULL; item = item->next)
            read_removed(compiler, item);
    }
    for (locked_name *each = first_line(compiler); each != NULL; each = each->next)
        if (is_gone(each) && is_below_removed(compiler, each))
            each->is_removed = true;
}

// Returns the only new thing that a lost one may be now; NULL if there are none or several.
static const named_thing *only_new(const naming *naming, named_kind kind, const named_thing *owner)
{
    const named_thing *found = NULL;
    for (const named_thing *each = naming->first; each != NULL; each = each->next) {
        bool is_new = each->before == NULL;
        if (!is_new || each->kind != kind)
            continue;
        if (each->owner != owner)
            continue;
        if (found != NULL)
            return NULL;
        found = each;
    }
    return found;
}

static void report_vanished(naming *naming, const locked_name *name)
{
    static const char *const nouns[NAMED_COUNT] = {
        [NAMED_KNOB] = "knob",      [NAMED_LEVEL] = "level",   [NAMED_PART] = "part",
        [NAMED_PLACE] = "instance", [NAMED_PREFAB] = "prefab",
    };
    compiler *compiler = naming->compiler;
    const char *path = path_now(compiler, name);
    const char *above = arena_copy(compiler->arena, name->path, strcspn(name->path, "./"));
    named_kind owner_kind = name->kind == NAMED_PLACE ? NAMED_LEVEL : NAMED_PREFAB;
    const named_thing *owner = NULL;
    if (above[0] != '\0' && strlen(above) < strlen(name->path))
        owner = dictionary_find(&naming->by_path, key_of(compiler, owner_kind, "", above));
    if (owner == NULL)
        diagnostic_error(compiler->diagnostics, CODE_NAME_VANISHED, name->span, "no file has the %s '%s' of the lock",
                         nouns[name->kind], path);
    else
        diagnostic_error(compiler->diagnostics, CODE_NAME_VANISHED, owner->span, "'%s' has lost its %s '%s'",
                         owner->shown, nouns[name->kind], path + strlen(owner->shown) + 1);
    const named_thing *renamed = only_new(naming, name->kind, owner);
    if (name->kind == NAMED_KNOB)
        diagnostic_hint(compiler->diagnostics, "give it again; or, if no program sets it, add 'removed: [%s]'", path);
    else if (renamed == NULL)
        diagnostic_hint(compiler->diagnostics,
                        "if it was renamed, add 'was: %s' there; if it was removed, add 'removed: [%s]'", name->name,
                        path);
    else
        diagnostic_hint(compiler->diagnostics,
                        "if '%s' is its new name, add 'was: %s' there; if it was removed, add 'removed: [%s]'",
                        renamed->name, name->name, path);
    if (owner != NULL)
        diagnostic_note(compiler->diagnostics, name->span, "the lock has it here");
}

// ---- checks

static void check_used_again(compiler *compiler, const named_thing *thing)
{
    const locked_name *before = thing->before;
    if (thing->kind == NAMED_KNOB || before == NULL)
        return;
    if (!before->is_removed)
        return;
    diagnostic_error(compiler->diagnostics, CODE_NAME_USED_AGAIN, thing->span,
                     "'%s' is new, but packs had an older one of this name, which was removed", thing->shown);
    diagnostic_hint(compiler->diagnostics, "add 'was: NAME' with a name that nothing has had");
    diagnostic_note(compiler->diagnostics, before->span, "the lock has the older one here");
}

static void check_blueprint(compiler *compiler, const prefab *prefab)
{
    const kin_context_info *info = prefab->info;
    if (prefab->first_name == prefab->name)
        return;
    for (uint32_t i = 0; i < info->blueprint_count; i++) {
        if (strcmp(info->blueprints[i].name, prefab->first_name) != 0)
            continue;
        diagnostic_error(compiler->diagnostics, CODE_SAVED_TWICE, prefab->key->span,
                         "'%s' would be '%s' in packs, which is a blueprint of the schema", prefab->name,
                         prefab->first_name);
        diagnostic_hint(compiler->diagnostics, "write another name for 'was'");
    }
}

// Whether a thing is called now as the word says, beside what the word is of.
static bool has_word_now(const named_thing *thing, const last_word *word)
{
    size_t size = strlen(word->owner);
    if (thing->kind != word->kind || strcmp(thing->name, word->was) != 0)
        return false;
    return owner_size(thing->path) == size && strncmp(thing->path, word->owner, size) == 0;
}

static void report_word(compiler *compiler, const last_word *word, const named_thing *thing, const named_thing *other)
{
    diagnostic_error(compiler->diagnostics, CODE_SAVED_TWICE, thing->span,
                     "'%s' was '%s', which is the name of another one now", thing->shown, word->was);
    const locked_name *named = find_name(compiler, word->kind, word->owner, word->first);
    bool is_clear = named == NULL || strcmp(path_last(named->path), word->first) == 0;
    if (is_clear)
        diagnostic_hint(compiler->diagnostics, "write 'was: %s', its first name", word->first);
    else
        diagnostic_hint(compiler->diagnostics, "run 'kin lock' with a name in between that nothing has had");
    diagnostic_note(compiler->diagnostics, other->span, "the other one is here");
}

// The lock has no words: a last name that something else has now would mean that, as soon as the lock is written.
static void check_word(const naming *naming, const last_word *word)
{
    compiler *compiler = naming->compiler;
    const char *path = key_of(compiler, word->kind, word->owner, word->first);
    const named_thing *thing = dictionary_find(&naming->by_path, path);
    if (thing == NULL || strcmp(word->first, word->was) == 0)
        return;
    for (const named_thing *other = naming->first; other != NULL; other = other->next)
        if (other != thing && has_word_now(other, word))
            report_word(compiler, word, thing, other);
}

static void check_words(const naming *naming)
{
    const name_lock *lock = naming->compiler->lock;
    if (lock == NULL)
        return;
    for (const last_word *each = lock->words; each != NULL; each = each->next)
        check_word(naming, each);
}

// Whether a name of the lock has vanished, and what it is in has not.
static bool has_vanished(compiler *compiler, const locked_name *name)
{
    if (!is_gone(name) || name->is_removed)
        return false;
    return !is_gone(find_owner(compiler, name->kind, name->path));
}

void name_lock_check(compiler *compiler)
{
    bool has_any = compiler->lock != NULL || compiler->has_renames;
    size_t errors = diagnostics_error_count(compiler->diagnostics);
    if (!has_any || compiler->is_incomplete)
        return;
    naming naming = list_things(compiler);
    for (const prefab *each = compiler->prefabs; each != NULL; each = each->next)
        if (!each->is_blueprint)
            check_blueprint(compiler, each);
    for (const named_thing *each = naming.first; each != NULL; each = each->next)
        check_used_again(compiler, each);
    check_words(&naming);
    if (diagnostics_error_count(compiler->diagnostics) > errors)
        return; // what is gone depends on it
    read_all_removed(compiler);
    for (const locked_name *each = first_line(compiler); each != NULL; each = each->next)
        if (has_vanished(compiler, each))
            report_vanished(&naming, each);
}

// ---- writing

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *line_of(arena *arena, named_kind kind, const char *path, const char *name, bool is_removed)
{
    text line = text_create(arena);
    text_append_format(&line, "%s %s", kind_words[kind], path);
    if (strcmp(path_last(path), name) != 0 && !is_removed)
        text_append_format(&line, " = %s", name);
    if (is_removed)
        text_append_string(&line, " removed");
    return line.bytes;
}

void name_lock_append(compiler *compiler, content_lock *out)
{
    arena *arena = compiler->arena;
    naming naming = list_things(compiler);
    const char **lines = NULL;
    size_t capacity = 0;
    for (const named_thing *each = naming.first; each != NULL; each = each->next) {
        lines = arena_grow(arena, lines, out->names, &capacity, sizeof *lines);
        lines[out->names++] = line_of(arena, each->kind, each->path, each->name, false);
        out->renamed += strcmp(path_last(each->path), each->name) != 0;
    }
    for (const locked_name *each = first_line(compiler); each != NULL; each = each->next) {
        if (each->is_found)
            continue;
        lines = arena_grow(arena, lines, out->names, &capacity, sizeof *lines);
        lines[out->names++] = line_of(arena, each->kind, each->path, each->name, true);
        out->removed++;
    }
    if (out->names > 1)
        qsort(lines, out->names, sizeof *lines, compare_lines);
    out->before = NULL;
    if (compiler->lock != NULL)
        out->before = compiler->lock->source;
    text_append_format(&out->text, "%s\npackage %s\n", head, compiler->schema.contexts[0]->package->name);
    for (size_t i = 0; i < out->names; i++)
        text_append_format(&out->text, "%s\n", lines[i]);
}
