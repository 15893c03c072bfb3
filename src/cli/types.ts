import type { Context } from "../context.ts";
import type { Benefit } from "../domain/model/benefit.ts";
import { listBenefits } from "../store/benefits.ts";
import { listProducts } from "../store/products.ts";
import { ORGANIZATION, type Command } from "./command.ts";
import { findOrganization, withDatabase } from "./database.ts";

type FeatureProperties = Extract<Benefit["properties"], { feature: string }>;
/** `features`: the kinds of the values of each feature. */
type Names = { productKeys: string[]; features: Record<string, string[]> };

const PAGE = 1000;

/** All rows of a list that answers one row more than its page holds. */
async function all<Row extends { id: string }>(list: (cursor: string | undefined) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await list(rows.at(-1)?.id);
    rows.push(...page.slice(0, PAGE));
    if (page.length <= PAGE) return rows;
  }
}

/** The names in alphabetical order, so that the same catalogue gives the same declaration. */
async function readNames({ db }: Context, organizationId: string): Promise<Names> {
  const page = { limit: PAGE, key: undefined, search: undefined };
  const products = await all((cursor) =>
    listProducts(db.read, organizationId, { ...page, cursor, archived: "false", benefitId: undefined }),
  );
  const benefits = await all((cursor) => listBenefits(db.read, organizationId, { ...page, cursor, type: "feature" }));
  const values = benefits.map(({ properties }) => properties as FeatureProperties);
  const byFeature = Object.entries(Object.groupBy(values, ({ feature }) => feature)).sort(byName);
  return {
    productKeys: products.flatMap(({ key }) => key ?? []).sort(),
    features: Object.fromEntries(byFeature.map(([feature, of = []]) => [feature, kindsOf(of)])),
  };
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1);

function kindsOf(properties: readonly FeatureProperties[]): string[] {
  return [...new Set(properties.map(({ value }) => typeof value))].sort();
}

function declaration({ productKeys, features }: Names): string {
  const keys = productKeys.map((key) => `\n      | ${JSON.stringify(key)}`).join("");
  const members = Object.entries(features).map(
    ([name, kinds]) => `      ${JSON.stringify(name)}: ${kinds.join(" | ")};`,
  );
  return `// Written by \`node bin/billow.mjs types\`. Write the file again after a change of the catalogue.
import "@billow/client";

declare module "@billow/client" {
  interface Catalogue {
    productKeys:${keys || " never"};
    features: {
${members.map((member) => `${member}\n`).join("")}    };
  }
}`;
}

export const types: Command = {
  usage: "types [--organization ID|NAME]",
  summary: "prints a declaration for TypeScript with your Product keys and features",
  group: "Sell and test",
  options: ORGANIZATION,
  example: "types --organization Demo > ../app/billow.d.ts",
  async run(wiring, values) {
    await withDatabase(wiring, async (ctx) => {
      const { id } = await findOrganization(ctx, values);
      const names = await readNames(ctx, id);
      wiring.print({ text: declaration(names), json: names });
    });
  },
};
