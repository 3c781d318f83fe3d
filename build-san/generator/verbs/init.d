build-san/generator/verbs/init.o: generator/verbs/init.c \
 generator/verbs/init.h generator/base/arena.h generator/verbs/command.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/output/output.h \
 generator/base/text.h generator/render/generated_file.h \
 generator/read/read.h generator/model/schema.h \
 generator/model/constant.h generator/base/status.h \
 generator/check/package.h generator/model/names.h \
 generator/output/path.h generator/output/write.h \
 generator/template/mustache.h generator/template/value.h \
 generator/template/templates.h
generator/verbs/init.h:
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
generator/check/package.h:
generator/model/names.h:
generator/output/path.h:
generator/output/write.h:
generator/template/mustache.h:
generator/template/value.h:
generator/template/templates.h:
