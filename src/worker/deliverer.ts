import { dispatchEvents } from "../actions/webhook/dispatch-events.ts";
import { sendTo } from "../actions/webhook/deliver.ts";
import { policyOf } from "../actions/webhook/url-policy.ts";
import type { Context } from "../context.ts";
import { instant } from "../domain/calendar.ts";
import { AppError } from "../errors.ts";
import { unhurried, type Database } from "../store/db.ts";
import { claimDeliveries, dueEndpoints, releaseDeliveries, type DueDelivery } from "../store/webhook-queue.ts";
import { Answers } from "./answers.ts";
import { Lines, Shares, type Claimed, type Line } from "./lines.ts";
import { startLoop } from "./loop.ts";

/**
 * At once to all endpoints, to those of one Organization, and to those that are slow. A hand is for 2 seconds at most: a request that is
 * not answered by then goes on without one, and its endpoint gets no other until it has ended. So an Organization's 64 hands are all free
 * within 2 seconds whoever hangs, and pass in turn by all of its 50 endpoints. As a request ends after 15 seconds, no more than
 * 256 × 15 / 2, in whole turns 2,048, are open at once.
 */
const HANDS = 256;
const HANDS_PER_ORGANIZATION = HANDS / 4;
const HANDS_FOR_SLOW = HANDS / 2;
/** What is claimed and not sent yet, of all endpoints and of those of one Organization. */
const MOST_CLAIMED = 1_024;
const MOST_CLAIMED_PER_ORGANIZATION = MOST_CLAIMED / 4;
/** Given back when it was not sent for so long, well before its claim runs out. */
const KEPT_MILLISECONDS = 15_000;
/** Claims at the same time; more only take the database's connections from those who call Billow. */
const CLAIMS = 4;
/** An Organization whose events could not be spread is left alone for so long. */
const PENALTY_MILLISECONDS = 30_000;

/** The hands that send, and what they are at. */
class Hands {
  readonly #ctx: Context;
  /** A claim that a power cut takes back is made again. */
  readonly #db: Database;
  readonly #lines = new Lines();
  readonly #answers: Answers;
  readonly #running = new Set<Promise<void>>();
  readonly #busy = new Shares();
  readonly #claimed = new Shares();
  #claimers = 0;
  #slow = 0;
  #stopping = false;
  /** How many were claimed so far. */
  taken = 0;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#db = unhurried(ctx.db);
    this.#answers = new Answers(
      ctx,
      (due) => this.#beReady(due),
      (due) => this.#pause(due),
    );
  }

  #beReady({ organizationId, endpointId: id }: DueDelivery): void {
    const line = this.#lines.find({ organizationId, id });
    if (line) line.ready = true;
    this.claim();
  }

  /** What was claimed beforehand is given back: it is not to be sent now. */
  #pause({ organizationId, endpointId: id }: DueDelivery): void {
    const line = this.#lines.find({ organizationId, id });
    if (!line) return;
    line.pausedAt = performance.now();
    this.#empty(line);
  }

  /** Looks who has something due, and claims for them. */
  async look(): Promise<void> {
    this.#lines.forget();
    for (const endpoint of await dueEndpoints(this.#ctx.db.read)) this.#lines.note(endpoint);
    this.claim();
  }

  /** Claims for whoever is in turn, and sends. Each claim goes on by itself: one that takes long keeps nobody but its own line waiting. */
  claim(): void {
    while (!this.#stopping && this.#claimers < CLAIMS && this.#claimed.total < MOST_CLAIMED) {
      const line = this.#lines.next((each) => this.#wanted(each) > 0);
      if (!line) return;
      this.#claimers += 1;
      this.#run(
        this.#claimFor(line).finally(() => {
          this.#claimers -= 1;
          this.claim();
        }),
      );
    }
  }

  #wanted(line: Line): number {
    return line.wanted(this.#claimed.of(line.endpoint.organizationId) < MOST_CLAIMED_PER_ORGANIZATION);
  }

  async #claimFor(line: Line): Promise<void> {
    const { organizationId, id } = line.endpoint;
    const wanted = this.#wanted(line);
    // Until it is known whether there is more; who says meanwhile that there is will be heard afterwards.
    line.ready = false;
    line.claiming = true;
    const began = performance.now();
    try {
      const { due, held } = await this.#db.tx((tx) => claimDeliveries(tx, organizationId, id, wanted));
      if (due.length === wanted || held > 0) line.ready = true;
      const at = performance.now();
      line.claimed.push(...due.map((each) => ({ due: each, at })));
      this.#claimed.add(organizationId, due.length);
      this.taken += due.length;
    } catch (error) {
      // The next look finds it again.
      this.#ctx.log.error({ err: error, endpointId: id }, "deliveries can't be claimed");
    } finally {
      line.claiming = false;
    }
    if (this.#stopping || line.overdue > 0 || line.pausedAt >= began) this.#empty(line);
    this.#send();
  }

  /** Gives free hands to whoever is in turn. */
  #send(): void {
    const suits = (line: Line) =>
      line.canSend && (!line.slow || this.#slow < HANDS_FOR_SLOW) && this.#busy.of(line.endpoint.organizationId) < HANDS_PER_ORGANIZATION;
    while (this.#busy.total < HANDS) {
      const line = this.#lines.next(suits);
      if (!line) return;
      const claimed = line.claimed.shift()!;
      this.#claimed.add(line.endpoint.organizationId, -1);
      if (performance.now() - claimed.at > KEPT_MILLISECONDS) this.#giveBack([claimed]);
      else this.#start(line, claimed);
    }
  }

  #start(line: Line, claimed: Claimed): void {
    const { organizationId } = line.endpoint;
    const slow = line.slow ? 1 : 0;
    let isOverdue = false;
    const free = () => {
      this.#busy.add(organizationId, -1);
      this.#slow -= slow;
    };
    line.busy += 1;
    this.#busy.add(organizationId, 1);
    this.#slow += slow;
    const overdue = setTimeout(() => {
      isOverdue = true;
      line.overdue += 1;
      free();
      this.#learn(line, false);
    }, this.#ctx.webhooks.slowMilliseconds);
    const ended = this.#deliver(line, claimed)
      .catch((error: unknown) => this.#ctx.log.error({ err: error, endpointId: line.endpoint.id }, "a delivery failed"))
      .finally(() => {
        clearTimeout(overdue);
        line.busy -= 1;
        if (isOverdue) line.overdue -= 1;
        else free();
        this.#learn(line, !isOverdue);
      });
    this.#run(ended);
  }

  /** Who has become slow would keep for too long what was claimed for it. What it had is for others. */
  #learn(line: Line, wasQuick: boolean): void {
    line.learn(wasQuick);
    if (line.slow) this.#empty(line);
    this.#send();
    this.claim();
  }

  #run(work: Promise<void>): void {
    const running = work.finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #deliver({ endpoint }: Line, { due, at }: Claimed): Promise<void> {
    const now = instant(due.claimedAt + Math.round(performance.now() - at));
    const answer = await sendTo(this.#ctx, endpoint, due, now, policyOf(this.#ctx, endpoint.mode));
    await this.#answers.keep({ due, answer, url: endpoint.url });
  }

  #empty(line: Line): void {
    const claimed = line.claimed.splice(0);
    if (claimed.length === 0) return;
    this.#claimed.add(line.endpoint.organizationId, -claimed.length);
    line.ready = true;
    this.#giveBack(claimed);
  }

  #giveBack(claimed: readonly Claimed[]): void {
    const { organizationId } = claimed[0]!.due;
    const ids = claimed.map(({ due }) => due.id);
    this.#run(
      this.#db
        .tx(async (tx) => releaseDeliveries(tx, organizationId, ids))
        .catch((error: unknown) => this.#ctx.log.error({ err: error }, "claimed deliveries can't be given back")),
    );
  }

  /** Waits for the answers of all that is under way. */
  async finish(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
    await this.#answers.drain();
  }

  /** Gives back what was not sent yet, and waits for what was. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const line of this.#lines) this.#empty(line);
    await this.finish();
  }
}

/** Spreads events, a turn for each Organization that has some. */
class Spreader {
  readonly #ctx: Context;
  readonly #leftOut = new Map<string, number>();
  #last = "";

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** Answers how many were spread. */
  async round(): Promise<number> {
    const now = performance.now();
    for (const [id, until] of this.#leftOut) if (until <= now) this.#leftOut.delete(id);
    const onFailure = (organizationId: string, error: unknown) => {
      // A database that is gone for a moment is nothing the Organization did.
      const isItsFault = !(error instanceof AppError && error.code === "unavailable");
      if (isItsFault) this.#leftOut.set(organizationId, performance.now() + PENALTY_MILLISECONDS);
      this.#ctx.log.error({ err: error, organizationId }, "events can't be spread");
    };
    const { spread, last } = await dispatchEvents(this.#ctx, this.#last, onFailure, (id) => this.#leftOut.has(id));
    this.#last = last;
    return spread;
  }
}

/** Spreads and sends all that is due by now, and waits for the answers. Answers how much there was. */
export async function deliverOnce(ctx: Context): Promise<number> {
  const [hands, spreader] = [new Hands(ctx), new Spreader(ctx)];
  let done = 0;
  for (let some = 1; some > 0;) {
    const before = hands.taken;
    const spread = await spreader.round();
    await hands.look();
    await hands.finish();
    some = spread + hands.taken - before;
    done += some;
  }
  return done;
}

/** Delivers when the bell rings, on its own, so that nobody who answers slowly keeps billing waiting, nor other endpoints. */
export function startDeliverer(ctx: Context): { stop(): Promise<void> } {
  const [hands, spreader] = [new Hands(ctx), new Spreader(ctx)];
  const failed = (error: unknown) => {
    ctx.log.error({ err: error }, "the deliverer can't ask the database");
    return Infinity;
  };
  const looking = startLoop(() => hands.look().then(() => Infinity, failed));
  const spreading = startLoop(() => spreader.round().then((spread) => (spread > 0 ? 0 : Infinity), failed));
  const deaf = ctx.db.bell.listen(["events", "deliveries"], (queue) => (queue === "events" ? spreading : looking).wake());
  return {
    async stop() {
      deaf();
      await spreading.stop();
      await looking.stop();
      await hands.stop();
    },
  };
}
