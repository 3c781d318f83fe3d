build-san/generator/check/advice_layout.o: \
 generator/check/advice_layout.c generator/base/text.h \
 generator/base/arena.h generator/check/advice.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/model/schema.h \
 generator/model/constant.h generator/model/layout.h \
 generator/model/world.h
generator/base/text.h:
generator/base/arena.h:
generator/check/advice.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
generator/model/layout.h:
generator/model/world.h:
