import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BillingDocument } from "../../src/documents/billing-document.ts";
import { FileCache } from "../../src/documents/file-cache.ts";
import { renderPdf } from "../../src/documents/render.ts";
import { createWebApp } from "../../src/web/app.ts";
import { listening } from "../support/downtime.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const UNAVAILABLE = { code: "unavailable", parts: { headers: { "Retry-After": "1" } } };
const SHARE = 25;

let numbers = 0;
/** A new document with this many lines, which was never asked for before. */
function documentOf(lines: number): BillingDocument {
  const number = `INV-00000000-${(numbers += 1)}`;
  return {
    locale: "en-GB",
    kind: "Invoice",
    number,
    issuedAt: "2026-03-01T09:00:00.000Z",
    sandbox: false,
    brand: { name: "Acme", ground: "#1f4fd8", text: "#1f4fd8" },
    status: { tone: "done", text: "Paid" },
    facts: [{ name: "Invoice number", value: number }],
    seller: { heading: "From", name: "Acme", lines: [] },
    buyer: { heading: "Bill to", name: "Ada Lovelace", lines: [] },
    lines: Array.from({ length: lines }, (_, n) => ({
      description: `Line ${n}`,
      notes: ["1 March 2026 – 1 April 2026"],
      quantity: "1",
      unitPrice: "€1.00",
      tax: "",
      amount: "€1.00",
    })),
    totals: [],
    movements: { heading: "Payment", rows: [] },
    notes: [],
    contacts: [],
  };
}

/** Runs `doomed.ts` until its whole output has ended, so until no process holds the output any more. */
async function outlive(document: BillingDocument): Promise<{ signal: string | null; stderr: string }> {
  const program = fileURLToPath(new URL("doomed.ts", import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(document)], { stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const [, signal] = await once(child, "close");
  return { signal, stderr };
}

const drawMany = (organizationId: string, count: number) =>
  Array.from({ length: count }, () => renderPdf(organizationId, documentOf(1)));

describe("drawing", () => {
  test.each([1, 400])("ends without a word when its server dies amid documents of %i lines", async (lines) => {
    expect(await outlive(documentOf(lines))).toEqual({ signal: "SIGKILL", stderr: "" });
  });

  test("a document that many want at once, or want again, is drawn once", async () => {
    const document = documentOf(1);
    const drawn = await Promise.all(Array.from({ length: 300 }, () => renderPdf("org_a", structuredClone(document))));
    const again = await renderPdf("org_b", structuredClone(document));
    for (const pdf of [...drawn, again]) expect(pdf).toBe(drawn[0]);
    expect(await renderPdf("org_a", documentOf(1))).not.toBe(drawn[0]);
  });

  test("one Organization has a share of the queue, and another's is drawn meanwhile", async () => {
    const own = drawMany("org_a", SHARE);
    await expect(renderPdf("org_a", documentOf(1))).rejects.toMatchObject(UNAVAILABLE);
    expect((await renderPdf("org_b", documentOf(1))).length).toBeGreaterThan(0);
    await Promise.all(own);
    expect((await renderPdf("org_a", documentOf(1))).length).toBeGreaterThan(0);
  });

  test("all together have a queue that ends", async () => {
    const full = ["org_a", "org_b", "org_c", "org_d"].flatMap((id) => drawMany(id, SHARE));
    await expect(renderPdf("org_e", documentOf(1))).rejects.toMatchObject(UNAVAILABLE);
    await Promise.all(full);
  });
});

test("files are kept by their bytes, the ones wanted last", () => {
  const kept = new FileCache(100);
  const found = () => ["a", "b", "c", "d"].filter((key) => kept.find(key)).join("");
  kept.add("a", new Uint8Array(40));
  kept.add("b", new Uint8Array(40));
  kept.add("b", new Uint8Array(50));
  expect(found()).toBe("ab");
  kept.find("a");
  kept.add("c", new Uint8Array(30));
  expect(found()).toBe("ac");
  kept.add("d", new Uint8Array(101));
  expect(found()).toBe("ac");
  kept.add("d", new Uint8Array(100));
  expect(found()).toBe("d");
});

describe("the PDF behind an invoice's page", () => {
  let story: Story;
  let page: string;
  beforeAll(async () => {
    story = await startStory({ clock: "2026-03-01T09:00:00Z" });
    await story.plan("book", 4900, { interval: null });
    const { invoiceId } = await story.buy({ productKey: "book", customer: { email: "ada@example.com" } }, CARDS.pays);
    page = `${(await story.ok(story.app.manage("GET", `/invoices/${invoiceId}`))).url}/pdf`;
  });
  afterAll(() => story.close());

  test("is drawn while its Organization's share is not full; that it is full is no fault of Billow", async () => {
    const { ctx, errors } = listening(story.app.ctx);
    const web = createWebApp(ctx);
    const ask = () => web.request(new URL(page).pathname, {}, { client: "192.0.2.1", requestId: "req_1" });
    const { id } = story.app.organization;
    // The others wait for the first, long one. So the share is full until that one is drawn.
    const full = [renderPdf(id, documentOf(600)), ...drawMany(id, SHARE - 1)];
    const refused = await ask();
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "1"]);
    expect(errors).toEqual([]);
    await Promise.all(full);
    expect((await ask()).status).toBe(200);
  });

  test("comes to many at once, and not to clients that have it", async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => fetch(page)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const etag = answers[0]!.headers.get("ETag")!;
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const known of [etag, `"other", W/${etag}`]) {
      const again = await fetch(page, { headers: { "If-None-Match": known } });
      expect([again.status, again.headers.get("ETag"), await again.text()]).toEqual([304, etag, ""]);
    }
    expect((await fetch(page, { headers: { "If-None-Match": '"other"' } })).status).toBe(200);
    await Promise.all(answers.map((answer) => answer.bytes()));
  });
});
