import * as z from "zod";
import { parseDuration } from "../domain/calendar.ts";
import { fault, instantParam, timestamp } from "./fields.ts";
import { exactlyOne, rules } from "./rules.ts";

export const ClockResource = z.object({ now: timestamp }).meta({ id: "Clock" });
export type ClockResource = z.infer<typeof ClockResource>;

export const ClockAdvanceResource = z
  .object({ now: timestamp, done: z.int().meta({ description: "How many due items were carried out." }) })
  .meta({ id: "ClockAdvance" });
export type ClockAdvanceResource = z.infer<typeof ClockAdvanceResource>;

/** An advance that is not at its target yet: call it again. */
export const ClockAdvancingResource = z.object({ now: timestamp, target: timestamp, done: z.int() }).meta({ id: "ClockAdvancing" });
export type ClockAdvancingResource = z.infer<typeof ClockAdvancingResource>;

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
