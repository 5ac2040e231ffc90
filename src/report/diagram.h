// A trace for other programs: sequence diagrams and logs.
#ifndef REPORT_DIAGRAM_H
#define REPORT_DIAGRAM_H

struct text;
struct trace;

void diagram_mermaid(const struct trace *t, struct text *to);
void diagram_plantuml(const struct trace *t, struct text *to);
// Lines "host {clock}" and "event", for ShiViz's default expression.
void diagram_shiviz(const struct trace *t, struct text *to);

#endif
