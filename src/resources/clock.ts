import * as z from "zod";
import { formatInstant, parseDuration, type Instant } from "../domain/calendar.ts";
import type { Organization } from "../domain/model/organization.ts";
import { fault, instantParam, time, timestamp } from "./fields.ts";
import { exactlyOne, rules } from "./rules.ts";

const done = z.int().meta({ description: "The number of due items that the present or last advance has carried out." });

export const ClockResource = z
  .object({
    now: timestamp,
    target: timestamp.nullable().meta({ description: "Null: no advance is under way." }),
    done,
  })
  .meta({ id: "Clock" });
export type ClockResource = z.infer<typeof ClockResource>;

export const ClockAdvanceResource = z.object({ now: timestamp, done }).meta({ id: "ClockAdvance" });
export type ClockAdvanceResource = z.infer<typeof ClockAdvanceResource>;

/** An advance that has not reached its target yet and continues by itself. */
export const ClockAdvancingResource = z
  .object({ now: timestamp, target: timestamp, done })
  .meta({ id: "ClockAdvancing" });
export type ClockAdvancingResource = z.infer<typeof ClockAdvancingResource>;

/** `now`: billing time. */
export function presentClock(now: Instant, { clockTarget, clockDone }: Organization): ClockResource {
  return { now: formatInstant(now), target: time(clockTarget), done: clockDone };
}

const isDuration = (value: string) => parseDuration(value) !== null;

export const AdvanceClockParams = z
  .strictObject({
    to: instantParam.optional(),
    by: z
      .string()
      .trim()
      .refine(isDuration, fault("invalid_duration", "This is not an ISO 8601 duration above zero, such as P1M."))
      .meta({ format: "duration" })
      .optional(),
    toNextDue: z.literal(true).optional(),
  })
  .refine((params) => [params.to, params.by, params.toNextDue].filter((way) => way !== undefined).length === 1, {
    path: ["to"],
    ...fault("one_target", "Send exactly one of `to`, `by` and `toNextDue`."),
  })
  .meta({ id: "AdvanceClockParams", ...rules(exactlyOne("to", "by", "toNextDue")) });
export type AdvanceClockParams = z.infer<typeof AdvanceClockParams>;

export const SetClockParams = z.strictObject({ now: instantParam }).meta({ id: "SetClockParams" });
export type SetClockParams = z.infer<typeof SetClockParams>;
