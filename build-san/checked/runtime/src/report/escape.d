build-san/checked/runtime/src/report/escape.o: \
 runtime/src/report/escape.c runtime/src/report/escape.h \
 runtime/src/base/assertion.h
runtime/src/report/escape.h:
runtime/src/base/assertion.h:
