// Fault: why a file was refused. The first fault is kept; later ones, which follow from it, are ignored.
#ifndef KIN_SRC_FAULT_H
#define KIN_SRC_FAULT_H

#include <kin/error.h>

enum { KIN__FAULT_SIZE = 448 }; // the message of a kin_error has 512

typedef struct kin__fault {
    kin_status status; // KIN_OK: none
    char text[KIN__FAULT_SIZE];
} kin__fault;

#if defined(__MINGW32__)
#define KIN__LIKE_PRINTF(text, arguments) __attribute__((format(gnu_printf, text, arguments)))
#elif defined(__GNUC__)
#define KIN__LIKE_PRINTF(text, arguments) __attribute__((format(printf, text, arguments)))
#else
#define KIN__LIKE_PRINTF(text, arguments)
#endif

// Notes a fault, unless one is noted already. Returns false.
bool kin__fault_note(kin__fault *fault, kin_status status, const char *format, ...) KIN__LIKE_PRINTF(3, 4);

#endif
