/** A pack, or an archive of packs, that cannot be used. The message says why, and what its author can do about it. */
export class PackRefused extends Error {
  override readonly name = 'PackRefused';
}

/** A pack that could not be read at this moment, which says nothing of what is in it. The message is as of PackRefused. */
export class PackUnread extends Error {
  override readonly name = 'PackUnread';
}
