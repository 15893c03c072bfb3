import { DAY, type StepOf } from "./history.ts";

// The differences between payment providers that buyers and operators see. The money is the same with each provider.

/**
 * `hasPages`: buyers give their cards on the provider's own pages. `refundsDisputed`: an operator can refund a charge
 * at the provider while a bank has taken a part of the charge back. `takesAll`: every amount of every currency can be
 * charged (rule M5c).
 */
export type ProviderTraits = { hasPages: boolean; refundsDisputed: boolean; takesAll: boolean };

/** The built-in provider of a sandbox. Buyers type their cards on our pages. */
export const BUILT_IN: ProviderTraits = { hasPages: false, refundsDisputed: true, takesAll: true };
export const STRIPE: ProviderTraits = { hasPages: true, refundsDisputed: false, takesAll: false };

/** A buyer on the provider's page can pay for half an hour (rule C). */
const PAGE_LIFE = DAY / 48;

/** The end of the wait for a buyer at the bank. `hours`: the wait after a card that was typed on our page. */
export const challengeEnd = ({ hasPages }: ProviderTraits, submittedAt: number, hours: number): number =>
  submittedAt + (hasPages ? PAGE_LIFE : (hours * DAY) / 24);

/**
 * True if the answer at the bank leaves a buyer on the provider's page, where the buyer may try again. The payment ends
 * when the buyer comes back to our page and gives the payment up, and Billow hears that at once. `isPresent`: the buyer
 * has given the card on a page.
 */
export const staysOnPage = (
  { hasPages }: ProviderTraits,
  isPresent: boolean,
  { pass, heard }: StepOf<"bank">,
): boolean => hasPages && isPresent && !pass && !heard;
