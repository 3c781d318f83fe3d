// Page: the constant files of the browser's page. They contain nothing of a game, so they need no token.
//
//   inspector/page/*  ── embed.sh ──→  build/inspector-page/files.c  ──→  kin__page_files
#ifndef KIN_INSPECT_PAGE_H
#define KIN_INSPECT_PAGE_H

#include <stddef.h>

typedef struct kin__page_file {
    const char *path;           // of the URL, such as "/main.js"; that of index.html is "/"
    const char *type;           // Content-Type
    const char *tag;            // ETag, which changes with the bytes
    const unsigned char *bytes; // compressed by gzip
    size_t size;
} kin__page_file;

// All files; the last one has no path. Generated.
extern const kin__page_file kin__page_files[];

// Returns the file with this path, or NULL.
const kin__page_file *kin__page_find(const char *path);

#endif
