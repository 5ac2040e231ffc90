// A trace for other programs: sequence diagrams and logs.
#ifndef REPORT_DIAGRAM_H
#define REPORT_DIAGRAM_H

struct text;
struct trace;

void diagram_mermaid(const struct trace *t, struct text *to);
void diagram_plantuml(const struct trace *t, struct text *to);
// Lines "host {clock}" and "event", for ShiViz's default expression.
void diagram_shiviz(const struct trace *t, struct text *to);
// Chrome's trace format, as Perfetto reads it: a track an actor, a slice a
// receive, arrows from send to receive.
void diagram_perfetto(const struct trace *t, struct text *to);

#endif
