/** A pack or archive that cannot be used. The message says why, and what its author can do. */
export class PackRefused extends Error {
  override readonly name = 'PackRefused';
}
