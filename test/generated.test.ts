import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { generate } from "../scripts/generate.ts";
import { createTestDatabase } from "./support/database.ts";

it("generated files are as `npm run gen` would write them", async () => {
  const { db, drop } = await createTestDatabase();
  try {
    for (const [path, text] of await generate(db)) {
      expect(
        readFileSync(join(import.meta.dirname, "..", path), "utf8") === text,
        `${path} is stale: npm run gen`,
      ).toBe(true);
    }
  } finally {
    await drop();
  }
});
