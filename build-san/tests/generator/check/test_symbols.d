build-san/tests/generator/check/test_symbols.o: \
 tests/generator/check/test_symbols.c generator/check/symbols.h \
 generator/base/arena.h generator/diagnostic/diagnostic.h \
 generator/diagnostic/codes.h generator/diagnostic/source.h \
 generator/model/schema.h generator/model/constant.h \
 tests/generator/reading.h generator/yaml/tree.h tests/suites.h
generator/check/symbols.h:
generator/base/arena.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
tests/generator/reading.h:
generator/yaml/tree.h:
tests/suites.h:
