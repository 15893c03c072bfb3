/** The places and names of the made-up buyers of a country. `ascii`: the names as an e-mail address has them. */
type Country = {
  country: string;
  locale: string;
  currency: "usd" | "eur" | "jpy";
  cities: readonly (readonly [city: string, postalCode: string, state?: string])[];
  street: (number: number) => string;
  given: readonly string[];
  family: readonly string[];
  company: (name: string) => string;
  ascii?: { given: readonly string[]; family: readonly string[] };
};

const AMERICAN = {
  given: ["Megan", "Tyler", "Brianna", "Caleb", "Jasmine", "Wyatt", "Paige", "Marcus", "Holly", "Trevor"],
  family: ["Hadleigh", "Brookner", "Castell", "Dunmore", "Ellsworth", "Farrow", "Granby", "Holloway", "Kestrel"],
};
const GERMAN = {
  given: ["Lena", "Jonas", "Katrin", "Moritz", "Greta", "Henrik", "Frieda", "Till", "Annika", "Bastian"],
  family: ["Ahrensfeld", "Birkholz", "Dornbach", "Eichwald", "Grünau", "Hasselbrink", "Lindhorst", "Rosenthal"],
};
const FRENCH = {
  given: ["Manon", "Bastien", "Élodie", "Maxime", "Camille", "Théo", "Océane", "Rémi", "Maëlle", "Quentin"],
  family: ["Beauvallon", "Charmont", "Delacourt", "Fontbrune", "Hautefeuille", "Lavergne", "Montclair", "Rivoire"],
};
const SPANISH = {
  given: ["Lucía", "Álvaro", "Nerea", "Iker", "Marina", "Hugo", "Rocío", "Sergio", "Carmen", "Pablo"],
  family: ["Almendral", "Belmonte", "Cifuentes", "Encinar", "Fonseca", "Montalbán", "Olivares", "Quiroga"],
};

/** A country stands as often as its share of the buyers wants. */
export const COUNTRIES: readonly Country[] = [
  {
    country: "US",
    locale: "en",
    currency: "usd",
    cities: [
      ["Portland", "97205", "OR"],
      ["Austin", "78701", "TX"],
      ["Denver", "80202", "CO"],
    ],
    street: (number) => `${number} Maple Street`,
    company: (name) => `${name} Labs, Inc.`,
    ...AMERICAN,
  },
  {
    country: "GB",
    locale: "en",
    currency: "usd",
    cities: [
      ["Bristol", "BS1 4DJ"],
      ["Leeds", "LS1 5AB"],
    ],
    street: (number) => `${number} Mill Lane`,
    company: (name) => `${name} Ltd`,
    given: ["Imogen", "Rhys", "Poppy", "Callum", "Freya", "Alfie", "Bethan", "Ewan"],
    family: ["Ashcombe", "Birtwell", "Claverley", "Fenwick", "Harcastle", "Northcote", "Penrose", "Wetherby"],
  },
  {
    country: "CA",
    locale: "en",
    currency: "usd",
    cities: [["Halifax", "B3J 1S9", "NS"]],
    street: (number) => `${number} Harbour Road`,
    company: (name) => `${name} Studio Inc.`,
    ...AMERICAN,
  },
  {
    country: "DE",
    locale: "de",
    currency: "eur",
    cities: [
      ["Leipzig", "04109"],
      ["Hamburg", "20095"],
      ["Freiburg", "79098"],
    ],
    street: (number) => `Lindenweg ${number}`,
    company: (name) => `${name} GmbH`,
    ...GERMAN,
  },
  {
    country: "AT",
    locale: "de",
    currency: "eur",
    cities: [["Graz", "8010"]],
    street: (number) => `Feldgasse ${number}`,
    company: (name) => `${name} e.U.`,
    ...GERMAN,
  },
  {
    country: "FR",
    locale: "fr",
    currency: "eur",
    cities: [
      ["Nantes", "44000"],
      ["Lyon", "69002"],
    ],
    street: (number) => `${number} rue des Tilleuls`,
    company: (name) => `Atelier ${name} SARL`,
    ...FRENCH,
  },
  {
    country: "ES",
    locale: "es",
    currency: "eur",
    cities: [
      ["Valencia", "46002"],
      ["Bilbao", "48001"],
    ],
    street: (number) => `Calle del Olmo ${number}`,
    company: (name) => `${name} Digital S.L.`,
    ...SPANISH,
  },
  {
    country: "MX",
    locale: "es",
    currency: "usd",
    cities: [["Puebla", "72000"]],
    street: (number) => `Avenida Jacaranda ${number}`,
    company: (name) => `${name} Soluciones`,
    ...SPANISH,
  },
  {
    country: "JP",
    locale: "ja",
    currency: "jpy",
    cities: [
      ["福岡市", "810-0001"],
      ["仙台市", "980-0811"],
    ],
    street: (number) => `青葉町${number}-2`,
    company: (name) => `株式会社${name}`,
    given: ["葵", "蓮", "結衣", "陽翔", "美咲", "湊", "さくら", "大和"],
    family: ["青柳", "若松", "白鳥", "桐生", "水無月", "朝倉", "早瀬", "鳴海"],
    ascii: {
      given: ["aoi", "ren", "yui", "haruto", "misaki", "minato", "sakura", "yamato"],
      family: ["aoyagi", "wakamatsu", "shiratori", "kiryu", "minazuki", "asakura", "hayase", "narumi"],
    },
  },
];

/** Made-up names of companies. */
export const COMPANIES = [
  "Lumora",
  "Tavaro",
  "Brennfeld",
  "Quillmark",
  "Ostara",
  "Velorin",
  "Nimbrook",
  "Kalvest",
  "Solvane",
  "Murmel",
  "Pinhaven",
  "Orsino",
  "Zellmark",
  "Fernwick",
  "Corvalen",
  "Halcyra",
];
