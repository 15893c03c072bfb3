import { expect } from "vitest";
import type { Json } from "../support/app.ts";
import { until } from "../support/until.ts";
import { createBuyers } from "../crash/buyers.ts";
import { checksOf } from "../crash/checks.ts";
import type { Reply, Request } from "../crash/service.ts";
import type { Service } from "./shops.ts";

/** Buyers' backends that buy at one Organization, without a pause. */
export type Load = {
  organizationId: string;
  /** The number of answers so far. */
  answers(): number;
  /** Waits until the buyers have got so many more answers. */
  more(answers: number): Promise<void>;
  /** The distinct statuses of the answers, in their order by number. */
  statuses(): number[];
  /** Ends the buyers, and expects that each acknowledged write stands once. */
  finish(): Promise<void>;
};

const BUYERS = 6;
const BASES = { public: "/public/v2", manage: "/manage/v1" };
const SEED = 7;

/** Creates an Organization with the demo's Products, and lets buyers buy there. */
export async function startLoad(service: Service): Promise<Load> {
  const run = async (...args: string[]): Promise<Json> => {
    const { code, stdout, stderr } = await service.workspace.run([...args, "--json"], service.environment);
    if (code !== 0) throw new Error(`billow ${args.join(" ")} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  };
  const { organization, keys } = await run("org", "create", "--name", "Load", "--mode", "sandbox");
  await run("seed", "--organization", organization.id);
  const seen = new Set<number>();
  let answers = 0;
  let over = false;

  async function request({ surface, method, path, body, key }: Request): Promise<Reply> {
    const headers = new Headers({ Authorization: `Bearer ${keys[surface]}` });
    if (body) headers.set("Content-Type", "application/json");
    if (key !== undefined) headers.set("Idempotency-Key", key);
    const init = { method, headers, body: body ? JSON.stringify(body) : null };
    const response = await fetch(service.url + BASES[surface] + path, init);
    const text = await response.text();
    seen.add(response.status);
    answers += 1;
    const replayed = response.headers.has("Idempotency-Replayed");
    return { status: response.status, text, body: JSON.parse(text), replayed };
  }

  const look = async (path: string): Promise<Json> => {
    const { status, text, body } = await request({ surface: "manage", method: "GET", path });
    if (status !== 200) throw new Error(`GET ${path} answers ${status}: ${text}`);
    return body;
  };
  const call = (wanted: Request) => request(wanted).catch(() => null);
  const buyers = createBuyers({ call }, SEED);
  const checks = checksOf({ call, look }, buyers);
  const running = Promise.all(Array.from({ length: BUYERS }, (_, n) => buyers.run(n + 1, () => over)));
  running.catch(() => undefined);
  return {
    organizationId: organization.id,
    answers: () => answers,
    async more(wanted) {
      const enough = answers + wanted;
      await Promise.race([until(() => answers >= enough), running]);
    },
    statuses: () => [...seen].sort((one, other) => one - other),
    async finish() {
      over = true;
      await running;
      await expect.poll(checks.unsettled, { timeout: 120_000, interval: 250 }).toEqual([]);
      await checks.expectKept(buyers.known.keys());
      await checks.expectMadeOnce("customers");
      await checks.expectMadeOnce("checkouts");
      await checks.expectStories();
      await checks.expectReplayed();
    },
  };
}
