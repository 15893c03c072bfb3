import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { AppError } from "../errors.ts";
import type { BillingDocument } from "./billing-document.ts";

export type Job = { id: number; document: BillingDocument };
export type Drawn = { id: number; pdf: Uint8Array<ArrayBuffer> } | { id: number; error: string };
type Waiting = { resolve(pdf: Uint8Array<ArrayBuffer>): void; reject(error: unknown): void };

const PROGRAM = fileURLToPath(new URL("render-process.ts", import.meta.url));
const FLAGS = ["--max-semi-space-size=4", "--max-old-space-size=256"];
const IDLE_MILLISECONDS = 10_000;
/** Who comes after these would wait for seconds: a document takes some 50 ms. */
const MOST_WAITING = 100;

/** A process that draws one PDF after the other until nothing was asked of it for ten seconds. */
class Renderer {
  readonly #waiting = new Map<number, Waiting>();
  readonly #child: ChildProcess;
  #jobs = 0;
  #idle: NodeJS.Timeout | undefined;

  /** `ended`: called once it takes no more. */
  constructor(ended: () => void) {
    // It gets no environment: what it draws is all that it knows.
    this.#child = fork(PROGRAM, { execArgv: FLAGS, env: {}, serialization: "advanced", stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const fail = (why: string) => {
      ended();
      for (const { reject } of this.#waiting.values()) reject(new Error(why));
      this.#waiting.clear();
    };
    this.#child.on("message", (drawn: Drawn) => this.#settle(drawn));
    this.#child.on("error", (error) => fail(`PDFs can't be drawn: ${error.message}`));
    this.#child.on("exit", (code, signal) => fail(`the process that draws PDFs ended (${signal ?? code})`));
    this.#end = () => {
      ended();
      this.#child.disconnect();
    };
  }

  readonly #end: () => void;

  /** @throws AppError `unavailable` when too many are waiting */
  draw(document: BillingDocument): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#waiting.size >= MOST_WAITING) throw new AppError("unavailable", { headers: { "Retry-After": "1" } });
    clearTimeout(this.#idle);
    this.#child.ref();
    this.#child.channel?.ref();
    const id = (this.#jobs += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, document } satisfies Job);
    });
  }

  #settle(drawn: Drawn): void {
    const waiting = this.#waiting.get(drawn.id)!;
    this.#waiting.delete(drawn.id);
    if ("pdf" in drawn) waiting.resolve(drawn.pdf);
    else waiting.reject(new Error(drawn.error));
    if (this.#waiting.size > 0) return;
    // It keeps nobody from ending: it ends with whoever started it.
    this.#child.unref();
    this.#child.channel?.unref();
    this.#idle = setTimeout(this.#end, IDLE_MILLISECONDS).unref();
  }
}

let renderer: Renderer | null = null;

/**
 * The PDF of a document. A process of its own draws it: fonts and their rules take more memory than the server, which has better things to
 * do than to shape letters. @throws AppError `unavailable` when too many are waiting
 */
export async function renderPdf(document: BillingDocument): Promise<Uint8Array<ArrayBuffer>> {
  if (!renderer) {
    const started: Renderer = new Renderer(() => {
      if (renderer === started) renderer = null;
    });
    renderer = started;
  }
  return renderer.draw(document);
}
