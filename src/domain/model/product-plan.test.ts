import { expect, test } from "vitest";
import type { Product } from "./product.ts";
import { plansOf, plansByGroup } from "./product-plan.ts";

const product = (name: string, rhythm: string, benefitIds: string[] = [], groupKey: string | null = "plans") => {
  const [count, interval] = rhythm === "once" ? [null, null] : rhythm.split(" ");
  return { name, interval, intervalCount: count === null ? null : Number(count), benefitIds, groupKey } as Product;
};
const shown = (products: Product[]) =>
  plansOf(products).map(({ name, variants }) => [name, variants.map((each) => `${each.name} ${each.interval}`)]);

test("the same name with other periods is one plan, the shortest period first", () => {
  const found = shown([product("Pro", "1 year"), product("Team", "1 month"), product(" pro", "1 month")]);
  expect(found).toEqual([
    [" pro", [" pro month", "Pro year"]],
    ["Team", ["Team month"]],
  ]);
});

test("the same Benefits with other periods are one plan", () => {
  const found = shown([
    product("Pro", "1 month", ["a", "b"]),
    product("Pro, yearly", "1 year", ["b", "a"]),
    product("Basic", "1 year", ["a"]),
  ]);
  expect(found).toEqual([
    ["Pro", ["Pro month", "Pro, yearly year"]],
    ["Basic", ["Basic year"]],
  ]);
});

test("two Products of one period are never one plan, and Products without Benefits are told apart by name", () => {
  const found = shown([
    product("Pro", "1 month", ["a"]),
    product("Team", "1 month", ["a"]),
    product("Free", "1 month"),
    product("Lite", "1 year"),
    product("Pro", "3 month", ["c"]),
    product("Pro", "3 month", ["c"]),
  ]);
  expect(found.map(([name, variants]) => [name, variants!.length])).toEqual([
    ["Pro", 2],
    ["Team", 1],
    ["Free", 1],
    ["Lite", 1],
    ["Pro", 1],
  ]);
});

test("the name decides before the Benefits", () => {
  const found = shown([
    product("Pro", "1 month", ["a"]),
    product("Team, yearly", "1 year", ["a"]),
    product("Pro", "1 year", ["a", "b"]),
  ]);
  expect(found).toEqual([
    ["Pro", ["Pro month", "Pro year"]],
    ["Team, yearly", ["Team, yearly year"]],
  ]);
});

test("each group has its own plans, and a Product without a group is a plan of its own", () => {
  const groups = plansByGroup([
    product("Pro", "1 month"),
    product("Pro", "1 year", [], "addons"),
    product("Support", "1 month", [], null),
    product("Support", "1 year", [], null),
    product("Book", "once", [], null),
  ]);
  expect(groups.map(({ group, plans }) => [group, plans.map(({ variants }) => variants.length)])).toEqual([
    ["plans", [1]],
    ["addons", [1]],
    [null, [1, 1]],
  ]);
});
