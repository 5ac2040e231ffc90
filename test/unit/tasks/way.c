// A letter that goes to an archive which the office may not have.
#include <troupe_short.h>

TR_SIGNAL(letter);
TR_SIGNAL(entry);
TR_SIGNAL(paper);
TR_PROTOCOL(clerk, letter);
TR_PROTOCOL(office, entry);
TR_PROTOCOL(archive, paper);

struct archive {
    int papers;
};
TR_HANDLER(archive, paper)
{
    self->papers++;
}
TR_BEHAVIOUR(archive, on, TR_ON(paper));
TR_CLASS(archive, .start = &archive_on);

struct office {
    archive_ref archive_in_the_cellar;
};
TR_HANDLER(office, entry)
{
    send(self->archive_in_the_cellar, paper);
}
TR_BEHAVIOUR(office, on, TR_ON(entry));
TR_CLASS(office, .start = &office_on);

struct clerk {
    office_ref office_where_all_letters_are_opened;
};
TR_HANDLER(clerk, letter)
{
    send(self->office_where_all_letters_are_opened, entry);
}
TR_BEHAVIOUR(clerk, on, TR_ON(letter));
TR_CLASS(clerk, .start = &clerk_on);
