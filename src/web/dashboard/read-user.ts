import { emailKey } from "../../domain/model/customer.ts";
import {
  faultOfPassword,
  LEAST_PASSWORD_CHARACTERS,
  MOST_PASSWORD_CHARACTERS,
  type PasswordFault,
} from "../../domain/team/user.ts";
import { email as emailSchema, text } from "../../resources/fields.ts";
import type { UserFaults } from "./set-up.ts";

const nameSchema = text(128);

type Read = { typed: { name: string; email: string }; faults: UserFaults; user: UserText | null };
type UserText = { name: string; email: string; password: string };

const PASSWORD_WORDS: Record<PasswordFault, string> = {
  too_short: `Choose a password of at least ${LEAST_PASSWORD_CHARACTERS} characters.`,
  too_long: `A password has at most ${MOST_PASSWORD_CHARACTERS} characters.`,
  broken_character: "Type this password again: a character is broken.",
  too_uniform: "Choose a password with more different characters.",
  guessable: "Choose a password other than your name or e-mail address.",
};

/** The fault of a new password as a sentence; null: the password is good. `about`: as for `faultOfPassword`. */
export function wordsOfPassword(password: string, about: readonly string[]): string | null {
  const fault = faultOfPassword(password, about);
  return fault === null ? null : PASSWORD_WORDS[fault];
}

/** Reads the form of a new person. `user` is null if a field has a fault. */
export function readUser(form: URLSearchParams): Read {
  const typed = { name: form.get("name") ?? "", email: form.get("email") ?? "" };
  const password = form.get("password") ?? "";
  const [name, email] = [nameSchema.safeParse(typed.name), emailSchema.safeParse(typed.email)];
  const about = [typed.name.trim(), emailKey(typed.email.trim())];
  const weak = wordsOfPassword(password, about);
  const faults: UserFaults = {
    ...(!name.success && { name: "Enter your name, up to 128 characters." }),
    ...(!email.success && { email: "Enter an e-mail address like name@example.com." }),
    ...(weak !== null && { password: weak }),
  };
  if (!name.success || !email.success || weak !== null) return { typed, faults, user: null };
  return { typed, faults, user: { name: name.data, email: email.data, password } };
}
