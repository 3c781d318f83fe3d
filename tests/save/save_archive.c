#include "past_make.h"
#include "save_others.h"

#include <archive/archive.h>

static void fill_archive(crypt_context *crypt)
{
    static const int16_t levels[] = {-1, 2, 300};
    crypt_entity one = crypt_create_entity(crypt), two = crypt_spawn_post(crypt);
    crypt_add_spread(crypt, one, (Spread){.number = 7, .at = {8, 9}, .height = 10});
    crypt_add_padded(crypt, two, (Padded){.tiny = -1, .large = 0.1, .tail = 65535});
    crypt_add_route(crypt, one, (Route){.levels = {levels, 3}});
    crypt_add_form(crypt, two, (Form){.side = SIDE_RIGHT, .owner = one, .on = true});
    crypt_add_lock(crypt, two, (Lock){{.number = 5}});
    crypt_set_frozen(crypt, one, true);
}

kin_context *save_archive_create(bool is_filled)
{
    kin_context_options options = past_case_options();
    crypt_context *crypt = crypt_context_create(&options);
    if (crypt != NULL && is_filled)
        fill_archive(crypt);
    return crypt == NULL ? NULL : &crypt->base;
}
