// A call of a C function as JSON, for the page: objects before and after.
#ifndef REPORT_CALL_JSON_H
#define REPORT_CALL_JSON_H

struct call_case;
struct json;

// The object of a call, in the form that objects of tests have on a page.
// test: the call as a test in C.
void call_json(const struct call_case *c, const char *test, struct json *j);

#endif
