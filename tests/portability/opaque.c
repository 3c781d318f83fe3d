// The functions of the opaque types of the packages past, almanac and archive, for programs without the suites, which
// have others. Those of badges are in tests/save/past_case.c.
#include <schemas/saves/archive_key.h>
#include <schemas/sprite.h>

void token_drop(struct token token)
{
    (void)token;
}

size_t archive_key_save(struct archive_key key, void *bytes, size_t capacity)
{
    if (capacity >= 1)
        *(unsigned char *)bytes = (unsigned char)key.number;
    return 1;
}

bool archive_key_load(struct archive_key *key, const void *bytes, size_t size)
{
    *key = (struct archive_key){.number = size == 0 ? 0 : *(const unsigned char *)bytes};
    return size == 1;
}
