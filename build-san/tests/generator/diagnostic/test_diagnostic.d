build-san/tests/generator/diagnostic/test_diagnostic.o: \
 tests/generator/diagnostic/test_diagnostic.c \
 generator/diagnostic/diagnostic.h generator/base/arena.h \
 generator/diagnostic/codes.h generator/diagnostic/source.h \
 tests/generator/reading.h generator/model/schema.h \
 generator/model/constant.h generator/yaml/tree.h tests/suites.h
generator/diagnostic/diagnostic.h:
generator/base/arena.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
tests/generator/reading.h:
generator/model/schema.h:
generator/model/constant.h:
generator/yaml/tree.h:
tests/suites.h:
