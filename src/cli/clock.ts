import { isCopy } from "../actions/installation.ts";
import { advanceClock, joinAdvance, type Advance } from "../actions/sandbox/advance-clock.ts";
import { stopAdvance } from "../actions/sandbox/advance-stop.ts";
import type { Context } from "../context.ts";
import { formatInstant } from "../domain/calendar.ts";
import type { Organization } from "../domain/model/organization.ts";
import { counted } from "../domain/words.ts";
import { isRefusal } from "../domain/refusal.ts";
import { AdvanceClockParams, presentClock } from "../resources/clock.ts";
import { countEvents, newestEvent } from "../store/event-counts.ts";
import { readOrganization } from "../store/organizations.ts";
import {
  CommandError,
  parseOptions,
  SANDBOX,
  UsageError,
  type Command,
  type Output,
  type Values,
  type Wiring,
} from "./command.ts";
import { findOrganization, withDatabase } from "./database.ts";

/**
 * The length of a slice of the advance. Ctrl-C takes effect after the slice, and a line of progress is printed every
 * few slices.
 */
const SLICE_MILLISECONDS = 1_000;
const SLICES_A_LINE = 5;

function readTarget(values: Values) {
  const wanted = { to: values["to"], by: values["by"], toNextDue: values["to-next-due"] };
  if (Object.values(wanted).filter((way) => way !== undefined).length !== 1) {
    throw new UsageError("Give one of --to, --by and --to-next-due.");
  }
  const { to, by: duration } = parseOptions(AdvanceClockParams, wanted);
  if (to !== undefined) return { to };
  return duration !== undefined ? { by: duration } : { toNextDue: true as const };
}

async function findSandbox(ctx: Context, values: Values): Promise<Organization> {
  const organization = await findOrganization(ctx, values);
  if (organization.mode !== "sandbox")
    throw new CommandError(`${organization.name} is live: only a sandbox's clock can be moved.`);
  return organization;
}

const carriedOut = (done: number) => `${counted(done, "due item")} ${done === 1 ? "was" : "were"} carried out`;

const stopCommand = ({ organization }: Values) =>
  `node bin/billow.mjs clock stop${organization === undefined ? "" : ` --organization ${String(organization)}`}`;

/**
 * The refusal of an advance as an error for the command line: the instant of the clock, and the command that helps. Any
 * other error stays unchanged.
 */
function commandErrorOf(error: unknown, values: Values): unknown {
  if (isRefusal(error, "clock_advancing")) {
    const way = `wait until it is there, or end that advance with ${stopCommand(values)}`;
    return new CommandError(`The clock is being advanced to ${formatInstant(error.values.target)}: ${way}.`);
  }
  if (!isRefusal(error, "clock_stopped")) return error;
  const { now, target } = error.values;
  return new CommandError(
    `The advance to ${formatInstant(target)} was stopped: the clock stands at ${formatInstant(now)}.`,
  );
}

type Arrived = { name: string; arrived: Advance; events: { type: string; count: number }[] };

/**
 * Takes part in the advance until the clock has reached the target, and prints the progress. `events`: those of the
 * Organization since the beginning of the command.
 * @throws CommandError after Ctrl-C, although a worker continues the advance; if an advance to another target is under
 * way; if this advance was stopped
 */
async function follow(wiring: Wiring, ctx: Context, values: Values): Promise<Arrived> {
  const wanted = readTarget(values);
  const { id, name } = await findSandbox(ctx, values);
  const before = await newestEvent(ctx.db.read, id);
  let isLeft = false;
  void wiring.listenForStop().once.then(() => (isLeft = true));
  try {
    let advance = await advanceClock(ctx, id, wanted, SLICE_MILLISECONDS);
    for (let slices = 1; !advance.arrived; slices += 1) {
      const [now, target] = [formatInstant(advance.now), formatInstant(advance.target)];
      if (isLeft) {
        const end = `${stopCommand(values)} ends it there`;
        throw new CommandError(
          `The clock is at ${now}, and a running worker carries the advance on to ${target}; ${end}.`,
        );
      }
      if (slices % SLICES_A_LINE === 0)
        wiring.note(`It is ${now}, on the way to ${target}; ${carriedOut(advance.done)}.`);
      advance = await joinAdvance(ctx, id, advance.target, SLICE_MILLISECONDS);
    }
    return { name, arrived: advance, events: await countEvents(ctx.db.read, id, before) };
  } catch (error) {
    throw commandErrorOf(error, values);
  }
}

function presentAdvance({ name, arrived, events }: Arrived): Output {
  const now = formatInstant(arrived.now);
  const widest = Math.max(...events.map(({ count }) => String(count).length));
  const lines = events.map(({ type, count }) => `  ${String(count).padStart(widest)}  ${type}`);
  const end = events.length === 0 ? "." : ", with these events:";
  return {
    text: [`It is ${now} in ${name}; ${carriedOut(arrived.done)}${end}`, ...lines].join("\n"),
    json: { now, done: arrived.done, events: Object.fromEntries(events.map(({ type, count }) => [type, count])) },
  };
}

export const clockAdvance: Command = {
  usage: "clock advance --to T | --by P1M | --to-next-due [--organization ID|NAME]",
  summary: "moves a sandbox's clock on and does everything that is due until then",
  group: "Sell and test",
  details: `Give one of --to, --by and --to-next-due. Progress goes to stderr, and the events by type to
stdout. After Ctrl-C a worker carries the advance on.`,
  options: {
    to: { type: "string", value: "T", says: "until this instant, such as 2026-01-31T00:00:00Z" },
    by: { type: "string", value: "P1M", says: "by an ISO 8601 duration" },
    "to-next-due": { type: "boolean", says: "until the next instant at which work is due" },
    ...SANDBOX,
  },
  example: "clock advance --by P1M --organization Demo",
  async run(wiring, values) {
    readTarget(values);
    await withDatabase(wiring, async (ctx) => {
      await isCopy(ctx);
      wiring.print(presentAdvance(await follow(wiring, ctx, values)));
    });
  },
};

export const clockStop: Command = {
  usage: "clock stop [--organization ID|NAME]",
  summary: "ends the advance that is under way, where the sandbox's clock stands by then",
  group: "Sell and test",
  options: SANDBOX,
  example: "clock stop --organization Demo",
  async run(wiring, values) {
    await withDatabase(wiring, async (ctx) => {
      const { id, name } = await findSandbox(ctx, values);
      await stopAdvance(ctx, id);
      const { now, organization } = await readOrganization(ctx.db.read, id);
      const clock = presentClock(now, organization);
      wiring.print({ text: `It is ${clock.now} in ${name}; no advance is under way.`, json: clock });
    });
  },
};
