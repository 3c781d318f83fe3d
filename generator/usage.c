#include "usage.h"

const char usage_program[] = "usage: kin generate [-o DIR] SCHEMA    write the package's C\n"
                             "       kin check SCHEMA...             read and validate only\n"
                             "       kin help VERB                   how to use one of them\n"
                             "       kin --version | --help\n"
                             "\n"
                             "A SCHEMA is the root file of a package; '-' is standard input.\n"
                             "\n"
                             "Exit status: 0 done; 1 the schema is wrong; 2 the command line is wrong; 3 something\n"
                             "cannot be read or written, or a file in the way is not kin's; 4 --check found a\n"
                             "difference.\n";

const char usage_generate[] =
    "usage: kin generate [-o DIR] [--depfile FILE] [--check] [-q] SCHEMA\n"
    "\n"
    "Writes the C of the package that SCHEMA declares, and says which files changed. Files\n"
    "with the same content are not touched. Nothing is written when the schema has a fault,\n"
    "or when a file that kin did not make is in the way.\n"
    "\n"
    "  -o DIR    the directory to write into, made when missing (default: generated)\n"
    "  --check   write nothing; name each file that would change; exit status 4 if any would\n"
    "  -q        say nothing when all is well\n"
    "  --depfile FILE\n"
    "            write a rule for make as well: the outputs depend on every schema that was read\n"
    "  --help    print this\n";

const char usage_check[] = "usage: kin check SCHEMA...\n"
                           "\n"
                           "Reads each package, reports every fault with its place, and writes nothing. Says nothing\n"
                           "when there is none.\n"
                           "\n"
                           "  --help    print this\n";
