// The scripts become one (tools/page): `page` is made by the first of them.
const browser = ["document", "window", "location", "history", "navigator", "performance", "matchMedia", "Node",
    "Element", "requestAnimationFrame", "setTimeout", "setInterval", "clearInterval", "addEventListener"];

export default [{
    files: ["**/*.js"],
    languageOptions: {
        ecmaVersion: 2022,
        sourceType: "script",
        globals: Object.fromEntries([...browser, "page"].map((name) => [name, "readonly"])),
    },
    rules: {
        "no-undef": "error", "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^page$" }],
        "prefer-const": "error", "no-var": "error", eqeqeq: "error", "no-eval": "error", "no-implied-eval": "error",
        "no-new-func": "error", "no-script-url": "error", "no-shadow": ["error", { allow: ["name", "step"] }],
        "no-unreachable": "error", "no-dupe-keys": "error", "no-fallthrough": "error", "no-self-assign": "error",
        "no-redeclare": ["error", { builtinGlobals: false }], "use-isnan": "error", "valid-typeof": "error",
        "no-restricted-properties": ["error",
            { property: "innerHTML", message: "text is set as text" },
            { property: "outerHTML", message: "text is set as text" },
            { property: "insertAdjacentHTML", message: "text is set as text" },
            { object: "document", property: "write", message: "text is set as text" }],
    },
}];
