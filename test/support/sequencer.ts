import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { projectOf } from "./projects.ts";

/**
 * The order of the projects. The first ones have files that last up to two minutes. The files of the last ones last
 * milliseconds, so no process of a run ends long before the others.
 */
const PROJECTS = [
  "durability",
  "clocks",
  "webhooks",
  "commands",
  "checkout",
  "provider-pages",
  "pages",
  "portal",
  "dashboard",
  "world",
  "stripe",
  "faults",
  "stories",
  "documents",
  "api",
  "dashboard-requests",
  "http",
  "unit",
];
/**
 * The files that mostly wait, for leases, deadlines and the ends of processes. The longest comes first. Side by side
 * they would leave the processor idle.
 */
const WAITING = [
  "crash/crash",
  "cli/start",
  "postgres/embedded",
  "webhooks/backlogs",
  "webhooks/redirect",
  "webhooks/storm",
  "cli/exam",
  "cli/listen",
  "store/silence",
  "webhooks/outages",
  "emails/sending",
  "api/clock",
  "webhooks/queue",
  "worker/deliverer",
  "webhooks/delivery",
].map((name) => `/test/${name}.test.ts`);
/** Files with work after each waiting one in a run of all tests. Of four processes, about one waits. */
const BETWEEN = 3;

const rank = ({ moduleId }: TestSpecification): number => WAITING.findIndex((path) => moduleId.endsWith(path));

/** Each waiting file and then `between` of the others, until both are used up. */
function weave(files: TestSpecification[], between: number): TestSpecification[] {
  const [waiting, others] = [files.filter((file) => rank(file) !== -1), files.filter((file) => rank(file) === -1)];
  waiting.sort((one, other) => rank(one) - rank(other));
  return [
    ...waiting.flatMap((file, n) => [file, ...others.slice(n * between, (n + 1) * between)]),
    ...others.slice(waiting.length * between),
  ];
}

/** A run may hold several projects in one, see `vitest.config.ts`. */
const nameOf = ({ project, moduleId }: TestSpecification): string =>
  PROJECTS.includes(project.name) ? project.name : projectOf(relative(project.config.root, moduleId));

/**
 * Project by project, each in the order of vitest, with the waiting files spread among the others. In a run of one
 * project the waiting files come first, because the last of them would end alone.
 */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = Map.groupBy(await super.sort(files), nameOf);
    const names = [...projects.keys()].toSorted((one, other) => PROJECTS.indexOf(one) - PROJECTS.indexOf(other));
    return names.flatMap((name) => weave(projects.get(name)!, names.length === 1 ? 0 : BETWEEN));
  }
}
