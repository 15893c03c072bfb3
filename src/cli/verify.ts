import { storeVerification } from "../actions/store-verification.ts";
import { VERIFIED, verifyOrganization, type Verification } from "../actions/verify.ts";
import type { Context } from "../context.ts";
import { counted } from "../domain/words.ts";
import { reasonOf } from "../errors.ts";
import { MOST_EXAMPLES, type Example } from "../store/verify/rule.ts";
import { EACH_ORGANIZATION, type Command, type Output, type Wiring } from "./command.ts";
import { findOrganizations, openExisting, requireMigrated } from "./database.ts";

const DISAGREES = 1;
const FAILED = 2;

type Finding = { organizationId: string; rule: string; says: string; count: number; examples: Example[] };
type Report = {
  disagreements: Finding[];
  held: Pick<Finding, "organizationId" | "count">[];
  looked: Record<string, number>;
};

/**
 * Adds a verification to the report. For each rule, the report keeps only the first examples, counted over all
 * Organizations together.
 */
function add(report: Report, { organizationId, disagreements, held, counts }: Verification): void {
  for (const found of disagreements) {
    const before = report.disagreements
      .filter(({ rule }) => rule === found.rule)
      .reduce((sum, { examples }) => sum + examples.length, 0);
    report.disagreements.push({ organizationId, ...found, examples: found.examples.slice(0, MOST_EXAMPLES - before) });
  }
  if (held.count > 0) report.held.push({ organizationId, count: held.count });
  report.looked["organizations"]! += 1;
  for (const [what, count] of Object.entries(counts)) report.looked[what] = (report.looked[what] ?? 0) + count;
}

const figures = (example: Example) =>
  Object.entries(example)
    .map(([name, value]) => `${name} ${value ?? "–"}`)
    .join("  ");

function describe({ organizationId, rule, says, count, examples }: Finding): string {
  const more = count > examples.length ? [`  and ${count - examples.length} more`] : [];
  return [`${organizationId}  ${rule}: ${says}`, ...examples.map((example) => `  ${figures(example)}`), ...more].join(
    "\n",
  );
}

function present(report: Report): Output {
  const { disagreements, held, looked } = report;
  const total = disagreements.reduce((sum, { count }) => sum + count, 0);
  const waiting = held.map(({ organizationId, count }) => {
    const are = count === 1 ? "is" : "are";
    return `${organizationId}  ${counted(count, "Subscription")} ${are} held: see node bin/billow.mjs catch-up`;
  });
  const result = total === 0 ? "Everything agrees." : `${counted(total, "disagreement")}.`;
  const seen = Object.entries(looked).map(([what, number]) => {
    const nouns = what.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return counted(number, nouns.replace(/s$/, ""), nouns);
  });
  const looks = `${result} ${VERIFIED.length} rules were checked against ${seen.join(", ")}.`;
  const text = [...disagreements.map(describe), ...waiting, looks].join("\n");
  return { text, json: { disagreements, held, rules: VERIFIED.length, looked } };
}

/** A database that takes no writes can be checked too, but keeps no result. */
async function tryToStore(wiring: Wiring, ctx: Context, verification: Verification): Promise<void> {
  try {
    await storeVerification(ctx, verification);
  } catch (error) {
    const reason = reasonOf((error as Error).cause ?? error);
    wiring.note(`${verification.organizationId}: the dashboard does not show this result: ${reason}.`);
  }
}

export const verify: Command = {
  usage: "verify [--organization ID|NAME]",
  summary: "checks invoices, payments, ledger, periods, grants and the provider's book against each other",
  group: "Check and repair",
  options: EACH_ORGANIZATION,
  example: "verify --organization Acme",
  exits: { 0: "all figures agree", 1: "figures disagree", 2: "the check could not be finished, or a wrong call" },
  failure: FAILED,
  async run(wiring, values) {
    const ctx = await openExisting(wiring);
    try {
      await requireMigrated(ctx);
      const report: Report = { disagreements: [], held: [], looked: { organizations: 0 } };
      for (const organization of await findOrganizations(ctx, values)) {
        const verification = await verifyOrganization(ctx, organization);
        add(report, verification);
        await tryToStore(wiring, ctx, verification);
      }
      wiring.print(present(report));
      return report.disagreements.length > 0 ? DISAGREES : 0;
    } finally {
      await ctx.close();
    }
  },
};
