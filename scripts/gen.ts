import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { joinEmbeddedDatabase } from "../src/embedded-database.ts";
import { openDatabase } from "../src/store/driver/db.ts";
import { migrate } from "../src/store/migrate.ts";
import { generate } from "./generate.ts";
import { writePythonModels } from "./python-models.ts";

const ROOT = join(import.meta.dirname, "..");

const dataDir = mkdtempSync(join(tmpdir(), "billow-gen-"));
// If this script runs as root, the embedded PostgreSQL runs as another user.
chmodSync(dataDir, 0o711);
const postgres = await joinEmbeddedDatabase({ dataDir, log: () => undefined });
const db = openDatabase(postgres.connection);
try {
  await migrate(db);
  for (const [path, text] of await generate(db)) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
    console.log(path);
  }
} finally {
  await db.end();
  await postgres.leave();
  rmSync(dataDir, { recursive: true, force: true });
}
writePythonModels();
const built = spawnSync("tsc", ["-p", "client"], { cwd: ROOT, stdio: "inherit" });
process.exitCode = built.status ?? 1;
