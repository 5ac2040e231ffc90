// What a test of a system may choose: its parameters, the messages it posts and
// what they contain.
#ifndef REACH_MODEL_H
#define REACH_MODEL_H

#include "base/arena.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "reach/words.h"

// What a gene holds of a message; fields beyond stay zero.
enum { MODEL_BYTES = 240, MODEL_PARAMS = 32 };

enum leaf_kind {
    LEAF_INT,
    LEAF_UNSIGNED,
    LEAF_BOOL,
    LEAF_FLOAT,
    LEAF_ENUM,
    LEAF_TEXT, // an array of char
    LEAF_REF,
    LEAF_BLOCK // a pointer, to bytes that stand behind the message's own
};

struct leaf {
    enum leaf_kind kind;
    uint32_t offset;    // of its bytes
    uint32_t bit, bits; // of a bit-field, from `offset`; else bits is 0
    uint32_t size;
    bool shared; // its bytes are those of other leaves, too: in a union
    uint32_t cls;                // a reference: to whom, IR_NOTHING: to anybody
    uint32_t to;                 // a block: where its bytes stand,
    uint32_t room;               // and how many
    const struct ir_dtype *type; // an enum
};

struct model_msg {
    const char *name;
    uint32_t size;  // as sent
    uint32_t bytes; // with the blocks behind it
    bool owns;      // it may own memory
    VEC(struct leaf) leaves;
};

// Values that one function of the program asks for if nobody gives others.
struct model_defaults {
    uint32_t fn;
    uint32_t params; // a bit for each
    int64_t values[MODEL_PARAMS];
};

struct reach_model {
    const struct ir *ir;
    struct arena arena;
    VEC(const char *) params;
    bool more_params; // that have no name in the code, or are too many
    VEC(struct model_defaults) defaults; // a system's, a test's
    VEC(struct model_msg) msgs;          // as in ir.msgs
    VEC(uint32_t) * accepts;             // by class: messages of its protocol
    struct words words;
};

void model_init(struct reach_model *m, const struct ir *ir);
void model_release(struct reach_model *m);

// The bytes of a leaf as a number, and back.
uint64_t leaf_get(const struct leaf *l, const unsigned char *bytes);
void leaf_set(const struct leaf *l, unsigned char *bytes, uint64_t v);
uint32_t leaf_bits(const struct leaf *l);

#endif
