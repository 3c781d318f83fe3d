build-san/tests/generator/output/test_depfile.o: \
 tests/generator/output/test_depfile.c tests/generator/reading.h \
 generator/base/arena.h generator/diagnostic/diagnostic.h \
 generator/diagnostic/codes.h generator/diagnostic/source.h \
 generator/model/schema.h generator/model/constant.h \
 generator/yaml/tree.h generator/output/depfile.h generator/base/text.h \
 tests/suites.h
tests/generator/reading.h:
generator/base/arena.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
generator/yaml/tree.h:
generator/output/depfile.h:
generator/base/text.h:
tests/suites.h:
