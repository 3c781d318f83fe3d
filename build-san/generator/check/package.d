build-san/generator/check/package.o: generator/check/package.c \
 generator/check/package.h generator/base/arena.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/model/schema.h \
 generator/model/constant.h generator/read/read.h \
 generator/check/private/invariants.h generator/check/symbols.h
generator/check/package.h:
generator/base/arena.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
generator/read/read.h:
generator/check/private/invariants.h:
generator/check/symbols.h:
