import cluster from "node:cluster";
import { isCopy } from "../actions/installation.ts";
import { noteTimeIfPossible } from "../actions/organization/catch-up.ts";
import type { Command } from "./command.ts";
import { requireReady, warnOfServers } from "./database.ts";
import { noteServer } from "./server-file.ts";
import { partOf, reserve, run } from "./lifecycle.ts";

/** The reservation of a cluster's child does nothing, because the cluster's primary holds the port. */
const HELD = { release: async () => undefined };

export const serve: Command = {
  usage: "serve",
  summary: "runs API and pages alone, on a database that is migrated",
  group: "Run",
  options: {},
  example: "serve",
  async run(wiring) {
    const stop = wiring.listenForStop();
    const asked = wiring.readConfig();
    const reserved = cluster.isWorker ? { ...HELD, port: asked.port } : await reserve(asked);
    const config = wiring.readConfig({ PORT: String(reserved.port) });
    const ctx = await wiring.openContext(config, "serve");
    await run(ctx, stop, async () => {
      await requireReady(ctx);
      await noteTimeIfPossible(ctx);
      await isCopy(ctx);
      // `start` has warned for its children.
      if (cluster.isPrimary) await warnOfServers(wiring, ctx, "serve");
      const startServer = await wiring.loadServer();
      await reserved.release();
      const server = await startServer(ctx);
      const text = `Billow serves at ${config.publicOrigin}`;
      if (!cluster.isPrimary) return [partOf(server)];
      const noted = await noteServer(config);
      wiring.print({ text, json: { url: config.publicOrigin } });
      return [partOf(server), noted];
    });
  },
};
