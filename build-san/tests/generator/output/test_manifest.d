build-san/tests/generator/output/test_manifest.o: \
 tests/generator/output/test_manifest.c \
 generator/output/private/manifest.h generator/base/arena.h \
 generator/base/text.h generator/base/hash.h tests/generator/reading.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/model/schema.h \
 generator/model/constant.h generator/yaml/tree.h tests/suites.h
generator/output/private/manifest.h:
generator/base/arena.h:
generator/base/text.h:
generator/base/hash.h:
tests/generator/reading.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
generator/yaml/tree.h:
tests/suites.h:
