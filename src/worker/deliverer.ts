/**
 * The deliverer sends webhooks. It has two loops: one spreads events to endpoints, the other finds deliveries that are
 * due and sends them. Both loops wait for the notifier, as worker.ts describes, and have no timer of their own. After
 * an error of the database a loop waits until the notifier wakes it again; the poller wakes it as long as rows are due.
 *
 * From event to delivery. A transaction that changes a resource writes the event as well. The spreader takes up to 100
 * events of an Organization and writes one delivery for each endpoint that wants the event. Both happen in one
 * transaction, so a crash neither loses an event nor spreads it twice. Organizations take turns, four at a time. An
 * Organization whose turn fails is left out for 30 seconds, unless the database was away. Listeners of `billow listen`
 * fetch their deliveries themselves, so the deliverer passes over them.
 *
 * Order. An endpoint gets the events of one resource in the order of their `sequence`; events of different resources
 * may overtake each other. A first attempt is not claimed while an earlier event of its resource is not spread yet, or
 * while an earlier delivery still holds it back. A delivery holds back later ones until it has arrived, was given up,
 * or has failed three times. Retries wait for no other delivery. A delivery that is sent again after it had arrived, or
 * had failed three times, neither waits nor holds others back. A claim that finds too few deliveries postpones the
 * deliveries that are held back, so that the next claim does not find them again. As soon as an earlier delivery no
 * longer holds them back, the next of them becomes due.
 *
 * Claims. A claim takes due deliveries of one endpoint and makes them due again 40 seconds later. A request ends after
 * 15 seconds, so a claim outlives its request, and the deliveries of a process that died become due again by
 * themselves. Claims do not wait for the disk: a claim that is lost in a power cut is made again. Any number of workers
 * may run, since a row that is claimed is not due for the others. A failure counts only if its claim is still the
 * delivery's present claim; an arrival always counts. A receiver may therefore get an event twice, with the same id and
 * the same body.
 *
 * Queues. Each endpoint with work has a queue in this process: its claimed deliveries and its requests under way.
 * Organizations take turns, and the queues of one Organization take turns, both for claims and for slots. So ten
 * thousand events for one Organization do not keep ten events of another waiting. There are 256 slots for requests; an
 * Organization has at most 64 of them, and slow endpoints have at most 128 together. A queue begins with two slots, and
 * each request that ends within two seconds doubles them, up to 16. A queue claims up to four deliveries for each slot,
 * so that a trip to the database brings work for several requests. Four claims run at a time, and no claim begins while
 * 1,024 deliveries are claimed and not sent. While 256 deliveries of an Organization are claimed and not sent, each
 * queue of the Organization claims only one delivery, and only if the queue has no claimed delivery. All these limits
 * are for one process.
 *
 * Slow endpoints. A request that takes longer than two seconds goes on without its slot. From then on the endpoint of
 * this request is slow: it gets one slot at a time, and the first one only after this request has ended. The endpoint's
 * other claimed deliveries are given back. The next request that ends in time makes the endpoint quick again. The queue
 * of an endpoint that has only failed lately begins as a slow one.
 *
 * Retries and pauses. A 2xx is an arrival. Arrivals are recorded many at a time, failures one by one. After a failure
 * the next attempt follows in 5 seconds, then in 5 minutes, and so on: ten attempts over three days, each delay longer
 * or shorter by up to a fifth. `Retry-After` makes a delay longer, up to a day. With 429 or 503, `Retry-After` also
 * pauses the whole endpoint, for an hour at most, and the endpoint's claimed deliveries are given back. The first
 * arrival after a minute or more with failures only marks the end of an outage. After an outage, each answer that is
 * neither a 5xx nor a 429 brings forward two of the deliveries that had failed before, the oldest first. Decision 0018
 * (docs/decisions) gives the reasons.
 *
 * Disabled endpoints. An answer of 410 disables the endpoint, and so do five days with failures only. The endpoint's
 * waiting deliveries become `skipped`, 5,000 in each transaction. Events that happen in the next 30 days become
 * `skipped` deliveries, too. The other endpoints get the event `webhook_endpoint.disabled`. Once the endpoint is
 * enabled again, its owner can ask for the skipped deliveries.
 */
import { dispatchEvents } from "../actions/webhook/dispatch-events.ts";
import { sendTo } from "../actions/webhook/deliver.ts";
import { policyOf } from "../actions/webhook/url-policy.ts";
import { isCopy } from "../actions/installation.ts";
import type { Context } from "../context.ts";
import { instant } from "../domain/calendar.ts";
import { isUnavailable } from "../errors.ts";
import { withAsyncCommit, type Database } from "../store/driver/db.ts";
import { claimDeliveries, dueEndpoints, releaseDeliveries, type DueDelivery } from "../store/webhook-queue.ts";
import { Answers } from "./answers.ts";
import { EndpointQueues, Shares, type Claimed, type EndpointQueue } from "./endpoint-queues.ts";
import { startLoop } from "./loop.ts";

/**
 * The most requests at once: to all endpoints, to the endpoints of one Organization, and to slow endpoints. A request
 * has a slot for 2 seconds at most. After 2 seconds the request goes on without a slot, and its endpoint gets no other
 * slot until the request has ended. So the 64 slots of an Organization are all free again within 2 seconds, even if its
 * receivers hang, and serve all of its 50 endpoints in turn. A request ends after 15 seconds, so no more than 256 × 15
 * / 2, in whole turns 2,048, are open at once.
 */
const SLOTS = 256;
const SLOTS_PER_ORGANIZATION = SLOTS / 4;
const SLOTS_FOR_SLOW = SLOTS / 2;
/**
 * The most deliveries that are claimed and not sent yet: of all endpoints, and of the endpoints of one Organization.
 */
const MOST_CLAIMED = 1_024;
const MOST_CLAIMED_PER_ORGANIZATION = MOST_CLAIMED / 4;
/** A claimed delivery that was not sent for this long is given back, well before its claim runs out. */
const KEPT_MILLISECONDS = 15_000;
/** The most claims at the same time. More claims would only take database connections from the callers of Billow. */
const CLAIMS = 4;
/** An Organization is left alone for this long after its events could not be spread. */
const PENALTY_MILLISECONDS = 30_000;

/** Claims deliveries and sends them, a request in each slot. */
class DeliverySender {
  readonly #ctx: Context;
  /** Its commits do not wait for the disk: a claim that is lost in a power cut is made again. */
  readonly #db: Database;
  readonly #queues = new EndpointQueues();
  readonly #answers: Answers;
  readonly #running = new Set<Promise<void>>();
  readonly #busy = new Shares();
  readonly #claimed = new Shares();
  #claimers = 0;
  #slow = 0;
  #stopping = false;
  /** The number of deliveries claimed so far. */
  taken = 0;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#db = withAsyncCommit(ctx.db);
    this.#answers = new Answers(
      ctx,
      (due) => this.#beReady(due),
      (due) => this.#pause(due),
    );
  }

  #beReady({ organizationId, endpointId: id }: DueDelivery): void {
    const queue = this.#queues.find({ organizationId, id });
    if (queue) queue.ready = true;
    this.claim();
  }

  /** Gives back the endpoint's claimed deliveries that were not sent yet: they must not be sent during the pause. */
  #pause({ organizationId, endpointId: id }: DueDelivery): void {
    const queue = this.#queues.find({ organizationId, id });
    if (!queue) return;
    queue.pausedAt = performance.now();
    this.#empty(queue);
  }

  /** Finds the endpoints with due deliveries, and starts claims for them. A copy does not send (rule D1c). */
  async look(): Promise<void> {
    this.#queues.forget();
    if (await isCopy(this.#ctx)) return;
    for (const endpoint of await dueEndpoints(this.#ctx.db.read)) this.#queues.note(endpoint);
    this.claim();
  }

  /**
   * Starts claims for the queues in turn; each claim sends its deliveries. The claims run independently, so a slow
   * claim keeps only its own queue waiting.
   */
  claim(): void {
    while (!this.#stopping && this.#claimers < CLAIMS && this.#claimed.total < MOST_CLAIMED) {
      const queue = this.#queues.next((each) => this.#wanted(each) > 0);
      if (!queue) return;
      this.#claimers += 1;
      this.#run(
        this.#claimFor(queue).finally(() => {
          this.#claimers -= 1;
          this.claim();
        }),
      );
    }
  }

  #wanted(queue: EndpointQueue): number {
    return queue.wanted(this.#claimed.of(queue.endpoint.organizationId) < MOST_CLAIMED_PER_ORGANIZATION);
  }

  async #claimFor(queue: EndpointQueue): Promise<void> {
    const { organizationId, id } = queue.endpoint;
    const wanted = this.#wanted(queue);
    // `ready` is cleared before the claim: if a delivery becomes due during the claim, `ready` is set again and leads
    // to another claim.
    queue.ready = false;
    queue.claiming = true;
    const began = performance.now();
    try {
      const { due, held } = await this.#db.tx((tx) => claimDeliveries(tx, organizationId, id, wanted));
      if (due.length === wanted || held > 0) queue.ready = true;
      const at = performance.now();
      queue.claimed.push(...due.map((each) => ({ due: each, at })));
      this.#claimed.add(organizationId, due.length);
      this.taken += due.length;
    } catch (error) {
      // The deliveries are still due, so the next look finds them again.
      this.#ctx.log.error({ err: error, endpointId: id }, "deliveries can't be claimed");
    } finally {
      queue.claiming = false;
    }
    if (this.#stopping || queue.overdue > 0 || queue.pausedAt >= began) this.#empty(queue);
    this.#send();
  }

  /** Gives free slots to the queues in turn. */
  #send(): void {
    const suits = (queue: EndpointQueue) =>
      queue.canSend &&
      (!queue.slow || this.#slow < SLOTS_FOR_SLOW) &&
      this.#busy.of(queue.endpoint.organizationId) < SLOTS_PER_ORGANIZATION;
    while (this.#busy.total < SLOTS) {
      const queue = this.#queues.next(suits);
      if (!queue) return;
      const claimed = queue.claimed.shift()!;
      this.#claimed.add(queue.endpoint.organizationId, -1);
      if (performance.now() - claimed.at > KEPT_MILLISECONDS) this.#giveBack([claimed]);
      else this.#start(queue, claimed);
    }
  }

  #start(queue: EndpointQueue, claimed: Claimed): void {
    const { organizationId } = queue.endpoint;
    const slow = queue.slow ? 1 : 0;
    let isOverdue = false;
    const free = () => {
      this.#busy.add(organizationId, -1);
      this.#slow -= slow;
    };
    queue.busy += 1;
    this.#busy.add(organizationId, 1);
    this.#slow += slow;
    const overdue = setTimeout(() => {
      isOverdue = true;
      queue.overdue += 1;
      free();
      this.#learn(queue, false);
    }, this.#ctx.webhooks.slowMilliseconds);
    const ended = this.#deliver(queue, claimed)
      .catch((error: unknown) =>
        this.#ctx.log.error({ err: error, endpointId: queue.endpoint.id }, "a delivery failed"),
      )
      .finally(() => {
        clearTimeout(overdue);
        queue.busy -= 1;
        if (isOverdue) queue.overdue -= 1;
        else free();
        this.#learn(queue, !isOverdue);
      });
    this.#run(ended);
  }

  /**
   * A queue that has become slow would hold its claimed deliveries for too long, so they are given back. That makes
   * room for other queues.
   */
  #learn(queue: EndpointQueue, wasQuick: boolean): void {
    queue.learn(wasQuick);
    if (queue.slow) this.#empty(queue);
    this.#send();
    this.claim();
  }

  #run(work: Promise<void>): void {
    const running = work.finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #deliver({ endpoint }: EndpointQueue, { due, at }: Claimed): Promise<void> {
    const now = instant(due.claimedAt + Math.round(performance.now() - at));
    const answer = await sendTo(this.#ctx, endpoint, due, now, policyOf(this.#ctx, endpoint.mode));
    await this.#answers.keep({ due, answer, url: endpoint.url });
  }

  #empty(queue: EndpointQueue): void {
    const claimed = queue.claimed.splice(0);
    if (claimed.length === 0) return;
    this.#claimed.add(queue.endpoint.organizationId, -claimed.length);
    queue.ready = true;
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

  /** Waits for all claims and requests that are under way, and for their answers to be recorded. */
  async finish(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
    await this.#answers.drain();
  }

  /** Gives back the deliveries that were not sent yet, and waits for the others. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const queue of this.#queues) this.#empty(queue);
    await this.finish();
  }
}

/** Spreads events to endpoints: the Organizations with events take turns. */
class Spreader {
  readonly #ctx: Context;
  readonly #leftOut = new Map<string, number>();
  #last = "";

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** Returns the number of events that were spread. */
  async round(): Promise<number> {
    const now = performance.now();
    for (const [id, until] of this.#leftOut) if (until <= now) this.#leftOut.delete(id);
    const onFailure = (organizationId: string, error: unknown) => {
      // A database that is away for a moment is no fault of the Organization.
      if (!isUnavailable(error)) this.#leftOut.set(organizationId, performance.now() + PENALTY_MILLISECONDS);
      this.#ctx.log.error({ err: error, organizationId }, "events can't be spread");
    };
    const { spread, last } = await dispatchEvents(this.#ctx, this.#last, onFailure, (id) => this.#leftOut.has(id));
    this.#last = last;
    return spread;
  }
}

/**
 * Spreads and sends all that is due by now, and waits for the answers. Returns the number of events and deliveries.
 */
export async function deliverOnce(ctx: Context): Promise<number> {
  const [sender, spreader] = [new DeliverySender(ctx), new Spreader(ctx)];
  let done = 0;
  for (let some = 1; some > 0;) {
    const before = sender.taken;
    const spread = await spreader.round();
    await sender.look();
    await sender.finish();
    some = spread + sender.taken - before;
    done += some;
  }
  return done;
}

/**
 * Delivers when the notifier wakes its queue. The deliverer has loops of its own, so that a slow receiver keeps neither
 * billing nor other endpoints waiting.
 */
export function startDeliverer(ctx: Context): { stop(): Promise<void> } {
  const [sender, spreader] = [new DeliverySender(ctx), new Spreader(ctx)];
  const failed = (error: unknown) => {
    ctx.log.error({ err: error }, "the deliverer can't ask the database");
    return Infinity;
  };
  const looking = startLoop(() => sender.look().then(() => Infinity, failed));
  const spreading = startLoop(() => spreader.round().then((spread) => (spread > 0 ? 0 : Infinity), failed));
  const unsubscribe = ctx.db.notifier.subscribe(["events", "deliveries"], (woken) =>
    (woken === "events" ? spreading : looking).wake(),
  );
  return {
    async stop() {
      unsubscribe();
      // The sender is stopped at the same time: if a delivery is claimed while a round still spreads events, the
      // delivery is given back and not sent.
      await Promise.all([sender.stop(), spreading.stop(), looking.stop()]);
    },
  };
}
