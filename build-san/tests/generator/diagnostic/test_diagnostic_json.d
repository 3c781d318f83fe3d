build-san/tests/generator/diagnostic/test_diagnostic_json.o: \
 tests/generator/diagnostic/test_diagnostic_json.c generator/base/text.h \
 generator/base/arena.h generator/check/package.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/model/schema.h \
 generator/model/constant.h generator/read/read.h \
 tests/generator/reading.h generator/yaml/tree.h tests/suites.h
generator/base/text.h:
generator/base/arena.h:
generator/check/package.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
generator/read/read.h:
tests/generator/reading.h:
generator/yaml/tree.h:
tests/suites.h:
