// What all views share: the data, making elements, showing text.
//
// Nothing from the data is ever parsed as HTML: elements are made one by one
// and text is set as text.
const page = { views: [], state: { test: 0, case: 0, view: "summary", step: 0 } };

(() => {
    const svgNames = "http://www.w3.org/2000/svg";

    function fill(node, attributes, children) {
        for (const [name, value] of Object.entries(attributes || {})) {
            if (value === null || value === undefined || value === false)
                continue;
            if (name.startsWith("on"))
                node.addEventListener(name.slice(2), value);
            else
                node.setAttribute(name, value === true ? "" : String(value));
        }
        for (const child of children.flat(Infinity)) {
            if (child === null || child === undefined || child === false)
                continue;
            node.append(child instanceof Node ? child : page.plain(child));
        }
        return node;
    }

    page.el = (name, attributes, ...children) =>
        fill(document.createElement(name), attributes, children);
    page.svg = (name, attributes, ...children) =>
        fill(document.createElementNS(svgNames, name), attributes, children);

    // Marks that turn the direction of text, and control characters, are shown
    // by their numbers.
    const odd = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
    page.plain = (text) => String(text).replace(odd, (c) =>
        "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));

    page.cut = (text, most) => text.length > most ? text.slice(0, most - 1) + "\u2026" : text;

    page.number = (n) => n === null || n === undefined ? "" : Number(n).toLocaleString("en");
    page.about = (n) => {
        if (n === null || n === undefined || n < 0)
            return "unknown";
        if (n >= 1e21)
            return "~" + n.toExponential(1).replace("+", "");
        const units = ["", "k", "M", "G", "T", "P", "E"];
        let i = 0;
        while (n >= 1000 && i + 1 < units.length) {
            n /= 1000;
            i++;
        }
        return "~" + (n < 10 && i ? n.toFixed(1) : Math.round(n)) + units[i];
    };
    page.seconds = (s) => s < 1 ? Math.round(s * 1000) + " ms" : s < 10 ? s.toFixed(2) + " s" : s < 120 ? s.toFixed(1) + " s"
        : Math.floor(s / 60) + ":" + String(Math.floor(s % 60)).padStart(2, "0") + " min";

    // Said to those who listen instead of looking.
    page.say = (text) => {
        document.getElementById("live").textContent = page.plain(text);
    };

    // "{.a = 1, .b = {2, 3}, .s = \"x, y\"}" as [name, value] pairs.
    page.fields = (text) => {
        if (!text)
            return [];
        const open = text.indexOf("{");
        if (open < 0)
            return [["", text]];
        const parts = [];
        let depth = 0, quote = "", from = open + 1;
        for (let i = open; i < text.length; i++) {
            const c = text[i];
            if (quote) {
                if (c === "\\")
                    i++;
                else if (c === quote)
                    quote = "";
            } else if (c === "\"" || c === "'") {
                quote = c;
            } else if ("{[(".includes(c)) {
                depth++;
            } else if ("}])".includes(c)) {
                depth--;
            }
            if (!quote && ((c === "," && depth === 1) || (c === "}" && depth === 0))) {
                parts.push(text.slice(from, i).trim());
                from = i + 1;
            }
        }
        return parts.filter((p) => p).map((p) => {
            const at = p.indexOf(" = ");
            return p.startsWith(".") && at > 0 ? [p.slice(1, at), p.slice(at + 3)] : ["", p];
        });
    };

    page.copy = (text, button) => {
        const done = () => {
            const was = button.textContent;
            button.textContent = "copied";
            setTimeout(() => { button.textContent = was; }, 1200);
        };
        const byHand = () => {
            const area = page.el("textarea", { class: "unseen" });
            area.value = text;
            document.body.append(area);
            area.select();
            document.execCommand("copy");
            area.remove();
            done();
        };
        if (navigator.clipboard && window.isSecureContext)
            navigator.clipboard.writeText(text).then(done, byHand);
        else
            byHand();
    };
    page.copyButton = (text) => {
        const b = page.el("button", { type: "button", class: "small" }, "copy");
        b.addEventListener("click", () => page.copy(text, b));
        return b;
    };

    // A colour of eight for a name, the same on every page.
    page.hue = (name) => {
        let h = 5381;
        for (let i = 0; i < name.length; i++)
            h = (h * 33 + name.charCodeAt(i)) % 65521;
        return "hue" + h % 8;
    };

    page.data = { tests: [] };
    try {
        page.data = JSON.parse(document.getElementById("data").textContent);
    } catch (e) {
        page.damaged = String(e);
    }
    page.test = () => page.data.tests[page.state.test];
    page.case = () => {
        const t = page.test();
        return t && t.cases ? t.cases[page.state.case] : undefined;
    };
})();
