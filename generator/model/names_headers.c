// Names that C and POSIX headers define and generated code does not include: macros, which would expand inside
// generated code; types, which it would redeclare; and functions that only the name of a context with a group could
// equal.
//
// If a program includes those headers before generated ones, the generated ones may not compile. Function-like macros
// are not listed, since no field or type is called with parentheses; nor are the format macros of inttypes.h.
//
// The table is in byte order, for bsearch.
#include "model/names.h"

#include <stdlib.h>
#include <string.h>

// clang-format off
static const char *const names_of_headers[] = {
    "ATOMIC_BOOL_LOCK_FREE", "ATOMIC_CHAR16_T_LOCK_FREE", "ATOMIC_CHAR32_T_LOCK_FREE", "ATOMIC_CHAR_LOCK_FREE",
    "ATOMIC_FLAG_INIT", "ATOMIC_INT_LOCK_FREE", "ATOMIC_LLONG_LOCK_FREE", "ATOMIC_LONG_LOCK_FREE",
    "ATOMIC_POINTER_LOCK_FREE", "ATOMIC_SHORT_LOCK_FREE", "ATOMIC_WCHAR_T_LOCK_FREE", "BUFSIZ", "CHAR_BIT", "CHAR_MAX",
    "CHAR_MIN", "CLOCKS_PER_SEC", "DBL_DECIMAL_DIG", "DBL_DIG", "DBL_EPSILON", "DBL_HAS_SUBNORM", "DBL_MANT_DIG",
    "DBL_MAX", "DBL_MAX_10_EXP", "DBL_MAX_EXP", "DBL_MIN", "DBL_MIN_10_EXP", "DBL_MIN_EXP", "DBL_TRUE_MIN",
    "DECIMAL_DIG", "DIR", "E2BIG", "EACCES", "EADDRINUSE", "EADDRNOTAVAIL", "EADV", "EAFNOSUPPORT", "EAGAIN",
    "EALREADY", "EBADE", "EBADF", "EBADFD", "EBADMSG", "EBADR", "EBADRQC", "EBADSLT", "EBFONT", "EBUSY", "ECANCELED",
    "ECHILD", "ECHRNG", "ECOMM", "ECONNABORTED", "ECONNREFUSED", "ECONNRESET", "EDEADLK", "EDEADLOCK", "EDESTADDRREQ",
    "EDOM", "EDOTDOT", "EDQUOT", "EEXIST", "EFAULT", "EFBIG", "EHOSTDOWN", "EHOSTUNREACH", "EHWPOISON", "EIDRM",
    "EILSEQ", "EINPROGRESS", "EINTR", "EINVAL", "EIO", "EISCONN", "EISDIR", "EISNAM", "EKEYEXPIRED", "EKEYREJECTED",
    "EKEYREVOKED", "EL2HLT", "EL2NSYNC", "EL3HLT", "EL3RST", "ELIBACC", "ELIBBAD", "ELIBEXEC", "ELIBMAX", "ELIBSCN",
    "ELNRNG", "ELOOP", "EMEDIUMTYPE", "EMFILE", "EMLINK", "EMSGSIZE", "EMULTIHOP", "ENAMETOOLONG", "ENAVAIL",
    "ENETDOWN", "ENETRESET", "ENETUNREACH", "ENFILE", "ENOANO", "ENOBUFS", "ENOCSI", "ENODATA", "ENODEV", "ENOENT",
    "ENOEXEC", "ENOKEY", "ENOLCK", "ENOLINK", "ENOMEDIUM", "ENOMEM", "ENOMSG", "ENONET", "ENOPKG", "ENOPROTOOPT",
    "ENOSPC", "ENOSR", "ENOSTR", "ENOSYS", "ENOTBLK", "ENOTCONN", "ENOTDIR", "ENOTEMPTY", "ENOTNAM", "ENOTRECOVERABLE",
    "ENOTSOCK", "ENOTSUP", "ENOTTY", "ENOTUNIQ", "ENXIO", "EOF", "EOPNOTSUPP", "EOVERFLOW", "EOWNERDEAD", "EPERM",
    "EPFNOSUPPORT", "EPIPE", "EPROTO", "EPROTONOSUPPORT", "EPROTOTYPE", "ERANGE", "EREMCHG", "EREMOTE", "EREMOTEIO",
    "ERESTART", "ERFKILL", "EROFS", "ESHUTDOWN", "ESOCKTNOSUPPORT", "ESPIPE", "ESRCH", "ESRMNT", "ESTALE", "ESTRPIPE",
    "ETIME", "ETIMEDOUT", "ETOOMANYREFS", "ETXTBSY", "EUCLEAN", "EUNATCH", "EUSERS", "EWOULDBLOCK", "EXDEV", "EXFULL",
    "EXIT_FAILURE", "EXIT_SUCCESS", "FE_ALL_EXCEPT", "FE_DFL_ENV", "FE_DIVBYZERO", "FE_DOWNWARD", "FE_INEXACT",
    "FE_INVALID", "FE_OVERFLOW", "FE_TONEAREST", "FE_TOWARDZERO", "FE_UNDERFLOW", "FE_UPWARD", "FILE", "FILENAME_MAX",
    "FLT_DECIMAL_DIG", "FLT_DIG", "FLT_EPSILON", "FLT_EVAL_METHOD", "FLT_HAS_SUBNORM", "FLT_MANT_DIG", "FLT_MAX",
    "FLT_MAX_10_EXP", "FLT_MAX_EXP", "FLT_MIN", "FLT_MIN_10_EXP", "FLT_MIN_EXP", "FLT_RADIX", "FLT_ROUNDS",
    "FLT_TRUE_MIN", "FOPEN_MAX", "FP_ILOGB0", "FP_ILOGBNAN", "FP_INFINITE", "FP_NAN", "FP_NORMAL", "FP_SUBNORMAL",
    "FP_ZERO", "HUGE_VAL", "HUGE_VALF", "HUGE_VALL", "I", "INFINITY", "INT_MAX", "INT_MIN", "LC_ADDRESS", "LC_ALL",
    "LC_COLLATE", "LC_CTYPE", "LC_IDENTIFICATION", "LC_MEASUREMENT", "LC_MESSAGES", "LC_MONETARY", "LC_NAME",
    "LC_NUMERIC", "LC_PAPER", "LC_TELEPHONE", "LC_TIME", "LDBL_DECIMAL_DIG", "LDBL_DIG", "LDBL_EPSILON",
    "LDBL_HAS_SUBNORM", "LDBL_MANT_DIG", "LDBL_MAX", "LDBL_MAX_10_EXP", "LDBL_MAX_EXP", "LDBL_MIN", "LDBL_MIN_10_EXP",
    "LDBL_MIN_EXP", "LDBL_TRUE_MIN", "LLONG_MAX", "LLONG_MIN", "LONG_MAX", "LONG_MIN", "L_tmpnam", "MATH_ERREXCEPT",
    "MATH_ERRNO", "MB_CUR_MAX", "MB_LEN_MAX", "NAME_MAX", "NAN", "NDEBUG", "ONCE_FLAG_INIT", "PATH_MAX", "RAND_MAX",
    "RSIZE_MAX", "SCHAR_MAX", "SCHAR_MIN", "SEEK_CUR", "SEEK_END", "SEEK_SET", "SHRT_MAX", "SHRT_MIN", "SIGABRT",
    "SIGALRM", "SIGBUS", "SIGCHLD", "SIGCLD", "SIGCONT", "SIGFPE", "SIGHUP", "SIGILL", "SIGINT", "SIGIO", "SIGIOT",
    "SIGKILL", "SIGPIPE", "SIGPOLL", "SIGPROF", "SIGPWR", "SIGQUIT", "SIGRTMAX", "SIGRTMIN", "SIGSEGV", "SIGSTKFLT",
    "SIGSTOP", "SIGSYS", "SIGTERM", "SIGTRAP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG", "SIGUSR1", "SIGUSR2",
    "SIGVTALRM", "SIGWINCH", "SIGXCPU", "SIGXFSZ", "SIG_DFL", "SIG_ERR", "SIG_IGN", "TIME_UTC", "TMP_MAX",
    "TSS_DTOR_ITERATIONS", "UCHAR_MAX", "UINT_MAX", "ULLONG_MAX", "ULONG_MAX", "USHRT_MAX", "WEOF", "assert",
    "at_quick_exit", "atomic_compare_exchange_strong", "atomic_compare_exchange_weak", "atomic_exchange",
    "atomic_fetch_add", "atomic_fetch_and", "atomic_fetch_or", "atomic_fetch_sub", "atomic_fetch_xor",
    "atomic_flag_clear", "atomic_flag_test_and_set", "atomic_init", "atomic_is_lock_free", "atomic_load",
    "atomic_load_explicit", "atomic_signal_fence", "atomic_store", "atomic_store_explicit", "atomic_thread_fence",
    "call_once", "clock_getres", "clock_gettime", "clock_nanosleep", "clock_settime", "clock_t", "cnd_broadcast",
    "cnd_destroy", "cnd_init", "cnd_signal", "cnd_timedwait", "cnd_wait", "complex", "div_t", "double_t", "errno",
    "float_t", "fpos_t", "gid_t", "imaginary", "jmp_buf", "kill_dependency", "ldiv_t", "lldiv_t", "math_errhandling",
    "mbstate_t", "mode_t", "mq_close", "mq_getattr", "mq_notify", "mq_open", "mq_receive", "mq_send", "mq_setattr",
    "mq_unlink", "mtx_destroy", "mtx_init", "mtx_lock", "mtx_timedlock", "mtx_trylock", "mtx_unlock", "noreturn",
    "off_t", "pid_t", "posix_spawn", "pthread_cancel", "pthread_create", "pthread_detach",
    "pthread_equal", "pthread_exit", "pthread_join", "pthread_once", "pthread_self", "quick_exit", "sched_yield",
    "sem_close", "sem_destroy", "sem_getvalue", "sem_init", "sem_open", "sem_post", "sem_timedwait", "sem_trywait",
    "sem_unlink", "sem_wait", "setjmp", "sig_atomic_t", "ssize_t", "stderr", "stdin", "stdout", "thrd_create",
    "thrd_current", "thrd_detach", "thrd_equal", "thrd_exit", "thrd_join", "thrd_sleep", "thrd_yield", "time_t",
    "timer_create", "timer_delete", "timer_gettime", "timer_settime", "timer_t", "timespec_get", "tss_create",
    "tss_delete", "tss_get", "tss_set", "uid_t", "va_arg", "va_copy", "va_end", "va_list", "va_start", "wctrans_t",
    "wctype_t", "wint_t",
};
// clang-format on

static int compare(const void *key, const void *element)
{
    return strcmp(key, *(const char *const *)element);
}

bool name_is_of_headers(const char *name)
{
    size_t count = sizeof names_of_headers / sizeof names_of_headers[0];
    return bsearch(name, names_of_headers, count, sizeof names_of_headers[0], compare) != NULL;
}
