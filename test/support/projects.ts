/**
 * The projects, and the beginnings of the paths of their files, below the root of the repository. A file belongs to the
 * first project with its beginning, so `api` has the files of `test/api` that `dashboard-requests` leaves. The last
 * project has all other tests. Each project takes less than 90 seconds on two cores.
 */
const BEGINNINGS = {
  unit: ["src/", "test/client/", "test/domain/", "test/exam/", "test/outbound/"],
  clocks: ["test/faults/clocks", "test/webhooks/backlogs"],
  "dashboard-requests": ["test/api/dashboard"],
  api: ["test/api/"],
  http: ["test/actions/", "test/http/", "test/payments/", "test/store/"],
  stories: ["test/scenarios/"],
  documents: ["test/docs/", "test/documents/", "test/emails/"],
  faults: ["test/faults/", "test/simulation/"],
  checkout: ["test/browser/checkout"],
  "dashboard-pages": ["test/browser/dashboard-every"],
  "dashboard-customers": [
    "test/browser/dashboard-customer",
    "test/browser/dashboard-finance",
    "test/browser/dashboard-keyboard",
    "test/browser/dashboard-lists",
    "test/browser/dashboard-new",
    "test/browser/dashboard-subscriptions",
    "test/browser/dashboard-support",
  ],
  dashboard: ["test/browser/dashboard"],
  portal: ["test/browser/portal"],
  "provider-pages": ["test/browser/hosted-entry", "test/browser/stripe"],
  pages: ["test/browser/"],
  commands: ["test/cli/"],
  durability: ["test/bench/", "test/crash/", "test/embedded-postgres/", "test/postgres/"],
  webhooks: ["test/webhooks/", "test/worker/"],
  world: ["test/"],
};

type Name = keyof typeof BEGINNINGS;
export const NAMES = Object.keys(BEGINNINGS) as Name[];
/**
 * These projects have processes of their own. The files of `clocks` put the clock of their process an hour ahead. The
 * ids of that process stay ahead, and would be greater than later ids of another process.
 */
export const APART = ["unit", "clocks"] as const satisfies Name[];
/** The projects whose files follow each other in a process. */
export const SHARING = NAMES.filter((name) => !(APART as Name[]).includes(name));

/** The project of a test by its path from the root of the repository. */
export const projectOf = (path: string): Name =>
  NAMES.find((name) => BEGINNINGS[name].some((beginning) => path.startsWith(beginning))) ?? "world";

const patterns = (names: Name[]): string[] =>
  names.flatMap((name) =>
    BEGINNINGS[name].map((beginning) => `${beginning}${beginning.endsWith("/") ? "**/*" : "*"}.test.ts`),
  );

/** The patterns of a project's files. */
export const filesOf = (name: Name): { include: string[]; exclude: string[] } => ({
  include: patterns([name]),
  exclude: patterns(NAMES.slice(0, NAMES.indexOf(name))),
});
