import { sql } from "../../src/store/driver/db.ts";
import { expect } from "vitest";
import { mailOnce } from "../../src/worker/mailer.ts";
import type { Json } from "./app.ts";
import type { MailServer, ReceivedMail } from "./mail-server.ts";
import { signInTo, startWebClient, type WebClient } from "./portal.ts";
import type { Story } from "./story.ts";

const rowsStatement = sql("test.email_changes", "SELECT e::text AS text FROM email_changes e WHERE customer_id = $1");

/** The rows of a Customer's changes of the e-mail address, as text. */
export async function rowsOfChanges({ app }: Pick<Story, "app">, customerId: string): Promise<string[]> {
  const rows = await app.ctx.db.read.query<{ text: string }>(rowsStatement, [customerId]);
  return rows.map(({ text }) => text);
}

/** The steps of a change of an e-mail address, as a Customer and their mailboxes take them. */
export type EmailSteps = {
  /** A new Customer, signed in. */
  join(email: string, others?: object): Promise<{ id: string; there: WebClient }>;
  customer(id: string): Promise<Json>;
  ask(there: WebClient, email: string): ReturnType<WebClient["post"]>;
  /** The e-mails that are sent now, in the order of their sending. */
  mails(): Promise<ReceivedMail[]>;
  /** Asks for an address. Answers the path of the link that this address gets. */
  confirmLink(there: WebClient, email: string): Promise<string>;
  /** Changes the address. Answers the path of the link that the old address gets. */
  change(there: WebClient, email: string): Promise<string>;
};

/** The paths of the links in a message. */
export const linksIn = ({ text = "" }: Pick<ReceivedMail, "text">): string[] =>
  [...text.matchAll(/\bhttp:\S+\/email\/(?:confirm|undo)\/[\w-]+/g)].map(([url]) => new URL(url).pathname);

export const addressesOf = (mail: ReceivedMail): string[] => (mail.to ?? []).map(({ address = "" }) => address);

export function emailSteps(story: Story, server: MailServer): EmailSteps {
  const { app, ok } = story;
  const portal = `/portal/${app.organization.id}`;
  const ask: EmailSteps["ask"] = (there, email) => there.post(`${portal}/email`, { email });
  const mails: EmailSteps["mails"] = async () => {
    server.received = [];
    await app.runDue();
    await mailOnce(app.ctx);
    return server.received;
  };
  const linkTo = async (email: string) => {
    const mail = (await mails()).find((each) => addressesOf(each).includes(email));
    const [link, ...others] = linksIn(mail!);
    expect(others).toEqual([]);
    return link!;
  };
  const confirmLink: EmailSteps["confirmLink"] = async (there, email) => {
    expect((await ask(there, email)).status).toBe(200);
    return linkTo(email);
  };
  return {
    ask,
    mails,
    confirmLink,
    customer: (id) => ok(app.manage("GET", `/customers/${id}`)),
    async join(email, others = {}) {
      const { id } = await ok(app.api("POST", "/customers", { email, ...others }));
      return { id, there: await signInTo(story, id) };
    },
    async change(there, email) {
      const link = await confirmLink(there, email);
      expect((await startWebClient(app.url).post(link)).status).toBe(200);
      const [warning] = await mails();
      return linksIn(warning!)[0]!;
    },
  };
}
