// Nodes of the search `optimal`: the choices made on the way to a graph.
//
// A node stands for a graph and walks through its children.  Which child comes
// next depends only on the graph and on the node, so that a path can be taken
// back to any node and followed again.  After a child is applied the graph is
// the child's; undo brings the node's own graph back.
#ifndef EXPLORE_OPTIMAL_NODE_H
#define EXPLORE_OPTIMAL_NODE_H

#include "explore/optimal/graph.h"
#include "explore/optimal/graph_mail.h"

enum node_kind {
    NODE_RECEIVE, // of an actor: each message it may receive, then timers
    NODE_SENDS,   // of a run: each way to place them, then revisits
    NODE_PICK,    // of a run: each answer to choose()
    NODE_BODY,    // the next segment of the test body; one child
};

struct node {
    enum node_kind kind;
    bool begun;   // pos is a child, not the start
    bool applied; // the graph is that child's
    bool again;   // path_again() is to apply it
    bool closed;  // no further children: given away
    bool fixed;   // closed from the start: the others are not ours
    uint32_t of;  // actor or run
    // RECEIVE: index in the inbox, play_timer(k); SENDS: place in the order of
    // the receive to revisit, NO_RUN for none; PICK: the answer
    uint32_t pos;
    uint32_t nth;    // SENDS, revisiting: which send
    uint32_t n;      // PICK: number of answers; SENDS: number of places
    uint32_t made;   // the run a child added, or NO_RUN
    uint32_t sender; // run whose sends went out with the child, or NO_RUN
    uint32_t plain, n_plain;       // their places, if by mailbox
    uint32_t saved, mails, places; // heights of the stacks below
};

// A path: the graph and the nodes that lead to it.
struct path {
    struct graph graph;
    VEC(struct node) nodes;
    VEC(uint32_t) saved; // events taken out by revisits
    entries mails;       // inboxes before revisits
    places places;
    uint64_t revisits;
};

static inline bool by_mailbox(const struct path *p)
{
    return p->graph.delivery == DELIVERY_MAILBOX;
}

static inline struct mail_place *places_of(struct path *p, const struct node *f)
{
    return p->places.at + f->places;
}

void path_begin(struct path *p, struct play *play, enum delivery d);
void path_end(struct path *p);

// Push the node of the present graph.  False: the graph is complete.
bool path_push(struct path *p);
// Drop the top node, whose child is undone.
void path_pop(struct path *p);

// Move a node to its next child; false: there is none.  The graph must be the
// node's.
bool node_next(struct path *p, struct node *f);
// Go to the child, and back.
void node_apply(struct path *p, struct node *f);
void node_undo(struct path *p, struct node *f);
// How many children the node has, and how many come before its present one.
uint32_t node_count(struct path *p, const struct node *f, uint32_t *before);
// Move a fresh node to the child that f is at; false: it has no such child.
// `at` has the places of f.
bool node_find(struct path *p, struct node *fresh, const struct node *f,
               const struct mail_place *at);
// About how much has to be looked at to see whether there is another child.
uint32_t node_cost(const struct path *p, const struct node *f);
// Is there a child after the present one?
bool node_has_more(struct path *p, const struct node *f);

// Take the path back to the graph of node i, and follow it again from there.
// Runs may get other ids on the way.
void path_back(struct path *p, uint32_t i);
void path_again(struct path *p, uint32_t i);
// The same for node i alone, whose graph is the present one.
void path_step_again(struct path *p, uint32_t i);

#endif
