import type { Language } from '../reading/language.js';
import { sentencesOf } from '../reading/read.js';
import type { ToolProfile } from '../tool-profile.js';
import { shortened } from './shortened.js';

/** What the tools that ship do, told to users: a tool's own description is written for models, in English. */
const known: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  calculate_carbon_footprint: {
    fr: "calculer une empreinte carbone à partir de vos quantités d'électricité, de carburant, de transport, de fret, de déchets, d'eau ou de fluides frigorigènes",
    en: 'work out a carbon footprint from your quantities of electricity, fuel, transport, freight, waste, water or refrigerants',
    es: 'calcular una huella de carbono a partir de sus cantidades de electricidad, combustible, transporte, flete, residuos, agua o refrigerantes',
    'zh-Hant': '依您提供的用電、燃料、交通、貨運、廢棄物、用水或冷媒數量計算碳足跡',
  },
  get_company_profile: {
    fr: 'dire ce que je sais de votre entreprise',
    en: 'tell you what I know of your company',
    es: 'decirle lo que sé de su empresa',
    'zh-Hant': '告訴您我對貴公司的了解',
  },
  update_company_profile: {
    fr: "noter ce que vous m'apprenez de votre entreprise : secteur, pays, ville, effectif, chiffre d'affaires…",
    en: 'note what you tell me of your company: sector, country, city, headcount, revenue…',
    es: 'anotar lo que me cuente de su empresa: sector, país, ciudad, plantilla, facturación…',
    'zh-Hant': '記下您告訴我的公司資料：產業、國家、城市、員工人數、營業額……',
  },
  search_web: {
    fr: 'chercher une réponse sur le web, avec ses sources',
    en: 'look for an answer on the web, with its sources',
    es: 'buscar una respuesta en la web, con sus fuentes',
    'zh-Hant': '上網查詢答案，並附上資料來源',
  },
  read_webpage: {
    fr: "lire une page web dont vous me donnez l'adresse",
    en: 'read a web page whose address you give me',
    es: 'leer una página web cuya dirección me dé',
    'zh-Hant': '閱讀您提供網址的網頁',
  },
  retrieve_documents: {
    fr: "chercher dans les documents de l'entreprise",
    en: 'search the company’s documents',
    es: 'buscar en los documentos de la entidad',
    'zh-Hant': '查詢公司的文件',
  },
};

const longestAbility = 200;

/** What a tool does, in a user's words where they are known, else the first sentence of its description. */
export function abilityOf({ tool }: ToolProfile, language: Language): string {
  const told = Object.hasOwn(known, tool.name) ? known[tool.name]?.[language] : undefined;
  return told ?? shortened(sentencesOf(tool.description)[0] ?? tool.name, longestAbility);
}
