# what make check runs: filled in below
