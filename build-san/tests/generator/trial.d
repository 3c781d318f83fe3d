build-san/tests/generator/trial.o: tests/generator/trial.c \
 tests/generator/trial.h generator/base/arena.h generator/base/utf8.h \
 generator/check/package.h generator/diagnostic/diagnostic.h \
 generator/diagnostic/codes.h generator/diagnostic/source.h \
 generator/model/schema.h generator/model/constant.h \
 generator/read/read.h
tests/generator/trial.h:
generator/base/arena.h:
generator/base/utf8.h:
generator/check/package.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
generator/read/read.h:
