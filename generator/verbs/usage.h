// Usage: the texts that `--help` and `help` print.
//
// Each begins with the synopsis and ends with a line break.
#ifndef KIN_GENERATOR_VERBS_USAGE_H
#define KIN_GENERATOR_VERBS_USAGE_H

extern const char usage_program[];
extern const char usage_generate[];
extern const char usage_check[];
extern const char usage_list[];
extern const char usage_doc[];
extern const char usage_scaffold[];
extern const char usage_lock[];
extern const char usage_breaking[];
extern const char usage_dump[];
extern const char usage_pack[];
extern const char usage_diff[];
extern const char usage_init[];
extern const char usage_explain[];
extern const char usage_schema[];
extern const char usage_completion[];

#endif
