build-san/generator/verbs/main.o: generator/verbs/main.c \
 generator/base/arena.h generator/base/status.h generator/base/text.h \
 generator/check/advice.h generator/diagnostic/diagnostic.h \
 generator/diagnostic/codes.h generator/diagnostic/source.h \
 generator/model/schema.h generator/model/constant.h \
 generator/check/package.h generator/read/read.h \
 generator/describe/list.h generator/language/json_schema.h \
 generator/verbs/command.h generator/output/output.h \
 generator/render/generated_file.h generator/verbs/completion.h \
 generator/verbs/doc.h generator/verbs/explain.h \
 generator/verbs/generate.h generator/verbs/init.h \
 generator/verbs/scaffold.h runtime/include/kin/platform.h
generator/base/arena.h:
generator/base/status.h:
generator/base/text.h:
generator/check/advice.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
generator/check/package.h:
generator/read/read.h:
generator/describe/list.h:
generator/language/json_schema.h:
generator/verbs/command.h:
generator/output/output.h:
generator/render/generated_file.h:
generator/verbs/completion.h:
generator/verbs/doc.h:
generator/verbs/explain.h:
generator/verbs/generate.h:
generator/verbs/init.h:
generator/verbs/scaffold.h:
runtime/include/kin/platform.h:
