import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** What was encrypted cannot be read: with another key, or it was changed. */
export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret';
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
// Node takes shorter tags unless told otherwise, and the shorter one is, the easier it is guessed.
const TAG = { authTagLength: TAG_BYTES };
const FORM = /^v1\.([\w-]{8})\.([\w-]+)$/;

/**
 * Keeps companies' secrets, and signs what this installation hands out to be brought back to it. Every purpose has a
 * key of its own, derived from one secret (HKDF, RFC 5869).
 */
export class Secrets {
  private readonly encryption: Buffer;
  private readonly keyId: string;

  /** `secret`: at least 32 characters. */
  constructor(private readonly secret: string) {
    this.encryption = this.keyOf('encryption');
    this.keyId = createHash('sha256').update(this.encryption).digest('base64url').slice(0, 8);
  }

  /** AES-256-GCM. `about`: whose it is; it can be read with the same words alone. */
  encrypt(text: string, about: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.encryption, iv, TAG).setAAD(Buffer.from(about));
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `v1.${this.keyId}.${sealed.toString('base64url')}`;
  }

  /** Throws UnreadableSecret. */
  decrypt(encrypted: string, about: string): string {
    const [, keyId, body] = FORM.exec(encrypted) ?? [];
    if (body === undefined || keyId !== this.keyId) {
      throw new UnreadableSecret('The secret was encrypted with another key than ENCRYPTION_KEY is now.');
    }
    const sealed = Buffer.from(body, 'base64url');
    try {
      const decipher = createDecipheriv(CIPHER, this.encryption, sealed.subarray(0, IV_BYTES), TAG)
        .setAAD(Buffer.from(about))
        .setAuthTag(sealed.subarray(-TAG_BYTES));
      return (
        decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    } catch (error) {
      throw new UnreadableSecret('The secret was changed, or is another one’s.', { cause: error });
    }
  }

  /** HMAC-SHA256 as base64url. A signature for one purpose is none for another. */
  sign(text: string, purpose: string): string {
    return createHmac('sha256', this.keyOf(`signature of ${purpose}`))
      .update(text)
      .digest('base64url');
  }

  isSignature(signature: string, text: string, purpose: string): boolean {
    const expected = Buffer.from(this.sign(text, purpose));
    const given = Buffer.from(signature);
    return expected.length === given.length && timingSafeEqual(expected, given);
  }

  private keyOf(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.secret, 'palabre', purpose, 32));
  }
}
