/** The public interface. Nothing else of the package may be imported. */
export {
  contentOf,
  MAX_READ_BYTES,
  type PackContent,
  packOf,
  withUnknownAssistants,
} from './described-pack.js';
export { folderPacks } from './folder-packs.js';
export { findPackFolders } from './folder-walk.js';
export { splitFrontMatter } from './front-matter.js';
export { mapWithConcurrency } from '@palabre/async';
export {
  MAX_ARCHIVE_BYTES,
  readPackArchive,
  readPackArchiveFile,
  type UnpackedPack,
} from './pack-archive.js';
export { NoSuchPackFile, PackFileNotText, packText } from './pack-file-errors.js';
export { AT_TOP, findPacks, isSkillFile, MAX_FILES, nameOf, type PackPlace } from './pack-layout.js';
export {
  type KeptFolder,
  KeptPacks,
  type PackClock,
  type PackListing,
  type PackLog,
  type RefusedPack,
} from './pack-listing.js';
export { shownPath } from './pack-paths.js';
export { PackRefused } from './pack-refused.js';
export { keyOfRemark, type PackRemark, packRemark, packRemarkCodes } from './pack-remark.js';
export type { Pack, PackFile } from './pack.js';
export { inShort } from './skill-md.js';
export { checkStrictly } from './skill-md-rules.js';
export { MAX_ENTRY_BYTES } from './zip-entries.js';
