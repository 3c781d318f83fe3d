// Notice: the one file that an inspector writes, by which kin-inspect finds the game (INS-31):
// inspect-PID-N.json in the first folder of kin__folder_open that can be used, readable by its owner alone.
#ifndef KIN_INSPECT_NOTICE_H
#define KIN_INSPECT_NOTICE_H

#include "text/text.h"

typedef struct kin__notice {
    int folder; // -1: nothing was written
    char name[64];
} kin__notice;

// Writes the file. A folder or file that another one has made is left alone.
kin__notice kin__notice_write(const kin__json *json);

// Removes the file.
void kin__notice_remove(kin__notice *notice);

#endif
