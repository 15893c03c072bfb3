import type { Database } from "../../src/store/driver/db.ts";
import type { Json } from "../support/app.ts";
import type { Started } from "../support/command-line.ts";
import { until } from "../support/until.ts";
import { createGround } from "./ground.ts";

export type Request = { surface: "public" | "manage"; method: string; path: string; body?: object; key?: string };
export type Reply = { status: number; text: string; body: Json; replayed: boolean };

export type Victim = "server" | "database";

/** Billow as an operator runs it, with its own database. Callers may be shut out. */
export type Service = {
  /** Waits as long as callers are shut out. Null: the answer was lost. @throws Error once the service is closed */
  call(request: Request): Promise<Reply | null>;
  /** As `call`, but never shut out: for the operator. */
  look(path: string): Promise<Json>;
  /** Lets callers in until they have received this many more answers. */
  serve(answers: number): Promise<void>;
  /** Kills the server or every process of PostgreSQL, or both in turn. Callers are shut out. */
  kill(victims: readonly Victim[]): Promise<void>;
  /** Starts the victims again. A living server starts its embedded database itself. */
  recover(): Promise<void>;
  stop(): Promise<number | null>;
  /** Works on the database of the stopped service. */
  lookInto<T>(work: (db: Database) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

const BASES = { public: "/public/v2", manage: "/manage/v1" };

export async function startService(): Promise<Service> {
  const ground = await createGround();
  const environment = { ...ground.environment, RATE_LIMIT: "0", LOG_LEVEL: "fatal" };
  const launch = () => ground.workspace.start(["start", "--json"], environment);
  let started: Started = await launch();
  const keys = ground.keys ?? started.output.keys;
  let gate = Promise.withResolvers<void>();
  const underway = new Set<Promise<unknown>>();
  let [answered, serverDied, closed] = [0, false, false];

  async function request({ surface, method, path, body, key }: Request): Promise<Reply> {
    const headers = new Headers({ Authorization: `Bearer ${keys[surface]}` });
    if (body) headers.set("Content-Type", "application/json");
    if (key !== undefined) headers.set("Idempotency-Key", key);
    const response = await fetch(started.output.url + BASES[surface] + path, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
    });
    const text = await response.text();
    answered += 1;
    return {
      status: response.status,
      text,
      body: JSON.parse(text),
      replayed: response.headers.has("Idempotency-Replayed"),
    };
  }

  async function look(path: string): Promise<Json> {
    const { status, text, body } = await request({ surface: "manage", method: "GET", path });
    if (status !== 200) throw new Error(`GET ${path} answers ${status}: ${text}`);
    return body;
  }

  return {
    look,
    async call(wanted) {
      await gate.promise;
      if (closed) throw new Error("the service is closed");
      const reply = request(wanted).catch(() => null);
      underway.add(reply);
      return reply.finally(() => underway.delete(reply));
    },
    async serve(answers) {
      const enough = answered + answers;
      gate.resolve();
      await until(() => answered >= enough || closed);
    },
    async kill(victims) {
      gate = Promise.withResolvers();
      serverDied = victims.includes("server");
      for (const victim of victims) await (victim === "server" ? started.signal("SIGKILL") : ground.kill());
      await Promise.all([...underway, serverDied && started.finished]);
    },
    async recover() {
      await ground.repair();
      if (serverDied) started = await launch();
      else await until(() => look("/organization").catch(() => null));
    },
    async stop() {
      started.signal("SIGTERM");
      return (await started.finished).code;
    },
    lookInto: ground.look,
    async close() {
      closed = true;
      gate.resolve();
      await ground.close();
    },
  };
}
