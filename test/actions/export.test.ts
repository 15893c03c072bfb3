import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { draftKey, fillDraft } from "../../src/actions/export/fill-draft.ts";
import { ExportDraft } from "../../src/archive/export-draft.ts";
import { linesOfDraft } from "../../src/archive/export-file.ts";
import { VERSION } from "../../src/version.ts";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let directory: string;

beforeAll(async () => {
  [story, directory] = await Promise.all([
    startStory({ clock: "2026-03-01T09:00:00Z" }),
    mkdtemp(join(tmpdir(), "billow-instant-")),
  ]);
  await story.plan("team", 1200, { name: "Team" });
});
afterAll(async () => {
  await story.close();
  await rm(directory, { recursive: true });
});

const buy = (name: string) =>
  story.buy({ productKey: "team", customer: { email: `${name}@example.com`, externalId: name } }, CARDS.pays);

/** Fills the draft of an export. `beside`: happens between two of its files. */
async function exported(name: string, beside: () => Promise<unknown> = async () => undefined) {
  const { ctx, organization } = story.app;
  const draft = await ExportDraft.open(join(directory, name), draftKey(ctx, organization, VERSION));
  const write = draft.write.bind(draft);
  draft.write = async (...given) => {
    if (given[0] === "benefits.jsonl") await beside();
    return write(...given);
  };
  const signal = new AbortController().signal;
  const filled = await fillDraft(ctx, organization.id, draft, {
    version: VERSION,
    signal,
    withPdfs: true,
    note: () => undefined,
  });
  const lines = async (file: string) => Array.fromAsync(linesOfDraft<Json>(draft, `${file}.jsonl`));
  return { ...filled, lines };
}

const BESIDE_THE_BUYER = [
  "customers",
  "subscriptions",
  "checkouts",
  "invoices",
  "payments",
  "emails",
  "events",
  "pdfs",
];

test("a purchase between two files is in none of them, and in all of the next run", async () => {
  await buy("ada");
  const counts = async ({ lines }: Awaited<ReturnType<typeof exported>>) =>
    Promise.all(BESIDE_THE_BUYER.map(async (name) => [name, (await lines(name)).length] as const));
  const before = await counts(await exported("alone"));
  const during = await exported("beside", () => buy("bob"));
  expect(await counts(during)).toEqual(before);
  expect(await during.lines("customers")).toMatchObject([{ email: "ada@example.com" }]);
  const next = await exported("beside");
  for (const [n, [name, count]] of (await counts(next)).entries()) expect(count, name).toBeGreaterThan(before[n]![1]);
  expect(next.kept).toEqual(expect.arrayContaining(["products.jsonl", "benefits.jsonl", "refunds.jsonl"]));
  for (const name of BESIDE_THE_BUYER) expect(next.kept).not.toContain(`${name}.jsonl`);
});
