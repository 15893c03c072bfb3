import type { Context } from "../context.ts";
import { later } from "../domain/calendar.ts";
import { emailKey } from "../domain/model/customer.ts";
import { requestToAnswer } from "../domain/model/portal-session.ts";
import { newId } from "../ids.ts";
import { sign } from "../keyring.ts";
import { findAnyByEmail } from "../store/customers.ts";
import { readOrganization } from "../store/organizations.ts";
import { askForLink, queueSignIn, signInsLately, takeRequests, type TypedAddress } from "../store/sign-ins.ts";
import { digestOf } from "./secret.ts";

/**
 * A digest of the client's IP address, by which the client's requests are counted. Because the digest is keyed, it does
 * not reveal the IP address.
 */
function clientMark(ctx: Context, client: string): string {
  return sign(ctx.keyring, `portal-client:${client}`);
}

/**
 * Records that a visitor asks for a link. The Customer is looked up afterwards (`answerRequests`), so that neither the
 * answer nor its timing reveals whether there is such a Customer (rule E8).
 */
export async function requestSignIn(
  ctx: Context,
  organizationId: string,
  address: string,
  client: string,
): Promise<void> {
  const asked = { organizationId, emailKey: emailKey(address) };
  await ctx.db.tx((tx) => askForLink(tx, asked, clientMark(ctx, client)));
}

/** A key that identifies an e-mail address without revealing it. */
export function keyOf({ organizationId, emailKey: key }: TypedAddress): string {
  return `${organizationId} ${Buffer.from(digestOf(key)).toString("base64url")}`;
}

/**
 * Queues an e-mail for the Customer with a typed e-mail address, unless that Customer has been sent too many such
 * e-mails. Returns the number of requests.
 */
export async function answerRequests(ctx: Context, typed: TypedAddress): Promise<number> {
  const { organizationId } = typed;
  return ctx.db.tx(async (tx) => {
    const requests = await takeRequests(tx, typed);
    const known = await findAnyByEmail(tx, organizationId, typed.emailKey);
    const request = known && requestToAnswer(requests, await signInsLately(tx, organizationId, known.id));
    if (!request) return requests.length;
    const { now } = await readOrganization(tx, organizationId);
    const createdAt = later(now, known.updatedAt);
    queueSignIn(tx, { organizationId, id: newId("eml"), customerId: known.id, createdAt, ...request });
    return requests.length;
  });
}
