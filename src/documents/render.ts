import { fork, type ChildProcess } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { AppError, RETRY_SOON } from "../errors.ts";
import { documentETag, type BillingDocument } from "./billing-document.ts";
import { FileCache } from "./file-cache.ts";

type Pdf = Uint8Array<ArrayBuffer>;
export type Job = { id: number; document: BillingDocument };
export type Drawn = { id: number; pdf: Pdf } | { id: number; error: string };
type Waiting = { organizationId: string; resolve(pdf: Pdf): void; reject(error: unknown): void };

const PROGRAM = fileURLToPath(new URL(`render-process${extname(import.meta.url)}`, import.meta.url));
const FLAGS = ["--max-semi-space-size=4", "--max-old-space-size=256"];
const IDLE_MILLISECONDS = 10_000;
/** The most documents that may wait. A document takes some 50 ms, so later ones would wait for seconds. */
const MOST_WAITING = 100;
/**
 * The most documents of one Organization that may wait. Anyone may hold links of one Organization, and these links must
 * leave room for the PDFs and receipts of other Organizations.
 */
const MOST_OF_ONE = 25;
/**
 * The most bytes of PDFs in memory. A PDF has some 20 to 100 kB. The PDFs that are downloaded often fit, and the limit
 * is small compared with the server.
 */
const MOST_CACHED_BYTES = 8 * 1024 * 1024;

/** A process that draws one PDF after the other, and ends after ten seconds without work. */
class Renderer {
  readonly #waiting = new Map<number, Waiting>();
  readonly #child: ChildProcess;
  #jobs = 0;
  #idle: NodeJS.Timeout | undefined;

  /** `ended`: called once the process takes no more work. */
  constructor(ended: () => void) {
    // The process gets no environment: it knows only the documents that it draws.
    this.#child = fork(PROGRAM, {
      execArgv: FLAGS,
      env: {},
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
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

  #isFull(organizationId: string): boolean {
    const own = this.#waiting.values().filter((waiting) => waiting.organizationId === organizationId);
    return this.#waiting.size >= MOST_WAITING || own.toArray().length >= MOST_OF_ONE;
  }

  /** @throws AppError `unavailable` if too many documents wait, of this Organization or in all */
  draw(organizationId: string, document: BillingDocument): Promise<Pdf> {
    if (this.#isFull(organizationId)) throw new AppError("unavailable", { headers: RETRY_SOON });
    clearTimeout(this.#idle);
    this.#child.ref();
    this.#child.channel?.ref();
    const id = (this.#jobs += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { organizationId, resolve, reject });
      this.#child.send({ id, document } satisfies Job);
    });
  }

  #settle(drawn: Drawn): void {
    const waiting = this.#waiting.get(drawn.id)!;
    this.#waiting.delete(drawn.id);
    if ("pdf" in drawn) waiting.resolve(drawn.pdf);
    else waiting.reject(new Error(drawn.error));
    if (this.#waiting.size > 0) return;
    // The idle drawing process does not keep this process from ending, and ends with it.
    this.#child.unref();
    this.#child.channel?.unref();
    this.#idle = setTimeout(this.#end, IDLE_MILLISECONDS).unref();
  }
}

let renderer: Renderer | null = null;
/** PDFs that are being drawn, by the contents of their documents. Requests for the same document share one PDF. */
const underWay = new Map<string, Promise<Pdf>>();
const cache = new FileCache(MOST_CACHED_BYTES);

function draw(organizationId: string, document: BillingDocument): Promise<Pdf> {
  if (!renderer) {
    const started: Renderer = new Renderer(() => {
      if (renderer === started) renderer = null;
    });
    renderer = started;
  }
  return renderer.draw(organizationId, document);
}

/**
 * The PDF of a document. The caller must not change the bytes. A separate process draws the PDF: fonts and their rules
 * take more memory than the server, and shaping letters would block the server. A document that is being drawn, or was
 * drawn lately, is not drawn again.
 * @throws AppError `unavailable` if too many documents wait, of this Organization or in all
 */
export async function renderPdf(organizationId: string, document: BillingDocument): Promise<Pdf> {
  const key = documentETag(document, ""); // one process runs one version
  const known = cache.find(key) ?? underWay.get(key);
  if (known) return known;
  const drawing = draw(organizationId, document);
  underWay.set(key, drawing);
  try {
    const pdf = await drawing;
    cache.add(key, pdf);
    return pdf;
  } finally {
    underWay.delete(key);
  }
}
