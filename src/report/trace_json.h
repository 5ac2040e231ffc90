// A trace as JSON: an object with actors, steps and the strings they share.
#ifndef REPORT_TRACE_JSON_H
#define REPORT_TRACE_JSON_H

struct json;
struct trace;
struct trace_race;

// States repeat: a step has the index of its state in `states`.
void trace_json(const struct trace *t, const char *key, struct json *j);
void race_json(const struct trace_race *r, const char *key, struct json *j);

#endif
