build-san/generator/view/blueprint.o: generator/view/blueprint.c \
 generator/view/private/parts.h generator/base/arena.h \
 generator/base/dictionary.h generator/model/schema.h \
 generator/diagnostic/source.h generator/model/constant.h \
 generator/model/world.h generator/template/value.h \
 generator/model/names.h
generator/view/private/parts.h:
generator/base/arena.h:
generator/base/dictionary.h:
generator/model/schema.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/model/world.h:
generator/template/value.h:
generator/model/names.h:
