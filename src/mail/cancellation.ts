import type { Words } from "../texts/words.ts";
import type { EmailContent } from "./email-content.ts";
import { nextChargeBlocks, type NextCharge } from "./next-charge.ts";

/** `effect`: the end of the access, and the charges until then. `lost`: the names of the Benefits that end. */
export type CancellationFacts = { product: string; day: string; effect: string; lost: string[]; portal: string };

export function cancellationScheduled(facts: CancellationFacts, { mailSubscription: said }: Words): EmailContent {
  const { product, day, effect, lost, portal } = facts;
  return {
    subject: said.endsSubject({ product, day }),
    heading: said.endsTitle({ day }),
    blocks: [
      { text: effect },
      ...(lost.length === 0 ? [] : [{ rows: [{ name: said.endsLost, value: lost.join(" · ") }] }]),
      { text: said.endsUndo },
      { label: said.account, url: portal },
    ],
  };
}

/** A Subscription that goes on after all. */
export type ContinuedFacts = NextCharge & { product: string; seller: string; portal: string };

export function cancellationUndone(facts: ContinuedFacts, { mailSubscription: said }: Words): EmailContent {
  const { product, portal } = facts;
  return {
    subject: said.continuesSubject({ product }),
    heading: said.continuesTitle,
    blocks: [{ text: said.continues({ product }) }, ...nextChargeBlocks(facts), { label: said.account, url: portal }],
  };
}

/** A Subscription that keeps its plan. `day`: the day of the change that is dropped. */
export type DroppedFacts = ContinuedFacts & { day: string };

export function changeDropped(facts: DroppedFacts, { mailSubscription: said }: Words): EmailContent {
  const { product, day, portal } = facts;
  return {
    subject: said.droppedSubject({ product }),
    heading: said.droppedTitle,
    blocks: [
      { text: said.dropped({ product, day }) },
      ...nextChargeBlocks(facts),
      { label: said.account, url: portal },
    ],
  };
}
