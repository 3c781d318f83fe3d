// Answer: answers of HTTP. All have the headers of INS-24.
#ifndef KIN_INSPECT_ANSWER_H
#define KIN_INSPECT_ANSWER_H

#include "page/page.h"
#include "text/text.h"

#include <microhttpd.h>

// Adds the headers that every answer has.
void kin__answer_secure(struct MHD_Response *response);

// Answers with a text of a type.
enum MHD_Result kin__answer_text(struct MHD_Connection *connection, const char *type, const kin__json *text);

// Answers with a document, which is taken over.
enum MHD_Result kin__answer_json(struct MHD_Connection *connection, unsigned status, kin__json *json);

// Answers a request that is refused before it is read, with a sentence.
enum MHD_Result kin__answer_refusal(struct MHD_Connection *connection, unsigned status, const char *sentence);

// Answers with a file of the page, or says that the browser's copy is still the same.
enum MHD_Result kin__answer_page(struct MHD_Connection *connection, const kin__page_file *file);

#endif
