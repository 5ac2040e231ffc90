// Exploration on other machines: what a task of Work Queue is given, and what
// it does there.
//
// Such a task is this executable, the compiled program, the file `subject` with
// what the command line says of the test, and the file `order` with units of
// work.
#ifndef CLI_FAR_TASK_H
#define CLI_FAR_TASK_H

struct subject;
struct text;

#define TASK_OPTION "--task"
#define TASK_TOOL "troupe"
#define TASK_PROGRAM "program.so"
#define TASK_SUBJECT "subject"

// The subject as bytes.  The environment goes along if the program reads it,
// and what decides about language and time always.
void task_subject_put(struct text *t, const struct subject *s);

// troupe --task: do the order that lies here.  The exit status.
int task_main(void);

#endif
