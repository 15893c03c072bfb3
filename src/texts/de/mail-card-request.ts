import type { Translation } from "../translation.ts";

export const mailCardRequest = {
  subject: "Für {product} wird vor dem {day} eine Karte benötigt",
  title: "Bitte hinterlegen Sie vor dem {day} eine Karte",
  moved: `{seller} rechnet Ihr Abonnement für {product} jetzt über ein neues System ab. Ihre Karte konnte nicht
    übernommen werden.`,
} as const satisfies Translation["mailCardRequest"];
