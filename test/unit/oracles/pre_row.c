int pre_reduce_all(struct row *r)
{
    return r == 0 || r->length >= 0;
}
