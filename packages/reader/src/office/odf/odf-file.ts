import { DocumentRefused } from '../../parsed-document.js';
import { OfficePackage } from '../package/office-package.js';
import { descendantsOf, type XmlElement } from '../xml/xml-element.js';
import { elementOf, elementsOf } from '../xml/xml-reader.js';
import type { OdfParts } from './odf-blocks.js';
import { OdfObjects } from './odf-objects.js';
import { OdfStyles } from './odf-styles.js';
import { OdfText } from './odf-text.js';
import { remark } from '../../remarks.js';

export interface OdfFile {
  content: Uint8Array;
  parts: OdfParts;
  /** Headers and footers. */
  pageFrames: XmlElement[];
}

/** `extension`: what the file should be. Throws DocumentRefused. */
export async function openOdf(bytes: Uint8Array, extension: string): Promise<OdfFile> {
  const file = await OfficePackage.open(bytes);
  refuseEncrypted(file);
  const content = file.read('content.xml');
  if (!content) throw new DocumentRefused(remark('NOT_ITS_FORMAT', { extension }));
  const styles = new OdfStyles();
  const common = file.has('styles.xml')
    ? file.find('styles.xml', 'STYLES_MISSING', (found) => elementOf(found))
    : null;
  for (const group of common ? descendantsOf(common, 'office:styles', 'office:automatic-styles') : [])
    styles.add(group);
  styles.add(ownStyles(content));
  const { losses } = file;
  return {
    content,
    parts: { styles, text: new OdfText(styles, losses), objects: new OdfObjects(file), losses },
    pageFrames: common ? [...descendantsOf(common, 'style:header', 'style:footer')] : [],
  };
}

/** The automatic styles precede the body, so reading stops there. A file may have none. */
function ownStyles(content: Uint8Array): XmlElement | undefined {
  const wanted = { whole: ['office:automatic-styles'], opened: ['office:body'] };
  for (const { element } of elementsOf(content, wanted))
    return element.name === 'office:body' ? undefined : element;
  return undefined;
}

function refuseEncrypted(file: OfficePackage): void {
  if (!file.has('META-INF/manifest.xml')) return;
  const isEncrypted = file.find('META-INF/manifest.xml', 'PARTS_LIST_MISSING', (bytes) => {
    for (const _ of elementsOf(bytes, { whole: [], opened: ['manifest:encryption-data'] })) return true;
    return false;
  });
  if (isEncrypted) throw new DocumentRefused(remark('PROTECTED'));
}
