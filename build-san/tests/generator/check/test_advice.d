build-san/tests/generator/check/test_advice.o: \
 tests/generator/check/test_advice.c generator/check/advice.h \
 generator/base/arena.h generator/diagnostic/diagnostic.h \
 generator/diagnostic/codes.h generator/diagnostic/source.h \
 generator/model/schema.h generator/model/constant.h \
 generator/check/package.h generator/read/read.h \
 tests/generator/reading.h generator/yaml/tree.h tests/shell.h \
 tests/suites.h
generator/check/advice.h:
generator/base/arena.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
generator/check/package.h:
generator/read/read.h:
tests/generator/reading.h:
generator/yaml/tree.h:
tests/shell.h:
tests/suites.h:
