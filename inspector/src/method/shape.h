// Shape: what JSON a result is, written short, and shown as JSON Schema.
//
//   shape  = type [ "?" ]                                               with `?` it may be null
//   type   = "int" | "num" | "text" | "bool" | "any" | "[" shape "]"    an array
//          | "<" shape ">"                                              an object with any names
//          | "{" name [ "~" ] ":" shape { "," … } "}"                   an object; members with `~` may be missing
#ifndef KIN_INSPECT_METHOD_SHAPE_H
#define KIN_INSPECT_METHOD_SHAPE_H

#include "text/text.h"

// Returns the shape of a method's result; "any" if none is written down.
const char *kin__shape_of(const char *method);

// Shows a shape as JSON Schema. Returns what follows the shape.
const char *kin__shape_show(kin__json *json, const char *shape);

#endif
