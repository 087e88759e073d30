import type { Language } from '../reading/words/language.js';

type Names = Readonly<Record<Language, string>>;

const names = (fr: string, en: string, es: string, zhHant: string): Names => ({
  fr,
  en,
  es,
  'zh-Hant': zhHant,
});

/** Field names that tools often use in their results, in a reader's words. Keys in lower case. */
const known: Readonly<Record<string, Names>> = {
  name: names('nom', 'name', 'nombre', '名稱'),
  sector: names("secteur d'activité", 'sector', 'sector', '產業'),
  country: names('pays', 'country', 'país', '國家'),
  city: names('ville', 'city', 'ciudad', '城市'),
  headcount: names('effectif', 'headcount', 'plantilla', '員工人數'),
  revenue: names("chiffre d'affaires", 'revenue', 'facturación', '營業額'),
  language: names('langue', 'language', 'idioma', '語言'),
  profile: names('profil', 'profile', 'perfil', '公司檔案'),
  attributes: names('autres informations', 'other facts', 'otros datos', '其他資料'),
  environmentalpractices: names(
    'pratiques environnementales',
    'environmental practices',
    'prácticas ambientales',
    '環保做法',
  ),
  declaredgoals: names('objectifs déclarés', 'declared goals', 'objetivos declarados', '宣示目標'),
  factor: names('facteur', 'factor', 'factor', '係數'),
  scope: names('scope', 'scope', 'alcance', '範疇'),
  reason: names('motif', 'reason', 'motivo', '原因'),
  title: names('titre', 'title', 'título', '標題'),
  url: names('lien', 'link', 'enlace', '連結'),
  period: names('période', 'period', 'periodo', '期間'),
  total: names('total', 'total', 'total', '總計'),
  quantity: names('quantité', 'quantity', 'cantidad', '數量'),
  year: names('année', 'year', 'año', '年份'),
  date: names('date', 'date', 'fecha', '日期'),
  status: names('état', 'status', 'estado', '狀態'),
  updated: names('mis à jour', 'updated', 'actualizado', '已更新'),
  missing: names('manquant', 'missing', 'falta', '尚缺'),
  scope1: names('scope 1', 'scope 1', 'alcance 1', '範疇一'),
  scope2: names('scope 2', 'scope 2', 'alcance 2', '範疇二'),
  scope3: names('scope 3', 'scope 3', 'alcance 3', '範疇三'),
};

const unitEndings: readonly (readonly [RegExp, string])[] = [
  [/ ?kg co2 ?e?q?$/, 'kg CO₂e'],
  [/ ?t(?:onnes)? co2 ?e?q?$/, 't CO₂e'],
  [/^t(?:onnes)? co2 ?e?q?$/, 't CO₂e'],
  [/^kg ?co2 ?e?q?$/, 'kg CO₂e'],
  [/ kwh$/, 'kWh'],
  [/ percent$/, '%'],
  [/ usd$/, 'USD'],
  [/ eur$/, 'EUR'],
];

/** A field's name in a reader's words, and the unit that it carried. */
export function fieldName(key: string, language: Language): { label: string; unit: string } {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
    .trim();
  const ending = unitEndings.find(([pattern]) => pattern.test(words));
  const rest = ending ? words.replace(ending[0], '').trim() : words;
  const translated = Object.hasOwn(known, rest.replaceAll(' ', ''))
    ? known[rest.replaceAll(' ', '')]
    : undefined;
  return { label: translated?.[language] ?? rest, unit: ending?.[1] ?? '' };
}
