build-san/tests/generator/diagnostic/test_source.o: \
 tests/generator/diagnostic/test_source.c generator/base/text.h \
 generator/base/arena.h generator/base/utf8.h \
 generator/diagnostic/source.h tests/generator/reading.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/model/schema.h generator/model/constant.h \
 generator/yaml/tree.h tests/generator/scratch.h tests/suites.h
generator/base/text.h:
generator/base/arena.h:
generator/base/utf8.h:
generator/diagnostic/source.h:
tests/generator/reading.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/model/schema.h:
generator/model/constant.h:
generator/yaml/tree.h:
tests/generator/scratch.h:
tests/suites.h:
