import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { drawDiagram, readDiagram } from "../scripts/diagrams.ts";
import type { OpenApiDocument } from "../src/http/openapi-document.ts";
import { blocksOf } from "./support/guide.ts";
import { ROOT } from "./support/source.ts";

const files = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".md"),
);
const diagrams = files.sort().flatMap((file) =>
  blocksOf(readFileSync(join(ROOT, "docs", file), "utf8"))
    .filter(({ language }) => language === "mermaid")
    .map(({ code }) => ({ code, ...readDiagram(code) })),
);
const { components } = JSON.parse(
  readFileSync(join(ROOT, "docs/api/management.openapi.json"), "utf8"),
) as OpenApiDocument & { components: { schemas: Record<string, { properties: { status: { enum: string[] } } }> } };

describe("the diagrams of the documents", () => {
  test.each([
    ["States of a Subscription", "Subscription"],
    ["States of a Checkout", "Checkout"],
    ["States of an invoice", "Invoice"],
    ["States of a payment", "Payment"],
    ["States of a benefit grant", "ManagedBenefitGrant"],
  ])("%s: they are those of the API", (title, schema) => {
    const { arrows } = diagrams.find((diagram) => diagram.title === title)!;
    const states = new Set(
      arrows.flatMap(({ from, to }) => [from, to]).filter((state) => !/^(\[\*\]|end)$/.test(state)),
    );
    expect([...states].sort()).toEqual(components.schemas[schema]!.properties.status.enum.toSorted());
  });

  test("are drawn, each one once, with a description in words", () => {
    const drawn = JSON.parse(readFileSync(join(ROOT, "src/http/docs/dist/diagrams.json"), "utf8")) as object;
    expect(Object.keys(drawn)).toEqual(diagrams.map(({ code }) => code.trimEnd()));
    for (const { code } of diagrams) {
      const svg = drawDiagram(code);
      expect(svg).toMatch(/^<svg role="img" aria-labelledby="[\w-]+ [\w-]+"[^>]*><title id="[^"]+">States of /);
      expect(svg).not.toMatch(/style=|<style|NaN|undefined/);
    }
  });
});

describe("a diagram", () => {
  const text = [
    "stateDiagram-v2",
    "  accTitle: A <b>",
    "  [*] --> on: begun",
    "  on --> on: kept",
    "  on --> [*]",
  ].join("\n");

  test("lists its arrows for readers that do not see", () => {
    expect(drawDiagram(text)).toContain(">the beginning to on: begun; on to on: kept; on to the end.</desc>");
    expect(drawDiagram(text)).toContain(">A &lt;b></title>");
  });

  test("without a title, or of another kind, is refused", () => {
    expect(() => drawDiagram("stateDiagram-v2\n  a --> b")).toThrow("no diagram of states with a title");
    expect(() => drawDiagram("flowchart TB\n  accTitle: A\n  a --> b")).toThrow("no diagram of states with a title");
  });

  test("joins arrows between the same states", () => {
    const { arrows } = readDiagram("stateDiagram-v2\n  accTitle: A\n  a --> b: one\n  a --> b: two\n  b --> a: back\n");
    expect(arrows).toEqual([
      { from: "a", to: "b", causes: ["one", "two"] },
      { from: "b", to: "a", causes: ["back"] },
    ]);
  });
});
