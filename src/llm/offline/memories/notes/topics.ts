import type { Language } from '../../reading/words/language.js';

/** What preferences about the answers themselves are about, and what is noted of the person. */
export type Topic =
  'name' | 'address' | 'length' | 'language' | 'format' | 'email' | 'phone' | 'home' | 'birthday';

const labels: Readonly<Record<Topic, Readonly<Record<Language, string>>>> = {
  name: { fr: 'Prénom', en: 'Name', es: 'Nombre', 'zh-Hant': '稱呼' },
  address: {
    fr: 'Tutoiement ou vouvoiement',
    en: 'Form of address',
    es: 'Tratamiento de tú o de usted',
    'zh-Hant': '您或你的稱呼方式',
  },
  length: {
    fr: 'Longueur des réponses',
    en: 'Length of answers',
    es: 'Extensión de las respuestas',
    'zh-Hant': '回答的長短',
  },
  language: {
    fr: 'Langue des réponses',
    en: 'Language of answers',
    es: 'Idioma de las respuestas',
    'zh-Hant': '回答的語言',
  },
  format: {
    fr: 'Format des réponses',
    en: 'Format of answers',
    es: 'Formato de las respuestas',
    'zh-Hant': '回答的格式',
  },
  email: { fr: 'Adresse e-mail', en: 'E-mail address', es: 'Correo electrónico', 'zh-Hant': '電子郵件' },
  phone: { fr: 'Numéro de téléphone', en: 'Phone number', es: 'Número de teléfono', 'zh-Hant': '電話號碼' },
  home: { fr: 'Adresse', en: 'Address', es: 'Dirección', 'zh-Hant': '地址' },
  birthday: { fr: 'Anniversaire', en: 'Birthday', es: 'Cumpleaños', 'zh-Hant': '生日' },
};

export const labelOf = (topic: Topic, language: Language): string => labels[topic][language];

const answers =
  /\b(?:repon\w*|answers?|repl(?:y|ies)|respon\w*|respuestas?|contest\w*|write|ecri\w*|messages?)\b|回答|回覆|答案/;
const languages =
  /\b(?:francais|anglais|espagnol|chinois|french|english|spanish|chinese|frances|ingles|espanol|castellano|chino)\b|中文|英文|法文|西班牙文|英語|法語/;
const lengths =
  /\b(?:court\w*|bref|breves?|brievement|concis\w*|longu?e?s?|longueur|detaille\w*|short\w*|brief\w*|concise\w*|long(?:er)?|detailed|length|cort[oa]s?|larg[oa]s?|detallad[oa]s?|resumid[oa]s?)\b|簡短|簡潔|扼要|詳細|精簡|長短/;
const formats =
  /\b(?:listes?|puces|tableaux?|lists?|bullets?|bullet points?|tables?|listas?|vinetas|tablas?|format\w*)\b|條列|列點|表格|清單|格式/;
const manners =
  /\b(?:tutoi\w*|tutoy\w*|vouvoi\w*|vouvoy\w*|tute[aeo]\w*|(?:de|trata\w* de) (?:tu|usted))\b|用[「『]?[您你][」』]?(?:稱呼|來稱呼)?/;
const names =
  /\b(?:prenom|(?:m'|s')?appele[rz]?|appelle-moi|appelez-moi|m'appelle|call me|called|my name|first name|llama(?:me|rme)|me llamo|mi nombre)\b|叫我|稱呼我|我叫|名字|怎麼稱呼/;

/** The topic that a text is about; null: none of those that are known. Folded. */
export function topicOf(folded: string): Topic | null {
  if (manners.test(folded)) return 'address';
  if (names.test(folded)) return 'name';
  if (!answers.test(folded)) return null;
  if (languages.test(folded)) return 'language';
  if (lengths.test(folded)) return 'length';
  return formats.test(folded) ? 'format' : null;
}

const living =
  /(?:^|[\s,])(?:j'habite|je (?:vis|loge|reside) (?!avec|de |pour)|i live (?:in|at|on|near)|i(?:'m| am) living (?:in|at)|vivo en|resido en)(?!\p{L})|^(?:mon adresse|my (?:home )?address|mi direccion)(?!\s*(?:e-?|mail|electron|de correo))(?!\p{L})|^我(?:現在|目前)?住在?|^我的(?:地址|住址)/u;
const born =
  /(?:^|[\s,])(?:je suis nee? (?:le|en)|i was born (?:on|in)|naci (?:el|en))(?!\p{L})|^(?:mon anniversaire|ma date de naissance|my (?:birthday|date of birth)|mi (?:cumpleanos|fecha de nacimiento))(?!\p{L})|^我的?(?:生日|出生)/u;

/** What a fact of the person's own is about, whichever words it is told in; null: none of what is known. Folded. */
export function ownTopicOf(folded: string): Topic | null {
  if (born.test(folded)) return 'birthday';
  return living.test(folded) ? 'home' : null;
}
