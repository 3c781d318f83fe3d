// The codes of all diagnostics: K and four digits, the first two of which are the family.
//
// A code is permanent: a removed code is never reused. Each code has an explanation in explanations/, which `kin
// explain` prints, and a case in tests/bad that produces it. A test checks both.
//
//   X(CODE_NAME, number, "what is wrong, as a title")
#ifndef KIN_GENERATOR_DIAGNOSTIC_CODES_H
#define KIN_GENERATOR_DIAGNOSTIC_CODES_H

// clang-format off
#define DIAGNOSTIC_CODES(X) \
    /* the run itself */ \
    X(CODE_USAGE, 1, "the command line is invalid") \
    X(CODE_MORE, 2, "some diagnostics are not shown") \
    /* files and their bytes */ \
    X(CODE_FILE_UNREADABLE, 101, "a file cannot be read") \
    X(CODE_ENCODING, 102, "the file is not UTF-8") \
    X(CODE_CHARACTER, 103, "an invisible character") \
    X(CODE_WRITING_DIRECTION, 104, "a character that changes the writing direction") \
    X(CODE_TEXT_TOO_LONG, 105, "a scalar is too long") \
    X(CODE_NESTED_TOO_DEEP, 106, "nested too deep") \
    /* YAML and its structure */ \
    X(CODE_EMPTY_FILE, 201, "the file is empty") \
    X(CODE_ROOT, 202, "the root of a schema is not a mapping") \
    X(CODE_DUPLICATE_KEY, 203, "a mapping has a duplicate key") \
    X(CODE_ANCHOR, 204, "anchors and aliases are not supported") \
    X(CODE_TAG, 205, "tags are not supported") \
    X(CODE_MERGE_KEY, 206, "merge keys are not supported") \
    X(CODE_DIRECTIVE, 207, "directives are not supported") \
    X(CODE_SECOND_DOCUMENT, 208, "a schema has a second document") \
    X(CODE_TAB, 209, "tab used for indentation") \
    X(CODE_ODD_KEY, 210, "a key is not a scalar") \
    X(CODE_MISSING_KEY, 211, "missing key before a colon") \
    X(CODE_MISSING_COLON, 212, "missing colon after a key") \
    X(CODE_MISSING_SPACE, 213, "missing space") \
    X(CODE_SECOND_COLON, 214, "a second colon on a line") \
    X(CODE_UNCLOSED_QUOTE, 215, "unclosed quote") \
    X(CODE_UNCLOSED_BRACKET, 216, "unclosed bracket") \
    X(CODE_UNEXPECTED, 217, "unexpected content") \
    X(CODE_STRAY_BRACKET, 218, "unmatched bracket") \
    X(CODE_QUOTES_NEEDED, 219, "a scalar needs quotes") \
    X(CODE_INDENTATION, 220, "the indentation matches no line above") \
    X(CODE_LIST_PLACE, 221, "a list is not allowed here") \
    X(CODE_ESCAPE, 222, "unknown escape") \
    X(CODE_BLOCK_TEXT, 223, "the head of a block scalar is invalid") \
    X(CODE_UNKNOWN_KEY, 231, "unknown key") \
    X(CODE_MAPPING_EXPECTED, 232, "expected a mapping") \
    X(CODE_LIST_EXPECTED, 233, "expected a list") \
    X(CODE_TEXT_EXPECTED, 234, "expected a scalar") \
    X(CODE_EMPTY, 235, "a list or mapping is empty") \
    X(CODE_UNKNOWN_CHOICE, 236, "unknown choice") \
    X(CODE_VERSION, 241, "the schema does not begin with its version") \
    X(CODE_NO_PACKAGE, 242, "the schema has no package") \
    /* names */ \
    X(CODE_NAME_CASE, 301, "a name does not follow the rules for its kind") \
    X(CODE_NAME_TOO_LONG, 302, "a name is too long") \
    X(CODE_NAME_RESERVED, 303, "a name is reserved") \
    X(CODE_NAME_OF_RUNTIME, 304, "a name is reserved for the runtime") \
    X(CODE_PREFIX, 305, "a prefix is not the beginning of an identifier") \
    X(CODE_DUPLICATE_NAME, 306, "a name is declared twice") \
    X(CODE_COLLISION, 307, "two definitions generate the same name") \
    X(CODE_ITERATOR_MEMBER, 308, "a component cannot be a member of an iterator") \
    /* types, fields and values */ \
    X(CODE_UNKNOWN_TYPE, 401, "unknown type") \
    X(CODE_TYPE_SYNTAX, 402, "a type has an invalid form") \
    X(CODE_TOO_LARGE, 403, "a value is too large") \
    X(CODE_NO_TYPE, 404, "a field has no type") \
    X(CODE_TOO_MANY_FIELDS, 405, "too many fields") \
    X(CODE_STRING_IN_STRUCT, 406, "a struct cannot hold a string") \
    X(CODE_KIND_OF_TYPE, 407, "a type is not one of struct, enum and opaque") \
    X(CODE_KEY_OF_OPAQUE, 408, "a key is only allowed on opaque types") \
    X(CODE_RECURSIVE_TYPE, 409, "a type contains itself") \
    X(CODE_STRUCTS_TOO_DEEP, 410, "structs are nested too deep") \
    X(CODE_OPAQUE, 411, "an opaque type is invalid") \
    X(CODE_ENUM_NUMBER, 412, "the number of an enum value is invalid") \
    X(CODE_DUPLICATE_ENUM_NUMBER, 413, "two enum values have the same number") \
    X(CODE_VALUE, 421, "a value does not have the type of its field") \
    X(CODE_VALUE_OUT_OF_RANGE, 422, "a number is out of range") \
    X(CODE_TEXT_DOES_NOT_FIT, 423, "a string is too long for its field") \
    X(CODE_UNKNOWN_ENUM_VALUE, 424, "unknown enum value") \
    X(CODE_UNKNOWN_MEMBER, 425, "unknown field in a struct") \
    X(CODE_ARRAY_COUNT, 426, "an array has the wrong number of values") \
    X(CODE_NO_DEFAULT_POSSIBLE, 427, "a type cannot have a default") \
    X(CODE_DEFAULTS_TOO_LARGE, 428, "the defaults are too large") \
    X(CODE_RANGE, 429, "a range is invalid") \
    /* contexts and components */ \
    X(CODE_NO_CONTEXTS, 501, "the schema has no contexts") \
    X(CODE_UNKNOWN_CONTEXT, 502, "unknown context") \
    X(CODE_DUPLICATE_CONTEXT, 503, "a component lists a context twice") \
    X(CODE_NO_DEFAULT_CONTEXT, 504, "missing context, and no context is the default") \
    X(CODE_TWO_DEFAULT_CONTEXTS, 505, "two contexts are the default") \
    X(CODE_TOO_MANY, 506, "too many contexts or components") \
    X(CODE_UNKNOWN_COMPONENT, 507, "unknown component") \
    X(CODE_OTHER_CONTEXT, 508, "a component is in another context") \
    X(CODE_FLAG_PREFIX, 509, "flag_prefix on a component with fields") \
    X(CODE_NOTHING_TO_STORE, 510, "a storage option on a flag") \
    X(CODE_NOT_SOA, 511, "a component cannot have 'layout: soa'") \
    X(CODE_LABEL, 512, "a label is not a field, or not one of text, integers or enums") \
    X(CODE_OFF, 513, "'off' of a context does not name a flag that several entities can have") \
    /* walks of groups */ \
    X(CODE_INDEX_ORDER, 521, "an index cannot order a group or a system") \
    X(CODE_UNHEARD_GROUP, 522, "nothing can listen to a group that asks about a relation") \
    X(CODE_QUESTION, 523, "a group asks about what is no relation") \
    /* groups, indices, events and blueprints */ \
    X(CODE_NO_RULE, 601, "a group has no rule") \
    X(CODE_DUPLICATE_COMPONENT, 602, "a rule lists a component twice") \
    X(CODE_TOO_MANY_RULES, 603, "a group has too many rules or components") \
    X(CODE_CONTRADICTION, 604, "a component is both required and forbidden") \
    X(CODE_MAYBE, 605, "a component cannot be an optional column") \
    X(CODE_INCOMPLETE_INDEX, 611, "an index is incomplete") \
    X(CODE_KEY_FIELD, 612, "a part of a key is not a field") \
    X(CODE_DUPLICATE_KEY_FIELD, 613, "a key lists a field twice") \
    X(CODE_KEY_TOO_LONG, 614, "a key has too many fields") \
    X(CODE_KEY_TYPE, 615, "a field cannot be in a key") \
    X(CODE_INDEX_IN_STRUCT, 616, "a field of a struct cannot have an index") \
    X(CODE_KEY_FUNCTION, 617, "the function of a key has no valid name") \
    X(CODE_GIVEN_KEY_TYPE, 618, "a function cannot give keys of a type") \
    X(CODE_INDEX_OF, 619, "an index has an invalid 'of'") \
    X(CODE_ORDERED_KEY, 620, "a key cannot be ordered so") \
    X(CODE_EVENT_TARGET, 621, "an event has no target") \
    X(CODE_DUPLICATE_EVENT, 622, "a component has two equal events") \
    X(CODE_CELL, 623, "a grid has an invalid 'cell'") \
    X(CODE_POINT, 624, "the key of a grid is not a point") \
    X(CODE_REFRESH, 625, "an index has nothing to refresh") \
    /* blueprints */ \
    X(CODE_UNKNOWN_BLUEPRINT, 631, "unknown blueprint") \
    X(CODE_BLUEPRINT_CYCLE, 632, "a blueprint extends itself") \
    X(CODE_BLUEPRINT_CONTEXT, 633, "a blueprint extends one of another context") \
    X(CODE_BLUEPRINTS_TOO_DEEP, 634, "blueprints extend each other too deep") \
    X(CODE_NO_COMPONENTS, 635, "a blueprint has no components") \
    X(CODE_UNKNOWN_FIELD, 636, "unknown field in a blueprint") \
    X(CODE_BLUEPRINT_MEMBER, 637, "a component cannot be a member of a blueprint's values") \
    /* included files */ \
    X(CODE_INCLUDE_UNREADABLE, 701, "an included file cannot be read") \
    X(CODE_INCLUDE_OUTSIDE, 702, "an included file is outside of the root folder") \
    X(CODE_INCLUDE_CYCLE, 703, "a file includes itself") \
    X(CODE_TOO_MANY_INCLUDES, 704, "too many includes") \
    X(CODE_KEY_OF_ROOT_FILE, 705, "a key is only allowed in the root file") \
    /* templates */ \
    X(CODE_TEMPLATE_SYNTAX, 801, "a template is malformed") \
    X(CODE_TEMPLATE_NAME, 802, "a template file has an unknown name") \
    X(CODE_TEMPLATE_UNKNOWN_NAME, 803, "unknown name in a template") \
    X(CODE_TEMPLATE_UNPRINTABLE, 804, "a template prints a list or a map") \
    X(CODE_TEMPLATE_MISSING, 805, "a template includes an unknown template") \
    X(CODE_TEMPLATE_TOO_LARGE, 806, "a template's output is too large or does not end") \
    X(CODE_TEMPLATE_MARK, 807, "a template omits the mark or the stamp") \
    X(CODE_TEMPLATE_OUTPUT, 808, "an output of --template has the name of another file") \
    /* outputs and system errors */ \
    X(CODE_UNWRITABLE, 901, "a file cannot be written") \
    X(CODE_OUTPUT_UNREADABLE, 902, "an output cannot be read before it is replaced") \
    X(CODE_OUTPUT_EDITED, 903, "a generated file was edited") \
    X(CODE_OUTPUT_FOREIGN, 904, "a file at the path of an output is not kin's") \
    X(CODE_MANIFEST, 905, "the manifest was edited") \
    X(CODE_DEPFILE_IS_OUTPUT, 906, "the depfile has the path of an output") \
    X(CODE_DEPFILE_PATH, 907, "a path cannot be written to a depfile") \
    X(CODE_STANDARD_OUTPUT, 908, "standard output cannot be written") \
    X(CODE_NO_MEMORY, 909, "out of memory") \
    X(CODE_PROJECT_FILE, 910, "a file of the new project already exists") \
    X(CODE_OUTPUT_OF_SCHEMA, 911, "a folder has the files of another schema") \
    /* advice */ \
    X(CODE_NAME_OF_HEADERS, 1001, "a name is also declared by a common header") \
    X(CODE_UNUSED_CONTEXT, 1002, "a context has no components") \
    X(CODE_UNUSED_TYPE, 1003, "a type is never used") \
    X(CODE_LARGE_VALUE, 1004, "a value is large") \
    X(CODE_PADDING, 1005, "the order of fields wastes memory") \
    X(CODE_FLOATING_KEY, 1006, "an index has a floating-point key") \
    X(CODE_NOTHING_MATCHES, 1007, "no entity can match a group") \
    X(CODE_UNHEARD_MESSAGE, 1008, "a message is not in any inbox") \
    X(CODE_PASSING_SPAWN, 1009, "a spawned entity enters a group and leaves it") \
    X(CODE_USELESS_PARALLEL, 1010, "a parallel system never runs beside anything") \
    X(CODE_REFUSED_CLEANUP, 1011, "a cleanup can be refused by its own component") \
    X(CODE_SLOWER_INDEX, 1012, "an index has the key of a relation with a reverse") \
    X(CODE_SEEN_LATE, 1013, "a system sees the commands of an earlier one in the next update") \
    X(CODE_UNNOTICED_WRITE, 1014, "a parallel system writes in place what others wait for") \
    X(CODE_EXCLUDED_SPAWN, 1015, "two entities of a blueprint exclude each other") \
    /* systems, schedules and messages */ \
    X(CODE_MESSAGE_FIELD, 1101, "a field cannot be in a message") \
    X(CODE_UNKNOWN_MESSAGE, 1102, "unknown message") \
    X(CODE_INBOX, 1103, "an inbox is invalid") \
    X(CODE_UNKNOWN_NODE, 1111, "unknown node") \
    X(CODE_NO_NODE, 1112, "a system has no node") \
    X(CODE_STEP, 1113, "a node has invalid steps") \
    X(CODE_MANUAL, 1114, "a node inside another is manual") \
    X(CODE_UNKNOWN_SYSTEM, 1121, "unknown system") \
    X(CODE_UNKNOWN_GROUP, 1122, "unknown group") \
    X(CODE_KIND_OF_SYSTEM, 1123, "a system has both a group and triggers") \
    X(CODE_ROLE, 1124, "a system cannot have a role") \
    X(CODE_ON_LEAVE, 1125, "a system keeps last values that it never reads") \
    X(CODE_WRITES, 1126, "a system cannot write a component") \
    X(CODE_NAMED_TWICE, 1127, "a system lists an entry twice") \
    X(CODE_ORDER_CYCLE, 1131, "the order of systems has a cycle") \
    X(CODE_ORDER_AGAINST_SCHEDULE, 1132, "an order contradicts the schedule") \
    X(CODE_FIRST_AND_LAST, 1133, "a system is both first and last") \
    X(CODE_UNORDERED_WRITES, 1134, "two systems write a component without a declared order") \
    X(CODE_READS_OWN_WRITES, 1141, "a parallel system reads what it writes") \
    X(CODE_NOT_PARALLEL, 1142, "a key of jobs is in a system that is not parallel") \
    X(CODE_LOOKS_UP, 1143, "an index is not one that a parallel system can look up") \
    X(CODE_COMMAND, 1144, "commands cannot make this") \
    X(CODE_GRAIN, 1145, "pieces of a parallel system have an invalid size") \
    X(CODE_WRITES_OF_JOB, 1146, "a parallel system writes what is not a column of its iterator") \
    X(CODE_CANNOT_BE_PARALLEL, 1147, "a system cannot be parallel") \
    X(CODE_PARALLEL_ORDER, 1148, "a parallel system visits its group in the order of an index") \
    X(CODE_WRITES_LOOKED_UP, 1149, "a parallel system writes the key of a grid that it looks up") \
    /* saves */ \
    X(CODE_LOST, 1201, "the schema lacks something that saves have") \
    X(CODE_RETYPED, 1202, "a change of type loses values of saves") \
    X(CODE_WAS, 1203, "'was' is not the name of anything in saves") \
    X(CODE_SAVED_TWICE, 1204, "two things are saved under one name") \
    X(CODE_NAME_USED_AGAIN, 1205, "a new thing has the name of a removed one") \
    X(CODE_REMOVED, 1206, "'removed' names something that was not removed") \
    X(CODE_LOCK, 1207, "a lock is invalid, or of another package") \
    X(CODE_NARROWED, 1208, "earlier saves can have what the schema does not allow now") \
    X(CODE_NEVER_MIGRATES, 1209, "a component migrates but is never saved") \
    X(CODE_NOT_IN_FILES, 1210, "a component cannot be in files") \
    X(CODE_ANY_ENTITY, 1211, "a saved entity has no context") \
    X(CODE_LOWER_VERSION, 1212, "a package has a lower version than its lock") \
    /* files of saves */ \
    X(CODE_NOT_A_SAVE, 1301, "a file is not a save") \
    X(CODE_SAVE_ENDS, 1302, "a save ends too early") \
    X(CODE_SAVE_CHECKSUM, 1303, "a save is damaged: a checksum does not match") \
    X(CODE_SAVE_FOREIGN, 1304, "a save has a newer format, or is of another package") \
    X(CODE_SAVE_UNKNOWN, 1305, "a save has something that the schema lacks") \
    X(CODE_SAVE_UNFIT, 1306, "a save has a value that does not fit its type") \
    X(CODE_SAVE_NUMBER, 1307, "a save has a number out of its range") \
    X(CODE_SAVE_TWICE, 1308, "a save has something twice") \
    X(CODE_SAVE_BLOCK, 1309, "a block of a save is where it must not be") \
    X(CODE_LINE_SYNTAX, 1321, "a line is not JSON, or not one of a save") \
    X(CODE_LINE_NAME, 1322, "a line has a name that the schema does not know") \
    X(CODE_LINE_VALUE, 1323, "a line has a value that the type of its field cannot have") \
    X(CODE_LINE_TWICE, 1324, "lines have something twice") \
    /* relations */ \
    X(CODE_RELATION_TYPE, 1401, "a field cannot be a relation") \
    X(CODE_RELATION_CONTEXT, 1402, "a relation leads to another context") \
    X(CODE_RELATION_KEYS, 1403, "the keys of a relation contradict each other") \
    X(CODE_DUPLICATE_REVERSE, 1404, "two relations of a context have the same reverse") \
    X(CODE_TWO_TREES, 1405, "a component has two fields with 'tree'") \
    X(CODE_CHILDREN, 1406, "a blueprint cannot have these children") \
    X(CODE_TREE_SYSTEM, 1407, "a system cannot visit its group in the order of a tree") \
    X(CODE_ENDLESS_RELATION, 1408, "indices can keep a relation from ending") \
    X(CODE_MISSPELLED_CHILD, 1409, "a new child almost has the name of an inherited one") \
    /* lists */ \
    X(CODE_LIST, 1411, "a list is where none can be, or of a type that cannot be in a list") \
    /* shared values */ \
    X(CODE_NOT_SHARED, 1421, "a component cannot have 'storage: shared'") \
    /* networks */ \
    X(CODE_REPLICATE_UNSAVED, 1501, "'replicate' where it cannot be") \
    X(CODE_REPLICATE_OPAQUE, 1502, "an opaque value would be sent to replicas") \
    X(CODE_TWO_ZONES, 1503, "a context has two fields with 'zone' or 'peer'") \
    X(CODE_ZONE_TYPE, 1504, "a field cannot have 'zone' or 'peer'") \
    X(CODE_PRECISION, 1505, "a field cannot have 'precision' or 'blend'") \
    X(CODE_PRECISION_OF_KEY, 1506, "a key of an index has 'precision'") \
    X(CODE_MESSAGE_OPAQUE, 1507, "a message with an opaque value would cross the network") \
    X(CODE_PREDICTED_READS, 1508, "a predicted system reads what replicas do not have") \
    X(CODE_REPLICATE_RELATION, 1509, "a field that is sent names entities that are not") \
    X(CODE_NET_APART, 1510, "programs of two versions could not meet in a network") \
    /* content */ \
    X(CODE_UNKNOWN_PREFAB, 1601, "unknown prefab") \
    X(CODE_CONTENT_KEY, 1602, "a key is no content") \
    X(CODE_PREFAB_CIRCLE, 1603, "a prefab extends itself") \
    X(CODE_UNKNOWN_PART, 1604, "a prefab has no such part or knob") \
    X(CODE_PART_WITHOUT_OF, 1605, "a new part has no 'of'") \
    X(CODE_INSTANCE_LACKS, 1606, "an instance lacks a component") \
    X(CODE_CONTENT_VALUE, 1607, "a value cannot be set here") \
    X(CODE_NO_SUCH_PART, 1608, "a reference names no part or instance") \
    X(CODE_KNOB, 1609, "a knob or 'placed_by' names no field that it can") \
    X(CODE_LIST_FOR_STRUCT, 1610, "a list for a struct that has other fields") \
    X(CODE_PLACED_TWICE, 1611, "a name or a key is there twice") \
    X(CODE_UNIQUE_TWICE, 1612, "a unique component is placed twice") \
    X(CODE_HASHES_MEET, 1613, "two names have the same hash") \
    X(CODE_NO_TREE, 1614, "there is no tree for new parts") \
    X(CODE_ONLY_LACKS_ORIGIN, 1615, "a group with 'only' has no prefab in it") \
    X(CODE_TOO_MANY_INSTANCES, 1616, "a level has too many instances") \
    X(CODE_NO_CONTENT, 1617, "the schema has no context for content") \
    X(CODE_NAME_VANISHED, 1620, "a name of the lock of content is gone") \
    X(CODE_OTHER_PACKAGE, 1621, "a pack is of another package")
// clang-format on

#define DIAGNOSTIC_CODE_VALUE(name, number, title) name = (number),
typedef enum diagnostic_code { DIAGNOSTIC_CODES(DIAGNOSTIC_CODE_VALUE) } diagnostic_code;
#undef DIAGNOSTIC_CODE_VALUE

#endif
