import type { Language } from '../../reading/words/language.js';

/**
 * The forms of address in this model's own sentences, and what stands for them with somebody who is on familiar terms.
 * By whole phrases: the words of a document, or of the person, stay as they are.
 */
const french: readonly (readonly [formal: string, familiar: string])[] = [
  ['Je suis votre assistant', 'Je suis ton assistant'],
  ['dans votre message', 'dans ton message'],
  ['je ne peux pas vous conseiller', 'je ne peux pas te conseiller'],
  ['vous verrez lequel', 'tu verras lequel'],
  ['Donnez-moi vos quantités', 'Donne-moi tes quantités'],
  ['ce que je peux faire pour vous', 'ce que je peux faire pour toi'],
  [
    'Dites-moi ce qui vous serait utile, avec vos chiffres et vos unités',
    'Dis-moi ce qui te serait utile, avec tes chiffres et tes unités',
  ],
  ['Pouvez-vous me donner ces précisions', 'Peux-tu me donner ces précisions'],
  ['Pouvez-vous le préciser', 'Peux-tu le préciser'],
  ['Pouvez-vous les répartir', 'Peux-tu les répartir'],
  ['Pouvez-vous la vérifier', 'Peux-tu la vérifier'],
  ['Pouvez-vous y répondre', 'Peux-tu y répondre'],
  ['Voulez-vous corriger ou compléter votre demande', 'Veux-tu corriger ou compléter ta demande'],
  ['Posez-moi une nouvelle question ou donnez', 'Pose-moi une nouvelle question ou donne'],
  ['à votre question', 'à ta question'],
  ['renseignez ces variables puis redémarrez', 'renseigne ces variables puis redémarre'],
  ['à partir de vos quantités', 'à partir de tes quantités'],
  ['à partir de vos réponses', 'à partir de tes réponses'],
  ['ce que je sais de votre entreprise', 'ce que je sais de ton entreprise'],
  ["ce que vous m'apprenez de votre entreprise", "ce que tu m'apprends de ton entreprise"],
  ['évaluer votre entreprise', 'évaluer ton entreprise'],
  ['qui conviennent à votre projet', 'qui conviennent à ton projet'],
  ['quand vous me le demandez', 'quand tu me le demandes'],
  ["dont vous me donnez l'adresse", "dont tu me donnes l'adresse"],
  ['ce que vous me demandez', 'ce que tu me demandes'],
  ['oublier ce que vous ne voulez plus', 'oublier ce que tu ne veux plus'],
  [
    "Demandez-moi d'abord ce que je sais de vous, puis dites-moi",
    "Demande-moi d'abord ce que je sais de toi, puis dis-moi",
  ],
  ['Dites-moi ce que je dois retenir', 'Dis-moi ce que je dois retenir'],
  ['Voici ce que je sais de vous', 'Voici ce que je sais de toi'],
];

const spanish: readonly (readonly [formal: string, familiar: string])[] = [
  ['Soy su asistente', 'Soy tu asistente'],
  ['en su mensaje', 'en tu mensaje'],
  ['no puedo aconsejarle', 'no puedo aconsejarte'],
  ['calcular sus emisiones', 'calcular tus emisiones'],
  ['así verá cuál', 'así verás cuál'],
  ['Deme sus cantidades', 'Dame tus cantidades'],
  ['lo que puedo hacer por usted', 'lo que puedo hacer por ti'],
  ['Dígame qué necesita, con sus cifras', 'Dime qué necesitas, con tus cifras'],
  ['¿Puede darme estos datos', '¿Puedes darme estos datos'],
  ['¿Puede precisarlo', '¿Puedes precisarlo'],
  ['¿Puede repartirlas', '¿Puedes repartirlas'],
  ['¿Puede comprobarla', '¿Puedes comprobarla'],
  ['¿Quiere corregir o completar su petición', '¿Quieres corregir o completar tu petición'],
  ['defina estas variables y reinicie', 'define estas variables y reinicia'],
  ['Pregúnteme primero qué sé de usted y dígame después', 'Pregúntame primero qué sé de ti y dime después'],
  ['Dígame qué debo recordar', 'Dime qué debo recordar'],
  ['Esto es lo que sé de usted', 'Esto es lo que sé de ti'],
  ['lo que me pida', 'lo que me pidas'],
];

/** An answer to somebody who is on familiar terms. */
export function informal(text: string, language: Language): string {
  if (language === 'zh-Hant') return text.replaceAll('您', '你');
  const pairs = { fr: french, es: spanish, en: [] }[language];
  return pairs.reduce((told, [formal, familiar]) => told.replaceAll(formal, familiar), text);
}
