import type { World } from "./world.ts";

/**
 * One request. `{n}` stands for the id of a random copy, and `{own}` for the id of a copy that no other request of
 * this case names. `{new}` stands for a number that was never sent before, and `{flip}` for true and false in turn.
 * `isReplayed`: the bare server and pgbench can repeat the recorded statements. A charge is made only once, so its
 * statements are not repeated.
 */
export type Case = { name: string; method: "GET" | "POST" | "PATCH"; path: string; body?: string; isReplayed: boolean };

const replayed = { isReplayed: true } as const;

export const casesOf = ({ checkout }: Pick<World, "checkout">): Case[] => [
  { name: "GET /subscriptions/{id}", method: "GET", path: "/subscriptions/sub_{n}", ...replayed },
  { name: "GET /benefit-grants", method: "GET", path: "/benefit-grants?customerId=cus_{n}", ...replayed },
  { name: "GET /checkouts/{id}", method: "GET", path: `/checkouts/${checkout}`, ...replayed },
  { name: "POST /checkouts", method: "POST", path: "/checkouts", body: '{"productKey":"lifetime"}', ...replayed },
  {
    name: "POST /checkouts, known Customer",
    method: "POST",
    path: "/checkouts",
    body: '{"productKey":"lifetime","customerId":"cus_{n}"}',
    ...replayed,
  },
  {
    name: "POST /checkouts, new Customer",
    method: "POST",
    path: "/checkouts",
    body: '{"productKey":"lifetime","customer":{"email":"new-{new}@example.com"}}',
    ...replayed,
  },
  {
    name: "POST /customers",
    method: "POST",
    path: "/customers",
    body: '{"email":"new-{new}@example.com"}',
    ...replayed,
  },
  // Comes before the next case, which schedules the end of some Subscriptions. Such an end rules this change out.
  {
    name: "PATCH /subscriptions/{id} that charges",
    method: "PATCH",
    path: "/subscriptions/sub_{own}",
    body: '{"productKey":"pro-yearly"}',
    isReplayed: false,
  },
  {
    name: "PATCH /subscriptions/{id} that schedules",
    method: "PATCH",
    path: "/subscriptions/sub_{n}",
    body: '{"cancelAtPeriodEnd":{flip}}',
    ...replayed,
  },
];

/** The text of the `turn`-th request, which names the copy `n`. */
export function fill(text: string, { n, turn }: { n: number; turn: number }): string {
  const id = String(n).padStart(26, "0");
  const values = { n: id, own: id, new: String(Date.now() * 1000 + turn), flip: String(turn % 2 === 0) };
  return text.replace(/\{(n|own|new|flip)\}/g, (_, name: keyof typeof values) => values[name]);
}

/**
 * The same request as a Lua script for `wrk`. `{n}` is one of `copies`. `{own}` is one of the copies `first` to
 * `first + count - 1`.
 */
export function luaOf({ method, path, body }: Case, first: number, count: number, copies: number): string {
  const values = { n: "id(n)", own: "id(own)", new: "fresh()", flip: "tostring(turn % 2 == 0)" };
  const expression = (text: string) =>
    `[==[${text}]==]`.replace(
      /\{(n|own|new|flip)\}/g,
      (_, name: keyof typeof values) => `]==] .. ${values[name]} .. [==[`,
    );
  return `
math.randomseed(os.time() * 1000 + ${first})
local turn = 0
local function id(n) return string.format("%026d", n) end
local function fresh() return string.format("%d%09d", os.time(), math.random(0, 999999999)) end
request = function()
  local n = math.random(1, ${copies})
  local own = ${first} + turn % ${count}
  turn = turn + 1
  return wrk.format("${method}", wrk.path .. ${expression(path)}, nil, ${body === undefined ? "nil" : expression(body)})
end`;
}
