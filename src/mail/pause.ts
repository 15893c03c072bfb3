import type { Pause } from "../domain/model/subscription.ts";
import type { Words } from "../texts/words.ts";
import type { EmailContent } from "./email-content.ts";

/** A pause, in words. `day`: its first day. `until`: the day of the planned resume; null: there is none. */
export type PauseFacts = {
  product: string;
  day: string;
  until: string | null;
  access: Pause["access"];
  portal: string;
};

export function pauseScheduled(facts: PauseFacts, { mailPause: said, mailSubscription }: Words): EmailContent {
  const { product, day, until, access, portal } = facts;
  const text = until === null ? said.open({ product, day }) : said.until({ product, day, until });
  return {
    subject: said.subject({ product, day }),
    heading: said.title({ day }),
    blocks: [
      { text },
      { text: access === "keep" ? said.accessStays : said.accessOff },
      { text: said.change },
      { label: mailSubscription.account, url: portal },
    ],
  };
}
