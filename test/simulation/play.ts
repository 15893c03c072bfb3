import { isDeepStrictEqual } from "node:util";
import { Died } from "./faults.ts";
import type { Fault, History, Step } from "./history.ts";
import { answerOf, Mismatch, subscriptionsOf, type Names } from "./look.ts";
import type { ProviderSide, StepRun } from "./provider-side.ts";
import type { Reply, Request, World } from "./world.ts";

/** A history that is being played. `customers` holds ids by number. `gone` lists the deleted Customers. */
export type Play = {
  world: World;
  side: ProviderSide;
  history: History;
  names: Names;
  /** The smallest quantity of each Product by number. */
  minimums: number[];
  customers: (string | null)[];
  gone: { number: number; id: string }[];
  /** The rounds of new prices, oldest first. */
  rounds: string[];
  /** The index of the current step, for its Idempotency-Keys. */
  index: number;
};

/** @throws Mismatch unless both are the same */
export function expectSame(what: string, billow: unknown, reference: unknown): void {
  if (isDeepStrictEqual(billow, reference)) return;
  throw new Mismatch(`${what}:\n  Billow:    ${JSON.stringify(billow)}\n  reference: ${JSON.stringify(reference)}`);
}

/**
 * Sends a request as a careful caller does. After a crash, a lost answer, a 5xx or a `payment_in_progress` a worker
 * cleans up, and the caller sends the same request again with its key.
 */
export async function send({ world, side }: Play, request: Request, fault: Fault | null): Promise<Reply> {
  const calling = side.underFault(fault, (by) => world.call(request, by));
  let reply = await calling.catch((error: unknown) => {
    if (error instanceof Died) return null;
    throw error;
  });
  for (
    let times = 0;
    times < 3 && (!reply || reply.status >= 500 || reply.body?.code === "payment_in_progress");
    times++
  ) {
    await world.settle();
    reply = await world.call(request);
  }
  return reply!;
}

/** As `send`. With `repeat`, the request is sent a second time and must get the same answer. */
export async function write(
  play: Play,
  step: Step,
  method: "POST" | "PATCH",
  path: string,
  body?: object,
  name = "",
): Promise<Reply> {
  const request = { method, path, ...(body && { body }), key: `${play.index}${name}` };
  const reply = await send(play, request, step.faults.request);
  if (step.repeat && (reply.status < 300 || reply.status === 402)) {
    expectSame("the same request again", answerOf(await play.world.call(request)), answerOf(reply));
  }
  return reply;
}

/** A step for the provider's side. */
export const stepRunOf = (play: Play, step: Step): StepRun => ({
  world: play.world,
  index: play.index,
  fault: step.faults.request,
  post: (path, body) => write(play, step, "POST", path, body),
});

/** Chooses as the reference does: a live Subscription by its number, else the newest one. */
export async function choose({ world, customers }: Play, { customer }: Step, number: number): Promise<string | null> {
  const id = customers[customer];
  const all = id ? await subscriptionsOf(world, id) : [];
  const live = all.filter(({ status }) => status !== "canceled");
  return (live[number % live.length] ?? all.at(-1))?.id ?? null;
}
