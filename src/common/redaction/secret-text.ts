import { folded } from '../text/folded-text.js';
import { holdsAccountNumber, holdsCardNumber } from './secret-numbers.js';

/** Keys whose makers have given them a shape of their own. */
const keyShapes: readonly RegExp[] = [
  /\bsk-[\w-]{16,}/,
  /\b(?:sk|rk|pk)_(?:live|test)_\w{16,}/,
  /\b(?:gh[oprsu]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,})/,
  /\bxox[abeprs]-[\w-]{10,}/,
  /\b(?:AKIA|ASIA)[A-Z\d]{16}\b/,
  /\bAIza[\w-]{30,}/,
  /\b(?:hf|npm)_[A-Za-z\d]{20,}/,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/,
  /\beyJ[\w-]{8,512}\.[\w-]{8,}/,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY/,
  /\bBearer\s{1,8}[\w.~+/-]{16,}/i,
  /\b[a-z][\w+.-]{1,20}:\/\/[^\s:/@]{0,256}:[^\s/@]{1,1024}@/i,
  /[?&](?:(?:access_|id_)?token|api_?key|key|secret|password|sig|signature)=[^\s&#]{8,}/i,
];

// What follows it up to the value: "mot de passe du wifi est …", "password for the server: …".
const upToValue = (most: number): string => String.raw`(?![\p{L}\d])[^.!?\n:=]{0,${most}}?`;

const passwordNames =
  String.raw`mots? de passe|mdp|pass ?(?:word|phrase|code)s?|passwd|pwd|phrase secrete|contrasenas?|palabra de paso|` +
  String.raw`clave (?:de acceso|secreta|privada|api|del? wi-?fi)|mi clave|passwort|kennwort|senha|` +
  String.raw`(?:api|secret|access|private)[ _-]?(?:key|token)|cles? (?:api|secretes?|privees?|d'acces)|` +
  String.raw`code (?:secret|confidentiel|d'acces)|codigo (?:secreto|de acceso)|access code`;

const name = (names: string): string => String.raw`(?<![\p{L}\d])(?:${names})`;

/** After a colon whatever stands there; after "is" what looks like one, or is all that follows. */
const namedPasswords: readonly RegExp[] = [
  new RegExp(String.raw`${name(passwordNames)}${upToValue(40)}[:=]\s{0,4}["'«“]?\s?\S{3,}`, 'u'),
  new RegExp(
    String.raw`${name(passwordNames)}${upToValue(40)} (?:est|c'est|c|sera|is|es|sera|ist|e) (?:["'«“]|(?:\S{1,30} ){0,3}\S{0,60}\d|\S{0,60}[@#$%&*_+!]\S|\S{3,60}$)`,
    'u',
  ),
  /(?:密碼|密码|口令|金鑰|密鑰|密钥|私鑰)[^。！？\n]{0,12}?(?:是|為|为|:|=)\s{0,4}[「『"“]?[\x21-\x7e]{3,}/u,
];

const cardNames = String.raw`(?:carte|cb|sim|card|tarjeta)`;

const codeNames =
  String.raw`(?:code )?pin(?: code)?|codigo pin|cvv2?|cvc2?|cvn|cryptogramme|security code|codigo de seguridad|` +
  String.raw`code de securite|(?:code|codigo|clave) (?:(?:de|for|of|to) )?(?:(?:ma|la|sa|my|the|mi) )?(?:(?:bank|credit|debit) )?${cardNames}|` +
  String.raw`(?:bank|credit|debit) card code|card code`;

const namedCodes: readonly RegExp[] = [
  new RegExp(String.raw`${name(codeNames)}${upToValue(30)}[:=]?\s{0,4}(?<!\d)\d{3,8}(?!\d)`, 'u'),
  /(?:驗證碼|验证码|安全碼|安全码|末三碼|提款密碼)[^。\n\d]{0,10}\d{3,8}(?!\d)/u,
];

const accountNames =
  String.raw`rib|(?:numero|num|no|n°) (?:de|du|d'un) compte|compte (?:bancaire|courant|d'epargne|epargne)|` +
  String.raw`(?:bank )?account (?:number|no\.?)|bank account|(?:numero|n°) de cuenta|cuenta bancaria`;

/** What has no checksum that all have, such as the RIB of West and Central Africa. */
const namedAccounts: readonly RegExp[] = [
  new RegExp(
    String.raw`${name(accountNames)}(?![\p{L}\d])[^.,;!?\n\d]{0,40}?(?:[a-z]{2})?\d(?:[ .-]?[a-z]{0,2}\d){7,29}(?!\d| ?(?:f|fcfa|cfa|xof|xaf|euros?|eur|usd|dollars?)(?![\p{L}\d])| ?[€$])`,
    'u',
  ),
  /(?:帳號|账号|帳戶號碼|账户号码)[^。，；\n\d]{0,12}?\d(?:[ -]?\d){7,29}/u,
];

// What is said for one time or for a door: the value stands right behind it, or the year of a plan would be one.
const openers =
  String.raw`digicode|otp|code (?:(?:d'|de |du |de la |de l')?(?:mon |ma |votre )?)?(?:orange money|wave|momo|m-pesa|mpesa|mobile money|` +
  String.raw`alarme|porte|portail|coffre|validation|verification|deverrouillage|otp)|(?:verification|alarm|door|gate|wave) code|` +
  String.raw`codigo de (?:verificacion|(?:la )?alarma|(?:la )?puerta)`;

const namedOpeners = new RegExp(
  String.raw`${name(openers)}(?![\p{L}\d])(?:(?: (?:du|de la|de l'|des|pour|of|for|the|del) ?\p{L}{1,20})?(?: (?:est|c'est|c|is|es)| ?[:=]))? ?\d[\da-z]{3,7}(?![\p{L}\d])`,
  'u',
);

/** Whether a text holds what must not be known to whoever reads it: passwords, keys, codes, numbers of cards and accounts. */
export const holdsSecret = (text: string): boolean => {
  const plain = folded(text);
  return (
    keyShapes.some((shape) => shape.test(text)) ||
    [...namedPasswords, ...namedCodes, ...namedAccounts, namedOpeners].some((named) => named.test(plain)) ||
    holdsCardNumber(text) ||
    holdsAccountNumber(text) ||
    holdsRandomText(text)
  );
};

const addresses = /\b[a-z][\w+.-]{1,20}:\/\/\S+|[\w.+-]{1,64}@[\w.-]{1,255}/gi;
const longRuns = /[A-Za-z\d+/_=-]{20,}/g;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Fewer changes between letters and digits, small and capital, are met in names that people make. */
const LEAST_CHANGES = 6;

/** Whether it holds a long run that nobody would make up. Addresses may hold one, and are no secrets for that. */
const holdsRandomText = (text: string): boolean =>
  (text.replaceAll(addresses, ' ').match(longRuns) ?? []).some(
    (run) => !uuid.test(run) && /\d/.test(run) && (isLongHexadecimal(run) || changesIn(run) >= LEAST_CHANGES),
  );

const isLongHexadecimal = (run: string): boolean =>
  /^(?:[\da-f]{32,}|[\dA-F]{32,})$/.test(run) && /[a-f]/i.test(run);

/** How often small letters, capitals and digits take turns, other than where a word begins as in RapportAnnuel. */
const changesIn = (run: string): number =>
  run
    .split(/[+/_=-]+/)
    .map(
      (word) => word.match(/(?:(?<=[A-Za-z])\d|(?<=\d)[A-Za-z]|(?<=[a-z])[A-Z](?![a-z]{2}))/g)?.length ?? 0,
    )
    .reduce((total, changes) => total + changes, 0);
