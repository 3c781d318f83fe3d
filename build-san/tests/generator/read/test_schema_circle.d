build-san/tests/generator/read/test_schema_circle.o: \
 tests/generator/read/test_schema_circle.c generator/base/text.h \
 generator/base/arena.h tests/generator/reading.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/model/schema.h \
 generator/model/constant.h generator/yaml/tree.h generator/model/world.h \
 tests/suites.h
generator/base/text.h:
generator/base/arena.h:
tests/generator/reading.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
generator/yaml/tree.h:
generator/model/world.h:
tests/suites.h:
