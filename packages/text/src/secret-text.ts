import { folded } from './folded-text.js';

/** API keys in the formats of their providers. */
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

// The words between a name and its value: "mot de passe du wifi est …", "password for the server: …".
function upToValue(most: number): string {
  return String.raw`(?![\p{L}\d])[^.!?\n:=]{0,${most}}?`;
}

const passwordNames =
  String.raw`mots? de passe|mdp|pass ?(?:word|phrase|code)s?|passwd|pwd|phrase secrete|contrasenas?|palabra de paso|` +
  String.raw`clave (?:de acceso|secreta|privada|api|del? wi-?fi)|mi clave|passwort|kennwort|senha|` +
  String.raw`(?:api|secret|access|private)[ _-]?(?:key|token)|cles? (?:api|secretes?|privees?|d'acces)|` +
  String.raw`code (?:secret|confidentiel|d'acces)|codigo (?:secreto|de acceso)|access code`;

function name(names: string): string {
  return String.raw`(?<![\p{L}\d])(?:${names})`;
}

/** Anything after a colon. After "is", what looks like a password, or is the rest of the text. */
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

/** Account numbers without a common checksum, such as the RIB of West and Central Africa. */
const namedAccounts: readonly RegExp[] = [
  new RegExp(
    String.raw`${name(accountNames)}(?![\p{L}\d])[^.,;!?\n\d]{0,40}?(?:[a-z]{2})?\d(?:[ .-]?[a-z]{0,2}\d){7,29}(?!\d| ?(?:f|fcfa|cfa|xof|xaf|euros?|eur|usd|dollars?)(?![\p{L}\d])| ?[€$])`,
    'u',
  ),
  /(?:帳號|账号|帳戶號碼|账户号码)[^。，；\n\d]{0,12}?\d(?:[ -]?\d){7,29}/u,
];

// One-time codes and door codes. The value must follow at once, or the year of a plan would match.
const openers =
  String.raw`digicode|otp|code (?:(?:d'|de |du |de la |de l')?(?:mon |ma |votre )?)?(?:orange money|wave|momo|m-pesa|mpesa|mobile money|` +
  String.raw`alarme|porte|portail|coffre|validation|verification|deverrouillage|otp)|(?:verification|alarm|door|gate|wave) code|` +
  String.raw`codigo de (?:verificacion|(?:la )?alarma|(?:la )?puerta)`;

const namedOpeners = new RegExp(
  String.raw`${name(openers)}(?![\p{L}\d])(?:(?: (?:du|de la|de l'|des|pour|of|for|the|del) ?\p{L}{1,20})?(?: (?:est|c'est|c|is|es)| ?[:=]))? ?\d[\da-z]{3,7}(?![\p{L}\d])`,
  'u',
);

/** Whether a text contains a password, a key, a code, or the number of a card or bank account. */
export function holdsSecret(text: string): boolean {
  const plain = folded(text);
  return (
    keyShapes.some((shape) => shape.test(text)) ||
    [...namedPasswords, ...namedCodes, ...namedAccounts, namedOpeners].some((named) => named.test(plain)) ||
    holdsCardNumber(text) ||
    holdsAccountNumber(text) ||
    holdsRandomText(text)
  );
}

const addresses = /\b[a-z][\w+.-]{1,20}:\/\/\S+|[\w.+-]{1,64}@[\w.-]{1,255}/gi;
const MIN_RUN = 20;
const longRuns = new RegExp(`[A-Za-z\\d+/_=-]{${MIN_RUN},}`, 'g');
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Names that people choose have fewer changes between lower case, upper case and digits. */
const MIN_CHANGES = 6;

/** Whether a text contains a long random string. Those within URLs and e-mail addresses do not count. */
function holdsRandomText(text: string): boolean {
  if (text.length < MIN_RUN) return false;
  return (text.replaceAll(addresses, ' ').match(longRuns) ?? []).some(
    (run) => !uuid.test(run) && /\d/.test(run) && (isLongHexadecimal(run) || changesIn(run) >= MIN_CHANGES),
  );
}

function isLongHexadecimal(run: string): boolean {
  return /^(?:[\da-f]{32,}|[\dA-F]{32,})$/.test(run) && /[a-f]/i.test(run);
}

/** Counts changes between lower case, upper case and digits, except at the beginning of a word, as in RapportAnnuel. */
function changesIn(run: string): number {
  return run
    .split(/[+/_=-]+/)
    .map(
      (word) => word.match(/(?:(?<=[A-Za-z])\d|(?<=\d)[A-Za-z]|(?<=[a-z])[A-Z](?![a-z]{2}))/g)?.length ?? 0,
    )
    .reduce((total, changes) => total + changes, 0);
}

// Groups of digits, not preceded or followed by more digits, nor by + as in a telephone number.
const digitGroups = /(?<![\d+][ -]?)\d(?:[ -]?\d){12,18}(?![ -]?\d)/g;

/** The prefixes and lengths of payment cards. A checksum is not enough: company numbers use the same one. */
const issuers: readonly (readonly [beginning: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^35(?:2[89]|[3-8])/, [16]],
  [/^(?:6011|64[4-9]|65)/, [16, 19]],
  [/^62/, [16, 17, 18, 19]],
];

function holdsCardNumber(text: string): boolean {
  return (text.match(digitGroups) ?? []).some((group) => {
    const digits = group.replaceAll(/[ -]/g, '');
    return (
      issuers.some(([beginning, lengths]) => lengths.includes(digits.length) && beginning.test(digits)) &&
      fitsLuhn(digits)
    );
  });
}

/** The checksum of ISO/IEC 7812. */
function fitsLuhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

const accounts = /(?<![\p{L}\d])[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]){11,34}/gu;

function holdsAccountNumber(text: string): boolean {
  return (text.toUpperCase().match(accounts) ?? []).some((found) => {
    // Following words may have matched as its last groups.
    const groups = found.split(/[ -]/);
    return groups.some((_, index) => isIban(groups.slice(0, index + 1).join('')));
  });
}

/** The checksum of ISO 13616. */
function isIban(text: string): boolean {
  if (text.length < 15 || text.length > 34 || (text.match(/\d/g)?.length ?? 0) < 8) return false;
  const moved = text.slice(4) + text.slice(0, 4);
  const digits = moved.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}
