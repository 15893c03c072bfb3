import { expect, test } from "vitest";
import { readable } from "./log.ts";

test.each([
  [
    { level: 30, time: 0, pid: 7, requestId: "req_1", code: "unauthenticated", msg: "a key was refused" },
    "00:00:00 info a key was refused requestId=req_1 code=unauthenticated",
  ],
  [
    { level: 50, time: 86_399_000, pid: 7, err: { message: "no disk" }, path: "/a b", msg: "a fault" },
    '23:59:59 error a fault err={"message":"no disk"} path="/a b"',
  ],
  [{ level: 40, time: 0, pid: 7 }, "00:00:00 warn"],
])("%j is readable on a terminal", (line, text) => {
  expect(readable(JSON.stringify(line))).toBe(text);
});
