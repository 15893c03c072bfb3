import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codingOf } from "../../src/compression.ts";
import { startTestApp, type TestApp } from "../support/app.ts";

let app: TestApp;
beforeAll(async () => void (app = await startTestApp()));
afterAll(() => app.close());

/** A GET whose answer is not decoded, as `fetch` would do. */
function get(
  path: string,
  accepted: string | null,
): Promise<{ headers: NodeJS.Dict<string | string[]>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = accepted === null ? {} : { "Accept-Encoding": accepted };
    request(new URL(path, app.url), { headers }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      resolve({ headers: answer.headers, body: Buffer.concat(chunks) });
    })
      .on("error", reject)
      .end();
  });
}

/** The paths of the files that a page loads. */
async function filesOf(path: string): Promise<string[]> {
  const { body } = await get(path, null);
  return [...body.toString().matchAll(/(?:src|href)="([^"]+\.(?:css|js|svg))"/g)].map(
    ([, file]) => new URL(file!, new URL(path, app.url)).pathname,
  );
}

describe("files", () => {
  test.each(["/", "/docs/reference/public"])("of %s are compressed and may be kept for good", async (page) => {
    const files = (await filesOf(page)).filter((path) => /\/static\/|^\/docs\/.*-[0-9a-f]{16}\./.test(path));
    expect(files.length).toBeGreaterThan(0);
    for (const path of files) {
      const [plain, gzip, br] = [await get(path, null), await get(path, "gzip, deflate"), await get(path, "gzip, br")];
      expect([plain, gzip, br].map(({ headers }) => headers["content-encoding"])).toEqual([undefined, "gzip", "br"]);
      for (const { headers } of [plain, gzip, br]) {
        expect(headers["vary"]).toBe("Accept-Encoding");
        expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
      }
      expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
      expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
    }
  });

  test("of a page are a third of their size, and the page itself is not compressed", async () => {
    const files = await filesOf("/");
    const sizeOf = async (accepted: string) =>
      (await Promise.all(files.map((path) => get(path, accepted)))).reduce((sum, { body }) => sum + body.length, 0);
    expect(await sizeOf("br")).toBeLessThan((await sizeOf("identity")) / 3);
    expect((await get("/", "gzip, br")).headers["content-encoding"]).toBeUndefined();
    expect((await get("/dashboard/sign-in", "gzip, br")).headers["content-encoding"]).toBeUndefined();
  });
});

test.each([
  [undefined, null],
  ["", null],
  ["identity", null],
  ["gzip", "gzip"],
  ["gzip, deflate, br, zstd", "br"],
  ["BR;q=1.0, gzip;q=0.5", "br"],
  ["br;q=0, gzip", "gzip"],
  ["br; q=0.0, gzip; q=0", null],
  ["*", null],
])("Accept-Encoding: %s leads to %s", (header, coding) => expect(codingOf(header)).toBe(coding));
