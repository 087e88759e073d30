/** A note on a pack for its author, as a code. The display has the words. */
export type PackRemark = {
  readonly code: PackRemarkCode;
  /** Names, paths and sizes for its sentence. */
  readonly values: Readonly<Record<string, string>>;
};

export const packRemarkCodes = [
  'INVALID_YAML',
  'LONG_DESCRIPTION',
  'NO_INSTRUCTIONS',
  'NO_NAME',
  'NO_NAME_IN_FOLDER',
  'LONG_NAME',
  'NAME_NOT_FOLDER',
  'UNKNOWN_KEYS',
  'UNKNOWN_ASSISTANT',
  'SECOND_SKILL_FILE',
  'LARGE_FILE',
  'LINK_LEADS_OUT',
  'FILE_NAME_NOT_UTF8',
  'FILE_NAME_NOT_PLAIN',
  'FILE_NAME_DAMAGED',
  'FILE_UNREADABLE',
  'FOLDER_TOO_DEEP',
  'FOLDER_NAME_NOT_UTF8',
  'FOLDER_UNREADABLE',
  // An English sentence from an earlier version.
  'SENTENCE',
] as const;

export type PackRemarkCode = (typeof packRemarkCodes)[number];

export function packRemark(code: PackRemarkCode, values: PackRemark['values'] = {}): PackRemark {
  return { code, values };
}

/** A key for sorting and comparing. */
export function keyOfRemark({ code, values }: PackRemark): string {
  return JSON.stringify([code, ...Object.values(values)]);
}
