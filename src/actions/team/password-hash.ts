import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { ConcurrencyLimit } from "../concurrency-limit.ts";

// The first of OWASP's choices for Argon2id: 19 MiB, two passes, one lane. A hash takes some 20 ms of a processor.
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const BYTES = 32;
const SALT_BYTES = 16;
const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

const hashAsync = promisify(argon2);
/** Two hashes at once take 38 MiB. A flood of attempts waits in line, and is refused beyond 32. */
const limit = new ConcurrencyLimit(2, 32);

const base64 = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");

type Cost = { memory: number; passes: number; parallelism: number };

function derive(password: string, nonce: Buffer, cost: Cost): Promise<Buffer> {
  // The same letters may come composed or decomposed, depending on the keyboard.
  const message = password.normalize("NFC");
  return limit.run("argon2", () => hashAsync("argon2id", { message, nonce, tagLength: BYTES, ...cost }));
}

const written = (salt: Buffer, hash: Buffer) =>
  `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(salt)}$${base64(hash)}`;

/** The Argon2id hash of a password with a new salt, in the PHC string format. @throws AppError `rate_limited` */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, { memory: MEMORY_KIB, passes: PASSES, parallelism: LANES });
  return written(salt, hash);
}

/** No password has this hash. */
const DECOY = written(randomBytes(SALT_BYTES), randomBytes(BYTES));

/**
 * Whether a password has this hash. For null, no password is right. The answer for null takes as long as for a hash,
 * so the time does not reveal whether there is an account. @throws AppError `rate_limited`
 */
export async function isPassword(hash: string | null, password: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt, wanted] = FORM.exec(hash ?? DECOY) ?? [];
  if (salt === undefined || wanted === undefined) throw new Error("a stored password has no known form");
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const [found, right] = [await derive(password, Buffer.from(salt, "base64"), cost), Buffer.from(wanted, "base64")];
  return found.length === right.length && timingSafeEqual(found, right);
}
