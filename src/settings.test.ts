import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SETTINGS } from "./settings.ts";

const config = readFileSync(new URL("config.ts", import.meta.url), "utf8");
/** The defaults that config.ts states as a word or a number. */
const defaults = [...config.matchAll(/\(\s*environment,\s*"(\w+)",\s*(?:"([^"]+)"|(\d+|false))/g)].map(
  ([, name, text, other]) => [name as keyof typeof SETTINGS, text ?? other!] as const,
);

test("the page of the settings shows the defaults of config.ts", () => {
  expect(defaults.length).toBeGreaterThan(10);
  for (const [name, value] of defaults) expect(`${name} ${SETTINGS[name].fallback}`).toBe(`${name} \`${value}\``);
});
