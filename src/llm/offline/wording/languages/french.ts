import { citation } from '../citation.js';
import type { Phrases } from './phrase-book.js';
import { settings } from '../settings.js';

export const french: Phrases = {
  locale: 'fr-FR',
  gap: ' ',
  colon: ' : ',
  separator: ', ',
  yes: 'oui',
  no: 'non',
  quoted: (words) => `« ${words} »`,
  units: {
    litre: 'litres',
    m3: 'm³',
    tonne: 'tonnes',
    passenger_km: 'passagers-km',
    tonne_km: 'tonnes-km',
    night: 'nuitées',
  },

  noModel: `Remarque : aucun modèle de langage n'est configuré ; c'est le modèle hors ligne intégré qui répond, selon des règles fixes. Pour en brancher un, renseignez ces variables puis redémarrez : ${settings}.`,
  greeting: 'Bonjour !',
  thanks: 'Avec plaisir.',
  nothingUnderWay: "Rien d'autre n'est en cours dans cette conversation.",
  identity: (name) => `Je suis ${name ?? 'votre assistant'}.`,
  limits:
    'Sans modèle de langage, je ne tiens pas de conversation libre : je reconnais ce que mes outils savent traiter et je rapporte leurs résultats.',
  wordless: "Je n'ai trouvé aucun mot dans votre message.",
  cannot: (subject) =>
    `Je ne sais pas répondre à « ${subject} » : sans modèle de langage, je ne traite que ce que mes outils savent faire.`,
  heard: "C'est entendu. Pour que je m'en souvienne, dites « retiens que … ».",
  cannotAdvise:
    "Sans modèle de langage, je ne peux pas vous conseiller librement. Je peux en revanche chiffrer vos émissions poste par poste : vous verrez lequel pèse le plus, et c'est par là qu'il faut commencer. Donnez-moi vos quantités avec leur unité, par exemple « 12 000 kWh d'électricité au Sénégal et 3 500 litres de gazole ».",
  canDo: 'Voici ce que je peux faire pour vous :',
  noTools: "Aucun outil n'est actif pour le moment dans cet assistant.",
  example: 'Dites-moi ce qui vous serait utile, avec vos chiffres et vos unités.',

  missing: 'Pour continuer, il me manque :',
  askMissing: 'Pouvez-vous me donner ces précisions ?',
  quantities: (units) =>
    `des quantités supérieures à zéro, avec leur unité (${units}), par exemple « 12 000 kWh d'électricité »`,
  noDetails: "les informations à prendre en compte (je n'en ai reconnu aucune dans votre message)",
  unread: (quoted) => `Je n'ai pas reconnu ce que mesure ${quoted}. Pouvez-vous le préciser ?`,
  leftOut: (quoted) => `Je n'ai pas reconnu ce que mesure ${quoted} : ce n'est pas compté.`,
  setAside: (quoted) =>
    `Non compté, d'après votre message : ${quoted}. S'il fallait le compter, dites-le-moi.`,
  range: (quoted) => `Je ne peux pas compter une fourchette (${quoted}). Quelle valeur dois-je retenir ?`,
  unapplied: (quoted) => `Je n'ai pas appliqué ${quoted} : le résultat n'en tient pas compte.`,
  otherCountries: (names) =>
    `Pas compté pour : ${names}. Chaque quantité n'est comptée qu'une fois ; pour comparer, reposez la question pour chaque pays.`,
  differingPeriods: (said) =>
    `Les quantités ne portent pas toutes sur la même période (${said}) : le total ne fait que les additionner. Donnez-les pour une même période, ou lisez les lignes une à une.`,
  tooLarge: (quoted, most) =>
    `Je ne peux pas compter ${quoted} : une quantité va jusqu'à ${most}. Pouvez-vous la vérifier ?`,
  tooMany: (most) =>
    `C'est trop en une fois : je traite au plus ${most} quantités par message. Pouvez-vous les répartir ?`,

  failed: (reason) => `Je n'ai pas pu aller au bout : ${reason}`,
  askToMend: 'Voulez-vous corriger ou compléter votre demande ?',
  result: "Voici ce que j'ai trouvé :",
  empty: "C'est fait ; l'outil n'a rien renvoyé à afficher.",
  stored: "C'est noté :",
  notKnown: (fields) => `Pas encore renseigné : ${fields}.`,
  factNotKnown: (fields) => `Je n'ai pas encore cette information : ${fields}.`,
  details: 'Détail',
  refused: 'Non compté',
  sources: 'Sources',
  caveats: 'À savoir',
  citation,
  more: (count) => `et ${count} de plus`,

  summary: 'En résumé :',
  nothingToSummarise: "Il n'y a encore rien à résumer.",
  nothingToAdd:
    "Je n'ai rien à ajouter à ma dernière réponse. Posez-moi une nouvelle question ou donnez d'autres chiffres.",
};
