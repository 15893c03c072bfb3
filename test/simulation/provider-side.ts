import type { Context } from "../../src/context.ts";
import type { CardInput } from "../../src/payments/provider.ts";
import type { Json } from "../support/app.ts";
import type { CardName, Fault, StepOf } from "./history.ts";
import type { ProviderTraits } from "./reference-provider.ts";
import type { Challenge, Reply, World } from "./world.ts";

/** A step that is carried out: `post` sends a request as a careful caller does, and `fault` falls on the request. */
export type StepRun = {
  world: World;
  index: number;
  fault: Fault | null;
  post(path: string, body?: object): Promise<Reply>;
};

/** All that happens at a payment provider in a history: buyers on its pages, banks, and operators at its dashboard. */
export type ProviderSide = {
  /** The process, which takes its payments at this provider. */
  ctx: Context;
  traits: ProviderTraits;
  /** Does work in a process with a fault. @throws Died, ProviderFailed */
  underFault<T>(fault: Fault | null, work: (by: Context) => Promise<T>): Promise<T>;
  /** News of the provider arrive, at the beginning of each round of a worker. Answers whether more will follow. */
  arrive(): Promise<boolean>;
  /** The buyer's card for the page of an invoice. */
  cardOnPage(card: CardName): CardInput;
  /** The buyer of this Checkout or invoice goes on to the provider's page, if there is one, and gives the card. */
  payAtProvider(world: World, sourceId: string, card: CardName): Promise<void>;
  /** The buyer answers the bank. */
  answer(challenge: Challenge, step: StepOf<"bank">): Promise<void>;
  /** The Customer gives a card without a purchase, for one Subscription alone or for all of them (null). */
  giveCard(run: StepRun, customerId: string, card: CardName, subscriptionId: string | null): Promise<string>;
  /** The card can't be charged any more. */
  detach(run: StepRun, card: Json): Promise<string>;
  dispute(run: StepRun, payment: Json): Promise<string>;
  decide(run: StepRun, dispute: Json, outcome: "won" | "lost"): Promise<string>;
  failRefund(run: StepRun, refund: Json): Promise<string>;
  /** An operator refunds a payment at the provider. `amount` null: the whole rest. */
  refundOutside(run: StepRun, payment: Json, amount: number | null): Promise<string>;
  /** The charges less the refunds in the provider's book, by currency. */
  money(): Promise<Map<string, number>>;
  /** The differences between the provider's book and ours, at the end of a history. */
  differences(): Promise<string[]>;
  close(): Promise<void>;
};

/** Opens the side of a new Organization. `seed`: decides on the details that a history leaves open. */
export type OpenSide = (ctx: Context, organizationId: string, seed: number) => Promise<ProviderSide>;

/** The booked refund of an operator in the reference's words. */
export const answerOutside = ({ amount, taxAmount, fromBalance }: Json): string =>
  `201 ${amount} with tax of ${taxAmount}, ${fromBalance} off the balance`;
