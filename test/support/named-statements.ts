import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { statements, type Read } from "../../src/store/driver/db.ts";
import { listEmails } from "../../src/store/emails.ts";
import { makeFilteredLists } from "./filtered-lists.ts";
import { ROOT } from "./source.ts";

/** Makes the statements of a list. Each set of filters has a statement of its own, made at its first use. */
async function makeLists(): Promise<void> {
  const filters = Object.entries({
    cursor: "em_1",
    customerId: "cus_1",
    kind: "receipt",
    status: "sent",
    skipped: "false",
  });
  const nothing: Read = { kind: "read", query: async () => [] };
  for (let set = 0; set < 2 ** filters.length; set++) {
    const given = Object.fromEntries(filters.filter((_, n) => set & (1 << n)));
    await listEmails(nothing, "org_1", { limit: 1, ...given } as Parameters<typeof listEmails>[2]);
  }
}

/** The text of every named statement, by its name, in the order of the names. */
export async function makeAllStatements(): Promise<Map<string, string>> {
  for (const directory of ["src/store", "src/payments"]) {
    const files = readdirSync(join(ROOT, directory), { recursive: true, encoding: "utf8" });
    for (const file of files.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))) {
      await import(pathToFileURL(join(ROOT, directory, file)).href);
    }
  }
  await makeLists();
  await makeFilteredLists();
  // Tests and scripts that ran earlier in this process have statements of their own, workers an ANALYZE of each table.
  const ours = [...statements].filter(([name]) => !/^(test|bench|scripts|statistics\.analyze_)/.test(name));
  return new Map(ours.sort(([one], [other]) => (one < other ? -1 : 1)));
}
