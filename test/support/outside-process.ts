import { pino } from "pino";
import { readConfig } from "../../src/config.ts";
import { createContext, type OpenContext } from "../../src/context.ts";
import { startServer } from "../../src/http/server.ts";
import { reservePort } from "../../src/port.ts";
import { createWebApp } from "../../src/web/app.ts";
import type { OutsideProvider } from "./outside-provider.ts";

/** A process of Billow over one database. `warnings`: the messages that it logs. */
export type Process = { ctx: OpenContext; url: string; warnings: string[]; close(): Promise<void> };

export async function beginProcess(environment: Record<string, string>, outside: OutsideProvider): Promise<Process> {
  const warnings: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) });
  const reserved = await reservePort("127.0.0.1", 0);
  const settings = { BILLOW_SECRET: "s".repeat(32), RATE_LIMIT: "0", PORT: String(reserved.port), ...environment };
  const ctx = await createContext(readConfig(settings), { log });
  for (const each of [ctx, ctx.requests, ctx.deliveries])
    Object.assign(each.payments, { connected: async () => outside.provider });
  await reserved.release();
  const server = await startServer(ctx.requests, { web: createWebApp(ctx.requests) });
  return {
    ctx,
    url: `http://127.0.0.1:${reserved.port}`,
    warnings,
    async close() {
      await server.close();
      await ctx.close();
    },
  };
}
