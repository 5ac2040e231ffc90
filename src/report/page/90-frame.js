// The frame: views as tabs, the choice of test and case, the keyboard, paper.
(() => {
    const { el } = page;
    const main = document.getElementById("main"), top = document.getElementById("top");

    function view() {
        return page.views.find((v) => v.id === page.state.view) || page.views[0];
    }

    page.remember = () => {
        const s = page.state;
        try {
            history.replaceState(null, "", "#" + [s.view, s.test, s.case, s.step === null ? "" : s.step].join("/"));
        } catch {
            // a page without an address, as in a mail
        }
    };

    function recall() {
        const [id, test, kase, step] = location.hash.slice(1).split("/");
        if (page.views.some((v) => v.id === id))
            page.state.view = id;
        page.state.step = null;
        if (!location.hash)
            return;
        page.state.test = Math.min(Number(test) || 0, Math.max(page.data.tests.length - 1, 0));
        page.state.case = Number(kase) || 0;
        page.state.step = step === undefined || step === "" ? null : Number(step) || 0;
    }

    let shown = null;

    page.go = (change) => {
        Object.assign(page.state, change);
        if (change.test !== undefined && change.case === undefined)
            page.state.case = 0;
        if ((change.test !== undefined || change.case !== undefined) && change.step === undefined)
            page.state.step = null;
        draw();
    };

    function tab(v, i) {
        const on = v === view();
        return el("button", { type: "button", role: "tab", id: "tab-" + v.id, "aria-selected": String(on),
            "aria-controls": "main", tabindex: on ? "0" : "-1", disabled: !v.there(),
            title: v.title + " (" + (i + 1) + ")", onclick: () => page.go({ view: v.id }) }, v.title);
    }

    function tabKey(e) {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
        if (!by)
            return;
        e.preventDefault();
        e.stopPropagation();
        const list = page.views.filter((v) => v.there());
        const next = list[(list.indexOf(view()) + by + list.length) % list.length];
        page.go({ view: next.id });
        document.getElementById("tab-" + next.id).focus();
    }

    function chooser() {
        const t = page.test(), cases = t && t.cases || [];
        return [
            page.data.tests.length > 1 ? el("label", {}, "test ", el("select", { id: "test",
                onchange: (e) => page.go({ test: Number(e.target.value) }) },
            page.data.tests.map((x, i) => el("option", { value: i, selected: i === page.state.test },
                page.cut(x.test, 60) + (x.params ? " (" + x.params + ")" : "") + ": " + x.verdict)))) : null,
            cases.length > 1 ? el("label", {}, "case ", el("select", { id: "case",
                onchange: (e) => page.go({ case: Number(e.target.value) }) },
            cases.map((c, i) => el("option", { value: i, selected: i === page.state.case },
                (c.kind || "schedule") + " " + (c.id || ""))))) : null,
        ];
    }

    function theme() {
        const root = document.documentElement;
        const dark = root.dataset.theme ? root.dataset.theme === "dark"
            : matchMedia("(prefers-color-scheme: dark)").matches;
        root.dataset.theme = dark ? "light" : "dark";
    }

    function draw() {
        const t = page.test(), v = view();
        if (shown && shown.leave)
            shown.leave();
        shown = v;
        document.title = "troupe: " + (t ? page.plain(t.test) + ": " + t.verdict : "nothing");
        top.replaceChildren(
            el("h1", {}, "troupe ", t ? el("span", { class: "verdict " + t.verdict }, t.verdict) : "",
                t ? " " + page.cut(t.test, 80) : ""),
            el("nav", { role: "tablist", "aria-label": "views", onkeydown: tabKey }, page.views.filter((each) => each.there() || !each.seldom).map(tab)),
            el("div", { class: "choosers" }, ...chooser().filter((x) => x),
                el("button", { type: "button", onclick: theme, title: "light or dark" }, "light/dark"),
                el("button", { type: "button", onclick: help, title: "keys (?)" }, "keys")));
        main.replaceChildren();
        main.setAttribute("role", "tabpanel");
        main.setAttribute("aria-labelledby", "tab-" + v.id);
        main.className = "view-" + v.id;
        v.render(main);
        page.remember();
    }

    // ---- keys ---------------------------------------------------------------

    const keys = [["1 to 7", "a view"], ["j, \u2193", "next step"], ["k, \u2191", "step before"],
        ["Page up, Page down", "ten steps"], ["Home, End", "first, last step"], ["Space", "play, pause"],
        ["f", "the failing step"], ["r", "the racing pair"], ["d", "only what this step depends on"],
        ["n, p", "next case, case before"], ["Shift+\u2190, Shift+\u2192", "move the column whose head has the focus"],
        ["?", "these keys"]];

    function help() {
        const old = document.getElementById("keys");
        if (old) {
            old.close();
            return;
        }
        const box = el("dialog", { id: "keys", "aria-label": "keys", onclose: () => box.remove() },
            el("h2", {}, "Keys"), el("dl", {}, keys.map(([k, what]) => [el("dt", {}, el("kbd", {}, k)), el("dd", {}, what)])),
            el("button", { type: "button", onclick: () => box.close() }, "close"));
        document.body.append(box);
        box.showModal();
    }

    function nextCase(by) {
        const all = page.data.tests.flatMap((t, i) => (t.cases || []).map((_, k) => [i, k]));
        const at = all.findIndex(([i, k]) => i === page.state.test && k === page.state.case);
        const next = all[(at + by + all.length) % all.length];
        if (next)
            page.go({ test: next[0], case: next[1] });
    }

    document.addEventListener("keydown", (e) => {
        const at = e.target instanceof Element ? e.target : document.body;
        if (e.ctrlKey || e.altKey || e.metaKey || at.closest("input[type=search], select, textarea, dialog"))
            return;
        if (e.key === " " && at.closest("button, summary"))
            return;
        const v = page.views[Number(e.key) - 1];
        if (v && v.there())
            page.go({ view: v.id });
        else if (e.key === "?")
            help();
        else if (e.key === "n" || e.key === "p")
            nextCase(e.key === "n" ? 1 : -1);
        else if (!(view().key && view().key(e)))
            return;
        e.preventDefault();
    });

    // ---- paper --------------------------------------------------------------

    const PRINTED_MOST = 1000;

    function paper() {
        return el("div", { id: "paper" }, page.data.tests.map((t) => el("section", {},
            el("h2", {}, t.test + ": " + t.verdict), t.words ? el("pre", {}, t.words) : null,
            (t.cases || []).map((c) => [el("pre", {}, c.report), c.trace ? el("table", {},
                el("thead", {}, el("tr", {}, ["step", "actor", "receives", "from", "state"].map((h) => el("th", {}, h)))),
                el("tbody", {}, c.trace.steps.slice(0, PRINTED_MOST).map((s, i) => el("tr", {}, el("td", {}, String(i)),
                    el("td", {}, c.trace.actors[s.actor].title),
                    el("td", {}, (s.message || "test body") + " " + page.cut(s.fields || "", 120)),
                    el("td", {}, s.message ? c.trace.actors[s.sender].title : ""),
                    el("td", {}, page.cut(s.change || "", 200)))))) : null,
            c.trace && c.trace.steps.length > PRINTED_MOST ? el("p", {}, "and " +
                (c.trace.steps.length - PRINTED_MOST) + " more steps") : null]))));
    }
    addEventListener("beforeprint", () => document.body.append(paper()));
    addEventListener("afterprint", () => document.querySelectorAll("#paper").forEach((x) => x.remove()));
    addEventListener("hashchange", () => { recall(); draw(); });

    if (page.damaged) {
        main.append(el("p", { class: "bad" }, "The data of this page is damaged: " + page.damaged));
    } else {
        page.state.test = Math.max(page.data.tests.findIndex((t) => t.verdict === "failed"), 0);
        recall();
        if (!location.hash && page.test() && page.test().call)
            page.state.view = "call";
        if (!location.hash && page.case() && page.data.tests.length === 1 && page.test().command === "show")
            page.state.view = "trace";
        draw();
    }
})();
