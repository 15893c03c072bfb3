import { emailsUrl } from "../../actions/links.ts";
import type { Context } from "../../context.ts";
import type { ListedEmail } from "../../domain/model/email.ts";
import { Refusal } from "../../domain/refusal.ts";
import {
  EmailResource,
  EmailWithBodyResource,
  ListEmailsQuery,
  presentEmail,
  presentEmailWithBody,
} from "../../resources/email.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import { emails, listEmails } from "../../store/emails.ts";
import { organizations } from "../../store/organizations.ts";
import { answer, hashedAnswer } from "../answer.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

/** Only the e-mails of a sandbox have a page, since they concern no real people. */
async function pageUrls(ctx: Context, organizationId: string): Promise<(email: ListedEmail) => string | null> {
  const organization = await organizations.find(ctx.db.read, organizationId);
  return ({ id }) => (organization?.mode === "sandbox" ? emailsUrl(ctx, organizationId, id) : null);
}

export const emailEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/emails",
    operationId: "listEmails",
    summary: "List the e-mails to Customers, newest first. E-mails are kept for 30 days, or as the operator sets",
    query: ListEmailsQuery,
    responses: { 200: pageOf(EmailResource) },
    async handle(ctx, { call, query }) {
      const [rows, urlOf] = await Promise.all([
        listEmails(ctx.db.stale, call.organizationId, query),
        pageUrls(ctx, call.organizationId),
      ]);
      return answer(
        200,
        presentPage(rows, query.limit, (email) => presentEmail(email, urlOf(email))),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/emails/{emailId}",
    operationId: "getEmail",
    summary: "Read an e-mail as it was sent or kept",
    params: { emailId: "eml" },
    responses: { 200: EmailWithBodyResource },
    async handle(ctx, { call, params }) {
      const [email, urlOf] = await Promise.all([
        emails.find(ctx.db.read, call.organizationId, params.emailId),
        pageUrls(ctx, call.organizationId),
      ]);
      if (!email) throw new Refusal("not_found");
      // An e-mail changes with each delivery attempt, and when the Customer is deleted.
      return hashedAnswer(presentEmailWithBody(email, urlOf(email)));
    },
  }),
];
