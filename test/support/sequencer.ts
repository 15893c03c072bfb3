import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { projectOf } from "./projects.ts";

/**
 * The order of the projects. The first ones have files that last up to two minutes. The files of the last ones last
 * milliseconds, so no process of a run ends long before the others.
 */
const PROJECTS = [
  "webhooks",
  "commands",
  "checkout",
  "pages",
  "dashboard",
  "world",
  "stripe",
  "faults",
  "stories",
  "api",
  "unit",
];
/**
 * The files that mostly wait, for leases, deadlines and the ends of processes. The longest comes first. Side by side
 * they would leave the processor idle.
 */
const WAITING = [
  "crash/crash",
  "webhooks/storm",
  "webhooks/redirect",
  "postgres/embedded",
  "webhooks/outages",
  "cli/exam",
  "worker/deliverer",
  "cli/start",
  "cli/listen",
  "webhooks/delivery",
  "emails/sending",
  "store/silence",
  "api/clock",
].map((name) => `/test/${name}.test.ts`);
/** Files with work after each waiting one. Of four processes, about one waits. */
const BETWEEN = 3;

const rank = ({ moduleId }: TestSpecification): number => WAITING.findIndex((path) => moduleId.endsWith(path));

/** Each waiting file and then some of the others, until both are used up. */
function weave(files: TestSpecification[]): TestSpecification[] {
  const [waiting, others] = [files.filter((file) => rank(file) !== -1), files.filter((file) => rank(file) === -1)];
  waiting.sort((one, other) => rank(one) - rank(other));
  return [
    ...waiting.flatMap((file, n) => [file, ...others.slice(n * BETWEEN, (n + 1) * BETWEEN)]),
    ...others.slice(waiting.length * BETWEEN),
  ];
}

/** A run may hold several projects in one, see `vitest.config.ts`. */
const nameOf = ({ project, moduleId }: TestSpecification): string =>
  PROJECTS.includes(project.name) ? project.name : projectOf(relative(project.config.root, moduleId));

/** Project by project, each in the order of vitest, with the waiting files spread among the others. */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = Map.groupBy(await super.sort(files), nameOf);
    const names = [...projects.keys()].toSorted((one, other) => PROJECTS.indexOf(one) - PROJECTS.indexOf(other));
    return names.flatMap((name) => weave(projects.get(name)!));
  }
}
