import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { at } from "../../../test/support/subscription.ts";
import { DAY, HOUR, instant, MINUTE, type Instant } from "../calendar.ts";
import { emailKey } from "./customer.ts";
import {
  askForChange,
  confirmChange,
  endAll,
  maskedLocalPart,
  undoChange,
  UNDO_DAYS,
  type EmailChange,
} from "./email-change.ts";

const NOW = at("2026-03-01");
const after = (milliseconds: number): Instant => instant(NOW + milliseconds);
const owner = (email: string) => ({ organizationId: "org_1", id: "cus_1", email, emailKey: emailKey(email) });
const address = (email: string) => ({ email, key: emailKey(email) });
const ids = { id: "emc_9", confirmEmailId: "eml_9" };
const A = owner("Ada@example.com");

/** A request for an address, made `ago` milliseconds before NOW. */
function asked(email: string, ago: number, others: Partial<EmailChange> = {}): EmailChange {
  return {
    organizationId: "org_1",
    id: `emc_${email}_${ago}`,
    customerId: "cus_1",
    status: "asked",
    oldEmail: A.email,
    oldKey: A.emailKey,
    newEmail: email,
    newKey: emailKey(email),
    confirmEmailId: "eml_1",
    undoEmailId: null,
    askedAt: after(-ago),
    changedAt: null,
    expiresAt: after(HOUR - ago),
    ...others,
  };
}

/** An ended request keeps only the key of its address. */
const withEnd = (change: EmailChange) => ({ ...change, status: "ended", oldEmail: "", oldKey: "", newEmail: "" });

describe("a request", () => {
  const ask = (email: string, own: EmailChange[] = [], sentLately = 0) =>
    askForChange(A, address(email), { own, sentLately, now: NOW }, ids);
  const five = [1, 2, 3, 4, 5].map((n) => asked(`n${n}@example.com`, n * MINUTE));

  it("waits an hour for the new address", () => {
    expect(ask("New@example.com")).toEqual({
      asked: { ...asked("New@example.com", 0), ...ids },
      ended: [],
    });
  });

  test.each<[title: string, email: string, own: EmailChange[], sentLately: number, expected: unknown]>([
    ["for the present address, in any case", "ADA@example.com", [], 0, { refused: "same" }],
    ["sent twice", "new@example.com", [asked("NEW@example.com", MINUTE)], 0, "waits"],
    ["of a Customer that asked five times within the hour", "new@example.com", five, 0, { refused: "too_many" }],
    [
      "of a Customer with five requests that ended",
      "new@example.com",
      five.map((each) => ({ ...each, status: "ended" as const })),
      0,
      { refused: "too_many" },
    ],
    ["for an address that others ask for all the time", "new@example.com", [], 5, "crowded"],
  ])("%s", (_, email, own, sentLately, expected) => {
    expect(ask(email, own, sentLately)).toEqual(expected);
  });

  it("ends the requests for other addresses, and no request for the same address", () => {
    const [other, same] = [asked("other@example.com", 5 * MINUTE), asked("new@example.com", 3 * MINUTE)];
    const over = asked("over@example.com", 2 * HOUR);
    expect(ask("new@example.com", [other, same, over])).toMatchObject({ ended: [withEnd(other)] });
  });

  it("is possible again an hour after the first of five", () => {
    const earlier = five.map((each, n) => (n === 0 ? asked("n1@example.com", HOUR) : each));
    expect(ask("new@example.com", earlier)).toHaveProperty("asked");
  });
});

describe("a confirmation", () => {
  const confirm = (own: EmailChange[], id: string, now = NOW) =>
    confirmChange(A, own, id, { now, undoEmailId: "eml_2" });

  it("can be undone for seven days, and ends all other requests", () => {
    const [one, other] = [asked("new@example.com", 5 * MINUTE), asked("other@example.com", MINUTE)];
    expect(confirm([one, other], one.id)).toEqual({
      changed: {
        ...one,
        status: "changed",
        undoEmailId: "eml_2",
        changedAt: NOW,
        expiresAt: after(UNDO_DAYS * DAY),
      },
      ended: [withEnd(other)],
    });
  });

  it("works within the hour, once, and for a known request only", () => {
    const one = asked("new@example.com", HOUR - 1);
    expect(confirm([one], one.id)).not.toBeNull();
    expect(confirm([one], one.id, after(1))).toBeNull();
    expect(confirm([one], "emc_x")).toBeNull();
    for (const status of ["changed", "ended"] as const) expect(confirm([{ ...one, status }], one.id)).toBeNull();
  });
});

/** A Customer whose address moves along `path`, one change a minute. */
function moved(path: readonly string[]): EmailChange[] {
  return path.slice(1).map((email, n) => {
    const from = path[n]!;
    const changedAt = after((n + 1) * MINUTE);
    return asked(email, 0, {
      id: `emc_${n}`,
      status: "changed",
      oldEmail: from,
      oldKey: emailKey(from),
      undoEmailId: `eml_${n}`,
      changedAt,
      expiresAt: instant(changedAt + UNDO_DAYS * DAY),
    });
  });
}

const applied = (own: readonly EmailChange[], changes: readonly EmailChange[]) =>
  own.map((each) => changes.find(({ id }) => id === each.id) ?? each);

describe("an undo", () => {
  const own = moved(["a@example.com", "b@example.com", "c@example.com", "d@example.com"]);
  const soon = after(HOUR);

  it("gives the earlier address back, and ends that change and all later ones without their addresses", () => {
    const waits = asked("e@example.com", 0);
    const undone = undoChange([...own, waits], "emc_1", soon)!;
    expect(undone.email).toBe("b@example.com");
    expect(undone.ended.map(({ id, status }) => [id, status])).toEqual([
      ["emc_1", "ended"],
      ["emc_2", "ended"],
      [waits.id, "ended"],
    ]);
    const blank = { oldEmail: "", oldKey: "", newEmail: "", newKey: "" };
    expect(undone.ended.slice(0, 2)).toMatchObject([blank, blank]);
  });

  it("leaves earlier changes to be undone", () => {
    const left = applied(own, undoChange(own, "emc_2", soon)!.ended);
    expect(undoChange(left, "emc_2", soon)).toBeNull();
    expect(undoChange(left, "emc_0", soon)).toMatchObject({ email: "a@example.com" });
  });

  it("works for seven days from its own change", () => {
    const last = own[0]!.expiresAt;
    expect(undoChange(own, "emc_0", instant(last - 1))).not.toBeNull();
    expect(undoChange(own, "emc_0", last)).toBeNull();
    expect(undoChange(own, "emc_1", last)).not.toBeNull();
  });

  it("is not possible for a request, or for an unknown change", () => {
    expect(undoChange([asked("b@example.com", 0)], "emc_b@example.com_0", soon)).toBeNull();
    expect(undoChange(own, "emc_x", soon)).toBeNull();
  });

  it("by the first owner wins, however often and in whichever order later addresses undo", () => {
    const undos = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 10 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), undos, (hops, attempts) => {
        let changes = moved(Array.from({ length: hops + 1 }, (_, n) => `a${n}@example.com`));
        for (const n of attempts) {
          const undone = undoChange(changes, `emc_${n}`, soon);
          if (undone) changes = applied(changes, undone.ended);
        }
        const first = undoChange(changes, "emc_0", soon);
        expect(first?.email).toBe("a0@example.com");
        const over = applied(changes, first!.ended);
        for (const { id } of over) expect(undoChange(over, id, soon)).toBeNull();
      }),
    );
  });
});

test("the seller's change ends everything once, and keeps no address that was confirmed", () => {
  const [changed] = moved(["a@example.com", "b@example.com"]);
  const waits = asked("c@example.com", 0);
  const over = endAll([changed!, waits, { ...waits, id: "emc_ended", status: "ended" }]);
  expect(over).toMatchObject([
    { id: changed!.id, status: "ended", oldEmail: "", newEmail: "" },
    { id: waits.id, status: "ended", oldEmail: "", newEmail: "", newKey: waits.newKey },
  ]);
  expect(endAll(over)).toEqual([]);
});

test.each([
  ["nina@new.example", "n•••@new.example"],
  ["n@new.example", "n•••@new.example"],
  ["Ürsula@bücher.example", "Ü•••@bücher.example"],
  ["𝒳@example.com", "𝒳•••@example.com"],
])("%s is shown as %s", (email, shown) => {
  expect(maskedLocalPart(email)).toBe(shown);
});
