build-san/generator/yaml/fault.o: generator/yaml/fault.c \
 generator/yaml/private/fault.h generator/diagnostic/diagnostic.h \
 generator/base/arena.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/base/utf8.h \
 generator/yaml/private/fault_place.h generator/yaml/private/scan.h
generator/yaml/private/fault.h:
generator/diagnostic/diagnostic.h:
generator/base/arena.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/base/utf8.h:
generator/yaml/private/fault_place.h:
generator/yaml/private/scan.h:
