// C++ in handlers: memory by operator new in all its forms, the C++ library's
// own (strings) and its clocks are the actor's, and go back with its state.
#include <cassert>
#include <chrono>
#include <map>
#include <memory>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "troupe_short.h"

struct add {
    int n;
};
TR_MESSAGE(add);
TR_SIGNAL(look);

// What three sources add, in any order, is in three containers.
TR_PROTOCOL(store, add, look);
struct store {
    std::vector<int> *list;
    std::map<std::string, int> *names;
    std::string *text;
    int sum;
};
TR_HANDLER(store, add)
{
    if (!self->list) {
        self->list = new std::vector<int>;
        self->names = new std::map<std::string, int>;
        self->text = new std::string;
    }
    self->list->push_back(msg->n);
    (*self->names)[std::string(50, (char)('a' + msg->n))] += msg->n;
    *self->text += "a text that grows by " + std::to_string(msg->n);
    self->sum += msg->n;
}
TR_HANDLER(store, look)
{
    int list = 0, names = 0;
    for (int n : *self->list)
        list += n;
    for (auto &n : *self->names)
        names += n.second;
    assert(list == self->sum);
    assert(names == self->sum);
    assert(self->text->size() == 22 * self->list->size());
}
TR_BEHAVIOUR(store, open, TR_ON(add, store_add), TR_ON(look, store_look));
TR_CLASS(store, .start = &store_open);

struct go {
    store_ref to;
    int n;
};
TR_MESSAGE(go);
TR_PROTOCOL(source, go);
TR_STATELESS(source);
TR_HANDLER(source, go)
{
    send(msg->to, add, .n = msg->n);
    send(msg->to, look);
}
TR_BEHAVIOUR(source, open, TR_ON(go, source_go));
TR_CLASS(source, .start = &source_open);

TR_TEST(containers, .explore = "pair")
{
    store_ref s = spawn(store);
    for (int i = 1; i < 4; i++)
        send(spawn(source), go, .to = s, .n = i);
}

// All forms of new and delete; exceptions; clocks.
struct alignas(64) wide {
    int x[32];
};
TR_PROTOCOL(forms, add);
struct forms {
    wide *one, *many;
    std::shared_ptr<int> *shared;
    int *array;
    long long then;
};
static void make(struct forms *self)
{
    self->one = new wide();
    self->many = new (std::nothrow) wide[3]();
    self->shared = new std::shared_ptr<int>(std::make_shared<int>(3));
    self->array = new (std::nothrow) int[10]();
    assert((uintptr_t)self->one % 64 == 0 && (uintptr_t)self->many % 64 == 0);
}
static void unmake(struct forms *self)
{
    delete self->one;
    delete[] self->many;
    delete self->shared;
    delete[] self->array;
    *self = {};
}
static bool refuses(size_t n)
{
    try {
        char *volatile p = new char[n];
        delete[] p;
    } catch (std::bad_alloc &) {
        return true;
    }
    return false;
}
TR_HANDLER(forms, add)
{
    std::ostringstream text;
    text << "a text too long for the string itself, " << 3.5 << msg->n;
    try {
        throw std::runtime_error(text.str());
    } catch (std::exception &e) {
        assert(e.what() == text.str());
    }
    assert(refuses(SIZE_MAX / 4));
    if (self->one)
        unmake(self);
    else
        make(self);
    auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    assert(now >= self->then);
}
TR_BEHAVIOUR(forms, open, TR_ON(add, forms_add));
TR_CLASS(forms, .start = &forms_open);

TR_TEST(operators, .explore = "pair")
{
    forms_ref f = spawn(forms);
    for (int i = 0; i < 3; i++)
        send(f, add, .n = i);
}

// What was made by one handler is not there in an order where it did not run.
TR_PROTOCOL(once, add, look);
struct once {
    int *made;
};
TR_HANDLER(once, add)
{
    self->made = new int(msg->n);
}
TR_HANDLER(once, look)
{
    if (self->made)
        *self->made += 1;
    assert(!self->made || *self->made <= 3);
}
TR_BEHAVIOUR(once, open, TR_ON(add, once_add), TR_ON(look, once_look));
TR_CLASS(once, .start = &once_open);
struct poke {
    once_ref to;
};
TR_MESSAGE(poke);
TR_PROTOCOL(poker, poke);
TR_STATELESS(poker);
TR_HANDLER(poker, poke)
{
    send(msg->to, look);
}
TR_BEHAVIOUR(poker, open, TR_ON(poke, poker_poke));
TR_CLASS(poker, .start = &poker_open);

TR_TEST(rolled_back)
{
    once_ref o = spawn(once);
    for (int i = 0; i < 2; i++)
        send(spawn(poker), poke, .to = o);
    send(o, add, .n = 1);
}
