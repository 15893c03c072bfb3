import { expect } from "vitest";
import type { Json } from "../support/app.ts";
import type { Buyers } from "./buyers.ts";
import type { Service } from "./service.ts";

type Asked = Pick<Service, "call" | "look">;

/** The checks of a service against the answers that buyers have got. */
export type Checks = {
  /**
   * Expects every answered resource to read as it was last answered, except for changes that may have followed since.
   */
  expectKept(paths: Iterable<string>): Promise<void>;
  /** Expects that no tag was made twice, and that each `sure` one was made. */
  expectMadeOnce(kind: "customers" | "checkouts"): Promise<void>;
  expectStories(): Promise<void>;
  expectReplayed(): Promise<void>;
  /** Payments and Checkouts that are neither settled nor waiting for a buyer. */
  unsettled(): Promise<string[]>;
};

/** The fields that neither an unanswered write nor the outcome of a payment can change. */
function lasting({ id, customerId, currency, metadata, createdAt, startedAt, totalAmount }: Json): object {
  return { id, customerId, currency, metadata, createdAt, startedAt, totalAmount };
}

/**
 * Leaves out the address, which has another port after each start, and `nextAction`, which only a payment's answer
 * has.
 */
const comparable = ({ url: _url, nextAction: _next, ...rest }: Json): Json => rest;

export function checksOf(service: Asked, buyers: Buyers): Checks {
  async function all(path: string): Promise<Json[]> {
    const found: Json[] = [];
    for (let cursor = ""; ;) {
      const { data, nextCursor } = await service.look(`${path}${path.includes("?") ? "&" : "?"}limit=100${cursor}`);
      found.push(...data);
      if (nextCursor === null) return found;
      cursor = `&cursor=${nextCursor}`;
    }
  }

  return {
    async expectKept(paths) {
      for (const path of paths) {
        const { body, writing } = buyers.known.get(path)!;
        const found = await service.look(path);
        if (writing || body.status === "processing") expect(lasting(found), path).toEqual(lasting(body));
        else expect(comparable(found), path).toEqual(comparable(body));
      }
    },
    async expectMadeOnce(kind) {
      const made = Map.groupBy(await all(`/${kind}`), ({ metadata }) => metadata.tag as string);
      for (const [tag, { sure }] of buyers.wanted[kind]) {
        const count = made.get(tag)?.length ?? 0;
        expect(count, `${kind} ${tag}`).toBeLessThanOrEqual(1);
        if (sure) expect(count, `${kind} ${tag}`).toBe(1);
      }
    },
    async expectStories() {
      for (const [path, story] of buyers.stories) {
        const events = await all(`/events?resourceId=${path.split("/").at(-1)}`);
        expect(
          events.map(({ type }) => type),
          path,
        ).toEqual(story);
      }
    },
    async expectReplayed() {
      for (const { request, text } of buyers.answered) {
        expect(await service.call(request), `${request.method} ${request.path} ${request.key}`).toMatchObject({
          text,
          replayed: true,
        });
      }
    },
    async unsettled() {
      const payments = [...(await all("/payments?status=pending")), ...(await all("/payments?status=unknown"))];
      const waiting = new Set((await all("/payments?status=requires_action")).map((payment) => payment.checkoutId));
      const checkouts = (await all("/checkouts?status=processing")).filter(({ id }) => !waiting.has(id));
      return [...payments, ...checkouts].map(({ id }) => id);
    },
  };
}
