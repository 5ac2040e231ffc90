// A thin JSON writer: text out, nothing kept.  Commas and indentation are put
// by the writer; the caller opens and closes in pairs.
//
//     json_object(&j, NULL);
//     json_text(&j, "name", "bank");
//     json_array(&j, "tests"); ... json_end(&j);
//     json_end(&j);
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct json {
    struct text *to;
    uint32_t depth;
    uint64_t arrays; // bit d: the container at depth d is an array
    bool some;       // the innermost container has an element
    bool compact;    // all on one line
};

// key is NULL in arrays and at the top.
void json_object(struct json *j, const char *key);
void json_array(struct json *j, const char *key);
void json_end(struct json *j);
void json_text(struct json *j, const char *key, const char *value); // or null
void json_number(struct json *j, const char *key, int64_t value);
void json_real(struct json *j, const char *key, double value);
void json_bool(struct json *j, const char *key, bool value);

#endif
