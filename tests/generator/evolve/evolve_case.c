#include "evolve_case.h"

#include "generator/base/base.h"
#include "generator/reading.h"

#include <check.h>
#include <string.h>

const char *text_of(const lock *lock)
{
    lock_counts counts;
    text text = text_create(reading_arena());
    lock_append(&text, lock, &counts);
    return text.bytes;
}

lock *parsed(const char *bytes)
{
    const source *source = source_from_bytes(reading_arena(), "arena.lock", bytes, strlen(bytes));
    lock *lock = lock_parse(reading_arena(), reading_diagnostics(), source);
    ck_assert_msg(lock != NULL, "%s\n%s", bytes, reading_printed());
    ck_assert_str_eq(text_of(lock), bytes);
    return lock;
}

package *package_of(const char *rest)
{
    package *package = reading_package_in_game(rest);
    ck_assert_msg(package != NULL, "%s\n%s", rest, reading_printed());
    return package;
}

evolution evolved(const char *rest, const char *before)
{
    lock *lock = before == NULL ? NULL : parsed(before);
    return evolve_package(reading_arena(), reading_diagnostics(), package_of(rest), lock);
}

const char *codes(void)
{
    text text = text_create(reading_arena());
    for (const diagnostic *item = reading_diagnostics()->first; item != NULL; item = item->next)
        text_append_format(&text, "%s%s", text.size == 0 ? "" : " ", diagnostic_code_text(reading_arena(), item->code));
    return text.bytes;
}

const char *summary_of(const evolution *evolution)
{
    text text = text_create(reading_arena());
    evolve_append_summary(&text, evolution);
    text.bytes[text.size - 1] = '\0';
    return text.bytes + strlen("kin: ");
}
