import type { Translation } from "../translation.ts";

export const portalExport = {
  title: "Vos données",
  about: "Téléchargez les données de votre compte chez {seller} en un seul fichier.",
  holds: `Le fichier contient vos coordonnées, vos cartes sans leurs numéros, vos abonnements, commandes,
    factures, paiements, accès et e-mails, ainsi qu’un journal de toutes les modifications.`,
  format: "D’autres programmes peuvent lire le fichier (JSON). Vos factures en PDF se trouvent dans votre compte.",
  secret: `Gardez le fichier pour vous. Ses liens ouvrent vos factures, et il peut contenir des clés que vous
    avez achetées.`,
  download: "Télécharger vos données",
} as const satisfies Translation["portalExport"];
