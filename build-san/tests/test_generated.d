build-san/tests/test_generated.o: tests/test_generated.c \
 generator/base/dictionary.h generator/base/arena.h \
 generator/check/package.h generator/diagnostic/diagnostic.h \
 generator/diagnostic/codes.h generator/diagnostic/source.h \
 generator/model/schema.h generator/model/constant.h \
 generator/read/read.h generator/check/symbols.h tests/shell.h \
 tests/suites.h runtime/include/kin/platform.h
generator/base/dictionary.h:
generator/base/arena.h:
generator/check/package.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
generator/read/read.h:
generator/check/symbols.h:
tests/shell.h:
tests/suites.h:
runtime/include/kin/platform.h:
