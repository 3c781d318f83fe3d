build-san/generator/check/advice_relation.o: \
 generator/check/advice_relation.c generator/check/advice.h \
 generator/base/arena.h generator/diagnostic/diagnostic.h \
 generator/diagnostic/codes.h generator/diagnostic/source.h \
 generator/model/schema.h generator/model/constant.h
generator/check/advice.h:
generator/base/arena.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
