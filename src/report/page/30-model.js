// A trace as the player needs it: who causes what, what is in a mailbox, which
// steps are shown.
(() => {
    // Per step, the steps it directly follows from: the actor's step before, and
    // the step that sent its message or made its actor.
    function causes(trace) {
        const last = new Map(), born = new Map();
        return trace.steps.map((s, i) => {
            const from = [];
            if (s.message === null) // the body has waited for all of them
                from.push(...last.values());
            else if (last.has(s.actor))
                from.push(last.get(s.actor));
            else if (born.has(s.actor))
                from.push(born.get(s.actor));
            if (s.sent_at !== null && s.sent_at !== undefined)
                from.push(s.sent_at);
            last.set(s.actor, i);
            for (const b of s.births || [])
                born.set(b, i);
            return from;
        });
    }

    page.model = (trace) => {
        if (trace.model)
            return trace.model;
        const m = { causes: causes(trace), before: [], sends: [], born: new Map(), to: [] };
        const state = new Map();
        trace.steps.forEach((s, i) => {
            m.before.push(state.has(s.actor) ? state.get(s.actor) : trace.actors[s.actor].first || "");
            if (s.state !== undefined)
                state.set(s.actor, trace.states[s.state]);
            for (const b of s.births || [])
                m.born.set(b, i);
            for (const x of s.sends)
                m.sends.push({ at: i, send: x });
        });
        const names = new Map(trace.actors.map((a, i) => [a.name, i]));
        for (const x of m.sends) {
            x.to = names.get(x.send.to);
            if (x.to !== undefined)
                (m.to[x.to] = m.to[x.to] || []).push(x);
        }
        Object.defineProperty(trace, "model", { value: m });
        return m;
    };

    // Everything that a step depends on, itself included.
    page.past = (trace, step) => {
        const m = page.model(trace);
        if (m.pastOf === step)
            return m.past;
        const seen = new Set([step]), todo = [step];
        while (todo.length) {
            for (const from of m.causes[todo.pop()]) {
                if (!seen.has(from)) {
                    seen.add(from);
                    todo.push(from);
                }
            }
        }
        m.pastOf = step;
        m.past = seen;
        return seen;
    };

    // What has been sent to the actor of a step and not been received before it.
    page.mailbox = (trace, step) => {
        const actor = trace.steps[step].actor;
        return (page.model(trace).to[actor] || []).filter((x) => x.at < step &&
            (x.send.received_at === null || x.send.received_at >= step));
    };

    page.stateAfter = (trace, step) => {
        const s = trace.steps[step];
        return s.state === undefined ? "" : trace.states[s.state];
    };

    page.stepWords = (trace, step) => {
        const s = trace.steps[step], who = trace.actors[s.actor];
        if (s.message === null)
            return step ? "the test body goes on" : "the test body begins";
        return who.title + " receives " + s.message +
            (s.message === "timer" ? "" : " from " + trace.actors[s.sender].title);
    };

    page.badStep = (c) => {
        for (let i = c.trace.steps.length - 1; i >= 0; i--)
            if ((c.trace.steps[i].bugs || []).some((b) => !b.warning || c.warning))
                return i;
        return c.kind ? c.trace.steps.length - 1 : 0;
    };

    // Is a step the failing one only because the execution ends there, as in a
    // deadlock?
    page.atEnd = (c, step) => !!c.kind && step === page.badStep(c) && !(c.trace.steps[step].bugs || []).length;

    // The steps that the filters leave.
    page.shown = (trace, f) => {
        const past = f.past === null ? null : page.past(trace, f.past);
        const words = f.words.toLowerCase();
        const out = [];
        trace.steps.forEach((s, i) => {
            if (f.cls && trace.actors[s.actor].class !== f.cls && s.message !== null)
                return;
            if (f.message && s.message !== f.message)
                return;
            if (past && !past.has(i))
                return;
            if (words && !(page.stepWords(trace, i) + " " + (s.fields || "") + " " + (s.change || ""))
                .toLowerCase().includes(words))
                return;
            out.push(i);
        });
        return out;
    };
})();
