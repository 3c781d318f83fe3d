build-san/tests/generator/reading.o: tests/generator/reading.c \
 tests/generator/reading.h generator/base/arena.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/model/schema.h \
 generator/model/constant.h generator/yaml/tree.h \
 generator/check/package.h generator/read/read.h
tests/generator/reading.h:
generator/base/arena.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
generator/yaml/tree.h:
generator/check/package.h:
generator/read/read.h:
