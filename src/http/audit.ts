import { note } from "../actions/team/audit.ts";
import { changedBy, type Changed } from "../domain/team/audit.ts";
import type { Tx } from "../store/driver/db.ts";
import type { Answer } from "./answer.ts";

/** A change by the management API: the caller, the ids in the path, and the body as it was checked. */
type Request = {
  organizationId: string;
  keyId: string;
  operation: string;
  params: Record<string, string>;
  body: unknown;
  clientAddress: string;
};

type Named = { id?: unknown; customerId?: unknown };
const text = (value: unknown) => (typeof value === "string" ? value : null);

/** The entry of one request in the audit log. */
export class Audit {
  readonly #request: Request;
  readonly #changed: Changed;
  /** Whether a transaction with the entry was committed. */
  isCommitted = false;

  constructor(request: Request) {
    this.#request = request;
    this.#changed = changedBy(request.body);
  }

  /** Writes the entry in the transaction of the change. `answer` null: the outcome is not known yet. */
  write(tx: Tx, answer: Answer | null): void {
    const { organizationId, keyId, operation, params, clientAddress } = this.#request;
    const isJson = answer !== null && answer.body.startsWith("{");
    const made: Named = isJson ? (JSON.parse(answer.body) as Named) : {};
    note(tx, organizationId, {
      actor: { type: "key", id: keyId },
      operation,
      resourceId: Object.values(params).at(-1) ?? text(made.id),
      customerId: params["customerId"] ?? text(made.customerId) ?? this.#namedCustomer(),
      clientAddress,
      ...this.#changed,
    });
  }

  #namedCustomer(): string | null {
    const { customerId } = this.#changed.values;
    return text(customerId);
  }
}
