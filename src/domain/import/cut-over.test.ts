import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  FOREIGN_STATES,
  nextStep,
  type CutOverFacts,
  type CutOverGoal,
  type CutOverReason,
  type CutOverStep,
  type ForeignState,
} from "./cut-over.ts";
import { IMPORT_STATES, type ImportState } from "./import.ts";

const facts = (state: ImportState, there: ForeignState, others: Partial<CutOverFacts> = {}): CutOverFacts => ({
  state,
  there,
  reasons: [],
  hasReading: true,
  invoiceSince: false,
  balance: 0,
  taken: 0,
  isSettled: false,
  refusal: null,
  ...others,
});
const textOf = (found: CutOverStep): string => {
  if (found.kind === "turn") return `turn: ${found.reason}`;
  if (found.kind !== "end") return found.kind;
  const { result } = found;
  if (result.name === "stays") return `stays: ${result.reasons.join()}`;
  return result.name === "refused" ? `refused: ${result.refusal}` : result.name;
};

type Case = [state: ImportState, there: ForeignState, step: string, others?: Partial<CutOverFacts>];
const near = { reasons: ["renewal_near"] } satisfies Partial<CutOverFacts>;

const CASES: Record<CutOverGoal, Case[]> = {
  cut_over: [
    ["imported", "running", "stop"],
    ["imported", "running", "stays: renewal_near", near],
    ["imported", "paused", "stays: paused", { reasons: ["paused"] }],
    ["imported", "ended", "leave"],
    ["imported", "stopped", "begin_undo"],
    ["stopping", "running", "back"],
    ["stopping", "running", "give_back", { taken: 500 }],
    ["stopping", "stopped", "release"],
    ["stopping", "stopped", "release", { taken: 500 }],
    ["stopping", "stopped", "take", { balance: 500 }],
    ["stopping", "stopped", "take", { balance: -500 }],
    ["stopping", "stopped", "turn: invoice_made", { invoiceSince: true }],
    ["stopping", "stopped", "turn: stopped_before", { hasReading: false }],
    ["stopping", "stopped", "turn: balance_currency", { balance: 500, reasons: ["balance_currency"] }],
    ["stopping", "paused", "paused_there"],
    ["stopping", "ended", "leave"],
    ["moved", "stopped", "moved"],
    ["moved", "running", "stop_again"],
    ["moved", "ended", "moved"],
    ["finished", "ended", "finished"],
    ["left", "running", "left"],
    ["assessed", "running", "not_imported"],
  ],
  finish: [
    ["moved", "stopped", "waiting"],
    ["moved", "stopped", "cancel", { isSettled: true }],
    ["moved", "running", "cancel", { isSettled: true }],
    ["moved", "ended", "finish"],
    ["imported", "running", "waiting"],
    ["stopping", "stopped", "waiting"],
    ["finished", "ended", "finished"],
  ],
  undo: [
    ["imported", "running", "undone"],
    ["imported", "stopped", "begin_undo"],
    ["stopping", "stopped", "resume"],
    ["stopping", "stopped", "give_back", { taken: 500 }],
    ["stopping", "running", "back"],
    ["stopping", "paused", "back"],
    ["stopping", "ended", "leave"],
    ["moved", "stopped", "hold"],
    ["moved", "stopped", "refused: invoiced_here", { refusal: "invoiced_here" }],
    ["moved", "ended", "refused: ended_there"],
    ["finished", "ended", "refused: ended_there"],
  ],
};

describe.each(Object.entries(CASES))("the way of %s", (goal, cases) => {
  test.each(cases)("from %s while it is %s there is %s", (state, there, step, others) => {
    expect(textOf(nextStep(goal as CutOverGoal, facts(state, there, others)))).toBe(step);
  });
});

/*
 * Two systems as a model: the other one charges period after period while it runs, and this one while it does not hold.
 * Processes take turns at any place, die at any place, and lose answers. A process works under the row's lease. A
 * request of a dead process is carried out before the lease ends, or not at all.
 */
type World = {
  row: { state: ImportState; reading: { period: number; invoices: number } | null };
  there: ForeignState;
  reasons: CutOverReason[];
  balance: number;
  taken: number;
  credit: number;
  isHeld: boolean;
  /** The next period of each side, the periods that were charged, and those that an undone stop left free. */
  period: { there: number; here: number };
  charged: number[];
  free: Set<number>;
  invoices: number;
  isInvoiced: boolean;
  lease: string | null;
};
const CREDIT = 500;
const newWorld = (balance: number): World => ({
  row: { state: "imported", reading: null },
  there: "running",
  reasons: [],
  balance,
  taken: 0,
  credit: 0,
  isHeld: true,
  period: { there: 1, here: 0 },
  charged: [],
  free: new Set(),
  invoices: 0,
  isInvoiced: false,
  lease: null,
});

const lookAt = ({ row, there, reasons, balance, taken, invoices, isInvoiced }: World): CutOverFacts => ({
  state: row.state,
  there,
  reasons,
  hasReading: row.reading !== null,
  invoiceSince: row.reading !== null && invoices > row.reading.invoices,
  balance,
  taken,
  isSettled: isInvoiced,
  refusal: isInvoiced ? "invoiced_here" : null,
});

type Request = (world: World) => void;
type Step = Exclude<CutOverStep["kind"], "turn" | "end">;
/** The row is written first. Then one request is sent at most. */
const WRITES: Record<Step, Request> = {
  stop: ({ row, period, invoices }) =>
    void Object.assign(row, { state: "stopping", reading: { period: period.there, invoices } }),
  begin_undo: ({ row }) => void Object.assign(row, { state: "stopping", reading: null }),
  take: () => undefined,
  give_back: () => undefined,
  resume: () => undefined,
  stop_again: () => undefined,
  cancel: () => undefined,
  back: ({ row }) => void Object.assign(row, { state: "imported", reading: null }),
  finish: ({ row }) => void (row.state = "finished"),
  release(world) {
    world.row.state = "moved";
    world.credit += world.taken;
    world.isHeld = false;
    world.period.here = world.row.reading!.period;
  },
  // The transaction looks again: a renewal may have come between.
  hold(world) {
    if (world.isInvoiced) return;
    world.row.state = "stopping";
    world.credit -= world.taken;
    world.isHeld = true;
  },
  leave(world) {
    world.row.state = "left";
    world.credit += world.taken;
    world.isHeld = false;
  },
};
const pauseThere: Request = (world) => void (world.there === "running" && (world.there = "stopped"));
const moveBalance =
  (amount: number): Request =>
  (world) => {
    world.balance -= amount;
    world.taken += amount;
  };
/** The periods of which the other system made void invoices are free for the Customer if the stop is undone. */
const resumeThere: Request = (world) => {
  if (world.there !== "stopped") return;
  world.there = "running";
  for (let period = 1; period < world.period.there; period += 1)
    if (!world.charged.includes(period)) world.free.add(period);
};
const REQUESTS: Partial<Record<Step, (facts: CutOverFacts) => Request>> = {
  stop: () => pauseThere,
  stop_again: () => pauseThere,
  resume: () => resumeThere,
  cancel: () => (world) => void (world.there = "ended"),
  take: ({ balance }) => moveBalance(balance),
  give_back: ({ taken }) => moveBalance(-taken),
};

/** One run of a command. Each `yield` is a place where the process may die, with the request that is on its way. */
function* run(world: World, name: string, given: CutOverGoal): Generator<Request | null, void> {
  if (world.lease !== null) return;
  world.lease = name;
  for (let [goal, looks] = [given, 0]; ; looks += 1) {
    expect(looks).toBeLessThan(20);
    yield null;
    const found = lookAt(world);
    const step = nextStep(goal, found);
    if (step.kind === "end") break;
    if (step.kind === "turn") {
      goal = "undo";
      continue;
    }
    yield null;
    const request = REQUESTS[step.kind]?.(found) ?? null;
    WRITES[step.kind](world);
    if (request === null) continue;
    yield request;
  }
  world.lease = null;
}

function checkWorld(world: World, sum: number): void {
  const { there, isHeld, row, balance, credit, taken, charged } = world;
  const isCredited = ["moved", "finished", "left"].includes(row.state);
  expect(balance + credit + (isCredited ? 0 : taken)).toBe(sum);
  expect(new Set(charged).size).toBe(charged.length);
  // Never both, and never neither without the alarm of `stopping`.
  expect([there, isHeld]).not.toEqual(["running", false]);
  if (there === "stopped" && isHeld) expect(row.state).toBe("stopping");
}

/** The next period begins: the side that charges does so, and a stopped one makes a void invoice. */
function renew(world: World): void {
  if (world.there === "running") {
    world.charged.push(world.period.there);
    world.invoices += 1;
  }
  if (world.there !== "ended") world.period.there += 1;
  if (world.isHeld || world.row.state === "left") return;
  for (let period = 1; period < world.period.here; period += 1)
    expect(world.charged.includes(period) || world.free.has(period)).toBe(true);
  world.charged.push(world.period.here++);
  world.isInvoiced = true;
}

type Action = { kind: "go" | "renew" | "reasons" | "kill"; who: 0 | 1; goal: CutOverGoal; isDone: boolean };
const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.constantFrom("go", "go", "go", "go", "go", "go", "renew", "reasons", "kill"),
  who: fc.constantFrom(0, 1),
  goal: fc.constantFrom("cut_over", "cut_over", "cut_over", "undo", "finish"),
  isDone: fc.boolean(),
});

/** Plays the actions. `isDone`: the request of a process that dies, or that loses an answer, is carried out. */
function play(actions: readonly Action[], balance: number): World {
  const world = newWorld(balance);
  const processes: ({ run: Generator<Request | null, void>; onItsWay: Request | null } | null)[] = [null, null];
  const kill = (who: 0 | 1, isDone: boolean) => {
    const process = processes[who];
    if (!process) return;
    if (isDone) process.onItsWay?.(world);
    processes[who] = null;
    if (world.lease === String(who)) world.lease = null;
  };
  for (const { kind, who, goal, isDone } of actions) {
    if (kind === "renew") renew(world);
    else if (kind === "reasons") world.reasons = world.reasons.length === 0 ? ["past_due"] : [];
    else if (kind === "kill") kill(who, isDone);
    else {
      const process = (processes[who] ??= { run: run(world, String(who), goal), onItsWay: null });
      // The answer of the last request may be lost, whether it was carried out or not.
      if (process.onItsWay && isDone) process.onItsWay(world);
      const { value, done } = process.run.next();
      process.onItsWay = value ?? null;
      if (done) processes[who] = null;
    }
    checkWorld(world, balance);
  }
  kill(0, true);
  kill(1, false);
  return world;
}

const finishRun = (world: World, goal: CutOverGoal) => {
  for (const request of run(world, "last", goal)) request?.(world);
};

describe("two processes, crashes, lost answers and renewals at any place", () => {
  const plays = fc.tuple(fc.array(action, { maxLength: 200, size: "max" }), fc.constantFrom(0, CREDIT, -CREDIT));

  test("never let both sides charge, and never neither without an alarm", () => {
    const seen = new Set<ImportState>();
    fc.assert(
      fc.property(plays, ([actions, balance]) => {
        const world = play(actions, balance);
        checkWorld(world, balance);
        seen.add(world.row.state);
      }),
      { numRuns: 500 },
    );
    expect([...seen].sort()).toEqual(["finished", "imported", "moved", "stopping"]);
  });

  test("are repaired by one more run, with all credit on the side that charges", () => {
    fc.assert(
      fc.property(plays, fc.constantFrom<CutOverGoal>("cut_over", "undo"), ([actions, balance], goal) => {
        const world = play(actions, balance);
        world.reasons = [];
        finishRun(world, goal);
        // Without a reading, the first run leads back.
        if (goal === "cut_over") finishRun(world, goal);
        checkWorld(world, balance);
        const isHere = ["moved", "finished"].includes(world.row.state);
        if (goal === "cut_over") expect(isHere).toBe(true);
        expect([world.isHeld, world.there === "running"]).toEqual([!isHere, !isHere]);
        expect([world.balance, world.credit]).toEqual(isHere ? [0, balance] : [balance, 0]);
      }),
      { numRuns: 500 },
    );
  });
});

test("each goal has a step for each state on both sides", () => {
  for (const goal of ["cut_over", "finish", "undo"] as const)
    for (const state of IMPORT_STATES)
      for (const there of FOREIGN_STATES) expect(nextStep(goal, facts(state, there))).toHaveProperty("kind");
});
