import { html } from "hono/html";
import type { ListedEmail } from "../../../../domain/model/email.ts";
import { counted, valueInWords } from "../../../../domain/words.ts";
import { presentPage } from "../../../../resources/page.ts";
import { listEmails } from "../../../../store/emails.ts";
import type { Html } from "../../../layout.ts";
import { NONE, time } from "../../components/cells.ts";
import { emptyState } from "../../components/empty-state.ts";
import { statusBadge } from "../../components/status.ts";
import { table } from "../../table.ts";
import { listOf, type CustomerPageData } from "../part.ts";

/** The subject, or the kind of an e-mail without a message. */
export const subjectOf = ({ subject, kind }: ListedEmail): string => subject ?? valueInWords(kind);

export function stateOf({ status, reason }: ListedEmail): Html {
  const why = reason === null ? "" : html` <span class="note">${valueInWords(reason)}</span>`;
  return html`${statusBadge("email", status)}${why}`;
}

function row({ self, zone }: CustomerPageData, email: ListedEmail): Html {
  const { id, recipient, createdAt } = email;
  return html`<tr id="${id}">
<th scope="row"><a href="${self}/emails/${id}"><bdi>${subjectOf(email)}</bdi></a></th>
<td>${stateOf(email)}</td>
<td>${time(createdAt, zone)}</td>
<td class="wide">${recipient === null ? NONE : html`<bdi>${recipient}</bdi>`}</td>
</tr>`;
}

const HEADINGS = ["Subject", "State", "Time", { label: "To", isWide: true }];

/** The kept e-mails to a Customer, newest first. */
export const emailList = listOf<ListedEmail[]>({
  name: "emails",
  title: "E-mails",
  cursor: "eml",
  few: 5,
  older: "Older e-mails",
  async read(pageData, wanted) {
    const { ctx, request, customer } = pageData;
    const rows = await listEmails(ctx.db.stale, request.organization.id, { ...wanted, customerId: customer.id });
    const { data, nextCursor: next } = presentPage(rows, wanted.limit, (email) => email);
    return { ids: data.map(({ id }) => id), next, data };
  },
  draw(pageData, emails) {
    const kept = counted(pageData.ctx.config.retention.emails, "day");
    if (emails.length === 0) return emptyState(`There is no e-mail. E-mails to the Customer are kept for ${kept}.`);
    const rows = emails.map((email) => row(pageData, email));
    return table("E-mails", HEADINGS, rows);
  },
});
