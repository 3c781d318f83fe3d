build-san/generator/verbs/doc.o: generator/verbs/doc.c \
 generator/verbs/doc.h generator/base/arena.h generator/verbs/command.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/output/output.h \
 generator/base/text.h generator/render/generated_file.h \
 generator/read/read.h generator/model/schema.h \
 generator/model/constant.h generator/base/status.h \
 generator/check/package.h generator/describe/page.h \
 generator/template/value.h generator/output/path.h \
 generator/output/write.h generator/template/mustache.h \
 generator/template/templates.h
generator/verbs/doc.h:
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
generator/describe/page.h:
generator/template/value.h:
generator/output/path.h:
generator/output/write.h:
generator/template/mustache.h:
generator/template/templates.h:
