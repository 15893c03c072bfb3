import type { CountedStatus } from "../../../domain/metrics/day.ts";
import { MOVEMENT_KINDS } from "../../../domain/metrics/movement.ts";
import { netOf, totalsOf, type Point } from "../../../domain/metrics/series.ts";
import type { Step } from "../../../domain/metrics/span.ts";
import type { Metrics } from "../../../actions/metrics/read.ts";
import type { Html } from "../../layout.ts";
import { STATES } from "../components/status.ts";
import { moneyText } from "../components/cells.ts";
import { chart, type Chart } from "./chart.ts";
import { bucketName, KIND_NAMES } from "./names.ts";
import type { Part, Tone } from "./scale.ts";

/** Reactivations are new MRR in the picture, and have a column of their own in the table. */
const KIND_TONES: Record<(typeof MOVEMENT_KINDS)[number], Tone> = {
  new: "one",
  reactivation: "one",
  resumption: "one",
  expansion: "two",
  contraction: "three",
  pause: "three",
  churn: "four",
};
const STATUS_TONES: Record<CountedStatus, Tone> = {
  active: "one",
  trialing: "two",
  past_due: "four",
  paused: "three",
};

/** Figures with their sign, for changes. */
const signed = (amount: number, currency: string) => (amount > 0 ? "+" : "") + moneyText(amount, currency);

/** A picture without the parts that all pictures of a page share. */
type Drawn = Pick<Chart, "id" | "title" | "value" | "summary" | "legend" | "write"> & {
  said(point: Point): string;
  parts(point: Point): Part[];
};

type Course = { metrics: Metrics; ends: readonly [string, string]; write(amount: number): string };

function mrr({ metrics: { points, opening }, ends, write }: Course): Drawn {
  const end = points.at(-1)!.mrr;
  return {
    id: "chart-mrr",
    title: "MRR",
    value: write(end),
    summary: `MRR from ${ends[0]} to ${ends[1]}: ${write(opening)} before, ${write(end)} at the end.`,
    said: (point) => write(point.mrr),
    parts: (point) => [{ value: point.mrr, tone: "one" }],
    legend: [],
    write,
  };
}

function movements({ metrics, ends, write }: Course): Drawn {
  const { points, opening, currency } = metrics;
  const sums = totalsOf(metrics).movements;
  const all = MOVEMENT_KINDS.map((kind) => `${KIND_NAMES[kind]} ${signed(sums[kind].amount, currency)}`).join(", ");
  const sumOf = (point: Point) => MOVEMENT_KINDS.reduce((sum, kind) => sum + point.movements[kind].amount, 0);
  return {
    id: "chart-movements",
    title: "Changes of MRR",
    value: signed(points.at(-1)!.mrr - opening, currency),
    summary: `Changes of MRR from ${ends[0]} to ${ends[1]}: ${all}.`,
    said: (point) => signed(sumOf(point), currency),
    parts: (point) => MOVEMENT_KINDS.map((kind) => ({ value: point.movements[kind].amount, tone: KIND_TONES[kind] })),
    legend: [
      ["one", "New and back"],
      ["two", "Expansion"],
      ["three", "Contraction and pauses"],
      ["four", "Churn"],
    ],
    write,
  };
}

function revenue({ metrics, ends, write }: Course): Drawn {
  const sum = write(netOf(totalsOf(metrics).revenue));
  return {
    id: "chart-revenue",
    title: "Net revenue",
    value: sum,
    summary: `Net revenue from ${ends[0]} to ${ends[1]}: ${sum}.`,
    said: (point) => write(netOf(point.revenue)),
    parts: (point) => [{ value: netOf(point.revenue), tone: "one" }],
    legend: [],
    write,
  };
}

/** In the order in which the parts stand on each other. */
const STACK = ["active", "trialing", "past_due", "paused"] as const satisfies readonly CountedStatus[];

function subscriptions({ metrics: { points }, ends }: Course): Drawn {
  const last = points.at(-1)!;
  const counts = (point: Point) =>
    STACK.map((status) => `${STATES.subscription[status][1]} ${point.subscriptions[status]}`).join(", ");
  return {
    id: "chart-subscriptions",
    title: "Subscriptions",
    value: String(STACK.reduce((sum, status) => sum + last.subscriptions[status], 0)),
    summary: `Subscriptions on ${ends[1]}: ${counts(last)}.`,
    said: counts,
    parts: (point) => STACK.map((status) => ({ value: point.subscriptions[status], tone: STATUS_TONES[status] })),
    legend: STACK.map((status) => [STATUS_TONES[status], STATES.subscription[status][1]]),
    write: String,
  };
}

/** The four pictures of the overview. The table below them has the same figures. */
export function charts(metrics: Metrics, step: Step): Html[] {
  const { points, currency } = metrics;
  const ends = [bucketName(step, points[0]!), bucketName(step, points.at(-1)!)] as const;
  const course: Course = { metrics, ends, write: (amount) => moneyText(amount, currency) };
  return [mrr, movements, revenue, subscriptions].map((draw) => {
    const { said, parts, ...drawn } = draw(course);
    const columns = points.map((point) => ({
      label: `${bucketName(step, point)}: ${said(point)}`,
      parts: parts(point),
    }));
    return chart({ ...drawn, columns, ends });
  });
}
