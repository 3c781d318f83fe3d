build-san/tests/generator/base/test_json_writer.o: \
 tests/generator/base/test_json_writer.c generator/base/json_writer.h \
 generator/base/text.h generator/base/arena.h tests/generator/reading.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/model/schema.h \
 generator/model/constant.h generator/yaml/tree.h tests/suites.h
generator/base/json_writer.h:
generator/base/text.h:
generator/base/arena.h:
tests/generator/reading.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
generator/yaml/tree.h:
tests/suites.h:
