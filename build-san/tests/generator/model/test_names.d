build-san/tests/generator/model/test_names.o: \
 tests/generator/model/test_names.c generator/base/dictionary.h \
 generator/base/arena.h tests/generator/reading.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/model/schema.h \
 generator/model/constant.h generator/yaml/tree.h generator/model/names.h \
 tests/suites.h
generator/base/dictionary.h:
generator/base/arena.h:
tests/generator/reading.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
generator/yaml/tree.h:
generator/model/names.h:
tests/suites.h:
