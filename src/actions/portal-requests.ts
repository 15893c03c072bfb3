import { createHmac } from "node:crypto";
import type { Context } from "../context.ts";
import { emailKey } from "../domain/customer/customer.ts";
import { requestToAnswer } from "../domain/customer/portal.ts";
import { newId } from "../ids.ts";
import { findAnyByEmail } from "../store/customers.ts";
import { readOrganization } from "../store/organizations.ts";
import { askForLink, queueSignIn, signInsLately, takeRequests, type TypedAddress } from "../store/sign-ins.ts";
import { digestOf } from "./secret.ts";
import { later } from "./work.ts";

/** By which the requests of a client are counted; the key makes it nothing that tells the address. */
function clientMark(ctx: Context, client: string): string {
  return createHmac("sha256", ctx.secret).update(`portal-client:${client}`).digest("base64url");
}

/**
 * Somebody wants to be sent a link. Whether there is such a Customer is looked at afterwards (`answerRequests`), so that no answer tells,
 * by what it says or by how long it takes.
 */
export async function requestSignIn(ctx: Context, organizationId: string, address: string, client: string): Promise<void> {
  const asked = { organizationId, emailKey: emailKey(address) };
  await ctx.db.tx((tx) => askForLink(tx, asked, clientMark(ctx, client)));
}

/** Names an address among others without telling it. */
export function keyOf({ organizationId, emailKey: key }: TypedAddress): string {
  return `${organizationId} ${Buffer.from(digestOf(key)).toString("base64url")}`;
}

/** Writes to whoever has an address that was typed, unless they had enough e-mails. Answers how many had asked. */
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
