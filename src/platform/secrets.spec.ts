import fc from 'fast-check';

import { Secrets, UnreadableSecret } from './secrets.js';

const secrets = new Secrets('a secret for tests that is long enough');
const others = new Secrets('another secret for tests, long enough too');
const ABOUT = 'company 1';

/** The same text with another character at `index`, which decodes to other bytes. */
function changedAt(text: string, index: number): string {
  return `${text.slice(0, index)}${text[index] === 'A' ? 'B' : 'A'}${text.slice(index + 1)}`;
}

describe('encrypt', () => {
  it('is decrypted to the same text, which it does not contain', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.string(), (text, about) => {
        const encrypted = secrets.encrypt(text, about);
        expect(secrets.decrypt(encrypted, about)).toBe(text);
        expect(encrypted).toMatch(/^v1\.[\w-]{8}\.[\w-]+$/);
      }),
    );
    expect(secrets.encrypt('Bearer 123', ABOUT)).not.toContain(Buffer.from('Bearer').toString('base64url'));
  });

  it('differs each time, and is readable by every process with the same secret', () => {
    const encrypted = secrets.encrypt('key', ABOUT);
    expect(secrets.encrypt('key', ABOUT)).not.toBe(encrypted);
    expect(new Secrets('a secret for tests that is long enough').decrypt(encrypted, ABOUT)).toBe('key');
  });

  it('is readable only with the same purpose', () => {
    const encrypted = secrets.encrypt('key', ABOUT);
    expect(() => secrets.decrypt(encrypted, 'company 2')).toThrow(UnreadableSecret);
  });

  it('tells that it was encrypted with another key', () => {
    const encrypted = others.encrypt('key', ABOUT);
    expect(() => secrets.decrypt(encrypted, ABOUT)).toThrow('with another key than ENCRYPTION_KEY');
  });

  it('is decrypted with any old key, and encrypted with the current one', () => {
    const [oldest, old] = ['the oldest of the secrets for tests', 'an old one of the secrets for tests'];
    const today = new Secrets('the one of today of the secrets for tests', [old, oldest]);
    for (const secret of [oldest, old]) {
      const before = new Secrets(secret);
      expect(today.decrypt(before.encrypt('key', ABOUT), ABOUT)).toBe('key');
      expect(today.isSignature(before.sign('file 1', 'files'), 'file 1', 'files')).toBe(true);
      expect(today.isSignature(before.sign('file 1', 'files'), 'file 2', 'files')).toBe(false);
      expect(() => before.decrypt(today.encrypt('key', ABOUT), ABOUT)).toThrow(UnreadableSecret);
    }
    expect(today.encrypt('key', ABOUT).startsWith(today.prefix)).toBe(true);
    expect(today.prefix).not.toBe(new Secrets(old).prefix);
  });

  it('is unreadable when it was changed or cut', () => {
    const encrypted = secrets.encrypt('a key of a company', ABOUT);
    // The last character may hold spare bits that decode to the same bytes.
    for (let index = 0; index < encrypted.length - 1; index += 1) {
      expect(() => secrets.decrypt(changedAt(encrypted, index), ABOUT)).toThrow(UnreadableSecret);
      expect(() => secrets.decrypt(encrypted.slice(0, index), ABOUT)).toThrow(UnreadableSecret);
    }
  });

  it.each([4, 8, 12, 15])('takes no tag of %d bytes', (bytes) => {
    const head = secrets.encrypt('', ABOUT).split('.').slice(0, 2).join('.');
    const short = Buffer.alloc(bytes).toString('base64url');
    expect(() => secrets.decrypt(`${head}.${short}`, ABOUT)).toThrow(UnreadableSecret);
  });

  it('throws UnreadableSecret for any other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
        expect(() => secrets.decrypt(text, ABOUT)).toThrow(UnreadableSecret);
      }),
    );
  });
});

describe('sign', () => {
  it('accepts its own signature', () => {
    const signature = secrets.sign('file 1', 'files');
    expect(signature).toMatch(/^[\w-]{43}$/);
    expect(secrets.sign('file 1', 'files')).toBe(signature);
    expect(secrets.isSignature(signature, 'file 1', 'files')).toBe(true);
  });

  it('refuses a signature of another text, purpose or secret, and a changed one', () => {
    const signature = secrets.sign('file 1', 'files');
    expect(secrets.isSignature(signature, 'file 2', 'files')).toBe(false);
    expect(secrets.isSignature(signature, 'file 1', 'uploads')).toBe(false);
    expect(others.isSignature(signature, 'file 1', 'files')).toBe(false);
    for (let index = 0; index < signature.length; index += 1) {
      expect(secrets.isSignature(changedAt(signature, index), 'file 1', 'files')).toBe(false);
    }
    for (const given of ['', signature.slice(1), `${signature}A`, 'é'.repeat(43)]) {
      expect(secrets.isSignature(given, 'file 1', 'files')).toBe(false);
    }
  });
});
