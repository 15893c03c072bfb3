import { expect, test } from "vitest";
import { problemBy, type CheckedRow, type FoundThere, type ImportProblem } from "./both-sides.ts";

const row: CheckedRow = {
  ref: "sub_there",
  customerRef: "cus_1",
  subscriptionId: "sub_here",
  state: "moved",
  isEnded: false,
  isEnding: false,
};
const running: FoundThere = {
  ref: "sub_there",
  customerRef: "cus_1",
  isCharged: true,
  stoppedFor: null,
  isEnding: false,
};
const stopped: FoundThere = { ...running, isCharged: false, stoppedFor: "sub_here" };
const second: FoundThere = { ...running, ref: "sub_second" };

test.each<[name: string, problem: ImportProblem | null, row: Partial<CheckedRow>, found: FoundThere]>([
  ["a moved one that is stopped", null, {}, stopped],
  ["a moved one that a person paused", null, {}, { ...running, isCharged: false }],
  ["a moved one that runs", "running_there", {}, running],
  ["a finished one that runs", "running_there", { state: "finished" }, running],
  ["a moved one that is to end there", "ends_there", {}, { ...stopped, isEnding: true }],
  ["a moved one that is to end on both sides", null, { isEnding: true }, { ...stopped, isEnding: true }],
  ["one that is to end there, and has ended here", null, { isEnded: true }, { ...stopped, isEnding: true }],
  ["another one that is paused and is to end", null, {}, { ...second, isCharged: false, isEnding: true }],
  ["one that runs, and has ended here", null, { isEnded: true }, running],
  ["another one that runs", "second_subscription", {}, second],
  ["another one that is paused", null, {}, { ...second, isCharged: false }],
  ["another one, of a Customer whose Subscription here has ended", null, { isEnded: true }, second],
  ["one on its way, before the pause", null, { state: "stopping" }, running],
  ["one on its way, after the pause", null, { state: "stopping" }, stopped],
  ["an undone one that runs", null, { state: "imported" }, running],
  ["an undone one that is still stopped", "stopped_there", { state: "imported" }, stopped],
  ["an undone one that is stopped for another", null, { state: "imported" }, { ...stopped, stoppedFor: "sub_other" }],
])("the check of %s finds %s", (_, problem, changes, found) => {
  expect(problemBy({ ...row, ...changes }, found)).toBe(problem);
});
