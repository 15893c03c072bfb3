const firstOf = (text: string) => [...text][0] ?? "";

/**
 * An e-mail address that its owner recognizes and that tells others little: `a•••@e•••.com`. Each part keeps its first
 * letter, and the number of dots does not depend on the length.
 */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  const end = domain.slice(domain.lastIndexOf("."));
  return `${firstOf(local)}•••@${firstOf(domain)}•••${end}`;
}
