#include "usage.h"

const char usage_program[] =
    "usage: kin generate [-o DIR] SCHEMA    write the package's C\n"
    "       kin check SCHEMA...             read and validate only\n"
    "       kin help VERB                   how to use one of them\n"
    "       kin --version | --help\n"
    "\n"
    "A SCHEMA is the root file of a package; '-' is standard input.\n"
    "\n"
    "generate takes -o DIR, -I DIR, --templates DIR, --depfile FILE, --check, --dry-run, --diff, --stdout, -q;\n"
    "check takes -I DIR.\n"
    "\n"
    "Exit status: 0 done; 1 the schema or a template is wrong; 2 the command line is wrong; 3 something\n"
    "cannot be read or written, or a file in the way is not kin's; 4 --check or --diff found a difference.\n";

const char usage_generate[] =
    "usage: kin generate [-o DIR] [-I DIR] [--templates DIR] [--depfile FILE]\n"
    "                    [--check | --dry-run | --diff | --stdout] [-q] SCHEMA\n"
    "\n"
    "Writes the C of the package that SCHEMA declares into a folder with its name, and says which files changed.\n"
    "Files with the same content are not touched, and those that the last run wrote and this one does not are\n"
    "removed. Nothing is written when the schema has a fault, or when a file is in the way that kin did not write,\n"
    "or that was edited since: a manifest in the folder, .kin-manifest, says what kin wrote.\n"
    "\n"
    "  -o DIR           the directory to write into, made when missing (default: generated)\n"
    "  -I DIR           files below DIR may be included from outside of SCHEMA's own directory; may be repeated\n"
    "  --templates DIR  take NAME.mustache of DIR in the place of the built-in template NAME\n"
    "  --depfile FILE   write a rule for make as well: the outputs depend on every schema and template that was read\n"
    "  --check          write nothing; name each file that would change; exit status 4 if any would\n"
    "  --dry-run        write nothing; list each file behind what would become of it: A added, M modified,\n"
    "                   D deleted, = left as it is\n"
    "  --diff           write nothing; show what would change; exit status 4 if anything would\n"
    "  --stdout         write to standard output instead, each file behind a line with its name\n"
    "  -q               say nothing when all is well\n"
    "  --help           print this\n";

const char usage_check[] =
    "usage: kin check [-I DIR] SCHEMA...\n"
    "\n"
    "Reads each package, reports every fault with its place, and writes nothing. Says nothing\n"
    "when there is none.\n"
    "\n"
    "  -I DIR    files below DIR may be included from outside of SCHEMA's own directory; may be\n"
    "            repeated\n"
    "  --help    print this\n";
