#!/usr/bin/env python3
"""Pages in a real browser: each view opened, a step clicked, the keyboard used,
nothing said on the console, nothing run that came with the data.

    views.py FOLDER      with the pages that test/suites/page made
"""
import os
import sys

from browser import Browser

folder = sys.argv[1]
passed = failed = 0
b = Browser()


def check(what, good, note=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"FAILED page: {what} {note}")


def shown(css):
    return b.js("return [...document.querySelectorAll(arguments[0])]"
                ".map(e => e.textContent)", css)


def step():
    return b.js("return page.state.step")


def quiet(what):
    said = b.log()
    check(f"{what}: nothing on the console", not said, said)


def each_view(name):
    b.open(f"{folder}/{name}.html")
    for view in b.js("return page.views.filter(v => v.there()).map(v => v.id)"):
        b.click(f"#tab-{view}")
        check(f"{name}: view {view} shows something",
              b.js("return document.getElementById('main').childElementCount"))
        check(f"{name}: view {view} is marked",
              b.js("return document.querySelector('[role=tab]"
                   "[aria-selected=true]').id") == "tab-" + view)
        check(f"{name}: buttons of {view} have names", b.js(
            "return [...document.querySelectorAll('button, input, select, "
            "[role=option], [role=img]')].every(e => e.textContent.trim() || "
            "e.getAttribute('aria-label') || e.closest('label'))"))
    quiet(name)


def bank():
    each_view("bank")
    check("the verdict", "failed" in b.js("return document.title"))
    b.keys("1")
    check("the report is that of the terminal", open(
        f"{folder}/bank.txt").read().split("\n\n")[1].strip()[:60] in
        "\n".join(shown("pre.report")))
    b.keys("2")
    last = b.js("return page.case().trace.steps.length - 1")
    check("the failing step is chosen first", step() == b.js(
        "return page.badStep(page.case())"))
    b.click("[data-step=\"1\"] .message")
    check("a click chooses a step", step() == 1)
    check("its details", "Step 1:" in shown(".details h3")[0])
    check("its source", "TR_HANDLER" in "".join(shown(".excerpt")))
    check("its mailbox", "(received now)" in "".join(shown(".details li.taken")))
    check("what else", any("what else" in t for t in shown(".details h4")))
    check("changes are marked", shown(".fields tr.changed"))
    b.keys("j")
    check("j goes on", step() == 2)
    b.keys("k")
    check("k goes back", step() == 1)
    b.keys("\ue010")
    check("End is the last", step() == last)
    b.keys("\ue011")
    check("Home is the first", step() == 0)
    b.keys("f")
    check("f is the failure", step() == b.js("return page.badStep(page.case())"))
    check("the failing row is marked", shown(".row.bad"))
    b.keys("r")
    check("r is the race", shown(".row.race.chosen"))
    b.keys("d")
    check("d leaves the past", 0 < len(shown(".row")) == b.js(
        "return page.past(page.case().trace, page.state.step).size"))
    b.keys("d")
    b.js("document.querySelector('.head').click()")
    check("a column folds", b.js("return document.querySelector('.head')"
                                 ".getAttribute('aria-expanded')") == "false")
    b.js("document.querySelector('.head').focus()")
    b.do("POST", "/actions", {"actions": [
        {"type": "key", "id": "keyboard", "actions": [
            {"type": "keyDown", "value": "\ue008"},
            {"type": "keyDown", "value": "\ue014"},
            {"type": "keyUp", "value": "\ue014"},
            {"type": "keyUp", "value": "\ue008"}]}]})
    check("a column moves", b.js(
        "return [...document.querySelectorAll('.head')][1].dataset.actor") == "0")
    b.js("const s = document.querySelectorAll('.controls select')[1];"
         "s.value = 'deposit'; s.dispatchEvent(new Event('change'))")
    check("a filter by message", all("deposit" in t for t in shown(
        ".cell .message")))
    b.keys("3")
    check("the first difference is marked", len(shown(".compare tr.first")) == 1)
    b.keys("4")
    check("behaviours and messages", "handled" in "".join(shown(".matrix td")))
    b.keys("5")
    check("the flow is lit", shown(".edge.lit") and shown(".node.lit"))
    b.keys("?")
    check("keys are told", shown("#keys dt"))
    b.click("#keys button")
    b.js("window.dispatchEvent(new Event('beforeprint'))")
    check("paper has the report", "What happened" in "".join(shown("#paper pre")))
    b.js("document.documentElement.dataset.theme = 'dark'")
    b.do("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"media": "print"}})
    colours = b.js("const s = getComputedStyle(document.querySelector('#paper pre'));"
                   "return [s.color, s.backgroundColor]")
    check("on paper ink is black, in the dark, too", colours == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"], colours)
    b.do("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"media": ""}})
    b.js("delete document.documentElement.dataset.theme")
    b.js("window.dispatchEvent(new Event('afterprint'))")
    check("nothing is loaded", b.js(
        "return performance.getEntriesByType('resource').length") == 0)
    quiet("the bank")


def play():
    b.open(f"{folder}/bank.html")
    b.keys("2\ue011 ")
    b.js("return new Promise(r => setTimeout(r, 1500))")
    check("it plays", step() >= 1)
    quiet("playing")


def theme():
    back = "return getComputedStyle(document.body).backgroundColor"
    was = b.js(back)
    b.js("[...document.querySelectorAll('button')]"
         ".find(x => x.textContent === 'light/dark').click()")
    check("light and dark differ", was != b.js(back))


def hostile():
    each_view("hostile")
    b.keys("2")
    for i in range(b.js("return page.case().trace.steps.length")):
        b.js("page.go({view: 'trace', step: arguments[0]})", i)
    check("nothing of the data ran", not b.js("return window.harmed"))
    check("no element came with the data", not b.js(
        "return document.querySelectorAll('img, #main script, #main b').length"))
    b.keys("1")
    text = "".join(shown("pre.report"))
    check("it is shown", "</script><script>window.harmed=1" in text)
    b.keys("2\ue011")
    b.keys("jj")
    check("marks of direction are shown by number",
          "\\u202e" in "".join(shown(".details")) and
          "\u202e" not in "".join(shown("#main")))
    quiet("hostile names")
    b.js("const s = document.createElement('script');"
         "s.textContent = 'window.harmed = 2'; document.body.append(s)")
    check("the policy stops other code", not b.js("return window.harmed"))
    check("and says so", any("Content Security Policy" in m for m in b.log()))


def long():
    b.open(f"{folder}/long.html")
    n = b.js("return page.case().trace.steps.length")
    check("ten thousand steps", n > 9900, n)
    b.keys("2")
    check("few rows are drawn", len(shown(".row")) < 80)
    check("the failing one of them is in view", shown(".row.bad"))
    worst = b.js("""
        const s = document.querySelector('.scroller');
        return new Promise(done => {
            let worst = 0, spent = 0, i = 0;
            const next = () => {
                s.scrollTop = i * 2900;
                requestAnimationFrame(() => {
                    const from = performance.now();
                    s.dispatchEvent(new Event('scroll'));
                    requestAnimationFrame(() => {
                        spent = performance.now() - from;
                        worst = Math.max(worst, spent);
                        if (++i < 100) next(); else done(worst);
                    });
                });
            };
            next();
        });""")
    # What a frame costs depends on the machine; how much is drawn does not.
    check("few rows are drawn after scrolling", len(shown(".row")) < 80)
    made = b.js("""
        const seen = new MutationObserver(() => {});
        seen.observe(document.body, {childList: true, subtree: true});
        document.body.dispatchEvent(new KeyboardEvent('keydown',
            {key: 'k', bubbles: true}));
        let n = 0;
        for (const r of seen.takeRecords())
            for (const e of r.addedNodes)
                n += 1 + (e.querySelectorAll ? e.querySelectorAll('*').length : 0);
        return n;""")
    check("a step draws little", 0 < made < 1500, made)
    cost = b.js("""
        const from = performance.now();
        for (let i = 0; i < 50; i++)
            document.body.dispatchEvent(new KeyboardEvent('keydown',
                {key: 'k', bubbles: true}));
        return (performance.now() - from) / 50;""")
    print(f"page: {made} elements a step, frame {worst:.0f} ms at most, step {cost:.1f} ms")
    quiet("a long trace")


def timer():
    each_view("timer")
    b.keys("2")
    check("a timer in the race has its name, not a number",
          "received its timer (late) before" in "".join(shown(".raceline")),
          shown(".raceline"))


def deadlock():
    b.open(f"{folder}/deadlock.html")
    b.keys("2")
    check("a deadlock is told at the end", "deadlock" in "".join(
        shown(".details .bad h4")))
    check("with all actors as they stand", len(shown(".details .ends dt")) == b.js(
        "return page.case().trace.actors.length - 1"))
    b.keys("5")
    check("an edge passes the nodes that it does not end in", b.js("""
        const boxes = [...document.querySelectorAll('svg.graph .node')].map(
            (n) => [n.querySelector('title').textContent, n.querySelector('rect').getBBox()]);
        return [...document.querySelectorAll('svg.graph .edge')].every((e) => {
            const way = e.querySelector('path'), ends = e.getAttribute('aria-label');
            return boxes.every(([name, box]) => ends.includes(name) ||
                [0.2, 0.35, 0.5, 0.65, 0.8].every((k) => {
                    const at = way.getPointAtLength(k * way.getTotalLength());
                    return at.x < box.x || at.x > box.x + box.width ||
                        at.y < box.y || at.y > box.y + box.height;
                }));
        });"""))
    quiet("a deadlock")


def body():
    b.open(f"{folder}/body.html")
    check("the first test that fails is chosen", b.js("return page.test().test") == "fails")
    b.keys("2")
    check("a body that goes on depends on all steps", shown(".row.bad") and not shown(".row.apart"))
    check("and its failure shows the actors", len(shown(".details .ends dt")) == 2,
          shown(".details .ends dt"))
    b.keys("\ue011")
    check("it begins", "the test body begins" in shown(".details h3")[0])
    quiet("a failing body")


def words_apart():
    """No way of an edge through words of another one."""
    b.open(f"{folder}/deadlock.html")
    b.keys("5")
    check("edges pass the words of others", b.js("""
        const edges = [...document.querySelectorAll('svg.graph')][0].querySelectorAll('.edge');
        const words = [...edges].map((e) => [e, e.querySelector('text').getBBox()]);
        return [...edges].every((e) => words.every(([of, box]) => of === e || !box.width ||
            [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8].every((k) => {
                const way = e.querySelector('path'), at = way.getPointAtLength(k * way.getTotalLength());
                return at.x < box.x || at.x > box.x + box.width ||
                    at.y < box.y || at.y > box.y + box.height;
            })));"""))


def cover():
    each_view("cover")
    b.keys("4")
    check("a matrix of receives", shown(".matrix td.seen"))
    check("impossible ones and why", b.js(
        "return [...document.querySelectorAll('.matrix td.ruled')]"
        ".every(e => e.title.includes('impossible: '))"))
    b.js("page.data.tests[0].results.unshift({strategy: 'optimal'});"
         "page.go({view: 'coverage'})")
    check("as troupe test has it, behind what explore says", shown(".matrix td.seen"))
    b.js("page.test().course.forEach((p) => { p[0] += 1; })")  # it was over at once
    b.keys("6")
    check("coverage over time", any(
        "Orders of receives" in t for t in shown("figcaption")))
    quiet("cover")


def lines():
    each_view("test")
    b.keys("4")
    check("lines that ran, how often", any(
        "handler" in t.lower() or "(" in t for t in shown(".lines .source.ran")),
          shown(".lines .source.ran"))
    check("blocks are counted", any(
        "6 of 6 blocks (" in t and "in random orders" in t for t in shown(".covered .note")),
          shown(".covered .note"))
    check("the title of a line names its tests", b.js(
        "return [...document.querySelectorAll('.lines .ran')]"
        ".every(e => e.title.includes(' times, by '))"))
    check("a row that a timer used", b.js(
        "return [...document.querySelectorAll('td.row-on.used')]"
        ".some(e => e.title.includes(', late: handled'))"))
    quiet("lines")
    b.open(f"{folder}/timer.html")
    b.keys("4")
    check("a page without lines says who measures them",
          any("troupe test --html" in t for t in shown("p.note")))


def call():
    each_view("call")
    b.open(f"{folder}/call.html")
    check("a call opens its own view", b.js("return page.state.view") == "call")
    check("objects before and after", len(shown(".object")) == 4)
    check("arrows lead to objects", len(shown(".edge-line")) == 4)
    check("arguments have the names of parameters", {"list", "key"} <= {
        t.split(" = ")[0] for t in shown(".heap text")}, shown(".heap text"))
    check("what changed is marked", shown(".heap .changed") == [".next  NULL"],
          shown(".heap .changed"))
    check("the test to copy", "cmocka" in "".join(shown("pre")))
    quiet("a call")
    b.open(f"{folder}/unit.html")
    names = b.js("return page.data.tests.map((t) => t.call.name)")
    check("all generated tests are on the page", len(names) >= 3, names)
    b.js("page.go({ test: 1, view: 'call' })")
    check("the second one is shown", names[1] in b.js("return document.querySelector('h1').textContent"))
    quiet("calls")


try:
    bank()
    play()
    theme()
    hostile()
    long()
    timer()
    deadlock()
    body()
    words_apart()
    cover()
    lines()
    call()
    each_view("shown")
    each_view("report")
    each_view("passing")
    if len(sys.argv) > 2:  # pictures, for the eye
        for view in "summary", "trace", "compare", "coverage", "flow", "course":
            b.open(f"{folder}/{'cover' if view in ('coverage', 'course') else 'bank'}.html")
            b.click(f"#tab-{view}")
            b.shot(os.path.join(sys.argv[2], view + ".png"))
finally:
    b.close()
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
