import * as z from "zod";
import type { SellerAddresses } from "../domain/organization/seller-links.ts";
import { email, fault, isHttpUrl, text } from "./fields.ts";

/** An absolute https URL without credentials, kept as it was written. */
export const httpsUrl = text(2048)
  .refine(
    (url) => isHttpUrl(url) && url.toLowerCase().startsWith("https:"),
    fault("invalid_url", "This is not an absolute https URL without credentials."),
  )
  .meta({ format: "uri" });

const described = (description: string) => z.string().nullable().meta({ description });

/** The fields of an answer with the addresses at which buyers reach the seller. */
export const sellerAddresses = {
  supportEmail: described("The address to which buyers write. Pages and e-mails link to it."),
  supportUrl: described("The page on which buyers get help. Pages and e-mails link to it."),
  termsUrl: described("The seller's terms. The page of a Checkout says that the buyer agrees to them."),
  privacyUrl: described("The seller's privacy policy."),
  websiteUrl: described("The seller's website."),
};

/** The same fields of a request. */
export const sellerAddressesParams = {
  supportEmail: email.nullable().exactOptional(),
  supportUrl: httpsUrl.nullable().exactOptional(),
  termsUrl: httpsUrl.nullable().exactOptional(),
  privacyUrl: httpsUrl.nullable().exactOptional(),
  websiteUrl: httpsUrl.nullable().exactOptional(),
};

/** The addresses alone. */
export function presentSellerAddresses(seller: SellerAddresses): SellerAddresses {
  const { supportEmail, supportUrl, termsUrl, privacyUrl, websiteUrl } = seller;
  return { supportEmail, supportUrl, termsUrl, privacyUrl, websiteUrl };
}
