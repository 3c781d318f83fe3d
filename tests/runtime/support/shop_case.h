// Shop case: a context of package satchel, whose components own lists, with one entity.
#ifndef KIN_TESTS_RUNTIME_SHOP_CASE_H
#define KIN_TESTS_RUNTIME_SHOP_CASE_H

#include "case.h"

#include <satchel/satchel.h>

extern shop_context *shop;
extern shop_entity owner;

// Creates `shop` and `owner`. Checks and destroys them.
void shop_begin(void);
void shop_end(void);

// Adds a bag with these bytes to the owner.
void give_bag(const char *bytes);

// Compares the bytes of a bag, and those of the owner's bag.
void ck_bytes(const Bag *bag, const char *expected);
void ck_bag(const char *expected);

#endif
