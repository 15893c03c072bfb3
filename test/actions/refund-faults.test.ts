import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { carryOutRefund } from "../../src/actions/settle-refund.ts";
import { createContext, type Context, type OpenContext } from "../../src/context.ts";
import type { Outcome, PaymentProvider } from "../../src/payments/provider.ts";
import { runOnce } from "../../src/worker/worker.ts";
import type { Json } from "../support/app.ts";
import { KILLED, killedAt, letLeasesRunOut } from "../support/processes.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** `kill` ends the process that refunds; `wait` lets it go on when others have done its work. */
type Process = { ctx: OpenContext; kill(): Promise<never>; wait(): Promise<void> };
/** What becomes of the first call: `send` passes it on. */
type Fault = (send: () => Promise<Outcome>, process: Process) => Promise<Outcome>;

const UNKNOWN = { status: "unknown" } as const;

const FAULTS: Record<string, Fault> = {
  "the process dies before the call": (_send, { kill }) => kill(),
  "the process dies after the call": async (send, { kill }) => {
    await send();
    return kill();
  },
  "the answer times out": async (send) => {
    await send();
    return UNKNOWN;
  },
  "the request is lost": async () => UNKNOWN,
  "the provider answers 500": async (send) => {
    await send();
    throw new Error("500 Internal Server Error");
  },
  "the provider answers 500, having done nothing": async () => {
    throw new Error("500 Internal Server Error");
  },
  "the provider answers what no refund can be": async (send) => {
    await send();
    return { status: "requires_action", url: "https://bank.example/challenge" };
  },
  "the request is held up until others have settled it": async (send, { wait }) => {
    await wait();
    return send();
  },
  "the answer is held up until others have settled it": async (send, { wait }) => {
    const outcome = await send();
    await wait();
    return outcome;
  },
  "the database is gone when the answer comes": async (send, { ctx }) => {
    const outcome = await send();
    await ctx.close();
    return outcome;
  },
};

let story: Story;
const processes: OpenContext[] = [];

beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  await story.plan("book", 1000, { interval: null });
});
afterAll(async () => {
  await Promise.allSettled(processes.map((each) => each.close()));
  await story.close();
});

async function startProcess(): Promise<OpenContext> {
  const ctx = await createContext(story.app.ctx.config);
  processes.push(ctx);
  return ctx;
}

/** The same process, with another way to refund. */
function refundingBy<C extends Context>(ctx: C, refund: PaymentProvider["refund"]): C {
  return { ...ctx, payments: { ...ctx.payments, sandbox: { ...ctx.payments.sandbox, refund } } };
}

/** A bank that gives nothing back. */
const refuses = <C extends Context>(ctx: C): C => refundingBy(ctx, async () => ({ status: "declined", code: "account_closed" }));

/** A purchase of which 400 are to be given back to the card; nobody has called the provider yet. */
async function askForRefund(): Promise<{ refundId: string; invoiceId: string }> {
  const { invoiceId } = await story.buy({ productKey: "book", customer: { email: "ada@example.com" } }, CARDS.pays);
  const { id } = await story.ok(story.app.manage("POST", `/invoices/${invoiceId}/refunds`, { amount: 400 }));
  return { refundId: id, invoiceId };
}

/** The worker begins the refund, until it has gone wrong; `finish` waits for its end, if it has one. */
async function begin(ctx: OpenContext, fault: Fault): Promise<{ finish(): Promise<void> }> {
  const [killed, stalled, others] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const process: Process = {
    ctx,
    kill() {
      killed.resolve();
      return KILLED;
    },
    wait() {
      stalled.resolve();
      return others.promise;
    },
  };
  const { refund } = ctx.payments.sandbox;
  let calls = 0;
  const faulty = refundingBy(ctx, (request) => (++calls === 1 ? fault(() => refund(request), process) : refund(request)));
  const acted = Promise.allSettled([runOnce(faulty)]);
  await Promise.race([acted, killed.promise, stalled.promise]);
  expect(calls).toBe(1);
  return {
    async finish() {
      others.resolve();
      await Promise.race([acted, killed.promise]);
    },
  };
}

/** Two workers, and two more that don't ask for the lease. */
async function settle(refundId: string, others: Context[]): Promise<void> {
  await letLeasesRunOut(story.app.ctx.db);
  const { id } = story.app.organization;
  await Promise.all(others.flatMap((ctx) => [runOnce(ctx), carryOutRefund(ctx, id, refundId)]));
}

async function expectOnce({ refundId, invoiceId }: { refundId: string; invoiceId: string }, status: "succeeded" | "failed"): Promise<void> {
  const get = (path: string) => story.ok(story.app.manage("GET", path));
  const given = status === "succeeded" ? 400 : 0;
  expect(await get(`/refunds/${refundId}`)).toMatchObject({ status, amount: 400 });
  expect(await get(`/invoices/${invoiceId}`)).toMatchObject({ refundedAmount: given });
  const booked = await story.app.ctx.payments.sandbox.bookedRefunds(story.app.organization.id);
  expect(booked.filter(({ key }) => key === refundId).map(({ amount }) => amount)).toEqual(given > 0 ? [given] : []);
  const notes = (await get(`/credit-notes?invoiceId=${invoiceId}`)).data.map((note: Json) => note.totalAmount);
  expect(notes).toEqual(given > 0 ? [given] : []);
  expect(await story.audit()).toEqual([]);
}

describe("a refund to the card is made once", () => {
  test.each(Object.entries(FAULTS))("though %s", async (_fault, fault) => {
    const [first, one, other] = [await startProcess(), await startProcess(), await startProcess()];
    const asked = await askForRefund();
    const { finish } = await begin(first, fault);
    await settle(asked.refundId, [one, other]);
    await finish();
    await expectOnce(asked, "succeeded");

    const told = (await story.events()).length;
    await Promise.all(Array.from({ length: 5 }, () => carryOutRefund(one, story.app.organization.id, asked.refundId)));
    expect((await story.events()).length).toBe(told);
  });

  test("or not at all, where the bank refuses it while processes die", async () => {
    const [first, one, other] = [refuses(await startProcess()), refuses(await startProcess()), refuses(await startProcess())];
    const asked = await askForRefund();
    const { finish } = await begin(first, FAULTS["the process dies after the call"]!);
    await settle(asked.refundId, [one, other]);
    await finish();
    await expectOnce(asked, "failed");
  });

  test("though the process dies at any of its steps", async () => {
    const { id } = story.app.organization;
    for (let step = 1, finished = false; !finished; step += 1) {
      const [dying, other] = [await startProcess(), await startProcess()];
      const asked = await askForRefund();
      const { ctx, died } = killedAt(dying, step);
      finished = await Promise.race([carryOutRefund(ctx, id, asked.refundId).then(() => true), died.then(() => false)]);
      await settle(asked.refundId, [other]);
      await expectOnce(asked, "succeeded");
    }
  });
});
