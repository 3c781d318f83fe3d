// Faults: why a file was refused. The first one stays; what follows from it is not noted.
#ifndef KIN_SRC_FAULT_H
#define KIN_SRC_FAULT_H

#include <kin/error.h>

enum { KIN__FAULT_SIZE = 448 }; // the handler's sentence has 512

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

// Notes a fault, unless there is one. Returns false.
bool kin__fault_note(kin__fault *fault, kin_status status, const char *format, ...) KIN__LIKE_PRINTF(3, 4);

#endif
