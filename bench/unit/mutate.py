#!/usr/bin/env python3
"""How good are the written tests?  Each function of bench/unit/functions is
changed in up to ten ways (operators, constants, off by one), and its suite is
run on each: the share that some test notices, beside a suite that only calls
the function.

    mutate.py [--list] [NAME...]     --list: the mutants that live, too
"""
import os
import random
import re
import subprocess
import sys
import tempfile

import measure

SWAPS = [('<=', '<'), ('>=', '>'), ('<', '<='), ('>', '>='), ('==', '!='),
         ('!=', '=='), ('&&', '||'), ('||', '&&'), ('+', '-'), ('-', '+'),
         ('*', '+'), ('/', '*'), ('%', '/'), ('++', '--'), ('--', '++'),
         ('+=', '-='), ('-=', '+='), ('>>', '<<'), ('<<', '>>'), ('&', '|'),
         ('|', '&'), ('^', '&')]
TOKEN = re.compile(r"'(?:\\.|[^'])'|\"(?:\\.|[^\"])*\"|//[^\n]*|/\*.*?\*/|#[^\n]*"
                   r"|\d+\w*|[A-Za-z_]\w*|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!="
                   r"|&&|\|\||[-+*/%&|^]=|.", re.S)
MUTANTS = 10


def body_of(text, function):
    start = re.search(r'^[\w *]*?\b%s\([^;]*?\)\n\{' % function, text, re.M)
    end = text.index('\n}', start.end())
    return start.end(), end


def mutants(text, function, seed):
    """Texts in which one token of the function's body is another."""
    begin, end = body_of(text, function)
    tokens, found = list(TOKEN.finditer(text, begin, end)), []
    for i, t in enumerate(tokens):
        word = t.group()
        before = next((x.group() for x in reversed(tokens[:i])
                       if not x.group().isspace()), '')
        operand = re.match(r"[\w)\]']", before[-1:] or ' ') and \
            before not in ('return', 'case')
        declares = before in ('int', 'char', 'struct', 'const', 'unsigned',
                              'void', 'long', 'double', 'float') or \
            re.match(r'(uint|int|size)\d*_t$|node$|tree$|ring$|slot$', before)
        for old, new in SWAPS:
            if word != old or declares:
                continue
            if old in '*&+-' and not operand:
                continue
            found.append((t.start(), t.end(), new))
        if re.match(r'\d+$', word) and int(word) < 1 << 30:
            found.append((t.start(), t.end(), str(int(word) + 1)))
            if int(word) > 0:
                found.append((t.start(), t.end(), str(int(word) - 1)))
    random.Random(seed).shuffle(found)
    for a, b, new in found:
        yield text[:a] + new + text[b:]


def changed(text, mutant):
    """The line that differs, before and after."""
    for i, (a, b) in enumerate(zip(text.split('\n'), mutant.split('\n'))):
        if a != b:
            return i + 1, a.strip(), '->', b.strip()


def passes(d, test):
    exe = os.path.join(d, 'mutant')
    built = subprocess.run(['gcc', '-g', '-O0', '-w', '-o', exe, test,
                            '-lcmocka', '-lm'], cwd=d,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if built.returncode:
        return None
    try:
        return subprocess.run([exe], cwd=d, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL,
                              timeout=20).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def main():
    listing = '--list' in sys.argv
    names = [w for w in sys.argv[1:] if w != '--list'] or sorted(
        f[:-2] for f in os.listdir(os.path.join(measure.here, 'functions')))
    total = killed = bare = 0
    print('| function | mutants | killed | killed by calls alone |\n'
          '|---|--:|--:|--:|')
    for name in names:
        path = os.path.join(measure.here, 'functions', name + '.c')
        function = measure.function_of(path)
        text = open(path).read().split('#ifdef BRUTE')[0]
        with tempfile.TemporaryDirectory() as d:
            source = os.path.join(d, name + '.c')
            open(source, 'w').write(text)
            subprocess.run([measure.troupe, 'unit', f'{name}.c:{function}',
                            '--time=10s', '-q'], cwd=d,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            test = os.path.join('tests', f'test_{function}.c')
            if not os.path.exists(os.path.join(d, test)):
                print(f'| {function} | no tests |')
                continue
            whole = open(os.path.join(d, test)).read()
            calls = re.sub(r'^    assert_\w+\((?!ends_by|exits_with)[^;]*;\n',
                           '', whole, flags=re.M)
            open(os.path.join(d, 'tests', 'calls.c'), 'w').write(calls)
            n = k = b = 0
            for mutant in mutants(text, function, name):
                if n == MUTANTS:
                    break
                open(source, 'w').write(mutant)
                alive = passes(d, test)
                if alive is None:
                    continue
                n += 1
                k += not alive
                if alive and listing:
                    print('  lives:', *changed(text, mutant))
                b += passes(d, os.path.join('tests', 'calls.c')) is False
        print(f'| {function} | {n} | {k} | {b} |', flush=True)
        total, killed, bare = total + n, killed + k, bare + b
    print(f'\n{total} mutants of {len(names)} functions: '
          f'{100 * killed / max(total, 1):.0f} % killed '
          f'({100 * bare / max(total, 1):.0f} % by the calls alone)')


if __name__ == '__main__':
    sys.exit(main())
