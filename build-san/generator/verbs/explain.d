build-san/generator/verbs/explain.o: generator/verbs/explain.c \
 generator/verbs/explain.h generator/verbs/command.h \
 generator/base/arena.h generator/diagnostic/diagnostic.h \
 generator/diagnostic/codes.h generator/diagnostic/source.h \
 generator/output/output.h generator/base/text.h \
 generator/render/generated_file.h generator/read/read.h \
 generator/model/schema.h generator/model/constant.h \
 generator/base/status.h generator/model/names.h \
 generator/template/templates.h generator/template/mustache.h \
 generator/template/value.h
generator/verbs/explain.h:
generator/verbs/command.h:
generator/base/arena.h:
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
generator/model/names.h:
generator/template/templates.h:
generator/template/mustache.h:
generator/template/value.h:
