import { expect, test } from "vitest";
import { providerAt } from "../../src/actions/provider.ts";
import { createContext, type Context } from "../../src/context.ts";
import { startTestApp } from "../support/app.ts";
import { connect } from "../support/connections.ts";
import { createToyBank } from "../support/toy-bank.ts";

/** Runs until all promises that need no time have gone on. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

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
  await process.close();
  await app.close();
});
