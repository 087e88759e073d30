import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Encrypted text cannot be decrypted: it was encrypted with another key, or changed. */
export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret';
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
// Without it Node accepts shorter tags, which are easier to guess.
const TAG = { authTagLength: TAG_BYTES };
const ENCRYPTED = /^v1\.([\w-]{8})\.([\w-]+)$/;

/**
 * Encrypts companies' secrets, and signs links and tokens that come back to this installation. Each purpose has its own
 * key, derived from one secret (HKDF, RFC 5869).
 */
export class Secrets {
  private readonly keyId: string;
  /** The current and old keys, by id. */
  private readonly encryptionKeys: ReadonlyMap<string, Buffer>;
  private readonly encryption: Buffer;

  /** `secret` has at least 32 characters. Texts encrypted or signed with `oldSecrets` are still accepted. */
  constructor(
    private readonly secret: string,
    private readonly oldSecrets: readonly string[] = [],
  ) {
    this.encryption = derived(secret, 'encryption');
    this.keyId = idOf(this.encryption);
    const old = oldSecrets.map((secret) => derived(secret, 'encryption'));
    this.encryptionKeys = new Map([...old, this.encryption].map((key) => [idOf(key), key]));
  }

  /** The beginning of every text that is encrypted with the current key. */
  get prefix(): string {
    return `v1.${this.keyId}.`;
  }

  /** AES-256-GCM. `about` binds the text to its row: the same value is needed to decrypt it. */
  encrypt(text: string, about: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.encryption, iv, TAG).setAAD(Buffer.from(about));
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return this.prefix + sealed.toString('base64url');
  }

  /** Throws UnreadableSecret. */
  decrypt(encrypted: string, about: string): string {
    const [, keyId = '', body] = ENCRYPTED.exec(encrypted) ?? [];
    const key = this.encryptionKeys.get(keyId);
    if (body === undefined || !key)
      throw new UnreadableSecret('The secret was encrypted with another key than ENCRYPTION_KEY is now.');
    const sealed = Buffer.from(body, 'base64url');
    try {
      const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES), TAG)
        .setAAD(Buffer.from(about))
        .setAuthTag(sealed.subarray(-TAG_BYTES));
      return (
        decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    } catch (error) {
      throw new UnreadableSecret('The secret was changed, or is another one’s.', { cause: error });
    }
  }

  /** HMAC-SHA256 as base64url. A signature is valid for its purpose only. */
  sign(text: string, purpose: string): string {
    return signed(this.secret, text, purpose);
  }

  isSignature(signature: string, text: string, purpose: string): boolean {
    const given = Buffer.from(signature);
    return [this.secret, ...this.oldSecrets].some((secret) => {
      const expected = Buffer.from(signed(secret, text, purpose));
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
  }
}

function derived(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'palabre', purpose, 32));
}

function idOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 8);
}

function signed(secret: string, text: string, purpose: string): string {
  return createHmac('sha256', derived(secret, `signature of ${purpose}`))
    .update(text)
    .digest('base64url');
}
