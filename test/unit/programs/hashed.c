// A word that only its hash tells.
int is_connect(const char *s)
{
    const char *word = "connect";
    unsigned long long h = 14695981039346656037u, wanted = h;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 1099511628211u;
    for (; *word; word++)
        wanted = (wanted ^ (unsigned char)*word) * 1099511628211u;
    if (h == wanted)
        return 1;
    return 0;
}
