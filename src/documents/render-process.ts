import module from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Drawn, Job } from "./render.ts";

// The same cache as that of `billow`. The first document is there 0.15 s earlier.
module.enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/billow", import.meta.url)));
const pdf = import("./pdf.ts");

// Ctrl-C in a terminal and a service manager signal this process, too. This process ignores the signals, since its
// parent still answers requests. It ends with its parent.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit());

process.on("message", async ({ id, document }: Job) => {
  // A server that dies meanwhile takes no answer. With a function for the error, Node does not print it.
  const send = (drawn: Drawn) => process.connected && process.send!(drawn, (error) => error && process.exit());
  try {
    const { drawPdf } = await pdf;
    send({ id, pdf: new Uint8Array(await drawPdf(document)) });
  } catch (error) {
    send({ id, error: (error as Error).stack ?? String(error) });
  }
});
