import { dispatchEvents } from "../actions/dispatch-events.ts";
import { policyOf, sendTo } from "../actions/deliver.ts";
import type { Context } from "../context.ts";
import { instant } from "../domain/calendar.ts";
import { unhurried, type Database } from "../store/db.ts";
import { claimDeliveries, dueEndpoints, releaseDeliveries, type DueDelivery } from "../store/webhook-queue.ts";
import { Answers } from "./answers.ts";
import { Lines, type Claimed, type Line } from "./lines.ts";

/** At once to all endpoints, and to those that are slow. */
const HANDS = 256;
const HANDS_FOR_SLOW = 128;
/** What is claimed and not sent yet, of all endpoints. */
const MOST_CLAIMED = 1_024;
/** Given back when it was not sent for so long, well before its claim runs out. */
const KEPT_MILLISECONDS = 15_000;
/** How long something due waits at most when nothing else is. */
const SPREAD_MILLISECONDS = 50;
const LOOK_MILLISECONDS = 200;
/** Claims at the same time; more only take the database's connections from those who call Billow. */
const CLAIMS = 4;
/** Then it is looked who else has something due, meanwhile. */
const CLAIMS_A_ROUND = 64;
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
  #slow = 0;
  #claimed = 0;
  /** Called whenever there may be more to do. */
  onMore: () => void = () => undefined;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#db = unhurried(ctx.db);
    this.#answers = new Answers(ctx, (due) => this.#beReady(due));
  }

  #beReady({ organizationId, endpointId: id }: DueDelivery): void {
    const line = this.#lines.find({ organizationId, id });
    if (line) line.ready = true;
    this.onMore();
  }

  /** Looks who has something due. */
  async look(): Promise<void> {
    this.#lines.forget();
    for (const endpoint of await dueEndpoints(this.#ctx.db.read)) this.#lines.note(endpoint);
  }

  /** Claims for whoever is in turn, and begins to send. Answers how many were claimed; there may be more. */
  async claim(): Promise<number> {
    let [taken, turns] = [0, 0];
    const work = async () => {
      while (this.#claimed < MOST_CLAIMED && turns++ < CLAIMS_A_ROUND) {
        const line = this.#lines.next((each) => each.wanted > 0);
        if (!line) return;
        const some = await this.#claimFor(line);
        taken += some;
      }
    };
    await Promise.all(Array.from({ length: CLAIMS }, work));
    return taken;
  }

  async #claimFor(line: Line): Promise<number> {
    const { organizationId, id } = line.endpoint;
    const { wanted } = line;
    // Until it is known whether there is more: nobody else claims for it meanwhile.
    line.ready = false;
    const claimed = await this.#db.tx((tx) => claimDeliveries(tx, organizationId, id, wanted));
    if (claimed.length === wanted) line.ready = true;
    const at = performance.now();
    line.claimed.push(...claimed.map((due) => ({ due, at })));
    this.#claimed += claimed.length;
    this.#send();
    return claimed.length;
  }

  /** Gives free hands to whoever is in turn. */
  #send(): void {
    const suits = (line: Line) => line.canSend && (!line.slow || this.#slow < HANDS_FOR_SLOW);
    while (this.#running.size < HANDS) {
      const line = this.#lines.next(suits);
      if (!line) return;
      const claimed = line.claimed.shift()!;
      this.#claimed -= 1;
      if (performance.now() - claimed.at > KEPT_MILLISECONDS) this.#giveBack([claimed]);
      else this.#start(line, claimed);
    }
  }

  #start(line: Line, claimed: Claimed): void {
    const isSlow = line.slow;
    line.busy += 1;
    this.#slow += isSlow ? 1 : 0;
    const began = performance.now();
    const done = this.#deliver(line, claimed)
      .catch((error: unknown) => this.#ctx.log.error({ err: error, endpointId: line.endpoint.id }, "a delivery failed"))
      .finally(() => {
        line.busy -= 1;
        this.#slow -= isSlow ? 1 : 0;
        this.#running.delete(done);
        line.learn(performance.now() - began);
        // Who has become slow would keep them for too long.
        if (line.slow) this.#empty(line);
        this.#send();
        this.onMore();
      });
    this.#running.add(done);
  }

  async #deliver({ endpoint }: Line, { due, at }: Claimed): Promise<void> {
    const now = instant(due.claimedAt + Math.round(performance.now() - at));
    const answer = await sendTo(endpoint, due, now, policyOf(this.#ctx, endpoint.mode));
    await this.#answers.keep({ due, answer, url: endpoint.url });
  }

  #empty(line: Line): void {
    const claimed = line.claimed.splice(0);
    this.#claimed -= claimed.length;
    if (claimed.length === 0) return;
    line.ready = true;
    this.#giveBack(claimed);
  }

  #giveBack(claimed: readonly Claimed[]): void {
    const { organizationId } = claimed[0]!.due;
    const ids = claimed.map(({ due }) => due.id);
    const done: Promise<void> = this.#db
      .tx(async (tx) => releaseDeliveries(tx, organizationId, ids))
      .catch((error: unknown) => this.#ctx.log.error({ err: error }, "claimed deliveries can't be given back"))
      .finally(() => this.#running.delete(done));
    this.#running.add(done);
  }

  /** Waits for the answers of all that is under way. */
  async finish(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
    await this.#answers.drain();
  }

  /** Gives back what was not sent yet, and waits for what was. */
  async stop(): Promise<void> {
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
      this.#leftOut.set(organizationId, performance.now() + PENALTY_MILLISECONDS);
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
    some = await spreader.round();
    await hands.look();
    some += await hands.claim();
    await hands.finish();
    done += some;
  }
  return done;
}

/** Calls `turn` until it is stopped, again at once where it did something or was woken meanwhile, else after so long. */
function keepAt(ctx: Context, milliseconds: number, turn: () => Promise<number>): { wake(): void; stop(): Promise<void> } {
  let [stopping, woken] = [false, false];
  let wake: () => void = () => undefined;

  async function work(): Promise<void> {
    while (!stopping) {
      woken = false;
      const some = await turn().catch((error: unknown) => {
        ctx.log.error({ err: error }, "the deliverer can't ask the database");
        return 0;
      });
      if (some > 0 || woken || stopping) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, milliseconds);
      });
    }
  }

  const working = work();
  return {
    wake() {
      woken = true;
      wake();
    },
    async stop() {
      stopping = true;
      wake();
      await working;
    },
  };
}

/** Delivers on its own, so that nobody who answers slowly keeps billing waiting, nor other endpoints. */
export function startDeliverer(ctx: Context): { stop(): Promise<void> } {
  const [hands, spreader] = [new Hands(ctx), new Spreader(ctx)];
  let lookAt = 0;
  const sending = keepAt(ctx, LOOK_MILLISECONDS, async () => {
    if (performance.now() >= lookAt) {
      lookAt = performance.now() + LOOK_MILLISECONDS;
      await hands.look();
    }
    return hands.claim();
  });
  hands.onMore = () => sending.wake();
  const spreading = keepAt(ctx, SPREAD_MILLISECONDS, async () => {
    const spread = await spreader.round();
    if (spread > 0) {
      lookAt = 0;
      sending.wake();
    }
    return spread;
  });
  return {
    async stop() {
      await spreading.stop();
      await sending.stop();
      await hands.stop();
    },
  };
}
