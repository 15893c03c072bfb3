import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../src/config.ts";
import { openApi } from "../src/http/openapi.ts";
import { surfacesOf } from "../src/http/surfaces.ts";
import type { Database } from "../src/store/db.ts";
import { clientTypes } from "./client-types.ts";
import { describeSchema } from "./schema.ts";
import { withTransitions } from "./transitions.ts";

const ROOT = join(import.meta.dirname, "..");

/** Every generated file, by its path from the project's folder; `npm run gen` writes them, a test keeps them fresh. */
export async function generate(db: Database): Promise<Map<string, string>> {
  const config = readConfig({});
  const [publicApi, management, licenses] = surfacesOf(config).map((surface) => openApi(surface, config.publicOrigin));
  const folder = join(ROOT, "migrations");
  const migrations = readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8"));
  return new Map([
    ["docs/api/public.openapi.json", `${JSON.stringify(publicApi, null, 2)}\n`],
    ["docs/api/management.openapi.json", `${JSON.stringify(management, null, 2)}\n`],
    ["docs/api/licenses.openapi.json", `${JSON.stringify(licenses, null, 2)}\n`],
    ["client/src/types.ts", clientTypes(publicApi!)],
    ["docs/rules.md", withTransitions(readFileSync(join(ROOT, "docs/rules.md"), "utf8"))],
    ["schema.sql", await describeSchema(db, migrations)],
  ]);
}
