export const redacted = '[redacted]';

// Counts such as inputTokens have to stay readable, so only a last word `token` makes a secret.
const secretWord =
  'authorization|cookie|password|passphrase|secret|credential|api[-_]?key|private[-_]?key|jwt$|token$';
const secretKey = new RegExp(secretWord, 'i');
// The lengths here and below are bounded so that a long text of a user's cannot make matching quadratic.
const secretKeyInLine = new RegExp(`"[^"]{0,60}(?:${secretWord.replaceAll('$', '')})[^"]{0,60}":`, 'i');

/**
 * A line of JSON without what it holds under secret-looking keys, at any depth, and without secrets inside texts.
 * It works on the finished line, where nothing that was logged can have gone round it.
 */
export const redactLine = (line: string): string => redactText(redactKeys(line));

const redactKeys = (line: string): string =>
  secretKeyInLine.test(line)
    ? `${JSON.stringify(JSON.parse(line), (key, value: unknown) => (isSecret(key, value) ? redacted : value))}\n`
    : line;

const isSecret = (key: string, value: unknown): boolean =>
  value !== null && value !== '' && secretKey.test(key);

/** Bearer tokens, JWTs, API keys, tokens in a query string, the password of a connection URL, OpenAI-style keys. */
export const redactText = (text: string): string =>
  text
    .replace(/\b(Bearer)\s{1,8}[\w.~+/=-]{10,}/gi, `$1 ${redacted}`)
    .replace(/\beyJ[\w-]{5,512}\.[\w-]+\.[\w-]*/g, redacted)
    .replace(/([?&](?:access_|id_)?(?:token|api_?key|secret|signature)=)[^&\s"\\]+/gi, `$1${redacted}`)
    .replace(/(\b[a-z][\w+.-]{1,20}:\/\/[^\s:/@"\\]{0,256}:)[^\s/@"\\]{1,1024}@/gi, `$1${redacted}@`)
    .replace(/\b(?:sk-|plb_)[\w-]{8,}/g, redacted);
