build-san/tests/generator/read/test_schema_hint.o: \
 tests/generator/read/test_schema_hint.c tests/generator/reading.h \
 generator/base/arena.h generator/diagnostic/diagnostic.h \
 generator/diagnostic/codes.h generator/diagnostic/source.h \
 generator/model/schema.h generator/model/constant.h \
 generator/yaml/tree.h tests/suites.h
tests/generator/reading.h:
generator/base/arena.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
generator/yaml/tree.h:
tests/suites.h:
