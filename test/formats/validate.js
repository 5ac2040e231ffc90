// Results against the schema:  node validate.js FOLDER-OF-AJV SCHEMA FILE...
const fs = require("fs");
const path = require("path");
const Ajv = require(path.resolve(process.argv[2], "node_modules/ajv"));

const read = (file) => JSON.parse(fs.readFileSync(file, "utf8"));
const validate = new Ajv({ strict: false, allErrors: true }).compile(read(process.argv[3]));
let failed = 0;
for (const file of process.argv.slice(4)) {
    if (validate(read(file)))
        continue;
    failed++;
    console.log(file, validate.errors.slice(0, 5));
}
process.exit(failed ? 1 : 0);
