build-san/generator/render/render.o: generator/render/render.c \
 generator/render/render.h generator/diagnostic/diagnostic.h \
 generator/base/arena.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/render/generated_file.h \
 generator/template/set.h generator/template/mustache.h \
 generator/base/text.h generator/template/value.h generator/view/view.h \
 generator/model/schema.h generator/model/constant.h \
 generator/base/hash.h generator/render/private/wrap.h \
 runtime/include/kin/platform.h
generator/render/render.h:
generator/diagnostic/diagnostic.h:
generator/base/arena.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/render/generated_file.h:
generator/template/set.h:
generator/template/mustache.h:
generator/base/text.h:
generator/template/value.h:
generator/view/view.h:
generator/model/schema.h:
generator/model/constant.h:
generator/base/hash.h:
generator/render/private/wrap.h:
runtime/include/kin/platform.h:
