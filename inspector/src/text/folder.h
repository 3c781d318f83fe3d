// Folder: where games leave the files by which terminals of the same user find them (INS-31). The game and kin-inspect
// use the same list, in this order:
//
//   $XDG_RUNTIME_DIR/kin
//   $TMPDIR/kin-UID         without the variable /tmp/kin-UID
//
// A folder is used only if it is no link, belongs to this user, and has the mode 0700: in /tmp anybody can make one.
#ifndef KIN_INSPECT_FOLDER_H
#define KIN_INSPECT_FOLDER_H

#include <stdbool.h>

enum { KIN__FOLDERS = 2 };

// Opens the folder with this number, and if `makes` makes it when it is missing. Returns -1 if it cannot be used.
int kin__folder_open(unsigned number, bool makes);

#endif
