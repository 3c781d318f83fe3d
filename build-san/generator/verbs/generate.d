build-san/generator/verbs/generate.o: generator/verbs/generate.c \
 generator/verbs/generate.h generator/base/arena.h \
 generator/verbs/command.h generator/diagnostic/diagnostic.h \
 generator/diagnostic/codes.h generator/diagnostic/source.h \
 generator/output/output.h generator/base/text.h \
 generator/render/generated_file.h generator/read/read.h \
 generator/model/schema.h generator/model/constant.h \
 generator/base/status.h generator/check/advice.h \
 generator/check/package.h generator/output/depfile.h \
 generator/output/path.h generator/render/render.h \
 generator/template/set.h generator/template/mustache.h \
 generator/template/value.h generator/view/view.h
generator/verbs/generate.h:
generator/base/arena.h:
generator/verbs/command.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/output/output.h:
generator/base/text.h:
generator/render/generated_file.h:
generator/read/read.h:
generator/model/schema.h:
generator/model/constant.h:
generator/base/status.h:
generator/check/advice.h:
generator/check/package.h:
generator/output/depfile.h:
generator/output/path.h:
generator/render/render.h:
generator/template/set.h:
generator/template/mustache.h:
generator/template/value.h:
generator/view/view.h:
