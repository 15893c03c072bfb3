import type { Context } from "../../context.ts";
import type { BillingDocument } from "../../documents/billing-document.ts";
import type { Instant } from "../../domain/calendar.ts";
import { kindToSend, type BuyerEmailKind, type Email, type EmailKind } from "../../domain/model/email.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { emailContent, type EmailFacts } from "../../mail/email-contents.ts";
import { customers } from "../../store/customers.ts";
import { readOrganization } from "../../store/organizations.ts";
import { wordsFor } from "../../texts/words.ts";
import { FACT_LOADERS } from "./email-facts.ts";
import type { LoadedFacts, EmailContext, Skip } from "./email-context.ts";
import { readShared, type Shared } from "./shared-rows.ts";

export type Composed = {
  kind: EmailKind;
  organization: Organization;
  realNow: Instant;
  name: string;
  recipient: string;
  message: ReturnType<typeof emailContent>;
  document: BillingDocument | null;
};

/**
 * Composes the message from the current state, or answers why there is no message. If a clock was set, `now` in the
 * message is the instant of the e-mail: either the clock has not moved since, or no statement of the message is out of
 * date (rules E3a, E4a, T5).
 */
export async function compose(ctx: Context, email: Email, given?: Shared): Promise<Composed | Skip> {
  const shared = given ?? (await readShared(ctx, email.organizationId, [email]));
  const { organization, now, realNow } = shared.inTime;
  const customer = email.customerId === null ? null : shared.customers.get(email.customerId);
  if (!customer || customer.deletedAt !== null || customer.email === "") return { skip: "customer_deleted" };
  // E-mails of the other kinds have no Customer: their text was stored when they were queued.
  const queued = email.kind as BuyerEmailKind;
  if (kindToSend(queued, organization.emailsOff) === null) return { skip: "switched_off" };
  const loadFacts = FACT_LOADERS[queued] as (
    context: EmailContext,
  ) => Promise<LoadedFacts<EmailFacts[BuyerEmailKind]> | Skip>;
  const asOf = organization.clockAt === null ? now : email.createdAt;
  const subscription = shared.subscriptions.get(email.subscriptionId ?? "") ?? null;
  const ahead = shared.ahead?.get(email.subscriptionId ?? "");
  const words = wordsFor(customer.locale);
  const named = { organization, customer, subscription, words };
  const loaded = await loadFacts({ ctx, email, ...named, now: asOf, realNow, ahead });
  if ("skip" in loaded) return loaded;
  const { kind = queued, facts, document = null } = loaded;
  const { name, recipient } = loaded.to ?? { name: customer.name ?? "", recipient: customer.email };
  const message = emailContent(kind, facts, organization, words);
  return { kind, organization, realNow, name, recipient, message, document };
}

/**
 * The stored text of an e-mail that is sent unchanged: an e-mail to the seller, or one that was written before the
 * clock moved on. Null if there is no stored text.
 */
export async function readWritten(
  ctx: Context,
  { organizationId, customerId, ...email }: Email,
): Promise<Composed | null> {
  const { kind, recipient, subject, text, html } = email;
  if (recipient === null || subject === null || text === null || html === null) return null;
  const [{ organization, realNow }, customer] = await Promise.all([
    readOrganization(ctx.db.read, organizationId),
    customerId === null ? null : customers.find(ctx.db.read, organizationId, customerId),
  ]);
  return {
    kind,
    organization,
    realNow,
    name: customer?.name ?? "",
    recipient,
    message: { subject, text, html },
    document: null,
  };
}
