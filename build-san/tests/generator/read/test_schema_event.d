build-san/tests/generator/read/test_schema_event.o: \
 tests/generator/read/test_schema_event.c generator/check/symbols.h \
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
