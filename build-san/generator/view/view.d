build-san/generator/view/view.o: generator/view/view.c \
 generator/view/view.h generator/base/arena.h generator/model/schema.h \
 generator/diagnostic/source.h generator/model/constant.h \
 generator/template/value.h generator/base/dictionary.h \
 generator/model/names.h generator/model/world.h \
 generator/view/private/parts.h runtime/include/kin/platform.h
generator/view/view.h:
generator/base/arena.h:
generator/model/schema.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/template/value.h:
generator/base/dictionary.h:
generator/model/names.h:
generator/model/world.h:
generator/view/private/parts.h:
runtime/include/kin/platform.h:
