import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildRelease } from "./release/build.ts";
import { checkChanges } from "./release/notes.ts";
import { checkCommitted, ROOT } from "./release/sources.ts";
import { tryPackage } from "./release/trial.ts";

// Writes the files of a release to `release/` or `--out DIRECTORY`, and tries the server's package.
const { values } = parseArgs({ options: { out: { type: "string", default: join(ROOT, "release") } } });
checkCommitted();
checkChanges();
const tarball = await buildRelease(values.out);
for (const name of readdirSync(values.out)) console.log(join(values.out, name));
const seconds = await tryPackage(tarball);
console.log(`An installed package had its links after ${seconds.toFixed(1)} s, and made a Checkout.`);
