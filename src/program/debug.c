// Symbols are sorted once.  Lines are looked up by compilation unit: not every
// compiler writes an index of addresses, so one is made from the units' ranges.
#include "program/debug.h"

#include <dwarf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/die.h"
#include "program/scope.h"

static bool read_file(struct program_debug *f, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0)
        return false;
    bool ok = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    if (ok) {
        f->size = (size_t)st.st_size;
        f->bytes = need(f->size + 1);
        for (size_t n = 0; ok && n < f->size;) {
            ssize_t k = read(fd, f->bytes + n, f->size - n);
            ok = k > 0;
            n += ok ? (size_t)k : 0;
        }
    }
    int error = ok ? 0 : errno;
    close(fd);
    errno = error;
    return ok;
}

static int by_address(const void *a, const void *b)
{
    const struct debug_symbol *x = a, *y = b;
    if (x->tls != y->tls)
        return x->tls - y->tls;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void add_symbol(struct program_debug *f, const GElf_Sym *s,
                       const char *name)
{
    unsigned type = GELF_ST_TYPE(s->st_info);
    bool named = name && *name;
    if (!named || s->st_shndx == SHN_UNDEF || s->st_shndx == SHN_ABS)
        return;
    if (type == STT_FUNC || type == STT_OBJECT || type == STT_TLS ||
        type == STT_GNU_IFUNC)
        vec_push(&f->symbols,
                 ((struct debug_symbol){s->st_value, s->st_size, name,
                                        type == STT_OBJECT, type == STT_TLS}));
}

static void read_table(struct program_debug *f, Elf_Scn *scn,
                       const GElf_Shdr *h, bool define)
{
    Elf_Data *data = elf_getdata(scn, NULL);
    size_t n = h->sh_entsize ? h->sh_size / h->sh_entsize : 0;
    for (size_t i = 1; data && i < n; i++) {
        GElf_Sym s;
        if (!gelf_getsym(data, (int)i, &s))
            break;
        const char *name = elf_strptr(f->elf, h->sh_link, s.st_name);
        if (define)
            add_symbol(f, &s, name);
        if (h->sh_type == SHT_DYNSYM && s.st_shndx == SHN_UNDEF && name &&
            *name)
            vec_push(&f->undefined, name);
    }
}

static void read_symbols(struct program_debug *f)
{
    GElf_Shdr h;
    bool full = false;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(f->elf, s));)
        full |= gelf_getshdr(s, &h) && h.sh_type == SHT_SYMTAB;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(f->elf, s));) {
        if (!gelf_getshdr(s, &h))
            continue;
        if (h.sh_type == SHT_SYMTAB)
            read_table(f, s, &h, true);
        else if (h.sh_type == SHT_DYNSYM)
            read_table(f, s, &h, !full);
    }
    if (f->symbols.n)
        qsort(f->symbols.at, f->symbols.n, sizeof *f->symbols.at, by_address);
}

static void read_units(struct program_debug *f)
{
    Dwarf_CU *cu = NULL;
    Dwarf_Die die;
    while (dwarf_get_units(f->dwarf, cu, &cu, NULL, NULL, &die, NULL) == 0) {
        Dwarf_Addr base, low, high;
        ptrdiff_t at = 0;
        while ((at = dwarf_ranges(&die, at, &base, &low, &high)) > 0)
            vec_push(&f->units,
                     ((struct debug_unit){low, high, dwarf_dieoffset(&die)}));
    }
}

// Does each part that the headers name lie within the file?  The dynamic linker
// maps parts without looking, and a file that was cut off would crash us.
static bool is_whole(struct program_debug *f)
{
    size_t n = 0;
    GElf_Phdr h;
    elf_getphdrnum(f->elf, &n);
    for (size_t i = 0; i < n; i++)
        if (gelf_getphdr(f->elf, (int)i, &h) &&
            (h.p_offset > f->size || h.p_filesz > f->size - h.p_offset))
            return false;
    return true;
}

struct program_debug *debug_open(const char *path, struct diag *d)
{
    struct program_debug *f = need_zero(sizeof *f);
    if (!read_file(f, path)) {
        diag_set(d, EXIT_USAGE, "cannot read '%s': %s", path, strerror(errno));
        debug_free(f);
        return NULL;
    }
    elf_version(EV_CURRENT);
    f->elf = elf_memory(f->bytes, f->size);
    GElf_Ehdr header;
    const char *wrong = NULL;
    if (!f->elf || elf_kind(f->elf) != ELF_K_ELF ||
        !gelf_getehdr(f->elf, &header))
        wrong = "is not an ELF file";
    else if (!is_whole(f))
        wrong = "is cut off";
    if (wrong) {
        diag_set(d, EXIT_USAGE, "'%s' %s", path, wrong);
        debug_free(f);
        return NULL;
    }
    read_symbols(f);
    f->dwarf = dwarf_begin_elf(f->elf, DWARF_C_READ, NULL);
    if (f->dwarf)
        read_units(f);
    return f;
}

void debug_free(struct program_debug *f)
{
    if (!f)
        return;
    if (f->dwarf)
        dwarf_end(f->dwarf);
    if (f->elf)
        elf_end(f->elf);
    vec_free(&f->symbols);
    vec_free(&f->undefined);
    vec_free(&f->units);
    vec_free(&f->wheres);
    map_free(&f->where_of);
    arena_free(&f->arena);
    free(f->bytes);
    free(f);
}

bool debug_section(struct program_debug *f, const char *name, uint64_t *at,
                   uint64_t *size)
{
    size_t strings;
    if (elf_getshdrstrndx(f->elf, &strings) != 0)
        return false;
    GElf_Shdr h;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(f->elf, s));) {
        if (!gelf_getshdr(s, &h))
            continue;
        const char *have = elf_strptr(f->elf, strings, h.sh_name);
        if (have && strcmp(have, name) == 0) {
            *at = h.sh_addr;
            *size = h.sh_size;
            return true;
        }
    }
    return false;
}

// The i-th library that a table of the dynamic linker names; NULL: no more.
static const char *library_in(struct program_debug *f, Elf_Scn *scn,
                              const GElf_Shdr *h, uint32_t i)
{
    Elf_Data *data = elf_getdata(scn, NULL);
    GElf_Dyn entry;
    for (int k = 0; data && gelf_getdyn(data, k, &entry); k++)
        if (entry.d_tag == DT_NEEDED && i-- == 0)
            return elf_strptr(f->elf, h->sh_link, entry.d_un.d_val);
    return NULL;
}

static const char *library(struct program_debug *f, uint32_t i)
{
    GElf_Shdr h;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(f->elf, s));)
        if (gelf_getshdr(s, &h) && h.sh_type == SHT_DYNAMIC)
            return library_in(f, s, &h, i);
    return NULL;
}

const char *debug_needed(struct program_debug *f, const char *name)
{
    const char *have;
    for (uint32_t i = 0; (have = library(f, i)); i++)
        if (strncmp(have, name, strlen(name)) == 0)
            return have;
    return NULL;
}

const char *debug_stranger(struct program_debug *f, bool (*known)(const char *))
{
    const char *have;
    for (uint32_t i = 0; (have = library(f, i)); i++)
        if (!known(have))
            return have;
    return NULL;
}

const struct debug_symbol *debug_symbol_at(const struct program_debug *f,
                                           uint64_t at, bool tls)
{
    uint32_t low = 0, high = f->symbols.n;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        const struct debug_symbol *s = &f->symbols.at[mid];
        if (s->tls < tls || (s->tls == tls && s->at <= at))
            low = mid + 1;
        else
            high = mid;
    }
    if (!low)
        return NULL;
    const struct debug_symbol *s = &f->symbols.at[low - 1];
    bool inside = s->tls == tls && at >= s->at && at - s->at < s->size;
    return inside ? s : NULL;
}

// The name of a file without the unit's own folder in front: as the compiler
// was given it.
static const char *short_path(struct program_debug *f, Dwarf_Die *unit,
                              const char *file)
{
    Dwarf_Attribute a;
    const char *dir = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &a));
    size_t n = dir ? strlen(dir) : 0;
    if (n && strncmp(file, dir, n) == 0 && file[n] == '/')
        file += n + 1;
    while (strncmp(file, "./", 2) == 0)
        file += 2;
    return arena_text(&f->arena, file);
}

// The innermost function, inlined ones included.
static void function_at(Dwarf_Die *unit, uint64_t pc, struct where *w)
{
    Dwarf_Die *scopes;
    int n = dwarf_getscopes(unit, pc, &scopes);
    for (int i = 0; i < n; i++) {
        int tag = dwarf_tag(&scopes[i]);
        const char *name = dwarf_diename(&scopes[i]);
        if ((tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine) ||
            !name)
            continue;
        w->function = name;
        dwarf_decl_line(&scopes[i], &w->declared);
        break;
    }
    if (n > 0)
        free(scopes);
}

// Does a file belong to the compiler or the C library?
static bool is_foreign(const char *file)
{
    return strncmp(file, "/usr/include/", strlen("/usr/include/")) == 0 ||
           strncmp(file, "/usr/lib/", strlen("/usr/lib/")) == 0;
}

// The file and the line from which an inlined function is called.
static bool call_site(Dwarf_Die *unit, Dwarf_Die *call, const char **file,
                      int *line)
{
    Dwarf_Attribute a;
    Dwarf_Word index, at;
    Dwarf_Files *files;
    size_t n;
    if (dwarf_formudata(dwarf_attr(call, DW_AT_call_file, &a), &index) != 0 ||
        dwarf_formudata(dwarf_attr(call, DW_AT_call_line, &a), &at) != 0 ||
        dwarf_getsrcfiles(unit, &files, &n) != 0 || index >= n)
        return false;
    *file = dwarf_filesrc(files, index, NULL, NULL);
    *line = (int)at;
    return *file;
}

// A place in a function of a header of the system, inlined: the nearest call
// outside of such headers.
static void leave_headers(struct program_debug *f, uint64_t pc, struct where *w)
{
    struct scope s;
    const char *file = w->file;
    int line = w->line;
    scope_find(f, pc, &s);
    for (uint32_t i = s.n; i-- > 0;) {
        if (!scope_is_function(&s, i))
            continue;
        if (!is_foreign(file)) {
            w->file = short_path(f, &s.unit, file);
            w->line = line;
            w->function = dwarf_diename(&s.at[i]);
            return;
        }
        if (i == 0 || !call_site(&s.unit, &s.at[i], &file, &line))
            return;
    }
}

bool where_is_foreign(const struct where *w)
{
    return w->file && is_foreign(w->file);
}

static struct where look_up(struct program_debug *f, uint64_t pc)
{
    struct where w = {0};
    const struct debug_symbol *s = debug_symbol_at(f, pc, false);
    w.function = s ? s->name : NULL;
    for (uint32_t i = 0; i < f->units.n; i++) {
        const struct debug_unit *u = &f->units.at[i];
        Dwarf_Die die;
        if (pc < u->low || pc >= u->high ||
            !dwarf_offdie(f->dwarf, u->die, &die))
            continue;
        Dwarf_Line *line = dwarf_getsrc_die(&die, pc);
        const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
        if (file && dwarf_lineno(line, &w.line) == 0)
            w.file = short_path(f, &die, file);
        function_at(&die, pc, &w);
        if (where_is_foreign(&w))
            leave_headers(f, pc, &w);
        break;
    }
    return w;
}

struct where debug_where(struct program_debug *f, uint64_t pc)
{
    if (!pc)
        return (struct where){0};
    uint32_t *at = map_at(&f->where_of, pc);
    if (*at == MAP_NONE) {
        *at = f->wheres.n;
        vec_push(&f->wheres, look_up(f, pc));
    }
    return f->wheres.at[*at];
}
