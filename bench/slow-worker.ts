import { setTimeout as sleep } from "node:timers/promises";
import { readConfig, readEnvironment } from "../src/config.ts";
import { createContext } from "../src/context.ts";
import { startWorker } from "../src/worker/worker.ts";

/** What a charge takes at a provider on the internet. */
const MILLISECONDS = 150;

/** `billow worker` with a provider that answers a charge late: the sandbox's own, asked after a pause. */
const ctx = await createContext(readConfig(readEnvironment()));
const { sandbox } = ctx.payments;
const slow: typeof sandbox = {
  ...sandbox,
  async charge(request) {
    await sleep(MILLISECONDS);
    return sandbox.charge(request);
  },
};
const worker = startWorker({ ...ctx, payments: { ...ctx.payments, sandbox: slow } }, ctx.deliveries);
console.log("Billow does what is due, and its provider takes its time.");
process.once("SIGTERM", () => {
  void worker
    .stop()
    .then(() => ctx.close())
    .then(() => process.exit(0));
});
