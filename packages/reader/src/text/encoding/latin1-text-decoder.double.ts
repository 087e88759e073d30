const Right = TextDecoder;

/** Imitates, for tests, the TextDecoder of Node 24.0 to 24.6, which takes windows-1252 for ISO 8859-1. */
class Latin1TextDecoder extends Right {
  override decode(...[bytes, options]: Parameters<InstanceType<typeof Right>['decode']>): string {
    if (this.encoding !== 'windows-1252' || !(bytes instanceof Uint8Array))
      return super.decode(bytes, options);
    return Buffer.from(bytes).toString('latin1');
  }
}

/** Runs `work` with that decoder. */
export function withLatin1TextDecoder<Result>(work: () => Result): Result {
  globalThis.TextDecoder = Latin1TextDecoder;
  try {
    return work();
  } finally {
    globalThis.TextDecoder = Right;
  }
}
