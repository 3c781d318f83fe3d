build-san/generator/check/symbols_pattern.o: \
 generator/check/symbols_pattern.c \
 generator/check/private/symbols_pattern.h generator/base/arena.h \
 generator/check/symbols.h generator/diagnostic/diagnostic.h \
 generator/diagnostic/codes.h generator/diagnostic/source.h \
 generator/model/schema.h generator/model/constant.h \
 generator/model/names.h
generator/check/private/symbols_pattern.h:
generator/base/arena.h:
generator/check/symbols.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
generator/model/names.h:
