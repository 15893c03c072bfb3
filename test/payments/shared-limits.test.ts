import { expect, test } from "vitest";
import { providerAt } from "../../src/actions/provider.ts";
import { createContext, type Context } from "../../src/context.ts";
import { startTestApp } from "../support/app.ts";
import type { Charge, PaymentProvider } from "../../src/payments/provider.ts";
import { connect } from "../support/connections.ts";
import { createToyBank } from "../support/toy-bank.ts";

/** Runs until all promises that need no time have gone on. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

const requestOf = (organizationId: string): Omit<Charge, "key" | "presence"> => ({
  organizationId,
  card: "card",
  customer: { id: "cus_1", email: null, name: null },
  description: "A shop",
  page: null,
  returnUrl: "https://shop.example",
  amount: 500,
  currency: "usd",
  statement: "A shop",
});

test("requests and the worker of a process share the limits of an account", async () => {
  const app = await startTestApp();
  const process = await createContext(app.ctx.config);
  const bank = createToyBank();
  const { key } = bank.account("toy_1");
  const begun: string[] = [];
  const answers: (() => void)[] = [];
  const connectable = {
    ...bank.connectable,
    open: async (settings: Parameters<typeof bank.connectable.open>[0]) => ({
      ...(await bank.connectable.open(settings)),
      limits: { inFlight: 1, perSecond: Infinity },
      read: async (_: string, requestKey: string) => {
        begun.push(requestKey);
        await new Promise<void>((resolve) => answers.push(resolve));
        return { status: "absent" } as const;
      },
      charge: async (request: Charge) => {
        begun.push(request.key);
        await new Promise<void>((resolve) => answers.push(resolve));
        return { status: "succeeded" } as const;
      },
    }),
  };
  const organizationId = app.organization.id;
  await connect(process.db, {
    organizationId,
    provider: "toy",
    account: "toy_1",
    key,
    secret: app.ctx.config.secret!,
    more: { livemode: false },
  });
  const of = async (part: Context) => {
    (part.payments.connectables as Map<string, typeof connectable>).set("toy", connectable);
    return (await providerAt(part, organizationId, { provider: "toy", providerAccount: "toy_1" }))!;
  };
  const [requests, worker] = [await of(process.requests), await of(process)];
  expect(requests).not.toBe(worker);
  const calls = [requests.read(organizationId, "buyer"), worker.read(organizationId, "renewal")];
  await turn();
  expect(begun).toEqual(["buyer"]);
  answers.shift()!();
  await calls[0];
  await turn();
  expect(begun).toEqual(["buyer", "renewal"]);
  answers.shift()!();
  await calls[1];

  // A buyer's charge passes the renewals that wait.
  const charge = (at: PaymentProvider, name: string, presence: Charge["presence"]) =>
    at.charge({ ...requestOf(organizationId), key: name, presence });
  const charges = ["r1", "r2", "r3"].map((renewal) => charge(worker, renewal, "off_session"));
  charges.push(charge(requests, "purchase", "buyer"));
  begun.length = 0;
  for (let n = 0; n < charges.length; n += 1) {
    await turn();
    answers.shift()!();
  }
  await Promise.all(charges);
  expect(begun.indexOf("purchase")).toBeLessThan(begun.indexOf("r3"));
  await process.close();
  await app.close();
});
