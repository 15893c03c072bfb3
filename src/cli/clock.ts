import { advanceClock } from "../actions/advance-clock.ts";
import { formatInstant } from "../domain/calendar.ts";
import { AdvanceClockParams } from "../resources/clock.ts";
import { CommandError, parseOptions, UsageError, type Command, type Values } from "./command.ts";
import { findOrganization, withDatabase } from "./database.ts";
import { counted } from "./words.ts";

function readTarget(values: Values) {
  const wanted = { to: values["to"], by: values["by"], toNextDue: values["to-next-due"] };
  if (Object.values(wanted).filter((way) => way !== undefined).length !== 1) {
    throw new UsageError("Say one of --to, --by and --to-next-due.");
  }
  const { to, by: duration } = parseOptions(AdvanceClockParams, wanted);
  if (to !== undefined) return { to };
  return duration !== undefined ? { by: duration } : { toNextDue: true as const };
}

export const clockAdvance: Command = {
  usage: "clock advance --to T | --by P1M | --to-next-due [--organization ID|NAME]",
  summary: "moves a sandbox's clock on and does everything that is due until then",
  options: {
    to: { type: "string" },
    by: { type: "string" },
    "to-next-due": { type: "boolean" },
    organization: { type: "string" },
  },
  async run(wiring, values) {
    const target = readTarget(values);
    await withDatabase(wiring, async (ctx) => {
      const { id, mode, name } = await findOrganization(ctx, values);
      if (mode !== "sandbox") throw new CommandError(`${name} is live: only a sandbox's clock can be moved.`);
      let advance = await advanceClock(ctx, id, target);
      while (!advance.arrived) advance = await advanceClock(ctx, id, null);
      const now = formatInstant(advance.now);
      const done = `${counted(advance.done, "due item")} ${advance.done === 1 ? "was" : "were"} carried out`;
      wiring.print({ text: `It is ${now} in ${name}; ${done}.`, json: { now, done: advance.done } });
    });
  },
};
