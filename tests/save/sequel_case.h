// Sequel case: the functions that decide about components of package sequel, and what they have been called with.
#ifndef KIN_TESTS_SAVE_SEQUEL_CASE_H
#define KIN_TESTS_SAVE_SEQUEL_CASE_H

#include <kin/save.h>

// The calls, by a letter for each component; and what the last record said.
extern char sequel_case_called[8192];
extern uint32_t sequel_case_version;
extern void *sequel_case_user;

// What the functions do beyond their usual: badges are refused, lists have a count without elements, and entities
// without a parent get this one; 0: they get none.
extern bool sequel_case_refuses, sequel_case_gives_wrong_list;
extern kin_entity sequel_case_foster;

#endif
