import { setTimeout as sleep } from "node:timers/promises";
import { readConfig, readEnvironment } from "../src/config.ts";
import { createContext } from "../src/context.ts";
import { startWorker } from "../src/worker/worker.ts";

/** The usual time of a charge at a provider on the internet. */
const MILLISECONDS = 150;

/** `billow worker` with a slow provider: each charge waits, and then goes to the sandbox's own provider. */
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
console.log("Billow carries out due work, and its provider takes its time.");
process.once("SIGTERM", () => {
  void worker
    .stop()
    .then(() => ctx.close())
    .then(() => process.exit(0));
});
