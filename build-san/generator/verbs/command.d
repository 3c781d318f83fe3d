build-san/generator/verbs/command.o: generator/verbs/command.c \
 generator/verbs/command.h generator/base/arena.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/output/output.h \
 generator/base/text.h generator/render/generated_file.h \
 generator/read/read.h generator/model/schema.h \
 generator/model/constant.h generator/model/names.h \
 generator/verbs/usage.h generator/verbs/verbs.h
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
generator/model/names.h:
generator/verbs/usage.h:
generator/verbs/verbs.h:
