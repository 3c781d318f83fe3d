build-san/tests/generator/read/test_schema_include.o: \
 tests/generator/read/test_schema_include.c generator/check/package.h \
 generator/base/arena.h generator/diagnostic/diagnostic.h \
 generator/diagnostic/codes.h generator/diagnostic/source.h \
 generator/model/schema.h generator/model/constant.h \
 generator/read/read.h tests/generator/reading.h generator/yaml/tree.h \
 tests/generator/scratch.h tests/suites.h
generator/check/package.h:
generator/base/arena.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
generator/read/read.h:
tests/generator/reading.h:
generator/yaml/tree.h:
tests/generator/scratch.h:
tests/suites.h:
