import { html } from "hono/html";
import type { Customer } from "../../../domain/model/customer.ts";
import type { Html } from "../../layout.ts";

/** The sentence about a new Customer, with the next step. `self`: the path of the Customer's page. */
export const createdText = (self: string): Html =>
  html`The Customer has been created. Next, <a href="${self}/checkout">create a Checkout link</a> for the Customer.`;

/** The sentence about a queued sign-in e-mail. */
export const mailedText = ({ email }: Customer): Html =>
  html`The e-mail with a sign-in link to <bdi>${email}</bdi> is queued.`;

/** A sentence for each change after which the page of the Customer is shown, by the word in `?done=`. */
export const DONE: Readonly<Record<string, string>> = {
  edited: "The Customer has been changed.",
  deleted: "The Customer has been deleted.",
  subscribed: "The Subscription has been created.",
  plan: "The plan has been changed.",
  planned: "The plan will change at the end of the period.",
  kept: "The scheduled change has been canceled.",
  ending: "The Subscription will end with its period.",
  ended: "The Subscription has ended.",
  resumed: "The cancellation has been undone.",
  voided: "The invoice is void.",
  marked: "The invoice is marked as paid.",
  charged: "The charge succeeded, and the invoice is paid.",
  "charge-sent": "The charge is pending. The list of payments shows the outcome.",
  adjusted: "The balance is adjusted.",
  "paid-out": "The payout is pending. The list of movements shows the outcome.",
  "sent-again": "The e-mail is queued. The list of e-mails on this page shows its state.",
};
