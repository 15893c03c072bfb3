import type { Words } from "../texts/words.ts";
import type { Block } from "./email-content.ts";

/**
 * The deliverables of a purchase, by the names of their Benefits. `devices`: the most devices of a key; null: no limit.
 */
export type Deliverables = {
  keys: { benefit: string; key: string; devices: number | null }[];
  files: { benefit: string; names: string[] }[];
  notes: { benefit: string; note: string }[];
  /** The names of the other Benefits. */
  others: string[];
};

/** The deliverables, and the way to files that are to be downloaded. Empty without deliverables. */
export function deliverableBlocks(
  { keys, files, notes, others }: Deliverables,
  portal: string,
  { mailFrame: { label }, mailReceipt: said }: Words,
): Block[] {
  const blocks: Block[] = [
    ...keys.map(({ benefit, key, devices }) => ({
      name: benefit.toLowerCase().includes(said.licenseKey.toLowerCase()) ? benefit : `${said.licenseKey} · ${benefit}`,
      code: key,
      notes: devices === null ? [] : [said.devices({ count: devices })],
    })),
    ...notes.map(({ benefit, note }) => ({ text: `${label({ name: benefit })} ${note}` })),
    ...(others.length === 0 ? [] : [{ rows: [{ name: said.included, value: others.join(" · ") }] }]),
  ];
  const list = files.map(({ benefit, names }) => ({ name: benefit, value: names.join(" · ") }));
  const downloads: Block[] =
    files.length === 0 ? [] : [{ rows: list }, { text: said.signIn }, { label: said.download, url: portal }];
  const all = [...blocks, ...downloads];
  return all.length === 0 ? [] : [{ title: said.deliverables }, ...all];
}
