// Names that a schema cannot have, or should not.
#include "generator/schema/schema.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// ---- reserved names

// Reserved names: keywords, names from common headers, and names used in generated functions.
//
// Every table is in byte order, for bsearch.

// C17 and C23, with the common extensions asm and fortran. Keywords that begin with an underscore are missing: they are
// not valid schema names anyway.
static const char *const keywords_of_c[] = {
    "alignas", "alignof",       "asm",           "auto",     "bool",     "break",        "case",  "char",
    "const",   "constexpr",     "continue",      "default",  "do",       "double",       "else",  "enum",
    "extern",  "false",         "float",         "for",      "fortran",  "goto",         "if",    "inline",
    "int",     "long",          "nullptr",       "register", "restrict", "return",       "short", "signed",
    "sizeof",  "static",        "static_assert", "struct",   "switch",   "thread_local", "true",  "typedef",
    "typeof",  "typeof_unqual", "union",         "unsigned", "void",     "volatile",     "while",
};

// C++20, without those that C has too.
static const char *const keywords_of_cpp[] = {
    "and",       "and_eq",       "bitand",     "bitor",     "catch",     "char16_t",
    "char32_t",  "char8_t",      "class",      "co_await",  "co_return", "co_yield",
    "compl",     "concept",      "const_cast", "consteval", "constinit", "decltype",
    "delete",    "dynamic_cast", "explicit",   "export",    "friend",    "mutable",
    "namespace", "new",          "noexcept",   "not",       "not_eq",    "operator",
    "or",        "or_eq",        "private",    "protected", "public",    "reinterpret_cast",
    "requires",  "static_cast",  "template",   "this",      "throw",     "try",
    "typeid",    "typename",     "using",      "virtual",   "wchar_t",   "xor",
    "xor_eq",
};

// Names from headers that generated code includes, and names built into compilers.
static const char *const names_in_use[] = {
    "NULL",
    "aligned_alloc",
    "dcgettext",
    "fprintf_unlocked",
    "fputc_unlocked",
    "fputs_unlocked",
    "fwrite_unlocked",
    "gamma_r",
    "i386",
    "int16_t",
    "int32_t",
    "int64_t",
    "int8_t",
    "int_fast16_t",
    "int_fast32_t",
    "int_fast64_t",
    "int_fast8_t",
    "int_least16_t",
    "int_least32_t",
    "int_least64_t",
    "int_least8_t",
    "intmax_t",
    "intptr_t",
    "lgamma_r",
    "lgammaf_r",
    "linux",
    "locale_t",
    "max_align_t",
    "nullptr_t",
    "offsetof",
    "posix_memalign",
    "printf_unlocked",
    "ptrdiff_t",
    "putchar_unlocked",
    "puts_unlocked",
    "size_t",
    "strcasecmp_l",
    "strcoll_l",
    "strerror_l",
    "strerror_r",
    "strncasecmp_l",
    "strtok_r",
    "strxfrm_l",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "uint8_t",
    "uint_fast16_t",
    "uint_fast32_t",
    "uint_fast64_t",
    "uint_fast8_t",
    "uint_least16_t",
    "uint_least32_t",
    "uint_least64_t",
    "uint_least8_t",
    "uintmax_t",
    "uintptr_t",
    "unix",
};

// Limits of stdint.h, which an enum Size { Max, Width } or a context `size` would redefine. The widths exist in C++ and
// C23.
//
// clang-format off
static const char *const names_of_limits[] = {
    "INT16_MAX", "INT16_MIN", "INT16_WIDTH", "INT32_MAX", "INT32_MIN", "INT32_WIDTH", "INT64_MAX", "INT64_MIN",
    "INT64_WIDTH", "INT8_MAX", "INT8_MIN", "INT8_WIDTH", "INTMAX_MAX", "INTMAX_MIN", "INTMAX_WIDTH", "INTPTR_MAX",
    "INTPTR_MIN", "INTPTR_WIDTH", "INT_FAST16_MAX", "INT_FAST16_MIN", "INT_FAST16_WIDTH", "INT_FAST32_MAX",
    "INT_FAST32_MIN", "INT_FAST32_WIDTH", "INT_FAST64_MAX", "INT_FAST64_MIN", "INT_FAST64_WIDTH", "INT_FAST8_MAX",
    "INT_FAST8_MIN", "INT_FAST8_WIDTH", "INT_LEAST16_MAX", "INT_LEAST16_MIN", "INT_LEAST16_WIDTH", "INT_LEAST32_MAX",
    "INT_LEAST32_MIN", "INT_LEAST32_WIDTH", "INT_LEAST64_MAX", "INT_LEAST64_MIN", "INT_LEAST64_WIDTH",
    "INT_LEAST8_MAX", "INT_LEAST8_MIN", "INT_LEAST8_WIDTH", "PTRDIFF_MAX", "PTRDIFF_MIN", "PTRDIFF_WIDTH",
    "SIG_ATOMIC_MAX", "SIG_ATOMIC_MIN", "SIG_ATOMIC_WIDTH", "SIZE_MAX", "SIZE_WIDTH", "UINT16_MAX", "UINT16_WIDTH",
    "UINT32_MAX", "UINT32_WIDTH", "UINT64_MAX", "UINT64_WIDTH", "UINT8_MAX", "UINT8_WIDTH", "UINTMAX_MAX",
    "UINTMAX_WIDTH", "UINTPTR_MAX", "UINTPTR_WIDTH", "UINT_FAST16_MAX", "UINT_FAST16_WIDTH", "UINT_FAST32_MAX",
    "UINT_FAST32_WIDTH", "UINT_FAST64_MAX", "UINT_FAST64_WIDTH", "UINT_FAST8_MAX", "UINT_FAST8_WIDTH",
    "UINT_LEAST16_MAX", "UINT_LEAST16_WIDTH", "UINT_LEAST32_MAX", "UINT_LEAST32_WIDTH", "UINT_LEAST64_MAX",
    "UINT_LEAST64_WIDTH", "UINT_LEAST8_MAX", "UINT_LEAST8_WIDTH", "WCHAR_MAX", "WCHAR_MIN", "WCHAR_WIDTH", "WINT_MAX",
    "WINT_MIN", "WINT_WIDTH",
};
// clang-format on

// Functions of the C library and of POSIX.
// clang-format off
static const char *const functions_of_c[] = {
    "abort", "abs", "accept", "access", "acos", "acosh", "alarm", "aligned_alloc", "asctime", "asin", "asinh",
    "at_quick_exit", "atan", "atan2", "atanh", "atexit", "atof", "atoi", "atol", "atoll", "bind", "bsearch", "calloc",
    "cbrt", "ceil", "clearerr", "clock", "close", "connect", "copysign", "cos", "cosh", "ctime", "daemon", "difftime",
    "div", "erf", "erfc", "exit", "exp", "exp2", "expm1", "fabs", "fclose", "fdim", "feof", "ferror", "fflush",
    "fgetc", "fgetpos", "fgets", "floor", "fma", "fmax", "fmin", "fmod", "fopen", "fork", "fprintf", "fputc", "fputs",
    "fread", "free", "freopen", "frexp", "fscanf", "fseek", "fsetpos", "ftell", "fwrite", "gamma", "getc", "getchar",
    "getenv", "gets", "gmtime", "hypot", "ilogb", "index", "isalnum", "isalpha", "isblank", "iscntrl", "isdigit",
    "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit", "kill", "labs", "ldexp", "ldiv",
    "lgamma", "link", "listen", "llabs", "lldiv", "llrint", "llround", "localtime", "log", "log10", "log1p", "log2",
    "logb", "longjmp", "lrint", "lround", "main", "malloc", "mblen", "mbstowcs", "mbtowc", "memchr", "memcmp",
    "memcpy", "memmove", "memset", "mktime", "modf", "nan", "nearbyint", "nextafter", "nexttoward", "nice", "open",
    "pause", "perror", "pipe", "poll", "pow", "printf", "putc", "putchar", "puts", "qsort", "quick_exit", "raise",
    "rand", "random", "read", "realloc", "recv", "remainder", "remove", "remquo", "rename", "rewind", "rindex",
    "rint", "round", "scalbln", "scalbn", "scanf", "select", "send", "setbuf", "setjmp", "setvbuf", "shutdown",
    "signal", "sin", "sinh", "sleep", "snprintf", "socket", "sprintf", "sqrt", "srand", "sscanf", "stat", "strcat",
    "strchr", "strcmp", "strcoll", "strcpy", "strcspn", "strerror", "strftime", "strlen", "strncat", "strncmp",
    "strncpy", "strpbrk", "strrchr", "strspn", "strstr", "strtod", "strtof", "strtok", "strtol", "strtold", "strtoll",
    "strtoul", "strtoull", "strxfrm", "swab", "symlink", "sync", "syscall", "system", "tan", "tanh", "tgamma", "time",
    "times", "tmpfile", "tmpnam", "tolower", "toupper", "trunc", "truncate", "ungetc", "unlink", "vfork", "vfprintf",
    "vfscanf", "vprintf", "vscanf", "vsnprintf", "vsprintf", "vsscanf", "wait", "wcstombs", "wctomb", "write",
};
// clang-format on

// The other parameters and the locals of generated functions that take a context, and the functions that they call.
static const char *const parameters[] = {
    "a",       "ancestor", "b",          "batch",   "birth",    "bytes",   "capacity", "changes",  "columns",
    "command", "commands", "components", "context", "contexts", "copy",    "count",    "entities", "entity",
    "environ", "from",     "function",   "holder",  "i",        "index",   "it",       "iterator", "job",
    "key",     "listener", "mask",       "matcher", "memcpy",   "memset",  "on",       "options",  "owner",
    "place",   "playback", "replace",    "result",  "run",      "sibling", "solo",     "source",   "spawned",
    "status",  "target",   "to",         "user",    "value",    "values",  "way",
};

// Suffixes of types and variables generated for a context or group, which a parameter of the same name would shadow.
static const char *const endings[] = {"_component", "_context",  "_entity", "_info",
                                      "_iter",      "_listener", "_value",  "_values"};

static int compare(const void *key, const void *element)
{
    return strcmp(key, *(const char *const *)element);
}

// Returns false for most names that no table has: a schema defines many names, of which hardly one is listed.
static bool may_be_listed(const char *name);

static bool contains(const char *const *table, size_t count, const char *name)
{
    return may_be_listed(name) && bsearch(name, table, count, sizeof *table, compare) != NULL;
}

#define CONTAINS(table, name) contains(table, sizeof table / sizeof table[0], name)

const char *name_reserved_as(const char *name)
{
    if (CONTAINS(keywords_of_c, name))
        return "a keyword of C";
    if (CONTAINS(keywords_of_cpp, name))
        return "a keyword of C++";
    if (CONTAINS(names_in_use, name) || CONTAINS(names_of_limits, name))
        return "a name that C headers define";
    return NULL;
}

const char *name_as_member(arena *arena, const char *name)
{
    assert(name_is_identifier(name));
    if (name_reserved_as(name) == NULL)
        return name;
    return arena_format(arena, "%s_", name);
}

bool name_is_function(const char *name)
{
    bool is_namespace = strcmp(name, "kin") == 0 || strcmp(name, "std") == 0; // in C++
    bool is_of_kin = strncmp(name, "kin__", strlen("kin__")) == 0;
    return name_is_identifier(name) && name_reserved_as(name) == NULL && !is_namespace && !is_of_kin;
}

bool name_is_of_library(const char *name)
{
    return CONTAINS(functions_of_c, name);
}

bool name_is_parameter(const char *name)
{
    assert(name_is_identifier(name));
    if (CONTAINS(parameters, name) || strncmp(name, "kin_", strlen("kin_")) == 0)
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (text_ends_in(name, endings[i]))
            return false;
    return true;
}

// ---- names of headers

// Names that headers define and generated code does not include: macros, which would expand inside generated code;
// types, which it would redeclare; and functions that a type or only the name of a context with a group could equal.
//
// If a program includes those headers before generated ones, the generated ones may not compile. Function-like macros,
// such as min and max of windows.h, are not listed, since no field or type is called with parentheses; nor are the
// format macros of inttypes.h, names of curses.h and windows.h with prefixes of their own, such as WM_ and A_, and
// names of more than two words.
//
// The names of windows.h are those of mingw-w64-common 10.0.0, those of X11 are of libx11-dev 1.8.4 and x11proto-dev
// 2022.1 (X.h, Xlib.h and Xutil.h), those of curses.h of libncurses-dev 6.4. Tables are in byte order, for bsearch.

// clang-format off
// C and POSIX, with termios.h.
static const char *const names_of_headers[] = {
    "ATOMIC_BOOL_LOCK_FREE", "ATOMIC_CHAR16_T_LOCK_FREE", "ATOMIC_CHAR32_T_LOCK_FREE", "ATOMIC_CHAR_LOCK_FREE",
    "ATOMIC_FLAG_INIT", "ATOMIC_INT_LOCK_FREE", "ATOMIC_LLONG_LOCK_FREE", "ATOMIC_LONG_LOCK_FREE",
    "ATOMIC_POINTER_LOCK_FREE", "ATOMIC_SHORT_LOCK_FREE", "ATOMIC_WCHAR_T_LOCK_FREE", "B0", "B1000000", "B110",
    "B115200", "B1152000", "B1200", "B134", "B150", "B1500000", "B1800", "B19200", "B200", "B2000000", "B230400",
    "B2400", "B2500000", "B300", "B3000000", "B3500000", "B38400", "B4000000", "B460800", "B4800", "B50", "B500000",
    "B57600", "B576000", "B600", "B75", "B921600", "B9600", "BRKINT", "BS0", "BS1", "BSDLY", "BUFSIZ", "CBAUD",
    "CBAUDEX", "CBRK", "CDISCARD", "CDSUSP", "CEOF", "CEOL", "CEOT", "CERASE", "CFLUSH", "CHAR_BIT", "CHAR_MAX",
    "CHAR_MIN", "CIBAUD", "CINTR", "CKILL", "CLNEXT", "CLOCAL", "CLOCKS_PER_SEC", "CMIN", "CMSPAR", "CQUIT", "CR0",
    "CR1", "CR2", "CR3", "CRDLY", "CREAD", "CREPRINT", "CRPRNT", "CRTSCTS", "CS5", "CS6", "CS7", "CS8", "CSIZE",
    "CSTART", "CSTATUS", "CSTOP", "CSTOPB", "CSUSP", "CTIME", "CWERASE", "DBL_DECIMAL_DIG", "DBL_DIG", "DBL_EPSILON",
    "DBL_HAS_SUBNORM", "DBL_MANT_DIG", "DBL_MAX", "DBL_MAX_10_EXP", "DBL_MAX_EXP", "DBL_MIN", "DBL_MIN_10_EXP",
    "DBL_MIN_EXP", "DBL_TRUE_MIN", "DECIMAL_DIG", "DIR", "E2BIG", "EACCES", "EADDRINUSE", "EADDRNOTAVAIL", "EADV",
    "EAFNOSUPPORT", "EAGAIN", "EALREADY", "EBADE", "EBADF", "EBADFD", "EBADMSG", "EBADR", "EBADRQC", "EBADSLT",
    "EBFONT", "EBUSY", "ECANCELED", "ECHILD", "ECHO", "ECHOCTL", "ECHOE", "ECHOK", "ECHOKE", "ECHONL", "ECHOPRT",
    "ECHRNG", "ECOMM", "ECONNABORTED", "ECONNREFUSED", "ECONNRESET", "EDEADLK", "EDEADLOCK", "EDESTADDRREQ", "EDOM",
    "EDOTDOT", "EDQUOT", "EEXIST", "EFAULT", "EFBIG", "EHOSTDOWN", "EHOSTUNREACH", "EHWPOISON", "EIDRM", "EILSEQ",
    "EINPROGRESS", "EINTR", "EINVAL", "EIO", "EISCONN", "EISDIR", "EISNAM", "EKEYEXPIRED", "EKEYREJECTED",
    "EKEYREVOKED", "EL2HLT", "EL2NSYNC", "EL3HLT", "EL3RST", "ELIBACC", "ELIBBAD", "ELIBEXEC", "ELIBMAX", "ELIBSCN",
    "ELNRNG", "ELOOP", "EMEDIUMTYPE", "EMFILE", "EMLINK", "EMSGSIZE", "EMULTIHOP", "ENAMETOOLONG", "ENAVAIL",
    "ENETDOWN", "ENETRESET", "ENETUNREACH", "ENFILE", "ENOANO", "ENOBUFS", "ENOCSI", "ENODATA", "ENODEV", "ENOENT",
    "ENOEXEC", "ENOKEY", "ENOLCK", "ENOLINK", "ENOMEDIUM", "ENOMEM", "ENOMSG", "ENONET", "ENOPKG", "ENOPROTOOPT",
    "ENOSPC", "ENOSR", "ENOSTR", "ENOSYS", "ENOTBLK", "ENOTCONN", "ENOTDIR", "ENOTEMPTY", "ENOTNAM", "ENOTRECOVERABLE",
    "ENOTSOCK", "ENOTSUP", "ENOTTY", "ENOTUNIQ", "ENXIO", "EOF", "EOPNOTSUPP", "EOVERFLOW", "EOWNERDEAD", "EPERM",
    "EPFNOSUPPORT", "EPIPE", "EPROTO", "EPROTONOSUPPORT", "EPROTOTYPE", "ERANGE", "EREMCHG", "EREMOTE", "EREMOTEIO",
    "ERESTART", "ERFKILL", "EROFS", "ESHUTDOWN", "ESOCKTNOSUPPORT", "ESPIPE", "ESRCH", "ESRMNT", "ESTALE", "ESTRPIPE",
    "ETIME", "ETIMEDOUT", "ETOOMANYREFS", "ETXTBSY", "EUCLEAN", "EUNATCH", "EUSERS", "EWOULDBLOCK", "EXDEV", "EXFULL",
    "EXIT_FAILURE", "EXIT_SUCCESS", "EXTA", "EXTB", "EXTPROC", "FE_ALL_EXCEPT", "FE_DFL_ENV", "FE_DIVBYZERO",
    "FE_DOWNWARD", "FE_INEXACT", "FE_INVALID", "FE_OVERFLOW", "FE_TONEAREST", "FE_TOWARDZERO", "FE_UNDERFLOW",
    "FE_UPWARD", "FF0", "FF1", "FFDLY", "FILE", "FILENAME_MAX", "FLT_DECIMAL_DIG", "FLT_DIG", "FLT_EPSILON",
    "FLT_EVAL_METHOD", "FLT_HAS_SUBNORM", "FLT_MANT_DIG", "FLT_MAX", "FLT_MAX_10_EXP", "FLT_MAX_EXP", "FLT_MIN",
    "FLT_MIN_10_EXP", "FLT_MIN_EXP", "FLT_RADIX", "FLT_ROUNDS", "FLT_TRUE_MIN", "FLUSHO", "FOPEN_MAX", "FP_ILOGB0",
    "FP_ILOGBNAN", "FP_INFINITE", "FP_NAN", "FP_NORMAL", "FP_SUBNORMAL", "FP_ZERO", "HUGE_VAL", "HUGE_VALF",
    "HUGE_VALL", "HUPCL", "I", "ICANON", "ICRNL", "IEXTEN", "IGNBRK", "IGNCR", "IGNPAR", "IMAXBEL", "INFINITY",
    "INLCR", "INPCK", "INT_MAX", "INT_MIN", "ISIG", "ISTRIP", "IUCLC", "IUTF8", "IXANY", "IXOFF", "IXON", "LC_ADDRESS",
    "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_IDENTIFICATION", "LC_MEASUREMENT", "LC_MESSAGES", "LC_MONETARY", "LC_NAME",
    "LC_NUMERIC", "LC_PAPER", "LC_TELEPHONE", "LC_TIME", "LDBL_DECIMAL_DIG", "LDBL_DIG", "LDBL_EPSILON",
    "LDBL_HAS_SUBNORM", "LDBL_MANT_DIG", "LDBL_MAX", "LDBL_MAX_10_EXP", "LDBL_MAX_EXP", "LDBL_MIN", "LDBL_MIN_10_EXP",
    "LDBL_MIN_EXP", "LDBL_TRUE_MIN", "LLONG_MAX", "LLONG_MIN", "LONG_MAX", "LONG_MIN", "L_tmpnam", "MATH_ERREXCEPT",
    "MATH_ERRNO", "MB_CUR_MAX", "MB_LEN_MAX", "NAME_MAX", "NAN", "NCCS", "NDEBUG", "NL0", "NL1", "NLDLY", "NOFLSH",
    "OCRNL", "OFDEL", "OFILL", "OLCUC", "ONCE_FLAG_INIT", "ONLCR", "ONLRET", "ONOCR", "OPOST", "PARENB", "PARMRK",
    "PARODD", "PATH_MAX", "PENDIN", "RAND_MAX", "RSIZE_MAX", "SCHAR_MAX", "SCHAR_MIN", "SEEK_CUR", "SEEK_END",
    "SEEK_SET", "SHRT_MAX", "SHRT_MIN", "SIGABRT", "SIGALRM", "SIGBUS", "SIGCHLD", "SIGCLD", "SIGCONT", "SIGFPE",
    "SIGHUP", "SIGILL", "SIGINT", "SIGIO", "SIGIOT", "SIGKILL", "SIGPIPE", "SIGPOLL", "SIGPROF", "SIGPWR", "SIGQUIT",
    "SIGRTMAX", "SIGRTMIN", "SIGSEGV", "SIGSTKFLT", "SIGSTOP", "SIGSYS", "SIGTERM", "SIGTRAP", "SIGTSTP", "SIGTTIN",
    "SIGTTOU", "SIGURG", "SIGUSR1", "SIGUSR2", "SIGVTALRM", "SIGWINCH", "SIGXCPU", "SIGXFSZ", "SIG_DFL", "SIG_ERR",
    "SIG_IGN", "TAB0", "TAB1", "TAB2", "TAB3", "TABDLY", "TCIFLUSH", "TCIOFF", "TCIOFLUSH", "TCION", "TCOFLUSH",
    "TCOOFF", "TCOON", "TCSADRAIN", "TCSAFLUSH", "TCSANOW", "TIME_UTC", "TMP_MAX", "TOSTOP", "TSS_DTOR_ITERATIONS",
    "UCHAR_MAX", "UINT_MAX", "ULLONG_MAX", "ULONG_MAX", "USHRT_MAX", "VDISCARD", "VEOF", "VEOL", "VEOL2", "VERASE",
    "VINTR", "VKILL", "VLNEXT", "VMIN", "VQUIT", "VREPRINT", "VSTART", "VSTOP", "VSUSP", "VSWTC", "VT0", "VT1",
    "VTDLY", "VTIME", "VWERASE", "WEOF", "XCASE", "XTABS", "assert", "at_quick_exit", "atomic_compare_exchange_strong",
    "atomic_compare_exchange_weak", "atomic_exchange", "atomic_fetch_add", "atomic_fetch_and", "atomic_fetch_or",
    "atomic_fetch_sub", "atomic_fetch_xor", "atomic_flag_clear", "atomic_flag_test_and_set", "atomic_init",
    "atomic_is_lock_free", "atomic_load", "atomic_load_explicit", "atomic_signal_fence", "atomic_store",
    "atomic_store_explicit", "atomic_thread_fence", "call_once", "clock_getres", "clock_gettime", "clock_nanosleep",
    "clock_settime", "clock_t", "cnd_broadcast", "cnd_destroy", "cnd_init", "cnd_signal", "cnd_timedwait", "cnd_wait",
    "complex", "div_t", "double_t", "errno", "float_t", "fpos_t", "gid_t", "imaginary", "jmp_buf", "kill_dependency",
    "ldiv_t", "lldiv_t", "math_errhandling", "mbstate_t", "mode_t", "mq_close", "mq_getattr", "mq_notify", "mq_open",
    "mq_receive", "mq_send", "mq_setattr", "mq_unlink", "mtx_destroy", "mtx_init", "mtx_lock", "mtx_timedlock",
    "mtx_trylock", "mtx_unlock", "noreturn", "off_t", "pid_t", "posix_spawn", "pthread_cancel", "pthread_create",
    "pthread_detach", "pthread_equal", "pthread_exit", "pthread_join", "pthread_once", "pthread_self", "quick_exit",
    "sched_yield", "sem_close", "sem_destroy", "sem_getvalue", "sem_init", "sem_open", "sem_post", "sem_timedwait",
    "sem_trywait", "sem_unlink", "sem_wait", "setjmp", "sig_atomic_t", "ssize_t", "stderr", "stdin", "stdout",
    "thrd_create", "thrd_current", "thrd_detach", "thrd_equal", "thrd_exit", "thrd_join", "thrd_sleep", "thrd_yield",
    "time_t", "timer_create", "timer_delete", "timer_gettime", "timer_settime", "timer_t", "timespec_get",
    "tss_create", "tss_delete", "tss_get", "tss_set", "uid_t", "va_arg", "va_copy", "va_end", "va_list", "va_start",
    "wctrans_t", "wctype_t", "wint_t",
};

static const char *const names_of_windows[] = {
    "ABC", "ABCFLOAT", "ABORTDOC", "ABSOLUTE", "ACCEL", "ACL", "ACTCTXA", "ACTCTXW", "APIENTRY", "ASPECTX", "ASPECTXY",
    "ASPECTY", "ATOM", "AUXCAPSA", "AUXCAPSW", "AddAtom", "AnsiLower", "AnsiNext", "AnsiPrev", "AnsiUpper",
    "AppendMenu", "Arc", "BANDINFO", "BCHAR", "BITMAP", "BOOL", "BOOLEAN", "BSMINFO", "BYTE", "Beep", "CALID",
    "CALLBACK", "CALTYPE", "CCHAR", "CDECL", "CHAR", "CIEXYZ", "CLIPCAPS", "CLRBREAK", "CLRDTR", "CLRRTS", "COINIT",
    "COLORREF", "COLORRES", "COLOR_3DDKSHADOW", "COLOR_3DFACE", "COLOR_3DHIGHLIGHT", "COLOR_3DHILIGHT",
    "COLOR_3DLIGHT", "COLOR_3DSHADOW", "COLOR_ACTIVEBORDER", "COLOR_APPWORKSPACE", "COLOR_BACKGROUND", "COLOR_BTNFACE",
    "COLOR_BTNHIGHLIGHT", "COLOR_BTNHILIGHT", "COLOR_BTNSHADOW", "COLOR_BTNTEXT", "COLOR_CAPTIONTEXT", "COLOR_DESKTOP",
    "COLOR_GRAYTEXT", "COLOR_HIGHLIGHT", "COLOR_HOTLIGHT", "COLOR_INFOBK", "COLOR_INFOTEXT", "COLOR_MENU",
    "COLOR_MENUBAR", "COLOR_MENUHILIGHT", "COLOR_MENUTEXT", "COLOR_SCROLLBAR", "COLOR_WINDOW", "COLOR_WINDOWFRAME",
    "COLOR_WINDOWTEXT", "COMMPROP", "COMSD", "COMSTAT", "CONST", "CONTEXT", "COORD", "CPINFO", "CRC", "ChangeMenu",
    "CharLower", "CharNext", "CharPrev", "CharUpper", "ChooseColor", "ChooseFont", "Chord", "CompareString",
    "CopyFile", "CreateDesktop", "CreateDialog", "CreateDirectory", "CreateEvent", "CreateFile", "CreateFont",
    "CreateMailslot", "CreateMutex", "CreateProcess", "CreateSemaphore", "CreateWindow", "DCB", "DELETE", "DEVMODEA",
    "DEVMODEW", "DEVNAMES", "DLGPROC", "DOCINFOA", "DOCINFOW", "DWORD", "DecryptFile", "DeleteFile", "DialogBox",
    "DispatchMessage", "DrawState", "DrawText", "EMR", "EMRARC", "EMREOF", "EMRTEXT", "ENDDOC", "ERROR",
    "ERROR_ALERTED", "ERROR_BADDB", "ERROR_BADKEY", "ERROR_BUSY", "ERROR_CANCELLED", "ERROR_CANTOPEN",
    "ERROR_CANTREAD", "ERROR_CANTWRITE", "ERROR_CONTINUE", "ERROR_CRC", "ERROR_DIRECTORY", "ERROR_DISCARDED",
    "ERROR_EMPTY", "ERROR_LOCKED", "ERROR_NOACCESS", "ERROR_OUTOFMEMORY", "ERROR_RETRY", "ERROR_SEEK", "ERROR_SUCCESS",
    "ERROR_SWAPERROR", "ERROR_TIMEOUT", "EVENTMSG", "EVENT_MAX", "EVENT_MIN", "Ellipse", "EncryptFile", "EnumDesktops",
    "EnumFonts", "EnumProps", "Escape", "ExtractIcon", "FALSE", "FALT", "FAR", "FASTCALL", "FCHAR", "FCONTROL",
    "FILETIME", "FILE_BEGIN", "FILE_CREATE", "FILE_CURRENT", "FILE_ENCRYPTABLE", "FILE_END", "FILE_EXECUTE",
    "FILE_OPEN", "FILE_OVERWRITE", "FILE_SUPERSEDE", "FILE_TRAVERSE", "FILE_UNKNOWN", "FIOASYNC", "FIONBIO",
    "FIONREAD", "FIXED", "FLOAT", "FLONG", "FOURCC", "FSHIFT", "FSHORT", "FVIRTKEY", "FindAtom", "FindExecutable",
    "FindResource", "FindText", "FindWindow", "FoldString", "FormatMessage", "GEOCLASS", "GEOID", "GEOTYPE", "GHND",
    "GLYPHSET", "GPTR", "GetCurrentTime", "GetMessage", "GetObject", "GetProp", "GrayString", "HALFTONE", "HANDLE",
    "HCURSOR", "HDWP", "HELPINFO", "HELPPOLY", "HFILE", "HGDIOBJ", "HGLOBAL", "HLOCAL", "HMODULE", "HOOKPROC",
    "HORZRES", "HORZSIZE", "HPCON", "HPSTR", "HRESULT", "HTBORDER", "HTBOTTOM", "HTCLIENT", "HTCLOSE", "HTERROR",
    "HTHELP", "HTLEFT", "HTMENU", "HTOBJECT", "HTREDUCE", "HTRIGHT", "HTSIZE", "HTTOP", "HTZOOM", "HUGEP", "ICONINFO",
    "IDABORT", "IDCANCEL", "IDCLOSE", "IDHELP", "IDIGNORE", "IDNO", "IDOK", "IDRETRY", "IDYES", "IGNORE",
    "IMAGE_BITMAP", "IMAGE_CURSOR", "IMAGE_ENHMETAFILE", "IMAGE_ICON", "IN", "INFINITE", "INPUT", "INT",
    "InitiateShutdown", "InsertMenu", "JOYCAPSA", "JOYCAPSW", "JOYINFO", "KEY_EVENT", "KEY_EXECUTE", "KEY_NOTIFY",
    "KEY_READ", "KEY_WRITE", "LANGID", "LCID", "LCTYPE", "LGRPID", "LINECAPS", "LOGBRUSH", "LOGFONTA", "LOGFONTW",
    "LOGPEN", "LONG", "LONGLONG", "LRESULT", "LSTATUS", "LUID", "LoadAccelerators", "LoadBitmap", "LoadCursor",
    "LoadIcon", "LoadImage", "LoadLibrary", "LoadMenu", "LoadString", "LogonUser", "MAXBYTE", "MAXCHAR", "MAXDWORD",
    "MAXLONG", "MAXSHORT", "MAXWORD", "MCIERROR", "MENUINFO", "MIDIHDR", "MINCHAR", "MINLONG", "MINSHORT", "MMCKINFO",
    "MMIOINFO", "MMRESULT", "MMTIME", "MOUSE_EVENT", "MOUSE_HWHEELED", "MOUSE_MOVED", "MOUSE_WHEELED", "MSG",
    "MemoryBarrier", "MessageBox", "ModifyMenu", "MoveFile", "NEAR", "NEWFRAME", "NEXTBAND", "NMHDR", "NOERROR",
    "NOPARITY", "NTAPI", "NTSYSAPI", "NUMFONTS", "NUMPENS", "OBJECTID", "OFSTRUCT", "OPAQUE", "OPTIONAL",
    "OUT", "OpenDesktop", "OpenEvent", "OpenMutex", "OpenSemaphore", "PASCAL", "PATCOPY", "PATPAINT", "PLANES", "PSZ",
    "PURE", "PeekMessage", "Pie", "PlaySound", "Polygon", "Polyline", "PostMessage", "PrintDlg", "RAWHID", "RAWINPUT",
    "RAWMOUSE", "RECT", "RECTL", "REGCLS", "REGSAM", "RELATIVE", "RESETDEV", "RGBQUAD", "RGNDATA", "ReadConsole",
    "Rectangle", "RegisterClass", "RemoveDirectory", "RemoveProp", "ReplaceFile", "ReplaceText", "ReportEvent",
    "SETBREAK", "SETDTR", "SETRTS", "SETXOFF", "SETXON", "SHDOCAPI", "SHORT", "SHSTDAPI", "SID", "SIZE", "SIZEL",
    "SNDMSG", "SPHANDLE", "SRCAND", "SRCCOPY", "SRCERASE", "SRCPAINT", "STARTDOC", "STATUS_BREAKPOINT",
    "STATUS_LONGJUMP", "STATUS_PENDING", "STATUS_TIMEOUT", "STDAPI", "STDAPIV", "STGFMT", "STRICT", "SYSRGN",
    "SendMessage", "SetProp", "ShellAbout", "ShellExecute", "Sleep", "StartDoc", "TEXTCAPS", "THIS", "TIMECAPS",
    "TRUE", "TextOut", "UCHAR", "UCSCHAR", "UINT", "ULONG", "USHORT", "USN", "UnregisterClass", "UpdateResource",
    "VALENTA", "VALENTW", "VERTRES", "VERTSIZE", "VOID", "VREFRESH", "WAVEHDR", "WCHAR", "WCRANGE", "WGLSWAP",
    "WINAPI", "WINAPIV", "WINBOOL", "WINDING", "WINMMAPI", "WINVER", "WORD", "WPARAM", "WSAAPI", "WSAEBADF",
    "WSAEINTR", "WSAELOOP", "WinHelp", "WriteConsole", "XFORM", "YieldProcessor", "cdecl", "far", "hyper", "interface",
    "near", "pascal", "small",
};

static const char *const names_of_x11[] = {
    "Above", "AllHints", "AllPlanes", "AllTemporary", "AllValues", "AllocAll", "AllocNone", "AllowExposures",
    "AlreadyGrabbed", "Always", "AnyButton", "AnyKey", "AnyModifier", "AnyPropertyType", "ArcChord", "ArcPieSlice",
    "AsyncBoth", "AsyncKeyboard", "AsyncPointer", "Atom", "AutoRepeatModeDefault", "AutoRepeatModeOff",
    "AutoRepeatModeOn", "BadAccess", "BadAlloc", "BadAtom", "BadColor", "BadCursor", "BadDrawable", "BadFont", "BadGC",
    "BadIDChoice", "BadImplementation", "BadLength", "BadMatch", "BadName", "BadPixmap", "BadRequest", "BadValue",
    "BadWindow", "Below", "BitmapFileInvalid", "BitmapNoMemory", "BitmapOpenFailed", "BitmapSuccess", "Bool",
    "BottomIf", "Button1", "Button1Mask", "Button1MotionMask", "Button2", "Button2Mask", "Button2MotionMask",
    "Button3", "Button3Mask", "Button3MotionMask", "Button4", "Button4Mask", "Button4MotionMask", "Button5",
    "Button5Mask", "Button5MotionMask", "ButtonMotionMask", "ButtonPress", "ButtonPressMask", "ButtonRelease",
    "ButtonReleaseMask", "CapButt", "CapNotLast", "CapProjecting", "CapRound", "CenterGravity", "CirculateNotify",
    "CirculateRequest", "ClientMessage", "ClipByChildren", "Colormap", "ColormapChangeMask", "ColormapInstalled",
    "ColormapNotify", "ColormapUninstalled", "Complex", "ConfigureNotify", "ConfigureRequest", "ControlMapIndex",
    "ControlMask", "Convex", "CoordModeOrigin", "CoordModePrevious", "CopyFromParent", "CreateNotify", "CurrentTime",
    "Cursor", "CursorShape", "DefaultBlanking", "DefaultExposures", "Depth", "DestroyAll", "DestroyNotify",
    "DirectColor", "DisableAccess", "DisableScreenInterval", "DisableScreenSaver", "Display", "DoBlue", "DoGreen",
    "DoRed", "DontAllowExposures", "DontCareState", "DontPreferBlanking", "Drawable", "EastGravity", "EnableAccess",
    "EnterNotify", "EnterWindowMask", "EvenOddRule", "Expose", "ExposureMask", "False", "FamilyChaos", "FamilyDECnet",
    "FamilyInternet", "FamilyInternet6", "FamilyServerInterpreted", "FillOpaqueStippled", "FillSolid", "FillStippled",
    "FillTiled", "FirstExtensionError", "FocusChangeMask", "FocusIn", "FocusOut", "Font", "FontChange",
    "FontLeftToRight", "FontRightToLeft", "ForgetGravity", "GC", "GCArcMode", "GCBackground", "GCCapStyle",
    "GCClipMask", "GCClipXOrigin", "GCClipYOrigin", "GCDashList", "GCDashOffset", "GCFillRule", "GCFillStyle",
    "GCFont", "GCForeground", "GCFunction", "GCGraphicsExposures", "GCJoinStyle", "GCLastBit", "GCLineStyle",
    "GCLineWidth", "GCPlaneMask", "GCStipple", "GCSubwindowMode", "GCTile", "GCTileStipXOrigin", "GCTileStipYOrigin",
    "GContext", "GenericEvent", "GrabFrozen", "GrabInvalidTime", "GrabModeAsync", "GrabModeSync", "GrabNotViewable",
    "GrabSuccess", "GraphicsExpose", "GravityNotify", "GrayScale", "HeightValue", "HostDelete", "HostInsert",
    "IconMaskHint", "IconPixmapHint", "IconPositionHint", "IconWindowHint", "IconicState", "InactiveState",
    "IncludeInferiors", "InputFocus", "InputHint", "InputOnly", "InputOutput", "IsUnmapped", "IsUnviewable",
    "IsViewable", "JoinBevel", "JoinMiter", "JoinRound", "KBAutoRepeatMode", "KBBellDuration", "KBBellPercent",
    "KBBellPitch", "KBKey", "KBKeyClickPercent", "KBLed", "KBLedMode", "KeyCode", "KeyPress", "KeyPressMask",
    "KeyRelease", "KeyReleaseMask", "KeySym", "KeymapNotify", "KeymapStateMask", "LSBFirst", "LastExtensionError",
    "LeaveNotify", "LeaveWindowMask", "LedModeOff", "LedModeOn", "LineDoubleDash", "LineOnOffDash", "LineSolid",
    "LockMapIndex", "LockMask", "LowerHighest", "MSBFirst", "MapNotify", "MapRequest", "MappingBusy", "MappingFailed",
    "MappingKeyboard", "MappingModifier", "MappingNotify", "MappingPointer", "MappingSuccess", "Mask", "Mod1MapIndex",
    "Mod1Mask", "Mod2MapIndex", "Mod2Mask", "Mod3MapIndex", "Mod3Mask", "Mod4MapIndex", "Mod4Mask", "Mod5MapIndex",
    "Mod5Mask", "MotionNotify", "NeedFunctionPrototypes", "NeedNestedPrototypes", "NeedVarargsPrototypes",
    "NeedWidePrototypes", "NoEventMask", "NoExpose", "NoSymbol", "NoValue", "Nonconvex", "None", "NormalState",
    "NorthEastGravity", "NorthGravity", "NorthWestGravity", "NotUseful", "NotifyAncestor", "NotifyDetailNone",
    "NotifyGrab", "NotifyHint", "NotifyInferior", "NotifyNonlinear", "NotifyNonlinearVirtual", "NotifyNormal",
    "NotifyPointer", "NotifyPointerRoot", "NotifyUngrab", "NotifyVirtual", "NotifyWhileGrabbed", "Opposite",
    "OwnerGrabButtonMask", "PAllHints", "PAspect", "PBaseSize", "PMaxSize", "PMinSize", "PPosition", "PResizeInc",
    "PSize", "PWinGravity", "ParentRelative", "Pixmap", "PlaceOnBottom", "PlaceOnTop", "PointerMotionHintMask",
    "PointerMotionMask", "PointerRoot", "PointerWindow", "PreferBlanking", "PropModeAppend", "PropModePrepend",
    "PropModeReplace", "PropertyChangeMask", "PropertyDelete", "PropertyNewValue", "PropertyNotify", "PseudoColor",
    "QueuedAfterFlush", "QueuedAfterReading", "QueuedAlready", "RaiseLowest", "RectangleIn", "RectangleOut",
    "RectanglePart", "ReleaseByFreeingColormap", "ReparentNotify", "ReplayKeyboard", "ReplayPointer",
    "ResizeRedirectMask", "ResizeRequest", "RetainPermanent", "RetainTemporary", "RevertToNone", "RevertToParent",
    "RevertToPointerRoot", "Screen", "ScreenFormat", "ScreenSaverActive", "ScreenSaverReset", "SelectionClear",
    "SelectionNotify", "SelectionRequest", "SetModeDelete", "SetModeInsert", "ShiftMapIndex", "ShiftMask",
    "SouthEastGravity", "SouthGravity", "SouthWestGravity", "StateHint", "StaticColor", "StaticGravity", "StaticGray",
    "Status", "StippleShape", "StructureNotifyMask", "SubstructureNotifyMask", "SubstructureRedirectMask", "Success",
    "SyncBoth", "SyncKeyboard", "SyncPointer", "TileShape", "Time", "TopIf", "True", "TrueColor", "USPosition",
    "USSize", "UnmapGravity", "UnmapNotify", "Unsorted", "VisibilityChangeMask", "VisibilityFullyObscured",
    "VisibilityNotify", "VisibilityPartiallyObscured", "VisibilityUnobscured", "Visual", "VisualAllMask",
    "VisualBitsPerRGBMask", "VisualBlueMaskMask", "VisualClassMask", "VisualColormapSizeMask", "VisualDepthMask",
    "VisualGreenMaskMask", "VisualID", "VisualIDMask", "VisualNoMask", "VisualRedMaskMask", "VisualScreenMask",
    "WestGravity", "WhenMapped", "WidthValue", "WindingRule", "Window", "WindowGroupHint", "WithdrawnState", "XID",
    "XlibSpecificationRelease", "YNegative", "YSorted", "YValue", "YXBanded", "YXSorted", "ZPixmap", "ZoomState",
};

static const char *const names_of_curses[] = {
    "A_ALTCHARSET", "A_ATTRIBUTES", "A_BLINK", "A_BOLD", "A_CHARTEXT", "A_COLOR", "A_DIM", "A_HORIZONTAL", "A_INVIS",
    "A_ITALIC", "A_LEFT", "A_LOW", "A_NORMAL", "A_PROTECT", "A_REVERSE", "A_RIGHT", "A_STANDOUT", "A_TOP",
    "A_UNDERLINE", "A_VERTICAL", "BUTTON_ALT", "BUTTON_CTRL", "BUTTON_SHIFT", "COLOR_BLACK", "COLOR_BLUE",
    "COLOR_CYAN", "COLOR_GREEN", "COLOR_MAGENTA", "COLOR_RED", "COLOR_WHITE", "COLOR_YELLOW", "ERR", "FALSE", "KEY_A1",
    "KEY_A3", "KEY_B2", "KEY_BACKSPACE", "KEY_BEG", "KEY_BREAK", "KEY_BTAB", "KEY_C1", "KEY_C3", "KEY_CANCEL",
    "KEY_CATAB", "KEY_CLEAR", "KEY_CLOSE", "KEY_CODE_YES", "KEY_COMMAND", "KEY_COPY", "KEY_CREATE", "KEY_CTAB",
    "KEY_DC", "KEY_DL", "KEY_DOWN", "KEY_EIC", "KEY_END", "KEY_ENTER", "KEY_EOL", "KEY_EOS", "KEY_EXIT", "KEY_F0",
    "KEY_FIND", "KEY_HELP", "KEY_HOME", "KEY_IC", "KEY_IL", "KEY_LEFT", "KEY_LL", "KEY_MARK", "KEY_MAX", "KEY_MESSAGE",
    "KEY_MIN", "KEY_MOUSE", "KEY_MOVE", "KEY_NEXT", "KEY_NPAGE", "KEY_OPEN", "KEY_OPTIONS", "KEY_PPAGE",
    "KEY_PREVIOUS", "KEY_PRINT", "KEY_REDO", "KEY_REFERENCE", "KEY_REFRESH", "KEY_REPLACE", "KEY_RESET", "KEY_RESIZE",
    "KEY_RESTART", "KEY_RESUME", "KEY_RIGHT", "KEY_SAVE", "KEY_SBEG", "KEY_SCANCEL", "KEY_SCOMMAND", "KEY_SCOPY",
    "KEY_SCREATE", "KEY_SDC", "KEY_SDL", "KEY_SELECT", "KEY_SEND", "KEY_SEOL", "KEY_SEXIT", "KEY_SF", "KEY_SFIND",
    "KEY_SHELP", "KEY_SHOME", "KEY_SIC", "KEY_SLEFT", "KEY_SMESSAGE", "KEY_SMOVE", "KEY_SNEXT", "KEY_SOPTIONS",
    "KEY_SPREVIOUS", "KEY_SPRINT", "KEY_SR", "KEY_SREDO", "KEY_SREPLACE", "KEY_SRESET", "KEY_SRIGHT", "KEY_SRSUME",
    "KEY_SSAVE", "KEY_SSUSPEND", "KEY_STAB", "KEY_SUNDO", "KEY_SUSPEND", "KEY_UNDO", "KEY_UP", "OK", "SCREEN", "TRUE",
    "WA_ALTCHARSET", "WA_ATTRIBUTES", "WA_BLINK", "WA_BOLD", "WA_DIM", "WA_HORIZONTAL", "WA_INVIS", "WA_ITALIC",
    "WA_LEFT", "WA_LOW", "WA_NORMAL", "WA_PROTECT", "WA_REVERSE", "WA_RIGHT", "WA_STANDOUT", "WA_TOP", "WA_UNDERLINE",
    "WA_VERTICAL", "WINDOW", "attr_t", "chtype",
};
// clang-format on

#define TABLE(names) names, sizeof names / sizeof names[0]

static const struct {
    const char *header; // NULL: reserved names
    const char *const *names;
    size_t count;
} tables[] = {
    {"a standard header", TABLE(names_of_headers)},
    {"windows.h", TABLE(names_of_windows)},
    {"a header of X11", TABLE(names_of_x11)},
    {"curses.h", TABLE(names_of_curses)},
    {NULL, TABLE(keywords_of_c)},
    {NULL, TABLE(keywords_of_cpp)},
    {NULL, TABLE(names_in_use)},
    {NULL, TABLE(names_of_limits)},
    {NULL, TABLE(functions_of_c)},
    {NULL, TABLE(parameters)},
};

// A bit for the hash of each name of the tables, made by the first question.
enum { LISTED_BITS = 1 << 15 };

static unsigned char listed[LISTED_BITS / 8];

static size_t bit_of(const char *name)
{
    return (size_t)(hash_of(name, strlen(name)) % LISTED_BITS);
}

static bool may_be_listed(const char *name)
{
    static bool is_made;
    for (size_t i = 0; !is_made && i < sizeof tables / sizeof tables[0]; i++)
        for (size_t k = 0; k < tables[i].count; k++) {
            size_t bit = bit_of(tables[i].names[k]);
            listed[bit / 8] = (unsigned char)(listed[bit / 8] | 1u << bit % 8);
        }
    is_made = true;
    size_t bit = bit_of(name);
    return (listed[bit / 8] >> bit % 8 & 1) != 0;
}

const char *name_header(const char *name)
{
    for (size_t i = 0; may_be_listed(name) && i < sizeof tables / sizeof tables[0]; i++)
        if (tables[i].header != NULL && contains(tables[i].names, tables[i].count, name))
            return tables[i].header;
    return NULL;
}
