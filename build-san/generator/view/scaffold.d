build-san/generator/view/scaffold.o: generator/view/scaffold.c \
 generator/view/scaffold.h generator/base/arena.h generator/model/world.h \
 generator/model/schema.h generator/diagnostic/source.h \
 generator/model/constant.h generator/template/value.h \
 generator/model/names.h generator/view/private/parts.h \
 generator/base/dictionary.h
generator/view/scaffold.h:
generator/base/arena.h:
generator/model/world.h:
generator/model/schema.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/template/value.h:
generator/model/names.h:
generator/view/private/parts.h:
generator/base/dictionary.h:
