import { removeOldEmailFiles } from "../actions/email/email-files.ts";
import { claimNextFile, fileEmail } from "../actions/email/file-email.ts";
import { isHandedOver } from "../actions/email/hand-over.ts";
import { sendEmail } from "../actions/email/send-email.ts";
import { isCopy } from "../actions/installation.ts";
import type { Context } from "../context.ts";
import { TEAM_EMAIL_KINDS, type EmailKind } from "../domain/model/email.ts";
import { CONNECTIONS } from "../outbound/smtp.ts";
import { acrossNodes } from "../store/distribution/across-nodes.ts";
import { claimEmails, dueOrganizations, type DueOrganization } from "../store/email-queue.ts";
import { startLoop } from "./loop.ts";

/** The most e-mails at once. More e-mails would only wait for each other at the mail server. */
const CONCURRENCY = CONNECTIONS;
/** The time between two rounds of sandboxes. */
const SANDBOX_MILLISECONDS = 500;
/**
 * A mail server that can't be reached or refuses us gets no e-mail for this long. If a file could not be written, no
 * other file is written for this long either.
 */
const REST_MILLISECONDS = 5_000;
/**
 * The most e-mails of a sandbox in one round if the e-mails are only stored, which makes twenty a second. At most one
 * e-mail a round is handed to the SMTP server, and one written to a file, which makes two a second. An advance makes
 * tens of thousands of e-mails at once. They are not urgent, and their PDFs take a processor.
 */
const KEPT_A_ROUND = 10;
const OLD_FILES_MILLISECONDS = 600_000;

/** `held`: the kinds of e-mail that are not sent now. */
type ToServe = DueOrganization & { held: readonly EmailKind[] };

/**
 * Organizations that have e-mails to be sent or stored by now. A copy holds the e-mails that would be handed to the
 * SMTP server: those of some Organizations, and those to people of the dashboard in all of them (rules D1c, E5c).
 */
async function toServe(ctx: Context): Promise<ToServe[]> {
  const due = await dueOrganizations(acrossNodes(ctx.db), []);
  if (due.length === 0 || ctx.mailer === null || !(await isCopy(ctx)))
    return due.map((each) => ({ ...each, held: [] }));
  const held = TEAM_EMAIL_KINDS;
  const rest = await dueOrganizations(acrossNodes(ctx.db), held);
  return rest.flatMap((each) => (isHandedOver(ctx, each.mode) ? [] : [{ ...each, held }]));
}

/**
 * Organizations take turns. The Organization that was served longest ago comes first, however many e-mails of other
 * Organizations wait.
 */
class LeastRecentlyServed {
  readonly #served = new Map<string, number>();
  #turn = 0;

  order<Due extends DueOrganization>(due: readonly Due[]): Due[] {
    const last = ({ organizationId }: DueOrganization) => this.#served.get(organizationId) ?? 0;
    const ids = new Set(due.map(({ organizationId }) => organizationId));
    for (const id of this.#served.keys()) if (!ids.has(id)) this.#served.delete(id);
    return [...due].sort((one, other) => last(one) - last(other));
  }

  serve({ organizationId }: DueOrganization): void {
    this.#served.set(organizationId, (this.#turn += 1));
  }
}

class Mailer {
  readonly #ctx: Context;
  readonly #organizations = new LeastRecentlyServed();
  readonly running = new Set<Promise<void>>();
  #restUntil = 0;
  #sandboxAt = 0;
  #fileAt = 0;
  readonly #stopping: AbortSignal;
  readonly #onFree: () => void;

  /** `onFree` is called when a slot is free for the next e-mail. */
  constructor(ctx: Context, stopping: AbortSignal, onFree: () => void) {
    this.#ctx = ctx;
    this.#stopping = stopping;
    this.#onFree = onFree;
  }

  /** Claims e-mails of an Organization and begins to send them. Returns the number of e-mails. */
  async #serve(due: ToServe, limit: number): Promise<number> {
    this.#organizations.serve(due);
    const first = due.mode === "live" ? "oldest" : "newest";
    const claim = { limit, first, held: due.held } as const;
    const claimed = await this.#ctx.db.tx((tx) => claimEmails(tx, due.organizationId, claim));
    for (const email of claimed) {
      const sending = sendEmail(this.#ctx, email, this.#stopping)
        .then((sent) => void (sent === "unreachable" && (this.#restUntil = performance.now() + REST_MILLISECONDS)))
        .catch((error: unknown) =>
          this.#ctx.log.error({ err: error, emailId: email.id }, "the outcome of an e-mail can't be kept"),
        )
        .finally(() => {
          this.running.delete(sending);
          this.#onFree();
        });
      this.running.add(sending);
    }
    return claimed.length;
  }

  async #live(due: readonly ToServe[]): Promise<void> {
    let free = CONCURRENCY - this.running.size;
    const share = Math.max(1, Math.floor(free / Math.max(due.length, 1)));
    for (const each of this.#organizations.order(due)) {
      if (free <= 0) break;
      free -= await this.#serve(each, Math.min(share, free));
    }
  }

  async #sandboxes(due: readonly ToServe[]): Promise<void> {
    this.#sandboxAt = performance.now() + SANDBOX_MILLISECONDS;
    const [first] = this.#organizations.order(due);
    if (first && this.running.size < CONCURRENCY)
      await this.#serve(first, isHandedOver(this.#ctx, first.mode) ? 1 : KEPT_A_ROUND);
    if (performance.now() < this.#fileAt) return;
    const email = await claimNextFile(this.#ctx);
    if (email && !(await fileEmail(this.#ctx, email))) this.#fileAt = performance.now() + REST_MILLISECONDS;
  }

  /**
   * Begins to send as many e-mails as there are free slots. Returns the milliseconds until the sandboxes' next round,
   * or Infinity.
   */
  async round(): Promise<number> {
    if (performance.now() < this.#restUntil) return Infinity;
    const due = await toServe(this.#ctx);
    await this.#live(due.filter(({ mode }) => mode === "live"));
    const early = this.#sandboxAt - performance.now();
    if (early > 0) return Math.ceil(early);
    await this.#sandboxes(due.filter(({ mode }) => mode === "sandbox"));
    return Infinity;
  }
}

/** Sends or stores all e-mails that are due now and writes their files, without the pauses between rounds. */
export async function mailOnce(ctx: Context, stopping = new AbortController().signal): Promise<void> {
  for (let due = await toServe(ctx); due.length > 0; due = await toServe(ctx)) {
    for (const { organizationId, held } of due) {
      const claim = { limit: CONCURRENCY, first: "oldest", held } as const;
      const claimed = await ctx.db.tx((tx) => claimEmails(tx, organizationId, claim));
      await Promise.all(claimed.map((email) => sendEmail(ctx, email, stopping)));
    }
  }
  for (let email = await claimNextFile(ctx); email && (await fileEmail(ctx, email));) email = await claimNextFile(ctx);
  await removeOldEmailFiles(ctx, stopping);
}

/**
 * Sends e-mails when the notifier wakes its queue. The mailer has loops of its own, so that a server that hangs keeps
 * neither billing nor webhooks waiting. The second loop removes old files, however many there are. Any number of
 * mailers may run side by side.
 */
export function startMailer(ctx: Context): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const mailer = new Mailer(ctx, signal, () => sending.wake());
  const failed = (what: string, rest: number) => (error: unknown) => {
    ctx.log.error({ err: error }, what);
    return rest;
  };
  const sending = startLoop(() => mailer.round().catch(failed("the mailer can't ask the database", Infinity)));
  const removing = startLoop(() =>
    removeOldEmailFiles(ctx, signal).then(
      () => OLD_FILES_MILLISECONDS,
      failed("old files of e-mails could not be removed", OLD_FILES_MILLISECONDS),
    ),
  );
  const unsubscribe = ctx.db.notifier.subscribe(["emails"], () => sending.wake());
  return {
    async stop() {
      stopping.abort();
      unsubscribe();
      await Promise.all([sending.stop(), removing.stop()]);
      await Promise.all(mailer.running);
    },
  };
}
