import { Refusal } from "../../src/domain/refusal.ts";
import { presentRefusal } from "../../src/resources/refusal.ts";

/** An error as the API answers it: a refusal becomes its problem. Another error stays as it is. */
export const answered = (error: unknown): unknown => (error instanceof Refusal ? presentRefusal(error) : error);
