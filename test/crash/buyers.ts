import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "../support/app.ts";
import type { Reply, Request, Service } from "./service.ts";

/** The last answer about a resource, by the path where it is read. `writing`: a later write is not answered yet. */
export type Known = Map<string, { body: Json; writing: boolean }>;

export type Buyers = {
  known: Known;
  /** Requests with an Idempotency-Key, and their answers. */
  answered: { request: Request; text: string }[];
  /** The requested resources, by tag. `sure`: exactly one must exist, else at most one. */
  wanted: { customers: Map<string, { sure: boolean }>; checkouts: Map<string, { sure: boolean }> };
  /** Types of the events that each Subscription must have, by the changes that were answered. */
  stories: Map<string, string[]>;
  /** Runs until `over`. */
  run(n: number, over: () => boolean): Promise<void>;
};

const PAYS = "4242424242424242";
const DECLINED = "4000000000000002";
const AUTHENTICATES = "4000000000003220";
const ANSWER_LOST = "4000000000000507";
const CARDS = [AUTHENTICATES, PAYS, PAYS, PAYS, PAYS, ANSWER_LOST, ANSWER_LOST, DECLINED];
/** From cheap to dear. */
const PLANS = ["starter", "pro", "pro-yearly"];
const NOW = { prorationBehavior: "invoice_now" };
const LATER = { prorationBehavior: "next_period" };
const CANCEL = { body: { cancelAtPeriodEnd: true }, event: "subscription.cancellation_scheduled" };
const UNDO = { body: { cancelAtPeriodEnd: false }, event: "subscription.cancellation_undone" };
/** Milliseconds before a request is repeated. */
const PAUSE = 50;

/** Numbers in [0, 1) that follow from a seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Buyers' backends. Each does one thing after the other and repeats every request, with its key, until it is
 * answered.
 */
export function createBuyers(service: Pick<Service, "call">, seed: number): Buyers {
  const known: Known = new Map();
  const answered: Buyers["answered"] = [];
  const wanted: Buyers["wanted"] = { customers: new Map(), checkouts: new Map() };
  const stories: Buyers["stories"] = new Map();

  /** Null: the request has no key and was not answered. */
  async function send(request: Request): Promise<Reply | null> {
    for (;;) {
      const reply = await service.call(request);
      const again = !reply || reply.status >= 500 || reply.body.code === "idempotency_in_progress";
      if (!again) {
        if (request.key !== undefined && reply.status < 300) answered.push({ request, text: reply.text });
        return reply;
      }
      if (request.key === undefined && request.method !== "GET") return null;
      await sleep(PAUSE);
    }
  }

  function expectStatus(status: number, request: Request, reply: Reply): Json {
    if (reply.status !== status)
      throw new Error(`${request.method} ${request.path} ${request.key} answers ${reply.status}: ${reply.text}`);
    return reply.body;
  }

  /** A read, or a write by the only writer of this resource. */
  async function use(path: string, request: Request): Promise<Reply> {
    const before = known.get(path);
    const isWrite = request.method !== "GET";
    if (before && isWrite) before.writing = true;
    const reply = (await send(request))!;
    if (reply.status < 300) known.set(path, { body: reply.body, writing: false });
    return reply;
  }

  async function read(path: string): Promise<Json> {
    const request: Request = { surface: "public", method: "GET", path };
    return expectStatus(200, request, await use(path, request));
  }

  async function create(
    kind: "customers" | "checkouts",
    tag: string,
    body: object,
    keyed: boolean,
  ): Promise<Json | null> {
    const key = keyed ? { key: tag } : {};
    const request: Request = {
      surface: "public",
      method: "POST",
      path: `/${kind}`,
      body: { ...body, metadata: { tag } },
      ...key,
    };
    wanted[kind].set(tag, { sure: false });
    const reply = await send(request);
    if (!reply) return null;
    const made = expectStatus(201, request, reply);
    wanted[kind].set(tag, { sure: true });
    known.set(`/${kind}/${made.id}`, { body: made, writing: false });
    return made;
  }

  /**
   * Pays until the Checkout is completed. Returns null if it waits for the buyer at the bank, because no buyer comes
   * here.
   */
  async function pay(path: string, tag: string, card: string): Promise<Json | null> {
    const request: Request = {
      surface: "manage",
      method: "POST",
      path: `/sandbox${path}/pay`,
      body: { card },
      key: `pay-${tag}-${card}`,
    };
    const reply = await use(path, request);
    // A Checkout is no longer open if an earlier attempt went on after its answer was lost.
    if (reply.body.code !== "checkout_not_open") expectStatus(200, request, reply);
    for (;;) {
      const checkout = await read(path);
      if (checkout.status === "completed") return checkout;
      if (checkout.status === "open") return pay(path, tag, PAYS);
      if (card === AUTHENTICATES) return null;
      await sleep(PAUSE);
    }
  }

  /** A few changes of a Subscription. Each has an effect and is told by one event. */
  async function change(id: string, tag: string, productKey: string, random: () => number): Promise<void> {
    const path = `/subscriptions/${id}`;
    const story = ["subscription.created"];
    stories.set(path, story);
    let [present, pending, canceling] = [productKey, "", false];
    for (let step = Math.floor(random() * 5); step > 0; step--) {
      const others = PLANS.filter((plan) => plan !== present && plan !== pending);
      const target = random() < 0.7 ? others.at(-1)! : others[0]!;
      const [later, cancel] = [random() < 0.3, random() < 0.3];
      const switching = { body: { productKey: target, ...(later ? LATER : NOW) }, event: "subscription.updated" };
      const turn = canceling ? UNDO : cancel ? CANCEL : switching;
      const request: Request = {
        surface: "public",
        method: "PATCH",
        path,
        body: turn.body,
        key: `change-${tag}-${step}`,
      };
      expectStatus(200, request, await use(path, request));
      story.push(turn.event);
      canceling = turn === CANCEL;
      if (turn === switching) [present, pending] = later ? [present, target] : [target, ""];
    }
  }

  async function live(tag: string, random: () => number): Promise<void> {
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const email = `${tag}@example.com`;
    const customer = random() < 0.5 ? await create("customers", tag, { email }, random() < 0.7) : null;
    const productKey = pick([...PLANS, "starter", "starter", "pro-trial", "lifetime"]);
    // Saving a card for a trial makes no payment, so a waiting challenge could not be seen.
    const card = pick(productKey === "pro-trial" ? CARDS.slice(1) : CARDS);
    const buyer = customer ? { customerId: customer.id } : { customer: { email } };
    const checkout = await create("checkouts", tag, { productKey, ...buyer }, random() < 0.7);
    const paid = checkout && (await pay(`/checkouts/${checkout.id}`, tag, card));
    if (paid?.subscriptionId) await change(paid.subscriptionId, tag, productKey, random);
  }

  return {
    known,
    answered,
    wanted,
    stories,
    async run(n, over) {
      const random = createRandom(seed + n);
      for (let life = 1; !over(); life++) await live(`buyer-${n}-${life}`, random);
    },
  };
}
