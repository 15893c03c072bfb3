import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant } from "../../domain/calendar.ts";
import { emailKey } from "../../domain/model/customer.ts";
import { sign } from "../../keyring.ts";
import { countAttempt, undoAttempt } from "../../store/sign-in-failures.ts";

const SPAN_MILLISECONDS = 15 * 60_000;

/**
 * The most failures in a quarter of an hour. A refused attempt does not count for the wider limits. So a stranger with
 * one address uses up five of the fifty attempts at an account, and can't keep the owner out.
 */
const MOST = { both: 5, address: 20, account: 50 } as const;
type Kind = keyof typeof MOST;

/**
 * An attempt to guess a secret: the account by its e-mail address, and the client by its key for rate limits. Codes of
 * the second factor have counts of their own.
 */
export type Guess = { email: string; client: string; secret?: "password" | "code" };
/** The counts of an attempt, for `forgive`. */
export type Counted = readonly string[];

/**
 * Counts an attempt before the secret is compared, so that concurrent attempts can't pass the limit together. Returns
 * null if the attempt is one too many.
 */
export async function countGuess(ctx: Context, { email, client, secret = "password" }: Guess): Promise<Counted | null> {
  const span = Math.floor(realNow() / SPAN_MILLISECONDS);
  const account = emailKey(email);
  const key = (kind: Kind, text: string) => sign(ctx.keyring, `dashboard-guess:${secret}:${kind}:${span}:${text}`);
  const endsAt = instant((span + 1) * SPAN_MILLISECONDS);
  // Every transaction takes the rows in this order, so no two wait for each other.
  const counts = [
    ["both", key("both", `${client} ${account}`)],
    ["address", key("address", client)],
    ["account", key("account", account)],
  ] as const;
  return ctx.db.tx(async (tx) => {
    for (const [kind, name] of counts) if ((await countAttempt(tx, name, endsAt)) > MOST[kind]) return null;
    return counts.map(([, name]) => name);
  });
}

/** Takes an attempt back that was right. */
export async function forgive(ctx: Context, counted: Counted): Promise<void> {
  await ctx.db.tx(async (tx) => undoAttempt(tx, counted));
}
