build-san/generator/view/index.o: generator/view/index.c \
 generator/model/names.h generator/base/arena.h generator/model/type.h \
 generator/model/schema.h generator/diagnostic/source.h \
 generator/model/constant.h generator/view/private/parts.h \
 generator/base/dictionary.h generator/model/world.h \
 generator/template/value.h
generator/model/names.h:
generator/base/arena.h:
generator/model/type.h:
generator/model/schema.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/view/private/parts.h:
generator/base/dictionary.h:
generator/model/world.h:
generator/template/value.h:
