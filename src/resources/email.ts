import * as z from "zod";
import { EMAIL_KINDS, EMAIL_STATUSES, type Email, type ListedEmail } from "../domain/model/email.ts";
import { id, text, time, timestamp } from "./fields.ts";
import { pageQuery } from "./page.ts";

export const EmailResource = z
  .object({
    id: id("eml"),
    kind: z.enum(EMAIL_KINDS).meta({
      description:
        "The kind that is sent. An `authentication_required` that comes too late is sent as a `payment_failed`.",
    }),
    status: z.enum(EMAIL_STATUSES).meta({
      description:
        "`kept`: not sent, but readable here. `skipped`: not needed, or not any more, for the `reason`. `failed`: " +
        "Billow gave up.",
    }),
    reason: z.string().nullable().meta({
      description: "The reason why the e-mail was skipped or failed, or why its last attempt failed.",
    }),
    customerId: id("cus").nullable().meta({ description: "Null: the e-mail is for the seller or the team." }),
    subscriptionId: id("sub").nullable(),
    invoiceId: id("inv").nullable(),
    paymentId: id("pay").nullable(),
    to: z
      .string()
      .nullable()
      .meta({ description: "Known once the e-mail is sent or kept. Blank again once the Customer is deleted." }),
    subject: z.string().nullable(),
    attempts: z.int(),
    nextAttemptAt: timestamp.nullable(),
    url: z
      .string()
      .nullable()
      .meta({ description: "A page that shows the e-mail, in a sandbox. The page links to all other e-mails." }),
    createdAt: timestamp,
    queuedAt: timestamp.meta({ description: "In real time, as are `nextAttemptAt` and `sentAt`." }),
    sentAt: timestamp.nullable(),
  })
  .meta({ id: "Email" });
export type EmailResource = z.infer<typeof EmailResource>;

export const EmailWithBodyResource = z
  .object({ ...EmailResource.shape, text: z.string().nullable(), html: z.string().nullable() })
  .meta({ id: "EmailWithBody" });
export type EmailWithBodyResource = z.infer<typeof EmailWithBodyResource>;

export const ListEmailsQuery = z.strictObject({
  ...pageQuery("eml"),
  customerId: text(64).optional(),
  kind: z.enum(EMAIL_KINDS).optional(),
  status: z.enum(EMAIL_STATUSES).optional(),
  skipped: z
    .enum(["true", "false"])
    .meta({
      description: "`false`: without the skipped e-mails. `true`: only the skipped e-mails.",
    })
    .optional(),
});
export type ListEmailsQuery = z.infer<typeof ListEmailsQuery>;

/** `url`: the page of the e-mail, null if there is none. */
export function presentEmail(email: ListedEmail, url: string | null): EmailResource {
  return {
    id: email.id,
    kind: email.kind,
    status: email.status,
    reason: email.reason,
    customerId: email.customerId,
    subscriptionId: email.subscriptionId,
    invoiceId: email.invoiceId,
    paymentId: email.paymentId,
    to: email.recipient,
    subject: email.subject,
    attempts: email.attempts,
    nextAttemptAt: time(email.attemptAt),
    url,
    createdAt: time(email.createdAt),
    queuedAt: time(email.queuedAt),
    sentAt: time(email.sentAt),
  };
}

export function presentEmailWithBody(email: Email, url: string | null): EmailWithBodyResource {
  return { ...presentEmail(email, url), text: email.text, html: email.html };
}
