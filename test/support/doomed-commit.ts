import { Socket } from "node:net";

/*
 * `node --import` loads this file into a process of Billow. The process dies as by `kill -9` at one of its commits:
 * just before the commit is sent, or just after. PostgreSQL carries out a commit that was sent.
 */
const place = Number(process.env["DOOMED_COMMIT"]);
const isAfter = process.env["DOOMED_WHEN"] === "after";

const { write } = Socket.prototype;
let commits = 0;

function countsCommits(data: unknown): number {
  const text = typeof data === "string" ? data : data instanceof Uint8Array ? Buffer.from(data).toString("latin1") : "";
  return text.split("COMMIT\0").length - 1;
}

const die = () => process.kill(process.pid, "SIGKILL");

Socket.prototype.write = function (this: Socket, ...args: unknown[]): boolean {
  const before = commits;
  commits += countsCommits(args[0]);
  const isDoomed = before < place && commits >= place;
  if (!isDoomed) return Reflect.apply(write, this, args) as boolean;
  if (!isAfter) {
    die();
    return true;
  }
  return Reflect.apply(write, this, [args[0], die]) as boolean;
} as typeof write;
