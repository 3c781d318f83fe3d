// Past make: the context of the past case for suites that have the types of another package. Each adds or replaces a
// component of an entity.
#ifndef KIN_TESTS_SAVE_PAST_MAKE_H
#define KIN_TESTS_SAVE_PAST_MAKE_H

#include "buffer.h"

enum { PAST_GREEN, PAST_RED, PAST_BLUE };

// Begins an empty context; writes it into a file, as if its package had another name: "present", or one that is not
// shorter than "past".
void past_make_begin(void);
void past_make_end(void);
void past_make_write(buffer *file);
void past_make_write_as(buffer *file, const char *package);

// The badges that were made and not dropped, and the number from which on badges are not loaded.
extern int past_case_badges, past_case_bad_badge;

// The last error that any context of the suites has reported; empty: none.
extern char past_case_error[512];
kin_context_options past_case_options(void);

kin_entity past_make_entity(void);
kin_entity past_make_citizen(void);
void past_make_clear(kin_entity entity);
void past_make_destroy(kin_entity entity);
void past_make_frozen(kin_entity entity);
void past_make_place(kin_entity entity, float x, float y, int16_t cell);
void past_make_speed(kin_entity entity, float x, float y, uint8_t turns);
void past_make_health(kin_entity entity, int16_t hp, int32_t armor);
void past_make_team(kin_entity entity, int side, bool ready);
void past_make_name(kin_entity entity, const char *value, const char *code);
void past_make_grid(kin_entity entity, const int32_t cells[4], float second_spot);
void past_make_path(kin_entity entity, const float *xs, uint32_t count);
void past_make_look(kin_entity entity, const char *model, float size);
void past_make_memo(kin_entity entity, const char *text, uint32_t number);
void past_make_mana(kin_entity entity);
void past_make_wide(kin_entity entity, int64_t big, uint64_t large, int8_t tiny);
void past_make_shift(kin_entity entity, const int32_t row[3], const uint8_t *many, uint32_t count);
void past_make_crown(kin_entity entity, kin_entity of);
void past_make_child(kin_entity entity, kin_entity parent);
void past_make_stash(kin_entity entity); // its memo
void past_make_worn(kin_entity entity, int number);

#endif
