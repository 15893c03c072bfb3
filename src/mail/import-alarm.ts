import { counted } from "../domain/words.ts";
import type { EmailContent } from "./email-content.ts";

/** A subscription at Stripe. `meaning`: its problem, to stand behind its id. */
export type AlarmFacts = { ref: string; customerRef: string; meaning: string };

/** The most subscriptions of an e-mail. */
const MOST = 20;

/** The e-mail to the seller about subscriptions that both systems charge, or neither. */
export function importAlarm(alarms: readonly AlarmFacts[]): EmailContent {
  const subject = `Import: ${counted(alarms.length, "subscription")} to look at`;
  const rows = alarms.slice(0, MOST).map((each) => ({
    name: each.ref,
    value: `${each.customerRef}: ${each.meaning}`,
  }));
  const more = alarms.length - rows.length;
  return {
    subject,
    heading: subject,
    blocks: [
      {
        text: "Billow moves subscriptions from Stripe. For these, the systems do not agree who charges.",
      },
      { rows },
      ...(more > 0
        ? [{ text: `${counted(more, "more subscription")}: the page Imports of the dashboard lists them.` }]
        : []),
      { text: "An operator of the server repeats the command, or undoes it. The guide “Move from Stripe” says how." },
    ],
  };
}
