// The codes of all diagnostics: K and four digits, the first two of which are the family.
//
// A code is for ever: one that is no longer given is not given again for something else. Each has a text in
// explanations/ beside this file, which `kin explain` prints, and a case in tests/bad, which shows it; a test sees to both.
//
//   X(CODE_NAME, number, "what is wrong, as a title")
#ifndef KIN_GENERATOR_DIAGNOSTIC_CODES_H
#define KIN_GENERATOR_DIAGNOSTIC_CODES_H

// clang-format off
#define DIAGNOSTIC_CODES(X) \
    /* the run itself */ \
    X(CODE_USAGE, 1, "the command line is wrong") \
    X(CODE_MORE, 2, "there is more than is shown") \
    /* files and their bytes */ \
    X(CODE_FILE_UNREADABLE, 101, "a file cannot be read") \
    X(CODE_ENCODING, 102, "the file is not UTF-8") \
    X(CODE_CHARACTER, 103, "a character that cannot be seen") \
    X(CODE_WRITING_DIRECTION, 104, "a character that turns the writing direction") \
    X(CODE_TEXT_TOO_LONG, 105, "a text is too long") \
    X(CODE_NESTED_TOO_DEEP, 106, "the file nests too deep") \
    /* YAML, and what stands where */ \
    X(CODE_EMPTY_FILE, 201, "the file is empty") \
    X(CODE_ROOT, 202, "a schema is a mapping") \
    X(CODE_DUPLICATE_KEY, 203, "a key stands twice in a mapping") \
    X(CODE_ANCHOR, 204, "anchors and aliases are not part of the language") \
    X(CODE_TAG, 205, "tags are not part of the language") \
    X(CODE_MERGE_KEY, 206, "merge keys are not part of the language") \
    X(CODE_DIRECTIVE, 207, "directives are not part of the language") \
    X(CODE_SECOND_DOCUMENT, 208, "a schema is one document") \
    X(CODE_TAB, 209, "a tab stands in the indentation") \
    X(CODE_ODD_KEY, 210, "a key is no text") \
    X(CODE_MISSING_KEY, 211, "a key is missing before its colon") \
    X(CODE_MISSING_COLON, 212, "a colon is missing behind a key") \
    X(CODE_MISSING_SPACE, 213, "a space is missing") \
    X(CODE_SECOND_COLON, 214, "a second colon stands on a line") \
    X(CODE_UNCLOSED_QUOTE, 215, "a quote is not closed") \
    X(CODE_UNCLOSED_BRACKET, 216, "a bracket is not closed") \
    X(CODE_UNEXPECTED, 217, "something cannot stand where it does") \
    X(CODE_STRAY_BRACKET, 218, "a bracket closes nothing") \
    X(CODE_QUOTES_NEEDED, 219, "a text needs quotes") \
    X(CODE_INDENTATION, 220, "the indentation of a line fits nothing") \
    X(CODE_LIST_PLACE, 221, "a list stands where none can") \
    X(CODE_ESCAPE, 222, "an escape that means nothing") \
    X(CODE_BLOCK_TEXT, 223, "the head of a block text is wrong") \
    X(CODE_UNKNOWN_KEY, 231, "a key is unknown") \
    X(CODE_MAPPING_EXPECTED, 232, "a mapping must stand here") \
    X(CODE_LIST_EXPECTED, 233, "a list must stand here") \
    X(CODE_TEXT_EXPECTED, 234, "a text must stand here") \
    X(CODE_EMPTY, 235, "a list or mapping is empty") \
    X(CODE_UNKNOWN_CHOICE, 236, "a word is none of those that can stand here") \
    X(CODE_VERSION, 241, "the schema does not begin with its version") \
    X(CODE_NO_PACKAGE, 242, "the schema does not name its package") \
    /* names */ \
    X(CODE_NAME_CASE, 301, "a name is in the wrong case") \
    X(CODE_NAME_TOO_LONG, 302, "a name is too long") \
    X(CODE_NAME_RESERVED, 303, "a name is reserved") \
    X(CODE_NAME_OF_RUNTIME, 304, "a name belongs to the runtime") \
    X(CODE_PREFIX, 305, "a prefix is not the beginning of a name") \
    X(CODE_DUPLICATE_NAME, 306, "a name is declared twice") \
    X(CODE_COLLISION, 307, "two things would generate the same name") \
    X(CODE_ITERATOR_MEMBER, 308, "a component cannot be a member of an iterator") \
    /* types, fields and values */ \
    X(CODE_UNKNOWN_TYPE, 401, "a type is unknown") \
    X(CODE_TYPE_SYNTAX, 402, "a type is written wrongly") \
    X(CODE_TOO_LARGE, 403, "a value is too large") \
    X(CODE_NO_TYPE, 404, "a field has no type") \
    X(CODE_TOO_MANY_FIELDS, 405, "there are too many fields") \
    X(CODE_STRING_IN_STRUCT, 406, "a struct cannot hold a string") \
    X(CODE_KIND_OF_TYPE, 407, "a type is not one of struct, enum and opaque") \
    X(CODE_KEY_OF_OPAQUE, 408, "a key belongs to opaque types only") \
    X(CODE_RECURSIVE_TYPE, 409, "a type holds itself") \
    X(CODE_STRUCTS_TOO_DEEP, 410, "structs hold structs too deep") \
    X(CODE_OPAQUE, 411, "an opaque type is spelled wrongly") \
    X(CODE_ENUM_NUMBER, 412, "the number of an enum value is wrong") \
    X(CODE_DUPLICATE_ENUM_NUMBER, 413, "two enum values have the same number") \
    X(CODE_VALUE, 421, "a value is not one of its type") \
    X(CODE_VALUE_OUT_OF_RANGE, 422, "a number does not fit its type") \
    X(CODE_TEXT_DOES_NOT_FIT, 423, "a text does not fit its field") \
    X(CODE_UNKNOWN_ENUM_VALUE, 424, "an enum has no such value") \
    X(CODE_UNKNOWN_MEMBER, 425, "a struct has no such field") \
    X(CODE_ARRAY_COUNT, 426, "an array has another number of values") \
    X(CODE_NO_DEFAULT_POSSIBLE, 427, "a type can have no default") \
    X(CODE_DEFAULTS_TOO_LARGE, 428, "the defaults are too large") \
    /* contexts and components */ \
    X(CODE_NO_CONTEXTS, 501, "the schema has no contexts") \
    X(CODE_UNKNOWN_CONTEXT, 502, "a context is unknown") \
    X(CODE_DUPLICATE_CONTEXT, 503, "a component names a context twice") \
    X(CODE_NO_DEFAULT_CONTEXT, 504, "no context is the default") \
    X(CODE_TWO_DEFAULT_CONTEXTS, 505, "two contexts are the default") \
    X(CODE_TOO_MANY, 506, "there are too many contexts or components") \
    X(CODE_UNKNOWN_COMPONENT, 507, "a component is unknown") \
    X(CODE_OTHER_CONTEXT, 508, "a component is of another context") \
    X(CODE_FLAG_PREFIX, 509, "a component with fields has a flag prefix") \
    X(CODE_NOTHING_TO_STORE, 510, "a flag says how its values are kept") \
    X(CODE_NOT_SOA, 511, "the fields of a component cannot have columns of their own") \
    /* groups, indices, events and blueprints */ \
    X(CODE_NO_RULE, 601, "a group has no rule") \
    X(CODE_DUPLICATE_COMPONENT, 602, "a rule names a component twice") \
    X(CODE_TOO_MANY_RULES, 603, "a group is too large") \
    X(CODE_CONTRADICTION, 604, "what is asked for is forbidden too") \
    X(CODE_INCOMPLETE_INDEX, 611, "an index is incomplete") \
    X(CODE_KEY_FIELD, 612, "a key names no field") \
    X(CODE_DUPLICATE_KEY_FIELD, 613, "a key names a field twice") \
    X(CODE_KEY_TOO_LONG, 614, "a key has too many fields") \
    X(CODE_KEY_TYPE, 615, "a field cannot be in a key") \
    X(CODE_INDEX_IN_STRUCT, 616, "a field of a struct cannot have an index") \
    X(CODE_EVENT_TARGET, 621, "an event has no target") \
    X(CODE_DUPLICATE_EVENT, 622, "an event stands twice") \
    /* blueprints */ \
    X(CODE_UNKNOWN_BLUEPRINT, 631, "a blueprint is unknown") \
    X(CODE_BLUEPRINT_CYCLE, 632, "a blueprint extends itself") \
    X(CODE_BLUEPRINT_CONTEXT, 633, "a blueprint extends one of another context") \
    X(CODE_BLUEPRINTS_TOO_DEEP, 634, "blueprints extend each other too deep") \
    X(CODE_NO_COMPONENTS, 635, "a blueprint names no components") \
    X(CODE_UNKNOWN_FIELD, 636, "a component has no such field") \
    X(CODE_BLUEPRINT_MEMBER, 637, "a component cannot be a member of a blueprint's values") \
    /* included files */ \
    X(CODE_INCLUDE_UNREADABLE, 701, "an included file cannot be read") \
    X(CODE_INCLUDE_OUTSIDE, 702, "an included file is outside of the folder") \
    X(CODE_INCLUDE_CYCLE, 703, "a file includes itself") \
    X(CODE_TOO_MANY_INCLUDES, 704, "there are too many includes") \
    X(CODE_KEY_OF_ROOT_FILE, 705, "a key belongs in the root file") \
    /* templates */ \
    X(CODE_TEMPLATE_SYNTAX, 801, "a template is malformed") \
    X(CODE_TEMPLATE_NAME, 802, "a template has a name that nothing asks for") \
    X(CODE_TEMPLATE_UNKNOWN_NAME, 803, "a template asks for what is not there") \
    X(CODE_TEMPLATE_UNPRINTABLE, 804, "a template prints what is no text") \
    X(CODE_TEMPLATE_MISSING, 805, "a template includes one that is not there") \
    X(CODE_TEMPLATE_TOO_LARGE, 806, "a template makes too much") \
    X(CODE_TEMPLATE_MARK, 807, "a template leaves out what marks its file") \
    /* outputs, and what the system refuses */ \
    X(CODE_UNWRITABLE, 901, "a file cannot be written") \
    X(CODE_OUTPUT_UNREADABLE, 902, "a file that is to be replaced cannot be read") \
    X(CODE_OUTPUT_EDITED, 903, "a generated file was edited") \
    X(CODE_OUTPUT_FOREIGN, 904, "a file in the way is not kin's") \
    X(CODE_MANIFEST, 905, "the manifest is not as kin wrote it") \
    X(CODE_DEPFILE_IS_OUTPUT, 906, "the depfile would replace an output") \
    X(CODE_DEPFILE_PATH, 907, "a path cannot stand in a depfile") \
    X(CODE_STANDARD_OUTPUT, 908, "standard output cannot be written") \
    X(CODE_NO_MEMORY, 909, "there is no memory left") \
    X(CODE_PROJECT_FILE, 910, "a file of the new project is there already") \
    /* advice */ \
    X(CODE_NAME_OF_HEADERS, 1001, "a name is also one of C's headers") \
    X(CODE_UNUSED_CONTEXT, 1002, "a context has no components") \
    X(CODE_UNUSED_TYPE, 1003, "a type is in no component") \
    X(CODE_LARGE_VALUE, 1004, "a value is large") \
    X(CODE_PADDING, 1005, "the order of fields wastes memory") \
    X(CODE_FLOATING_KEY, 1006, "an index is over floating point") \
    X(CODE_NOTHING_MATCHES, 1007, "nothing can match a group") \
    X(CODE_UNHEARD_MESSAGE, 1008, "a message is in no inbox") \
    /* systems, schedules and messages */ \
    X(CODE_MESSAGE_FIELD, 1101, "a field cannot be in a message") \
    X(CODE_UNKNOWN_MESSAGE, 1102, "a message is unknown") \
    X(CODE_INBOX, 1103, "an inbox is written wrongly") \
    X(CODE_UNKNOWN_NODE, 1111, "a node of the schedule is unknown") \
    X(CODE_NO_NODE, 1112, "a system does not say where it runs") \
    X(CODE_STEP, 1113, "a node has impossible steps") \
    X(CODE_UNKNOWN_SYSTEM, 1121, "a system is unknown") \
    X(CODE_UNKNOWN_GROUP, 1122, "a group is unknown") \
    X(CODE_KIND_OF_SYSTEM, 1123, "a system is of two kinds") \
    X(CODE_ROLE, 1124, "a system cannot have a role") \
    X(CODE_ON_LEAVE, 1125, "a system keeps what it never looks at") \
    X(CODE_WRITES, 1126, "a system cannot write a component") \
    X(CODE_NAMED_TWICE, 1127, "a list of a system names something twice") \
    X(CODE_ORDER_CYCLE, 1131, "systems run before each other in a circle") \
    X(CODE_ORDER_AGAINST_SCHEDULE, 1132, "an order stands against the schedule") \
    X(CODE_FIRST_AND_LAST, 1133, "a system is both first and last") \
    X(CODE_UNORDERED_WRITES, 1134, "two systems write the same in no order")
// clang-format on

#define DIAGNOSTIC_CODE_VALUE(name, number, title) name = (number),
typedef enum diagnostic_code { DIAGNOSTIC_CODES(DIAGNOSTIC_CODE_VALUE) } diagnostic_code;
#undef DIAGNOSTIC_CODE_VALUE

#endif
