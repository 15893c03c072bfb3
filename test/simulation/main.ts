import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { Connection } from "../support/database.ts";
import { createTemplate } from "../support/test-server.ts";
import type { History } from "./history.ts";
import type { OpenSide } from "./provider-side.ts";
import { BUILT_IN, STRIPE, type ProviderTraits } from "./reference-provider.ts";
import { openSandboxSide } from "./sandbox-side.ts";
import { openStripeSide } from "./stripe-side.ts";
import { openInstallation } from "./installation.ts";
import { planHistory } from "./plan.ts";
import { playHistory } from "./run.ts";
import { shrink } from "./shrink.ts";
import { narrate } from "./narration.ts";

const USAGE = `npm run simulate -- --seed N [--days 800] [--customers 50]    one history
npm run simulate -- --seeds N [--from 1] [--days 120] [--customers 4]    many small ones
npm run simulate -- --history FILE    one that was printed before
--lanes N: so many at the same time (2)
--provider stripe: over the tests' own Stripe server, instead of the built-in provider (sandbox)`;

/** A database becomes slow after this many histories. */
const HISTORIES_A_DATABASE = 40;
/** Progress is printed each time this many histories are done. */
const HISTORIES_A_LINE = 100;
/** Shortening is slow, so only the first failures are shortened. */
const MOST_SHORTENED = 3;

type Provider = { traits: ProviderTraits; open: OpenSide };
const PROVIDERS: Record<string, Provider> = {
  sandbox: { traits: BUILT_IN, open: openSandboxSide },
  stripe: { traits: STRIPE, open: openStripeSide },
};

type Failed = { history: History; what: string };

/** Plays histories one after the other, each in an Organization of its own. */
async function openLane(
  template: Connection,
  { open }: Provider,
): Promise<{ play: typeof playIn; close(): Promise<void> }> {
  let [installation, played] = [await openInstallation(template), 0];
  async function playIn(history: History) {
    if (played++ >= HISTORIES_A_DATABASE) {
      await installation.close();
      [installation, played] = [await openInstallation(template), 1];
    }
    return playHistory(installation.ctx, history, open);
  }
  return { play: playIn, close: () => installation.close() };
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function explain({ history, what }: Failed, lane: Awaited<ReturnType<typeof openLane>>): Promise<void> {
  print(`seed ${history.seed} failed: ${what}\nLooking for a shorter history …`);
  let best = { history, what };
  await shrink(history, async (shorter) => {
    const failure = await lane.play(shorter);
    if (failure) best = { history: shorter, what: failure.what };
    return failure !== null;
  });
  print(`${narrate(best.history)}\n${best.what}\n${JSON.stringify(best.history)}\n`);
}

async function run(histories: Iterator<History>, lanes: number, provider: Provider): Promise<number[]> {
  const template = await createTemplate();
  const failed: number[] = [];
  const began = performance.now();
  let done = 0;
  const work = async () => {
    const lane = await openLane(template.connection, provider);
    for (let next = histories.next(); !next.done; next = histories.next()) {
      const history = next.value;
      const failure = await lane.play(history);
      done += 1;
      if (done % HISTORIES_A_LINE === 0) print(`${done} histories, ${failed.length} failed`);
      if (failure) failed.push(history.seed);
      if (failure && failed.length <= MOST_SHORTENED) await explain({ history, what: failure.what }, lane);
      else if (failure) print(`seed ${history.seed} failed: ${failure.what}`);
    }
    await lane.close();
  };
  try {
    await Promise.all(Array.from({ length: lanes }, work));
  } finally {
    await template.drop();
  }
  const minutes = (performance.now() - began) / 60_000;
  const result = failed.length === 0 ? "agree to the cent" : `${failed.length} failed: ${failed.join(" ")}`;
  print(`${done} histories in ${(minutes * 60).toFixed(1)} s (${Math.round(done / minutes)} a minute): ${result}`);
  return failed;
}

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    seeds: { type: "string" },
    from: { type: "string", default: "1" },
    days: { type: "string" },
    customers: { type: "string" },
    history: { type: "string" },
    lanes: { type: "string", default: "2" },
    provider: { type: "string", default: "sandbox" },
    help: { type: "boolean", default: false },
  },
});

function* chosen({ traits }: Provider): Generator<History> {
  const { seed, seeds, from, days, customers } = values;
  const [usualDays, usualCustomers] = seeds === undefined ? [800, 50] : [120, 4];
  const size = { days: Number(days ?? usualDays), customers: Number(customers ?? usualCustomers) };
  if (seeds === undefined) return void (yield planHistory(Number(seed), size, traits));
  for (let n = 0; n < Number(seeds); n++) yield planHistory(Number(from) + n, size, traits);
}

const provider = PROVIDERS[values.provider];
if (
  values.help ||
  !provider ||
  (values.seed === undefined && values.seeds === undefined && values.history === undefined)
) {
  print(USAGE);
} else {
  const histories =
    values.history === undefined
      ? chosen(provider)
      : [JSON.parse(await readFile(values.history, "utf8")) as History].values();
  const failed = await run(histories, values.seeds === undefined ? 1 : Number(values.lanes), provider);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
