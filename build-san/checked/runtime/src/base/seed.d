build-san/checked/runtime/src/base/seed.o: runtime/src/base/seed.c \
 runtime/src/base/seed.h runtime/src/base/assertion.h \
 runtime/src/base/clock.h
runtime/src/base/seed.h:
runtime/src/base/assertion.h:
runtime/src/base/clock.h:
