// Containers of C++ whose contents depend on the order of messages; the digest
// shows it, for plain text does not look into the library's own structures.
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "troupe_short.h"

struct put {
    int key, value;
};
TR_MESSAGE(put);
struct erase {
    int key;
};
TR_MESSAGE(erase);
TR_PROTOCOL(store, put, erase);
struct store {
    std::map<int, std::vector<int>> *lists;
    std::deque<std::string> *log;
    unsigned digest;
};
TR_INIT(store)
{
    self->lists = new std::map<int, std::vector<int>>;
    self->log = new std::deque<std::string>;
}
TR_FINI(store)
{
    delete self->lists;
    delete self->log;
}

static unsigned digest(const struct store *s)
{
    unsigned d = 7;
    for (auto &l : *s->lists)
        for (int v : l.second)
            d = d * 31 + (unsigned)(10 * l.first + v);
    for (auto &t : *s->log)
        d = d * 17 + (unsigned)t.size() + (unsigned char)t.back();
    return d;
}

TR_HANDLER(store, put)
{
    (*self->lists)[msg->key].push_back(msg->value);
    self->log->push_back(std::string((size_t)(20 + msg->value), 'p'));
    self->digest = digest(self);
}
TR_HANDLER(store, erase)
{
    self->lists->erase(msg->key);
    self->log->push_front("erased a list of numbers " +
                          std::to_string(msg->key));
    self->digest = digest(self);
}
TR_BEHAVIOUR(store, open, TR_ON(put, store_put), TR_ON(erase, store_erase));
TR_CLASS(store, .start = &store_open, .init = store_init_,
         .fini = store_fini_);

TR_SIGNAL(go);
TR_PROTOCOL(source, go);
struct source {
    store_ref to;
    int n;
};
TR_HANDLER(source, go)
{
    send(self->to, put, .key = self->n % 2, .value = self->n);
    if (self->n == 2)
        send(self->to, erase, .key = 0);
    else
        send(self->to, put, .key = 1, .value = 10 * self->n);
}
TR_BEHAVIOUR(source, open, TR_ON(go, source_go));
TR_CLASS(source, .start = &source_open);

TR_TEST(cxx_containers)
{
    store_ref s = spawn(store);
    for (int i = 1; i < 4; i++)
        send(spawn(source, .to = s, .n = i), go);
}
