/**
 * The deliverer sends webhooks by the rules of chapter W (docs/rules.md). It has two loops: one spreads events to
 * endpoints, the other finds endpoints with due deliveries. Both loops wait for the notifier, as worker.ts
 * describes, and have no timer of their own.
 *
 * Each endpoint with work has a queue in this process: its claimed deliveries, its requests under way, and the answers
 * to be recorded. Organizations take turns, and so do the endpoints of an Organization (rule W9). Neither claims nor
 * answers wait for the disk: if a power cut takes one back, the delivery is sent again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { recordAnswers, type Answered, type Recorded } from "../actions/webhook/answers.ts";
import { dispatchEvents } from "../actions/webhook/dispatch-events.ts";
import { sendTo } from "../actions/webhook/deliver.ts";
import { policyOf } from "../actions/webhook/url-policy.ts";
import { isCopy } from "../actions/installation.ts";
import type { Context } from "../context.ts";
import { instant } from "../domain/calendar.ts";
import { arrived } from "../domain/webhook/answer.ts";
import { isUnavailable } from "../errors.ts";
import { acrossNodes } from "../store/distribution/across-nodes.ts";
import { withAsyncCommit, type Database } from "../store/driver/db.ts";
import { claimDeliveries, dueEndpoints, releaseDeliveries, type DueEndpoint } from "../store/webhook-queue.ts";
import { EndpointQueues, type Claimed, type EndpointQueue } from "./endpoint-queues.ts";
import { startLoop } from "./loop.ts";

/**
 * The most requests at once: to all endpoints, to the endpoints of one Organization, and to slow endpoints (rules W9b,
 * W9c). A request has a slot for 2 seconds at most. After 2 seconds the request goes on without a slot, and its
 * endpoint gets no other slot until the request has ended. So the 64 slots of an Organization are all free again within
 * 2 seconds, even if its receivers hang, and serve all of its 50 endpoints in turn. A request ends after 15 seconds, so
 * no more than 256 × 15 / 2, in whole turns 2,048, are open at once.
 */
const SLOTS = 256;
const SLOTS_PER_ORGANIZATION = SLOTS / 4;
const SLOTS_FOR_SLOW = SLOTS / 2;
/** A claimed delivery that was not sent for this long is given back, well before its claim runs out. */
const KEPT_MILLISECONDS = 15_000;
/** The most claims, and records, at once. More would only take database connections from the callers of Billow. */
const TRIPS = 4;
/** The most answers that one transaction records, and how long the first answer waits for further ones. */
const MOST_ANSWERS = 250;
const GATHER_MILLISECONDS = 5;
/** While the database is away, recording is tried again for this long. Most claims on the deliveries last longer. */
const RETRY_MILLISECONDS = 20_000;
const AGAIN_MILLISECONDS = 250;
/** An Organization is left alone for this long after its events could not be spread. */
const PENALTY_MILLISECONDS = 30_000;

/** Claims deliveries, sends them, and records the answers. */
class DeliverySender {
  readonly #ctx: Context;
  readonly #db: Database;
  readonly #queues = new EndpointQueues();
  readonly #running = new Set<Promise<void>>();
  #claims = 0;
  #records = 0;
  #slots = 0;
  #slow = 0;
  #stopping = false;
  /** The number of deliveries claimed so far. */
  taken = 0;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#db = withAsyncCommit(ctx.db);
  }

  /** Finds the endpoints with due deliveries. A copy does not send (rules D1c and W1d). */
  async look(): Promise<void> {
    this.#queues.forget();
    if (await isCopy(this.#ctx)) return;
    for (const endpoint of await dueEndpoints(acrossNodes(this.#ctx.db))) this.#queues.note(endpoint);
    this.#work();
  }

  /** Gives free slots and trips to the database to the queues in turn. */
  #work(): void {
    const canSend = (queue: EndpointQueue) =>
      queue.canSend && queue.share.slots < SLOTS_PER_ORGANIZATION && (!queue.slow || this.#slow < SLOTS_FOR_SLOW);
    while (this.#slots < SLOTS) {
      const queue = this.#queues.next(canSend);
      if (!queue) break;
      const claimed = queue.claimed.shift()!;
      if (performance.now() - claimed.at > KEPT_MILLISECONDS) queue.returned.push(claimed.due.id);
      else this.#run(this.#send(queue, claimed));
    }
    while (this.#records < TRIPS) {
      const queue = this.#queues.next(({ isRecording, answered }) => !isRecording && answered.length > 0);
      if (!queue) break;
      this.#run(this.#record(queue));
    }
    const canClaim = (queue: EndpointQueue) =>
      !queue.isClaiming && (queue.returned.length > 0 || (!this.#stopping && queue.ready && queue.room > 0));
    while (this.#claims < TRIPS) {
      const queue = this.#queues.next(canClaim);
      if (!queue) break;
      this.#run(this.#claim(queue));
    }
  }

  #run(work: Promise<void>): void {
    const running = work.finally(() => {
      this.#running.delete(running);
      this.#work();
    });
    this.#running.add(running);
  }

  async #send(queue: EndpointQueue, { due, at }: Claimed): Promise<void> {
    const { endpoint, share, slow } = queue;
    let hasSlot = true;
    const take = (count: 1 | -1) => {
      this.#slots += count;
      share.slots += count;
      if (slow) this.#slow += count;
    };
    take(1);
    queue.busy += 1;
    const overdue = setTimeout(() => {
      hasSlot = false;
      take(-1);
      queue.overdue += 1;
      this.#learn(queue, false);
    }, this.#ctx.webhooks.slowMilliseconds);
    const now = instant(due.claimedAt + Math.round(performance.now() - at));
    try {
      const answer = await sendTo(this.#ctx, endpoint, due, now, policyOf(this.#ctx, endpoint.mode));
      queue.answered.push({ due, url: endpoint.url, answer });
      if (!arrived(answer)) queue.failures += 1;
    } catch (error) {
      this.#ctx.log.error({ err: error, endpointId: endpoint.id }, "a delivery failed");
    }
    clearTimeout(overdue);
    queue.busy -= 1;
    if (hasSlot) take(-1);
    else queue.overdue -= 1;
    this.#learn(queue, hasSlot);
  }

  /** A slow queue would hold its claimed deliveries for too long, so they are given back. */
  #learn(queue: EndpointQueue, wasQuick: boolean): void {
    queue.learn(wasQuick);
    if (queue.slow) queue.giveBack();
    this.#work();
  }

  /** Gives deliveries of a queue back, and claims more. After a failure the deliveries are still due. */
  async #claim(queue: EndpointQueue): Promise<void> {
    const { organizationId, id } = queue.endpoint;
    const { stops } = queue;
    const returned = queue.returned.splice(0);
    const room = this.#stopping ? 0 : queue.room;
    // If a delivery becomes due during the claim, `ready` is set again and leads to another claim.
    queue.ready = false;
    queue.isClaiming = true;
    this.#claims += 1;
    try {
      const { due, held } = await this.#db.tx(async (tx) => {
        releaseDeliveries(tx, organizationId, returned);
        return room > 0 ? claimDeliveries(tx, organizationId, id, room) : { due: [], held: 0 };
      });
      if (due.length === room || held > 0) queue.ready = true;
      const at = performance.now();
      queue.claimed.push(...due.map((each) => ({ due: each, at })));
      this.taken += due.length;
      if (this.#stopping || queue.overdue > 0 || queue.stops > stops) queue.giveBack();
    } catch (error) {
      this.#ctx.log.error({ err: error, endpointId: id }, "deliveries can't be claimed");
    }
    queue.isClaiming = false;
    this.#claims -= 1;
  }

  /** Records answers of a queue. If the endpoint is disabled or asks for a pause, sending stops. */
  async #record(queue: EndpointQueue): Promise<void> {
    const { organizationId, id: endpointId } = queue.endpoint;
    queue.isRecording = true;
    this.#records += 1;
    await sleep(GATHER_MILLISECONDS);
    const answered = queue.answered.splice(0, MOST_ANSWERS);
    for (const { more, stopped } of await this.#recordAll(queue.endpoint, answered)) {
      if (more) queue.ready = true;
      if (stopped) queue.stops += 1;
      if (stopped) queue.giveBack();
      if (stopped && stopped !== "paused")
        this.#ctx.log.error({ organizationId, endpointId, reason: stopped }, "a webhook endpoint is disabled");
    }
    queue.failures -= answered.filter(({ answer }) => !arrived(answer)).length;
    queue.isRecording = false;
    this.#records -= 1;
  }

  /**
   * Records answers in one transaction, or in several if PostgreSQL refuses one of the answers. While the database is
   * away, recording is tried again for 20 seconds. An answer that can't be recorded is given up: its delivery is sent
   * again when the claim runs out.
   */
  async #recordAll(endpoint: DueEndpoint, answered: readonly Answered[]): Promise<Recorded[]> {
    for (const until = performance.now() + RETRY_MILLISECONDS; ; await sleep(AGAIN_MILLISECONDS)) {
      try {
        return [await this.#db.tx((tx) => recordAnswers(tx, endpoint, answered))];
      } catch (error) {
        const [endpointId, count] = [endpoint.id, answered.length];
        this.#ctx.log.error({ err: error, endpointId, count }, "the outcome of deliveries can't be kept");
        if (isUnavailable(error) && performance.now() < until) continue;
        if (isUnavailable(error) || count === 1) return [];
        const recorded: Recorded[] = [];
        for (const each of answered) recorded.push(...(await this.#recordAll(endpoint, [each])));
        return recorded;
      }
    }
  }

  /** Waits until no request is under way and all answers are recorded. */
  async finish(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Gives back the deliveries that were not sent yet, and waits for the others. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const queue of this.#queues) queue.giveBack();
    this.#work();
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
