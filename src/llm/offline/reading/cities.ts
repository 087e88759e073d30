import type { FoundCountry } from './countries.js';
import { fold, tidy, type Word, wordsOf } from './words/fold.js';

/** Cities whose name tells their country, as a company that asks for green finance names its own. By ISO 3166-1 code. */
const cities: Readonly<Record<string, string>> = {
  AO: 'Luanda|Benguela|Huambo',
  BE: 'Bruxelles|Brussels|Anvers|Liège',
  BF: 'Ouagadougou|Bobo-Dioulasso|Koudougou|Ouahigouya|Banfora',
  BI: 'Bujumbura|Gitega',
  BJ: 'Cotonou|Porto-Novo|Parakou|Abomey-Calavi|Bohicon|Natitingou',
  BW: 'Gaborone',
  CD: 'Kinshasa|Lubumbashi|Goma|Bukavu|Kisangani|Mbuji-Mayi|Matadi',
  CF: 'Bangui',
  CG: 'Brazzaville|Pointe-Noire',
  CH: 'Genève|Zurich|Lausanne',
  CI: 'Abidjan|Yamoussoukro|Bouaké|San-Pédro|Korhogo|Daloa',
  CM: 'Yaoundé|Douala|Bafoussam|Garoua|Maroua|Bamenda|Ngaoundéré',
  CO: 'Bogotá|Medellín',
  DJ: 'Djibouti-Ville',
  DZ: 'Alger|Oran|Constantine',
  EG: 'Le Caire|Cairo|El Cairo',
  ES: 'Madrid|Barcelona|Barcelone|Sevilla|Séville|Zaragoza|Málaga|Bilbao',
  ET: 'Addis-Abeba|Addis Ababa|Adís Abeba',
  FR: 'Paris|París|Lyon|Marseille|Toulouse|Bordeaux|Lille|Nantes|Strasbourg|Montpellier',
  GA: 'Libreville|Port-Gentil|Franceville',
  GB: 'Londres|London',
  GH: 'Accra|Kumasi|Tamale|Takoradi',
  GM: 'Banjul|Serekunda',
  GN: 'Conakry|Nzérékoré|Kankan|Kindia',
  GQ: 'Malabo',
  GW: 'Bissau',
  KE: 'Nairobi|Mombasa|Kisumu|Nakuru|Eldoret',
  KM: 'Moroni',
  LR: 'Monrovia',
  MA: 'Casablanca|Rabat|Marrakech|Tanger|Agadir|Fès|Meknès',
  MG: 'Antananarivo|Tananarive|Toamasina|Antsirabe',
  ML: 'Bamako|Sikasso|Ségou|Mopti|Kayes|Gao|Tombouctou|Koutiala',
  MR: 'Nouakchott|Nouadhibou',
  MU: 'Port-Louis|Port Louis',
  MW: 'Lilongwe|Blantyre',
  MZ: 'Maputo|Beira|Nampula',
  NA: 'Windhoek',
  NE: 'Niamey|Zinder|Maradi|Agadez|Tahoua|Dosso',
  NG: 'Lagos|Abuja|Kano|Ibadan|Port Harcourt|Kaduna',
  RW: 'Kigali|Huye|Musanze',
  SL: 'Freetown',
  SN: 'Dakar|Thiès|Saint-Louis|Ziguinchor|Kaolack|Touba|Rufisque|Diourbel|Tambacounda|Mbour|Pikine|Diamniadio',
  TD: "N'Djamena|Ndjamena|Moundou|Abéché",
  TG: 'Lomé|Kara|Sokodé|Kpalimé|Atakpamé|Dapaong',
  TN: 'Tunis|Sfax|Sousse',
  TZ: 'Dar es Salaam|Dodoma|Arusha|Mwanza',
  UG: 'Kampala|Entebbe|Gulu',
  ZA: 'Johannesburg|Le Cap|Cape Town|Durban|Pretoria',
  ZM: 'Lusaka|Kitwe|Ndola',
  ZW: 'Harare|Bulawayo',
};

const keyOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ');

const countryByCity: ReadonlyMap<string, string> = new Map(
  Object.entries(cities).flatMap(([code, names]) =>
    names.split('|').map((name) => [keyOf(wordsOf(fold(tidy(name)))), code] as const),
  ),
);
const mostWords = 3;

/** The known cities of a text, each with the country that it is in. */
export function findCities(text: string): FoundCountry[] {
  const words = wordsOf(fold(text));
  const found: FoundCountry[] = [];
  for (const [at, { start }] of words.entries()) {
    // A city begins with a capital, which keeps it apart from everyday words.
    if (!/\p{Lu}/u.test(text[start] ?? '')) continue;
    for (let length = 1; length <= mostWords; length += 1) {
      const run = words.slice(at, at + length);
      const code = countryByCity.get(keyOf(run));
      if (code !== undefined) found.push({ code, start, end: run.at(-1)?.end ?? start });
    }
  }
  return found;
}

/** «Nous avons déménagé de Lomé à Cotonou»: what is named last is where somebody is now. Folded. */
const moving =
  /(?<!\p{L})(?:demenag\w*|quitt\w*|(?:moved|relocated) (?:from|to)|mudad[oa]s?|mudamos|trasladad[oa]s?)(?!\p{L})|搬到|遷/u;

/** The one country that the cities of a text are in; null: none is known, or they are in several. */
export function countryOfCities(text: string): string | null {
  const codes = findCities(text).map(({ code }) => code);
  const isOne = new Set(codes).size === 1 || moving.test(fold(text));
  return (isOne ? codes.at(-1) : null) ?? null;
}
