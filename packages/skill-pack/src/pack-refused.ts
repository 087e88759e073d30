/** A pack, or an archive of packs, that cannot be used. The message says why, and what its author can do about it. */
export class PackRefused extends Error {
  override readonly name = 'PackRefused';
}
