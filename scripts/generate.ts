import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../src/config.ts";
import { openApi } from "../src/http/openapi.ts";
import type { OpenApiDocument } from "../src/http/openapi-document.ts";
import { surfacesOf } from "../src/http/surfaces.ts";
import type { Database } from "../src/store/driver/db.ts";
import { loadCommands } from "../src/command-line.ts";
import { withCommands } from "./command-page.ts";
import { bundledLicences } from "./bundled-licences.ts";
import { clientTypes } from "./client-files.ts";
import { clientManage } from "./client-manage.ts";
import { drawDiagrams } from "./diagrams.ts";
import { pythonCalls } from "./python-calls.ts";
import { describeSchema } from "./schema.ts";
import { withSettings } from "./settings-page.ts";
import { withTransitions } from "./transitions.ts";

const ROOT = join(import.meta.dirname, "..");

/** The document as JSON. Invisible characters (the spaces in patterns) are escaped for editors and diffs. */
function written(document: OpenApiDocument): string {
  const json = JSON.stringify(document, null, 2).replace(/(?! )[\p{Z}\p{Cf}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `${json}\n`;
}

/** A file of an installed package that the server hands out. A copy spares production the package's dependencies. */
const packaged = (path: string) => readFileSync(join(ROOT, "node_modules", path), "utf8");

/** Every generated file, by its path in the project. `npm run gen` writes the files; a test fails if one is stale. */
export async function generate(db: Database): Promise<Map<string, string>> {
  const config = readConfig({});
  const [publicApi, management, licenses] = surfacesOf(config).map((surface) => openApi(surface, config.publicOrigin));
  const types = clientTypes(publicApi!, management!);
  const folder = join(ROOT, "migrations");
  const migrations = readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8"));
  const pageOf = (name: string) => readFileSync(join(ROOT, `docs/operating/${name}.md`), "utf8");
  const rules = withTransitions(readFileSync(join(ROOT, "docs/rules.md"), "utf8"));
  return new Map([
    ["docs/api/public.openapi.json", written(publicApi!)],
    ["docs/api/management.openapi.json", written(management!)],
    ["docs/api/licenses.openapi.json", written(licenses!)],
    ...types.files,
    ["client/src/manage.ts", clientManage(management!, types.homes)],
    ["clients/python/billow/public_api.py", pythonCalls(publicApi!, "PublicApi")],
    ["clients/python/billow/management_api.py", pythonCalls(management!, "ManagementApi")],
    ["docs/rules.md", rules],
    ["docs/operating/commands.md", withCommands(pageOf("commands"), await loadCommands())],
    ["docs/operating/environment.md", withSettings(pageOf("environment"))],
    ["src/http/docs/dist/openapi-explorer.min.js", packaged("openapi-explorer/dist/browser/openapi-explorer.min.js")],
    ["src/http/docs/dist/minisearch.js", packaged("minisearch/dist/es/index.js").replace(/\n\/\/# sourceMap.*/, "")],
    ["src/http/docs/dist/minisearch.LICENSE", bundledLicences(ROOT, "minisearch")],
    ["src/http/docs/dist/diagrams.json", drawDiagrams(join(ROOT, "docs"), rules)],
    ["src/http/docs/dist/openapi-explorer.LICENSE", bundledLicences(ROOT, "openapi-explorer")],
    ["schema.sql", await describeSchema(db, migrations)],
  ]);
}
