// Two references that may be one object: 5 cases on 4 paths.
struct cell {
    int level;
};

void level_out(struct cell *one, struct cell *other)
{
    if (one->level > 0)
        other->level = 1;
    else
        one->level = 0;
}
