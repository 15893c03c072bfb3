import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest. Otherwise a run on a new machine, which knows no times yet, ends with one of them. */
const LONGEST = ["crash/crash", "webhooks/redirect", "cli/exam", "postgres/embedded", "cli/start", "cli/listen"].map(
  (name) => `/test/${name}.test.ts`,
);

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = LONGEST.findIndex((path) => moduleId.endsWith(path));
  return place === -1 ? LONGEST.length : place;
};

/** The order of the files: as vitest sorts them, but in each project the longest ones come first. */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    return [...projects.values()].flatMap((own) => own.toSorted((one, other) => placeOf(one) - placeOf(other)));
  }
}
