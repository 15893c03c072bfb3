import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "./support/source.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const guide = read("docs/guides/add-a-payment-provider.md");

describe("the guide for a payment provider", () => {
  test("names each member of the contract", () => {
    const [, contract] = /export type PaymentProvider = \{([^]*?)\n\};/.exec(read("src/payments/provider.ts"))!;
    const members = [...contract!.matchAll(/^ {2}(?:readonly )?(\w+)\??[(:]/gm)].map(([, name]) => name);
    const [, table] = /## The contract\n([^]*?)\n\n[^|]/.exec(guide.replace(/(## The contract\n)\n/, "$1"))!;
    const named = [...table!.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(members.sort());
  });
});
