import type { Language } from '../reading/words/language.js';
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
  calculate_esg_score: {
    fr: "évaluer votre entreprise sur l'environnement, le social et la gouvernance (score ESG) à partir de vos réponses",
    en: 'assess your company on environment, social matters and governance (ESG score) from your answers',
    es: 'evaluar su empresa en lo ambiental, lo social y la gobernanza (puntuación ESG) a partir de sus respuestas',
    'zh-Hant': '依您的答覆評估公司在環境、社會與治理方面的表現（ESG 評分）',
  },
  find_green_financing: {
    fr: 'chercher des financements verts qui conviennent à votre projet, avec leurs sources',
    en: 'look for green finance that fits your project, with its sources',
    es: 'buscar financiación verde que encaje con su proyecto, con sus fuentes',
    'zh-Hant': '尋找適合您專案的綠色融資，並附上資料來源',
  },
  generate_report: {
    fr: 'rédiger un rapport en Word et PDF à partir de ce qui a été calculé, quand vous me le demandez',
    en: 'write a report as Word and PDF from what was calculated, when you ask for it',
    es: 'redactar un informe en Word y PDF con lo calculado, cuando me lo pida',
    'zh-Hant': '在您要求時，把計算結果寫成 Word 與 PDF 報告',
  },
  analyze_document: {
    fr: 'analyser un document de l’entreprise : résumé, chiffres clés et ce qu’il apporte à un dossier ESG',
    en: 'analyse a document of the company: summary, key figures and what it holds for an ESG file',
    es: 'analizar un documento de la entidad: resumen, cifras clave y lo que aporta a un expediente ESG',
    'zh-Hant': '分析公司的文件：摘要、關鍵數字，以及可用於 ESG 檔案的內容',
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
  remember: {
    fr: 'retenir ce que vous me demandez : préférences, projets, contacts',
    en: 'remember what you ask me to: preferences, projects, contacts',
    es: 'recordar lo que me pida: preferencias, proyectos, contactos',
    'zh-Hant': '記住您交代的事：偏好、專案、聯絡人',
  },
  recall: {
    fr: 'retrouver ce qui a été noté ou dit dans une conversation précédente',
    en: 'find what was noted, or said in an earlier conversation',
    es: 'encontrar lo que se anotó o se dijo en una conversación anterior',
    'zh-Hant': '找出先前記下或在過去對話中說過的內容',
  },
  forget_memory: {
    fr: 'oublier ce que vous ne voulez plus que je garde',
    en: 'forget what you no longer want me to keep',
    es: 'olvidar lo que ya no quiera que guarde',
    'zh-Hant': '忘記您不想再保留的內容',
  },
};

const longestAbility = 200;

/** What a tool does, in a user's words where they are known, else the first sentence of its description. */
export function abilityOf({ tool }: ToolProfile, language: Language): string {
  const told = Object.hasOwn(known, tool.name) ? known[tool.name]?.[language] : undefined;
  return told ?? shortened(sentencesOf(tool.description)[0] ?? tool.name, longestAbility);
}
